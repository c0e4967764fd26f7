import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.SandboxPolicy;
import org.springaicommunity.sandbox.ExecSpec;
import org.springaicommunity.sandbox.LocalSandbox;

/**
 * Runs print(1) once for each line of its input, with the library that the line names,
 * and answers with the nanoseconds it took. Usage: java LibraryPeers.java INTERPRETER FOLDER
 */
final class LibraryPeers {

	private static final String PROGRAM = "print(1)\n1";

	private LibraryPeers() {
	}

	public static void main(String[] arguments) throws IOException {
		ExecSpec command = ExecSpec.of(arguments[0], "-I", "-S", "-c", "print(1)");
		BufferedReader names = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		try (Engine shared = Engine.create("python");
				LocalSandbox local = LocalSandbox.builder().workingDirectory(Path.of(arguments[1])).build()) {
			for (String name = names.readLine(); name != null; name = names.readLine()) {
				long began = System.nanoTime();
				String answer = switch (name) {
					case "graalpy" -> evaluate(Context.newBuilder("python").engine(shared));
					// The settings of LangChain4j's engine for Python
					case "langchain4j" -> evaluate(Context.newBuilder("python")
						.sandbox(SandboxPolicy.TRUSTED)
						.allowHostAccess(HostAccess.UNTRUSTED));
					case "agent-sandbox" -> local.exec(command).stdout().strip();
					default -> "no such library: " + name;
				};
				long taken = System.nanoTime() - began;
				System.out.println(answer.equals("1") ? Long.toString(taken) : "answered " + answer);
			}
		}
	}

	private static String evaluate(Context.Builder builder) {
		ByteArrayOutputStream printed = new ByteArrayOutputStream();
		try (Context context = builder.out(printed).err(printed).build()) {
			int value = context.eval("python", PROGRAM).asInt();
			return printed.toString(StandardCharsets.UTF_8).equals("1\n") ? Integer.toString(value) : printed.toString();
		}
	}

}
