"""Runs every test, as many modules at a time as there are processors, each by an interpreter of its own.

Usage: python -W error run_all.py

Ends with status 1 when a test failed. What each module printed is not mixed with that of others.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
# It takes as long as half of the others together.
FIRST = "test_figures"


def run(module):
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "unittest", module], cwd=FOLDER, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def main():
    modules = sorted((path.stem for path in FOLDER.glob("test_*.py")), key=lambda name: (name != FIRST, name))
    failed = not modules
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for module, ended in zip(modules, pool.map(run, modules)):
            print("%s\n%s" % (module, ended.stdout), flush=True)
            failed = failed or ended.returncode != 0
    return 1 if failed else 0


sys.exit(main())
