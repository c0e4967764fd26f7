package io.psych.sandbox.spawn;

import java.io.InputStream;
import java.util.concurrent.CompletableFuture;

/**
 * A process that was started here.
 *
 * @since 0.1.0
 */
public final class ChildProcess {

	private final Process process;

	private final ChildTree tree;

	private final CompletableFuture<ExitStatus> exit;

	ChildProcess(Process process) {
		this.process = process;
		this.tree = new ChildTree(process.toHandle());
		this.exit = process.onExit().thenApply((ended) -> new ExitStatus(ended.exitValue()));
	}

	/**
	 * Return its process id.
	 * @return the id
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Return the pipe its stdout goes to. Must be read by a platform thread: a virtual
	 * one that blocks on it keeps its carrier.
	 * @return the pipe
	 */
	public InputStream stdout() {
		return this.process.getInputStream();
	}

	/**
	 * Return the pipe its stderr goes to.
	 * @return the pipe
	 */
	public InputStream stderr() {
		return this.process.getErrorStream();
	}

	/**
	 * Return a future of its end.
	 * @return completes with the status
	 */
	public CompletableFuture<ExitStatus> exit() {
		return this.exit;
	}

	/**
	 * Return the tree of processes below and with it.
	 * @return the tree
	 */
	public ChildTree tree() {
		return this.tree;
	}

}
