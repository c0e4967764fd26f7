package io.psych.sandbox.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.psych.sandbox.NoUsableBackendException;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.UnknownSpecException;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.TenantPolicy;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.run.PoolStatus;
import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.spring.SandboxBuilderCustomizer;
import io.psych.sandbox.terms.Narrowing;
import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolCatalogException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SandboxAutoConfiguration} with the real backends of this host.
 */
@ExtendWith(OutputCaptureExtension.class)
class SandboxAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxSpringAiAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES);

	private final ApplicationContextRunner withoutBackend = this.runner
		.withPropertyValues("psych.sandbox.backend=bubblewrap", "psych.sandbox.bubblewrap.executable=/no/such/bwrap");

	private final ApplicationContextRunner process = this.runner.withPropertyValues("psych.sandbox.backend=process");

	private final ApplicationContextRunner plain = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES)
		.withPropertyValues("psych.sandbox.backend=process");

	private final ApplicationContextRunner unmet = this.process
		.withPropertyValues("psych.sandbox.require.level=isolated");

	@Test
	void runGivesSandboxAndToolAndSaysWhichBackend(CapturedOutput output) {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(Sandbox.class)
				.hasSingleBean(RunCodeTool.class)
				.hasSingleBean(ToolCatalog.class);
			Sandbox sandbox = context.getBean(Sandbox.class);
			assertThat(sandbox.limits()).isEqualTo(Limits.defaults());
			assertThat(output).contains("Programs run with backend %s at level %s, Python %s"
				.formatted(sandbox.selection().chosen(), sandbox.isolation().level().id(), sandbox.pythonVersion()));
		});
	}

	@Test
	void runWhenStrongerBackendIsNotTakenSaysWhy(CapturedOutput output) {
		this.runner.withPropertyValues("psych.sandbox.bubblewrap.executable=/no/such/bwrap").run((context) -> {
			assertThat(context.getBean(Sandbox.class).selection().chosen()).isEqualTo("process");
			assertThat(output).contains("Programs run with backend process")
				.contains("Not taken: bubblewrap: /no/such/bwrap is not the absolute path of an executable file.");
		});
	}

	@Test
	void runWhenDisabledHasNothing(CapturedOutput output) {
		this.runner.withPropertyValues("psych.sandbox.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed()
				.doesNotHaveBean(Sandbox.class)
				.doesNotHaveBean(RunCodeTool.class)
				.doesNotHaveBean(ToolCatalog.class)
				.doesNotHaveBean(SandboxProperties.class);
			assertThat(output).doesNotContain("Programs run");
		});
	}

	@Test
	void runWhenToolIsDisabledHasSandboxAlone() {
		this.process.withPropertyValues("psych.sandbox.tool.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(Sandbox.class).doesNotHaveBean(RunCodeTool.class));
	}

	@Test
	void runWhenApplicationHasSandboxBacksOff() {
		Sandbox own = mock(Sandbox.class);
		this.runner.withBean(Sandbox.class, () -> own).run((context) -> {
			assertThat(context.getBean(Sandbox.class)).isSameAs(own);
			assertThat(context).hasSingleBean(RunCodeTool.class).doesNotHaveBean(SandboxDetection.class);
		});
	}

	@Test
	void runWhenApplicationHasToolCatalogBacksOff() {
		ToolCatalog own = ToolCatalog.of(new FixedTool("one", (arguments) -> arguments));
		this.process.withBean(ToolCatalog.class, () -> own).run((context) -> {
			assertThat(context.getBean(ToolCatalog.class)).isSameAs(own);
			assertThat(value(context.getBean(Sandbox.class), "await one(answer=42)")).isEqualTo("{\"answer\":42}");
		});
	}

	@Test
	void runWhenApplicationHasToolBacksOff() {
		RunCodeTool own = new RunCodeTool(mock(Sandbox.class));
		this.process.withBean(RunCodeTool.class, () -> own)
			.run((context) -> assertThat(context.getBean(RunCodeTool.class)).isSameAs(own));
	}

	@Test
	void specsAndTheTenantPolicyReachTheSandbox() {
		this.process.withBean(FixedTool.class, () -> new FixedTool("one", (arguments) -> arguments))
			.withBean("two", FixedTool.class, () -> new FixedTool("two", (arguments) -> arguments))
			.withBean(TenantPolicy.class,
					() -> (scope) -> "acme".equals(scope.tenant()) ? Narrowing.refused("not today") : Narrowing.NONE)
			.withPropertyValues("psych.sandbox.profiles.batch.cpu=20s", "psych.sandbox.specs.orders.profile=batch",
					"psych.sandbox.specs.orders.bindings=two")
			.run((context) -> {
				Sandbox sandbox = context.getBean(Sandbox.class);
				assertThat(sandbox.specs()).containsOnlyKeys("orders");
				RunRequest request = RunRequest.of("[name for name in TOOLS if name in ('one', 'two')]");
				assertThat(sandbox.run(request).value().toJson()).contains("one", "two");
				assertThat(sandbox.run(request.withSpec(sandbox.spec("orders"))).value().toJson())
					.isEqualTo("[\"two\"]");
				RunResult refused = sandbox.run(request.withScope(new Scope("acme", null, null)));
				assertThat(refused.failure().kind()).isEqualTo(FailureKind.POLICY_REFUSED);
				assertThat(refused.failure().message()).isEqualTo("not today");
			});
	}

	@Test
	void specOfTheToolContextDecidesWhatItsProgramMayCall() {
		this.process.withBean(FixedTool.class, () -> new FixedTool("one", (arguments) -> arguments))
			.withPropertyValues("psych.sandbox.specs.orders.bindings=")
			.run((context) -> {
				ToolCallback runCode = context.getBean("runCodeToolCallback", ToolCallback.class);
				String program = "{\"program\": \"'one' in TOOLS\"}";
				assertThat(runCode.call(program, new ToolContext(Map.of("other", 1)))).contains("\"value\":true");
				assertThat(runCode.call(program, new ToolContext(Map.of("psych.spec", "orders"))))
					.contains("\"value\":false");
				assertThatExceptionOfType(UnknownSpecException.class)
					.isThrownBy(() -> runCode.call(program, new ToolContext(Map.of("psych.spec", "order"))))
					.withMessage("There is no Spec 'order' (psych.sandbox.specs has [orders]).");
				assertThatExceptionOfType(UnknownSpecException.class)
					.isThrownBy(() -> runCode.call(program, new ToolContext(Map.of("psych.spec", 7))));
			});
	}

	@Test
	void propertiesReachTheSandbox() {
		this.process
			.withPropertyValues("psych.sandbox.limits.wall-time=25s", "psych.sandbox.profiles.batch.cpu=20s",
					"psych.sandbox.profiles.batch.wall-time=2m", "psych.sandbox.require.guarantees=wall-clock")
			.run((context) -> {
				Sandbox sandbox = context.getBean(Sandbox.class);
				assertThat(sandbox.limits().wallTime()).isEqualTo(Duration.ofSeconds(25));
				assertThat(sandbox.profiles()).containsOnlyKeys("batch");
				assertThat(sandbox.profiles().get("batch").cpu()).isEqualTo(Duration.ofSeconds(20));
				assertThat(sandbox.requirement().guarantees()).hasSize(1);
			});
	}

	@Test
	void poolAndQueueAreThoseOfTheProperties() {
		this.process.run((context) -> {
			Sandbox sandbox = context.getBean(Sandbox.class);
			assertThat(sandbox.pool().size()).isEqualTo(2);
			assertThat(sandbox.admission().most()).isEqualTo(64);
		});
		this.process
			.withPropertyValues("psych.sandbox.pool.size=0", "psych.sandbox.concurrent-executions=1",
					"psych.sandbox.queue.size=0")
			.withUserConfiguration(NestingToolConfiguration.class)
			.run((context) -> {
				Sandbox sandbox = context.getBean(Sandbox.class);
				assertThat(sandbox.pool()).isEqualTo(PoolStatus.NONE);
				assertThat(value(sandbox, "await nested()")).isEqualTo("\"The program was not started: 1 executions are"
						+ " running and 0 of this tenant are waiting, which is as many as may.\"");
				assertThat(value(sandbox, "1 + 1")).isEqualTo("2");
			});
	}

	@Test
	void customizersAreCalledInOrderAfterProperties() {
		this.process.withUserConfiguration(CustomizerConfiguration.class)
			.withPropertyValues("psych.sandbox.limits.processes=3")
			.run((context) -> {
				assertThat(context.getBean(Calls.class).names).containsExactly("first", "second");
				assertThat(context.getBean(Sandbox.class).limits().processes()).isEqualTo(5);
			});
	}

	@Test
	void runWithoutUsableBackendHasNoToolAndSaysWhy(CapturedOutput output) {
		this.withoutBackend.withUserConfiguration(OptionalConfiguration.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Optionals.class)).isEqualTo(new Optionals(Optional.empty(), Optional.empty()));
			assertThat(context.getBeanProvider(RunCodeTool.class).getIfAvailable()).isNull();
			assertThat(context.getBeanProvider(ToolCallback.class).stream()).isEmpty();
			assertThat(output).contains("There is no run_code tool: ").contains("/no/such/bwrap");
		});
	}

	@Test
	void runWithoutUsableBackendWhenToolIsRequiredFails() {
		this.withoutBackend.withUserConfiguration(RequiringConfiguration.class).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).hasRootCauseInstanceOf(NoSuchBeanDefinitionException.class)
				.hasStackTraceContaining(RunCodeTool.class.getName());
		});
	}

	@Test
	void runWithoutUsableBackendWhenFailFastFails() {
		this.withoutBackend.withPropertyValues("psych.sandbox.fail-fast=true").run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).hasRootCauseInstanceOf(NoUsableBackendException.class);
		});
	}

	@Test
	void runWhenRequirementIsNotMetRefusesProgramsAsData(CapturedOutput output) {
		this.unmet.run((context) -> {
			assertThat(output).contains("Every program will be refused: level isolated is required");
			RunResult result = context.getBean(RunCodeTool.class).run(RunRequest.of("print('ran')"));
			assertThat(result.failure().kind()).isEqualTo(FailureKind.ISOLATION_UNAVAILABLE);
			assertThat(result.stdout().text()).isEmpty();
		});
	}

	@Test
	void runWhenRequirementIsNotMetAndFailFastFails() {
		this.unmet.withPropertyValues("psych.sandbox.fail-fast=true").run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).hasRootCauseInstanceOf(UnmetRequirementException.class);
		});
	}

	@Test
	void runWhenInitializationIsLazyStillDetectsAtStartup(CapturedOutput output) {
		this.plain
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertThat(context.getBeanFactory().containsSingleton("runCodeTool")).isFalse();
				assertThat(output).contains("Programs run with backend process");
				assertThat(value(context.getBean(Sandbox.class), "1 + 1")).isEqualTo("2");
			});
	}

	@Test
	void closeOfContextClosesSandbox() {
		this.process.withBean(ToolCatalog.class, ToolCatalog::of).run((context) -> {
			Sandbox sandbox = context.getBean(Sandbox.class);
			context.close();
			assertThatIllegalStateException().isThrownBy(() -> sandbox.run(RunRequest.of("1")));
		});
	}

	@Test
	void runWhenToolClaimsReservedNameFails() {
		this.process.withBean("evil", FixedTool.class, () -> new FixedTool("run_code", (arguments) -> arguments))
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(context.getStartupFailure()).isInstanceOf(ToolCatalogException.class);
			});
	}

	@Test
	void runWhenToolThatClaimsReservedNameIsExcludedStarts() {
		this.process.withBean("evil", FixedTool.class, () -> new FixedTool("run_code", (arguments) -> arguments))
			.withPropertyValues("psych.sandbox.tools.exclude=run_*")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void runWhenToolNeedsTheSandboxItselfStarts() {
		this.process.withUserConfiguration(SelfishToolConfiguration.class)
			.run((context) -> assertThat(value(context.getBean(Sandbox.class), "await version()")).startsWith("\"3."));
	}

	private static String value(Sandbox sandbox, String program) {
		RunResult result = sandbox.run(RunRequest.of(program));
		assertThat(result.failure()).isNull();
		return result.value().toJson();
	}

	@Configuration(proxyBeanMethods = false)
	static class CustomizerConfiguration {

		@Bean
		Calls calls() {
			return new Calls(new ArrayList<>());
		}

		@Bean
		@Order(2)
		SandboxBuilderCustomizer second(Calls calls) {
			return (builder) -> {
				calls.names.add("second");
				builder.limits(Limits.defaults().withProcesses(5));
			};
		}

		@Bean
		@Order(1)
		SandboxBuilderCustomizer first(Calls calls) {
			return (builder) -> {
				calls.names.add("first");
				builder.limits(Limits.defaults().withProcesses(4));
			};
		}

	}

	record Calls(List<String> names) {

	}

	@Configuration(proxyBeanMethods = false)
	static class OptionalConfiguration {

		@Bean
		Optionals optionals(Optional<RunCodeTool> tool, Optional<Sandbox> sandbox) {
			return new Optionals(tool, sandbox);
		}

	}

	record Optionals(Optional<RunCodeTool> tool, Optional<Sandbox> sandbox) {

	}

	@Configuration(proxyBeanMethods = false)
	static class RequiringConfiguration {

		@Bean
		String agent(RunCodeTool tool) {
			return tool.name();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SelfishToolConfiguration {

		@Bean
		FixedTool version(Sandbox sandbox) {
			return new FixedTool("version", (arguments) -> JsonValue.of(sandbox.pythonVersion()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NestingToolConfiguration {

		@Bean
		FixedTool nested(Sandbox sandbox) {
			return new FixedTool("nested",
					(arguments) -> JsonValue.of(sandbox.run(RunRequest.of("1")).failure().message()));
		}

	}

}
