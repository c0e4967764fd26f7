package io.psych.sandbox.backend.container;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ContainerSettings} and what an operator may add.
 */
class ContainerSettingsTests {

	private static final ContainerSettings SETTINGS = ContainerSettings.of("python:3-slim");

	@ParameterizedTest
	@ValueSource(strings = { "--cpus=1.5", "--cpu-shares=512", "--cpuset-cpus=0-1,3", "--cpuset-mems=0",
			"--blkio-weight=100", "--cgroup-parent=/services/agent.slice", "--label=team=agents",
			"--annotation=cost.center=7", "--security-opt=apparmor=docker-default", "--runtime-flag=ignore-cgroups",
			"--runtime-flag=network=none" })
	void argumentsThatGiveLessAreTaken(String argument) {
		assertThat(SETTINGS.withExtraArguments(List.of(argument)).extraArguments()).containsExactly(argument);
	}

	@ParameterizedTest
	@ValueSource(strings = { "--privileged", "--privileged=true", "--cap-add=ALL", "--network=host", "--pid=host",
			"--ipc=host", "--userns=host", "--uts=host", "--cgroupns=host", "--user=0", "--device=/dev/kvm",
			"--volume=/:/host", "-v=/:/host", "--mount=type=bind,source=/,target=/host", "--tmpfs=/run",
			"--read-only=false", "--security-opt=seccomp=unconfined", "--security-opt=apparmor=unconfined",
			"--security-opt=apparmor=unconfined-too", "--security-opt=label=disable", "--memory=0", "--pids-limit=-1",
			"--memory-swap=-1", "--oom-kill-disable=true", "--ulimit=nproc=-1", "--env=SECRET=1", "--env-file=/etc/x",
			"--rm=true", "--pull=always", "--entrypoint=/bin/sh", "--group-add=0", "--sysctl=kernel.shm_rmid_forced=0",
			"--init=true", "--cpus", "--cpus 2", "--cpus=2 --privileged", "--cpus=2\n--privileged", "cpus=2",
			"--label=io.psych.sandbox.instance=other", "--log-driver=journald", "--runtime=runc",
			"--runtime-flag=network=host", "--runtime-flag=host-uds=all", "--runtime-flag=root=/", "" })
	void argumentsThatCouldGiveMoreAreRefusedNamingThem(String argument) {
		assertThatIllegalArgumentException().isThrownBy(() -> SETTINGS.withExtraArguments(List.of(argument)))
			.withMessageContaining("extra-args")
			.withMessageContaining("'" + argument + "'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "--privileged", "a b", "x\ny", "-v", "/etc" })
	void imageThatCouldBeReadAsAnArgumentIsRefused(String image) {
		assertThatIllegalArgumentException().isThrownBy(() -> ContainerSettings.of(image))
			.withMessageContaining("image");
	}

	@Test
	void imageMayBeNamedByItsDigest() {
		String digest = "registry.example/python@sha256:" + "a".repeat(64);
		assertThat(ContainerSettings.of(digest).image()).isEqualTo(digest);
		assertThat(ContainerSettings.of("a".repeat(255)).image()).hasSize(255);
		assertThatIllegalArgumentException().isThrownBy(() -> ContainerSettings.of("a".repeat(256)));
	}

	@Test
	void interpreterAndRuntimeThatCouldBeReadAsAnArgumentAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> SETTINGS.withInterpreter("--x"));
		assertThatIllegalArgumentException().isThrownBy(() -> SETTINGS.withInterpreter(" "));
		assertThatIllegalArgumentException().isThrownBy(() -> SETTINGS.withRuntime("run sc"));
	}

}
