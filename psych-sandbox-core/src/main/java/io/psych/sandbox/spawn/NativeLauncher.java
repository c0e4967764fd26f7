package io.psych.sandbox.spawn;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * Starts processes with {@code posix_spawn}, without a helper in between, with a channel
 * they inherit, and where this JVM is root as another user.
 * <p>
 * The user of a thread is its own for the kernel (credentials(7)). The thread that starts
 * a child is the child's user while it does, and can become root again, which the child
 * can't: the kernel forgets the saved user when a program is executed.
 */
final class NativeLauncher implements Launcher {

	/** How Java writes names and arguments, which have to be what Java means by them. */
	private static final Charset NAMES = names();

	private static final byte[] NOWHERE = zeroEnded("/dev/null".getBytes(StandardCharsets.US_ASCII));

	private static final int READ_ONLY = 0;

	private final Pointer attributes;

	private final Numbers numbers;

	private @Nullable Root root;

	private NativeLauncher(Pointer attributes, Numbers numbers) {
		this.attributes = attributes;
		this.numbers = numbers;
	}

	/**
	 * Return the launcher.
	 * @return the launcher, or {@code null} where the C library lacks what it needs
	 */
	static @Nullable NativeLauncher find() {
		Numbers numbers = Platform.isLinux() ? Numbers.current() : null;
		if (numbers == null) {
			return null;
		}
		try {
			return new NativeLauncher(attributes(), numbers);
		}
		catch (UnsatisfiedLinkError ex) {
			return null;
		}
	}

	private static Charset names() {
		String name = System.getProperty("sun.jnu.encoding");
		return (name != null && Charset.isSupported(name)) ? Charset.forName(name) : StandardCharsets.UTF_8;
	}

	/** A child blocks no signal and ignores none, whatever this JVM does. */
	private static Pointer attributes() {
		Memory attributes = new Memory(SpawnLibc.ATTRIBUTES);
		try (Memory none = new Memory(SpawnLibc.SIGNALS); Memory all = new Memory(SpawnLibc.SIGNALS)) {
			none.clear();
			all.setMemory(0, SpawnLibc.SIGNALS, (byte) 0xFF);
			SpawnLibc.posix_spawnattr_init(attributes);
			SpawnLibc.posix_spawnattr_setsigmask(attributes, none);
			SpawnLibc.posix_spawnattr_setsigdefault(attributes, all);
			SpawnLibc.posix_spawnattr_setflags(attributes, SpawnLibc.SET_SIGNALS);
		}
		return attributes;
	}

	@Override
	public ChildProcess launch(ChildCommand command) throws IOException {
		List<Integer> handedOn = new ArrayList<>();
		List<Closeable> kept = new ArrayList<>();
		try {
			InputStream stdout = pipe(handedOn, kept);
			InputStream stderr = pipe(handedOn, kept);
			ChannelPairs.Pair pair = (command.channels() != null) ? command.channels().make() : null;
			if (pair != null) {
				kept.add(pair.channel());
				handedOn.add(pair.descriptor());
			}
			moveUp(handedOn);
			int pid = spawn(command, handedOn);
			kept.clear();
			return new NativeProcess(pid, stdout, stderr, (pair != null) ? pair.channel() : null);
		}
		finally {
			handedOn.forEach(SpawnLibc::close);
			close(kept);
		}
	}

	/** Make a pipe, of which Java reads one end by a name that the kernel has for it. */
	private static InputStream pipe(List<Integer> handedOn, List<Closeable> kept) throws IOException {
		int[] ends = new int[2];
		if (SpawnLibc.pipe2(ends, SpawnLibc.O_CLOEXEC) != 0) {
			throw new IOException("a pipe can't be made: " + SpawnLibc.meaning(Native.getLastError()));
		}
		handedOn.add(ends[1]);
		try {
			InputStream stream = new PipeStream(ends[0]);
			kept.add(stream);
			return stream;
		}
		finally {
			SpawnLibc.close(ends[0]);
		}
	}

	private static void close(List<Closeable> kept) throws IOException {
		for (Closeable closeable : kept) {
			closeable.close();
		}
	}

