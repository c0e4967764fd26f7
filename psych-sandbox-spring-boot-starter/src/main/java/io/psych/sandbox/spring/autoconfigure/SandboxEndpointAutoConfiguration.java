package io.psych.sandbox.spring.autoconfigure;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.tool.ToolGateway;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for the endpoint {@code sandbox}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBooleanProperty(name = "psych.sandbox.enabled", matchIfMissing = true)
@ConditionalOnAvailableEndpoint(SandboxEndpoint.class)
public final class SandboxEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	SandboxEndpoint psychSandboxEndpoint(ObjectProvider<Sandbox> sandbox, ObjectProvider<SandboxDetection> detection,
			ObjectProvider<ToolGateway> gateway, ObjectProvider<RunLog> log, ObjectProvider<BlobStore> blobs) {
		return new SandboxEndpoint(sandbox, detection, gateway, log, blobs);
	}

}
