package io.psych.sandbox.spring.autoconfigure;

import io.micrometer.context.ContextSnapshotFactory;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.SandboxBuilder;
import io.psych.sandbox.attachment.Attachments;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.contract.SandboxListener;
import io.psych.sandbox.contract.TenantPolicy;
import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.runlog.InMemoryRunLog;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.spring.SandboxBuilderCustomizer;
import io.psych.sandbox.spring.ScopeResolver;
import io.psych.sandbox.tool.ContextPropagation;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolApproval;
import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolGateway;
import io.psych.sandbox.tool.ToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * {@link AutoConfiguration Auto-configuration} for the {@link Sandbox} and the
 * {@code run_code} tool.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "psych.sandbox.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SandboxProperties.class)
public final class SandboxAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ToolCatalog psychSandboxToolCatalog(SandboxProperties properties, ObjectProvider<HostTool> hostTools,
			ObjectProvider<ToolSource> sources) {
		return new BeanToolCatalog(hostTools, sources, properties.tools());
	}

	@Bean
	@ConditionalOnMissingBean
	RunLog psychSandboxRunLog(SandboxProperties properties) {
		if (properties.runLog().type() == SandboxProperties.RunLogType.JDBC) {
			throw new InvalidPropertyException(SandboxProperties.PREFIX + ".run-log.type", "jdbc",
					"but the application has no single DataSource, or not Spring Boot's module for JDBC",
					"Add spring-boot-starter-jdbc and name a database, or set it to memory.");
		}
		return new InMemoryRunLog();
	}

	@Bean
	RunLogNotice psychSandboxRunLogNotice(RunLog log) {
		return new RunLogNotice(log);
	}

	@Bean
	@ConditionalOnMissingBean
	ScopeResolver psychSandboxScopeResolver() {
		return ScopeResolver.ENTRIES;
	}

	@Bean
	@ConditionalOnMissingBean
	ToolGateway psychSandboxToolGateway(ToolCatalog catalog, RunLog log, ObjectProvider<ToolPolicy> policy,
			ObjectProvider<ToolApproval> approval, ObjectProvider<Egress> egress,
			ObjectProvider<ContextPropagation> propagation, ObjectProvider<SandboxListener> listeners) {
		ToolGateway.Builder builder = ToolGateway.builder(catalog)
			.log(log)
			.propagation(propagation.stream().reduce(ContextPropagation.MDC_ONLY, ContextPropagation::and));
		policy.ifAvailable(builder::policy);
		approval.ifAvailable(builder::approval);
		egress.ifAvailable(builder::egress);
		listeners.orderedStream().forEach(builder::listener);
		return builder.build();
	}

	@Bean
	@ConditionalOnMissingBean
	Attachments psychSandboxAttachments(RunLog log, ObjectProvider<BlobStore> blobs) {
		return new Attachments(log, blobs.getIfAvailable());
	}

	@Bean
	ToolReportLog psychSandboxToolReportLog(ToolGateway gateway) {
		return new ToolReportLog(gateway);
	}

	@Bean
	ToolNameCheck psychSandboxToolNameCheck(ToolCatalog catalog) {
		return new ToolNameCheck(catalog);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "psych.sandbox.tool.enabled", matchIfMissing = true)
	@Nullable RunCodeTool runCodeTool(ObjectProvider<Sandbox> sandbox) {
		Sandbox available = sandbox.getIfAvailable();
		return (available != null) ? new RunCodeTool(available) : null;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ContextSnapshotFactory.class)
	static final class ContextSnapshotConfiguration {

		@Bean
		ContextPropagation psychSandboxContextSnapshots() {
			return new SnapshotPropagation();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(Sandbox.class)
	static final class DetectedSandboxConfiguration {

		@Bean
		@Lazy(false)
		SandboxDetection psychSandboxDetection(SandboxProperties properties, ToolGateway gateway,
				ObjectProvider<BlobStore> blobs, ObjectProvider<TenantPolicy> tenantPolicy,
				ObjectProvider<SandboxBuilderCustomizer> customizers) {
			SandboxBuilder builder = Sandbox.builder();
			configure(builder, properties);
			builder.tools(gateway);
			blobs.ifAvailable(builder::blobStore);
			tenantPolicy.ifAvailable(builder::tenantPolicy);
			customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
			return SandboxDetection.detect(builder, properties.failFast());
		}

		// Closed by the detection, which has it even when the startup ends before this
		// bean.
		@Bean(destroyMethod = "")
		@Nullable Sandbox psychSandbox(SandboxDetection detection) {
			return detection.sandbox();
		}

		private static void configure(SandboxBuilder builder, SandboxProperties properties) {
			PropertyMapper map = PropertyMapper.get();
			map.from(properties::interpreter).to(builder::interpreter);
			map.from(properties::folder).to(builder::folder);
			map.from(properties::runAs).to(builder::runAs);
			map.from(properties.bubblewrap()::executable).to(builder::bubblewrap);
			map.from(properties.container()::settings).to(builder::container);
			builder.backend(properties.backend())
				.packages(properties.packages())
				.allowSameUser(properties.allowSameUser())
				.environment(properties.environment())
				.networkAllowed(properties.networkAllowed())
				.teardownGrace(properties.teardownGrace())
				.concurrentCalls(properties.concurrentCalls())
				.concurrentExecutions(properties.concurrentExecutions(), properties.queue().size(),
						properties.queue().patience())
				.pool(properties.pool().size(), properties.pool().maxAge())
				.require(properties.requirement())
				.limits(properties.defaultLimits());
			properties.profileLimits().forEach(builder::profile);
			properties.publishedSpecs().forEach(builder::spec);
		}

	}

}
