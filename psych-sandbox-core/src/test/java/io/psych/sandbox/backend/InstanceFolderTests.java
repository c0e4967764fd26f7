package io.psych.sandbox.backend;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.psych.sandbox.spawn.HostUser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

class InstanceFolderTests {

	private static final String PREFIX = InstanceFolder.PREFIX + ProcessHandle.current().pid() + "-0123456789ab";

	/** Only root can give a folder away. */
	private final HostUser childUser = HostUser.current().isRoot() ? HostUser.find("nobody") : HostUser.current();

	@TempDir
	private Path parent;

	private InstanceFolder instance;

	@BeforeEach
	void makeFolder() throws IOException {
		Files.setPosixFilePermissions(this.parent, PosixFilePermissions.fromString("rwx--x--x"));
		this.instance = InstanceFolder.create(this.parent, ChildUsers.shared(this.childUser));
	}

	@AfterEach
	void nothingIsLeft() throws IOException {
		this.instance.close();
		assertThat(entries(this.parent)).isEmpty();
	}

	@Test
	void othersMayPassThroughTheFolderButNotListIt() throws IOException {
		Path folder = this.instance.canary().getParent();
		assertThat(folder.getFileName().toString()).startsWith("psych-sandbox-" + ProcessHandle.current().pid() + "-");
		assertThat(permissions(folder)).isEqualTo("rwx--x--x");
		assertThat(permissions(folder.resolve("x"))).isEqualTo("rwx--x--x");
		assertThat(owner(folder)).isEqualTo(HostUser.current().uid());
	}

	@Test
	void canaryCanBeReadByAnybody() throws IOException {
		assertThat(permissions(this.instance.canary())).isEqualTo("rw-r--r--");
		assertThat(this.instance.canary()).content().contains("canary");
	}

	@Test
	void etcOfChildrenKnowsOneUserAndNothingOfTheHost() throws IOException {
		Path etc = this.instance.etc();
		assertThat(permissions(etc)).isEqualTo("rwxr-xr-x");
		assertThat(etc.resolve("passwd")).hasContent(
				"sandbox%1$d:x:%1$d:%2$d::/tmp/work:/bin/sh".formatted(this.childUser.uid(), this.childUser.gid()));
		assertThat(etc.resolve("group")).hasContent("sandbox%1$d:x:%1$d:".formatted(this.childUser.gid()));
		for (Path entry : entries(etc)) {
			assertThat(entry.getFileName().toString()).isIn("passwd", "group", "hosts", "nsswitch.conf", "ld.so.cache",
					"alternatives", "fonts", "psych.bpf", "psych_network.bpf");
			assertThat(permissions(entry)).isIn("rw-r--r--", "rwxr-xr-x");
		}
	}

	@Test
	void everyExecutionHasAFolderOfItsOwnThatIsOpenToItsChildOnly() throws IOException {
		Set<Path> sockets = new HashSet<>();
		try (ExecutionFolder first = this.instance.newExecution();
				ExecutionFolder second = this.instance.newExecution()) {
			for (ExecutionFolder execution : List.of(first, second)) {
				sockets.add(execution.socket());
				Path folder = execution.temp().getParent();
				assertThat(permissions(folder)).isEqualTo("rwx--x--x");
				assertThat(permissions(execution.channelFolder())).isEqualTo("rwx------");
				assertThat(permissions(execution.temp())).isEqualTo("rwx------");
				assertThat(owner(execution.channelFolder())).isEqualTo(HostUser.current().uid());
				execution.openChannel();
				for (Path made : List.of(execution.channelFolder(), execution.socket(), execution.temp(),
						execution.workspace())) {
					assertThat(owner(made)).as(made.toString()).isEqualTo(this.childUser.uid());
					assertThat(Files.getAttribute(made, "unix:gid", LinkOption.NOFOLLOW_LINKS))
						.isEqualTo(this.childUser.gid());
				}
				assertThat(execution.workspace()).isEmptyDirectory().hasParent(execution.temp());
				assertThat(entries(execution.channelFolder())).containsExactly(execution.socket());
			}
		}
		assertThat(sockets).hasSize(2);
	}

	@Test
	void executionListensAndCloseRemovesTheFolderWithAllThatIsInIt() throws IOException {
		ExecutionFolder execution = this.instance.newExecution();
		try (SocketChannel child = SocketChannel.open(UnixDomainSocketAddress.of(execution.socket()))) {
			execution.listener().accept().close();
			Files.writeString(execution.workspace().resolve("file"), "x");
			Files.createDirectories(execution.temp().resolve("a/b"));
			execution.close();
			assertThat(execution.temp().getParent()).doesNotExist();
			assertThat(execution.listener().isOpen()).isFalse();
			execution.close();
		}
	}

