"""Validation: every fault of a model at once. Each file is one concern, each check yields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pliant.errors import Fault
from pliant.model.model import Model
from pliant.model.validation import numbers
from pliant.model.validation.beams import beam_faults
from pliant.model.validation.context import Context, Watched
from pliant.model.validation.flexible import flexible_faults
from pliant.model.validation.motions import coupling_faults, motion_faults, velocity_faults
from pliant.model.validation.named import formula_faults
from pliant.model.validation.references import (
    name_faults,
    reference_faults,
    scope_faults,
    topology_faults,
)
from pliant.model.validation.units import unit_faults
from pliant.model.validation.view import view_doubts
from pliant.records import dataclass

if TYPE_CHECKING:
    from pliant.model.validation.networks import NetworkNumbers

Check = Callable[[Context], Iterator[Fault]]


def _has_networks(model: Model) -> bool:
    return bool(model.networks or model.subgraphs)


def network_faults(context: Context) -> Iterator[Fault]:
    """Everything wrong with networks and sub-graphs, if there are any."""
    if _has_networks(context.model):
        from pliant.model.validation import networks

        yield from networks.network_faults(context)


CHECKS: tuple[Check, ...] = (
    name_faults,
    formula_faults,
    reference_faults,
    scope_faults,
    numbers.number_faults,
    unit_faults,
    numbers.sign_faults,
    numbers.mass_faults,
    beam_faults,
    flexible_faults,
    topology_faults,
    motion_faults,
    velocity_faults,
    coupling_faults,
    network_faults,
)

DOUBTS: tuple[Check, ...] = (*numbers.DOUBTS, view_doubts)
"""Checks for what is allowed, but seldom meant."""

BY_FORMULA = frozenset({numbers.number_faults, unit_faults, network_faults})
"""Checks that look at formulas one by one."""

BY_VALUE = BY_FORMULA | {
    numbers.sign_faults, numbers.mass_faults, numbers.insisted_inertias, numbers.sign_doubts,
}  # fmt: skip
"""Checks that ask for the values of parameters only, not for how they are written."""


def faults_of(model: Model) -> list[Fault]:
    """Everything wrong with the model, without repetition."""
    context = Context.of(model)
    found = [fault for check in CHECKS for fault in check(context)]
    return list(dict.fromkeys([*context.parameter_faults, *found]))


def doubts_of(model: Model) -> list[Fault]:
    """What is allowed, but seldom meant."""
    context = Context.of(model)
    return [fault for check in DOUBTS for fault in check(context)]


@dataclass(frozen=True, slots=True)
class _Again:
    """Checks and formulas that read some parameters, and what all other checks find."""

    checks: tuple[Check, ...]
    formulas: tuple[Any, ...]
    kept: list[Fault]


_SETS = 64
"""How many sets of parameters are remembered."""


class Validation:
    """A sound model, looked at again for other parameters: formulas that read one which is now
    another number, and checks that have read one."""

    def __init__(self, model: Model) -> None:
        self._model, self._values = model, model.parameter_values()
        self._formulas = tuple(item for item in model.each_formula() if item[3].names)
        self._known: dict[Check, tuple[set[str], list[Fault]]] = {}
        self._again: dict[tuple[tuple[Check, ...], frozenset[str], bool], _Again] = {}

    def faults(self, params: Mapping[str, Any], values: Mapping[str, float]) -> list[Fault]:
        """Everything wrong with the model and these parameters; ``values``: of all of them."""
        return self._found(CHECKS, params, values)

    def doubts(self, params: Mapping[str, Any], values: Mapping[str, float]) -> list[Fault]:
        """What is allowed with these parameters, but seldom meant."""
        return self._found(DOUBTS, params, values)

    def _found(
        self, checks: tuple[Check, ...], params: Mapping[str, Any], values: Mapping[str, float]
    ) -> list[Fault]:
        changed = frozenset([*(n for n, v in values.items() if v != self._values[n]), *params])
        units = any(isinstance(value, str) for value in params.values())
        key = checks, changed, units
        look = self._again.get(key)
        if look is None:
            if len(self._again) >= _SETS:
                self._again.clear()
            look = self._again[key] = self._reading(*key)
        if not look.checks:
            return look.kept
        model = self._model
        if units or not BY_VALUE.issuperset(look.checks):
            model = model.with_parameters(params)
        some, whole = Context(model, values, (), look.formulas), Context(model, values)
        found = [f for c in look.checks if c is not network_faults
                 for f in c(some if c in BY_FORMULA else whole)]  # fmt: skip
        if network_faults in look.checks and self._networks:
            found += self._networks.faults(whole, changed, units=units)
        return list(dict.fromkeys([*look.kept, *found]))

    def _reading(self, checks: tuple[Check, ...], changed: frozenset[str], units: bool) -> _Again:
        """What is to be looked at again when these parameters are others, ``units``: given with
        their units; numbers have those of the model."""
        by_formula = BY_FORMULA if units else BY_FORMULA - {unit_faults}
        again = [c for c in checks if c in by_formula or self._first(c)[0] & changed]
        kept = [f for c in checks if c not in again for f in self._first(c)[1]]
        formulas = tuple(item for item in self._formulas if units or item[3].names & changed)
        return _Again(tuple(again), formulas, list(dict.fromkeys(kept)))

    @cached_property
    def _networks(self) -> NetworkNumbers | None:
        if not _has_networks(self._model):
            return None
        from pliant.model.validation.networks import NetworkNumbers

        return NetworkNumbers(self._model)

    def _first(self, check: Check) -> tuple[set[str], list[Fault]]:
        """Which numbers a check reads of the model itself, and what it finds."""
        if check not in self._known:
            watched = Watched(self._values)
            found = list(check(Context(self._model, watched)))
            self._known[check] = watched.read, found
        return self._known[check]
