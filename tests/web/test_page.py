"""The moving page in a real browser: it opens from a file, plays, scrubs, plots, explains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from tests.web.browser import Browser, Tab

import pliant as pl
from pliant.results.result import EventRecord, Result
from pliant.show.page.page import SCRIPT

EXAMPLES = Path(__file__).parents[2] / "examples"
CURVES = "document.querySelectorAll('.curve').length"
TIME = "Number(document.querySelector('.scrub').value)"
CURSOR = "Number(document.querySelector('.cursor').getAttribute('x1'))"


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    assert SCRIPT.is_file(), "the script of the page is not built; run: make page"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def crank() -> Result:
    return pl.load(EXAMPLES / "planar_slider_crank.yaml").simulate(every=5e-3)


@pytest.fixture(scope="module")
def page(crank: Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    plots = ["O.angle", "S.displacement"]
    return crank.report(tmp_path_factory.mktemp("pages") / "crank.html", plots=plots)


@pytest.fixture
def tab(browser: Browser, page: Path) -> Iterator[Tab]:
    with browser.open(page) as opened:
        yield opened
        assert opened.complaints() == []


def picture(tab: Tab, path: Path) -> np.ndarray:
    """The 3-D view below its tools, as numbers."""
    box = tab.box("canvas")
    below = {**box, "y": box["y"] + 50, "height": box["height"] - 50}
    return np.asarray(imread(tab.screenshot(path, below)))[:, :, :3]


def assert_shows_something(pixels: np.ndarray) -> None:
    colors = np.unique((pixels.reshape(-1, 3) * 255).astype(int), axis=0)
    vivid = np.ptp(pixels, axis=2) > 0.25
    assert len(colors) > 100
    assert vivid.mean() > 0.003, "no coloured body is to be seen"


def seek(tab: Tab, share: float) -> None:
    """Press on the slider."""
    box = tab.box(".scrub")
    tab.press(box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2)


@pytest.mark.parametrize("name", ["planar_slider_crank", "haug_slider_crank"])
def test_page_shows_the_mechanism_and_plays(browser: Browser, crank: Result, name: str,
                                            tmp_path: Path) -> None:  # fmt: skip
    result = crank
    if name != "planar_slider_crank":
        result = pl.load(EXAMPLES / f"{name}.yaml").simulate(t_end=1.0, every=0.01, rtol=1e-6)
    with browser.open(result.report(tmp_path / "out.html")) as tab:
        still = picture(tab, tmp_path / "still.png")
        assert_shows_something(still)
        tab.click(".play")
        tab.wait(f"{TIME} > 0.3")
        tab.click(".play")
        moved = picture(tab, tmp_path / "moved.png")
        assert_shows_something(moved)
        assert (np.abs(moved - still).max(axis=2) > 0.1).mean() > 0.005, "nothing moved"
        tab.screenshot(tmp_path / "page.png")
        assert tab.complaints() == []


def test_playing_goes_round_in_a_loop(tab: Tab) -> None:
    speed = "document.querySelector('select[aria-label^=Speed]')"
    tab.value(f"{speed}.value = '5'; {speed}.dispatchEvent(new Event('change'))")
    seek(tab, 0.9)
    tab.click(".play")
    tab.wait(f"{TIME} < 0.5")
    assert tab.value("document.querySelector('.play').ariaLabel") == "Pause"


def test_scrubbing_moves_the_cursor_of_the_plots(tab: Tab) -> None:
    before = tab.value(CURSOR)
    seek(tab, 0.5)
    assert tab.value(TIME) == pytest.approx(0.5, abs=0.02)
    assert tab.value(CURSOR) > before + 100
    assert tab.value("document.querySelector('.legend .value').textContent") != "0.7854"


def test_numbers_at_the_cursor_are_those_of_the_result(tab: Tab, crank: Result) -> None:
    for _ in range(3):
        tab.key("ArrowRight")
    assert tab.value(TIME) == pytest.approx(crank.time[3])
    shown = float(tab.value("document.querySelector('.legend .value').textContent"))
    assert shown == pytest.approx(crank.values("O.angle")[3], abs=5e-5)
    tab.key("End")
    shown = float(tab.value("document.querySelectorAll('.legend .value')[1].textContent"))
    assert shown == pytest.approx(crank.values("S.displacement")[-1], abs=5e-5)


def test_dragging_in_a_plot_scrubs(tab: Tab) -> None:
    box = tab.box(".chart")
    y = box["y"] + 60
    tab.press(box["x"] + 80, y, to=(box["x"] + box["width"] - 20, y))
    assert tab.value(TIME) > 0.9


def test_plots_zoom_and_return(tab: Tab) -> None:
    labels = "[...document.querySelectorAll('.chart text')].map(t => t.textContent).join()"
    whole = tab.value(labels)
    tab.click("[aria-label^='Zoom in']")
    assert tab.value(labels) != whole
    tab.click("[aria-label='Show the whole run']")
    assert tab.value(labels) == whole


def test_choosing_an_observable_adds_a_curve(tab: Tab) -> None:
    assert tab.value(CURVES) == 2
    tab.click(".bar .primary")
    tab.send("Input.insertText", text="rod.B pos")
    tab.wait("!!document.querySelector('[data-observable=\"rod.B.position.y\"]')")
    tab.click('[data-observable="rod.B.position.x"]')
    assert tab.value(CURVES) == 3
    assert tab.value("!!document.querySelector('.curve[data-name=\"rod.B.position.x\"]')")
    tab.click("[aria-label='Remove O.angle']")
    assert tab.value(CURVES) == 2


def test_keyboard_plays_and_steps(tab: Tab) -> None:
    tab.key(" ", " ")
    tab.wait(f"{TIME} > 0.05")
    tab.key(" ", " ")
    assert tab.value("document.querySelector('.play').ariaLabel") == "Play"
    tab.key("Home")
    assert tab.value(TIME) == 0


def test_bodies_are_named_on_hover_and_described_on_click(tab: Tab, tmp_path: Path) -> None:
    pixels = picture(tab, tmp_path / "view.png")
    blue = (pixels[:, :, 2] > 0.5) & (pixels[:, :, 0] < 0.3)  # the crank has the first colour
    rows, columns = np.nonzero(blue)
    box = tab.box("canvas")
    middle = np.argsort(rows + columns)[len(rows) // 2]
    x, y = float(box["x"] + columns[middle]), float(box["y"] + 50 + rows[middle])
    tab.hover(x, y)
    assert tab.value("document.querySelector('.tip').textContent") == "crank body"
    tab.press(x, y)
    told = tab.value("document.querySelector('.inspector').innerText")
    assert "crank" in told
    assert "1 kg" in told
    tab.key("Escape")
    assert tab.value("document.querySelector('.inspector').hidden") is True


def test_every_toggle_changes_the_picture(tab: Tab, tmp_path: Path) -> None:
    seek(tab, 0.9)
    before = picture(tab, tmp_path / "0.png")
    for k, label in enumerate(("Frames", "Joint axes", "Forces", "Reactions", "Grid")):
        index = tab.value(
            "[...document.querySelectorAll('.toolbar > button')]"
            f".findIndex(b => b.textContent === '{label}') + 1"
        )
        tab.click(f".toolbar > button:nth-of-type({index})")
        after = picture(tab, tmp_path / f"{k + 1}.png")
        assert np.abs(after - before).max() > 0.1, f"{label} shows nothing"
        before = after
    tab.value("document.querySelector('.menu-list input').parentElement.nextSibling.click()")
    after = picture(tab, tmp_path / "trail.png")
    assert np.abs(after - before).max() > 0.1, "a trail shows nothing"


def test_failure_warnings_and_events_are_shown(browser: Browser, crank: Result,
                                               tmp_path: Path) -> None:  # fmt: skip
    told = replace(crank, failure="the mechanism locked at t = 1 s", warnings=("one <b>", "two"),
                   events=(EventRecord("low", 0.5, "slider is low"),))  # fmt: skip
    with browser.open(told.report(tmp_path / "out.html")) as tab:
        text = tab.value("[...document.querySelectorAll('.banner')].map(b => b.innerText).join()")
        for part in ("stopped early", "locked at t = 1 s", "one <b>", "two"):
            assert part in text
        tab.click(".track .mark")
        assert tab.value(TIME) == 0.5
        assert tab.value("document.querySelectorAll('line.event').length") > 0
        assert tab.complaints() == []


def test_meshes_springs_and_single_samples_are_drawn(browser: Browser, tmp_path: Path) -> None:
    system = pl.System(
        gravity=[0, 0, -9.81],
        ground=pl.Ground(frames={"P": [0.5, 0, 0.4]}),
        bodies=[
            pl.RigidBody.cylinder("arm", 0.05, 0.5, mass=1, axis="x", com=[0.25, 0, 0],
                                  frames={"tip": [0.5, 0, 0]}),
            pl.RigidBody.sphere("ball", 0.04, mass=0.2, initial={"position": [0.5, 0, -0.3]}),
            pl.RigidBody("cube", 1, inertia=[0.01, 0.01, 0.01],
                         initial={"position": [0.2, -0.3, 0]}),
        ],
        joints=[pl.Revolute("pin", "ground", "arm", axis="y"),
                pl.Distance("string", "arm.tip", "ball", length=0.3)],
        forces=[pl.Spring("coil", "ground.P", "arm.tip", stiffness=100, free_length=0.3),
                pl.Bushing("rubber", "ground", "cube", stiffness={"translational": [9, 9, 9]})],
    )  # fmt: skip
    (tmp_path / "cube.obj").write_text(
        "v 0 0 0\nv 90 0 0\nv 0 90 0\nv 0 0 90\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    result = system.simulate(t_end=0.1, every=0.01, rtol=1e-6)
    meshes = {"cube": (tmp_path / "cube.obj", 0.001)}
    for shown in (result, result.sample(-1)):
        with browser.open(shown.report(tmp_path / "out.html", meshes=meshes)) as tab:
            pixels = picture(tab, tmp_path / "view.png")
            assert_shows_something(pixels)
            green = (pixels[:, :, 1] > pixels[:, :, 0] + 0.1) & (pixels[:, :, 1] > pixels[:, :, 2])
            assert green.sum() > 200, "the mesh, in the third colour, is not seen"
            tab.click(".play")
            tab.settle()
            assert tab.complaints() == []


def test_page_fits_a_phone_and_the_dark(browser: Browser, page: Path, tmp_path: Path) -> None:
    with browser.open(page, width=390, height=844, dark=True) as tab:
        assert tab.value("document.documentElement.scrollWidth") <= 390
        pixels = picture(tab, tmp_path / "phone.png")
        assert_shows_something(pixels)
        assert np.median(pixels) < 0.2
        assert tab.complaints() == []


def test_without_webgl_the_plots_still_work(page: Path, tmp_path: Path) -> None:
    with Browser(tmp_path / "profile", webgl=False) as plain, plain.open(page) as tab:
        assert "no WebGL" in tab.value("document.querySelector('.stage').innerText")
        seek(tab, 0.5)
        assert tab.value(TIME) == pytest.approx(0.5, abs=0.02)
        assert tab.value(CURVES) == 2
        assert tab.complaints() == []
