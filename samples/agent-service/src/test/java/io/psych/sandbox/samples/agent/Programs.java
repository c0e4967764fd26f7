package io.psych.sandbox.samples.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The programs that the page and the demo offer.
 */
final class Programs {

	private Programs() {
	}

	static String orders() {
		try (InputStream program = Programs.class.getResourceAsStream("/static/programs/orders.py")) {
			return new String(program.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
