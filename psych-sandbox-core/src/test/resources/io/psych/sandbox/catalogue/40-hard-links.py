# row: 40
# threat: a hard link to a file of the host; a hundred hard links to one large file
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# says: The value is the only attachment; of the links a hundred are told and the last is counted.
# expect: failure == null
# expect: attachments.size == 1
# expect: uncollected.size == 100
# expect: uncollected contains 101 names
# expect: value.host != done
# expect: value.own == 100
# control: value.own == 100


with open("large", "wb") as file:
    file.write(bytes(8 << 20))
for i in range(100):
    os.link("large", "link%d" % i)
findings = {"host": attempt(os.link, host["canary"], "canary"), "own": os.stat("large").st_nlink - 1}
findings
