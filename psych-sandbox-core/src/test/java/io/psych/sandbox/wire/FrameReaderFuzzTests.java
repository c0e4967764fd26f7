package io.psych.sandbox.wire;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The corpus of hostile frames, and the inputs that the fuzzer came upon and that were
 * kept, once through the fuzzer's target.
 */
class FrameReaderFuzzTests {

	@ParameterizedTest(name = "{0}")
	@MethodSource("io.psych.sandbox.wire.HostileFramesTests#corpus")
	void whatMustHoldHoldsOfHostileFrames(HostileFramesTests.Case hostile) throws IOException {
		FrameReaderFuzz.fuzzerTestOneInput(hostile.frames());
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("kept")
	void whatMustHoldHoldsOfWhatTheFuzzerCameUpon(Path input) throws IOException {
		FrameReaderFuzz.fuzzerTestOneInput(Files.readAllBytes(input));
	}

	@Test
	void keptInputsAreThere() throws Exception {
		assertThat(kept()).hasSizeGreaterThan(10);
	}

	static List<Path> kept() throws IOException, URISyntaxException {
		Path folder = Path.of(FrameReaderFuzzTests.class.getResource("fuzz/blank-lines-then-noise").toURI());
		try (Stream<Path> files = Files.list(folder.getParent())) {
			return files.filter((file) -> !file.getFileName().toString().startsWith(".")).sorted().toList();
		}
	}

}
