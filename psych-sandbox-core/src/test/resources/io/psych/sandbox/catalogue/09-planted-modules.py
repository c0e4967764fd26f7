# row: 9
# threat: files and variables meant for an interpreter: json.py, sitecustomize.py, PYTHONPATH, PYTHONSTARTUP, PYTHONHOME
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# scenario: planted-environment
# expect: failure == null
# expect: ran == []
# expect: value.imported == "standard"
# expect: value.path == []
# expect: value.environment == []
# expect: ranUnconfined == ["ran-sitecustomize"]
# says: The variables are those of a JVM of its own. Input files are not offered yet: the program plants them itself.


import sys

for name in ("json.py", "sitecustomize.py", "usercustomize.py", "x.pth"):
    for folder in (os.getcwd(), os.environ["TMPDIR"], os.environ["HOME"]):
        with open(folder + "/" + name, "w") as file:
            file.write("raise SystemExit(9)\n")
import json

findings = {
    "imported": "standard" if json.__file__.startswith("/usr/") else json.__file__,
    "path": [folder for folder in sys.path if os.access(folder, os.W_OK)],
    "environment": sorted(name for name in os.environ if name in (
        "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONINSPECT", "PYTHONUSERBASE", "PYTHONPYCACHEPREFIX")),
}
findings
