"""Gestures on the graphs with real mouse and keys, and the files they leave: networks, the graph of
the mechanism, the linear graph, and a studio that only looks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.canvas import CANVAS, Canvas
from tests.web.studio_page import StudioPage, opened

from pliant.model.files.text import parsed

pytestmark = pytest.mark.slow

CIRCUIT = """\
pliant: 1
name: circuit
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      V: {Se: 24 V, on: mesh}
      ra: {R: 0.4 ohm, on: mesh}
      motor: {part: coil, ports: {out: mesh}}
  other:
    domain: electrical
    elements:
      m: {junction: 1}
      V: {Se: 12 V, on: m}
      r: {R: 1 ohm, on: m}
  space:
    domain: translation
    elements:
      v: {junction: 1, dim: 3}
      m: {I: 2 kg, on: v}
      F: {Se: [1 N, 0 N, -19.62 N], on: v}
subgraphs:
  coil:
    domain: electrical
    elements:
      line: {junction: 1}
      La: {I: 50 mH, on: line}
      rc: {R: 1 ohm, on: line}
    ports: {out: line}
view:
  places:
    drive: {mesh: [0, 0], V: [-6, 0], ra: [0, -5], motor: [6, 0]}
simulate: {t_end: 0.5 s}
"""
ARM = """\
pliant: 1
name: arm
bodies:
  crank:
    rod: {mass: 1 kg, length: 0.1 m}
  arm:
    rod: {mass: 2 kg, length: 0.2 m}
joints:
  O: {revolute: {axis: z}, between: [ground, crank]}
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      V: {Se: 24 V, on: mesh}
      motor: {part: rotor, ports: {in: mesh}}
  brake:
    domain: rotation
    elements:
      shaft: {junction: 1}
      d: {R: 1e-3 N*m*s/rad, on: shaft}
      J: {I: 1e-3 kg*m^2, on: shaft}
subgraphs:
  rotor:
    domain: electrical
    elements:
      line: {junction: 1}
      ra: {R: 0.4 ohm, on: line}
      k: {GY: 0.1 N*m/A, from: line, to: shaft}
      shaft: {junction: 1, domain: rotation}
      d: {R: 1e-3 N*m*s/rad, on: shaft}
    ports: {in: line, shaft: shaft}
