package io.psych.sandbox.spring.autoconfigure;

/**
 * What a test needs to run real programs on whatever host it finds itself on.
 */
final class TestHost {

	/** The interpreter of the build, and no demand that the tests run as root. */
	static final String[] PROPERTIES = { "psych.sandbox.interpreter=" + System.getProperty("psych.python", ""),
			"psych.sandbox.allow-same-user=true" };

	private TestHost() {
	}

}
