package io.psych.sandbox.spawn;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the process table told of a process at one moment: two small files are read of
 * each, and as few calls made as that takes, since whole trees are looked at while
 * somebody waits for an answer.
 *
 * @param pid its id
 * @param state the letter of its state
 * @param parent the id of its parent
 * @param threads how many threads it has
 * @param began when it began, in the kernel's ticks
 */
record ProcessEntry(long pid, char state, long parent, long threads, long began) {

	/** Fields of /proc/PID/stat behind the command's closing parenthesis (proc(5)). */
	private static final int PARENT = 1;

	private static final int THREADS = 17;

	private static final int BEGAN = 19;

	/** More than the line can have, and than most lists of children have. */
	private static final int BUFFER = 2048;

	/**
	 * Look a process up.
	 * @param pid its id
	 * @return what is told, or {@code null} when there is no such process
	 */
	static @Nullable ProcessEntry find(long pid) {
		byte[] stat = read("/proc/" + pid + "/stat");
		// The command is the program's to choose, parentheses and spaces included.
		int at = stat.length - 1;
		while (at >= 0 && stat[at] != ')') {
			at--;
		}
		if (at < 0 || at + 2 >= stat.length) {
			return null;
		}
		long[] fields = new long[BEGAN + 1];
		int field = 0;
		for (int next = at + 2; next < stat.length && field <= BEGAN; next++) {
			if (stat[next] == ' ') {
				field++;
			}
			else if (stat[next] >= '0' && stat[next] <= '9') {
				fields[field] = fields[field] * 10 + (stat[next] - '0');
			}
		}
		return (field > BEGAN)
				? new ProcessEntry(pid, (char) stat[at + 2], fields[PARENT], fields[THREADS], fields[BEGAN]) : null;
	}

	boolean isAlive() {
		return this.state != 'Z' && this.state != 'X';
	}

	/**
	 * Return its children, each as it was found: those of all its threads, since each has
	 * the children that it forked (proc(5)).
	 * @return the children, none when it has gone
	 */
	List<ProcessEntry> children() {
		List<ProcessEntry> children = new ArrayList<>();
		String tasks = "/proc/" + this.pid + "/task";
		if (this.threads == 1) {
			addChildren(tasks + "/" + this.pid, children);
			return children;
		}
		String[] threads = new File(tasks).list();
		for (String thread : (threads != null) ? threads : new String[0]) {
			addChildren(tasks + "/" + thread, children);
		}
		return children;
	}

	private static void addChildren(String task, List<ProcessEntry> children) {
		long pid = 0;
		// Each id is followed by a space.
		for (byte character : read(task + "/children")) {
			if (character >= '0' && character <= '9') {
				pid = pid * 10 + (character - '0');
			}
			else if (pid > 0) {
				ProcessEntry child = find(pid);
				if (child != null) {
					children.add(child);
				}
				pid = 0;
			}
		}
	}

	/** Return what is in a file, nothing when its process has gone. */
	private static byte[] read(String file) {
		try (InputStream stream = new FileInputStream(file)) {
			byte[] content = new byte[BUFFER];
			int length = 0;
			for (int count = stream.read(content); count > 0; count = stream.read(content, length,
					content.length - length)) {
				length += count;
				if (length == content.length) {
					content = Arrays.copyOf(content, 2 * length);
				}
			}
			return Arrays.copyOf(content, length);
		}
		catch (IOException ex) {
			return new byte[0];
		}
	}

}
