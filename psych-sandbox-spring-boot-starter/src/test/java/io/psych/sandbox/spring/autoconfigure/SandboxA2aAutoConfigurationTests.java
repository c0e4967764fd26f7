package io.psych.sandbox.spring.autoconfigure;

import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.spring.a2a.A2aTools;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxA2aAutoConfiguration}.
 */
class SandboxA2aAutoConfigurationTests {

	private static final String URL = "psych.sandbox.tools.a2a.agent.url=https://agent.example.org/a2a";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxHttpAutoConfiguration.class,
				SandboxA2aAutoConfiguration.class))
		.withPropertyValues("psych.sandbox.fail-fast=false");

	@Test
	void originsOfPeersAreAllowedAndNothingElse() {
		this.runner.withPropertyValues(URL, "psych.sandbox.tools.a2a.agent.allowed-origins=https://rpc.example.org")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(A2aTools.class);
				assertThat(context.getBean(Egress.class))
					.hasToString("[https://agent.example.org:443, https://rpc.example.org:443]");
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			agent.url=                            | psych.sandbox.tools.a2a.agent.url
			agent.url=agent.example.org           | psych.sandbox.tools.a2a.agent.url
			agent.url=ftp://agent.example.org     | psych.sandbox.tools.a2a.agent.url
			agent.url=https://a.example.org/ /    | psych.sandbox.tools.a2a.agent.url
			agent.url=https://a.example.org/?x=1  | psych.sandbox.tools.a2a.agent.url
			agent.url=https://u:p@a.example.org/  | psych.sandbox.tools.a2a.agent.url
			agent.allowed-origins=elsewhere       | psych.sandbox.tools.a2a.agent.allowed-origins
			agent.timeout=0s                      | psych.sandbox.tools.a2a.agent.timeout
			agent.card-max-age=-1s                | psych.sandbox.tools.a2a.agent.card-max-age
			agent.max-response-size=1GB           | psych.sandbox.tools.a2a.agent.max-response-size
			agent.credential=unknown              | psych.sandbox.tools.a2a.agent.credential
			agent.ssl-bundle=unknown              | psych.sandbox.tools.a2a.agent.ssl-bundle
			9.url=https://agent.example.org       | psych.sandbox.tools.a2a.9.url
			""")
	void peerThatCannotWorkFailsTheStartup(String property, String named) {
		this.runner.withPropertyValues(URL, "psych.sandbox.tools.a2a." + property).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InvalidPropertyException.class,
						(problem) -> assertThat(problem.property()).isEqualTo(named));
		});
	}

	@Test
	void credentialThatWouldBeSentInTheClearFailsTheStartup() {
		ApplicationContextRunner open = this.runner.withPropertyValues(
				"psych.sandbox.tools.a2a.agent.url=http://agent.example.org",
				"psych.sandbox.tools.a2a.agent.credential=key", "psych.sandbox.credentials.key.value=Bearer x");
		open.run((context) -> assertThat(context.getStartupFailure()).rootCause()
			.hasMessageContaining("without encryption"));
		open.withPropertyValues("psych.sandbox.credentials.key.allow-plaintext=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void peerWithoutTheHttpClientFailsTheStartup() {
		ApplicationContextRunner without = this.runner
			.withClassLoader(new FilteredClassLoader(ClassUtils.getPackageName(HttpClients.class)));
		without.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(A2aTools.class));
		without.withPropertyValues(URL)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("org.apache.httpcomponents.client5:httpclient5"));
	}

}
