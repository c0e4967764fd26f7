"""What a child without a launcher makes for itself: file systems of its own, and what is open of them."""

import errno
import os
import sys
import tempfile
import threading
import unittest
import unittest.mock

import psych_confine
from support import LIMITS, Child, ProgramTestCase

SIZE, INODES = 1 << 20, 1024
ERRORS = """\
import errno, os
def outcome(action, *arguments):
    try:
        return action(*arguments)
    except OSError as problem:
        return errno.errorcode[problem.errno]
"""
FILL = """
written, made = 0, 0
try:
    while written < 8 << 20:
        with open('data', 'ab', buffering=0) as file:
            written += file.write(bytes(4096))
except OSError as problem:
    full = errno.errorcode[problem.errno]
os.unlink('data')
try:
    while made < 5000:
        os.mkdir('d%d' % made)
        made += 1
except OSError as problem:
    many = errno.errorcode[problem.errno]
[written, full, made, many]
"""


def confined(mounts, namespaces=True):
    """Return what to add to a child's configuration, by the folder it works in."""

    def more(folder):
        return {
            "confine": {
                "uid": -1,
                "gid": -1,
                "namespaces": namespaces,
                "network": False,
                "mounts": {name: [path or folder, SIZE, INODES] for name, path in mounts.items()},
            },
            "restrict": {
                "readable": ["/usr", "/bin", "/lib", "/lib64", "/proc/self", sys.base_prefix],
                "writable": [folder, "/dev/null"],
                "network": False,
                "filter": None,
            },
        }

    return more


class Mounts(ProgramTestCase):
    ALL = {"workspace": None, "shm": "/dev/shm"}

    def start(self, mounts, program, **more):
        """Run a program; return the report before it, its value and what is in its folder for the host."""
        with Child(more=confined(mounts, **more)) as child:
            report = child.receive()["report"]
            if more.get("namespaces", True) and "mnt" not in report["confined"]:
                self.skipTest("no mount namespace can be had here")
            child.send({"type": "run", "program": ERRORS + program, "tools": [], "limits": LIMITS})
            done = child.receive()
            left = os.listdir(child.workspace)
            self.device = os.stat(child.workspace).st_dev
            outcome = child.finish([done])
        self.assertIsNone(outcome.failure, outcome)
        return report, outcome.value, left

    def test_all_files_together_and_their_number_are_bounded(self):
        report, value, left = self.start(self.ALL, "open('mine', 'w').close()" + FILL)
        self.assertLessEqual({"mnt", "workspace", "shm"}, set(report["confined"]))
        files = report["limits"]["workspace"]
        self.assertEqual((files["blockSize"] * files["blocks"], files["inodes"]), (SIZE, INODES))
        self.assertNotEqual(files["device"], self.device)
        written, full, made, many = value
        self.assertLessEqual(written, SIZE)
        self.assertGreater(written, SIZE // 2)
        self.assertLess(made, INODES)
        self.assertGreater(made, INODES // 2)
        self.assertEqual((full, many), ("ENOSPC", "ENOSPC"))
        self.assertEqual(left, [])

    def test_shared_memory_is_its_own(self):
        program = "import multiprocessing\nmultiprocessing.Lock()\n[os.listdir('/dev/shm'), os.statvfs('/dev/shm').f_files]"
        for mounts in (self.ALL, {"shm": "/dev/shm"}):
            with self.subTest(mounts):
                self.assertEqual(self.start(mounts, program)[1], [[], INODES])

    def test_what_is_the_hosts_is_not_opened_with_what_is_its_own(self):
        report, value, _ = self.start({"workspace": None}, "[outcome(os.listdir, '/dev/shm'), os.getcwd()]")
        if not report["restricted"]["landlock"]:
            self.skipTest("there is no Landlock here")
        self.assertNotIn("shm", report["confined"])
        self.assertEqual(value[0], "EACCES")

    def test_proc_shows_its_own_namespace_to_what_it_starts(self):
        program = (
            "import subprocess\n"
            "told = subprocess.run(['cat', '/proc/self/comm'], stdout=subprocess.PIPE, check=True).stdout\n"
            "[sorted(int(name) for name in os.listdir('/proc') if name.isdigit()), told.decode()]"
        )
        with Child(more=confined(self.ALL)) as child:
            if "proc" not in child.receive()["report"]["confined"]:
                self.skipTest("no /proc can be mounted here")
        self.assertEqual(self.start(self.ALL, program)[1], [[1, 2], "cat\n"])

    def test_a_mount_that_is_refused_is_not_reported_and_nothing_more_is_opened(self):
        missing = {"workspace": "/no/such/folder", "shm": "/no/such/folder"}
        report, value, left = self.start(missing, "open('mine', 'w').close()\noutcome(os.listdir, '/dev/shm')")
        self.assertIn("mnt", report["confined"])
        self.assertFalse({"workspace", "shm"} & set(report["confined"]))
        self.assertEqual(report["limits"]["workspace"]["device"], self.device)
        self.assertEqual(left, ["mine"])
        if report["restricted"]["landlock"]:
            self.assertEqual(value, "EACCES")

    def test_without_namespaces_nothing_is_mounted(self):
        report, _, left = self.start(self.ALL, "open('mine', 'w').close()", namespaces=False)
        self.assertEqual(report["confined"], [])
        self.assertEqual(left, ["mine"])

    def test_no_mount_is_the_hosts_as_well(self):
        with open("/proc/self/mountinfo", encoding="utf-8") as file:
            before = file.read()
        self.start(self.ALL, "1")
        with open("/proc/self/mountinfo", encoding="utf-8") as file:
            self.assertEqual(file.read(), before)

class PipeTests(unittest.TestCase):
    """How the first process of a container opens its host's pipes."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "pipe")
        os.mkfifo(self.path)

    def test_a_pipe_that_nobody_reads_is_given_up(self):
        with unittest.mock.patch.object(psych_confine, "PATIENCE", 0.05):
            with self.assertRaises(OSError) as raised:
                psych_confine.open_pipe(self.path)
        self.assertEqual(errno.ENXIO, raised.exception.errno)

    def test_a_pipe_whose_reader_comes_later_is_opened_and_blocks(self):
        read = []

        def reader():
            with open(self.path, "rb") as pipe:
                read.append(pipe.read())

        thread = threading.Timer(0.05, reader)
        thread.start()
        pipe = psych_confine.open_pipe(self.path)
        self.assertTrue(os.get_blocking(pipe))
        os.write(pipe, b"hello")
        os.close(pipe)
        thread.join()
        self.assertEqual([b"hello"], read)


if __name__ == "__main__":
    unittest.main()
