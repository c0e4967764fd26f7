package io.psych.sandbox.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Finding;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;

/**
 * Grades what a child observed. Every attempt of a child is compared with the same
 * attempt of a <em>control</em>, the same script on the same host without a mechanism:
 * where the control fails too, a failed attempt proves nothing.
 *
 * @since 0.1.0
 */
public final class Grader {

	private static final List<String> CAPABILITY_SETS = List.of("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb");

	private static final String NO_CAPABILITY = "0000000000000000";

	private static final String NOT_ATTEMPTED = "not attempted";

	private final Observation control;

	private final Predicate<String> expectedVariable;

	/**
	 * Create a new grader.
	 * @param control what a child without a mechanism observed
	 * @param expectedVariable tells whether an environment variable may be a child's
	 */
	public Grader(Observation control, Predicate<String> expectedVariable) {
		this.control = control;
		this.expectedVariable = expectedVariable;
	}

	/**
	 * Grade one execution.
	 * @param backend the backend it runs on
	 * @param seen what its child observed
	 * @param limits what its child was started with
	 * @param network whether it was granted the host's network
	 * @param bounded whether all its processes are in a control group of their own
	 * @param proofs what was proved when the backend was selected
	 * @return the report
	 */
	public IsolationReport grade(Backend backend, Observation seen, Limits limits, boolean network, boolean bounded,
			Proofs proofs) {
		return new IsolationReport(backend.name(), List.of(filesystem(backend, seen), network(seen, network),
				processTree(seen), identity(seen), proved(Guarantee.CPU, proofs.cpu(), "RLIMIT_CPU of each process"),
				memory(seen, bounded, proofs.memory()), fileSize(seen, limits.workspace()),
				limit(Guarantee.PROCESS_COUNT, "RLIMIT_NPROC", "EAGAIN", "fork past it", seen.processCount()),
				proved(Guarantee.WALL_CLOCK, proofs.deadline(), "the host's deadline"), environment(backend, seen)));
	}

	private Finding filesystem(Backend backend, Observation seen) {
		if (Observation.DONE.equals(seen.canary())) {
			return new Finding(Guarantee.FILESYSTEM, Grade.UNAVAILABLE, "a canary file of the host was read");
		}
		if (!Observation.DONE.equals(this.control.canary())) {
			return new Finding(Guarantee.FILESYSTEM, Grade.UNVERIFIED,
					"the canary was not read (" + seen.canary() + "), but neither by the control");
		}
		if (!isError(seen.canary())) {
			return new Finding(Guarantee.FILESYSTEM, Grade.UNVERIFIED, "reading the canary: " + seen.canary());
		}
		String landlock = (seen.landlock() > 0) ? "Landlock " + seen.landlock() : "no Landlock";
		if (backend.hasOwnView() && isApart(seen, "mnt") && isError(seen.before().canary())) {
			return new Finding(Guarantee.FILESYSTEM, Grade.ENFORCED,
					"own mount namespace with a view made for this child"
							+ ((backend.software() != null) ? " by " + backend.software() : "")
							+ "; the canary, read by the control, is not there (" + seen.before().canary() + "); "
							+ landlock + " as a second layer");
		}
		return new Finding(Guarantee.FILESYSTEM, Grade.UNVERIFIED, "the canary was not read (" + seen.canary()
				+ ") under " + landlock + "; names and attributes of the host's files stay visible");
	}

	private Finding network(Observation seen, boolean granted) {
		if (granted) {
			return new Finding(Guarantee.NETWORK, Grade.UNAVAILABLE,
					"the host's network was granted to this execution");
		}
		List<String> refused = new ArrayList<>();
		List<String> apart = new ArrayList<>();
		for (Map.Entry<String, String> listener : this.control.listeners().entrySet()) {
			String attempt = seen.listeners().getOrDefault(listener.getKey(), NOT_ATTEMPTED);
			String before = seen.before().listeners().getOrDefault(listener.getKey(), NOT_ATTEMPTED);
			if (Observation.DONE.equals(attempt)) {
				return new Finding(Guarantee.NETWORK, Grade.UNAVAILABLE,
						"a listener of the host at " + listener.getKey() + " was reached");
			}
			if (Observation.DONE.equals(listener.getValue()) && isError(attempt)) {
				refused.add(listener.getKey() + " " + attempt);
			}
			if (Observation.DONE.equals(listener.getValue()) && isError(before)) {
				apart.add(listener.getKey() + " " + before);
			}
		}
		if (seen.routes().containsValue(Observation.DONE)) {
			return new Finding(Guarantee.NETWORK, Grade.UNAVAILABLE, "there is a route: " + seen.routes());
		}
		if (refused.isEmpty() || refused.size() < this.control.listeners().size()) {
			return new Finding(Guarantee.NETWORK, Grade.UNVERIFIED,
					"no listener was reached, but not every one was attempted by the child and reached by the control:"
							+ " refused " + refused);
		}
		if (!allErrors(seen.routes())) {
			return new Finding(Guarantee.NETWORK, Grade.UNVERIFIED,
					"no listener was reached, but whether there is a route is not known: " + seen.routes());
		}
		if (isApart(seen, "net") && apart.size() == refused.size() && allErrors(seen.before().routes())) {
			return new Finding(Guarantee.NETWORK, Grade.ENFORCED,
					"own network namespace without a route; listeners of the host, reached by the control, were not: "
							+ String.join(", ", apart) + filtered(seen));
		}
		if (isFiltered(seen)) {
			return new Finding(Guarantee.NETWORK, Grade.ENFORCED,
					"sockets are refused by a filter of system calls; listeners of the host, reached by the control, were"
							+ " not: " + String.join(", ", refused));
		}
		return new Finding(Guarantee.NETWORK, Grade.UNVERIFIED,
				"no listener was reached: " + refused + ", but neither a namespace nor a filter accounts for it");
	}

