package io.psych.sandbox;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;
import io.psych.sandbox.tool.ToolCatalog;
import org.jspecify.annotations.Nullable;

/**
 * Two programs of one sandbox at the same time, in this JVM or in one that is started
 * with other rights: one goes about its business, the other is after it.
 */
public final class Neighbours {

	private static final int PATIENCE_SECONDS = 30;

	/** Has a file, a process, a variable and a command line that hold a marker. */
	private static final String VICTIM = """
			import os, subprocess
			with open("secret", "w") as file:
			    file.write("MARKER")
			kept = open("secret")
			child = subprocess.Popen(["/bin/sh", "-c", "sleep 60; true", "MARKER"], env={"SECRET": "MARKER"})
			await meet(value=os.getcwd())
			await meet()
			outcome = "unharmed" if child.poll() is None and open("secret").read() == "MARKER" else "harmed"
			child.kill()
			outcome
			""";

	/** Looks for the marker wherever it might be, and signals whatever it might reach. */
	private static final String ATTACKER = """
			import errno, os
			def attempt(action, *arguments):
			    try:
			        action(*arguments)
			    except OSError as problem:
			        return errno.errorcode[problem.errno]
			    return "done"
			def look(path):
			    with open(path, "rb") as file:
			        if b"MARKER" in file.read(65536):
			            found.append(path)
			found, refused = [], set()
			try:
			    numbers = {int(name) for name in os.listdir("/proc") if name.isdigit()}
			except OSError:
			    numbers = set()
			paths = ["CWD/secret"]
			for number in numbers | set(PIDS):
			    names = ["environ", "cmdline", "cwd/secret", "rootCWD/secret", *["fd/%d" % n for n in range(3, 16)]]
			    paths += ["/proc/%d/%s" % (number, name) for name in names]
			for path in paths:
			    refused.add(attempt(look, path))
			{
			    "found": found,
			    "looked": len(paths),
			    "refused": sorted(refused),
			    "signalled": [number for number in [JVM, *PIDS] if attempt(os.kill, number, 0) == "done"],
			}
			""";

	private static final String BOMB = """
			import errno, os, signal
			await meet()
			children, error = [], None
			while error is None:
			    try:
			        child = os.fork()
			    except OSError as problem:
			        error = errno.errorcode[problem.errno]
			        break
			    if child == 0:
			        signal.pause()
			        os._exit(0)
			    children.append(child)
			await meet()
			await meet()
			for child in children:
			    os.kill(child, signal.SIGKILL)
			    os.waitpid(child, 0)
			error
			""";

	private static final String BESIDE_THE_BOMB = """
			import os
			await meet()
			await meet()
			ended = 0
			try:
			    for _ in range(8):
			        child = os.fork()
			        if child == 0:
			            os._exit(0)
			        ended += os.waitpid(child, 0)[1] == 0
			finally:
			    await meet()
			ended
			""";

	private final CyclicBarrier barrier = new CyclicBarrier(2);

	private final CompletableFuture<String> told = new CompletableFuture<>();

	private Neighbours() {
	}

	/**
	 * A program that looks for another one of the same user.
	 * @param builder builds the sandbox
	 * @return what each came to, and how many processes of the host held what was looked
	 * for
	 */
	static Map<String, @Nullable Object> look(SandboxBuilder builder) {
		Neighbours neighbours = new Neighbours();
		String marker = "marker-" + UUID.randomUUID();
		try (Sandbox sandbox = builder.tools(ToolCatalog.of(neighbours.new Meet())).build()) {
			CompletableFuture<RunResult> victim = CompletableFuture
				.supplyAsync(() -> sandbox.run(RunRequest.of(VICTIM.replace("MARKER", marker))));
			String folder = neighbours.told.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
			List<Long> pids = ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
			RunResult attacker = sandbox.run(RunRequest.of(ATTACKER.replace("MARKER", marker)
				.replace("CWD", folder)
				.replace("PIDS", pids.toString())
				.replace("JVM", Long.toString(ProcessHandle.current().pid()))));
			int holders = Leftovers.processesWith(marker).size();
			neighbours.await();
			return facts(Map.of("victim", victim.join(), "attacker", attacker), Map.of("holders", holders));
		}
	}

