package io.psych.sandbox.spawn;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.jna.Native;
import org.jspecify.annotations.Nullable;

/**
 * A child that was started without Java's knowledge, which so does not wait for it.
 */
final class NativeProcess implements ChildProcess {

	/** One for each child that lives: the kernel tells an end to who waits for it. */
	private static final ExecutorService REAPERS = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "psych-sandbox-reaper");
		thread.setDaemon(true);
		return thread;
	});

	private static final int SIGNAL = 0x7F;

	private static final int KILLED = 128;

	private final long pid;

	private final InputStream stdout;

	private final InputStream stderr;

	private final @Nullable SocketChannel channel;

	private final ChildTree tree;

	private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();

	/**
	 * Create a new instance of a process that nobody has waited for.
	 */
	NativeProcess(int pid, InputStream stdout, InputStream stderr, @Nullable SocketChannel channel) {
		this.pid = pid;
		this.stdout = stdout;
		this.stderr = stderr;
		this.channel = channel;
		// As long as nobody has waited for it, its number is its own.
		this.tree = new ChildTree(ProcessHandle.of(pid).orElseThrow());
		REAPERS.execute(() -> this.exit.complete(await(pid)));
	}

	private static ExitStatus await(int pid) {
		int[] status = new int[1];
		int ended = SpawnLibc.waitpid(pid, status, 0);
		while (ended < 0 && Native.getLastError() == SpawnLibc.EINTR) {
			ended = SpawnLibc.waitpid(pid, status, 0);
		}
		if (ended < 0) {
			// Somebody else in this JVM waits for children that are not theirs.
			return NO_STATUS;
		}
		// WIFEXITED, WEXITSTATUS and WTERMSIG of wait(2).
		int signal = status[0] & SIGNAL;
		return new ExitStatus((signal != 0) ? KILLED + signal : (status[0] >> Byte.SIZE) & 0xFF);
	}

	@Override
	public long pid() {
		return this.pid;
	}

	@Override
	public InputStream stdout() {
		return this.stdout;
	}

	@Override
	public InputStream stderr() {
		return this.stderr;
	}

	@Override
	public @Nullable SocketChannel channel() {
		return this.channel;
	}

	@Override
	public CompletableFuture<ExitStatus> exit() {
		return this.exit;
	}

	@Override
	public ChildTree tree() {
		return this.tree;
	}

	@Override
	public void close() {
		try (this.stdout; this.stderr) {
			if (this.channel != null) {
				this.channel.close();
			}
		}
		catch (IOException ex) {
			// Nobody reads them again.
		}
	}

}
