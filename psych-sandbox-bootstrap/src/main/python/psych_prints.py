"""Gathers what a program prints, where it outlives the process. Imported once it has printed a lot.

Each write to stdout is one system call, because what was printed before a crash must not be lost,
and what a process gathers in its own memory would be. So it is gathered in memory that is shared
with a file, which the host holds on to; what is in there when the process has ended, however it
did, the host appends to what came through the pipe (docs/decisions/0029).

The file has SIZE bytes, all of them there from the start, so that no full file system is met later:

    0   8 bytes: 1 while what follows is being written to the pipe, otherwise 0
    8   8 bytes: how much this stream had written to the pipe when that began
    16  what was printed and not yet written, then UNUSED to the end

What is gathered never ends in UNUSED, so its end is where UNUSED begins. How much of it has come
through the pipe when the process is killed amid a write tells the host from what it has got.

It begins with a file of mode 0600 beside the program's text. A host that has it in hand makes the
mode HELD. Nothing is gathered before that, and the name is removed then.

Nothing is gathered by who has other processes, or handles signals: with them, the order of what is
printed is seen from elsewhere. Who writes to descriptor 1 by other ways than sys.stdout, hands it
on, or starts a process has all written that is gathered, and goes on with a write for each print.
"""

import _posixsubprocess
import _signal
import _thread
import mmap
import posix
import resource
import sys

NAME = ".psych-prints"
SIZE = 64 << 10
HEAD = 16
UNUSED = b"\xff"
NOTHING = UNUSED * (SIZE - HEAD)
HELD = 0o400
STDOUT = 1
# So many writes after each question whether the host has the file in hand, doubled each time.
PATIENCE, LEAST_PATIENCE, MOST_PATIENCE = 64, 16, 1 << 16
BYPASSES = ("/dev/stdout", "/dev/fd", "/proc/", "ctypes", "open(1")
OF_DESCRIPTORS = ("write", "writev", "sendfile", "splice", "dup", "dup2", "close", "set_blocking")
OF_PROCESSES = ("system", "posix_spawn", "posix_spawnp", "execv", "execve", "closerange")
WRITE = posix.write
SIGNALS = tuple(_signal.valid_signals() - {_signal.SIGINT})


def has_handlers():
    """Return whether a handler of the program's may print while something else does."""
    interrupt = _signal.getsignal(_signal.SIGINT)
    return any(map(callable, map(_signal.getsignal, SIGNALS))) or (
        callable(interrupt) and interrupt is not _signal.default_int_handler
    )


def has_processes(faults):
    """Return whether the program has, or has waited for, a child. Those of before it took so many
    page faults."""
    try:
        posix.waitid(posix.P_ALL, 0, posix.WEXITED | posix.WNOHANG | posix.WNOWAIT)
    except ChildProcessError:
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt > faults
    return True


def may_gather(source, namespace, faults):
    """Return whether nothing is known to reach descriptor 1 but by sys.stdout."""
    if hasattr(sys, "_is_gil_enabled") and not sys._is_gil_enabled():
        return False  # what is one step below is one only under the lock of the interpreter
    originals = {id(getattr(posix, name, None)) for name in OF_DESCRIPTORS + OF_PROCESSES}
    return not (
        has_processes(faults)
        or any(word in source for word in BYPASSES)
        or any(id(thing) in originals for thing in list(namespace.values()) if thing is not None)
    )


class Guards:
    """Stand in the way of what the program does beside sys.stdout with descriptor 1 and processes."""

    def __init__(self, leave):
        self.leave = leave
        self.changed = []
        posix.register_at_fork(before=leave)
        modules = [posix] + [sys.modules[name] for name in ("os",) if name in sys.modules]
        for names, always in ((OF_DESCRIPTORS, False), (OF_PROCESSES, True)):
            for name in names:
                self.stand(modules, name, always)
        self.stand([_posixsubprocess], "fork_exec", True)
        if "subprocess" in sys.modules:
            self.stand([sys.modules["subprocess"]], "_fork_exec", True)

    def stand(self, modules, name, always):
        function = getattr(modules[0], name, None)
        if function is None:
            return

        def guard(*arguments, **named):
            if always or any(type(value) is int and value == STDOUT for value in (*arguments[:2], *named.values())):
                self.leave()
            return function(*arguments, **named)

        guard.__name__ = guard.__qualname__ = name
        guard.__doc__ = function.__doc__
        for module in modules:
            if getattr(module, name, None) is function:
                setattr(module, name, guard)
                self.changed.append((module, name, guard, function))

    def stand_aside(self):
        os = sys.modules.get("os")  # may have been imported since, and taken them from posix
        for module, name, guard, function in self.changed:
            for place in (module, os) if module is posix else (module,):
                if getattr(place, name, None) is guard:
                    setattr(place, name, function)


