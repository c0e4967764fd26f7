package io.psych.sandbox.spring.autoconfigure;

import java.util.List;

import io.modelcontextprotocol.spec.McpClientTransport;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.spring.mcp.McpTools;
import org.junit.jupiter.api.Test;

import org.springframework.ai.mcp.client.common.autoconfigure.NamedClientMcpTransport;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SandboxMcpClientAutoConfiguration}. What it does with real servers is
 * in {@link McpEverythingTests} and {@link McpLiveToolsTests}.
 */
class SandboxMcpClientAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxSpringAiAutoConfiguration.class,
				SandboxMcpClientAutoConfiguration.class))
		.withBean(Sandbox.class, () -> mock(Sandbox.class));

	@Test
	void transportsOfTheApplicationAreWatchedByTheirNames() {
		this.runner.withUserConfiguration(Transports.class).run((context) -> {
			List<?> transports = context.getBean("transports", List.class);
			assertThat(transports).singleElement().isInstanceOfSatisfying(NamedClientMcpTransport.class, (named) -> {
				assertThat(named.name()).isEqualTo("one");
				assertThat(named.transport().getClass().getName()).endsWith(".McpConnection");
			});
			assertThat(context.getBean("others", List.class)).containsExactly("other");
		});
	}

	@Test
	void runWithoutMcpHasNoToolsOfServers() {
		this.runner.withClassLoader(new FilteredClassLoader("io.modelcontextprotocol"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(McpTools.class)
				.doesNotHaveBean("psychSandboxMcpToolSource"));
	}

	@Test
	void runWithoutSpringAiHasNoToolsOfServers() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.ai"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("psychSandboxMcpTools"));
	}

	@Test
	void runWithoutClientStarterHasToolsOfClientsBuiltByHand() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.ai.mcp.client"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(McpTools.class));
	}

	@Test
	void runWhenSandboxIsDisabledHasNothing() {
		this.runner.withPropertyValues("psych.sandbox.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(McpTools.class)
				.doesNotHaveBean(WatchedTransports.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class Transports {

		@Bean
		List<NamedClientMcpTransport> transports() {
			return List.of(new NamedClientMcpTransport("one", mock(McpClientTransport.class)));
		}

		@Bean
		List<String> others() {
			return List.of("other");
		}

	}

}
