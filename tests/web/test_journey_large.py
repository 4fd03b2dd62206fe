"""J6: a linkage of forty loops stays fluent: its folded graph is moved about, it is edited."""

import shutil
import subprocess
import sys

import pytest
from tests.web.studio_page import StudioPage, opened

from pliant.model.files.examples import examples

pytestmark = pytest.mark.slow

GRAPH = "[data-kind=bond] svg"
FRAMES = 30
FRAME = 0.016
"""Seconds of the script thread's own time within which a frame must be done."""
COUNT = "document.querySelector('.foot .count').textContent"


def test_forty_loops(tmp_path):
    path = tmp_path / "models" / "four_bars_40.yaml"
    path.parent.mkdir()
    shutil.copy(examples()["four_bars_40"], path)
    text = path.read_text()
    with opened(path, tmp_path, width=1200, height=800) as page:
        page.preset("Graph")
        page.wait(f"document.querySelectorAll('{GRAPH} .box').length > 80")
        assert page.count(f"{GRAPH} .symbol") < 1000, "folded: 2 229 elements otherwise"
        assert led(page, GRAPH, FRAMES) < FRAME
        assert led(page, f"{GRAPH} .box", FRAMES) < FRAME
        page.picture("large")
        page.tab.key("z", ctrl=True)  # a box was moved
        page.wait("document.querySelector('[data-command=undo]')?.disabled ?? true")
        break_and_mend(page)
        page.tab.key("s", ctrl=True)
        page.eventually(lambda: path.read_text() != text)
    assert path.read_text() == text.replace("40 four-bars\n", "40 four-bars in a row\n", 1)
    subprocess.run([sys.executable, "-m", "pliant", "check", str(path)], check=True,
                   capture_output=True)  # fmt: skip


def led(page: StudioPage, selector: str, frames: int) -> float:
    """Script seconds by frame while the mouse is led from the middle of something."""
    box = page.tab.box(selector)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    with page.scripted(frames) as spent:
        page.tab.drag([(x + 2 * k, y + k) for k in range(frames)], pause=0.016)
    return spent[0]


def break_and_mend(page: StudioPage) -> None:
    """A fault comes with the key that makes it, and goes with the one that mends it."""
    page.preset("Text")
    editor = "document.querySelector('.text-view').shadowRoot"
    page.wait(f"!!{editor}?.querySelector('.cm-line')")
    place = page.tab.value(
        f"(r => [r.left, r.top + r.height / 2])({editor}.querySelector('.cm-line')"
        ".getBoundingClientRect())"
    )
    page.tab.press(place[0] + 2, place[1])
    page.tab.key("End")
    page.tab.type("x")
    page.wait(f"{COUNT} === 'Faults 1'")
    page.tab.key("Backspace")
    page.wait(f"{COUNT} === 'Faults 0'")
    page.tab.key("ArrowDown")
    page.tab.key("End")
    page.tab.type(" in a row")
