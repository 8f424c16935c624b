"""A page without a browser: what it asks for, and what it is told."""

import json
import struct
import time as clock
import urllib.error
import urllib.request
from contextlib import contextmanager

import numpy as np
from websockets.sync.client import connect


class Page:
    """One WebSocket at the server of a studio."""

    def __init__(self, socket, acknowledge=True):
        self.socket, self._acknowledge = socket, acknowledge
        self.last = {}  #: the newest of each type of message
        self.notices = []
        self.packets = {}  #: the newest of each kind: (version, time, rows of seven)
        self.count = 0  #: packets so far
        self._number = 0

    def receive(self, timeout=20.0):
        """One message, which is also noted."""
        got = self.socket.recv(timeout=timeout)
        if isinstance(got, bytes):
            kind, version, time = struct.unpack_from("<IId", got)
            self.packets[kind] = version, time, np.frombuffer(got, "<f4", offset=16).reshape(-1, 7)
            self.count += 1
            if self._acknowledge:
                self.socket.send('{"do":"ack"}')
            return {"type": "packet", "kind": kind}
        message = json.loads(got, parse_constant=_not_json)
        self.last[message["type"]] = message
        if message["type"] == "notice":
            self.notices.append(message)
        return message

    def answer(self, **message):
        """What a message is answered by."""
        self._number += 1
        self.socket.send(json.dumps({"id": self._number} | message))
        while True:
            got = self.receive()
            if got["type"] == "answer" and got["id"] == self._number:
                return got

    def ask(self, do, **fields):
        """The data of an answer without error."""
        got = self.answer(do=do, **fields)
        assert got["error"] is None, got["error"]
        return got["data"]

    def refused(self, do, **fields):
        """The error of an answer."""
        got = self.answer(do=do, **fields)
        assert got["error"], f"{do} was not refused"
        return got["error"]

    def until(self, found, timeout=20.0):
        """Receive until something is so; returns it."""
        end = clock.monotonic() + timeout
        while not (value := found()):
            assert clock.monotonic() < end, "it did not happen"
            self.receive()
        return value

    def next(self, kind, timeout=20.0):
        """The next message of a type."""
        self.last.pop(kind, None)
        return self.until(lambda: self.last.get(kind), timeout)

    @property
    def scene(self):
        return self.last["scene"]

    def bring(self, studio, name, content, **headers):
        """The error with which a file is answered that is dropped on the page; None if it was opened."""
        address = f"http://127.0.0.1:{studio.server.port}/open?token={studio.server.token}&name={name}"
        request = urllib.request.Request(address, data=content, headers={"Viewer": self.last["hello"]["secret"]} | headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.loads(answer.read())["error"]
        except urllib.error.HTTPError as refusal:
            return json.loads(refusal.read())["error"]


def _not_json(word):
    raise AssertionError(f"{word} is not JSON")


@contextmanager
def joined(studio, *, acknowledge=True, origin=None, token=None, **options):
    """A page at a studio; it has been told what there is."""
    server = studio.server
    own = f"http://127.0.0.1:{server.port}"
    address = f"ws://127.0.0.1:{server.port}/live?token={server.token if token is None else token}"
    with connect(address, origin=own if origin is None else origin, max_size=None, close_timeout=0.5, **options) as socket:
        page = Page(socket, acknowledge)
        page.until(lambda: "hello" in page.last and "scene" in page.last and 0 in page.packets)
        yield page
