"""The table of docs/values.md over random values: each is made together with what the table says of it."""

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import math
import pathlib
import random
import struct
import types
import typing
import unittest
import unittest.mock
import uuid

import psych_values
from psych_values import FRAME_LIMIT, MAX_DEPTH, MAX_DIGITS, Encoder, Unencodable, decode
from support import strict

NOT_FINITE = "NaN and Infinity, which JSON has not, are given as strings"
SURROGATES = "unpaired surrogates, which UTF-8 can't carry, were replaced"
KEYS_RENAMED = "keys that are not strings were written as strings"
SEEDS = range(600)


class Colour(enum.Enum):
    RED = "red"
    PAIR = (1, 2)
    NOTHING = None


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Access(enum.Flag):
    READ = 4


class Mode(str, enum.Enum):
    FAST = "fast"


class Name(str):
    pass


class Count(int):
    pass


class Ratio(float):
    pass


class Table(dict):
    pass


class Row(list):
    pass


class Point(typing.NamedTuple):
    x: object
    y: object


@dataclasses.dataclass
class Order:
    sku: object
    lines: object
    currency: typing.ClassVar[str] = "EUR"


class Registry(collections.abc.Mapping):
    def __init__(self, members):
        self.members = members

    def __getitem__(self, key):
        return self.members[key]

    def __iter__(self):
        return iter(self.members)

    def __len__(self):
        return len(self.members)


