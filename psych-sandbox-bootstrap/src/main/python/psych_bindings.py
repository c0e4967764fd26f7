"""The channel to the host, and what of it a program sees: its tools."""

import _socket
import _thread
import builtins
import posix
import sys

from psych_values import FRAME_LIMIT, MAX_VALUES, Encoder, Unencodable, decode, flat, quote


class Channel:
    """The socket to the host. Replies are read by whoever waits, one reader at a time."""

    def __init__(self, sock):
        self.sock = sock
        self.owner = posix.getpid()
        self.write_lock = _thread.allocate_lock()
        self.read_lock = _thread.allocate_lock()
        self.reader_started = False
        self.next_id = 0
        self.pending = {}
        self.buffer = bytearray()

    def send(self, text):
        self.sock.sendall(text.encode("utf-8") + b"\n")

    def receive(self):
        """Return the next frame; the host gone is the end of this process."""
        if not self.buffer:
            data = self.sock.recv(65536)
            if data and data.find(b"\n") == len(data) - 1:
                return decode(data.decode("utf-8"))  # one frame and no more, as nearly always
            self.keep(data)
        searched = 0
        while True:
            end = self.buffer.find(b"\n", searched)
            if end >= 0:
                line = self.buffer[:end].decode("utf-8")
                del self.buffer[: end + 1]
                return decode(line)
            searched = len(self.buffer)
            self.keep(self.sock.recv(65536))

    def fill(self):
        """Take what the host has sent; return whether that is anything, which a timeout is not."""
        try:
            data = self.sock.recv(65536)
        except _socket.timeout:
            return False
        self.keep(data)
        return True

    def keep(self, data):
        if not data:
            posix._exit(0)
        self.buffer += data

    def request(self, name, arguments, deliver):
        """Send one call and return its number; `deliver` gets its reply, on whichever thread reads it."""
        with self.write_lock:
            call = self.next_id
            if deliver is not None:
                self.pending[call] = deliver
            try:
                frame = '{"type":"call","id":%d,"name":%s,"arguments":%s}\n' % (call, quote(name), arguments)
                self.sock.sendall(frame.encode("utf-8"))
            except OSError:
                self.pending.pop(call, None)
                raise
            self.next_id = call + 1
        return call

    def dispatch(self, frame):
        deliver = self.pending.pop(frame["id"], None)
        if deliver is not None:
            deliver(frame)

    def call(self, name, arguments):
        """Send one call and wait for its reply on this thread."""
        if self.reader_started or not self.read_lock.acquire(False):
            return self.call_beside(name, arguments)
        try:  # nobody else reads now, so that the reply needs no way to this thread
            call = self.request(name, arguments, None)
            while True:
                frame = self.receive()
                if frame["id"] == call:
                    return frame
                self.dispatch(frame)
        finally:
            self.read_lock.release()

    def call_beside(self, name, arguments):
        """Send one call while another thread reads, or begins to, and wait for the reply."""
        answered = _thread.allocate_lock()
        answered.acquire()
        reply = []

        def deliver(frame):
            reply.append(frame)
            answered.release()

        self.request(name, arguments, deliver)
        self.start_reader()
        answered.acquire()
        return reply[0]

    def start_reader(self):
        """Read replies on a thread of their own from now on."""
        with self.write_lock:
            if not self.reader_started:
                _thread.start_new_thread(self._read_for_ever, ())
                self.reader_started = True  # only now: where a thread can't be had, the next call tries again

    def _read_for_ever(self):
        with self.read_lock:
            while True:
                self.dispatch(self.receive())


class ToolError(Exception):
    """A tool call did not succeed. `kind` says why in one word, `tool` which tool it was."""

    def __init__(self, kind, message, tool):
        super().__init__("%s: %s" % (tool, message))
        self.kind = kind
        self.tool = tool


ToolError.__module__ = "__main__"


