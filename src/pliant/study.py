"""Study: a model with everything that was worked out of it, each thing once.

What equations are derived from, numbers for parameters, checks, text, and the programs made so
far. Analyses are functions of a study and of what is asked; ``System`` gives them as verbs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.errors import InputError, ModelError
from pliant.model.formulas.tree import Number
from pliant.model.model import Model
from pliant.model.numbers.literals import (
    Structure,
    canonical,
    formulas,
    formulas_with,
    is_path,
    is_structure,
    structure_of,
    with_literals,
)

if TYPE_CHECKING:
    from typing import Self, TypedDict, Unpack

    from pliant.mechanics.values import Values
    from pliant.model.fields import Numeric
    from pliant.model.numbers.parameters import Parameters
    from pliant.model.validation import Validation

    Elements = Mapping[str, Any] | Iterable[Any]

    class Sections(TypedDict, total=False):
        """What a model is made of (``Model``), as it may be given."""

        name: str
        description: str
        gravity: Iterable[Numeric]
        parameters: Mapping[str, Any]
        materials: Elements
        ground: Any
        bodies: Elements
        joints: Elements
        forces: Elements
        drivers: Elements
        constraints: Elements
        sensors: Elements
        networks: Elements
        subgraphs: Elements
        signals: Elements
        events: Elements
        outputs: Mapping[str, Any]
        speeds: Mapping[str, Any]
        formulas: Mapping[str, Any]
        settings: Any
        view: Any
        origin: Mapping[str, str]


_OTHERS = 8
"""How many studies with other numbers are remembered."""


class Study:
    """What the user said (``described``), and what follows from it without computing a motion.

    ``model`` is what equations are derived from: beams of large rotation are cut into elements.
    """

    def __init__(self, model: Model | None = None, **sections: Unpack[Sections]) -> None:
        if model is not None and not isinstance(model, Model):
            raise InputError(f"{type(self).__name__}: {type(model).__name__} is no model",
                             "name the sections: bodies=[...], joints=[...]")  # fmt: skip
        self.described = (model if model is not None else Model()).with_(**sections).check()
        self.model = self.model_for()
        if self.model.networks:
            from pliant.bonds.networks.graph import check_networks

            check_networks(self.model)
        self.programs: dict[Any, Any] = {}
        """Compiled equations, by how they are written (``prepare``)."""
        self.slopes: dict[Any, Any] = {}
        """Their slopes, and systems with more parameters to take them by (``sensitivities``)."""
        self._given: tuple[dict[str, Any], dict[str, float]] | None = None
        """Parameters that were given last, and the numbers of all."""
        self._valued: tuple[dict[str, float], Values] | None = None
        """The same numbers, and what follows from them."""
        self._sound: dict[str, Any] = {}
        """Parameters that were found to be sound last."""
        self.last_plan: Any = None
        """Of the last run (``settled``)."""
        self._free: frozenset[str] | None = None
        self._structure: Structure | None = None
        """What code is made of, if another study says so."""
        self._others: dict[tuple[tuple[str, str], ...], Self] = {}
        self._freed: dict[tuple[str, ...], Freed | None] = {}
        self.ordered_by: Study = self
        """The study whose numbers decide in which order equations are eliminated: of one that has
        other numbers at some paths that of which it has them, so that code stays what it is."""

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
        kept = {"described": self.described, "model": self.model, "_free": self._free,
                "_structure": self._structure, "ordered_by": self.ordered_by}  # fmt: skip
        return {**kept, "programs": {}, "slopes": {}, "_others": {}, "_freed": {}, "_given": None,
                "_valued": None, "_sound": {}, "last_plan": None}  # fmt: skip

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model file (YAML or JSON).

        >>> system = pl.load("examples/pendulum.yaml")
        >>> system.described.name
        'simple pendulum'
        """
        from pliant.model.files import load, located

        model = load(path)
        try:
            return cls(model)
        except ModelError as error:
            raise located(error, path) from None

    @classmethod
    def loads(cls, text: str, format: str = "yaml") -> Self:
        """Read a model from text.

        >>> text = "pliant: 1\\nbodies: {ball: {sphere: {radius: 5 cm, mass: 1 kg}}}"
        >>> pl.loads(text).check().freedom
        6
        """
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
        return self._structure or structure_of(self.model, self._free)

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
            freed = self.freed(changes)
            if freed is not None and freed.takes(other):
                other._structure, other.ordered_by = freed.structure_with(other), freed
            elif freed is None and not is_structure(self.described, changes):
                other._free = frozenset(self.structure.numbers)
            self._others[key] = other
        return self._others[key], named

    def freed(self, paths: Iterable[str]) -> Freed | None:
        """The same system with parameters in place of the numbers at some paths, made once; None:
        what it is made of follows from these."""
        key = tuple(sorted(paths))
        if key not in self._freed:
            while len(self._freed) >= _OTHERS:
                del self._freed[next(iter(self._freed))]
            self._freed[key] = _freed(self, key)
        return self._freed[key]

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


