"""One network as data: values, strokes, places of the user, and what is left of a faulty one."""

from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.errors import Fault, InputError
from pliant.model.files.reading import read
from pliant.model.files.text import parsed
from pliant.model.view import View
from pliant.studio.views.graphs.bond import bond_data
from pliant.studio.views.graphs.network import fault_counts, network_data

EXAMPLES = Path(__file__).parents[2] / "examples"
MESH = {
    "mesh": {"junction": 1},
    "supply": {"Se": "24 V", "on": "mesh"},
    "R1": {"R": "0.4 ohm", "on": "mesh"},
    "La": {"I": "50 mH", "on": "mesh"},
}


FAULTY = """
pliant: 1
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: 24 V, on: mesh}
      La: {I: 50 mH, on: mesh}
      lonely: {R: 2 ohm}
      lost: {R: 2 ohm, on: mehs}
      wrong: {R: 3 apples, on: mesh}
"""


def model(elements, bonds=None):
    """A network that nobody has checked."""
    own = pl.Network("drive", domain="electrical", elements=elements, bonds=bonds or {})
    return pl.Model(networks=[own])


def named(data):
    return {n["name"].removeprefix("drive."): n for n in data["nodes"]}


def strokes(data):
    return {b["name"].removeprefix("drive."): b["stroke"] for b in data["bonds"]}


def test_a_sound_network_has_strokes_values_and_words():
    data = network_data(model(MESH), "drive")
    nodes = named(data)
    assert nodes["La"]["sentence"] == "I La, 50 mH, on mesh, effort in, flow out: integral"
    assert nodes["R1"]["value"] == "0.4 ohm"
    assert nodes["R1"]["law"] == "e = R f"
    assert nodes["supply"]["owner"] == "drive.supply"
    assert strokes(data) == {
        "supply": {"tail": False, "head": True},
        "R1": {"tail": True, "head": False},
        "La": {"tail": False, "head": True},
    }
    assert data["findings"][0]["kind"] == "integral"


def test_elements_of_parts_have_the_values_they_are_given():
    system = pl.load(EXAMPLES / "crank_rocker.yaml")
    data = network_data(system.described, "drive")
    nodes = named(data)
    assert nodes["motor.friction"]["value"] == "0.226 N*m*s/rad"
    assert nodes["motor.inductance"]["value"] == "50 mH"
    assert nodes["axle"]["sentence"].startswith("1 axle, attached to joint O, angle")
    assert [b["name"] for b in data["boxes"]] == ["drive", "drive.motor"]
    assert data["findings"][0]["text"] == "I drive.motor.rotor moves with joint O at drive.axle"


@pytest.mark.parametrize("name", ["hydraulic_crane", "crank_rocker"])
def test_the_whole_network_is_drawn_as_in_the_system(name):
    system = pl.load(EXAMPLES / f"{name}.yaml")
    for network in system.described.networks:
        data = network_data(system.described, network)
        whole = system.graph("bond").bonds.graph
        own = {n.name for n in whole.nodes.values() if n.name.startswith(f"{network}.")}
        drawn = {n["name"] for n in data["nodes"]}
        assert own - drawn <= {n for n in own if n.endswith((".TF", ".joint")) or "." in n}
        assert all(b["stroke"]["tail"] or b["stroke"]["head"] for b in data["bonds"])


def test_an_element_without_a_bond_stands_alone_and_the_others_keep_their_strokes():
    data = network_data(model({**MESH, "C1": {"C": "1 uF"}, "R2": {"R": 1, "on": "mehs"}}), "drive")
    nodes = named(data)
    assert nodes["C1"]["sentence"] == "C C1, 1 uF, not bonded"
    assert "not bonded" in nodes["R2"]["sentence"]
    assert strokes(data)["La"] == {"tail": False, "head": True}
    assert len(data["bonds"]) == 3


def test_a_conflict_is_found_and_named():
    elements = {
        "mesh": {"junction": 1},
        "a": {"Sf": 1, "on": "mesh"},
        "b": {"Sf": 2, "on": "mesh"},
        "R1": {"R": 1, "on": "mesh"},
    }
    data = network_data(model(elements), "drive")
    assert data["findings"][0]["kind"] == "conflict"
    assert set(data["findings"][0]["elements"]) == {"drive.a", "drive.b"}
    assert len(data["bonds"]) == 3


