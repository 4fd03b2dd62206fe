"""Equations as data: MathML says what LaTeX says, and every symbol has its element."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.unit.reading.mathml_as_latex import as_latex, tokens

import pliant as pl
from pliant.errors import InputError
from pliant.studio.views.equations import equations_data

EXAMPLES = Path(__file__).parents[2] / "examples"
CASES = {
    "pendulum": ("pendulum", {}),
    "slider-crank": ("slider_crank_equations", {}),
    "slider-crank embedded": ("slider_crank_equations", {"form": "embedding"}),
    "slider-crank multibond": ("planar_slider_crank", {"formulation": "multibond"}),
    "two links": ("two_link_chain", {}),
    "skate": ("skate", {"formulation": "kane"}),
    "rolling disc": ("rolling_disc", {"formulation": "kane"}),
    "crank-rocker": ("crank_rocker", {}),
    "crane": ("hydraulic_crane", {}),
}
SECTIONS = ("bodies", "joints", "forces", "drivers", "constraints", "networks")


def load(name):
    return pl.load(EXAMPLES / f"{name}.yaml")


@pytest.fixture(scope="module", params=CASES)
def case(request):
    name, choice = CASES[request.param]
    system = load(name)
    return system, equations_data(system, **choice), choice


def rows(data):
    return [row for section in data["sections"] for row in section["rows"]]


def known_names(model):
    found = {"", *(name for section in SECTIONS for name in getattr(model, section))}
    for section in ("parameters", "signals", "speeds"):
        found |= {f"{section}.{name}" for name in getattr(model, section)}
    for name, network in model.networks.items():
        found |= {f"{name}.{e}" for e in (*network.elements, *network.bonds)}
    return found


def test_mathml_is_the_formula_of_the_latex(case):
    _, data, _ = case
    assert rows(data)
    for row in rows(data):
        root = ElementTree.fromstring(row["mathml"])
        assert root.tag == "math"
        assert tokens(as_latex(root)) == tokens(row["latex"].replace(r"\_", "_").replace(r"\,", ""))


def test_rows_are_those_that_the_command_line_prints(case):
    system, data, choice = case
    flat = re.sub(r"\s+", " ", system.equations(**choice).latex(width=1e6))
    for row in rows(data):
        left, _, right = row["latex"].partition(" = ")
        assert re.sub(r"\s+", " ", f"{left} &= {right}") in flat


def test_every_symbol_has_an_owner_of_the_model(case):
    system, data, _ = case
    known = known_names(system.described)
    roots = [ElementTree.fromstring(row["mathml"]) for row in rows(data)]
    used = {e.get("data-name") for root in roots for e in root.iter()} - {None}
    assert used == data["symbols"].keys()
    defined = {s["rows"][k]["label"] for s in data["sections"] if s["title"] in
               ("where", "Dependent coordinates") for k in range(len(s["rows"]))}  # fmt: skip
    for name, symbol in data["symbols"].items():
        assert symbol["owner"] in known, name
        assert symbol["owner"] or name == "t" or symbol["text"] in defined, name
        assert symbol["sentence"]
    assert {row["owner"] for row in rows(data)} <= known


def test_owners_of_all_kinds():
    data = equations_data(load("crank_rocker"))
    owners = {name: symbol["owner"] for name, symbol in data["symbols"].items()}
    assert owners["O.angle"] == owners["O.angle''"] == "O"
    assert owners["heavier"] == "parameters.heavier"
    assert owners["coupler.v1'"] == "coupler"
    assert owners["lam.C.x"] == "C"
    assert owners["drive.motor.inductance.flow"] == "drive.motor"
    labels = {row["label"]: row["owner"] for row in rows(data)}
    assert (labels["coupler.v2"], labels["C.y"], labels["O"]) == ("coupler", "C", "O")
    assert data["symbols"]["a1"]["sentence"] == "parameter a1 = 102 mm"
    assert data["symbols"]["coupler.v1'"]["sentence"] == (
        "rate of elastic coordinate v1 of body coupler")  # fmt: skip


def test_too_long_says_how_long():
    data = equations_data(load("pendulum"), max_terms=1)
    assert data["sections"] == []
    assert "terms" in data["tooLong"]
    assert "limit: 1" in data["tooLong"]


def test_choices_name_formulations_forms_and_trees():
    data = equations_data(load("pendulum"), formulation="multibond")
    choices = data["choices"]
    assert {f["name"] for f in choices["formulations"]} == {
        "recursive", "linear-graph", "multibond", "natural", "kane"}  # fmt: skip
    assert all(f["objection"] == "" for f in choices["formulations"])
    assert choices["forms"] == ["augmented", "embedding", "mixed"]
    assert choices["trees"] == ["joint", "absolute", "best"]
    assert data["heading"][0].startswith("pendulum") or "multibond" in data["heading"][0]


def test_an_objection_is_told_in_words():
    text = """
pliant: 1
bodies: {b: {rigid: {mass: 1, inertia: [1, 1, 1]}}}
joints: {j: {revolute: {axis: z}, between: [ground, b]}}
drivers: {d: {joint: j, position: t}}
speeds: {u1: j.angle_rate}
"""
    data = equations_data(pl.loads(text), formulation="kane", tree=["d"])
    (kane,) = (f for f in data["choices"]["formulations"] if f["name"] == "kane")
    assert "a driver in the tree" in kane["objection"]
    assert "a driver in the tree" in data["tooLong"]


def test_other_names_for_coordinates():
    data = equations_data(load("pendulum"), names={"pivot.angle": "theta"})
    assert r"\ddot{\theta}" in rows(data)[0]["latex"]
    assert data["symbols"]["pivot.angle''"]["owner"] == "pivot"


def test_an_unknown_formulation_is_refused():
    with pytest.raises(InputError, match="newton"):
        equations_data(load("pendulum"), formulation="newton")