class Maker:
    """Makes pairs: a value, and what it must be when it was written and read again."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.notes = collections.Counter()

    def pair(self, depth=0):
        leaf = depth > 4 or self.chance.random() < 0.55
        return self.chance.choice(self.LEAVES if leaf else self.CONTAINERS)(self, depth)

    def same(self, value):
        return value, value

    def text(self):
        points = (range(0x20), range(0x20, 0x7F), range(0x7F, 0xD800), range(0xE000, 0x110000))
        return "".join(chr(self.chance.choice(self.chance.choice(points))) for _ in range(self.chance.randrange(7)))

    # Leaves

    def constant(self, _):
        return self.same(self.chance.choice((None, True, False)))

    def integer(self, _):
        return self.same(self.chance.randrange(-(10 ** self.chance.randrange(1, 600)), 10 ** self.chance.randrange(1, 600)))

    def real(self, _):
        number = struct.unpack(">d", struct.pack(">Q", self.chance.getrandbits(64)))[0]
        return self.same(number) if math.isfinite(number) else self.same(0.1)

    def not_finite(self, _):
        self.notes[NOT_FINITE] += 1
        return self.chance.choice(((math.nan, "NaN"), (math.inf, "Infinity"), (-math.inf, "-Infinity")))

    def string(self, _):
        return self.same(self.text())

    def half(self, _):
        before, after = self.text(), self.text()
        self.notes[SURROGATES] += 1
        return before + self.chance.choice("\ud800\udbff\udc00\udfff") + "|" + after, before + "\ufffd|" + after

    def blob(self, _):
        import base64

        data = bytes(self.chance.getrandbits(8) for _ in range(self.chance.randrange(9)))
        kind = self.chance.choice((bytes, bytearray, memoryview))
        return kind(data), {"base64": base64.b64encode(data).decode("ascii")}

    def exact(self, _):
        number = decimal.Decimal(self.chance.randrange(10**30)).scaleb(-self.chance.randrange(40))
        ratio = fractions.Fraction(self.chance.randrange(-99, 99), self.chance.randrange(1, 99))
        return self.chance.choice(((number, str(number)), (ratio, str(ratio)), (decimal.Decimal("NaN"), "NaN")))

    def instant(self, _):
        zone = self.chance.choice((None, datetime.timezone.utc, datetime.timezone(datetime.timedelta(minutes=-210))))
        at = datetime.datetime(
            self.chance.randrange(1, 9999), 2, 28, 13, self.chance.randrange(60), 1, self.chance.choice((0, 500)), zone
        )
        return self.chance.choice(
            ((at, at.isoformat()), (at.date(), at.date().isoformat()), (at.timetz(), at.timetz().isoformat()))
        )

    def duration(self, _):
        microseconds = self.chance.randrange(-(10**15), 10**15)
        text = str(decimal.Decimal(microseconds).scaleb(-6).normalize() + 0)
        seconds = "{:f}".format(decimal.Decimal(text))
        return datetime.timedelta(microseconds=microseconds), "PT%sS" % seconds

    def named(self, _):
        which = uuid.UUID(int=self.chance.getrandbits(128))
        path = pathlib.PurePosixPath("out", str(which))
        return self.chance.choice(((which, str(which)), (path, "out/%s" % which)))

    def member(self, _):
        pairs = ((Colour.RED, "red"), (Colour.PAIR, [1, 2]), (Colour.NOTHING, None), (Size.LARGE, 2), (Access.READ, 4))
        return self.chance.choice((*pairs, (Mode.FAST, "fast"), (Name("a"), "a"), (Count(3), 3), (Ratio(0.5), 0.5)))

    # Containers

    def some(self, depth):
        pairs = [self.pair(depth + 1) for _ in range(self.chance.randrange(5))]
        return [value for value, _ in pairs], [written for _, written in pairs]

    def sequence(self, depth):
        values, written = self.some(depth)
        kind = self.chance.choice((list, tuple, collections.deque, Row, lambda values: dict(enumerate(values)).values()))
        return kind(values), written

    def members(self, depth):
        values, written = self.some(depth)
        names = ["%d%s" % (number, self.text()) for number in range(len(values))]
        kind = self.chance.choice(
            (dict, collections.OrderedDict, Table, types.MappingProxyType, Registry, collections.UserDict)
        )
        return kind(dict(zip(names, values))), dict(zip(names, written))

    def renamed(self, depth):
        values, written = self.some(depth)
        keys = ((7, "7"), (2.5, "2.5"), (None, "null"), (True, "true"), (datetime.date(2026, 3, 1), "2026-03-01"))
        keys = self.chance.sample((*keys, (Size.LARGE, "2"), (uuid.UUID(int=1), str(uuid.UUID(int=1)))), len(values))
        self.notes[KEYS_RENAMED] += len(values)
        return (
            dict(zip([key for key, _ in keys], values)),
            dict(zip([name for _, name in keys], written)),
        )

    def record(self, depth):
        (one, written), (other, also) = self.pair(depth + 1), self.pair(depth + 1)
        return self.chance.choice(
            (
                (Point(one, other), {"x": written, "y": also}),
                (Order(one, other), {"sku": written, "lines": also}),
                ({one_key: value for one_key, value in (("a", one), ("b", other))}.items(), [["a", written], ["b", also]]),
            )
        )

    def unordered(self, _):
        values = [self.chance.randrange(100) for _ in range(self.chance.randrange(6))]
        words = [self.text() for _ in range(self.chance.randrange(6))]
        kind = self.chance.choice((set, frozenset, lambda values: dict.fromkeys(values).keys()))
        made = self.chance.choice((values, words))
        if kind in (set, frozenset):
            return kind(made), sorted(set(made))
        return kind(made), list(dict.fromkeys(made))

    def numbers(self, _):
        first, last, step = self.chance.randrange(9), self.chance.randrange(9), self.chance.choice((-2, 1, 3))
        return range(first, last, step), list(range(first, last, step))

    LEAVES = (constant, integer, real, not_finite, string, half, blob, exact, instant, duration, named, member)
    CONTAINERS = (sequence, members, renamed, record, unordered, numbers)


def typed(value):
    """Return a value with its types, so that 1, 1.0 and True are three things and -0.0 is another."""
    if isinstance(value, dict):
        return [(name, typed(member)) for name, member in value.items()]
    if isinstance(value, list):
        return [typed(item) for item in value]
    return (type(value), repr(value))


class TheTable(unittest.TestCase):
    def test_what_is_written_is_what_the_table_says(self):
        kinds = collections.Counter()
        for seed in SEEDS:
            maker = Maker(seed)
            value, expected = maker.pair()
            encoder = Encoder(FRAME_LIMIT)
            encoder.encode(value)
            text = encoder.text()
            with self.subTest(seed=seed, value=repr(value)[:200]):
                self.assertEqual(typed(strict(text)), typed(expected))
                self.assertEqual(typed(decode(text)), typed(expected))
                self.assertEqual(encoder.notes, dict(+maker.notes))
            kinds[type(value)] += 1
        self.assertGreater(len(kinds), 30)

    def test_what_is_not_finite_is_refused_in_arguments_wherever_it_stands(self):
        refused = 0
        for seed in SEEDS:
            maker = Maker(seed)
            value, _ = maker.pair()
            encoder = Encoder(FRAME_LIMIT, finite=True)
            with self.subTest(seed=seed, value=repr(value)[:200]):
                if maker.notes[NOT_FINITE]:
                    refused += 1
                    with self.assertRaisesRegex(Unencodable, "which JSON has not"):
                        encoder.encode(value)
                else:
                    encoder.encode(value)
        self.assertGreater(refused, 20)


class PlainMaker(Maker):
    """Makes values of JSON's own types, and sometimes one that is nearly such a value."""

    def sequence(self, depth):
        values, written = self.some(depth)
        return self.chance.choice((list, tuple))(values), written

    def members(self, depth):
        values, written = self.some(depth)
        names = ["%d%s" % (number, self.text()) for number in range(len(values))]
        return dict(zip(names, values)), dict(zip(names, written))

    def odd(self, depth):
        number = self.chance.choice((10 ** (MAX_DIGITS - 1), 10**MAX_DIGITS, -(10**MAX_DIGITS), 1 << 14001))
        odd = (number, math.nan, "\ud800", {1: "a", "1": "b"}, {"\ud800": 1, "\ud801": 2}, Name("a"), {Name("a"): 1}, len)
        return self.chance.choice(odd) if self.chance.random() < 0.02 else self.text(), None

    LEAVES = (Maker.constant, Maker.integer, Maker.real, Maker.string, odd)
    CONTAINERS = (sequence, members)


