# row: 50
# threat: lists its descriptors; takes what its sockets may be handed; what its own children inherit
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E handle list, not run yet
# container: E
# remote: -

# variant: at its start
# expect: value.standard == ["file", "pipe", "pipe"]
# expect: value.others == ["socket"]
# expect: value.null == "/dev/null"
import stat

kinds = {stat.S_IFSOCK: "socket", stat.S_IFIFO: "pipe", stat.S_IFCHR: "file", stat.S_IFREG: "file", stat.S_IFDIR: "folder"}
opened = {}
for n in range(4096):
    try:
        opened[n] = kinds[stat.S_IFMT(os.fstat(n).st_mode)]
    except OSError:
        continue
standard = [opened.pop(n, "none") for n in range(3)]
findings = {"standard": standard, "others": list(opened.values()), "null": os.readlink("/proc/self/fd/0")}
findings

# variant: what is handed over its channel
# expect: value.handed != done
import stat
channel = max(n for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n) and stat.S_ISSOCK(os.fstat(n).st_mode))
sock = socket.socket(fileno=os.dup(channel))
sock.setblocking(False)
findings = {"handed": attempt(socket.recv_fds, sock, 10, 5)}
findings

# variant: what its children inherit
# expect: value == [0, 1, 2]
import subprocess
script = """
import os
found = []
for n in range(4096):
    try:
        os.fstat(n)
        found.append(n)
    except OSError:
        pass
print(found)
"""
__import__("ast").literal_eval(subprocess.run(["/usr/bin/python3", "-I", "-S", "-c", script], stdout=-1, close_fds=False).stdout.decode())
