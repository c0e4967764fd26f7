# row: 66
# threat: floods both streams at once, without a newline; floods the host with calls and with what they carry
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E log none
# remote: E, not run yet
# says: Draining costs the host CPU as long as the deadline allows; its heap stays flat.

# variant: streams
# limit: wall 2s
# expect: stdout.truncated == true
# expect: stderr.truncated == true
# expect: stdout.bytes > 10000000
# expect: limitHit in wall_clock, cpu
# expect: durationMillis < 6000
# expect: container: durationMillis < 12000
import threading

block = b"x" * 65536


def flood(descriptor):
    while True:
        os.write(descriptor, block)


threading.Thread(target=flood, args=(2,)).start()
flood(1)

# variant: large arguments
# limit: wall 20s
# expect: value < 32
before = await heap()
for i in range(10):
    try:
        await call_tool("nothing", {"x": "y" * 8000000})
    except ToolError:
        pass
await heap() - before

# variant: large results
# limit: wall 20s
# expect: value < 32
before = await heap()
for i in range(10):
    await blob(bytes=8000000)
await heap() - before

# variant: a result that no frame holds
# expect: value == binding_result_not_paged
try:
    await blob(bytes=17000000)
    kind = "delivered"
except ToolError as problem:
    kind = problem.kind
kind

# variant: many calls
# limit: wall 20s
# expect: value < 32
before = await heap()
import asyncio
for i in range(40):
    await asyncio.gather(*[call_tool("nothing", {}) for _ in range(500)], return_exceptions=True)
await heap() - before
