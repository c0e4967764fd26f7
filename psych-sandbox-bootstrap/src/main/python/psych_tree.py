"""Compiles a program by its syntax tree: a top-level `return`, an assignment at the end, a fence around
the text. Imported only for a program that needs it: the compiler's classes of trees cost two thirds of a
millisecond."""

import _ast
import sys


ONLY_AST, TOP_LEVEL_AWAIT = 0x400, 0x2000
CO_OPTIMIZED, CO_NEWLOCALS, CO_COROUTINE = 0x1, 0x2, 0x80
VALUE, BODY, STAR = "__psych_value__", "__psych_body__", "__psych_import_star__"


def parse(source, filename):
    """Return the syntax tree of a program and a note on how it was read, if there is one."""
    if source.startswith("\ufeff"):
        source = source[1:]
    if "\0" in source:
        raise SyntaxError("the program holds a NUL character at offset %d" % source.index("\0"))
    try:
        return compile(source, filename, "exec", ONLY_AST | TOP_LEVEL_AWAIT, True), None
    except SyntaxError:
        lines = source.rstrip().split("\n")
        if len(lines) < 2 or not lines[0].startswith("```") or lines[-1].strip() != "```":
            raise
    # The fence's first line stays as an empty one, so that line numbers are the program's.
    inner = "\n".join(["", *lines[1:-1], ""])
    return compile(inner, filename, "exec", ONLY_AST | TOP_LEVEL_AWAIT, True), "The code fence around the program was left out."


def statements(body):
    """Yield the statements of one scope, those of its functions and classes left out."""
    waiting = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef)):
            continue
        for field in ("finalbody", "orelse", "handlers", "cases", "body"):
            waiting += reversed(getattr(node, field, ()))


def expressions(body):
    """Yield (node, within a comprehension) for all that one scope evaluates itself."""
    functions = (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef, _ast.Lambda)
    comprehensions = (_ast.ListComp, _ast.SetComp, _ast.DictComp, _ast.GeneratorExp)
    waiting = [(node, False) for node in body]
    while waiting:
        node, inner = waiting.pop()
        yield node, inner
        inner = inner or isinstance(node, comprehensions)
        for field in node._fields:
            if field == "body" and isinstance(node, functions):
                continue
            child = getattr(node, field, None)
            for item in child if isinstance(child, list) else (child,):
                if isinstance(item, _ast.AST):
                    waiting.append((item, inner))