	private static boolean allErrors(Map<String, String> attempts) {
		return !attempts.isEmpty() && attempts.values().stream().allMatch(Grader::isError);
	}

	private Finding processTree(Observation seen) {
		if (!isApart(seen, "pid")) {
			return new Finding(Guarantee.PROCESS_TREE, Grade.UNVERIFIED,
					"a supervising parent ends its descendants, which a program of the same user could outrun");
		}
		// In a namespace of its own the number of this JVM may be another process's,
		// which is reached.
		if (!Observation.DONE.equals(this.control.hostSignal())
				|| !(isError(seen.hostSignal()) || Observation.DONE.equals(seen.hostSignal()))) {
			return new Finding(Guarantee.PROCESS_TREE, Grade.UNVERIFIED,
					"own pid namespace, but a signal to this JVM came to %s, from the control to %s"
						.formatted(seen.hostSignal(), this.control.hostSignal()));
		}
		return new Finding(Guarantee.PROCESS_TREE, Grade.ENFORCED,
				"own pid namespace, ended with its init; a signal to the number of this JVM, which reached it from the"
						+ " control, came to " + seen.hostSignal());
	}

	private Finding identity(Observation seen) {
		List<String> problems = new ArrayList<>();
		if (seen.ids().isEmpty() || seen.ids().stream().anyMatch((id) -> id == 0)) {
			problems.add("it has an id of root");
		}
		if (!CAPABILITY_SETS.stream().map(seen.capabilities()::get).allMatch(NO_CAPABILITY::equals)) {
			problems.add("it has capabilities " + seen.capabilities());
		}
		if (!seen.noNewPrivileges()) {
			problems.add("programs it starts can gain privileges");
		}
		if (seen.groups().contains(0L)) {
			problems.add("it is in the group of root");
		}
		if (Observation.DONE.equals(seen.setuid())) {
			problems.add("it became root");
		}
		if (!isApart(seen, "user") && seen.ids().equals(this.control.ids())) {
			problems.add("it runs as the user of this JVM");
		}
		if (!problems.isEmpty()) {
			return new Finding(Guarantee.IDENTITY, Grade.UNAVAILABLE, String.join(", ", problems));
		}
		if (!isError(seen.setuid())) {
			return new Finding(Guarantee.IDENTITY, Grade.UNVERIFIED, "becoming root: " + seen.setuid());
		}
		String evidence = "uid %d%s, no capability in any set, no new privileges; becoming root was refused (%s)"
			.formatted(seen.ids().get(0), isApart(seen, "user") ? " in a user namespace of its own" : "",
					seen.setuid());
		return isFiltered(seen) ? new Finding(Guarantee.IDENTITY, Grade.ENFORCED, evidence + filtered(seen))
				: new Finding(Guarantee.IDENTITY, Grade.UNVERIFIED,
						evidence + ", but no filter keeps it from the rest of the kernel: " + seen.kernel());
	}

	private static Finding memory(Observation seen, boolean bounded, Proofs.Proof proof) {
		Observation.Attempts attempts = seen.memory();
		if (!Observation.DONE.equals(attempts.without()) || !isError(attempts.with())) {
			return new Finding(Guarantee.MEMORY, Grade.UNAVAILABLE, "an allocation past RLIMIT_AS, done without it ("
					+ attempts.without() + "), came to " + attempts.with());
		}
		String process = "RLIMIT_AS held for one process (" + attempts.with() + ")";
		if (bounded && proof.held()) {
			return new Finding(Guarantee.MEMORY, Grade.ENFORCED,
					process + "; all are in a control group of their own: " + proof.evidence());
		}
		return new Finding(Guarantee.MEMORY, Grade.UNVERIFIED,
				process + ", but bounds all together only by their number; "
						+ (bounded ? "a control group " + proof.evidence() : "there is no control group"));
	}

