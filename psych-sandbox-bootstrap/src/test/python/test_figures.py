"""Figures that a program leaves open, with the matplotlib of this machine where it has one."""

import os
import struct
import subprocess
import sys
import unittest

import support

FOLDER = "/usr/lib/python3/dist-packages"
PROLOGUE = """
import os, sys
sys.path.append(%r)
os.environ["MPLCONFIGDIR"] = %r
""" % (FOLDER, os.path.join(support.shared_folder(), "matplotlib"))
DRAW = PROLOGUE + """
import matplotlib.pyplot as plt
lines = plt.plot([1, 2, 3])
None
"""
LISTING = "\nsorted(name for name in os.listdir() if name[0] != '.')"
# numpy's libraries alone reserve more than the default of an execution's other tests.
SPACE = 1 << 30


def has_matplotlib():
    """Debian's is built for Debian's interpreter."""
    return sys.executable.startswith("/usr/bin/") and os.path.isdir(FOLDER + "/matplotlib")


MISSING = "" if has_matplotlib() else "no matplotlib for this interpreter: apt-get install python3-matplotlib python3-pandas"
if MISSING:
    print("Tests of figures are skipped:", MISSING, file=sys.stderr)


@unittest.skipIf(MISSING, MISSING)
class FiguresTest(support.ProgramTestCase):
    @classmethod
    def setUpClass(cls):
        # Where that takes more than five seconds matplotlib says so, on the stderr of whichever program is the first.
        subprocess.run([sys.executable, "-c", PROLOGUE + "import matplotlib.font_manager"], stderr=subprocess.DEVNULL, check=True)

    def left(self, program, **limits):
        """Run a program; return what came of it and the files it left, by their name."""
        with support.Child() as child:
            child.run(program, **{"addressSpace": SPACE, **limits})
            frames = [child.receive()]
            files = {}
            for name in os.listdir(child.workspace):
                if not name.startswith("."):
                    with open(os.path.join(child.workspace, name), "rb") as file:
                        files[name] = file.read()
            return child.finish(frames), files

    def assert_saved(self, program, *names):
        outcome, files = self.left(program)
        self.assertIsNone(outcome.failure, outcome)
        self.assertEqual((outcome.notes, outcome.stderr), ([], ""))
        self.assertEqual(sorted(files), sorted(names))
        for name in names:
            if name.endswith(".png"):
                self.assertEqual(files[name][:8], b"\x89PNG\r\n\x1a\n")
        return files

    def test_an_open_figure_is_saved(self):
        files = self.assert_saved(DRAW, "figure-1.png")
        width, height = struct.unpack(">II", files["figure-1.png"][16:24])
        self.assertGreater(width * height, 100 * 100)

    def test_show_does_not_fail_and_the_figure_is_saved_once(self):
        self.assert_saved(DRAW + "plt.show()\nplt.show()", "figure-1.png")

    def test_each_open_figure_is_saved(self):
        self.assert_saved(DRAW + "plt.figure('named').subplots()\nplt.subplots()\nNone", "figure-1.png", "figure-2.png", "figure-3.png")

    def test_a_figure_that_the_program_saved_is_not_saved_again(self):
        self.assert_saved(DRAW + "plt.savefig('own.png')", "own.png")

    def test_a_figure_saved_in_another_format_or_to_memory_is_not_saved_again(self):
        self.assert_saved(DRAW + "plt.gcf().savefig('own.svg')", "own.svg")
        self.assert_saved(DRAW + "import io\nplt.savefig(io.BytesIO())")

    def test_a_figure_saved_under_a_chosen_backend_is_not_saved_again(self):
        chosen = PROLOGUE + "import matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plt\nplt.plot([1])\nNone\n"
        self.assert_saved(chosen + "plt.savefig('own.png')", "own.png")
        self.assert_saved(chosen, "figure-1.png")

    def test_a_closed_and_an_empty_figure_are_not_saved(self):
        self.assert_saved(DRAW + "plt.close()\nplt.figure()\nNone")

    def test_a_name_that_is_taken_is_left_alone_and_the_workspace_is_where_it_was(self):
        outcome, files = self.left(DRAW + "open('figure-1.png', 'wb').write(b'taken')\nos.chdir('/')")
        self.assertEqual(outcome.notes, [])
        self.assertEqual(sorted(files), ["figure-1.png", "figure-2.png"])
        self.assertEqual(files["figure-1.png"], b"taken")

    def test_a_value_that_is_part_of_a_figure_is_left_out_with_a_note(self):
        for last in ("plt.plot([1])", "plt.title('t')", "plt.gca()", "plt.subplots(2, 2)", "plt.hist([1, 2])", "plt.gcf().axes"):
            with self.subTest(last):
                outcome, _ = self.left(DRAW + last)
                self.assertIsNone(outcome.failure, outcome)
                self.assertIsNone(outcome.value)
                self.assertEqual(outcome.notes, ["The value is of a figure, which has no JSON form, and was left out."])

    def test_another_value_is_given_although_there_is_a_figure(self):
        outcome, _ = self.left(DRAW + "[1, {'a': 2}]")
        self.assertEqual((outcome.value, outcome.notes), ([1, {"a": 2}], []))

    def test_figures_of_a_program_that_failed_are_saved(self):
        outcome, files = self.left(DRAW + "1 / 0")
        self.assertEqual(outcome.failure["kind"], "program_exception")
        self.assertEqual(sorted(files), ["figure-1.png"])

    def test_a_figure_drawn_by_pandas_is_saved(self):
        self.assert_saved(PROLOGUE + "import pandas\npandas.DataFrame({'a': [1, 2]}).plot()\nNone", "figure-1.png")

    def test_more_than_twenty_are_told(self):
        outcome, files = self.left(PROLOGUE + "import matplotlib.pyplot as plt\nplt.rcParams['figure.max_open_warning'] = 0\n"
                                   "for i in range(21): plt.figure(figsize=(1, 1)).add_axes((0, 0, 1, 1)).set_axis_off()")
        self.assertEqual(outcome.notes, ["Of 21 figures that were left open 20 were saved: save the others in the program."])
        self.assertEqual(len(files), 20)

    def test_a_figure_that_can_not_be_saved_is_a_note(self):
        for spoil, problem in (
            ("plt.gcf().set_size_inches(10000, 10000)", "ValueError|MemoryError"),
            ("plt.get_fignums = None", "TypeError"),
            ("plt.gcf().savefig = lambda *_, **__: exit(3)", "SystemExit"),
            ("import time\ntime.monotonic = None", "TypeError"),
            ("os.path = None", "AttributeError"),
        ):
            with self.subTest(spoil):
                outcome, files = self.left(DRAW + spoil + "\n5")
                self.assertIsNone(outcome.failure, outcome)
                self.assertEqual(outcome.value, 5)
                self.assertEqual(len(outcome.notes), 1, outcome)
                self.assertRegex(outcome.notes[0], "^A figure that was left open could not be saved: (%s)\\.$" % problem)
                self.assertEqual(files, {})

    def test_where_little_is_left_none_is_saved_and_the_program_has_ended_well(self):
        little = (
            "import resource\n"
            "pages = int(open('/proc/self/statm').read().split()[0])\n"
            "resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (150 << 20), resource.getrlimit(resource.RLIMIT_AS)[1]))\n"
        )
        for program, limits, what in ((DRAW + little, {}, "memory"), (DRAW, {"cpu": 2}, "CPU time")):
            with self.subTest(what):
                outcome, files = self.left(program + "5", **limits)
                self.assertEqual((outcome.failure, outcome.value, files), (None, 5, {}))
                self.assertEqual(outcome.notes, ["A figure that was left open was not saved, since little %s is left." % what])

    def test_a_copy_of_the_process_saves_nothing(self):
        self.assert_saved(DRAW + "if os.fork() == 0: os.chdir('/')\nelse: os.wait()", "figure-1.png")

    def test_savefig_keeps_its_signature_and_its_errors(self):
        outcome, files = self.left(DRAW + "plt.savefig('own.nothing')")
        self.assertIn("nothing", outcome.failure["message"])
        self.assertEqual(sorted(files), ["figure-1.png"])


class WithoutFiguresTest(support.ProgramTestCase):
    def test_nothing_is_imported_where_there_are_none(self):
        names = "sorted(name for name in sys.modules if 'matplotlib' in name or name == 'psych_figures')"
        self.assertEqual(self.value("import sys\n" + names), [])

    def test_what_is_missing_is_missing(self):
        failure = self.failed("import matplotlib.pyplot as plt")
        self.assertIn("No module named 'matplotlib'", failure["message"])


if __name__ == "__main__":
    unittest.main()
