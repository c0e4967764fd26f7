package io.psych.sandbox.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FrameReaderTests {

	private static final String READY = "{\"type\":\"ready\",\"protocol\":1,\"report\":{}}\n";

	private static final String DONE = "{\"type\":\"done\",\"value\":1,\"failure\":null,\"notes\":[]}\n";

	@Test
	void nextReturnsEachFrameAsItsRecord() throws Exception {
		FrameReader reader = reader("""
				{"type":"ready","protocol":1,"report":{"ids":[1000]}}
				{"type":"call","id":0,"name":"orders.list","arguments":{"since":"today"}}
				{"type":"done","value":{"sum":3},"failure":null,"notes":["A note."]}
				""");
		assertThat(reader.next()).isEqualTo(new Frame.Ready(1, JsonValue.parse("{\"ids\":[1000]}")));
		assertThat(reader.next()).isEqualTo(new Frame.Call(0, "orders.list", JsonValue.parse("{\"since\":\"today\"}")));
		assertThat(reader.next()).isEqualTo(new Frame.Done(JsonValue.parse("{\"sum\":3}"), null, List.of("A note.")));
		assertThat(reader.next()).isNull();
		assertThat(reader.next()).isNull();
	}

	@Test
	void textsOfAFailureAreKeptUpToTheirBoundAndCutThere() throws Exception {
		String longest = "n".repeat(64 * 1024);
		for (String sent : List.of(longest, longest + "!")) {
			Frame.Done done = (Frame.Done) reader(
					"{\"type\":\"done\",\"value\":1,\"notes\":[],\"failure\":{\"kind\":\"program_exception\",\"message\":\""
							+ sent + "\",\"traceback\":\"" + sent + "\"}}\n")
				.next();
			assertThat(done.failure().message()).isEqualTo(longest);
			assertThat(done.failure().traceback()).isEqualTo(longest);
		}
	}

	@Test
	void textOfAFailureIsNotCutWithinACharacter() throws Exception {
		String half = "n".repeat(64 * 1024 - 1);
		Frame.Done done = (Frame.Done) reader(
				"{\"type\":\"done\",\"value\":1,\"notes\":[],\"failure\":{\"kind\":\"worker_exit\",\"message\":\""
						+ half + "\ud83d\ude00\"}}\n")
			.next();
		assertThat(done.failure().message()).isEqualTo(half);
	}

	@Test
	void asManyNotesAsThereIsRoomForAreKeptAndOneMoreIsCounted() throws Exception {
		assertThat(notes(Collections.nCopies(100, "note"))).hasSize(100).containsOnly("note");
		assertThat(notes(Collections.nCopies(101, "note"))).hasSize(100)
			.startsWith("note")
			.endsWith("2 of the notes were left out: there is room for 100 of 16384 characters together.");
	}

	@Test
	void asManyCharactersOfNotesAsThereIsRoomForAreKeptAndOneMoreIsCounted() throws Exception {
		String half = "n".repeat(8 * 1024);
		assertThat(notes(List.of(half, half))).containsExactly(half, half);
		List<String> kept = notes(List.of(half, "short", half + "n", "shorter"));
		assertThat(kept).containsExactly(half, "short", "shorter",
				"1 of the notes were left out: there is room for 100 of 16384 characters together.");
		assertThat(notes(kept)).isEqualTo(kept);
	}

	@Test
	void frameOfAsManyValuesAsMayBeIsReadAndOneMoreIsRefused() throws Exception {
		// Counted beside these: the list, the frame, its type, failure and notes.
		String fitting = "[" + "[],".repeat(994) + "0]";
		FrameReader reader = new FrameReader(channel(done(fitting, "[]")), new FrameBounds(10_000, 1_000), 1, 0);
		assertThat(reader.next()).isEqualTo(new Frame.Done(JsonValue.parse(fitting), null, List.of()));
		FrameReader over = new FrameReader(channel(done(fitting, "[\"n\"]")), new FrameBounds(10_000, 1_000), 1, 0);
		assertThatExceptionOfType(ProtocolViolationException.class).isThrownBy(over::next)
			.withMessage("a line that is not JSON within the bounds");
	}

	@ParameterizedTest
	@ValueSource(longs = { 10, 64 * 1024, 4 * 1024 * 1024 })
	void valueOfAsManyValuesAsItsBytesCanHoldIsWithinTheBoundsOfItsLimits(long bytes) throws Exception {
		FrameBounds bounds = FrameBounds.of(Limits.defaults().withValue(ByteSize.ofBytes(bytes)));
		String most = "[" + "0,".repeat((int) bytes / 2 - 1) + "0]";
		FrameReader reader = new FrameReader(channel(done(most, "[\"A note.\"]")), bounds, 1, 0);
		assertThat(((Frame.Done) reader.next()).value().toJava()).asInstanceOf(InstanceOfAssertFactories.LIST)
			.hasSize((int) bytes / 2);
	}

	@Test
	void argumentsOfAsManyValuesAsTheChildSendsAreWithinTheBoundsOfAnyLimits() throws Exception {
		FrameBounds bounds = FrameBounds.of(Limits.defaults().withValue(ByteSize.ofBytes(1)));
		String arguments = "{\"rows\":[" + "0,".repeat(250_000 - 3) + "0]}";
		FrameReader reader = new FrameReader(
				channel("{\"type\":\"call\",\"id\":0,\"name\":\"t\",\"arguments\":" + arguments + "}\n"), bounds, 1, 0);
		assertThat(((Frame.Call) reader.next()).arguments().utf8Length()).isEqualTo(arguments.length());
	}

	@Test
	void frameOfALargeReportIsWithinTheBoundsOfTheHandshakeAndOneByteMoreIsRefused() throws Exception {
		String head = "{\"type\":\"ready\",\"protocol\":1,\"report\":{\"a\":\"";
		String fitting = head + "a".repeat(256 * 1024 - head.length() - 3) + "\"}}\n";
		assertThat(new FrameReader(channel(fitting), FrameBounds.HANDSHAKE, 1, 0).next())
			.isInstanceOf(Frame.Ready.class);
		FrameReader over = new FrameReader(channel(head + "b" + fitting.substring(head.length())),
				FrameBounds.HANDSHAKE, 1, 0);
		assertThatExceptionOfType(ProtocolViolationException.class).isThrownBy(over::next)
			.withMessage("a line of more than 262144 bytes");
	}

	@Test
	void otherBoundsHoldFromTheNextFrameOn() throws Exception {
		FrameReader reader = new FrameReader(channel(READY + done("\"" + "a".repeat(100) + "\"", "[]")), bytes(60), 2,
				0);
		assertThat(reader.next()).isInstanceOf(Frame.Ready.class);
		reader.within(bytes(200));
		assertThat(reader.next()).isInstanceOf(Frame.Done.class);
	}

	@Test
	void hasMoreTellsWhetherAnythingFollowsTheFrameThatWasRead() throws Exception {
		for (String rest : List.of("", "\n", "{", DONE)) {
			FrameReader buffered = reader(DONE + rest);
			assertThat(buffered.next()).isInstanceOf(Frame.Done.class);
			assertThat(buffered.hasMore()).as(rest).isEqualTo(!rest.isEmpty());
			ChunkedChannel arriving = new ChunkedChannel((DONE + rest).getBytes(StandardCharsets.UTF_8), DONE::length);
			FrameReader later = new FrameReader(arriving, bytes(1_000), 9, 9);
			assertThat(later.next()).isInstanceOf(Frame.Done.class);
			assertThat(later.hasMore()).as(rest).isEqualTo(!rest.isEmpty());
			assertThat(Events.of(later)).isEqualTo(rest.equals(DONE) ? List.of("done 1", "end") : List.of("end"));
		}
	}

	@Test
	void lineOfAWholeFrameIsReadAndOneByteMoreIsRefused() throws Exception {
		int most = (int) Limits.FRAME.bytes();
		String head = "{\"type\":\"call\",\"id\":0,\"name\":\"t\",\"arguments\":{\"a\":\"";
		String fitting = head + "a".repeat(most - head.length() - 3) + "\"}}\n";
		FrameReader reader = new FrameReader(channel(fitting), bytes(most), 1, 0);
		assertThat(((Frame.Call) reader.next()).arguments().string("a")).hasSize(most - head.length() - 3);
		FrameReader over = new FrameReader(channel(head + "b" + fitting.substring(head.length())), bytes(most), 1, 0);
		assertThatExceptionOfType(ProtocolViolationException.class).isThrownBy(over::next)
			.withMessage("a line of more than 16777216 bytes");
	}

	@Test
	void endlessLineIsRefusedAtTheBoundBeforeMoreIsHeld() {
		int most = 1 << 20;
		ChunkedChannel endless = new ChunkedChannel(new byte[8 << 20], () -> Integer.MAX_VALUE);
		FrameReader reader = new FrameReader(endless, bytes(most), 1, 0);
		assertThatExceptionOfType(ProtocolViolationException.class).isThrownBy(reader::next)
			.withMessage("a line of more than 1048576 bytes");
		assertThat(endless.taken()).isEqualTo(most + 1);
		assertThat(endless.largestBuffer()).isEqualTo(most + 1);
	}

	@Test
	void endlessLineBehindOtherFramesIsRefusedAtTheBoundAsWell() throws Exception {
		int most = 1 << 20;
		ByteArrayOutputStream sent = new ByteArrayOutputStream();
		for (int i = 0; i < 1_000; i++) {
			sent.writeBytes(READY.getBytes(StandardCharsets.UTF_8));
		}
		int frames = sent.size();
		sent.writeBytes(new byte[4 << 20]);
		ChunkedChannel channel = new ChunkedChannel(sent.toByteArray(), () -> 5_000);
		FrameReader reader = new FrameReader(channel, bytes(most), 1_000, 0);
		for (int i = 0; i < 1_000; i++) {
			assertThat(reader.next()).isInstanceOf(Frame.Ready.class);
		}
		assertThatExceptionOfType(ProtocolViolationException.class).isThrownBy(reader::next);
		assertThat(channel.taken() - frames).isEqualTo(most + 1);
		assertThat(channel.largestBuffer()).isEqualTo(most + 1);
	}

	@Test
	void smallFramesAreReadWithoutEverGrowingTheBuffer() {
		ChunkedChannel channel = new ChunkedChannel(READY.repeat(5_000).getBytes(StandardCharsets.UTF_8), () -> 3_000);
		assertThat(Events.of(new FrameReader(channel, bytes(1 << 20), 5_000, 0))).hasSize(5_001);
		assertThat(channel.largestBuffer()).isEqualTo(8 * 1024);
	}

	@Test
	void asManyFramesAsMayAreReadAndOneMoreIsRefused() {
		assertThat(Events.of(new FrameReader(channel(READY + DONE + READY), bytes(1_000), 3, 0)))
			.containsExactly("ready", "done 1", "ready", "end");
		assertThat(Events.of(new FrameReader(channel(READY + DONE + READY + DONE), bytes(1_000), 3, 0)))
			.containsExactly("ready", "done 1", "ready", "violation more than 3 frames");
	}

	@Test
	void asManyEmptyLinesAsMayAreSkippedAndOneMoreIsRefused() {
		assertThat(Events.of(new FrameReader(channel("\n" + READY + "\n" + DONE + "\n"), bytes(1_000), 9, 3)))
			.containsExactly("ready", "done 1", "end");
		assertThat(Events.of(new FrameReader(channel("\n" + READY + "\n" + DONE + "\n\n"), bytes(1_000), 9, 3)))
			.containsExactly("ready", "done 1", "violation more than 3 empty lines");
		ChunkedChannel flood = new ChunkedChannel("\n".repeat(1_000_000).getBytes(StandardCharsets.UTF_8),
				() -> 100_000);
		assertThat(Events.of(new FrameReader(flood, bytes(1_000), 9, 1_000)))
			.containsExactly("violation more than 1000 empty lines");
		assertThat(flood.taken()).isLessThanOrEqualTo(8 * 1024);
	}

	@Test
	void frameThatRefersToAnotherTypeOfItsOwnIsBuiltFieldByField() throws Exception {
		FrameReader reader = reader(
				"{\"value\":{\"type\":\"done\"},\"notes\":[],\"failure\":null,\"type\":\"done\"}\n");
		assertThat(reader.next()).isEqualTo(new Frame.Done(JsonValue.parse("{\"type\":\"done\"}"), null, List.of()));
	}

	@Test
	void messageOfAViolationNeverRepeatsWhatWasSent() {
		for (String sent : List.of("s3cret\n", "{\"type\":\"s3cret\"}\n", "{\"s3cret\":1,\"s3cret\":2}\n",
				"{\"type\":\"call\",\"id\":\"s3cret\"}\n", "{\"type\":\"done\",\"value\":1e99999999}\n",
				"{\"type\":\"done\",\"value\":1,\"failure\":{\"kind\":\"s3cret\"},\"notes\":[]}\n")) {
			assertThatExceptionOfType(ProtocolViolationException.class).isThrownBy(() -> reader(sent).next())
				.withNoCause()
				.withMessageNotContaining("s3cret");
		}
	}

	@Test
	void brokenChannelIsAnIoExceptionAndNoViolation() throws IOException {
		Pipe pipe = Pipe.open();
		pipe.sink().write(ByteBuffer.wrap(READY.getBytes(StandardCharsets.UTF_8)));
		pipe.source().close();
		FrameReader reader = new FrameReader(pipe.source(), bytes(1_000), 1, 1);
		assertThatExceptionOfType(IOException.class).isThrownBy(reader::next);
		pipe.sink().close();
	}

	@Test
	void anyBytesInAnyChunksComeToFramesAnEndOrAViolation() {
		Random random = new Random(20260917);
		int violations = 0;
		int ends = 0;
		for (int i = 0; i < 4_000; i++) {
			byte[] sent = randomBytes(random);
			int most = 40 + random.nextInt(200);
			List<String> whole = Events.of(new ChunkedChannel(sent, () -> Integer.MAX_VALUE), most);
			String last = whole.get(whole.size() - 1);
			assertThat(last).matches("end|violation .*");
			violations += last.equals("end") ? 0 : 1;
			ends += last.equals("end") ? 1 : 0;
			assertThat(Events.of(new ChunkedChannel(sent, () -> 1), most)).isEqualTo(whole);
			for (int j = 0; j < 3; j++) {
				int largest = 1 + random.nextInt(60);
				Random chunks = new Random(i);
				assertThat(Events.of(new ChunkedChannel(sent, () -> 1 + chunks.nextInt(largest)), most))
					.isEqualTo(whole);
			}
		}
		assertThat(violations).isGreaterThan(1_000);
		assertThat(ends).isGreaterThan(500);
	}

	/** Valid frames, frames with a few bytes exchanged or cut off, and noise. */
	private static byte[] randomBytes(Random random) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		String[] frames = { READY, DONE, "\n",
				"{\"type\":\"call\",\"id\":7,\"name\":\"é\",\"arguments\":{\"a\":[1.5,true]}}\n",
				"{\"type\":\"done\",\"value\":[],\"failure\":{\"kind\":\"worker_exit\",\"message\":\"m\",\"exitStatus\":1},\"notes\":[\"n\"]}\n" };
		for (int i = random.nextInt(6); i >= 0; i--) {
			byte[] frame = frames[random.nextInt(frames.length)].getBytes(StandardCharsets.UTF_8);
			switch (random.nextInt(8)) {
				case 0 -> frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
				case 1 -> frame[random.nextInt(frame.length)] = "{}[]\",:01e.-\n "
					.getBytes(StandardCharsets.US_ASCII)[random.nextInt(14)];
				case 2 -> frame = Arrays.copyOf(frame, random.nextInt(frame.length + 1));
				case 3 -> {
					frame = new byte[random.nextInt(30)];
					random.nextBytes(frame);
				}
				default -> {
				}
			}
			bytes.writeBytes(frame);
		}
		return bytes.toByteArray();
	}

	private static String done(String value, String notes) {
		return "{\"type\":\"done\",\"value\":" + value + ",\"failure\":null,\"notes\":" + notes + "}\n";
	}

	private static List<String> notes(List<String> notes) throws Exception {
		return ((Frame.Done) reader(done("1", JsonValue.of(notes).toJson())).next()).notes();
	}

	private static FrameBounds bytes(int most) {
		return new FrameBounds(most, Events.MOST_VALUES);
	}

	private static FrameReader reader(String sent) {
		return new FrameReader(channel(sent), bytes(Events.MOST_BYTES), 100, 100);
	}

	private static ChunkedChannel channel(String sent) {
		return new ChunkedChannel(sent.getBytes(StandardCharsets.UTF_8), () -> Integer.MAX_VALUE);
	}

}
