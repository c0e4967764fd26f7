package io.psych.sandbox.spawn;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Timeout(60)
class NativeLauncherTests {

	private static final HostUser ANOTHER = new HostUser("another", 60077, 60078);

	private static final String ECHO = """
			import os, socket
			channel = socket.socket(fileno=3)
			said = channel.recv(100)
			channel.sendall(said.upper() if said else b"nothing")
			""";

	private static final String IDS = """
			import os
			print(os.getresuid(), os.getresgid(), os.getgroups())
			""";

	/** A process that has forgotten root can't become it again, whatever it tries. */
	private static final String BACK = """
			import os
			for attempt in (lambda: os.setuid(0), lambda: os.setresuid(-1, 0, -1), lambda: os.setgid(0), lambda: os.setgroups([0])):
			    try:
			        attempt()
			        print("done")
			    except PermissionError as problem:
			        print("EPERM")
			""";

	private final Children children = new Children();

	private final Spawner spawner = new Spawner();

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.children.awaitAlive(0)).isEmpty();
	}

	@Test
	void channelIsInheritedAndWorksBothWays(@TempDir Path folder) throws Exception {
		try (ChannelPairs channels = ChannelPairs.create(folder.resolve("n"))) {
			ChildProcess child = start(ECHO, null, channels);
			SocketChannel channel = child.channel();
			channel.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8)));
			assertThat(text(channel)).isEqualTo("HELLO");
			assertThat(child.exit().get(20, TimeUnit.SECONDS)).isEqualTo(new ExitStatus(0));
			child.close();
			assertThat(channel.isOpen()).isFalse();
		}
		assertThat(folder).isEmptyDirectory();
	}

	@Test
	void nobodyElseHoldsTheChannel(@TempDir Path folder) throws Exception {
		try (ChannelPairs channels = ChannelPairs.create(folder.resolve("n"))) {
			try (ChildProcess hearsTheEnd = start(ECHO, null, channels)) {
				hearsTheEnd.channel().shutdownOutput();
				assertThat(text(hearsTheEnd.channel())).isEqualTo("nothing");
			}
			try (ChildProcess dies = start("import os; os._exit(0)", null, channels)) {
				assertThat(text(dies.channel())).isEmpty();
			}
		}
	}

	@Test
	void connectionOfSomebodyElseIsNotTakenForTheChild(@TempDir Path folder) throws Exception {
		try (ChannelPairs channels = ChannelPairs.create(folder.resolve("n"));
				SocketChannel silent = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("n/s")));
				SocketChannel liar = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("n/s")))) {
			liar.write(ByteBuffer.allocate(16));
			try (ChildProcess child = start(ECHO, null, channels)) {
				child.channel().write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8)));
				assertThat(text(child.channel())).isEqualTo("HELLO");
			}
			assertThat(text(silent)).isEmpty();
		}
	}

	@Test
	void socketIsForThisUserAlone(@TempDir Path folder) throws Exception {
		try (ChannelPairs channels = ChannelPairs.create(folder.resolve("n"))) {
			assertThat(channels).isNotNull();
			assertThat(Files.getPosixFilePermissions(folder.resolve("n"))).hasSize(3)
				.allMatch((permission) -> permission.name().startsWith("OWNER_"));
		}
	}

	@Test
	void childHasItsChannelAndNoOtherDescriptor(@TempDir Path folder) throws Exception {
		try (ChannelPairs channels = ChannelPairs.create(folder.resolve("n")); ChildProcess child = start("""
				import os
				for number in sorted(map(int, os.listdir("/proc/self/fd"))):
				    try:
				        os.fstat(number)
				        print(number, end=" ")
				    except OSError:
				        pass  # the descriptor of the listing
				""", null, channels)) {
			assertThat(Children.text(child.stdout())).isEqualTo("0 1 2 3 ");
		}
	}

	@Test
	void descriptorsOfThisJvmDoNotGrow(@TempDir Path folder) throws Exception {
		try (ChannelPairs channels = ChannelPairs.create(folder.resolve("n"))) {
			List<Integer> counts = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				for (int j = 0; j < 20; j++) {
					try (ChildProcess child = start("pass", null, channels)) {
						assertThat(Children.text(child.stdout())).isEmpty();
						child.exit().get(20, TimeUnit.SECONDS);
					}
					assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.spawner
						.start(new ChildCommand(List.of("/no/such"), Map.of(), Path.of("/"), null, channels, null)));
				}
				try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
					counts.add((int) open.count());
				}
			}
			assertThat(counts.get(2)).isLessThan(counts.get(0) + 20);
		}
	}

	@Test
	void childIsAnotherUserForGoodAndThisJvmIsNot() throws Exception {
		assumeTrue(HostUser.current().isRoot(), "only root can start a process as another user");
		String before = Children.text(this.children.python(IDS).stdout());
		try (ChildProcess child = start(IDS, ANOTHER, null)) {
			assertThat(Children.text(child.stdout())).isEqualTo("(60077, 60077, 60077) (60078, 60078, 60078) []\n");
		}
		try (ChildProcess child = start(BACK, ANOTHER, null)) {
			assertThat(Children.text(child.stdout())).isEqualTo("EPERM\nEPERM\nEPERM\nEPERM\n");
		}
		assertThat(Children.text(this.children.python(IDS).stdout())).isEqualTo(before);
		assertThat(usersOfThreads()).containsExactly("0");
		long dumpable = SpawnLibc.syscall(isArm() ? 167 : 157, SpawnLibc.PR_GET_DUMPABLE, 0, 0);
		assertThat(dumpable).isEqualTo(1);
	}

	@Test
	void startAsAnotherUserOfWhatIsNotThereFailsAndComesBack() throws Exception {
		assumeTrue(HostUser.current().isRoot(), "only root can start a process as another user");
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.spawner
				.start(new ChildCommand(List.of("/no/such/program"), Map.of(), Path.of("/"), ANOTHER, null, null)))
			.withMessageContaining("/no/such/program");
		assertThat(usersOfThreads()).containsExactly("0");
	}

	@Test
	void childWhoseStarterCanNotComeBackIsEnded() {
		ChildCommand command = new ChildCommand(List.of("/bin/sleep", "300"), Map.of("MARKER", this.children.marker()),
				Path.of("/"))
			.within(() -> () -> {
				throw new IOException("there is no way back");
			});
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.spawner.start(command))
			.withMessage("there is no way back");
	}

	@Test
	void javaRefusesWhatItCanNotDo(@TempDir Path folder) throws Exception {
		try (ChannelPairs channels = ChannelPairs.create(folder.resolve("n"))) {
			for (ChildCommand command : List.of(
					new ChildCommand(List.of("/bin/true"), Map.of(), Path.of("/"), ANOTHER, null, null),
					new ChildCommand(List.of("/bin/true"), Map.of(), Path.of("/"), null, channels, null),
					new ChildCommand(List.of("/bin/true"), Map.of(), Path.of("/")).within(() -> () -> {
					}))) {
				assertThatIllegalArgumentException().isThrownBy(() -> new JavaLauncher().launch(command));
			}
		}
	}

	private static boolean isArm() {
		return Set.of("aarch64", "arm64").contains(System.getProperty("os.arch"));
	}

	private ChildProcess start(String program, @Nullable HostUser user, @Nullable ChannelPairs channels)
			throws IOException, InterruptedException {
		return this.spawner.start(new ChildCommand(List.of(Children.PYTHON, "-I", "-S", "-u", "-c", program),
				Map.of("MARKER", this.children.marker()), Path.of("/"), user, channels, null));
	}

	/** Real, effective, saved and file system users of all threads. */
	private static Set<String> usersOfThreads() throws IOException {
		Set<String> users = new TreeSet<>();
		try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
			for (Path thread : threads.toList()) {
				if (Files.exists(thread)) {
					Files.readAllLines(thread.resolve("status"), StandardCharsets.ISO_8859_1)
						.stream()
						.filter((line) -> line.startsWith("Uid:"))
						.forEach((line) -> users.addAll(List.of(line.substring(4).trim().split("\\s+"))));
				}
			}
		}
		return users;
	}

	/** Read to the end. */
	private static String text(SocketChannel channel) throws IOException {
		ByteBuffer read = ByteBuffer.allocate(1000);
		int count = channel.read(read);
		while (count >= 0) {
			count = channel.read(read);
		}
		return new String(read.array(), 0, read.position(), StandardCharsets.UTF_8);
	}

}
