"""Forms: every field of every element, and that what is typed is what the file then says."""

from __future__ import annotations

from pathlib import Path

import pytest

from pliant.model.bodies import BODIES
from pliant.model.bodies.shapes import SHAPES
from pliant.model.constraints import CONSTRAINTS
from pliant.model.drivers import DRIVERS
from pliant.model.files.examples import examples
from pliant.model.forces import FORCES
from pliant.model.joints import JOINTS
from pliant.model.networks.elements import KINDS
from pliant.studio.document.offsets import Offsets
from pliant.studio.operations.draft import NOTHING, Draft
from pliant.studio.operations.registry import planned
from pliant.studio.views.form.form import form_data
from pliant.studio.views.form.schemas import Schemas
from pliant.studio.views.form.sensible import sensible
from pliant.studio.views.text.checked import checked
from pliant.studio.views.text.completion import field_completions
from pliant.studio.views.text.outline import outline_data

CRANK = examples()["crank_rocker"].read_text(encoding="utf-8")
SMALL = """\
pliant: 1
parameters: {l: 1 m}
materials: {steel: {E: 210 GPa, nu: 0.3, density: 7850}}
bodies:
  crank: {rod: {length: l, mass: 1 kg}, frames: {A: [l, 0, 0], "B": {at: [0, 0, 0]}}}
  bob: {point: 2 kg}   # short
joints:
  O: {revolute: {axis: z}, between: [ground, crank]}
  S: {free: , between: [ground, bob]}
forces:
  push: {force: [0, "max(t, 1)", 1 N], at: crank.A}
events:
  top: O.angle - 1
outputs: {y: crank.A.position.y}
"""


def read(text, format="yaml", base=None):
    return checked(Offsets(text), format, base, 1)


def every(fields):
    for field in fields:
        yield field
        yield from every(field.get("fields", ()))
        yield from every(field.get("others", ()))


def fields_of(found, name):
    return [*every(f for g in form_data(found, name)["groups"] for f in g["fields"])]


def named(found, name):
    return {field["name"]: field for field in fields_of(found, name)}


def names_of(found):
    def walk(items):
        for item in items:
            yield item["name"]
            yield from walk(item["children"])

    for section in outline_data(found)["sections"]:
        yield from walk(section["items"])


def entered(draft, field, text):
    """What the page does when a text is left in a field."""
    if field["typed"]:
        planned(draft, "element.type", {"path": field["path"], "text": text})
    else:
        planned(draft, "element.set", {"path": field["path"], "value": text})


@pytest.mark.parametrize("example", examples())
def test_every_field_set_to_its_own_text_changes_no_byte(example):
    path = examples()[example]
    text = path.read_text(encoding="utf-8")
    found = read(text, base=path.parent)
    draft = Draft(text, "yaml", path.parent)
    count = 0
    for name in names_of(found):
        for field in fields_of(found, name):
            if not field["given"] or "operation" in field:
                continue
            entered(draft, field, field["value"])
            assert draft.text == text, (name, field["name"], field["value"])
            for part in field.get("parts", ()):
                entered(draft, part, part["value"])
                assert draft.text == text, (name, part)
            count += 1
    assert count > 5


def filled(section, kind):
    """A model with one element of a kind, whose fields are sensible."""
    schemas = Schemas()
    options = schemas.at((section,), {})[0]["additionalProperties"]
    option = next(o for o in schemas.each([schemas.resolved(options)])
                  if o.get("required", [""])[0] == kind)  # fmt: skip
    entry = sensible(schemas, option)
    for key, value in {"between": ["ground", "b"], "at": "b", "joint": "J"}.items():
        if key in entry:
            entry[key] = value
    return {"pliant": 1, "bodies": {"b": {"point": "1 kg"}},
            "joints": {"J": {"revolute": None, "between": ["ground", "b"]}},
            section: {"one": entry}}  # fmt: skip


REGISTERED = [
    *(("bodies", kind) for kind in (*BODIES, *SHAPES)),
    *(("joints", kind) for kind in JOINTS),
    *(("forces", kind) for kind, cls in FORCES.items() if cls.kind == kind),
    *(("constraints", kind) for kind in CONSTRAINTS),
    *(("drivers", kind) for kind in DRIVERS),
]


