package io.psych.sandbox.spawn;

import java.io.InputStream;
import java.util.concurrent.CompletableFuture;

/**
 * A child that Java has started.
 */
final class JavaProcess implements ChildProcess {

	private final Process process;

	private final ChildTree tree;

	private final CompletableFuture<ExitStatus> exit;

	JavaProcess(Process process) {
		this.process = process;
		this.tree = new ChildTree(process.toHandle());
		this.exit = process.onExit().thenApply((ended) -> new ExitStatus(ended.exitValue()));
	}

	@Override
	public long pid() {
		return this.process.pid();
	}

	@Override
	public InputStream stdout() {
		return this.process.getInputStream();
	}

	@Override
	public InputStream stderr() {
		return this.process.getErrorStream();
	}

	@Override
	public CompletableFuture<ExitStatus> exit() {
		return this.exit;
	}

	@Override
	public ChildTree tree() {
		return this.tree;
	}

}
