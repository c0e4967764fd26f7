package io.psych.sandbox.output;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.psych.sandbox.contract.CapturedStream;
import io.psych.sandbox.limits.ByteSize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HeadAndTailTests {

	private static final Pattern MARKER = Pattern.compile("\n\\[\\.\\.\\. ([0-9,]+) bytes left out \\.\\.\\.]\n");

	@Test
	void streamOfNothingIsEmpty() {
		assertThat(preview(10, new HeadAndTail(ByteSize.ofBytes(10)))).isEqualTo(CapturedStream.EMPTY);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 9, 10, 1023, 1024, 1025, 5000 })
	void streamUpToTheCapIsWholeAndOneByteMoreIsCut(int cap) {
		String whole = "abcdefghij".repeat(cap / 10 + 1).substring(0, cap);
		assertThat(capture(cap, whole)).isEqualTo(new CapturedStream(whole, false, cap, 0));
		assertThat(capture(cap, whole.substring(1)))
			.isEqualTo(new CapturedStream(whole.substring(1), false, cap - 1, 0));
		CapturedStream cut = capture(cap, whole + "X");
		assertThat(cut.truncated()).isTrue();
		assertThat(cut.bytes()).isEqualTo(cap + 1);
		assertThat(cut.omittedBytes()).isEqualTo(1);
	}

	@Test
	void streamOverTheCapIsHeadMarkerAndTail() {
		assertThat(capture(10, "0123456789abcdefghij"))
			.isEqualTo(new CapturedStream("01234\n[... 10 bytes left out ...]\nfghij", true, 20, 10));
		assertThat(capture(5, "0123456789"))
			.isEqualTo(new CapturedStream("012\n[... 5 bytes left out ...]\n89", true, 10, 5));
		assertThat(capture(1, "0123456789"))
			.isEqualTo(new CapturedStream("0\n[... 9 bytes left out ...]\n", true, 10, 9));
	}

	@Test
	void markerGroupsTheDigitsOfItsNumber() {
		assertThat(capture(4, "x".repeat(1_234_571)).text()).isEqualTo("xx\n[... 1,234,567 bytes left out ...]\nxx");
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource({ "é, 2", "€, 3", "😀, 4" })
	void characterThatTheCapCutsIsLeftOutWhole(String character, int length) {
		String text = character.repeat(1_000);
		for (int cap = 1; cap < 60; cap++) {
			CapturedStream stream = capture(cap, text);
			String kept = MARKER.matcher(stream.text()).replaceFirst("");
			int headCharacters = (cap - cap / 2) / length;
			int tailCharacters = (cap / 2) / length;
			assertThat(kept).as("cap %d", cap).isEqualTo(character.repeat(headCharacters + tailCharacters));
			assertThat(stream.omittedBytes()).isEqualTo((1_000L - headCharacters - tailCharacters) * length);
		}
	}

	@Test
	void characterThatEndsAtTheCapIsKept() {
		assertThat(capture(8, "aé€😀😀€é").text()).startsWith("aé\n");
		assertThat(capture(12, "aé€😀😀😀€éa").text()).startsWith("aé€\n").endsWith("\n€éa");
	}

	@Test
	void bytesOfTheTextAndTheOmittedOnesAreAllBytes() {
		Random random = new Random(99);
		for (int i = 0; i < 3_000; i++) {
			String text = randomText(random, random.nextInt(200));
			int cap = 1 + random.nextInt(120);
			CapturedStream stream = capture(cap, text);
			int bytes = text.getBytes(StandardCharsets.UTF_8).length;
			assertThat(stream.bytes()).isEqualTo(bytes);
			Matcher marker = MARKER.matcher(stream.text());
			if (stream.truncated()) {
				assertThat(marker.find()).isTrue();
				assertThat(Long.parseLong(marker.group(1).replace(",", ""))).isEqualTo(stream.omittedBytes())
					.isPositive();
			}
			String kept = marker.replaceFirst("");
			int keptBytes = kept.getBytes(StandardCharsets.UTF_8).length;
			assertThat(keptBytes + stream.omittedBytes()).isEqualTo(bytes);
			assertThat(keptBytes).isLessThanOrEqualTo(cap);
			assertThat(kept).doesNotContain("\uFFFD");
			assertThat(stream.truncated()).isEqualTo(bytes > cap);
		}
	}

	@Test
	void anyChunksComeToTheSameAsOne() {
		Random random = new Random(100);
		for (int i = 0; i < 3_000; i++) {
			byte[] bytes = randomBytes(random);
			int cap = 1 + random.nextInt(100);
			HeadAndTail chunked = new HeadAndTail(ByteSize.ofBytes(cap));
			byte[] buffer = new byte[300];
			for (int from = 0; from < bytes.length;) {
				int length = Math.min(random.nextInt(40), bytes.length - from);
				System.arraycopy(bytes, from, buffer, 0, length);
				chunked.add(buffer, length);
				from += length;
			}
			assertThat(preview(cap, chunked)).isEqualTo(capture(cap, bytes));
			assertThat(preview(cap, chunked)).isEqualTo(preview(cap, chunked));
		}
	}

	@Test
	void bytesThatAreNoUtf8AreReplacedAndCounted() {
		assertThat(capture(10, new byte[] { 'a', (byte) 0xFF, 'b' }))
			.isEqualTo(new CapturedStream("a\uFFFDb", false, 3, 0));
		byte[] continuations = new byte[100];
		Arrays.fill(continuations, (byte) 0x80);
		CapturedStream stream = capture(10, continuations);
		assertThat(stream.bytes()).isEqualTo(100);
		assertThat(stream.omittedBytes()).isBetween(90L, 98L);
		assertThat(stream.text()).contains("bytes left out").contains("\uFFFD");
	}

	@Test
	void streamMayBeAskedForInBetween() {
		HeadAndTail kept = new HeadAndTail(ByteSize.ofBytes(4));
		kept.add("ab".getBytes(StandardCharsets.US_ASCII), 2);
		assertThat(preview(4, kept).text()).isEqualTo("ab");
		kept.add("cdefgh".getBytes(StandardCharsets.US_ASCII), 6);
		assertThat(preview(4, kept).text()).isEqualTo("ab\n[... 4 bytes left out ...]\ngh");
		kept.add("i".getBytes(StandardCharsets.US_ASCII), 1);
		assertThat(preview(4, kept)).isEqualTo(new CapturedStream("ab\n[... 5 bytes left out ...]\nhi", true, 9, 5));
	}

	private static CapturedStream capture(int cap, String text) {
		return capture(cap, text.getBytes(StandardCharsets.UTF_8));
	}

	private static CapturedStream capture(int cap, byte[] bytes) {
		HeadAndTail kept = new HeadAndTail(ByteSize.ofBytes(cap));
		kept.add(bytes, bytes.length);
		return preview(cap, kept);
	}

	private static CapturedStream preview(int cap, HeadAndTail kept) {
		return kept.captured().preview(ByteSize.ofBytes(cap));
	}

	@Test
	void previewIsTheSameHoweverMuchMoreIsKept() {
		Random random = new Random(101);
		for (int i = 0; i < 3_000; i++) {
			byte[] bytes = randomText(random, random.nextInt(200)).getBytes(StandardCharsets.UTF_8);
			int shown = 1 + random.nextInt(60);
			HeadAndTail more = new HeadAndTail(ByteSize.ofBytes(shown + random.nextInt(120)));
			more.add(bytes, bytes.length);
			assertThat(preview(shown, more)).as("%d of %d", shown, bytes.length).isEqualTo(capture(shown, bytes));
		}
	}

	@Test
	void contentIsAllThatWasWrittenOrHeadMarkerAndTail() {
		byte[] bytes = { 'a', (byte) 0xFF, '\r', 27, '[', '3', '1', 'm', 'b' };
		HeadAndTail all = new HeadAndTail(ByteSize.ofBytes(9));
		all.add(bytes, 9);
		assertThat(all.captured().isWhole()).isTrue();
		assertThat(all.captured().content()).isEqualTo(bytes);
		HeadAndTail less = new HeadAndTail(ByteSize.ofBytes(8));
		less.add(bytes, 9);
		assertThat(less.captured().isWhole()).isFalse();
		assertThat(less.captured().bytes()).isEqualTo(9);
		assertThat(less.captured().content()).startsWith('a', 0xFF, '\r', 27)
			.endsWith('3', '1', 'm', 'b')
			.containsSubsequence("[... 1 bytes left out ...]".getBytes(StandardCharsets.US_ASCII));
	}

	private static String randomText(Random random, int characters) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < characters; i++) {
			text.append(new String[] { "a", "é", "€", "😀", "\n" }[random.nextInt(5)]);
		}
		return text.toString();
	}

	private static byte[] randomBytes(Random random) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		for (int i = random.nextInt(30); i > 0; i--) {
			if (random.nextInt(4) == 0) {
				bytes.write(random.nextInt(256));
			}
			else {
				bytes.writeBytes(randomText(random, random.nextInt(8)).getBytes(StandardCharsets.UTF_8));
			}
		}
		return bytes.toByteArray();
	}

}
