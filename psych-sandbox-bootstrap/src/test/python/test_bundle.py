"""The one compiled file, and what an interpreter has to load before a program."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import support
from support import DEADLINE, MODULE, SOURCES, TOOLS, ProgramTestCase, make_bundle


class TheFile(ProgramTestCase):
    def test_it_is_a_pyc_that_is_never_compared_with_a_source(self):
        with open(support.bundle(), "rb") as file:
            header = file.read(16)
        self.assertEqual(header, importlib.util.MAGIC_NUMBER + b"\1\0\0\0" + bytes(8))

    def test_making_it_tells_what_interpreter_this_is(self):
        with tempfile.TemporaryDirectory() as folder:
            facts = make_bundle(os.path.join(folder, "child.pyc"))
        self.assertEqual(
            facts,
            {
                "implementation": sys.implementation.name,
                "version": "%d.%d.%d" % sys.version_info[:3],
                "executable": sys.executable,
                "prefix": sys.base_prefix,
                "execPrefix": sys.base_exec_prefix,
            },
        )

    def test_it_is_the_same_every_time(self):
        contents = set()
        with tempfile.TemporaryDirectory() as folder:
            for name in ("one.pyc", "two.pyc"):
                make_bundle(os.path.join(folder, name))
                with open(os.path.join(folder, name), "rb") as file:
                    contents.add(file.read())
        self.assertEqual(len(contents), 1)

    def test_it_needs_no_source_and_names_no_path_of_theirs(self):
        with tempfile.TemporaryDirectory() as folder:
            sources = os.path.join(folder, "sources")
            target = os.path.join(folder, "child.pyc")
            shutil.copytree(SOURCES, sources, ignore=shutil.ignore_patterns("__pycache__"))
            script = os.path.join(sources, "psych_bundle.py")
            command = [sys.executable, "-I", "-S", "-B", script, sources, target]
            subprocess.run(command, stdout=subprocess.DEVNULL, timeout=DEADLINE, check=True)
            shutil.rmtree(sources)
            with open(target, "rb") as file:
                self.assertNotIn(os.fsencode(folder), file.read())
            made, support._bundles[:] = support._bundles[:], [target]
            try:
                self.assertEqual(self.value("1 + 1"), 2)
                self.assertIn("ZeroDivisionError", self.failed("1 / 0")["message"])
            finally:
                support._bundles[:] = made

    def test_every_source_is_handed_out_by_the_java_class_and_compiles_without_a_warning(self):
        names = sorted(path.name for path in SOURCES.glob("*.py"))
        java = MODULE / "src/main/java/io/psych/sandbox/bootstrap/BootstrapSources.java"
        listed = set(re.findall(r'"(psych_\w+\.py)"', java.read_text(encoding="utf-8")))
        self.assertEqual(names, sorted(listed))
        for path in SOURCES.glob("*.py"):
            compile(path.read_text(encoding="utf-8"), str(path), "exec")


class TheStart(ProgramTestCase):
    """Measured in modules: each costs time before every program."""

    # A module that is made at its first use is there, and empty until then.
    LOADED = (
        "import sys\nsorted(name for name in set(sys.modules) - set(%r)"
        " if not name.startswith('psych_') or '__builtins__' in vars(sys.modules[name]))"
    )
    OURS = {"psych_bindings", "psych_bootstrap", "psych_probe", "psych_program", "psych_restrict", "psych_values"}
    IN_C = {"_ast", "_ctypes", "_json", "_socket", "errno", "gc", "posix", "resource", "zlib"}

    @classmethod
    def setUpClass(cls):
        bare = [sys.executable, "-I", "-S", "-B", "-u", "-X", "utf8", "-c", "import sys; print(*sys.modules)"]
        cls.bare = subprocess.run(bare, stdout=subprocess.PIPE, timeout=DEADLINE, check=True).stdout.decode().split()

    def loaded(self, program):
        return set(self.value(program + "\n" + self.LOADED % self.bare, TOOLS))

    def test_a_program_that_needs_nothing_loads_ours_and_what_is_in_c(self):
        for program in ("x = 1", "x = await echo(value=[1])", "def f():\n    return 1", "if 0:\n    return 1"):
            with self.subTest(program):
                more = self.loaded(program)
                tree = {"psych_tree"} if program.startswith("if") else set()  # a return at the top level
                self.assertEqual(more - self.IN_C, self.OURS | tree)
                self.assertEqual("_ast" in more, bool(tree))
                self.assertFalse(
                    {"json", "ast", "asyncio", "traceback", "re", "typing", "os", "enum", "collections"}
                    & (more | set(self.bare))
                )

    def test_modules_in_c_have_no_source(self):
        for name in self.IN_C:
            origin = importlib.util.find_spec(name).origin or "built-in"
            self.assertFalse(origin.endswith(".py"), origin)

    def test_what_endings_need_is_loaded_when_a_program_fails(self):
        program = (
            "import atexit, sys\n"
            "atexit.register(lambda: print('traceback' in sys.modules, 'psych_endings' in sys.modules))\n"
            "1 / 0"
        )
        outcome = support.run(program)
        self.assertEqual(outcome.stdout, "True True\n")

    def test_names_of_ours_do_not_stand_before_those_of_a_program(self):
        program = (
            "import os, sys\n"
            "open('psych_values.py', 'w').write('here = 1')\n"
            "del sys.modules['psych_values']\n"
            "sys.path.insert(0, os.getcwd())\n"
            "import psych_values\n"
            "psych_values.here"
        )
        self.assertEqual(self.value(program), 1)


if __name__ == "__main__":
    unittest.main()
