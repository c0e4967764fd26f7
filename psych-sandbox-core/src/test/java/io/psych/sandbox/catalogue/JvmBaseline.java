package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What this JVM held before a hostile program ran, and must not hold more of after it:
 * heap, threads at work, descriptors, children, control groups, files below a folder.
 *
 * @param heap bytes of the heap in use
 * @param threads threads of the sandbox that are at work; a pool keeps others for a while
 * @param descriptors open pipes, sockets and files of the sandbox
 * @param children child processes
 * @param groups control groups made by this JVM
 * @param files files below the sandbox's folder
 */
record JvmBaseline(long heap, int threads, int descriptors, Set<Long> children, Set<String> groups, Set<String> files) {

	/** What the measuring itself, and the JIT, may take of the heap meanwhile. */
	private static final long HEAP_TOLERANCE = 32L << 20;

	private static final Path CONTROL_GROUPS = Path.of("/sys/fs/cgroup");

	private static final int CONTROL_GROUPS_DEPTH = 10;

	/** The threads that end a child's streams lag a moment behind its end. */
	private static final Duration PATIENCE = Duration.ofSeconds(20);

	static JvmBaseline of(Path folder) {
		return new JvmBaseline(heapInUse(), threadsAtWork(), openDescriptors(folder), Processes.children(),
				controlGroups(), filesBelow(folder));
	}

	/**
	 * Return what is more than it was, after waiting for what is just ending.
	 * @param folder the folder of the sandbox
	 * @return one sentence each
	 */
	List<String> problems(Path folder) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		List<String> problems = compare(folder);
		while (!problems.isEmpty() && System.nanoTime() - deadline < 0) {
			LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
			problems = compare(folder);
		}
		return problems;
	}

	private List<String> compare(Path folder) {
		List<String> problems = new ArrayList<>();
		int working = threadsAtWork();
		if (working > this.threads) {
			problems.add("the JVM has %d threads at work, it had %d".formatted(working, this.threads));
		}
		int open = openDescriptors(folder);
		if (open > this.descriptors) {
			problems.add("the JVM has %d pipes, sockets and files open, it had %d".formatted(open, this.descriptors));
		}
		Set<Long> processes = new TreeSet<>(Processes.children());
		processes.removeAll(this.children);
		if (!processes.isEmpty()) {
			problems.add("the JVM has children it had not: " + processes);
		}
		Set<String> groups = new TreeSet<>(controlGroups());
		groups.removeAll(this.groups);
		if (!groups.isEmpty()) {
			problems.add("control groups are left: " + groups.stream().limit(5).toList());
		}
		Set<String> files = new TreeSet<>(filesBelow(folder));
		files.removeAll(this.files);
		if (!files.isEmpty()) {
			problems.add("files are left in the sandbox's folder: " + files.stream().limit(5).toList());
		}
		if (problems.isEmpty() && heapInUse() > this.heap + HEAP_TOLERANCE) {
			problems.add("the JVM's heap grew by more than %d MiB".formatted(HEAP_TOLERANCE >> 20));
		}
		return problems;
	}

	private static long heapInUse() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	private static int threadsAtWork() {
		return (int) Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((thread) -> thread.getKey().getName().startsWith("psych-sandbox-")
					|| thread.getKey().getName().startsWith("process reaper"))
			.filter((thread) -> Arrays.stream(thread.getValue())
				.noneMatch((frame) -> frame.getMethodName().equals("getTask")))
			.count();
	}

	private static int openDescriptors(Path folder) {
		int open = 0;
		try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
			for (Path descriptor : descriptors) {
				String target = target(descriptor);
				// Others are the JVM's own: it opens the archives of its classes when it
				// needs them.
				if (target.startsWith("pipe:") || target.startsWith("socket:")
						|| target.startsWith(folder.toString())) {
					open++;
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return open;
	}

	private static String target(Path descriptor) {
		try {
			return Files.readSymbolicLink(descriptor).toString();
		}
		catch (IOException ex) {
			// The stream over the folder is one of its entries, closed before it is asked
			// for.
			return "";
		}
	}

	/**
	 * Return the groups whose name, or that of the group they are in, tells that they are
	 * of this JVM.
	 */
	/** The groups of executions, and not the one that was made ahead for the next. */
	private static Set<String> controlGroups() {
		Pattern own = Pattern.compile(
				".*/psych-sandbox-" + pidNamespace() + "-" + ProcessHandle.current().pid() + "-[^/]*(/run-[^/]*)?");
		Set<String> groups = new TreeSet<>();
		try {
			Files.walkFileTree(CONTROL_GROUPS, EnumSet.noneOf(FileVisitOption.class), CONTROL_GROUPS_DEPTH,
					new SimpleFileVisitor<>() {

						@Override
						public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
							if (own.matcher(folder.toString()).matches()) {
								groups.add(folder.toString());
							}
							return FileVisitResult.CONTINUE;
						}

						@Override
						public FileVisitResult visitFileFailed(Path file, IOException problem) {
							// A group of somebody else's that went meanwhile.
							return FileVisitResult.CONTINUE;
						}

						@Override
						public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException problem) {
							return FileVisitResult.CONTINUE;
						}

					});
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return groups;
	}

	/** Return its number: other JVMs are PID 1 as well, each in another one. */
	private static String pidNamespace() {
		try {
			return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().replaceAll("\\D", "");
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Set<String> filesBelow(Path folder) {
		Set<String> files = new TreeSet<>();
		try (Stream<Path> all = Files.walk(folder, 3)) {
			all.map(Path::toString).forEach(files::add);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return files;
	}

}
