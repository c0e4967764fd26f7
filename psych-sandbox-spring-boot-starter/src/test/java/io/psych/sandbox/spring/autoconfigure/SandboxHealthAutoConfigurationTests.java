package io.psych.sandbox.spring.autoconfigure;

import java.util.Map;
import java.util.stream.Stream;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link SandboxHealthAutoConfiguration} with the real backends of this host.
 */
class SandboxHealthAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxHealthAutoConfiguration.class,
				HealthContributorAutoConfiguration.class, HealthContributorRegistryAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES);

	private final ApplicationContextRunner process = this.runner.withPropertyValues("psych.sandbox.backend=process");

	@Test
	void healthIsUpWithLevelGradesAndEvidence() {
		this.runner.run((context) -> {
			Sandbox sandbox = context.getBean(Sandbox.class);
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).contains(entry("level", sandbox.isolation().level().id()),
					entry("backend", sandbox.selection().chosen()), entry("python", sandbox.pythonVersion()),
					entry("runLog", "in memory, they end with this JVM"));
			assertThat(health.getDetails()).doesNotContainKey("unmet");
			Map<?, ?> guarantees = (Map<?, ?>) health.getDetails().get("guarantees");
			assertThat(guarantees.keySet().stream().map(Object::toString))
				.containsExactlyElementsOf(Stream.of(Guarantee.values()).map(Guarantee::id).toList());
			assertThat((Map<?, ?>) guarantees.get("wall-clock")).isEqualTo(Map.of("grade", Grade.ENFORCED.id(),
					"evidence", sandbox.isolation().finding(Guarantee.WALL_CLOCK).evidence()));
		});
	}

	@Test
	void healthNamesBackendsThatWereNotTaken() {
		this.runner.withPropertyValues("psych.sandbox.bubblewrap.executable=/no/such/bwrap").run((context) -> {
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).contains(entry("level", "process"), entry("backend", "process"));
			Map<?, ?> bubblewrap = (Map<?, ?>) ((Map<?, ?>) health.getDetails().get("notTaken")).get("bubblewrap");
			assertThat((String) bubblewrap.get("reason")).contains("/no/such/bwrap");
			assertThat((String) bubblewrap.get("remedy")).isNotBlank();
		});
	}

	@Test
	void healthWhenRequirementIsNotMetIsOutOfServiceAndSaysWhy() {
		this.process.withPropertyValues("psych.sandbox.require.level=isolated").run((context) -> {
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
			assertThat(health.getDetails()).contains(entry("level", "process"),
					entry("unmet", context.getBean(Sandbox.class).unmet()));
			assertThat(context.getBean(Sandbox.class).unmet())
				.containsExactly("level isolated is required, but backend process reached level process");
		});
	}

	@Test
	void healthWithoutUsableBackendIsOutOfServiceAndSaysWhy() {
		this.runner
			.withPropertyValues("psych.sandbox.backend=bubblewrap",
					"psych.sandbox.bubblewrap.executable=/no/such/bwrap")
			.run((context) -> {
				Health health = health(context);
				assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
				assertThat(health.getDetails()).containsOnlyKeys("reason", "notTaken");
				assertThat(health.getDetails().get("notTaken").toString()).contains("/no/such/bwrap");
			});
	}

	@Test
	void healthIsRegisteredAsPsychSandbox() {
		this.process.run(
				(context) -> assertThat(context.getBean(HealthContributorRegistry.class).getContributor("psychSandbox"))
					.isNotNull());
	}

	@Test
	void runWhenHealthIsDisabledHasNoIndicator() {
		this.process.withPropertyValues("management.health.psych-sandbox.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("psychSandboxHealthIndicator"));
	}

	@Test
	void runWhenSandboxIsDisabledHasNoIndicator() {
		this.runner.withPropertyValues("psych.sandbox.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("psychSandboxHealthIndicator"));
	}

	@Test
	void runWhenApplicationHasIndicatorOfThatNameBacksOff() {
		HealthIndicator own = () -> Health.up().build();
		this.process.withBean("psychSandboxHealthIndicator", HealthIndicator.class, () -> own)
			.run((context) -> assertThat(context.getBean("psychSandboxHealthIndicator")).isSameAs(own));
	}

	@Test
	void runWithoutHealthOnClasspathHasNoIndicator() {
		ApplicationContextRunner imported = new ApplicationContextRunner()
			.withUserConfiguration(ImportingConfiguration.class)
			.withPropertyValues(TestHost.PROPERTIES)
			.withPropertyValues("psych.sandbox.backend=process");
		imported.run((context) -> assertThat(context).hasBean("psychSandboxHealthIndicator"));
		imported.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Sandbox.class)
				.doesNotHaveBean("psychSandboxHealthIndicator"));
	}

	private static Health health(AssertableApplicationContext context) {
		return context.getBean("psychSandboxHealthIndicator", HealthIndicator.class).health();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SandboxAutoConfiguration.class, SandboxHealthAutoConfiguration.class })
	static class ImportingConfiguration {

	}

}
