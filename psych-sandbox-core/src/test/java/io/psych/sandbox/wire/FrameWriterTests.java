package io.psych.sandbox.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FrameWriterTests {

	private final SlowChannel channel = new SlowChannel();

	private final FrameWriter writer = new FrameWriter(this.channel);

	@Test
	void runFrameCarriesProgramToolsAndLimitsInTheKernelsUnits() throws IOException {
		Limits limits = Limits.defaults()
			.withCpu(Duration.ofSeconds(3))
			.withAddressSpace(ByteSize.ofMebibytes(256))
			.withProcesses(16)
			.withValue(ByteSize.ofKibibytes(8));
		this.writer.run("print(\"é\")\n", List.of("orders.list", "list-repos"), limits);
		assertThat(this.channel.text()).isEqualTo("{\"type\":\"run\",\"program\":\"print(\\\"é\\\")\\n\","
				+ "\"tools\":[\"orders.list\",\"list-repos\"],\"limits\":{\"cpu\":3,\"addressSpace\":268435456,"
				+ "\"fileSize\":10485760,\"processes\":16,\"value\":8192}}\n");
	}

	@Test
	void abortFrameCarriesNothing() throws IOException {
		this.writer.abort();
		assertThat(this.channel.text()).isEqualTo("{\"type\":\"abort\"}\n");
	}

	@Test
	void replySaysOnTheFrameWhetherItIsAValueOrAFailure() throws IOException {
		this.writer.reply(0, JsonValue.parse("{\"failure\":{\"kind\":\"denied\",\"message\":\"no\"}}"));
		this.writer.reply(1, JsonValue.NULL);
		this.writer.reply(2, "timed_out", "Too late.\nTry \"less\".");
		assertThat(this.channel.text().lines()).containsExactly(
				"{\"type\":\"reply\",\"id\":0,\"value\":{\"failure\":{\"kind\":\"denied\",\"message\":\"no\"}}}",
				"{\"type\":\"reply\",\"id\":1,\"value\":null}",
				"{\"type\":\"reply\",\"id\":2,\"failure\":{\"kind\":\"timed_out\",\"message\":\"Too late.\\nTry \\\"less\\\".\"}}");
	}

	@Test
	void replyCarriesTheDeepestValueThereIs() throws IOException {
		String deepest = "[".repeat(200) + "]".repeat(200);
		this.writer.reply(0, JsonValue.parse(deepest));
		assertThat(this.channel.text()).isEqualTo("{\"type\":\"reply\",\"id\":0,\"value\":" + deepest + "}\n");
	}

	@Test
	void frameIsOneLineWhateverItHolds() throws IOException {
		String text = "\n\r\u0000\u0085\u2028\u2029\ud800";
		this.writer.run(text, List.of(text), Limits.defaults());
		this.writer.reply(0, JsonValue.of(text));
		this.writer.reply(1, "denied", text);
		assertThat(this.channel.text().chars().filter((character) -> character == '\n')).hasSize(3);
		for (String line : this.channel.text().split("\n")) {
			assertThat(JsonValue.parse(line).isObject()).isTrue();
		}
	}

	@Test
	void framesOfConcurrentWritersStayWhole() throws Exception {
		int writers = 8;
		int each = 100;
		ExecutorService executor = Executors.newFixedThreadPool(writers);
		try {
			CyclicBarrier start = new CyclicBarrier(writers);
			List<Future<?>> written = new ArrayList<>();
			for (int i = 0; i < writers; i++) {
				long first = (long) i * each;
				written.add(executor.submit(() -> {
					start.await(10, TimeUnit.SECONDS);
					for (long id = first; id < first + each; id++) {
						this.writer.reply(id, JsonValue.of("v".repeat((int) (id % 50))));
					}
					return null;
				}));
			}
			for (Future<?> future : written) {
				future.get(30, TimeUnit.SECONDS);
			}
		}
		finally {
			executor.shutdownNow();
		}
		Set<Long> ids = new HashSet<>();
		this.channel.text().lines().forEach((line) -> {
			JsonValue frame = JsonValue.parse(line);
			assertThat(frame.string("value")).hasSize((int) (frame.integer("id") % 50));
			ids.add(frame.integer("id"));
		});
		assertThat(ids).hasSize(writers * each);
	}

	@Test
	void writeToAChildThatHasGoneFails() throws IOException {
		Pipe pipe = Pipe.open();
		pipe.source().close();
		FrameWriter broken = new FrameWriter(pipe.sink());
		assertThatExceptionOfType(IOException.class).isThrownBy(broken::abort);
		pipe.sink().close();
		assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(broken::abort);
	}

	/**
	 * Takes a few bytes at a time, and lets other threads in between.
	 */
	private static final class SlowChannel implements WritableByteChannel {

		private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

		@Override
		public int write(ByteBuffer source) {
			int count = Math.min(source.remaining(), 11);
			for (int i = 0; i < count; i++) {
				this.bytes.write(source.get());
			}
			Thread.yield();
			return count;
		}

		String text() {
			return this.bytes.toString(StandardCharsets.UTF_8);
		}

		@Override
		public boolean isOpen() {
			return true;
		}

		@Override
		public void close() {
		}

	}

}