	/** Out of the way of the numbers they get: a JVM may have been started without 0. */
	private static void moveUp(List<Integer> descriptors) throws IOException {
		for (int i = 0; i < descriptors.size(); i++) {
			int descriptor = descriptors.get(i);
			if (descriptor <= ChildCommand.CHANNEL) {
				int copy = SpawnLibc.fcntl(descriptor, SpawnLibc.F_DUPFD_CLOEXEC, ChildCommand.CHANNEL + 1);
				if (copy < 0) {
					throw new IOException("a descriptor can't be copied: " + SpawnLibc.meaning(Native.getLastError()));
				}
				SpawnLibc.close(descriptor);
				descriptors.set(i, copy);
			}
		}
	}

	/** Start it with descriptors for 1, 2 and if there is a third one 3. */
	private int spawn(ChildCommand command, List<Integer> descriptors) throws IOException {
		byte[] path = bytes(command.arguments().get(0));
		List<String> environment = new ArrayList<>();
		command.environment().forEach((name, value) -> environment.add(name + "=" + value));
		int[] pid = new int[1];
		int problem;
		try (Memory actions = new Memory(SpawnLibc.FILE_ACTIONS);
				Memory arguments = strings(command.arguments());
				Memory variables = strings(environment)) {
			check(SpawnLibc.posix_spawn_file_actions_init(actions));
			try {
				check(SpawnLibc.posix_spawn_file_actions_addchdir_np(actions, bytes(command.directory().toString())));
				check(SpawnLibc.posix_spawn_file_actions_addopen(actions, 0, NOWHERE, READ_ONLY, 0));
				for (int i = 0; i < descriptors.size(); i++) {
					check(SpawnLibc.posix_spawn_file_actions_adddup2(actions, descriptors.get(i), i + 1));
				}
				check(SpawnLibc.posix_spawn_file_actions_addclosefrom_np(actions, descriptors.size() + 1));
				// All that could start a thread of the JVM's is done by now.
				HostUser user = command.user();
				Root root = (user != null) ? root() : null;
				Surroundings surroundings = command.surroundings();
				Closeable entered = (surroundings != null) ? surroundings.enter() : null;
				try {
					problem = (root != null && user != null)
							? root.spawnAs(user, pid, path, actions, arguments, variables)
							: SpawnLibc.posix_spawn(pid, path, actions, this.attributes, arguments, variables);
				}
				finally {
					leave(entered, pid[0]);
				}
			}
			finally {
				SpawnLibc.posix_spawn_file_actions_destroy(actions);
			}
		}
		if (problem != 0) {
			throw new IOException("%s (in folder %s) can't be started: %s".formatted(command.arguments().get(0),
					command.directory(), SpawnLibc.meaning(problem)));
		}
		return pid[0];
	}

	/** What is not prepared, such as the closing of descriptors, must not be left out. */
	private static void check(int problem) throws IOException {
		if (problem != 0) {
			throw new IOException("a start can't be prepared: " + SpawnLibc.meaning(problem));
		}
	}

	private static void leave(@Nullable Closeable entered, int pid) throws IOException {
		if (entered == null) {
			return;
		}
		try {
			entered.close();
		}
		catch (IOException ex) {
			if (pid > 0) {
				ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
				SpawnLibc.waitpid(pid, new int[1], 0);
			}
			throw ex;
		}
	}

	private Root root() throws IOException {
		Root root = this.root;
		if (root == null) {
			root = new Root();
			this.root = root;
		}
		return root;
	}

	private static byte[] bytes(String text) throws IOException {
		if (text.indexOf('\0') >= 0) {
			throw new IOException("a NUL character can't be handed to a process: " + text.replace('\0', '\u2400'));
		}
		return zeroEnded(text.getBytes(NAMES));
	}

	private static byte[] zeroEnded(byte[] bytes) {
		byte[] ended = new byte[bytes.length + 1];
		System.arraycopy(bytes, 0, ended, 0, bytes.length);
		return ended;
	}

