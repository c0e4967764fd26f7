# row: 42
# threat: a bomb of an archive, and one whose names lead outside
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# says: An archive is collected as the bytes it is, where its size allows; nothing here opens one.
# expect: failure == null
# expect: attachments.size in 2, 3
# expect: attachments contains application/zip
# expect: value < 100000
# expect: durationMillis < 6000
# expect: container: durationMillis < 12000


import zipfile

with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("zeros", bytes(64 << 20))
with zipfile.ZipFile("slip.zip", "w") as archive:
    archive.writestr("../" * 20 + host["outside"].lstrip("/") + "/slipped", "slipped")
os.path.getsize("bomb.zip")
