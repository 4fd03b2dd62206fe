"""The list of runs and what is made of it, with mouse and keys: a slider's value kept, the text of
an older run, references, x-y plots and spectra, files to download, a pane in its own window."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.web.browser import Tab
from tests.web.studio_page import StudioPage, opened

pytestmark = pytest.mark.slow
MODEL = """\
pliant: 1
name: two pendulums
gravity: [0, -9.81, 0]
parameters: {L: 1 m}   # of both
bodies:
  a: {rod: {mass: 1 kg, length: L}, frames: {tip: [L, 0, 0]}}
  b: {rod: {mass: 1 kg, length: L}}
joints:
  O: {revolute: {axis: z}, between: [ground, a], initial: {angle: 20 deg}}
  P: {revolute: {axis: z}, between: [a.tip, b]}
simulate: {t_end: 0.5 s, every: 5 ms, observe: [O.angle, P.angle]}
"""
TEXT = "document.querySelector('.text-view').shadowRoot.querySelector('.cm-content').textContent"
RUNS = "document.querySelectorAll('ul.runs > li').length"
CURVES = "document.querySelectorAll('.results-view .stack path.curve')"
EXPORTS = ("model json", "report", "nc", "plot svg", "graph bond svg", "graph linear dot",
           "equations latex", "source c")  # fmt: skip


def test_runs_and_what_is_made_of_them(tmp_path):
    path = tmp_path / "models" / "pendulums.yaml"
    path.parent.mkdir()
    path.write_text(MODEL)
    command = [sys.executable, "-m", "pliant", "run", str(path), "-o",
               str(path.parent / "measured.csv"), "--quiet"]  # fmt: skip
    subprocess.run(command, check=True)
    with opened(path, tmp_path, width=1300, height=900) as page:
        page.wait("!document.querySelector('.run-button').disabled")
        run(page, 1)
        keep_what_a_slider_says(page)
        run(page, 3)
        plots(page)
        the_text_as_it_was(page)
        a_reference(page)
        forget(page)
        downloads(page, tmp_path / "downloads")
        a_window_of_its_own(page)


def run(page: StudioPage, count: int) -> None:
    page.tab.key("Enter", ctrl=True)
    page.wait(f"{RUNS} === {count}")
    page.wait("document.querySelector('[data-command=stop]').disabled")


def keep_what_a_slider_says(page: StudioPage) -> None:
    """A key on the slider makes drafts and a run; *keep* writes the value, its comment stays."""
    page.preset("Model")
    page.click('[role=treeitem][data-name="parameters.L"]')
    page.tab.key("p", "p")
    slider = ".slider[data-key=L] input[type=range]"
    page.wait(f"!!document.querySelector({slider!r}) && {TEXT}.includes('controls: ')")
    page.tab.value(f"document.querySelector({slider!r}).focus()")
    page.tab.key("ArrowRight")
    page.wait(f"{RUNS} === 2")
    page.wait("document.querySelector('[data-command=stop]').disabled")
    assert page.tab.value(f"{TEXT}.includes('L: 1 m')")
    page.picture("moved")
    page.press("keep")
    page.wait(f"!{TEXT}.includes('parameters: {{L: 1 m}}')")
    page.wait(f"{TEXT}.includes('}}   # of both')")
    page.wait(
        "document.querySelector('.slider[data-key=L]').textContent.includes('as in the file')"
    )


def plots(page: StudioPage) -> None:
    """Over time, over each other, by frequency: curves of every kind."""
    page.preset("Results")
    drawn = {}
    for mode in ("time", "xy", "spectrum"):
        page.choose("select[aria-label='What is plotted']", mode)
        page.wait(f"{CURVES}.length > 0 && {CURVES}[0].getAttribute('d').length > 100")
        page.tab.settle()
        drawn[mode] = page.tab.value(f"{CURVES}[0].getAttribute('d')")
        page.picture(mode)
    assert len(set(drawn.values())) == 3
    page.choose("select[aria-label='What is plotted']", "time")
    assert page.count(".clock-bar .idle") == 0, "the run is shown, begun as it was after an edit"


def the_text_as_it_was(page: StudioPage) -> None:
    """That of the first run comes back as one change, which can be undone."""
    back = "li[data-run='1'] [aria-label='Open the text as it was for this run']"
    page.preset("Model")
    page.click(back)
    page.wait(f"{TEXT}.includes('parameters: {{L: 1 m}}   # of both')")
    page.tab.value("document.querySelector('[role=treeitem]').focus()")
    page.tab.key("z", ctrl=True)
    page.wait(f"!{TEXT}.includes('parameters: {{L: 1 m}}')")


def a_reference(page: StudioPage) -> None:
    """A file below the folder of the model; one that is not there is said."""
    page.preset("Results")
    page.click("details.reference summary")
    for name in ("nowhere.csv", "measured.csv"):
        page.click("details.reference input")
        page.tab.value("document.activeElement.select()")
        page.tab.type(name)
        page.tab.key("Enter", "\r")
        if name == "nowhere.csv":
            page.wait("document.querySelector('.banner')?.textContent.includes('nowhere.csv')")
            page.picture("nowhere")
    page.wait(f"{RUNS} === 4")
    page.picture("reference")


def forget(page: StudioPage) -> None:
    page.click("li[data-run='2'] [aria-label^=Forget]")
    page.wait(f"{RUNS} === 3 && !document.querySelector(\"li[data-run='2']\")")


def downloads(page: StudioPage, folder: Path) -> None:
    """Each comes as a file, and says the command line that writes it."""
    folder.mkdir()
    page.tab.browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    page.click("li[data-run='3'] .name")
    page.click("[aria-label=Export]")
    for kind in EXPORTS:
        page.wait(f"!document.querySelector('[data-export=\"{kind}\"]').disabled")
        page.click(f'[data-export="{kind}"]')
        page.eventually(lambda: len(finished(folder)) == 1)
        assert finished(folder)[0].stat().st_size > 100
        finished(folder)[0].unlink()
        said = page.texts(".drop .command code")[0]
        assert said.startswith(("pliant ", "python ")), said
    page.picture("exports")
    page.tab.key("Escape")


def finished(folder: Path) -> list[Path]:
    return [f for f in folder.iterdir() if not f.name.endswith(".crdownload")]


def a_window_of_its_own(page: StudioPage) -> None:
    """It shows one pane of the same document with the same selection."""
    send = page.tab.browser.send
    known = {t["targetId"] for t in send("Target.getTargets")["targetInfos"]}

    def news() -> list[str]:
        infos = send("Target.getTargets")["targetInfos"]
        return [t["targetId"] for t in infos if t["type"] == "page" and t["targetId"] not in known]

    page.preset("Model")
    page.click("[data-kind=stage] header")
    page.tab.key("k", ctrl=True)
    page.wait("document.activeElement.closest('dialog.palette[open]') !== null")
    page.tab.type("Pane in a window")
    page.wait("document.querySelector('#choice-0 .title')?.textContent.startsWith('Pane in')")
    page.tab.key("Enter", "\r")
    page.eventually(lambda: bool(news()))
    target = news()[0]
    session = send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    other = Tab(page.tab.browser, session, target)
    other.wait("document.getElementById('pliant')?.dataset.ready === 'true'")
    other.wait("document.querySelectorAll('.pane').length === 1")
    page.click("[role=treeitem][data-name=b]")
    other.wait("!!document.querySelector('[data-kind=stage] canvas')")
    other.screenshot(page.pictures / "window.png")
    send("Target.closeTarget", targetId=target)
