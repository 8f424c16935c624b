"""A page that floods, lies, sends garbage or does not read: refused, and time goes on for the others."""

import contextlib
import http.client
import json
import os
import socket
import threading

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from bielle.studio import viewer

from .hostile import Hostile
from .page import joined


def resident():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def passes(studio, page):
    """Time passes, and is told."""
    page.ask("control", take=True)
    page.ask("open", example="double_pendulum")
    page.ask("run", factor=1.0)
    before = page.next("clock")["time"]
    page.until(lambda: page.next("clock")["time"] > before + 0.05)
    assert studio.bench.live.running


def flood(studio, count, seed):
    """So many messages from one page; returns how many faults it was told of."""
    source, faults = Hostile(seed), set()
    with joined(studio) as page:
        page.ask("control", take=True)
        sent = 0
        while sent < count:
            for _ in range(50):  # so that some wait
                page.socket.send(source.text())
                sent += 1
            with contextlib.suppress(TimeoutError):
                while True:
                    got = page.receive(timeout=0)
                    if got["type"] == "answer" and "fault" in (got["error"] or ""):
                        faults.add(got["error"])
            page.ask("files")
            if sent % 5000 < 50:
                page.answer(do="open", example="double_pendulum")
                page.answer(do="run", factor=1.0)
    return faults


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("seed", range(2))
def test_a_flood_of_nonsense(studio, seed):
    """Nothing that is sent makes the studio fail, and others are served afterwards."""
    with joined(studio) as watcher:
        faults = flood(studio, 4000, seed)
        assert faults == set()
        passes(studio, watcher)
    assert [notice["text"] for notice in watcher.notices if "fault" in notice["text"]] == []


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.timeout(3600)
def test_a_hundred_thousand_messages(studio):
    with joined(studio) as watcher:
        flood(studio, 10_000, 100)
        before = resident()
        for seed in range(9):
            assert flood(studio, 10_000, 101 + seed) == set()
        assert resident() < 1.5 * before
        passes(studio, watcher)


@pytest.mark.filterwarnings("default")
def test_time_goes_on_while_a_watcher_floods(studio, page):
    """A page without the control sends as fast as it can; whoever has it sees time pass all along."""
    page.ask("run", factor=1.0)
    end, source = threading.Event(), Hostile(7)

    def send():
        with joined(studio) as other:
            while not end.is_set():
                for _ in range(20):
                    text = source.text()
                    if '"control"' not in text:
                        other.socket.send(text)
                with contextlib.suppress(TimeoutError):
                    while True:
                        other.receive(timeout=0)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        started = page.next("clock")["time"]
        for k in range(1, 6):
            page.until(lambda k=k: page.next("clock")["time"] > started + 0.1 * k)
        page.ask("set", name="upper", key="mass", value=2.0)
        assert studio.bench.live.running
    finally:
        end.set()
        thread.join(20)


def refused(studio, address="/live", **options):
    server = studio.server
    origin = options.pop("origin", f"http://127.0.0.1:{server.port}")
    token = options.pop("token", server.token)
    with (
        pytest.raises((WebSocketException, OSError)),
        connect(f"ws://127.0.0.1:{server.port}{address}?token={token}", origin=origin, **options) as opened,
    ):
        opened.recv(timeout=5)


def test_strangers_are_refused(studio, page):
    port = studio.server.port
    for origin in (
        "http://evil.example",
        None,
        "null",
        f"https://127.0.0.1:{port}",
        f"http://127.0.0.1:{port}.evil.example",
        "http://127.0.0.1:1",
    ):
        refused(studio, origin=origin)
    for token in ("", "x", studio.server.token[:-1], studio.server.token + "x", studio.server.token.swapcase(), "%00", "%ff"):
        refused(studio, token=token)
    refused(studio, additional_headers={"Host": "evil.example"})
    refused(studio, "/other")
    page.ask("files")