class ToolResultHandle:
    """Stands for a result that is too large for one reply and is kept on the host.

    It is not the result: what would read it as one raises and says how to read it.
    """

    def __init__(self, content, tool):
        self.handle = content["id"]
        self.bytes = content["bytes"]
        self.format = content["format"]
        self.tool = tool

    def _advice(self):
        return (
            "the result of %s is %s bytes, too large for one reply, and is kept on the host. Read it in parts:"
            ' part = await read_tool_output(handle=it, offset=0), then part["text"], then offset=part["next"] until'
            ' that is None; or search it: await read_tool_output(handle=it, pattern="...")'
            % (self.tool, f"{self.bytes:,}")
        )

    def _not_here(self, *_, **__):
        raise TypeError(self._advice())

    __getitem__ = __iter__ = __len__ = __contains__ = __reversed__ = __bool__ = _not_here
    get = keys = values = items = _not_here

    def __getattr__(self, name):
        raise AttributeError(self._advice() if "_" != name[:1] else name)

    def __repr__(self):
        return "<handle %s: %s>" % (self.handle, self._advice())


ToolResultHandle.__module__ = "__main__"


class Session:
    """What one program may call, and which of its calls were never awaited."""

    def __init__(self, channel, names, filename):
        self.channel = channel
        self.names = names
        self.filename = filename
        self.unawaited = {}
        self.lost = {}
        self.notes = []

    def lose(self, line, spelling):
        """Note a call that was not awaited."""
        self.lost["Line %d: `%s` was called but never awaited, so it did not run. Write `await %s`." % (
            line, spelling, spelling)] = True

    def line(self):
        """Return the line of the program that is being executed."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != self.filename:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 0

    def begin(self, call):
        """Check and encode the arguments of a call that is being awaited."""
        if self.unawaited.pop(id(call), None) is None:
            raise RuntimeError("cannot make the same call of %s twice" % call.name)
        if posix.getpid() != self.channel.owner:
            raise ToolError("denied", "tools can be called from the program's own process only", call.name)
        text = flat(call.arguments)
        if text is not None:
            return text
        if not isinstance(call.arguments, dict):
            kind = type(call.arguments).__name__
            raise ToolError("bad_arguments", "the arguments are a %s and must be a dict" % kind, call.name)
        arguments = call.arguments
        if call.name == READ_TOOL_OUTPUT and type(arguments.get("handle")) is ToolResultHandle:
            arguments = {**arguments, "handle": arguments["handle"].handle}
        encoder = Encoder(FRAME_LIMIT, finite=True)
        try:
            encoder.encode(arguments)
        except Unencodable as problem:
            what = "the argument " + str(problem).lstrip(".") if problem.path else "the dict of arguments%s" % problem
            raise ToolError("bad_arguments", what, call.name) from None
        if encoder.size > FRAME_LIMIT:
            raise ToolError(
                "bad_arguments",
                "the arguments are %s bytes as JSON, the most is %s" % (f"{encoder.size:,}", f"{FRAME_LIMIT:,}"),
                call.name,
            )
        if encoder.values > MAX_VALUES:
            raise ToolError(
                "bad_arguments",
                f"the arguments hold {encoder.values:,} values, the most is {MAX_VALUES:,}: send them in several calls",
                call.name,
            )
        self.notes += ["In the arguments of %s, %s (%d)." % (call.name, *item) for item in encoder.notes.items()]
        return encoder.text()

    def finish(self, call, reply):
        """Turn a reply into the call's value, or raise its failure."""
        if "value" in reply:
            return reply["value"]
        failure = reply.get("failure")
        if failure is not None:
            raise ToolError(failure["kind"], failure["message"], call.name)
        return ToolResultHandle(reply["handle"], call.name)


