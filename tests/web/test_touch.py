"""Fingers look: they move, stretch and point at pictures, and change nothing."""

import shutil

import pytest
from tests.web.studio_page import StudioPage, opened

from pliant.model.files.examples import examples

pytestmark = pytest.mark.slow
GRAPH = "[data-kind=bond] .graph-pane"
STAGE = "[data-kind=stage] canvas"
COMPASS = "document.querySelector('[data-kind=stage] .compass').innerHTML"


def test_fingers_look_and_change_nothing(tmp_path):
    path = tmp_path / "models" / "crank_rocker.yaml"
    path.parent.mkdir()
    shutil.copy(examples()["crank_rocker"], path)
    before = path.read_text()
    with opened(path, tmp_path, width=1200, height=800) as page:
        page.preset("Graph")
        page.wait(f"document.querySelectorAll('{GRAPH} .symbol').length > 10")
        page.tab.settle()
        a_finger_moves_the_whole_drawing(page)
        two_fingers_stretch_it(page)
        a_tap_selects(page)
        a_finger_turns_the_mechanism(page)
        assert page.tab.value("document.querySelector('[data-command=undo]').disabled")
    assert path.read_text() == before


def places(page: StudioPage) -> list[tuple[float, float, float]]:
    """Where two symbols are on the screen, and how wide."""
    found = page.tab.value(
        f"[...document.querySelectorAll('{GRAPH} .symbol .back')].filter((_, k) => k % 7 < 1)"
        ".slice(0, 2).map(e => e.getBoundingClientRect()).map(b => [b.x, b.y, b.width])"
    )
    return [tuple(place) for place in found]


def on_a_symbol(page: StudioPage) -> tuple[float, float]:
    """The middle of one that is well within the pane."""
    pane = page.tab.box(f"{GRAPH} svg.graph-canvas")
    places = page.tab.value(
        f"[...document.querySelectorAll('{GRAPH} .symbol .back')]"
        ".map(e => e.getBoundingClientRect()).map(b => [b.x + b.width / 2, b.y + b.height / 2])"
    )
    return next(
        (x, y) for x, y in places
        if 80 < x - pane["x"] < pane["width"] - 80 and 60 < y - pane["y"] < pane["height"] - 60
    )  # fmt: skip


def a_finger_moves_the_whole_drawing(page: StudioPage) -> None:
    """Also when it is put down on a symbol, which a mouse would move."""
    x, y = on_a_symbol(page)
    old = places(page)
    page.tab.touch([(x + 6 * k, y + 4 * k) for k in range(8)])
    steps = [(a[0] - b[0], a[1] - b[1]) for a, b in zip(places(page), old, strict=True)]
    assert steps[0] == pytest.approx(steps[1], abs=0.6)
    assert steps[0] == pytest.approx((42, 28), abs=8)


def two_fingers_stretch_it(page: StudioPage) -> None:
    """As much as they go apart."""
    box = page.tab.box(f"{GRAPH} svg")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    old = places(page)
    page.tab.touch(
        [(x - 40 - 4 * k, y) for k in range(11)], [(x + 40 + 4 * k, y) for k in range(11)]
    )
    page.wait(f"!document.querySelector('{GRAPH} .graph-canvas.moving')")
    grown = [b[2] / a[2] for a, b in zip(old, places(page), strict=True)]
    assert grown == pytest.approx([2, 2], rel=0.1)
    page.picture("stretched")


def a_tap_selects(page: StudioPage) -> None:
    page.tab.touch([on_a_symbol(page)])
    page.wait("document.querySelectorAll('[role=treeitem][aria-selected=true]').length === 1")
    page.picture("tapped")


def a_finger_turns_the_mechanism(page: StudioPage) -> None:
    page.preset("Model")
    page.wait(f"document.querySelector({STAGE!r})?.clientWidth > 0")
    page.wait("document.querySelector('.studio-stage.start') !== null")
    page.tab.settle()
    before = page.tab.value(COMPASS)
    box = page.tab.box(STAGE)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.tab.touch([(x + 8 * k, y) for k in range(8)])
    assert page.tab.value(COMPASS) != before
    page.picture("turned")


OUTSIDE = """
[...document.querySelectorAll('.head button, .head select, .foot button, .pane')]
  .filter(e => e.getClientRects().length && e.checkVisibility() && !e.closest('.clock-bar'))
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([e, b]) => b.right > innerWidth + 0.5 || b.left < -0.5 || b.bottom > innerHeight + 0.5)
  .map(([e]) => e.outerHTML.slice(0, 100))
"""


def test_a_phone_shows_all_of_it(tmp_path):
    """Panes below each other, every button within the window, nothing upon anything else."""
    path = tmp_path / "crank_rocker.yaml"
    shutil.copy(examples()["crank_rocker"], path)
    with opened(path, tmp_path, width=390, height=780) as page:
        page.wait("!!document.querySelector('.studio-stage.start')")
        page.wait("!document.querySelector('.run-button').disabled")
        page.picture("phone")
        assert page.tab.value(OUTSIDE) == []
        lefts = page.tab.value(
            "[...document.querySelectorAll('.pane')].map(e => e.getBoundingClientRect().left)"
        )
        assert lefts == [0] * 3
        clock, count = (page.tab.box(f".foot {part}") for part in (".clock", ".count"))
        assert clock["bottom"] <= count["top"] + 0.5
        x, y = page.tab.box(".run-button")["x"] + 20, page.tab.box(".run-button")["y"] + 10
        page.tab.touch([(x, y)])
        page.wait("document.querySelectorAll('ul.runs > li').length === 1")
        page.picture("run")
