"""The whole process: its handshake, its limits, how programs end, and what leaves it."""

import errno
import json
import os
import re
import resource
import signal
import subprocess
import sys
import unittest

import psych_bootstrap
import psych_probe
from support import LIMITS, TOOLS, Child, ProgramTestCase, run

INFINITY = resource.RLIM_INFINITY


class Handshake(ProgramTestCase):
    def test_ready_comes_before_anything_and_tells_what_was_observed(self):
        with Child(listeners=[["127.0.0.1", 9]]) as child:
            ready = child.receive()
            child.send({"type": "abort"})
            self.assertIsNone(child.receive())
            outcome = child.finish()
        self.assertEqual((ready["type"], ready["protocol"]), ("ready", 1))
        report = ready["report"]
        self.assertEqual(report["python"], "%d.%d.%d" % sys.version_info[:3])
        self.assertEqual(report["pid"], child.process.pid)
        self.assertEqual(report["ids"], [*os.getresuid(), os.geteuid(), *os.getresgid(), os.getegid()])
        self.assertEqual(report["canary"], "ENOENT")
        self.assertEqual(report["hostSignal"], "done")
        self.assertEqual(report["listeners"], [["127.0.0.1", "ECONNREFUSED"]])
        self.assertEqual([name for name in report["environment"] if name != "LC_CTYPE"], ["PATH"])
        self.assertEqual(report["limits"]["fileSize"], ["done", "EFBIG"])
        self.assertEqual(report["limits"]["memory"], ["done", "ENOMEM"])
        self.assertEqual(report["confined"], [])
        self.assertEqual((outcome.status, outcome.stdout, outcome.stderr), (0, "", ""))

    def test_a_file_that_can_be_read_is_told(self):
        with Child(canary=__file__) as child:
            self.assertEqual(child.receive()["report"]["canary"], "done")

    def test_probing_leaves_nothing_behind(self):
        with Child() as child:
            child.receive()
            self.assertEqual(os.listdir(child.workspace), [])
            self.assertEqual(
                os.listdir("/proc/%d/task/%d" % (child.process.pid, child.process.pid)).count("children"), 1
            )
            self.assertFalse(os.path.exists(child.program))

    def test_abort_ends_it_and_nothing_is_run(self):
        with Child() as child:
            child.receive()
            child.send({"type": "abort"})
            self.assertIsNone(child.receive())
            outcome = child.finish()
            self.assertEqual((outcome.status, outcome.stdout, outcome.stderr), (0, "", ""))
            self.assertFalse(os.path.exists(child.program))

    def test_a_host_that_is_gone_ends_it(self):
        for sent in (b"", b'{"type":"run","program":"print(1)"'):
            with self.subTest(sent), Child() as child:
                child.receive()
                child.socket.sendall(sent)
                child.socket.shutdown(2)
                outcome = child.finish()
                self.assertEqual((outcome.status, outcome.stdout), (0, ""))

    def test_a_host_that_goes_during_a_call_ends_it(self):
        with Child() as child:
            child.run("print('before')\nawait echo(value=1)\nprint('after')", TOOLS)
            child.receive()
            child.socket.shutdown(2)
            self.assertEqual(child.finish().stdout, "before\n")

    def test_a_child_that_is_done_waits_for_its_end(self):
        with Child() as child:
            child.run("await echo(value=1)", TOOLS)
            child.reply(child.receive(), value=1)
            self.assertEqual(child.receive()["value"], 1)
            child.send({"type": "reply", "id": 0, "value": "too late"})
            with self.assertRaises(subprocess.TimeoutExpired):
                child.process.wait(0.2)
            self.assertEqual(child.finish().status, 0)

    def test_the_program_sees_neither_the_configuration_nor_a_path_of_ours(self):
        outcome = self.ended(
            "import sys, os\n"
            "ours = [path for path in sys.path if 'psych' in path]\n"
            "[sys.argv == [__file__], ours, os.path.basename(os.getcwd()), os.listdir('.')]"
        )
        self.assertEqual(outcome.value, [True, [], "work", []])

    def test_its_environment_is_a_value_like_other_mappings(self):
        names = set(self.value("import os\nos.environ"))
        self.assertEqual(names - {"LC_CTYPE"}, {"PATH"})


