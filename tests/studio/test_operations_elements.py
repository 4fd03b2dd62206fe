"""Gestures on elements, and the text that they leave: what a person would have written."""

from __future__ import annotations

import json

import pytest
from tests.studio.talking import in_studio

from pliant.errors import InputError, UnknownName
from pliant.model.files.text import dump_json, parsed
from pliant.studio.operations.draft import Draft, Question
from pliant.studio.operations.elements.copying import clip
from pliant.studio.operations.elements.kinds import kinds_in, sections
from pliant.studio.operations.elements.usual import PRESETS
from pliant.studio.operations.registry import planned
from pliant.studio.serve.answers.palette import items

EMPTY = "pliant: 1\n"
ARM = """\
pliant: 1
parameters:
  L: 1 m    # both links
  h: 10 mm
ground: {frames: {D: [559 mm, 0, 0]}}
bodies:
  upper: {rod: {mass: 1 kg, length: L}, frames: {tip: [L, 0, 0]}}   # at the wall
  lower:
    rod: {mass: 1 kg, length: L}
    frames: {tip: [L, 0, 0]}
joints:
  O: {revolute: {axis: z}, between: [ground, upper], initial: {angle: 30 deg}}
  A: {revolute: {axis: z}, between: [upper.tip, lower]}
forces:
  motor: {actuator: 2*O.angle, joint: A}
  pull: {force: [0, 0, 1], at: lower.tip}
outputs:
  height: lower.tip.position.y
simulate: {t_end: 1 s, observe: [O.angle, height]}
view:
  folded: [upper, lower]
  controls: {h: [5 mm, 20 mm]}
"""
LINKAGE = """\
pliant: 1
ground: {frames: {D: [1, 0, 0]}}
bodies:
  a: {rod: {mass: 1, length: 0.3}, frames: {tip: [0.3, 0, 0]}}
  b: {rod: {mass: 1, length: 0.9}, frames: {tip: [0.9, 0, 0]}}
  c: {rod: {mass: 1, length: 0.7}, frames: {tip: [0.7, 0, 0]}}
joints:
  O: {revolute: {axis: z}, between: [ground, a]}
  A: {revolute: {axis: z}, between: [a.tip, b]}
  B: {revolute: {axis: z}, between: [b.tip, c.tip], cut: true}
  D: {revolute: {axis: z}, between: [ground.D, c]}
"""
DRIVE = """\
pliant: 1
parameters: {V: 24 V}
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: V, on: mesh}
      La: {I: 50 mH, on: mesh}
      Ra: {R: 0.4 ohm, on: mesh}
simulate: {t_end: 1 s}
view:
  places: {drive: {mesh: [0, 0], La: [0, 3]}}
"""


def done(text, operation, /, *, format="yaml", **arguments):
    """The draft after an operation."""
    return planned(Draft(text, format), operation, arguments)


def after(text, operation, /, **arguments):
    return done(text, operation, **arguments).text


def several(text, *steps):
    for operation, arguments in steps:
        text = after(text, operation, **arguments)
    return text


def asked(text, operation, /, **arguments):
    with pytest.raises(Question) as question:
        done(text, operation, **arguments)
    return question.value


def refused(text, operation, /, **arguments):
    with pytest.raises(InputError) as error:
        done(text, operation, **arguments)
    assert not isinstance(error.value, Question)
    return error.value.what


# -- adding


def test_a_pendulum_from_nothing():
    text = several(
        EMPTY,
        ("element.set", {"path": ["gravity"], "value": [0, -9.81, 0]}),
        ("element.add", {"section": "bodies", "kind": "point_on_a_rod", "at": [0.5, 0, 0]}),
        ("element.type", {"path": ["bodies", "bob", "rigid", "com", "0"], "text": "L"}),
        ("element.type", {"path": ["bodies", "bob", "frames", "tip", "0"], "text": "L"}),
        ("parameter.set", {"name": "L", "value": "1 m"}),
        ("joint.connect", {"a": "ground", "b": "bob", "name": "pivot"}),
        ("joint.pose", {"values": {"pivot": {"angle": 3.141592653589793}}}),
        ("settings.set", {"key": "t_end", "value": "10 s"}),
    )
    assert (
        text
        == """\
pliant: 1
gravity: [0, -9.81, 0]
parameters:
  L: 1 m
bodies:
  bob:
    rigid: {mass: 1 kg, com: [L, 0, 0]}
    frames: {tip: [L, 0, 0]}
joints:
  pivot: {revolute: {axis: z}, between: [ground, bob], initial: {angle: 180 deg}}
simulate: {t_end: 10 s}
"""
    )
    assert not Draft(text, "yaml").reading.faults


