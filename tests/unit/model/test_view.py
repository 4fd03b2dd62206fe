"""The section `view`: read, written, checked; nothing to physics and to machine code."""

import pytest

import pliant as pl
from pliant.errors import ModelError
from pliant.model.files import dump, loads
from pliant.model.files.names import KEYS
from pliant.model.files.reading import read
from pliant.model.files.schema import schema
from pliant.model.files.text import parsed

MODEL = """pliant: 1
parameters: {h: 3 mm}
bodies: {a: {rigid: {mass: 1}}}
networks:
  drive:
    domain: electrical
    elements: {mesh: {junction: 1}, E: {Se: 2 V, on: mesh}, r: {R: 1 ohm, on: mesh}}
"""
VIEW = """view:
  places: {drive: {mesh: [0, -2.5], E: [-3, 0]}}
  boxes: {a: [12, 4]}
  folded: [a]
  controls: {h: [1 mm, 5 mm], bodies.a.mass: [0.5, 2]}
  plots: [[energy], [a.position, drive.r.flow]]
"""


@pytest.mark.parametrize("format", ["yaml", "json"])
def test_what_is_read_is_written(format: str) -> None:
    model = loads(MODEL + VIEW)
    assert model.view.places["drive"]["mesh"] == (0, -2.5)
    assert model.view.controls["h"][1].value == pytest.approx(0.005)
    assert loads(dump(model, format), format) == model
    assert not model.warnings()


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("places", "[1]", "a mapping is expected"),
        ("places", "{drive: {mesh: [1]}}", "is not a place"),
        ("places", "{drive: {mesh: [1, up]}}", "is not a place"),
        ("places", "{drive: {mesh: [1, 1e99]}}", "is not a place"),
        ("boxes", "{a: 3}", "is not a place"),
        ("folded", "{a: 1}", "a list of names is expected"),
        ("controls", "{h: [5 mm, 1 mm]}", "not above 5 mm"),
        ("controls", "{h: [1 mm, 5 s]}", "differ in unit"),
        ("controls", "{h: [1, h]}", "is not a range of numbers"),
        ("plots", "[energy]", "lists of names are expected"),
        ("plot", "[[energy]]", "did you mean 'plots'?"),
    ],
)
def test_bad_values_are_faults_in_their_place(key: str, value: str, said: str) -> None:
    text = f"{MODEL}view:\n  {key}: {value}\n"
    (fault,) = read(parsed(text, "yaml")).faults
    assert said in str(fault)
    assert fault.cure
    assert fault.path == ("view", key)
    assert fault.span is not None
    assert text[slice(*fault.span)] == f"{key}: {value}"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("drive: {mesh", "engine: {mesh", "there is no network 'engine'"),
        ("E: [-3", "F: [-3", "there is no element 'drive.F'"),
        ("a: [12", "b: [12", "boxes: nothing is named 'b'"),
        ("folded: [a]", "folded: [b.c]", "folded: nothing is named 'b.c'"),
        ("{h: [1", "{k: [1", "there is no number 'k'"),
        ("a.mass: [", "b.mass: [", "there is no number 'bodies.b.mass'"),
        ("a.position", "b.position", "plots: nothing is named 'b.position'"),
    ],
)
def test_names_that_are_gone_are_remarks(old: str, new: str, said: str) -> None:
    model = loads(MODEL + VIEW.replace(old, new))
    (remark,) = model.warnings()
    assert said in remark.what
    assert remark.cure
    assert remark.path[0] == "view"


def test_drawing_is_no_part_of_what_code_is_made_of() -> None:
    plain, drawn = pl.System.loads(MODEL), pl.System.loads(MODEL + VIEW)
    assert drawn.structure_text == plain.structure_text
    assert drawn.code_text == plain.code_text == plain.text
    assert drawn.text != plain.text


def test_a_file_of_a_subgraph_may_have_its_own(tmp_path) -> None:
    part = """pliant: 1
subgraph:
  domain: electrical
  elements: {mesh: {junction: 1}, r: {R: 1 ohm, on: mesh}}
  ports: {line: mesh}
view: {places: {part: {mesh: [0, 0]}}}
"""
    (tmp_path / "part.yaml").write_text(part)
    model = MODEL.replace("r: {R", "p: {part: {file: part.yaml}, ports: {line: mesh}}, r: {R")
    (tmp_path / "model.yaml").write_text(model)
    assert "p" in pl.System.load(tmp_path / "model.yaml").model.networks["drive"].elements


def test_sections_stand_in_the_order_of_the_schema() -> None:
    assert [*KEYS] == [*schema()["properties"]]
    assert KEYS[-1] == "view"


def test_a_broken_view_is_told_by_load() -> None:
    with pytest.raises(ModelError, match="view: boxes"):
        loads(MODEL + "view: {boxes: 3}\n")
