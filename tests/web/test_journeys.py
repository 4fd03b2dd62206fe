"""Journeys through the studio, as a user makes them: a crank-rocker, and a broken model."""

import shutil
import subprocess
import sys

import pytest
from tests.web.studio_page import StudioPage, opened

from pliant.model.files.examples import examples

pytestmark = pytest.mark.slow

EDITOR = "document.querySelector('.text-view').shadowRoot"
LINES = f"{EDITOR}.querySelectorAll('.cm-line')"
FLOWS = "[...document.querySelectorAll('[data-kind=bond] .flow')]"
LIT = "(l => l.className.includes('cm-selected-element'))"
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
CURED = ("l: 300 mm", "rod: {mass: 1 kg, length: l}", "push: {force: [1 N, 0, 0], at: rod.tip}")
"""Lines with faults as they should be, in the order of the faults."""


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
        run_as_the_file_says(page)
        numbers_are_those_of_the_command_line(page, path, tmp_path)


def look_at_the_coupler(page: StudioPage) -> None:
    """A click in 3-D lights up tree, text, both graphs and the equations."""
    page.preset("Model")
    pick_in_3d(page, "coupler")
    page.wait(
        "document.querySelector('[role=treeitem][data-name=coupler]')?.ariaSelected === 'true'"
    )
    assert selected(page) == ["coupler"]
    page.wait(f"[...{LINES}].some(l => l.textContent.includes('coupler:') && {LIT}(l))")
    page.picture("coupler")
    page.preset("Graph")
    page.wait("!!document.querySelector('[data-kind=bond] .lit[data-name=coupler]')")
    page.wait("!!document.querySelector('[data-kind=equations] math')")
    page.wait("!!document.querySelector('[data-kind=equations] .lit')")
    page.picture("graphs")


def unfold_its_box(page: StudioPage) -> None:
    """Folded it has ports only, unfolded all elements of this beam."""
    symbols = "[data-kind=bond] [data-name^='coupler.']"
    page.click("[data-kind=bond] [aria-label^='Fold all']")
    page.wait(f"document.querySelectorAll({symbols!r}).length < 8")
    folded = page.count(symbols)
    page.click("[data-kind=bond] .box[data-name=coupler] .fold")
    page.wait(f"document.querySelectorAll({symbols!r}).length > {folded + 8}")
    page.picture("unfolded")


def drag_the_height(page: StudioPage) -> None:
    """The run repeats while the slider moves, older curves fade; let go, it is a run."""
    page.preset("Results")
    page.tab.key("Enter", ctrl=True)
    page.wait("document.querySelectorAll('ul.runs > li').length === 1")
    page.wait("document.querySelector('[data-command=stop]').disabled")
    page.click("[data-pin=h]")
    page.click(".sliders input[type=range]")
    box = page.tab.box(".sliders input[type=range]")
    y = box["y"] + box["height"] / 2
    for end in (0.35, 0.7):
        before, runs = drafts(page), page.count("ul.runs > li")
        xs = [box["x"] + box["width"] * (end + 0.01 * (k % 20) - 0.1) for k in range(60)]
        for _ in range(10):  # a busy machine draws few of them in three seconds
            page.tab.drag([(x, y) for x in xs], pause=0.05)
            if drafts(page) > before + 5:
                break
        assert drafts(page) > before + 5
        page.wait(f"document.querySelectorAll('ul.runs > li').length > {runs}")
    page.picture("sliders")


def drafts(page: StudioPage) -> int:
    """How many were drawn."""
    return int(page.data("[data-drafts]", "drafts") or 0)


def compare_two_runs(page: StudioPage) -> None:
    """What differs is the height; current and deflection differ by that."""
    page.choose("select[aria-label='What is plotted']", "difference")
    page.wait("document.querySelectorAll('.compare tr').length > 3")
    assert page.texts(".compare dt") == ["h"]
    page.press("all 125 observables")
    page.wait(
        "[...document.querySelectorAll('.compare th')].some(t => t.textContent === 'current')"
    )
    assert "coupler.mid.deflection" in page.texts(".compare th")
    page.picture("compared")
    page.choose("select[aria-label='What is plotted']", "time")


