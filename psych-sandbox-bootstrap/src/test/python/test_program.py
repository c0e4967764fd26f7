"""How a program's text is read, compiled and run: each test is one program in a child of its own."""

import builtins
import itertools
import os
import sys
import unittest
import warnings

from psych_program import compile_parts
from psych_tree import run_tree
from support import TOOLS, ProgramTestCase, run

NOTE = "The program ended with an assignment%s; its value is given although it was not returned."
FENCE = "The code fence around the program was left out."


class TheText(ProgramTestCase):
    def test_text_in_several_lines_is_not_indented_by_anyone(self):
        self.assertEqual(self.value('q = """a\nb\n  c\n\td"""\nq'), "a\nb\n  c\n\td")

    def test_lines_may_end_in_cr_lf_as_in_any_script(self):
        self.assertEqual(self.value("x = 1\r\nif x:\r\n    y = '''a\r\nb'''\r\n[x, y]\r\n"), [1, "a\nb"])
        self.assertIn("line 3", self.failed("x = 1\r\n\r\n1 / 0\r\n")["traceback"])

    def test_lines_may_end_in_cr_alone(self):
        self.assertEqual(self.value("x = 1\rx + 1\r"), 2)

    def test_tabs_indent_and_stay_in_text(self):
        self.assertEqual(self.value("if True:\n\tx = 'a\tb'\nx"), "a\tb")

    def test_tabs_mixed_with_spaces_are_an_error_with_its_line(self):
        failure = self.failed("if True:\n        x = 1\n\ty = 2\n")
        self.assertIn("TabError", failure["message"])
        self.assertIn("line 3", failure["traceback"])

    def test_a_coding_cookie_is_ignored_since_the_text_is_decoded_already(self):
        for cookie in ("latin-1", "ascii", "utf-16", "no-such-codec"):
            with self.subTest(cookie):
                self.assertEqual(self.value("# -*- coding: %s -*-\n'é€😀'" % cookie), "é€😀")

    def test_one_byte_order_mark_is_taken_off(self):
        self.assertEqual(self.value("\ufeffx = 2\nx"), 2)
        self.assertEqual(self.value("'\ufeff'"), "\ufeff")
        self.assertIn("U+FEFF", self.failed("\ufeff\ufeff1")["message"])

    def test_a_nul_is_named_with_its_offset(self):
        self.assertEqual(
            self.failed("x = 1\ny\0 = 2")["message"], "SyntaxError: the program holds a NUL character at offset 7"
        )

    def test_characters_that_look_like_quotes_are_named_with_their_place(self):
        failure = self.failed("x = 1\nprint(\u201chello\u201d)")
        self.assertIn("U+201C", failure["message"])
        self.assertIn('File "program.py", line 2', failure["traceback"])

    def test_identifiers_are_normalized_as_python_does(self):
        self.assertEqual(self.value("ﬁle = 3\nfile"), 3)

    def test_separators_that_are_no_line_ends_do_not_move_line_numbers(self):
        failure = self.failed("x = '\u2028\x0c\x1c\x85'\n\x0c\n1 / 0  # here")
        self.assertIn("line 3, in <module>\n    1 / 0  # here", failure["traceback"])

    def test_nothing_to_run_is_no_failure(self):
        for program in ("", "\n\n", "# nothing", "pass", "   "):
            with self.subTest(repr(program)):
                outcome = self.ended(program)
                self.assertIsNone(outcome.value)
                self.assertEqual(outcome.notes, [])

    def test_the_last_line_needs_no_end(self):
        self.assertEqual(self.value("if 1:\n    x = 5\nx"), 5)
        self.assertEqual(self.value("x = 5; x"), 5)

    def test_too_many_parentheses_are_a_syntax_error(self):
        self.assertIn("SyntaxError: too many nested parentheses", self.failed("(" * 2000 + ")" * 2000)["message"])

    def test_a_sum_of_twenty_thousand_terms_ends_in_data(self):
        outcome = run("+".join(["1"] * 20_000))
        self.assertEqual(outcome.status, 0)
        if outcome.failure is None:
            self.assertEqual(outcome.value, 20_000)
        else:
            self.assertEqual(outcome.failure["kind"], "program_exception")
            self.assertRegex(outcome.failure["message"], "^(RecursionError|MemoryError|SyntaxError): ")

    def test_ten_megabytes_of_text_are_run(self):
        comment = "# " + "x" * 98 + "\n"
        outcome = self.ended(comment * 100_000 + "1 + 1")
        self.assertEqual(outcome.value, 2)


