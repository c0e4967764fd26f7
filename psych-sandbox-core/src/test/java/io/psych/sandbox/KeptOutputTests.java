package io.psych.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.psych.sandbox.attachment.Content;
import io.psych.sandbox.attachment.Slot;
import io.psych.sandbox.blob.BlobFolderException;
import io.psych.sandbox.blob.FileBlobStore;
import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.InputFile;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.runlog.InMemoryRunLog;
import io.psych.sandbox.runlog.RunEvent;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.terms.Grant;
import io.psych.sandbox.terms.Spec;
import io.psych.sandbox.tool.AttachmentReader;
import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolGateway;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a real program leaves behind, on both backends: its streams, its value and its
 * files, read back by their handles and given to the next program.
 */
@Tag("once")
class KeptOutputTests {

	private static final Scope ACME = new Scope("acme", "run-1", null);

	private static final Scope OTHER = new Scope("other", "run-1", null);

	@TempDir
	private Path folder;

	private final InMemoryRunLog log = new InMemoryRunLog();

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void filesComeBackWithTheirTypesAndCanBeGivenToTheNextProgram(String backend) {
		with(backend, true, (sandbox) -> {
			RunResult made = run(sandbox, """
					import csv, os
					os.makedirs("out")
					with open("out/rows.csv", "w", newline="") as file:
					    csv.writer(file).writerows([["a", "b"], [1, 2]] + [[i, i * i] for i in range(5000)])
					with open("chart.png", "wb") as file:
					    file.write(b"\\x89PNG\\r\\n\\x1a\\n" + bytes(20))
					os.symlink("/etc/passwd", "link")
					print("written")
					{"rows": 5001}
					""");
			assertThat(made.failure()).as(made.toJson().toJson()).isNull();
			assertThat(made.attachments()).extracting(Attachment::name, Attachment::mediaType, Attachment::whole)
				.containsExactly(tuple("stdout", "text/plain; charset=utf-8"), tuple("value", "application/json"),
						tuple("chart.png", "image/png"), tuple("out/rows.csv", "text/csv"));
			assertThat(made.uncollected()).singleElement().satisfies((file) -> {
				assertThat(file.name()).isEqualTo("link");
				assertThat(file.reason()).contains("link");
			});
			String rows = handle(made, "out/rows.csv");
			assertThat(text(sandbox.attachments().find(ACME, rows))).startsWith("a,b").endsWith("4999,24990001\r\n");
			assertThat(sandbox.attachments().find(OTHER, rows)).isNull();

			RunResult read = sandbox.run(RunRequest.of("""
					import os, stat
					def attempt(action):
					    try:
					        action()
					        return "done"
					    except OSError as problem:
					        return type(problem).__name__
					with open("rows.csv") as file:
					    lines = len(file.readlines())
					[lines, open("note.txt").read(), attempt(lambda: open("rows.csv", "a")), sorted(os.listdir("."))]
					""")
				.withScope(ACME)
				.withInputs(List.of(new InputFile.Attached("rows.csv", rows),
						new InputFile.Bytes("note.txt", "hi".getBytes(StandardCharsets.UTF_8)))));
			assertThat(read.value()).as(read.toJson().toJson())
				.isEqualTo(JsonValue.parse("[5002, \"hi\", \"PermissionError\", [\"note.txt\", \"rows.csv\"]]"));
			// What was given and not touched is no result
			assertThat(read.attachments()).extracting(Attachment::name).containsExactly("value");

			RunResult stolen = sandbox
				.run(RunRequest.of("1").withScope(OTHER).withInputs(List.of(new InputFile.Attached("rows.csv", rows))));
			assertThat(stolen.failure().kind()).isEqualTo(FailureKind.POLICY_REFUSED);
			assertThat(stolen.failure().message()).contains("no program of this run");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void streamsAndValueAreShownShortAndKeptLong(String backend) {
		with(backend, true, (sandbox) -> {
			Limits limits = Limits.defaults().withStream(ByteSize.ofKibibytes(1)).withCapture(ByteSize.ofKibibytes(64));
			RunResult result = sandbox.run(RunRequest.of("""
					import sys
					print("\\x1b[31mred\\r" + "é" * 10000)
					sys.stderr.write("e" * 100000)
					"v" * 20000
					""").withScope(ACME).withLimits(limits));
			assertThat(result.stdout().truncated()).isTrue();
			assertThat(result.stdout().text().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(1_100);
			Content stdout = find(sandbox, result, Slot.STDOUT);
			assertThat(stdout.attachment().whole()).isTrue();
			assertThat(text(stdout)).isEqualTo("\u001b[31mred\r" + "é".repeat(10_000) + "\n");
			Content stderr = find(sandbox, result, Slot.STDERR);
			assertThat(stderr.attachment().whole()).isFalse();
			assertThat(text(stderr)).contains("bytes left out").hasSizeBetween(65_536, 65_600);
			assertThat(result.stderr().bytes()).isEqualTo(100_000);
			assertThat(text(find(sandbox, result, Slot.VALUE))).isEqualTo("\"" + "v".repeat(20_000) + "\"");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void withoutABlobStoreSmallThingsAreKeptAndLargeOnesAreTold(String backend) {
		with(backend, false, (sandbox) -> {
			RunResult result = run(sandbox, """
					open("small.txt", "w").write("small")
					open("large.txt", "w").write("x" * 20000)
					print("y" * 20000)
					""");
			assertThat(result.attachments()).extracting(Attachment::name).containsExactly("stdout", "small.txt");
			assertThat(find(sandbox, result, Slot.STDOUT).attachment().whole()).isFalse();
			assertThat(text(find(sandbox, result, Slot.STDOUT))).startsWith("yyy").contains("bytes left out");
			assertThat(result.uncollected()).singleElement()
				.satisfies((file) -> assertThat(file.reason()).contains("no blob store"));
			assertThat(result.succeeded()).isTrue();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void whereAllMustBePreservedLosingAnythingFailsTheExecution(String backend) {
		Spec spec = Spec.of("careful").withPreserve(true);
		with(backend, false, (sandbox) -> {
			RunResult lost = sandbox.run(RunRequest.of("print('y' * 20000)\n7").withScope(ACME).withSpec(spec));
			assertThat(lost.failure().kind()).as(lost.toJson().toJson()).isEqualTo(FailureKind.ARTIFACTS_UNAVAILABLE);
			assertThat(lost.failure().message()).contains("stdout was not kept whole");
			assertThat(lost.value()).isEqualTo(JsonValue.NULL);
			RunResult kept = sandbox.run(RunRequest.of("print('y' * 200)\n7").withScope(ACME).withSpec(spec));
			assertThat(kept.failure()).isNull();
		});
		with(backend, true, (sandbox) -> {
			RunResult kept = sandbox.run(RunRequest.of("print('y' * 20000)\n7").withScope(ACME).withSpec(spec));
			assertThat(kept.failure()).isNull();
			RunResult flood = sandbox.run(RunRequest.of("print('y' * 2000000)\n7").withScope(ACME).withSpec(spec));
			assertThat(flood.failure().kind()).isEqualTo(FailureKind.ARTIFACTS_UNAVAILABLE);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void whatAProgramLeftIsKeptAlsoWhenItFails(String backend) {
		with(backend, true, (sandbox) -> {
			RunResult failed = run(sandbox, "open('a.txt', 'w').write('half')\n1 / 0");
			assertThat(failed.failure().kind()).isEqualTo(FailureKind.PROGRAM_EXCEPTION);
			assertThat(failed.attachments()).extracting(Attachment::name).containsExactly("a.txt");
			RunResult ended = sandbox.run(RunRequest.of("open('b.txt', 'w').write('half')\nwhile True: pass")
				.withScope(ACME)
				.withLimits(Limits.defaults().withWallTime(Duration.ofSeconds(2))));
			assertThat(ended.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
			assertThat(ended.attachments()).extracting(Attachment::name).containsExactly("b.txt");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void modelReadsWhatWasKeptByWindowAndByPattern(String backend) {
		with(backend, true, (sandbox) -> {
			RunResult result = run(sandbox, "for i in range(20000): print('line', i)");
			AttachmentReader reader = new AttachmentReader(sandbox.attachments(), 80_000);
			String handle = find(sandbox, result, Slot.STDOUT).attachment().handle();
			JsonValue window = read(sandbox, reader, ACME, Map.of("handle", handle, "offset", 0, "length", 12));
			assertThat(window.string("text")).isEqualTo("line 0\nline ");
			assertThat(window.integer("next")).isEqualTo(12);
			JsonValue found = read(sandbox, reader, ACME,
					Map.of("handle", handle, "pattern", "line 1999[89]\\b", "context", 0));
			assertThat(found.toJson()).contains("line 19998", "line 19999");
			assertThat(read(sandbox, reader, OTHER, Map.of("handle", handle)).toJson()).contains("denied");
			assertThat(events(sandbox, RunEvent.CallAccepted.class)).extracting(RunEvent.CallAccepted::tool)
				.containsExactly("read_attachment", "read_attachment");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void executionsAreRecordedFromTheirBeginningToTheirEnd(String backend) {
		with(backend, false, (sandbox) -> {
			RunResult good = run(sandbox, "print(1)");
			RunResult bad = run(sandbox, "1 / 0");
			RunResult refused = sandbox.run(RunRequest.of("#" + "x".repeat(2 << 20)).withScope(ACME));
			assertThat(events(sandbox, RunEvent.ExecutionStarted.class))
				.extracting(RunEvent.ExecutionStarted::execution)
				.containsExactly(good.execution(), bad.execution(), refused.execution());
			assertThat(events(sandbox, RunEvent.ExecutionEnded.class)).extracting(RunEvent.ExecutionEnded::failure)
				.containsExactly(null, FailureKind.PROGRAM_EXCEPTION, FailureKind.POLICY_REFUSED);
		});
	}

	private static Tuple tuple(String name, String mediaType) {
		return Tuple.tuple(name, mediaType, true);
	}

	private static JsonValue read(Sandbox sandbox, AttachmentReader reader, Scope scope,
			Map<String, Object> arguments) {
		CallOutcome outcome = sandbox.tools().call(reader, JsonValue.of(arguments), scope, Grant.ALL, Map.of());
		return (outcome instanceof CallOutcome.Value value) ? value.value()
				: JsonValue.of(((CallOutcome.Failed) outcome).kind().id());
	}

	private <T extends RunEvent> List<T> events(Sandbox sandbox, Class<T> type) {
		return sandbox.tools()
			.log()
			.read(RunKey.of(ACME, ""), 0, 1_000)
			.stream()
			.map(RunLog.Entry::event)
			.filter(type::isInstance)
			.map(type::cast)
			.toList();
	}

	private static Content find(Sandbox sandbox, RunResult result, Slot slot) {
		Attachment attachment = result.attachments()
			.stream()
			.filter((candidate) -> Slot.of(candidate) == slot)
			.findFirst()
			.orElseThrow();
		return sandbox.attachments().find(ACME, attachment.handle());
	}

	private static String handle(RunResult result, String name) {
		return result.attachments()
			.stream()
			.filter((attachment) -> attachment.name().equals(name))
			.findFirst()
			.orElseThrow()
			.handle();
	}

	private static String text(Content content) {
		try {
			return new String(content.open().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static RunResult run(Sandbox sandbox, String program) {
		return sandbox.run(RunRequest.of(program).withScope(ACME));
	}

	private FileBlobStore store() {
		try {
			return new FileBlobStore(this.folder);
		}
		catch (BlobFolderException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void with(String backend, boolean blobs, Consumer<Sandbox> test) {
		SandboxBuilder builder = Sandbox.builder()
			.backend(backend)
			.interpreter(Path.of(System.getProperty("psych.python", "/usr/bin/python3")))
			.tools(ToolGateway.builder(ToolCatalog.of()).log(this.log).build());
		if (blobs) {
			builder.blobStore(store());
		}
		try (Sandbox sandbox = builder.build()) {
			test.accept(sandbox);
		}
	}

}
