package io.psych.sandbox;

import io.psych.sandbox.limits.Level;

/**
 * The contract on bubblewrap.
 */
class BubblewrapSandboxTests extends AbstractSandboxTests {

	@Override
	String backend() {
		return "bubblewrap";
	}

	@Override
	Level level() {
		return Level.ISOLATED;
	}

}
