package io.psych.sandbox;

import io.psych.sandbox.limits.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The contract on containers of podman.
 */
@Tag("containers")
@EnabledIf(value = "io.psych.sandbox.Containers#areThere", disabledReason = "no podman with the image of the tests")
class ContainerSandboxTests extends AbstractSandboxTests {

	@Override
	String backend() {
		return "container";
	}

	@Override
	Level level() {
		return Level.ISOLATED;
	}

}
