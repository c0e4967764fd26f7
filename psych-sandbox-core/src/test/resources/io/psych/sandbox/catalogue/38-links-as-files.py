# row: 38
# threat: what should be a file is a link to the canary or to an endless device, or its folder is one, or exchanged for one in a loop
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E reparse, not run yet
# container: E
# remote: E, not run yet
# says: The value is an attachment, and so is the one regular file; every link is told and none was followed.
# expect: failure == null
# expect: attachments.size == 2
# expect: uncollected contains symbolic link
# expect: durationMillis < 8000
# expect: container: durationMillis < 14000


import time

os.makedirs("folder/inner")
open("folder/inner/file", "w").close()
os.symlink(host["victim"], "artifact")
os.symlink("/dev/zero", "endless")
os.symlink(host["outside"], "parent")
os.symlink("/", "root")
os.symlink("loop", "loop")
os.symlink("..", "folder/inner/up")

# variant: planted
# expect: uncollected.size == 6
"planted"

# variant: exchanged in a loop until the end
# expect: uncollected.size == 7
os.mkdir("swap")
os.symlink(host["outside"], "swap-link")
if os.fork() == 0:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        os.rename("swap", "swap-old")
        os.rename("swap-link", "swap")
        os.rename("swap", "swap-link")
        os.rename("swap-old", "swap")
"planted"