class ToolCall:
    """A call that runs when it is awaited. `result()` waits for it where nothing can await."""

    psych_call = True

    def __init__(self, session, name, arguments):
        self.session = session
        self.name = name
        self.arguments = arguments
        self.line = session.line()
        self.steps = None
        session.unawaited[id(self)] = self

    def spelling(self):
        if self.name in self.session.names and usable(self.name):
            return self.name + "(...)"
        return 'call_tool("%s", ...)' % self.name

    def result(self):
        """Make the call on this thread and wait for its result."""
        arguments = self.session.begin(self)
        return self.session.finish(self, self.session.channel.call(self.name, arguments))

    def _run(self):
        running = sys.modules.get("asyncio.events")
        loop = running._get_running_loop() if running is not None else None
        if loop is None:
            return self.result()
        arguments = self.session.begin(self)
        future = loop.create_future()

        def deliver(reply):
            try:
                loop.call_soon_threadsafe(settle, reply)
            except RuntimeError:
                pass  # The loop has ended; nobody waits any more.

        def settle(reply):
            if not future.done():
                future.set_result(reply)

        channel = self.session.channel
        channel.start_reader()
        channel.request(self.name, arguments, deliver)
        return self.session.finish(self, (yield from future))

    def __await__(self):
        self.steps = self._run()
        return self.steps

    # The methods of a coroutine: asyncio.run, create_task and gather take what has them.

    def send(self, value):
        if self.steps is None:
            self.__await__()
        return self.steps.send(value)

    def throw(self, *problem):
        if self.steps is None:
            self.__await__()
        return self.steps.throw(*problem)

    def close(self):
        self.session.unawaited.pop(id(self), None)
        if self.steps is not None:
            self.steps.close()

    def _not_yet(self, *_):
        raise TypeError("%s was not awaited: write `await %s`" % (self.name, self.spelling()))

    __getitem__ = __len__ = __contains__ = _not_yet

    def __bool__(self):
        return True  # asked by the repr of a task, which asyncio.run makes

    def __repr__(self):
        return "<call of %s, not awaited: write `await %s`>" % (self.name, self.spelling())


class Tool:
    """A function of the program's world that calls one tool of the host."""

    def __init__(self, session, name):
        self.__name__ = self.__qualname__ = name
        self._session = session

    def __call__(self, /, *positional, **arguments):
        if len(positional) == 1 and not arguments and isinstance(positional[0], dict):
            arguments = positional[0]
        elif positional:
            raise TypeError("%s takes keyword arguments only: write %s(name=value)" % (self.__name__, self.__name__))
        return ToolCall(self._session, self.__name__, arguments)

    def __repr__(self):
        return "<tool %s>" % self.__name__


KEYWORDS = frozenset(
    "False None True and as assert async await break class continue def del elif else except finally for from global"
    " if import in is lambda nonlocal not or pass raise return try while with yield".split()
)
OWN_NAMES = frozenset(("call_tool", "TOOLS", "ToolError"))
# Builtins that not every CPython from 3.9 on has, or that `site` would add: a name is one on all of them or on none.
OTHER_BUILTINS = frozenset(
    "BaseExceptionGroup EncodingWarning ExceptionGroup PythonFinalizationError WindowsError _IncompleteInputError"
    " aiter anext copyright credits exit help license quit".split()
)
# Parts of names since Unicode 15.1, so on some interpreters only; nobody sees the first two.
LATER_CHARACTERS = frozenset("\u200c\u200d\u30fb")
READ_TOOL_OUTPUT = "read_tool_output"


def usable(name):
    """Return whether a tool's name can be a function of the program without shadowing anything."""
    if not name.isidentifier() or name in KEYWORDS or name in OWN_NAMES:
        return False
    if hasattr(builtins, name) or name in OTHER_BUILTINS:
        return False
    if name.startswith("__") and name.endswith("__"):
        return False
    if not name.isascii():
        import unicodedata

        if not LATER_CHARACTERS.isdisjoint(name):
            return False
        return unicodedata.normalize("NFKC", name) == name
    return True


class ToolsModule:
    """Finds a module `tools` when there is no other, for programs trained to import from it."""

    def __init__(self, members):
        self.members = members

    def find_spec(self, name, path=None, target=None):
        if name == "tools":
            return type(sys.__spec__)(name, self)
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__dict__.update(self.members)


def bind(session, namespace):
    """Put into the namespace what a program is given."""

    def call_tool(name=None, arguments=None, /, **more):
        """Call any offered tool by its name: await call_tool("name", {"argument": value})."""
        if name is None:
            name = more.pop("name", None)
        if arguments is None and list(more) == ["arguments"] and isinstance(more["arguments"], dict):
            arguments = more.pop("arguments")
        if name is None or (arguments is not None and more):
            raise TypeError('write call_tool("name", {"argument": value})')
        return ToolCall(session, str(name), more if arguments is None else arguments)

    members = {name: Tool(session, name) for name in session.names if usable(name)}
    namespace.update(members, call_tool=call_tool, TOOLS=list(session.names), ToolError=ToolError)
    sys.meta_path.append(ToolsModule({**members, "call_tool": call_tool, "ToolError": ToolError}))
