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


MOST_FLAT, LONGEST_FLAT = 100, 65536
LONG = 64  # characters from which on it is faster to look first for what has to be escaped
ESCAPED = bytes(range(32)) + b'"\\'


def flat(value):
    """Return the JSON of a dict such as most calls have, a few ASCII strings and small numbers by name,
    without all that `Encoder` sees to. Return None for any other value."""
    if type(value) is not dict or len(value) > MOST_FLAT:
        return None
    size = 0
    parts = []
    for name, item in value.items():
        kind = type(item)
        if type(name) is not str or not name.isascii():
            return None
        if kind is str:
            size += len(item)
            if size > LONGEST_FLAT or not item.isascii():
                return None
            text = quote(item)
        elif kind is int and item.bit_length() < 64:
            text = int.__repr__(item)
        elif kind is bool:
            text = "true" if item else "false"
        elif item is None:
            text = "null"
        else:
            return None
        size += len(name)
        parts.append(quote(name) + ":" + text)
    return "{" + ",".join(parts) + "}" if size <= LONGEST_FLAT else None


def quote(text):
    """Return a string as JSON that UTF-8 can carry."""
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    elif len(text) > LONG:
        octets = text.encode("ascii")
        if octets.translate(None, ESCAPED) is octets:
            return '"' + text + '"'
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
            from psych_forms import write

            write(self, value, depth)

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
        from psych_forms import key_of

        return str.__str__(key) if isinstance(key, str) else key_of(self, key)
