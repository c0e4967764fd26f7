package io.psych.sandbox.cli;

import java.util.EnumSet;
import java.util.Set;

import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.FailureKind;
import org.jspecify.annotations.Nullable;

/**
 * The statuses the tool ends with. The help of each command lists them.
 */
final class ExitCode {

	static final int SUCCESS = 0;

	static final int PROGRAM_FAILED = 1;

	static final int USAGE = 2;

	static final int NOT_EXECUTED = 3;

	static final int NO_BACKEND = 4;

	/** EX_SOFTWARE of sysexits.h. */
	static final int INTERNAL = 70;

	private static final Set<FailureKind> OF_THE_PROGRAM = EnumSet.of(FailureKind.PROGRAM_EXCEPTION,
			FailureKind.TIMEOUT, FailureKind.ABORTED, FailureKind.WORKER_EXIT, FailureKind.INVALID_OUTPUT,
			FailureKind.OUTPUT_LIMIT);

	private ExitCode() {
	}

	static int of(@Nullable Failure failure) {
		if (failure == null) {
			return SUCCESS;
		}
		return OF_THE_PROGRAM.contains(failure.kind()) ? PROGRAM_FAILED : NOT_EXECUTED;
	}

}
