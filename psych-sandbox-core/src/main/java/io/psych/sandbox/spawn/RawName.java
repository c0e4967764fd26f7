package io.psych.sandbox.spawn;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The name of a file as the bytes the kernel knows it by. A path's own text depends on
 * the locale of this JVM and loses what is not of its encoding; its URI does not.
 *
 * @since 0.1.0
 */
public final class RawName {

	/**
	 * No folder, so that nothing is looked up for a name below it: a path becomes a URI
	 * after a look whether it is a folder.
	 */
	private static final Path NOWHERE = Path.of("/dev/null");

	private static final int HEX = 16;

	private RawName() {
	}

	/**
	 * Return the bytes of a name.
	 * @param name one name, or more of them with slashes in between
	 * @return the bytes
	 */
	public static byte[] bytes(Path name) {
		String uri = NOWHERE.resolve(name.isAbsolute() ? name.getRoot().relativize(name) : name).toUri().getRawPath();
		String relative = uri.substring(NOWHERE.toString().length() + 1);
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(relative.length());
		for (int i = 0; i < relative.length(); i++) {
			char character = relative.charAt(i);
			if (character == '%') {
				bytes.write(Integer.parseInt(relative, i + 1, i + 3, HEX));
				i += 2;
			}
			else {
				bytes.write(character);
			}
		}
		return bytes.toByteArray();
	}

	/**
	 * Return the name whose bytes are a text in UTF-8.
	 * @param text the text, without a slash
	 * @return the name
	 */
	public static Path path(String text) {
		StringBuilder uri = new StringBuilder("file:///");
		for (byte value : text.getBytes(StandardCharsets.UTF_8)) {
			uri.append('%')
				.append(Character.forDigit((value >> 4) & 0xF, HEX))
				.append(Character.forDigit(value & 0xF, HEX));
		}
		return Path.of(URI.create(uri.toString())).getFileName();
	}

}
