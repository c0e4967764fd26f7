# row: 39
# threat: what should be a file is a pipe, a socket, a device, a folder
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# says: The value is the only attachment.
# expect: failure == null
# expect: attachments.size == 1
# expect: uncollected.size == 1
# expect: uncollected contains named pipe
# expect: value.device != done
# expect: value.block != done
# expect: durationMillis < 4000
# expect: container: durationMillis < 10000
# control: value.socket == done


import stat


def bind():
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind("socket")


findings = {
    "pipe": attempt(os.mkfifo, "pipe"),
    "socket": attempt(bind),
    "device": attempt(os.mknod, "device", 0o666 | stat.S_IFCHR, os.makedev(1, 5)),
    "block": attempt(os.mknod, "block", 0o666 | stat.S_IFBLK, os.makedev(254, 0)),
    "folder": attempt(os.mkdir, "artifact"),
}
findings
