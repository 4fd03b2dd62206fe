"""A journey: many runs from the sliders, a look into them, back to the sliders; one is stopped."""

import json
import re
import shlex

import pytest
from tests.web.studio_page import StudioPage, opened

from pliant.cli import main

pytestmark = pytest.mark.slow

MODEL = """\
pliant: 1
name: pendulum
parameters: {l: 500 mm, w: 1 rad/s}
gravity: [0, -9.81, 0]
bodies: {bob: {rod: {mass: 1 kg, length: l}}}
joints: {O: {revolute: {axis: z}, between: [ground, bob], initial: {angle: -90 deg, angle_rate: w}}}
simulate: {t_end: 0.5 s, every: 10 ms}
view:
  controls: {l: [400 mm, 1000 mm], w: [0.5 rad/s, 2.5 rad/s]}
  plots: [[O.angle]]
"""
SWEEP = ".finding[data-analysis=sweep]"


def test_a_sweep_from_the_sliders(tmp_path, monkeypatch, capsys):
    model = tmp_path / "pendulum.yaml"
    model.write_text(MODEL, encoding="utf-8")
    with opened(model, tmp_path) as page:
        page.preset("Results")
        ask_for_both(page)
        command = look_into_it(page)
        choose_a_run(page)
        stop_a_long_one(page)
        ask_for_none(page)
    monkeypatch.chdir(tmp_path)
    assert main([*shlex.split(command)[1:], "--quiet"]) == 0
    text = (tmp_path / "pendulum.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', text, re.S)[1])
    assert (data["total"], [c["name"] for c in data["columns"][:2]]) == (20, ["l", "w"])


def fill(page: StudioPage, selector: str, text: str) -> None:
    """Type into a field in the place of what it holds."""
    page.click(selector)
    page.tab.key("a", ctrl=True, commands=("selectAll",))
    page.tab.type(text + "\n" * (selector.find("sweep") < 0))
    page.tab.value("document.activeElement.blur()")


def ask_for_both(page: StudioPage) -> None:
    """5 lengths, 4 speeds."""
    page.click(".sweep-form summary")
    page.wait("document.querySelector('.sweep-observe input').value === 'O.angle'")
    page.click("[data-sweep=w]")
    page.wait("document.querySelectorAll('.sweep-row input:enabled[type=number]').length === 2")
    for name, count in (("l", "5"), ("w", "4")):
        page.tab.value(f"document.querySelector('[aria-label=\"Values of {name}\"]').select()")
        page.tab.type(count)
        page.tab.value("document.activeElement.blur()")
    page.wait("document.querySelector('.sweep-foot').textContent.includes('20 runs')")
    page.picture("form")
    page.click(".sweep-form button[type=submit]")


def look_into_it(page: StudioPage) -> str:
    """Cells over both sliders in their units; a part of an axis; the command that does the same."""
    page.wait(f"!!document.querySelector('{SWEEP} .run-cell')")
    assert page.data(SWEEP, "state") == "done"
    page.wait(f"document.querySelector('{SWEEP} .count').textContent === '20 of 20 runs'")
    assert page.texts(f"{SWEEP} .axis-unit")[:2] == ["mm", "rad/s"]
    box = page.tab.box(f"{SWEEP} .axis[data-axis=l] .spine")
    x = box["x"] + box["width"] / 2
    top, bottom = box["y"] + 1, box["y"] + 0.4 * box["height"]
    page.tab.drag([(x, top), (x, (top + bottom) / 2), (x, bottom)])
    page.wait(f"document.querySelector('{SWEEP} .count').textContent === '8 of 20 runs'")
    page.picture("taken")
    page.tab.value(f"[...document.querySelectorAll('{SWEEP} .taken button')][0].click()")
    (line,) = page.texts(f"{SWEEP} .command code")
    assert line == ("pliant sweep pendulum.yaml --vary 'l=400 mm..1000 mm:5' --vary "
                    "'w=0.5 rad/s..2.5 rad/s:4' --observe O.angle -o pendulum.html")  # fmt: skip
    return str(line)


def choose_a_run(page: StudioPage) -> None:
    """The last cell is that of the longest and fastest: a click on it moves both sliders."""
    box = page.tab.box(f"{SWEEP} .map")
    page.tab.press(box["x"] + box["width"] - 30, box["y"] + 20)
    page.wait(f"document.querySelector('{SWEEP} .run-box input').value === '19'")
    page.wait("document.querySelector('[data-key=l] .number').value === '1000 mm'")
    assert page.tab.value("document.querySelector('[data-key=w] .number').value") == "2.5 rad/s"
    page.wait("document.querySelector('.results-view').dataset.drafts > 0")
    page.picture("chosen")


def stop_a_long_one(page: StudioPage) -> None:
    """What was computed until then is shown."""
    for name in ("l", "w"):
        page.tab.value(f"document.querySelector('[aria-label=\"Values of {name}\"]').select()")
        page.tab.type("100")
        page.tab.value("document.activeElement.blur()")
    page.wait("document.querySelector('.sweep-foot').textContent.includes('10000 runs')")
    page.click(".sweep-form button[type=submit]")
    page.wait("/sweeping [1-9]/.test(document.querySelector('.run-state').textContent)")
    page.click("[data-command=stop]")
    page.wait(f"document.querySelector('{SWEEP}').dataset.state === 'stopped'")
    left = "of 10000 runs are not computed yet"
    page.wait(f"document.querySelector('{SWEEP}').textContent.includes({left!r})")
    page.wait(f"!!document.querySelector('{SWEEP} .run-dot')")
    page.picture("stopped")


def ask_for_none(page: StudioPage) -> None:
    """An observable that is none is refused, with those like it."""
    page.tab.value("document.querySelector('.sweep-observe input').select()")
    page.tab.type("O.angel")
    page.click(".sweep-form button[type=submit]")
    page.wait(f"document.querySelector('{SWEEP}').dataset.state === 'failed'")
    assert "O.angle" in page.texts(f"{SWEEP} .failed")[0]
