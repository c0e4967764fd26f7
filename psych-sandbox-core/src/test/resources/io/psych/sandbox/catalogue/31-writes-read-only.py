# row: 31
# threat: changes what it is shown read-only: by truncating, by modes, by another name, by opening again
# bubblewrap: E
# process: O
# macos: E, not run yet
# windows: O, not run yet
# container: E
# remote: V, not run yet
# guarantee: filesystem
# layer: LANDLOCK
# scenario: shown-file
# expect: shown == true
# expect: value.* != done
# expect: unchanged == true
# expect: unconfined.* == done
# says: Modes and times of files are not files' contents: without a mount namespace Landlock leaves them to the owner.


def overwrite(path):
    with open(path, "r+b") as file:
        file.write(b"overwritten")


def again(path):
    held = os.open(path, os.O_RDONLY)
    try:
        overwrite("/proc/self/fd/%d" % held)
    finally:
        os.close(held)


path = host["shown"]
findings = {
    "write": attempt(overwrite, path),
    "truncate": attempt(os.truncate, path, 0),
    "O_TRUNC": attempt(lambda: os.close(os.open(path, os.O_WRONLY | os.O_TRUNC))),
    "other name": attempt(overwrite, "/proc/self/root" + path),
    "opened again": attempt(again, path),
    "link": attempt(lambda: os.link(path, path + "-link")),
    "unlink": attempt(os.unlink, path + "-link" if host["control"] else path),
    "rename": attempt(os.rename, path, path + "-moved"),
}
findings
