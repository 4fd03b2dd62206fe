"""Who may come in, and what is answered to those who may not."""

import asyncio
import http.client
import json

import pytest
from tests.studio.talking import Studio, in_thread
from websockets.asyncio.client import connect
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Request

from pliant.errors import InputError
from pliant.studio.document.document import OpenDocument
from pliant.studio.serve import protocol
from pliant.studio.serve.gate import WAITING, Gate
from pliant.studio.serve.log import LOG
from pliant.studio.serve.server import run

TEXT = "pliant: 1\nname: still\nparameters: {h: 10 mm}\n"


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """One studio for all tests of this module, in a thread of its own."""
    folder = tmp_path_factory.mktemp("gate")
    with pytest.MonkeyPatch.context() as patch, in_thread() as loop:
        patch.setenv("PLIANT_STATE_DIR", str(folder / "state"))
        patch.setattr(LOG, "handlers", [])
        root = folder / "models"
        root.mkdir()
        (root / "model.yaml").write_text(TEXT)
        studio = loop.do(made, root)
        yield Held(studio, loop)
        loop.do(studio.__aexit__)
        for handler in LOG.handlers:
            handler.close()


async def made(root):
    return await Studio(OpenDocument.opened(root / "model.yaml"), root).__aenter__()


class Held:
    """A studio, and a way to do something within its loop."""

    def __init__(self, studio, loop):
        self.studio, self.loop = studio, loop

    def do(self, what):
        return self.loop.do(what, self.studio)


async def fetched(studio, path, **headers):
    def get():
        connection = http.client.HTTPConnection(studio.host, timeout=10)
        connection.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        found = response.status, dict(response.getheaders()), response.read()
        connection.close()
        return found

    return await asyncio.to_thread(get)


LARGEST = 1.4e6
"""Bytes of the script."""


