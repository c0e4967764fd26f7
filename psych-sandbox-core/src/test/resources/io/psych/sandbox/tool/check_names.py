"""Says which names the child would make functions of.

Reads a list of names from stdin; the argument is the folder of the child's sources. Prints {"usable": one bool for each,
"builtins": those of this interpreter, "characters": those that can begin a name and those that can go on, of the first
two planes, "assigned": those this interpreter knows}.
"""

import builtins
import json
import sys
import unicodedata

sys.path.insert(0, sys.argv[1])

from psych_bindings import KEYWORDS, usable

names = json.load(sys.stdin)
points = [point for point in range(0x20000) if not 0xD800 <= point < 0xE000]
json.dump(
    {
        "usable": [usable(name) for name in names],
        "builtins": [name for name in dir(builtins) if not name.startswith("__")],
        "keywords": sorted(KEYWORDS),
        "begin": [point for point in points if usable(chr(point))],
        "continue": [point for point in points if usable("a" + chr(point))],
        "unassigned": [point for point in points if unicodedata.category(chr(point)) == "Cn"],
    },
    sys.stdout,
)
