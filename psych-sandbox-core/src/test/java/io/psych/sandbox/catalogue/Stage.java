package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An interpreter, a launcher and an engine's client that are scripts of the suite: they
 * run the real ones, or do what a broken host does. The folder of the interpreter is
 * shown to programs, so that what lies in it tests the layers behind the view; the client
 * binds it into each container for the same end.
 */
final class Stage implements AutoCloseable {

	/** Not below /tmp, which a sandbox of its own view covers. */
	private static final Path PARENT = Path.of("/var/tmp");

	private static final String CONTENT = "shown and not to be changed\n";

	private static final String INTERPRETER = """
			#!/bin/sh
			# Answers as the real one when the child is compiled, but with its own path.
			mode=$(cat FOLDER/mode)
			case "$*" in
			*/psych_bundle.py*)
				answer=$(REAL "$@") || exit $?
				printf '%s\\n' "$answer" | sed -e 's|"executable":"[^"]*"|"executable":"FOLDER/python3"|' -e 's|"prefix":"[^"]*"|"prefix":"FOLDER"|'
				exit ;;
			esac
			case "$mode" in
			wedged) exec sleep 60 ;;
			ends) echo "no such library" >&2; exit 127 ;;
			chatters) echo "this is no frame"; exec sleep 60 ;;
			deaf)
				shift 6
				exec REAL -I -S -B -u -X utf8 FOLDER/deaf.py "$2" "$1" ;;
			edit*)
				shift 6
				exec REAL -I -S -B -u -X utf8 "$1" "$(printf '%s' "$2" | sed -e "${mode#edit }")" ;;
			esac
			exec REAL "$@"
			""";

	/** Runs the child, which reports honestly and then never reads. */
	private static final String DEAF = """
			import builtins
			import marshal
			import sys
			import time

			real = builtins.__import__


			def importing(name, *arguments):
			    module = real(name, *arguments)
			    if name == "psych_bootstrap":
			        sys.modules["psych_bindings"].Channel.receive = lambda self: time.sleep(60)
			    return module


			with open(sys.argv.pop(2), "rb") as file:
			    code = marshal.loads(file.read()[16:])
			exec(code, {"__name__": "__main__", "__builtins__": {**vars(builtins), "__import__": importing}})
			""";

	private static final String LAUNCHER = """
			#!/bin/sh
			mode=$(cat FOLDER/launcher-mode)
			case "$mode" in
			old) echo "bubblewrap 0.4.0"; exit ;;
			other) echo "something else"; exit ;;
			hangs) exec sleep 60 ;;
			refused)
				[ "$1" = --version ] && exec bwrap --version
				echo "bwrap: setting up uid map: Permission denied" >&2
				exit 1 ;;
			drop*)
				left=$#
				while [ "$left" -gt 0 ]; do
					argument=$1
					shift
					[ "$argument" = "${mode#drop }" ] || set -- "$@" "$argument"
					left=$((left - 1))
				done ;;
			esac
			exec bwrap "$@"
			""";

	/** An image has no interpreter of the stage, so the client stands for it as well. */
	private static final String ENGINE = """
			#!REAL -ISB
			import os
			import subprocess
			import sys


			def mode(file):
			    with open("FOLDER/" + file) as found:
			        return found.read()


			def edited(text, mode):
			    text = text.replace('"readable":[', '"readable":["FOLDER",')
			    if mode.startswith("edit "):
			        text = subprocess.run(["sed", "-e", mode[5:]], input=text, stdout=subprocess.PIPE, text=True).stdout
			    return text


			engine, how = mode("engine-mode"), mode("mode")
			arguments = sys.argv[1:]
			if engine == "hangs":
			    os.execvp("sleep", ["sleep", "60"])
			elif engine == "other":
			    sys.exit(print("something else"))
			elif engine == "stopped" and arguments[0] != "--version":
			    sys.exit("Cannot connect to the engine. Is it running?")
			if "--detach" in arguments:
			    for words in engine.split()[1:] if engine.startswith("with ") else ():
			        option, value = words.split("=", 1) if "=" in words else (words, None)
			        at = arguments.index(option)
			        arguments[at:at + 2] = [option, value] if value else []
			    arguments[-1] = edited(arguments[-1], how)
			    at = arguments.index("--entrypoint")
			    instead = {"wedged": ["sleep", "60"], "ends": ["sh", "-c", "exit 127"], "chatters": ["sleep", "60"]}.get(how)
			    if instead:
			        arguments[at + 1:] = [instead[0], arguments[at + 2], *instead[1:]]
			    elif how == "deaf":
			        arguments[-2:] = ["FOLDER/deaf.py", arguments[-1], arguments[-2]]
			    arguments[at:at] = ["--mount", "type=bind,source=FOLDER,target=FOLDER,readonly"]
			os.execvp("podman", ["podman", *arguments])
			""";

