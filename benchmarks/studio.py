"""How long the studio and the moving page keep users waiting, in a real browser that draws.

Reading an edited text is timed as process time. In the page it is the script thread for gestures
(DevTools' ``ScriptDuration`` by frame, in its own time), and for drafts the time by the clock while
a slider is dragged, after good code is ready: drafts that were drawn, mechanism and curves. Windows
are small, since without graphics hardware drawing takes longer than computing.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.overhead import Spent
from pliant.errors import CapabilityError
from pliant.model.files.examples import examples
from pliant.studio.document.offsets import Offsets
from pliant.studio.views.text.checked import checked, faults_data
from pliant.studio.views.text.outline import outline_data

FRAMES = 80
PLAYED = 40
SECONDS = 3.0
"""For which a slider is dragged."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a user waits for; ``measure`` gives seconds, ``aim`` is what they should be."""

    name: str
    title: str
    aim: float
    measure: Callable[[], float]


def waited(case: Waiting) -> Spent:
    """The seconds of a case."""
    return Spent(case.name, case.title, case.measure(), case.aim)


def read_again(example: str) -> float:
    """An edited text: its faults and its outline, median of ten."""
    path = examples()[example]
    text = path.read_text(encoding="utf-8")
    spent = []
    for revision in range(10):
        began = time.process_time()
        found = checked(Offsets(f"{text}# {revision}\n"), "yaml", path.parent, revision)
        faults_data(found)
        outline_data(found)
        spent.append(time.process_time() - began)
    return median(spent)


@contextmanager
def _page(example: str, *, width: int = 900, height: int = 640) -> Iterator[Any]:
    from tests.web.studio_page import opened

    if not shutil.which("chromium"):
        raise CapabilityError("Chromium is not installed: run make browser")
    with TemporaryDirectory() as folder:
        model = Path(folder) / f"{example}.yaml"
        shutil.copy(examples()[example], model)
        with opened(model, Path(folder), width=width, height=height) as page:
            yield page


def interactive() -> float:
    """From the address to a page that can be used."""
    with _page("crank_rocker") as page:
        found: float = page.tab.value("performance.getEntriesByName('ready')[0].startTime")
        return found / 1e3


def dragged(example: str, key: str) -> float:
    """Seconds by drawn draft while the slider of a number moves."""
    with _page(example) as page:
        page.preset("Results")
        page.tab.key("Enter", ctrl=True)
        page.wait("document.querySelectorAll('ul.runs > li').length === 1")
        page.wait("document.querySelector('[data-command=stop]').disabled")
        page.click(f"[data-pin={key}]")
        page.wait("!!document.querySelector('.sliders input[type=range]')")
        _drag(page, 1.0)
        page.wait("document.querySelector('[data-command=stop]').disabled")
        time.sleep(4.0)  # better code is made meanwhile
        before = int(page.data("[data-drafts]", "drafts"))
        spent = _drag(page, SECONDS)
        return spent / max(1, int(page.data("[data-drafts]", "drafts")) - before)


def _drag(page: Any, seconds: float) -> float:
    """Lead the slider to and fro; how long it took."""
    box = page.tab.box(".sliders input[type=range]")
    y, began = box["y"] + box["height"] / 2, time.monotonic()
    places = (0.3 + 0.4 * abs((k % 40) / 20 - 1) for k in range(int(seconds / 0.02)))
    page.tab.drag([(box["x"] + box["width"] * at, y) for at in places], pause=0.015)
    return time.monotonic() - began


def gesture(kind: str, example: str = "stewart_platform") -> float:
    """Script seconds by frame while a bond graph is panned, zoomed or rearranged: of the platform
    all 337 elements, of other models the boxes it opens with."""
    with _page(example, width=1200, height=800) as page:
        tab, symbols = page.tab, "[data-kind=bond] svg .symbol"
        page.preset("Graph")
        if example == "stewart_platform":
            page.click("[data-kind=bond] [aria-label^='Unfold all']")
            page.wait("document.querySelectorAll('[data-kind=bond] svg [data-name]').length > 300")
        else:
            symbols = "[data-kind=bond] svg .box"
        page.wait(f"!!document.querySelector({symbols!r})")
        box = tab.box(symbols if kind == "drag" else "[data-kind=bond] svg")
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        with page.scripted(FRAMES) as spent:
            if kind == "zoom":
                for k in range(FRAMES):
                    tab.wheel(x, y, -12 if k % 20 < 10 else 12)
                    tab.settle()
            else:
                tab.drag([(x + 2 * (k % 40), y + k % 30) for k in range(FRAMES)], pause=0.016)
        return float(spent[0])


