package io.psych.sandbox;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A tool that tells when it is called, and answers when it is told to.
 *
 * @param arrived when it is called, by as many programs as are waited for
 * @param go when it may answer
 */
record Meeting(CountDownLatch arrived, CountDownLatch go) implements HostTool {

	static final int PATIENCE_SECONDS = 60;

	static Meeting of(int programs) {
		return new Meeting(new CountDownLatch(programs), new CountDownLatch(1));
	}

	void awaitArrival() throws InterruptedException {
		assertThat(this.arrived.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("every program has come").isTrue();
	}

	@Override
	public String name() {
		return "meet";
	}

	@Override
	public String description() {
		return "Waits.";
	}

	@Override
	public JsonValue inputSchema() {
		return JsonValue.of(Map.of("type", "object"));
	}

	@Override
	public JsonValue call(JsonValue arguments, ToolCallContext context) throws InterruptedException {
		this.arrived.countDown();
		assertThat(this.go.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("it was told to go on").isTrue();
		return JsonValue.NULL;
	}

}
