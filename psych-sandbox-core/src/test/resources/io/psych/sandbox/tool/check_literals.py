"""Reads [{"source": Python source of one literal, "means": what it must mean}] and prints those that mean another thing."""

import ast
import json
import sys
import warnings

warnings.simplefilter("error")  # an escape that is none is a SyntaxWarning


def typed(value):
    if isinstance(value, list):
        return [typed(item) for item in value]
    if isinstance(value, dict):
        return {name: typed(item) for name, item in value.items()}
    return (type(value), repr(value))


wrong = []
for asked in json.load(sys.stdin):
    read = ast.literal_eval(asked["source"])
    if typed(read) != typed(asked["means"]) or (not asked["source"].startswith('"""') and "\n" in asked["source"]):
        wrong.append([asked["source"], repr(read)])
json.dump(wrong, sys.stdout)