class Prints:
    """The one stream of this process whose writes are gathered; `raw` is its FileIO."""

    def __init__(self, raw, counts, path):
        self.raw = raw
        self.direct, self.plain_flush, self.plain_fileno = raw.write, raw.flush, raw.fileno
        self.path = path
        self.lock = _thread.RLock()
        self.counts = counts
        # How much was written to the descriptor, and since then of what is gathered.
        self.account = (0, [])
        self.gathering = self.held = self.over = self.busy = False
        self.late = []
        self.patience = self.due = PATIENCE
        self.file = posix.open(path, posix.O_RDWR | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC, 0o600)
        try:
            if posix.write(self.file, bytes(HEAD) + NOTHING) < SIZE:
                raise OSError("there is no room to gather what is printed")
            self.memory = mmap.mmap(self.file, SIZE)
        except BaseException:
            self.forget_file()
            raise
        self.memory.seek(SIZE)
        self.put = self.gathered_write()
        self.guards = Guards(self.leave)

    def gathered_write(self):
        """Return the `write` of the time in which writes are gathered. It is called twice a print."""
        put, otherwise = self.memory.write, self.write_out

        def write(data):
            try:
                if type(data) is bytes and data[-1] != 255:
                    return put(data)
            except IndexError:
                return 0
            except ValueError:  # no room, or none for others than who has the lock
                pass
            return otherwise(data)

        return write

    def count(self, data):
        """Write as ever, and see whether the host has the file in hand by now."""
        with self.lock:
            count = self.direct(data)
            self.add(count or 0)
            self.due -= 1
            if self.due <= 0 and not self.over and not self.gathering:
                self.begin()
        return count

    def add(self, count):
        written, sent = self.account
        self.account = (written + count, sent)

    def begin(self):
        if not self.held:
            self.held = posix.fstat(self.file).st_mode & 0o777 == HELD
            if self.held:
                self.forget_file()
                self.add(sum(self.counts))  # by now also of those that were under way in other threads
        if self.held and not has_handlers():
            self.gathering = True
            self.raw.flush, self.raw.fileno = self.flush, self.fileno
            self.raw.write = self.put
            self.memory.seek(HEAD)
        elif self.patience >= MOST_PATIENCE:
            self.leave()
        else:
            self.wait_longer()

    def forget_file(self):
        try:
            posix.unlink(self.path)
            posix.close(self.file)
        except OSError:
            pass  # The program was faster.

    def wait_longer(self):
        self.patience = self.due = min(self.patience * 2, MOST_PATIENCE)

    def write_out(self, data):
        """Write what was gathered, and gather or write what did not fit."""
        with self.lock:
            if self.busy:  # printed by a finalizer or a tracing function, amid the lines below
                self.late.append(bytes(data))
                return len(self.late[-1])
            if self.gathering and has_handlers():
                self.leave()
            if not self.gathering:
                count = self.direct(data)
                self.add(count or 0)
                return count
            self.patience = LEAST_PATIENCE
            while True:
                if self.memory.tell() > HEAD:
                    self.drain()
                if type(data) is not bytes or data.endswith(UNUSED) or len(data) > SIZE - HEAD:
                    count = self.direct(data)
                    self.add(count or 0)
                    self.memory.seek(HEAD)
                    return count
                self.memory.seek(HEAD)
                try:
                    return self.memory.write(data)
                except ValueError:  # other threads were faster
                    pass

    def drain(self):
        """Write to the descriptor what was gathered. Nobody can gather until `memory.seek(HEAD)`.
        Whatever ends this early, it goes on where it was when it is called again."""
        memory = self.memory
        self.busy = True
        try:
            end = memory.tell()
            memory.seek(SIZE)  # from here on the others have no room, and wait for the lock
            if end < SIZE and memory[end:] == NOTHING[: SIZE - end]:
                text = memory[HEAD:end]
            else:  # somebody was between the two steps, or this was ended early the last time
                text = memory[HEAD:].rstrip(UNUSED)
            written, sent = self.account
            if text or sent:
                memory[:HEAD] = (1).to_bytes(8, "little") + written.to_bytes(8, "little")
                while sum(sent) < len(text):
                    # One step for the interpreter: no exception comes between a write and its count.
                    sent.extend(map(WRITE, (STDOUT,), (text[sum(sent) :],)))
                memory[HEAD : HEAD + len(text)] = NOTHING[: len(text)]
                written += sum(sent)
                memory[:HEAD] = bytes(8) + written.to_bytes(8, "little")
                self.account = (written, [])
            while self.late:
                self.add(self.direct(self.late[0]) or 0)
                self.late.pop(0)
        finally:
            self.busy = False

    def pause(self):
        """Write what was gathered, and all else as ever for a while."""
        with self.lock:
            if self.gathering and not self.busy:
                self.drain()
                self.gathering = False
                self.raw.write = self.count
                for name in ("flush", "fileno"):
                    self.raw.__dict__.pop(name, None)
                self.wait_longer()

    def leave(self):
        """Write what was gathered, and all else as ever from now on."""
        if self.over:
            return
        with self.lock:
            self.pause()
            if not self.over and not self.gathering:
                self.over = True
                self.raw.__dict__.pop("write", None)
                self.guards.stand_aside()
                if not self.held:
                    self.forget_file()

    def flush(self):
        self.pause()
        return self.plain_flush()

    def fileno(self):
        self.leave()
        return self.plain_fileno()


def gather(raw, counts, path, source, namespace, faults):
    """Gather what is written to a FileIO from when the host lets it, unless that could be seen."""
    try:
        if may_gather(source, namespace, faults):
            raw.write = Prints(raw, counts, path.rpartition("/")[0] + "/" + NAME).count
    except Exception:  # no room, a file of that name, a module in the way: nothing is gathered
        pass
