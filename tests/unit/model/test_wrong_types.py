"""Anything may stand anywhere in a file: the answer is a model or an InputError, nothing else."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from sample_models import everything

from pliant.errors import InputError
from pliant.model.files import dump, loads

WRONG: tuple[Any, ...] = (
    None, [], {}, "", "x", "a b", -1, 1e200, True, [[1]], {"a": 1}, [1, 2, 3], [None] * 3, "3 mm",
)  # fmt: skip


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of the data."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, (dict, list)):
            yield from places(value, (*path, key))


def changed(text: str, path: tuple[Any, ...], value: Any) -> str:
    """The text with another value, or none, at one place."""
    data = json.loads(text)
    at = data
    for key in path[:-1]:
        at = at[key]
    if value is WRONG:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return json.dumps(data)


TEXT = dump(everything(), "json")
PLACES = list(places(json.loads(TEXT)))


@pytest.mark.parametrize("seed", range(4))
def test_wrong_values_anywhere_are_input_errors(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(60):
        path, value = chance.choice(PLACES), chance.choice([*WRONG, WRONG])
        try:
            model = loads(changed(TEXT, path, value), "json")
        except InputError:
            continue
        assert loads(dump(model)) == model
