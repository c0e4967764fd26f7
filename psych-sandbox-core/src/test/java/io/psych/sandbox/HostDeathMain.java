package io.psych.sandbox;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

import io.psych.sandbox.catalogue.Processes;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCatalog;

/**
 * A host that is ended from outside, or that runs as PID 1.
 */
public final class HostDeathMain {

	private HostDeathMain() {
	}

	public static void main(String[] arguments) throws IOException {
		try (Sandbox sandbox = Sandbox.builder()
			.backend(arguments[0])
			.container(Containers.settings())
			.folder(Path.of(arguments[1]))
			.tools(ToolCatalog.of(new Tell()))
			.build()) {
			if (!arguments[2].equals("count-zombies")) {
				sandbox.run(RunRequest.of(arguments[2]));
				return;
			}
			for (int i = 0; i < 12; i++) {
				sandbox.run(RunRequest.of("import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)\n"
						+ ((i % 2 == 0) ? "1" : "os._exit(1)")));
			}
			say("pid " + ProcessHandle.current().pid() + " zombies " + Processes.zombiesThatStay());
		}
	}

	private static void say(String line) {
		new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8).println(line);
	}

	/**
	 * Says on this host's stdout that the program has come this far.
	 */
	private static final class Tell implements HostTool {

		@Override
		public String name() {
			return "tell";
		}

		@Override
		public String description() {
			return "Tells.";
		}

		@Override
		public JsonValue inputSchema() {
			return JsonValue.of(Map.of("type", "object"));
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) {
			say("told");
			return JsonValue.NULL;
		}

	}

}
