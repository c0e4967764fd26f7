package io.psych.sandbox.jmh;

import java.util.Map;
import java.util.UUID;

import io.psych.sandbox.contract.Bindings;
import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;
import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolGateway;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The way of a program's call through budget, log, schema and policy to a tool that does
 * nothing; the floor is the tool alone. What is measured of a value is kept with it, so
 * each call has arguments of its own.
 */
@State(Scope.Thread)
@NullUnmarked
public class CallBenchmark {

	private static final CallLimits MANY = new CallLimits(100_000_000, 100_000_000, ByteSize.ofMebibytes(1),
			ByteSize.ofMebibytes(1), ByteSize.ofMebibytes(1L << 30), ByteSize.ofBytes(0));

	private final HostTool tool = new Given.Numbered(0);

	private final ToolGateway gateway = ToolGateway.of(ToolCatalog.of(this.tool));

	private final ToolCallContext context = new ToolCallContext(io.psych.sandbox.contract.Scope.NONE, Map.of(),
			CallOrigin.PROGRAM);

	private final Map<String, Object> arguments = Map.of("text", "x".repeat(1000));

	private Bindings bindings;

	/** Each iteration is an execution, as one log of a run holds so many calls. */
	@Setup(Level.Iteration)
	public void begin() {
		this.bindings = this.gateway.bind(io.psych.sandbox.contract.Scope.NONE, Map.of(), MANY,
				UUID.randomUUID().toString());
	}

	@Benchmark
	public JsonValue call() {
		if (this.bindings.call("tool_0", JsonValue.of(this.arguments)) instanceof CallOutcome.Value value) {
			return value.value();
		}
		throw new IllegalStateException("a call failed");
	}

	@Benchmark
	public JsonValue callFloor() throws ToolCallException, InterruptedException {
		return this.tool.call(JsonValue.of(this.arguments), this.context);
	}

}