class Fences(ProgramTestCase):
    def test_a_fence_around_the_program_is_left_out_with_a_note(self):
        for fence in ("```", "```python", "```py"):
            with self.subTest(fence):
                outcome = self.ended("%s\nx = 20\nx + 1\n```\n" % fence)
                self.assertEqual((outcome.value, outcome.notes), (21, [FENCE]))

    def test_lines_keep_their_numbers(self):
        self.assertIn("line 3, in <module>\n    1 / 0", self.failed("```python\nx = 1\n1 / 0\n```")["traceback"])

    def test_an_error_within_it_is_told_alone(self):
        failure = self.failed("```python\nx = 1\nx = = 2\n```")
        self.assertIn('File "program.py", line 3', failure["traceback"])
        self.assertEqual(failure["traceback"].count("SyntaxError"), 1)

    def test_back_ticks_within_a_program_that_compiles_stay(self):
        outcome = self.ended("x = '''\n```python\n1\n```\n'''\nx")
        self.assertEqual((outcome.value, outcome.notes), ("\n```python\n1\n```\n", []))

    def test_text_before_the_fence_or_no_end_is_a_syntax_error(self):
        for program in ("Here is the code:\n```python\n1\n```", "```python\n1", "```python 1```", "```"):
            with self.subTest(program):
                self.assertIn("SyntaxError", self.failed(program)["message"])


class TheValue(ProgramTestCase):
    def test_the_last_expression_is_the_value_and_what_is_printed_is_apart(self):
        outcome = self.ended("print('said')\n{'a': [1]}")
        self.assertEqual((outcome.value, outcome.stdout, outcome.notes), ({"a": [1]}, "said\n", []))

    def test_other_last_statements_have_no_value(self):
        for last in (
            "def f(): return 1",
            "class A: pass",
            "import math",
            "if True: 5",
            "for x in [1]: x",
            "x: int",
            "del y",
        ):
            with self.subTest(last):
                outcome = self.ended("y = 1\n" + last)
                self.assertEqual((outcome.value, outcome.notes), (None, []))

    def test_an_expression_that_is_none_is_none(self):
        self.assertIsNone(self.value("5\nprint('x')"))

    def test_an_assignment_expression_is_an_expression(self):
        outcome = self.ended("(x := 5)")
        self.assertEqual((outcome.value, outcome.notes), (5, []))

    def test_a_last_assignment_gives_its_value_with_a_note(self):
        for program, value, name in (
            ("x = [1]", [1], " to x"),
            ("x = y = 2", 2, " to x"),
            ("x, y = 1, 2", [1, 2], ""),
            ("x, *y = 'abc'", "abc", ""),
            ("class A: pass\na = A()\na.b = 3", 3, ""),
            ("d = {}\nd['k'] = 4", 4, ""),
            ("d = {}\nd['k'] = x = 4", 4, " to x"),
            ("x = 1\nx += 4", 5, " to x"),
            ("class A: b = 1\nA.b *= 6", 6, ""),
            ("d = {'k': [1, 2]}\ni = 'k'\nd[i][-1] -= 9", -7, ""),
            ("x: int = 7", 7, " to x"),
            ("d = {}\nd['k']: int = 8", 8, ""),
            ("x = 9; ", 9, " to x"),
        ):
            with self.subTest(program):
                outcome = self.ended(program)
                self.assertEqual(outcome.value, value)
                self.assertEqual([note.partition(" End with")[0] for note in outcome.notes], [NOTE % name])

    def test_an_augmented_target_that_calls_something_is_not_evaluated_twice(self):
        outcome = self.ended("import itertools\nn = itertools.count()\nd = {0: 1, 1: 50}\nd[next(n)] += 1\n")
        self.assertIsNone(outcome.value)
        self.assertEqual(
            self.value(("import itertools\n" "n = itertools.count()\n" "d = {0: 1, 1: 50}\n" "d[next(n)] += 1\n" "d")),
            {"0": 2, "1": 50},
        )

    def test_a_target_that_fails_fails_as_ever(self):
        failure = self.failed("x = 1\nx.y = 2")
        self.assertIn("AttributeError", failure["message"])
        self.assertIn("line 2", failure["traceback"])
        self.assertIn("ValueError", self.failed("a, b = 1, 2, 3")["message"])

    def test_a_call_that_is_last_is_awaited_by_itself(self):
        self.assertEqual(self.value("echo(value=9)", TOOLS), 9)
        self.assertEqual(self.value("call_tool('list-repos')", TOOLS), ["one"])
        self.assertEqual(self.value("async def main():\n    return await echo(value=1)\nmain()", TOOLS), 1)
        self.assertEqual(
            self.value(
                ("import asyncio\n" "async def main():\n" "    await asyncio.sleep(0)\n" "    return 2\n" "main()")
            ),
            2,
        )

    def test_a_call_that_is_assigned_last_is_awaited_with_the_note(self):
        outcome = self.ended("x = echo(value=9)", TOOLS)
        self.assertEqual(outcome.value, 9)
        self.assertIn(NOTE % " to x", outcome.notes[0])

    def test_none_of_our_names_is_in_the_programs_world(self):
        given = ["TOOLS", "ToolError", "call_tool", "echo"]
        module = [
            "__annotations__",
            "__builtins__",
            "__doc__",
            "__file__",
            "__loader__",
            "__name__",
            "__package__",
            "__spec__",
        ]
        for program in ("sorted(globals())", "return sorted(globals())"):
            self.assertEqual(self.value(program, {"echo": None, "list-repos": None}), sorted(given + module))


