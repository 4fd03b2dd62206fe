"""Networks drawn by operations: the text they leave is what a person would have written."""

import time

import numpy as np
import pytest
from tests.studio.talking import in_studio

import pliant as pl
from pliant.errors import InputError
from pliant.model.files.editing.splices import applied
from pliant.model.files.reading import read
from pliant.model.files.text import parsed
from pliant.studio.operations.draft import Draft, Question
from pliant.studio.operations.networks.drawn import Drawn
from pliant.studio.operations.networks.following import bondable, followers
from pliant.studio.operations.networks.gestures import gestures
from pliant.studio.operations.networks.palette import part_choices
from pliant.studio.operations.networks.parts.components import component
from pliant.studio.operations.registry import planned
from pliant.studio.views.graphs.bond import bond_data
from pliant.studio.views.graphs.network import network_data

MOTOR = """\
pliant: 1
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: 24 V, on: mesh}
      ra: {R: 0.4 ohm, on: mesh}
      La: {I: 50 mH, on: mesh}
      torque: {GY: 0.35, from: mesh, to: shaft}
      shaft: {junction: 1, domain: rotation}
      drag: {R: 1 N*m*s/rad, on: shaft}
      rotor: {I: 1 kg*m^2, on: shaft}
"""
ARM = """\
pliant: 1
bodies: {arm: {rod: {length: 500 mm, mass: 2 kg}, frames: {tip: [0.5, 0, 0]}}}
joints: {O: {revolute: {axis: z}, between: [ground, arm]}}
"""


def done(text, *steps, format="yaml", base=None):
    """The text after some operations, each one change that can be undone."""
    for name, arguments in steps:
        draft = planned(Draft(text, format, base), name, arguments)
        assert applied(text, draft.splices()) == draft.text
        assert draft.label
        text = draft.text
    return text


def one(text, name, /, **arguments):
    return done(text, (name, arguments))


def added(text, kind, /, **arguments):
    return one(text, "network.element", network="drive", kind=kind, **arguments)


def of_drive(text):
    """The lines of the network, without what is above."""
    return text.partition("  drive:\n")[2]


def faults(text):
    return [str(fault) for fault in read(parsed(text, "yaml")).faults]


def study(text):
    return pl.System(read(parsed(text, "yaml")).model)


def run(text, tmp_path, name, **settings):
    file = tmp_path / "model.yaml"
    file.write_text(text)
    return pl.load(file).simulate(**settings).values(name)


# -- from nothing


def test_a_motor_drawn_from_nothing_is_the_file_a_person_writes_and_runs_alike(tmp_path):
    text = done(
        "pliant: 1\n",
        ("network.add", {"name": "drive", "domain": "electrical"}),
        ("network.element", {"network": "drive", "kind": "1", "name": "mesh"}),
    )
    text = added(text, "Se", name="supply", on="mesh", value="24 V")
    text = added(text, "R", name="ra", on="mesh", value="0.4 ohm")
    text = added(text, "I", name="La", on="mesh", value="50 mH")
    text = added(text, "GY", name="torque", on="mesh", value=0.35)
    text = added(text, "1", name="shaft", on="torque", domain="rotation")
    text = added(text, "R", name="drag", on="shaft")
    text = added(text, "I", name="rotor", on="shaft")
    assert text == MOTOR
    assert not faults(text)
    settings = {"t_end": 0.5, "every": 0.05, "rtol": 1e-9}
    found = run(text, tmp_path, "drive.La.flow", **settings)
    assert np.array_equal(found, run(MOTOR, tmp_path, "drive.La.flow", **settings))
    assert found[-1] == pytest.approx(24 / (0.4 + 0.35**2), rel=0.2)


def test_an_empty_network_is_a_block_that_elements_go_into():
    text = one("pliant: 1\nname: empty\n", "network.add", domain="hydraulic")
    assert text == "pliant: 1\nname: empty\nnetworks:\n  network:\n    domain: hydraulic\n"
    text = one(text, "network.add")
    assert text.endswith("    domain: hydraulic\n  network2: {}\n")
    text = one(text, "network.element", network="network2", kind="0")
    assert text.endswith("  network2:\n    elements:\n      j1: {junction: 0}\n")


@pytest.mark.parametrize("name", ["two words", "1st", "ground", "drive", "für"])
def test_names_that_cannot_be_are_refused(name):
    with pytest.raises(InputError):
        one(MOTOR, "network.add", name=name)


@pytest.mark.parametrize(
    ("kind", "entry"),
    [("Se", "{Se: 1 V, on: mesh}"), ("Sf", "{Sf: 1 A, on: mesh}"), ("C", "{C: 1 F, on: mesh}"),
     ("MR", "{MR: f, on: mesh}"), ("CN", "{CN: {}, on: mesh}"), ("TF", "{TF: 1, from: mesh}"),
     ("SUM", "{SUM: {}, from: mesh}")],
)  # fmt: skip
def test_values_begin_as_one_with_the_unit_of_the_domain(kind, entry):
    assert added(MOTOR, kind, on="mesh") == MOTOR + f"      {kind}1: {entry}\n"


