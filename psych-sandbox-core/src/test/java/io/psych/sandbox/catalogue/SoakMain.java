package io.psych.sandbox.catalogue;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A host of its own that executes many programs and says what it then has more than
 * before.
 */
public final class SoakMain {

	/** Half of them leave a process behind. */
	private static final String PROGRAM = """
			import os, subprocess, time
			subprocess.run(["/bin/true"])
			with open("file", "w") as file:
			    file.write("x")
			if os.urandom(1)[0] % 2 and os.fork() == 0:
			    os.setsid()
			    time.sleep(600)
			""";

	private SoakMain() {
	}

	/**
	 * Run it.
	 * @param arguments a backend, a folder for the sandbox, the users to run as, how many
	 * executions in sequence and how many at once
	 * @throws IOException if what came of it can't be said
	 * @throws InterruptedException if it was interrupted
	 */
	public static void main(String[] arguments) throws IOException, InterruptedException {
		Path folder = Path.of(arguments[1]);
		Soak soak = new Soak(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
		Map<String, @Nullable Object> facts = new LinkedHashMap<>();
		facts.put("pid", ProcessHandle.current().pid());
		try (Sandbox sandbox = Sandbox.builder().backend(arguments[0]).folder(folder).runAs(arguments[2]).build()) {
			// What the first executions load stays.
			new Soak(3, 3).failuresAtOnce(sandbox, PROGRAM);
			JvmBaseline baseline = JvmBaseline.of(folder);
			facts.put("failures", soak.failuresInSequence(() -> sandbox.run(RunRequest.of(PROGRAM)))
					+ soak.failuresAtOnce(sandbox, PROGRAM));
			facts.put("problems", baseline.problems(folder));
		}
		facts.put("zombies", Processes.zombiesThatStay());
		try (Stream<Path> left = Files.list(folder)) {
			facts.put("left", left.map(Path::toString).toList());
		}
		try (FileOutputStream output = new FileOutputStream(FileDescriptor.out)) {
			output.write((JsonValue.of(facts).toJson() + "\n").getBytes(StandardCharsets.UTF_8));
		}
	}

}
