"""What a program calls tools with, and the channel below: in this process where one is enough, else in a child."""

import socket
import sys
import threading
import unittest

import psych_bindings
from psych_bindings import Channel, usable
from support import DEADLINE, TOOLS, Child, ProgramTestCase, Refusal, run, strict

NOT_AWAITED = "Line %d: `%s` was called but never awaited, so it did not run. Write `await %s`."


def not_awaited(line, spelling):
    return NOT_AWAITED % (line, spelling, spelling)


class Names(ProgramTestCase):
    def test_a_name_gets_a_function_only_if_it_is_one_and_shadows_nothing(self):
        for name in ("echo", "list_repos", "_", "x1", "été", "名前", "tools", "match", "case", "main", "await_"):
            with self.subTest(name):
                self.assertTrue(usable(name))
        for name in (
            *("list-repos", "weather.get", "1st", "", "a b", "a\n", "a b", "é-"),
            *("from", "class", "None", "await", "lambda", "nonlocal"),
            *("print", "list", "input", "open", "id", "type", "exit", "ValueError", "__import__"),
            *("call_tool", "TOOLS", "ToolError"),
            *("__name__", "__psych_value__", "__init__"),
            *("ﬁle", "ﬀ", "ª"),
        ):
            with self.subTest(name):
                self.assertFalse(usable(name))

    def test_a_name_means_the_same_whatever_the_version(self):
        for name in (
            *("a\u200cb", "a\u200db", "a\u30fb", "aiter", "anext", "help", "copyright"),
            *("ExceptionGroup", "PythonFinalizationError", "WindowsError", "_IncompleteInputError"),
        ):
            with self.subTest(name):
                self.assertFalse(usable(name))
        self.assertNotIn("exit", self.value("[n for n in globals()]", {"exit": None}))

    def test_the_keywords_are_those_of_the_interpreter(self):
        import keyword

        # Python 3.9 lists the joke of its parser's authors as well.
        self.assertEqual(psych_bindings.KEYWORDS, set(keyword.kwlist) - {"__peg_parser__"})

    def test_names_that_look_alike_stay_two_tools(self):
        tools = {"list-repos": lambda: "dash", "list_repos": lambda: "underscore"}
        self.assertEqual(
            self.value("[await list_repos(), await call_tool('list-repos')]", tools), ["underscore", "dash"]
        )

    def test_all_names_are_told(self):
        self.assertEqual(self.value("TOOLS", TOOLS), list(TOOLS))

    def test_a_name_that_shadows_a_builtin_is_reached_by_call_tool(self):
        tools = {"print": lambda text: text.upper(), "call_tool": lambda: "itself"}
        self.assertEqual(
            self.value("print('x')\n[await call_tool('print', {'text': 'a'}), await call_tool('call_tool')]", tools),
            ["A", "itself"],
        )


