"""Runs the child as its host does: one process, one channel, and an end to every wait."""

import atexit
import collections
import json
import os
import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import unittest

MODULE = pathlib.Path(__file__).resolve().parents[3]
SOURCES = MODULE / "src" / "main" / "python"
DOCS = MODULE.parent / "docs"
DEADLINE = 120
LIMITS = {"cpu": 10, "addressSpace": 512 << 20, "fileSize": 10 << 20, "processes": 64, "value": 64 << 10}

Outcome = collections.namedtuple("Outcome", "value failure notes stdout stderr calls status done frames")


class Refusal(Exception):
    """Raised by a tool of a test: the reply carries this failure."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind
        self.message = message


def strict(text):
    """Parse JSON as the host does: no NaN, no name twice in one object."""

    def members(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names):
            raise ValueError("a name twice in one object: %r" % names)
        return dict(pairs)

    def constant(name):
        raise ValueError("%s is not JSON" % name)

    return json.loads(text, object_pairs_hook=members, parse_constant=constant)


_folder = tempfile.TemporaryDirectory(prefix="psych-sandbox-python-tests-")
atexit.register(_folder.cleanup)
_bundles = []


def shared_folder():
    """Return a folder that all tests of this process share; it is removed at its end."""
    return _folder.name


def make_bundle(target):
    """Write the child's one compiled file; return what the script that makes it prints."""
    command = [sys.executable, "-I", "-S", "-B", str(SOURCES / "psych_bundle.py"), str(SOURCES), str(target)]
    made = subprocess.run(command, stdout=subprocess.PIPE, timeout=DEADLINE, check=True)
    return json.loads(made.stdout)


def bundle():
    if not _bundles:
        path = os.path.join(_folder.name, "psych_bootstrap.pyc")
        make_bundle(path)
        _bundles.append(path)
    return _bundles[0]


class Child:
    """A started child. Leaving the `with` block ends its process, whatever state it is in."""

    def __init__(self, listeners=(), canary="/proc/self/nothing", launcher=(), more=lambda folder: {}):
        self.folder = tempfile.TemporaryDirectory(prefix="run-", dir=_folder.name)
        self.workspace = os.path.join(self.folder.name, "work")
        self.program = os.path.join(self.folder.name, "program.py")
        os.mkdir(self.workspace)
        self.stdout = open(os.path.join(self.folder.name, "stdout"), "w+b")
        self.stderr = open(os.path.join(self.folder.name, "stderr"), "w+b")
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(DEADLINE)
        self.frames = self.socket.makefile("rb")
        config = {
            "channel": "fd:%d" % theirs.fileno(),
            "workspace": self.workspace,
            "program": self.program,
            "packages": [],
            "probe": {"canary": canary, "hostPid": os.getpid(), "listeners": list(listeners)},
            **more(self.folder.name),
        }
        command = [*launcher, sys.executable, "-I", "-S", "-B", "-u", "-X", "utf8", bundle(), json.dumps(config)]
        self.process = subprocess.Popen(
            command,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=self.stdout,
            stderr=self.stderr,
            env={"PATH": "/usr/bin:/bin"},
        )
        theirs.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(DEADLINE)
        for thing in (self.frames, self.socket, self.stdout, self.stderr):
            thing.close()
        self.folder.cleanup()

    def receive(self):
        """Return the child's next frame, or None when it has closed the channel."""
        line = self.frames.readline()
        return strict(line.decode("utf-8")) if line else None

    def send(self, frame):
        self.socket.sendall(json.dumps(frame).encode("utf-8") + b"\n")

    def run(self, program, tools=(), inherited=(), **limits):
        """Take the report, lower the limits the process has, send the program."""
        self.receive()
        for kind, soft, hard in inherited:
            resource.prlimit(self.process.pid, kind, (soft, hard))
        self.send({"type": "run", "program": program, "tools": list(tools), "limits": {**LIMITS, **limits}})

    def reply(self, call, **outcome):
        self.send({"type": "reply", "id": call["id"], **outcome})

    def answer(self, call, tools):
        """Answer a call with what the function of that name returns or raises."""
        try:
            if call["name"] not in tools:
                raise Refusal("not_offered", "there is no tool %s" % call["name"])
            self.reply(call, value=tools[call["name"]](**call["arguments"]))
        except Refusal as refusal:
            self.reply(call, failure={"kind": refusal.kind, "message": refusal.message})

    def hang_up(self):
        """End what waits for its host; frames that were sent can still be received."""
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # The child has gone.

    def finish(self, frames=()):
        """Wait for the process and return what came of it; the last frame is `done`, if there is one."""
        self.hang_up()
        status = self.process.wait(DEADLINE)
        frames = list(frames)
        done = frames[-1] if frames and frames[-1]["type"] == "done" else None
        texts = []
        for stream in (self.stdout, self.stderr):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8"))
        calls = [(frame["name"], frame["arguments"]) for frame in frames if frame["type"] == "call"]
        fields = [done[name] if done else None for name in ("value", "failure", "notes")]
        return Outcome(*fields, *texts, calls, status, done, frames)


def run(program, tools=None, **limits):
    """Run one program to its end and answer its calls, one after the other."""
    tools = tools or {}
    with Child() as child:
        child.run(program, tools, **limits)
        frames = []
        while True:
            frame = child.receive()
            if frame is None:
                break
            frames.append(frame)
            if frame["type"] == "done":
                break
            child.answer(frame, tools)
        return child.finish(frames)


def boom(message):
    raise Refusal("tool_error", message)


# The tools that most tests offer.
TOOLS = {
    "echo": lambda value: value,
    "boom": boom,
    "search": lambda query: [{"title": query, "rank": rank} for rank in range(3)],
    "list-repos": lambda: ["one"],
}


class ProgramTestCase(unittest.TestCase):
    """Runs whole programs and says what came back where that was not expected."""

    def ended(self, program, tools=None, **limits):
        """Run a program that must end well, in silence on stderr."""
        outcome = run(program, tools, **limits)
        self.assertIsNone(outcome.failure, outcome)
        self.assertEqual((outcome.status, outcome.stderr), (0, ""), outcome)
        return outcome

    def value(self, program, tools=None, **limits):
        return self.ended(program, tools, **limits).value

    def failed(self, program, tools=None, kind="program_exception", **limits):
        """Run a program that must fail by itself; return its failure."""
        outcome = run(program, tools, **limits)
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIsNone(outcome.value, outcome)
        self.assertIsNotNone(outcome.failure, outcome)
        self.assertEqual(outcome.failure["kind"], kind, outcome)
        return outcome.failure
