package io.psych.sandbox.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The JVM that made a group, or something else it must not outlive, as told by a name. A
 * process id alone says little: it is given out again, and means another process in
 * another pid namespace, which may share the hierarchy.
 *
 * @param namespace the number of its pid namespace
 * @param pid its process id
 * @param began when it began, in the kernel's ticks
 * @since 0.1.0
 */
public record Owner(String namespace, String pid, String began) {

	/** Begins the name of every group made here. */
	static final String PREFIX = "psych-sandbox-";

	private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)-(\\d+)-(\\d+)-[0-9a-f]+");

	private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d+)]");

	/** Fields of /proc/PID/stat behind the command's closing parenthesis (proc(5)). */
	private static final int STATE = 0;

	private static final int BEGAN = 19;

	/**
	 * Return this JVM.
	 * @return the owner
	 * @throws IOException if the kernel does not tell it
	 */
	public static Owner current() throws IOException {
		Matcher namespace = NAMESPACE.matcher(Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString());
		if (!namespace.matches()) {
			throw new IOException("/proc does not tell the pid namespace of this JVM");
		}
		// Not the id the JVM knows: /proc may have been mounted for another namespace.
		String pid = Files.readSymbolicLink(Path.of("/proc/self")).toString();
		return new Owner(namespace.group(1), pid, stat(pid)[BEGAN]);
	}

	/**
	 * Return who made a group.
	 * @param group the name of the group's folder
	 * @return the owner, or {@code null} when it was not made here
	 */
	public static @Nullable Owner of(String group) {
		Matcher matcher = NAME.matcher(group);
		return matcher.matches() ? new Owner(matcher.group(1), matcher.group(2), matcher.group(3)) : null;
	}

	/**
	 * Return the name of a group of this owner.
	 * @param unique tells it from the owner's other groups, hexadecimal
	 * @return the name
	 */
	public String group(String unique) {
		return PREFIX + String.join("-", this.namespace, this.pid, this.began, unique);
	}

	/**
	 * Return whether this owner is dead. It is taken for alive unless it lived where
	 * another can look, and is not there any more.
	 * @param other who looks
	 * @return whether it is dead
	 */
	public boolean isDeadFor(Owner other) {
		if (!this.namespace.equals(other.namespace)) {
			return false;
		}
		try {
			String[] stat = stat(this.pid);
			return !stat[BEGAN].equals(this.began) || "Z".equals(stat[STATE]) || "X".equals(stat[STATE]);
		}
		catch (NoSuchFileException ex) {
			return true;
		}
		catch (IOException ex) {
			// Such as too many open files, which says nothing about the owner.
			return false;
		}
	}

	private static String[] stat(String pid) throws IOException {
		String stat = new String(Files.readAllBytes(Path.of("/proc", pid, "stat")), StandardCharsets.ISO_8859_1);
		String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
		if (fields.length <= BEGAN) {
			throw new IOException("/proc/" + pid + "/stat has only " + fields.length + " fields");
		}
		return fields;
	}

}
