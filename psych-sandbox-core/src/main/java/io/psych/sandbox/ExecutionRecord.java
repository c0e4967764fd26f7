package io.psych.sandbox;

import java.util.UUID;

import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.runlog.RunEvent;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.runlog.RunLogException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The beginning and the end of one execution, in the log of its run. What can't be
 * recorded is not started.
 */
final class ExecutionRecord {

	private static final Logger logger = LoggerFactory.getLogger(ExecutionRecord.class);

	private final RunLog log;

	private final RunKey run;

	private final String execution = UUID.randomUUID().toString().replace("-", "");

	ExecutionRecord(RunLog log, Scope scope) {
		this.log = log;
		this.run = RunKey.of(scope, this.execution);
	}

	/** Return the name of the execution, which can't be guessed. */
	String execution() {
		return this.execution;
	}

	/**
	 * Record that the execution was accepted.
	 * @return why it must not be started, or {@code null}
	 */
	@Nullable Failure begin(RunRequest request, String spec, long programBytes) {
		try {
			this.log.append(this.run,
					new RunEvent.ExecutionStarted(this.execution, spec, request.spec().profile(), programBytes));
			return null;
		}
		catch (RunLogException ex) {
			logger.warn("An execution was refused, it can't be recorded: {}", ex.toString());
			return Failure.of(FailureKind.BACKEND_NOT_READY,
					"The execution can't be recorded now, and was not started.");
		}
	}

	/** Record what came of it. */
	void end(RunResult result) {
		Failure failure = result.failure();
		try {
			this.log.append(this.run,
					new RunEvent.ExecutionEnded(this.execution, result.isolation().backend(),
							(failure != null) ? failure.kind() : null, result.limitHit(), result.duration(),
							result.stdout().bytes(), result.stderr().bytes()));
		}
		catch (RunLogException ex) {
			// Without an end it reads as unknown, which is true for whoever has only the
			// log.
			logger.warn("The end of execution {} is not recorded: {}", this.execution, ex.toString());
		}
	}

}
