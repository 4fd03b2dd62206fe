"""J2: a DC motor drawn as a bond graph from nothing, run, made a part, and hung on a joint."""

import subprocess
import sys

import pytest
from tests.web.canvas import CANVAS, Canvas
from tests.web.studio_page import StudioPage, opened

from pliant.model.files.text import parsed

pytestmark = pytest.mark.slow

BEGIN = """\
pliant: 1
name: motor
bodies:
  crank:
    rod: {mass: 1 kg, length: 0.1 m}
joints:
  O: {revolute: {axis: z}, between: [ground, crank]}
simulate: {t_end: 0.5 s}
"""
"""What the motor is hung on in the end; its network is drawn from nothing."""
DRAWN = """\
pliant: 1
name: motor
bodies:
  crank:
    rod: {mass: 1 kg, length: 0.1 m}
joints:
  O: {revolute: {axis: z}, between: [ground, crank]}
networks:
  drive:
    domain: electrical
    elements:
      motor: {part: motor, ports: {shaft: O}}
      O: {joint: O}
subgraphs:
  motor:
    domain: electrical
    elements:
      mesh: {junction: 1}
      V: {Se: 24 V, on: mesh}
      ra: {R: 0.4 ohm, on: mesh}
      La: {I: 50 mH, on: mesh}
      k: {GY: 0.1 N*m/A, from: mesh, to: shaft}
      shaft: {junction: 1, domain: rotation}
      d: {R: 1e-3 N*m*s/rad, on: shaft}
      J: {I: 1e-3 kg*m^2, on: shaft}
    ports: {shaft: shaft}
simulate: {t_end: 0.5 s}
"""
"""The same model as a person would write it."""


def test_a_dc_motor(tmp_path):
    path = tmp_path / "models" / "motor.yaml"
    path.parent.mkdir()
    path.write_text(BEGIN)
    with opened(path, tmp_path, width=1500, height=900) as page:
        canvas = Canvas(page)
        begin_a_network(page)
        draw_the_electrical_side(canvas)
        draw_the_shaft(canvas)
        two_sources_of_flow_cannot_be(canvas)
        run_and_plot_the_current(page)
        make_it_a_part(canvas)
        hang_it_on_the_joint(canvas)
        page.tab.key("s", ctrl=True)
        page.eventually(lambda: "joint: O" in path.read_text())
        assert model_of(path.read_text()) == model_of(DRAWN)
        runs_as_written(page, path, tmp_path)


def begin_a_network(page: StudioPage) -> None:
    page.preset("Graph")
    page.wait("document.querySelectorAll('[data-kind=bond] .where option').length > 1")
    page.choose("[data-kind=bond] .where", "+")
    page.wait("document.activeElement.name === 'name'")
    page.tab.type("drive")
    page.choose(".new-network select", "electrical")
    page.tab.key("Enter", "\r")
    page.wait(f"!!document.querySelector('{CANVAS} .graph-canvas')")
    page.wait("document.activeElement.classList.contains('graph-canvas')")
    page.wait(f"!document.querySelector('{CANVAS} .graph-hint').hidden")
    page.wait(f"document.querySelectorAll('{CANVAS} [data-symbol]').length > 10")
    page.picture("empty")


def draw_the_electrical_side(canvas: Canvas) -> None:
    """A junction by typing; the others by dragging from it, values at once or upon the symbol."""
    canvas.tab.key("1", "1")
    canvas.take(":mesh")
    canvas.there("mesh")
    canvas.page.picture("junction")
    canvas.pull("mesh", -110, 0)
    canvas.page.wait(f"!!document.querySelector('{CANVAS} .quick-list:not([hidden])')")
    canvas.page.picture("what_follows")
    canvas.take("Se:V 24 V")
    canvas.there("V")
    canvas.pull("mesh", 0, -90)
    canvas.take("R:ra")
    canvas.there("ra")
    canvas.write("0.4 ohm")
    canvas.page.wait(
        f"document.querySelector({canvas.symbol('ra')!r} + ' .value')?.textContent === '0.4 ohm'"
    )
    canvas.pull("mesh", 0, 90)
    canvas.take("I:La 50 mH")
    canvas.there("La")
    canvas.pull("mesh", 110, 0)
    canvas.take("GY:k 0.1 N*m/A")
    canvas.there("k")
    assert canvas.value("V") == "24 V"
    assert strokes(canvas) >= 3


def strokes(canvas: Canvas) -> int:
    """Bonds with a causal stroke."""
    return int(canvas.tab.value(
        f"[...document.querySelectorAll('{CANVAS} .bond .stroke')]"
        ".filter(e => e.getAttribute('d')).length"
    ))  # fmt: skip


def draw_the_shaft(canvas: Canvas) -> None:
    """From the gyrator into the free: a junction of rotation, and what is on it."""
    canvas.pull("k", 90, 0)
    canvas.take("1:shaft")
    canvas.there("shaft")
    canvas.pull("shaft", 0, -90)
    canvas.take("R:d 1e-3 N*m*s/rad")
    canvas.there("d")
    canvas.pull("shaft", 0, 90)
    canvas.take("I:J 1e-3 kg*m^2")
    canvas.there("J")
    canvas.page.picture("motor")
    assert strokes(canvas) == 7


