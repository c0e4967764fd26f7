"""Sum up the tests of one build: what Surefire, Failsafe and the Invoker reported, and what unittest printed.

Usage: test_summary.py PROJECT BUILD_LOG BEGAN

BEGAN is a file made when the build began; older reports are of another build.

Prints each failed and skipped test with its reason, then one last line: "RUN FAILED SKIPPED", where RUN counts all three.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

REPORT_FOLDERS = ("surefire-reports", "failsafe-reports", "invoker-reports")
UNITTEST = re.compile(r"^Ran (\d+) tests? in [^\n]*\n\s*(?:OK|FAILED|NO TESTS RAN)(?: \(([^)]*)\))?$", re.MULTILINE)


def reports(project, began):
    """Yield the report files of this build's modules, not those of builds that ran below a `target` folder."""
    for folder in REPORT_FOLDERS:
        for report in sorted(project.glob("**/target/%s/TEST-*.xml" % folder)):
            below = report.relative_to(project).parts
            if below.count("target") == 1 and report.stat().st_mtime >= began:
                yield report


def java_tests(project, began):
    """Return how many Java tests ran, failed and were skipped, and print the last two by name."""
    run = failed = skipped = 0
    for report in reports(project, began):
        for case in ElementTree.parse(report).iter("testcase"):
            name = "%s.%s" % (case.get("classname", "").rpartition(".")[2], case.get("name"))
            run += 1
            for outcome in ("failure", "error", "skipped"):
                element = case.find(outcome)
                if element is not None:
                    reason = (element.get("message") or element.text or "").strip().partition("\n")[0]
                    print("  %s: %s: %s" % (outcome, name, reason or "no reason given"))
                    failed += outcome != "skipped"
                    skipped += outcome == "skipped"
                    break
    return run, failed, skipped


def python_tests(log):
    """Return how many Python tests ran, failed and were skipped, by the closing lines of unittest."""
    run = failed = skipped = 0
    for count, details in UNITTEST.findall(log):
        numbers = dict(re.findall(r"([a-z ]+)=(\d+)", details))
        numbers = {name.strip(): int(number) for name, number in numbers.items()}
        run += int(count)
        failed += numbers.get("failures", 0) + numbers.get("errors", 0) + numbers.get("unexpected successes", 0)
        skipped += numbers.get("skipped", 0)
    return run, failed, skipped


def main():
    project, log, began = map(pathlib.Path, sys.argv[1:])
    java = java_tests(project, began.stat().st_mtime)
    python = python_tests(log.read_text(encoding="utf-8", errors="replace"))
    for name, (run, failed, skipped) in (("Java", java), ("Python", python)):
        print("  %-6s tests: %d run, %d failed, %d skipped" % (name, run, failed, skipped))
    print("%d %d %d" % tuple(one + other for one, other in zip(java, python)))


main()
