"""Values as JSON: the published table, its bounds in pairs, and properties over random values."""

import array
import collections
import dataclasses
import datetime
import decimal
import enum
import importlib.util
import io
import math
import os
import random
import re
import subprocess
import sys
import types
import typing
import unittest
import uuid

import psych_values
from psych_values import FRAME_LIMIT, MAX_DEPTH, MAX_DIGITS, Encoder, Unencodable, decode, flat, quote
from support import DEADLINE, DOCS, SOURCES, strict

KEYS_RENAMED = "keys that are not strings were written as strings"
SURROGATES = "unpaired surrogates, which UTF-8 can't carry, were replaced"
NOT_FINITE = "NaN and Infinity, which JSON has not, are given as strings"


def encoded(value, limit=FRAME_LIMIT, finite=False):
    """Encode a value, check what holds for every one, and return its text and its notes."""
    encoder = Encoder(limit, finite)
    encoder.encode(value)
    text = encoder.text()
    if encoder.size <= limit:
        values = count(strict(text))
        if encoder.values != values:
            raise AssertionError("counted %d values, not %d, of %r" % (encoder.values, values, text))
        if encoder.size != len(text.encode("utf-8")):
            raise AssertionError("counted %d bytes of %r" % (encoder.size, text))
    elif text:
        raise AssertionError("text was kept past the limit")
    return text, encoder.notes


def count(parsed):
    """Count a parsed value and all within it."""
    if isinstance(parsed, dict):
        parsed = list(parsed.values())
    return 1 + sum(map(count, parsed)) if isinstance(parsed, list) else 1


def refusal(value, **options):
    try:
        text, _ = encoded(value, **options)
    except Unencodable as problem:
        return "The value%s" % problem
    raise AssertionError("was written as " + text[:200])


def nested(depth):
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


def cycle():
    value = {}
    value["self"] = value
    return [value]


class StandInForACall:
    psych_call = True

    def spelling(self):
        return "echo(...)"


class PublishedTable(unittest.TestCase):
    """docs/values.md, row by row."""

    @classmethod
    def setUpClass(cls):
        page = (DOCS / "values.md").read_text(encoding="utf-8")
        cls.names = {"nested": nested, "cycle": cycle, "echo": lambda **_: StandInForACall()}
        exec(re.search("```python\n(.*?)```", page, re.DOTALL).group(1), cls.names)
        cls.sections = {}
        for section in re.split("^##+ ", page, flags=re.MULTILINE)[1:]:
            title, _, text = section.partition("\n")
            rows = [
                [cell.strip() for cell in line.strip("|").split("|")]
                for line in text.splitlines()
                if line.startswith("|")
            ]
            cls.sections[title] = rows[2:]

    def rows(self, title, least):
        rows = self.sections[title]
        self.assertGreaterEqual(len(rows), least)
        for row in rows:
            if row[1]:
                with self.subTest(row[0], example=row[1]):
                    yield row[1].strip("`"), row[2].strip("`"), row[3] if len(row) > 3 else ""

    def test_what_is_written(self):
        for title, least in (("From Python to JSON", 36), ("Names", 6)):
            for example, expected, note in self.rows(title, least):
                text, notes = encoded(eval(example, self.names))
                self.assertEqual(text, expected)
                self.assertEqual(list(notes), [note] if note else [])

    def test_what_is_refused(self):
        for example, message, _ in self.rows("What is refused", 12):
            self.assertIn(message.replace("``", "`"), refusal(eval(example, self.names)))

    def test_what_is_read(self):
        for example, expected, _ in self.rows("From JSON to Python", 7):
            self.assertEqual(repr(decode(example)), expected)


