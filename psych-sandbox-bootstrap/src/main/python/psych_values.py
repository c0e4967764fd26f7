"""Python values as JSON, in both directions, by the table in docs/values.md."""

import sys

FRAME_LIMIT = 16 * 1024 * 1024 - 64 * 1024
MAX_DEPTH = 190
MAX_DIGITS = 4300


class _ScannerOptions:
    """What json.JSONDecoder passes to the scanner in C."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo = {}


def _codec():
    """Return decode(text) and quote(text), in C where this interpreter has them there."""
    try:
        from _json import encode_basestring, make_scanner
    except ImportError:
        import json

        return json.loads, json.encoder.encode_basestring
    scan = make_scanner(_ScannerOptions())
    return (lambda text: scan(text, 0)[0]), encode_basestring


decode, _quote = _codec()


def quote(text):
    """Return a string as JSON that UTF-8 can carry."""
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _quote(text)


class Unencodable(Exception):
    """A value has no JSON form; `path` says where it stands."""

    def __init__(self, problem):
        super().__init__(problem)
        self.path = []

    def __str__(self):
        shown = self.path if len(self.path) <= 12 else self.path[:6] + ["…"] + self.path[-5:]
        return "%s%s" % ("".join(shown), self.args[0])


class Encoder:
    """Writes one Python value as JSON, by the table in docs/values.md.

    Past `limit` bytes the text is dropped and only counted, so that `size` is right and
    memory stays flat. `notes` counts what was changed on the way. With `finite`, NaN and
    Infinity are refused instead of being given as strings.
    """

    def __init__(self, limit, finite=False):
        self.limit = limit
        self.finite = finite
        self.parts = []
        self.size = 0
        self.notes = {}
        self.active = set()

    def text(self):
        return "".join(self.parts)

    def put(self, part):
        self.size += len(part) if part.isascii() else len(part.encode("utf-8"))
        if self.size <= self.limit:
            self.parts.append(part)
        elif self.parts:
            self.parts = []

    def note(self, what):
        self.notes[what] = self.notes.get(what, 0) + 1

    def encode(self, value, depth=0):
        kind = type(value)
        if kind is str:
            self.put(self.string(value))
        elif value is None:
            self.put("null")
        elif value is True:
            self.put("true")
        elif value is False:
            self.put("false")
        elif kind is int:
            self.put(self.integer(value))
        elif kind is float:
            self.put(self.real(value))
        elif kind is dict:
            self.container(value, self.members, value.items(), depth)
        elif kind is list or kind is tuple:
            self.container(value, self.elements, value, depth)
        else:
            self.other(value, depth)

    def string(self, value):
        if not value.isascii():
            try:
                value.encode("utf-8")
            except UnicodeEncodeError:
                self.note("unpaired surrogates, which UTF-8 can't carry, were replaced")
        return quote(value)

    def integer(self, value):
        if value.bit_length() > MAX_DIGITS * 4 or (value.bit_length() > 14000 and abs(value) >= 10**MAX_DIGITS):
            raise Unencodable(" is an integer of more than %d digits" % MAX_DIGITS)
        return int.__repr__(value)

    def real(self, value):
        if value - value == 0:
            return float.__repr__(value)
        name = "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
        if self.finite:
            raise Unencodable(" is %s, which JSON has not" % name)
        self.note("NaN and Infinity, which JSON has not, are given as strings")
        return '"%s"' % name

    def container(self, value, write, items, depth):
        if depth >= MAX_DEPTH:
            raise Unencodable(" is more than %d levels deep" % MAX_DEPTH)
        if id(value) in self.active:
            raise Unencodable(" refers to itself")
        self.active.add(id(value))
        write(items, depth + 1)
        self.active.discard(id(value))

    def elements(self, items, depth):
        index = 0
        mark = "["
        try:
            for item in items:
                self.put(mark)
                mark = ","
                self.encode(item, depth)
                index += 1
        except Unencodable as problem:
            problem.path.insert(0, "[%d]" % index)
            raise
        self.put("[]" if mark == "[" else "]")

    def members(self, items, depth):
        key = None
        mark = "{"
        renamed = {}
        seen = set()
        try:
            for key, item in items:
                name = key if type(key) is str else self.key(key)
                if name is not key:
                    renamed[name] = key
                if name in seen:
                    raise Unencodable(" stands twice: %r and %r are one key in JSON" % (renamed.get(name, name), key))
                seen.add(name)
                self.put(mark)
                mark = ","
                self.put(self.string(name) + ":")
                self.encode(item, depth)
        except Unencodable as problem:
            problem.path.insert(0, ".%s" % key if isinstance(key, str) and key.isidentifier() else "[%.80r]" % (key,))
            raise
        self.put("{}" if mark == "{" else "}")

    def key(self, key):
        if isinstance(key, str):
            return str.__str__(key)
        if key is None or isinstance(key, (int, float)):
            self.note("keys that are not strings were written as strings")
            return {None: "null", True: "true", False: "false"}[key] if key is None or isinstance(key, bool) else repr(key)
        raise Unencodable(" has a key of type %s, and JSON has string keys" % type(key).__name__)

    def other(self, value, depth):
        kind = type(value)
        loaded = sys.modules.get

        def is_a(module, *names):
            found = loaded(module)
            return found is not None and isinstance(value, tuple(getattr(found, name) for name in names))

        if hasattr(kind, "psych_call"):
            raise Unencodable(" is a call that was not awaited: write `await %s`" % value.spelling())
        if is_a("enum", "Enum"):
            self.encode(value.value, depth)
        elif isinstance(value, str):
            self.put(self.string(str.__str__(value)))
        elif isinstance(value, int):
            self.put(self.integer(int(value)))
        elif isinstance(value, float):
            self.put(self.real(float(value)))
        elif isinstance(value, dict):
            self.container(value, self.members, dict.items(value), depth)
        elif isinstance(value, tuple) and hasattr(kind, "_fields"):
            self.container(value, self.members, zip(kind._fields, value), depth)
        elif isinstance(value, (set, frozenset)):
            self.container(value, self.elements, ordered(value), depth)
        elif isinstance(value, (list, tuple, range, type({}.keys()), type({}.values()), type({}.items()))) or is_a(
            "collections", "deque"
        ):
            self.container(value, self.elements, value, depth)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            import binascii

            self.put('{"base64":"%s"}' % binascii.b2a_base64(value, newline=False).decode("ascii"))
        elif is_a("datetime", "timedelta"):
            self.put('"PT%sS"' % ("%.6f" % value.total_seconds()).rstrip("0").rstrip("."))
        elif is_a("datetime", "date", "time"):
            self.put('"%s"' % value.isoformat())
        elif is_a("decimal", "Decimal") or is_a("uuid", "UUID") or is_a("pathlib", "PurePath") or is_a("fractions", "Fraction"):
            self.put(self.string(str(value)))
        elif hasattr(kind, "__dataclass_fields__"):
            fields = [(name, getattr(value, name)) for name in kind.__dataclass_fields__ if hasattr(value, name)]
            self.container(value, self.members, fields, depth)
        elif hasattr(kind, "dtype") and hasattr(kind, "tolist"):
            self.encode(value.tolist(), depth)
        elif is_a("collections.abc", "Mapping"):
            self.container(value, self.members, list(value.items()), depth)
        else:
            raise Unencodable(" is a %s, which has no JSON form" % kind.__name__)


def ordered(values):
    """Return a set's elements in an order that is the same every time."""
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda value: (type(value).__name__, repr(value)))
