"""The server at work: over standard input and output for a host that starts it, or over streamable HTTP."""

from __future__ import annotations

import hmac
import socket
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.stdio import stdio_server

from pageindex.serve.mcp.wiring import Catalogue, make_server

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["http_app", "run_http", "run_stdio"]


def run_stdio(catalogue: Catalogue) -> None:
    """Serve until standard input ends. Standard output carries the protocol alone: what else is printed goes to standard error."""

    async def main() -> None:
        server = make_server(catalogue)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(main)


def http_app(catalogue: Catalogue, host: str = "127.0.0.1", *, token: str = "") -> ASGIApp:
    """An ASGI application that serves the protocol at ``/mcp``.

    On a loopback address only requests whose Host and Origin are of this machine are answered, so that no page of a browser can reach it
    by a name that it has bound to the address. Elsewhere a token is needed, which each request bears.
    """
    app: Any = make_server(catalogue).streamable_http_app(host=host)
    return _Bearer(app, token) if token else app


class _Bearer:
    """Lets through what bears the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.expected = app, f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(given, self.expected):
                await _refuse(send)
                return
        await self.app(scope, receive, send)


async def _refuse(send: Send) -> None:
    body = b'{"error": "unauthorized", "message": "this server wants a token: Authorization: Bearer TOKEN"}'
    headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
    await send({"type": "http.response.start", "status": 401, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def run_http(catalogue: Catalogue, listening: socket.socket, host: str, *, token: str = "") -> None:
    """Serve on a socket that listens already, until the process is told to end."""
    import uvicorn

    config = uvicorn.Config(http_app(catalogue, host, token=token), log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[listening])
