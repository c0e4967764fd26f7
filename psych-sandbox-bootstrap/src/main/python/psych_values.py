"""Python values as JSON, in both directions, by the table in docs/values.md."""

import sys

FRAME_LIMIT = 16 * 1024 * 1024 - 64 * 1024
MAX_DEPTH = 190
MAX_DIGITS = 4300
SURE_BITS = 14000  # an integer of so many bits has fewer digits than that
MAX_VALUES = 250_000


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
    """Return decode(text), quote(text) and write(value, level), in C where this interpreter has them
    there. The last is for what `Encoder.is_plain` says yes to, and None where there is none."""
    try:
        from _json import encode_basestring, make_encoder, make_scanner
    except ImportError:
        import json

        return json.loads, json.encoder.encode_basestring, None
    scan = make_scanner(_ScannerOptions())
    write = make_encoder(None, None, encode_basestring, None, ":", ",", False, False, False)
    return (lambda text: scan(text, 0)[0]), encode_basestring, write


decode, _quote, _write = _codec()


def quote(text):
    """Return a string as JSON that UTF-8 can carry."""
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _quote(text)


def write_plain(value):
    """Return as JSON what our own code has made of JSON's own types, so that nobody has to look through it."""
    if _write is not None:
        return "".join(_write(value, 0))
    encoder = Encoder(FRAME_LIMIT)
    encoder.encode(value)
    return encoder.text()


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
    memory stays flat. `values` counts the value and all within it, `notes` what was changed
    on the way. With `finite`, NaN and Infinity are refused instead of being given as strings.
    """

    def __init__(self, limit, finite=False):
        self.limit = limit
        self.finite = finite
        self.parts = []
        self.size = 0
        self.values = 1  # this one; each container adds its own
        self.least = 0  # characters of what `is_plain` has looked through, at least
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
        elif (kind is dict or kind is list or kind is tuple) and depth == 0 and self.put_plain(value):
            pass
        elif kind is dict:
            self.container(value, self.members, value.items(), depth)
        elif kind is list or kind is tuple:
            self.container(value, self.elements, value, depth)
        else:
            self.other(value, depth)

    def put_plain(self, value):
        """Write a whole value in C if the table says nothing of it that JSON does not; else write nothing."""
        if _write is None or not self.is_plain((value,), 0):
            self.values = 1
            return False
        try:
            text = "".join(_write(value, 0))
            size = len(text) if text.isascii() else len(text.encode("utf-8"))
        except ValueError:  # NaN, Infinity or an unpaired surrogate
            self.values = 1
            return False
        self.values -= 1  # the value itself was one of the items
        self.size = size
        if size <= self.limit:
            self.parts.append(text)
        return True

    def is_plain(self, items, depth):
        """Return whether all items are of JSON's own types exactly, and within the bounds. Counts them,
        and leaves those that are surely over the limit to those that count without a text."""
        if depth > MAX_DEPTH:
            return False
        least = 0
        for item in items:
            kind = type(item)
            if kind is str:
                least += len(item)
            elif kind is int:
                if item.bit_length() > SURE_BITS:
                    return False
                least += item.bit_length() >> 2
            elif kind is dict:
                for name in item:
                    if type(name) is not str:
                        return False
                    least += len(name)
                if not self.is_plain(item.values(), depth + 1):
                    return False
            elif kind is list or kind is tuple:
                if not self.is_plain(item, depth + 1):
                    return False
            elif kind is not float and kind is not bool and item is not None:
                return False
        self.values += len(items)
        self.least += least
        return self.values + self.least <= self.limit

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
                self.values += 1
                self.encode(item, depth)
                index += 1
        except Unencodable as problem:
            problem.path.insert(0, "[%d]" % index)
            raise
        self.put("[]" if mark == "[" else "]")

    def unordered(self, values, depth):
        """Write a set's elements in an order that is the same every time."""
        if {type(value) for value in values} in ({str}, {int}):
            self.elements(sorted(values), depth)
            return
        written = []
        for value in values:
            part = Encoder(self.limit - self.size, self.finite)
            part.notes, part.active = self.notes, self.active
            part.encode(value, depth)
            self.size += part.size + 1
            self.values += part.values
            written.append((part.text() if self.size <= self.limit else "", value))
        if written and self.size <= self.limit:
            # Sorted by what is written and then by value: `<` of sets or of NaN is no order of its own.
            written.sort(key=lambda pair: pair[0])
            try:
                written = sorted(written, key=lambda pair: pair[1])
            except (TypeError, ArithmeticError):
                pass
            self.parts.append("[" + ",".join([text for text, _ in written]))
        self.put("]" if written else "[]")

    def members(self, items, depth):
        mark = "{"
        seen = {}
        for key, item in items:
            name = self.string(key if type(key) is str else self.key(key))
            if name in seen:
                raise Unencodable(" has the keys %.80r and %.80r, which are one in JSON" % (seen[name], key))
            seen[name] = key
            self.put(mark)
            mark = ","
            self.put(name + ":")
            self.values += 1
            try:
                self.encode(item, depth)
            except Unencodable as problem:
                named = isinstance(key, str) and key.isidentifier()
                problem.path.insert(0, ".%.80s" % key if named else "[%.80r]" % (key,))
                raise
        self.put("{}" if mark == "{" else "}")

    def key(self, key):
        """Return a key as a string: the JSON of a number, the text of what is written as a string."""
        if isinstance(key, str):
            return str.__str__(key)
        form = Encoder(FRAME_LIMIT, self.finite)
        try:
            form.encode(key)
        except Unencodable as problem:
            raise Unencodable(" has a key that" + problem.args[0]) from None
        text = form.text()
        if text[0] in "[{":
            raise Unencodable(" has a key of type %s, and JSON has string keys" % type(key).__name__)
        self.note("keys that are not strings were written as strings")
        return decode(text) if text[0] == '"' else text

    def other(self, value, depth):
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
            self.encode(value.value, depth)
        elif isinstance(value, str):
            self.put(self.string(str.__str__(value)))
        elif isinstance(value, int):
            self.put(self.integer(int(value)))
        elif isinstance(value, float):
            self.put(self.real(float(value)))
        elif isinstance(value, dict):
            self.container(value, self.members, value.items(), depth)
        elif isinstance(value, tuple) and hasattr(kind, "_fields"):
            self.container(value, self.members, zip(kind._fields, value), depth)
        elif isinstance(value, (set, frozenset)):
            self.container(value, self.unordered, value, depth)
        elif isinstance(value, (list, tuple, range, type({}.keys()), type({}.values()), type({}.items()))) or is_a(
            "collections", "deque"
        ):
            self.container(value, self.elements, value, depth)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            import binascii

            self.values += 1
            self.put('{"base64":"%s"}' % binascii.b2a_base64(value, newline=False).decode("ascii"))
        elif is_a("datetime", "timedelta"):
            microseconds = (value.days * 86400 + value.seconds) * 1000000 + value.microseconds
            text = "%s%d.%06d" % ("-" if microseconds < 0 else "", *divmod(abs(microseconds), 1000000))
            self.put('"PT%sS"' % text.rstrip("0").rstrip("."))
        elif is_a("datetime", "date", "time"):
            self.put('"%s"' % value.isoformat())
        elif is_a("decimal", "Decimal") or is_a("uuid", "UUID") or is_a("pathlib", "PurePath") or is_a("fractions", "Fraction"):
            self.put(self.string(str(value)))
        elif hasattr(kind, "__dataclass_fields__"):
            names = [field.name for field in sys.modules["dataclasses"].fields(value)]
            fields = [(name, getattr(value, name)) for name in names if hasattr(value, name)]
            self.container(value, self.members, fields, depth)
        elif hasattr(kind, "dtype") and hasattr(kind, "tolist"):
            self.encode(value.tolist(), depth)
        elif is_a("_collections_abc", "Mapping"):
            self.container(value, self.members, list(value.items()), depth)
        else:
            raise Unencodable(" is a %s, which has no JSON form" % kind.__name__)
