# row: 54
# threat: io_uring, bpf, perf, userfaultfd, keyrings, kexec, modules, the clock
# bubblewrap: E
# process: O seccomp
# macos: -
# windows: -
# container: O
# remote: V, not run yet
# guarantee: identity
# layer: SECCOMP
# control-user: host
# expect: value.* in EPERM, ENOSYS
# expect: failure == null
# control: value.* != EPERM
# says: Each call is made with arguments the kernel refuses once it has let the caller in: only EPERM or ENOSYS is a refusal of the call.


nothing = ctypes.create_string_buffer(256)
findings = {
    "io_uring_setup": attempt(system_call, 425, 425, 0, None),
    "io_uring_enter": attempt(system_call, 426, 426, -1, 0, 0, 0, None, 0),
    "bpf": attempt(system_call, 321, 280, 9999, nothing, 16),
    "perf_event_open": attempt(system_call, 298, 241, None, -1, -1, -1, 0),
    "userfaultfd": attempt(system_call, 323, 282, -1),
    "keyctl": attempt(system_call, 250, 219, 9999, 0),
    "add_key": attempt(system_call, 248, 217, b"nothing", b"x", None, 0, -3),
    "request_key": attempt(system_call, 249, 218, b"nothing", b"x", None, 0),
    "fanotify_init": attempt(system_call, 300, 262, -1, 0),
    "open_by_handle_at": attempt(system_call, 304, 265, -100, None, 0),
    "name_to_handle_at": attempt(system_call, 303, 264, -100, b".", None, None, 0),
    "init_module": attempt(system_call, 175, 105, None, 0, None),
    "finit_module": attempt(system_call, 313, 273, -1, None, 0),
    "quotactl": attempt(system_call, 179, 60, -1, None, 0, None),
    "settimeofday": attempt(system_call, 164, 170, 1, None),
    "clock_settime": attempt(system_call, 227, 112, 0, None),
    "syslog": attempt(system_call, 103, 116, 9999, None, 0),
    "move_pages": attempt(system_call, 279, 239, -1, 0, None, None, None, 0),
    "personality": attempt(system_call, 135, 92, 0xFFFFFFFF),
}
if host["control"] == 0:
    findings["kexec_load"] = attempt(system_call, 246, 104, 0, 0, None, -1)
findings
