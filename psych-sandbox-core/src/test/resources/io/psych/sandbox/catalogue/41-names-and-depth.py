# row: 41
# threat: a tree a thousand and more folders deep, names of 255 bytes, with newlines, options, bad UTF-8, a trailing dot
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# says: The value is an attachment, and so are twelve files under harmless names; one more is hidden, one is a folder.
# limit: wall 25s
# limit: cpu 10s
# expect: failure == null
# expect: durationMillis < 20000
# expect: container: durationMillis < 26000

# variant: names
# expect: attachments.size == 13
# expect: attachments lacks u001b
# expect: attachments lacks \n
# expect: attachments contains _CON
# expect: uncollected.size == 0
# expect: value == 14
names = [b"n" * 255, b"a\nb", b"-rf", b"--", b"*", b"$(id)", b"\xff\xfe\xc0", b"CON", b"nul.txt", b"dot.", b" ", b"...", b"\\", b"\x01\x1b[2J"]
for name in names:
    os.makedirs(name + b"-"[: 255 - len(name)] + b"d"[: 255 - len(name)], exist_ok=True)
    os.close(os.open(name, os.O_CREAT | os.O_WRONLY)) if not os.path.isdir(name) else None
len(names)

# variant: depth
# expect: attachments.size == 1
# expect: uncollected.size == 1
# expect: value == 1001
deep = 0
while deep < 1001:
    os.mkdir("d")
    os.chdir("d")
    deep += 1
deep

# variant: long names in depth
# expect: attachments.size == 1
# expect: uncollected.size == 1
# expect: value == 300
deep = 0
while deep < 300:
    os.mkdir(b"\xff" * 255)
    os.chdir(b"\xff" * 255)
    deep += 1
deep

# variant: wide
# expect: attachments.size == 1
# expect: uncollected.size == 0
# expect: value == 300
for i in range(300):
    os.mkdir("w%d" % i)
300
