"""Compiles signatures and holds values against their types.

Reads texts from stdin, each with its tools: [{"text": ..., "exact": ..., "tools": [{"name": ..., "arguments":
{"fit": [...], "wrong": [...]}, "results": {...}}]}]. Prints {"checked": how many values, "problems": [...]}. `exact`
says that the types are meant to refuse what is wrong.
"""

import inspect
import json
import os
import sys
import typing

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from signature_types import accepts, fits, module

problems = []
checked = 0


def check(what, samples, fit):
    """Hold samples against a test of whether one fits."""
    global checked
    for expected in ("fit", "wrong"):
        if expected == "wrong" and not exact:
            continue
        for sample in samples.get(expected, ()):
            checked += 1
            if fit(sample) is not (expected == "fit"):
                problems.append("%s: %s was taken the wrong way for %s" % (what, json.dumps(sample), expected))


for asked in json.load(sys.stdin):
    exact = asked["exact"]
    made, overloads = module(asked["text"])
    for tool in asked["tools"]:
        name = tool["name"]
        if name in overloads:
            function = overloads[name]
            kind = typing.get_type_hints(function)["arguments"]
            check(name, tool["arguments"], lambda sample: fits(sample, kind))
        else:
            function = vars(made)[name]
            check(name, tool["arguments"], lambda sample: accepts(function, sample))
        if not inspect.iscoroutinefunction(function):
            problems.append(name + " is no coroutine function")
        result = typing.get_type_hints(function)["return"]
        check(name + "()", tool["results"], lambda sample: fits(sample, result))
json.dump({"checked": checked, "problems": problems}, sys.stdout)
