"""Model -> file -> model is the identity, in YAML and JSON; the schema accepts what we write."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import jsonschema
import pytest
from sample_models import everything

from pliant.errors import FileError, ModelError
from pliant.model import Event, Model, RigidBody, Signal
from pliant.model.bodies import BODIES
from pliant.model.drivers import DRIVERS
from pliant.model.files import SCHEMA, dump, load, loads, save
from pliant.model.files.schema import text as schema_text
from pliant.model.files.text import parse_yaml
from pliant.model.forces import FORCES
from pliant.model.joints import JOINTS

VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
BROKEN = Path(__file__).parents[2] / "broken"
EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".json"])
def test_saved_model_loads_equal(tmp_path: Path, suffix: str) -> None:
    model = everything()
    path = save(model, tmp_path / f"model{suffix}")
    assert load(path) == model
    assert dump(load(path)) == dump(model)


def test_sample_holds_every_registered_kind() -> None:
    model = everything()
    assert {type(b) for b in model.bodies.values()} == set(BODIES.values())
    assert {type(j) for j in model.joints.values()} == set(JOINTS.values())
    assert {type(f) for f in model.forces.values()} == set(FORCES.values())
    assert {type(d) for d in model.drivers.values()} == set(DRIVERS.values())


def test_model_pickles_and_hashes() -> None:
    model = everything()
    assert pickle.loads(pickle.dumps(model)) == model
    assert hash(model) == hash(everything())


def test_texts_that_look_like_numbers_survive() -> None:
    for text in ("1e3", "1.5", "null", "true", "on", "~", "0x1f", "a: b", "- a", "#", "ä\n b "):
        body = RigidBody("b", 1)
        event = Event("e", "b.position.z", message=text)
        model = Model(name=text, description=text, bodies=[body], events=[event])
        assert loads(dump(model)) == model
        assert loads(dump(model, "json"), "json") == model


def test_shipped_schema_is_the_generated_one() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema_text()
    VALIDATOR.check_schema(VALIDATOR.schema)


def test_schema_accepts_what_is_written() -> None:
    errors = list(VALIDATOR.iter_errors(json.loads(dump(everything(), "json"))))
    assert not errors, errors[0].message


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("**/*.yaml")), ids=lambda p: p.name)
def test_examples_load_fit_the_schema_and_round_trip(path: Path) -> None:
    model = load(path)
    errors = list(VALIDATOR.iter_errors(parse_yaml(path.read_text(encoding="utf-8")).data))
    assert not errors, errors[0].message
    assert loads(dump(model)) == model


STRUCTURE = (
    "unknown_section", "unknown_option", "unknown_joint_kind", "bodies_list", "body_number",
    "gravity_number", "frames_list", "version_wrong", "version_missing", "joint_one_end",
    "joint_no_ends", "name_illegal", "inertia_four_numbers", "bushing_matrix", "force_nowhere",
    "force_two_components", "pitch_missing", "mass_missing", "event_without_when", "not_a_mapping",
    "beam_length_missing", "beam_unknown_section", "beam_shapes_negative", "beam_theory_elements",
    "beam_key_inside", "beam_floating_unknown", "beam_shapes_family", "mesh_without_file",
)  # fmt: skip


@pytest.mark.parametrize("name", STRUCTURE)
def test_schema_refuses_broken_structure(name: str) -> None:
    data = parse_yaml((BROKEN / f"{name}.yaml").read_text(encoding="utf-8")).data
    assert not VALIDATOR.is_valid(data)


SHORT = """
pliant: 1
parameters: {r: 1e3, big: 12345678901234567890}
bodies: {a: {point: 2}, b: {point: {mass: 1}}}
joints:
  O: {revolute: , between: [ground, a]}
  W: {fixed: {}, between: [a, b]}
forces:
  T: {torsion_spring: {stiffness: 1}, joint: O}
  on: {force: &f [0, 0, 1], at: a}
  y: {force: *f, at: b}
drivers: {spin: {joint: O, angle: 2*t}}
stop: {over: a.position.z < -1}
"""


def test_short_forms_and_yaml_1_2_words() -> None:
    model = loads(SHORT)
    assert model.parameters["r"].value == 1000.0
    assert {"on", "y"} <= set(model.forces)
    assert model.forces["on"].force == model.forces["y"].force  # type: ignore[union-attr]
    assert type(model.forces["T"]) is FORCES["joint_spring"]
    spin = model.drivers["spin"]
    assert (spin.level, spin.coordinate) == ("position", "angle")  # type: ignore[union-attr]
    over = model.events["over"]
    assert (over.stop, over.direction, over.when.names) == (True, "rising", {"a.position.z"})
    assert over.when.number({"a.position.z": -2.0}) > 0
    assert loads(dump(model)) == model


CSV = "time, wind\n0, 1\n1, 3\n2, 2\n"
WITH_CSV = """
pliant: 1
bodies: {a: {point: 2}}
signals: {wind: {file: data/wind.csv, value: wind, interpolation: linear}}
forces: {push: {force: [wind, 0, 0], at: a}}
"""


def test_signal_from_csv_beside_the_model(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "wind.csv").write_text(CSV)
    (tmp_path / "m.yaml").write_text(WITH_CSV)
    model = load(tmp_path / "m.yaml")
    wind = model.signals["wind"]
    assert wind == Signal("wind", (0, 1, 2), (1, 3, 2), "data/wind.csv: wind", "linear")
    assert loads(dump(model)) == model


@pytest.mark.parametrize(
    ("text", "what"),
    [(CSV.replace("wind", "rain"), "no column 'wind'"), ("time,wind\n", "no data"),
     (CSV + "3, x\n", "line 5"), (CSV + "3, nan\n", "finite")],
)  # fmt: skip
def test_bad_csv_is_a_fault_of_the_signal(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "wind.csv").write_text(text)
    (tmp_path / "m.yaml").write_text(WITH_CSV)
    with pytest.raises(ModelError, match=what) as caught:
        load(tmp_path / "m.yaml")
    assert "signal 'wind'" in str(caught.value)


def test_saving_checks_and_says_where_it_cannot_write(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no bodies"):
        save(Model(), tmp_path / "m.yaml")
    with pytest.raises(FileError, match="cannot write"):
        save(everything(), tmp_path / "none" / "m.yaml")