def stands_on(kind):
    """Ends for an element of a kind, in the model of the arm."""
    return {"frames": {"between": ["ground", "lower.tip"]}, "frame": {"frame": "lower.tip"},
            "joint": {"frame": "A"}, "none": {}}[kind.ends]  # fmt: skip


KINDS = [(section, kind) for section in sections() for kind in kinds_in(section)]


@pytest.mark.parametrize(("section", "kind"), KINDS)
def test_every_kind_can_be_added_and_reads_without_faults(section, kind):
    own = kinds_in(section)[kind]
    if "file" in own.needed:
        with pytest.raises(InputError):
            done(ARM, "element.add", section=section, kind=kind)
        return
    before = Draft(ARM, "yaml").reading.faults
    draft = done(ARM, "element.add", section=section, kind=kind, **stands_on(own))
    assert draft.reading.faults == before == ()
    added = {*draft.entries(section)} - {*Draft(ARM, "yaml").entries(section)}
    assert len(added) == 1
    assert draft.selection is not None
    draft.path_of(draft.selection[0])  # it has this name
    draft = done(dump_json(parsed(ARM, "yaml").data), "element.add", section=section, kind=kind,
                 format="json", **stands_on(own))  # fmt: skip
    assert draft.reading.faults == ()
    json.loads(draft.text)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_added(preset):
    own = PRESETS[preset]
    ends = stands_on(kinds_in(own.section)[own.kind])
    draft = done(ARM, "element.add", section=own.section, kind=preset, **ends)
    assert draft.reading.faults == ()
    assert draft.has(own.section, own.name)


def test_the_palette_offers_every_kind_once():
    found = [(item["section"], item["kind"]) for item in items()]
    assert len(found) == len({*found})
    others = {(s, k) for s, k in KINDS if getattr(kinds_in(s)[k].cls, "kind", k) != k}
    assert {*found} - {(p.section, key) for key, p in PRESETS.items()} == {*KINDS} - others
    for item in items():
        assert item["title"]
        assert item["sentence"]
        assert item["ends"] in ("frames", "frame", "joint", "none")


def test_the_server_tells_palette_and_clip(model):
    async def talk(studio, window):
        found = await window.ask("palette")
        assert any(item["kind"] == "revolute" for item in found["items"])
        text = (await window.ask("clip", names=["bob"]))["text"]
        assert text == "parameters:\n  l: 1 m\nbodies:\n  bob: {rod: {mass: 1 kg, length: l}}\n"

    in_studio(model, talk)


def test_names_are_short_and_free():
    text = several(ARM, *[("element.add", {"section": "bodies", "kind": "rod"})] * 3)
    assert [*parsed(text, "yaml").data["bodies"]][2:] == ["rod", "rod_2", "rod_3"]
    draft = done(ARM, "joint.connect", a="upper", b="lower.tip")
    assert [*draft.entries("joints")] == ["O", "A", "B"]
    assert refused(ARM, "element.add", section="bodies", kind="rod", name="O") == (
        "there is 'O' in joints already"
    )
    assert "legal" in refused(ARM, "element.add", section="bodies", kind="rod", name="Räder 1")
    assert "reserved" in refused(ARM, "element.add", section="parameters", kind="parameter",
                                 name="sin")  # fmt: skip


