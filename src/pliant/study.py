"""Study: a model with everything that was worked out of it, each thing once.

What equations are derived from, numbers for parameters, checks, text, and the programs made so
far. Analyses are functions of a study and of what is asked; ``System`` gives them as verbs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.errors import ModelError
from pliant.model.model import Model
from pliant.model.numbers.literals import (
    Structure,
    canonical,
    is_path,
    is_structure,
    structure_of,
    with_literals,
)

if TYPE_CHECKING:
    from typing import Self

    from pliant.mechanics.values import Values
    from pliant.model.numbers.parameters import Parameters
    from pliant.model.validation import Validation

_OTHERS = 8
"""How many studies with other numbers are remembered."""


class Study:
    """What the user said (``described``), and what follows from it without computing a motion.

    ``model`` is what equations are derived from: beams of large rotation are cut into elements.
    """

    def __init__(self, model: Model | None = None, **sections: Any) -> None:
        self.described = (model if model is not None else Model()).with_(**sections).check()
        self.model = self.model_for()
        if self.model.networks:
            from pliant.bonds.networks.graph import check_networks

            check_networks(self.model)
        self.programs: dict[Any, Any] = {}
        """Compiled equations, by how they are written (``prepare``)."""
        self._given: tuple[dict[str, Any], dict[str, float]] | None = None
        """Parameters that were given last, and the numbers of all."""
        self._valued: tuple[dict[str, float], Values] | None = None
        """The same numbers, and what follows from them."""
        self._sound: dict[str, Any] = {}
        """Parameters that were found to be sound last."""
        self.last_plan: Any = None
        """Of the last run (``settled``)."""
        self._free: frozenset[str] | None = None
        self._others: dict[tuple[tuple[str, str], ...], Self] = {}

    def model_for(self, params: Mapping[str, Any] | None = None) -> Model:
        """What equations are derived from, with the numbers of elements for these parameters."""
        if not any(beam.theory.rewritten for beam in self.described.beams.values()):
            return self.described
        from pliant.flex.rewriting.model import expanded

        return expanded(self.described, params)

    def values(self, params: Mapping[str, Any] | None = None) -> Values:
        """Numbers of ``model`` for these parameters, with those of beams that are cut."""
        from pliant.mechanics.values import Values

        if not params:
            return Values.of(self.model)
        given = self._numbers(params)
        if self._valued is None or self._valued[0] is not given:
            cut = self.model is not self.described
            numbers = self.model_for(params).parameter_values(params) if cut else given
            self._valued = given, Values.at(self.model, numbers)
        return self._valued[1]

    def code_values(self, params: Mapping[str, Any] | None = None) -> Values:
        """The same of the structure that code is made of, all of whose numbers have names."""
        from pliant.mechanics.values import Values

        return Values.at(self.structure.model, self.code_numbers(params))

    def code_numbers(self, params: Mapping[str, Any] | None = None) -> dict[str, float]:
        """Numbers of these names alone."""
        cut = self.model is not self.described
        own = self.values(params).parameters if cut else self._numbers(params)
        return {**own, **self.structure.numbers}

    def _numbers(self, params: Mapping[str, Any] | None) -> dict[str, float]:
        """Of all parameters that were described, for these."""
        if not params:
            return self._parameters.values
        if self._given is None or self._given[0] != params:
            given = self.described.with_overrides(self._parameters, params)
            self._given = dict(params), given
        return self._given[1]

    @cached_property
    def _parameters(self) -> Parameters:
        """Parameters as they were described, worked out."""
        from pliant.model.numbers.parameters import Parameters

        return Parameters(self.described.all_parameters())

    def __getstate__(self) -> dict[str, Any]:
        """Only the model travels to another process; code is found in the cache there."""
        kept = {"described": self.described, "model": self.model, "_free": self._free}
        return {**kept, "programs": {}, "_others": {}, "_given": None, "_valued": None,
                "_sound": {}, "last_plan": None}  # fmt: skip

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model file (YAML or JSON)."""
        from pliant.model.files import load

        return cls(load(path))

    @classmethod
    def loads(cls, text: str, format: str = "yaml") -> Self:
        """Read a model from text."""
        from pliant.model.files import loads

        return cls(loads(text, format))

    def save(self, path: str | Path) -> None:
        """Write the model as a file; ``load`` gives an equal system."""
        from pliant.model.files import save

        save(self.described, path)

    @cached_property
    def text(self) -> str:
        """The model as YAML."""
        from pliant.model.files import dump

        return dump(self.described)

    @cached_property
    def code_text(self) -> str:
        """The same without how it is drawn: what code may be made of."""
        from pliant.model.bodies.base import without_look
        from pliant.model.files import dump
        from pliant.model.view import View

        own = self.described
        bodies = {n: without_look(body) for n, body in own.bodies.items()}
        drawn = own.view != View() or any(bodies[n] is not body for n, body in own.bodies.items())
        return dump(own.with_(view=View(), bodies=bodies)) if drawn else self.text

    @cached_property
    def structure(self) -> Structure:
        """The model with names for all its numbers: what code is made of."""
        return structure_of(self.model, self._free)

    @cached_property
    def structure_text(self) -> str:
        """The same as text: systems of equal text share their code."""
        return canonical(self.structure.model)

    def with_numbers(self, params: Mapping[str, Any]) -> tuple[Self, dict[str, Any]]:
        """The system with other numbers where paths are given (``bodies.rod.length``), and the
        parameters that have names. What code is made of stays as it is."""
        known = self.described.all_parameters()
        changes = {n: v for n, v in params.items() if is_path(n) and n not in known}
        named = {n: v for n, v in params.items() if n not in changes}
        if not changes:
            return self, named
        key = tuple(sorted((path, str(value)) for path, value in changes.items()))
        if key not in self._others:
            while len(self._others) >= _OTHERS:
                del self._others[next(iter(self._others))]
            other = type(self)(with_literals(self.described, changes))
            if not is_structure(self.described, changes):
                other._free = frozenset(self.structure.numbers)
            self._others[key] = other
        return self._others[key], named

    @cached_property
    def _validation(self) -> Validation:
        from pliant.model.validation import Validation

        return Validation(self.described)

    def refuse(self, params: Mapping[str, Any]) -> None:
        """Raise a ModelError with all faults that the model has with these parameters."""
        if self._sound == params:
            return
        faults = self._validation.faults(params, self._numbers(params))
        if faults:
            name = self.described.name
            raise ModelError(faults, f"model '{name}'" if name else "")
        self._sound = dict(params)

    def doubts(self, params: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """What is allowed but seldom meant, such as negative damping: remarks of every analysis."""
        if not params:
            return self._doubts
        return tuple(map(str, self._validation.doubts(params, self._numbers(params))))

    @cached_property
    def _doubts(self) -> tuple[str, ...]:
        return tuple(map(str, self.described.warnings()))
