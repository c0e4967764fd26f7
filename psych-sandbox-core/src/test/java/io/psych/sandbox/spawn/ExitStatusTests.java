package io.psych.sandbox.spawn;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ExitStatusTests {

	@ParameterizedTest
	@ValueSource(strings = { "HUP", "INT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
			"ALRM", "TERM", "XCPU", "XFSZ", "SYS" })
	void deathBySignalReadsAsItsName(String signal) throws Exception {
		ChildProcess child = new Children().start("/bin/sh", "-c", "ulimit -c 0; kill -" + signal + " $$");
		assertThat(child.exit().get(20, TimeUnit.SECONDS).signal()).isEqualTo("SIG" + signal);
	}

	@Test
	void deathBySigquitReadsAsItsName() {
		// A JVM blocks it in all of its threads, and a child inherits that.
		assertThat(new ExitStatus(128 + 3).signal()).isEqualTo("SIGQUIT");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 9, 15, 100, 127, 128, 144, 255, -1 })
	void endByItselfHasNoSignal(int code) {
		assertThat(new ExitStatus(code).signal()).isNull();
	}

}
