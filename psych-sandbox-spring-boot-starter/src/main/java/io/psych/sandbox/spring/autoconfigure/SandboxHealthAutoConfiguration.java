package io.psych.sandbox.spring.autoconfigure;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.runlog.RunLog;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for the health of the sandbox.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBooleanProperty(name = "psych.sandbox.enabled", matchIfMissing = true)
@ConditionalOnEnabledHealthIndicator("psych-sandbox")
public final class SandboxHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "psychSandboxHealthIndicator", "psychSandboxHealthContributor" })
	SandboxHealthIndicator psychSandboxHealthIndicator(ObjectProvider<Sandbox> sandbox,
			ObjectProvider<SandboxDetection> detection, ObjectProvider<RunLog> log, ObjectProvider<BlobStore> blobs) {
		return new SandboxHealthIndicator(sandbox, detection, log, blobs);
	}

}