def test_a_beam_gets_a_material():
    text = after(EMPTY, "element.add", section="bodies", kind="beam")
    assert (
        text
        == """\
pliant: 1
materials:
  steel: {E: 210 GPa, nu: 0.3, density: 7850 kg/m^3}
bodies:
  beam: {beam: {length: 1 m, section: {rectangle: {width: 20 mm, height: 20 mm}}, material: steel}}
"""
    )
    text = "pliant: 1\nmaterials: {brass: {E: 100 GPa, nu: 0.3, density: 8500}}\n"
    assert "material: brass" in after(text, "element.add", section="bodies", kind="beam")
    given = {"stiffness": {"EIz": 3}, "mass_per_length": 1}
    draft = done(EMPTY, "element.add", section="bodies", kind="beam", fields=given)
    assert draft.data["bodies"]["beam"] == {"beam": {"length": "1 m", **given}}
    assert "materials" not in draft.data


def test_what_is_dropped_on_the_ground_gets_a_frame_there():
    text = after(ARM, "element.add", section="forces", kind="spring", at=[0.5, 1.00000001, 0],
                 between=["ground", "lower.tip"])  # fmt: skip
    assert "ground: {frames: {D: [559 mm, 0, 0], spring: [0.5, 1, 0]}}" in text
    assert "  spring: {spring: {stiffness: 1000 N/m}, between: [ground.spring, lower.tip]}" in text
    draft = done(ARM, "element.add", section="bodies", kind="sphere", at=[1, 2, 0])
    assert draft.data["bodies"]["sphere"]["initial"] == {"position": [1, 2, 0]}


def test_a_joint_takes_over_where_a_free_body_begins():
    text = after(ARM, "element.add", section="bodies", kind="sphere", at=[1, 2, 0])
    draft = done(text, "joint.connect", a="lower.tip", b="sphere", kind="spherical")
    assert draft.label == (
        "connect by spherical B on lower.tip and sphere; the initial position of sphere is left "
        "to it"
    )
    assert "  sphere: {sphere: {mass: 1 kg, radius: 0.1 m}}\n" in draft.text
    assert "  B: {spherical: {}, between: [lower.tip, sphere]}\n" in draft.text


def test_what_an_element_acts_along_is_told_where_it_must_be():
    text = after(ARM, "joint.connect", a="ground.D", b="lower.tip", kind="cylindrical", name="S")
    text = after(text, "element.add", section="forces", kind="joint_spring", frame="S",
                 fields={"coordinate": "displacement"})  # fmt: skip
    assert (
        "joint_spring: {joint_spring: {stiffness: 1000 N/m}, joint: S, coordinate: displacement}"
        in text
    )
    text = after(text, "element.add", section="drivers", kind="joint", frame="S", name="spin")
    assert "  spin: {joint: S, coordinate: angle, velocity: 1 rad/s}\n" in text
    text = after(text, "element.add", section="drivers", kind="joint", frame="O", name="turn",
                 fields={"angle": "2*t"})  # fmt: skip
    assert "  turn: {joint: O, angle: 2*t}\n" in text
    text = after(text, "joint.connect", a="ground", b="lower", kind="fixed", name="W")
    assert "no single coordinate" in refused(text, "element.add", section="forces",
                                             kind="actuator", frame="W")  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ({"section": "joints", "kind": "revolute"}, "stands between two frames"),
        ({"section": "joints", "kind": "revolute", "between": ["ground", "nope"]}, "no frame"),
        ({"section": "joints", "kind": "revolute", "between": ["upper", "upper"]}, "both ends"),
        ({"section": "joints", "kind": "hinge", "between": ["ground", "upper"]}, "no 'hinge'"),
        ({"section": "forces", "kind": "force"}, "acts on a frame"),
        ({"section": "forces", "kind": "force", "between": ["ground", "upper"]}, "does not stand"),
        ({"section": "forces", "kind": "actuator", "frame": "upper"}, "no joint 'upper'"),
        ({"section": "limbs", "kind": "rod"}, "no kinds of elements in 'limbs'"),
        ({"section": "bodies", "kind": "rod", "fields": {"lenght": 1}}, "a rod has no 'lenght'"),
        ({"section": "bodies", "kind": "rod", "at": [1, 2]}, "three coordinates"),
    ],
)
def test_what_cannot_be_added_says_why(arguments, what):
    assert what in refused(ARM, "element.add", **arguments)


# -- fields