def test_a_vector_junction_hands_its_components_and_domain_on():
    text = added(MOTOR, "1", name="v", dim=3, domain="translation")
    text = added(text, "0", name="w", on="v")
    text = added(text, "EJS", name="turn", on="w")
    assert text == MOTOR + (
        "      v: {junction: 1, dim: 3, domain: translation}\n"
        "      w: {junction: 0, dim: 3, domain: translation}\n"
        '      turn: {EJS: [f2, -f1, "0"], on: w}\n'
        "    bonds: {vw: {from: v, to: w}}\n"
    )
    with pytest.raises(InputError, match="3 components"):
        one(text, "bond.connect", network="drive", a="turn", b="mesh")


def test_a_part_gets_its_parameters_with_units_and_the_port_that_fits():
    text = added(MOTOR, "dc-motor", on="mesh")
    assert text == MOTOR + (
        "      motor: {part: dc-motor, with: {R: 1 ohm, L: 1 H, k: 1}, ports: {terminals: mesh}}\n"
    )
    text = added(MOTOR, "dc-motor", on=["mesh", "shaft"])
    assert text.endswith("        ports: {terminals: mesh, shaft: shaft}\n")
    assert not faults(text)


# -- bonds


def bonded(text, a, b, **more):
    return one(text, "bond.connect", network="drive", a=a, b=b, **more)


def test_one_ports_two_ports_and_parts_are_bonded_where_the_file_says_it():
    text = added(added(MOTOR, "C"), "TF")
    text = bonded(text, "C1", "mesh")
    assert "C1: {C: 1 F, on: mesh}" in text
    text = bonded(text, "TF1", "shaft")
    assert "TF1: {TF: 1, to: shaft}" in text
    text = bonded(text, "TF1", "mesh")
    assert "TF1: {TF: 1, from: mesh, to: shaft}" in text
    with pytest.raises(InputError, match="both sides of TF1 are bonded already"):
        bonded(text, "TF1", "mesh")
    text = bonded(added(text, "0", name="node"), "C1", "node")
    assert "C1: {C: 1 F, on: [mesh, node]}" in text
    with pytest.raises(InputError, match="C1 is on node already"):
        bonded(text, "node", "C1")


def test_junctions_are_bonded_in_the_direction_of_the_drag_and_once():
    text = bonded(added(MOTOR, "0", name="node"), "node", "mesh")
    assert text.endswith("    bonds: {node_mesh: {from: node, to: mesh}}\n")
    with pytest.raises(InputError, match="mesh and node are bonded already"):
        bonded(text, "mesh", "node")
    with pytest.raises(InputError, match="cannot be bonded to itself"):
        bonded(text, "mesh", "mesh")


def test_between_elements_without_a_junction_one_is_asked_for():
    text = added(added(MOTOR, "C"), "R")
    with pytest.raises(Question) as asked:
        bonded(text, "C1", "R1")
    assert [more for _, more in asked.value.choices] == [{"junction": "1"}, {"junction": "0"}]
    text = bonded(text, "C1", "R1", junction="0")
    assert "C1: {C: 1 F, on: j1}" in text
    assert "R1: {R: 1 ohm, on: j1}" in text
    assert text.endswith("      j1: {junction: 0}\n")


def test_unlike_junctions_get_a_two_port_between():
    text = added(MOTOR, "1", name="rod", domain="translation")
    with pytest.raises(Question) as asked:
        bonded(text, "shaft", "rod")
    assert asked.value.what.startswith("shaft is rotation, rod is translation")
    text = bonded(text, "shaft", "rod", kind_hint="TF")
    assert text.endswith("      TF1: {TF: 1, from: shaft, to: rod}\n")


def test_a_joint_or_frame_is_attached_first():
    text = ARM + MOTOR.partition("\n")[2]
    motor = added(text, "dc-motor", on="mesh")
    found = bonded(motor, "motor.shaft", "joint:O")
    assert found.endswith("ports: {terminals: mesh, shaft: O}}\n      O: {joint: O}\n")
    assert not faults(found)
    assert bonded(added(found, "R"), "R1", "joint:O").count("{joint: O}") == 1
    with pytest.raises(Question) as asked:
        bonded(motor, "motor.shaft", "frame:arm.tip")
    assert asked.value.choices[2] == ("along z", {"b": "frame:arm.tip:rotation:z"})
    found = bonded(motor, "motor.shaft", "frame:arm.tip:rotation:z")
    assert "tip: {frame: arm.tip, rotation: true, direction: [0, 0, 1]}" in found
    assert not faults(found)


def test_bonds_are_removed_where_they_are_written():
    text = one(MOTOR, "bond.remove", network="drive", bond="drive.torque.2")
    assert "torque: {GY: 0.35, from: mesh}" in text
    text = one(text, "bond.remove", network="drive", bond="La")
    assert "La: {I: 50 mH}" in text
    text = bonded(added(text, "0", name="node"), "mesh", "node")
    assert one(text, "bond.remove", network="drive", bond="mesh_node").endswith(
        "      node: {junction: 0}\n"
    )
    with pytest.raises(InputError, match="there is no bond"):
        one(text, "bond.remove", network="drive", bond="shaft")


