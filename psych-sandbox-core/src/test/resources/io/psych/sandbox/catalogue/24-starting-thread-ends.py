# row: 24
# threat: the thread that started the child ends
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# scenario: thread-ends
# expect: values == ["\"unharmed\""]
# expect: unconfined == 137
# says: The control is a process that asks for the parent-death signal and is started by a thread that ends: it dies.
