package io.psych.sandbox.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The host's side of {@code docs/protocol/transcripts}, which the child's tests replay as
 * well: what the child sent is read field by field, what the host sent is written.
 */
class TranscriptsTests {

	private static final Path FOLDER = Path.of(System.getProperty("basedir", "."), "../docs/protocol/transcripts");

	@Test
	void transcriptsShowEveryKindOfFrame() throws IOException {
		List<String> kinds = new ArrayList<>();
		try (Stream<Path> transcripts = transcripts()) {
			for (Path transcript : transcripts.toList()) {
				lines(transcript).forEach((line) -> kinds.add(line.member("frame").string("type")));
			}
		}
		assertThat(kinds).contains("ready", "call", "done", "run", "abort", "reply");
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("names")
	void whatTheChildSentIsReadFieldByField(String name) throws Exception {
		List<JsonValue> frames = framesFrom("child", name);
		StringBuilder sent = new StringBuilder();
		frames.forEach((frame) -> sent.append(frame.toJson()).append('\n'));
		FrameReader reader = new FrameReader(
				new ChunkedChannel(sent.toString().getBytes(StandardCharsets.UTF_8), () -> 1_000),
				new FrameBounds(Events.MOST_BYTES, Events.MOST_VALUES), frames.size(), 0);
		for (JsonValue frame : frames) {
			assertThat(ChildFrames.json(reader.next())).isEqualTo(frame);
		}
		assertThat(reader.next()).isNull();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("names")
	void whatTheHostSentIsWritten(String name) throws IOException {
		ByteArrayOutputStream written = new ByteArrayOutputStream();
		FrameWriter writer = new FrameWriter(Channels.newChannel(written));
		List<JsonValue> frames = framesFrom("host", name);
		for (JsonValue frame : frames) {
			write(frame, writer);
		}
		assertThat(written.toString(StandardCharsets.UTF_8).lines().map(JsonValue::parse))
			.containsExactlyElementsOf(frames);
	}

	static Stream<String> names() throws IOException {
		try (Stream<Path> transcripts = transcripts()) {
			return transcripts.map((file) -> file.getFileName().toString()).toList().stream();
		}
	}

	private static void write(JsonValue frame, FrameWriter writer) throws IOException {
		JsonValue failure = frame.member("failure");
		switch (frame.string("type")) {
			case "run" -> writer.run(frame.string("program"), frame.strings("tools"), limits(frame.member("limits")));
			case "abort" -> writer.abort();
			default -> {
				JsonValue handle = frame.member("handle");
				if (failure != null) {
					writer.reply(frame.integer("id"), failure.string("kind"), failure.string("message"));
				}
				else if (handle != null) {
					writer.reply(frame.integer("id"), handle.string("id"), handle.integer("bytes"),
							handle.string("format"));
				}
				else {
					writer.reply(frame.integer("id"), frame.member("value"));
				}
			}
		}
	}

	private static Limits limits(JsonValue numbers) {
		Limits rest = Limits.defaults();
		return new Limits(Duration.ofSeconds(numbers.integer("cpu")), rest.wallTime(), rest.toolTimeout(),
				ByteSize.ofBytes(numbers.integer("addressSpace")), ByteSize.ofBytes(numbers.integer("fileSize")),
				rest.workspace(), numbers.integer("processes").intValue(), rest.stream(),
				ByteSize.ofBytes(numbers.integer("value")), rest.program());
	}

	private static List<JsonValue> framesFrom(String side, String name) throws IOException {
		return lines(FOLDER.resolve(name)).stream()
			.filter((line) -> side.equals(line.string("from")))
			.map((line) -> line.member("frame"))
			.toList();
	}

	private static List<JsonValue> lines(Path transcript) throws IOException {
		return Files.readString(transcript).lines().map(JsonValue::parse).toList();
	}

	private static Stream<Path> transcripts() throws IOException {
		return Files.list(FOLDER).filter((file) -> file.toString().endsWith(".ndjson")).sorted();
	}

}