def test_half_arrows_are_reversed_or_it_is_said_why_not():
    text = bonded(added(MOTOR, "0", name="node"), "mesh", "node")
    text = one(text, "bond.reverse", network="drive", bond="mesh_node")
    assert "mesh_node: {from: node, to: mesh}" in text
    with pytest.raises(InputError, match="half arrows leave Se elements by convention"):
        one(text, "bond.reverse", network="drive", bond="supply")
    with pytest.raises(Question, match="enter a GY at side 1"):
        one(text, "bond.reverse", network="drive", bond="torque.1")
    text = one(text, "bond.reverse", network="drive", bond="torque.1", turn=True)
    assert "torque: {GY: 0.35, from: shaft, to: mesh}" in text


def test_strokes_are_forced_and_released():
    text = one(MOTOR, "bond.stroke", network="drive", bond="La", end="head")
    assert "La: {I: 50 mH, on: mesh, stroke: element}" in text
    assert one(text, "bond.stroke", network="drive", bond="La") == MOTOR
    text = bonded(added(MOTOR, "0", name="node"), "mesh", "node")
    forced = one(text, "bond.stroke", network="drive", bond="mesh_node", end="tail")
    assert "mesh_node: {from: mesh, to: node, stroke: mesh}" in forced
    with pytest.raises(InputError, match="stroke of a bond of a GY cannot be forced"):
        one(text, "bond.stroke", network="drive", bond="torque.1", end="head")


def split(text, bond, kind, /, **more):
    return one(text, "bond.split", network="drive", bond=bond, kind=kind, **more)


def test_what_is_dropped_on_a_bond_goes_between(tmp_path):
    text = split(MOTOR, "La", "1", name="node")
    assert "La: {I: 50 mH, on: node}" in text
    assert text.endswith(
        "      node: {junction: 1}\n    bonds: {mesh_node: {from: mesh, to: node}}\n"
    )
    settings = {"t_end": 0.2, "every": 0.05, "rtol": 1e-9}
    current = run(MOTOR, tmp_path, "drive.La.flow", **settings)
    np.testing.assert_allclose(run(text, tmp_path, "drive.La.flow", **settings), current, 1e-9)
    text = split(text, "mesh_node", "TF")
    assert text.endswith("      TF1: {TF: 1, from: mesh, to: node}\n")
    np.testing.assert_allclose(run(text, tmp_path, "drive.La.flow", **settings), current, 1e-9)
    with pytest.raises(Question):
        split(MOTOR, "torque.2", "C")
    text = split(MOTOR, "torque.2", "C", junction="0")
    assert "torque: {GY: 0.35, from: mesh, to: j1}" in text
    assert "C1: {C: 1 rad/N/m, on: j1}" in text
    assert "bonds: {j1_shaft: {from: j1, to: shaft}}" in text
    assert not faults(text)
    text = split(MOTOR, "supply", "GY")
    assert "supply: {Se: 24 V, on: j1}" in text
    assert "GY1: {GY: 1, from: j1, to: mesh}" in text


# -- what may follow, what may be bonded


def test_what_may_follow_begins_with_what_is_likely():
    drawn = Drawn(Draft(ARM + MOTOR.partition("\n")[2], "yaml"), "drive")
    kinds = [choice["kind"] for choice in followers(drawn, "mesh")]
    assert kinds[:8] == ["Se", "R", "I", "C", "GY", "TF", "0", "1"]
    assert "dc-motor" in kinds
    assert "cylinder" not in kinds
    after = followers(Drawn(Draft(added(MOTOR, "GY", on="mesh"), "yaml"), "drive"), "GY1")
    assert after[0]["arguments"] == {"on": "GY1", "domain": "rotation"}
    assert after[0]["title"] == "1-junction, rotation"
    assert "joint:O" in [choice["kind"] for choice in followers(drawn, "torque")]


def test_every_choice_can_be_taken_in_one_step():
    text = added(ARM + MOTOR.partition("\n")[2], "dc-motor", on="mesh")
    drawn = Drawn(Draft(text, "yaml"), "drive")
    for name in ("mesh", "motor.shaft", "joint:O", "frame:arm.tip", "drag"):
        for choice in followers(drawn, name):
            arguments = {"network": "drive", "kind": choice["kind"], **choice["arguments"]}
            try:
                one(text, "network.element", **arguments)
            except Question as question:
                (_, more), *_ = question.choices
                one(text, "network.element", **{**arguments, **more})


def test_why_elements_may_not_be_bonded_is_said_in_words():
    text = added(added(MOTOR, "dc-motor", on="mesh"), "0", name="node")
    drawn = Drawn(Draft(text, "yaml"), "drive")
    said = {one["name"]: one for one in bondable(drawn, "node")}
    assert said["mesh"]["may"]
    assert said["shaft"]["note"].endswith("a TF or GY goes between")
    assert said["torque"]["why"] == "both sides of torque are bonded already"
    assert said["motor.terminals"]["why"] == "port terminals of motor is joined to mesh already"
    assert said["La"]["note"] == "La becomes a field on 2 junctions"
    said = {one["name"]: one for one in bondable(drawn, "motor")}
    assert said["shaft"]["may"]
    assert not said["mesh"]["may"]


# -- sub-graphs