	/** An array of pointers that ends with null, and behind it what they point to. */
	private static Memory strings(List<String> texts) throws IOException {
		List<byte[]> all = new ArrayList<>(texts.size());
		long size = 0;
		for (String text : texts) {
			byte[] bytes = bytes(text);
			all.add(bytes);
			size += bytes.length;
		}
		long at = (texts.size() + 1L) * Native.POINTER_SIZE;
		Memory memory = new Memory(at + size);
		for (int i = 0; i < all.size(); i++) {
			byte[] bytes = all.get(i);
			memory.write(at, bytes, 0, bytes.length);
			memory.setPointer((long) i * Native.POINTER_SIZE, memory.share(at));
			at += bytes.length;
		}
		memory.setPointer((long) texts.size() * Native.POINTER_SIZE, Pointer.NULL);
		return memory;
	}

	/**
	 * The numbers of calls that concern the calling thread alone (the C library has
	 * functions of the same names, which concern all threads).
	 *
	 * @param setGroups {@code setgroups(2)}
	 * @param setUser {@code setresuid(2)}
	 * @param setGroup {@code setresgid(2)}
	 * @param control {@code prctl(2)}
	 */
	private record Numbers(int setGroups, int setUser, int setGroup, int control) {

		static @Nullable Numbers current() {
			return switch (System.getProperty("os.arch")) {
				case "amd64", "x86_64" -> new Numbers(116, 117, 119, 157);
				case "aarch64", "arm64" -> new Numbers(159, 147, 149, 167);
				default -> null;
			};
		}

	}

	/**
	 * The thread that starts children, of a JVM that is root. Nothing but calls of the
	 * kernel is done while it is somebody else.
	 */
	private final class Root {

		private final int group = Libc.INSTANCE.getegid();

		private final int count;

		private final Memory groups;

		private final boolean dumpable = call(NativeLauncher.this.numbers.control(), SpawnLibc.PR_GET_DUMPABLE, 0,
				0) == 1;

		Root() throws IOException {
			if (Libc.INSTANCE.geteuid() != HostUser.ROOT) {
				throw new IOException("only root can start a process as another user");
			}
			this.count = Math.max(SpawnLibc.getgroups(0, null), 0);
			int[] groups = new int[this.count];
			SpawnLibc.getgroups(this.count, groups);
			this.groups = new Memory((this.count + 1L) * Integer.BYTES);
			this.groups.write(0, groups, 0, groups.length);
		}

		/** Return 0, or an {@code errno}. */
		int spawnAs(HostUser user, int[] pid, byte[] path, Pointer actions, Pointer arguments, Pointer environment)
				throws IOException {
			Numbers numbers = NativeLauncher.this.numbers;
			int problem = 0;
			boolean became = false;
			boolean back = true;
			if (call(numbers.setGroups(), 0, 0, 0) == 0) {
				became = become(user);
				if (became) {
					problem = SpawnLibc.posix_spawn(pid, path, actions, NativeLauncher.this.attributes, arguments,
							environment);
				}
				back = comeBack();
			}
			if (!back) {
				throw new IllegalStateException("the thread that starts children can't become root again");
			}
			if (!became) {
				throw new IOException("a child can't be started as %s: this JVM lacks CAP_SETUID or CAP_SETGID, or"
					.formatted(user.name()) + " its user namespace has no such user");
			}
			return problem;
		}

		/** The saved user stays root, which a program that is executed does not get. */
		private boolean become(HostUser user) {
			Numbers numbers = NativeLauncher.this.numbers;
			return call(numbers.setGroup(), user.gid(), user.gid(), this.group) == 0
					&& call(numbers.setUser(), user.uid(), user.uid(), HostUser.ROOT) == 0;
		}

		private boolean comeBack() {
			Numbers numbers = NativeLauncher.this.numbers;
			boolean back = call(numbers.setUser(), HostUser.ROOT, HostUser.ROOT, HostUser.ROOT) == 0
					&& call(numbers.setGroup(), this.group, this.group, this.group) == 0
					&& call(numbers.setGroups(), this.count, Pointer.nativeValue(this.groups), 0) == 0;
			if (this.dumpable) {
				// The kernel takes whoever becomes another for one that has secrets.
				call(numbers.control(), SpawnLibc.PR_SET_DUMPABLE, 1, 0);
			}
			return back;
		}

		private static long call(int number, long first, long second, long third) {
			return SpawnLibc.syscall(number, first, second, third);
		}

	}

}
