package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCatalog;
import org.jspecify.annotations.Nullable;

/**
 * The tools of the catalogue's programs. Some of them let a hostile program and one
 * beside it meet: {@code arrived} waits for {@code meet}, which answers when the other
 * has ended, and {@code sync} waits for the other to call it as well.
 */
final class CatalogueTools {

	private final AtomicInteger received = new AtomicInteger();

	private volatile Meeting meeting = new Meeting();

	/**
	 * Two programs that run at the same time.
	 */
	static final class Meeting {

		private final CountDownLatch arrived = new CountDownLatch(1);

		private final CountDownLatch released = new CountDownLatch(1);

		private final CountDownLatch ended = new CountDownLatch(1);

		private final Map<String, CountDownLatch> steps = new ConcurrentHashMap<>();

		boolean awaitArrival(long seconds) throws InterruptedException {
			return this.arrived.await(seconds, TimeUnit.SECONDS);
		}

		boolean sync(String step) throws InterruptedException {
			CountDownLatch both = this.steps.computeIfAbsent(step, (absent) -> new CountDownLatch(2));
			both.countDown();
			return both.await(10, TimeUnit.SECONDS);
		}

		/** Let the one beside go on. */
		void release() {
			this.released.countDown();
		}

		/** Tell that the one beside has ended. */
		void end() {
			this.arrived.countDown();
			this.ended.countDown();
		}

	}

	Meeting newMeeting() {
		this.meeting = new Meeting();
		return this.meeting;
	}

	int received() {
		return this.received.get();
	}

	ToolCatalog catalog() {
		return ToolCatalog.of(new Tool("echo", (arguments) -> arguments.members().get("value")),
				new Tool("heap", (arguments) -> heap()),
				new Tool("blob", (arguments) -> "x".repeat(((Long) arguments.members().get("bytes")).intValue())),
				new Tool("arrived", (arguments) -> {
					Meeting current = this.meeting;
					current.arrived.countDown();
					return arguments.members().containsKey("wait") || current.released.await(10, TimeUnit.SECONDS);
				}), new Tool("sync", (arguments) -> this.meeting.sync(String.valueOf(arguments.string("step")))),
				new Tool("meet", (arguments) -> {
					Meeting current = this.meeting;
					current.release();
					return current.ended.await(10, TimeUnit.SECONDS) && hostCanFork();
				}));
	}

	/** Return the mebibytes of this JVM's heap that are in use. */
	private static long heap() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
	}

	private static boolean hostCanFork() throws InterruptedException {
		try {
			return new ProcessBuilder("/bin/true").start().waitFor() == 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * What a tool does.
	 */
	@FunctionalInterface
	private interface Body {

		@Nullable Object answer(JsonValue arguments) throws InterruptedException;

	}

	/**
	 * A tool that takes any object.
	 */
	private final class Tool implements HostTool {

		private final String name;

		private final Body body;

		Tool(String name, Body body) {
			this.name = name;
			this.body = body;
		}

		@Override
		public String name() {
			return this.name;
		}

		@Override
		public String description() {
			return "The catalogue's tool " + this.name + ".";
		}

		@Override
		public JsonValue inputSchema() {
			return JsonValue.of(Map.of("type", "object", "required", List.of()));
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) throws InterruptedException {
			CatalogueTools.this.received.incrementAndGet();
			return JsonValue.of(this.body.answer(arguments));
		}

	}

}
