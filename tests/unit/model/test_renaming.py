"""Where names are used, and renaming with everything that refers to them."""

from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError, UnknownName
from pliant.model.files import dump, loads
from pliant.model.files.editing import references
from pliant.model.files.editing.references import definition, uses
from pliant.model.files.editing.splices import Proven, applied
from pliant.model.files.names import OWNERS, PREFIXED, name_of, path_of
from pliant.model.files.reading import read
from pliant.model.files.text import Document, parsed, parsed_file

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.yaml"))
NEW = "zz_new"
OF_EACH = 9


def renamed(text: str, format: str, name: str, new: str) -> Proven:
    model = read(parsed(text, format)).model
    return references.renamed(text, format, name, new, model)


def names_in(document: Document) -> list[str]:
    """Everything that can be renamed."""
    found = []
    inner = {"bodies": ("frames",), "networks": ("elements", "bonds", "parameters"),
             "subgraphs": ("elements", "bonds", "parameters")}  # fmt: skip
    for path in document.keys:
        outer = len(path) == 2 and path[0] in (*OWNERS, *PREFIXED, "stop")
        if outer or (len(path) == 4 and path[2] in inner.get(path[0], ())):
            found.append(name_of(path))
        elif len(path) == 4 and path[0] == "subgraphs" and path[2] == "ports":
            found.append(".".join(path))
    return found


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda p: p.stem)
def test_renamed_examples_are_the_same_but_for_the_name(file: Path) -> None:
    document = parsed_file(file)
    before = dump(read(document, file.parent).model, "json")
    names = names_in(document)
    step = max(1, len(names) // (OF_EACH if len(document.text) < 10_000 else 2))
    for name in names[len(document.text) % step :: step]:
        text = applied(document.text, renamed(document.text, "yaml", name, NEW))
        reading = read(parsed(text, "yaml"), file.parent)
        assert not reading.faults, name
        after = dump(reading.model, "json")
        assert NEW in text
        assert after.replace(NEW, name.rpartition(".")[2]) == before, name


MODEL = """pliant: 1
parameters: {m: 2, l: 3 m, k: m*l, f: 5}   # m is no metre
materials: {steel: {E: 210 GPa, density: 7850}}
ground: {frames: {B: [l, 0, 0]}}
bodies:
  m: {rigid: {mass: m}, frames: {A: [l, 0, 0], C: {on: A, at: [1 m, 0, l]}}}
  arm: {rod: {length: l, mass: m, along: x}, frames: {A: [0, 0, 0]}}
joints:
  O: {revolute: {axis: z}, between: [ground, m], initial: {angle: 2*l}}
  P: {revolute: {axis: z}, between: [m.A, arm.A]}
  Q: {cylindrical: {axis: x}, between: [ground.B, "arm"]}
forces:
  push: {force: ["m*sin(O.angle) + m.A.velocity.x", 0, 0], at: m.C}
  turn: {actuator: -k*O.angle_rate, joint: O}
networks:
  drive:
    domain: electrical
    parameters: {R: 2 ohm, l: 1}
    elements:
      mesh: {junction: 1}
      E: {Se: "f + O.angle*La.flow + l", on: mesh}
      La: {I: 1 mH, on: mesh}
      r: {R: {effort: R*f}, on: [mesh]}
      v: {part: valve, with: {a: R}, ports: {line: mesh}}
subgraphs:
  valve:
    domain: electrical
    parameters: {a: null}
    elements: {node: {junction: 1}, ra: {R: a*1, on: node}}
    ports: {line: node}
outputs: {o: m.A.position.x + drive.v.ra.flow, high: drive.La.flow}
stop: {end: m.A.position.x - m > 0}
simulate: {t_end: 1, observe: [m.*, O.angle, o, drive.La.flow]}
view:
  places: {drive: {mesh: [0, 0], La: [1, 2]}}
  boxes: {m: [1, 2], drive: [3, 4]}
  folded: [arm]
  controls: {m: [1, 3], bodies.m.mass: [1, 2], drive.R: [1, 2]}
  plots: [[m.A.position], [o, O.angle]]
"""


def after(name: str, new: str, text: str = MODEL) -> str:
    return applied(text, renamed(text, "yaml", name, new))


def changed(name: str, new: str) -> list[str]:
    """The words of lines that changed."""
    both = zip(MODEL.splitlines(), after(name, new).splitlines(), strict=True)
    return [b.strip() for a, b in both if a != b]


def test_the_model_of_these_tests_is_sound() -> None:
    assert not read(parsed(MODEL, "yaml")).faults


def test_a_parameter_is_renamed_in_formulas_but_not_units_bodies_and_shadows() -> None:
    assert changed("parameters.m", "mass_1") == [
        "parameters: {mass_1: 2, l: 3 m, k: mass_1*l, f: 5}   # m is no metre",
        "m: {rigid: {mass: mass_1}, frames: {A: [l, 0, 0], C: {on: A, at: [1 m, 0, l]}}}",
        "arm: {rod: {length: l, mass: mass_1, along: x}, frames: {A: [0, 0, 0]}}",
        'push: {force: ["mass_1*sin(O.angle) + m.A.velocity.x", 0, 0], at: m.C}',
        "stop: {end: m.A.position.x - mass_1 > 0}",
        "controls: {mass_1: [1, 3], bodies.m.mass: [1, 2], drive.R: [1, 2]}",
    ]
    lines = changed("parameters.l", "length")
    assert 'E: {Se: "f + O.angle*La.flow + l", on: mesh}' not in lines
    assert not any("drive" in line for line in lines)
    assert changed("parameters.f", "g") == [
        "parameters: {m: 2, l: 3 m, k: m*l, g: 5}   # m is no metre",
        'E: {Se: "g + O.angle*La.flow + l", on: mesh}',
    ]


def test_the_flow_of_a_law_is_no_parameter_but_that_of_a_source_is() -> None:
    text = """pliant: 1
parameters: {f: 50, q: 2, R: 1}
networks:
  circuit:
    elements:
      mesh: {junction: 1}
      mains: {Se: sin(f*t), on: mesh}
      lamp: {R: {effort: R*f*q}, on: mesh}
      tube: {MR: f, on: mesh}
      store: {C: {effort: f*q}, on: mesh}
"""
    assert "mains: {Se: sin(hz*t)" in after("parameters.f", "hz", text)
    assert "{effort: R*f*q}, on: mesh}\n      tube: {MR: f," in after("parameters.f", "hz", text)
    assert "store: {C: {effort: hz*q}" in after("parameters.f", "hz", text)
    assert "{effort: R*f*p}" in after("parameters.q", "p", text)
    assert "store: {C: {effort: f*q}" in after("parameters.q", "p", text)


def test_a_body_is_renamed_in_frames_formulas_observables_and_view() -> None:
    text = after("m", "crank")
    assert text.count("crank") == 11
    assert "mass: m}" in text
    assert "between: [ground, crank]" in text
    assert "at: crank.C" in text
    assert "observe: [crank.*" in text
    assert "boxes: {crank: [1, 2]" in text


def test_a_segmented_beam_is_renamed_with_its_hinges() -> None:
    text = """pliant: 1
bodies:
  rod:
    beam: {length: 1, stiffness: {EIz: 1, EIy: 1}, mass_per_length: 1, rotary: {rhoIy: 1, rhoIz: 1}}
    theory: {segments: {count: 3, directions: [bending]}}
joints: {c: {fixed: {}, between: [ground, rod.root]}}
forces:
  s: {joint_spring: {stiffness: 1}, joint: "rod:h2", coordinate: angle1}
  m: {actuator: "-2*rod:h2.angle1_rate", joint: rod:h1, coordinate: angle1}
outputs: {a: "rod:h1.angle1 + rod.tip.position.z"}
speeds: {w1: rod:h1.angle1_rate}
simulate: {observe: ["rod:h1.*", rod.tip.position]}
"""
    changed = applied(text, renamed(text, "yaml", "rod", "pole"))
    assert changed == text.replace("rod", "pole")
    assert "pole:h1.angle1" in pl.loads(changed).simulate(0.01).names()


def test_a_frame_is_renamed_where_it_is_meant() -> None:
    text = after("m.A", "tip")
    assert text.count("tip") == 7
    assert "C: {on: tip" in text
    assert "arm.A]" in text
    assert after("ground.B", "wall").count("wall") == 2


def test_elements_of_networks_and_sub_graphs() -> None:
    assert after("drive.mesh", "loop").count("loop") == 6
    assert "[loop]" in after("drive.mesh", "loop")
    text = after("drive.La", "coil")
    assert "O.angle*coil.flow" in text
    assert "high: drive.coil.flow" in text
    assert "{mesh: [0, 0], coil: [1, 2]}" in text
    text = after("drive", "motor")
    assert "high: motor.La.flow" in text
    assert "motor.R: [1, 2]" in text
    assert "places: {motor:" in text
    text = after("drive.R", "ohms")
    assert "r: {R: {effort: ohms*f}" in text
    assert "with: {a: ohms}" in text
    assert "drive.ohms: [1, 2]" in text
    text = after("subgraphs.valve.ra", "leak")
    assert "drive.v.leak.flow" in text
    assert "v: {part: tap," in after("subgraphs.valve", "tap")
    text = after("subgraphs.valve.a", "ohms")
    assert "with: {ohms: R}" in text
    assert "{R: ohms*1" in text
    text = after("subgraphs.valve.ports.line", "inlet")
    assert "ports: {inlet: mesh}" in text
    assert "ports: {inlet: node}" in text


def test_joints_materials_outputs_and_events() -> None:
    text = after("O", "hinge")
    assert text.count("hinge") == 7
    assert "joint: hinge" in text
    assert changed("materials.steel", "iron") == ["materials: {iron: {E: 210 GPa, density: 7850}}"]
    assert "observe: [m.*, O.angle, sum, drive" in after("outputs.o", "sum")
    assert "plots: [[m.A.position], [sum, O.angle]]" in after("outputs.o", "sum")
    assert changed("events.end", "far") == ["stop: {far: m.A.position.x - m > 0}"]


def test_uses_are_places_of_the_name() -> None:
    document = parsed(MODEL, "yaml")
    model = read(document).model
    found = uses(document, model, "O")
    assert [MODEL[slice(*use.span)] for use in found] == ["O"] * 6
    assert definition(document.data, "O") == path_of(model, "O") == ("joints", "O")
    assert ("forces", "turn", "joint") in [use.path for use in found]
    places = uses(document, model, "drive.mesh")
    assert [use.path for use in places if use.key] == [("view", "places", "drive", "mesh")]
    assert uses(document, model, "events.end") == []


def test_json_is_renamed_too() -> None:
    text = dump(loads(MODEL), "json")
    new = applied(text, renamed(text, "json", "m", "crank"))
    assert loads(new, "json") == loads(after("m", "crank"))


def test_a_name_behind_an_alias_is_renamed_once() -> None:
    text = """pliant: 1
parameters: {h: 1}
bodies:
  a: &one {rigid: {mass: h}}
  b: *one
"""
    assert after("parameters.h", "k", text) == text.replace("h: 1", "k: 1").replace(": h}", ": k}")


def test_broken_elements_are_renamed_as_well() -> None:
    text = MODEL.replace("mass: m}, frames: {A: [l, 0, 0], C", "mas: m}, frames: {A: [l, 0], C")
    assert "between: [crank.A, arm.A]" in after("m", "crank", text)
    assert "rigid: {mas: kilos}" in after("parameters.m", "kilos", text)


@pytest.mark.parametrize(
    ("name", "new", "said"),
    [
        ("nothing", "a", "nothing in the file is named 'nothing'"),
        ("m.Z", "a", "nothing in the file is named 'm.Z'"),
        ("m", "O", "there is 'O' in joints already"),
        ("parameters.m", "l", "there is 'l' in parameters already"),
        ("m", "big end", "is not a legal name"),
        ("parameters.m", "t", "the name 't' is reserved"),
        ("drive.mesh", "La", "there is 'La'"),
    ],
)
def test_what_cannot_be_renamed_is_told(name: str, new: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        renamed(MODEL, "yaml", name, new)
    assert caught.value.cure
    assert isinstance(caught.value, UnknownName) == ("nothing" in said)


def test_names_and_paths_are_inverse() -> None:
    document = parsed(MODEL, "yaml")
    model = read(document).model
    for name in names_in(document):
        if ".ports." not in name:
            path = path_of(model, name)
            assert name_of(path) == name
            assert document.line(path)
    assert path_of(model, "drive.v.ra") == ("networks", "drive", "elements", "v")
    assert path_of(model, "nothing") == ()
    assert name_of(("bodies", "m", "frames", "A", "at")) == "m.A"
    assert name_of(("ground", "frames", "B")) == "ground.B"


def test_results_stay_the_same() -> None:
    text = (EXAMPLES[0].parent / "pendulum.yaml").read_text()
    first, *_ = (n for n in names_in(parsed(text, "yaml")) if n in loads(text).joints)
    old, new = pl.System.loads(text), pl.System.loads(after(first, NEW, text))
    a, b = (system.simulate(0.2, every=0.05) for system in (old, new))
    names = [n for n in a.series if n.startswith(f"{first}.")]
    assert names
    for name in names:
        assert np.array_equal(a[name], b[f"{NEW}.{name.partition('.')[2]}"])
