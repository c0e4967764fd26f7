"""Compiles a program's text as it is and runs it as a real `__main__`."""

import builtins
import posix
import sys

from _io import FileIO
from _thread import allocate_lock
from resource import RUSAGE_CHILDREN, getrusage

from psych_bindings import ToolCall


# Of cpython/compile.h: the text is UTF-8 and says nothing of that itself; the kinds of text.
SOURCE_IS_UTF8, IGNORE_COOKIE, TOP_LEVEL_AWAIT = 0x100, 0x800, 0x2000
STATEMENTS, EXPRESSION = 257, 258
CO_COROUTINE = 0x80
# What the first line of a statement doesn't begin with: nothing, a comment, or the end of what is open.
NO_BEGINNING = ("", " ", "\t", "\n", "#", ")", "]", "}")
CLAUSES = ("elif", "else", "except", "finally")
SIMPLE = ("import", "from", "pass", "del", "assert", "raise")
COMPOUND = ("if", "for", "while", "with", "try", "def", "class", "async")
MANY_WRITES = 1000


def warm_up():
    """Do what the first program of a process may pay for: the compiler makes the classes of its
    syntax tree, two thirds of a millisecond."""
    import psych_tree

    compile("0", "<warm-up>", "exec", psych_tree.ONLY_AST, True)
    compile_parts("0\n0", "<warm-up>")


def compiler():
    """Return compile(source, filename, kind) by CPython's own function for it. The builtin asks first whether
    it was given a syntax tree, for which all classes of those are made."""
    import _ctypes

    class Result(_ctypes._SimpleCData):
        _type_ = "O"

    class Function(_ctypes.CFuncPtr):
        _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_PYTHONAPI
        _restype_ = Result

    try:
        function = Function(_ctypes.dlsym(_ctypes.dlopen(None, 2), "Py_CompileStringExFlags"))
    except OSError:  # an interpreter that does not show its functions
        return lambda source, filename, kind: compile(source, filename, ("exec", "eval")[kind == EXPRESSION], TOP_LEVEL_AWAIT, True)
    flags = SOURCE_IS_UTF8 | IGNORE_COOKIE | TOP_LEVEL_AWAIT
    # struct PyCompilerFlags: the flags, and the newest minor version of the language.
    flags = flags.to_bytes(4, sys.byteorder) + sys.version_info[1].to_bytes(4, sys.byteorder)

    def compile_text(source, filename, kind):
        # Without a "\0" in it, which would be its end.
        return function(source.encode("utf-8"), filename.encode("utf-8"), kind, flags, -1)

    return compile_text


compilers = []  # made at the first use


def last_statement(source):
    """Return where the last line begins that may begin a statement, and its first word; None if there is none."""
    end = len(source)
    while end >= 0:
        begin = source.rfind("\n", 0, end) + 1
        if source[begin : begin + 1] not in NO_BEGINNING:
            word = source[begin : begin + 10].partition(" ")[0].partition("\n")[0].rstrip(":")
            if word not in CLAUSES:
                return begin, word
        end = begin - 1
    return None


def compile_parts(source, filename):
    """Return the code of all statements but the last and that of the last one, whose value is the
    program's; or None for a program that can't be told apart without its syntax tree.

    What is compiled by itself ends outside of any bracket, string or block. So if both parts can be
    compiled, the program is the one and then the other.
    """
    place = last_statement(source)
    if place is None or any(odd in source for odd in ("\r", "\f", "\0", "\ufeff", "__future__")):
        return None
    begin, word = place
    before, last = source[:begin], source[begin:]
    if (";" in last and word not in COMPOUND) or before.rstrip().endswith("\\"):
        return None
    kind = STATEMENTS if word in SIMPLE or word in COMPOUND else EXPRESSION
    if not compilers:
        compilers.append(compiler())
    compile_text = compilers[0]
    try:
        # Under empty lines, so that line numbers are the program's.
        code = compile_text("\n" * before.count("\n") + last, filename, kind)
        if kind == STATEMENTS and any("annot" in name for name in code.co_names):
            return None  # Those of a module are gathered from all of its statements.
        parts = [code]
        if before:
            parts.insert(0, compile_text(before, filename, STATEMENTS))
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return None
    return parts