class TheParts(unittest.TestCase):
    """A program whose last statement can be told apart is compiled in two parts, without its syntax tree."""

    PIECES = (
        "1", "x", "x = 5", "x += 1", "x: int = 2", "(x\n)", "[x,\n1\n]", "x,\nx", "x; 3", "x = 4; x", "print", "'a' 'b'", "'text'",
        '"""a\nx"""', 'x = """a\nx"""', 'x = """a\nfor y in 1: pass\n  """', "# no", "x # yes", "x\\", "\\", "x + \\\n1", "-x", "*x, 1", "f(x)",
        "def f(y=1):\n    return y", "@f", "f\n(x)", "if x:\n    x = 7\nelse:\n    x = 8", "else_ = 9", "elif_", "if x: x = 3", "else: x = 6",
        "for x in (1, 2): x; x", "for x in 1, 2:\n    y: int = x", "while 0:\n  pass\nelse:\n  x = 'e'", "try:\n  x\nfinally:\n  x = 'f'",
        "try:\n  f\nexcept\tNameError: x = 'g'", "with f: pass", "class C:\n  x = 1\nC.x", "class C: y = 2", "import sys", "import sys; sys.maxsize",
        "from sys import maxsize", "del x", "pass", "assert x", "raise KeyError", "global x", "return x", "if x: return 1", "yield", "lambda: x",
        "(yield)", "x = (", ")", "{", "}", "{x:1\n}", "  x", "\tx", "match x:\n  case 1: x = 2", "from __future__ import annotations",
        "\x0bx", "\x0cx", "\r1", "\0", "\u3000x", "\ufeffx", "x := 2", "(x := 2)", "not x", "f'{x}'", "...", "if", "for", "", "\n",
    )

    def outcome(self, run):
        namespace = {"__builtins__": builtins, "x": 0, "__annotations__": {}}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = run(namespace)
        except Exception as problem:
            trace = problem.__traceback__
            while trace.tb_next:
                trace = trace.tb_next
            value = type(problem), str(problem), trace.tb_lineno
        kept = {name: item if isinstance(item, (int, str, tuple)) else type(item) for name, item in namespace.items()}
        for name in ("__builtins__", "__annotate__", "__conditional_annotations__"):
            kept.pop(name, None)
        return value if isinstance(value, (int, str, tuple, list, type(None))) else type(value), kept

    def run_parts(self, source, parts, namespace):
        value = None
        for part in parts:
            value = eval(part, namespace)
        return value

    def agree(self, sources):
        apart = 0
        for source in sources:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                parts = compile_parts(source, "<program>")
            if parts is None:
                continue
            apart += 1
            notes = []
            self.assertEqual(
                self.outcome(lambda namespace: self.run_parts(source, parts, namespace)),
                self.outcome(lambda namespace: run_tree(source, "<program>", namespace, None, notes)),
                source,
            )
            self.assertEqual(notes, [], source)
        return apart

    def test_what_is_told_apart_is_what_the_syntax_tree_says(self):
        one = self.agree(self.PIECES)
        two = self.agree("\n".join(pair) for pair in itertools.product(self.PIECES, repeat=2))
        self.assertGreater(one, 25)
        self.assertGreater(two, 1000)

    def test_three_statements_and_every_end_of_their_text(self):
        whole = "\n".join(("import sys", "def f(y):\n    return [\ny\n]", "x = 'a\\\nb'", "for z in 1, 2:\n    x += str(z)", "f(\n    x,\n)", ""))
        self.assertGreater(self.agree(whole[:end] for end in range(len(whole) + 1)), 5)

    def test_our_own_sources_are_told_apart_up_to_every_line(self):
        with open(os.path.join(os.path.dirname(compile_parts.__code__.co_filename), "psych_values.py"), encoding="utf-8") as file:
            lines = file.read().split("\n")
        self.assertGreater(self.agree("\n".join(lines[:end]) for end in range(0, len(lines), 3)), 10)

    def test_whether_a_common_program_is_told_apart(self):
        for source, apart in (
            ("print(1)\n1", True),
            ("import json\nfor x in range(3):\n    print(x)\n", True),
            ("x = await f()\nprint(\n    x,\n)", True),
            ("async def main():\n    pass\nawait main()  # done\n\n", True),
            ("if a:\n    b\nelif c:\n    d\nelse:\n    e", True),
            ("x = 1", False),
            ("if a:\n    return 1\nb", False),
            ("return 1", False),
            ("```\n1\n```", False),
        ):
            with self.subTest(source):
                self.assertEqual(compile_parts(source, "<program>") is not None, apart)


