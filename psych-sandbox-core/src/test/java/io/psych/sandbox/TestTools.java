package io.psych.sandbox;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;
import io.psych.sandbox.tool.ToolCatalog;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tools that the model programs call, and what reached them.
 */
final class TestTools {

	/** One entry per call that reached a tool: its name and arguments as JSON. */
	final List<String> received = new CopyOnWriteArrayList<>();

	/** One entry per call of {@code slow} that ran to its end. */
	final List<String> finished = new CopyOnWriteArrayList<>();

	private final int slowness;

	TestTools() {
		this(1);
	}

	/**
	 * Create tools.
	 * @param slowness how many times as long {@code slow} takes as it is told to
	 */
	TestTools(int slowness) {
		this.slowness = slowness;
	}

	ToolCatalog catalog() {
		List<HostTool> tools = new ArrayList<>();
		tools.add(tool("search", "query", (arguments) -> List.of(Map.of("title", "Spring in Action", "year", 2022),
				Map.of("title", "Spring Boot", "year", 2025))));
		tools.add(tool("echo", "value", (arguments) -> arguments.members().get("value")));
		tools.add(tool("slow", "ms,tag", (arguments) -> {
			awaitInterrupt((Long) arguments.members().get("ms") * this.slowness);
			this.finished.add(String.valueOf(arguments.string("tag")));
			return arguments.string("tag");
		}));
		tools.add(tool("boom", "message", (arguments) -> {
			throw new ToolCallException(ToolFailureKind.TOOL_ERROR, String.valueOf(arguments.string("message")), null);
		}));
		tools.add(tool("price", "sku", (arguments) -> {
			Map<String, Object> price = new LinkedHashMap<>();
			price.put("amount", new BigDecimal("19.90"));
			price.put("id", "7c9e6679-7425-40de-944b-e07fc1f90ae7");
			price.put("at", "2026-01-01T00:00:00Z");
			return price;
		}));
		tools.add(tool("rows", "n", (arguments) -> {
			List<Object> rows = new ArrayList<>();
			for (long i = 0; i < (Long) arguments.members().get("n"); i++) {
				rows.add(Map.of("i", i));
			}
			return rows;
		}));
		tools.add(tool("odd", "", (arguments) -> List.of(Double.NaN, Double.POSITIVE_INFINITY)));
		tools.add(tool("emoji", "", (arguments) -> "half a \uD83D face"));
		tools.add(tool("report", "from,to", (arguments) -> arguments.string("from") + " to " + arguments.string("to")));
		tools.add(tool("lookup", "name,tool,self",
				(arguments) -> arguments.string("name") + arguments.string("tool") + arguments.string("self")));
		tools.add(tool("mcp_fail", "", (arguments) -> {
			throw new ToolCallException(ToolFailureKind.TOOL_ERROR, "isError", null);
		}));
		tools.add(tool("weather.get", "", (arguments) -> "dotted"));
		tools.add(tool("weather-get", "", (arguments) -> "dashed"));
		return ToolCatalog.of(tools.toArray(new HostTool[0]));
	}

	private void received(String call) {
		synchronized (this.received) {
			this.received.add(call);
			this.received.notifyAll();
		}
	}

	/** Wait until a call has reached its tool. */
	void await(String call) throws InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
		synchronized (this.received) {
			while (!this.received.contains(call)) {
				long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
				assertThat(left).as("milliseconds left for %s", call).isPositive();
				this.received.wait(left);
			}
		}
	}

	/** A tool that is slow: nothing is waited for but the interrupt that cuts it off. */
	private static void awaitInterrupt(long millis) throws InterruptedException {
		new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
	}

	private HostTool tool(String name, String parameters, Body body) {
		Map<String, Object> properties = new LinkedHashMap<>();
		List<String> required = new ArrayList<>();
		for (String parameter : parameters.split(",")) {
			if (!parameter.isEmpty()) {
				properties.put(parameter, Map.of());
				required.add(parameter);
			}
		}
		JsonValue schema = JsonValue.of(Map.of("type", "object", "properties", properties, "required", required,
				"additionalProperties", false));
		return new HostTool() {

			@Override
			public String name() {
				return name;
			}

			@Override
			public String description() {
				return "The test tool " + name + ".";
			}

			@Override
			public JsonValue inputSchema() {
				return schema;
			}

			@Override
			public JsonValue call(JsonValue arguments, ToolCallContext context)
					throws ToolCallException, InterruptedException {
				received(name + " " + arguments.toJson());
				return JsonValue.of(body.answer(arguments));
			}

		};
	}

	/**
	 * What a tool does.
	 */
	@FunctionalInterface
	interface Body {

		@Nullable Object answer(JsonValue arguments) throws ToolCallException, InterruptedException;

	}

}