@pytest.mark.parametrize(
    ("path", "text", "value"),
    [
        ("bodies.upper.rod.length", "L", "L"),
        ("bodies.upper.rod.length", " 12 mm ", "12 mm"),
        ("bodies.upper.rod.length", "2*L + sin(0.3)", "2*L + sin(0.3)"),
        ("bodies.upper.rod.length", "1e3", 1000.0),
        ("bodies.upper.rod.com", "[1, 2 mm, L]", [1, "2 mm", "L"]),
        ("bodies.upper.shape", "{sphere: {radius: 3}}", {"sphere": {"radius": 3}}),
        ("joints.A.cut", "yes", True),
        ("joints.A.cut", "true", True),
        ("joints.A.revolute.axis", "x", "x"),
        ("joints.A.revolute.axis", "[0, 1, 0]", [0, 1, 0]),
        ("joints.A.initial.angle", "10 deg", "10 deg"),
        ("forces.pull.force.1", "min(1, t)", "min(1, t)"),
        ("forces.motor.actuator", "O.angle", "O.angle"),
        ("forces.pull.axes", "body", "body"),
        ("name", "12", "12"),
        ("name", "a: b # c", "a: b # c"),
        ("simulate.observe", "O.angle", ["O.angle"]),
    ],
)
def test_what_is_typed(path, text, value):
    keys = path.split(".")
    draft = done(ARM, "element.type", path=keys, text=text)
    assert draft.at(*keys) == value
    assert type(draft.at(*keys)) is type(value)


@pytest.mark.parametrize(
    ("path", "text", "what"),
    [
        ("bodies.upper.rod.length", "[1, 2", "is no value"),
        ("bodies.upper.rod.length", "{a", "is no value"),
        ("bodies.upper.rod.length", "12 kg", "wrong unit"),
        ("bodies.upper.rod.length", "2*(L", "2*(L"),
        ("bodies.upper.rod.com", "[1, 2]", "list of 3"),
        ("outputs.height", "1 if", "unknown unit"),
        ("joints.A.cut", "perhaps", "true or false"),
        ("joints.A.revolute.axis", "q", "direction"),
        ("bodies.nobody.rod.length", "1", "no 'nobody'"),
        ("limbs.a", "1", "no section 'limbs'"),
        ("pliant", "2", "version"),
        ("bodies", "1", "whole section"),
    ],
)
def test_what_is_no_value_is_refused_in_words(path, text, what):
    assert what in refused(ARM, "element.type", path=path.split("."), text=text)


def test_nothing_typed_takes_a_field_away():
    text = after(ARM, "element.type", path=["joints", "O", "initial", "angle"], text=" ")
    assert "  O: {revolute: {axis: z}, between: [ground, upper]}\n" in text
    assert after(text, "element.unset", path=["joints", "O", "initial"]) == text
    text = after(text, "element.unset", path=["joints", "O", "revolute", "axis"])
    assert "  O: {revolute: {}, between: [ground, upper]}\n" in text
    text = after(text, "element.unset", path=["ground", "frames", "D"])
    assert "ground" not in text.replace("[ground", "")
    assert "an element, not a field" in refused(ARM, "element.unset", path=["bodies", "upper"])


def test_a_short_form_becomes_a_long_one_when_more_is_said():
    text = after(ARM, "element.set", path=["forces", "motor", "actuator", "effort"], value=3)
    assert "motor: {actuator: 3, joint: A}" in text
    text = after(ARM, "element.set", path=["bodies", "lower", "frames", "tip", "orientation"],
                 value={"axis": "z", "angle": "30 deg"})  # fmt: skip
    assert "frames: {tip: {at: [L, 0, 0], orientation: {axis: z, angle: 30 deg}}}" in text


def test_a_renamed_element_is_renamed_everywhere():
    draft = done(ARM, "element.rename", name="lower", new="forearm")
    assert draft.text == ARM.replace("lower", "forearm")
    assert draft.selection == ("forearm",)
    assert done(ARM, "element.rename", name="lower.tip", new="hand").text == ARM.replace(
        "lower.tip", "lower.hand"
    ).replace("    frames: {tip: [L", "    frames: {hand: [L")
    assert "already" in refused(ARM, "element.rename", name="lower", new="O")
    assert "legal" in refused(ARM, "element.rename", name="lower", new="two words")
    with pytest.raises(UnknownName):
        done(ARM, "element.rename", name="middle", new="m")


