# row: 26
# threat: two hundred executions cancelled between their creation and their start
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: V, not run yet
# scenario: cancel-storm
# expect: executions == 200
# expect: cancelled == 200
# expect: container: executions == 40
# expect: container: cancelled == 40
# says: On container forty, each of which takes the engine half a second.


print("up", flush=True)
import time
time.sleep(60)