class Numbers(unittest.TestCase):
    def test_integers_up_to_the_most_digits_are_exact_and_one_digit_more_is_refused(self):
        for sign in (1, -1):
            largest = sign * (10**MAX_DIGITS - 1)
            text, _ = encoded(largest)
            self.assertEqual(text, int.__repr__(largest))
            self.assertEqual(decode(text), largest)
            self.assertIn("is an integer of more than 4300 digits", refusal(sign * 10**MAX_DIGITS))

    def test_an_integer_that_is_far_too_long_is_refused_without_converting_it(self):
        self.assertIn("is an integer of more than 4300 digits", refusal(1 << 10_000_000))

    def test_the_most_digits_are_those_an_interpreter_converts(self):
        if hasattr(sys, "get_int_max_str_digits"):
            self.assertEqual(MAX_DIGITS, sys.int_info.default_max_str_digits)

    def test_booleans_are_not_integers(self):
        self.assertEqual(encoded([True, 1, False, 0])[0], "[true,1,false,0]")

    def test_floats_read_back_as_the_same_number(self):
        for number in (0.1, 1 / 3, 1e300, 5e-324, sys.float_info.max, 1e16, 123456789.123456789):
            self.assertEqual(decode(encoded(number)[0]), number)

    def test_minus_zero_keeps_its_sign(self):
        self.assertEqual(math.copysign(1, decode(encoded(-0.0)[0])), -1)

    def test_what_is_not_finite_is_counted(self):
        text, notes = encoded([float("nan"), 1.0, float("inf")])
        self.assertEqual(text, '["NaN",1.0,"Infinity"]')
        self.assertEqual(notes, {NOT_FINITE: 2})

    def test_what_is_not_finite_is_refused_where_a_tool_would_take_it_for_text(self):
        for number, name in ((float("nan"), "NaN"), (float("inf"), "Infinity"), (float("-inf"), "-Infinity")):
            self.assertEqual(refusal({"a": [number]}, finite=True), "The value.a[0] is %s, which JSON has not" % name)

    def test_numpy_gives_what_its_tolist_gives(self):
        if importlib.util.find_spec("numpy") is not None:
            import numpy

            scalars = [numpy.int64(3), numpy.float32(0.5), numpy.float64(0.1), numpy.bool_(True), numpy.str_("a")]
            self.assertEqual(encoded(scalars)[0], '[3,0.5,0.1,true,"a"]')
            self.assertEqual(encoded({numpy.float64(1.5): numpy.arange(4).reshape(2, 2)})[0], '{"1.5":[[0,1],[2,3]]}')
            self.assertEqual(encoded(numpy.datetime64("2026-03-01"))[0], '"2026-03-01"')
            self.assertEqual(encoded(numpy.array(5))[0], "5")
            self.assertEqual(encoded(numpy.array([math.nan]))[1], {NOT_FINITE: 1})
        else:  # a type of the same two names takes its place
            like = type("ndarray", (), {"dtype": None, "tolist": lambda self: [[0, 1], [2, math.nan]]})
            self.assertEqual(encoded(like()), ('[[0,1],[2,"NaN"]]', {NOT_FINITE: 1}))


class Text(unittest.TestCase):
    def test_control_characters_are_escaped(self):
        everything = "".join(map(chr, range(0x100))) + "\u2028\u2029\ufeff\U0010ffff"
        text, notes = encoded(everything)
        self.assertEqual(decode(text), everything)
        self.assertNotRegex(text, "[\x00-\x1f]")
        self.assertEqual(notes, {})

    def test_unpaired_surrogates_are_replaced_and_counted(self):
        text, notes = encoded(["\ud800", "a\udfffb", "whole 😀"])
        self.assertEqual(text, '["\ufffd","a\ufffdb","whole 😀"]')
        self.assertEqual(notes, {SURROGATES: 2})

    def test_a_pair_of_surrogates_is_the_character_it_stands_for(self):
        self.assertEqual(encoded("\ud83d\ude00")[0], '"😀"')

    def test_quote_never_lets_a_line_end_through(self):
        self.assertEqual(quote('a\nb"\ud83d'), '"a\\nb\\"\ufffd"')