@pytest.mark.parametrize(("section", "kind"), REGISTERED)
def test_every_kind_of_the_registries_has_a_form(section, kind):
    from pliant.model.files.yaml_text import dump_yaml

    text = dump_yaml(filled(section, kind))
    found = read(text)
    fields = fields_of(found, "one")
    own = {f["name"] for f in fields}
    assert own, text
    kinds = next(f for f in fields if f["name"] == "kind")
    assert kinds["value"] == kind
    assert (section, kind) in {(section, choice["value"]) for choice in kinds["choices"]}
    draft = Draft(text, "yaml")
    for field in fields:
        if field["given"] and "operation" not in field:
            entered(draft, field, field["value"])
            assert draft.text == text, field
    for field in fields:
        settable = field["input"] in ("number", "vector", "choice", "flag")
        if field["given"] or not settable or "operation" in field:
            continue
        said = {
            "number": "1",
            "vector": "[" + ", ".join("2" for _ in field.get("parts", "")) + "]",
            "flag": "true",
            "choice": (field.get("choices") or [{"text": "z"}])[-1]["text"],
        }
        other = Draft(text, "yaml")
        entered(other, field, said[field["input"]])
        again = next(f for f in fields_of(read(other.text), "one") if f["path"] == field["path"])
        assert again["given"]
        assert again["value"] == said[field["input"]]
        planned(other, "element.unset", {"path": field["path"]})
        assert other.at(*field["path"]) is NOTHING


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_network_elements_has_a_form(kind):
    value = {"junction": 1, "joint": "J", "frame": "b", "part": "dc-motor", "SUM": {}, "CN": {}}
    text = (f"pliant: 1\nnetworks:\n  drive:\n    domain: electrical\n    elements:\n"
            f"      m: {{junction: 1}}\n      e: {{{kind}: {value.get(kind, 2)}}}\n")  # fmt: skip
    fields = named(read(text), "drive.e")
    assert fields["kind"]["value"] == kind
    assert len(fields) > 1 or kind == "CN"


def test_a_beam_is_pleasant():
    fields = named(read(CRANK), "coupler")
    assert fields["beam.length"]["value"] == "a2"
    assert fields["beam.length"]["unit"] == "m"
    assert fields["beam.stiffness.EIz"]["about"] == "of bending in the x-y plane"
    assert fields["damping.modal"]["number"]["value"] == 0.01
    assert fields["shapes.bending_y"]["value"] == "2"
    sections = {choice["value"]: choice["text"] for choice in fields["beam.section"]["choices"]}
    assert sections["circle"] == "{circle: {radius: 10 mm}}"
    assert fields["theory"]["default"] == "modal"
    assert not fields["theory"]["given"]
    draft = Draft(CRANK, "yaml")
    entered(draft, fields["beam.section"], sections["tube"])
    after = named(read(draft.text), "coupler")
    assert after["beam.section"]["chosen"] == "tube"
    assert after["beam.section.tube.outer"]["unit"] == "m"


def test_joints_know_their_coordinates_and_frames():
    fields = named(read(SMALL), "O")
    assert fields["initial.angle"]["unit"] == "rad"
    assert fields["initial.angle_rate"]["unit"] == "rad/s"
    assert "crank.A" in fields["between"]["names"]
    draft = Draft(SMALL, "yaml")
    entered(draft, fields["initial.angle"], "30 deg")
    assert draft.at("joints", "O") == {
        "revolute": {"axis": "z"}, "between": ["ground", "crank"], "initial": {"angle": "30 deg"}
    }  # fmt: skip


def test_what_is_written_short_is_written_long_when_more_is_said():
    fields = named(read(SMALL), "bob")
    assert fields["point"]["value"] == "2 kg"
    assert fields["point"]["label"] == "mass"
    draft = Draft(SMALL, "yaml")
    entered(draft, fields["point.com"], "[1 m, 0, 0]")
    assert draft.at("bodies", "bob") == {"point": {"mass": "2 kg", "com": ["1 m", 0, 0]}}
    assert "# short" in draft.text


def test_formulas_with_commas_keep_their_quotes():
    push = named(read(SMALL), "push")["force"]
    assert [part["value"] for part in push["parts"]] == ["0", "max(t, 1)", "1 N"]
    draft = Draft(SMALL, "yaml")
    entered(draft, push["parts"][1], "min(t, 2)")
    assert draft.at("forces", "push", "force") == [0, "min(t, 2)", "1 N"]


