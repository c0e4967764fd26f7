"""Replays docs/protocol/transcripts against the child: what the host sent is sent, what the child sent must come."""

import unittest

from support import DOCS, Child, strict

TRANSCRIPTS = sorted((DOCS / "protocol" / "transcripts").glob("*.ndjson"))
ALWAYS = {
    "a-value",
    "a-call",
    "a-failed-call",
    "an-abort",
    "an-exception",
    "never-awaited",
    "output-limit",
    "top-level-return",
}


def read(path):
    """Return the (sender, frame) pairs of a transcript."""
    lines = [strict(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(line["from"], line["frame"]) for line in lines]


class Transcripts(unittest.TestCase):
    def test_the_usual_courses_are_there(self):
        self.assertLessEqual(ALWAYS, {path.stem for path in TRANSCRIPTS})

    def test_each_is_told_in_the_readme(self):
        page = (DOCS / "protocol" / "README.md").read_text(encoding="utf-8")
        for path in TRANSCRIPTS:
            self.assertIn("`%s`" % path.name, page)

    def test_each_is_a_conversation(self):
        for path in TRANSCRIPTS:
            with self.subTest(path.name):
                frames = read(path)
                self.assertEqual([(sender, frame["type"]) for sender, frame in frames[:1]], [("child", "ready")])
                self.assertIn((frames[1][0], frames[1][1]["type"]), (("host", "run"), ("host", "abort")))
                calls = [frame["id"] for sender, frame in frames if frame["type"] == "call"]
                replies = [frame["id"] for sender, frame in frames if frame["type"] == "reply"]
                self.assertEqual(calls, list(range(len(calls))))
                self.assertEqual(sorted(replies), calls)

    def test_the_child_says_what_it_said(self):
        for path in TRANSCRIPTS:
            with self.subTest(path.name), Child() as child:
                for sender, expected in read(path):
                    if sender == "host":
                        child.send(expected)
                        continue
                    frame = child.receive()
                    if expected["type"] == "ready":
                        self.assertLessEqual(set(expected["report"]), set(frame["report"]))
                        frame["report"] = expected["report"]
                    self.assertEqual(frame, expected)
                child.hang_up()
                self.assertIsNone(child.receive())
                self.assertEqual(child.finish().status, 0)


class TheResult(unittest.TestCase):
    def test_every_member_of_the_example_is_described(self):
        page = (DOCS / "protocol" / "result.md").read_text(encoding="utf-8")
        text, _, example = page.partition("## Example")
        record = strict(example.partition("```json")[2].partition("```")[0])
        waiting = [record]
        while waiting:
            part = waiting.pop()
            if isinstance(part, dict):
                for name, member in part.items():
                    self.assertIn("`%s`" % name, text)
                    waiting.append(member)
            elif isinstance(part, list):
                waiting += part


if __name__ == "__main__":
    unittest.main()
