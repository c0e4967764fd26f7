package io.psych.sandbox.backend;

import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ObservationTests {

	private static final Observation.Attempts NOTHING = new Observation.Attempts("not attempted", "not attempted");

	@Test
	void ofAWholeReportHasEveryField() {
		Observation seen = Observations.of(Observations.confined());
		assertThat(seen.namespaces()).containsEntry("pid", "pid:[own]").hasSize(7);
		assertThat(seen.ids()).hasSize(8).containsOnly(65534L);
		assertThat(seen.groups()).isEmpty();
		assertThat(seen.capabilities()).hasSize(5).containsEntry("CapBnd", "0000000000000000");
		assertThat(seen.noNewPrivileges()).isTrue();
		assertThat(seen.setuid()).isEqualTo("EPERM");
		assertThat(seen.canary()).isEqualTo("ENOENT");
		assertThat(seen.hostEnviron()).isEqualTo("ENOENT");
		assertThat(seen.hostSignal()).isEqualTo("ESRCH");
		assertThat(seen.listeners()).containsExactly(Map.entry("127.0.0.1", "EPERM"),
				Map.entry("0:0:0:0:0:0:0:1", "EPERM"));
		assertThat(seen.routes()).containsExactly(Map.entry("IPv4", "EPERM"), Map.entry("IPv6", "EPERM"));
		assertThat(seen.kernel()).containsEntry("unshare", "refused");
		assertThat(seen.landlock()).isEqualTo(7);
		assertThat(seen.before().canary()).isEqualTo("ENOENT");
		assertThat(seen.before().routes()).containsEntry("IPv4", "ENETUNREACH");
		assertThat(seen.environment()).containsExactly("PATH", "HOME");
		assertThat(seen.fileSize()).isEqualTo(new Observation.Attempts("done", "EFBIG"));
		assertThat(seen.memory()).isEqualTo(new Observation.Attempts("done", "ENOMEM"));
		assertThat(seen.processCount()).isEqualTo(new Observation.Attempts("done", "EAGAIN"));
		assertThat(seen.workspace()).isEqualTo(new Observation.FileSystem(41, 4096, 16384, 16384));
		assertThat(seen.confined()).containsExactly("uid");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "[]", "null", "1", "\"text\"",
			"""
					{"namespaces":["pid"],"ids":5,"groups":{},"capabilities":"none","noNewPrivileges":"true","setuid":1,
					"canary":null,"hostEnviron":[],"hostSignal":{},"listeners":{"127.0.0.1":"EPERM"},"routes":[["IPv4"]],
					"environment":["PATH",1],"limits":{"fileSize":["done"],"memory":["done",1],"processCount":"EAGAIN","workspace":[1,2,3,4]},
					"confined":"uid"}""",
			"""
					{"namespaces":{"pid":1},"capabilities":{"CapEff":0},"listeners":["127.0.0.1",["a","b","c"],[1,"EPERM"]],
					"limits":[["done","EFBIG"]],"noNewPrivileges":1}""",
			"""
					{"limits":{"workspace":{"device":"41","blockSize":4096.0,"blocks":null,"inodes":18446744073709551616}}}""" })
	void ofJunkObservesNothing(String report) {
		assertThat(Observation.of(JsonValue.parse(report))).isEqualTo(new Observation(Map.of(), List.of(), List.of(),
				Map.of(), false, "not attempted", "not attempted", "not attempted", "not attempted", Map.of(), Map.of(),
				List.of(), NOTHING, NOTHING, NOTHING, new Observation.FileSystem(0, 0, 0, 0), List.of(), Map.of(), 0,
				new Observation.Before("not attempted", Map.of(), Map.of(), Map.of())));
	}

	@Test
	void idThatIsNoIntegerCountsAsRoots() {
		Observation seen = Observation
			.of(JsonValue.parse("{\"ids\":[1000,\"1000\",1000.0,null,18446744073709551616],\"groups\":[[]]}"));
		assertThat(seen.ids()).containsExactly(1000L, 0L, 0L, 0L, 0L);
		assertThat(seen.groups()).containsExactly(0L);
	}

}
