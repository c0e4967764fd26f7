# row: 67
# threat: a secret in the JVM's environment and command line
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: V, not run yet
# scenario: secret-of-host
# guarantee: environment
# expect: failure.kind == program_exception
# expect: failure.traceback lacks secret-
# expect: stdout.text contains "found []"
# expect: stdout.text contains "language C.UTF-8"
# expect: unconfined != []


secret = host["secret"].encode()
found = []
try:
    processes = [name for name in os.listdir("/proc") if name.isdigit()]
except OSError:
    processes = range(1, 32768)
for process in ["self", *processes]:
    for name in ("environ", "cmdline"):
        try:
            with open("/proc/%s/%s" % (process, name), "rb") as file:
                if secret in file.read():
                    found.append("/proc/%s/%s" % (process, name))
        except OSError:
            pass
found += [name for name, value in os.environ.items() if secret.decode() in value]
findings = found
print("found", found)
print("language", os.environ.get("LANG"))
if not host["control"]:
    1 / 0