NETWORKS = {
    "motor": ARM + """\
parameters: {V: 24 V}
networks:
  drive:
    domain: electrical
    parameters: {R: 0.4 ohm, k: 0.35 N*m/A}
    elements:
      mesh: {junction: 1}
      supply: {Se: "V*smoothstep(t, 0, 0.1)", on: mesh}
      ra: {R: R, on: mesh}
      La: {I: 50 mH, on: mesh, initial: 1 A}
      torque: {GY: k, from: mesh, to: shaft}
      shaft: {joint: O}
      drag: {R: {effort: 0.01*f*abs(f) + 0.001*La.flow*k}, on: shaft}
outputs: {y: 2*drive.La.flow}
""",
    "ladder": """\
pliant: 1
networks:
  drive:
    domain: electrical
    elements:
      in: {Se: 1 V, on: a}
      a: {junction: 1}
      r1: {R: 1 kohm, on: a}
      b: {junction: 0}
      c1: {C: 1 uF, on: b}
      d: {junction: 1}
      r2: {R: 2 kohm, on: d}
      c2: {C: 1 uF, on: d}
    bonds: {ab: {from: a, to: b}, bd: {from: b, to: d}}
outputs: {y: drive.c2.effort}
""",
    "parts": """\
pliant: 1
subgraphs:
  filter:
    domain: electrical
    parameters: {R: null, C: null, tau: R*C}
    elements:
      series: {junction: 1}
      node: {junction: 0}
      r: {R: tau/C, on: series}
      c: {C: C, on: node}
    bonds: {through: {from: series, to: node}}
    ports: {in: series, out: {junction: node, outward: true}}
networks:
  drive:
    domain: electrical
    elements:
      supply: {Se: 1 V, on: a}
      a: {junction: 0}
      first: {part: filter, with: {R: 1 kohm, C: 1 uF}, ports: {in: a, out: b}}
      b: {junction: 0}
      second: {part: filter, with: {R: 2 kohm, C: 1 uF}, ports: {in: b, out: c}}
      c: {junction: 0}
      load: {R: 100 kohm, on: c}
outputs: {y: drive.second.c.effort}
""",
}  # fmt: skip
SETTINGS = {"t_end": 0.01, "every": 0.001, "rtol": 1e-9}
SELECTIONS = [
    ("motor", ["mesh", "ra", "La", "torque"]), ("motor", ["ra", "La"]), ("motor", ["drag"]),
    ("motor", ["mesh", "supply", "ra", "La", "torque", "shaft", "drag"]), ("motor", ["torque"]),
    ("ladder", ["a", "r1", "in"]), ("ladder", ["b", "c1"]), ("ladder", ["a", "b", "d"]),
    ("ladder", ["r1", "c1", "r2", "c2"]), ("parts", ["first", "b", "second"]),
    ("parts", ["second", "c", "load"]), ("parts", ["first"]), ("parts", ["b", "supply"]),
]  # fmt: skip


@pytest.mark.parametrize(("model", "names"), SELECTIONS)
def test_grouped_and_ungrouped_networks_run_alike(model, names, tmp_path):
    text = NETWORKS[model]
    exact = run(text, tmp_path, "y", **SETTINGS)
    arguments = {"network": "drive", "names": names, "name": "group"}
    grouped = one(text, "graph.group", **arguments)
    assert not faults(grouped)
    scale = abs(exact).max()
    np.testing.assert_allclose(run(grouped, tmp_path, "y", **SETTINGS), exact, 0, 1e-11 * scale)
    again = one(grouped, "graph.ungroup", network="drive", part="group")
    assert not faults(again)
    np.testing.assert_allclose(run(again, tmp_path, "y", **SETTINGS), exact, 0, 1e-11 * scale)


@pytest.mark.parametrize("names", [["series", "r"], ["node", "c"], ["series", "node"], ["c"]])
def test_sub_graphs_are_grouped_within(names, tmp_path):
    text = NETWORKS["parts"]
    exact = run(text, tmp_path, "y", **SETTINGS)
    arguments = {"network": "subgraphs.filter", "names": names, "name": "group"}
    grouped = one(text, "graph.group", **arguments)
    assert not faults(grouped)
    np.testing.assert_allclose(run(grouped, tmp_path, "y", **SETTINGS), exact, 0, 1e-11)
    again = one(grouped, "graph.ungroup", network="subgraphs.filter", part="group")
    old, new = (parsed(t, "yaml").data["subgraphs"]["filter"] for t in (text, again))
    assert (new["elements"], new["ports"]) == (old["elements"], old["ports"])
    assert [*new["bonds"].values()] == [*old["bonds"].values()]
    np.testing.assert_allclose(run(again, tmp_path, "y", **SETTINGS), exact, 0, 1e-11)


def test_what_was_grouped_and_ungrouped_is_the_old_network():
    text = NETWORKS["motor"]
    grouped = one(text, "graph.group", network="drive", names=["ra", "La"], name="coil")
    assert "      coil: {part: coil, with: {R: R}, ports: {mesh: mesh}}\n" in grouped
    assert "0.001*coil.La.flow*k" in grouped
    assert "outputs: {y: 2*drive.coil.La.flow}" in grouped
    assert grouped.partition("subgraphs:\n")[2].partition("outputs")[0] == (
        "  coil:\n"
        "    domain: electrical\n"
        "    parameters: {R: null}\n"
        "    elements:\n"
        "      ra: {R: R, on: mesh}\n"
        "      La: {I: 50 mH, on: mesh, initial: 1 A}\n"
        "      mesh: {junction: 1}\n"
        "    ports: {mesh: mesh}\n"
    )
    assert one(grouped, "graph.ungroup", network="drive", part="coil") == text