class Limits(ProgramTestCase):
    KINDS = (
        "RLIMIT_CORE",
        "RLIMIT_CPU",
        "RLIMIT_AS",
        "RLIMIT_FSIZE",
        "RLIMIT_NPROC",
        "RLIMIT_NOFILE",
        "RLIMIT_SIGPENDING",
        "RLIMIT_MSGQUEUE",
        "RLIMIT_MEMLOCK",
    )
    READ = "import resource\n[resource.getrlimit(getattr(resource, kind)) for kind in %r]" % (KINDS,)

    def test_all_are_set_when_the_program_begins(self):
        kinds = [getattr(resource, kind) for kind in self.KINDS]
        hard = [resource.getrlimit(kind)[1] for kind in kinds]
        # Core dumps are off before the report, and a hard limit is not raised again.
        inherited = list(zip(kinds, hard, hard))[1:]
        with Child() as child:
            child.run(self.READ, inherited=inherited, cpu=7, addressSpace=300 << 20, fileSize=1 << 20, processes=40)
            outcome = child.finish([child.receive()])
        asked = [(1, 1), (7, 8), (300 << 20, 300 << 20), (1 << 20, 1 << 20), (40, 40)]
        asked += [(1024, 1024), (256, 256), (0, 0), (0, 0)]
        self.assertEqual(len(outcome.value), len(asked))
        for set_to, wanted, most in zip(outcome.value, asked, hard):
            self.assertEqual(set_to, list(wanted) if most == INFINITY else [min(number, most) for number in wanted])

    def test_each_is_the_stricter_of_asked_and_inherited_on_each_side(self):
        inherited = [
            (resource.RLIMIT_CORE, 0, 0),
            (resource.RLIMIT_CPU, 5, 6),  # both below
            (resource.RLIMIT_AS, 200 << 20, 1 << 40),  # soft below, hard above
            (resource.RLIMIT_FSIZE, 1 << 30, 1 << 30),  # both above
            (resource.RLIMIT_NPROC, 30, 35),  # both below what is asked
            (resource.RLIMIT_NOFILE, 100, 200),
            (resource.RLIMIT_SIGPENDING, 20, 1000),
        ]
        with Child() as child:
            child.run(self.READ, inherited=inherited)
            outcome = child.finish([child.receive()])
        memory, file = LIMITS["addressSpace"], LIMITS["fileSize"]
        self.assertEqual(outcome.value[:5], [[0, 0], [5, 6], [200 << 20, memory], [file, file], [30, 35]])
        self.assertEqual(outcome.value[5:], [[100, 200], [20, 256], [0, 0], [0, 0]])

    def test_a_hard_limit_below_what_is_asked_bounds_both(self):
        with Child() as child:
            child.run(
                "import resource\nresource.getrlimit(resource.RLIMIT_CPU)", inherited=[(resource.RLIMIT_CPU, 4, 4)]
            )
            self.assertEqual(child.finish([child.receive()]).value, [4, 4])

    def test_they_are_set_in_their_order(self):
        recorded = []

        class Resource:
            RLIM_INFINITY = INFINITY
            RLIMIT_CORE, RLIMIT_CPU, RLIMIT_AS, RLIMIT_FSIZE, RLIMIT_NPROC = "core cpu as fsize nproc".split()
            RLIMIT_NOFILE, RLIMIT_SIGPENDING, RLIMIT_MSGQUEUE, RLIMIT_MEMLOCK = "files signals queues locked".split()

            @staticmethod
            def getrlimit(kind):
                return INFINITY, INFINITY

            @staticmethod
            def setrlimit(kind, limits):
                recorded.append((kind, limits))

        psych_bootstrap.resource = psych_probe.resource = Resource
        try:
            psych_bootstrap.forbid_core_dumps()
            psych_bootstrap.set_limits({"cpu": 1, "addressSpace": 2, "fileSize": 3, "processes": 4})
        finally:
            psych_bootstrap.resource = psych_probe.resource = resource
        asked = [("core", (1, 1)), ("cpu", (1, 2)), ("as", (2, 2)), ("fsize", (3, 3)), ("nproc", (4, 4))]
        same_for_all = [("files", (1024, 1024)), ("signals", (256, 256)), ("queues", (0, 0)), ("locked", (0, 0))]
        self.assertEqual(recorded, asked + same_for_all)

    def test_what_is_counted_for_others_too_can_not_be_used_up(self):
        program = (
            "import ctypes, errno, os, signal\n"
            "libc = ctypes.CDLL(None, use_errno=True)\n"
            "def until_refused(action, most=3000):\n"
            "    for count in range(most):\n"
            "        if action() < 0:\n"
            "            return [count, errno.errorcode[ctypes.get_errno()]]\n"
            "    return [most, None]\n"
            "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])\n"
            "queued = until_refused(lambda: libc.sigqueue(os.getpid(), signal.SIGRTMIN, None))\n"
            "queues = until_refused(lambda: libc.mq_open(b'/psych', os.O_CREAT | os.O_RDWR, 0o600, None))\n"
            "opened = until_refused(lambda: libc.dup(1))\n"
            "[opened[0] <= 1024, opened[1], queued[0] <= 256, queued[1], queues]"
        )
        self.assertEqual(self.value(program), [True, "EMFILE", True, "EAGAIN", [0, "EMFILE"]])

    def test_memory_beyond_the_limit_is_an_error_of_the_program(self):
        failure = self.failed("x = bytearray(1 << 30)")
        self.assertEqual((failure["message"], failure["limit"]), ("MemoryError", "memory"))
        failure = self.failed("x = []\nwhile True: x.append(bytearray(1 << 20))", addressSpace=128 << 20)
        self.assertEqual((failure["message"], failure["limit"]), ("MemoryError", "memory"))
        self.assertIn("line 2", failure["traceback"])

    def test_memory_errors_can_be_caught(self):
        self.assertEqual(
            self.value(("try:\n" "    x = bytearray(1 << 30)\n" "except MemoryError:\n" "    x = 'caught'\n" "x")),
            "caught",
        )

    def test_a_file_beyond_the_limit_is_an_error_of_the_program(self):
        failure = self.failed("open('f', 'wb').write(bytes(2 << 20))", fileSize=1 << 20)
        self.assertEqual(failure["limit"], "file_size")
        self.assertIn("File too large", failure["message"])

    def test_a_mapping_beyond_the_limit_speaks_of_memory(self):
        failure = self.failed("import mmap\nmmap.mmap(-1, 1 << 30)")
        self.assertIn("Cannot allocate memory", failure["message"])
        self.assertEqual(failure["limit"], "memory")

    def test_a_full_disk_and_too_many_processes_are_told_by_their_limit(self):
        for name, limit in (("ENOSPC", "workspace"), ("EAGAIN", "processes"), ("ENOMEM", "memory")):
            self.assertEqual(self.failed("import errno\nraise OSError(errno.%s, 'x')" % name)["limit"], limit)
        self.assertEqual(self.failed('raise RuntimeError("can\'t start new thread")')["limit"], "processes")
        self.assertNotIn("limit", self.failed("raise RuntimeError('other')"))
        self.assertNotIn("limit", self.failed("open('no-such-file')"))

    def test_cpu_time_ends_the_process_with_its_signal(self):
        with Child() as child:
            child.run("print('go')\nwhile True: pass", inherited=[(resource.RLIMIT_CPU, 1, 2)])
            self.assertIsNone(child.receive())
            outcome = child.finish()
        self.assertEqual((outcome.status, outcome.stdout), (-signal.SIGXCPU, "go\n"))

    def test_the_value_is_measured_to_the_byte(self):
        self.assertEqual(self.value("'é' * 49", value=100), "é" * 49)
        failure = self.failed("'é' * 49 + 'x'", kind="output_limit", value=100)
        self.assertEqual(
            failure,
            {"kind": "output_limit", "message": "The value is 101 bytes as JSON; the most is 100.", "limit": "value"},
        )

    def test_a_value_far_beyond_its_limit_costs_no_memory(self):
        failure = self.failed("['y' * 2000] * 150_000", kind="output_limit", addressSpace=128 << 20)
        self.assertEqual(failure["message"], "The value is 300,450,001 bytes as JSON; the most is 65,536.")

    def test_a_value_without_a_form_names_the_path(self):
        failure = self.failed("{'rows': [1, {'f': print}]}", kind="invalid_output")
        self.assertEqual(
            failure["message"], "The value.rows[1].f is a builtin_function_or_method, which has no JSON form."
        )
        failure = self.failed("d = 'leaf'\nfor _ in range(3000): d = {'k': d}\nd", kind="invalid_output")
        self.assertIn("is more than 190 levels deep", failure["message"])