	private final Path folder;

	private final Listeners listeners;

	Stage() throws IOException {
		this.folder = Files.createTempDirectory(PARENT, "psych-catalogue-");
		Files.setPosixFilePermissions(this.folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		script("python3", INTERPRETER);
		script("bwrap", LAUNCHER);
		script("engine", ENGINE);
		Files.writeString(this.folder.resolve("deaf.py"), DEAF);
		Path shown = Files.createDirectory(this.folder.resolve("shown"));
		Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rwxrwxrwx"));
		restore();
		mode("real");
		launcherMode("real");
		engineMode("real");
		Path copy = Files.copy(Path.of("/usr/bin/id"), setuidCopy(), StandardCopyOption.REPLACE_EXISTING);
		Files.setAttribute(copy, "unix:mode", 0104755);
		this.listeners = new Listeners(shown);
	}

	private void script(String name, String text) throws IOException {
		Path script = this.folder.resolve(name);
		Files.writeString(script, text.replace("FOLDER", this.folder.toString()).replace("REAL", Unconfined.PYTHON));
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
	}

	Path interpreter() {
		return this.folder.resolve("python3");
	}

	Path launcher() {
		return this.folder.resolve("bwrap");
	}

	Path engine() {
		return this.folder.resolve("engine");
	}

	/**
	 * Return a file that programs are shown and that any user may write to.
	 */
	Path shownFile() {
		return this.folder.resolve("shown/file");
	}

	Path setuidCopy() {
		return this.folder.resolve("id");
	}

	/**
	 * Return the folder in which listeners are that programs are shown.
	 */
	Path listenerFolder() {
		return this.folder.resolve("shown");
	}

	/**
	 * Return how often each of the listeners was reached so far.
	 */
	Map<String, @Nullable Object> reached() throws IOException {
		return this.listeners.reached();
	}

	/**
	 * Set what the interpreter does when it is started as a child.
	 */
	void mode(String mode) throws IOException {
		Files.writeString(this.folder.resolve("mode"), mode, StandardCharsets.UTF_8);
	}

	/**
	 * Set what the launcher does.
	 */
	void launcherMode(String mode) throws IOException {
		Files.writeString(this.folder.resolve("launcher-mode"), mode, StandardCharsets.UTF_8);
	}

	/**
	 * Set what the engine's client does.
	 */
	void engineMode(String mode) throws IOException {
		Files.writeString(this.folder.resolve("engine-mode"), mode, StandardCharsets.UTF_8);
	}

	boolean isUnchanged() throws IOException {
		return Files.exists(shownFile()) && Files.readString(shownFile()).equals(CONTENT);
	}

	/** Put the shown file back as it was. */
	void restore() throws IOException {
		Path shown = shownFile().getParent();
		for (String other : new String[] { "file", "file-link", "file-moved" }) {
			Files.deleteIfExists(shown.resolve(other));
		}
		Files.writeString(shownFile(), CONTENT);
		Files.setPosixFilePermissions(shownFile(), PosixFilePermissions.fromString("rw-rw-rw-"));
	}

	@Override
	public void close() throws IOException {
		this.listeners.close();
		Unconfined.delete(this.folder);
	}

}
