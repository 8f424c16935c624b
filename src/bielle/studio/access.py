"""Who may ask: requests for this host's own names, from pages of this origin, with the token that the address has.

So neither other sites nor names that are made to point here get in, nor other users of the machine.
"""

from __future__ import annotations

import hmac
from typing import Any
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse

__all__ = ["ANY_HOST", "Guarded"]

ANY_HOST = ("0.0.0.0", "::")  #: addresses that stand for all those of the machine
_FORBIDDEN = 4403  # what a WebSocket is closed with
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*"  # cells of notebooks on this machine
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


class Guarded:
    """An application that answers those who may ask, with headers that keep its pages to themselves."""

    def __init__(self, inner: Any, *, host: str, port: int, token: str) -> None:
        self._inner, self._host, self._port, self._token = inner, host, port, token

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        refusal = self.refusal(scope)
        if refusal is None:
            await self._inner(scope, receive, _with_headers(send) if scope["type"] == "http" else send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _FORBIDDEN})
        else:
            await PlainTextResponse(refusal, 403)(scope, receive, send)

    def refusal(self, scope: Any) -> str | None:
        """Why a request is not answered; None: it is."""
        headers = {key.decode("latin1").lower(): value.decode("latin1") for key, value in scope["headers"]}
        own = f"[{self._host}]" if ":" in self._host else self._host
        host = headers.get("host", "")
        if host not in {f"{name}:{self._port}" for name in (own, "127.0.0.1", "localhost")} and not (
            self._host in ANY_HOST and host.endswith(f":{self._port}")
        ):
            return "This is not a name of this server."
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return "Pages of other origins may not ask here."
        if scope["type"] == "websocket" and origin is None:
            return "A WebSocket must say where it comes from."
        if scope["type"] == "websocket" or scope["path"].startswith(("/open", "/download")):
            given = parse_qs(scope.get("query_string", b"").decode("latin1")).get("token", [""])[0]
            if not hmac.compare_digest(given.encode(errors="replace"), self._token.encode()):
                return "The address lacks the right token. Open the address that bielle studio has printed."
        return None


def _with_headers(send: Any) -> Any:
    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *((k.lower().encode(), v.encode()) for k, v in _HEADERS.items())]
        await send(message)

    return sending
