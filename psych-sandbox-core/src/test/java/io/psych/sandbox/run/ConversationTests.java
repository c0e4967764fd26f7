package io.psych.sandbox.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.contract.Bindings;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.wire.Frame;
import io.psych.sandbox.wire.FrameBounds;
import io.psych.sandbox.wire.FrameReader;
import io.psych.sandbox.wire.FrameWriter;
import io.psych.sandbox.wire.ProtocolViolationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Over a real socket, as what an interrupt or a close does to a thread that reads depends
 * on it. Every call that ends is fast in here, however busy the host.
 */
@Timeout(60)
class ConversationTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	private static final String DONE = "{\"type\":\"done\",\"value\":1,\"failure\":null,\"notes\":[]}";

	@TempDir
	private Path folder;

	private final Threads ours = new Threads();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Pace pace = new Pace(LONG);

	/** The threads that made a call, one for each. */
	private final List<Thread> makers = Collections.synchronizedList(new ArrayList<>());

	private final CountDownLatch reached = new CountDownLatch(1);

	private final CountDownLatch interrupted = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	/** However busy the host, nobody takes a call for one that blocks unless it does. */
	private Duration unread = LONG;

	private volatile boolean over;

	private SocketChannel host;

	private SocketChannel child;

	private BufferedReader replies;

	private Calls calls;

	private volatile @Nullable Thread caller;

	private long next;

	@BeforeEach
	void connect() throws IOException {
		UnixDomainSocketAddress address = UnixDomainSocketAddress.of(this.folder.resolve("channel"));
		try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			listener.bind(address);
			this.child = SocketChannel.open(address);
			this.host = listener.accept();
		}
		this.replies = new BufferedReader(Channels.newReader(this.child, StandardCharsets.UTF_8));
	}

	@AfterEach
	void end() throws Exception {
		this.release.countDown();
		this.child.close();
		this.host.close();
		this.threads.shutdownNow();
		assertThat(this.threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
		for (Thread maker : Set.copyOf(this.makers)) {
			// The others may be those of a pool.
			if (maker.getName().startsWith("psych-sandbox-calls-")) {
				maker.join(20_000);
				assertThat(maker.isAlive()).isFalse();
			}
		}
		this.ours.close();
	}

	@Test
	void callsThatAreFastAreAllMadeOnOneThreadWhichIsNotTheCallers() throws Exception {
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4);
		beFast();
		for (int i = 0; i < 20; i++) {
			ask("echo");
		}
		send(DONE);
		assertThat(end.get()).isInstanceOf(Frame.Done.class);
		assertThat(this.makers).hasSize(22).doesNotContain(this.caller);
		assertThat(Set.copyOf(this.makers.subList(2, 22))).singleElement()
			.extracting(Thread::getName)
			.asString()
			.startsWith("psych-sandbox-calls-");
		assertThat(this.makers.subList(0, 2))
			.noneMatch((thread) -> thread.getName().startsWith("psych-sandbox-calls-"));
	}

	@Test
	void callsAreMadeOnTheExecutorThatWasChosenHoweverFast() throws Exception {
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4, null);
		beFast();
		ask("echo");
		send(DONE);
		assertThat(end.get()).isInstanceOf(Frame.Done.class);
		assertThat(this.makers).hasSize(3).noneMatch((thread) -> thread.getName().startsWith("psych-sandbox-calls-"));
	}

	@Test
	void whatComesBehindACallThatBlocksIsReadAndAnswered() throws Exception {
		this.unread = Duration.ofMillis(10);
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4);
		beFast();
		long blocking = call("block");
		this.reached.await();
		ask("echo");
		ask("echo");
		this.release.countDown();
		assertThat(reply().integer("id")).isEqualTo(blocking);
		ask("echo");
		send(DONE);
		assertThat(end.get()).isInstanceOf(Frame.Done.class);
		assertThat(this.calls.settle(LONG)).extracting(CallRecord::state).containsOnly(CallState.DONE).hasSize(6);
	}

	@Test
	void endIsReadWhileACallIsOpenWhoseToolHeedsNoInterrupt() throws Exception {
		this.unread = Duration.ofMillis(10);
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4);
		beFast();
		call("heedless");
		this.reached.await();
		send(DONE);
		assertThat(end.get()).isInstanceOf(Frame.Done.class);
		assertThat(this.calls.stop()).containsExactly("heedless");
		assertThat(this.calls.settle(Duration.ofMillis(20))).element(2)
			.extracting(CallRecord::state)
			.isEqualTo(CallState.UNKNOWN);
	}

	@Test
	void callThatTakesTooLongIsAnsweredAndItsInterruptEndsNothingElse() throws Exception {
		this.unread = Duration.ofMillis(10);
		CompletableFuture<@Nullable Frame> end = converse(Duration.ofSeconds(1), 4);
		beFast();
		call("block");
		assertThat(reply().member("failure").string("kind")).isEqualTo(ToolFailureKind.TIMED_OUT.id());
		this.interrupted.await();
		for (int i = 0; i < 5; i++) {
			ask("echo");
		}
		send(DONE);
		assertThat(end.get()).isInstanceOf(Frame.Done.class);
	}

	@Test
	void interruptThatAToolLeavesBehindDoesNotReachTheChannel() throws Exception {
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4);
		beFast();
		ask("interrupts itself");
		ask("interrupts itself");
		ask("echo");
		send(DONE);
		assertThat(end.get()).isInstanceOf(Frame.Done.class);
		assertThat(new HashSet<>(this.makers.subList(2, 5))).hasSize(1);
	}

	@Test
	void toolThatFailsOutrightIsAnsweredAndTheNextCallIsMade() throws Exception {
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4);
		beFast();
		call("fails");
		assertThat(reply().member("failure").string("kind")).isEqualTo(ToolFailureKind.TOOL_ERROR.id());
		ask("echo");
		send(DONE);
		assertThat(end.get()).isInstanceOf(Frame.Done.class);
	}

	@Test
	void callThatTakesTooLongIsGivenUpWhereIsReadAndReadingGoesOnThere() throws Exception {
		CompletableFuture<@Nullable Frame> end = converse(Duration.ofSeconds(1), 4);
		beFast();
		call("block");
		assertThat(reply().member("failure").string("kind")).isEqualTo(ToolFailureKind.TIMED_OUT.id());
		ask("echo");
		send(DONE);
		assertThat(end.get()).isInstanceOf(Frame.Done.class);
		assertThat(Set.copyOf(this.makers.subList(2, 4))).hasSize(1);
	}

	@Test
	void stopInterruptsTheCallThatIsMadeWhereIsRead() throws Exception {
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4);
		beFast();
		call("block");
		this.reached.await();
		this.over = true;
		assertThat(this.calls.stop()).containsExactly("block");
		this.interrupted.await();
		assertThat(end.get()).isInstanceOf(Frame.Call.class);
		assertThat(this.calls.settle(LONG)).element(2)
			.extracting(CallRecord::failure)
			.isEqualTo(ToolFailureKind.CANCELLED);
	}

	@Test
	void interruptOfTheCallerEndsItsWaitForTheThreadThatReads() throws Exception {
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4);
		beFast();
		ask("echo");
		this.caller.interrupt();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(end::get)
			.withCauseInstanceOf(InterruptedException.class);
	}

	@Test
	void interruptOfTheCallerEndsItsWaitForACallThatBlocks() throws Exception {
		this.unread = Duration.ofMillis(10);
		CompletableFuture<@Nullable Frame> end = converse(LONG, 1);
		beFast();
		call("block");
		call("echo");
		this.reached.await();
		this.caller.interrupt();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(end::get)
			.withCauseInstanceOf(InterruptedException.class);
	}

	@Test
	void hangingUpEndsTheThreadThatReads() throws Exception {
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4);
		beFast();
		ask("echo");
		this.host.close();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(end::get).withCauseInstanceOf(IOException.class);
	}

	@Test
	void closedChannelIsToldTheCaller() throws Exception {
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4);
		beFast();
		ask("echo");
		this.child.shutdownOutput();
		assertThat(end.get()).isNull();
	}

	@Test
	void callOfAnotherNumberIsAViolationWhoeverReads() throws Exception {
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4);
		beFast();
		ask("echo");
		this.next = 7;
		call("echo");
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(end::get)
			.withCauseInstanceOf(ProtocolViolationException.class);
	}

	@Test
	void whatIsNoFrameIsAViolationWhoeverReads() throws Exception {
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4);
		beFast();
		ask("echo");
		send("no frame");
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(end::get)
			.withCauseInstanceOf(ProtocolViolationException.class);
	}

	@Test
	void hundredCallsAtOnceAreEachAnsweredOnce() throws Exception {
		CompletableFuture<@Nullable Frame> end = converse(LONG, 4);
		beFast();
		StringBuilder lines = new StringBuilder();
		Set<Long> asked = new HashSet<>();
		for (int i = 0; i < 100; i++) {
			asked.add(this.next);
			lines.append(line("echo")).append('\n');
		}
		this.child.write(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8)));
		Set<Long> answered = new HashSet<>();
		for (int i = 0; i < 100; i++) {
			answered.add(reply().integer("id"));
		}
		assertThat(answered).isEqualTo(asked);
		send(DONE);
		assertThat(end.get()).isInstanceOf(Frame.Done.class);
		assertThat(this.calls.settle(LONG)).hasSize(102);
	}

	@Test
	void noMoreCallsAreMadeAtOnceThanMayWhoeverReads() throws Exception {
		this.unread = Duration.ofMillis(10);
		CompletableFuture<@Nullable Frame> end = converse(LONG, 1);
		beFast();
		long blocking = call("block");
		this.reached.await();
		long behind = call("echo");
		this.release.countDown();
		assertThat(reply().integer("id")).isEqualTo(blocking);
		assertThat(reply().integer("id")).isEqualTo(behind);
		send(DONE);
		assertThat(end.get()).isInstanceOf(Frame.Done.class);
	}

	private CompletableFuture<@Nullable Frame> converse(Duration patience, int most) {
		return converse(patience, most, this.ours.conversing());
	}

	/** Do what an execution does. */
	private CompletableFuture<@Nullable Frame> converse(Duration patience, int most, @Nullable ThreadFactory factory) {
		this.calls = new Calls(new Tools(), new FrameWriter(this.host), this.ours.tools(), this.ours.timer(), patience,
				most, this.pace);
		Conversation conversation = new Conversation(new FrameReader(this.host, FrameBounds.HANDSHAKE, 10_000, 1_000),
				this.calls, this.pace, () -> this.over, factory, this.unread);
		CompletableFuture<@Nullable Frame> end = new CompletableFuture<>();
		this.threads.execute(() -> {
			this.caller = Thread.currentThread();
			try {
				Frame frame = conversation.next();
				while (frame instanceof Frame.Call && !this.over) {
					frame = conversation.next();
				}
				end.complete(frame);
			}
			catch (IOException | ProtocolViolationException | InterruptedException ex) {
				end.completeExceptionally(ex);
			}
		});
		return end;
	}

	private void beFast() throws IOException {
		ask("echo");
		ask("echo");
		// Noted after it is answered.
		while (!this.pace.isFast()) {
			Thread.onSpinWait();
		}
	}

	/** Make a call and wait for its answer, which is the next one. */
	private void ask(String name) throws IOException {
		long id = call(name);
		JsonValue reply = reply();
		assertThat(reply.integer("id")).isEqualTo(id);
		assertThat(reply.string("value")).isEqualTo(name);
	}

	private long call(String name) throws IOException {
		send(line(name));
		return this.next - 1;
	}

	private String line(String name) {
		return "{\"type\":\"call\",\"id\":" + (this.next++) + ",\"name\":\"" + name + "\",\"arguments\":{}}";
	}

	private void send(String line) throws IOException {
		this.child.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
	}

	private JsonValue reply() throws IOException {
		return JsonValue.parse(this.replies.readLine());
	}

	/**
	 * What is behind the bindings.
	 */
	private final class Tools implements Bindings {

		@Override
		public List<String> names() {
			return List.of();
		}

		@Override
		public CallOutcome call(String name, JsonValue arguments) {
			ConversationTests.this.makers.add(Thread.currentThread());
			switch (name) {
				case "block" -> {
					ConversationTests.this.reached.countDown();
					try {
						ConversationTests.this.release.await();
					}
					catch (InterruptedException ex) {
						ConversationTests.this.interrupted.countDown();
						return new CallOutcome.Failed(ToolFailureKind.CANCELLED, "The call was cut off.");
					}
				}
				case "heedless" -> {
					ConversationTests.this.reached.countDown();
					awaitHeedless(ConversationTests.this.release);
				}
				case "interrupts itself" -> Thread.currentThread().interrupt();
				case "fails" -> throw new AssertionError("as a tool may");
				default -> {
				}
			}
			return new CallOutcome.Value(JsonValue.of(name));
		}

		private static void awaitHeedless(CountDownLatch release) {
			boolean waiting = true;
			while (waiting) {
				try {
					release.await();
					waiting = false;
				}
				catch (InterruptedException ex) {
					// As a tool may.
				}
			}
		}

	}

}