# -- parameters


def test_a_parameter_in_use_leaves_its_value_if_it_is_wanted():
    question = asked(ARM, "parameter.remove", name="L")
    assert question.what == "L is used by upper.tip, upper, lower.tip and lower"
    ((_, answer),) = question.choices
    draft = done(ARM, "parameter.remove", name="L", **answer)
    assert "L: 1 m" not in draft.text
    assert draft.text.count("length: 1 m") == 2
    assert draft.text.count("[1 m, 0, 0]") == 2
    draft = done(ARM, "parameter.remove", name="h")  # only a slider
    assert "h: 10 mm" not in draft.text
    assert "controls" not in draft.text
    text = ARM.replace("length: L}", "length: 2*L**2}", 1).replace("1 m ", "-20 mm ")
    assert "length: 2*(-0.02)**2" in after(text, "parameter.remove", name="L", put_value=True)


def test_a_number_becomes_a_parameter():
    path = ["bodies", "upper", "rod", "mass"]
    question = asked(ARM, "parameter.extract", path=path, name="m")
    assert question.what == "1 kg also stands in lower.mass"
    text = after(ARM, "parameter.extract", path=path, name="m", everywhere=True)
    assert text == ARM.replace("mass: 1 kg", "mass: m").replace(
        "  h: 10 mm\n", "  h: 10 mm\n  m: 1 kg\n"
    )
    only = after(ARM, "parameter.extract", path=path, name="m", everywhere=False)
    assert only.count("mass: m") == 1
    assert "is no number" in refused(ARM, "parameter.extract", name="p",
                                     path=["bodies", "upper", "frames", "tip"])  # fmt: skip
    assert "which a parameter cannot" in refused(
        ARM, "parameter.extract", path=["forces", "motor", "actuator"], name="p"
    )
    assert "already" in refused(ARM, "parameter.extract", path=path, name="h")


# -- removing


def test_a_removed_body_takes_along_what_cannot_be_without_it():
    question = asked(ARM, "element.remove", names=["lower"])
    assert question.what == (
        "A, pull, motor, outputs.height and simulate.observe cannot be without lower"
    )
    ((label, answer),) = question.choices
    draft = done(ARM, "element.remove", names=["lower"], **answer)
    assert label == "Remove them too"
    assert (
        draft.text
        == """\
pliant: 1
parameters:
  L: 1 m    # both links
  h: 10 mm
ground: {frames: {D: [559 mm, 0, 0]}}
bodies:
  upper: {rod: {mass: 1 kg, length: L}, frames: {tip: [L, 0, 0]}}   # at the wall
joints:
  O: {revolute: {axis: z}, between: [ground, upper], initial: {angle: 30 deg}}
simulate: {t_end: 1 s, observe: [O.angle]}
view:
  folded: [upper]
  controls: {h: [5 mm, 20 mm]}
"""
    )
    assert not draft.reading.faults


def test_what_nothing_needs_is_removed_without_a_question():
    draft = done(ARM, "element.remove", names=["pull", "ground.D"])
    assert "pull" not in draft.text
    assert "ground:" not in draft.text
    assert draft.label == "remove pull and ground.D"


def test_a_removed_junction_leaves_its_elements_without_bonds():
    draft = done(DRIVE, "element.remove", names=["drive.mesh"])
    assert "      La: {I: 50 mH}\n" in draft.text
    assert "places: {drive: {La: [0, 3]}}" in draft.text
    draft = done(DRIVE, "element.remove", names=["drive"])
    assert draft.text == "pliant: 1\nparameters: {V: 24 V}\nsimulate: {t_end: 1 s}\n"


def test_materials_in_use_are_not_removed():
    text = after(EMPTY, "element.add", section="bodies", kind="beam")
    assert refused(text, "element.remove", names=["materials.steel"]) == (
        "material 'steel' is the one of beam"
    )


# -- copying


