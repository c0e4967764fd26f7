# row: 33
# threat: many files, each just under the bound of one
# bubblewrap: E tmpfs
# process: O tmpfs
# macos: N, not run yet
# windows: N, not run yet
# container: E tmpfs
# remote: V, not run yet
# guarantee: file-size
# layer: QUOTA
# limit: files 1MB 16MB

# variant: in its folders
# expect: value.error == ENOSPC
# expect: value.bytes <= 16777216
# control: value.bytes == 50331648
block = bytes(1 << 20)
written, error = 0, "none"
for i in range(48):
    try:
        with open("file%d" % i, "wb", buffering=0) as file:
            written += file.write(block)
    except OSError as problem:
        error = errno.errorcode[problem.errno]
        break
findings = {"bytes": written, "error": error}
findings
