package io.psych.sandbox.wire;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a hostile child sends, a file each. Its head tells what must come of it: {@code
 * # expect:} the frames and the ending, {@code # bytes:} the longest line.
 */
class HostileFramesTests {

	@Test
	void corpusIsThere() throws Exception {
		assertThat(corpus()).hasSizeGreaterThan(90);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("corpus")
	void hostileFramesComeToWhatTheirHeadSays(Case hostile) {
		assertThat(Events.of(new ChunkedChannel(hostile.frames(), () -> Integer.MAX_VALUE), hostile.mostBytes()))
			.isEqualTo(hostile.expected());
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("corpus")
	void hostileFramesComeToTheSameByteByByteAndInAnyChunks(Case hostile) {
		assertThat(Events.of(new ChunkedChannel(hostile.frames(), () -> 1), hostile.mostBytes()))
			.isEqualTo(hostile.expected());
		Random random = new Random(hostile.name().hashCode());
		for (int i = 0; i < 20; i++) {
			assertThat(
					Events.of(new ChunkedChannel(hostile.frames(), () -> 1 + random.nextInt(100)), hostile.mostBytes()))
				.isEqualTo(hostile.expected());
		}
	}

	static Stream<Case> corpus() throws IOException, URISyntaxException {
		Path folder = Path.of(HostileFramesTests.class.getResource("corpus/conversation.ndjson").toURI()).getParent();
		try (Stream<Path> files = Files.list(folder)) {
			List<Path> sorted = files.filter((file) -> file.toString().endsWith(".ndjson")).sorted().toList();
			return sorted.stream().map(Case::read);
		}
	}

	/**
	 * One file of the corpus.
	 */
	record Case(String name, List<String> expected, int mostBytes, byte[] frames) {

		static Case read(Path file) {
			try {
				byte[] bytes = Files.readAllBytes(file);
				List<String> expected = List.of();
				int mostBytes = Events.MOST_BYTES;
				int start = 0;
				while (start < bytes.length && bytes[start] == '#') {
					int end = start;
					while (bytes[end] != '\n') {
						end++;
					}
					String[] head = new String(bytes, start, end - start, StandardCharsets.UTF_8).split(": ", 2);
					switch (head[0]) {
						case "# expect" -> expected = Arrays.asList(head[1].split(" \\| "));
						case "# bytes" -> mostBytes = Integer.parseInt(head[1]);
						default -> throw new IllegalArgumentException(file + " has an unknown head: " + head[0]);
					}
					start = end + 1;
				}
				return new Case(file.getFileName().toString(), expected, mostBytes,
						Arrays.copyOfRange(bytes, start, bytes.length));
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
