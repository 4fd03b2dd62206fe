"""A headless Chromium driven through its DevTools protocol over two pipes."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MISSING = "Chromium is not installed; run: make browser"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--hide-scrollbars", "--force-color-profile=srgb",
    "--remote-debugging-pipe",
)  # fmt: skip
WITH_WEBGL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
WITHOUT_WEBGL = ("--disable-3d-apis",)

_CODES = {"Enter": 13, "Escape": 27, "Tab": 9, "Backspace": 8, "Delete": 46, "F8": 119, "Home": 36,
          "End": 35, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "a": 65,
          "c": 67, "d": 68, "f": 70, "h": 72, "k": 75, "s": 83, "v": 86, "z": 90}  # fmt: skip
"""Of keys that have no letter, and of those pressed with Ctrl."""

# Chromium reads commands from descriptor 3 and writes answers to descriptor 4.
_LAUNCH = """
import fcntl, os, sys
read, write = (fcntl.fcntl(int(n), fcntl.F_DUPFD, 10) for n in sys.argv[1:3])
os.dup2(read, 3)
os.dup2(write, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """One browser; use as a context manager."""

    def __init__(self, profile: Path, *, webgl: bool = True) -> None:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        assert program is not None, MISSING
        commands, self._out = os.pipe()
        self._in, answers = os.pipe()
        flags = [*FLAGS, *(WITH_WEBGL if webgl else WITHOUT_WEBGL), f"--user-data-dir={profile}"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, str(commands), str(answers), program, *flags,
             "about:blank"],
            pass_fds=(commands, answers), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(commands)
        os.close(answers)
        self._buffer = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.send("Browser.close")
            self._process.wait(10)
        except (OSError, subprocess.TimeoutExpired, AssertionError):
            self._process.kill()
            self._process.wait(10)
        os.close(self._out)
        os.close(self._in)

    def send(self, method: str, *, session: str = "", **params: Any) -> dict[str, Any]:
        """One command and its answer; events that come between are kept."""
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive(20.0)
            assert answer is not None, f"Chromium did not answer {method}"
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def _receive(self, seconds: float) -> dict[str, Any] | None:
        deadline = time.monotonic() + seconds
        while b"\0" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._in], [], [], left)[0]:
                return None
            chunk = os.read(self._in, 1 << 20)
            assert chunk, "Chromium has ended"
            self._buffer += chunk
        message, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def open(self, path: Path, *, width: int = 1280, height: int = 800, scale: float = 1.0,
             dark: bool = False) -> Tab:  # fmt: skip
        """A page from a file, when it says that it is ready."""
        return self.open_url(path.resolve().as_uri(), width=width, height=height, scale=scale,
                             dark=dark)  # fmt: skip

    def open_url(self, url: str, *, width: int = 1280, height: int = 800, scale: float = 1.0,
                 dark: bool = False) -> Tab:  # fmt: skip
        """A page from an address, when it says that it is ready."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session, target, url.partition("/#")[0])
        for domain in ("Page", "Runtime", "Log", "Network"):
            tab.send(f"{domain}.enable")
        tab.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=scale, mobile=width < 600)  # fmt: skip
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        tab.send("Emulation.setEmulatedMedia", features=[theme])
        tab.send("Page.navigate", url=url)
        tab.wait("document.getElementById('pliant')?.dataset.ready === 'true'")
        return tab


class Tab:
    """One open page; ``origin``: the server it comes from, which it may talk to."""

    def __init__(self, browser: Browser, session: str, target: str, origin: str = "") -> None:
        self.browser, self.session, self.target = browser, session, target
        self.origin = origin if origin.startswith("http") else ""

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        return self.browser.send(method, session=self.session, **params)

    def __enter__(self) -> Tab:
        return self

    def __exit__(self, *_: object) -> None:
        self.browser.send("Target.closeTarget", targetId=self.target)

    def value(self, expression: str) -> Any:
        """Value of a JavaScript expression."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)  # fmt: skip
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait(self, expression: str, seconds: float = 20.0) -> None:
        """Until an expression is true."""
        deadline = time.monotonic() + seconds
        while not self.value(expression):
            assert time.monotonic() < deadline, f"waited in vain: {expression}; {self.complaints()}"
            time.sleep(0.05)

    def settle(self) -> None:
        """Until the next two frames are drawn."""
        self.value("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def click(self, selector: str) -> None:
        """Press an element with the mouse, in its middle."""
        box = self.box(selector)
        self.press(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def double(self, selector: str) -> None:
        """Press an element twice, in its middle."""
        box = self.box(selector)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for count in (1, 2):
            self._mouse("mousePressed", x, y, button="left", buttons=1, clickCount=count)
            self._mouse("mouseReleased", x, y, button="left", clickCount=count)

    def press(self, x: float, y: float, *, to: tuple[float, float] | None = None) -> None:
        """Press the mouse at a point; with ``to`` drag it there."""
        self._mouse("mouseMoved", x, y)
        self._mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        if to:
            self._mouse("mouseMoved", *to, button="left", buttons=1)
        self._mouse("mouseReleased", *(to or (x, y)), button="left", clickCount=1)

    def hover(self, x: float, y: float) -> None:
        self._mouse("mouseMoved", x, y)

    def _mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def key(self, key: str, text: str = "", *, ctrl: bool = False, shift: bool = False,
            alt: bool = False, commands: tuple[str, ...] = ()) -> None:  # fmt: skip
        """Press a key; ``commands``: what the browser does by itself at it, such as "paste"."""
        more: dict[str, Any] = {"text": text} if text else {}
        more |= {"modifiers": alt + 2 * ctrl + 8 * shift,
                 "windowsVirtualKeyCode": _CODES.get(key, 0), "commands": [*commands]}  # fmt: skip
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, text: str) -> None:
        """Press the keys of a text."""
        for letter in text:
            self.key("Enter" if letter == "\n" else letter, "\r" if letter == "\n" else letter)

    def wheel(self, x: float, y: float, by: float) -> None:
        """Turn the wheel of the mouse at a point."""
        self._mouse("mouseWheel", x, y, deltaX=0, deltaY=by)

    def drag(
        self, points: list[tuple[float, float]], pause: float = 0.0, *, shift: bool = False
    ) -> None:
        """Press at the first point, lead the mouse through all, and let go at the last."""
        held: dict[str, Any] = {"button": "left", "modifiers": 8 * shift}
        self._mouse("mouseMoved", *points[0])
        self._mouse("mousePressed", *points[0], buttons=1, clickCount=1, **held)
        for point in points[1:]:
            time.sleep(pause)
            self._mouse("mouseMoved", *point, buttons=1, **held)
        self._mouse("mouseReleased", *points[-1], clickCount=1, **held)

    def touch(self, *fingers: list[tuple[float, float]]) -> None:
        """Put fingers down at their first points, lead them through all at once, and lift them."""
        self.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=len(fingers))
        for k, points in enumerate(zip(*fingers, strict=True)):
            at = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
            kind = "touchMove" if k else "touchStart"
            self.send("Input.dispatchTouchEvent", type=kind, touchPoints=at)
            self.settle()
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.settle()

    def box(self, selector: str) -> dict[str, float]:
        """Where an element is on the screen."""
        self.value(f"document.querySelector({selector!r}).scrollIntoView({{block: 'nearest'}})")
        found: dict[str, float] = self.value(
            f"document.querySelector({selector!r}).getBoundingClientRect().toJSON()"
        )
        return found

    def screenshot(self, path: Path, clip: dict[str, float] | None = None) -> Path:
        """A picture of the page or of a part of it."""
        self.settle()
        part = {k: clip[k] for k in ("x", "y", "width", "height")} if clip else None
        more: dict[str, Any] = {"clip": {**part, "scale": 1}} if part else {}
        data = self.send("Page.captureScreenshot", format="png", **more)["data"]
        path.write_bytes(base64.b64decode(data))
        return path

    def complaints(self) -> list[str]:
        """Everything the page wrote to the console, and every request it made beyond its file."""
        self.value("1")
        found = []
        for event in self.browser.events:
            if event.get("sessionId") == self.session:
                found += _COMPLAINTS.get(event["method"], _nothing)(event["params"])
        own = f"request: {self.origin}/"
        return [line for line in found if not (self.origin and line.startswith(own))]


def _nothing(_: dict[str, Any]) -> list[str]:
    return []


def _console(params: dict[str, Any]) -> list[str]:
    texts = [str(a.get("value", a.get("description", ""))) for a in params["args"]]
    return [f"console {params['type']}: {' '.join(texts)}"]


def _log(params: dict[str, Any]) -> list[str]:
    """What the browser logs, but for remarks of the software renderer on its own speed."""
    text = params["entry"]["text"]
    return [] if "GL Driver Message" in text else [f"log {params['entry']['level']}: {text}"]


def _request(params: dict[str, Any]) -> list[str]:
    url = params["request"]["url"]
    return [] if url.startswith(("file:", "data:", "blob:")) else [f"request: {url}"]


_COMPLAINTS: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "Runtime.consoleAPICalled": _console,
    "Runtime.exceptionThrown": lambda p: [str(p["exceptionDetails"])],
    "Log.entryAdded": _log,
    "Network.requestWillBeSent": _request,
}
