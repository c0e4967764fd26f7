package io.psych.sandbox.backend;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What a child observed of its own confinement before there was a program. An attempt is
 * told by the name of its error, such as {@code ECONNREFUSED}, or by {@value #DONE} when
 * it succeeded; what is missing was not observed.
 *
 * @param namespaces the namespaces it is in, by the kernel's names
 * @param ids real, effective, saved and file-system user and group ids
 * @param groups supplementary groups
 * @param capabilities its capability sets, by the kernel's names, as hexadecimal masks
 * @param noNewPrivileges whether no program it starts can gain privileges
 * @param setuid the attempt to become root
 * @param canary the attempt to read the canary
 * @param hostEnviron the attempt to read this JVM's environment
 * @param hostSignal the attempt to reach this JVM with a signal
 * @param listeners the attempts to reach the host's listeners, by address
 * @param routes the attempts to find a route out, by family
 * @param environment the names of its environment variables
 * @param fileSize the attempts to write a file without and with a limit
 * @param memory the attempts to allocate without and with a limit
 * @param processCount the attempts to start a process without and with a limit
 * @param workspace the file system it works in
 * @param confined what the child did to itself, where no launcher did
 * @param kernel the attempts to make calls that the filter refuses
 * @param landlock the version of Landlock that restricts it, zero for none
 * @param before what was attempted before it restricted itself
 * @since 0.1.0
 */
public record Observation(Map<String, String> namespaces, List<Long> ids, List<Long> groups,
		Map<String, String> capabilities, boolean noNewPrivileges, String setuid, String canary, String hostEnviron,
		String hostSignal, Map<String, String> listeners, Map<String, String> routes, List<String> environment,
		Attempts fileSize, Attempts memory, Attempts processCount, FileSystem workspace, List<String> confined,
		Map<String, String> kernel, long landlock, Before before) {

	/** An attempt that succeeded. */
	public static final String DONE = "done";

	/** What was not attempted. */
	private static final String NOTHING = "not attempted";

	/**
	 * Attempts of a child before it restricted itself, the controls of the same attempts
	 * after.
	 *
	 * @param canary the attempt to read the canary
	 * @param listeners the attempts to reach the host's listeners, by address
	 * @param routes the attempts to find a route out, by family
	 * @param kernel the attempts to make calls that the filter refuses
	 */
	public record Before(String canary, Map<String, String> listeners, Map<String, String> routes,
			Map<String, String> kernel) {

	}

	/**
	 * An attempt made twice.
	 *
	 * @param without what came of it without a limit, the control
	 * @param with what came of it with a limit
	 */
	public record Attempts(String without, String with) {

	}

	/**
	 * A file system as the kernel tells of it; zero is what was not told.
	 *
	 * @param device its number, another one for each of those mounted at a time
	 * @param blockSize the bytes of a block
	 * @param blocks how many blocks all files may have together, zero for no bound
	 * @param inodes how many files there may be, zero for no bound
	 */
	public record FileSystem(long device, long blockSize, long blocks, long inodes) {

	}

	/**
	 * Rebuild an observation from a child's report.
	 * @param report the report of a ready frame
	 * @return the observation
	 */
	public static Observation of(JsonValue report) {
		JsonValue limits = member(report, "limits");
		JsonValue before = member(report, "before");
		return new Observation(texts(member(report, "namespaces")), numbers(report, "ids"), numbers(report, "groups"),
				texts(member(report, "capabilities")), Boolean.TRUE.equals(report.members().get("noNewPrivileges")),
				text(report, "setuid"), text(report, "canary"), text(report, "hostEnviron"), text(report, "hostSignal"),
				pairs(report, "listeners"), pairs(report, "routes"), strings(report, "environment"),
				attempts(limits, "fileSize"), attempts(limits, "memory"), attempts(limits, "processCount"),
				fileSystem(member(limits, "workspace")), strings(report, "confined"), texts(member(report, "kernel")),
				number(member(report, "restricted"), "landlock"), new Before(text(before, "canary"),
						pairs(before, "listeners"), pairs(before, "routes"), texts(member(before, "kernel"))));
	}

	private static JsonValue member(JsonValue object, String name) {
		JsonValue member = object.member(name);
		return (member != null) ? member : JsonValue.NULL;
	}

	private static String text(JsonValue object, String name) {
		String text = object.string(name);
		return (text != null) ? text : NOTHING;
	}

	private static long number(JsonValue object, String name) {
		Long number = object.integer(name);
		return (number != null) ? number : 0;
	}

	private static List<String> strings(JsonValue object, String name) {
		List<String> strings = object.strings(name);
		return (strings != null) ? List.copyOf(strings) : List.of();
	}

	private static List<Long> numbers(JsonValue object, String name) {
		List<Long> numbers = new ArrayList<>();
		if (object.members().get(name) instanceof List<?> list) {
			for (Object element : list) {
				// What is no number can't be trusted to be nobody's: it counts as root's.
				numbers.add((element instanceof Long number) ? number : 0L);
			}
		}
		return List.copyOf(numbers);
	}

	private static Map<String, String> texts(JsonValue object) {
		Map<String, String> texts = new LinkedHashMap<>();
		for (Map.Entry<String, @Nullable Object> member : object.members().entrySet()) {
			if (member.getValue() instanceof String text) {
				texts.put(member.getKey(), text);
			}
		}
		return Map.copyOf(texts);
	}

	private static Map<String, String> pairs(JsonValue object, String name) {
		Map<String, String> pairs = new LinkedHashMap<>();
		if (object.members().get(name) instanceof List<?> list) {
			for (Object element : list) {
				if (element instanceof List<?> pair && pair.size() == 2 && pair.get(0) instanceof String key
						&& pair.get(1) instanceof String value) {
					pairs.put(key, value);
				}
			}
		}
		return pairs;
	}

	private static FileSystem fileSystem(JsonValue object) {
		return new FileSystem(number(object, "device"), number(object, "blockSize"), number(object, "blocks"),
				number(object, "inodes"));
	}

	private static Attempts attempts(JsonValue object, String name) {
		List<String> pair = strings(object, name);
		return (pair.size() == 2) ? new Attempts(pair.get(0), pair.get(1)) : new Attempts(NOTHING, NOTHING);
	}

}
