"""Other numbers of some parameters: those that follow are worked out again, as if from scratch."""

import itertools

import numpy as np
import pytest

from pliant.errors import InputError, ModelError, UnknownName
from pliant.model.formulas import formula
from pliant.model.numbers.parameters import Parameters

TEXTS = {"area": "width*height", "width": "2 cm", "height": "3*width", "root": "sqrt(area - 1e-4)",
         "alone": "7", "top": "max(alone, 10*height)"}  # fmt: skip


def from_scratch(changes):
    formulas = {name: formula(text) for name, text in TEXTS.items()}
    return Parameters({**formulas, **{n: formula(v) for n, v in changes.items()}}).values


@pytest.fixture
def parameters():
    return Parameters({name: formula(text) for name, text in TEXTS.items()})


def test_values_follow_each_other_in_the_order_given(parameters):
    assert list(parameters.values) == list(TEXTS)
    assert parameters.values["area"] == pytest.approx(12e-4)


@pytest.mark.parametrize(
    "names", [*itertools.combinations(TEXTS, 1), *itertools.combinations(TEXTS, 2)]
)
def test_a_change_is_worked_out_as_if_from_scratch(parameters, names):
    changes = {name: 0.3 + 0.1 * k for k, name in enumerate(names)}
    assert parameters.with_(changes) == from_scratch(changes)


@pytest.mark.parametrize("value", [3, np.float64(0.25), np.int64(2), "40 mm"])
def test_numbers_of_any_kind(parameters, value):
    text = value if isinstance(value, str) else float(value)
    assert parameters.with_({"width": value}) == from_scratch({"width": text})


def test_formulas_may_turn_the_order_round(parameters):
    changes = {"width": 0.5, "height": 2.0, "alone": "width"}
    assert parameters.with_(changes) == from_scratch(changes)


def test_what_was_given_does_not_change_the_parameters(parameters):
    before = dict(parameters.values)
    parameters.with_({"width": 1.0})
    assert parameters.values == before


def test_what_cannot_be(parameters):
    with pytest.raises(UnknownName, match="no parameter 'widht'"):
        parameters.with_({"widht": 1.0})
    with pytest.raises(ModelError, match=r"'root'.*no finite value"):
        parameters.with_({"width": 1e-3})
    with pytest.raises(InputError, match="another unit"):
        parameters.with_({"width": "2 kg"})
    with pytest.raises(ModelError, match="depends on itself"):
        parameters.with_({"width": "area"})
    for bad in (float("nan"), float("inf"), True):
        with pytest.raises((InputError, ModelError)):
            parameters.with_({"width": bad})
