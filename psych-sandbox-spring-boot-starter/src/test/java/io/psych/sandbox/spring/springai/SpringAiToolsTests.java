package io.psych.sandbox.spring.springai;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema;
import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.tool.HostTool;
import org.junit.jupiter.api.Test;

import org.springframework.ai.mcp.SyncMcpToolCallback;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SpringAiTools}.
 */
class SpringAiToolsTests {

	private final GenericApplicationContext context = new GenericApplicationContext();

	@Test
	void findsCallbacksProvidersAndAnnotatedMethods() {
		register("callback", ToolCallback.class, () -> function("one"));
		register("provider", ToolCallbackProvider.class, () -> ToolCallbackProvider.from(function("two")));
		register("orders", Orders.class, Orders::new);
		assertThat(names(tools())).containsExactly("one", "two", "cancel", "find");
	}

	@Test
	void toolsWhenProviderChangesFollows() {
		List<ToolCallback> offered = new ArrayList<>(List.of(function("one"), function("two")));
		register("provider", ToolCallbackProvider.class, () -> () -> offered.toArray(ToolCallback[]::new));
		SpringAiTools tools = tools();
		assertThat(names(tools)).containsExactly("one", "two");
		offered.remove(0);
		assertThat(names(tools)).containsExactly("two");
	}

	@Test
	void toolsLeavesOutRunCodeWhereverItIsProvided() {
		RunCodeToolCallback runCode = new RunCodeToolCallback(mock(RunCodeTool.class));
		register("runCode", ToolCallback.class, () -> runCode);
		register("provider", ToolCallbackProvider.class, () -> ToolCallbackProvider.from(runCode, function("one")));
		assertThat(names(tools())).containsExactly("one");
	}

	@Test
	void toolsWhenCallbackIsAlsoProvidedOffersItOnce() {
		ToolCallback callback = function("one");
		register("callback", ToolCallback.class, () -> callback);
		register("provider", ToolCallbackProvider.class, () -> ToolCallbackProvider.from(callback));
		assertThat(names(tools())).containsExactly("one");
	}

	@Test
	void toolsWhenMethodsAreAlsoProvidedByHandOffersThemOnce() {
		Orders orders = new Orders();
		register("orders", Orders.class, () -> orders);
		register("provider", ToolCallbackProvider.class,
				() -> MethodToolCallbackProvider.builder().toolObjects(orders).build());
		assertThat(names(tools())).containsExactlyInAnyOrder("cancel", "find");
	}

	@Test
	void toolsWhenTwoBeansHaveTheSameMethodsOffersBothToBeRefused() {
		register("orders", Orders.class, Orders::new);
		register("otherOrders", Orders.class, Orders::new);
		assertThat(names(tools())).containsExactly("cancel", "find", "cancel", "find");
	}

	@Test
	void toolsWhenDifferentToolHasTheNameOffersBothToBeRefused() {
		register("orders", Orders.class, Orders::new);
		register("callback", ToolCallback.class, () -> function("find"));
		assertThat(names(tools())).containsExactly("find", "cancel", "find");
	}

	@Test
	void toolsDoesNotCreateBeansWithoutToolMethods() {
		RootBeanDefinition lazy = new RootBeanDefinition(Plain.class, () -> {
			throw new AssertionError("created");
		});
		lazy.setLazyInit(true);
		this.context.registerBeanDefinition("plain", lazy);
		register("orders", Orders.class, Orders::new);
		assertThat(names(tools())).containsExactly("cancel", "find");
	}

	@Test
	void toolsLeavesOutPrototypes() {
		RootBeanDefinition prototype = new RootBeanDefinition(Orders.class, Orders::new);
		prototype.setScope(BeanDefinition.SCOPE_PROTOTYPE);
		this.context.registerBeanDefinition("orders", prototype);
		assertThat(names(tools())).isEmpty();
	}

	@Test
	void toolsFindsMethodsBehindProxy() {
		ProxyFactory proxy = new ProxyFactory(new Orders());
		proxy.setProxyTargetClass(true);
		register("orders", Orders.class, () -> (Orders) proxy.getProxy());
		assertThat(names(tools())).containsExactly("cancel", "find");
	}

	@Test
	void toolsLeavesOutThoseOfMcpServersHoweverTheyAreProvided() {
		McpSyncClient client = mock(McpSyncClient.class, (call) -> {
			throw new AssertionError("asked");
		});
		McpSchema.Tool tool = McpSchema.Tool.builder("two", Map.of("type", "object")).build();
		register("mcp", ToolCallbackProvider.class,
				() -> SyncMcpToolCallbackProvider.builder().mcpClients(client).build());
		register("callback", ToolCallback.class,
				() -> SyncMcpToolCallback.builder().mcpClient(client).tool(tool).build());
		register("provider", ToolCallbackProvider.class, () -> ToolCallbackProvider
			.from(SyncMcpToolCallback.builder().mcpClient(client).tool(tool).build(), function("one")));
		assertThat(names(tools())).containsExactly("one");
	}

	private SpringAiTools tools() {
		this.context.refresh();
		return new SpringAiTools(this.context.getBeanFactory());
	}

	private <T> void register(String name, Class<T> type, Supplier<T> supplier) {
		this.context.registerBean(name, type, supplier);
	}

	private static List<String> names(SpringAiTools tools) {
		return tools.tools().stream().map(HostTool::name).toList();
	}

	private static ToolCallback function(String name) {
		return FunctionToolCallback.builder(name, (String input) -> input)
			.description("Function " + name)
			.inputType(String.class)
			.build();
	}

	static class Orders {

		@Tool
		String find() {
			return "found";
		}

		@Tool
		String cancel() {
			return "cancelled";
		}

		String notATool() {
			return "";
		}

	}

	static class Plain {

		String nothing() {
			return "";
		}

	}

}