	/**
	 * A program that starts processes without end, and one that starts a few.
	 * @param builder builds the sandbox
	 * @return what each came to
	 */
	static Map<String, @Nullable Object> bomb(SandboxBuilder builder) {
		Neighbours neighbours = new Neighbours();
		try (Sandbox sandbox = builder.tools(ToolCatalog.of(neighbours.new Meet())).build()) {
			// The proofs that are made in the background take processes of the same user.
			sandbox.isolation();
			CompletableFuture<RunResult> bomb = CompletableFuture.supplyAsync(() -> sandbox.run(RunRequest.of(BOMB)));
			RunResult beside = sandbox.run(RunRequest.of(BESIDE_THE_BOMB));
			return facts(Map.of("bomb", bomb.join(), "beside", beside), Map.of());
		}
	}

	private static Map<String, @Nullable Object> facts(Map<String, RunResult> results, Map<String, Object> more) {
		Map<String, @Nullable Object> facts = new LinkedHashMap<>(more);
		results.forEach((name, result) -> facts.put(name,
				(result.failure() != null) ? result.failure().message() : result.value().toJava()));
		RunResult any = results.values().iterator().next();
		facts.put("process-tree", any.isolation().grade(Guarantee.PROCESS_TREE).id());
		facts.put("user-namespace",
				any.isolation().finding(Guarantee.IDENTITY).evidence().contains("user namespace of its own"));
		return facts;
	}

	/**
	 * Run in a JVM of its own and say what came of it.
	 * @param arguments what to do, a backend and a folder for the sandbox
	 * @throws IOException if it can't be said
	 */
	public static void main(String[] arguments) throws IOException {
		SandboxBuilder builder = Sandbox.builder()
			.backend(arguments[1])
			.folder(Path.of(arguments[2]))
			.allowSameUser(true);
		JsonValue facts = JsonValue.of(arguments[0].equals("look") ? look(builder) : bomb(builder));
		try (FileOutputStream output = new FileOutputStream(FileDescriptor.out)) {
			output.write((facts.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
		}
	}

	/**
	 * Start a JVM that does so.
	 * @param launcher what starts it with other rights
	 * @param classPath its class path
	 * @param arguments its arguments
	 * @return what came of it
	 */
	static JsonValue inAnotherJvm(List<String> launcher, String classPath, String... arguments)
			throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(launcher);
		command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath, Neighbours.class.getName()));
		command.addAll(List.of(arguments));
		Process host = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		try {
			String output = new String(host.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return JsonValue.parse(output.lines().filter((line) -> line.startsWith("{")).findFirst().orElseThrow());
		}
		finally {
			host.destroyForcibly().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
	}

	/**
	 * Copy the class path of this JVM to where every user can read it.
	 * @param folder where to
	 * @return the class path of the copies
	 */
	static String copyClassPath(Path folder) throws IOException {
		List<String> entries = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			Path source = Path.of(entry);
			if (Files.exists(source)) {
				Path target = folder.resolve(entries.size() + "-" + source.getFileName());
				copy(source, target);
				entries.add(target.toString());
			}
		}
		return String.join(File.pathSeparator, entries);
	}

	private static void copy(Path source, Path target) throws IOException {
		try (Stream<Path> paths = Files.walk(source)) {
			for (Path path : paths.toList()) {
				Path copy = target.resolve(source.relativize(path).toString());
				Files.copy(path, copy);
				Files.setPosixFilePermissions(copy,
						PosixFilePermissions.fromString(Files.isDirectory(copy) ? "rwxr-xr-x" : "rw-r--r--"));
			}
		}
	}

	private void await() {
		try {
			this.barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		catch (BrokenBarrierException | TimeoutException ex) {
			throw new IllegalStateException("the other did not come", ex);
		}
	}

	/**
	 * Where two programs, or a program and its host, meet. With a value it only tells
	 * that.
	 */
	private final class Meet implements HostTool {

		@Override
		public String name() {
			return "meet";
		}

		@Override
		public String description() {
			return "Meets.";
		}

		@Override
		public JsonValue inputSchema() {
			return JsonValue.of(Map.of("type", "object"));
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) throws ToolCallException {
			String value = arguments.string("value");
			if (value != null) {
				Neighbours.this.told.complete(value);
				return JsonValue.NULL;
			}
			try {
				Neighbours.this.barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
				return JsonValue.NULL;
			}
			catch (InterruptedException | BrokenBarrierException | TimeoutException ex) {
				throw new ToolCallException(ToolFailureKind.TOOL_ERROR, "the other did not come", ex);
			}
		}

	}

}
