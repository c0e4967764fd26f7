# row: 72
# threat: the launcher or interpreter is absent, too old, another program, refused by the host, or hangs
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: V, not run yet
# scenario: backend-unusable
# expect: bubblewrap: absent.message contains "/nonexistent/bwrap is not the absolute path of an executable file"
# expect: bubblewrap: old.message contains "bubblewrap 0.4.0 is too old"
# expect: bubblewrap: other.message contains "did not answer as bubblewrap does"
# expect: bubblewrap: refused.message contains "setting up uid map: Permission denied"
# expect: bubblewrap: refused.message contains kernel.unprivileged_userns_clone
# expect: bubblewrap: hangs.message contains "did not end within 5 s"
# expect: bubblewrap: setuid.message contains "is a setuid copy"
# expect: bubblewrap: auto.chosen == process
# expect: bubblewrap: auto.why contains "setting up uid map: Permission denied"
# expect: bubblewrap: auto.required.failure.kind == isolation_unavailable
# expect: process: absent.message contains "/nonexistent/python3 is not an executable file"
# expect: process: other.message contains "/bin/true is not a Python"
# expect: process: relative.message contains "is a relative path"
# expect: process: broken.message contains "no such library"
# expect: container: absent.message contains "/nonexistent/podman is not the absolute path of an executable file"
# expect: container: other.message contains "did not answer as podman or docker does"
# expect: container: stopped.message contains "Cannot connect to the engine"
# expect: container: hangs.message contains "did not answer '--version' within 10 s"
# expect: container: image.message contains "localhost/not-made:1 is not there, and is never pulled"
# expect: container: runtime.message contains no-such-runtime
# expect: container: interpreter.message contains "has no /bin/no-python"
# expect: container: auto.chosen == process
# expect: container: auto.why contains "Cannot connect to the engine"
# expect: container: auto.required.failure.kind == isolation_unavailable
# expect: *.millis < 20000
# expect: container: *.millis < 40000
