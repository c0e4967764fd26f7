"""What a program prints a lot of: gathered for a host that takes it, and written as ever for one that does not."""

import os
import pathlib
import unittest

from support import Child, run

NAME = ".psych-prints"
LINES = "".join("%07d\n" % i for i in range(1200))
BEGINNING = """
import os, sys
for i in range(600):
    print("%07d" % i)
await host(offered=os.path.exists(os.path.join(os.path.dirname(os.getcwd()), ".psych-prints")))
for i in range(600, 1200):
    print("%07d" % i)
"""


class Gathered(unittest.TestCase):
    def setUp(self):
        self.child = Child()
        self.addCleanup(self.child.__exit__)
        self.path = pathlib.Path(self.child.folder.name, NAME)

    def begin(self, program):
        self.child.run(BEGINNING + program, ["host"])
        self.call = self.child.receive()
        self.assertEqual(self.call["arguments"], {"offered": True})

    def take(self):
        """Do as the host does."""
        file = open(self.path, "rb")
        self.addCleanup(file.close)
        self.path.chmod(0o400)
        self.child.reply(self.call, value=None)
        return file

    def test_what_a_process_that_is_gone_has_not_written_is_in_the_file(self):
        self.begin("os._exit(0)")
        file = self.take()
        outcome = self.child.finish()
        content = file.read()
        self.assertEqual((len(content), content[:8]), (64 << 10, bytes(8)))
        gathered = content[16:].rstrip(b"\xff").decode()
        self.assertGreater(len(gathered), 0)
        self.assertEqual(outcome.stdout + gathered, LINES)
        self.assertFalse(self.path.exists())

    def test_all_is_written_when_the_program_ends(self):
        self.begin("")
        file = self.take()
        self.assertEqual(self.child.receive()["type"], "done")
        outcome = self.child.finish()
        self.assertEqual(outcome.stdout, LINES)
        self.assertEqual(file.read()[16:].rstrip(b"\xff"), b"")

    def test_nothing_is_gathered_for_a_host_that_does_not_take_the_file(self):
        self.begin("os._exit(0)")
        self.child.reply(self.call, value=None)
        self.assertEqual(self.child.finish().stdout, LINES)

    def test_the_file_is_removed_when_the_host_has_not_taken_it_for_long(self):
        self.begin("for i in range(140_000): print()\nos.path.exists(%r)" % str(self.path))
        self.child.reply(self.call, value=None)
        self.assertIs(self.child.receive()["value"], False)

    def test_what_stands_in_the_way_of_the_descriptor_goes_when_nothing_is_gathered_any_more(self):
        self.begin("guarded = os.write\nsys.stdout.fileno()\n[repr(guarded), repr(os.write), guarded is os.write]")
        self.take()
        value = self.child.receive()["value"]
        self.assertEqual(value[1:], ["<built-in function write>", False])
        self.assertIn("<function write", value[0])


class NotOffered(unittest.TestCase):
    def test_a_program_that_prints_little_has_no_file(self):
        outcome = run("import os\nfor i in range(400): print(i)\nos.listdir('..'), 'flush' in vars(os.sys.stdout.buffer)")
        self.assertNotIn(NAME, outcome.value[0])
        self.assertIs(outcome.value[1], False)

    def test_where_there_is_no_room_for_the_file_none_is_left(self):
        outcome = run("import os\nfor i in range(700): print(i)\nos.listdir('..')", fileSize=60 << 10)
        self.assertNotIn(NAME, outcome.value)
        self.assertEqual(outcome.stdout, "".join("%d\n" % i for i in range(700)))


if __name__ == "__main__":
    unittest.main()
