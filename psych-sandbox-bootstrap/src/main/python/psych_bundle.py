"""Makes one compiled file of the child's modules, and tells what interpreter this is.

Run once per interpreter by the host: ``python -I -S -B psych_bundle.py SOURCES TARGET``. SOURCES
is a folder, TARGET the ``.pyc`` to write. Prints one line of JSON.

One file, since every file that is opened at start costs; its modules stay marshalled inside
until they are imported, since endings and confinement are rarely needed.
"""

import marshal
import posix
import sys

from importlib.util import MAGIC_NUMBER

LOADER = """
import marshal
import sys


class Bundle:
    \"\"\"Imports the modules of this file, after everything else that can be imported.\"\"\"

    def find_spec(self, name, path=None, target=None):
        return type(sys.__spec__)(name, self) if name in MODULES else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(marshal.loads(MODULES[module.__name__]), module.__dict__)


sys.meta_path.append(Bundle())
import psych_bootstrap

psych_bootstrap.main()
"""


def compiled(path, name):
    with open(path, encoding="utf-8") as file:
        # Compiled without docstrings: they are for whoever reads the source.
        return marshal.dumps(compile(file.read(), "<%s>" % name, "exec", dont_inherit=True, optimize=2))


def main(sources, target):
    names = sorted(name[:-3] for name in posix.listdir(sources) if name.endswith(".py") and name != "psych_bundle.py")
    modules = {name: compiled("%s/%s.py" % (sources, name), name) for name in names}
    code = compile("MODULES = %r\n%s" % (modules, LOADER), "<psych_bootstrap>", "exec", dont_inherit=True)
    # The header of an unchecked hash-based .pyc (PEP 552): nothing is compared at start.
    with open(target, "wb") as file:
        file.write(MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(code))
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
