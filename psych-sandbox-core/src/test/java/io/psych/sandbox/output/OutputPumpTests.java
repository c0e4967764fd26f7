package io.psych.sandbox.output;

import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.contract.CapturedStream;
import io.psych.sandbox.limits.ByteSize;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OutputPumpTests {

	private static final ByteSize MOST = ByteSize.ofBytes(100);

	private static final Duration LONG = Duration.ofSeconds(20);

	private final ExecutorService executor = Executors.newCachedThreadPool();

	@AfterEach
	void pumpsHaveEnded() throws InterruptedException {
		this.executor.shutdownNow();
		assertThat(this.executor.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void finishReturnsAllThatWasWrittenUntilTheEnd() throws IOException {
		PipedOutputStream child = new PipedOutputStream();
		OutputPump pump = start(new PipedInputStream(child));
		this.executor.execute(() -> write(child, "hello\n".repeat(1_000)));
		CapturedStream stream = pump.finish(LONG).preview(MOST);
		assertThat(stream.bytes()).isEqualTo(6_000);
		assertThat(stream.truncated()).isTrue();
		assertThat(stream.text()).startsWith("hello\nhello\n").endsWith("hello\nhello\n");
	}

	@Test
	void capIsSetBeforeAnythingThatCountsIsWritten() throws IOException {
		PipedOutputStream child = new PipedOutputStream();
		OutputPump pump = start(new PipedInputStream(child));
		pump.keep(ByteSize.ofBytes(6_000));
		this.executor.execute(() -> write(child, "hello\n".repeat(1_000)));
		Captured captured = pump.finish(LONG);
		assertThat(captured.isWhole()).isTrue();
		assertThat(captured.content()).hasSize(6_000);
	}

	@Test
	void pumpDrainsWhateverIsWrittenFarBeyondTheCap() {
		Endless flood = new Endless(50L << 20);
		CapturedStream stream = start(flood).finish(LONG).preview(MOST);
		assertThat(stream.bytes()).isEqualTo(50L << 20);
		assertThat(stream.omittedBytes()).isEqualTo((50L << 20) - 100);
	}

	@Test
	void finishWhenThePipeDoesNotEndGivesItUpAndReturnsWhatWasKept() {
		Blocking pipe = new Blocking();
		OutputPump pump = start(pipe);
		pipe.awaitReader();
		CapturedStream stream = pump.finish(Duration.ofMillis(50)).preview(MOST);
		assertThat(stream.text()).isEqualTo("begun");
		assertThat(pipe.closed.getCount()).isZero();
	}

	@Test
	void finishWhenInterruptedReturnsWhatWasKeptAndKeepsTheInterrupt() {
		Blocking pipe = new Blocking();
		OutputPump pump = start(pipe);
		pipe.awaitReader();
		Thread.currentThread().interrupt();
		CapturedStream stream = pump.finish(LONG).preview(MOST);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(stream.text()).isEqualTo("begun");
		pipe.close();
	}

	@Test
	void brokenPipeIsAnEnd() {
		CapturedStream stream = start(new InputStream() {

			private boolean read;

			@Override
			public int read() throws IOException {
				throw new IOException("broken");
			}

			@Override
			public int read(byte[] buffer) throws IOException {
				if (this.read) {
					throw new IOException("broken");
				}
				this.read = true;
				buffer[0] = 'x';
				return 1;
			}

		}).finish(LONG).preview(MOST);
		assertThat(stream).isEqualTo(new CapturedStream("x", false, 1, 0));
	}

	private OutputPump start(InputStream pipe) {
		return OutputPump.start(pipe, MOST, this.executor);
	}

	private static void write(PipedOutputStream child, String text) {
		try (child) {
			child.write(text.getBytes(StandardCharsets.US_ASCII));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Has a number of bytes.
	 */
	private static final class Endless extends InputStream {

		private long left;

		Endless(long left) {
			this.left = left;
		}

		@Override
		public int read() {
			return (this.left-- > 0) ? 'x' : -1;
		}

		@Override
		public int read(byte[] buffer) {
			if (this.left == 0) {
				return -1;
			}
			int count = (int) Math.min(this.left, buffer.length);
			this.left -= count;
			return count;
		}

	}

	/**
	 * Has a few bytes and then blocks until it is closed, as a pipe whose other end
	 * somebody keeps open.
	 */
	private static final class Blocking extends InputStream {

		private final CountDownLatch reading = new CountDownLatch(1);

		private final CountDownLatch closed = new CountDownLatch(1);

		private boolean begun;

		@Override
		public int read() throws IOException {
			throw new IOException("read in bulk");
		}

		@Override
		public int read(byte[] buffer) throws IOException {
			if (!this.begun) {
				this.begun = true;
				byte[] text = "begun".getBytes(StandardCharsets.US_ASCII);
				System.arraycopy(text, 0, buffer, 0, text.length);
				return text.length;
			}
			this.reading.countDown();
			try {
				this.closed.await();
			}
			catch (InterruptedException ex) {
				throw new IOException(ex);
			}
			throw new IOException("closed");
		}

		void awaitReader() {
			try {
				assertThat(this.reading.await(20, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public void close() {
			this.closed.countDown();
		}

	}

}