class Forms(ProgramTestCase):
    def test_each_trained_form_sends_the_same_arguments(self):
        forms = (
            "echo(value=1)",
            "echo({'value': 1})",
            "echo(**{'value': 1})",
            "call_tool('echo', {'value': 1})",
            "call_tool('echo', value=1)",
            "call_tool('echo', arguments={'value': 1})",
            "call_tool(name='echo', arguments={'value': 1})",
            "tools.echo(value=1)",
            "imported(value=1)",
            "by_name('echo', {'value': 1})",
        )
        program = "import tools\nfrom tools import echo as imported, call_tool as by_name, ToolError as error\n"
        outcome = self.ended(program + "".join("await %s\n" % form for form in forms) + "error is ToolError", TOOLS)
        self.assertEqual(outcome.calls, [("echo", {"value": 1})] * len(forms))
        self.assertIs(outcome.value, True)

    def test_names_of_arguments_that_python_keeps_to_itself_arrive_intact(self):
        tools = {"report": lambda **arguments: arguments, "lookup": lambda **arguments: arguments}
        self.assertEqual(
            self.value("await report(**{'from': 1, 'class': 2, 'cik-A': 3, '1st': 4})", tools),
            {"from": 1, "class": 2, "cik-A": 3, "1st": 4},
        )
        for call in ("lookup(name=1, tool=2, self=3, args=4)", "call_tool('lookup', name=1, tool=2, self=3, args=4)"):
            self.assertEqual(self.value("await " + call, tools), {"name": 1, "tool": 2, "self": 3, "args": 4})
        self.assertEqual(
            self.value("await call_tool('lookup', name=1, arguments={'a': 2})", tools),
            {"name": 1, "arguments": {"a": 2}},
        )

    def test_names_of_our_own_arguments_arrive_intact_in_every_form(self):
        every = {"from": 1, "class": 2, "name": 3, "self": 4, "tool": 5, "arguments": {"a": 6}, "args": [7], "cik-A": 8}
        spelled = "name=3, self=4, tool=5, arguments={'a': 6}, args=[7], **{'from': 1, 'class': 2, 'cik-A': 8}"
        for call in (
            "lookup(%s)" % spelled,
            "tools.lookup(%s)" % spelled,
            "lookup(%r)" % every,
            "lookup(**%r)" % every,
            "call_tool('lookup', %r)" % every,
            "call_tool('lookup', arguments=%r)" % every,
            "call_tool(name='lookup', arguments=%r)" % every,
            "call_tool('lookup', **%r)" % every,
            "call_tool('lookup', %s)" % spelled,
        ):
            with self.subTest(call):
                outcome = self.ended("import tools\nawait " + call, {"lookup": lambda **arguments: None})
                self.assertEqual(outcome.calls, [("lookup", every)])

    def test_one_argument_called_arguments_is_told_from_the_arguments(self):
        for call, arguments in (
            ("call_tool('lookup', arguments={'a': 1})", {"a": 1}),
            ("call_tool('lookup', {'arguments': {'a': 1}})", {"arguments": {"a": 1}}),
            ("call_tool('lookup', arguments=[1])", {"arguments": [1]}),
            ("call_tool('lookup', arguments={'a': 1}, name=2)", {"arguments": {"a": 1}, "name": 2}),
            ("lookup(arguments={'a': 1})", {"arguments": {"a": 1}}),
            ("call_tool(name='lookup', a=1)", {"a": 1}),
            ("call_tool('lookup', name='a')", {"name": "a"}),
        ):
            with self.subTest(call):
                outcome = self.ended("await " + call, {"lookup": lambda **arguments: None})
                self.assertEqual(outcome.calls, [("lookup", arguments)])

    def test_other_positional_arguments_are_answered_with_the_form(self):
        for call in ("echo('x')", "echo({'value': 1}, {'value': 2})", "echo({'value': 1}, value=2)"):
            with self.subTest(call):
                message = self.failed("await " + call, TOOLS)["message"]
                self.assertEqual(message, "TypeError: echo takes keyword arguments only: write echo(name=value)")

    def test_arguments_given_in_two_ways_or_no_name_are_answered_with_the_form(self):
        for call in ("call_tool()", "call_tool('echo', {'value': 1}, value=2)", "call_tool(arguments={})"):
            with self.subTest(call):
                self.assertEqual(
                    self.failed("await " + call, TOOLS)["message"],
                    'TypeError: write call_tool("name", {"argument": value})',
                )

    def test_a_real_module_named_tools_wins(self):
        program = (
            "import sys, os\n"
            "open('tools.py', 'w').write('here = 1')\n"
            "sys.path.insert(0, os.getcwd())\n"
            "import tools\n"
            "[tools.here, hasattr(tools, 'echo')]"
        )
        self.assertEqual(self.value(program, TOOLS), [1, False])

    def test_what_the_module_tools_has_not_is_an_import_error(self):
        self.assertIn(
            "ImportError: cannot import name 'serach'", self.failed("from tools import serach", TOOLS)["message"]
        )

    def test_tools_can_be_told_apart_in_print(self):
        self.assertEqual(self.ended("print(echo, [echo])", TOOLS).stdout, "<tool echo> [<tool echo>]\n")
        self.assertEqual(self.value("echo.__name__", TOOLS), "echo")


