package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Interpreters that bubblewrap's view can't show without showing more.
 */
class BubblewrapViewTests {

	/** Answers as the real one, but with another prefix. */
	private static final String INTERPRETER = """
			#!/bin/sh
			case "$*" in
			*/psych_bundle.py*) /usr/bin/python3 "$@" | sed -e 's|"prefix":"[^"]*"|"prefix":"PREFIX"|' ;;
			*) exec /usr/bin/python3 "$@" ;;
			esac
			""";

	private Path folder;

	@BeforeEach
	void makeFolder() throws IOException {
		this.folder = Files.createTempDirectory(Path.of("/tmp"), "view-");
		Files.setPosixFilePermissions(this.folder, PosixFilePermissions.fromString("rwxr-xr-x"));
	}

	@AfterEach
	void removeFolder() throws IOException {
		Files.delete(this.folder.resolve("python3"));
		Files.delete(this.folder);
	}

	@Test
	void interpreterBelowTmpIsRefusedWithTheReason() throws IOException {
		assertRefused(this.folder.toString(),
				"the folder " + this.folder + " of the interpreter or its packages is below /tmp");
	}

	@Test
	void interpreterWhosePrefixIsTheRootIsRefusedWithTheReason() throws IOException {
		assertRefused("/", "a folder of the interpreter or its packages is the root folder");
	}

	private void assertRefused(String prefix, String reason) throws IOException {
		Path interpreter = Files.writeString(this.folder.resolve("python3"), INTERPRETER.replace("PREFIX", prefix));
		Files.setPosixFilePermissions(interpreter, PosixFilePermissions.fromString("rwxr-xr-x"));
		SandboxBuilder builder = Sandbox.builder().backend("bubblewrap").folder(this.folder).interpreter(interpreter);
		assertThatExceptionOfType(NoUsableBackendException.class).isThrownBy(builder::build)
			.withMessageContaining(reason);
	}

}
