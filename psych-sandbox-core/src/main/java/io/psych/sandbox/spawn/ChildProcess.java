package io.psych.sandbox.spawn;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A process that was started for a program: a child of this JVM, or what an engine
 * started on its behalf.
 *
 * @since 0.1.0
 */
public interface ChildProcess extends AutoCloseable {

	/** The status of a process of which nobody can tell how it ended. */
	ExitStatus NO_STATUS = new ExitStatus(-1);

	/**
	 * Return its process id.
	 * @return the id
	 */
	long pid();

	/**
	 * Return the pipe its stdout goes to. Must be read by a platform thread: a virtual
	 * one that blocks on it keeps its carrier.
	 * @return the pipe
	 */
	InputStream stdout();

	/**
	 * Return the pipe its stderr goes to.
	 * @return the pipe
	 */
	InputStream stderr();

	/**
	 * Return what it has written to a pipe, after it has ended: what a pipe holds without
	 * a reader. Does not wait for others that still hold the pipe.
	 * @param pipe its stdout or its stderr
	 * @return the text
	 * @throws IOException if the pipe can't be read
	 */
	default String said(InputStream pipe) throws IOException {
		return new String(pipe.readNBytes(pipe.available()), StandardCharsets.UTF_8);
	}

	/**
	 * Return this JVM's end of the channel that it was started with.
	 * @return the channel, or {@code null} when it was started without one
	 */
	default @Nullable SocketChannel channel() {
		return null;
	}

	/**
	 * Return a future of its end.
	 * @return completes with the status, or with {@link #NO_STATUS} where only
	 * {@link #status} tells it
	 */
	CompletableFuture<ExitStatus> exit();

	/**
	 * Return how it ended, after it has.
	 * @param patience how long to wait for whoever knows
	 * @return the status, or {@link #NO_STATUS} when nobody tells
	 */
	default ExitStatus status(Duration patience) {
		return exit().copy().completeOnTimeout(NO_STATUS, patience.toMillis(), TimeUnit.MILLISECONDS).join();
	}

	/**
	 * Return the tree of processes below and with it.
	 * @return the tree
	 */
	ChildTree tree();

	/**
	 * Return what bounds its processes together, where that is for whoever started it to
	 * see to.
	 * @return the bounds, or {@code null} when it has none of its own
	 */
	default @Nullable TreeBounds bounds() {
		return null;
	}

	/**
	 * Remove what is left of it when its processes are gone.
	 */
	@Override
	default void close() {
	}

}
