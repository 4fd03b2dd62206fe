"""Networks as data: reading, writing, parts, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sample_networks import networks

from pliant.errors import InputError, ModelError
from pliant.model import Model, Network, RigidBody, Subgraph
from pliant.model.files import dump, load, loads, save
from pliant.model.networks.elements import KINDS
from pliant.model.networks.kinds import ONE_PORTS, UNITS
from pliant.model.networks.library import COMPONENTS, read_subgraph
from pliant.model.numbers.units import dimension_of

RL: dict[str, Any] = {
    "mesh": {"junction": 1},
    "E": {"Se": "12 V", "on": "mesh"},
    "r": {"R": "2 ohm", "on": "mesh"},
    "L": {"I": "50 mH", "on": "mesh", "initial": "1 A"},
}
TEXT = """
pliant: 1
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      E: {Se: 12 V, on: mesh}
      r: {R: 2 ohm, on: mesh}
      L: {I: 50 mH, on: mesh, initial: 1 A}
"""


def model(elements: dict[str, Any], **more: Any) -> Model:
    return Model(networks=[Network("drive", elements, domain="electrical", **more)])


def faults(given: Model) -> list[str]:
    return [str(fault) for fault in given.faults()]


def test_python_and_file_say_the_same() -> None:
    made = model(RL)
    assert made.check() == loads(TEXT)
    assert loads(dump(made)) == made
    assert loads(dump(made, "json"), "json") == made


def test_the_sample_of_round_trips_holds_every_kind() -> None:
    (network,) = networks()
    assert {element.kind for element in network.elements.values()} == set(KINDS)


def test_a_model_may_consist_of_networks_only() -> None:
    assert not model(RL).faults()
    assert [f.what for f in Model().faults()] == ["it has no bodies"]


def test_bare_values_mean_the_main_law() -> None:
    laws = {"Se": "effort", "Sf": "flow", "I": "inertia", "C": "capacity", "R": "resistance",
            "MR": "effort", "EJS": "effort"}  # fmt: skip
    for kind, law in laws.items():
        short, long = (
            Network("n", {"j": {"junction": 1}, "x": {kind: value, "on": "j"}})
            for value in ("2*t", {law: "2*t"})
        )
        assert short == long
        assert list(short.elements["x"].law) == [law]  # type: ignore[union-attr]
    assert set(laws) == set(ONE_PORTS) - {"CN"}


def test_every_fault_of_the_elements_is_reported_at_once_with_its_line() -> None:
    text = TEXT.replace("12 V, on: mesh", "12 V, onn: mesh").replace("R: 2 ohm", "RR: 2 ohm")
    text = text.replace("on: mesh, initial", "on: [mash], initial")
    with pytest.raises(ModelError) as caught:
        loads(text)
    found = [str(f) for f in caught.value.faults]
    assert found == [
        "element 'drive.E': unknown key 'onn'; did you mean 'on'? (line 8)",
        "element 'drive.r': unknown kind 'RR'; did you mean 'R'? (line 9)",
        "element 'drive.L': on: there is no junction 'mash'; did you mean 'mesh'? (line 10)",
    ]


def test_what_only_follows_from_an_unreadable_element_is_not_reported() -> None:
    with pytest.raises(ModelError) as caught:
        loads(TEXT.replace("{junction: 1}", "{junction: 2}"))
    assert len(caught.value.faults) == 1
    assert "write 0 (common effort) or 1 (common flow)" in str(caught.value)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"r": {"R": 2, "I": 3, "on": "mesh"}}, "it is of several kinds: R, I; keep one"),
    ({"r": {"R": {}, "on": "mesh"}}, "R: its law is missing; give one of resistance, effort, flow"),
    ({"r": {"R": None, "on": "mesh"}}, "R: its value is missing; give resistance"),
    ({"r": {"R": {"resistance": 2, "flow": "e"}, "on": "mesh"}}, "resistance and flow are given"),
    ({"c": {"C": {"displacement": "e"}, "on": "mesh"}}, "C: its effort is missing"),
    ({"c": {"C": 1, "on": "mesh", "initial": {"effort": 1, "displacement": 2}}}, "keep one"),
    ({"c": {"C": {"effort": "q"}, "on": "mesh", "initial": {"effort": 1}}},
     "initial: effort needs a law that gives the displacement"),
    ({"x": {"CN": 3, "on": "mesh"}}, "CN takes no value"),
    ({"x": {"SUM": 3, "from": "mesh", "to": "mesh"}}, "SUM: no permutation of 1 component"),
    ({"x": {"TF": None, "from": "mesh", "to": "mesh"}}, "TF: its value is missing"),
    ({"x": {"TF": [[1, 2], [3]], "from": "mesh", "to": "mesh"}}, "not of one length"),
    ({"x": {"R": [], "on": "mesh"}}, "an empty list"),
    ({"x": {"R": 1, "on": "mesh", "stroke": "left"}}, "'left' is not one of element, junction"),
    ({"x": {"R": 1, "on": ["mesh", "mesh"]}}, "a junction is named twice"),
    ({"x": {"R": 1, "on": "mesh", "domain": "thermal"}}, "thermal, but 'mesh' is electrical"),
    ({"x": {"part": 3}}, "part: 3 is not a sub-graph"),
    ({"x": {"part": {"path": "a.yaml"}}}, "part: file is missing"),
    ({"x": {"junction": 1, "dim": 0}}, "0 is not a number of components"),
    ({"x": 3}, "3 stands where a mapping is expected"),
    ({"x": {"on": "mesh"}}, "the kind of element is missing"),
    ({"x": {"L": 3, "on": "mesh"}}, "unknown kind 'L'; did you mean 'I'?"),
    ({"1x": {"R": 1, "on": "mesh"}}, "'1x' is not a legal name"),
    ({"x": {"R": "a < 2", "on": "mesh"}}, "is a condition, not a number"),
    ({"x": {"C": "1 + L.flow", "on": "mesh"}}, "reads 'drive.L.flow', but must be constant"),
    ({"x": {"C": {"effort": "q*sin(t)"}, "on": "mesh"}}, "reads 't', but must be constant"),
    ({"x": {"C": 1, "on": "mesh", "initial": "t"}}, "a start value may read parameters only"),
    ({"x": {"I": -2, "on": "mesh"}}, "the inertia is -2, below zero"),
    ({"x": {"R": "1/0", "on": "mesh"}}, "'1/0' has no finite value"),
    ({"x": {"R": "f*2", "on": "mesh"}}, "unknown name 'f'"),
    ({"x": {"R": {"effort": "f1"}, "on": "mesh"}}, "unknown name 'f1'; did you mean 'f'?"),
    ({"x": {"Se": "mesh.flow", "on": "mesh"}}, "unknown name 'mesh.flow'"),
    ({"z": {"R": 0, "on": "k"}, "k": {"junction": 1}}, "all that is bonded to it is 0"),
    ({"z": {"I": 0, "on": "mesh"}, "s": {"Se": "z.flow", "on": "mesh"}},
     "reads 'drive.z.flow' of an element that is left out"),
    ({"v": {"junction": 1, "dim": 3}, "x": {"SUM": {}, "from": "mesh", "to": "v"}},
     "1 component enter, 3 leave"),
    ({"v": {"junction": 1, "dim": 3}, "x": {"R": {"effort": "f1"}, "on": "v"}},
     "R: one number for 3 components; give 3 numbers"),
    ({"v": {"junction": 1, "dim": 3}, "x": {"TF": [[1, 2, 3]], "from": "v", "to": "mesh",
      "inverse": "transpose"}}, "a matrix of 1 x 3 is no rotation"),
    ({"w": {"junction": 1, "domain": "rotation"}, "x": {"TF": "2 m", "from": "w", "to": "mesh"}},
     "expected A per rad/s"),
]  # fmt: skip


@pytest.mark.parametrize(("elements", "what"), WRONG, ids=[what for _, what in WRONG])
def test_faults_of_elements(elements: dict[str, Any], what: str) -> None:
    with pytest.raises(InputError) as caught:
        model({**RL, **elements}).check()
    assert what in str(caught.value)
    assert "element 'drive." in str(caught.value)


@pytest.mark.parametrize(
    ("unit", "domain"),
    [("3 N*m*s/rad", "rotation"), ("3 N*m*s", "rotation"), ("3 N*s/m", "translation"),
     ("3 kohm", "electrical"), ("3 bar*s/L", "hydraulic"), ("3 K/W", "thermal")],
)  # fmt: skip
def test_units_of_a_resistance(unit: str, domain: str) -> None:
    elements = {"j": {"junction": 1, "domain": domain}, "r": {"R": unit, "on": "j"},
                "e": {"Se": 1, "on": "j"}}  # fmt: skip
    assert not model(elements).faults()
    for other in set(UNITS) - {domain}:
        elements["j"] = {"junction": 1, "domain": other}
        assert [f for f in faults(model(elements)) if "wrong unit" in f]


def test_the_unit_of_a_parameter_counts() -> None:
    elements = {**RL, "x": {"R": "R", "on": "mesh"}}
    assert not model(elements, parameters={"R": "3 ohm"}).faults()
    (fault,) = faults(model(elements, parameters={"R": "3 F"}))
    assert "R: 'R' = '3 F' has the wrong unit; expected ohm" in fault


@pytest.mark.parametrize("domain", UNITS)
def test_units_of_linear_laws_follow_from_effort_and_flow(domain: str) -> None:
    units = UNITS[domain]
    e, f, q = (dimension_of(units[k]) for k in ("effort", "flow", "displacement"))
    s = dimension_of("s")
    laws = {
        "resistance": e * f**-1, "inertia": e * s * f**-1, "capacity": q * e**-1,
        "stiffness": e * q**-1,
    }  # fmt: skip
    for law, dimension in laws.items():
        assert dimension_of(units[law]).without_angle == dimension.without_angle


# --- names outside of networks


def test_other_formulas_may_read_states_of_networks() -> None:
    text = (
        TEXT
        + """
