# row: 8
# threat: the interpreter never becomes ready, or ends before it is
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# scenario: child-not-ready
# expect: wedged.failure.kind == backend_not_ready
# expect: wedged.failure.message contains "within 15 s"
# expect: wedged.durationMillis < 25000
# expect: container: wedged.durationMillis < 31000
# expect: wedged.calls.size == 0
# expect: ends.failure.kind == backend_not_ready
# expect: ends.failure.message contains "no such library"
# expect: container: ends.failure.message contains "with status 127"
# expect: ends.calls.size == 0
# expect: afterwards.value == 1
# says: The interpreter is a script of the suite that sleeps, or ends. What the interpreter of a container says before it is ready goes to the engine, which keeps no log: its status is told.
