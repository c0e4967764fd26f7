package io.psych.sandbox.spring.autoconfigure;

import java.util.List;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.spring.springai.RunCodeToolCallback;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCatalog;
import org.junit.jupiter.api.Test;

import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SandboxSpringAiAutoConfiguration}.
 */
class SandboxSpringAiAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxSpringAiAutoConfiguration.class,
				ToolCallingAutoConfiguration.class))
		.withBean(Sandbox.class, () -> mock(Sandbox.class));

	@Test
	void runCodeIsToolCallback() {
		this.runner.run((context) -> assertThat(context.getBean("runCodeToolCallback", ToolCallback.class))
			.isInstanceOf(RunCodeToolCallback.class));
	}

	@Test
	void runCodeIsInjectedWhereItIsAskedFor() {
		this.runner.withUserConfiguration(AgentConfiguration.class).run((context) -> {
			Agent agent = context.getBean(Agent.class);
			assertThat(agent.byQualifier).isInstanceOf(RunCodeToolCallback.class);
			assertThat(agent.byProvider).isSameAs(agent.byQualifier);
			assertThat(agent.all).isEmpty();
		});
	}

	@Test
	void runCodeIsInjectedByTypeWhenExposed() {
		this.runner.withUserConfiguration(AgentConfiguration.class)
			.withPropertyValues("psych.sandbox.tool.expose-over-mcp=true")
			.run((context) -> {
				Agent agent = context.getBean(Agent.class);
				assertThat(agent.all).containsExactly(agent.byQualifier);
				assertThat(context.getBean(ToolCallbackResolver.class).resolve("run_code")).isSameAs(agent.byQualifier);
			});
	}

	@Test
	void annotatedMethodsAreBindings() {
		this.runner.withBean(Orders.class, Orders::new)
			.run((context) -> assertThat(context.getBean(ToolCatalog.class).tools()).extracting(HostTool::name)
				.containsExactly("find_order"));
	}

	@Test
	void runCodeIsNoBindingEvenWhenExposed() {
		this.runner.withPropertyValues("psych.sandbox.tool.expose-over-mcp=true")
			.run((context) -> assertThat(context.getBean(ToolCatalog.class).tools()).isEmpty());
	}

	@Test
	void runWithoutSpringAiHasPlainToolAlone() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.ai"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(RunCodeTool.class)
				.doesNotHaveBean("runCodeToolCallback")
				.doesNotHaveBean(ToolSource.class));
	}

	@Test
	void runWhenToolIsDisabledHasNoCallback() {
		this.runner.withPropertyValues("psych.sandbox.tool.enabled=false")
			.run((context) -> assertThat(context.getBeanProvider(ToolCallback.class).stream()).isEmpty());
	}

	@Test
	void runWhenSandboxIsDisabledHasNothing() {
		this.runner.withPropertyValues("psych.sandbox.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("runCodeToolCallback")
				.doesNotHaveBean(ToolSource.class));
	}

	@Test
	void runWhenApplicationHasCallbackOfThatNameBacksOff() {
		RunCodeToolCallback own = new RunCodeToolCallback(new RunCodeTool(mock(Sandbox.class)));
		this.runner.withBean("runCodeToolCallback", ToolCallback.class, () -> own)
			.run((context) -> assertThat(context.getBean(ToolCallback.class)).isSameAs(own));
	}

	@Configuration(proxyBeanMethods = false)
	static class AgentConfiguration {

		@Bean
		Agent agent(@Qualifier("runCodeToolCallback") ToolCallback byQualifier,
				@Qualifier("runCodeToolCallback") ObjectProvider<ToolCallback> byProvider, List<ToolCallback> all) {
			return new Agent(byQualifier, byProvider.getObject(), all);
		}

	}

	record Agent(ToolCallback byQualifier, ToolCallback byProvider, List<ToolCallback> all) {

	}

	static class Orders {

		@Tool(name = "find_order")
		String find(String id) {
			return id;
		}

	}

}
