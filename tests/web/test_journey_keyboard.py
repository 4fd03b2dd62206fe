"""J5: the crank-rocker with its motor and flexible coupler, built from nothing by the keyboard."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.web.studio_page import StudioPage, opened

from pliant.model.files import load
from pliant.model.files.text import parsed

pytestmark = pytest.mark.slow
EXAMPLE = Path(__file__).parents[2] / "examples" / "crank_rocker.yaml"
FOCUS = "document.activeElement"
NAMELESS = """
[...document.querySelectorAll('button, input, select, [role=treeitem], [role=tab], summary')]
  .filter(e => e.getClientRects().length && !e.closest('[inert]'))
  .filter(e => !(e.getAttribute('aria-label') || e.title || e.textContent.trim()
    || e.labels?.length || e.getAttribute('aria-labelledby') || e.placeholder))
  .map(e => e.outerHTML.slice(0, 120))
"""


class Keys:
    """A user without a mouse."""

    def __init__(self, page: StudioPage) -> None:
        self.page, self.tab = page, page.tab

    def asked(self, words: str) -> None:
        """Until the list asks a question in which these words are."""
        label = "document.querySelector('dialog.palette[open]')?.getAttribute('aria-label')"
        self.page.wait(f"({label} ?? '').includes({words!r})")

    def answer(self, words: str, text: str) -> None:
        """Type the answer to a question."""
        self.asked(words)
        self.tab.value("document.activeElement.select()")  # what is proposed is typed over
        self.tab.type(text)
        self.tab.key("Enter", "\r")

    def do(self, title: str) -> None:
        """A command by its name."""
        self.tab.key("k", ctrl=True)
        self.answer("Find or do", title)

    def settled(self, text: str) -> None:
        """Until the text of the file has these words, and was checked."""
        shown = "document.querySelector('.text-view').shadowRoot.querySelector('.cm-content')"
        self.page.wait(f"{shown}.textContent.includes({text!r})")

    def row(self, name: str) -> None:
        """Find an element by its name, which selects it."""
        self.tab.key("k", ctrl=True)
        self.asked("Find or do")
        self.tab.type(name)
        self.page.wait(f"document.querySelector('#choice-0 .title')?.textContent === {name!r}")
        self.tab.key("Enter", "\r")
        self.page.wait(
            f"!!document.querySelector('[role=treeitem].selected[data-name=\"{name}\"]')"
        )

    def field(self, element: str, field: str, text: str) -> None:
        """A field of an element: which, then what."""
        self.row(element)
        self.do("Set a field")
        self.answer("Which field", field)
        self.answer(field, text)
        self.page.wait("!document.querySelector('dialog[open]')")

    def tab_to(self, selector: str) -> None:
        """Tab until the focus is there."""
        for _ in range(80):
            if self.tab.value(f"{FOCUS}.matches({selector!r})"):
                return
            self.tab.key("Tab", "\t")
        raise AssertionError(f"the focus does not come to {selector}")


PARAMETERS = {
    "a1": "102 mm", "a2": "610 mm", "a3": "406 mm", "a4": "559 mm", "J1": "0.00707",
    "Jm": "0.565", "J2": "0.042152", "J3": "0.01245", "E": "200 GPa", "h": "10 mm", "b": "15 mm",
    "heavier": "1", "kp": "0.678", "ra": "0.4", "La": "0.05", "d": "0.226", "V": "60",
}  # fmt: skip


def begin(keys: Keys) -> None:
    """The page to begin with: the template without anything."""
    keys.page.wait("!!document.querySelector('.start-card')")
    keys.tab_to("[data-start=empty]")
    keys.tab.key("Enter", "\r")
    keys.settled("pliant: 1")


def parameters(keys: Keys) -> None:
    for name, value in PARAMETERS.items():
        keys.do("Define a parameter")
        keys.answer("Parameter: its name", name)
        keys.answer(f"{name}: its value", value)
        keys.settled(f"{name}: {value}")


def bodies(keys: Keys) -> None:
    for kind, name in (("rigid", "crank"), ("beam", "coupler"), ("rigid", "rocker")):
        keys.tab.key("Escape")
        keys.do("Add…")
        keys.answer("Add", kind)
        keys.answer("its name", name)
        keys.settled(f"{name}:")
        keys.page.wait(f"!!{FOCUS}.closest('[data-form={name}]')")
    keys.field("crank", "rigid.inertia", "[J1, J1, J1]")
    for body, frame, place in (("ground", "D", "[a4, 0, 0]"), ("crank", "A", "[a1, 0, 0]"),
                               ("rocker", "C", "[a3, 0, 0]")):  # fmt: skip
        keys.do("Add a frame")
        keys.answer("Frame of which body", body)
        keys.answer("its name", frame)
        keys.answer("its place", place)
        keys.settled(f"{frame}: {place}")
    keys.field("coupler", "beam.length", "a2")
    keys.field("coupler", "beam.stiffness", "{EIz: E*b*h**3/12}")
    keys.field("coupler", "beam.mass_per_length", "12*J2/a2**3")
    keys.field("coupler", "beam.section", "leave it out")
    keys.field("coupler", "beam.material", "leave it out")
    keys.row("materials.steel")
    keys.tab.key("F6")
    keys.do("Remove")
    keys.field("coupler", "shapes", "{bending_y: 2}")
    keys.field("coupler", "floating_frame", "chord")
    keys.field("coupler", "rotary_inertia", "none")
    keys.field("coupler", "damping", "{modal: 0.01}")
    keys.field("rocker", "rigid.mass", "heavier*12*J3/a3**2")
    keys.field("rocker", "rigid.com", "[a3/2, 0, 0]")
    keys.field("rocker", "rigid.inertia", "[0, heavier*J3, heavier*J3]")


def joints(keys: Keys) -> None:
    for name, first, second in (("O", "ground", "crank"), ("A", "crank.A", "coupler.root"),
                                ("C", "coupler.tip", "rocker.C"), ("D", "ground.D", "rocker"),
                                ):  # fmt: skip
        keys.tab.key("Escape")
        keys.do("Joint…")
        keys.answer("from which frame", first)
        keys.answer("to which frame", second)
        keys.answer("which kind", "revolute")
        keys.answer("its name", name)
        keys.settled(f"between: [{first}, {second}]")
    keys.field("O", "initial", "{angle: 0, angle_rate: 0}")
    keys.field("A", "guess", "{angle: 0.73}")
    keys.field("C", "cut", "true")
    keys.field("D", "guess", "{angle: 1.57}")


def drive(keys: Keys) -> None:
    keys.do("Add…")
    keys.answer("Add", "network, electrical")
    keys.answer("its name", "drive")
    keys.settled("drive:")
    for kind, on, name in (("1-junction", "nothing yet", "mesh"), ("Se", "mesh", "supply"),
                           ("dc-motor", "mesh", "motor")):  # fmt: skip
        keys.tab.key("Escape")
        keys.row("drive")
        keys.do("Add…")
        keys.answer("Add", kind)
        keys.answer("on what", on)
        keys.answer("its name", name)
        keys.settled(f"{name}:")
    keys.tab.key("Escape")
    keys.field("drive.supply", "Se", "V")
    keys.field("drive.motor", "with", "{R: ra, L: La, k: kp, d: d, J: Jm}")
    keys.row("drive.motor")
    keys.do("Bond…")
    keys.answer("Bond from motor", "joint O")
    keys.settled("joint: O")
    keys.row("drive.O")
    keys.tab.key("F6")
    keys.do("Rename")
    keys.page.wait(f"{FOCUS}.matches('.tree input.typed')")
    keys.tab.type("axle")
    keys.tab.key("Enter", "\r")
    keys.settled("shaft: axle")
    keys.field("drive.axle", "coordinate", "angle")


def outputs(keys: Keys) -> None:
    keys.do("Add…")
    keys.answer("Add", "output")
    keys.answer("its name", "current")
    keys.settled("current:")
    keys.tab.key("Escape")
    keys.field("outputs.current", "value", "drive.motor.inductance.flow")
    for setting, value in (("t_end", "1 s"), ("every", "0.5 ms"), ("rtol", "1e-8"),
                           ("method", "dop853")):  # fmt: skip
        keys.do("Set a setting of the run")
        keys.answer("Which field", setting)
        keys.answer(setting, value)
        keys.settled(f"{setting}: ")
        keys.page.wait("!document.querySelector('dialog[open]')")


def mechanics(path: Path) -> dict:
    """What a file says, without what means nothing to the motion."""
    data = dict(parsed(path.read_text(encoding="utf-8"), "yaml").data)
    for key in ("name", "description", "view"):
        data.pop(key, None)
    data["bodies"]["crank"].pop("shape", None)
    return data


def around(keys: Keys) -> None:
    """F6 leads through all parts of the window and back; everything on the way has a name."""
    seen = []
    for _ in range(8):
        keys.tab.key("F6")
        part = f"{FOCUS}.closest('.side, .pane')?.getAttribute('aria-label')"
        seen.append(keys.tab.value(part))
    assert {"Tree", "3-D", "Text", "Inspector"} <= set(seen)
    assert seen[0] in seen[4:]
    assert keys.tab.value(NAMELESS) == []
    assert keys.page.count("[role=tree]") == 1
    assert keys.page.count("[role=treeitem][tabindex='0']") == 1
    assert keys.tab.value("document.querySelector('#said').getAttribute('aria-live')") == "polite"


def test_the_crank_rocker_is_built_by_the_keyboard_alone(tmp_path):
    model = tmp_path / "crank.yaml"
    with opened(model, tmp_path) as page:
        keys = Keys(page)
        begin(keys)
        parameters(keys)
        bodies(keys)
        joints(keys)
        drive(keys)
        outputs(keys)
        page.wait("document.querySelector('.badge')?.getAttribute('aria-label') === '0 faults'")
        said = page.tab.value("document.querySelector('#said').textContent")
        assert "dop853" in said
        around(keys)
        page.picture("built")
        keys.tab.key("s", ctrl=True)
        page.eventually(model.exists)
        keys.tab.key("F6")
        keys.do("Run")
        page.wait("document.querySelector('.run-list, .results-view')?.textContent.length > 0")
        page.wait("!document.querySelector('.clock-bar .idle')")
        page.picture("run")
    assert mechanics(model) == mechanics(EXAMPLE)
    assert load(model).check() is not None
    command = [sys.executable, "-m", "pliant", "verify", str(model), "--states", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
