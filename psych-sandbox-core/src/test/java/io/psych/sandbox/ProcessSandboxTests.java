package io.psych.sandbox;

import io.psych.sandbox.limits.Level;

/**
 * The contract on a bare process.
 */
class ProcessSandboxTests extends AbstractSandboxTests {

	@Override
	String backend() {
		return "process";
	}

	@Override
	Level level() {
		return Level.PROCESS;
	}

}
