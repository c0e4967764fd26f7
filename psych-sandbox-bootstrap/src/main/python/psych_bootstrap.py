"""The child's side of psych-sandbox: runs one program in this very process.

Started as ``python -I -S -B -u -X utf8 psych_bootstrap.pyc CONFIG``, where CONFIG is one
JSON object:

    channel    "unix:PATH" to connect to, or "fd:NUMBER" that is inherited
    workspace  folder to work in, which exists and is writable
    program    path the program's text is saved under
    packages   folders to import from, after the standard library
    probe      what to attempt: canary, listeners, hostPid
    restrict   what to open to Landlock (readable, writable, network) and the seccomp filter
    confine    only without a launcher that has done it: uid and gid (-1: keep), namespaces and
               network (whether to leave the first and to keep the second), mounts (by name:
               folder, bytes and inodes of a tmpfs to put there; "workspace" is TMPDIR's)
    container  only where this is the first process of a container: the pipes for stdout and
               stderr, and the variables of the environment that are not the image's

The order of things, which is the contract:

1. connect, confine where asked to, and attempt what a program must not be able to do;
2. send ``ready`` with what was observed, and wait for ``run`` or ``abort``; who waits does
   meanwhile what programs commonly need;
3. set the limits: CPU, address space, file size, processes (core dumps are off already), and
   a few that are the same for all: descriptors, queued signals, message queues, locked memory;
4. compile the program's text as it is and run it as a real ``__main__``;
5. join its threads, save the figures it left open, run its exit handlers, write what its open
   files hold;
6. send ``done`` with its value or its failure, and wait for the end, so that the host sees
   what the program has left running.

Frames are lines of JSON (docs/protocol). A call's id is claimed, written and advanced
under one lock, and only advanced once the write has succeeded. stdout and stderr are the
program's own; the channel is never on 0, 1 or 2 and is not inherited by its children.

Standard library only, and nothing above C before the program needs it: json, ast, asyncio,
traceback and os cost more than the interpreter's own start. Nothing in here is a security
boundary: the program can reach every object of this file, so the host takes everything
that is sent after ``run`` as the program's claim.
"""

import gc
import posix
import sys

import _io
import _socket
import resource

from psych_bindings import Channel, Session, bind
from psych_probe import observe, set_limit
from psych_program import (
    COROUTINE,
    not_started,
    prepare_main,
    report_coroutine,
    run_program,
    warm_up,
    watch_coroutines,
    watch_figures,
    watch_prints,
)
from psych_values import FRAME_LIMIT, Encoder, Unencodable, decode, write_plain

PROTOCOL = 1
# Seconds. Who is taken before the first was started for the program that is there, and after the second there is time.
A_MOMENT, A_WHILE = 0.05, 1
COMMON = ("json", "re", "math", "datetime", "collections")
WRITERS = frozenset((_io.TextIOWrapper, _io.BufferedWriter, _io.BufferedRandom))


def connect(where):
    kind, _, place = where.partition(":")
    if kind == "fd":
        posix.set_inheritable(int(place), False)
        return _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, int(place))
    sock = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    sock.connect(place)
    return sock


def guard_streams():
    """Keep 0, 1 and 2 occupied, so that nothing else ever lands there, and make output total."""
    while True:
        descriptor = posix.open("/dev/null", posix.O_RDWR | posix.O_CLOEXEC)
        if descriptor > 2:
            posix.close(descriptor)
            break
        posix.set_inheritable(descriptor, True)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(errors="backslashreplace")


def lower(kind, soft, hard):
    """Set a limit to the stricter of asked and inherited, on each side."""
    inherited = resource.getrlimit(kind)

    def stricter(asked, given):
        return asked if given == resource.RLIM_INFINITY else min(asked, given)

    hard = stricter(hard, inherited[1])
    set_limit(kind, (min(stricter(soft, inherited[0]), hard), hard))


def forbid_core_dumps():
    """Done before the filter of system calls, which then pins the limit."""
    # One byte is less than zero: the kernel ignores zero when cores go to a pipe (core(5)).
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    core = 0 if most == 0 else 1
    set_limit(resource.RLIMIT_CORE, (core, core))


def set_limits(limits):
    lower(resource.RLIMIT_CPU, limits["cpu"], limits["cpu"] + 1)
    lower(resource.RLIMIT_AS, limits["addressSpace"], limits["addressSpace"])
    lower(resource.RLIMIT_FSIZE, limits["fileSize"], limits["fileSize"])
    lower(resource.RLIMIT_NPROC, limits["processes"], limits["processes"])
    # What the kernel counts for all processes of a user, or of the machine, is not one program's
    # to use up. Nothing of the standard library needs the last two.
    lower(resource.RLIMIT_NOFILE, 1024, 1024)
    lower(resource.RLIMIT_SIGPENDING, 256, 256)
    lower(resource.RLIMIT_MSGQUEUE, 0, 0)
    lower(resource.RLIMIT_MEMLOCK, 0, 0)


