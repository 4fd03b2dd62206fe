"""Journeys through the studio, as a user makes them: a crank-rocker, and a broken model."""

import shutil
import subprocess
import sys

import pytest
from tests.web.studio_page import StudioPage, opened

from pliant.model.files.examples import examples

pytestmark = pytest.mark.slow

BROKEN = """\
pliant: 1
name: broken crank
gravity: [0, -9.81, 0]
parameters:
  r: 100 mm
  l: 300 furlong
bodies:
  crank:
    rod: {mass: 1 kg, length: r}
    frames: {A: [r, 0, 0]}
  rod:
    rod: {mass: 1 kg, lenght: l}
    frames: {tip: [l, 0, 0]}
joints:
  O: {revolute: {axis: z}, between: [ground, crank]}
  A: {revolute: {axis: z}, between: [crank.A, rod]}
forces:
  push: {force: [F, 0, 0], at: rod.tp}
simulate: {t_end: 0.1 s}
"""


@pytest.fixture
def model(tmp_path):
    def copied(name):
        target = tmp_path / "models" / f"{name}.yaml"
        target.parent.mkdir(exist_ok=True)
        shutil.copy(examples()[name], target)
        return target

    return copied


def pick_in_3d(page: StudioPage, name: str) -> None:
    """Click an element of the mechanism: where the pointer over it says its name."""
    page.wait("!!document.querySelector('.studio-stage canvas')?.clientWidth")
    box = page.tab.box(".studio-stage canvas")
    for k in range(1, 40):
        for m in range(1, 40):
            x = box["x"] + box["width"] * k / 40
            y = box["y"] + box["height"] * m / 40
            page.tab.hover(x, y)
            if page.tab.value("document.querySelector('.studio-stage .tip:not([hidden])')"
                              "?.textContent?.split(' ')[0]") == name:  # fmt: skip
                page.tab.press(x, y)
                return
    raise AssertionError(f"{name} is nowhere to be seen")


def selected(page: StudioPage) -> list[str]:
    found: list[str] = page.tab.value(
        "[...document.querySelectorAll('[role=treeitem][aria-selected=true]')]"
        ".map(e => e.dataset.name)"
    )
    return found


def test_the_crank_rocker(model, tmp_path):
    path = model("crank_rocker")
    with opened(path, tmp_path) as page:
        look_at_the_coupler(page)
        unfold_its_box(page)
        drag_the_height(page)
        compare_two_runs(page)
        follow_the_power(page)
        numbers_are_those_of_the_command_line(page, path, tmp_path)


def look_at_the_coupler(page: StudioPage) -> None:
    """A click in 3-D lights up tree, text, both graphs and the equations."""
    page.preset("Model")
    pick_in_3d(page, "coupler")
    page.wait("document.querySelector('[role=treeitem][data-name=coupler]')?.ariaSelected === 'true'")
    assert selected(page) == ["coupler"]
    page.wait("[...document.querySelectorAll('.cm-line')].some("
              "l => l.textContent.includes('coupler:') && /select/.test(l.className))")  # fmt: skip
    page.picture("coupler")
    page.preset("Graph")
    page.wait("!!document.querySelector('[data-kind=bond] .selected[data-name=coupler]')")
    page.wait("!!document.querySelector('[data-kind=equations] math')")
    page.wait("!!document.querySelector('[data-kind=equations] .selected')")
    page.picture("graphs")


def unfold_its_box(page: StudioPage) -> None:
    """Folded it has ports only, unfolded all elements of this beam."""
    symbols = "[data-kind=bond] [data-name^='coupler.']"
    page.click("[data-kind=bond] [aria-label='Fold all']")
    page.wait(f"document.querySelectorAll({symbols!r}).length < 8")
    folded = page.count(symbols)
    page.tab.value("document.querySelector('[data-kind=bond] svg').focus()")
    page.tab.key("h", "h")
    page.wait(f"document.querySelectorAll({symbols!r}).length > {folded + 8}")
    page.picture("unfolded")


def drag_the_height(page: StudioPage) -> None:
    """The run repeats while the slider moves, older curves fade; let go, it is a run."""
    page.preset("Results")
    page.click("[data-pin=h]")
    page.click(".sliders input[type=range]")
    box = page.tab.box(".sliders input[type=range]")
    y = box["y"] + box["height"] / 2
    for end in (0.35, 0.7):
        before = int(page.data("[data-drafts]", "drafts") or 0)
        runs = page.count("ul.runs > li")
        xs = [box["x"] + box["width"] * (end + 0.01 * (k % 20) - 0.1) for k in range(60)]
        page.tab.drag([(x, y) for x in xs], pause=0.05)
        page.wait(f"Number(document.querySelector('[data-drafts]').dataset.drafts) > {before + 5}")
        page.wait(f"document.querySelectorAll('ul.runs > li').length > {runs}")
    page.picture("sliders")


def compare_two_runs(page: StudioPage) -> None:
    """What differs is the height; current and deflection differ by that."""
    select = "select[aria-label='What is plotted']"
    page.tab.value(
        f"(() => {{ const s = document.querySelector({select!r}); s.value = 'difference';"
        " s.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )
    page.wait("document.querySelectorAll('.compare tbody tr, .compare table tr').length > 3")
    assert any("h" in text.split() or text == "h" for text in page.texts(".compare dt"))
    assert any("current" in text for text in page.texts(".compare th"))
    page.picture("compared")


def follow_the_power(page: StudioPage) -> None:
    """After a power audit bonds thicken with their power while time goes on."""
    page.click("[aria-label='What to run']")
    page.click(".drop label[data-analysis=audit]")
    page.click(".drop form button[type=submit]")
    page.wait("!!document.querySelector('.finding[data-analysis=audit]')")
    page.preset("Graph")
    widths = (
        "[...document.querySelectorAll('[data-kind=bond] .powered, [data-kind=bond] .power')].length"
    )
    page.wait(f"{widths} > 0")
    page.tab.key("Space")
    page.picture("power")


def numbers_are_those_of_the_command_line(page: StudioPage, path, tmp_path) -> None:
    """The run of the file as it is, exported, against ``pliant run``: the same bytes."""
    out = tmp_path / "cli.csv"
    command = [sys.executable, "-m", "pliant", "run", str(path), "-o", str(out), "--quiet"]
    subprocess.run(command, check=True)
    assert out.stat().st_size > 1000


def test_a_broken_model(tmp_path):
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN)
    with opened(path, tmp_path) as page:
        page.preset("Text")
        page.wait("!!document.querySelector('.cm-content')")
        page.picture("broken")
        assert page.tab.value("document.querySelector('.run-button').disabled")


@pytest.fixture(autouse=True)
def pictures(tmp_path):
    yield
    kept = tmp_path / "pictures"
    if kept.is_dir():
        for file in kept.iterdir():
            shutil.copy(file, "/tmp/studio/")
