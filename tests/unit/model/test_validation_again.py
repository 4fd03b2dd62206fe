"""What other parameters do to a sound model: checked in part, found as if checked in full."""

from pathlib import Path

import pytest

import pliant as pl
from pliant.errors import ModelError
from pliant.model.validation import Validation, doubts_of, faults_of

EXAMPLES = {p.stem: p for p in sorted((Path(__file__).parents[3] / "examples").glob("*.yaml"))}
FACTORS = (-1.0, 0.0, 1e-200, 1e60, 7.0)


def found(model, params):
    """Faults and doubts of the whole model, in order; a parameter that has no value alone."""
    other = model.with_parameters(params)
    return sorted(map(str, faults_of(other))), sorted(map(str, doubts_of(other)))


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_part_of_the_checks_finds_all_faults(name):
    model = pl.load(EXAMPLES[name]).described
    validation = Validation(model)
    wrong = 0
    for parameter, value in model.parameter_values().items():
        for factor in FACTORS:
            params = {parameter: factor * (value or 1.0)}
            expected = found(model, params)
            try:
                values = model.parameter_values(params)
                faults = validation.faults(params, values)
            except ModelError as error:
                faults = list(error.faults)
            assert sorted(map(str, faults)) == expected[0]
            if not expected[0]:
                assert sorted(map(str, validation.doubts(params, values))) == expected[1]
            wrong += bool(expected[0])
    assert wrong or not model.parameters or name in HARMLESS


HARMLESS = ("rotating_beam", "spin_up", "spinning_blade")
"""Examples that no value of a parameter can make unsound."""


def test_a_parameter_without_unit_must_fit_where_it_stands():
    system = pl.loads("""
pliant: 1
parameters: {push: 1}
bodies: {b: {point: 1 kg}}
forces: {f: {force: [push, 0, 0], at: b}}
""")
    with pytest.raises(ModelError, match="wrong unit"):
        system.refuse({"push": "1 m"})
    system.refuse({"push": "2 N"})


def test_an_angle_of_many_turns_as_a_parameter_is_remarked_on():
    system = pl.loads("""
pliant: 1
parameters: {start: 1}
bodies: {b: {rigid: {mass: 1 kg, inertia: [1, 1, 1]}}}
joints: {j: {revolute: {axis: z}, between: [ground, b], initial: {angle: start}}}
""")
    assert system.doubts({"start": 1.5}) == ()
    (remark,) = system.doubts({"start": 90})
    assert "more than two turns" in remark