def test_strangers_at_the_door(studio):
    server = studio.server
    own = f"127.0.0.1:{server.port}"

    def status(method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        try:
            connection.request(method, path, body, {"Host": own} | headers)
            return connection.getresponse().status
        finally:
            connection.close()

    assert status("GET", "/") == 200
    assert status("GET", "/", Host=f"evil.example:{server.port}") == 403
    assert status("GET", "/", Host="") == 403
    assert status("GET", "/", Origin="http://evil.example") == 403
    assert status("GET", "/download/mechanism.yaml") == 403
    assert status("GET", "/download/mechanism.yaml?token=x") == 403
    assert status("POST", "/open?name=a.yaml", b"x") == 403
    assert status("POST", f"/open?name=a.yaml&token={server.token}", b"x") == 403
    assert status("POST", f"/open?name=a.yaml&token={server.token}", b"x", Origin="http://evil.example") == 403
    assert status("GET", f"/open?token={server.token}") == 404
    for path in ("/../secret", "/%2e%2e/secret", "/..%2f..%2fetc/passwd", "/static/../../x", "//etc/passwd", "/%00"):
        assert status("GET", path) in (400, 404), path


def test_fifty_connections(studio, page):
    """Sixteen may look; the others are turned away, and there is room again when these have gone."""
    with contextlib.ExitStack() as stack:
        let_in = 1
        for _ in range(50):
            with contextlib.suppress(WebSocketException, OSError):
                stack.enter_context(joined(studio))
                let_in += 1
        assert let_in == 16
        page.ask("cut", names=["elbow"])
    page.until(lambda: page.next("clock")["viewers"] == 1)
    with joined(studio) as other:
        other.ask("files")


def test_messages_that_are_too_long_or_no_text(studio, page):
    with joined(studio) as other:
        other.socket.send(b"\x00\xff" * 100)
        other.until(lambda: other.last.get("answer"))
        assert "bytes" in other.last.pop("answer")["error"]
        other.socket.send('{"do":"files","x":"' + "a" * 900_000 + '"}')
        other.until(lambda: other.last.get("answer"))
        with pytest.raises((WebSocketException, OSError)):
            other.socket.send('{"do":"files","x":"' + "a" * 5_000_000 + '"}')
            while True:
                other.receive()
    page.ask("files")
    page.until(lambda: page.next("clock")["viewers"] == 1)


def test_a_page_that_acknowledges_nothing(studio, page):
    """Eight packets at most are under way to it; what it asks is answered all the same."""
    with joined(studio, acknowledge=False) as silent:
        page.ask("run", factor=1.0)
        page.until(lambda: page.count > 40)
        for _ in range(3):
            silent.next("clock")
        assert silent.count == 8
        silent.ask("files")


def test_a_page_that_does_not_read_is_given_up(studio, page, monkeypatch):
    """Answers pile up; the page is given up when they are too many."""
    monkeypatch.setattr(viewer, "_MOST_WAITING", 100_000)
    server = studio.server

    def ask(socket):
        with contextlib.suppress(WebSocketException, OSError):
            while True:
                socket.send(json.dumps({"id": 1, "do": "python"}))

    with (
        contextlib.suppress(WebSocketException, OSError),
        connect(
            f"ws://127.0.0.1:{server.port}/live?token={server.token}", origin=f"http://127.0.0.1:{server.port}", max_queue=1, max_size=None
        ) as deaf,
    ):
        thread = threading.Thread(target=ask, args=(deaf,))
        thread.start()
        try:
            page.until(lambda: page.next("clock")["viewers"] == 2)
            page.until(lambda: page.next("clock")["viewers"] == 1, timeout=60)
            page.ask("cut", names=["elbow"])
        finally:
            deaf.socket.shutdown(socket.SHUT_RDWR)
            thread.join(20)
    page.ask("files")


def test_uploads(studio, page):
    server = studio.server

    def put(name, size, chunk=b"x" * 100_000):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        try:
            connection.request(
                "POST",
                f"/open?token={server.token}&name={name}",
                (chunk for _ in range(size // len(chunk))),
                encode_chunked=True,
                headers={"Transfer-Encoding": "chunked", "Viewer": page.last["hello"]["secret"]},
            )
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())["error"]
        except (BrokenPipeError, ConnectionResetError):
            return 413, "cut off"
        finally:
            connection.close()

    status, text = put("a.yaml", 30_000_000)
    assert status == 413
    assert text
    for name in ("a.yaml", "a.json", "a.session", "a.urdf"):
        status, text = put(name, 1_000_000)
        assert status == 200
        assert text
        assert len(text) < 2000
    page.ask("files")
    assert page.scene["title"] == "double pendulum"


def test_half_an_upload_holds_nothing_up(studio, page):
    connection = http.client.HTTPConnection("127.0.0.1", studio.server.port, timeout=20)
    connection.putrequest("POST", f"/open?token={studio.server.token}&name=a.yaml")
    connection.putheader("Content-Length", "1000000")
    connection.putheader("Viewer", page.last["hello"]["secret"])
    connection.endheaders()
    connection.send(b"bielle: 1")
    page.ask("open", example="four_bar")
    page.ask("run")
    connection.close()
    page.ask("pause")


def test_it_closes_while_pages_flood_it(static, folder):
    from bielle.studio.opening import Studio, session_of

    studio = Studio(session_of("double_pendulum", folder)[0], folder)
    studio.open(None)
    source = Hostile(3)
    with contextlib.suppress(WebSocketException, OSError), joined(studio) as page:
        page.ask("run", factor=1.0)
        for _ in range(300):
            page.socket.send(source.text())
        studio.close()
    studio.close()
    names = {"bielle workbench", "bielle studio", "bielle studio sampler"}
    assert not [thread for thread in threading.enumerate() if thread.name in names and thread.is_alive()]


def test_a_solver_that_fails_is_told_and_work_goes_on(studio, page):
    """Time stands at the last good step; undo, and it passes again."""
    import bielle as bl

    def bad(t, view):
        if t > 0.2:
            raise ZeroDivisionError("no")
        return 0.0, 0.0

    studio.bench.do(lambda b: b.live.add_force("bad", bl.CallableForce(function=bad), "lower", at=(0.0, 0.0))).result(10)
    page.ask("run", factor=1.0)
    page.until(lambda: [notice for notice in page.notices if notice["level"] == "error" and "bad" in notice["text"]])
    page.until(lambda: not page.next("clock")["running"])
    assert 0.0 < page.last["clock"]["time"] <= 0.2
    page.ask("undo")
    page.ask("run", factor=1.0)
    page.until(lambda: page.next("clock")["time"] > 0.25)
