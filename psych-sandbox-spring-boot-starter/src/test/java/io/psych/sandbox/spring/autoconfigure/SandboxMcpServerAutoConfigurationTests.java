package io.psych.sandbox.spring.autoconfigure;

import java.util.List;

import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.spring.RunCodeTool;
import org.junit.jupiter.api.Test;

import org.springframework.ai.mcp.server.common.autoconfigure.McpServerAutoConfiguration;
import org.springframework.ai.mcp.server.common.autoconfigure.McpServerJsonMapperAutoConfiguration;
import org.springframework.ai.mcp.server.common.autoconfigure.McpServerStatelessAutoConfiguration;
import org.springframework.ai.mcp.server.common.autoconfigure.StatelessToolCallbackConverterAutoConfiguration;
import org.springframework.ai.mcp.server.common.autoconfigure.ToolCallbackConverterAutoConfiguration;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SandboxMcpServerAutoConfiguration} against Spring AI's own MCP server
 * auto-configuration.
 */
class SandboxMcpServerAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxSpringAiAutoConfiguration.class,
				SandboxMcpServerAutoConfiguration.class, McpServerAutoConfiguration.class,
				McpServerJsonMapperAutoConfiguration.class, ToolCallbackConverterAutoConfiguration.class,
				McpServerStatelessAutoConfiguration.class, StatelessToolCallbackConverterAutoConfiguration.class))
		.withUserConfiguration(ServerConfiguration.class);

	@Test
	void runCodeIsNotOfferedToMcpClients() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed().hasBean("runCodeToolCallback").hasSingleBean(RunCodeTool.class);
			assertThat(offered(context.getBean(McpSyncServer.class).listTools())).containsExactly("weather");
		});
	}

	@Test
	void runCodeIsNotOfferedToMcpClientsOfAsyncServer() {
		this.runner.withPropertyValues("spring.ai.mcp.server.type=async").run((context) -> {
			assertThat(context).hasNotFailed().hasBean("runCodeToolCallback");
			assertThat(offered(context.getBean(McpAsyncServer.class).listTools().collectList().block()))
				.containsExactly("weather");
		});
	}

	@Test
	void runCodeIsNotOfferedToMcpClientsOfStatelessServers() {
		this.runner.withPropertyValues("spring.ai.mcp.server.protocol=stateless").run((context) -> {
			assertThat(context).hasNotFailed().hasBean("runCodeToolCallback");
			assertThat(offered(context.getBean(McpStatelessSyncServer.class).listTools())).containsExactly("weather");
		});
	}

	@Test
	void runCodeIsOfferedToMcpClientsWhenPropertySaysSo() {
		this.runner.withPropertyValues("psych.sandbox.tool.expose-over-mcp=true").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(offered(context.getBean(McpSyncServer.class).listTools())).containsExactlyInAnyOrder("weather",
					"run_code");
		});
	}

	@Test
	void runWhenApplicationHandsRunCodeToServerFails() {
		this.runner.withUserConfiguration(HandsOnConfiguration.class).run((context) -> assertExposureRefused(context));
	}

	@Test
	void runWhenApplicationHandsRunCodeToAsyncServerFails() {
		this.runner.withUserConfiguration(HandsOnConfiguration.class)
			.withPropertyValues("spring.ai.mcp.server.type=async")
			.run((context) -> assertExposureRefused(context));
	}

	@Test
	void runWhenApplicationHandsRunCodeToStatelessServerFails() {
		this.runner.withUserConfiguration(HandsOnConfiguration.class)
			.withPropertyValues("spring.ai.mcp.server.protocol=stateless")
			.run((context) -> assertExposureRefused(context));
	}

	@Test
	void runWhenApplicationHandsRunCodeToStatelessAsyncServerFails() {
		this.runner.withUserConfiguration(HandsOnConfiguration.class)
			.withPropertyValues("spring.ai.mcp.server.protocol=stateless", "spring.ai.mcp.server.type=async")
			.run((context) -> assertExposureRefused(context));
	}

	@Test
	void runWhenApplicationHandsRunCodeToServerAndPropertySaysSoOffersIt() {
		this.runner.withUserConfiguration(HandsOnConfiguration.class)
			.withPropertyValues("psych.sandbox.tool.expose-over-mcp=true")
			.run((context) -> assertThat(offered(context.getBean(McpSyncServer.class).listTools()))
				.containsExactlyInAnyOrder("weather", "run_code"));
	}

	@Test
	void runWithoutMcpServerOnClasspathNeedsNoCheck() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class,
					SandboxSpringAiAutoConfiguration.class, SandboxMcpServerAutoConfiguration.class))
			.withUserConfiguration(SandboxConfiguration.class)
			.withClassLoader(new FilteredClassLoader("io.modelcontextprotocol"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("runCodeToolCallback")
				.doesNotHaveBean("psychSandboxMcpExposureCheck"));
	}

	private static void assertExposureRefused(AssertableApplicationContext context) {
		assertThat(context).hasFailed();
		assertThat(context.getStartupFailure()).isInstanceOf(McpExposureException.class);
	}

	private static List<String> offered(List<Tool> tools) {
		return tools.stream().map(Tool::name).toList();
	}

	@Configuration(proxyBeanMethods = false)
	static class SandboxConfiguration {

		@Bean
		Sandbox sandbox() {
			Sandbox sandbox = mock(Sandbox.class);
			given(sandbox.describe()).willReturn("Runs a program");
			return sandbox;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ServerConfiguration extends SandboxConfiguration {

		@Bean
		McpServerTransportProvider transport() {
			return mock(McpServerTransportProvider.class);
		}

		@Bean
		McpStatelessServerTransport statelessTransport() {
			return mock(McpStatelessServerTransport.class);
		}

		@Bean
		ToolCallback weather() {
			return FunctionToolCallback.builder("weather", (String input) -> input)
				.description("Weather")
				.inputType(String.class)
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HandsOnConfiguration {

		@Bean
		ToolCallbackProvider remoteTools(@Qualifier("runCodeToolCallback") ToolCallback runCode) {
			return ToolCallbackProvider.from(runCode);
		}

	}

}
