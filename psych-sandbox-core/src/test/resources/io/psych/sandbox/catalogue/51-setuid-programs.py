# row: 51
# threat: executes su, sudo, pkexec, fusermount, newuidmap and a setuid copy that is shown to it
# bubblewrap: E
# process: E nnp
# macos: O, not run yet
# windows: O token, not run yet
# container: E nnp
# remote: V, not run yet
# guarantee: identity
# scenario: shown-setuid
# expect: shown == true
# expect: value.user != 0
# expect: value.capabilities == 0000000000000000
# expect: value.copy != "0"
# expect: value.tools.* != "0"
# expect: value.setuid != done
# expect: unconfined.copy == "0"


import glob
import subprocess


def user_of(*command):
    """Return the effective user that a program ran as, as it says itself."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=3)
    except (OSError, subprocess.SubprocessError) as problem:
        return type(problem).__name__
    return done.stdout.decode("utf-8", "replace").strip() or "status %d" % done.returncode


status = dict(line.split(":", 1) for line in open("/proc/self/status"))
capabilities = sorted({status[name].strip() for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")})
tools = {"su": ("su", "-c", "id -u"), "sudo": ("sudo", "-n", "id", "-u"), "pkexec": ("pkexec", "id", "-u"),
         "newuidmap": ("newuidmap", str(os.getpid()), "0", "0", "1"), "fusermount": ("fusermount", "-u", "/"),
         "mount": ("mount", "-t", "tmpfs", "none", "."), "ping": ("ping", "-c", "1", "127.0.0.1")}
findings = {
    "user": os.geteuid(),
    "capabilities": capabilities[0] if len(capabilities) == 1 else capabilities,
    "copy": user_of(host["shown"], "-u"),
    "tools": {name: user_of(*command) for name, command in tools.items()},
    "setuid": attempt(os.setuid, 0),
}
findings
