# row: 73
# threat: executions in sequence, then many at once
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: V, not run yet
# scenario: soak
# expect: in-sequence != 0
# expect: at-once != 0
# expect: failed-in-sequence == 0
# expect: failed-at-once == 0
# says: ./verify has the catalogue's 1,000 and 200 on the strongest backend. `.ci/containers` has fewer on container, where each takes the engine half a second. SoakTests does the same to a JVM that is PID 1.


import subprocess
subprocess.run(["/bin/true"])
with open("file", "w") as file:
    file.write("x")
await echo(value=1)