class Flat(unittest.TestCase):
    """The short way for most arguments says what the long one does, or nothing."""

    def test_what_most_calls_have_is_written_as_the_encoder_writes_it(self):
        texts = [chr(code) * length for code in range(128) for length in (1, 64, 65, 1000)]
        for text in ["", *texts, "a" * 100 + '"', "\\" + "a" * 100, *("%s\n" % text for text in texts[:40])]:
            self.assertEqual(flat({"a": text, text: "b"}), encoded({"a": text, text: "b"})[0])
        for value in (True, False, None, 0, -1, 2**63 - 1, -(2**63) + 1):
            self.assertEqual(flat({"a": value, "b": "c"}), encoded({"a": value, "b": "c"})[0])
        self.assertEqual(flat({}), "{}")

    def test_what_it_says_nothing_of(self):
        class Name(str):
            pass

        values = [1.5, math.nan, 2**63, "é", "\ud800", [], {}, (), Name("a"), object()]
        for given in [*({"a": value} for value in values), *({name: 1} for name in (1, "é", "\ud800", Name("a")))]:
            self.assertIsNone(flat(given))
        self.assertIsNone(flat(collections.OrderedDict(a=1)))
        self.assertIsNone(flat("a"))

    def test_its_bounds(self):
        self.assertIsNotNone(flat({str(n): n for n in range(psych_values.MOST_FLAT)}))
        self.assertIsNone(flat({str(n): n for n in range(psych_values.MOST_FLAT + 1)}))
        most = psych_values.LONGEST_FLAT - 1
        for name, text in (("a", "b" * most), ("a" * most, "b")):
            self.assertEqual(flat({name: text}), encoded({name: text})[0])
        self.assertIsNone(flat({"a": "b" * (most + 1)}))
        self.assertIsNone(flat({"a" * (most + 1): "b"}))


class Keys(unittest.TestCase):
    def test_each_renamed_key_is_counted(self):
        self.assertEqual(encoded({1: 0, None: 0, "a": 0})[1], {KEYS_RENAMED: 2})

    def test_a_number_and_its_text_are_one_key(self):
        for one, other in (
            (1, "1"),
            ("1", 1),
            (True, "true"),
            (None, "null"),
            (1.5, "1.5"),
            (uuid.UUID(int=0), str(uuid.UUID(int=0))),
        ):
            self.assertEqual(
                refusal({one: 0, other: 0}), "The value has the keys %r and %r, which are one in JSON" % (one, other)
            )

    def test_two_keys_that_differ_in_unpaired_surrogates_are_one_key(self):
        self.assertIn("which are one in JSON", refusal({"\ud800": 0, "\ud801": 0}))

    def test_an_enum_of_integers_is_its_number_and_not_its_description(self):
        size = enum.IntEnum("Size", "SMALL LARGE")
        self.assertEqual(encoded({size.SMALL: 1, size.LARGE: 2})[0], '{"1":1,"2":2}')

    def test_keys_without_a_form_say_why(self):
        for key, why in (
            ((1, 2), "has a key of type tuple, and JSON has string keys"),
            (b"a", "has a key of type bytes, and JSON has string keys"),
            (frozenset(), "has a key of type frozenset, and JSON has string keys"),
            (10**MAX_DIGITS, "has a key that is an integer of more than 4300 digits"),
            (len, "has a key that is a builtin_function_or_method, which has no JSON form"),
        ):
            self.assertEqual(refusal({"in": {key: 1}}), "The value.in " + why)

    def test_a_key_that_is_not_finite_is_refused_in_arguments(self):
        self.assertEqual(
            refusal({math.inf: 1}, finite=True), "The value has a key that is Infinity, which JSON has not"
        )


