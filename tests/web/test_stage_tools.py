"""Tools of the 3-D view: the list of bodies, directions, names, pictures and films; bond graphs in
its place."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from tests.web.browser import Browser, Tab
from tests.web.studio_page import opened

import pliant as pl

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = "[...document.querySelectorAll('.names span')].map(s => s.textContent)"
FOLDED = "[...document.querySelectorAll('.menu')].find(m => m.textContent.startsWith({!r}))"
SIDE = "document.querySelector(\"select[aria-label^='Direction']\")"
TIME = "Number(document.querySelector('.scrub').value)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def crank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = pl.load(EXAMPLES / "planar_slider_crank.yaml").simulate(t_end=0.2, every=5e-3)
    return result.report(tmp_path_factory.mktemp("pages") / "crank.html", title="A crank: 1/2")


@pytest.fixture
def tab(browser: Browser, crank: Path, tmp_path: Path) -> Iterator[Tab]:
    browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    with browser.open(crank, width=900, height=600) as opened:
        yield opened
        assert opened.complaints() == []  # no word, and no request beyond the file


def view(tab: Tab, path: Path) -> np.ndarray:
    box = tab.box("canvas")
    below = {**box, "y": box["y"] + 90, "height": box["height"] - 90, "width": box["width"] - 90}
    return np.asarray(imread(tab.screenshot(path, below)))[:, :, :3]


def of_the_rod(pixels: np.ndarray) -> np.ndarray:
    """Where the second body is: orange, as nothing else."""
    r, g, b = np.moveaxis(pixels, -1, 0)
    return (r > 0.35) & (r - b > 0.25) & (g - b > 0.08) & (g < 0.7 * r)


def orange(pixels: np.ndarray) -> int:
    return int(of_the_rod(pixels).sum())


def look_along(tab: Tab, side: str) -> None:
    tab.value(f"{SIDE}.value = {side!r}; {SIDE}.dispatchEvent(new Event('change'))")
    tab.settle()


def downloaded(folder: Path, name: str) -> bytes:
    deadline = time.monotonic() + 20
    while not (folder / name).exists() or not (folder / name).stat().st_size:
        assert time.monotonic() < deadline, [p.name for p in folder.iterdir()]
        time.sleep(0.05)
    return (folder / name).read_bytes()


def test_a_page_is_small(crank: Path) -> None:
    assert crank.stat().st_size < 1.5e6


def test_bodies_are_hidden_and_seen_through(tab: Tab, tmp_path: Path) -> None:
    look_along(tab, "z")
    whole = orange(view(tab, tmp_path / "whole.png"))
    assert whole > 500
    menu = FOLDED.format("Bodies")
    tab.value(f"{menu}.open = true")
    tab.wait(f"{menu}.querySelectorAll('.body').length === 3")
    tab.click("[aria-label='Show rod']")
    assert tab.value("document.querySelector(\"[aria-label='Show rod']\").ariaPressed") == "false"
    tab.value(f"{menu}.open = false")
    assert orange(view(tab, tmp_path / "hidden.png")) < 0.02 * whole
    tab.value(f"{menu}.open = true")
    tab.click("[aria-label='Show rod']")
    slider = "document.querySelector(\"[aria-label='Opacity of rod']\")"
    tab.value(f"{slider}.value = 0.3; {slider}.dispatchEvent(new Event('input'))")
    tab.value(f"{menu}.open = false")
    assert orange(view(tab, tmp_path / "pale.png")) < 0.5 * whole


def test_six_directions_and_how_rays_go(tab: Tab, tmp_path: Path) -> None:
    """From below what went down goes up; without gravity z is up."""
    options = f"[...{SIDE}.options].map(o => o.value)"
    assert tab.value(options) == ["free", "x", "-x", "y", "-y", "z", "-z"]
    pressed = "[...document.querySelectorAll('.toolbar > button')].find(b => b.textContent === "
    pressed += "'Perspective').ariaPressed"
    assert tab.value(pressed) == "true"
    slope = {}
    for side in ("z", "-z", "x"):
        look_along(tab, side)
        assert tab.value(pressed) == "false"
        rows, columns = np.nonzero(of_the_rod(view(tab, tmp_path / f"{side}.png")))
        slope[side] = np.polyfit(columns, rows, 1)[0]
    fall = 0.2 * np.sqrt(0.5)  # of a rod of 0.5 m whose crank stands at 45 degrees
    expected = fall / np.sqrt(0.25 - fall**2)
    assert slope["z"] == pytest.approx(expected, rel=0.03)
    assert slope["-z"] == pytest.approx(-expected, rel=0.03)
    assert slope["x"] == pytest.approx(0, abs=0.02)
    look_along(tab, "free")
    assert tab.value(pressed) == "true"


def test_names_are_written_on_demand(tab: Tab) -> None:
    assert tab.value(NAMES) == []
    menu = FOLDED.format("Names")
    box = f"[...{menu}.querySelectorAll('label')].find(l => l.textContent === {{!r}})"
    tab.value(f"{box.format('joints')}.click()")
    tab.settle()
    assert set(tab.value(NAMES)) == {"O", "A", "B", "S"}
    tab.value(f"{box.format('frames')}.click(); {box.format('joints')}.click()")
    tab.settle()
    assert {"crank.A", "rod.B"} <= set(tab.value(NAMES))


def test_a_picture_is_saved(tab: Tab, tmp_path: Path) -> None:
    look_along(tab, "z")
    tab.click("[aria-label='Save a picture']")
    (tmp_path / "saved.png").write_bytes(downloaded(tmp_path, "A_crank_1_2.png"))
    pixels = np.asarray(imread(tmp_path / "saved.png"))[:, :, :3]
    assert pixels.shape[1] >= tab.box("canvas")["width"] - 2
    assert orange(pixels) > 500


def test_a_film_is_recorded(tab: Tab, tmp_path: Path) -> None:
    """From the start to the end; the head of the file is that of Matroska."""
    tab.value("document.querySelector('.scrub').value = 0.1")
    speed = "document.querySelector('select[aria-label^=Speed]')"
    tab.value(f"{speed}.value = '0.2'; {speed}.dispatchEvent(new Event('change'))")
    tab.click("[aria-label='Record a film']")
    assert tab.value("document.querySelector('.record').ariaPressed") == "true"
    tab.wait("document.querySelector('.record').ariaPressed === 'false'")
    film = downloaded(tmp_path, "A_crank_1_2.webm")
    assert film[:4] == bytes.fromhex("1a45dfa3")
    assert len(film) > 2000
    assert tab.value(TIME) == pytest.approx(0.2)
    assert tab.value("document.querySelector(\"[aria-label='Play in a loop']\").ariaPressed") == (
        "true"
    )


CIRCUIT = """
pliant: 1
name: circuit
networks:
  net:
    domain: electrical
    elements:
      E: {Se: 12, on: top}
      R: {R: 4, on: top}
      L: {I: 0.5, on: top}
      top: {junction: 1}
