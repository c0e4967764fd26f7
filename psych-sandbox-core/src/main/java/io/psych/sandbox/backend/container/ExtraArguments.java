package io.psych.sandbox.backend.container;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The arguments of an engine's {@code run} that an operator may add: those that give less
 * or only describe. It is a list of what is known to be harmless, since engines learn new
 * options with every version.
 */
final class ExtraArguments {

	/** Begins an argument that is podman's own, not that of its {@code run}. */
	static final String RUNTIME_FLAG = "--runtime-flag=";

	private static final List<Pattern> HARMLESS = List.of(Pattern.compile("--cpus=\\d{1,4}(\\.\\d{1,3})?"),
			Pattern.compile("--cpu-shares=\\d{1,7}"), Pattern.compile("--cpuset-(cpus|mems)=[\\d,-]{1,100}"),
			Pattern.compile("--blkio-weight=\\d{1,4}"), Pattern.compile("--cgroup-parent=[\\w./@:-]{1,255}"),
			Pattern.compile("--(label|annotation)=(?!io\\.psych\\.)[A-Za-z0-9][\\w./-]{0,100}=[^\\p{Cntrl}]{0,255}"),
			Pattern.compile("--security-opt=apparmor=(?!unconfined)[\\w./-]{1,100}"),
			// What gVisor needs where an engine does not know it: none of them opens
			// anything but the channel, and what is not bounded without groups is
			// measured.
			Pattern.compile(RUNTIME_FLAG + "(network=none|ignore-cgroups|platform=\\w{1,20}|overlay2=none"
					+ "|(fsgofer-host-uds|host-uds=open|host-fifo=open))"));

	private ExtraArguments() {
	}

	static void check(String argument) {
		if (HARMLESS.stream().noneMatch((pattern) -> pattern.matcher(argument).matches())) {
			throw new IllegalArgumentException("extra-args must be arguments that give a container less, each written"
					+ " --name=value: --cpus, --cpu-shares, --cpuset-cpus, --cpuset-mems, --blkio-weight,"
					+ " --cgroup-parent, --label, --annotation, --security-opt=apparmor=PROFILE or a --runtime-flag of"
					+ " gVisor's, but one was '" + argument + "'");
		}
	}

}
