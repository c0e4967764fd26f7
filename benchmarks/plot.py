"""Draws curves that `benchmarks/curves` has measured, one file for each kind of curve.

Reads lines of "curve,x,y" on standard input, where a curve is named "unit, what x is" or, for several in one picture,
"unit, variant"; writes SVG files below the folder that is named.
"""

import collections
import csv
import os
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "psych-sandbox"  # the same picture from the same numbers

import matplotlib.pyplot as plt  # noqa: E402

PICTURES = {
    "runs per second": ("load-throughput", "executions in flight"),
    "CPU ms per run": ("load-cpu", "executions in flight"),
    "µs of a call": ("calls", "calls at once"),
    "ms of a run": (None, None),
    "ms of the description": ("description", "tools"),
    "ms to fold a run": ("fold", "events in the log of the run"),
    "÷ floor": ("soak-latency", "minute"),
    "MB": ("soak-memory", "minute"),
}
BY_X = {"bytes printed": "output", "tools": "tools", "events in its log": "log"}


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    pictures = collections.defaultdict(lambda: collections.defaultdict(list))
    # A name holds a comma itself: all but the last two fields are the name.
    for *name, x, y in list(csv.reader(sys.stdin))[1:]:
        unit, _, rest = ",".join(name).partition(", ")
        file, label = PICTURES[unit]
        if file is None:
            file, label = BY_X[rest], rest
        pictures[file, label, unit][rest].append((float(x), float(y)))
    for (file, label, unit), curves in pictures.items():
        figure, axes = plt.subplots(figsize=(6, 3.5))
        for name, points in curves.items():
            axes.plot(*zip(*points), marker="o" if label != "minute" else None, label=name)
        if label != "minute":
            axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_xlabel(label)
        axes.set_ylabel(unit)
        if len(curves) > 1:
            axes.legend()
        figure.tight_layout()
        figure.savefig(os.path.join(folder, file + ".svg"), metadata={"Date": None})
        plt.close(figure)


if __name__ == "__main__":
    main()
