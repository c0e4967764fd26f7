"""Signatures as Python reads them, and whether values are of their types, exactly: 1 is no float, True is no int.

Needs Python 3.11, for NotRequired. Part of a program of a sandbox as well, so nothing but the standard library.
"""

import ast
import inspect
import keyword
import sys
import types
import typing


def fits(value, kind):
    """Return whether a value that was read from JSON is of a type."""
    if kind is typing.Any:
        return True
    if kind is None or kind is type(None):
        return value is None
    if kind is typing.Never:
        return False
    if typing.is_typeddict(kind):
        members = typing.get_type_hints(kind)
        if type(value) is not dict or not kind.__required_keys__ <= set(value):
            return False
        return all(name in members and fits(value[name], members[name]) for name in value)
    origin, of = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return any(type(value) is type(item) and value == item for item in of)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, item) for item in of)
    if kind in (list, dict):
        return type(value) is kind
    if origin is list:
        return type(value) is list and all(fits(item, of[0]) for item in value)
    if origin is dict:
        return type(value) is dict and all(fits(name, of[0]) and fits(item, of[1]) for name, item in value.items())
    if origin is tuple:  # what a program gives as a tuple was read from JSON as a list
        return type(value) is list and len(value) == len(of) and all(map(fits, value, of))
    if kind in (str, int, float, bool):
        return type(value) is kind
    raise TypeError("a type no signature has: %r" % (kind,))


def spelled(function, arguments):
    """Return arguments under the names by which a function of this signature is given them."""
    kinds = typing.get_type_hints(function)
    for kind in list(kinds.values()):
        if typing.get_origin(kind) is typing.Unpack:
            kinds.update(typing.get_type_hints(typing.get_args(kind)[0]))
    evading = lambda name: keyword.iskeyword(name) and name not in kinds and name + "_" in kinds
    return {name + "_" if evading(name) else name: value for name, value in arguments.items()}


def accepts(function, arguments):
    """Return whether a function can be called with arguments of these names."""
    kinds = typing.get_type_hints(function)
    left = spelled(function, arguments)
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY:
            if name in left:
                if not fits(left.pop(name), kinds[name]):
                    return False
            elif parameter.default is parameter.empty:
                return False
        elif parameter.kind is parameter.VAR_KEYWORD:
            kind = kinds[name]
            if typing.get_origin(kind) is typing.Unpack:
                return fits(left, typing.get_args(kind)[0])
            return all(fits(value, kind) for value in left.values())
        else:
            raise TypeError("%s is not given by name" % name)
    return not left


def module(text):
    """Return the module that a text of signatures is, and its overloads by the name they are for."""
    ast.parse(text, feature_version=(3, 9))
    made = types.ModuleType("signatures_%d" % len(sys.modules))
    sys.modules[made.__name__] = made
    overloads = {}

    def overload(function):
        kinds = typing.get_type_hints(function)
        (name,) = typing.get_args(kinds["name"])
        assert list(inspect.signature(function).parameters) == ["name", "arguments"]
        assert name not in overloads, name
        overloads[name] = function
        return function

    for name in ("Annotated", "Any", "Literal", "Never", "NotRequired", "TypedDict", "Unpack"):
        setattr(made, name, getattr(typing, name))
    made.overload = overload
    exec(compile(text, made.__name__, "exec", dont_inherit=True), made.__dict__)
    for value in list(vars(made).values()):
        if typing.is_typeddict(value) or inspect.iscoroutinefunction(value):
            typing.get_type_hints(value)
    return made, overloads
