package io.psych.sandbox.spring.jdbc;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.autoconfigure.SandboxAutoConfiguration;
import io.psych.sandbox.spring.autoconfigure.SandboxJdbcAutoConfiguration;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * One of several services that serve the same run: executes each program it reads from
 * stdin, a JSON string a line, and answers with the result on a line of its own.
 */
public final class HostMain {

	static final String ANSWER = "result ";

	static final Scope SCOPE = new Scope("acme", "one-run", null);

	private HostMain() {
	}

	public static void main(String[] arguments) throws IOException {
		PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Host.class)
			.web(WebApplicationType.NONE)
			.run(arguments);
				BufferedReader programs = new BufferedReader(
						new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			Sandbox sandbox = context.getBean(Sandbox.class);
			for (String line = programs.readLine(); line != null; line = programs.readLine()) {
				RunRequest request = RunRequest.of((String) JsonValue.parse(line).toJava()).withScope(SCOPE);
				answers.println(ANSWER + sandbox.run(request).toJson().toJson());
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, SandboxJdbcAutoConfiguration.class,
			SandboxAutoConfiguration.class })
	static class Host {

		@Bean
		HostTool ping() {
			return new Tool("ping", () -> "pong");
		}

		@Bean
		HostTool visit(@Value("${test.port}") int port) {
			return new Tool("visit", () -> {
				try (Socket test = new Socket(InetAddress.getLoopbackAddress(), port)) {
					test.setSoTimeout(60_000);
					return new BufferedReader(new InputStreamReader(test.getInputStream(), StandardCharsets.UTF_8))
						.readLine();
				}
			});
		}

	}

	/**
	 * A tool without arguments.
	 *
	 * @param name its name
	 * @param body what it does
	 */
	private record Tool(String name, Body body) implements HostTool {

		@Override
		public String description() {
			return "The test tool " + this.name + ".";
		}

		@Override
		public JsonValue inputSchema() {
			return JsonValue.of(Map.of("type", "object"));
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) throws ToolCallException {
			try {
				return JsonValue.of(this.body.answer());
			}
			catch (IOException ex) {
				throw new ToolCallException(ToolFailureKind.UNREACHABLE, "the test did not answer", ex);
			}
		}

	}

	/**
	 * What a tool does.
	 */
	@FunctionalInterface
	private interface Body {

		String answer() throws IOException;

	}

}