def test_parts_of_files_of_the_package_are_opened_up(tmp_path):
    text = added(MOTOR, "voltage-source", on="mesh", name="battery")
    text = text.replace("with: {V: 1 V}", "with: {V: 12 V, R: 0.1 ohm}")
    before = run(text, tmp_path, "drive.La.flow", **SETTINGS)
    text = one(text, "graph.ungroup", network="drive", part="battery")
    assert not faults(text)
    np.testing.assert_allclose(run(text, tmp_path, "drive.La.flow", **SETTINGS), before, 1e-11)


def test_everything_selected_asks_where_the_port_is():
    names = ["mesh", "supply", "ra", "La", "torque", "shaft", "drag", "rotor"]
    with pytest.raises(Question) as asked:
        one(MOTOR, "graph.group", network="drive", names=names, name="motor")
    assert asked.value.choices[0] == ("Port shaft", {"ports": ["shaft"]})
    arguments = {"network": "drive", "names": names, "name": "motor", "ports": ["shaft"]}
    text = one(MOTOR, "graph.group", **arguments)
    assert "      motor: {part: motor}\n" in text
    assert "    ports: {shaft: shaft}\n" in text
    arm = text.replace("pliant: 1\n", ARM)
    arm = bonded(arm, "motor.shaft", "joint:O")
    assert "      motor: {part: motor, ports: {shaft: O}}\n      O: {joint: O}\n" in arm
    assert not faults(arm)


def test_sub_graphs_are_edited_as_networks_are():
    text = NETWORKS["parts"]
    text = one(text, "network.element", network="subgraphs.filter", kind="R", on="node")
    assert "      R1: {R: 1 ohm, on: node}\n" in text
    text = one(text, "bond.remove", network="subgraphs.filter", bond="through")
    assert "through" not in text
    with pytest.raises(InputError, match="cannot be attached"):
        one(text, "bond.connect", network="subgraphs.filter", a="node", b="joint:O")
    data = network_data(read(parsed(text, "yaml")).model, "subgraphs.filter")
    assert {node["name"] for node in data["nodes"]} >= {"subgraphs.filter.node"}
    assert [port["name"] for port in data["ports"]] == ["in", "out"]
    with pytest.raises(InputError, match="would contain itself"):
        one(text, "network.element", network="subgraphs.filter", kind="filter")


def test_a_component_is_a_file_that_parts_are_made_of(tmp_path):
    text = NETWORKS["parts"]
    made = component(Draft(text, "yaml", tmp_path), "filter", tmp_path / "low.yaml")
    (tmp_path / "low.yaml").write_text(made.text)
    assert made.text.startswith("pliant: 1\nsubgraph:\n  domain: electrical\n  parameters:")
    assert "    r: {R: tau/C, on: series}\n" in made.text
    found = done(text, ("network.element", {"network": "drive", "kind": "low.yaml", "on": "c"}),
                 base=tmp_path)  # fmt: skip
    assert "low: {part: {file: low.yaml}, with: {R: 1, C: 1 F}, ports: {in: c}}" in found


def test_parts_of_one_name_are_told_apart_in_the_palette(tmp_path):
    """A sub-graph, and the component that was saved of it."""
    draft = Draft(NETWORKS["parts"], "yaml", tmp_path)
    for name in ("filter.yaml", "low.yaml"):
        made = component(draft, "filter", tmp_path / name)
        (tmp_path / name).write_text(made.text)
    drawn = Drawn(draft, "drive")
    titles = [part["title"] for part in part_choices(drawn, ["filter.yaml", "low.yaml"])]
    assert titles[:3] == ["filter", "filter.yaml", "low"]
    assert len(set(titles)) == len(titles)


# -- places


def test_places_are_kept_and_what_is_new_stands_beside():
    text = one(MOTOR, "view.place", places={"drive": {"mesh": [0, 0]}})
    view = parsed(text, "yaml").data["view"]["places"]["drive"]
    assert set(view) == set(parsed(text, "yaml").data["networks"]["drive"]["elements"])
    assert view["mesh"] == [0, 0]
    text = added(text, "C", on="mesh")
    x, y = parsed(text, "yaml").data["view"]["places"]["drive"]["C1"]
    assert 0 < max(abs(x), abs(y)) <= 9
    assert all(max(abs(x - a), abs(y - b)) >= 2 for a, b in view.values())
    assert "places" not in one(text, "view.tidy", network="drive")


def test_places_of_what_is_gone_go_with_the_next_edit():
    text = MOTOR + "view:\n  places: {drive: {gone: [1, 1], mesh: [0, 0]}, old: {a: [0, 0]}}\n"
    text += "  folded: [nothing]\n  controls: {h: [1, 2]}\n  plots: [[gone.x], [energy, lost]]\n"
    text = one(text, "view.place", places={"drive": {"mesh": [2, 1.5]}})
    assert text == MOTOR + "view:\n  places: {drive: {mesh: [2, 1.5]}}\n  plots: [[energy]]\n"


