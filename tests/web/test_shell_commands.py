"""Commands of the window on a real page, by keys and menus; the file says whether they did it."""

from pathlib import Path

import pytest
from tests.web.studio_page import StudioPage, opened

from pliant.model.files.text import parsed

pytestmark = pytest.mark.slow
MODEL = """\
pliant: 1
name: arms
parameters:
  l: 400 mm
  k: 20
ground:
  frames: {D: [1, 0, 0]}
bodies:
  arm: {rod: {length: l, mass: 1}}
  other: {rod: {length: l, mass: 2}}
joints:
  O: {revolute: {axis: z}, between: [ground, arm], initial: {angle: 0.2}}
  P: {revolute: {axis: z}, between: [ground.D, other]}
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: 6}
      winding: {R: 2, on: mesh}
"""
TEXT = "document.querySelector('.text-view').shadowRoot.querySelector('.cm-content').textContent"
LABEL = "document.querySelector('dialog.palette[open]')?.getAttribute('aria-label') ?? ''"


class Hands:
    """Mouse and keys on the tree, and what the text of the file says then."""

    def __init__(self, page: StudioPage) -> None:
        self.page, self.tab = page, page.tab

    def row(self, name: str) -> str:
        return f'[role=treeitem][data-name="{name}"]'

    def select(self, *names: str) -> None:
        """Rows of the tree, the second and further ones with Ctrl."""
        for k, name in enumerate(names):
            self.page.wait(f"!!document.querySelector({self.row(name)!r})")
            box = self.tab.box(self.row(name))
            at = {"x": box["x"] + 40, "y": box["y"] + box["height"] / 2, "modifiers": 2 * (k > 0)}
            for kind in ("mousePressed", "mouseReleased"):
                self.tab.send("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1,
                              **at)  # fmt: skip
            self.page.wait(f"!!document.querySelector({self.row(name) + '.selected'!r})")

    def unfold(self, name: str) -> None:
        self.select(name)
        self.tab.key("ArrowRight")

    def says(self, text: str) -> None:
        """Until the text of the file has these words."""
        self.page.wait(f"{TEXT}.includes({text!r})")

    def says_not(self, text: str) -> None:
        self.page.wait(f"!{TEXT}.includes({text!r})")

    def answer(self, words: str, text: str) -> None:
        """To a question in which these words are."""
        self.page.wait(f"({LABEL}).includes({words!r})")
        self.tab.value("document.activeElement.select()")
        self.tab.type(text)
        self.tab.key("Enter", "\r")

    def do(self, title: str) -> None:
        self.tab.key("k", ctrl=True)
        self.answer("Find or do", title)

    def entry(self, name: str) -> None:
        """Of the menu that is open."""
        self.page.click(f"[role=menuitem][data-entry={name}]")


def copies(hands: Hands) -> None:
    """Two parameters copied and pasted, one cut and pasted, an element of a network made twice."""
    tab = hands.tab
    hands.select("parameters.l", "parameters.k")
    tab.key("c", ctrl=True)
    hands.page.wait("document.querySelector('#said').textContent.startsWith('Copied')")
    tab.key("v", ctrl=True, commands=("paste",))
    hands.says("k_2: 20")
    hands.says("l_2: 400 mm")
    hands.select("parameters.k_2")
    tab.key("x", ctrl=True)
    hands.says_not("k_2")
    tab.key("v", ctrl=True, commands=("paste",))
    hands.says("k_2: 20")
    hands.unfold("drive")
    hands.select("drive.winding")
    tab.key("d", ctrl=True)
    hands.says("winding_2:")
    hands.page.picture("copies")


def kinds(hands: Hands) -> None:
    """Another kind of joint; a bond by its key; a value where it stands; a section's own sign."""
    hands.select("P")
    hands.do("Change its kind")
    hands.answer("Which kind shall P be", "prismatic")
    hands.says("prismatic")
    hands.select("drive.supply")
    hands.tab.key("b", "b")
    hands.answer("Bond from supply", "mesh")
    hands.says("on: mesh")
    hands.select("parameters.k")
    hands.tab.key("Enter", "\r")
    hands.page.wait("document.activeElement.matches('.tree input.typed')")
    hands.tab.value("document.activeElement.select()")
    hands.tab.type("30")
    hands.tab.key("Enter", "\r")
    hands.says("k: 30")
    box = hands.tab.box("[role=treeitem][data-key=parameters]")
    hands.tab.hover(box["x"] + 40, box["y"] + 8)
    hands.page.picture("section")
    hands.page.click("[role=treeitem][data-key=parameters] .add")
    hands.answer("Add to parameters", "parameter")
    hands.answer("its name", "m")
    hands.answer("m: its value", "3 kg")
    hands.says("m: 3 kg")


