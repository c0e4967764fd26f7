package io.psych.sandbox.spawn;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
@ParameterizedClass
@MethodSource("spawners")
class SpawnerTests {

	/** Dies with the thread that started it, and says when that is so. */
	private static final String DIES_WITH_ITS_PARENT = """
			import ctypes, signal
			ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
			print("armed")
			signal.pause()
			""";

	private final Spawner spawner;

	private final Children children;

	SpawnerTests(Spawner spawner) {
		this.spawner = spawner;
		this.children = new Children(spawner);
	}

	static List<Named<Spawner>> spawners() {
		Spawner usual = new Spawner();
		// This machine's C library has all it takes: without this its tests are none.
		assertThat(usual.isNative()).isTrue();
		return List.of(Named.of("native", usual), Named.of("Java's", Spawner.ofJava()));
	}

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.children.awaitAlive(0)).isEmpty();
	}

	@Test
	void childOutlivesTheThreadThatAskedForIt() throws Exception {
		ChildProcess child = startInAThreadThatEnds(() -> this.children.python(DIES_WITH_ITS_PARENT));
		assertThat(child.exit()).isNotDone();
		assertThat(this.children.alive()).hasSize(1);
		child.tree().killForcibly();
		assertThat(child.exit().get(20, TimeUnit.SECONDS).signal()).isIn("SIGTERM", "SIGKILL");
	}

	@Test
	void childThatIsNotStartedByTheSpawnerDiesWithItsThread() throws Exception {
		ProcessBuilder builder = new ProcessBuilder(Children.PYTHON, "-I", "-S", "-u", "-c", DIES_WITH_ITS_PARENT);
		builder.environment().put("MARKER", this.children.marker());
		ChildProcess control = startInAThreadThatEnds(() -> new JavaProcess(builder.start()));
		assertThat(control.exit().get(20, TimeUnit.SECONDS).signal()).isEqualTo("SIGKILL");
	}

	@Test
	void environmentIsExactlyWhatWasGiven() throws Exception {
		assertThat(System.getenv()).isNotEmpty();
		ChildCommand command = new ChildCommand(List.of("/usr/bin/env", "-0"),
				Map.of("A", "1", "B", "x=y z\nsecond line", "EMPTY", ""), Path.of("/"));
		assertThat(Children.text(this.spawner.start(command).stdout()).split("\0")).containsExactlyInAnyOrder("A=1",
				"B=x=y z\nsecond line", "EMPTY=");
		ChildCommand nothing = new ChildCommand(List.of("/usr/bin/env"), Map.of(), Path.of("/"));
		assertThat(Children.text(this.spawner.start(nothing).stdout())).isEmpty();
	}

	@Test
	void argumentsArriveAsTheyAreWithoutAShell() throws Exception {
		ChildProcess child = this.children.start(Children.PYTHON, "-I", "-S", "-c",
				"import sys; print(ascii(sys.argv[1:]))", "a b", "$HOME", "*", "", "'\"`\\", "-é\n");
		assertThat(Children.text(child.stdout())).matches("\\['a b', '\\$HOME', '\\*', '', .*, '-.*\\\\n'\\]\n");
	}

	@Test
	void standardInputIsEmpty() throws Exception {
		ChildProcess child = this.children.start("/bin/cat");
		assertThat(Children.text(child.stdout())).isEmpty();
		assertThat(child.exit().get(20, TimeUnit.SECONDS)).isEqualTo(new ExitStatus(0));
	}

	@Test
	void standardOutputAndErrorAreApart() throws Exception {
		ChildProcess child = this.children.start("/bin/sh", "-c", "echo out; echo err >&2; exit 7");
		assertThat(Children.text(child.stdout())).isEqualTo("out\n");
		assertThat(Children.text(child.stderr())).isEqualTo("err\n");
		assertThat(child.exit().get(20, TimeUnit.SECONDS)).isEqualTo(new ExitStatus(7));
	}

	@Test
	void whatWasSaidIsReadThoughSomebodyElseHoldsThePipe(@TempDir Path folder) throws Exception {
		Path fifo = folder.resolve("fifo");
		assertThat(this.children.start("/usr/bin/mkfifo", fifo.toString()).exit().get(20, TimeUnit.SECONDS))
			.isEqualTo(new ExitStatus(0));
		ChildProcess child = this.children.start("/bin/sh", "-c", "echo said; cat \"$0\" &", fifo.toString());
		assertThat(child.exit().get(20, TimeUnit.SECONDS)).isEqualTo(new ExitStatus(0));
		assertThat(child.said(child.stdout())).isEqualTo("said\n");
		assertThat(child.said(child.stderr())).isEmpty();
		child.close();
		// Ends whoever reads it.
		Files.newOutputStream(fifo).close();
	}

	@Test
	void directoryIsTheOneThatWasGiven(@TempDir Path folder) throws Exception {
		ChildProcess child = this.spawner
			.start(new ChildCommand(List.of("/bin/pwd", "-P"), Map.of(), folder.toRealPath()));
		assertThat(Children.text(child.stdout())).isEqualTo(folder.toRealPath() + "\n");
	}

	@Test
	void noDescriptorOfThisProcessIsInherited(@TempDir Path folder) throws Exception {
		Path file = Files.createFile(folder.resolve("open"));
		try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
			open.write('x');
			ChildProcess child = this.children.python("""
					import os
					for number in sorted(os.listdir("/proc/self/fd"), key=int):
						if os.path.exists("/proc/self/fd/" + number):
							print(number, end=" ")
					""");
			assertThat(Children.text(child.stdout())).isEqualTo("0 1 2 ");
		}
	}

	@Test
	void startOfWhatIsNotThereFailsNamingIt() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.children.start("/no/such/program"))
			.withMessageContaining("/no/such/program");
	}

	@Test
	void startInAFolderThatIsNotThereFailsNamingIt() {
		ChildCommand command = new ChildCommand(List.of("/bin/true"), Map.of(), Path.of("/no/such/folder"));
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.spawner.start(command))
			.withMessageContaining("/no/such/folder");
	}

	@Test
	void startWithNulInAnArgumentFails() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.children.start("/bin/true", "a\0b"));
	}

	@Test
	void startWhenInterruptedStartsNothing() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> this.children.start("/bin/sleep", "300"));
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void startThatIsInterruptedLeavesNoProcess() throws Exception {
		ExecutorService thread = Executors.newSingleThreadExecutor();
		try {
			CountDownLatch busy = new CountDownLatch(1);
			thread.execute(() -> awaitOpen(busy));
			Spawner held = this.spawner.on(thread);
			FutureTask<ChildProcess> start = new FutureTask<>(
					() -> held.start(new ChildCommand(List.of("/bin/sleep", "300"),
							Map.of("MARKER", this.children.marker()), Path.of("/"))));
			Thread caller = new Thread(start);
			caller.start();
			while (caller.getState() != Thread.State.WAITING) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			}
			caller.interrupt();
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(start::get)
				.withCauseInstanceOf(InterruptedException.class);
			busy.countDown();
		}
		finally {
			thread.shutdown();
		}
		// It works off what it was asked in turn: then it is done with both.
		assertThat(thread.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
	}

	private static void awaitOpen(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static ChildProcess startInAThreadThatEnds(Start start) throws Exception {
		FutureTask<Started> task = new FutureTask<>(() -> {
			ChildProcess child = start.start();
			// The kernel looks at the parent thread when the signal is armed.
			assertThat(Children.firstLine(child.stdout())).isEqualTo("armed");
			return new Started(child, Path.of("/proc/thread-self").toRealPath());
		});
		Thread thread = new Thread(task);
		thread.start();
		thread.join();
		try {
			Started started = task.get();
			// A thread is removed from there after its children have been told.
			while (Files.exists(started.thread())) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			}
			return started.child();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
	}

	private record Started(ChildProcess child, Path thread) {

	}

	@FunctionalInterface
	private interface Start {

		ChildProcess start() throws IOException, InterruptedException;

	}

}