bodies: {a: {point: 1}}
forces: {push: {force: [2*drive.L.flow, 0, 0], at: a}}
outputs: {current: drive.L.flow, heat: drive.r.power}
"""
    )
    loads(text)
    with pytest.raises(ModelError, match=r"unknown name 'drive\.L\.flo'; did you mean"):
        loads(text.replace("2*drive.L.flow", "2*drive.L.flo"))
    with pytest.raises(ModelError, match="may read t, parameters and signals only"):
        loads(text + "drivers: {d: {frame: a, position: [drive.L.flow, 0, 0]}}\n")


def test_networks_share_the_names_of_bodies() -> None:
    both = Model(bodies=[RigidBody("drive", 1)], networks=[Network("drive", RL)])
    assert [f for f in faults(both) if "network 'drive': a body has the same name" in f]


# --- parts


@pytest.mark.parametrize("name", COMPONENTS)
def test_shipped_parts_are_free_of_faults(name: str) -> None:
    part = read_subgraph(COMPONENTS[name])
    assert part.description
    assert part.ports
    used = Model(networks=[Network("n", RL)], subgraphs=[part])
    assert not used.faults()
    assert loads(dump(used)) == used


def test_faults_in_parts_name_the_whole_way() -> None:
    elements = {**RL, "M": {"part": "dc-motor", "with": {"R": 1, "L": "t", "k": 1},
                            "ports": {"terminals": "mesh", "shaft": "w"}},
                "w": {"junction": 1, "domain": "rotation"}}  # fmt: skip
    (fault,) = faults(model(elements))
    assert "element 'drive.M.inductance': I: reads 't', but must be constant" in fault


@pytest.mark.parametrize(
    ("given", "what"),
    [({"R": 1, "L": "L0", "k": 1}, "inductance': I: 'L0' = '3 F' has the wrong unit; expected H"),
     ({"R": "2 F", "L": 1, "k": 1}, "resistance': R: '2 F' has the wrong unit; expected ohm"),
     ({"R": 1, "L": 1, "k": "2 V"}, "torque': GY: '2 V' has the wrong unit; expected N*m per A")],
)  # fmt: skip
def test_units_are_checked_where_parameters_of_parts_end(given: dict[str, Any], what: str) -> None:
    elements = {**RL, "M": {"part": "dc-motor", "with": given,
                            "ports": {"terminals": "mesh", "shaft": "w"}},
                "w": {"junction": 1, "domain": "rotation"}}  # fmt: skip
    network = Network("drive", elements, domain="electrical")
    (fault,) = faults(Model(networks=[network], parameters={"L0": "3 F"}))
    assert what in fault


def test_a_subgraph_has_no_joints() -> None:
    elements = {"j": {"junction": 1}, "o": {"joint": "O"}, "r": {"R": 1, "on": "o"}}
    part = Subgraph("p", elements, ports={"a": "j", "b": "k"})
    found = faults(Model(networks=[Network("n", RL)], subgraphs=[part]))
    assert len(found) == 2
    assert "element 'p.o': a sub-graph cannot be attached" in found[1]
    assert "port 'p.b': there is no junction 'k'" in found[0]


def test_parts_that_grow_without_end_are_refused() -> None:
    """Sixteen sub-graphs, each with four copies of the next: 4¹⁶ elements."""
    subgraphs = []
    for k in range(16):
        inner = {f"x{i}": {"part": f"s{k + 1}", "ports": {"p": "j"}} for i in range(4)}
        subgraphs.append(Subgraph(f"s{k}", {"j": {"junction": 1}, **inner}, ports={"p": "j"}))
    last = {"j": {"junction": 1}, "r": {"R": 1, "on": "j"}}
    subgraphs.append(Subgraph("s16", last, ports={"p": "j"}))
    used = {**RL, "x": {"part": "s0", "ports": {"p": "mesh"}}}
    found = Model(networks=[Network("n", used)], subgraphs=subgraphs).faults()
    assert any("elements; at most 20000" in str(f) for f in found)


PART = """
pliant: 1
subgraph:
  domain: electrical
  parameters: {R: null}
  elements: {j: {junction: 1}, r: {R: R, on: j}}
  ports: {p: j}