	/**
	 * One file is bounded by a limit of its process, all together by their file system.
	 */
	private Finding fileSize(Observation seen, ByteSize workspace) {
		Finding one = limit(Guarantee.FILE_SIZE, "RLIMIT_FSIZE", "EFBIG", "write a byte past it", seen.fileSize());
		if (one.grade() != Grade.ENFORCED) {
			return one;
		}
		Observation.FileSystem all = seen.workspace();
		String problem = null;
		if (all.device() == 0 || this.control.workspace().device() == 0) {
			problem = "what file system they are on is not known";
		}
		else if (all.device() == this.control.workspace().device()) {
			problem = "they are on a file system of the host";
		}
		else if (all.blocks() <= 0 || all.blockSize() <= 0) {
			problem = "their file system has no bound";
		}
		else if (all.blocks() - 1 > (workspace.bytes() - 1) / all.blockSize()) {
			problem = "their file system takes %d blocks of %d bytes, and the limit is %s".formatted(all.blocks(),
					all.blockSize(), workspace);
		}
		if (problem != null) {
			return new Finding(Guarantee.FILE_SIZE, Grade.UNVERIFIED,
					one.evidence() + "; but all files together are not bounded: " + problem);
		}
		return new Finding(Guarantee.FILE_SIZE, Grade.ENFORCED,
				"%s; all files together are on a file system of their own of %s%s".formatted(one.evidence(),
						ByteSize.ofBytes(all.blocks() * all.blockSize()),
						(all.inodes() > 0) ? " and %d inodes".formatted(all.inodes()) : ""));
	}

	private static Finding limit(Guarantee guarantee, String name, String wanted, String action,
			Observation.Attempts attempts) {
		if (!Observation.DONE.equals(attempts.without())) {
			return new Finding(guarantee, Grade.UNVERIFIED,
					"the control failed already without " + name + ": " + attempts.without());
		}
		if (wanted.equals(attempts.with())) {
			return new Finding(guarantee, Grade.ENFORCED,
					"%s held: the attempt to %s, done without it, got %s".formatted(name, action, wanted));
		}
		return new Finding(guarantee, Grade.UNAVAILABLE,
				"%s did not hold: the attempt to %s came to %s".formatted(name, action, attempts.with()));
	}

	private static Finding proved(Guarantee guarantee, Proofs.Proof proof, String mechanism) {
		return new Finding(guarantee, proof.held() ? Grade.ENFORCED : Grade.UNVERIFIED,
				mechanism + ": " + proof.evidence());
	}

	private Finding environment(Backend backend, Observation seen) {
		List<String> unexpected = seen.environment().stream().filter(this.expectedVariable.negate()).toList();
		if (!unexpected.isEmpty()) {
			return new Finding(Guarantee.ENVIRONMENT, Grade.UNAVAILABLE,
					"variables nobody allowed are there: " + unexpected);
		}
		boolean ownProc = backend.hasOwnView() || seen.confined().contains("proc");
		boolean seesHostProcesses = !ownProc || !isApart(seen, "mnt") || !isApart(seen, "pid");
		if (seesHostProcesses && Observation.DONE.equals(seen.hostEnviron())) {
			return new Finding(Guarantee.ENVIRONMENT, Grade.UNAVAILABLE,
					"the environment of this JVM was read in /proc");
		}
		if (seen.environment().isEmpty() || (seesHostProcesses && !isError(seen.hostEnviron()))) {
			return new Finding(Guarantee.ENVIRONMENT, Grade.UNVERIFIED,
					"%d variables; reading the environment of this JVM: %s".formatted(seen.environment().size(),
							seen.hostEnviron()));
		}
		long withheld = this.control.environment()
			.stream()
			.filter((name) -> !seen.environment().contains(name))
			.count();
		if (withheld == 0) {
			return new Finding(Guarantee.ENVIRONMENT, Grade.UNVERIFIED,
					"this JVM has no variable that could have been handed on by mistake");
		}
		return new Finding(Guarantee.ENVIRONMENT, Grade.ENFORCED,
				"%d variables, all allowed; %d of this JVM, handed to the control, are not there"
					.formatted(seen.environment().size(), withheld));
	}

	/**
	 * Return whether calls of the kernel are refused to the child that it could make
	 * before, or the control could, which has no filter: a container begins with one.
	 */
	private boolean isFiltered(Observation seen) {
		Map<String, String> before = seen.before().kernel();
		return !before.isEmpty() && before.keySet().equals(seen.kernel().keySet())
				&& before.entrySet()
					.stream()
					.allMatch((call) -> Observation.DONE.equals(call.getValue())
							|| Observation.DONE.equals(this.control.kernel().get(call.getKey())))
				&& seen.kernel().values().stream().noneMatch(Observation.DONE::equals);
	}

	private String filtered(Observation seen) {
		return isFiltered(seen) ? "; seccomp refuses what the child could do before: "
				+ String.join(", ", new TreeSet<>(seen.kernel().keySet())) : "";
	}

	/** Return whether an attempt was made and refused by the kernel. */
	private static boolean isError(String attempt) {
		return attempt.startsWith("E");
	}

	/** Return whether a child is in a namespace of its own. */
	private boolean isApart(Observation seen, String namespace) {
		String own = seen.namespaces().get(namespace);
		String host = this.control.namespaces().get(namespace);
		return own != null && host != null && !own.equals(host);
	}

}
