package io.psych.sandbox.spawn;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ProcessEntryTests {

	private final Children children = new Children();

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.children.awaitAlive(0)).isEmpty();
	}

	@Test
	void findReadsPastACommandThatLooksLikeTheRest() throws Exception {
		ChildProcess child = this.children.python("""
				import signal
				with open("/proc/self/comm", "w") as command:
					command.write("a) Z 1 (b) X 2")
				print("named")
				signal.pause()
				""");
		assertThat(Children.firstLine(child.stdout())).isEqualTo("named");
		ProcessEntry entry = ProcessEntry.find(child.pid());
		assertThat(entry).isNotNull();
		assertThat(entry.isAlive()).isTrue();
		assertThat(entry.parent()).isEqualTo(ProcessHandle.current().pid());
		assertThat(entry.threads()).isOne();
		assertThat(entry.began()).isPositive();
		assertThat(entry.children()).isEmpty();
		child.tree().killForcibly();
		child.exit().join();
		assertThat(ProcessEntry.find(child.pid())).isNull();
		assertThat(entry.children()).isEmpty();
	}

	@Test
	void childrenAreThoseOfAllThreads() throws Exception {
		ChildProcess child = this.children.python("""
				import os, signal, threading
				def start():
					if os.fork() == 0:
						print("started")
						signal.pause()
					threading.Event().wait()
				threading.Thread(target=start, daemon=True).start()
				signal.pause()
				""");
		assertThat(Children.firstLine(child.stdout())).isEqualTo("started");
		ProcessEntry entry = ProcessEntry.find(child.pid());
		assertThat(entry).isNotNull();
		assertThat(entry.threads()).isEqualTo(2);
		assertThat(entry.children()).singleElement()
			.satisfies((started) -> assertThat(started.parent()).isEqualTo(child.pid()));
		assertThat(child.tree().pids()).isEqualTo(List.of(child.pid(), entry.children().get(0).pid()));
		child.tree().kill();
		assertThat(child.tree().awaitEmpty(Duration.ofSeconds(20))).isTrue();
	}

}
