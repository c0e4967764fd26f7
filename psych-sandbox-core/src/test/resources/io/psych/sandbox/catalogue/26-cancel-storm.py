# row: 26
# threat: two hundred executions cancelled between their creation and their start
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E, not run yet
# remote: V, not run yet
# scenario: cancel-storm
# expect: executions == 200
# expect: cancelled == 200


print("up", flush=True)
import time
time.sleep(60)