class TheWayInC(unittest.TestCase):
    """Values of JSON's own types are written by the interpreter's encoder, as the table says all the same."""

    def one_way(self, value, limit, finite, write):
        with unittest.mock.patch.object(psych_values, "_write", write):
            encoder = Encoder(limit, finite)
            try:
                encoder.encode(value)
            except Unencodable as problem:
                return "refused" + str(problem)
            return encoder.text(), encoder.size, encoder.values, encoder.notes

    def both_ways(self, value, limit=FRAME_LIMIT, finite=False):
        """Return what both ways come to, and whether the one in C was taken to its end."""
        write = unittest.mock.Mock(wraps=psych_values._write)
        slow = self.one_way(value, limit, finite, None)
        self.assertEqual(self.one_way(value, limit, finite, write), slow)
        return slow, write.called

    def setUp(self):
        if psych_values._write is None:
            self.skipTest("this interpreter has no encoder in C")

    def test_both_ways_come_to_the_same(self):
        taken = collections.Counter()
        for maker in (Maker, PlainMaker):
            for seed in SEEDS:
                value, _ = maker(seed).pair()
                with self.subTest(maker=maker.__name__, seed=seed, value=repr(value)[:200]):
                    for finite in (False, True):
                        slow, in_c = self.both_ways(value, finite=finite)
                        taken[maker, in_c] += 1
                    if type(slow) is tuple:
                        for limit in (slow[1] + 1, slow[1], slow[1] - 1, slow[1] // 2):
                            self.both_ways(value, limit)
        self.assertGreater(taken[PlainMaker, True], 100)
        self.assertGreater(taken[PlainMaker, False], 100)

    def test_both_ways_end_at_the_same_depth(self):
        for depth, in_c in ((MAX_DEPTH - 1, True), (MAX_DEPTH, True), (MAX_DEPTH + 1, False)):
            for wrap in (lambda value: [value], lambda value: (value, 1), lambda value: {"a": 1, "b": value}):
                value = wrap("leaf")
                for _ in range(depth - 1):
                    value = wrap(value)
                self.assertEqual(self.both_ways(value)[1], in_c)

    def test_what_holds_itself_is_refused_both_ways(self):
        for value in ([1, []], {"a": {}}):
            inner = value[1] if type(value) is list else value["a"]
            inner.append(value) if type(inner) is list else inner.update(b=value, c=value)
            refused, in_c = self.both_ways(value)
            self.assertIn("refers to itself", refused)
            self.assertFalse(in_c)

    def test_what_is_surely_over_the_limit_gets_no_text(self):
        for value in (["x" * 100] * 100, list(range(10**6, 10**6 + 1000)), [0.5] * 1000, {"k" * 900: 1}):
            slow, in_c = self.both_ways(value, 800)
            self.assertEqual(slow[0], "")
            self.assertFalse(in_c)


if __name__ == "__main__":
    unittest.main()
