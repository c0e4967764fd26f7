package io.psych.sandbox.run;

import java.util.List;

import io.psych.sandbox.wire.Frame;

/**
 * Why an execution ended. The first one counts: a kill we caused must not read as a
 * crash.
 */
sealed interface Verdict {

	/** The program says that it has ended. */
	record Done(Frame.Done frame) implements Verdict {

	}

	/** The process ended, or closed its channel and ended later, without saying so. */
	record Exited() implements Verdict {

	}

	/** The wall clock ran out. */
	record TimedOut() implements Verdict {

	}

	/** The caller cancelled. */
	record Cancelled() implements Verdict {

	}

	/** The program broke the protocol. */
	record Violated(String rule) implements Verdict {

	}

	/** The child's report was not accepted, so that no program was sent. */
	record Refused(List<String> unmet) implements Verdict {

	}

	/** The child did not come to wait for a program. */
	record NotReady(String problem) implements Verdict {

	}

	/** The channel broke on the host's side. */
	record Broken(String problem) implements Verdict {

	}

}