"""
WIDTHS = "[...document.querySelectorAll('.flow')].map(f => Number(f.getAttribute('stroke-width')))"


@pytest.fixture(scope="module")
def circuit() -> pl.Result:
    system = pl.System.loads(CIRCUIT)
    return system.simulate(t_end=0.5, every=0.01)


def test_a_network_shows_its_bond_graph(
    browser: Browser, circuit: pl.Result, tmp_path: Path
) -> None:
    """RL circuit, i = E/R (1 - exp(-t R/L)): at the start nothing flows; in the end the source
    gives what the resistance takes, and bands are as wide as the root of the power."""
    page = circuit.report(tmp_path / "circuit.html")
    with browser.open(page, width=900, height=600) as tab:
        assert tab.value("document.querySelectorAll('.stage canvas').length") == 0
        assert tab.value("document.querySelectorAll('.graph-stage svg .bond').length") == 3
        assert tab.value(WIDTHS) == [0, 0, 0]
        tab.key("End")
        wide = sorted(tab.value(WIDTHS))
        i = 12 / 4 * (1 - np.exp(-0.5 * 4 / 0.5))
        powers = sorted([12 * i, 4 * i * i, 12 * i - 4 * i * i])
        root = np.sqrt(np.array(powers) / powers[-1])
        np.testing.assert_allclose(np.array(wide) / wide[-1], root, atol=2e-3)
        tab.screenshot(tmp_path / "page.png")
        assert tab.complaints() == []


def test_a_model_with_both_can_be_switched(browser: Browser, tmp_path: Path) -> None:
    result = pl.load(EXAMPLES / "motor_shaft.yaml").simulate(t_end=0.02, every=0.01)
    with browser.open(result.report(tmp_path / "both.html"), width=900, height=600) as tab:
        shown = "document.querySelector('.graph-stage').checkVisibility()"
        drawn = (
            "document.querySelector('.stage canvas').checkVisibility({visibilityProperty: true})"
        )
        assert (tab.value(shown), tab.value(drawn)) == (False, True)
        tab.click(".stage-choice button:nth-child(2)")
        assert (tab.value(shown), tab.value(drawn)) == (True, False)
        assert tab.value("document.querySelectorAll('.flow').length") > 5
        tab.click(".stage-choice button:nth-child(1)")
        assert (tab.value(shown), tab.value(drawn)) == (False, True)
        assert tab.complaints() == []


def test_the_studio_has_the_same_tools(tmp_path: Path) -> None:
    model = tmp_path / "crank.yaml"
    shutil.copy(EXAMPLES / "planar_slider_crank.yaml", model)
    with opened(model, tmp_path, width=1400, height=800) as page:
        page.wait("!!document.querySelector('.studio-stage .toolbar')")
        menu = FOLDED.format("Bodies")
        page.tab.value(f"{menu}.open = true")
        page.wait(f"{menu}.querySelectorAll('.body').length === 3")
        page.tab.settle()
        inside = f"{menu}.querySelector('.menu-list').getBoundingClientRect().right"
        edge = "document.querySelector('.studio-stage').getBoundingClientRect().right"
        page.wait(f"{inside} <= {edge}")
        names = FOLDED.format("Names")
        page.tab.value(f"{menu}.open = false; {names}.querySelector('input').click()")
        page.wait(f"{NAMES}.includes('rod')")
        for label in ("Save a picture", "Record a film", "Direction to look from"):
            tool = f".studio-stage [aria-label='{label}']"
            assert page.tab.value(f'!!document.querySelector("{tool}")')


def test_the_stage_of_the_studio_shows_a_network(tmp_path: Path) -> None:
    """Until a body is wanted."""
    model = tmp_path / "circuit.yaml"
    model.write_text(CIRCUIT)
    with opened(model, tmp_path, width=1400, height=800) as page:
        page.wait("!!document.querySelector('.studio-stage.with-graph .bond-view svg .symbol')")
        assert page.tab.value("document.querySelector('.stage-hint').hidden")
        page.click(".stage-tools [data-tool=add]")
        page.wait("!document.querySelector('.studio-stage .bond-view')")


TURNING = """
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  arm:
    beam: {length: 1, stiffness: {EIy: 200}, mass_per_length: 2}
    shapes: {bending_z: 1}
