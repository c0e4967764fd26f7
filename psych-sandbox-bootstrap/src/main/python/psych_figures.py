"""Saves the figures that a program left open and did not save itself.

Imported when the program imports matplotlib's pyplot. Whatever goes wrong in here is a note
beside the program's own outcome.
"""

import sys

MOST_FIGURES = 20
MOST_SECONDS = 5

# What drawing may need. Drawing was seen to spin where numpy could not have its buffers, so a
# program that has ended well would be ended by its CPU limit instead.
SPARE_BYTES = 192 << 20
SPARE_SECONDS = 2
SAVED = "_psych_saved"


def watch():
    """Mark each figure that is written from now on, by whichever way and to wherever."""
    try:
        from matplotlib.backend_bases import FigureCanvasBase

        print_figure = FigureCanvasBase.print_figure

        def marking(self, *arguments, **options):
            result = print_figure(self, *arguments, **options)
            setattr(self.figure, SAVED, True)
            return result

        marking.__doc__ = print_figure.__doc__
        marking.__wrapped__ = print_figure  # its signature, for those who ask
        FigureCanvasBase.print_figure = marking
    except Exception:  # a matplotlib unlike those known; then figures may be saved twice
        pass


def is_drawing(value):
    """Return whether a value is what a call that draws returns: a part of a figure, or some of
    them together. Nobody means such a last line to be the program's result."""
    waiting, seen = [value], 0
    while waiting and seen < 100:
        part = waiting.pop()
        seen += 1
        if type(part).__module__.partition(".")[0] == "matplotlib":
            return True
        if type(part) in (list, tuple):
            waiting += part[:100]
        elif type(part).__name__ == "ndarray" and part.dtype == object:
            waiting += part.ravel()[:100].tolist()
    return False


def lacking():
    """Return what of the process's limits is almost used up, or None."""
    import resource
    import time

    most = resource.getrlimit(resource.RLIMIT_CPU)[0]
    if most != resource.RLIM_INFINITY and most - time.process_time() < SPARE_SECONDS:
        return "CPU time"
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    if most != resource.RLIM_INFINITY and most - pages * resource.getpagesize() < SPARE_BYTES:
        return "memory"
    return None


def save_open(workspace):
    """Save what is open as figure-1.png and so on; return notes on what could not be."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    try:
        import time
        import warnings

        began = time.monotonic()
        waiting = []
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            if figure.get_axes() and not getattr(figure, SAVED, False):
                waiting.append(figure)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for count, figure in enumerate(waiting):
                if lacking():
                    return ["A figure that was left open was not saved, since little %s is left." % lacking()]
                if count == MOST_FIGURES or time.monotonic() - began > MOST_SECONDS:
                    return ["Of %d figures that were left open %d were saved: save the others in the program." % (len(waiting), count)]
                save(figure, workspace)
    except BaseException as problem:  # the program may have replaced any of this, or run into a limit
        return ["A figure that was left open could not be saved: %s." % type(problem).__name__]
    return []


def save(figure, workspace):
    """Write a figure under the first name that is free."""
    import os

    number = 1
    while os.path.lexists("%s/figure-%d.png" % (workspace, number)):
        number += 1
    path = "%s/figure-%d.png" % (workspace, number)
    try:
        with open(path, "xb") as file:
            figure.savefig(file, format="png")
    except BaseException:
        os.unlink(path)  # rather none than half of one
        raise