class TopLevelAwait(ProgramTestCase):
    def test_without_asyncio_a_call_is_awaited(self):
        self.assertEqual(
            self.value(("import sys\n" "x = await echo(value='a')\n" "[x, 'async' + 'io' in sys.modules]"), TOOLS),
            ["a", False],
        )

    def test_everywhere_an_expression_can_await(self):
        for program, value in (
            ("[await echo(value=n) for n in range(3)]", [0, 1, 2]),
            ("{n: await echo(value=n) for n in range(2)}", {"0": 0, "1": 1}),
            ("f\"{await echo(value='x')}!\"", "x!"),
            ("(await echo(value=1)) + (await echo(value=2))", 3),
            ("x = 1 if await echo(value=False) else 2\nx", 2),
            ("async def f(x):\n    return await echo(value=x)\nawait f(3)", 3),
            ("with open('f', 'w') as file:\n    file.write(await echo(value='text'))\nopen('f').read()", "text"),
            ("assert await echo(value=True)\nwhile await echo(value=False): pass\n'end'", "end"),
        ):
            with self.subTest(program):
                self.assertEqual(self.value(program, TOOLS), value)

    def test_async_for_async_with_and_async_comprehensions(self):
        source = (
            "import contextlib\n"
            "async def numbers():\n    for n in range(3):\n        yield await echo(value=n)\n"
            "class Room:\n"
            "    async def __aenter__(self): return await echo(value='in')\n"
            "    async def __aexit__(self, *_): print(await echo(value='out'))\n"
            "seen = []\n"
            "async for n in numbers():\n    seen.append(n)\n"
            "async with Room() as room:\n    seen.append(room)\n"
            "seen += [n async for n in numbers() if n]\n"
            "seen += sorted({n async for n in numbers()})\n"
            "seen += {n: 0 async for n in numbers()}\n"
            "seen += [m async for m in (n * 10 async for n in numbers())]\n"
            "seen"
        )
        outcome = self.ended(source, TOOLS)
        self.assertEqual(outcome.value, [0, 1, 2, "in", 1, 2, 0, 1, 2, 0, 1, 2, 0, 10, 20])
        self.assertEqual(outcome.stdout, "out\n")

    def test_with_asyncio_everything_of_it_can_be_awaited(self):
        self.assertEqual(self.value("import asyncio\nawait asyncio.sleep(0, 'slept')"), "slept")
        self.assertEqual(self.value("import asyncio\nawait asyncio.wait_for(asyncio.sleep(0, 1), 30)"), 1)

    def test_an_event_loop_that_is_missing_is_asked_for_in_one_line(self):
        source = "class Other:\n    def __await__(self):\n        yield self\nawait Other()"
        self.assertIn(
            "this program awaits something that needs an event loop: import asyncio", self.failed(source)["message"]
        )

    def test_a_program_may_bring_its_own_loop(self):
        for last in ("asyncio.run(main())", "asyncio.new_event_loop().run_until_complete(main())"):
            with self.subTest(last):
                source = (
                    "import asyncio\n"
                    "async def main():\n"
                    "    await asyncio.sleep(0)\n"
                    "    return await echo(value=1)\n"
                )
                self.assertEqual(self.value(source + last, TOOLS), 1)

    def test_a_loop_within_the_loop_is_answered_with_one_clear_line_and_no_noise(self):
        source = "import asyncio\nasync def main():\n    return 1\nawait asyncio.sleep(0)\nasyncio.run(main())"
        failure = self.failed(source)
        self.assertIn("write `await main()` instead of asyncio.run(main())", failure["message"])

    def test_await_in_a_plain_function_is_a_syntax_error_with_its_line_and_the_fix(self):
        failure = self.failed("def f():\n    return await echo(value=1)\nf()", TOOLS)
        self.assertIn("Make the function that awaits `async def`", failure["message"])
        self.assertIn("line 2", failure["traceback"])
        self.assertIn("Make the function", self.failed("f = lambda: await echo(value=1)", TOOLS)["message"])

    def test_an_exception_through_awaits_has_the_lines_of_all(self):
        failure = self.failed("async def f():\n    return await boom(message='no')\n\nawait f()", TOOLS)
        self.assertEqual(failure["message"], "ToolError: boom: no")
        self.assertRegex(failure["traceback"], r"(?s)line 4, in <module>\n.*line 2, in f\n.*ToolError: boom: no\n$")
        self.assertEqual(failure["traceback"].count("File "), 2)


