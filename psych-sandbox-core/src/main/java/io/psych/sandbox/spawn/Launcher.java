package io.psych.sandbox.spawn;

import java.io.IOException;

/**
 * One way to start a process. Used by one thread, which lives on.
 */
interface Launcher {

	/**
	 * Start a child.
	 * @param command how
	 * @return the process
	 * @throws IOException if it can't be started; no process is left
	 */
	ChildProcess launch(ChildCommand command) throws IOException;

	/**
	 * Return the fastest one that this host has.
	 * @return the launcher
	 */
	static Launcher best() {
		Launcher best = NativeLauncher.find();
		return (best != null) ? best : new JavaLauncher();
	}

}