def test_what_a_faulty_model_does_not_show_stays_in_its_view():
    view = "view:\n  controls: {h: [1, 2]}\n  plots: [[weight.position.x]]\n"
    text = ARM.replace("{arm:", "{weight: {point: 1 m}, arm:") + view
    found = one(text, "view.fold", names=["arm"], folded=True)
    assert found == text + "  folded: [arm]\n"


def test_folds_sliders_and_plots_are_kept():
    text = one(ARM, "view.fold", names=["arm"], folded=True)
    assert text == ARM + "view:\n  folded: [arm]\n"
    assert one(text, "view.fold", names=["arm"], folded=False) == ARM
    text = one(ARM, "view.control", name="h", range=["5 mm", "20 mm"])
    assert text == ARM + "view:\n  controls: {h: [5 mm, 20 mm]}\n"
    assert one(text, "view.control", name="h", range=None) == ARM
    text = one(ARM, "view.plot", panels=[["O.angle"], ["energy"]])
    assert text == ARM + "view:\n  plots: [[O.angle], [energy]]\n"


# -- gestures on the mechanism


@pytest.mark.parametrize(
    ("kind", "on", "line"),
    [
        ("Se", "O.u", "  actuator: {actuator: 1 N*m, joint: O}\n"),
        ("R", "O.u", "  joint_spring: {joint_spring: {damping: 1 N*m*s/rad}, joint: O}\n"),
        ("C", "O.u", "  joint_spring: {joint_spring: {stiffness: 1 N*m/rad}, joint: O}\n"),
        ("Sf", "O.u", "  drive: {joint: O, velocity: 1 rad/s}\n"),
        ("Se", "arm.tip.v", "  force: {force: [1 N, 0, 0], at: arm.tip}\n"),
        ("Se", "arm.W", "  torque: {torque: [1 N*m, 0, 0], at: arm}\n"),
        ("Sf", "arm.tip.v", "  drive: {frame: arm.tip, velocity: [1 m/s, 0, 0]}\n"),
        ("Sf", "arm.W", "  drive: {frame: arm, angular_velocity: [1 rad/s, 0, 0]}\n"),
        ("I", "O.u", "      O: {joint: O}\n      I1: {I: 1 kg*m^2, on: O}\n"),
        ("GY", "O.u", "      O: {joint: O}\n      GY1: {GY: 1, from: O}\n"),
        ("R", "arm.tip.v", "      tip: {frame: arm.tip}\n      R1: {R: 1 N*s/m, on: tip}\n"),
    ],
)
def test_gestures_on_the_mechanism_become_elements_of_the_model(kind, on, line):
    text = one(ARM, "graph.gesture", kind=kind, on=on)
    assert text.endswith(line)
    if kind != "GY":
        assert not faults(text)
    said = [choice["kind"] for choice in gestures(read(parsed(ARM, "yaml")).model, on)]
    assert kind in said


def test_gestures_that_mean_nothing_are_refused_in_words():
    for on in ("ground.R", "O.0v", "nothing"):
        with pytest.raises(InputError):
            one(ARM, "graph.gesture", kind="Se", on=on)
    two = ARM + "networks:\n  a: {domain: rotation}\n  b: {domain: rotation}\n"
    with pytest.raises(Question) as asked:
        one(two, "graph.gesture", kind="I", on="O.u")
    assert [more["network"] for _, more in asked.value.choices] == ["a", "b", "new network"]


def test_bonds_on_the_mechanism_become_joints_and_attachments():
    text = ARM.replace("bodies: {", "bodies: {weight: {point: 1 kg}, ")
    with pytest.raises(Question):
        one(text, "graph.bond", a="arm.tip.v", b="weight.R")
    text = one(text, "graph.bond", a="arm.tip.v", b="weight.R", kind="fixed")
    assert "{fixed: {}, between: [arm.tip, weight]}" in text
    text = one(ARM + MOTOR.partition("\n")[2], "graph.bond", a="drive.shaft", b="O.u")
    assert text.endswith("      O: {joint: O}\n    bonds: {shaft_O: {from: shaft, to: O}}\n")


# -- the drawing


def test_the_drawing_says_where_things_stand_in_the_file():
    text = added(MOTOR, "dc-motor", on="mesh")
    document = parsed(text, "yaml")
    reading = read(document)
    data = network_data(reading.model, "drive", reading.faults, document.data)
    nodes = {node["local"]: node for node in data["nodes"]}
    assert nodes["La"]["valuePath"] == ["networks", "drive", "elements", "La", "I"]
    assert nodes["La"]["written"] == "50 mH"
    assert nodes["shaft"]["domain"] == "rotation"
    assert nodes["motor.rotor"]["inside"]
    bonds = {bond["name"]: bond for bond in data["bonds"]}
    assert bonds["drive.torque.2"]["path"] == ["networks", "drive", "elements", "torque", "to"]
    assert bonds["drive.La"]["convention"] == "half arrows enter I elements by convention"
    (box,) = [box for box in data["boxes"] if box.get("local") == "motor"]
    ports = {port["name"]: port for port in box["ports"]}
    assert ports["terminals"]["joined"] == "mesh"
    assert ports["shaft"]["joined"] == ""
    assert ports["shaft"]["side"] == "right"
    assert box["source"] == "shipped:dc-motor"