class Freed(Study):
    """A study some of whose numbers are parameters: ``aliases``, by the paths where they stand.

    Its code is that of the study with other numbers there (``with_numbers``): numbers that code
    reads are made of the elements in which they stand, as there, and nothing else is done again.
    Numbers that were worked into a formula (of a mass beside a length with a name an inertia) stand
    in the code by their aliases.
    """

    def __init__(self, study: Study, paths: Iterable[str]) -> None:
        known, found = study.described.all_parameters(), formulas(study.described)
        self.aliases = {path: _alias(path, known) for path in paths}
        parameters = {alias: found[path] for path, alias in self.aliases.items()}
        named = study.described.with_(parameters={**study.described.parameters, **parameters})
        super().__init__(with_literals(named, self.aliases))
        self._study = study
        following, worked_in = self._following()
        self._inside = tuple(self.aliases.values()) if worked_in else ()
        """Parameters that code reads by their aliases."""
        wanted = {*study.structure.numbers, *following}
        self._structure = structure_of(self.model if worked_in else study.model, wanted)
        self._structural = tuple(self.structure.numbers.keys() - study.structure.numbers.keys())
        """Paths of numbers that were structure."""

    def __getstate__(self) -> dict[str, Any]:
        own = ("aliases", "_study", "_inside", "_structural")
        return {**super().__getstate__(), **{name: self.__dict__[name] for name in own}}

    def _following(self) -> tuple[set[str], bool]:
        """Paths of numbers that follow from those at the paths, and whether formulas do."""
        model, known = self._study.described, formulas(self._study.described)
        others = {path: 0.9 * known[path].value + 0.01 for path in self.aliases}
        then = formulas(model, as_written=False)
        now = formulas(with_literals(model, others), as_written=False)
        apart = {path for path in then if now.get(path) != then[path]}
        if now.keys() != then.keys() or not apart <= formulas_with(model, others).keys():
            raise InputError("more follows from these numbers than the elements they stand in")
        plain = {path for path in apart if isinstance(then[path].tree, Number)}
        return plain, plain != apart

    def structure_with(self, other: Study) -> Structure:
        """The same with the numbers of a study that has others at the paths."""
        known = formulas(other.model, as_written=False)
        numbers = {path: known[path].value for path in self.structure.numbers if path in known}
        written = formulas(other.described)
        inside = {a: written[path].value for path, a in self.aliases.items() if a in self._inside}
        return Structure(self.structure.model, {**self.structure.numbers, **numbers, **inside})

    def takes(self, other: Study) -> bool:
        """Whether numbers of another study are no exact 0, 1 or -1 where they could be structure:
        there terms vanish."""
        known = formulas(other.model, as_written=False)
        return not any(known[path].value in _STRUCTURAL for path in self._structural)

    def given(self, numbers: Mapping[str, float]) -> dict[str, float] | None:
        """Parameters for numbers at the paths; None: some are structure (``takes``)."""
        if self._structural:
            moved = formulas_with(self._study.described, numbers)
            if any(moved[p].value in _STRUCTURAL for p in self._structural if p in moved):
                return None
        return {alias: numbers[path] for path, alias in self.aliases.items()}

    def worded(self, text: str) -> str:
        """Words in which parameters are called by their paths again."""
        for path, alias in self.aliases.items():
            text = text.replace(alias, path)
        return text

    @cached_property
    def code_text(self) -> str:
        """That of the study."""
        return self._study.code_text

    def code_numbers(self, params: Mapping[str, Any] | None = None) -> dict[str, float]:
        """Parameters of the study, and numbers by their paths."""
        own, known = self._numbers(params), self._study.described.all_parameters()
        numbers = {path: own[alias] for path, alias in self.aliases.items()}
        found = formulas_with(self._study.described, numbers)
        moved = {p: f.value for p, f in found.items() if p in self.structure.numbers}
        named = {name: own[name] for name in (*known, *self._inside)}
        return {**named, **self.structure.numbers, **moved}


_STRUCTURAL = (0.0, 1.0, -1.0)
"""Numbers that make terms vanish."""


def _freed(study: Study, paths: tuple[str, ...]) -> Freed | None:
    """None: beams are cut into elements by these numbers, or they follow from others."""
    if study.model is not study.described:
        return None
    try:
        return Freed(study, paths)
    except InputError:
        return None


def _alias(path: str, known: Mapping[str, Any]) -> str:
    """A name of a parameter that nobody has given."""
    name = re.sub(r"\W+", "_", path).strip("_") + "_by_path"
    while name in known:
        name += "_"
    return name