class Answers(ProgramTestCase):
    def test_a_result_is_the_whole_object(self):
        result = {"rows": [{"id": n, "text": "é" * 100} for n in range(2000)], "big": 10**300, "none": None}
        self.assertEqual(
            self.value(
                "r = await rows()\n[len(r['rows']), r['rows'][7]['id'], r['big'] == 10**300, r['none']]",
                {"rows": lambda: result},
            ),
            [2000, 7, True, None],
        )

    def test_a_value_that_looks_like_a_failure_is_a_value(self):
        looks = {"failure": {"kind": "denied", "message": "x"}}
        self.assertEqual(self.value("await echo(value=%r)" % looks, TOOLS), looks)

    def test_a_failure_is_an_exception_with_its_kind_and_tool(self):
        def refused():
            raise Refusal("approval_required", "ask a person")

        program = (
            "try:\n"
            "    await refused()\n"
            "except Exception as problem:\n"
            "    x = [type(problem) is ToolError, problem.kind, problem.tool, str(problem)]\n"
            "x"
        )
        self.assertEqual(
            self.value(program, {"refused": refused}), [True, "approval_required", "refused", "refused: ask a person"]
        )

    def test_a_failed_call_leaves_the_program_going(self):
        program = (
            "try:\n"
            "  await boom(message='no')\n"
            "except Exception as e:\n"
            "  print('caught', type(e).__name__)\n"
            "print(await echo(value='still here'))"
        )
        outcome = self.ended(program, TOOLS)
        self.assertEqual(outcome.stdout, "caught ToolError\nstill here\n")

    def test_a_name_that_is_not_offered_is_asked_of_the_host(self):
        failure = self.failed("await call_tool('no-such-tool', x=1)", TOOLS)
        self.assertEqual(failure["message"], "ToolError: no-such-tool: there is no tool no-such-tool")

    def test_a_tool_error_survives_pickling_by_its_name(self):
        self.assertEqual(self.value("[ToolError.__module__, ToolError.__name__]"), ["__main__", "ToolError"])

    def test_arguments_without_a_form_are_refused_where_the_call_is_awaited_and_nothing_is_sent(self):
        cases = (
            (
                "echo(value=[1, {2, len}])",
                "the argument value[1] is a builtin_function_or_method, which has no JSON form",
            ),
            ("echo(value=float('nan'))", "the argument value is NaN, which JSON has not"),
            ("echo(**{'a b': print})", "the argument ['a b'] is a builtin_function_or_method, which has no JSON form"),
            (
                "call_tool('echo', {1: 1, '1': 2})",
                "the dict of arguments has the keys 1 and '1', which are one in JSON",
            ),
            ("call_tool('echo', [1])", "the arguments are a list and must be a dict"),
            ("echo(value=inner)", "the argument value is a call that was not awaited: write `await echo(...)`"),
        )
        program = "inner = echo(value=1)\nseen = []\n"
        for call, _ in cases:
            program += (
                "try:\n"
                "    await %s\n"
                "except ToolError as problem:\n"
                "    seen.append([problem.kind, str(problem)])\n"
            ) % call
        outcome = self.ended(program + "inner.close()\nseen", TOOLS)
        self.assertEqual(outcome.value, [["bad_arguments", "echo: " + message] for _, message in cases])
        self.assertEqual(outcome.calls, [])

    def test_three_thousand_levels_in_an_argument_are_refused(self):
        failure = self.failed("d = 'leaf'\nfor _ in range(3000): d = {'k': d}\nawait echo(value=d)", TOOLS)
        self.assertIn("ToolError: echo: the argument value.k.k", failure["message"])
        self.assertIn("is more than 190 levels deep", failure["message"])

    def test_arguments_at_what_a_frame_carries_pass_and_one_byte_more_is_refused(self):
        program = (
            "most = %d\n"
            "x = [len(await echo(value='x' * (most - len('{\"value\":\"\"}'))))]\n"
            "try:\n"
            "    await echo(value='x' * (most - 11))\n"
            "except ToolError as problem:\n"
            "    x += [problem.kind, str(problem)]\n"
            "x"
        )
        outcome = self.ended(program % psych_bindings.FRAME_LIMIT, TOOLS)
        self.assertEqual(
            outcome.value,
            [
                psych_bindings.FRAME_LIMIT - 12,
                "bad_arguments",
                "echo: the arguments are 16,711,681 bytes as JSON, the most is 16,711,680",
            ],
        )
        self.assertEqual(len(outcome.calls), 1)

    def test_arguments_hold_as_many_values_as_a_frame_and_not_one_more(self):
        program = (
            "x = [len(await echo(value=[0] * %d))]\n"
            "for more in [0], {0}, {'a': 0}:\n"
            "    try:\n"
            "        await echo(value=[0] * %d + [more])\n"
            "    except ToolError as problem:\n"
            "        x += [problem.kind, str(problem)]\n"
            "x"
        )
        most = psych_bindings.MAX_VALUES - 2  # the dict of arguments and the list are values as well
        refusal = "echo: the arguments hold 250,001 values, the most is 250,000: send them in several calls"
        outcome = self.ended(program % (most, most - 1), TOOLS)
        self.assertEqual(outcome.value, [most] + ["bad_arguments", refusal] * 3)
        self.assertEqual(len(outcome.calls), 1)

    def test_what_was_changed_in_arguments_is_noted(self):
        outcome = self.ended("await echo(value={1: 'a', 2: '\\ud83d'})", TOOLS)
        self.assertEqual(outcome.value, {"1": "a", "2": "\ufffd"})
        self.assertEqual(
            sorted(outcome.notes),
            [
                "In the arguments of echo, keys that are not strings were written as strings (2).",
                "In the arguments of echo, unpaired surrogates, which UTF-8 can't carry, were replaced (1).",
            ],
        )

    def test_many_notes_are_ten_notes(self):
        self.assertEqual(len(self.ended("for n in range(30): await echo(value={n: 1})", TOOLS).notes), 10)