class Tracebacks(ProgramTestCase):
    def test_it_has_the_programs_lines_and_no_other(self):
        failure = self.failed("def f():\n    return g()\n\ndef g():\n    raise ValueError('no')\n\nf()")
        self.assertEqual(failure["message"], "ValueError: no")
        # Which part of a line it was is marked from Python 3.11 on, and otherwise since 3.13.
        trace = re.sub("^[ ~^]+\n", "", failure["traceback"], flags=re.MULTILINE)
        expected = [
            "Traceback (most recent call last):",
            '  File "program.py", line 7, in <module>',
            "    f()",
            '  File "program.py", line 2, in f',
            "    return g()",
            '  File "program.py", line 5, in g',
            "    raise ValueError('no')",
            "ValueError: no",
            "",
        ]
        self.assertEqual(trace.split("\n"), expected)

    def test_frames_of_the_library_are_left_out(self):
        failure = self.failed("import json\njson.loads('{')")
        self.assertEqual(failure["traceback"].count("File "), 1)
        self.assertIn("json.loads('{')", failure["traceback"])
        self.assertNotIn("/", failure["traceback"])

    def test_causes_and_contexts_are_told(self):
        failure = self.failed(
            "try:\n"
            "    try:\n"
            "        {}['k']\n"
            "    except KeyError as problem:\n"
            "        raise ValueError('v') from problem\n"
            "except ValueError:\n    int('x')"
        )
        trace = failure["traceback"]
        self.assertLess(trace.index("KeyError: 'k'"), trace.index("ValueError: v"))
        self.assertIn("direct cause of the following exception", trace)
        self.assertIn("During handling of the above exception", trace)
        self.assertTrue(trace.rstrip().endswith("invalid literal for int() with base 10: 'x'"))
        for line in (3, 5, 7):
            self.assertIn("line %d, in <module>" % line, trace)

    def test_an_exception_that_is_its_own_context_ends(self):
        program = "a, b = ValueError('a'), ValueError('b')\na.__cause__, b.__cause__ = b, a\nraise a"
        self.assertIn("ValueError: a", self.failed(program)["traceback"])

    def test_a_group_is_told_by_its_leaves(self):
        program = (
            "raise ExceptionGroup('outer', [ValueError('v'), ExceptionGroup('inner', [KeyError('k'), OSError('o')])])"
        )
        failure = self.failed(program)
        if sys.version_info >= (3, 11):
            self.assertEqual(failure["message"], "ValueError: v; KeyError: 'k'; OSError: o")
            self.assertIn("ExceptionGroup: outer (2 sub-exceptions)", failure["traceback"])
            self.assertIn("| OSError: o", failure["traceback"])
        else:
            self.assertIn("name 'ExceptionGroup' is not defined", failure["message"])

    def test_a_long_traceback_is_cut_in_the_middle(self):
        program = (
            "def f(n):\n"
            "    try:\n"
            "        g(n)\n"
            "    except Exception as problem:\n"
            "        raise ValueError('x' * 100) from problem\n"
            "def g(n):\n"
            "    if n == 0: raise KeyError('first')\n"
            "    f(n - 1)\n"
            "f(150)"
        )
        trace = self.failed(program)["traceback"]
        self.assertLess(len(trace), 17_000)
        self.assertIn("KeyError: 'first'", trace)
        self.assertRegex(trace, r"\n  … \d+ characters left out …\n")
        self.assertTrue(trace.endswith("ValueError: " + "x" * 100 + "\n"))

    def test_a_long_message_is_cut_in_the_middle(self):
        message = self.failed("raise ValueError('a' * 10_000 + 'z' * 10_000)")["message"]
        self.assertLess(len(message), 4200)
        self.assertTrue(message.startswith("ValueError: aaa") and message.endswith("zzz"))

    def test_recursion_without_end_is_one_exception_with_its_line(self):
        failure = self.failed("def f():\n    return f()\nf()")
        self.assertIn("RecursionError: maximum recursion depth exceeded", failure["message"])
        self.assertIn("Previous line repeated", failure["traceback"])

    def test_names_of_tools_that_are_near_are_told(self):
        for program, advice in (
            ("await serach(query='x')", "The nearest name is `search`."),
            ("await list_repos()", 'The nearest tool is reached as call_tool("list-repos", {...}).'),
            ("call_tol('x')", "The nearest name is `call_tool`."),
        ):
            with self.subTest(program):
                self.assertIn(advice, self.failed(program, TOOLS)["message"])
        self.assertNotIn("nearest", self.failed("nothing_like_that", TOOLS)["message"])

    def test_a_tool_whose_name_was_taken_is_told(self):
        failure = self.failed("search = [1]\nawait search(query='x')", TOOLS)
        self.assertIn("uses the name of the tool `search` for something else", failure["message"])

    def test_a_module_that_is_not_there_is_answered_with_what_is(self):
        failure = self.failed("import pandas_of_nobody")
        self.assertIn("Only Python's standard library can be imported", failure["message"])

    def test_exceptions_whose_own_code_fails_are_told_all_the_same(self):
        for body in (
            "def __str__(self): raise ValueError('x')",
            "def __str__(self): return 5",
            "exceptions = property(lambda self: 1 / 0)",
        ):
            with self.subTest(body):
                failure = self.failed("class Odd(Exception):\n    %s\nraise Odd()" % body)
                self.assertTrue(failure["message"].startswith("Odd"), failure)
                self.assertIn("line 3, in <module>", failure["traceback"])

    def test_surrogates_in_messages_are_replaced(self):
        self.assertEqual(self.failed("raise ValueError('\\ud83d')")["message"], "ValueError: \ufffd")