def two_sources_of_flow_cannot_be(canvas: Canvas) -> None:
    """Both turn red, with a sign and words; undone, they are gone."""
    canvas.tab.key("f", "f")
    for name, dx in (("a", -60), ("b", 60)):
        canvas.pull("shaft", dx, 50)
        canvas.take(f"Sf:{name} 1 rad/s")
        canvas.there(name)
    conflicts = f"{CANVAS} .symbol.conflict"
    canvas.page.wait(f"document.querySelectorAll('{conflicts}').length >= 2")
    canvas.page.picture("conflict")
    names = canvas.tab.value(
        f"[...document.querySelectorAll('{conflicts}')].map(e => e.dataset.name)"
    )
    assert {"drive.a", "drive.b"} <= set(names)
    assert "conflict" in canvas.tab.value(f"document.querySelector('{conflicts}').textContent")
    (words,) = canvas.page.texts(f"{CANVAS} .graph-conflicts li")
    assert "drive.a" in words
    assert "drive.b" in words
    for name in "ba":
        canvas.tab.key("z", ctrl=True)
        canvas.page.wait(f"!document.querySelector({canvas.symbol(name)!r})")
    canvas.page.wait(f"document.querySelectorAll('{conflicts}').length === 0")


def run_and_plot_the_current(page: StudioPage) -> None:
    page.preset("Results")
    page.tab.key("Enter", ctrl=True)
    page.wait("document.querySelectorAll('ul.runs > li').length === 1")
    page.wait("document.querySelector('[data-command=stop]').disabled")
    page.click(".results-bar .choose")
    page.wait("!!document.querySelector('.picker input')")
    page.tab.type("La.flow")
    page.click("[data-observable='drive.La.flow']")
    page.wait("[...document.querySelectorAll('.plot .name')]"
              ".some(e => e.title === 'drive.La.flow')")  # fmt: skip
    page.picture("current")


def make_it_a_part(canvas: Canvas) -> None:
    """Everything selected and grouped; which junction has a port is asked."""
    page = canvas.page
    page.preset("Graph")
    page.wait("document.querySelectorAll('[data-kind=bond] .where option').length > 2")
    if not page.count(CANVAS + " .graph-canvas"):
        page.choose("[data-kind=bond] .where", "drive")
    canvas.there("mesh", "J")
    canvas.tab.click(f"{canvas.symbol('mesh')} .back")
    canvas.tab.key("a", ctrl=True)
    page.wait(f"document.querySelectorAll('{CANVAS} .symbol.lit').length === 8")
    canvas.tab.key("g", "g")
    page.wait("document.activeElement.classList.contains('in-place')")
    canvas.tab.type("motor")
    canvas.tab.key("Enter", "\r")
    page.press("Port shaft")
    page.wait(f"!!document.querySelector('{CANVAS} .port[data-name=\"drive.motor.shaft\"]')")
    page.picture("part")


def hang_it_on_the_joint(canvas: Canvas) -> None:
    """Its port is led out of the canvas, onto the joint in the 3-D view."""
    page = canvas.page
    page.wait(f"!document.querySelector('{CANVAS} .graph-canvas.moving')")
    canvas.tab.key("f", "f")
    page.wait(f"!document.querySelector('{CANVAS} .graph-canvas.moving')")
    x, y, _, _ = canvas.box(f'{CANVAS} .port[data-name="drive.motor.shaft"] .dot')
    canvas.drag((x, y), seen_in_3d(page, "O"))
    page.wait(f"!!document.querySelector({canvas.symbol('O')!r})")
    canvas.there("O")
    page.picture("hung")


def seen_in_3d(page: StudioPage, name: str) -> tuple[float, float]:
    """A place of the window where the 3-D view has an element: where the pointer says its name."""
    page.wait("!!document.querySelector('.studio-stage canvas')?.clientWidth")
    box = page.tab.box(".studio-stage canvas")
    for k in range(1, 60):
        for m in range(1, 60):
            x, y = box["x"] + box["width"] * k / 60, box["y"] + box["height"] * m / 60
            page.tab.hover(x, y)
            if page.tab.value("document.querySelector('.studio-stage .tip:not([hidden])')"
                              "?.textContent?.split(' ')[0]") == name:  # fmt: skip
                return x, y
    raise AssertionError(f"{name} is nowhere to be seen")


def model_of(text: str) -> dict:
    """What a file says, but for how it is drawn."""
    data = dict(parsed(text, "yaml").data)
    data.pop("view", None)
    return data


def runs_as_written(page: StudioPage, path, folder) -> None:
    """The command line computes the same from the drawn file and from the written one."""
    written = folder / "written.yaml"
    written.write_text(DRAWN)
    found = []
    for model in (path, written):
        out = folder / f"{model.stem}.csv"
        command = [sys.executable, "-m", "pliant", "run", str(model), "-o", str(out), "--quiet"]
        subprocess.run(command, check=True)
        found.append(out.read_bytes())
    assert found[0] == found[1]