def ground(hands: Hands) -> None:
    """A frame of the ground is moved, and another one added, in the tree alone."""
    hands.unfold("ground")
    hands.select("ground.D")
    hands.tab.key("Enter", "\r")
    hands.page.wait("document.activeElement.matches('.tree input.typed')")
    hands.tab.value("document.activeElement.select()")
    hands.tab.type("[2, 0, 0]")
    hands.tab.key("Enter", "\r")
    hands.says("D: [2, 0, 0]")
    hands.select("ground")
    hands.tab.key("ContextMenu")
    hands.page.picture("ground")
    hands.entry("frame")
    hands.answer("Frame of ground: its name", "E")
    hands.answer("ground.E: its place", "[0, l, 0]")
    hands.says("E: [0, l, 0]")


def history(hands: Hands) -> None:
    """The third entry takes back three changes."""
    for name in ("one", "two", "six"):
        hands.do("Define a parameter")
        hands.answer("Parameter: its name", name)
        hands.answer(f"{name}: its value", "1")
        hands.says(f"{name}: 1")
    hands.page.click("button[aria-label=History]")
    hands.page.wait("!!document.querySelector('[data-entry=undo-3]')")
    hands.page.picture("history")
    hands.entry("undo-3")
    hands.says_not("one: 1")
    hands.says_not("six: 1")


def sliders(hands: Hands) -> None:
    """A slider is pinned in the tree, given a limit, and another one taken away again."""
    tab, page = hands.tab, hands.page
    hands.select("parameters.l")
    tab.key("p", "p")
    hands.says("l: [200 mm, 800 mm]")
    page.wait("!!document.querySelector('.slider[data-key=l]')")
    limit = ".slider[data-key=l] [aria-label='Largest value of l']"
    page.click(limit)
    tab.value("document.activeElement.select()")
    tab.type("900")
    tab.key("Enter", "\r")
    hands.says("l: [200 mm, 900 mm]")
    page.picture("slider")
    hands.select("parameters.k")
    tab.key("p", "p")
    hands.says("k: [15, 60]")
    page.wait("document.querySelectorAll('.slider').length === 2")
    hands.select("parameters.k")
    tab.key("p", "p")
    hands.says_not("k: [15, 60]")
    page.wait("document.querySelectorAll('.slider').length === 1")


def run(hands: Hands) -> None:
    """Without an end the run asks for it; it is in the file then."""
    page, tab = hands.page, hands.tab
    page.wait("document.querySelector('.badge')?.getAttribute('aria-label') === '0 faults'")
    tab.key("Enter", "\r", ctrl=True)
    page.wait("document.querySelector('dialog.question[open]')?.textContent.includes('Until when')")
    page.picture("until")
    tab.value("document.activeElement.select()")
    tab.type("50 ms")
    tab.key("Enter", "\r")
    hands.says("t_end: 50 ms")
    page.wait("!document.querySelector('.clock-bar .idle')")
    hands.do("Keep these plots")
    hands.says("plots:")


def test_commands_change_the_file(tmp_path):
    model: Path = tmp_path / "arms.yaml"
    model.write_text(MODEL, encoding="utf-8")
    with opened(model, tmp_path) as page:
        allowed = ["clipboardReadWrite", "clipboardSanitizedWrite"]
        page.tab.browser.send("Browser.grantPermissions", permissions=allowed)
        hands = Hands(page)
        copies(hands)
        kinds(hands)
        ground(hands)
        history(hands)
        sliders(hands)
        run(hands)
        page.tab.key("s", ctrl=True)
        page.eventually(lambda: "50 ms" in model.read_text(encoding="utf-8"))
    data = parsed(model.read_text(encoding="utf-8"), "yaml").data
    assert data["parameters"] == {"l": "400 mm", "k": 30, "l_2": "400 mm", "k_2": 20, "m": "3 kg"}
    assert data["ground"] == {"frames": {"D": [2, 0, 0], "E": [0, "l", 0]}}
    assert data["joints"]["P"] == {"prismatic": {"axis": "z"}, "between": ["ground.D", "other"]}
    elements = data["networks"]["drive"]["elements"]
    assert elements["winding_2"] == elements["winding"] == {"R": 2, "on": "mesh"}
    assert elements["supply"] == {"Se": 6, "on": "mesh"}
    assert data["simulate"] == {"t_end": "50 ms"}
    assert data["view"]["controls"] == {"l": ["200 mm", "900 mm"]}
    assert data["view"]["plots"][0] == ["O.angle"]
