# row: 3
# threat: walks frames and gc.get_objects() for a secret of the handshake, replays the ready frame with better grades
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet


import stat

channel = max(n for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n) and stat.S_ISSOCK(os.fstat(n).st_mode))

import gc
import sys
import time

# variant: replays the ready frame
# expect: failure.kind == aborted
# expect: failure.message contains "ready frame after the program was sent"
report = {"namespaces": {"pid": "pid:[1]", "net": "net:[1]", "mnt": "mnt:[1]"}, "ids": [1], "canary": "ENOENT"}
os.write(channel, ('{"type":"ready","protocol":1,"report":%s}\n' % str(report).replace("'", '"')).encode())
time.sleep(60)

# variant: searches for a secret
# expect: value.frames > 0
# expect: value.secrets == []
frame, frames, texts = sys._getframe(), 0, []
while frame is not None:
    frames += 1
    texts += [text for text in frame.f_locals.values() if isinstance(text, str)]
    frame = frame.f_back
for thing in gc.get_objects():
    if isinstance(thing, dict):
        texts += [text for text in list(thing.values()) if isinstance(text, str)]
words = ("nonce", "secret", "token=", "password")
findings = {"frames": frames, "secrets": sorted({text[:40] for text in texts if text.lower().startswith(words)})}
findings

# variant: patches what sends and reports
# expect: value == "honest"
for name in list(sys.modules):
    if name.startswith("psych_probe"):
        sys.modules[name].observe = lambda *_: {}
"honest"
