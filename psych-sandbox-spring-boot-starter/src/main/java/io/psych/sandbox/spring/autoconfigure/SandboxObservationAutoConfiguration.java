package io.psych.sandbox.spring.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.spring.observation.CallObservationConvention;
import io.psych.sandbox.spring.observation.ExecutionObservationConvention;
import io.psych.sandbox.spring.observation.ObservationListener;
import io.psych.sandbox.spring.observation.SandboxMeterBinder;
import io.psych.sandbox.spring.observation.StationListener;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link AutoConfiguration Auto-configuration} for observations and meters of executions
 * and calls.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "psych.sandbox.enabled", matchIfMissing = true)
public final class SandboxObservationAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ObservationRegistry.class)
	@ConditionalOnBean(ObservationRegistry.class)
	static final class ObservationConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ObservationListener psychSandboxObservationListener(ObservationRegistry registry,
				ObjectProvider<ExecutionObservationConvention> executions,
				ObjectProvider<CallObservationConvention> calls) {
			return new ObservationListener(registry, executions.getIfAvailable(), calls.getIfAvailable());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static final class MeterConfiguration {

		@Bean
		@ConditionalOnMissingBean
		StationListener psychSandboxStationListener(MeterRegistry registry) {
			return new StationListener(registry);
		}

		// Whether there is a sandbox is known when it was detected, after the meters of
		// everything else may have been bound.
		@Bean
		@ConditionalOnMissingBean(name = "psychSandboxMeterBinder")
		MeterBinder psychSandboxMeterBinder(ObjectProvider<Sandbox> sandbox) {
			return (registry) -> sandbox.ifAvailable((available) -> new SandboxMeterBinder(available).bindTo(registry));
		}

	}

}
