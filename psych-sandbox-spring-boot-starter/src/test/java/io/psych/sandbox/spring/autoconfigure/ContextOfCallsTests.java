package io.psych.sandbox.spring.autoconfigure;

import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.micrometer.context.ContextRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.RunCodeTool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the thread of whoever runs a program holds reaches the threads that make the
 * program's calls, and stays with none of them.
 */
class ContextOfCallsTests {

	private static final String ACCESSOR = "psych-test-user";

	/** What a library of the application holds, and registers an accessor for. */
	private static final ThreadLocal<String> USER = new ThreadLocal<>();

	private final ObservationRegistry observations = ObservationRegistry.create();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES)
		.withBean(FixedTool.class, () -> new FixedTool("context", (arguments) -> {
			Observation current = this.observations.getCurrentObservation();
			return JsonValue.of(List.of(String.valueOf(MDC.get("request")), String.valueOf(USER.get()),
					(current != null) ? String.valueOf(current.getContextView().getName()) : "none"));
		}));

	@AfterEach
	void forget() {
		MDC.clear();
		USER.remove();
		SecurityContextHolder.clearContext();
		ContextRegistry.getInstance().removeThreadLocalAccessor(ACCESSOR);
	}

	@Test
	void contextOfTheCallerReachesCallsThatRunAtOnceAndNoOther() {
		ContextRegistry.getInstance().registerThreadLocalAccessor(ACCESSOR, USER::get, USER::set, USER::remove);
		this.observations.observationConfig().observationHandler((context) -> true);
		ObservationThreadLocalAccessor.getInstance().setObservationRegistry(this.observations);
		this.runner.run((context) -> {
			RunCodeTool tool = context.getBean(RunCodeTool.class);
			MDC.put("request", "r-17");
			USER.set("ada");
			RunResult result = Observation.createNotStarted("turn", this.observations)
				.observe(() -> tool.run(RunRequest.of("""
						import asyncio
						await asyncio.gather(*(context(n=n) for n in range(20)))
						""")));
			assertThat(result.failure()).isNull();
			assertThat(result.value()).isEqualTo(JsonValue.of(Collections.nCopies(20, List.of("r-17", "ada", "turn"))));
			MDC.clear();
			USER.remove();
			assertThat(tool.run(RunRequest.of("await context()")).value())
				.isEqualTo(JsonValue.of(List.of("null", "null", "none")));
		});
	}

	@Test
	void securityContextOfSpringSecurityReachesCallsAndStaysWithNone() {
		this.runner
			.withBean("whoami", FixedTool.class,
					() -> new FixedTool("whoami", (arguments) -> JsonValue.of(String.valueOf(user()))))
			.run((context) -> {
				RunCodeTool tool = context.getBean(RunCodeTool.class);
				RunRequest request = RunRequest.of("""
						import asyncio
						sorted(set(await asyncio.gather(*(whoami() for _ in range(20)))))
						""");
				SecurityContextHolder.getContext()
					.setAuthentication(new TestingAuthenticationToken("ada", "n/a", "ROLE_USER"));
				assertThat(tool.run(request).value()).isEqualTo(JsonValue.of(List.of("ada")));
				SecurityContextHolder.clearContext();
				assertThat(tool.run(request).value()).isEqualTo(JsonValue.of(List.of("null")));
			});
	}

	private static String user() {
		Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
		return (authentication != null) ? authentication.getName() : null;
	}

	@Test
	void diagnosticContextReachesCallsWithoutContextPropagation() {
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer.context")).run((context) -> {
			MDC.setContextMap(Map.of("request", "r-18"));
			assertThat(context.getBean(RunCodeTool.class).run(RunRequest.of("(await context())[0]")).value())
				.isEqualTo(JsonValue.of("r-18"));
		});
	}

}
