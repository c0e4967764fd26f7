package io.psych.sandbox.backend;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;

/**
 * Reports of children, as they send them, to be changed field by field.
 */
final class Observations {

	private static final List<String> CAPABILITY_SETS = List.of("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb");

	private Observations() {
	}

	/** Return what a child without a mechanism reports: everything can be done. */
	static Map<String, Object> control() {
		Map<String, Object> report = new LinkedHashMap<>();
		report.put("namespaces", namespaces("host"));
		report.put("ids", List.of(0, 0, 0, 0, 0, 0, 0, 0));
		report.put("groups", List.of(0));
		report.put("capabilities", capabilities("000001ffffffffff"));
		report.put("noNewPrivileges", false);
		report.put("setuid", "done");
		report.put("canary", "done");
		report.put("hostEnviron", "done");
		report.put("hostSignal", "done");
		report.put("listeners", pairs("127.0.0.1", "done", "0:0:0:0:0:0:0:1", "done"));
		report.put("routes", pairs("IPv4", "done", "IPv6", "done"));
		report.put("environment", List.of("PATH", "HOME", "DATABASE_PASSWORD"));
		report.put("limits", limits("done", "done", "done", fileSystem(2049, 25_000_000, 6_000_000)));
		report.put("confined", List.of());
		report.put("kernel", kernel("done"));
		report.put("before", before("done", report.get("listeners"), report.get("routes"), kernel("done")));
		return report;
	}

	/** Return what a child of a strong backend reports: nothing can be done. */
	static Map<String, Object> confined() {
		Map<String, Object> report = new LinkedHashMap<>();
		report.put("namespaces", namespaces("own"));
		report.put("ids", List.of(65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534));
		report.put("groups", List.of());
		report.put("capabilities", capabilities("0000000000000000"));
		report.put("noNewPrivileges", true);
		report.put("setuid", "EPERM");
		report.put("canary", "ENOENT");
		report.put("hostEnviron", "ENOENT");
		report.put("hostSignal", "ESRCH");
		report.put("listeners", pairs("127.0.0.1", "EPERM", "0:0:0:0:0:0:0:1", "EPERM"));
		report.put("routes", pairs("IPv4", "EPERM", "IPv6", "EPERM"));
		report.put("environment", List.of("PATH", "HOME"));
		report.put("limits", limits("EFBIG", "ENOMEM", "EAGAIN", fileSystem(41, 16384, 16384)));
		report.put("confined", List.of("uid"));
		report.put("restricted", Map.of("landlock", 7));
		report.put("kernel", kernel("refused"));
		report.put("before", before("ENOENT", pairs("127.0.0.1", "ECONNREFUSED", "0:0:0:0:0:0:0:1", "EADDRNOTAVAIL"),
				pairs("IPv4", "ENETUNREACH", "IPv6", "ENETUNREACH"), kernel("done")));
		return report;
	}

	static Map<String, Object> kernel(String attempt) {
		Map<String, Object> kernel = new LinkedHashMap<>();
		List.of("unshare", "personality", "socket").forEach((call) -> kernel.put(call, attempt));
		return kernel;
	}

	static Map<String, Object> before(String canary, Object listeners, Object routes, Object kernel) {
		Map<String, Object> before = new LinkedHashMap<>();
		before.put("canary", canary);
		before.put("listeners", listeners);
		before.put("routes", routes);
		before.put("kernel", kernel);
		return before;
	}

	static Observation of(Map<String, Object> report) {
		return Observation.of(JsonValue.of(report));
	}

	static Map<String, Object> namespaces(String owner) {
		Map<String, Object> namespaces = new LinkedHashMap<>();
		for (String name : List.of("user", "pid", "mnt", "net", "ipc", "uts", "cgroup")) {
			namespaces.put(name, name + ":[" + owner + "]");
		}
		return namespaces;
	}

	static Map<String, Object> capabilities(String mask) {
		Map<String, Object> capabilities = new LinkedHashMap<>();
		CAPABILITY_SETS.forEach((name) -> capabilities.put(name, mask));
		return capabilities;
	}

	static List<List<String>> pairs(String... keysAndValues) {
		List<List<String>> pairs = new ArrayList<>();
		for (int i = 0; i < keysAndValues.length; i += 2) {
			pairs.add(List.of(keysAndValues[i], keysAndValues[i + 1]));
		}
		return pairs;
	}

	static Map<String, Object> fileSystem(long device, long blocks, long inodes) {
		Map<String, Object> fileSystem = new LinkedHashMap<>();
		fileSystem.put("device", device);
		fileSystem.put("blockSize", 4096);
		fileSystem.put("blocks", blocks);
		fileSystem.put("inodes", inodes);
		return fileSystem;
	}

	static Map<String, Object> limits(String fileSize, String memory, String processCount, Object workspace) {
		Map<String, Object> limits = new LinkedHashMap<>();
		limits.put("fileSize", List.of("done", fileSize));
		limits.put("memory", List.of("done", memory));
		limits.put("processCount", List.of("done", processCount));
		limits.put("workspace", workspace);
		return limits;
	}

	/** Return a copy of a map with one member changed. */
	static Map<String, Object> with(Object map, String name, Object value) {
		Map<String, Object> changed = new LinkedHashMap<>();
		((Map<?, ?>) map).forEach((key, member) -> changed.put((String) key, member));
		changed.put(name, value);
		return changed;
	}

}
