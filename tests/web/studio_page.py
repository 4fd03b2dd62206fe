"""The studio in a real browser: the server as a process, the page with mouse and keys."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.web.browser import Browser, Tab

PATIENCE = 90.0
"""Seconds within which a slow machine must have done anything."""


@contextlib.contextmanager
def served(model: Path, *options: str, state: Path) -> Iterator[str]:
    """The address of a studio; at its end it must end well."""
    command = [sys.executable, "-m", "pliant", "studio", str(model), "--no-browser", *options]
    environment = {**os.environ, "PLIANT_STATE_DIR": str(state)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip().partition(": ")[2]
    finally:
        process.send_signal(signal.SIGINT)
        code = process.wait(30)
        process.stdout.close()
    assert code == 0


class StudioPage:
    """The page as a user has it."""

    def __init__(self, tab: Tab, pictures: Path) -> None:
        self.tab, self.pictures = tab, pictures

    def wait(self, expression: str) -> None:
        """Until it is true; a picture is kept of what is there instead."""
        try:
            self.tab.wait(expression, PATIENCE)
        except AssertionError:
            self.picture("waiting")
            raise

    def picture(self, name: str) -> None:
        """Keep a picture of the page for whoever wants to look."""
        self.tab.screenshot(self.pictures / f"{name}.png")

    def click(self, selector: str) -> None:
        self.wait(f"!!document.querySelector({selector!r})")
        self.tab.click(selector)

    def preset(self, name: str) -> None:
        """One of the layouts in the head."""
        mark = "document.querySelectorAll('.presets button')"
        self.tab.value(f"[...{mark}].forEach(b => b.dataset.preset = b.textContent)")
        self.click(f".presets button[data-preset={name}]")

    def choose(self, selector: str, value: str) -> None:
        """An entry of a list."""
        self.wait(f"!!document.querySelector({selector!r})")
        self.tab.value(
            f"(() => {{ const s = document.querySelector({selector!r}); s.value = {value!r};"
            " s.dispatchEvent(new Event('change', {bubbles: true})); })()"
        )

    def press(self, label: str) -> None:
        """The button with this text."""
        mark = f"[...document.querySelectorAll('button')].find(b => b.textContent === {label!r})"
        self.wait(f"!!{mark}")
        self.tab.value(f"{mark}.dataset.pressed = 'next'")
        self.tab.click("[data-pressed=next]")
        self.tab.value("delete document.querySelector('[data-pressed=next]')?.dataset.pressed")

    def eventually(self, is_so: Callable[[], bool]) -> None:
        """Until something outside of the page is so."""
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < deadline, "waited in vain"
            time.sleep(0.1)

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.tab.value(
            f"[...document.querySelectorAll({selector!r})].map(e => e.textContent)"
        )
        return found

    def count(self, selector: str) -> int:
        return int(self.tab.value(f"document.querySelectorAll({selector!r}).length"))

    def data(self, selector: str, name: str) -> Any:
        return self.tab.value(f"document.querySelector({selector!r})?.dataset.{name}")

    @contextlib.contextmanager
    def scripted(self, frames: int) -> Iterator[list[float]]:
        """Seconds of the script thread's own time by frame, of what is done meanwhile."""
        self.tab.send("Performance.enable", timeDomain="threadTicks")
        found: list[float] = []
        before = script_seconds(self.tab)
        yield found
        self.tab.settle()
        found.append((script_seconds(self.tab) - before) / frames)
        self.tab.send("Performance.disable")


def script_seconds(tab: Tab) -> float:
    """What the script thread has spent so far."""
    metrics = tab.send("Performance.getMetrics")["metrics"]
    return float({m["name"]: m["value"] for m in metrics}["ScriptDuration"])


@contextlib.contextmanager
def opened(
    model: Path, folder: Path, *options: str, width: int = 1400, height: int = 900, **more: Any
) -> Iterator[StudioPage]:
    """The studio of a model in a browser; at the end the page must have complained of nothing.
    ``options``: of the command line."""
    pictures = folder / "pictures"
    pictures.mkdir()
    with (
        served(model, *options, state=folder / "state") as address,
        Browser(folder / "profile") as browser,
        browser.open_url(address, width=width, height=height, **more) as tab,
    ):
        yield StudioPage(tab, pictures)
        assert tab.complaints() == []
