"""The JSON forms of values that JSON has no type for, by the table in docs/values.md."""

import sys

from psych_values import FRAME_LIMIT, Encoder, Unencodable, decode


def write(encoder, value, depth):
    """Write what is not of a type of JSON's own."""
    kind = type(value)
    loaded = sys.modules.get

    def is_a(module, *names):
        found = loaded(module)
        return found is not None and isinstance(value, tuple(getattr(found, name) for name in names))

    if hasattr(kind, "psych_call"):
        raise Unencodable(" is a call that was not awaited: write `await %s`" % value.spelling())
    if kind.__name__ == "ToolResultHandle" and hasattr(kind, "_advice"):
        raise Unencodable(" is a handle and not a result: %s" % value._advice())
    if is_a("enum", "Enum"):
        encoder.encode(value.value, depth)
    elif isinstance(value, str):
        encoder.put(encoder.string(str.__str__(value)))
    elif isinstance(value, int):
        encoder.put(encoder.integer(int(value)))
    elif isinstance(value, float):
        encoder.put(encoder.real(float(value)))
    elif isinstance(value, dict):
        encoder.container(value, encoder.members, value.items(), depth)
    elif isinstance(value, tuple) and hasattr(kind, "_fields"):
        encoder.container(value, encoder.members, zip(kind._fields, value), depth)
    elif isinstance(value, (set, frozenset)):
        encoder.container(value, type(encoder.put)(unordered, encoder), value, depth)
    elif isinstance(value, (list, tuple, range, type({}.keys()), type({}.values()), type({}.items()))) or is_a(
        "collections", "deque"
    ):
        encoder.container(value, encoder.elements, value, depth)
    elif isinstance(value, (bytes, bytearray, memoryview)):
        import binascii

        encoder.values += 1
        encoder.put('{"base64":"%s"}' % binascii.b2a_base64(value, newline=False).decode("ascii"))
    elif is_a("datetime", "timedelta"):
        microseconds = (value.days * 86400 + value.seconds) * 1000000 + value.microseconds
        text = "%s%d.%06d" % ("-" if microseconds < 0 else "", *divmod(abs(microseconds), 1000000))
        encoder.put('"PT%sS"' % text.rstrip("0").rstrip("."))
    elif is_a("datetime", "date", "time"):
        encoder.put('"%s"' % value.isoformat())
    elif is_a("decimal", "Decimal") or is_a("uuid", "UUID") or is_a("pathlib", "PurePath") or is_a("fractions", "Fraction"):
        encoder.put(encoder.string(str(value)))
    elif hasattr(kind, "__dataclass_fields__"):
        names = [field.name for field in sys.modules["dataclasses"].fields(value)]
        fields = [(name, getattr(value, name)) for name in names if hasattr(value, name)]
        encoder.container(value, encoder.members, fields, depth)
    elif hasattr(kind, "dtype") and hasattr(kind, "tolist"):
        encoder.encode(value.tolist(), depth)
    elif is_a("_collections_abc", "Mapping"):
        encoder.container(value, encoder.members, list(value.items()), depth)
    else:
        raise Unencodable(" is a %s, which has no JSON form" % kind.__name__)


def unordered(encoder, values, depth):
    """Write a set's elements in an order that is the same every time."""
    if {type(value) for value in values} in ({str}, {int}):
        encoder.elements(sorted(values), depth)
        return
    written = []
    for value in values:
        part = Encoder(encoder.limit - encoder.size, encoder.finite)
        part.notes, part.active = encoder.notes, encoder.active
        part.encode(value, depth)
        encoder.size += part.size + 1
        encoder.values += part.values
        written.append((part.text() if encoder.size <= encoder.limit else "", value))
    if written and encoder.size <= encoder.limit:
        # Sorted by what is written and then by value: `<` of sets or of NaN is no order of its own.
        written.sort(key=lambda pair: pair[0])
        try:
            written = sorted(written, key=lambda pair: pair[1])
        except (TypeError, ArithmeticError):
            pass
        encoder.parts.append("[" + ",".join([text for text, _ in written]))
    encoder.put("]" if written else "[]")


def key_of(encoder, key):
    """Return a key that is no string as one: the JSON of a number, the text of what is written as a string."""
    form = Encoder(FRAME_LIMIT, encoder.finite)
    try:
        form.encode(key)
    except Unencodable as problem:
        raise Unencodable(" has a key that" + problem.args[0]) from None
    text = form.text()
    if text[0] in "[{":
        raise Unencodable(" has a key of type %s, and JSON has string keys" % type(key).__name__)
    encoder.note("keys that are not strings were written as strings")
    return decode(text) if text[0] == '"' else text
