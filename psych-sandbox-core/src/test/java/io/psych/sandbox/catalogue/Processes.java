package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/**
 * The process table of this host.
 */
public final class Processes {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private Processes() {
	}

	/**
	 * Return the living processes that carry a token: in their command line, their
	 * environment, or the name they gave themselves, which is all that is left of one
	 * that hides.
	 * @param token the token
	 * @return their ids
	 */
	static List<Long> with(String token) {
		List<Long> found = new ArrayList<>();
		for (Path process : all()) {
			if (isZombie(process)) {
				continue;
			}
			for (String file : List.of("comm", "cmdline", "environ")) {
				if (read(process.resolve(file)).contains(token)) {
					found.add(Long.parseLong(process.getFileName().toString()));
					break;
				}
			}
		}
		found.remove(ProcessHandle.current().pid());
		return found;
	}

	/**
	 * Return the children of this JVM.
	 * @return their ids
	 */
	static Set<Long> children() {
		Set<Long> children = new TreeSet<>();
		try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
			for (Path task : tasks) {
				for (String child : read(task.resolve("children")).trim().split(" ")) {
					if (!child.isEmpty()) {
						children.add(Long.parseLong(child));
					}
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return children;
	}

	/**
	 * End the processes that carry a token, again and again until there is none.
	 * @param token the token
	 */
	static void end(String token) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		List<Long> left = with(token);
		while (!left.isEmpty()) {
			if (System.nanoTime() - deadline > 0) {
				throw new IllegalStateException("processes do not end: " + left);
			}
			left.forEach((pid) -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
			LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
			left = with(token);
		}
	}

	/**
	 * Return how many processes of this pid namespace have ended and are not reaped,
	 * after waiting for those that have only just ended.
	 * @return their number
	 */
	public static long zombiesThatStay() {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		long zombies = zombies();
		while (zombies > 0 && System.nanoTime() - deadline < 0) {
			LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
			zombies = zombies();
		}
		return zombies;
	}

	private static long zombies() {
		return all().stream().filter(Processes::isZombie).count();
	}

	/** What has ended and only waits to be told to its parent is nobody's leftover. */
	private static boolean isZombie(Path process) {
		String stat = read(process.resolve("stat"));
		return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
	}

	private static List<Path> all() {
		List<Path> all = new ArrayList<>();
		try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
			processes.forEach(all::add);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return all;
	}

	static String read(Path file) {
		try {
			return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			// The process has gone meanwhile.
			return "";
		}
	}

}
