"""Outline, completion, what stands where, and what there is to say of an element."""

import json
from pathlib import Path

import pytest

from pliant.model.files.examples import examples
from pliant.model.files.names import name_of
from pliant.studio.document.offsets import Offsets
from pliant.studio.views.text.checked import checked, faults_data
from pliant.studio.views.text.completion import completions
from pliant.studio.views.text.inquire import inquiry
from pliant.studio.views.text.names import path_of
from pliant.studio.views.text.outline import number_data, outline_data
from pliant.studio.views.text.place import path_at, place_at

BROKEN = Path(__file__).parents[1] / "broken"
CRANK = examples()["crank_rocker"].read_text(encoding="utf-8")


def read(text, format="yaml", base=None):
    return checked(Offsets(text), format, base, 1)


@pytest.fixture(scope="module")
def crank():
    return read(CRANK)


def named(outline):
    found = {}

    def add(items):
        for item in items:
            found[item["name"]] = item
            add(item["children"])

    for section in outline["sections"]:
        add(section["items"])
    return found


@pytest.mark.parametrize("name", examples())
def test_every_name_of_the_outline_leads_to_its_place_and_back(name):
    path = examples()[name]
    found = read(path.read_text(encoding="utf-8"), base=path.parent)
    items = named(outline_data(found))
    assert items
    for item in items.values():
        assert tuple(item["path"]) == path_of(found.data, item["name"])
        assert name_of(tuple(item["path"])) == item["name"]
        start, end = item["span"]
        assert found.text[start:end].startswith((item["label"], '"' + item["label"]))
        middle = start + len(item["label"])
        assert name_of(path_at(found.text, middle, "yaml", found.document)) == item["name"]


def test_the_outline_says_what_elements_are(crank):
    outline = outline_data(crank)
    items = named(outline)
    assert [s["section"] for s in outline["sections"]][:3] == ["parameters", "bodies", "joints"]
    assert items["parameters.h"]["number"] == {
        "key": "h", "text": "10 mm", "value": 10.0, "unit": "mm"}  # fmt: skip
    assert items["coupler"]["kind"] == "beam"
    assert items["A"]["text"] == "crank.A – coupler.root"
    assert items["drive.mesh"]["kind"] == "1-junction"
    assert items["crank.A"]["text"] == "[a1, 0, 0]"
    assert outline["kinds"]["coupler"] == "body"
    assert outline["run"] == {"analysis": "transient", "t_end": "1 s"}


def test_the_ground_is_listed_with_its_frames_if_the_file_speaks_of_it(crank):
    ground, *bodies = outline_data(crank)["sections"][1]["items"]
    assert [frame["name"] for frame in ground["children"]] == ["ground.D"]
    assert [body["name"] for body in bodies] == ["crank", "coupler", "rocker"]
    (section,) = outline_data(read("pliant: 1\nground: {frames: {D: [1, 0, 0]}}\n"))["sections"]
    assert section["section"] == "ground"
    assert section["items"][0]["children"][0]["text"] == "[1, 0, 0]"
    assert outline_data(read("pliant: 1\nground:\n"))["sections"] == []


@pytest.mark.parametrize("path", sorted(BROKEN.glob("*.yaml")), ids=lambda p: p.stem)
def test_broken_models_are_outlined_and_their_faults_have_places(path):
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return
    found = read(text, base=path.parent)
    data = faults_data(found)
    assert data["faults"], "a broken model without a fault"
    for fault in data["faults"]:
        start, end = fault["span"]
        assert 0 <= start <= end <= len(Offsets(text).page_text.encode("utf-16-le")) // 2
        assert fault["what"]
    if found.document is not None:
        json.dumps(outline_data(found), allow_nan=False)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("10 mm", (10.0, "mm")), (5, (5.0, "")), ("-1.5e3", (-1500.0, "")), ("30deg", (30.0, "deg")),
     ("a1", None), ("2*a", None), ("3 parsec", None), (True, None), (None, None), ([1], None),
     ("5 N*m/rad", (5.0, "N*m/rad"))],
)  # fmt: skip
def test_numbers_for_sliders(value, expected):
    found = number_data(value, "x")
    assert (found and (found["value"], found["unit"])) == expected


def labels(text, offset=None, format="yaml", data=None):
    at = len(text) if offset is None else offset
    data = completions(text, at, format, data or read(text, format).data)
    return {option["label"] for option in data["options"]}, data["from"]


