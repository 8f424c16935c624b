"""The server of the studio: lets pages of this machine take part in a workbench, over one WebSocket each."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import itertools
import secrets
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from ..errors import BielleError, DescriptionError, FileError
from . import messages
from .access import ANY_HOST, Guarded
from .actions import perform
from .arrows import arrows
from .breaking import broken_joints
from .downloads import download
from .fields import properties
from .folder import MOST_BYTES, Folder, opened_example
from .following import Following
from .greeting import greeting
from .keeping import Keeper
from .messages import EDITS
from .picture import Colors, picture
from .plotting import Plotting
from .poses import Poses
from .sampling import ARROWS, POSES, Parcel, Sampler, packet
from .tracing import Tracing
from .viewer import Viewer
from .warnings import heard
from .workbench import Change, Workbench, empty

__all__ = ["STATIC", "Server"]

STATIC = Path(__file__).parent / "static"  #: the page, once it is built
_MOST_VIEWERS = 16
_MOST_PLOTS, _MOST_TRAILS, _MOST_ARROWS, _MOST_SELECTED = 64, 64, 256, 10_000
_CROWDED, _UNREAD = 4429, 4408  # what a WebSocket is closed with


class Server:
    """A workbench on a port of this machine."""

    def __init__(
        self,
        bench: Workbench,
        folder: Folder,
        keeper: Keeper | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        token: str | None = None,
    ) -> None:
        self.bench, self.folder, self.keeper, self.host, self.port = bench, folder, keeper, host, port
        self.token = token or secrets.token_urlsafe(24)
        self.viewers: dict[int, Viewer] = {}
        self.control: int | None = None  #: the viewer that may edit, if there are several
        self._numbers = itertools.count(1)
        self._loop: asyncio.AbstractEventLoop
        self._picturing = threading.Lock()  # pictures are told in the order they are taken
        self._tasks: set[asyncio.Task[None]] = set()
        self._reading = asyncio.Semaphore(1)  # files are read one after the other
        routes = [
            WebSocketRoute("/live", self._connect),
            Route("/open", self._brought, methods=["POST"]),
            Route("/download/{what}", self._download),
            Route("/pictures/{name}", self._picture),
        ]
        if STATIC.exists():
            routes.append(Mount("/", StaticFiles(directory=STATIC, html=True)))  # type: ignore[arg-type]
        self.app = Guarded(Starlette(routes=routes, lifespan=self._life), host=host, port=port, token=self.token)

    @property
    def address(self) -> str:
        """What to open in a browser."""
        host = "127.0.0.1" if self.host in ANY_HOST else f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/?token={self.token}"

    # -- its life

    @contextlib.asynccontextmanager
    async def _life(self, app: Any) -> AsyncIterator[None]:
        self._loop = asyncio.get_running_loop()
        leave = self.bench.subscribe(self._happened)
        sampler = Sampler(self.bench, lambda: tuple(self.viewers.values()), lambda parcels: self._later(self._deliver, parcels))
        with heard(self.bench.tell_warning):
            try:
                yield
            finally:
                leave()
                sampler.stop()  # here: when Python ends no other thread can be had, and nobody is served any more
                self.bench.close()

    def _later(self, function: Any, *arguments: Any) -> None:
        """Have the loop do it; nothing if it is over."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *arguments)

    def _happened(self, change: Change) -> None:
        """In whatever thread it happens."""
        match change.kind:
            case "notice":
                self._later(self._all, {"type": "notice"} | change.data)
            case "time":
                self._later(self._tick, {"type": "time"} | change.data)
            case "scene" | "session":
                with self._picturing:
                    self._later(self._show, {"type": "scene"} | self.bench.scene(), change.kind == "session")

    def _all(self, message: dict[str, Any]) -> None:
        for viewer in self.viewers.values():
            viewer.tell(message)

    def _show(self, scene: dict[str, Any], another: bool) -> None:
        for viewer in self.viewers.values():
            if another:
                viewer.looking = None
            if viewer.looking is None:
                _offer(viewer, scene)

    def _tick(self, message: dict[str, Any]) -> None:
        """Tell pages at once that time passes or stands still: the clock comes ten times a second only."""
        for viewer in self.viewers.values():
            viewer.offer("time", message)

    def _deliver(self, parcels: list[Parcel]) -> None:
        """What the sampler has seen."""
        for viewer, kind, content in parcels:
            if isinstance(kind, Following):
                if viewer.following.get(kind.message) is kind:  # not of plots that the page has given up since
                    viewer.tell({"type": kind.message} | content)
            elif isinstance(content, bytes):
                if viewer.looking is None:
                    viewer.offer(kind, content)
            elif content["ticks"] == self.bench.ticks:  # else the clock was read before what pages have been told of time since
                whose = "none" if self.control is None else "me" if self.control == viewer.number else "other"
                viewer.offer(kind, content | {"control": whose, "viewers": len(self.viewers)})

    # -- pages

    async def _connect(self, socket: WebSocket) -> None:
        if len(self.viewers) >= _MOST_VIEWERS:
            await socket.close(_CROWDED)
            return
        number = next(self._numbers)
        viewer = self.viewers[number] = Viewer(socket, number)
        tasks: list[asyncio.Task[Any]] = []
        try:
            await socket.accept()
            if self.control is None:
                self.control = number
            await socket.send_text(msgspec.json.encode(greeting(number, viewer.secret, len(self._left()))).decode())
            await asyncio.to_thread(self._present, viewer)
            tasks = [asyncio.create_task(each) for each in (viewer.send(), self._listen(viewer, socket), viewer.lost.wait())]
            ended, _ = await asyncio.wait(tasks[1:], return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()  # a fault of ours is not passed over
            if viewer.lost.is_set():
                with contextlib.suppress(RuntimeError, asyncio.TimeoutError):  # it is closed already, or does not even read this
                    await asyncio.wait_for(socket.close(_UNREAD), 1.0)
        except WebSocketDisconnect:
            pass
        finally:
            del self.viewers[number]
            if self.control == number:
                self._hand_over(next(iter(self.viewers), None))
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.bench.select(number, ())

    async def _listen(self, viewer: Viewer, socket: WebSocket) -> None:
        """Do what a page asks for, one thing after the other, until it is gone."""
        while (message := await socket.receive())["type"] != "websocket.disconnect":
            text = message.get("text")
            if text is None:
                viewer.tell(_answer(0, "Messages are text; bytes cannot be read."))
            else:
                await self._received(viewer, text)

    async def _received(self, viewer: Viewer, text: str) -> None:
        if len(text) > messages.MOST_BYTES:
            viewer.tell(_answer(0, "The message is too long."))
            return
        try:
            command = messages.decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            viewer.tell(_answer(0, f"The message cannot be read: {str(error)[:200]}"))
            return
        if isinstance(command, messages.Ack):
            viewer.acknowledged()
            return
        if isinstance(command, messages.Branch):  # takes long, and the page goes on meanwhile
            task = asyncio.create_task(self._answer(viewer, command))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            await self._answer(viewer, command)

    async def _answer(self, viewer: Viewer, command: Any) -> None:
        """Do what a page asks for, and tell it what came of it."""
        data, problem = None, None
        try:
            if isinstance(command, EDITS):
                self._check_control(viewer)
            data = await self._done(viewer, command)
        except BielleError as error:
            problem = "\n".join([str(error), *getattr(error, "__notes__", ())])
        except Exception as error:  # a fault of ours must not end the connection: the page shows it, the session goes on
            problem = f"The studio has a fault: {type(error).__name__}: {str(error)[:400]}"
        try:
            viewer.tell(_answer(command.id, problem, data))
        except (TypeError, ValueError, AttributeError) as error:
            viewer.tell(_answer(command.id, f"The answer cannot be written: {type(error).__name__}."))

    async def _done(self, viewer: Viewer, command: Any) -> Any:
        """Do what a page asks for: what concerns it alone here, everything else on the workbench."""
        match command:
            case messages.Branch(time=time):
                return {"arrived": await asyncio.wrap_future(self.bench.branch(time))}
            case messages.Plot(quantities=quantities):
                return await self._follow(viewer, Plotting(self.bench, quantities[:_MOST_PLOTS]), bool(quantities))
            case messages.Trails(names=names):
                return await self._follow(viewer, Tracing(self.bench, names[:_MOST_TRAILS]), bool(names))
            case messages.Select(names=names):
                return self.bench.select(viewer.number, names[:_MOST_SELECTED])
            case messages.Arrows(names=names):
                viewer.arrows = names[:_MOST_ARROWS]
                return await self._on_bench(lambda _: self._draw_arrows(viewer, viewer.looking, viewer.arrows))
            case messages.Properties(name=name) if viewer.looking is not None:
                return await self._on_bench(lambda bench: properties(bench.instant(viewer.looking).mechanism, name))
            case messages.Quantities(name=name) if viewer.looking is not None:
                return await self._on_bench(lambda bench: bench.quantities(name, bench.instant(viewer.looking)))
            case messages.Look(time=time):
                return await self._on_bench(lambda _: self._present(viewer) if time is None else self._look(viewer, time))
            case messages.Control(take=take):
                if take or self.control == viewer.number:  # who has none can give none
                    others = (n for n in self.viewers if n != viewer.number)
                    self._hand_over(viewer.number if take else next(others, viewer.number))
                return None
            case messages.Files():
                folder = self.folder
                return {"folder": str(folder.path), "files": folder.files(), "recent": folder.recent, "left": self._left()}
            case messages.Save(file=file, replace=replace):
                return await self._on_bench(lambda bench: self._save(bench, file, replace))
            case messages.Open(example=example, file=file, empty=plane):
                async with self._reading:  # time goes on for the others while a file is read
                    live = await asyncio.to_thread(self._opened, example, file, plane)
                return await self._take(viewer, live, file if example is None else None)
            case messages.Recover(left=left):
                async with self._reading:
                    live = await asyncio.to_thread(self._keeper().recovered, left)
                await self._take(viewer, live)
                return await self._on_bench(lambda _: self._keeper().keep_recovered(left))
            case messages.Discard(left=left):
                return self._keeper().discard(left)
        return await self._on_bench(lambda bench: perform(bench, command))

    async def _follow(self, viewer: Viewer, following: Following, wanted: bool) -> dict[str, Any]:
        """Have a page told what is new of something, from now on; returns what there was before."""
        past = await self._on_bench(lambda _: following.past())
        viewer.following.pop(following.message, None)
        if wanted:
            viewer.following[following.message] = following  # the answer is told before the loop comes to anything else
        return past

    async def _on_bench(self, action: Any) -> Any:
        return await asyncio.wrap_future(self.bench.do(action))

    async def _take(self, viewer: Viewer, live: Any, file: str | None = None, brought: str | None = None) -> None:
        """Work on what a page has had read, if it still may: reading takes its time."""
        self._check_control(viewer)
        await self._on_bench(lambda bench: bench.take(live, file, brought))

    def _check_control(self, viewer: Viewer) -> None:
        """Refuse what another page asks for while one has the control."""
        if self.control not in (None, viewer.number):
            raise DescriptionError("Somebody else has the control. Take it first.")

    def _hand_over(self, to: int | None) -> None:
        """Who may edit from now on; whoever did before lets go of what the hand holds."""
        if self.control != to:
            self.control = to
            self.bench.do(lambda bench: perform(bench, messages.Release()))

    def _present(self, viewer: Viewer) -> None:
        """Show a page the present."""
        with self._picturing:
            scene = {"type": "scene"} | self.bench.scene()
            version, time, poses = self.bench.poses()
            self._later(self._show_to, viewer, None, scene, packet(POSES, version, time, poses))
        self._draw_arrows(viewer, None, _kept(viewer, scene))

    def _look(self, viewer: Viewer, time: float) -> None:
        """Show a page a moment of the past."""
        found = self.bench.instant(time)
        then, version = float(found.time[0]), found.model.version % 2**32
        scene = {"type": "scene"} | self.bench.scene() | picture(found.mechanism, Colors(self.bench.colors))
        with self.bench.live._lock:
            scene["broken"] = broken_joints(self.bench.live, found.mechanism, then)
        poses = Poses(found.model, list(found.mechanism.bodies))(found.samples["q"][0])
        self._later(self._show_to, viewer, then, scene | {"version": version, "past": then}, packet(POSES, version, then, poses))
        self._draw_arrows(viewer, then, _kept(viewer, scene))

    def _show_to(self, viewer: Viewer, looking: float | None, scene: dict[str, Any], poses: bytes) -> None:
        viewer.looking = looking
        _offer(viewer, scene)
        viewer.offer("poses", poses)

    def _draw_arrows(self, viewer: Viewer, time: float | None, names: list[str]) -> None:
        """Tell a page its arrows, of the present or of the moment of the past that it looks at: if time stands still nobody else does."""
        with self.bench.live._lock:
            found = self.bench.live.now if time is None else self.bench.instant(time)
            numbers = arrows(found, names)
        self._later(self._offer_arrows, viewer, time, packet(ARROWS, found.model.version % 2**32, float(found.time[0]), numbers))

    def _offer_arrows(self, viewer: Viewer, looking: float | None, content: bytes) -> None:
        if viewer.looking == looking:
            viewer.offer("arrows", content)

    # -- files

    def _save(self, bench: Workbench, file: str, replace: bool) -> dict[str, Any]:
        if not replace and file != bench.file and self.folder.inside(file).exists():
            return {"file": file, "exists": True}
        self.folder.save(bench.live, file)
        if self.keeper is not None:
            self.keeper.saved()
        bench.file = file
        bench.changed()
        return {"file": file, "exists": False}

    def _opened(self, example: str | None, file: str | None, plane: str | None) -> Any:
        if example is not None:
            return opened_example(example)
        return empty(plane or "xy").live() if file is None else self.folder.open(file)

    def _left(self) -> list[dict[str, Any]]:
        return [] if self.keeper is None else self.keeper.left()

    def _keeper(self) -> Keeper:
        if self.keeper is None:
            raise FileError("This studio keeps nothing but what is saved.")
        return self.keeper

    async def _brought(self, request: Any) -> Response:
        """A file that somebody has dropped on the page; who that is the page says by its secret."""
        given = request.headers.get("viewer", "").encode(errors="replace")
        viewer = next((v for v in self.viewers.values() if hmac.compare_digest(v.secret.encode(), given)), None)
        if viewer is None:
            return JSONResponse({"error": "Only a page that is connected can bring a file. Reload the page."}, 403)
        try:
            self._check_control(viewer)
        except BielleError as error:
            return JSONResponse({"error": str(error)}, 403)
        name, content = Path(request.query_params.get("name", "")).name, bytearray()
        async for chunk in request.stream():
            content += chunk
            if len(content) > MOST_BYTES:
                return JSONResponse({"error": f"The file is longer than {MOST_BYTES // 1_000_000} MB."}, 413)
        try:
            async with self._reading:
                live = await asyncio.to_thread(self.folder.brought, name, bytes(content))
            await self._take(viewer, live, brought=name)  # in no file of the folder, even if one has its name
        except BielleError as error:
            return JSONResponse({"error": str(error)})
        return JSONResponse({"error": None})

    async def _download(self, request: Any) -> Response:
        what, options = request.path_params["what"], request.query_params
        try:
            content, kind, name = await self._on_bench(lambda bench: download(bench, what, options))
        except BielleError as error:
            return PlainTextResponse(str(error), 400)
        return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    async def _picture(self, request: Any) -> Response:
        """The picture of an example, drawn when it is first wanted."""
        from .gallery import picture_of

        try:
            content = await asyncio.to_thread(picture_of, request.path_params["name"])
        except BielleError as error:
            return PlainTextResponse(str(error), 404)
        return Response(content, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


def _offer(viewer: Viewer, scene: dict[str, Any]) -> None:
    """Show a scene; a page gives up arrows of what is not in it, and the numbers of the others count without them."""
    viewer.arrows = _kept(viewer, scene)
    viewer.offer("scene", scene)


def _kept(viewer: Viewer, scene: dict[str, Any]) -> list[str]:
    """Arrows that a page has when it has been shown a scene."""
    there = {each["name"] for what in ("bodies", "joints", "forces", "frames", "events") for each in scene[what]}
    return [name for name in viewer.arrows if name in there]


def _answer(number: int, error: str | None, data: Any = None) -> dict[str, Any]:
    return {"type": "answer", "id": number, "error": error, "data": data}