def test_duplicates_speak_of_each_other():
    draft = done(ARM, "element.duplicate", names=["lower", "A", "pull"])
    assert draft.selection == ("lower_2", "A_2", "pull_2")
    assert "  A_2: {revolute: {axis: z}, between: [upper.tip, lower_2]}\n" in draft.text
    assert "  pull_2: {force: [0, 0, 1], at: lower_2.tip}\n" in draft.text
    assert not draft.reading.faults
    draft = done(DRIVE, "element.duplicate", names=["drive.mesh", "drive.La"])
    assert "      La_2: {I: 50 mH, on: mesh_2}\n" in draft.text
    assert "La_2: [1, 4]" in draft.text
    assert done(ARM, "element.duplicate", names=["lower.tip"]).selection == ("lower.tip_2",)


def test_what_is_copied_can_be_pasted_anywhere():
    text = clip(Draft(ARM, "yaml"), ["lower", "upper", "A"])
    draft = done(EMPTY, "element.paste", text=text)
    assert (
        draft.text
        == """\
pliant: 1
parameters:
  L: 1 m
bodies:
  lower: {rod: {mass: 1 kg, length: L}, frames: {tip: [L, 0, 0]}}
  upper: {rod: {mass: 1 kg, length: L}, frames: {tip: [L, 0, 0]}}
joints:
  A: {revolute: {axis: z}, between: [upper.tip, lower]}
"""
    )
    again = done(ARM, "element.paste", text=text)
    assert again.selection == ("lower_2", "upper_2", "A_2")
    assert again.text.count("L: 1 m") == 1  # the same parameter
    other = ARM.replace("L: 1 m", "L: 2 m")
    assert "  L_2: 1 m\n" in after(other, "element.paste", text=text)
    assert "length: L_2}" in after(other, "element.paste", text=text)
    whole = done(EMPTY, "element.paste", text=ARM)
    assert not whole.reading.faults
    assert "simulate" not in whole.data


def test_elements_of_networks_are_pasted_into_networks():
    text = clip(Draft(DRIVE, "yaml"), ["drive.La", "drive.mesh"])
    assert "network:" in text
    draft = done(DRIVE, "element.paste", text=text)
    assert "      La_2: {I: 50 mH, on: mesh_2}\n" in draft.text
    draft = done(EMPTY, "element.paste", text=text)
    assert draft.selection == ("electrical",)
    two = after(DRIVE, "element.duplicate", names=["drive"])
    assert asked(two, "element.paste", text=text).choices[1] == ("drive_2", {"network": "drive_2"})
    assert done(two, "element.paste", text=text, network="drive_2").selection == (
        "drive_2.La_2", "drive_2.mesh_2",
    )  # fmt: skip
    lonely = clip(Draft(DRIVE, "yaml"), ["drive.La"])
    other = "networks: {n: {domain: electrical, elements: {j: {junction: 1}}}}\n"
    assert "La: {I: 50 mH}" in after(EMPTY + other, "element.paste", text=lonely)


@pytest.mark.parametrize(
    "text", ["", "hello", "[1, 2]", "{", "bodies: 3", "limbs: {a: 1}", "bodies: {a b: {}}",
             "pliant: 1", "network: 3", "ground: {frames: 3}", "bodies: {}", "\x00", "network: {}"],
)  # fmt: skip
def test_rubbish_is_not_pasted(text):
    assert refused(ARM, "element.paste", text=text)


# -- kinds


def test_a_body_of_another_kind_keeps_length_mass_and_frames():
    text = after(ARM, "element.kind", name="upper", kind="beam")
    assert parsed(text, "yaml").data["bodies"]["upper"] == {
        "beam": {"length": "L", "stiffness": {"EA": "84 MN", "EIy": "2800 N*m^2",
                                              "EIz": "2800 N*m^2", "GJ": "1800 N*m^2"},
                 "mass_per_length": "1/L", "rotary": {"rhoIy": "1e-4 kg*m", "rhoIz": "1e-4 kg*m"}},
        "frames": {"tip": ["L", 0, 0]},
    }  # fmt: skip
    assert not Draft(text, "yaml").reading.faults
    back = done(text, "element.kind", name="upper", kind="rod").data["bodies"]["upper"]
    assert back == {"rod": {"length": "L", "mass": "1/L*L"}, "frames": {"tip": ["L", 0, 0]}}
    rigid = done(ARM, "element.kind", name="upper", kind="rigid")
    assert rigid.data["bodies"]["upper"] == {
        "rigid": {"mass": "1 kg", "com": ["L/2", 0, 0], "inertia": [0, "1*L**2/12", "1*L**2/12"]},
        "frames": {"tip": ["L", 0, 0]}, "shape": {"rod": {"length": "L", "along": "x"}},
    }  # fmt: skip
    assert "   # at the wall" in rigid.text