class NeverAwaited(ProgramTestCase):
    def test_a_call_without_await_is_reported_with_its_line_and_the_fix(self):
        outcome = run("r = echo(value='hi')\nprint(r)", TOOLS)
        self.assertEqual(outcome.failure, {"kind": "program_exception", "message": not_awaited(1, "echo(...)")})
        self.assertEqual(outcome.stdout, "<call of echo, not awaited: write `await echo(...)`>\n")
        self.assertEqual((outcome.calls, outcome.value), ([], None))

    def test_a_call_whose_object_is_gone_is_reported_as_well(self):
        failure = self.failed("x = 1\nfor n in range(2):\n    echo(value=n)\ncall_tool('list-repos')\nx", TOOLS)
        self.assertEqual(
            failure["message"], not_awaited(3, "echo(...)") + "\n" + not_awaited(4, 'call_tool("list-repos", ...)')
        )

    def test_each_use_of_a_call_that_was_not_awaited_says_so(self):
        for use in ("call['title']", "len(call)", "'a' in call", "for x in call: pass", "call['a'] if call else 0"):
            with self.subTest(use):
                message = self.failed("call = search(query='a')\n" + use, TOOLS)["message"]
                self.assertIn("search was not awaited: write `await search(...)`", message)

    def test_a_coroutine_of_the_program_is_reported_in_the_same_words(self):
        for program in (
            "async def m():\n    return 1\nm()\nprint(2)",
            "async def m():\n    return 1\nr = [m()]\nprint(2)",
        ):
            with self.subTest(program):
                self.assertEqual(self.failed(program)["message"], not_awaited(3, "m(...)"))

    def test_a_coroutine_that_was_begun_is_not_reported(self):
        program = (
            "class Pause:\n"
            "    def __await__(self): yield\n"
            "async def m(): await Pause()\n"
            "c = m()\n"
            "c.send(None)\n"
            "d = m()\n"
            "d.close()\n"
            "print('end')"
        )
        self.assertEqual(self.ended(program).stdout, "end\n")

    def test_what_a_thread_awaits_after_the_last_line_was_awaited(self):
        program = (
            "import threading, _thread\n"
            "last_line = _thread.allocate_lock()\n"
            "last_line.acquire()\n"
            "call = echo(value=1)\n"
            "def later():\n"
            "    with last_line:\n"
            "        print(call.result())\n"
            "class Ends:\n"
            "    def items(self): last_line.release(); return [('a', 1)]\n"
            "threading.Thread(target=later).start()\n"
            "import collections.abc\n"
            "collections.abc.Mapping.register(Ends)\n"
            "Ends()"
        )
        outcome = self.ended(program, TOOLS)
        self.assertEqual((outcome.value, outcome.stdout), ({"a": 1}, "1\n"))

    def test_ten_are_named_and_the_rest_is_counted(self):
        program = "\n".join(["echo(value=1)"] * 25 + ["print(1)"])
        lines = self.failed(program, TOOLS)["message"].split("\n")
        self.assertEqual(lines, [not_awaited(n, "echo(...)") for n in range(1, 11)] + ["The same goes for 15 more."])

    def test_a_loop_that_never_awaits_is_one_line(self):
        program = "async def m(): pass\nfor n in range(1000):\n    m()\n    echo(value=n)\nprint(1)"
        self.assertEqual(
            self.failed(program, TOOLS)["message"], not_awaited(3, "m(...)") + "\n" + not_awaited(4, "echo(...)")
        )

    def test_beside_an_exception_both_are_told(self):
        failure = self.failed("echo(value=1)\n1 / 0", TOOLS)
        self.assertEqual(failure["message"], "ZeroDivisionError: division by zero\n" + not_awaited(1, "echo(...)"))

    def test_a_call_can_be_made_once(self):
        for uses in (("await call", "await call"), ("call.result()", "call.result()"), ("await call", "call.result()")):
            with self.subTest(uses):
                outcome = run("call = echo(value=1)\n%s\n%s" % uses, TOOLS)
                self.assertEqual(outcome.failure["message"], "RuntimeError: cannot make the same call of echo twice")
                self.assertEqual(len(outcome.calls), 1)

    def test_a_call_that_was_closed_is_not_missed(self):
        self.assertEqual(self.value("call = echo(value=1)\ncall.close()\n5", TOOLS), 5)


