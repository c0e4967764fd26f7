package io.psych.sandbox;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;

/**
 * A host that may do more or less than the one the suite runs on. It runs one program on
 * the backend {@code process} and writes the result to its stdout.
 */
public final class ProcessHostMain {

	private static final Limits LIMITS = new Limits(Duration.ofSeconds(10), Duration.ofSeconds(30),
			Duration.ofSeconds(5), ByteSize.ofMebibytes(512), ByteSize.ofMebibytes(1), ByteSize.ofMebibytes(4), 64,
			ByteSize.ofKibibytes(64), ByteSize.ofKibibytes(64), ByteSize.ofKibibytes(64));

	private ProcessHostMain() {
	}

	public static void main(String[] arguments) throws IOException {
		try (Sandbox sandbox = Sandbox.builder()
			.backend("process")
			.allowSameUser(true)
			.limits(LIMITS)
			.folder(Path.of(arguments[0]))
			.build(); FileOutputStream output = new FileOutputStream(FileDescriptor.out)) {
			RunResult result = sandbox.run(RunRequest.of(Files.readString(Path.of(arguments[1]))));
			output.write((result.toJson().toJson() + "\n").getBytes(StandardCharsets.UTF_8));
		}
	}

}
