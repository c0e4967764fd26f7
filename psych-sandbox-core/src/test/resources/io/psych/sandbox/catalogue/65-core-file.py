# row: 65
# threat: aborts with a large heap, after raising its own core limit
# bubblewrap: O seccomp pin
# process: O seccomp pin
# macos: B reporter, not run yet
# windows: E no WER, not run yet
# container: O
# remote: V, not run yet
# guarantee: identity
# layer: SECCOMP
# expect: value.dumped == false
# expect: value.files == []
# expect: value.raised != done
# control: value.dumped == true
# control: value.raised == done
# says: The limit of one byte also stops a pipe to a core handler, which ignores a limit of zero; the filter keeps it there.


import resource


def raise_limit():
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def raise_by_number():
    limits = (ctypes.c_uint64 * 2)(1 << 40, 1 << 40)
    system_call(302, 261, 0, resource.RLIMIT_CORE, limits, None)


os.mkdir("work")
os.chdir("work")
raised = [attempt(raise_limit), attempt(raise_by_number)]
child = os.fork()
if child == 0:
    held = bytearray(b"x") * (64 << 20)
    os.abort()
status = os.waitpid(child, 0)[1]
findings = {"raised": "done" if "done" in raised else raised[0], "dumped": os.WCOREDUMP(status), "files": os.listdir(".")}
if host["control"]:
    for name in findings["files"]:
        os.unlink(name)
findings