def execute(source, session, namespace, limit):
    """Run a program to its end and return the members of the `done` frame."""
    done = {"value": "null", "failure": None, "notes": []}
    spare = [bytes(16 << 20)]  # address space to report a MemoryError in; never touched
    try:
        value, done["notes"] = run_program(source, session.filename, namespace)
        figures = sys.modules.get("psych_figures")
        if figures is not None and figures.is_drawing(value):
            value = None
            done["notes"].append("The value is of a figure, which has no JSON form, and was left out.")
        encoder = Encoder(limit)
        encoder.encode(value)
        done["notes"] += session.notes[:10] + ["In the value, %s (%d)." % item for item in encoder.notes.items()]
        if encoder.size > limit:
            done["failure"] = {
                "kind": "output_limit",
                "message": f"The value is {encoder.size:,} bytes as JSON; the most is {limit:,}.",
                "limit": "value",
            }
        else:
            done["value"] = encoder.text()
    except Unencodable as problem:
        done["failure"] = {"kind": "invalid_output", "message": "The value%s." % problem}
    except BaseException as problem:  # a program may raise anything, and all of it is its failure
        spare.clear()
        from psych_endings import failure_of

        done["failure"] = failure_of(problem, session, source, namespace)
    return done


def send_done(channel, done):
    encoder = Encoder(FRAME_LIMIT)
    encoder.encode({"failure": done["failure"], "notes": done["notes"]})
    channel.send('{"type":"done","value":%s,%s' % (done["value"], encoder.text()[1:]))


def finish(session, done, workspace):
    """Do what an interpreter does at its end: join threads, run exit handlers, write out what
    open files hold. Then tell what was never awaited, which only now is certain."""
    threading = sys.modules.get("threading")
    if threading is not None:
        threading._shutdown()
    figures = sys.modules.get("psych_figures")
    if figures is not None and posix.getpid() == session.channel.owner:
        done["notes"] += figures.save_open(workspace)  # before the exit handler that closes them
    atexit = sys.modules.get("atexit")
    try:
        if atexit is not None:
            atexit._run_exitfuncs()
    except BaseException:  # Python 3.9 raises the last of those it has already printed
        pass
    for stream in (getattr(sys, "stdout", None), getattr(sys, "stderr", None)):
        try:
            stream.flush()
        except BaseException:  # whatever the program has put there
            pass
    for thing in gc.get_objects():
        if type(thing) in WRITERS:
            try:
                thing.flush()
            except ValueError:  # closed, or without a buffer of its own any more
                pass
            except OSError as problem:
                done["notes"].append("A file that was left open could not be written to its end: %s." % problem)
        elif type(thing) is COROUTINE and not_started(thing):
            report_coroutine(session, thing)
    lost = never_awaited(session)
    if lost and done["failure"] is None:
        done["value"] = "null"
        done["failure"] = {"kind": "program_exception", "message": "\n".join(lost)}
    elif lost:
        done["failure"]["message"] += "\n" + "\n".join(lost)


def never_awaited(session):
    """Return a line for each call that was made without `await`, for ten of them at most."""
    for call in session.unawaited.values():
        session.lose(call.line, call.spelling())
    lost = list(session.lost)
    return lost[:10] + ["The same goes for %d more." % (len(lost) - 10)] * (len(lost) > 10)


def await_end(channel):
    """Wait until the host ends this process, or hangs up. What else it sends comes too late."""
    try:
        while channel.sock.recv(65536):
            pass
    except OSError:
        pass  # The host has gone.


def end_forked(done):
    """End a copy of this process, made by the program, that went on to the program's end."""
    failure = done["failure"] or {"exitStatus": 0}
    if "exitStatus" not in failure:
        sys.stderr.write(failure.get("traceback") or failure["message"] + "\n")
    posix._exit(failure.get("exitStatus", 1))


def is_idle(channel, seconds):
    """Wait for the host; return whether it has sent nothing so far."""
    channel.sock.settimeout(seconds)
    try:
        return not channel.fill()
    finally:
        channel.sock.settimeout(None)


def preload(channel):
    """Do what programs may pay for while the host lets this process wait: what compiles them at first,
    what they commonly import after a while. Before that a host is busy and needs its processors."""
    if is_idle(channel, A_MOMENT):
        warm_up()
        if is_idle(channel, A_WHILE):
            for name in COMMON:
                __import__(name)
        gc.freeze()


def main():
    config = decode(sys.argv[1])
    if "container" in config:
        from psych_confine import move_in

        move_in(config["container"], config["workspace"])
    guard_streams()
    channel = Channel(connect(config["channel"]))
    applied = []
    if "container" in config:
        from psych_confine import leave_to_init

        leave_to_init(channel.sock)
        channel.owner = posix.getpid()
    if "confine" in config:
        from psych_confine import confine

        applied = confine(config["confine"], config["probe"]["hostPid"])
        channel.owner = posix.getpid()
        if "workspace" in applied:
            posix.mkdir(config["workspace"], 0o700)  # what was there is covered now
    posix.chdir(config["workspace"])
    forbid_core_dumps()
    channel.send(write_plain({"type": "ready", "protocol": PROTOCOL, "report": observe(config, applied)}))
    gc.freeze()  # what is there now is not the program's, and is not looked through at its end
    preload(channel)
    order = channel.receive()
    if order["type"] != "run":
        posix._exit(0)
    limits = order["limits"]
    set_limits(limits)
    sys.path.extend(config["packages"])
    source = order["program"]
    session = Session(channel, order["tools"], config["program"])
    namespace = prepare_main(source, session.filename)
    bind(session, namespace)
    watch_figures()
    watch_prints(source, session.filename, namespace, channel.owner)
    if "async def" in source:
        watch_coroutines(session)
    done = execute(source, session, namespace, limits["value"])
    finish(session, done, config["workspace"])
    if posix.getpid() != channel.owner:
        end_forked(done)
    send_done(channel, done)
    await_end(channel)
    posix._exit(0)


if __name__ == "__main__":
    main()
