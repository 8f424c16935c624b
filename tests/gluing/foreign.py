"""A mass that is served by a program which knows nothing of bielle: only frames of MessagePack on its standard input and output.

Started by the tests as ``python foreign.py FAULT TIME``: from that time on it does not do what it should.
"""

import os
import struct
import subprocess
import sys
import time
from typing import Any

import msgspec

FAULT, SINCE = (sys.argv[1], float(sys.argv[2])) if len(sys.argv) > 2 else ("", 0.0)
GRAVITY = (0.0, -9.81)


def send(message):
    content = msgspec.msgpack.encode(message)
    sys.stdout.buffer.write(struct.pack("<I", len(content)) + content)
    sys.stdout.buffer.flush()


def receive() -> Any:
    head = sys.stdin.buffer.read(4)
    return msgspec.msgpack.decode(sys.stdin.buffer.read(*struct.unpack("<I", head))) if len(head) == 4 else {"type": "End"}


def misbehave(number):
    if FAULT == "hang":
        time.sleep(600)
    elif FAULT == "hang with a child":
        subprocess.run([sys.executable, "-c", "import time; time.sleep(600)"], check=False)
    elif FAULT == "exit":
        sys.stderr.write("the licence has run out\n")
        sys.exit(3)
    elif FAULT == "crash":
        os.abort()
    elif FAULT == "garbage":
        sys.stdout.buffer.write(b"Segmentation fault\n" * 100)
        sys.stdout.buffer.flush()
        time.sleep(600)
    elif FAULT == "malformed":
        send({"type": "Blocks", "number": number, "blocks": [1.0, 2.0]})
    elif FAULT == "number":
        send({"type": "Blocks", "number": number + 7, "blocks": {}})
    elif FAULT == "nan":
        send({"type": "Blocks", "number": number, "blocks": {"centre": [[0.0, float("nan")], [0.0, 0.0]]}})
    elif FAULT == "failed":
        send({"type": "Failed", "number": number, "reason": "the mesh is tangled. Untangle it."})


def main():
    if FAULT == "silent":
        time.sleep(600)
    while FAULT == "flood":
        sys.stdout.write("x" * 65536)
    print("starting up, this is not meant for anybody")
    sys.stdout.flush()
    if FAULT == "mute":
        sys.exit(0)
    sys.stdout.buffer.write(b"\nbielle glue\n")
    send({"type": "Hello", "version": 2 if FAULT == "version" else 1, "accepts": "force", "ports": {"centre": 2}})
    x, v = [0.0, 0.0], [0.0, 0.0]
    saved = x, v
    while (asked := receive())["type"] != "End":
        blocks = {}
        if asked["type"] == "Advance":
            if FAULT and asked["time"] >= SINCE:
                misbehave(asked["number"])
                continue
            h, (start, end) = asked["step"], asked["inputs"]["centre"]
            x = [x[i] + h * v[i] + h * h * (GRAVITY[i] / 2 + start[i] / 3 + end[i] / 6) for i in (0, 1)]
            v = [v[i] + h * (GRAVITY[i] + (start[i] + end[i]) / 2) for i in (0, 1)]
        if asked["type"] in ("Advance", "Motion"):
            blocks = {"centre": [x, v]}
        elif asked["type"] == "Save":
            saved = x, v
        elif asked["type"] == "Restore":
            x, v = saved
        send({"type": "Blocks", "number": asked["number"], "blocks": blocks})


main()