class Endings(ProgramTestCase):
    def test_exit_statuses(self):
        for program, status, stderr in (
            ("sys.exit(3)", 3, ""),
            ("sys.exit(255)", 255, ""),
            ("sys.exit(256)", 0, ""),
            ("sys.exit(-1)", 255, ""),
            ("sys.exit(True)", 1, ""),
            ("sys.exit('text')", 1, "text\n"),
            ("sys.exit([1])", 1, "[1]\n"),
            ("sys.exit(0.0)", 1, "0.0\n"),
            ("raise SystemExit(4)", 4, ""),
            ("sys.stderr.close()\nsys.exit('unheard')", 1, ""),
        ):
            with self.subTest(program):
                outcome = run("import sys\nprint('before')\n%s\nprint('after')" % program)
                self.assertEqual((outcome.status, outcome.stdout, outcome.stderr), (0, "before\n", stderr))
                self.assertEqual((outcome.failure["kind"], outcome.failure["exitStatus"]), ("worker_exit", status))
                self.assertNotIn("traceback", outcome.failure)

    def test_an_exit_without_a_failure_is_the_end_of_the_program(self):
        for program in ("sys.exit()", "sys.exit(0)", "sys.exit(None)", "sys.exit(False)"):
            with self.subTest(program):
                outcome = self.ended("import sys\nprint('before')\n%s\nprint('after')" % program)
                self.assertEqual((outcome.stdout, outcome.value), ("before\n", None))

    def test_an_exit_within_a_loop_of_asyncio(self):
        failure = self.failed(
            ("import asyncio, sys\n" "async def main():\n" "    sys.exit(5)\n" "await asyncio.gather(main())"),
            kind="worker_exit",
        )
        self.assertEqual(failure["exitStatus"], 5)

    def test_an_exit_of_a_thread_is_the_end_of_the_thread(self):
        self.assertEqual(
            self.value(
                (
                    "import threading, sys\n"
                    "t = threading.Thread(target=sys.exit, args=(3,))\n"
                    "t.start()\n"
                    "t.join()\n"
                    "'on'"
                )
            ),
            "on",
        )

    def test_exceptions_that_are_no_exceptions(self):
        for program, message in (
            ("raise KeyboardInterrupt", "KeyboardInterrupt"),
            ("raise GeneratorExit", "GeneratorExit"),
            ("class Stop(BaseException): pass\nraise Stop('now')", "Stop: now"),
            ("import asyncio\nraise asyncio.CancelledError", "CancelledError"),
            ("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True: pass", "KeyboardInterrupt"),
            ("async def f(): raise KeyboardInterrupt\nawait f()", "KeyboardInterrupt"),
            ("raise StopIteration(1)", "StopIteration: 1"),
        ):
            with self.subTest(program):
                self.assertEqual(self.failed(program)["message"], message)

    def test_a_process_that_ends_itself_sends_nothing_more(self):
        for program, status in (
            ("import os\nos._exit(5)", 5),
            ("import os\nos.abort()", -signal.SIGABRT),
            ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
            ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", -signal.SIGSEGV),
        ):
            with self.subTest(program):
                outcome = run("print('before')\n" + program)
                self.assertEqual((outcome.status, outcome.stdout, outcome.done), (status, "before\n", None))

    def test_nobody_answers_input(self):
        failure = self.failed("print('name?')\nname = input()")
        self.assertIn("EOFError", failure["message"])
        self.assertIn("Nobody can answer input(): write the value into the program.", failure["message"])
        self.assertEqual(self.value("import sys\nsys.stdin.read()"), "")

    def test_threads_that_go_on_are_joined_and_their_calls_answered(self):
        program = (
            "import threading\n"
            "def work(n):\n"
            "    print(echo(value=n).result())\n"
            "    if n: threading.Thread(target=work, args=(n - 1,)).start()\n"
            "threading.Thread(target=work, args=(3,)).start()\n"
            "'value'"
        )
        outcome = self.ended(program, TOOLS)
        self.assertEqual((outcome.value, outcome.stdout), ("value", "3\n2\n1\n0\n"))

    def test_threads_that_are_daemons_are_not_waited_for(self):
        self.assertEqual(
            self.value(
                ("import threading\n" "threading.Thread(target=threading.Event().wait, daemon=True).start()\n" "1")
            ),
            1,
        )

    def test_a_thread_that_fails_prints_its_traceback(self):
        outcome = run("import threading\nt = threading.Thread(target=lambda: 1 / 0)\nt.start()\nt.join()\n'on'")
        self.assertEqual(outcome.value, "on")
        self.assertIn("ZeroDivisionError", outcome.stderr)

    def test_exit_handlers_run_before_the_end_is_told(self):
        program = (
            "import atexit\n"
            "atexit.register(print, 'first')\n"
            "atexit.register(lambda: print(echo(value='called').result()))\n"
            "'value'"
        )
        outcome = self.ended(program, TOOLS)
        self.assertEqual((outcome.value, outcome.stdout), ("value", "called\nfirst\n"))

    def test_exit_handlers_that_fail_fail_alone(self):
        for body in ("1 / 0", "import sys; sys.exit(3)"):
            with self.subTest(body):
                outcome = run(
                    (
                        "import atexit\n"
                        "atexit.register(print, 'other')\n"
                        "@atexit.register\n"
                        "def last():\n"
                        "    %s\n"
                        "'value'"
                    )
                    % body
                )
                self.assertEqual((outcome.value, outcome.failure, outcome.stdout), ("value", None, "other\n"))

    def test_files_that_were_left_open_are_written(self):
        program = (
            "import os\n"
            "f = open('a.txt', 'w')\n"
            "f.write('text')\n"
            "g = open('b.bin', 'w+b')\n"
            "g.write(b'bytes')\n"
            "h = os.fdopen(os.open('c', os.O_CREAT | os.O_WRONLY), 'wb')\n"
            "h.write(b'more')\n"
            "print('end')"
        )
        with Child() as child:
            child.run(program)
            self.assertEqual(child.finish([child.receive()]).stdout, "end\n")
            contents = {}
            for name in sorted(os.listdir(child.workspace)):
                with open(os.path.join(child.workspace, name), "rb") as file:
                    contents[name] = file.read()
        self.assertEqual(contents, {"a.txt": b"text", "b.bin": b"bytes", "c": b"more"})

    def test_a_file_that_can_not_be_written_at_the_end_is_noted(self):
        outcome = self.ended("f = open('/dev/full', 'w')\nf.write('text')\ng = open('b', 'w')\ng.write('x')\n1")
        self.assertEqual(outcome.value, 1)
        self.assertEqual(
            outcome.notes,
            [
                "A file that was left open could not be written to its end: [Errno %d] No space left on device."
                % errno.ENOSPC
            ],
        )

    def test_a_copy_of_the_process_that_goes_on_to_the_end_is_not_the_program(self):
        program = (
            "import os, sys\n"
            "child = os.fork()\n"
            "if child == 0:\n"
            "    print('copy')\n"
            "    %s\n"
            "status = os.waitpid(child, 0)[1] if child else 0\n"
            "[child > 0, os.WEXITSTATUS(status)]"
        )
        for body, status, stderr in (("pass", 0, ""), ("sys.exit(3)", 3, ""), ("1 / 0", 1, "ZeroDivisionError")):
            with self.subTest(body):
                outcome = run(program % body)
                self.assertEqual((outcome.value, outcome.failure, outcome.stdout), ([True, status], None, "copy\n"))
                self.assertIn(stderr, outcome.stderr)