simulate: {t_end: 0.5 s, tree: absolute}
"""
GRAPH = "[data-kind=bond] .graph-pane"
LINEAR = "[data-kind=linear] .graph-pane"


class Drawn:
    """A studio with its file."""

    def __init__(self, page: StudioPage, path: Path) -> None:
        self.page, self.tab, self.path = page, page.tab, path

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = dict(parsed(self.path.read_text(), "yaml").data)
        return found

    def says(self, is_so: Callable[[dict[str, Any]], bool]) -> None:
        """What is done gets into the file."""

        def saved() -> bool:
            self.tab.key("s", ctrl=True)
            return is_so(self.data)

        self.page.eventually(saved)

    def elements(self, network: str, section: str = "networks") -> dict[str, Any]:
        found: dict[str, Any] = self.data[section][network]["elements"]
        return found

    def head(self, box: str, pane: str = GRAPH) -> tuple[float, float]:
        """Where a box is taken by its name."""
        at = self.tab.box(f'{pane} .box[data-name="{box}"] .back')
        return at["x"] + at["width"] / 2, at["y"] + 8

    def still(self, selector: str) -> None:
        """Until something is drawn and stands where it stood a moment ago."""
        self.page.wait(f"!!document.querySelector({selector!r})")
        before: list[dict[str, float]] = []

        def stands() -> bool:
            before.append(self.tab.box(selector))
            return len(before) > 5 and all(b == before[-1] for b in before[-5:])

        self.page.eventually(stands)

    def gone(self, selector: str) -> None:
        self.page.wait(f"!document.querySelector({selector!r})")


def begun(folder: Path, text: str) -> Path:
    path = folder / "models" / "model.yaml"
    path.parent.mkdir()
    path.write_text(text)
    return path


def test_networks(tmp_path):
    path = begun(tmp_path, CIRCUIT)
    with opened(path, tmp_path, width=1500, height=900) as page:
        drawn, canvas = Drawn(page, path), Canvas(page)
        page.preset("Graph")
        canvas.there("mesh", "ra")
        page.wait(f"document.querySelectorAll('{CANVAS} [data-symbol]').length > 10")
        several_are_moved(drawn, canvas)
        symbols_of_the_palette(drawn, canvas)
        twice_and_away(drawn, canvas)
        folded_and_opened(drawn, canvas)
        a_component_is_used_elsewhere(drawn, canvas)
        drawn_alone(drawn)
        taken_apart_and_tidied(drawn, canvas)
        conflicts_are_faults(drawn, canvas)


def several_are_moved(drawn: Drawn, canvas: Canvas) -> None:
    """A band with Shift selects; dragged or moved by keys, all of it goes along."""
    (x, y), (mx, my) = (canvas.middle(f"{canvas.symbol(n)} .back") for n in ("V", "mesh"))
    canvas.drag((x - 50, y - 40), (mx + 40, my + 40), shift=True)
    canvas.page.wait(f"document.querySelectorAll('{CANVAS} .symbol.lit').length === 2")
    canvas.page.picture("band")
    canvas.drag((mx, my), (mx - 40, my + 40))
    drawn.says(lambda d: d["view"]["places"]["drive"]["V"] == [-8, 2])
    canvas.there("mesh")
    for key in ("ArrowRight", "ArrowUp"):
        canvas.tab.key(key, alt=True)
    drawn.says(lambda d: d["view"]["places"]["drive"]["V"] == [-7, 1])
    places = drawn.data["view"]["places"]["drive"]
    assert places == {"mesh": [-1, 1], "V": [-7, 1], "ra": [0, -5], "motor": [6, 0]}
    canvas.tab.key("Escape")
    drawn.gone(f"{CANVAS} .symbol.lit")


def symbols_of_the_palette(drawn: Drawn, canvas: Canvas) -> None:
    """A click adds in the free, a drag onto a junction bonds there; values are typed at once."""
    canvas.tab.click(f"{CANVAS} [data-symbol=C]")
    canvas.write("2 mF")
    canvas.there("C1")
    drawn.says(lambda d: d["networks"]["drive"]["elements"].get("C1") == {"C": "2 mF"})
    canvas.tab.key("Delete")
    drawn.gone(canvas.symbol("C1"))
    mesh = canvas.middle(f"{canvas.symbol('mesh')} .back")
    canvas.drag(canvas.middle(f"{CANVAS} [data-symbol=R]"), mesh)
    canvas.write("3 ohm")
    canvas.there("R1")
    drawn.says(lambda d: "C1" not in d["networks"]["drive"]["elements"])
    assert drawn.elements("drive")["R1"] == {"R": "3 ohm", "on": "mesh"}
    canvas.tab.double(f"{canvas.symbol('R1')} .back")
    canvas.write("5 ohm")
    drawn.says(lambda d: d["networks"]["drive"]["elements"]["R1"]["R"] == "5 ohm")


def twice_and_away(drawn: Drawn, canvas: Canvas) -> None:
    canvas.tab.click(f"{canvas.symbol('R1')} .back")
    canvas.tab.key("d", ctrl=True)
    canvas.there("R_2")
    canvas.tab.click(f"{canvas.symbol('V')} .back")
    canvas.tab.key("c", ctrl=True, commands=("copy",))
    canvas.tab.key("v", ctrl=True, commands=("paste",))
    canvas.there("V_2")
    drawn.says(lambda d: d["networks"]["drive"]["elements"].get("V_2") is not None)
    assert drawn.elements("drive")["V_2"] == {"Se": "24 V", "on": "mesh"}
    assert drawn.elements("drive")["R_2"] == {"R": "5 ohm", "on": "mesh"}
    for name in ("V_2", "R_2", "R1"):
        canvas.there("mesh")
        canvas.tab.click(f"{canvas.symbol(name)} .back")
        canvas.tab.key("Delete")
        drawn.gone(canvas.symbol(name))
    drawn.says(lambda d: [*d["networks"]["drive"]["elements"]] == ["mesh", "V", "ra", "motor"])


def folded_and_opened(drawn: Drawn, canvas: Canvas) -> None:
    """The triangle of a part folds it, which the file keeps."""
    triangle = f'{CANVAS} .box[data-name="drive.motor"] .fold'
    canvas.tab.click(triangle)
    drawn.gone(canvas.symbol("motor.La"))
    canvas.page.picture("folded")
    drawn.says(lambda d: d["view"].get("folded") == ["drive.motor"])
    canvas.tab.click(triangle)
    canvas.there("motor.La")
    drawn.says(lambda d: "folded" not in d["view"])


def a_component_is_used_elsewhere(drawn: Drawn, canvas: Canvas) -> None:
    """The sub-graph of a part becomes a file; another network takes it from its palette."""
    page = drawn.page
    page.tab.press(*drawn.head("drive.motor"))
    page.wait("!!document.querySelector('[role=treeitem].selected[data-name=\"drive.motor\"]')")
    page.click("[data-kind=bond] [aria-label^='Save as component']")
    page.wait("!!document.querySelector('dialog[open] input')")
    page.tab.key("Enter", "\r")
    page.eventually((drawn.path.parent / "coil.yaml").exists)
    page.choose("[data-kind=bond] .where", "other")
    other = Canvas(page, "other")
    other.there("m")
    symbol = f"{CANVAS} [data-symbol='coil.yaml']"
    page.wait(f"!!document.querySelector({symbol!r})")
    other.drag(other.middle(symbol), other.middle(f"{other.symbol('m')} .back"))
    other.there("coil.La")
    page.picture("component")
    drawn.says(lambda d: "coil" in d["networks"]["other"]["elements"])
    assert drawn.elements("other")["coil"] == {"part": {"file": "coil.yaml"}, "ports": {"out": "m"}}
    assert parsed((drawn.path.parent / "coil.yaml").read_text(), "yaml").data["subgraph"] == (
        drawn.data["subgraphs"]["coil"])  # fmt: skip


def drawn_alone(drawn: Drawn) -> None:
    """Vectors have double bonds; what is copied and pasted in a sub-graph stays in it."""
    page = drawn.page
    page.choose("[data-kind=bond] .where", "space")
    Canvas(page, "space").there("m")
    assert page.count(f"{CANVAS} .bond.single") == 0
    assert page.count(f"{CANVAS} .bond") == 2
    page.picture("vector")
    page.choose("[data-kind=bond] .where", "subgraphs.coil")
    coil = Canvas(page, "subgraphs.coil")
    coil.there("La")
    page.tab.click(f"{coil.symbol('La')} .back")
    page.tab.key("c", ctrl=True, commands=("copy",))
    page.tab.key("v", ctrl=True, commands=("paste",))
    coil.there("La_2")
    drawn.says(lambda d: "La_2" in d["subgraphs"]["coil"]["elements"])
    assert drawn.elements("coil", "subgraphs")["La_2"] == {"I": "50 mH", "on": "line"}


def taken_apart_and_tidied(drawn: Drawn, canvas: Canvas) -> None:
    page = drawn.page
    page.choose("[data-kind=bond] .where", "drive")
    canvas.there("mesh", "motor.La")
    page.tab.press(*drawn.head("drive.motor"))
    page.tab.key("G", "G", shift=True)
    canvas.there("La")
    drawn.says(lambda d: "motor" not in d["networks"]["drive"]["elements"])
    assert drawn.elements("drive")["rc"] == {"R": "1 ohm", "on": "line"}
    assert drawn.data["networks"]["drive"]["bonds"] == {"mesh_line": {"from": "mesh", "to": "line"}}
    flipped(drawn, canvas)
    page.tab.key("y", "y")
    drawn.says(lambda d: "drive" not in d["view"]["places"])
    canvas.there("La")
    page.picture("tidy")


def flipped(drawn: Drawn, canvas: Canvas) -> None:
    """A bond that is walked to turns round; the file names its ends the other way."""
    canvas.there("line")
    canvas.tab.press(*on_line(canvas, f'{CANVAS} .bond[data-name="drive.mesh_line"]'))
    canvas.tab.key("x", "x")
    turned = {"mesh_line": {"from": "line", "to": "mesh"}}
    drawn.says(lambda d: d["networks"]["drive"]["bonds"] == turned)


def on_line(canvas: Canvas, selector: str) -> tuple[float, float]:
    """A place of the window on a bond or edge: half way along."""
    x, y = canvas.tab.value(
        f"(() => {{ const line = document.querySelector({selector!r} + ' path');"
        "const p = line.getPointAtLength(line.getTotalLength() / 2)"
        ".matrixTransform(line.getScreenCTM()); return [p.x, p.y]; })()"
    )
    return x, y


def conflicts_are_faults(drawn: Drawn, canvas: Canvas) -> None:
    """What the command line refuses is in the list of faults, and nothing runs."""
    for name in "ab":
        canvas.pull("mesh", -70 if name == "a" else 10, 60)
        canvas.take(f"Sf:{name} 1 A")
        canvas.there(name)
    canvas.page.wait(f"document.querySelectorAll('{CANVAS} .symbol.conflict').length >= 2")
    canvas.page.wait("document.body.textContent.includes('Faults 1')")
    canvas.page.picture("conflict")


def test_mechanisms(tmp_path):
    path = begun(tmp_path, ARM)
    with opened(path, tmp_path, width=1800, height=1000) as page:
        drawn, canvas = Drawn(page, path), Canvas(page)
        page.preset("Graph")
        a_port_is_led_to_the_tree(drawn, canvas)
        boxes_are_folded_and_removed(drawn)
        a_network_is_hung_on_a_joint(drawn, canvas)
        frames_are_joined(drawn, canvas)
        the_linear_graph(drawn, canvas)


def generated(name: str) -> str:
    return f'{GRAPH} .symbol[data-name="{name}"] .back'


def above(canvas: Canvas, selector: str) -> tuple[float, float]:
    """The upper rim of a symbol."""
    x, y, _, h = canvas.box(selector)
    return x, y - h - 5


def boxes_are_folded_and_removed(drawn: Drawn) -> None:
    page = drawn.page
    page.wait(f"!!document.querySelector({generated('O.u')!r})")
    drawn.still(f'{GRAPH} .box[data-name="crank"] .fold')
    page.click(f'{GRAPH} .box[data-name="crank"] .fold')
    drawn.gone(generated("crank.m"))
    drawn.says(lambda d: d["view"].get("folded") == ["crank"])
    drawn.still(f'{GRAPH} .box[data-name="crank"] .fold')
    page.click(f'{GRAPH} .box[data-name="crank"] .fold')
    page.wait(f"!!document.querySelector({generated('crank.m')!r})")
    drawn.says(lambda d: "folded" not in d["view"])
    drawn.still(generated("O.u"))
    page.tab.click(generated("O.u"))
    page.tab.key("a", "a")
    page.wait(f"!!document.querySelector('{GRAPH} .quick-list:not([hidden])')")
    page.tab.type("Se")
    page.tab.key("Enter", "\r")
    drawn.says(lambda d: "actuator" in d.get("forces", {}))
    assert drawn.data["forces"]["actuator"]["joint"] == "O"
    box = f'{GRAPH} .box[data-name="actuator"] .back'
    drawn.still(box)
    page.tab.press(*drawn.head("actuator"))
    page.tab.key("Delete")
    drawn.says(lambda d: "forces" not in d)
    drawn.gone(box)


def a_network_is_hung_on_a_joint(drawn: Drawn, canvas: Canvas) -> None:
    page = drawn.page
    drawn.still(generated("brake.shaft"))
    canvas.drag(above(canvas, generated("brake.shaft")), drawn.head("O"))
    drawn.says(lambda d: "O" in d["networks"]["brake"]["elements"])
    assert drawn.elements("brake")["O"] == {"joint": "O"}
    page.picture("hung")


def frames_are_joined(drawn: Drawn, canvas: Canvas) -> None:
    """Which joint it is, is asked."""
    page = drawn.page
    page.wait(f"!!document.querySelector('{GRAPH} .symbol[data-name=\"brake.O\"]')")
    drawn.still(generated("crank.R"))
    canvas.drag(above(canvas, generated("crank.R")), canvas.middle(generated("arm.R")))
    page.press("spherical")
    drawn.says(lambda d: len(d["joints"]) == 2)
    (made,) = (j for name, j in drawn.data["joints"].items() if name != "O")
    assert made["between"] == ["crank", "arm"]
    assert "spherical" in made


def a_port_is_led_to_the_tree(drawn: Drawn, canvas: Canvas) -> None:
    page = drawn.page
    canvas.there("mesh")
    port = canvas.middle(f'{CANVAS} .port[data-name="drive.motor.shaft"] .dot')
    canvas.drag(port, canvas.middle('[role=treeitem][data-name="O"]'))
    canvas.there("O")
    drawn.says(lambda d: "O" in d["networks"]["drive"]["elements"])
    assert drawn.elements("drive")["motor"]["ports"] == {"in": "mesh", "shaft": "O"}
    page.choose("[data-kind=bond] .where", "")


def the_linear_graph(drawn: Drawn, canvas: Canvas) -> None:
    """In the absolute tree cutting changes nothing, which is said; then joints can be cut."""
    page = drawn.page
    page.choose(".pane[data-kind=bond] header select", "linear")
    edge = f'{LINEAR} .edge[data-name="O"]'
    page.wait(f"!!document.querySelector({edge!r})")
    drawn.still(edge)
    page.picture("linear")
    page.tab.press(*on_line(canvas, edge))
    opened_list = f"{LINEAR} .quick-list:not([hidden])"
    page.wait(f"document.querySelector({opened_list!r})?.textContent.includes('changes nothing')")
    page.picture("absolute")
    page.tab.key("Enter", "\r")
    drawn.says(lambda d: "tree" not in d["simulate"])
    page.wait(f"document.querySelector({edge!r})?.classList.contains('tree')")
    drawn.still(edge)
    page.tab.press(*on_line(canvas, edge))
    page.wait(f"document.querySelector({opened_list!r})?.textContent.includes('O is in the tree')")
    page.tab.key("Escape")
    drawn.gone(opened_list)
    page.tab.key("t", "t")
    page.wait(f"document.querySelector({opened_list!r})?.textContent.includes('moves freely')")
    page.tab.key("Escape")
    drawn.gone(opened_list)
    a, b = (f'{LINEAR} .vertex[data-name="{name}"] .dot' for name in ("ground", "arm"))
    canvas.drag(above(canvas, a), canvas.middle(b))
    page.wait(f"document.querySelector({opened_list!r})?.textContent.includes('ground and arm')")
    page.tab.type("distance")
    page.tab.key("Enter", "\r")
    drawn.says(lambda d: len(d["joints"]) == 3)
    page.picture("joined")


def test_a_studio_that_only_looks(tmp_path):
    path = begun(tmp_path, CIRCUIT)
    with opened(path, tmp_path, "--read-only", width=1500, height=900) as page:
        canvas = Canvas(page)
        page.preset("Graph")
        canvas.there("mesh", "ra")
        page.picture("only_looks")
        assert page.tab.value(f"document.querySelector('{CANVAS} .symbol-palette').hidden")
        x, y = canvas.middle(f"{canvas.symbol('ra')} .back")
        canvas.drag((x, y), (x + 60, y + 40))
        page.tab.press(x, y)
        page.tab.key("Delete")
        page.wait("document.body.textContent.includes('only looks')")
        page.tab.key("1", "1")
        page.tab.key("d", ctrl=True)
        page.tab.settle()
        assert page.count(f"{CANVAS} .quick-list:not([hidden])") == 0
        assert path.read_text() == CIRCUIT
        page.picture("still_only_looks")