class TopLevelReturn(ProgramTestCase):
    def test_return_is_the_value_and_the_end(self):
        outcome = self.ended("print('a')\nif True:\n    return [1, 2]\nprint('b')")
        self.assertEqual((outcome.value, outcome.stdout, outcome.notes), ([1, 2], "a\n", []))

    def test_return_without_a_value_is_none(self):
        self.assertIsNone(self.value("return"))
        self.assertIsNone(self.value("return None\n5"))

    def test_a_return_that_is_not_reached_leaves_the_last_expression(self):
        self.assertEqual(self.value("x = 1\nif x > 1:\n    return 'early'\nx + 1"), 2)
        outcome = self.ended("if 0: return\ny = 3")
        self.assertEqual(outcome.value, 3)
        self.assertIn(NOTE % " to y", outcome.notes[0])

    def test_return_leaves_through_finally_and_with_like_in_any_function(self):
        source = (
            "class Watch:\n"
            "    def __enter__(self): return self\n"
            "    def __exit__(self, kind, problem, trace): print('exit saw', kind)\n"
            "try:\n"
            "    with Watch():\n"
            "        for n in range(9):\n"
            "            while True:\n"
            "                if n == 2:\n"
            "                    return n\n"
            "                break\n"
            "except BaseException as problem:\n    print('caught', problem)\n"
            "else:\n    print('else')\n"
            "finally:\n    print('finally')\n"
            "print('after')"
        )
        outcome = self.ended(source)
        self.assertEqual((outcome.value, outcome.stdout), (2, "exit saw None\nfinally\n"))

    def test_finally_can_replace_the_value(self):
        program = "try:\n    return 1\nfinally:\n    return 2"
        outcome = run(program)  # 3.14 warns of it on stderr
        self.assertEqual((outcome.value, outcome.failure), (2, None))

    def test_return_in_async_with_and_async_for(self):
        source = (
            "class Watch:\n"
            "    async def __aenter__(self): return self\n"
            "    async def __aexit__(self, kind, *_): print(kind)\n"
            "async def numbers():\n    yield 1\n"
            "async with Watch():\n"
            "    async for n in numbers():\n"
            "        return await echo(value=n)\n"
        )
        outcome = self.ended(source, TOOLS)
        self.assertEqual((outcome.value, outcome.stdout), (1, "None\n"))
        self.assertEqual(self.value("return await echo(value=3)", TOOLS), 3)
        self.assertEqual(self.value("return echo(value=3)", TOOLS), 3)
        self.assertEqual(self.value("import asyncio\nreturn await asyncio.sleep(0, 4)"), 4)
        self.assertEqual(self.value("return [await echo(value=n) for n in range(2)]", TOOLS), [0, 1])

    def test_names_are_the_modules_all_the_same(self):
        source = (
            "import math, os.path as p\n"
            "from json import dumps as d\n"
            "x = 1\n"
            "for i in range(3): pass\n"
            "with open('f', 'w') as handle: pass\n"
            "try:\n    1 / 0\nexcept ZeroDivisionError as problem:\n    kept = str(problem)\n"
            "(a, [b, *c]) = 1, [2, 3]\n"
            "print(w := 7)\n"
            "[u := n for n in range(3)]\n"
            "def f():\n    global from_within\n    from_within = x + i\n    return f.__qualname__\n"
            "class A:\n    def m(self): return x\n    class B: pass\n"
            "f()\n"
            "def reads():\n"
            "    return [x, i, handle.name, kept, a, b, c, w, u, from_within, math.floor(2.5), d(1), p.sep, A().m()]\n"
            "import __main__\n"
            "names = sorted(n for n in vars(__main__) if len(n) == 1)\n"
            "gone = ['problem' in globals(), 'n' in globals()]\n"
            "return [reads(), f.__qualname__, A.__qualname__, A.B.__qualname__, names, *gone]"
        )
        self.assertEqual(
            self.value(source),
            [
                [1, 2, "f", "division by zero", 1, 2, [3], 7, 2, 3, 2, "1", "/", 1],
                "f",
                "A",
                "A.B",
                ["A", "a", "b", "c", "d", "f", "i", "p", "u", "w", "x"],
                False,
                False,
            ],
        )

    def test_one_namespace_for_exec_eval_locals_and_dir(self):
        source = (
            "x = 1\n"
            "exec('y = x + 1')\n"
            "[k for k in range(3)]\n"
            "z = eval('y + 1')\n"
            "return [y, z, locals() is globals(), 'y' in dir(), 'k' in dir(), vars()['z']]"
        )
        self.assertEqual(self.value(source), [2, 3, True, True, False, 3])

    def test_import_star_global_and_del(self):
        self.assertEqual(
            self.value(
                (
                    "from math import *\n"
                    "global g\n"
                    "g = floor(2.5)\n"
                    "x = 1\n"
                    "del x\n"
                    "return [g, 'x' in globals(), pi > 3]"
                )
            ),
            [2, False, True],
        )
        failure = self.failed("x = 1\nfrom no_such_module import *\nreturn x")
        self.assertIn("ModuleNotFoundError", failure["message"])
        self.assertIn("line 2", failure["traceback"])

    def test_annotations_need_not_be_evaluated(self):
        self.assertEqual(
            self.value(
                ("x: int = 1\n" "y: str\n" "def f(a: int) -> str: pass\n" "return [x, f.__annotations__['a'] is int]")
            ),
            [1, True],
        )
        self.assertEqual(
            self.value(
                (
                    "from __future__ import annotations\n"
                    "x: Undefined\n"
                    "def f(a: Undefined): pass\n"
                    "return f.__annotations__"
                )
            ),
            {"a": "Undefined"},
        )

    def test_a_docstring_and_imports_from_the_future_stay_first(self):
        self.assertEqual(
            self.value(('"""What it does."""\n' "from __future__ import annotations\n" "return __doc__")),
            "What it does.",
        )

    def test_return_in_functions_and_lambdas_is_none_of_its_business(self):
        outcome = self.ended("def f():\n    return 1\nclass A:\n    def m(self): return 2\nf() + A().m()")
        self.assertEqual(outcome.value, 3)

    def test_return_in_a_class_body_is_a_syntax_error(self):
        failure = self.failed("class A:\n    return 1")
        self.assertIn("'return' outside function", failure["message"])
        self.assertIn("line 2", failure["traceback"])

    def test_the_traceback_has_no_trace_of_how_it_is_done(self):
        failure = self.failed("def f():\n    return 1 / 0\nif 0: return\nfor _ in [1]:\n    f()")
        self.assertRegex(failure["traceback"], r"(?s)line 5, in <module>\n    f\(\)\n.*line 2, in f\n")
        self.assertNotIn("psych", failure["traceback"])

    def test_a_generator_expression_that_awaits_and_a_nested_function(self):
        source = (
            "async def agen():\n"
            "    yield 1\n"
            "def outer():\n"
            "    def inner(): return x\n"
            "    return inner()\n"
            "x = 5\n"
            "return [outer(), [n async for n in agen()]]"
        )
        self.assertEqual(self.value(source), [5, [1]])

    def test_pickle_and_dataclasses_work_in_it(self):
        source = (
            "import pickle, dataclasses\n"
            "@dataclasses.dataclass\n"
            "class P:\n"
            "    x: int\n"
            "return pickle.loads(pickle.dumps(P(1)))"
        )
        self.assertEqual(self.value(source), {"x": 1})

    def test_match_binds_names_of_the_module(self):
        source = (
            "match {'k': [1, 2, 3], 'more': 4}:\n"
            "    case {'k': [first, *others], **rest} as whole:\n"
            "        return [first, others, rest, globals()['first']]"
        )
        if sys.version_info >= (3, 10):
            self.assertEqual(self.value(source), [1, [2, 3], {"more": 4}, 1])
        else:
            self.assertIn("SyntaxError", self.failed(source)["message"])

    def test_except_star_and_generic_functions(self):
        source = (
            "try:\n"
            "    raise ExceptionGroup('g', [ValueError('v')])\n"
            "except* ValueError as group:\n"
            "    x = len(group.exceptions)\n"
            "if x: return x"
        )
        if sys.version_info >= (3, 11):
            self.assertEqual(self.value(source), 1)
        else:
            self.assertIn("SyntaxError", self.failed(source)["message"])
        source = (
            "def first[T](items: list[T]) -> T:\n"
            "    return items[0]\n"
            "type Pair = tuple[int, int]\n"
            "return [first([4]), Pair.__name__]"
        )
        if sys.version_info >= (3, 12):
            self.assertEqual(self.value(source), [4, "Pair"])
        else:
            self.assertIn("SyntaxError", self.failed(source)["message"])


