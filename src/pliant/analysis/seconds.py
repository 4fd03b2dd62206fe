"""Times as they are given: numbers in seconds, or texts with units and parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pliant.errors import InputError
from pliant.model.fields import Number

if TYPE_CHECKING:
    from pliant.study import Study

Value = TypeVar("Value")


def seconds(system: Study, params: Mapping[str, Any] | None, **given: Any) -> list[Any]:
    """Numbers of what was given: ``"500 ms"``, ``"2*T"`` with a parameter T; others as they are."""
    return [_number(system, params, name, value) for name, value in given.items()]


def _number(system: Study, params: Mapping[str, Any] | None, name: str, value: Value) -> Any:
    if not isinstance(value, str):
        return value
    try:
        formula = Number("s").convert(value)
    except InputError as error:
        raise InputError(f"{name}: {error.what}", error.cure) from None
    values = system.values(params)
    unknown = [n for n in formula.names if n not in values.parameters]
    if unknown:
        cure = "give seconds, a number with a unit ('500 ms'), or a formula of parameters"
        raise InputError(f"{name}: {value!r} is no time, nothing is named '{unknown[0]}'", cure)
    return values.number(formula)