"""
USING = TEXT + "      x: {part: {file: parts/load.yaml}, with: {R: 3}, ports: {p: mesh}}\n"


def write(folder: Path, part: str) -> Path:
    (folder / "parts").mkdir(exist_ok=True)
    (folder / "parts" / "load.yaml").write_text(part)
    (folder / "m.yaml").write_text(USING)
    return folder / "m.yaml"


def test_part_files_are_named_relative_to_the_model(tmp_path: Path) -> None:
    read = load(write(tmp_path, PART))
    save(read, tmp_path / "again.yaml")
    text = (tmp_path / "again.yaml").read_text()
    assert "file: parts/load.yaml" in text
    assert load(tmp_path / "again.yaml") == read
    assert loads(dump(read)) == read


@pytest.mark.parametrize(
    ("part", "what"),
    [
        ("pliant: 1\nbodies: {}\n", "load.yaml: it is not a sub-graph"),
        (PART.replace("pliant: 1", "pliant: 2"), "write pliant: 1"),
        (PART + "bodies: {}\n", "load.yaml: unknown key 'bodies'"),
        (PART.replace("ports:", "port:"), "load.yaml: unknown key 'port'; did you mean 'ports'?"),
        (PART.replace("R: R", "R: Q"), "element 'load.r': R: unknown name 'Q'"),
        (PART.replace("{R: R,", "{RR: R,"), "element 'load.r': unknown kind 'RR'"),
        (PART.replace("on: j", "on: k"), "element 'load.r': on: there is no junction 'k'"),
        (PART + "  domain: thermal\n", "'domain' is given twice"),
        ("a: [", "not valid YAML"),
        (PART.replace("r: {R: R, on: j}", "r: {part: {file: load.yaml}, ports: {p: j}}"),
         "a sub-graph is part of itself: load.yaml -> load.yaml"),
    ],
)  # fmt: skip
def test_faults_in_part_files_name_the_file(tmp_path: Path, part: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        load(write(tmp_path, part))
    assert what in str(caught.value)
    assert "load.yaml" in str(caught.value)


def test_a_changed_part_file_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path, PART)
    load(path)
    write(tmp_path, PART.replace("R: R, on: j", "R: 2*RRR, on: j"))
    with pytest.raises(ModelError, match="unknown name 'RRR'"):
        load(path)