def test_two_sources_of_flow_on_one_junction_are_both_named():
    text = added(added(MOTOR, "Sf", on="mesh"), "Sf", on="mesh")
    data = network_data(read(parsed(text, "yaml")).model, "drive")
    (conflict,) = [found for found in data["findings"] if found["kind"] == "conflict"]
    assert conflict["elements"] == ["drive.Sf1", "drive.Sf2"]
    assert "both fix the flow of 1-junction" in conflict["text"]


# -- odd files


def test_json_files_and_hand_written_styles_keep_theirs():
    text = '{"pliant": 1, "networks": {"drive": {"elements": {"a": {"junction": 1}}}}}\n'
    found = done(text, ("network.element", {"network": "drive", "kind": "R", "on": "a"}),
                 format="json")  # fmt: skip
    assert found == text.replace("1}}}}}", '1}, "R1": {"R": 1, "on": "a"}}}}}')
    flow = "pliant: 1\nnetworks: {drive: {elements: {a: {junction: 1}}}}   # short\n"
    assert added(flow, "C", on="a") == flow.replace("1}}}", "1}, C1: {C: 1, on: a}}}")


def test_faulty_networks_are_edited_as_far_as_they_can_be_read():
    text = MOTOR + "      odd: {Q: 1}\n      alone: {R: 1 V}\n"
    text = bonded(text, "alone", "mesh")
    assert "alone: {R: 1 V, on: mesh}" in text
    with pytest.raises(InputError, match="cannot be read"):
        bonded(text, "odd", "mesh")
    with pytest.raises(InputError, match="did you mean"):
        bonded(text, "mush", "alone")
    with pytest.raises(InputError, match="there is no network 'drove'"):
        one(text, "network.element", network="drove", kind="R")


def test_boxes_of_the_mechanism_stand_where_they_were_put():
    free = {b["name"]: b for b in bond_data(study(ARM), open="all")["boxes"]}
    text = one(ARM, "view.place", places={}, boxes={"arm": [30, -4]})
    assert text == ARM + "view:\n  boxes: {arm: [30, -4]}\n"
    data = bond_data(study(text), open="all")
    boxes = {b["name"]: b for b in data["boxes"]}
    assert boxes["arm"]["at"][:2] == [600, -80]
    assert boxes["arm"]["at"][2:] == free["arm"]["at"][2:]
    assert boxes["ground"] == free["ground"]
    nodes = {n["name"]: np.array(n["at"]) for n in data["nodes"]}
    for bond in data["bonds"]:
        way = np.array(bond["points"])
        assert np.abs(way[0] - nodes[bond["tail"]]).max() < 60
        assert np.abs(way[-1] - nodes[bond["head"]]).max() < 60


def test_parts_are_drawn_as_their_sub_graph_is(tmp_path):
    text = NETWORKS["parts"]
    text = one(text, "view.place", places={"subgraphs.filter": {"c": [0, 6], "r": [-4, 6]}})
    made = component(Draft(text, "yaml", tmp_path), "filter", tmp_path / "low.yaml")
    (tmp_path / "low.yaml").write_text(made.text)
    text = text.replace("second: {part: filter", "second: {part: {file: low.yaml}")
    model = read(parsed(text, "yaml"), tmp_path).model
    assert not read(parsed(text, "yaml"), tmp_path).faults
    nodes = {n["name"]: np.array(n["at"]) for n in network_data(model, "drive")["nodes"]}
    for part in ("first", "second"):
        step = nodes[f"drive.{part}.c"] - nodes[f"drive.{part}.r"]
        assert step.tolist() == pytest.approx([80, 0], abs=0.2)
    graph = {n["name"]: np.array(n["at"]) for n in bond_data(pl.System(model))["nodes"]}
    step = graph["drive.second.c"] - graph["drive.second.r"]
    assert step.tolist() == pytest.approx([80, 0], abs=0.2)


def test_a_folded_part_shows_its_ports_only():
    text = one(added(MOTOR, "dc-motor", on="mesh"), "view.fold", names=["drive.motor"], folded=True)
    assert text.endswith("view:\n  folded: [drive.motor]\n")
    data = network_data(read(parsed(text, "yaml")).model, "drive")
    inside = [n["local"] for n in data["nodes"] if n["inside"]]
    assert inside == ["motor.armature", "motor.shaft"]
    (box,) = [b for b in data["boxes"] if b.get("local") == "motor"]
    assert not box["open"]
    assert box["canOpen"]
    assert {"label": "elements", "text": "15"} in data["facts"]


def test_strokes_of_a_sub_graph_are_those_of_its_first_copy():
    model = read(parsed(NETWORKS["parts"], "yaml")).model
    there = {b["name"]: b["stroke"] for b in network_data(model, "drive")["bonds"]}
    here = {b["name"]: b["stroke"] for b in network_data(model, "subgraphs.filter")["bonds"]}
    assert here == {
        f"subgraphs.filter.{n}": there[f"drive.first.{n}"] for n in ("r", "c", "through")
    }