class UnderAsyncio(ProgramTestCase):
    def test_a_call_is_what_asyncio_takes(self):
        forms = (
            "await echo(value=0)",
            "await asyncio.create_task(echo(value=1))",
            "await asyncio.ensure_future(echo(value=2))",
            "(await asyncio.gather(echo(value=3)))[0]",
            "await asyncio.wait_for(echo(value=4), 30)",
            "await asyncio.shield(echo(value=5))",
            "await next(iter(asyncio.as_completed([echo(value=6)])))",
            "list((await asyncio.wait([asyncio.create_task(echo(value=7))]))[0])[0].result()",
            "await asyncio.get_running_loop().run_in_executor(None, lambda: echo(value=8).result())",
            "await asyncio.to_thread(echo(value=9).result)",
            "await asyncio.to_thread(lambda: asyncio.run(echo(value=10)))",
            "await asyncio.to_thread(lambda: asyncio.run_coroutine_threadsafe(echo(value=11), loop).result())",
        )
        program = "import asyncio\nloop = asyncio.get_running_loop()\nseen = []\n"
        program += "".join("seen.append(%s)\n" % form for form in forms)
        self.assertEqual(self.value(program + "seen", TOOLS), list(range(len(forms))))

    def test_asyncio_run_takes_a_call_itself(self):
        self.assertEqual(self.value("import asyncio\nasyncio.run(echo(value=1))", TOOLS), 1)

    def test_a_task_of_a_call_can_be_printed(self):
        program = "import asyncio\ntask = asyncio.create_task(echo(value=1))\nprint(task)\nawait task"
        self.assertIn("<Task pending", self.ended(program, TOOLS).stdout)

    def test_a_hundred_calls_at_once_keep_their_order_whatever_the_order_of_replies(self):
        program = "import asyncio\nawait asyncio.gather(*[echo(value=n) for n in range(100)])"
        with Child() as child:
            child.run(program, TOOLS)
            frames = [child.receive() for _ in range(100)]
            self.assertEqual([frame["id"] for frame in frames], list(range(100)))
            for frame in reversed(frames):
                child.answer(frame, TOOLS)
            outcome = child.finish([*frames, child.receive()])
        self.assertEqual(outcome.value, list(range(100)))

    def test_a_failed_sibling_is_named_and_the_others_are_cut_off(self):
        program = (
            "import asyncio\n"
            "a, b, c = await asyncio.gather(echo(value='a'), boom(message='b'), echo(value='c'))\n"
            "print('after')"
        )
        with Child() as child:
            child.run(program, TOOLS)
            frames = [child.receive() for _ in range(3)]
            child.answer(frames[1], TOOLS)
            outcome = child.finish([*frames, child.receive()])
        self.assertEqual(outcome.failure["message"], "ToolError: boom: b")
        self.assertEqual(outcome.stdout, "")

    def test_return_exceptions_gives_both(self):
        program = (
            "import asyncio\n"
            "x = await asyncio.gather(echo(value=1), boom(message='b'), return_exceptions=True)\n"
            "[x[0], x[1].kind]"
        )
        self.assertEqual(self.value(program, TOOLS), [1, "tool_error"])

    def test_a_task_group_ends_with_the_failed_tool(self):
        program = (
            "import asyncio\n"
            "async with asyncio.TaskGroup() as group:\n"
            "    group.create_task(boom(message='x'))\n"
            "    t = group.create_task(echo(value=1))\n"
            "t.result()"
        )
        failure = self.failed(program, TOOLS)
        if sys.version_info >= (3, 11):
            self.assertIn("ToolError: boom: x", failure["message"])
            fine = program.replace("boom(message='x')", "echo(value=2)")
            self.assertEqual(self.value(fine, TOOLS), 1)
        else:
            self.assertIn("has no attribute 'TaskGroup'", failure["message"])

    def test_wait_for_gives_up_and_a_late_reply_is_dropped(self):
        program = (
            "import asyncio\n"
            "try:\n    await asyncio.wait_for(echo(value='late'), 0.01)\n"
            "except asyncio.TimeoutError:\n    x = 'timed out'\n"
            "[x, await echo(value='next')]"
        )
        with Child() as child:
            child.run(program, TOOLS)
            first, second = child.receive(), child.receive()
            child.answer(first, TOOLS)
            child.answer(second, TOOLS)
            outcome = child.finish([first, second, child.receive()])
        self.assertEqual((outcome.value, outcome.stderr), (["timed out", "next"], ""))

    def test_a_task_that_is_left_running_is_cancelled_at_the_end(self):
        program = "import asyncio\nt = asyncio.create_task(echo(value=1))\nawait asyncio.sleep(0)\nprint('end')"
        with Child() as child:
            child.run(program, TOOLS)
            call = child.receive()
            outcome = child.finish([call, child.receive()])
        self.assertEqual((outcome.failure, outcome.stdout), (None, "end\n"))

    def test_a_task_that_never_began_is_reported(self):
        program = (
            "import asyncio\n"
            "loop = asyncio.new_event_loop()\n"
            "task = loop.create_task(echo(value=1))\n"
            "loop.close()\n"
            "print('end')"
        )
        outcome = run(program, TOOLS)
        self.assertEqual((outcome.failure["message"], outcome.calls), (not_awaited(3, "echo(...)"), []))

    def test_an_error_under_gather_can_be_caught_by_try(self):
        program = (
            "import asyncio\n"
            "try:\n"
            "    await asyncio.gather(boom(message='a'), boom(message='b'))\n"
            "except ToolError as problem:\n"
            "    x = str(problem)\n"
            "x"
        )
        self.assertEqual(self.value(program, TOOLS), "boom: a")