async def in_turn(parts):
    """Run the parts of a program that awaits at top level; return what the last one gives."""
    value = None
    for part in parts:
        value = part()
        if part.__code__.co_flags & CO_COROUTINE:
            value = await value
    return value


def drive(coroutine, source):
    """Run a program that awaits at top level: under asyncio when it knows of asyncio."""
    if "asyncio" in source:
        import asyncio

        return asyncio.run(coroutine)
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    coroutine.close()
    raise RuntimeError("this program awaits something that needs an event loop: import asyncio in it")


def run_program(source, filename, namespace):
    """Run one program in `namespace`; return its value and the notes on it."""
    notes = []
    parts = compile_parts(source, filename)
    if parts is None:
        from psych_tree import run_tree

        value = run_tree(source, filename, namespace, lambda coroutine: drive(coroutine, source), notes)
    else:
        parts = [type(drive)(part, namespace) for part in parts]
        if any(part.__code__.co_flags & CO_COROUTINE for part in parts):
            value = drive(in_turn(parts), source)
        else:
            for part in parts:
                value = part()
    if isinstance(value, (ToolCall, COROUTINE)):
        value = drive(until(value), source)
    return value, notes


async def until(awaitable):
    return await awaitable


_sample = until(None)
COROUTINE = type(_sample)
_sample.close()


def not_started(coroutine):
    """Return whether nothing of a coroutine has been run and nothing can run it any more."""
    if coroutine.cr_running or coroutine.cr_frame is None:
        return False
    return not getattr(coroutine, "cr_suspended", coroutine.cr_frame.f_lasti != -1)


def report_coroutine(session, coroutine):
    """Note a coroutine of the program itself that was never awaited."""
    origin = coroutine.cr_origin
    if origin and origin[0][0] == session.filename:
        session.lose(origin[0][1], coroutine.__qualname__ + "(...)")


def watch_coroutines(session):
    """Report coroutines of the program itself that are never awaited, with their line."""
    import warnings

    sys.set_coroutine_origin_tracking_depth(1)
    warnings._warn_unawaited_coroutine = lambda coroutine: report_coroutine(session, coroutine)


class FigureWatch:
    """Waits for the program to import matplotlib's pyplot; finds nothing itself."""

    def find_spec(self, name, path=None, target=None):
        if name == "matplotlib.pyplot" and self in sys.meta_path:
            sys.meta_path.remove(self)
            import psych_figures

            psych_figures.watch()
        return None


def watch_figures():
    """Note from now on which figures the program saves itself, should it make any."""
    sys.meta_path.insert(0, FigureWatch())


def watch_prints(source, filename, namespace, owner):
    """Gather what is printed (psych_prints) once that is much: each print is two system calls, but
    what it takes to gather is worth hundreds of them."""
    raw = getattr(sys.stdout, "buffer", None)
    if type(raw) is not FileIO:
        return
    direct, counts, once = raw.write, [], allocate_lock()
    faults = getrusage(RUSAGE_CHILDREN).ru_minflt

    def write(data):
        count = direct(data)
        counts.append(count or 0)
        if len(counts) >= MANY_WRITES and once.acquire(False):
            raw.__dict__.pop("write", None)
            if posix.getpid() == owner:
                from psych_prints import gather

                gather(raw, counts, filename, source, namespace, faults)
        return count

    raw.write = write


def prepare_main(source, filename):
    """Return the namespace of a fresh `__main__` whose text is saved where tools can find it."""
    descriptor = posix.open(filename, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_CLOEXEC, 0o600)
    text = memoryview(source.encode("utf-8", "replace"))
    while text:
        text = text[posix.write(descriptor, text) :]
    posix.close(descriptor)
    module = type(sys)("__main__")
    module.__file__ = filename
    module.__builtins__ = builtins
    module.__annotations__ = {}
    sys.modules["__main__"] = module
    sys.argv = [filename]

    def leave(code=None):
        raise SystemExit(code)

    builtins.exit = builtins.quit = leave
    return module.__dict__