joints: {O: {revolute: {axis: y}, between: [ground, arm.root]}}
forces: {F: {torque: [0, 30, 0], at: arm.mid}}
simulate: {t_end: 0.5, every: 0.05}
"""


def test_the_studio_colours_beams_by_what_their_sections_pass_on(tmp_path: Path) -> None:
    """The largest bending moment of a run, which has a step of 30 N m that one shape cannot
    follow: the one that diagrams tell."""
    model = tmp_path / "arm.yaml"
    model.write_text(TURNING)
    result = pl.load(model).simulate()
    with opened(model, tmp_path, width=1400, height=800) as page:
        menu = "document.querySelector('.studio-stage .toolbar .colours')"
        page.wait(f"!!{menu}")
        page.tab.value(f"{menu}.value = 'moment'; {menu}.dispatchEvent(new Event('change'))")
        note = "document.querySelector('.studio-stage .arrow-note').textContent"
        assert "of the shapes" in page.tab.value(note)
        page.wait("!document.querySelector('.run-button').disabled")
        page.click(".run-button")
        page.wait(f"[...{menu}.options].map((o) => o.textContent).join().includes('Normal')")
        page.wait(f"{note}.startsWith('Bending moment: 0')")
        told = float(page.tab.value(note).split()[-2])
        page.picture("coloured")
    diagram = result.diagram("arm", at=result.time)
    assert told == pytest.approx(np.abs(diagram["My"]).max(), rel=0.03)