def names_bound(body):
    """Return the names a scope binds."""
    names = set()
    for node, inner in expressions(body):
        if isinstance(node, _ast.NamedExpr):
            names.add(node.target.id)
        elif isinstance(node, _ast.Name):
            if not inner and not isinstance(node.ctx, _ast.Load):
                names.add(node.id)
        elif isinstance(node, (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (_ast.Import, _ast.ImportFrom)):
            names.update((item.asname or item.name.partition(".")[0]) for item in node.names)
        elif isinstance(node, _ast.Global):
            names.update(node.names)
        else:  # except ... as name, and what match statements capture
            for field in ("name", "rest"):
                if isinstance(getattr(node, field, None), str) and not isinstance(node, _ast.alias):
                    names.add(getattr(node, field))
    return names - {"*"}


def hold_value(tree):
    """Have the last statement's value assigned to VALUE; return " to " and the name that an
    assignment gives it to, "" where that is no name, or None where it is no assignment."""
    last = tree.body[-1] if tree.body else None
    if isinstance(last, _ast.Expr):
        target = _ast.Name(VALUE, _ast.Store())
        tree.body[-1] = at(_ast.Assign([target], last.value), last)
    elif isinstance(last, _ast.Assign):
        # Assigned first, the program's own targets come after it and may fail as ever.
        last.targets.insert(0, at(_ast.Name(VALUE, _ast.Store()), last))
        names = [target.id for target in last.targets[1:] if isinstance(target, _ast.Name)]
        return " to " + names[0] if names else ""
    elif isinstance(last, _ast.AnnAssign) and last.value:
        tree.body.insert(-1, at(_ast.Assign([_ast.Name(VALUE, _ast.Store())], last.value), last))
        last.value = at(_ast.Name(VALUE, _ast.Load()), last)
        return " to " + last.target.id if isinstance(last.target, _ast.Name) else ""
    elif isinstance(last, _ast.AugAssign):
        # Read again, where reading it again calls nothing that the program has written.
        plain = (_ast.Name, _ast.Attribute, _ast.Subscript, _ast.Constant, _ast.UnaryOp, _ast.unaryop, _ast.expr_context)
        if all(isinstance(node, plain) for node, _ in expressions([last.target])):
            fields = {**{field: getattr(last.target, field) for field in last.target._fields}, "ctx": _ast.Load()}
            tree.body.append(at(_ast.Assign([_ast.Name(VALUE, _ast.Store())], type(last.target)(**fields)), last))
            return " to " + last.target.id if isinstance(last.target, _ast.Name) else ""
    return None


def at(node, place):
    """Give a node and its parts the position of another."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        for attribute in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            if attribute in part._attributes and getattr(part, attribute, None) is None:
                setattr(part, attribute, getattr(place, attribute))
        for field in part._fields:
            child = getattr(part, field, None)
            waiting += [item for item in (child if isinstance(child, list) else (child,)) if isinstance(item, _ast.AST)]
    return node


def wrap_for_return(tree, filename):
    """Put the program's statements into a function whose names are all global, so that a
    top-level `return` leaves it with every `finally` and `with` as in any function."""
    future = []
    body = list(tree.body)
    if body and isinstance(body[0], _ast.Expr) and isinstance(body[0].value, _ast.Constant):
        future.append(body.pop(0))  # a docstring
    while body and isinstance(body[0], _ast.ImportFrom) and body[0].module == "__future__":
        future.append(body.pop(0))
    names = sorted(names_bound(body) | {VALUE})
    awaits = False
    for node, _ in expressions(body):
        if isinstance(node, (_ast.Yield, _ast.YieldFrom)):
            # Refused by the compiler, in its own words and with the line.
            compile(_ast.Module([at(_ast.Expr(node), node)], []), filename, "exec", 0, True)
        awaits = awaits or isinstance(node, (_ast.Await, _ast.AsyncFor, _ast.AsyncWith)) or getattr(node, "is_async", 0) == 1
    body = [rewritten(node) for node in body]
    kind = _ast.AsyncFunctionDef if awaits else _ast.FunctionDef
    sample = compile("def f(): pass", filename, "exec", ONLY_AST, True).body[0]
    fields = {field: getattr(sample, field, None) for field in sample._fields}
    fields.update(name=BODY, body=[at(_ast.Global(names), body[0]), *body])
    tree.body = [*future, at(kind(**fields), body[0])]


def rewritten(node):
    """Return a statement as it can stand in a function whose names are global."""
    if isinstance(node, (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef)):
        return node
    if isinstance(node, _ast.Global):
        return at(_ast.Pass(), node)
    if isinstance(node, _ast.AnnAssign) and isinstance(node.target, _ast.Name):
        return at(_ast.Assign([node.target], node.value) if node.value else _ast.Pass(), node)
    if isinstance(node, _ast.ImportFrom) and node.names[0].name == "*":
        function = _ast.Name(STAR, _ast.Load())
        return at(_ast.Expr(_ast.Call(function, [_ast.Constant(node.module), _ast.Constant(node.level)], [])), node)
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        inner = getattr(node, field, None)
        if isinstance(inner, list):
            setattr(node, field, [rewritten(item) for item in inner])
    return node


def import_star(namespace):
    def star(module, level):
        exec("from %s%s import *" % ("." * level, module or ""), namespace)

    return star


def compile_program(source, filename, namespace):
    """Return a function that runs the program, what its value is assigned to, and a note."""
    tree, note = parse(source, filename)
    returns = "return" in source and any(isinstance(node, _ast.Return) for node in statements(tree.body))
    assigned = hold_value(tree)
    if not returns:
        code = compile(tree, filename, "exec", TOP_LEVEL_AWAIT, True)
        return type(lambda: None)(code, namespace), assigned, note
    wrap_for_return(tree, filename)
    exec(compile(tree, filename, "exec", 0, True), namespace)
    body = namespace.pop(BODY)
    # Without these two flags its locals are its globals, as a module's are, for exec and locals().
    changed = {"co_name": "<module>", "co_flags": body.__code__.co_flags & ~(CO_OPTIMIZED | CO_NEWLOCALS)}
    if sys.version_info >= (3, 11):
        changed["co_qualname"] = "<module>"
    body.__code__ = body.__code__.replace(**changed)
    if "*" in source:
        namespace[STAR] = import_star(namespace)
    return body, assigned, note


def run_tree(source, filename, namespace, drive, notes):
    """Run one program in `namespace`, `drive` a coroutine that it is; return its value and add to the notes on it."""
    body, assigned, note = compile_program(source, filename, namespace)
    if note:
        notes.append(note)
    value = body()
    if body.__code__.co_flags & CO_COROUTINE:
        value = drive(value)
    namespace.pop(STAR, None)
    if value is None and VALUE in namespace:
        value = namespace.pop(VALUE)
        if assigned is not None:
            notes.append(
                "The program ended with an assignment%s; its value is given although it was not returned."
                " End with a bare expression or a return to return a value." % assigned
            )
    return value
