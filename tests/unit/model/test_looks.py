"""Colour, opacity and whether a body is drawn: read, written, checked, and nothing to equations."""

import pytest

import pliant as pl
from pliant.errors import ModelError
from pliant.model.bodies.base import COLOURS, rgb
from pliant.model.files import dump, loads

MODEL = """
pliant: 1
bodies:
  a: {box: {size: [1, 2, 3], mass: 1}%LOOK%}
  b: {rigid: {mass: 1}}
  c:
    beam: {length: 1, stiffness: {EIz: 1}, mass_per_length: 1, rotary: {rhoIy: 1, rhoIz: 1}}
    shapes: {bending_y: 1}
"""
LOOKS = ", colour: Red, opacity: 0.4, visible: false"


def model_of(look):
    return loads(MODEL.replace("%LOOK%", look))


def test_looks_are_read_and_written():
    model = model_of(LOOKS)
    a, b = model.bodies["a"], model.bodies["b"]
    assert (a.colour, a.opacity, a.visible) == ("red", 0.4, False)
    assert (b.colour, b.opacity, b.visible) == (None, 1.0, True)
    assert loads(dump(model)) == model
    assert loads(dump(model, "json"), "json") == model


def test_looks_change_no_code():
    plain, seen = pl.System(model_of("")), pl.System(model_of(LOOKS))
    assert seen.structure_text == plain.structure_text
    assert seen.code_text == plain.code_text


def test_a_body_made_anew_of_its_sizes_keeps_its_looks():
    body = pl.RigidBody.box("a", [1, 1, 1], mass=1, colour="#0A0B0C")
    assert body.colour == "#0a0b0c"
    assert body.remade({**body.made.given, "mass": 2}).colour == "#0a0b0c"


@pytest.mark.parametrize(("look", "message"), [
    ("colour: blu", "colour: 'blu' is not a colour; did you mean 'blue'?"),
    ("color: blue", "unknown key 'color'; did you mean 'colour'?"),
    ("colour: '#12345'", "is not a colour"),
    ("colour: 3", "colour: 3 is not a colour"),
    ("opacity: 2", "opacity: 2 is not a number from 0 to 1"),
    ("opacity: a*2", "opacity: 'a*2' is not a number from 0 to 1"),
    ("opacity: .nan", "is not a number from 0 to 1"),
    ("visible: 1", "visible: 1 stands where true or false is expected"),
])  # fmt: skip
def test_wrong_looks_are_named(look, message):
    with pytest.raises(ModelError, match=r"body 'a'") as caught:
        model_of(f", {look}")
    assert message in str(caught.value)


def test_every_name_of_a_colour_is_one():
    assert all(rgb(name) == code and len(code) == 7 for name, code in COLOURS.items())