def test_sections_are_offered_at_the_beginning_of_a_line():
    found, start = labels(CRANK + "gr", data=read(CRANK).data)
    assert "gravity" in found
    assert "bodies" not in found  # it is there already
    assert start == len(CRANK)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("pliant: 1\njoints:\n  O: {rev", {"revolute", "prismatic", "between"}),
        ("pliant: 1\njoints:\n  O:\n    ", {"revolute", "spherical", "between"}),
        ("pliant: 1\nsimulate: {meth", {"method", "t_end", "rtol"}),
        ("pliant: 1\nsimulate: {start: ", {"undeformed", "equilibrium"}),
        ("pliant: 1\nbodies:\n  arm:\n    beam: {le", {"length", "section"}),
        ("pliant: 1\nnetworks:\n  n:\n    domain: ", {"electrical", "hydraulic"}),
        ("pliant: 1\nparameters: {a: 1}\nbodies:\n  b:\n    rigid:\n      mass: ", {"a", "sqrt"}),
    ],
)
def test_what_fits_is_offered(text, wanted):
    found, _ = labels(text)
    assert wanted <= found


def test_frames_are_offered_where_a_joint_wants_them():
    text = CRANK.replace("between: [crank.A, coupler.root]", "between: [crank.A, ]")
    at = text.index("crank.A, ]") + len("crank.A, ")
    found, start = labels(text, at)
    assert {"ground", "ground.D", "coupler", "coupler.root", "coupler.tip", "rocker.C"} <= found
    assert start == at


def test_units_are_offered_after_a_number():
    found, start = labels("pliant: 1\nparameters:\n  h: 10 m")
    assert {"mm", "m", "deg", "GPa"} <= found
    assert start == len("pliant: 1\nparameters:\n  h: 10 ")


def test_json_is_completed_with_quotes():
    text = '{"pliant": 1, "simulate": {"t'
    data = completions(text, len(text), "json", None)
    assert '"t_end": ' in {option["apply"] for option in data["options"]}


@pytest.mark.parametrize(
    ("text", "path", "is_value"),
    [
        ("a:\n  b:\n    c: 1", ("a", "b", "c"), True),
        ("a:\n  b: 1\n  ", ("a",), False),
        ("a: {b: {c: 1}, d", ("a",), False),
        ("a: {b: [1, [2, ", ("a", "b", "1", "1"), True),
        ("a:\n- b: 1\n- c: ", ("a", "1", "c"), True),
        ("# comment: {\nx: ", ("x",), True),
        ('"quoted key": "a: {b"\nx', (), False),
        ("text: |\n  not: a key\n  {\nx: ", ("x",), True),
        ("", (), False),
    ],
)
def test_the_place_of_the_cursor_in_unfinished_text(text, path, is_value):
    place = place_at(text, len(text), "yaml")
    assert (place.path, place.is_value) == (path, is_value)


def test_everything_there_is_to_say_of_a_beam(crank):
    data = inquiry(crank, "coupler")
    assert data["kind"] == "body, beam"
    assert "straight beam" in data["sentence"]
    assert {use["name"] for use in data["usedBy"]} >= {"A", "C"}
    used = {f"parameters.{p}" for p in ("a2", "E", "b", "h", "J2")}
    assert {use["name"] for use in data["uses"]} == used


def test_laws_are_equations():
    found = read(examples()["springboard"].read_text(encoding="utf-8"))
    for name in ("pendulum", "spatial_slider_crank", "hydraulic_crane"):
        found = read(examples()[name].read_text(encoding="utf-8"))
        for item in named(outline_data(found)):
            law = inquiry(found, item)["law"]
            assert not law or "=" in law or "∫" in law, (item, law)


def test_nothing_is_offered_in_a_comment():
    assert labels("pliant: 1\nparameters:\n  h: 10 mm # in m")[0] == set()


def test_what_is_said_of_a_parameter(crank):
    data = inquiry(crank, "parameters.h")
    assert data["law"] == ""
    assert [use["name"] for use in data["usedBy"]] == ["coupler"]


def test_network_elements_tell_their_law_and_causality(crank):
    data = inquiry(crank, "drive.supply")
    assert data["kind"] == "element"
    assert data["law"] == "e = V"
    assert data["sentence"].endswith("gives the effort")


def test_a_name_that_is_not_there_is_no_fault(crank):
    assert inquiry(crank, "nobody")["path"] == []


def test_faults_stand_at_their_element():
    found = read(CRANK.replace("coupler.tip", "coupler.tp"))
    (fault,) = inquiry(found, "C")["faults"]
    assert "tp" in fault["what"]
    assert named(outline_data(found))["C"]["faults"] == 1


def test_conflicts_of_networks_are_faults_at_their_elements():
    text = """\
pliant: 1
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      a: {Sf: 1 A, on: mesh}
      b: {Sf: 2 A, on: mesh}
      r: {R: 1 ohm, on: mesh}
"""
    found = checked(Offsets(text), "yaml", None, 1)
    (fault,) = found.faults
    assert not found.is_sound
    assert "both fix the flow of 1-junction drive.mesh" in fault.what
    assert fault.path == ("networks", "drive", "elements", "a")
    assert text[slice(*fault.span)].startswith("a: {Sf")
