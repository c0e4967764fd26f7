package io.psych.sandbox.spring.autoconfigure;

import java.util.List;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.attachment.Attachments;
import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.spring.ScopeResolver;
import io.psych.sandbox.spring.springai.AgentResolver;
import io.psych.sandbox.spring.springai.AgentToolCallbacks;
import io.psych.sandbox.spring.springai.GatewayToolCallingManager;
import io.psych.sandbox.spring.springai.RunCodeToolCallback;
import io.psych.sandbox.spring.springai.SpringAiTools;
import io.psych.sandbox.tool.AttachmentReader;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolGateway;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.execution.DefaultToolExecutionExceptionProcessor;
import org.springframework.ai.tool.execution.ToolExecutionExceptionProcessor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for Spring AI: the application's tools
 * become bindings, and {@code run_code} becomes a {@link ToolCallback} bean.
 * <p>
 * Spring AI's MCP server offers every {@link ToolCallback} bean it is injected with to
 * its clients. Unless {@code psych.sandbox.tool.expose-over-mcp} says so, the bean is
 * therefore no candidate for injection by type alone: an application asks for it with
 * {@code @Qualifier("runCodeToolCallback")}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxAutoConfiguration.class)
@ConditionalOnClass(ToolCallback.class)
@ConditionalOnBooleanProperty(name = "psych.sandbox.enabled", matchIfMissing = true)
public final class SandboxSpringAiAutoConfiguration {

	/**
	 * An answer of the reader may be so much larger than what is shown of a stream: it is
	 * JSON, and was asked for.
	 */
	private static final int READER = 4;

	private static final String RUN_CODE = "runCodeToolCallback";

	@Bean
	ToolSource psychSandboxSpringAiTools(ConfigurableListableBeanFactory beanFactory) {
		return new SpringAiToolSource(new SpringAiTools(beanFactory));
	}

	@Bean
	@ConditionalOnMissingBean
	AgentResolver psychSandboxAgentResolver(ScopeResolver scopes, ObjectProvider<Sandbox> sandbox,
			SandboxProperties properties) {
		// Without a usable backend there is no sandbox, and direct calls are still made.
		return new AgentResolver(scopes, (name) -> {
			Sandbox there = sandbox.getIfUnique();
			return (there != null) ? there.spec(name) : properties.publishedSpec(name);
		});
	}

	@Bean(name = RUN_CODE, defaultCandidate = false)
	@ConditionalOnMissingBean(name = RUN_CODE)
	@ConditionalOnBooleanProperty(name = "psych.sandbox.tool.expose-over-mcp", havingValue = false,
			matchIfMissing = true)
	@Nullable RunCodeToolCallback qualifiedRunCodeToolCallback(ObjectProvider<RunCodeTool> tool, ScopeResolver scopes) {
		return callback(tool.getIfAvailable(), scopes);
	}

	@Bean(name = RUN_CODE)
	@ConditionalOnMissingBean(name = RUN_CODE)
	@ConditionalOnBooleanProperty("psych.sandbox.tool.expose-over-mcp")
	@Nullable RunCodeToolCallback publicRunCodeToolCallback(ObjectProvider<RunCodeTool> tool, ScopeResolver scopes) {
		return callback(tool.getIfAvailable(), scopes);
	}

	/**
	 * No candidate for injection by type alone either: an MCP server of this application
	 * would offer all of it to its clients.
	 */
	@Bean(defaultCandidate = false)
	@ConditionalOnMissingBean
	AgentToolCallbacks agentToolCallbacks(ToolGateway gateway, AgentResolver agents,
			@Qualifier(RUN_CODE) ObjectProvider<RunCodeToolCallback> runCode, Attachments attachments,
			SandboxProperties properties) {
		return new AgentToolCallbacks(gateway, agents, runCode.getIfAvailable(),
				new AttachmentReader(attachments, READER * properties.defaultLimits().stream().bytes()));
	}

	@Bean
	static GatewayPostProcessor psychSandboxToolCallingManagerPostProcessor(BeanFactory beanFactory) {
		return new GatewayPostProcessor(beanFactory);
	}

	private static @Nullable RunCodeToolCallback callback(@Nullable RunCodeTool tool, ScopeResolver scopes) {
		return (tool != null) ? new RunCodeToolCallback(tool, scopes) : null;
	}

	/**
	 * Leads each manager's calls through the gateway. By a post-processor, since the
	 * manager may be the application's own.
	 */
	static final class GatewayPostProcessor implements BeanPostProcessor {

		private final BeanFactory beanFactory;

		GatewayPostProcessor(BeanFactory beanFactory) {
			this.beanFactory = beanFactory;
		}

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (bean instanceof ToolCallingManager manager && !(bean instanceof GatewayToolCallingManager)) {
				return new GatewayToolCallingManager(manager, () -> this.beanFactory.getBean(ToolGateway.class),
						() -> this.beanFactory.getBean(AgentResolver.class),
						() -> this.beanFactory.getBeanProvider(ToolExecutionExceptionProcessor.class)
							.getIfAvailable(() -> DefaultToolExecutionExceptionProcessor.builder().build()));
			}
			return bean;
		}

	}

	private record SpringAiToolSource(SpringAiTools springAi) implements ToolSource {

		@Override
		public List<HostTool> tools() {
			return this.springAi.tools();
		}

		@Override
		public List<HostTool> localTools() {
			return this.springAi.tools();
		}

	}

}