class Streams(ProgramTestCase):
    def test_every_way_to_print_arrives_in_order(self):
        program = (
            "import os, subprocess, sys, logging, warnings, _thread\n"
            "print('one', end='')\n"
            "sys.stdout.write(' two\\n')\n"
            "os.write(1, b'three\\n')\n"
            "subprocess.run(['sh', '-c', 'echo four; echo five >&2'])\n"
            "os.system('echo six')\n"
            "logging.warning('seven')\n"
            "print('eight', file=sys.stderr)\n"
            "print('no line end', end='')"
        )
        outcome = run(program)
        self.assertIsNone(outcome.failure)
        self.assertEqual(outcome.stdout, "one two\nthree\nfour\nsix\nno line end")
        self.assertEqual(outcome.stderr, "five\nWARNING:root:seven\neight\n")

    def test_what_was_printed_before_a_kill_is_there(self):
        outcome = run("import os, signal\nprint('kept', end='')\nos.kill(os.getpid(), signal.SIGKILL)")
        self.assertEqual(outcome.stdout, "kept")

    def test_surrogates_never_stop_a_print(self):
        self.assertEqual(self.ended("print('\\ud83d', 'é😀')").stdout, "\\ud83d é😀\n")

    def test_a_frame_that_is_printed_is_text(self):
        frame = json.dumps({"type": "done", "value": "forged", "failure": None, "notes": []})
        outcome = self.ended("print(%r)\nimport os\nos.write(2, b'')\n'real'" % frame)
        self.assertEqual((outcome.value, outcome.stdout), ("real", frame + "\n"))

    def test_streams_that_are_closed_take_nothing_else_with_them(self):
        for program in (
            "import os\nos.close(0)\nos.close(1)\nos.close(2)",
            "import sys\nsys.stdout.close()\nsys.stderr.close()",
            "import sys\nsys.stdout = sys.stderr = None",
            "import sys\ndel sys.stdout, sys.stderr",
            "import sys\nclass Odd:\n    def write(self, text): pass\n    def flush(self): 1 / 0\nsys.stdout = Odd()",
            "import sys, io\nsys.stdout = io.StringIO()\nprint('x')",
            "import sys\nsys.stdout.detach()",
        ):
            with self.subTest(program):
                self.assertEqual(run(program + "\nawait echo(value=1)", TOOLS).value, 1)

    def test_printing_to_a_closed_descriptor_is_an_error_of_the_program(self):
        self.assertIn("OSError", self.failed("import os\nos.close(1)\nprint('x')")["message"])

    def test_its_processes_do_not_have_the_channel(self):
        program = (
            "import os, subprocess\n"
            "listing = 'for n in /proc/self/fd/*; do readlink $n; done'\n"
            "os.system(listing)\n"
            "subprocess.run(['sh', '-c', listing], close_fds=False)"
        )
        outcome = run(program)
        self.assertNotIn("socket", outcome.stdout)
        self.assertEqual(outcome.stdout.count("/dev/null\n"), 2, outcome)

    def test_standard_descriptors_that_are_missing_at_the_start_are_kept_occupied(self):
        program = (
            "import os, subprocess, sys\n"
            "descriptor = os.open('f', os.O_CREAT | os.O_WRONLY)\n"
            "print('x')\n"
            "subprocess.run('echo y; echo z >&2', shell=True)\n"
            "[sys.stdout, descriptor > 2, os.path.getsize('f'), os.readlink('/proc/self/fd/2'), await echo(value=1)]"
        )
        with Child(launcher=["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"]) as child:
            child.run(program, TOOLS)
            call = child.receive()
            child.answer(call, TOOLS)
            outcome = child.finish([call, child.receive()])
        self.assertEqual(outcome.value, [None, True, 0, "/dev/null", 1])


if __name__ == "__main__":
    unittest.main()
