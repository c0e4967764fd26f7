"""Makes one compiled file of the child's modules, and tells what interpreter this is.

Run once per interpreter by the host: ``python -I -S -B psych_bundle.py SOURCES TARGET``. SOURCES
is a folder, TARGET the ``.pyc`` to write. Prints one line of JSON.

One file, since every file that is opened at start costs. What every child runs is in it as code,
and is made a module without asking what else has that name: the folders of the standard library
are not even listed. What is rarely needed stays marshalled until it is imported, and packed, since
the whole file is read: pages that are touched for the first time cost more than what is in them.
Where the libraries of modules in C lie is looked up here, once.
"""

import marshal
import posix
import sys

from importlib.machinery import ExtensionFileLoader, PathFinder
from importlib.util import MAGIC_NUMBER

# What every child runs, each after those it imports.
AT_START = ("psych_values", "psych_bindings", "psych_probe", "psych_restrict", "psych_program", "psych_bootstrap")
# What some need, and must not be searched for.
AT_FIRST_USE = ("psych_confine", "psych_tree", "psych_forms")
IN_C = ("_json", "resource", "_ctypes")

LOADER = """
import sys

import _imp
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import ExtensionFileLoader


def later(name):
    import marshal

    text = MODULES[name]
    if PACKED:
        import zlib

        text = zlib.decompress(text)
    return marshal.loads(text)


class Bundle:
    \"\"\"Imports the marshalled modules of this file, after everything else that can be imported.\"\"\"

    def find_spec(self, name, path=None, target=None):
        return type(sys.__spec__)(name, self) if name in MODULES else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(later(module.__name__), module.__dict__)


class AtFirstUse(type(sys)):
    \"\"\"A module that is made when it is asked for what is in it: by two threads at once, twice.\"\"\"

    def __getattr__(self, name):
        if "__builtins__" not in self.__dict__ and not name.startswith("__"):
            made = {"__name__": self.__name__}
            exec(later(self.__name__), made)
            self.__dict__.update(made)
        try:
            return self.__dict__[name]
        except KeyError:
            raise AttributeError(name) from None


def library(name, path):
    # What the import system does, without its locks.
    spec = ModuleSpec(name, ExtensionFileLoader(name, path), origin=path)
    spec.has_location = True
    try:
        made = _imp.create_dynamic(spec)
    except ImportError:
        return  # Not where it was: whoever needs it looks for it.
    made.__spec__, made.__loader__, made.__file__ = spec, spec.loader, path
    sys.modules[name] = made
    _imp.exec_dynamic(made)


def module(name, code):
    sys.modules[name] = made = type(sys)(name)
    exec(code, made.__dict__)


sys.meta_path.append(Bundle())
"""
START = """
import psych_bootstrap

psych_bootstrap.main()
"""


def compiled(path, name):
    with open(path, encoding="utf-8") as file:
        # Compiled without docstrings: they are for whoever reads the source.
        return compile(file.read(), "<%s>" % name, "exec", dont_inherit=True, optimize=2)


def bundle(sources):
    """Return the code that makes the modules and starts the child."""
    names = sorted(name[:-3] for name in posix.listdir(sources) if name.endswith(".py") and name != "psych_bundle.py")
    code = {name: compiled("%s/%s.py" % (sources, name), name) for name in names}
    later = {name: marshal.dumps(code[name]) for name in names if name not in AT_START}
    packed = "zlib" in sys.builtin_module_names
    if packed:
        import zlib

        later = {name: zlib.compress(text, 9) for name, text in later.items()}
    lines = ["PACKED = %r\nMODULES = %r" % (packed, later), LOADER]
    for name in IN_C:
        spec = PathFinder.find_spec(name) if name not in sys.builtin_module_names else None
        if spec is not None and isinstance(spec.loader, ExtensionFileLoader):
            lines.append("library(%r, %r)" % (name, spec.origin))
    # Each takes the place of a text that says which it is.
    lines += ["module(%r, %r)" % (name, "the code of " + name) for name in AT_START]
    lines += ["sys.modules[%r] = AtFirstUse(%r)" % (name, name) for name in AT_FIRST_USE]
    whole = compile("\n".join([*lines, START]), "<psych_bootstrap>", "exec", dont_inherit=True, optimize=2)
    places = {"the code of " + name: code[name] for name in AT_START}
    constants = tuple(places.get(item, item) if isinstance(item, str) else item for item in whole.co_consts)
    return whole.replace(co_consts=constants)


def main(sources, target):
    # The header of an unchecked hash-based .pyc (PEP 552): nothing is compared at start.
    with open(target, "wb") as file:
        file.write(MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(bundle(sources)))
    facts = (
        sys.implementation.name,
        ".".join(map(str, sys.version_info[:3])),
        sys.executable,
        sys.base_prefix,
        sys.base_exec_prefix,
    )
    print('{"implementation":"%s","version":"%s","executable":"%s","prefix":"%s","execPrefix":"%s"}' % facts)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