def test_faults_stand_at_their_fields():
    text = SMALL.replace("mass: 1 kg", "mas: 1 kg").replace("length: l", "length: ll")
    text = text.replace("crank.A}", "crank.C}")
    form = form_data(read(text), "crank")
    said = {f["name"]: [x["what"] for x in f["faults"]] for g in form["groups"]
            for f in every(g["fields"]) if f["faults"]}  # fmt: skip
    assert any("unknown key 'mas'" in what for whats in said.values() for what in whats), said
    push = named(read(SMALL.replace("crank.A}", "crank.C}")), "push")
    assert "no frame 'C'" in push["at"]["faults"][0]["what"]


def test_single_sections_and_plain_values():
    found = read(SMALL)
    assert named(found, "gravity")["value"]["input"] == "vector"
    assert not named(found, "gravity")["value"]["given"]
    assert named(found, "parameters.l")["value"]["number"]["key"] == "l"
    assert named(found, "events.top")["value"]["value"] == "O.angle - 1"
    assert named(found, "simulate")["t_end"]["unit"] == "s"
    assert named(found, "materials.steel")["nu"]["about"] == "Poisson's ratio"
    assert named(found, "outputs.y")["value"]["value"] == "crank.A.position.y"
    assert form_data(found, "nobody")["groups"] == []


def test_strange_names_and_unreadable_texts():
    text = 'pliant: 1\nbodies:\n  "ein Körper": {point: 1}\n  x"y: {point: 2}\n'
    found = read(text)
    assert named(found, "ein Körper")["point"]["value"] == "1"
    assert named(found, 'x"y')["point"]["value"] == "2"
    assert form_data(read("a: [1"), "a")["groups"] == []
    assert form_data(read("[1, 2]"), "a")["groups"] == []


def test_completion_in_fields():
    data = read(CRANK).data
    length = ("bodies", "coupler", "beam", "length")
    found = field_completions(length, "2*a", 3, data)
    assert found["from"] == 2
    assert {"a2", "sin"} <= {o["label"] for o in found["options"]}
    units = field_completions(length, "12 m", 4, data)
    assert units["from"] == 3
    assert "mm" in {o["label"] for o in units["options"]}
    frames = field_completions(("joints", "A", "between", "0"), "cou", 3, data)
    assert "coupler.tip" in {o["label"] for o in frames["options"]}


def test_fields_of_what_holds_nothing_yet_can_be_given():
    draft = Draft(SMALL, "yaml")
    fields = named(read(SMALL), "S")
    entered(draft, fields["free.coordinates"], fields["free.coordinates"]["choices"][0]["text"])
    assert isinstance(draft.at("joints", "S", "free"), dict)


@pytest.mark.parametrize("name", ["crank_rocker", "springboard"])
def test_every_choice_is_one_that_can_be_read(name):
    text = examples()[name].read_text(encoding="utf-8")
    found = read(text)
    for element in found.model.bodies:
        for field in fields_of(found, element):
            for choice in field.get("choices", ()) if "operation" not in field else ():
                if choice["value"] == "mesh":
                    continue
                draft = Draft(text, "yaml")
                entered(draft, field, choice["text"])
                said = [fault.what for fault in draft.reading.faults]
                assert not any("stands where" in what or "is not a" in what for what in said), (
                    field["name"], choice, said)  # fmt: skip


@pytest.mark.parametrize("word", ["exact", "exact with options", "segments", "rigid"])
def test_a_choice_that_was_taken_is_shown(word):
    """Also where a word can have options: each of both can be chosen and is told apart."""
    text = examples()["springboard"].read_text(encoding="utf-8")
    (field,) = [f for f in fields_of(read(text), "board") if f["name"] == "theory"]
    offered = [choice["value"] for choice in field["choices"]]
    assert len(set(offered)) == len(offered)
    draft = Draft(text, "yaml")
    entered(draft, field, field["choices"][offered.index(word)]["text"])
    (field,) = [f for f in fields_of(read(draft.text), "board") if f["name"] == "theory"]
    assert field.get("chosen", field["value"]) == word
    inside = {f["label"] for f in field.get("fields", ())}
    assert ({"elements", "order"} <= inside) == word.endswith("options")


BROKEN = sorted((Path(__file__).parents[1] / "broken").glob("*.yaml"))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_every_element_of_a_broken_model_has_a_form(path):
    found = read(path.read_text(encoding="utf-8", errors="replace"), base=path.parent)
    for name in names_of(found) if found.document is not None else ():
        fields_of(found, name)


def test_an_element_without_kind_shows_what_it_has():
    found = read("pliant: 1\nbodies:\n  a: {push: {force: 1}, frames: {A: [1, 0, 0]}}\n")
    assert {"push", "frames"} <= set(named(found, "a"))
