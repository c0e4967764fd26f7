# row: 30
# threat: writes outside of its folder through a link, a hard link, .., a renamed parent, an exchanged folder
# bubblewrap: E
# process: O
# macos: E, not run yet
# windows: O, not run yet
# container: E
# remote: V, not run yet
# guarantee: filesystem
# layer: LANDLOCK
# expect: value.* != done
# control: value.* == done


def overwrite(path):
    with open(path, "r+") as file:
        file.write("overwritten")


def through_rename():
    os.makedirs("parent/child", exist_ok=True)
    held = os.open("parent/child", os.O_RDONLY)
    os.rename("parent/child", "moved")
    os.symlink(host["outside"], "parent/child")
    # One that resolves names again ends outside; with the handle it would stay inside.
    overwrite("parent/child/victim")
    os.close(held)


def create(path):
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))


def link_out():
    os.link(host["victim"], host["outside"] + "/linked")


os.symlink(host["victim"], "link")
os.symlink(host["outside"], "folder")
ups = "/".join([".."] * 40)
findings = {
    "plain": attempt(overwrite, host["victim"]),
    "link": attempt(overwrite, "link"),
    "folder link": attempt(overwrite, "folder/victim"),
    "dots": attempt(overwrite, ups + host["victim"]),
    "renamed parent": attempt(through_rename),
    "create": attempt(create, host["outside"] + "/created"),
    "truncate": attempt(os.truncate, host["victim"], 0),
    "hard link": attempt(link_out),
    "mkdir": attempt(os.mkdir, host["outside"] + "/made"),
    "mkfifo": attempt(os.mkfifo, host["outside"] + "/fifo"),
    "symlink": attempt(os.symlink, "/etc", host["outside"] + "/symlink"),
    "rename": attempt(os.rename, host["victim"], host["outside"] + "/renamed"),
    "unlink": attempt(os.unlink, host["outside"] + "/renamed"),
}
findings