class Sets(unittest.TestCase):
    def test_elements_with_an_order_are_sorted(self):
        self.assertEqual(encoded({10, 9, -1})[0], "[-1,9,10]")
        self.assertEqual(encoded({"b", "a", "é"})[0], '["a","b","é"]')
        self.assertEqual(encoded({2.5, 1, decimal.Decimal(2)})[0], '[1,"2",2.5]')
        self.assertEqual(encoded(frozenset({(2, "a"), (1, "b")}))[0], '[[1,"b"],[2,"a"]]')
        self.assertEqual(encoded(set())[0], "[]")

    def test_elements_that_compare_without_an_order_still_have_one(self):
        not_a_number, signalling = decimal.Decimal("NaN"), math.nan
        self.assertEqual(encoded({not_a_number, decimal.Decimal(1), "x"})[0], '["1","NaN","x"]')
        self.assertEqual(encoded({signalling, 2.0, 1.0})[0], encoded({1.0, signalling, 2.0})[0])

    def test_the_order_does_not_depend_on_the_hashes_of_the_process(self):
        program = (
            "import sys; sys.path.insert(0, sys.argv[1]); import psych_values\n"
            "names = ['n%d' % n for n in range(40)]\n"
            "pairs = frozenset(frozenset(names[n : n + 3]) for n in range(30))\n"
            "encoder = psych_values.Encoder(1 << 20)\n"
            "encoder.encode([set(names), pairs, {'a', 1, None, (2, 'b')} | pairs, {float('nan'), 1.0, 2.0, -1.0}])\n"
            "print(encoder.text())"
        )
        orders = set()
        for seed in ("1", "2", "3"):
            command = [sys.executable, "-S", "-B", "-c", program, str(SOURCES)]
            made = subprocess.run(
                command, env={"PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, timeout=DEADLINE, check=True
            )
            orders.add(made.stdout)
        self.assertEqual(len(orders), 1)

    def test_sets_within_sets_take_time_by_their_size_and_not_by_their_depth(self):
        value = frozenset()
        for _ in range(MAX_DEPTH - 1):
            value = frozenset((value, "x"))
        text, _ = encoded(value)
        self.assertEqual(text.count("["), MAX_DEPTH)

    def test_a_set_is_measured_past_the_limit_as_well(self):
        value = {("x" * 100, number) for number in range(50)}
        whole, _ = encoded(value)
        encoder = Encoder(1000)
        encoder.encode([value, "after"])
        self.assertEqual(encoder.size, len('[%s,"after"]' % whole))
        self.assertEqual(encoder.text(), "")

    def test_an_element_without_a_form_is_refused(self):
        self.assertEqual(
            refusal({"s": {1, len}}), "The value.s is a builtin_function_or_method, which has no JSON form"
        )


class Containers(unittest.TestCase):
    def test_the_deepest_level_passes_and_one_more_is_refused(self):
        self.assertEqual(encoded(nested(MAX_DEPTH))[0], "[" * MAX_DEPTH + "]" * MAX_DEPTH)
        self.assertIn("is more than 190 levels deep", refusal(nested(MAX_DEPTH + 1)))
        deep = "leaf"
        for _ in range(MAX_DEPTH):
            deep = {"k": deep}
        self.assertEqual(strict(encoded(deep)[0]), deep)
        self.assertIn("is more than 190 levels deep", refusal({"k": deep}))

    def test_three_thousand_levels_are_refused_by_the_same_words(self):
        value = "leaf"
        for _ in range(3000):
            value = {"k": value}
        message = refusal(value)
        self.assertIn("is more than 190 levels deep", message)
        self.assertLess(len(message), 200)

    def test_a_value_may_stand_in_two_places_but_not_within_itself(self):
        shared = [1]
        self.assertEqual(encoded([shared, {"again": shared}, shared])[0], '[[1],{"again":[1]},[1]]')
        for make in (cycle, self.list_in_itself, self.through_a_dataclass, self.through_a_deque):
            self.assertIn("refers to itself", refusal(make()))

    @staticmethod
    def list_in_itself():
        value = []
        value.append(value)
        return value

    @staticmethod
    def through_a_dataclass():
        node = dataclasses.make_dataclass("Node", ["following"])(None)
        node.following = [node]
        return node

    @staticmethod
    def through_a_deque():
        value = collections.deque()
        value.append({"in": value})
        return value

    def test_an_ordered_dict_keeps_the_order_it_was_given_later(self):
        value = collections.OrderedDict(a=1, b=2)
        value.move_to_end("a")
        self.assertEqual(encoded(value)[0], '{"b":2,"a":1}')

    def test_a_default_dict_is_not_changed_by_being_written(self):
        value = collections.defaultdict(list, {"a": [1]})
        self.assertEqual(encoded(value)[0], '{"a":[1]}')
        self.assertEqual(len(value), 1)

    def test_the_environment_is_a_mapping(self):
        self.assertEqual(strict(encoded(os.environ)[0]), dict(os.environ))

    def test_class_variables_and_arguments_of_a_dataclass_are_not_its_fields(self):
        @dataclasses.dataclass
        class Record:
            a: int
            b: dataclasses.InitVar[int] = 5
            c: typing.ClassVar[int] = 7
            late: int = dataclasses.field(init=False)

        record = Record(1)
        self.assertEqual(encoded(record)[0], '{"a":1}')
        record.late = 2
        self.assertEqual(encoded(record)[0], '{"a":1,"late":2}')

    def test_dataclasses_within_each_other_and_with_slots(self):
        point = dataclasses.make_dataclass(
            "Point", [("x", int), ("y", int)], frozen=True, namespace={"__slots__": ("x", "y")}
        )
        line = dataclasses.make_dataclass("Line", ["start", "end"])
        self.assertEqual(encoded(line(point(0, 1), point(2, 3)))[0], '{"start":{"x":0,"y":1},"end":{"x":2,"y":3}}')

    def test_the_path_names_indexes_keys_and_fields(self):
        record = dataclasses.make_dataclass("Record", ["cells"])
        value = {"rows": [0, {"a b": record([0, 1, len])}]}
        self.assertEqual(
            refusal(value), "The value.rows[1]['a b'].cells[2] is a builtin_function_or_method, which has no JSON form"
        )

    def test_a_long_key_is_cut_in_the_path(self):
        self.assertLess(len(refusal({"k" * 100_000: len})), 200)
        self.assertLess(len(refusal({"k k" * 100_000: len})), 200)


class Instants(unittest.TestCase):
    def test_the_longest_timedelta_is_exact(self):
        for value, text in (
            (datetime.timedelta.max, "PT86399999999999.999999S"),
            (datetime.timedelta.min, "PT-86399999913600S"),
            (datetime.timedelta(), "PT0S"),
            (datetime.timedelta(microseconds=-1), "PT-0.000001S"),
            (datetime.timedelta(seconds=100), "PT100S"),
        ):
            self.assertEqual(encoded(value)[0], '"%s"' % text)

    def test_zones_are_kept(self):
        zone = datetime.timezone(datetime.timedelta(hours=-3, minutes=-30))
        self.assertEqual(encoded(datetime.datetime(2026, 3, 1, 12, tzinfo=zone))[0], '"2026-03-01T12:00:00-03:30"')
        self.assertEqual(encoded(datetime.time(12, tzinfo=zone))[0], '"12:00:00-03:30"')


class Refused(unittest.TestCase):
    def test_each_by_its_path(self):
        class Own:
            pass

        things = {
            "a generator": (value for value in ()),
            "an iterator": iter([]),
            "a map": map(str, []),
            "a lambda": lambda: None,
            "a class": Own,
            "an object": Own(),
            "a module": types,
            "a file": io.StringIO(),
            "an exception": ValueError("x"),
            "a complex number": 1j,
            "an array": array.array("i"),
            "an ellipsis": ...,
            "a dataclass itself": dataclasses.make_dataclass("Record", ["a"]),
            "an enum itself": enum.Enum("Colour", "RED"),
        }
        for name, thing in things.items():
            with self.subTest(name):
                message = "The value.k[0] is a %s, which has no JSON form" % type(thing).__name__
                self.assertEqual(refusal({"k": [thing]}), message)

    def test_what_a_value_raises_while_it_is_written_is_not_swallowed(self):
        class Broken(collections.UserDict):
            def items(self):
                raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            encoded(Broken())


class Size(unittest.TestCase):
    def test_at_the_limit_all_is_kept_and_one_byte_below_nothing_is_but_the_size(self):
        value = {"é": ["x" * 50, {"y": (1, 2.5, None)}, {1, "a"}], "b": b"123"}
        text, _ = encoded(value)
        size = len(text.encode("utf-8"))
        for limit in (size, size - 1, size // 2, 1):
            encoder = Encoder(limit)
            encoder.encode(value)
            self.assertEqual(encoder.size, size)
            self.assertEqual(encoder.text(), text if limit == size else "")

    def test_past_the_limit_nothing_is_kept(self):
        encoder = Encoder(1000)
        encoder.encode(["y" * 2000 for _ in range(2000)])
        self.assertEqual(encoder.size, 2000 * 2003 + 1)
        self.assertEqual(encoder.parts, [])


class Properties(unittest.TestCase):
    SEEDS = range(400)

    def plain(self, chance, depth=0):
        """Return a random value that JSON has itself."""
        choice = chance.randrange(10 if depth < 5 else 7)
        if choice == 0:
            return chance.choice((None, True, False))
        if choice in (1, 2):
            return chance.randrange(-(10 ** chance.randrange(1, 400)), 10 ** chance.randrange(1, 400))
        if choice == 3:
            return chance.choice((chance.random(), chance.uniform(-1e300, 1e300), chance.gauss(0, 1e-300), 0.0))
        if choice < 7:
            return self.word(chance)
        if choice == 7:
            return {self.word(chance): self.plain(chance, depth + 1) for _ in range(chance.randrange(6))}
        return [self.plain(chance, depth + 1) for _ in range(chance.randrange(6))]

    @staticmethod
    def word(chance):
        points = (range(0x20), range(0x20, 0x7F), range(0x7F, 0xD800), range(0xE000, 0x110000))
        return "".join(chr(chance.choice(chance.choice(points))) for _ in range(chance.randrange(8)))

    def rich(self, chance, depth=0):
        """Return a random value of any kind in the table."""
        leaves = (
            lambda: self.plain(chance, 5),
            lambda: chance.choice((math.nan, math.inf, -math.inf)),
            lambda: "\ud800" + self.word(chance) + "\udc00\ud800",
            lambda: decimal.Decimal(chance.randrange(10**30)).scaleb(-10),
            lambda: datetime.datetime.fromtimestamp(chance.randrange(2**31), datetime.timezone.utc),
            lambda: datetime.timedelta(microseconds=chance.randrange(-(10**15), 10**15)),
            lambda: uuid.UUID(int=chance.getrandbits(128)),
            lambda: bytes(chance.getrandbits(8) for _ in range(chance.randrange(9))),
        )
        if depth >= 4 or chance.random() < 0.4:
            return chance.choice(leaves)()
        within = [self.rich(chance, depth + 1) for _ in range(chance.randrange(5))]
        hashable = [
            item for item in within if isinstance(item, collections.abc.Hashable) and not isinstance(item, tuple)
        ]
        return chance.choice(
            (
                lambda: within,
                lambda: tuple(within),
                lambda: collections.deque(within),
                lambda: dict(enumerate(within)),
                lambda: collections.OrderedDict(
                    (self.word(chance) + str(number), item) for number, item in enumerate(within)
                ),
                lambda: set(hashable),
                lambda: frozenset(hashable),
                lambda: dataclasses.make_dataclass("Record", ["a", "b"])(within, None),
            )
        )()

    @staticmethod
    def typed(value):
        if isinstance(value, dict):
            return {key: Properties.typed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [Properties.typed(item) for item in value]
        return (type(value), value)

    def test_what_json_has_itself_comes_back_the_same(self):
        for seed in self.SEEDS:
            with self.subTest(seed=seed):
                value = self.plain(random.Random(seed))
                text, notes = encoded(value)
                self.assertEqual(notes, {})
                self.assertEqual(self.typed(decode(text)), self.typed(value))
                self.assertEqual(self.typed(strict(text)), self.typed(value))

    def test_every_value_is_written_as_strict_json_of_the_counted_size_and_always_the_same(self):
        for seed in self.SEEDS:
            with self.subTest(seed=seed):
                text, _ = encoded(self.rich(random.Random(seed)))
                self.assertEqual(encoded(self.rich(random.Random(seed)))[0], text)
                # The JSON form of a JSON form is itself.
                self.assertEqual(encoded(strict(text))[0], text)

    def test_a_limit_never_changes_the_size(self):
        for seed in self.SEEDS:
            chance = random.Random(seed)
            value = self.rich(chance)
            text, _ = encoded(value)
            size = len(text.encode("utf-8"))
            limit = chance.randrange(size + 2)
            encoder = Encoder(limit)
            encoder.encode(value)
            with self.subTest(seed=seed, limit=limit):
                self.assertEqual(encoder.size, size)
                self.assertEqual(encoder.text(), text if size <= limit else "")


class WithoutTheCodecInC(unittest.TestCase):
    def test_an_interpreter_without_it_reads_and_writes_the_same(self):
        hidden = {"_json": None}
        before = {name: sys.modules.get(name) for name in hidden}
        sys.modules.update(hidden)
        try:
            read, write, none = psych_values._codec()
        finally:
            sys.modules.update(before)
        self.assertIsNone(none)
        for text in ('{"a":[1,2.5,null,true],"b":"\\u00e9\\n"}', "18446744073709551617", '"\\ud83d\\ude00"'):
            self.assertEqual(read(text), decode(text))
        for text in ('a"\\\n\x00é\u2028😀', ""):
            self.assertEqual(write(text), quote(text))


if __name__ == "__main__":
    unittest.main()
