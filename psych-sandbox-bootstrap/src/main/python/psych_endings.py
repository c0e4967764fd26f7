"""What a program's exception amounts to. Imported only when there is one."""

import builtins
import errno
import sys

from psych_bindings import OWN_NAMES, Tool, usable

TRACEBACK_LIMIT = 16 * 1024
LIMITS = {
    errno.EAGAIN: "processes",
    errno.EFBIG: "file_size",
    errno.ENOMEM: "memory",  # a mapping or a fork that does not fit
    errno.ENOSPC: "workspace",
}


def shorten(text, limit=TRACEBACK_LIMIT):
    if len(text) <= limit:
        return text
    return "%s\n  … %d characters left out …\n%s" % (text[: limit // 2], len(text) - limit, text[-limit // 2 :])


def traceback_of(problem, source, filename):
    """Return the traceback of an exception with the program's own frames only."""
    import linecache
    import traceback

    # Python ends a line in three ways, str.splitlines in eleven.
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    linecache.cache[filename] = (len(source), None, [line + "\n" for line in lines], filename)
    summary = traceback.TracebackException(type(problem), problem, problem.__traceback__)
    waiting, seen = [summary], set()
    while waiting:
        part = waiting.pop()
        if part is None or id(part) in seen:
            continue
        seen.add(id(part))
        part.stack[:] = [frame for frame in part.stack if frame.filename == filename]
        for frame in part.stack:
            frame.line  # looked up under the real name, which is then replaced
            frame.filename = "program.py"
        if getattr(part, "filename", None) == filename:
            part.filename = "program.py"
        waiting += [part.__cause__, part.__context__, *(getattr(part, "exceptions", None) or ())]
    return shorten("".join(summary.format()))


def text_of(thing):
    try:
        return str(thing)
    except BaseException:  # its __str__ is the program's and may raise anything
        return "<%s whose text could not be made>" % type(thing).__name__


def nearest(word, words):
    import difflib

    found = difflib.get_close_matches(word, words, 1, 0.6)
    return found[0] if found else None


def hint(problem, session, namespace):
    """Return what a program's author may need to know beside the exception, or None."""
    text = text_of(problem)
    if isinstance(problem, NameError) and text.count("'") >= 2:
        near = nearest(text.split("'")[1], list(session.names) + ["call_tool", "TOOLS", "ToolError"])
        if near is not None and near not in OWN_NAMES and not usable(near):
            return 'The nearest tool is reached as call_tool("%s", {...}).' % near
        return "The nearest name is `%s`." % near if near is not None else None
    if isinstance(problem, ModuleNotFoundError):
        return "Only Python's standard library can be imported; the tools are already in scope by their names."
    if isinstance(problem, EOFError):
        return "Nobody can answer input(): write the value into the program."
    if isinstance(problem, SyntaxError):
        if "outside async function" in text or ("await" in text and "outside function" in text):
            return "Make the function that awaits `async def`, and await it where it is called."
        if "unexpected indent" in text:
            return "Begin the program's lines at the first column."
    if isinstance(problem, RuntimeError) and "cannot be called from a running event loop" in text:
        return "The program already runs in an event loop: write `await main()` instead of asyncio.run(main())."
    if isinstance(problem, TypeError):
        rebound = [name for name in session.names if usable(name) and not isinstance(namespace.get(name), Tool)]
        if "not callable" in text and rebound:
            return "The program uses the name of the tool `%s` for something else; choose another name." % rebound[0]
    return None


def leaves(problem):
    """Return the exceptions of a group, nested ones included."""
    if not isinstance(problem, getattr(builtins, "BaseExceptionGroup", ())):
        return [problem]
    return [leaf for part in problem.exceptions for leaf in leaves(part)]


def limit_of(problem):
    """Return the limit an exception speaks of, or None."""
    if isinstance(problem, MemoryError):
        return "memory"
    if isinstance(problem, OSError):
        return LIMITS.get(problem.errno)
    if isinstance(problem, RuntimeError) and str(problem) == "can't start new thread":
        return "processes"
    return None


def failure_of(problem, session, source, namespace):
    """Return the failure that an exception of the program amounts to, as a frame's field."""
    if isinstance(problem, SystemExit):
        code = problem.code
        if code is None or (isinstance(code, int) and code == 0):
            return None
        if not isinstance(code, int):
            try:
                sys.stderr.write(text_of(code) + "\n")
            except (AttributeError, OSError, ValueError):
                pass  # The program has closed or replaced it.
            code = 1
        return {
            "kind": "worker_exit",
            "message": "The program ended itself with exit status %d." % code,
            "exitStatus": code & 0xFF,
        }
    inner = leaves(problem)
    said = "; ".join(("%s: %s" % (type(leaf).__name__, text_of(leaf))).rstrip(": ") for leaf in inner[:10])
    more = hint(problem, session, namespace)
    message = shorten(said, 4096) + ("\n" + more if more else "")
    failure = {"kind": "program_exception", "message": message}
    failure["traceback"] = traceback_of(problem, source, session.filename)
    for leaf in inner:
        if limit_of(leaf):
            failure["limit"] = limit_of(leaf)
    return failure
