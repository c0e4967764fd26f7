package io.psych.sandbox;

import io.psych.sandbox.limits.Level;
import org.junit.jupiter.api.Tag;

/**
 * The contract on a bare process.
 */
@Tag("once")
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
