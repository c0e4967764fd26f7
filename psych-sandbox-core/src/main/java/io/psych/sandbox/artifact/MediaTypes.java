package io.psych.sandbox.artifact;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/**
 * Media types of the files that programs commonly leave. A name alone is not believed:
 * the content must begin as one of that type does, so that nothing is handed on as an
 * image which is something else.
 */
final class MediaTypes {

	static final String UNKNOWN = "application/octet-stream";

	static final String TEXT = "text/plain";

	private static final String ZIP = "application/zip";

	/** How content begins, as Latin-1, by the type it tells. */
	private static final Map<String, String> BEGINNINGS = Map.of("\u0089PNG\r\n\u001a\n", "image/png",
			"\u00ff\u00d8\u00ff", "image/jpeg", "GIF8", "image/gif", "%PDF-", "application/pdf", "PK\u0003\u0004", ZIP,
			"PK\u0005\u0006", ZIP, "PAR1", "application/vnd.apache.parquet");

	/** Archives whose name tells what they hold. */
	private static final Map<String, String> ZIPPED = Map.of("xlsx",
			"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "docx",
			"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "pptx",
			"application/vnd.openxmlformats-officedocument.presentationml.presentation");

	private static final Map<String, String> TEXTS = Map.of("csv", "text/csv", "html", "text/html", "htm", "text/html",
			"json", "application/json", "svg", "image/svg+xml", "md", "text/markdown", "xml", "application/xml");

	private MediaTypes() {
	}

	/**
	 * Return the media type of a file.
	 * @param name its name
	 * @param head what it begins with
	 * @return the type; one that says nothing when it is none of those
	 */
	static String of(String name, byte[] head) {
		int dot = name.lastIndexOf('.');
		String extension = (dot < 0) ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
		String beginning = new String(head, 0, Math.min(head.length, 8), StandardCharsets.ISO_8859_1);
		for (Map.Entry<String, String> entry : BEGINNINGS.entrySet()) {
			if (beginning.startsWith(entry.getKey())) {
				return entry.getValue().equals(ZIP) ? ZIPPED.getOrDefault(extension, ZIP) : entry.getValue();
			}
		}
		return isText(head) ? TEXTS.getOrDefault(extension, TEXT) : UNKNOWN;
	}

	private static boolean isText(byte[] head) {
		CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
		CharBuffer text = CharBuffer.allocate(head.length);
		// What was cut off within its last character is not wrong: told as underflow.
		CoderResult result = decoder.decode(ByteBuffer.wrap(head), text, false);
		return !result.isError() && text.flip().chars().noneMatch(MediaTypes::isBinary);
	}

	private static boolean isBinary(int character) {
		return character < ' ' && "\t\n\r\f\u001b".indexOf(character) < 0;
	}

}
