# row: 70
# threat: control: pools, threads, subprocesses, asyncio, socket pairs, temporary files, sqlite
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: V, not run yet
# limit: cpu 10s
# limit: wall 30s
# says: Programs that must succeed. On process, where no mount namespace can be had, what needs /dev/shm (pools, semaphores, shared memory) gets EACCES instead.

# variant: processes
# expect: failure == null
# expect: value == [0, 1, 4, 9, 16, 25, 36, 49]
import multiprocessing

def square(n):
    return n * n

with multiprocessing.get_context("fork").Pool(2) as pool:
    squares = pool.map(square, range(8))
squares

# variant: executor of processes
# expect: failure == null
# expect: value == [1, 2, 3]
from concurrent.futures import ProcessPoolExecutor

def next_one(n):
    return n + 1

with ProcessPoolExecutor(2) as pool:
    found = list(pool.map(next_one, range(3)))
found

# variant: shared memory
# expect: failure == null
# expect: value == 7
from multiprocessing import shared_memory
memory = shared_memory.SharedMemory(create=True, size=4096)
memory.buf[0] = 7
value = memory.buf[0]
memory.close()
memory.unlink()
value

# variant: queue and lock
# expect: failure == null
# expect: value == "sent"
import multiprocessing
queue, lock = multiprocessing.Queue(), multiprocessing.Lock()
def send():
    with lock:
        queue.put("sent")

process = multiprocessing.get_context("fork").Process(target=send)
process.start()
received = queue.get(timeout=10)
process.join()
received

# variant: threads
# expect: failure == null
# expect: value == 6
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool:
    total = sum(pool.map(lambda n: n, range(4)))
total

# variant: subprocess
# expect: failure == null
# expect: value == ["3", "shell"]
import subprocess
import sys
child = subprocess.run([sys.executable, "-c", "print(1 + 2)"], capture_output=True, text=True, check=True)
shell = subprocess.run("echo shell", shell=True, capture_output=True, text=True, check=True)
[child.stdout.strip(), shell.stdout.strip()]

# variant: asyncio
# expect: failure == null
# expect: value == ["slept", "3", "echoed"]
import asyncio

async def slept():
    await asyncio.sleep(0.01)
    return "slept"

async def child():
    process = await asyncio.create_subprocess_exec("/bin/sh", "-c", "echo 3", stdout=asyncio.subprocess.PIPE)
    return (await process.communicate())[0].decode().strip()

await asyncio.gather(slept(), child(), echo(value="echoed"))

# variant: socket pair
# expect: failure == null
# expect: value == "through"
left, right = socket.socketpair()
left.sendall(b"through")
right.recv(100).decode()

# variant: temporary files
# expect: failure == null
# expect: value == "kept"
import tempfile
with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w+", dir=folder) as file:
    file.write("kept")
    file.flush()
    text = open(file.name).read()
text

# variant: sqlite
# expect: failure == null
# expect: value == [[1, "one"], [2, "two"]]
import sqlite3
with sqlite3.connect("data.db") as database:
    database.execute("create table numbers (n integer, name text)")
    database.executemany("insert into numbers values (?, ?)", [(1, "one"), (2, "two")])
with sqlite3.connect("data.db") as database:
    rows = [list(row) for row in database.execute("select * from numbers order by n")]
rows

# variant: time, locale, zone, random
# expect: failure == null
# expect: value.* == done
import datetime
import locale
import random
import secrets
import uuid
import zoneinfo

findings = {
    "zone": attempt(zoneinfo.ZoneInfo, "Europe/Berlin"),
    "locale": attempt(locale.setlocale, locale.LC_ALL, ""),
    "random": attempt(random.SystemRandom().random),
    "secrets": attempt(secrets.token_hex),
    "uuid": attempt(uuid.uuid1),
    "cpus": attempt(os.cpu_count),
    "now": attempt(datetime.datetime.now),
}
findings

# variant: libraries of the standard one
# expect: failure == null
# expect: value == 1
import csv, decimal, fractions, gzip, hashlib, heapq, html, http.client, itertools, json, logging, lzma, pickle, platform
import re, shutil, ssl, statistics, struct, threading, unicodedata, urllib.request, xml.etree.ElementTree, zipfile, zlib
ssl.create_default_context()
platform.platform()
shutil.disk_usage(".")
hashlib.sha256(b"x").hexdigest()
1
