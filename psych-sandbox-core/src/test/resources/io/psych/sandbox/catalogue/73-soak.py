# row: 73
# threat: executions in sequence, then many at once
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E, not run yet
# remote: V, not run yet
# scenario: soak
# expect: sequence == 0
# expect: parallel == 0
# says: 25 in sequence and 20 at once; with -Dpsych.containment.soak=true the catalogue's 1,000 and 200.


import subprocess
subprocess.run(["/bin/true"])
with open("file", "w") as file:
    file.write("x")
await echo(value=1)