def test_frames_that_a_beam_has_of_itself_are_written_when_it_is_none_any_more():
    text = after(EMPTY, "element.add", section="bodies", kind="beam")
    text = after(text, "joint.connect", a="ground", b="beam.tip")
    draft = done(text, "element.kind", name="beam", kind="rod")
    assert draft.data["bodies"]["beam"] == {
        "rod": {"length": "1 m", "mass": "3.14 kg"}, "frames": {"tip": ["1 m", 0, 0]},
    }  # fmt: skip
    assert not draft.reading.faults


def test_a_joint_of_another_kind_keeps_its_ends_and_coordinates_that_it_has():
    text = after(ARM, "element.kind", name="O", kind="cylindrical")
    assert text == ARM.replace("O: {revolute", "O: {cylindrical")
    draft = done(ARM, "element.kind", name="O", kind="prismatic")
    assert "  O: {prismatic: {axis: z}, between: [ground, upper]}\n" in draft.text
    assert draft.label == "make O a prismatic (without initial)"
    assert "acts on a joint, a spring on two frames" in refused(ARM, "element.kind", name="motor",
                                                                kind="spring")  # fmt: skip
    assert "torque: [0, 0, 0], at: lower.tip" in after(ARM, "element.kind", name="pull",
                                                       kind="torque")  # fmt: skip
    assert "no kind" in refused(ARM, "element.kind", name="parameters.L", kind="rod")


# -- frames, poses, trees


def test_frames_are_added_and_moved_in_their_units():
    text = after(ARM, "body.frame", body="upper", at=["L/2", 0, 0])
    assert "frames: {tip: [L, 0, 0], A: [L/2, 0, 0]}" in text
    assert "D: [600 mm, 0.25, 0]" in after(ARM, "frame.move", name="ground.D", at=[0.6, 0.25, 0])
    question = asked(ARM, "frame.move", name="upper.tip", at=[1.5, 0, 0])
    assert question.what == "the place of upper.tip is given by a formula, 'L'"
    assert [answer for _, answer in question.choices] == [
        {"formulas": "offset"}, {"formulas": "replace"},
    ]  # fmt: skip
    text = after(ARM, "frame.move", name="upper.tip", at=[1.5, 0, 0], formulas="offset")
    assert "tip: [L + 0.5, 0, 0]" in text
    text = after(text, "frame.move", name="upper.tip", at=[1.2, 0, 0], formulas="offset")
    assert "tip: [L + 0.2, 0, 0]" in text
    assert "tip: [1.5, 0, 0]" in after(ARM, "frame.move", name="upper.tip", at=[1.5, 0, 0],
                                       formulas="replace")  # fmt: skip
    assert "tip: [L, 0.1, 0]" in after(ARM, "frame.move", name="upper.tip", at=[1, 0.1, 0])
    assert "no body" in refused(ARM, "body.frame", body="limb", at=[0, 0, 0])
    assert "list of 3" in refused(ARM, "body.frame", body="upper", at=[0])
    assert "already" in refused(ARM, "body.frame", body="upper", name="tip", at=[0, 0, 0])
    beam = after(EMPTY, "element.add", section="bodies", kind="beam")
    assert "follows from the body" in refused(beam, "frame.move", name="beam.tip", at=[0, 0, 0])


