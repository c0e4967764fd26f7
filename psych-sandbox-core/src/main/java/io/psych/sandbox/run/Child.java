package io.psych.sandbox.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;

import io.psych.sandbox.backend.ExecutionFolder;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.output.Captured;
import io.psych.sandbox.output.OutputPump;
import io.psych.sandbox.output.Remainder;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.wire.Frame;
import io.psych.sandbox.wire.FrameBounds;
import io.psych.sandbox.wire.FrameReader;
import io.psych.sandbox.wire.FrameWriter;
import io.psych.sandbox.wire.ProtocolVersion;
import io.psych.sandbox.wire.ProtocolViolationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A started child with its channel and its two output pipes, up to the point where it
 * waits for a program.
 */
final class Child implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Child.class);

	/** Far beyond any start on a loaded host, far below anyone's patience. */
	static final Duration HANDSHAKE = Duration.ofSeconds(15);

	/** A launcher that gave up closes its channel a moment before it is gone. */
	private static final Duration ENDING = Duration.ofSeconds(1);

	/** Of what a child that does not start says, as much as helps to find out why. */
	private static final ByteSize SAID = ByteSize.ofKibibytes(4);

	private static final long MOST_FRAMES = 10_000_000;

	private static final long MOST_BLANK_LINES = 1_000;

	private final ChildProcess process;

	private final OutputPump stdout;

	private final OutputPump stderr;

	private final SocketChannel channel;

	private final FrameReader reader;

	private final FrameWriter writer;

	private Child(ChildProcess process, OutputPump stdout, OutputPump stderr, SocketChannel channel) {
		this.process = process;
		this.stdout = stdout;
		this.stderr = stderr;
		this.channel = channel;
		this.reader = new FrameReader(channel, FrameBounds.HANDSHAKE, MOST_FRAMES, MOST_BLANK_LINES);
		this.writer = new FrameWriter(channel);
	}

	/**
	 * Start a child and wait until it has connected, unless it inherits its channel.
	 * @param starter starts it
	 * @param folder the folder in which its channel waits
	 * @param keep the bytes to keep of each stream
	 * @param threads drain its pipes and watch the time
	 * @param patience how long it may take
	 * @param started is told the process at once, while it sets itself up
	 * @return the child
	 * @throws NotReadyException if it did not connect; no process is left
	 * @throws InterruptedException if the caller was interrupted; no process is left
	 */
	static Child start(Starter starter, ExecutionFolder folder, ByteSize keep, Threads threads, Duration patience,
			Consumer<ChildProcess> started) throws NotReadyException, InterruptedException {
		ChildProcess process;
		try {
			process = starter.start();
		}
		catch (IOException ex) {
			throw new NotReadyException("it can't be started: " + ex.getMessage());
		}
		OutputPump stdout = OutputPump.start(process.stdout(), keep, threads.pumps());
		OutputPump stderr = OutputPump.start(process.stderr(), keep, threads.pumps());
		started.accept(process);
		SocketChannel inherited = process.channel();
		if (inherited != null) {
			return new Child(process, stdout, stderr, inherited);
		}
		ServerSocketChannel listener = folder.listener();
		ScheduledFuture<?> alarm = threads.alarm(() -> close(listener), patience);
		process.exit().thenRun(() -> close(listener));
		try {
			SocketChannel channel = listener.accept();
			return new Child(process, stdout, stderr, channel);
		}
		catch (ClosedByInterruptException ex) {
			end(process);
			Thread.interrupted();
			throw new InterruptedException();
		}
		catch (ClosedChannelException ex) {
			String problem = process.exit().isDone() ? "it ended with status " + process.status(HANDSHAKE).code()
					: "it did not connect within " + patience.toSeconds() + " s";
			end(process);
			throw new NotReadyException(problem + said(stderr));
		}
		catch (IOException ex) {
			end(process);
			throw new NotReadyException("its channel failed: " + ex.getMessage());
		}
		finally {
			alarm.cancel(false);
			close(listener);
		}
	}

	private static void close(ServerSocketChannel listener) {
		try {
			listener.close();
		}
		catch (IOException ex) {
			// A listener that can't be closed takes no more connections either.
		}
	}

	private static void end(ChildProcess process) {
		process.tree().killForcibly();
		process.tree().awaitEmpty(HANDSHAKE);
		process.close();
	}

	private static String said(OutputPump stderr) {
		String said = stderr.finish(Duration.ofSeconds(1)).preview(SAID).text().strip();
		return said.isEmpty() ? "" : ", saying: " + said.replaceAll("\\s*\\n\\s*", " / ");
	}

	/**
	 * Wait for the child's report.
	 * @return its first frame
	 * @throws NotReadyException if it sent something else, or nothing
	 * @throws IOException if the channel failed
	 */
	Frame.Ready awaitReady() throws NotReadyException, IOException {
		try {
			Frame frame = this.reader.next();
			if (frame instanceof Frame.Ready ready) {
				if (ready.protocol() != ProtocolVersion.CURRENT) {
					throw new NotReadyException("it speaks version " + ready.protocol() + " of the protocol, not "
							+ ProtocolVersion.CURRENT);
				}
				return ready;
			}
			throw new NotReadyException((frame != null) ? "its first frame was not ready" : ended());
		}
		catch (ProtocolViolationException ex) {
			throw new NotReadyException("its first frame was " + ex.getMessage());
		}
	}

	/** Whoever closes its channel has ended, or is about to be. */
	private String ended() {
		int status = this.process.status(ENDING).code();
		return ((status != ChildProcess.NO_STATUS.code()) ? "it ended with status " + status
				: "it closed its channel before it was ready") + said(this.stderr);
	}

	ChildProcess process() {
		return this.process;
	}

	FrameReader reader() {
		return this.reader;
	}

	FrameWriter writer() {
		return this.writer;
	}

	/**
	 * Return whether it has sent more than was read. To be called when no process of it
	 * is left, so that nothing is on its way.
	 */
	boolean sentMore() {
		try {
			this.channel.configureBlocking(false);
			return this.reader.hasMore();
		}
		catch (IOException ex) {
			logger.debug("The channel of child {} broke: {}", this.process.pid(), ex.toString());
			return false;
		}
	}

	/**
	 * Return whether it waits at the other end of its channel and has said nothing. To be
	 * called between two frames.
	 */
	boolean isWaiting() {
		try {
			this.channel.configureBlocking(false);
			boolean nothing = this.channel.read(ByteBuffer.allocate(1)) == 0;
			this.channel.configureBlocking(true);
			return nothing;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** Keep so much of each of its streams. */
	void keep(ByteSize most) {
		this.stdout.keep(most);
		this.stderr.keep(most);
	}

	/** Append to its stdout, when that has ended, what it held back. */
	void append(Remainder remainder) {
		this.stdout.append(remainder);
	}

	Captured stdout(Duration patience) {
		return this.stdout.finish(patience);
	}

	Captured stderr(Duration patience) {
		return this.stderr.finish(patience);
	}

	/**
	 * Close the channel, after which neither side can be waiting for the other.
	 */
	void hangUp() {
		try {
			this.channel.close();
		}
		catch (IOException ex) {
			// Closed or not, nobody reads it again.
		}
	}

	@Override
	public void close() {
		hangUp();
		this.process.close();
	}

	/**
	 * Starts the process of a child.
	 */
	@FunctionalInterface
	interface Starter {

		/**
		 * Start it.
		 * @return the process
		 * @throws IOException if it can't be started
		 * @throws InterruptedException if the caller was interrupted; no process is left
		 */
		ChildProcess start() throws IOException, InterruptedException;

	}

}
