package io.psych.sandbox.spawn;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.TestAbortedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

@Timeout(60)
class ChildTreeTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	/** Forks twice and leaves its session; the one that is left heeds no signal. */
	private static final String DAEMON = """
			import os, signal
			reader, writer = os.pipe()
			if os.fork() == 0:
				os.setsid()
				middle = os.getpid()
				if os.fork() == 0:
					signal.signal(signal.SIGTERM, signal.SIG_IGN)
					signal.signal(signal.SIGHUP, signal.SIG_IGN)
					while os.getppid() == middle:
						os.sched_yield()
					os.write(writer, b"x")
					while True:
						signal.pause()
				os._exit(0)
			os.wait()
			os.read(reader, 1)
			print("orphaned")
			signal.pause()
			""";

	/** A process that lives only until it has forked the next. */
	private static final String RUNNING_AWAY = """
			import os, signal
			if os.fork() == 0:
				os.setsid()
				print("running")
				while True:
					if os.fork():
						os._exit(0)
			signal.pause()
			""";

	private static final String FORKING = """
			import os, signal
			print("forking")
			for i in range(100):
				if os.fork() == 0:
					signal.signal(signal.SIGTERM, signal.SIG_IGN)
					os.setsid()
					while True:
						signal.pause()
			signal.pause()
			""";

	private static final String POLITE = """
			import os, signal, sys
			def leave(*_):
				os.write(1, b"terminated\\n")
				os._exit(0)
			signal.signal(signal.SIGTERM, leave)
			print("ready")
			while True:
				signal.pause()
			""";

	/**
	 * When it is asked to end, it starts one process that stays and one that does not.
	 */
	private static final String LEAVING = """
			import os, signal
			def leave(*_):
				if os.fork() == 0:
					os.setsid()
					while True:
						signal.pause()
				if os.fork() == 0:
					os._exit(0)
				os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
				os.write(1, b"left one\\n")
			signal.signal(signal.SIGTERM, leave)
			print("ready")
			while True:
				signal.pause()
			""";

	private final Children children = new Children();

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.children.awaitAlive(0)).isEmpty();
	}

	@Test
	void killEndsGrandchildrenInSessionsOfTheirOwn() throws Exception {
		ChildProcess child = this.children.start("/bin/sh", "-c", """
				setsid /bin/sh -c '/bin/sleep 301 & /bin/sleep 302 & wait' &
				/bin/sh -c 'setsid /bin/sleep 303 & wait' &
				wait""");
		assertThat(this.children.awaitAlive(6)).hasSize(6);
		assertThat(child.tree().isEmpty()).isFalse();
		child.tree().kill();
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
		assertThat(this.children.alive()).isEmpty();
	}

	@Test
	void killEndsAnOrphanThatForkedTwiceAndLeftItsSession() throws Exception {
		ChildProcess child = this.children.supervised(DAEMON);
		assertThat(Children.firstLine(child.stdout())).isEqualTo("orphaned");
		assertThat(this.children.alive()).hasSize(3);
		child.tree().kill();
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
		assertThat(this.children.alive()).isEmpty();
	}

	@Test
	void killForciblyEndsAnOrphanAndTheRootAtOnce() throws Exception {
		ChildProcess child = this.children.supervised(DAEMON);
		assertThat(Children.firstLine(child.stdout())).isEqualTo("orphaned");
		child.tree().killForcibly();
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
		assertThat(this.children.alive()).isEmpty();
	}

	@RepeatedTest(10)
	void killWhileForkingLeavesNothing() throws Exception {
		ChildProcess child = this.children.supervised(FORKING);
		assertThat(Children.firstLine(child.stdout())).isEqualTo("forking");
		child.tree().kill();
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
		assertThat(this.children.alive()).isEmpty();
	}

	@RepeatedTest(5)
	void killOfAProcessThatRunsFromForkToForkLeavesNothing() throws Exception {
		ChildProcess child = this.children.supervised(RUNNING_AWAY);
		assertThat(Children.firstLine(child.stdout())).isEqualTo("running");
		child.tree().kill();
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
	}

	@Test
	void terminateAsksTheProgramAndNotTheRootThatHoldsTheTree() throws Exception {
		ChildProcess child = this.children.supervised(POLITE);
		assertThat(Children.firstLine(child.stdout())).isEqualTo("ready");
		child.tree().terminate();
		assertThat(Children.text(child.stdout())).isEqualTo("terminated\n");
		assertThat(child.exit().get(20, TimeUnit.SECONDS)).isEqualTo(new ExitStatus(0));
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
	}

	@Test
	void leftRunningCountsThoseThatLiveAndWereNotThereBefore() throws Exception {
		ChildProcess child = this.children.supervised(LEAVING);
		BufferedReader said = new BufferedReader(new InputStreamReader(child.stdout(), StandardCharsets.UTF_8));
		assertThat(said.readLine()).isEqualTo("ready");
		child.tree().adoptInit(false);
		assertThat(child.tree().leftRunning()).isZero();
		child.tree().terminate();
		assertThat(said.readLine()).isEqualTo("left one");
		assertThat(child.tree().leftRunning()).isOne();
		child.tree().kill();
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
		assertThat(child.tree().leftRunning()).isZero();
	}

	@Test
	void terminateIsOnlyARequest() throws Exception {
		ChildProcess child = this.children
			.supervised(DAEMON.replace("signal.pause()\n", "pass\n") + "signal.pause()\n");
		assertThat(Children.firstLine(child.stdout())).isEqualTo("orphaned");
		child.tree().terminate();
		assertThat(child.exit().get(20, TimeUnit.SECONDS)).isNotNull();
		child.tree().kill();
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
	}

	@Test
	void awaitEmptyWhileAProcessLivesGivesUpAtItsEndAndKeepsAnInterrupt() throws Exception {
		ChildProcess child = this.children.python("import signal; signal.pause()");
		Duration patience = Duration.ofMillis(30);
		long began = System.nanoTime();
		assertThat(child.tree().awaitEmpty(patience)).isFalse();
		assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(patience.toNanos());
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		Thread.currentThread().interrupt();
		began = System.nanoTime();
		assertThat(child.tree().awaitEmpty(patience)).isFalse();
		assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(patience.toNanos());
		assertThat(Thread.interrupted()).isTrue();
		child.tree().killForcibly();
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
	}

	@Test
	void awaitEmptyOnVirtualThreadsLeavesTheirCarriersToOthers() throws Exception {
		ExecutorService threads = virtualThreads();
		ChildProcess child = this.children.python("import signal; signal.pause()");
		List<Future<Boolean>> waiting = new ArrayList<>();
		for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
			waiting.add(threads.submit(() -> child.tree().awaitEmpty(LONG)));
		}
		// Each of them has begun, and as many again find a carrier.
		for (int i = 0; i < waiting.size(); i++) {
			assertThat(threads.submit(() -> true).get(15, TimeUnit.SECONDS)).isTrue();
		}
		assertThat(waiting).noneMatch(Future::isDone);
		child.tree().killForcibly();
		for (Future<Boolean> empty : waiting) {
			assertThat(empty.get(20, TimeUnit.SECONDS)).isTrue();
		}
		threads.shutdown();
	}

	private static ExecutorService virtualThreads() throws IllegalAccessException, InvocationTargetException {
		try {
			return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
		}
		catch (NoSuchMethodException ex) {
			throw new TestAbortedException("This JVM has no virtual threads");
		}
	}

	@Test
	void treeIsNotEmptyWhileADescendantOutlivesTheRoot() throws Exception {
		ChildProcess child = this.children.python("""
				import os, signal
				if os.fork() == 0:
					signal.signal(signal.SIGTERM, signal.SIG_IGN)
					os.setsid()
					print("stays")
					while True:
						signal.pause()
				signal.pause()
				""");
		assertThat(Children.firstLine(child.stdout())).isEqualTo("stays");
		long orphan = ProcessHandle.of(child.pid()).orElseThrow().children().findFirst().orElseThrow().pid();
		child.tree().terminate();
		ProcessHandle.of(child.pid()).ifPresent(ProcessHandle::destroyForcibly);
		child.exit().get(20, TimeUnit.SECONDS);
		assertThat(child.tree().isEmpty()).isFalse();
		assertThat(child.tree().awaitEmpty(Duration.ofMillis(10))).isFalse();
		ProcessHandle.of(orphan).ifPresent(ProcessHandle::destroyForcibly);
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
	}

	@Test
	void treeOfAChildThatEndedByItselfIsEmpty() throws Exception {
		ChildProcess child = this.children.start("/bin/true");
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
		assertThat(child.exit().get(20, TimeUnit.SECONDS)).isEqualTo(new ExitStatus(0));
		child.tree().terminate();
		child.tree().kill();
		child.tree().killForcibly();
		assertThat(child.tree().isEmpty()).isTrue();
	}

	@Test
	void initOfAPidNamespaceIsNotAskedToEndAndItsEndIsTheEndOfAll() throws Exception {
		assumeThat(this.children.inPidNamespace("pass").exit().get(20, TimeUnit.SECONDS).code())
			.as("status of unshare, which this host may not permit")
			.isZero();
		ChildProcess child = this.children.inPidNamespace("""
				import os, signal
				signal.signal(signal.SIGTERM, lambda *_: os.write(1, b"init was asked\\n"))
				if os.fork() == 0:
				"""
				+ DAEMON.replace("print(\"orphaned\")\nsignal.pause()\n", POLITE).indent(1).replaceAll("(?m)^ ", "\t")
				+ """
						while True:
							signal.pause()
						""");
		assertThat(Children.firstLine(child.stdout())).isEqualTo("ready");
		assertThat(this.children.alive()).hasSize(4);
		child.tree().adoptInit(true);
		child.tree().terminate();
		assertThat(this.children.awaitAlive(3)).hasSize(3);
		child.tree().kill();
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
		assertThat(this.children.alive()).isEmpty();
		assertThat(Children.text(child.stdout())).isEqualTo("terminated\n");
	}

	@Test
	void rootWithSeveralChildrenHasNoInitAndIsEndedAsAnyTree() throws Exception {
		ChildProcess child = this.children.start("/bin/sh", "-c", "/bin/sleep 301 & /bin/sleep 302 & wait");
		assertThat(this.children.awaitAlive(3)).hasSize(3);
		child.tree().adoptInit(true);
		child.tree().kill();
		assertThat(child.tree().awaitEmpty(LONG)).isTrue();
		assertThat(this.children.alive()).isEmpty();
	}

}
