package io.psych.sandbox.spring.springai;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.psych.sandbox.tool.HostTool;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.DefaultToolExecutionExceptionProcessor;
import org.springframework.ai.tool.execution.ToolExecutionExceptionProcessor;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The application's Spring AI tools, looked up anew each time: {@link ToolCallback}
 * beans, what {@link ToolCallbackProvider} beans provide, and the {@link Tool @Tool}
 * methods of all singletons. A bean whose methods are also provided by hand is not
 * offered twice. Tools of MCP servers are not among them, however they are provided: they
 * are called through their clients, by {@code io.psych.sandbox.spring.mcp}.
 *
 * @since 0.1.0
 */
public final class SpringAiTools {

	private final ConfigurableListableBeanFactory beanFactory;

	/** Whether a class has tool methods, for the classes of this application's beans. */
	private final Map<Class<?>, Boolean> annotated = new ConcurrentHashMap<>();

	/**
	 * Create a look-up. Nothing is looked up yet.
	 * @param beanFactory the beans of the application
	 */
	public SpringAiTools(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Return the tools of the moment.
	 * @return the tools
	 */
	public List<HostTool> tools() {
		List<ToolCallback> callbacks = new ArrayList<>(provided());
		Set<ToolDefinition> byHand = callbacks.stream()
			.filter(MethodToolCallback.class::isInstance)
			.map(ToolCallback::getToolDefinition)
			.collect(Collectors.toSet());
		annotated().filter((callback) -> !byHand.contains(callback.getToolDefinition())).forEach(callbacks::add);
		ToolExecutionExceptionProcessor errors = this.beanFactory.getBeanProvider(ToolExecutionExceptionProcessor.class)
			.getIfAvailable(() -> DefaultToolExecutionExceptionProcessor.builder().build());
		return callbacks.stream().<HostTool>map((callback) -> new ToolCallbackTool(callback, errors)).toList();
	}

	private List<ToolCallback> provided() {
		Stream<ToolCallback> beans = this.beanFactory.getBeanProvider(ToolCallback.class).orderedStream();
		Stream<ToolCallback> provided = this.beanFactory.getBeanProvider(ToolCallbackProvider.class)
			.orderedStream()
			.filter((provider) -> !(provider instanceof AgentToolCallbacks))
			.filter((provider) -> !isMcp(provider))
			.flatMap((provider) -> Stream.of(provider.getToolCallbacks()));
		return Stream.concat(beans, provided)
			.filter((callback) -> !(callback instanceof RunCodeToolCallback) && !isMcp(callback))
			.distinct()
			.toList();
	}

	/** Whether a callback or a provider of them speaks to a server. */
	private static boolean isMcp(Object candidate) {
		return candidate.getClass().getName().startsWith("org.springframework.ai.mcp.");
	}

	private Stream<ToolCallback> annotated() {
		return Stream.of(this.beanFactory.getBeanNamesForType(Object.class, false, false))
			.filter((name) -> !ScopedProxyUtils.isScopedTarget(name))
			.filter(this::mayHaveToolMethods)
			.map(this.beanFactory::getBean)
			.filter((bean) -> hasToolMethods(
					AopUtils.isAopProxy(bean) ? AopUtils.getTargetClass(bean) : bean.getClass()))
			.flatMap(SpringAiTools::callbacks);
	}

	/** Look at the type, so that a bean without tool methods is not created for it. */
	private boolean mayHaveToolMethods(String beanName) {
		Class<?> type = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
		return type != null && hasToolMethods(type);
	}

	private boolean hasToolMethods(Class<?> type) {
		return this.annotated.computeIfAbsent(type, SpringAiTools::findToolMethods);
	}

	private static boolean findToolMethods(Class<?> type) {
		return AnnotationUtils.isCandidateClass(type, Tool.class)
				&& Stream.of(ReflectionUtils.getDeclaredMethods(type)).anyMatch(SpringAiTools::isToolMethod);
	}

	private static boolean isToolMethod(Method method) {
		return AnnotationUtils.findAnnotation(method, Tool.class) != null;
	}

	/** Return the tools of a bean in an order that reflection does not shuffle. */
	private static Stream<ToolCallback> callbacks(Object bean) {
		return Stream.of(MethodToolCallbackProvider.builder().toolObjects(bean).build().getToolCallbacks())
			.sorted(Comparator.comparing((callback) -> callback.getToolDefinition().name()));
	}

}