# -- sub-graphs from nothing


def test_a_sub_graph_is_drawn_from_nothing_with_its_ports():
    text = done(
        MOTOR,
        ("network.add", {"name": "subgraphs.coil", "domain": "electrical"}),
        ("network.element", {"network": "subgraphs.coil", "kind": "1", "name": "mesh"}),
        ("network.element", {"network": "subgraphs.coil", "kind": "I", "on": "mesh"}),
        ("graph.port", {"network": "subgraphs.coil", "junction": "mesh", "name": "line"}),
    )
    assert text == MOTOR + (
        "subgraphs:\n"
        "  coil:\n"
        "    domain: electrical\n"
        "    elements:\n"
        "      mesh: {junction: 1}\n"
        "      I1: {I: 1 H, on: mesh}\n"
        "    ports: {line: mesh}\n"
    )
    found = added(text, "coil", on="mesh")
    assert "      coil: {part: coil, ports: {line: mesh}}\n" in found
    assert not faults(found)
    text = one(text, "graph.port", network="subgraphs.coil", junction="mesh", name="line",
               outward=True)  # fmt: skip
    assert text.endswith("    ports: {line: {junction: mesh, outward: true}}\n")
    assert "ports" not in one(text, "graph.port", network="subgraphs.coil", name="line")
    with pytest.raises(InputError, match="I1 is not a junction"):
        one(text, "graph.port", network="subgraphs.coil", junction="I1")
    with pytest.raises(InputError, match="it has no ports"):
        one(text, "graph.port", network="drive", junction="mesh")


def test_names_that_clash_get_others():
    text = added(MOTOR, "dc-motor", on="mesh")
    text = one(text, "graph.group", network="drive", names=["ra", "La"], name="coil")
    text = one(text, "graph.group", network="drive", names=["drag", "rotor"])
    data = parsed(text, "yaml").data
    assert set(data["subgraphs"]) == {"coil", "group1"}
    for name in ("coil", "dc-motor", "two words"):
        with pytest.raises(InputError):
            one(text, "graph.group", network="drive", names=["supply"], name=name)
    text = one(text, "graph.ungroup", network="drive", part="motor")
    names = [*parsed(text, "yaml").data["networks"]["drive"]["elements"]]
    assert {"motor_torque", "motor_shaft", "armature"} <= {*names}
    assert len(names) == len({*names})


# -- messages of the canvas


def test_the_page_asks_what_may_follow_and_saves_components(tmp_path):
    model = tmp_path / "model.yaml"
    model.write_text(NETWORKS["parts"])

    async def go(studio, window):
        answers = [
            await window.ask("follow", network="drive", name="a"),
            await window.ask("bondable", network="drive", a="load"),
            await window.ask("component", subgraph="filter", path="parts/low.yaml"),
            await window.ask("component", subgraph="filter", path="parts/low.yaml"),
            await window.ask("component", subgraph="filter", path="../low.yaml"),
            await window.ask("network_palette", network="drive"),
            await window.ask("gestures", name="O.u"),
        ]
        placed = await window.ask(
            "do", revision=1, operation="network.element",
            arguments={"network": "drive", "kind": "parts/low.yaml", "on": "c"},
        )  # fmt: skip
        return answers, placed, studio.document.text

    (follow, bonds, saved, again, outside, palette, nothing), placed, text = in_studio(model, go)
    assert follow["choices"][0]["kind"] == "Se"
    assert {one["name"] for one in bonds["elements"]} >= {"a", "first.in", "second.out"}
    assert saved["kind"] == "parts/low.yaml"
    assert (again["type"], again["what"]) == ("refused", "parts/low.yaml is there already")
    assert outside["type"] == nothing["type"] == "refused"
    parts = {part["kind"]: part["source"] for part in palette["parts"]}
    assert (parts["filter"], parts["parts/low.yaml"], parts["gear"]) == ("model", "file", "shipped")
    assert placed["type"] == "accepted"
    assert "low: {part: {file: parts/low.yaml}," in text


def test_a_large_network_is_planned_and_drawn_in_a_moment():
    lines = [f"      j{k}: {{junction: 1}}\n      R{k}: {{R: 10 ohm, on: j{k}}}\n"
             f"      I{k}: {{I: 1 H, on: j{k}}}\n" for k in range(100)]  # fmt: skip
    text = (
        f"pliant: 1\nnetworks:\n  drive:\n    domain: electrical\n    elements:\n{''.join(lines)}"
    )
    text += "    bonds:\n" + "".join(
        f"      b{k}: {{from: j{k}, to: j{k + 1}}}\n" for k in range(99)
    )
    text = one(text, "view.place", places={"drive": {"j0": [0, 0]}})
    document = parsed(text, "yaml")
    reading = read(document)
    start = time.thread_time()
    draft = Draft(text, "yaml", reading=reading)
    planned(draft, "network.element", {"network": "drive", "kind": "C", "on": "j50"}).splices()
    network_data(reading.model, "drive", reading.faults, document.data)
    assert time.thread_time() - start < 1.0