def test_unknown_parts_and_bonds_to_nowhere_are_no_end():
    elements = {**MESH, "motor": {"part": "ac-motor", "ports": {"terminals": "mesh"}}}
    data = network_data(model(elements, {"ab": {"from": "mesh", "to": "nowhere"}}), "drive")
    assert named(data)["motor"]["kind"] == "part"
    assert "ac-motor" in named(data)["motor"]["sentence"]
    assert {b["name"] for b in data["bonds"]} == {"drive.supply", "drive.R1", "drive.La"}


def test_a_law_that_reads_nothing_known_leaves_its_element_without_a_number():
    elements = {**MESH, "R2": {"R": "nobody*2", "on": "mesh"}}
    fault = Fault("element 'drive.R2'", "there is no 'nobody'", path=("networks", "drive",
                                                                    "elements", "R2"))  # fmt: skip
    data = network_data(model(elements), "drive", [fault])
    node = named(data)["R2"]
    assert (node["value"], node["faults"]) == ("nobody*2", 1)
    assert node["sentence"].endswith("1 fault")
    assert strokes(data)["La"] == {"tail": False, "head": True}
    assert strokes(data)["R2"] == {"tail": True, "head": False}


def test_an_empty_network_is_drawn_as_a_box():
    data = network_data(model({}), "drive")
    assert data["nodes"] == []
    assert [b["name"] for b in data["boxes"]] == ["drive"]


def test_faults_are_counted_by_element():
    faults = [
        Fault("element 'drive.La'", "x", path=("networks", "drive", "elements", "La", "I")),
        Fault("element 'drive.La'", "y"),
        Fault("network 'drive'", "z", path=("networks", "drive")),
        Fault("body 'crank'", "w", path=("bodies", "crank")),
    ]
    assert fault_counts("drive", faults) == {"La": 2, "": 1}


def test_an_unknown_network_is_refused():
    with pytest.raises(InputError, match="no network 'drives'"):
        network_data(model(MESH), "drives")


def put(model, **places):
    return model.with_(view=View(places={"drive": places}))


def test_elements_stand_where_the_user_put_them():
    places = {"mesh": (3, -2), "supply": (-4, 1), "La": (3, 5), "gone": (0, 0)}
    data = network_data(put(model(MESH), **places), "drive")
    nodes = named(data)
    for name, place in places.items():
        if name in nodes:
            assert nodes[name]["at"] == [20.0 * place[0], 20.0 * place[1]]
            assert nodes[name]["placed"]
    assert not nodes["R1"]["placed"]
    centres = [np.array(n["at"]) for n in data["nodes"]]
    sizes = [np.array(n["size"]) / 2 for n in data["nodes"]]
    for i in range(len(centres)):
        for j in range(i):
            assert (np.abs(centres[i] - centres[j]) >= sizes[i] + sizes[j]).any()


def test_bonds_bend_around_symbols_in_their_way():
    own = put(model(MESH), mesh=(0, 0), R1=(5, 0), La=(10, 0), supply=(-5, 0))
    ways = {b["name"]: b["points"] for b in network_data(own, "drive")["bonds"]}
    assert len(ways["drive.R1"]) == 2
    assert len(ways["drive.La"]) == 3


def test_pictures_of_the_command_line_use_the_same_places():
    described = pl.load(EXAMPLES / "crank_rocker.yaml").described
    system = pl.System(put(described, mesh=(0, 0), supply=(-6, -3), motor=(13, 6)))
    view = system.graph("bond", full=True)
    symbols = view.drawing(view.grid.groups).symbols
    step = symbols["drive.supply"].at - symbols["drive.mesh"].at
    assert np.abs(step - [-120.0, -60.0]).max() < 1e-9
    assert "drive.motor.rotor" in view.svg()


def test_what_the_file_folds_is_folded():
    described = pl.load(EXAMPLES / "crank_rocker.yaml").described
    data = bond_data(pl.System(described.with_(view=View(folded=["rocker"]))))
    assert [b["name"] for b in data["boxes"] if not b["open"]] == ["rocker"]


def test_a_file_with_faults_is_drawn_as_far_as_it_is_read():
    document = parsed(FAULTY, "yaml")
    found = read(document)
    data = network_data(found.model, "drive", found.faults)
    nodes = named(data)
    assert {"mesh", "supply", "La", "lonely"} <= nodes.keys()
    assert nodes["lonely"]["sentence"] == "R lonely, 2 ohm, not bonded"
    assert nodes["lost"]["sentence"] == "R lost, 2 ohm, not bonded, 1 fault"
    assert "wrong" not in nodes
    assert strokes(data)["La"] == {"tail": False, "head": True}