def follow_the_power(page: StudioPage) -> None:
    """After a power audit bonds thicken with their power while time goes on."""
    page.click("[aria-label='What to run']")
    page.click(".drop label[data-analysis=audit]")
    page.click(".drop form button[type=submit]")
    page.wait("!!document.querySelector('.finding[data-analysis=audit]')")
    page.picture("audit")
    page.preset("Graph")
    page.wait(f"{FLOWS}.length > 10")
    widths = []
    for part in (0.2, 0.6):
        box = page.tab.box(".clock-bar input[type=range]")
        page.tab.press(box["x"] + part * box["width"], box["y"] + box["height"] / 2)
        page.tab.settle()
        widths.append(page.tab.value(f"{FLOWS}.map(e => getComputedStyle(e).strokeWidth)"))
    assert widths[0] != widths[1]
    page.picture("power")


def run_as_the_file_says(page: StudioPage) -> None:
    """Sliders go back to the file, then Ctrl+Enter."""
    page.preset("Results")
    runs = page.count("ul.runs > li")
    page.click(".sliders [aria-label^='Back to']")
    page.tab.key("Enter", ctrl=True)
    page.wait(f"document.querySelectorAll('ul.runs > li').length > {runs}")
    page.wait("document.querySelector('[data-command=stop]').disabled")


def numbers_are_those_of_the_command_line(page: StudioPage, path, folder) -> None:
    """What the page hands out as CSV is, to the last digit, what ``pliant run`` writes."""
    out, got = folder / "command.csv", folder / "downloads"
    got.mkdir()
    page.tab.browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(got))
    page.click("[aria-label=Export]")
    page.click("[data-export=csv]")
    page.wait("!!document.querySelector('.drop .command code')")
    assert page.texts(".drop .command code") == [f"pliant run {path.name} -o {path.stem}.csv"]
    command = [sys.executable, "-m", "pliant", "run", str(path), "-o", str(out), "--quiet"]
    subprocess.run(command, check=True)
    page.eventually(lambda: (got / f"{path.stem}.csv").is_file())
    assert (got / f"{path.stem}.csv").read_bytes() == out.read_bytes()


def test_a_broken_model(tmp_path):
    """Faults stand in the list, in the tree and in the text, each with its cure; with the last of
    them gone the model runs."""
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN)
    with opened(path, tmp_path) as page:
        page.preset("Text")
        page.wait("document.querySelector('.badge')?.textContent.includes('3')")
        page.click(".badge")
        page.wait("document.querySelectorAll('.fault-list li').length === 3")
        page.picture("broken")
        assert page.tab.value("document.querySelector('.run-button').disabled")
        assert page.texts(".fault-list h2") == ["3 faults"]
        assert all(page.texts(".fault-list .cure"))
        assert set(marked(page)) == {"parameters.l", "rod", "push"}
        assert page.tab.value(f"{EDITOR}.querySelectorAll('.cm-lintRange').length") >= 3
        page.click(".fault-list .fault")
        said = (("2 faults", "lenght"), ("2 faults", "no frame 'tp'"), ("0 faults", "no faults"))
        for right, (count, phrase) in zip(CURED, said, strict=True):
            if right != CURED[0]:
                page.tab.key("F8")
            page.tab.key("End")
            page.tab.key("Home", shift=True)
            page.tab.type(right)
            page.tab.key("Escape")
            listed = "document.querySelector('.fault-list').textContent"
            page.wait(f"[{count!r}, {phrase!r}].every(p => {listed}.includes(p))")
        page.picture("cured")
        page.tab.key("Enter", ctrl=True)
        page.preset("Results")
        page.wait("document.querySelectorAll('ul.runs > li').length === 1")
        page.tab.key("s", ctrl=True)
        page.eventually(lambda: "mm" in path.read_text())
        numbers_are_those_of_the_command_line(page, path, tmp_path)


def marked(page: StudioPage) -> list[str]:
    """Items of the tree that carry the sign of a fault."""
    found: list[str] = page.tab.value(
        "[...document.querySelectorAll('[role=treeitem] .mark')]"
        ".map(e => e.closest('[role=treeitem]').dataset.name).filter(n => n)"
    )
    return found
