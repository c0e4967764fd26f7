package io.psych.sandbox.cli;

import picocli.CommandLine.IVersionProvider;

/**
 * The version the jar was built with.
 */
final class Version implements IVersionProvider {

	@Override
	public String[] getVersion() {
		String version = Version.class.getPackage().getImplementationVersion();
		return new String[] { "psych-sandbox " + ((version != null) ? version : "(not run from its jar)") };
	}

}
