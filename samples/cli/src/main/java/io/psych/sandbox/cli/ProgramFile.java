package io.psych.sandbox.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The text of a program, from a file or from standard input.
 */
final class ProgramFile {

	private static final String STANDARD_INPUT = "-";

	private ProgramFile() {
	}

	/**
	 * Read a program.
	 * @param file the file, or {@code -} for standard input
	 * @param in standard input
	 * @return the text
	 * @throws IOException if it can't be read or is not UTF-8; the message is for the
	 * person who named the file
	 */
	static String read(String file, InputStream in) throws IOException {
		byte[] bytes = STANDARD_INPUT.equals(file) ? in.readAllBytes() : readFile(Path.of(file));
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new IOException(file + " is not UTF-8. Save the program in that encoding.", ex);
		}
	}

	private static byte[] readFile(Path file) throws IOException {
		try {
			return Files.readAllBytes(file);
		}
		catch (NoSuchFileException ex) {
			throw new IOException(file + " does not exist. Name a file, or - for standard input.", ex);
		}
		catch (IOException ex) {
			throw new IOException(file + " can't be read: " + ex.getMessage(), ex);
		}
	}

}
