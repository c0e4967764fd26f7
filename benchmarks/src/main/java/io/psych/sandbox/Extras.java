package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.psych.sandbox.backend.Backend;
import io.psych.sandbox.backend.ExecutionFolder;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChildCommand;

/**
 * Which security extras a child has: what a backend adds to its namespaces and limits,
 * and what it works without.
 *
 * @param taken those that are taken away
 */
record Extras(Set<Extra> taken) {

	/** As it is delivered. */
	static final Extras ALL = new Extras(EnumSet.noneOf(Extra.class));

	static final Extras NONE = new Extras(EnumSet.allOf(Extra.class));

	/**
	 * Landlock is only taken away together with the filter: one argument asks for both.
	 */
	static final List<Extras> ARMS = List.of(ALL, new Extras(EnumSet.of(Extra.GROUP)),
			new Extras(EnumSet.of(Extra.FILTER)), new Extras(EnumSet.of(Extra.FILTER, Extra.LANDLOCK)), NONE);

	private static final String FILTER = "\"filter\":\"[^\"]*\"";

	private static final String RESTRICTION = ",\"restrict\":\\{[^}]*\\}";

	/**
	 * One of them.
	 */
	enum Extra {

		/** Filter of system calls. */
		FILTER("seccomp"),

		/** The second layer of bubblewrap, the only one of the other for files. */
		LANDLOCK("Landlock"),

		/** Bounds the memory of the whole tree. */
		GROUP("control group");

		private final String title;

		Extra(String title) {
			this.title = title;
		}

		@Override
		public String toString() {
			return this.title;
		}

	}

	/**
	 * Return which an execution had, by what its child observed and the host did.
	 * @param report the report of the execution
	 * @return those it had
	 */
	static Set<Extra> in(IsolationReport report) {
		Set<Extra> there = EnumSet.allOf(Extra.class);
		if (!report.finding(Guarantee.IDENTITY).evidence().contains("seccomp refuses")) {
			there.remove(Extra.FILTER);
		}
		if (!report.finding(Guarantee.FILESYSTEM).evidence().matches(".*\\bLandlock \\d.*")) {
			there.remove(Extra.LANDLOCK);
		}
		if (report.finding(Guarantee.MEMORY).evidence().contains("there is no control group")) {
			there.remove(Extra.GROUP);
		}
		return there;
	}

	/**
	 * Return which are left of those a host has.
	 * @param all those it has
	 * @return those left
	 */
	Set<Extra> of(Set<Extra> all) {
		Set<Extra> left = EnumSet.copyOf(all);
		left.removeAll(this.taken);
		return left;
	}

	/**
	 * Return a builder of a sandbox whose children have these extras.
	 * @param backend the backend
	 * @return the builder
	 */
	SandboxBuilder builder(String backend) {
		SandboxBuilder builder = Sandbox.builder()
			.backend(backend)
			.backendDecorator((sound) -> new Stripped(sound, this));
		return this.taken.contains(Extra.GROUP) ? builder.withoutControlGroups() : builder;
	}

	private ChildCommand strip(ChildCommand command) {
		List<String> arguments = command.arguments().stream().map(this::strip).toList();
		return command.with(arguments, command.environment());
	}

	/** The child is told what to take on in one argument, which is JSON. */
	private String strip(String argument) {
		if (this.taken.contains(Extra.LANDLOCK)) {
			return argument.replaceFirst(RESTRICTION, "");
		}
		return this.taken.contains(Extra.FILTER) ? argument.replaceFirst(FILTER, "\"filter\":null") : argument;
	}

	@Override
	public String toString() {
		return this.taken.isEmpty() ? "all" : equals(NONE) ? "none"
				: "without " + this.taken.stream().map(Extra::toString).collect(Collectors.joining(" and "));
	}

	/**
	 * A backend whose children are not told to take on all extras.
	 *
	 * @param sound the backend
	 * @param extras those left
	 */
	private record Stripped(Backend sound, Extras extras) implements Backend {

		@Override
		public String name() {
			return this.sound.name();
		}

		@Override
		public boolean hasOwnView() {
			return this.sound.hasOwnView();
		}

		@Override
		public boolean needsFolder() {
			return this.sound.needsFolder();
		}

		@Override
		public Path workspace(ExecutionFolder folder) {
			return this.sound.workspace(folder);
		}

		@Override
		public ChildCommand command(ExecutionFolder folder, Limits limits, boolean network) throws IOException {
			return this.extras.strip(this.sound.command(folder, limits, network));
		}

	}

}
