"""Who may come in: this machine, this page, this token. What is handed out is a fixed table.

Only 127.0.0.1 is listened to. The Host must be a name of this server (or else a page of the web
could reach it by a name of its own), the Origin of a socket must be this page (sockets know no
same-origin rule), and the greeting must hold the token that only the address shown to the user has.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from pliant.errors import FileError

PAGE = Path(__file__).parents[1] / "page"
_FILES = {
    "/": ("studio.html", "text/html; charset=utf-8"),
    "/studio.js": ("studio.js", "text/javascript; charset=utf-8"),
    "/studio.css": ("studio.css", "text/css; charset=utf-8"),
}
SOCKET = "/socket"
DOWNLOADS = "/download/"
WAITING = 8
"""Files that wait to be fetched; older ones go."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


class Gate:
    """Answers every request; only a proper handshake of the socket gets through."""

    def __init__(self, port: int = 0, allowed: Collection[str] = ()) -> None:
        self.token = secrets.token_urlsafe(32)
        self.port = port
        self.allowed = tuple(allowed)
        self.assets = _assets()
        self.downloads: dict[str, tuple[str, str, bytes]] = {}
        """One-time addresses: name, kind and content."""

    @property
    def hosts(self) -> set[str]:
        """Names of this server; those of tunnels were allowed by the user."""
        own = {f"{name}:{self.port}" for name in ("127.0.0.1", "localhost")}
        return own | set(self.allowed)

    @property
    def origins(self) -> set[str]:
        """Where the page may come from."""
        own = {f"http://{host}" for host in self.hosts}
        return own | {f"https://{host}" for host in self.allowed}

    def greets(self, token: object) -> bool:
        """Whether this is the token, compared in a time that tells nothing."""
        return isinstance(token, str) and secrets.compare_digest(
            token.encode("utf-8", "replace"), self.token.encode()
        )

    def offer(self, name: str, kind: str, content: bytes) -> str:
        """The address at which a file can be fetched once."""
        address = f"{DOWNLOADS}{secrets.token_urlsafe(24)}"
        self.downloads[address] = (name, kind, content)
        while len(self.downloads) > WAITING:
            del self.downloads[next(iter(self.downloads))]
        return address

    def answer(self, _: object, request: Request) -> Response | None:
        """To a request; None lets the handshake of the socket go on."""
        path = request.path.partition("?")[0]
        host = request.headers.get_all("Host")
        if len(host) != 1 or host[0] not in self.hosts:
            return _response(421, b"unknown host")
        if path == SOCKET:
            origin = request.headers.get_all("Origin")
            if len(origin) != 1 or origin[0] not in self.origins:
                return _response(403, b"unknown origin")
            return None
        if path in self.downloads:
            name, kind, content = self.downloads.pop(path)
            disposition = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
            return _response(200, content, kind, disposition)
        if path in self.assets:
            return _response(200, *self.assets[path])
        return _response(404, b"not here")


def _assets() -> dict[str, tuple[bytes, str]]:
    found = {}
    for address, (name, kind) in _FILES.items():
        file = PAGE / name
        if not file.is_file():
            raise FileError(
                "the page of the studio is not built in this checkout", "run: make page"
            )
        found[address] = (file.read_bytes(), kind)
    return found


def _response(
    status: int, body: bytes = b"", kind: str = "text/plain; charset=utf-8",
    more: Mapping[str, str] | None = None,
) -> Response:  # fmt: skip
    known = HTTPStatus(status)
    headers = Headers({
        "Content-Type": kind, "Content-Length": str(len(body)),
        "Content-Security-Policy": _POLICY, "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-store",
        **(more or {}),
    })  # fmt: skip
    return Response(known.value, known.phrase, headers, body)
