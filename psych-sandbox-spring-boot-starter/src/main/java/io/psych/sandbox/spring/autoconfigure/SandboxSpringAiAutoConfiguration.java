package io.psych.sandbox.spring.autoconfigure;

import java.util.List;

import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.spring.springai.RunCodeToolCallback;
import io.psych.sandbox.spring.springai.SpringAiTools;
import io.psych.sandbox.tool.HostTool;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.beans.factory.ObjectProvider;
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

	private static final String RUN_CODE = "runCodeToolCallback";

	@Bean
	ToolSource psychSandboxSpringAiTools(ConfigurableListableBeanFactory beanFactory) {
		return new SpringAiToolSource(new SpringAiTools(beanFactory));
	}

	@Bean(name = RUN_CODE, defaultCandidate = false)
	@ConditionalOnMissingBean(name = RUN_CODE)
	@ConditionalOnBooleanProperty(name = "psych.sandbox.tool.expose-over-mcp", havingValue = false,
			matchIfMissing = true)
	@Nullable RunCodeToolCallback qualifiedRunCodeToolCallback(ObjectProvider<RunCodeTool> tool) {
		return callback(tool.getIfAvailable());
	}

	@Bean(name = RUN_CODE)
	@ConditionalOnMissingBean(name = RUN_CODE)
	@ConditionalOnBooleanProperty("psych.sandbox.tool.expose-over-mcp")
	@Nullable RunCodeToolCallback publicRunCodeToolCallback(ObjectProvider<RunCodeTool> tool) {
		return callback(tool.getIfAvailable());
	}

	private static @Nullable RunCodeToolCallback callback(@Nullable RunCodeTool tool) {
		return (tool != null) ? new RunCodeToolCallback(tool) : null;
	}

	private record SpringAiToolSource(SpringAiTools springAi) implements ToolSource {

		@Override
		public List<HostTool> tools() {
			return this.springAi.tools();
		}

		@Override
		public List<HostTool> localTools() {
			return this.springAi.localTools();
		}

	}

}