class TopLevelYield(ProgramTestCase):
    def test_yield_is_a_syntax_error_with_its_line(self):
        for program in (
            "x = 1\nyield x",
            "x = 1\nyield x\nreturn 2",
            "x = 1\ny = yield\nreturn",
            "x = 1\nyield from x\nreturn",
        ):
            with self.subTest(program):
                failure = self.failed(program)
                self.assertRegex(failure["message"], "SyntaxError: '(yield|yield from)' outside function")
                self.assertIn('File "program.py", line 2', failure["traceback"])
                self.assertIn(program.split("\n")[1], failure["traceback"])

    def test_yield_in_functions_and_lambdas_is_none_of_its_business(self):
        self.assertEqual(self.value("def f():\n    yield 1\ng = lambda: (yield 2)\nreturn [*f(), *g()]"), [1, 2])


class TheModule(ProgramTestCase):
    def test_it_is_main(self):
        source = (
            "import sys, __main__\n"
            "def main():\n"
            "    return [__name__, sys.modules['__main__'] is __main__, __main__.main is main, sys.argv == [__file__]]\n"
            "if __name__ == '__main__':\n"
            "    x = main()\n"
            "x"
        )
        self.assertEqual(self.value(source), ["__main__", True, True, True])

    def test_its_text_is_saved_as_it_was_sent(self):
        source = "# é\r\nopen(__file__, 'rb').read().decode('utf-8')"
        self.assertEqual(self.value(source), source)

    def test_recursion_imports_and_comprehensions_see_its_names(self):
        source = (
            "import math\n"
            "def fib(n): return n if n < 2 else fib(n-1) + fib(n-2)\n"
            "def area(r): return math.pi * r * r\n"
            "class A:\n    limit = 3\n    squares = [fib(n) for n in range(3)]\n"
            "print(fib(10), round(area(1), 2), [fib(k) for k in range(3)], A.squares, (lambda: fib(5))())"
        )
        self.assertEqual(self.ended(source).stdout, "55 3.14 [0, 1, 1] [0, 1, 1] 5\n")

    def test_globals_and_locals_are_one(self):
        self.assertEqual(
            self.value(("exec('y = 3')\n" "global z\n" "z = eval('y + 1')\n" "[y, z, locals() is globals()]")),
            [3, 4, True],
        )

    def test_dataclasses_pickle_type_hints_and_source(self):
        source = (
            "import dataclasses, inspect, pickle, typing\n"
            "@dataclasses.dataclass\n"
            "class P:\n"
            "    x: 'int'\n"
            "    other: 'typing.Optional[P]' = None\n"
            "\n"
            "def f(a):\n"
            "    return a  # é\n"
            "hints = typing.get_type_hints(P)\n"
            "text = [inspect.getsource(f), inspect.getsource(P).count('\\n')]\n"
            "[pickle.loads(pickle.dumps(P(1))), hints['x'] is int, *text, P.__module__]"
        )
        self.assertEqual(
            self.value(source), [{"x": 1, "other": None}, True, "def f(a):\n    return a  # é\n", 4, "__main__"]
        )

    def test_nothing_from_the_future_comes_from_us(self):
        self.assertEqual(
            self.value(
                (
                    "def f(a: 1 + 1) -> print: pass\n"
                    "class A:\n"
                    "    x: 5\n"
                    "[f.__annotations__['a'], A.__annotations__]"
                )
            ),
            [2, {"x": 5}],
        )
        self.assertEqual(
            self.value(("from __future__ import annotations\n" "def f(a: 1 + 1): pass\n" "f.__annotations__")),
            {"a": "1 + 1"},
        )

    def test_an_import_from_the_future_that_is_not_first_is_a_syntax_error(self):
        self.assertIn(
            "from __future__ imports must occur at the beginning",
            self.failed("x = 1\nfrom __future__ import annotations")["message"],
        )

    def test_modules_that_use_main_find_it(self):
        source = (
            "def twice(n):\n"
            "    '''\n"
            "    >>> twice(2)\n"
            "    4\n"
            "    '''\n"
            "    return 2 * n\n"
            "import doctest\n"
            "doctest.testmod().attempted"
        )
        self.assertEqual(self.value(source), 1)

    def test_a_process_that_is_spawned_imports_it_again(self):
        source = (
            "import multiprocessing\n"
            "def work(end):\n"
            "    end.send(__name__)\n"
            "if __name__ == '__main__':\n"
            "    context = multiprocessing.get_context('spawn')\n"
            "    ours, theirs = context.Pipe()\n"
            "    process = context.Process(target=work, args=(theirs,))\n"
            "    process.start()\n"
            "    said = ours.recv()\n"
            "    process.join()\n"
            "    print(said, process.exitcode)\n"
        )
        self.assertEqual(self.ended(source).stdout, "__mp_main__ 0\n")

    def test_exit_and_quit_are_there(self):
        self.assertEqual(self.ended("print('a')\nexit()\nprint('b')").stdout, "a\n")
        self.assertEqual(self.failed("quit(4)", kind="worker_exit")["exitStatus"], 4)