def test_the_page_comes_with_a_strict_policy(studio):
    async def go(studio):
        return [await fetched(studio, path) for path in ("/", "/studio.js", "/studio.css")]

    for status, headers, body in studio.do(go):
        assert status == 200
        assert 0 < len(body) < LARGEST
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize(
    "path",
    ["/model.yaml", "/../model.yaml", "/%2e%2e/model.yaml", "/studio.js/..", "/download/x", "//"],
)
def test_nothing_else_is_handed_out(studio, path):
    assert studio.do(lambda studio: fetched(studio, path))[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", ""])
def test_other_names_of_the_server_are_refused(studio, host):
    assert studio.do(lambda studio: fetched(studio, "/", Host=host))[0] == 421


@pytest.mark.parametrize("origin", ["http://evil.example", None, "null", "https://127.0.0.1"])
def test_sockets_of_other_pages_are_refused(studio, origin):
    async def go(studio):
        with pytest.raises(InvalidStatus) as found:
            async with connect(f"ws://{studio.host}/socket", origin=origin):
                pass
        return found.value.response.status_code

    assert studio.do(go) == 403


@pytest.mark.parametrize(
    "hello",
    [{"token": "wrong"}, {"token": None}, {"token": "é"}, {"token": ["a"]}, {"version": 99}],
)
def test_a_wrong_greeting_closes_the_socket(studio, hello):
    async def go(studio):
        async with studio.window(**hello) as window:
            with pytest.raises(ConnectionClosed) as found:
                await window.receive()
            return found.value.rcvd.code

    assert studio.do(go) == 1008


@pytest.mark.parametrize("first", ["", "[]", "{", '{"type": "undo"}', b"\0\1"])
def test_whoever_does_not_greet_is_sent_away(studio, first):
    async def go(studio):
        async with connect(f"ws://{studio.host}/socket", origin=studio.origin) as socket:
            await socket.send(first)
            with pytest.raises(ConnectionClosed) as found:
                await socket.recv()
            return found.value.rcvd.code

    assert studio.do(go) == 1008


def test_tokens_are_new_and_long(studio):
    assert len(studio.studio.token) >= 43  # 256 bits
    assert Gate().token != Gate().token


@pytest.mark.parametrize(
    "text",
    ["", "no json", "[1]", '{"type": "nothing"}', '{"type": "__init__"}', '{"type": ["edit"]}',
     '{"type": "edit", "revision": 1}', '{"type": "edit", "revision": "1", "splices": []}',
     '{"type": "edit", "revision": 1, "splices": [[0, 1]]}', "[" * 100_000,
     '{"type": "look", "what": 1, "arguments": {}}'],
)  # fmt: skip
def test_malformed_messages_are_refused_and_nothing_happens(studio, text):
    async def go(studio):
        async with studio.window() as window:
            await window.wait("outline")
            await window.socket.send(text)
            refused = await window.wait("refused")
            assert (await window.ask("at", offset=0))["type"] == "place"
            return refused["what"], studio.document.text

    what, after = studio.do(go)
    assert what
    assert after == TEXT


def test_a_message_beyond_the_limit_ends_the_window_only(tmp_path, monkeypatch):
    monkeypatch.setattr("pliant.studio.serve.server.LARGEST", 1000)
    monkeypatch.setenv("PLIANT_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "model.yaml").write_text(TEXT)

    async def go():
        async with Studio(OpenDocument.opened(tmp_path / "model.yaml"), tmp_path) as studio:
            async with studio.window() as window:
                await window.socket.send("x" * 2000)
                with pytest.raises(ConnectionClosed):
                    await window.wait("nothing of the kind")
            async with studio.window() as window:
                return await window.wait("document")

    assert asyncio.run(go())["text"] == TEXT


@pytest.mark.parametrize(
    "path", ["../secret.yaml", "/etc/passwd", "link.yaml", "a/../../secret.yaml", "x\0.yaml"]
)
def test_files_outside_the_root_are_refused(studio, path):
    outside = studio.studio.root.parent / "secret.yaml"
    outside.write_text("pliant: 1\nname: secret\n")
    link = studio.studio.root / "link.yaml"
    if not link.is_symlink():
        link.symlink_to(outside)

    async def go(studio):
        async with studio.window() as window:
            asked = [await window.ask("open", path=path), await window.ask("save", **{"as": path}),
                     await window.ask("new", path=path, template="empty"),
                     await window.ask("load", path=path)]  # fmt: skip
            return asked, studio.document.text

    answers, text = studio.do(go)
    assert [answer["type"] for answer in answers] == ["refused"] * 4
    assert text == TEXT
    assert outside.read_text().endswith("secret\n")


def test_only_models_are_opened(studio):
    (studio.studio.root / "notes.txt").write_text("private")

    async def go(studio):
        async with studio.window() as window:
            return await window.ask("open", path="notes.txt")

    assert "unknown kind of file" in studio.do(go)["what"]


def test_files_below_the_root_are_listed(studio):
    (studio.studio.root / "deep").mkdir(exist_ok=True)
    (studio.studio.root / "deep" / "other.json").write_text("{}")
    (studio.studio.root / ".hidden.yaml").write_text("{}")

    async def go(studio):
        async with studio.window() as window:
            return await window.ask("files")

    found = studio.do(go)
    assert {"model.yaml", "deep/other.json"} <= set(found["models"])
    assert not any("hidden" in name or ".." in name for name in found["models"])
    assert "crank_rocker" in found["examples"]
    assert "planar" in found["templates"]


def test_a_port_that_is_taken_is_named(studio, tmp_path):
    async def go(studio):
        port = int(studio.host.partition(":")[2])
        (tmp_path / "other.yaml").write_text(TEXT)
        document = OpenDocument.opened(tmp_path / "other.yaml")
        with pytest.raises(InputError, match=f"port {port} is taken; choose another"):
            await run(document, tmp_path, port=port, browser=False)

    studio.do(go)


def test_a_file_is_fetched_once(studio):
    async def go(studio):
        async with studio.window() as window:
            await window.wait("outline")
            ready = await window.ask("export", kind="model", options={"format": "yaml"})
            assert ready["type"] == "ready", ready
        first = await fetched(studio, ready["url"])
        return ready, first, await fetched(studio, ready["url"])

    ready, first, second = studio.do(go)
    assert first[0] == 200
    assert first[1]["Content-Disposition"] == f"attachment; filename*=UTF-8''{ready['name']}"
    assert b"still" in first[2]
    assert second[0] == 404


def test_names_of_files_are_written_as_headers_may_be():
    gate = Gate(port=1)
    address = gate.offer('Öl "1"\r\n.csv', "text/csv", b"1")
    response = gate.answer(None, Request(address, Headers(Host="localhost:1")))
    written = "attachment; filename*=UTF-8''%C3%96l%20%221%22%0D%0A.csv"
    assert response.headers["Content-Disposition"] == written


def test_files_that_nobody_fetches_are_not_kept_forever():
    gate = Gate()
    first = gate.offer("a.csv", "text/csv", b"1")
    for _ in range(WAITING):
        gate.offer("b.csv", "text/csv", b"2")
    assert first not in gate.downloads
    assert len(gate.downloads) == WAITING


def test_unexpected_faults_are_told_with_a_mark_and_written_down(studio, monkeypatch):
    monkeypatch.setattr(OpenDocument, "undo", lambda self: 1 / 0)

    async def go(studio):
        async with studio.window() as window:
            answer = await window.ask("undo")
            return answer, (await window.ask("at", offset=0))["type"]

    answer, later = studio.do(go)
    assert "something went wrong in the studio itself (fault " in answer["what"]
    assert later == "place"
    mark = answer["what"].rpartition("fault ")[2].rstrip(")")
    log = (studio.studio.root.parent / "state" / "studio.log").read_text()
    assert mark in log
    assert "ZeroDivisionError" in log


def test_numbers_that_are_none_become_null():
    text = protocol.written({"a": float("nan"), "b": [float("inf"), 1.5]})
    assert json.loads(text) == {"a": None, "b": [None, 1.5]}
