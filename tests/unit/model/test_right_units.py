"""Laws that users write, with the units of their parameters: none is refused for them, and most
wrong units are found."""

import json
import re
from pathlib import Path

import pytest

from pliant.errors import ModelError
from pliant.model.files import loads

MODEL = """
pliant: 1
gravity: [0, -9.81, 0]
parameters: {PARAMETERS}
bodies:
  arm: {rod: {length: 1 m, mass: 2 kg}, frames: {tip: [1, 0, 0]}}
  cart: {box: {size: [1, 1, 1], mass: 3}}
joints:
  O: {revolute: {axis: z}, between: [cart, arm]}
  S: {prismatic: {axis: x}, between: [ground, cart]}
MORE
"""

RIGHT = json.loads(Path(__file__).with_name("right_units.json").read_text(encoding="utf-8"))
"""Parameters, and what reads them."""
UNIT = re.compile(r"(\w+): (-?[0-9.e-]+) ([A-Za-z1][^,]*)")
NO_UNIT = "A*K^2"


def model(parameters: str, more: str) -> str:
    return MODEL.replace("PARAMETERS", parameters).replace("MORE", more)


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_model_is_not_refused(name: str) -> None:
    loads(model(*RIGHT[name]))


def mutants() -> list[tuple[str, str]]:
    """Each parameter in turn in a unit that nothing has."""
    return [(parameters[: m.start(3)] + NO_UNIT + parameters[m.end(3) :], more)
            for parameters, more in RIGHT.values() for m in UNIT.finditer(parameters)]  # fmt: skip


def test_most_wrong_units_are_found() -> None:
    """The others stand beside plain numbers, which may have any unit."""
    missed = 0
    for parameters, more in mutants():
        try:
            loads(model(parameters, more))
            missed += 1
        except ModelError:
            pass
    assert len(mutants()) > 120
    assert missed <= 0.25 * len(mutants())
