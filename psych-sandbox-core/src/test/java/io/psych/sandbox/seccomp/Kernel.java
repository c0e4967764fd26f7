package io.psych.sandbox.seccomp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.psych.sandbox.bootstrap.BootstrapSources;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Makes system calls under a filter, in a real process for each group of calls, by
 * {@code attempts.py} and what installs the filter in a child.
 */
final class Kernel {

	private static final String PYTHON = System.getProperty("psych.python", "/usr/bin/python3");

	private static final int PATIENCE_SECONDS = 60;

	/**
	 * CAP_DAC_READ_SEARCH, CAP_NET_RAW, CAP_SYS_MODULE, CAP_SYS_PTRACE, CAP_SYS_PACCT,
	 * CAP_SYS_ADMIN, CAP_SYS_BOOT, CAP_SYS_TTY_CONFIG and CAP_SYSLOG (capabilities(7)).
	 */
	private static final int[] CAPABILITIES = { 2, 13, 16, 19, 20, 21, 22, 26, 34 };

	private final Path folder;

	Kernel(Path folder) throws IOException {
		this.folder = folder;
		BootstrapSources.copyTo(folder);
		Files.write(folder.resolve("attempts.py"), Kernel.class.getResourceAsStream("attempts.py").readAllBytes());
	}

	/** Return whether nothing stands between this JVM and its kernel but its user. */
	static boolean isBare() throws IOException {
		return status("Seccomp").equals("0");
	}

	/** Return whether this JVM may make every call that is attempted. */
	static boolean hasCapabilities() throws IOException {
		long effective = Long.parseUnsignedLong(status("CapEff"), 16);
		return IntStream.of(CAPABILITIES).allMatch((capability) -> (effective >>> capability & 1) == 1);
	}

	private static String status(String name) throws IOException {
		return Files.readAllLines(Path.of("/proc/self/status"))
			.stream()
			.filter((line) -> line.startsWith(name + ":"))
			.map((line) -> line.substring(name.length() + 1).strip())
			.findFirst()
			.orElse("none");
	}

	/**
	 * Make calls.
	 * @param filter what each group is under, or {@code null} for nothing
	 * @param groups calls, each a number and its arguments
	 * @return for each group what came of its calls: 0, the number of an error, or the
	 * number of a signal below zero
	 */
	List<List<Integer>> answers(@Nullable BpfProgram filter, List<List<List<Object>>> groups)
			throws IOException, InterruptedException {
		Map<String, @Nullable Object> order = new LinkedHashMap<>();
		order.put("filter", null);
		if (filter != null) {
			order.put("filter", Files.write(this.folder.resolve("filter"), filter.bytes()).toString());
		}
		order.put("groups", groups);
		Path input = Files.write(this.folder.resolve("order"), JsonValue.of(order).toUtf8());
		Path output = this.folder.resolve("answers");
		Process process = new ProcessBuilder(PYTHON, "-I", "-S", "-B", this.folder.resolve("attempts.py").toString(),
				this.folder.toString())
			.redirectInput(input.toFile())
			.redirectOutput(output.toFile())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
			process.destroyForcibly().waitFor();
			throw new IllegalStateException("the calls came to no end");
		}
		if (process.exitValue() != 0) {
			throw new IllegalStateException("the calls ended with " + process.exitValue());
		}
		List<List<Integer>> answers = new ArrayList<>();
		for (Object group : (List<?>) JsonValue.parse(Files.readAllBytes(output)).toJava()) {
			answers.add(((List<?>) group).stream().map((answer) -> ((Long) answer).intValue()).toList());
		}
		return answers;
	}

}
