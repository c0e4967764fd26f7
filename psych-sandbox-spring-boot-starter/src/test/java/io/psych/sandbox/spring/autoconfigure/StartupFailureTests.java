package io.psych.sandbox.spring.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema;
import io.psych.sandbox.Sandbox;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for what an operator reads when a mistake ends the startup: name, value and fix.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartupFailureTests {

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void runWhenPropertyCanNotWorkNamesItItsValueAndTheFix(String argument, String description, String action,
			CapturedOutput output) {
		start(Application.class, argument);
		assertFailed(output, description, action);
		assertThat(output).contains("Origin: \"" + argument.substring(0, argument.indexOf('='))
				+ "\" from property source \"commandLineArgs\"");
	}

	static Stream<Arguments> runWhenPropertyCanNotWorkNamesItItsValueAndTheFix() {
		return Stream.of(
				arguments("psych.sandbox.limits.cpu=0s",
						"psych.sandbox.limits.cpu is '0s', but must be whole seconds, at least one.",
						"Set psych.sandbox.limits.cpu to 1s or more."),
				arguments("psych.sandbox.limits.wall-time=0",
						"psych.sandbox.limits.wall-time is '0', but must be positive.",
						"Set psych.sandbox.limits.wall-time to 1s or more."),
				arguments("psych.sandbox.limits.tool-timeout=45s",
						"psych.sandbox.limits.tool-timeout is '45s', but the wall clock ends the execution after PT30S.",
						"Set psych.sandbox.limits.tool-timeout to at most psych.sandbox.limits.wall-time, or raise"
								+ " psych.sandbox.limits.wall-time."),
				arguments("psych.sandbox.limits.address-space=1MB",
						"psych.sandbox.limits.address-space is '1MB', but the interpreter itself needs 48 MiB.",
						"Set psych.sandbox.limits.address-space to 64MB or more."),
				arguments("psych.sandbox.limits.file-size=1GB",
						"psych.sandbox.limits.file-size is '1GB', but all files together may hold only 64 MiB.",
						"Set psych.sandbox.limits.file-size to at most psych.sandbox.limits.workspace, or raise"
								+ " psych.sandbox.limits.workspace."),
				arguments("psych.sandbox.limits.value=64MB",
						"psych.sandbox.limits.value is '64MB', but one frame of the wire carries 16 MiB",
						"Set psych.sandbox.limits.value to 15MB or less."),
				arguments("psych.sandbox.limits.processes=0",
						"psych.sandbox.limits.processes is '0', but the program itself is one.",
						"Set psych.sandbox.limits.processes to 1 or more."),
				arguments("psych.sandbox.profiles.batch.cpu=1500ms",
						"psych.sandbox.profiles.batch.cpu is '1500ms', but must be whole seconds, at least one.",
						"Set psych.sandbox.profiles.batch.cpu to 1s or more."),
				arguments("psych.sandbox.require.level=none",
						"psych.sandbox.require.level is 'none', but no program is ever sent to less than a contained"
								+ " process.",
						"Set psych.sandbox.require.level to process or isolated."),
				arguments("psych.sandbox.egress.allow[0]=ftp://a.test",
						"psych.sandbox.egress.allow[0] is 'ftp://a.test', whose scheme is neither https nor http.",
						"Set psych.sandbox.egress.allow[0] to a destination such as https://api.example.org,"),
				arguments("psych.sandbox.egress.proxy=http://proxy.test",
						"psych.sandbox.egress.proxy is 'http://proxy.test', which is not http, a host and a port alone",
						"Set psych.sandbox.egress.proxy to a URL such as http://proxy.example.org:3128."),
				arguments("psych.sandbox.egress.connect-timeout=0",
						"psych.sandbox.egress.connect-timeout is '0', but must be positive.",
						"Set psych.sandbox.egress.connect-timeout to 1s or more."),
				arguments("psych.sandbox.tools.http.get_order.url=https://{host}/",
						"psych.sandbox.tools.http.get_order.url is 'https://{host}/', which has an argument in its host",
						"Set psych.sandbox.tools.http.get_order.url to an absolute URL such as"),
				arguments("psych.sandbox.specs.orders.profile=batch",
						"psych.sandbox.specs.orders.profile is 'batch': there is no such profile, psych.sandbox.profiles"
								+ " has none.",
						"Name one of them, or add it to psych.sandbox.profiles."),
				arguments("psych.sandbox.specs.orders.tools=get_order,run_code",
						"psych.sandbox.specs.orders.tools is 'get_order,run_code', but the name run_code is reserved",
						"Remove it"),
				arguments("psych.sandbox.blob.max-age=0",
						"psych.sandbox.blob.max-age is '0', but must be positive and at most 36500 days.",
						"Set psych.sandbox.blob.max-age to 7d."),
				arguments("psych.sandbox.concurrent-calls=0",
						"psych.sandbox.concurrent-calls is '0': no tool could ever be called.",
						"Set psych.sandbox.concurrent-calls to 1 or more."),
				arguments("psych.sandbox.concurrent-executions=0",
						"psych.sandbox.concurrent-executions is '0': no program could ever be executed.",
						"Set psych.sandbox.concurrent-executions to 1 or more."),
				arguments("psych.sandbox.queue.size=-1", "psych.sandbox.queue.size is '-1': it can't be negative.",
						"Set psych.sandbox.queue.size to 0 to refuse at once, or more."),
				arguments("psych.sandbox.queue.patience=0",
						"psych.sandbox.queue.patience is '0': nothing could ever wait.",
						"Set queue.size to 0 to refuse at once, or this to 30s."),
				arguments("psych.sandbox.pool.size=65",
						"psych.sandbox.pool.size is '65': it is how many children wait, from 0 to 64.",
						"Set psych.sandbox.pool.size to 0 for none, or to 2."),
				arguments("psych.sandbox.pool.max-age=0",
						"psych.sandbox.pool.max-age is '0': a child could never be used.",
						"Set psych.sandbox.pool.max-age to 10m."));
	}

	@Test
	void runWhenSpecDoesNotGrantItsBindingNamesBoth(CapturedOutput output) {
		start(Application.class, "psych.sandbox.specs.orders.tools=get_order",
				"psych.sandbox.specs.orders.bindings=delete_order");
		assertFailed(output,
				"psych.sandbox.specs.orders.bindings is 'delete_order', but its tools [get_order] do not grant"
						+ " delete_order.",
				"Add it to tools, or remove it from bindings.");
	}

	@Test
	void runWhenHttpToolCouldNeverWorkNamesPropertyAndFix(CapturedOutput output) {
		start(Application.class, "psych.sandbox.tools.http.orders.url=https://a.test/{id}",
				"psych.sandbox.tools.http.orders.description=Orders.");
		assertFailed(output,
				"psych.sandbox.tools.http.orders.url is 'https://a.test/{id}', which names the argument {id}, and the"
						+ " input schema has none of that name.",
				"Add id to the properties of psych.sandbox.tools.http.orders.input-schema");
	}

	@ParameterizedTest
	@ValueSource(strings = { "psych.sandbox.tools.http.other.headers.Authorization=Bearer s3cr3t",
			"psych.sandbox.credentials.orders.value=s3cr3t ${NO_SUCH_VARIABLE}",
			"psych.sandbox.credentials.orders.value=s3cr3t\u00e4",
			"psych.sandbox.tools.http.orders.url=https://me:s3cr3t@a.test/",
			"psych.sandbox.egress.allow=https://me:s3cr3t@a.test",
			"psych.sandbox.egress.proxy=http://me:s3cr3t@proxy.test:1" })
	void runWhenSecretCanNotWorkDoesNotShowIt(String argument, CapturedOutput output) {
		start(Application.class, argument, "psych.sandbox.tools.http.other.url=https://a.test/",
				"psych.sandbox.tools.http.other.description=Other.");
		assertFailed(output, "is '******'", ".");
		assertThat(output).doesNotContain("s3cr3t");
	}

	@Test
	void runWhenContainersHaveNoImageNamesTheProperty(CapturedOutput output) {
		start(Application.class, "psych.sandbox.backend=container");
		assertFailed(output,
				"psych.sandbox.container.image is 'not set': containers need an image, and none is ever pulled.",
				"Set psych.sandbox.container.image to an image with Python that the engine has, such as python:3-slim.");
	}

	@Test
	void runWhenArgumentOfContainersCouldWeakenThemNamesIt(CapturedOutput output) {
		start(Application.class, "psych.sandbox.container.image=python:3-slim",
				"psych.sandbox.container.extra-args=--privileged");
		assertFailed(output,
				"psych.sandbox.container.extra-args is '--privileged', it must be arguments that give a container less",
				"Correct psych.sandbox.container.extra-args, or remove it.");
	}

	@Test
	void runWhenInterpreterDoesNotExistNamesIt(CapturedOutput output) {
		start(Application.class, "psych.sandbox.interpreter=/no/such/python3");
		assertFailed(output, "psych.sandbox.interpreter is '/no/such/python3'", "psych.sandbox.interpreter");
	}

	@Test
	void runWhenBackendIsUnknownNamesIt(CapturedOutput output) {
		start(Application.class, "psych.sandbox.backend=chroot");
		assertFailed(output, "psych.sandbox.backend is 'chroot'", "bubblewrap");
	}

	@Test
	void runWhenFailFastAndNoBackendIsUsableNamesReasonAndRemedy(CapturedOutput output) {
		start(Application.class, "psych.sandbox.fail-fast=true", "psych.sandbox.backend=bubblewrap",
				"psych.sandbox.bubblewrap.executable=/no/such/bwrap");
		assertFailed(output, "/no/such/bwrap",
				"To start without the run_code tool instead, set psych.sandbox.fail-fast to false.");
	}

	@Test
	void runWhenFailFastAndLevelIsNotMetNamesReasonAndRemedy(CapturedOutput output) {
		start(Application.class, "psych.sandbox.fail-fast=true", "psych.sandbox.require.level=isolated",
				"psych.sandbox.bubblewrap.executable=/no/such/bwrap");
		assertFailed(output,
				"What psych.sandbox.require asks for can't be had on this host: level isolated is required, but backend"
						+ " process reached level process. bubblewrap: /no/such/bwrap is not the absolute path of an"
						+ " executable file.",
				"ask for less with psych.sandbox.require");
	}

	@Test
	void runWhenFailFastAndGuaranteeIsNotMetNamesEvidence(CapturedOutput output) {
		start(Application.class, "psych.sandbox.fail-fast=true", "psych.sandbox.require.guarantees=filesystem",
				"psych.sandbox.backend=process");
		assertFailed(output, "guarantee filesystem must be enforced, but with backend process it is ",
				"ask for less with psych.sandbox.require");
	}

	@Test
	void runWhenToolClaimsReservedNameSaysSo(CapturedOutput output) {
		start(ReservedNameApplication.class);
		assertFailed(output, "A tool claims the name 'run_code'",
				"Rename the tool, or exclude it with" + " psych.sandbox.tools.exclude.");
	}

	@Test
	void runWhenTwoToolsShareNameSaysSo(CapturedOutput output) {
		start(DuplicateNameApplication.class);
		assertFailed(output, "Two tools share the name 'orders'.",
				"Rename one of them, or exclude one with" + " psych.sandbox.tools.exclude.");
	}

	@Test
	void runWhenMcpServerOffersRunCodeNamesProperty(CapturedOutput output) {
		start(ExposingApplication.class, "psych.sandbox.tool.expose-over-mcp=false");
		assertFailed(output, "psych.sandbox.tool.expose-over-mcp is 'false', but an MCP server of this application"
				+ " offers a tool named run_code", "set psych.sandbox.tool.expose-over-mcp to true");
	}

	private static void assertFailed(CapturedOutput output, String description, String action) {
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("\tat ");
		String report = output.getAll().substring(output.getAll().indexOf("APPLICATION FAILED TO START"));
		assertThat(report.substring(report.indexOf("Description:"), report.indexOf("Action:"))).contains(description);
		assertThat(report.substring(report.indexOf("Action:"))).contains(action);
	}

	private static void start(Class<?> application, String... arguments) {
		SpringApplicationBuilder builder = new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties(TestHost.PROPERTIES);
		String[] options = Stream.of(arguments).map("--"::concat).toArray(String[]::new);
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> builder.run(options).close());
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SandboxAutoConfiguration.class, SandboxSpringAiAutoConfiguration.class,
			SandboxMcpServerAutoConfiguration.class, SandboxHttpAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class ReservedNameApplication extends Application {

		@Bean
		Sandbox sandbox() {
			return mock(Sandbox.class);
		}

		@Bean
		Claiming claiming() {
			return new Claiming();
		}

	}

	static class Claiming {

		@Tool(name = "run_code")
		String run(String program) {
			return program;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DuplicateNameApplication extends Application {

		@Bean
		Sandbox sandbox() {
			return mock(Sandbox.class);
		}

		@Bean
		FixedTool orders() {
			return new FixedTool("orders", (arguments) -> arguments);
		}

		@Bean
		FixedTool otherOrders() {
			return new FixedTool("orders", (arguments) -> arguments);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ExposingApplication extends Application {

		@Bean
		Sandbox sandbox() {
			return mock(Sandbox.class);
		}

		@Bean
		McpSyncServer server() {
			McpSyncServer server = mock(McpSyncServer.class);
			given(server.listTools()).willReturn(List.of(McpSchema.Tool.builder("run_code", Map.of()).build()));
			return server;
		}

	}

}
