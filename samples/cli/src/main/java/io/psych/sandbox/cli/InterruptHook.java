package io.psych.sandbox.cli;

import io.psych.sandbox.Sandbox;

/**
 * Closes a sandbox when the tool is interrupted, so that Ctrl-C leaves nothing behind.
 */
final class InterruptHook implements AutoCloseable {

	private final Thread hook;

	InterruptHook(Sandbox sandbox) {
		this.hook = new Thread(sandbox::close, "close-sandbox");
		Runtime.getRuntime().addShutdownHook(this.hook);
	}

	@Override
	public void close() {
		try {
			Runtime.getRuntime().removeShutdownHook(this.hook);
		}
		catch (IllegalStateException ex) {
			// The JVM is going down, and the hook with it.
		}
	}

}
