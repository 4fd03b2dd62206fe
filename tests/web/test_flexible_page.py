"""Flexible bodies in the moving page: they bend, and the slider shows it magnified."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.web.browser import Browser, Tab
from tests.web.flexible import pendulum, plate
from tests.web.test_page import TIME, _built, assert_shows_something, picture, seek

import pliant as pl
from pliant.results.result import Result

__all__ = ["_built"]
FACTOR = "document.querySelector('.magnifier output').textContent"
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def result() -> Result:
    return pendulum()


@pytest.fixture
def tab(browser: Browser, result: Result, tmp_path: Path) -> Iterator[Tab]:
    with browser.open(result.report(tmp_path / "pendulum.html")) as opened:
        yield opened
        assert opened.complaints() == []


def magnify(tab: Tab, factor: float) -> None:
    slider = "document.querySelector('.magnifier input')"
    tab.value(f"{slider}.value = {np.log10(factor)}; {slider}.dispatchEvent(new Event('input'))")


def view(tab: Tab, path: Path) -> np.ndarray:
    """The 3-D view below both rows of its tools."""
    return picture(tab, path)[40:]


def changed(a: np.ndarray, b: np.ndarray) -> float:
    """Share of the picture that differs."""
    return float((np.abs(a - b).max(axis=2) > 0.1).mean())


def test_flexible_pendulum_is_shown_and_plays(tab: Tab, tmp_path: Path) -> None:
    still = view(tab, tmp_path / "still.png")
    assert_shows_something(still)
    tab.click(".play")
    tab.wait(f"{TIME} > 0.3")
    tab.click(".play")
    moved = view(tab, tmp_path / "moved.png")
    assert_shows_something(moved)
    assert changed(moved, still) > 0.005
    tab.screenshot(tmp_path / "page.png")


def test_slider_magnifies_the_deflection_and_returns(tab: Tab, tmp_path: Path) -> None:
    seek(tab, 0.2)
    true = view(tab, tmp_path / "true.png")
    assert tab.value(FACTOR) == "1×"
    magnify(tab, 100)
    assert tab.value(FACTOR) == "100×"
    large = view(tab, tmp_path / "large.png")
    assert_shows_something(large)
    assert changed(large, true) > 0.005
    tab.value("document.querySelector('.magnifier input').dispatchEvent(new Event('dblclick'))")
    assert tab.value(FACTOR) == "1×"
    assert changed(view(tab, tmp_path / "again.png"), true) < 1e-4


def test_slider_is_pulled_with_the_mouse_and_moved_with_keys(tab: Tab) -> None:
    box = tab.box(".magnifier input")
    y = box["y"] + box["height"] / 2
    tab.press(box["x"] + 8, y, to=(box["x"] + box["width"] - 4, y))
    assert tab.value(FACTOR) == "1000×"
    tab.key("ArrowLeft")
    assert tab.value(TIME) == 0, "keys on this slider do not move the time"


def test_at_the_start_nothing_is_deformed_whatever_the_factor(tab: Tab, tmp_path: Path) -> None:
    true = view(tab, tmp_path / "true.png")
    magnify(tab, 1000)
    assert changed(view(tab, tmp_path / "large.png"), true) < 1e-4


def test_frames_and_trails_follow_the_magnified_shape(tab: Tab, tmp_path: Path) -> None:
    seek(tab, 0.2)
    magnify(tab, 100)
    before = view(tab, tmp_path / "before.png")
    tab.value(
        "[...document.querySelectorAll('.menu-list label')]"
        ".find((l) => l.textContent === 'rod.tip').click()"
    )
    tab.value("document.querySelector('.toolbar > button').click()")
    shown = view(tab, tmp_path / "shown.png")
    assert changed(shown, before) > 0.001
    magnify(tab, 1)
    assert changed(view(tab, tmp_path / "true.png"), shown) > 0.005


def test_beams_are_coloured_by_their_bending_moment(
    tab: Tab, result: Result, tmp_path: Path
) -> None:
    seek(tab, 0.2)
    plain = view(tab, tmp_path / "plain.png")
    menu = "document.querySelector('.toolbar .colours')"

    def choose(load: str) -> None:
        tab.value(f"{menu}.value = '{load}'; {menu}.dispatchEvent(new Event('change'))")

    offered = tab.value(f"[...{menu}.options].map((o) => o.textContent).join()")
    assert offered == "Plain,Bending moment,Normal force,Stress"
    choose("moment")
    assert changed(view(tab, tmp_path / "moments.png"), plain) > 0.003
    note = tab.value("document.querySelector('.arrow-note').textContent")
    assert "Bending moment" in note
    largest = float(note.split()[-2])
    assert largest >= 0.95 * np.abs(result.values("rod.mid.internal_moment.z")).max()
    choose("stress")
    assert "Stress: 0" in tab.value("document.querySelector('.arrow-note').textContent")
    choose("")
    assert changed(view(tab, tmp_path / "again.png"), plain) < 1e-4


def test_diagrams_of_a_beam_that_is_clicked_follow_the_time(tab: Tab, tmp_path: Path) -> None:
    seek(tab, 0.2)
    pixels = picture(tab, tmp_path / "view.png")
    blue = (pixels[:, :, 2] > 0.5) & (pixels[:, :, 0] < 0.3)  # the rod has the first colour
    rows, columns = np.nonzero(blue)
    box, middle = tab.box("canvas"), np.argsort(columns)[len(rows) // 2]
    tab.press(float(box["x"] + columns[middle]), float(box["y"] + 50 + rows[middle]))
    shown = "document.querySelectorAll('.inspector .sections figure')"
    names = tab.value(f"[...{shown}].map((f) => f.textContent.split(' up to')[0]).join()")
    assert names == "Bending moment,Normal force,Stress"
    points = "document.querySelector('.sections polyline').getAttribute('points')"
    before = tab.value(points)
    seek(tab, 0.4)
    assert tab.value(points) != before
    tab.screenshot(tmp_path / "diagrams.png")


def test_a_body_with_given_modes_is_shown_and_bends(browser: Browser, tmp_path: Path) -> None:
    with browser.open(plate(tmp_path).report(tmp_path / "plate.html")) as tab:
        still = view(tab, tmp_path / "still.png")
        assert_shows_something(still)
        seek(tab, 0.25)
        bent = view(tab, tmp_path / "bent.png")
        assert changed(bent, still) > 0.005
        tab.screenshot(tmp_path / "page.png")
        assert tab.complaints() == []


def test_rigid_mechanisms_have_no_such_slider(browser: Browser, tmp_path: Path) -> None:
    rigid = pl.load(EXAMPLES / "pendulum.yaml").simulate(t_end=0.1)
    with browser.open(rigid.report(tmp_path / "rigid.html")) as tab:
        assert tab.value("document.querySelector('.magnifier')") is None
        assert tab.complaints() == []
