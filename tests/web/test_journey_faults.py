"""A broken model is cured by buttons where there is one, in the list and in the form; it runs."""

import subprocess
import sys

import pytest
from tests.web.studio_page import StudioPage, opened

from pliant.model.files import load

pytestmark = pytest.mark.slow

EDITOR = "document.querySelector('.text-view').shadowRoot"
BROKEN = """\
pliant: 1
name: broken crank
gravity: [0, -9.81, 0]
parameters:
  r: 100 mm
  l: 300 furlong   # of the rod
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
  push: {force: [F, 0, 0], at: crank.B}   # pulls
simulate: {t_end: 0.1 s}
"""
WRITTEN = (
    BROKEN.replace("300 furlong", "300 mm")
    .replace("lenght", "length")
    .replace("crank.B", "crank.A")
    .replace("furlong   #", "mm   #")
    .replace("   # of the rod\n", "   # of the rod\n  F: 1 N\n")
)


def faults_left(page: StudioPage, count: int) -> None:
    page.wait(f"document.querySelectorAll('.fault-list .fault').length === {count}")


def marked(page: StudioPage) -> set[str]:
    """Items of the tree that carry the sign of a fault."""
    found: list[str] = page.tab.value(
        "[...document.querySelectorAll('[role=treeitem] .mark')]"
        ".map(e => e.closest('[role=treeitem]').dataset.name).filter(n => n)"
    )
    return {*found}


def test_a_broken_model_is_cured_by_buttons(tmp_path):
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN)
    with opened(path, tmp_path) as page:
        page.preset("Text")
        page.wait("document.querySelector('.badge')?.textContent.includes('4')")
        assert page.tab.value("document.querySelector('.run-button').disabled")
        page.wait(f"{EDITOR}.querySelectorAll('.cm-lintRange').length >= 3")
        assert marked(page) >= {"parameters.l", "rod", "push"}
        # F8 goes through the list; Enter does the first cure.
        page.tab.key("F8")
        faults_left(page, 4)
        page.wait("document.activeElement?.matches('.fault-list .fault')")
        page.picture("four_faults")
        in_the_form(page)
        by_enter(page)
        in_the_list(page)
        page.wait("document.querySelector('.badge')?.textContent.includes('0')")
        page.wait("!document.querySelector('.run-button').disabled")
        page.picture("cured")
        page.tab.key("s", ctrl=True)
        page.eventually(lambda: path.read_text() == WRITTEN)
    load(path).check()
    out = tmp_path / "out.csv"
    command = [sys.executable, "-m", "pliant", "run", str(path), "-o", str(out), "--quiet"]
    subprocess.run(command, check=True)
    assert out.stat().st_size > 100


def in_the_form(page: StudioPage) -> None:
    """The first fault has no button: its unit is typed anew, and checked meanwhile."""
    field = "[data-field=value] input"
    page.wait(f"!!document.querySelector({field!r})?.getAttribute('aria-describedby')")
    assert "unknown unit" in "".join(page.texts("[data-field=value] .complaints"))
    page.click(field)
    page.tab.key("a", ctrl=True)
    page.tab.type("300 mn")
    page.wait("document.querySelector('[data-field=value] .complaints')?.textContent"
              ".includes(\"'mn'\")")  # fmt: skip
    page.picture("checked_while_typing")
    page.tab.key("Escape")
    page.wait(f"document.querySelector({field!r}).value === '300 furlong'")
    page.tab.key("a", ctrl=True)
    page.tab.type("300 mm")
    page.tab.key("Enter")
    faults_left(page, 3)
    assert page.tab.value(f"document.activeElement === document.querySelector({field!r})")


def by_enter(page: StudioPage) -> None:
    """The next fault is cured by its first button."""
    page.tab.click(".fault-list h2")
    page.tab.key("F8")
    page.wait("document.querySelector('.fault-list .here')?.textContent.includes('lenght')")
    page.wait("document.activeElement?.matches('.fault-list .here .fault')")
    page.tab.key("Enter")
    faults_left(page, 2)


def in_the_list(page: StudioPage) -> None:
    """Buttons beside the faults: a name that is meant, a parameter that is missing."""
    assert "push" in marked(page)
    for label, left in (("Use crank.A", 1), ("Define F = 1 N", 0)):
        page.press(label)
        faults_left(page, left)
