"""A pendulum from nothing, with the mouse: the file that is left, and its run."""

import csv
import subprocess
import sys
import time

import numpy as np
import pytest
import yaml
from tests.web.studio_page import StudioPage, opened

from pliant.model.files.examples import examples

pytestmark = pytest.mark.slow

STAGE = "[data-kind=stage]"
KNOB = f"{STAGE} .joint-handle .knob"
WRITTEN = """\
pliant: 1
gravity: [0, -9.81, 0]
parameters: {L: 1 m}
bodies:
  bob: {rigid: {mass: 1 kg, com: [L, 0, 0]}, frames: {tip: [L, 0, 0]}}
joints:
  pivot: {revolute: {axis: z}, between: [ground, bob], initial: {angle: 180 deg}}
simulate: {t_end: 10 s}
"""


def test_a_pendulum_from_nothing(tmp_path):
    """In the dark theme; other journeys are made in the light one."""
    path = tmp_path / "models" / "pendulum.yaml"
    path.parent.mkdir()
    with opened(path, tmp_path, width=1200, height=760, dark=True) as page:
        begin_with_gravity_along_y(page)
        add_a_point_on_a_rod(page)
        call_its_length_L(page)
        hang_it_on_the_ground(page)
        call_the_joint_pivot(page)
        drag_the_arc_to_180_degrees(page)
        run_it(page)
        page.tab.key("s", ctrl=True)
        page.eventually(lambda: path.exists() and "t_end" in path.read_text())
    left, example = path.read_text(), yaml.safe_load(examples()["pendulum"].read_text())
    assert yaml.safe_load(left) == yaml.safe_load(WRITTEN)
    assert len(left.strip().splitlines()) <= 10
    assert the_mechanics_are_those_of(example, yaml.safe_load(left))
    both_run_alike(path, tmp_path)


def begin_with_gravity_along_y(page: StudioPage) -> None:
    page.wait("[...document.querySelectorAll('.start-card')].some(isIt)".replace("isIt", CARD))
    page.tab.value(f"[...document.querySelectorAll('.start-card')].find({CARD}).dataset.it = 'it'")
    page.click(".start-card[data-it=it]")
    page.wait(f"!!document.querySelector('{STAGE} .stage-hint:not([hidden])')")
    assert "Add a body" in page.texts(f"{STAGE} .stage-hint button")
    page.picture("empty")


CARD = "(b => b.textContent.startsWith('gravity-y'))"


def ring(page: StudioPage, name: str) -> tuple[float, float]:
    """Where a frame is on the screen."""
    found = f"document.querySelector('{STAGE} .ring[data-frame=\"{name}\"]')"
    page.wait(f"!!{found}")
    x, y = page.tab.value(
        f"(b => [b.x + b.width / 2, b.y + b.height / 2])({found}.getBoundingClientRect())"
    )
    return float(x), float(y)


def asked(page: StudioPage, title: str) -> None:
    """Until a tool asks for something."""
    shown = f"document.querySelector('{STAGE} .stage-prompt:not([hidden]) .title')?.textContent"
    page.wait(f"({shown} ?? '').toLowerCase().includes({title.lower()!r})")


def said(page: StudioPage, text: str) -> None:
    """Until the card beside the pointer says what will be made."""
    card = f"document.querySelector('{STAGE} .stage-card:not([hidden])')"
    page.wait(f"!!{card} && {card}.textContent.includes({text!r})")


def add_a_point_on_a_rod(page: StudioPage) -> None:
    """`A`, typed, then a click: the pointer is caught by the ground's own frame."""
    page.click(f"{STAGE} .stage-hint .first")
    asked(page, "add")
    page.tab.type("point on a rod")
    page.tab.key("Enter", "\r")
    asked(page, "where does the point on a rod begin")
    x, y = ring(page, "ground")
    page.tab.hover(x + 70, y - 40)
    said(page, "add point on a rod bob")
    page.picture("ghost")
    page.tab.hover(x + 3, y + 2)
    page.wait(f"!!document.querySelector('{STAGE} .ring.caught')")
    page.tab.press(x + 3, y + 2)
    page.wait("document.querySelector('[role=treeitem][data-name=bob]')?.ariaSelected === 'true'")


def type_into(page: StudioPage, field: str, text: str) -> None:
    """Another text in a field of the inspector."""
    page.click(f"#{field}")
    page.tab.value(f"document.getElementById({field!r}).select()")
    page.tab.type(text)
    page.tab.key("Enter", "\r")


def call_its_length_L(page: StudioPage) -> None:
    """A name that is not there yet is a fault with a cure to press."""
    type_into(page, "field-bodies-bob-rigid-com", "L")
    fix = "[...document.querySelectorAll('.inspector-view .fix')]"
    page.wait(f"{fix}.some(b => b.textContent.includes('Define L'))")
    page.picture("undefined")
    page.tab.value(f"{fix}.find(b => b.textContent.includes('Define L')).dataset.it = 'fix'")
    page.click(".inspector-view .fix[data-it=fix]")
    page.wait("!!document.querySelector('[role=treeitem][data-name=\"parameters.L\"]')")
    page.click("[role=treeitem][data-name=bob]")
    page.wait("document.getElementById('field-bodies-bob-rigid-com')?.value === 'L'")
    type_into(page, "field-bodies-bob-frames-tip", "L")
    page.wait("document.getElementById('field-bodies-bob-frames-tip')?.value === 'L'")