class Threads(ProgramTestCase):
    def test_calls_from_threads_get_their_own_answers(self):
        program = (
            "from concurrent.futures import ThreadPoolExecutor\n"
            "def ask(n): return [n, echo(value=n).result()]\n"
            "with ThreadPoolExecutor(8) as pool:\n"
            "    pairs = list(pool.map(ask, range(400)))\n"
            "[len(pairs), all(asked == told for asked, told in pairs)]"
        )
        outcome = self.ended(program, TOOLS)
        self.assertEqual(outcome.value, [400, True])
        self.assertEqual([frame["id"] for frame in outcome.frames[:-1]], list(range(400)))

    def test_threads_and_a_loop_share_the_channel(self):
        program = (
            "import asyncio, threading\n"
            "seen = []\n"
            "def ask(n): seen.append(echo(value=n).result())\n"
            "async def main():\n"
            "    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]\n"
            "    for thread in threads: thread.start()\n"
            "    mine = await asyncio.gather(*[echo(value=n) for n in range(100, 140)])\n"
            "    for thread in threads: await asyncio.to_thread(thread.join)\n"
            "    return mine\n"
            "[(await main()) == list(range(100, 140)), sorted(seen)]"
        )
        self.assertEqual(self.value(program, TOOLS), [True, list(range(8))])

    def test_await_works_in_the_loop_of_a_thread(self):
        program = (
            "import asyncio, threading\n"
            "seen = []\n"
            "def work(n): seen.append(asyncio.run(main(n)))\n"
            "async def main(n): return await echo(value=n)\n"
            "threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]\n"
            "[thread.start() for thread in threads]\n"
            "[thread.join() for thread in threads]\n"
            "sorted(seen)"
        )
        self.assertEqual(self.value(program, TOOLS), [0, 1, 2, 3])

    def test_a_process_that_was_forked_is_refused_politely(self):
        program = (
            "import os\n"
            "ours, theirs = os.pipe()\n"
            "child = os.fork()\n"
            "if child == 0:\n"
            "    try:\n"
            "        await echo(value=1)\n"
            "    except ToolError as problem:\n"
            "        os.write(theirs, ('%s %s' % (problem.kind, problem)).encode())\n"
            "    os._exit(0)\n"
            "os.waitpid(child, 0)\n"
            "[os.read(ours, 999).decode(), await echo(value='parent')]"
        )
        self.assertEqual(
            self.value(program, TOOLS),
            ["denied echo: tools can be called from the program's own process only", "parent"],
        )