	@Test
	void executionThatCannotBeMadeLeavesNothing() throws IOException {
		Path folder = this.parent.resolve("x".repeat(100));
		assertThatExceptionOfType(IOException.class).isThrownBy(
				() -> ExecutionFolder.create(folder, HostUser.current(), ChildUsers.shared(HostUser.current())));
		assertThat(folder).doesNotExist();
	}

	@Test
	void closeRemovesWhatExecutionsLeft() throws IOException {
		ExecutionFolder execution = this.instance.newExecution();
		Files.writeString(execution.workspace().resolve("file"), "x");
		execution.listener().close();
		this.instance.close();
		assertThat(entries(this.parent)).isEmpty();
	}

	@Test
	void parentWhosePathIsTooLongForASocketIsRefused() throws IOException {
		Path deep = Files.createDirectory(this.parent.resolve("d".repeat(90)));
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> InstanceFolder.create(deep, ChildUsers.shared(this.childUser)))
			.withMessageContaining(deep.toString())
			.withMessageContaining("108");
		Files.delete(deep);
	}

	@Test
	void parentWhosePathHasTooManyBytesForASocketIsRefusedThoughItHasFewCharacters() throws IOException {
		assumeThat(System.getProperty("sun.jnu.encoding")).as("names are written in UTF-8").isEqualTo("UTF-8");
		int room = 80 - this.parent.toString().length() - PREFIX.length();
		Path ascii = Files.createDirectory(this.parent.resolve("d".repeat(room / 2)));
		InstanceFolder.create(ascii, ChildUsers.shared(this.childUser)).close();
		Files.delete(ascii);
		Path umlauts = Files.createDirectory(this.parent.resolve("\u4e2d".repeat(room / 2)));
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> InstanceFolder.create(umlauts, ChildUsers.shared(this.childUser)))
			.withMessageContaining("more than 108 bytes");
		Files.delete(umlauts);
	}

	@Test
	void createRemovesWhatDeadInstancesDidNotFinish() throws IOException {
		Path empty = Files.createDirectory(this.parent.resolve(".psych-sandbox-1-dead-0"));
		Path unlocked = Files.createDirectory(this.parent.resolve(".psych-sandbox-2-dead-0"));
		Files.createFile(unlocked.resolve("lock"));
		Path locked = Files.createDirectory(this.parent.resolve(".psych-sandbox-3-living-0"));
		Path foreign = Files.createDirectory(this.parent.resolve(".psych-sandbox-notes"));
		Files.createFile(foreign.resolve("notes"));
		try (FileChannel channel = FileChannel.open(locked.resolve("lock"), StandardOpenOption.CREATE_NEW,
				StandardOpenOption.WRITE)) {
			assertThat(channel.tryLock()).isNotNull();
			InstanceFolder.create(this.parent, ChildUsers.shared(this.childUser)).close();
			assertThat(empty).doesNotExist();
			assertThat(unlocked).doesNotExist();
			assertThat(locked.resolve("lock")).exists();
			assertThat(foreign.resolve("notes")).exists();
		}
		Folders.delete(locked);
		Folders.delete(foreign);
	}

	@Test
	void finishOfAFolderThatWasTakenForALeftoverIsNoLockSoThatAnotherIsMade() throws IOException {
		Path folder = this.parent.resolve("psych-sandbox-0-made");
		assertThat(InstanceLock.finish(this.parent.resolve(".psych-sandbox-0-made-0"), folder)).isNull();
		assertThat(folder).doesNotExist();
		InstanceLock lock = InstanceLock.makeFolder(folder);
		assertThat(entries(folder)).containsExactly(folder.resolve("lock"));
		InstanceLock.sweep(this.parent, InstanceFolder.PREFIX);
		assertThat(folder).exists();
		lock.close();
		InstanceLock.sweep(this.parent, InstanceFolder.PREFIX);
		assertThat(folder).doesNotExist();
	}

	@Test
	void parentThatIsNotThereIsRefused() {
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> InstanceFolder.create(this.parent.resolve("missing"), ChildUsers.shared(this.childUser)))
			.withMessageContaining("missing");
	}

	@Test
	void parentTheChildCannotPassThroughIsRefusedNamingUserAndFolder() throws IOException {
		assumeThat(HostUser.current().isRoot()).as("only root starts children as another user").isTrue();
		Path closed = Files.createDirectory(this.parent.resolve("closed"),
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> InstanceFolder.create(closed, ChildUsers.shared(this.childUser)))
			.withMessageContaining("nobody")
			.withMessageContaining(closed.toRealPath().toString())
			.withMessageContaining("rwx------");
		assertThat(entries(closed)).isEmpty();
		Files.delete(closed);
	}

	private static String permissions(Path path) throws IOException {
		return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
	}

	private static int owner(Path path) throws IOException {
		return (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
	}

	private static List<Path> entries(Path folder) throws IOException {
		try (Stream<Path> entries = Files.list(folder)) {
			return entries.toList();
		}
	}

}