def hang_it_on_the_ground(page: StudioPage) -> None:
    """`J`, the ground, the body."""
    box = page.tab.box(f"{STAGE} canvas")
    page.tab.press(box["x"] + 30, box["y"] + box["height"] - 60)
    page.wait(f"document.activeElement === document.querySelector('{STAGE} canvas')")
    page.tab.key("j", "j")
    asked(page, "first frame")
    page.tab.press(*ring(page, "ground"))
    asked(page, "from ground to")
    (bx, by), (tx, ty) = ring(page, "bob"), ring(page, "bob.tip")
    middle = (bx + 0.4 * (tx - bx), by + 0.4 * (ty - by))
    page.tab.hover(*middle)
    said(page, "revolute")
    page.picture("joint")
    page.tab.press(*middle)
    page.wait(f"!!document.querySelector('{KNOB}')")


def call_the_joint_pivot(page: StudioPage) -> None:
    page.tab.key("F2")
    page.wait("document.activeElement?.matches('input') && document.activeElement.value === 'O'")
    page.tab.value("document.activeElement.select()")
    page.tab.type("pivot")
    page.tab.key("Enter", "\r")
    page.wait("document.querySelector('[role=treeitem][data-name=pivot]')?.ariaSelected === 'true'")
    page.wait(f"document.querySelector('{KNOB}')?.dataset.joint === 'pivot'")


def drag_the_arc_to_180_degrees(page: StudioPage) -> None:
    """Along its circle; Escape leaves everything as it was, letting go writes the file."""
    points = circle(page)
    drag(page, points[:9], let_go=False)
    page.tab.key("Escape")
    page.tab.send("Input.dispatchMouseEvent", type="mouseReleased", x=points[8][0],
                  y=points[8][1], button="left", clickCount=1)  # fmt: skip
    page.wait(f"document.querySelector('{KNOB}').getAttribute('aria-valuetext') === '0°'")
    assert "initial" not in text_of(page)
    drag(page, points[:17], let_go=False)
    page.wait(f"document.querySelector('{KNOB}').getAttribute('aria-valuetext') === '90°'")
    page.picture("dragged")
    for point in points[17:33]:
        move(page, point)
    page.wait(f"document.querySelector('{KNOB}').getAttribute('aria-valuetext') === '180°'")
    page.tab.send("Input.dispatchMouseEvent", type="mouseReleased", x=points[32][0],
                  y=points[32][1], button="left", clickCount=1)  # fmt: skip
    page.wait(f"({EDITOR}.textContent).includes('initial: {{angle: 180 deg}}')")


EDITOR = "document.querySelector('.text-view').shadowRoot.querySelector('.cm-content')"


def text_of(page: StudioPage) -> str:
    return str(page.tab.value(f"{EDITOR}.innerText"))


def circle(page: StudioPage) -> list[tuple[float, float]]:
    """The handle's circle on the screen, from where its angle is zero, in 64 parts."""
    path = page.tab.value(f"document.querySelector('{STAGE} .track').getAttribute('d')")
    box = page.tab.box(f"{STAGE} canvas")
    places = [part.split() for part in path.replace("M", "L").split("L") if part]
    return [(box["x"] + float(x), box["y"] + float(y)) for x, y in places]


def move(page: StudioPage, point: tuple[float, float]) -> None:
    page.tab.send("Input.dispatchMouseEvent", type="mouseMoved", x=point[0], y=point[1],
                  button="left", buttons=1)  # fmt: skip
    time.sleep(0.03)


def drag(page: StudioPage, points: list[tuple[float, float]], *, let_go: bool = True) -> None:
    x, y = points[0]
    page.tab.hover(x, y)
    page.tab.send("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left",
                  buttons=1, clickCount=1)  # fmt: skip
    for point in points[1:]:
        move(page, point)
    if let_go:
        page.tab.send("Input.dispatchMouseEvent", type="mouseReleased", x=points[-1][0],
                      y=points[-1][1], button="left", clickCount=1)  # fmt: skip


def run_it(page: StudioPage) -> None:
    """Ctrl+Enter asks once until when; it swings, and its angle is plotted."""
    page.tab.key("Enter", ctrl=True)
    page.wait("!!document.querySelector('dialog[open] input')")
    assert page.tab.value("document.querySelector('dialog[open] input').value") == "10 s"
    page.tab.key("Enter", "\r")
    page.wait("document.querySelector('[data-kind=results]').textContent.includes('run 1')")
    page.wait("document.querySelector('[data-kind=results]').textContent.includes('pivot.angle')")
    page.picture("swinging")


def the_mechanics_are_those_of(example: dict, left: dict) -> bool:
    """The same joint, gravity and body, its mass written as a number."""
    bob = left["bodies"]["bob"]
    numbers = {**bob, "rigid": {**bob["rigid"], "mass": "m"}}
    return (numbers == example["bodies"]["bob"] and left["joints"] == example["joints"]
            and left["gravity"] == example["gravity"]
            and left["parameters"]["L"] == example["parameters"]["L"])  # fmt: skip


def both_run_alike(path, folder) -> None:
    """The file that was drawn, one that was written by hand and the example."""
    by_hand = folder / "by_hand.yaml"
    by_hand.write_text(WRITTEN)
    tables = [angles(file, folder) for file in (path, by_hand)]
    assert np.array_equal(tables[0], tables[1])
    example = angles(examples()["pendulum"], folder, "--every", "0.1 s")
    drawn = angles(path, folder, "--every", "0.1 s", "--rtol", "1e-11")
    assert drawn == pytest.approx(example, abs=1e-6)


def angles(file, folder, *options: str) -> np.ndarray:
    out = folder / "angles.csv"
    command = [sys.executable, "-m", "pliant", "run", str(file), *options, "-o", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    with out.open(newline="") as table:
        rows = list(csv.DictReader(line for line in table if not line.startswith("#")))
    column = next(name for name in rows[0] if name.startswith("pivot.angle") and "rate" not in name)
    return np.array([float(row[column]) for row in rows])
