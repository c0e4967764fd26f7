"""Compare the grades that docs/containment.md tells with those that doctor and the health endpoint tell here.

Usage: told_grades.py JAVA_HOME

Runs what was just built: the command line tool's jar, and the sample service once on each backend. Ends with status 1
where anything tells another grade or level, and with 3 where nothing can be compared, having said why.
"""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

PAGE = pathlib.Path("docs/containment.md")
UNLIKE = pathlib.Path("psych-sandbox-core/target/unlike-containment-page")
DOCTOR = pathlib.Path("samples/cli/target/psych-sandbox-cli.jar")
SERVICE = pathlib.Path("samples/agent-service/target/agent-service.jar")
PYTHON = "/usr/bin/python3"
SECONDS_TO_START, SECONDS_TO_END, SECONDS_TO_DIAGNOSE = 120, 30, 120


def grades_of_page():
    """Return the table of grades: by backend, by guarantee; the level is one of them."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    start = next(i for i, line in enumerate(lines) if line.startswith("| guarantee |"))
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines[start:]]
    # Containers need an image, which neither is told of here: .ci/containers compares their grades.
    backends = [backend for backend in rows[0][1:] if backend != "container"]
    told = {backend: {} for backend in backends}
    for row in rows[2:]:
        if len(row) != len(rows[0]):
            break
        for backend in backends:
            told[backend][row[0]] = row[rows[0].index(backend)]
        if row[0] == "level":
            break
    return told


def grades_in(report):
    """Return the same of what doctor or health tells of a backend."""
    return {"level": report["level"], **{name: finding["grade"] for name, finding in report["guarantees"].items()}}


def same_user():
    """Who is not root can only give programs its own user, and has to say so."""
    return os.getuid() != 0


def ask_doctor(java):
    command = [java, "--enable-native-access=ALL-UNNAMED", "-jar", str(DOCTOR), "doctor", "--json", "--interpreter", PYTHON]
    output = subprocess.run(
        command + ["--allow-same-user"] * same_user(), stdout=subprocess.PIPE, timeout=SECONDS_TO_DIAGNOSE, check=True
    ).stdout
    return {backend["name"]: grades_in(backend) if backend["usable"] else {} for backend in json.loads(output)["backends"]}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def health(port, service):
    """Return what health tells once the service answers; one that is out of service answers with 503."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and service.poll() is None:
        try:
            with opener.open("http://127.0.0.1:%d/actuator/health" % port, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as answer:
            return json.load(answer)
        except OSError:
            time.sleep(0.2)  # not listening yet
    raise RuntimeError("the service did not answer")


def ask_health(java, backend):
    port = free_port()
    properties = {
        "server.port": port,
        "psych.sandbox.backend": backend,
        "psych.sandbox.interpreter": PYTHON,
        "psych.sandbox.allow-same-user": str(same_user()).lower(),
        "spring.datasource.url": "jdbc:h2:mem:grades",
    }
    command = [java, "--enable-native-access=ALL-UNNAMED", "-jar", str(SERVICE)]
    with tempfile.TemporaryFile() as log:
        service = subprocess.Popen(
            command + ["--%s=%s" % item for item in properties.items()], stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            return grades_in(health(port, service)["components"]["psychSandbox"]["details"])
        except (RuntimeError, KeyError, ValueError):
            log.seek(0)
            sys.stderr.write(log.read().decode("utf-8", "replace")[-4000:])
            raise
        finally:
            service.terminate()
            try:
                service.wait(SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                service.kill()
                service.wait()


def skip(reason):
    print("Grades that doctor and health tell: not compared, %s." % reason)
    sys.exit(3)


def main():
    java = os.path.join(sys.argv[1], "bin", "java")
    if not UNLIKE.exists():
        skip("the catalogue was not run, which finds out whether docs/containment.md is about a host like this one")
    if UNLIKE.read_text(encoding="utf-8"):
        skip("docs/containment.md is about a host with other layers. " + UNLIKE.read_text(encoding="utf-8").strip().rstrip("."))
    if not DOCTOR.exists() or not SERVICE.exists():
        skip("the samples were not built")
    page = grades_of_page()
    try:
        told = {"doctor": ask_doctor(java), "/actuator/health": {backend: ask_health(java, backend) for backend in page}}
    except (subprocess.SubprocessError, RuntimeError, OSError, LookupError, ValueError) as problem:
        print("Grades that doctor and health tell could not be asked for, counted as one failure: %r" % problem)
        sys.exit(1)
    different = [
        "%s tells %s as %s of %s, %s tells %s" % (name, guarantee, grades[backend].get(guarantee), backend, PAGE, grade)
        for name, grades in told.items()
        for backend, of_page in page.items()
        for guarantee, grade in of_page.items()
        if grades[backend].get(guarantee) != grade
    ]
    if different:
        print("Grades that doctor and health tell are not those of %s, counted as one failure:" % PAGE)
        print("\n".join("  " + line for line in different))
        sys.exit(1)
    counted = ", ".join("%d of %s" % (len(grades), backend) for backend, grades in page.items())
    print("Grades and level that doctor and health tell are those of %s: %s." % (PAGE, counted))


main()
