# row: 32
# threat: one program leaves a marker in shared folders, System V IPC, message queues and keyrings; the next looks for it
# bubblewrap: E
# process: O
# macos: O, not run yet
# windows: O, not run yet
# container: E
# remote: V, not run yet
# guarantee: filesystem
# layer: LANDLOCK


import time

FOLDERS = {folder: folder for folder in ("/dev/shm", "/tmp", "/var/tmp", "/run", "/run/lock", "/dev/mqueue")}
FOLDERS["its own"] = os.environ.get("TMPDIR", "/tmp")
KEY = int(host["token"][3:10], 16)
IPC_CREAT = 0o1000


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def queue(flags):
    return checked(libc.mq_open(b"/" + host["token"].encode(), flags, 0o600, None))


def key(kind, *arguments):
    return system_call(*kind, *arguments)


ADD_KEY, KEYCTL = (248, 217), (250, 219)
USER_KEYRING = -4


def leave():
    left = {}
    for name, folder in FOLDERS.items():
        left[name] = attempt(lambda: open(folder + "/" + host["token"], "w").close())
    left["shm"] = attempt(lambda: checked(libc.shmget(KEY, 4096, IPC_CREAT | 0o600)))
    left["sem"] = attempt(lambda: checked(libc.semget(KEY, 1, IPC_CREAT | 0o600)))
    left["msg"] = attempt(lambda: checked(libc.msgget(KEY, IPC_CREAT | 0o600)))
    left["mqueue"] = attempt(queue, os.O_CREAT | os.O_RDWR)
    left["key"] = attempt(key, ADD_KEY, b"user", host["token"].encode(), b"x", 1, USER_KEYRING)
    return left


def look():
    found = {}
    for name, folder in FOLDERS.items():
        found[name] = attempt(os.stat, folder + "/" + host["token"])
    found["shm"] = attempt(lambda: checked(libc.shmget(KEY, 0, 0)))
    found["sem"] = attempt(lambda: checked(libc.semget(KEY, 0, 0)))
    found["msg"] = attempt(lambda: checked(libc.msgget(KEY, 0)))
    found["mqueue"] = attempt(queue, os.O_RDWR)
    found["key"] = attempt(key, KEYCTL, 10, USER_KEYRING, b"user", host["token"].encode(), 0)
    return found


def remove():
    for get, control in ((lambda: libc.shmget(KEY, 0, 0), libc.shmctl), (lambda: libc.semget(KEY, 0, 0), None),
                         (lambda: libc.msgget(KEY, 0), libc.msgctl)):
        found = get()
        if found >= 0:
            control(found, 0, None) if control else libc.semctl(found, 0, 0)
    libc.mq_unlink(b"/" + host["token"].encode())
    attempt(key, KEYCTL, 9, system_call(*KEYCTL, 10, USER_KEYRING, b"user", host["token"].encode(), 0), USER_KEYRING)

# variant: leaves
# expect: value.key != done
findings = leave()
findings

# variant: looks
# expect: value.* != done
findings = look()
findings

# variant: both (control)
# control: value./dev/shm == done
# control: value./tmp == done
# control: value.shm == done
# control: value.sem == done
# control: value.msg == done
# control: value.mqueue == done
# control: value.key == done
leave()
if os.fork() == 0:
    findings = look()
    import json
    open("found", "w").write(json.dumps(findings))
    os._exit(0)
os.wait()
import json
findings = json.load(open("found"))
remove()