def test_in_a_loop_only_as_many_coordinates_are_given_as_it_has_freedoms():
    values = {joint: {"angle": 0.5} for joint in ("O", "A", "D")}
    draft = done(LINKAGE, "joint.pose", values=values)
    assert "[ground, a], initial: {angle: 28.6478898 deg}}" in draft.text
    assert "[a.tip, b], guess: {angle: 28.6478898 deg}}" in draft.text
    assert "[ground.D, c], guess: {angle: 28.6478898 deg}}" in draft.text
    again = done(draft.text, "joint.pose", values={"D": {"angle": "10 deg"}})
    assert "guess: {angle: 10 deg}" in again.text
    moved = done(draft.text, "joint.pose", values={"O": {"angle": 1}}, as_guess=True)
    assert "initial" not in moved.text
    assert "no coordinate 'lift'" in refused(ARM, "joint.pose", values={"O": {"lift": 1}})
    assert "  O: {revolute: {axis: z}, between: [ground, upper], initial: {angle: 45 deg}}" in (
        after(ARM, "joint.pose", values={"O": {"angle": 0.7853981633974483}})
    )


def test_joints_are_cut_and_put_into_the_tree():
    draft = done(LINKAGE, "joint.tree", cut=["A"], uncut=["B"])
    assert "[a.tip, b], cut: true}" in draft.text
    assert "[b.tip, c.tip], cut: false}" in draft.text
    assert draft.label == "cut A, keep B in the tree"
    assert "both" not in refused(LINKAGE, "joint.tree", cut=["A"], uncut=["A"])
    rod = after(LINKAGE, "joint.connect", a="a.tip", b="c.tip", kind="distance", name="S")
    assert "always cut" in refused(rod, "joint.tree", cut=[], uncut=["S"])


def test_settings_are_set_and_left_to_the_solver():
    assert "simulate: {t_end: 2 s, observe" in after(ARM, "settings.set", key="t_end", value="2 s")
    assert "t_end" not in after(ARM, "settings.set", key="t_end", value=None)
    assert "no setting 'tend'" in refused(ARM, "settings.set", key="tend", value=1)
    assert "wrong unit" in refused(ARM, "settings.set", key="t_end", value="2 kg")


# -- the text


def test_shared_values_are_asked_about():
    text = "pliant: 1\nbodies:\n  a: &leg {rod: {mass: 1 kg, length: 1 m}}  # both\n  b: *leg\n"
    path = ["bodies", "b", "rod", "mass"]
    question = asked(text, "element.type", path=path, text="2 kg")
    assert [answer for _, answer in question.choices] == [{"shared": "all"}, {"shared": "own"}]
    assert after(text, "element.type", path=path, text="2 kg", shared="all") == text.replace(
        "1 kg", "2 kg"
    )
    own = after(text, "element.type", path=path, text="2 kg", shared="own")
    assert own == text.replace("*leg", "{rod: {mass: 2 kg, length: 1 m}}")


def test_what_must_be_written_anew_is_told():
    text = "pliant: 1\nparameters:\n  ? a\n  : 1\n  b: 2\n"
    draft = done(text, "parameter.remove", name="a")
    assert draft.data["parameters"] == {"b": 2}
    assert draft.label == "remove parameter a (parameters was written anew)"


def test_comments_of_others_stay_when_the_last_entry_in_brackets_goes():
    text = "pliant: 1\nparameters: {\n  a: 1,  # one\n  b: 2  # two\n}\n"
    assert after(text, "parameter.remove", name="b") == (
        "pliant: 1\nparameters: {\n  a: 1  # one\n}\n"
    )


def test_models_with_faults_and_without_anything_are_edited():
    faulty = ARM.replace("between: [upper.tip, lower]", "between: [upper.tip, nobody]")
    assert (
        done(faulty, "element.remove", names=["upper"], with_needed=True).text.count("upper") == 0
    )
    text = several(EMPTY, ("element.add", {"section": "bodies", "kind": "rod"}),
                   ("element.remove", {"names": ["rod"]}))  # fmt: skip
    assert text == EMPTY
    assert "holds no model" in refused("", "element.add", section="bodies", kind="rod")
    broken = "pliant: 1\nbodies: 3\njoints: [1]\n"
    assert refused(broken, "element.add", section="bodies", kind="rod")
    assert refused(broken, "element.remove", names=["rod"])
