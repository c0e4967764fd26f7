# row: 43
# threat: folders nobody may enter, odd modes, setuid bits, attributes, a file that grows while the program is ended
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# says: What nobody may read is collected where the service is root and told where it is not; no mode is handed on.
# expect: failure == null
# expect: attachments contains setuid
# expect: attachments.size <= 5
# expect: durationMillis < 6000
# expect: container: durationMillis < 12000


os.makedirs("closed/inner")
open("closed/inner/file", "w").close()
os.chmod("closed/inner", 0)
os.chmod("closed", 0)
open("setuid", "w").close()
os.chmod("setuid", 0o6755)
attempt(os.setxattr, "setuid", "user.x", b"y" * 1000)
open("sticky", "w").close()
os.chmod("sticky", 0)
os.makedirs("read-only/inner")
os.chmod("read-only", 0o555)
if os.fork() == 0:
    block = bytes(1 << 16)
    with open("growing", "wb", buffering=0) as file:
        while True:
            try:
                file.write(block)
            except OSError:
                file.seek(0)
                file.truncate()
"left"