class TheChannel(unittest.TestCase):
    """In this process: a channel on one end of a pair of sockets, the test on the other."""

    def setUp(self):
        ours, theirs = socket.socketpair()
        self.host = ours
        self.host.settimeout(DEADLINE)
        self.lines = ours.makefile("rb")
        self.channel = Channel(theirs)
        self.addCleanup(theirs.close)
        self.addCleanup(self.close_host)

    def close_host(self):
        self.lines.close()
        self.host.close()

    def request(self, name="echo", arguments="{}"):
        self.channel.request(name, arguments, lambda reply: None)

    def test_a_request_is_one_line_with_the_next_number(self):
        self.request()
        self.request('a"b\n', '{"x":1}')
        self.assertEqual(strict(self.lines.readline()), {"type": "call", "id": 0, "name": "echo", "arguments": {}})
        self.assertEqual(
            strict(self.lines.readline()), {"type": "call", "id": 1, "name": 'a"b\n', "arguments": {"x": 1}}
        )

    def test_numbers_have_no_gap_under_eight_threads(self):
        threads = [threading.Thread(target=lambda: [self.request() for _ in range(50)]) for _ in range(8)]
        for thread in threads:
            thread.start()
        numbers = [strict(self.lines.readline())["id"] for _ in range(400)]
        for thread in threads:
            thread.join(DEADLINE)
        self.assertEqual(numbers, list(range(400)))
        self.assertEqual(self.channel.next_id, 400)

    def test_a_number_is_not_used_up_by_a_write_that_fails(self):
        self.request()
        sock = self.channel.sock
        self.channel.sock = Failing()
        with self.assertRaises(BrokenPipeError):
            self.request()
        self.assertEqual((self.channel.next_id, list(self.channel.pending)), (1, [0]))
        self.channel.sock = sock
        self.request()
        self.assertEqual([strict(self.lines.readline())["id"] for _ in range(2)], [0, 1])

    def test_a_reply_that_nobody_waits_for_is_dropped(self):
        self.channel.dispatch({"type": "reply", "id": 7, "value": 1})
        seen = []
        self.channel.request("echo", "{}", seen.append)
        self.channel.dispatch({"type": "reply", "id": 0, "value": 1})
        self.channel.dispatch({"type": "reply", "id": 0, "value": 2})
        self.assertEqual([reply["value"] for reply in seen], [1])

    def test_frames_are_taken_apart_however_they_arrive(self):
        text = '{"type":"reply","id":0,"value":"é😀"}\n'.encode("utf-8")
        writer = threading.Thread(target=lambda: [self.host.sendall(text[n : n + 1]) for n in range(len(text))])
        writer.start()
        self.assertEqual(self.channel.receive()["value"], "é😀")
        writer.join(DEADLINE)
        self.host.sendall(text * 3)
        self.assertEqual([self.channel.receive()["value"] for _ in range(3)], ["é😀"] * 3)

    def test_a_call_hands_the_replies_of_others_on_until_its_own_comes(self):
        seen = []
        self.channel.request("echo", "{}", seen.append)
        self.host.sendall(b'{"type":"reply","id":7,"value":7}\n{"type":"reply","id":0,"value":0}\n')
        self.host.sendall(b'{"type":"reply","id":1,"value":1}\n{"type":"reply","id":2,"val')
        self.assertEqual(self.channel.call("echo", "{}"), {"type": "reply", "id": 1, "value": 1})
        self.assertEqual([reply["value"] for reply in seen], [0])
        self.host.sendall(b'ue":2}\n')
        self.assertEqual(self.channel.call("echo", "{}")["value"], 2)
        self.assertEqual(self.channel.pending, {})

    def test_a_call_that_is_broken_off_leaves_the_channel_to_the_next(self):
        sock = self.channel.sock
        self.channel.sock = Failing()
        self.assertRaises(BrokenPipeError, self.channel.call, "echo", "{}")
        self.channel.sock = Interrupted(sock)
        self.assertRaises(KeyboardInterrupt, self.channel.call, "echo", "{}")
        self.channel.sock = sock
        self.host.sendall(b'{"type":"reply","id":0,"value":0}\n{"type":"reply","id":1,"value":1}\n')
        self.assertEqual(self.channel.call("echo", "{}")["value"], 1)

    def test_a_reader_that_could_not_be_started_is_started_by_the_next_call(self):
        start = psych_bindings._thread.start_new_thread
        attempts = []

        class Threads:
            allocate_lock = staticmethod(psych_bindings._thread.allocate_lock)

            @staticmethod
            def start_new_thread(function, arguments):
                attempts.append(function)
                if len(attempts) == 1:
                    raise RuntimeError("can't start new thread")

        threads = psych_bindings._thread
        psych_bindings._thread = Threads
        try:
            self.assertRaises(RuntimeError, self.channel.start_reader)
            self.channel.start_reader()
            self.channel.start_reader()
        finally:
            psych_bindings._thread = threads
        self.assertEqual(len(attempts), 2)
        self.assertIs(threads.start_new_thread, start)


class Failing:
    def sendall(self, data):
        raise BrokenPipeError(32, "Broken pipe")


class Interrupted:
    def __init__(self, sock):
        self.sendall = sock.sendall

    def recv(self, size):
        raise KeyboardInterrupt


if __name__ == "__main__":
    unittest.main()
