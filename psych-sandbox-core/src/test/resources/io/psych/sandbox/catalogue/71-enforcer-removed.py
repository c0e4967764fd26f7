# row: 71
# threat: the host lacks what enforces a guarantee
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: V, not run yet
# scenario: enforcer-removed
# expect: filter.fallen == identity
# expect: filter.sent == 0
# expect: bubblewrap: filter-and-network.fallen == "network identity"
# expect: bubblewrap: filter-and-network.sent == 0
# expect: bubblewrap: ipc.fallen == identity
# expect: process: landlock.fallen == filesystem
# expect: process: landlock.sent == 0
# expect: process: namespaces.fallen contains process-tree
# expect: process: namespaces.sent == 0
# expect: container: filter-and-network.fallen == "network identity"
# expect: container: filter-and-network.sent == 0
# expect: container: ipc.fallen == identity
# expect: container: memory.fallen == memory
# expect: container: memory.sent == 0
# expect: container: pids.fallen == memory
# expect: container: tmpfs.fallen == file-size
# expect: container: tmpfs.sent == 0
# expect: container: privileges.fallen == identity
# expect: container: privileges.sent == 0
# expect: nothing.fallen == ""
# says: One by one in FaultInjectionTests; here for an execution of a sandbox that was sound when it was built.