def played(bodies: int) -> float:
    """Script seconds by frame while a page with so many bodies plays."""
    from tests.models.chains import revolute_chain
    from tests.web.browser import Browser
    from tests.web.studio_page import script_seconds

    if not shutil.which("chromium"):
        raise CapabilityError("Chromium is not installed: run make browser")
    result = revolute_chain(bodies).simulate(t_end=0.2, every=0.01, rtol=1e-3, atol=1e-3)
    with TemporaryDirectory() as folder:
        page = result.report(Path(folder) / "chain.html")
        with (
            Browser(Path(folder) / "profile") as browser,
            browser.open(page, width=640, height=480) as tab,
        ):
            speed = "document.querySelector('select[aria-label^=Speed]')"
            tab.value(f"{speed}.value = 0.05; {speed}.dispatchEvent(new Event('change'))")
            tab.click(".play")
            tab.send("Performance.enable", timeDomain="threadTicks")
            before = script_seconds(tab)
            for _ in range(PLAYED):
                tab.value("new Promise(requestAnimationFrame)")
            return (script_seconds(tab) - before) / PLAYED


NOTED = """
window.spent = new Promise((resolve) => {
  let began = 0;
  addEventListener('keydown', () => (began = performance.now()), { once: true, capture: true });
  const count = document.querySelector('.foot .count');
  const watch = new MutationObserver(() => {
    watch.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - began));
  });
  watch.observe(count, { childList: true, subtree: true, characterData: true });
});
0
"""


def typed_to_faults(example: str) -> float:
    """From a key in the text to its fault on the screen, and to its going; median of ten."""
    with _page(example) as page:
        page.preset("Text")
        page.wait("!!document.querySelector('.text-view')?.shadowRoot?.querySelector('.cm-line')")
        box = page.tab.value(
            "(r => ({x: r.left, y: r.top + r.height / 2}))(document.querySelector('.text-view')"
            ".shadowRoot.querySelector('.cm-line').getBoundingClientRect())"
        )
        page.tab.press(box["x"] + 2, box["y"])
        page.tab.key("End")
        found = []
        for key in ("x", "Backspace") * 5:
            page.tab.value(NOTED)
            if key == "x":
                page.tab.type(key)
            else:
                page.tab.key(key)
            found.append(page.tab.value("window.spent"))
            time.sleep(0.8)
        return float(median(found)) / 1e3


CASES = (
    Waiting("studio_faults", "an edit of 81 bodies to faults and outline", 0.1,
            partial(read_again, "four_bars_40")),
    Waiting("studio_open", "page open to interactive", 1.0, interactive),
    Waiting("studio_crank_rocker", "crank-rocker: a draft while h is dragged", 0.05,
            partial(dragged, "crank_rocker", "h")),
    Waiting("studio_slider_crank", "slider-crank: a draft while l1 is dragged", 0.05,
            partial(dragged, "planar_slider_crank", "l1")),
    Waiting("studio_pan", "pan a bond graph of 337 elements, script by frame", 0.016,
            partial(gesture, "pan")),
    Waiting("studio_zoom", "zoom it", 0.016, partial(gesture, "zoom")),
    Waiting("studio_drag", "drag a symbol of it", 0.016, partial(gesture, "drag")),
    Waiting("studio_large_pan", "40 four-bars: pan the folded graph", 0.016,
            partial(gesture, "pan", "four_bars_40")),
    Waiting("studio_large_drag", "40 four-bars: drag a box of it", 0.016,
            partial(gesture, "drag", "four_bars_40")),
    Waiting("page_large_play", "the moving page of 500 bodies plays, script by frame", 0.016,
            partial(played, 500)),
    Waiting("studio_large_edit", "40 four-bars: a key to its fault on the screen", 0.25,
            partial(typed_to_faults, "four_bars_40")),
)  # fmt: skip
