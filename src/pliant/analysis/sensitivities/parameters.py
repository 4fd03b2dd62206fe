"""What derivatives are taken by, and how the numbers p of the equations follow from it.

    T    drive.R    bodies.rod.length    joints.O.initial.angle    O.angle    gravity[3]

A number that the equations read by its path is an entry of p. Any other (a size or mass of which
inertia follows, an exact 0 or 1, which is structure) becomes a parameter of its own: formulas
follow it.
Formulas are differentiated exactly; tables of flexible bodies by differences (``tables``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.analysis.faults import every_fault
from pliant.analysis.sensitivities.corners import differ, refuse_corners, steps_beside
from pliant.analysis.sensitivities.differences import derivative
from pliant.analysis.sweeps.names import HOW, coherent_unit, field_at, initial_path
from pliant.arrays import Array
from pliant.code.compiled import CompiledEquations
from pliant.errors import CapabilityError, InputError, UnknownName
from pliant.mechanics.values import Values
from pliant.model.formulas import Formula, formula
from pliant.model.formulas.tree import Name, Number
from pliant.model.frozen import did_you_mean
from pliant.model.model import Model
from pliant.model.numbers.literals import formulas, formulas_with, with_named
from pliant.records import dataclass
from pliant.spatial.symbolic import SYMBOLIC
from pliant.study import Study


@dataclass(frozen=True, slots=True)
class Asked:
    """``keys``: the parameter or path that each name means."""

    names: tuple[str, ...]
    keys: tuple[str, ...]

    @classmethod
    def of(cls, model: Model, names: str | Sequence[str]) -> Asked:
        """What names mean; those that mean nothing, or cannot be differentiated, are refused."""
        listed = [names] if isinstance(names, str) else list(names)
        if not listed:
            raise InputError("no parameter is named", "give names, for example ['T', 'O.angle']")
        known, parameters, keys = formulas(model), model.all_parameters(), list[str]()
        with every_fault() as looking_at:
            for name in listed:
                with looking_at():
                    keys.append(_key(model, parameters, known, name))
                    if keys[-1] in keys[:-1]:
                        both = f"{listed[keys.index(keys[-1])]}, {name}"
                        raise InputError(f"'{keys[-1]}' is asked for twice ({both})",
                                         "name it once")  # fmt: skip
        return cls(tuple(listed), tuple(keys))


def _key(
    model: Model, parameters: Mapping[str, Formula], known: Mapping[str, Formula], name: str
) -> str:
    if not isinstance(name, str):
        raise InputError(f"{name!r} is no name of a parameter", "give names as texts")
    if name in parameters:
        return name
    if name in HOW or name.startswith("simulate."):
        raise InputError(f"'{name}' is how a run is computed: there is no derivative by it",
                         "vary it with sweep")  # fmt: skip
    initial = initial_path(model, name)
    for path in filter(None, (name, initial)):
        if path in known:
            if not isinstance(known[path].tree, Number):
                read = sorted(known[path].names & parameters.keys())
                cure = (
                    f"take the derivative by {', '.join(read)}"
                    if read
                    else "give the number in it a name (parameters: ...), and ask for that"
                )
                raise InputError(f"'{path}' is the formula '{known[path]}', not a number",
                                 cure)  # fmt: skip
            return path
    if initial and name not in known:
        raise UnknownName(f"no initial value of '{name}' is given",
                          f"write joints: ... initial: {{{name.rpartition('.')[2]}: ...}}, or take "
                          "the derivative by one that is")  # fmt: skip
    if field_at(model, name) is not None:
        raise InputError(f"'{name}' decides how the equations are written: there is no derivative "
                         "by it", "vary it with sweep")  # fmt: skip
    everything = (*parameters, *known, *_coordinates(model))
    cure = did_you_mean(name, everything) or "give a parameter, or the path of a number"
    raise UnknownName(f"nothing is named '{name}' that a motion could be differentiated by", cure)


def _coordinates(model: Model) -> list[str]:
    """Initial values by their short names."""
    return [f"{joint.name}.{k}" for joint in model.joints.values() for k in joint.initial]


def units_of(model: Model, asked: Asked) -> dict[str, str]:
    """Of what derivatives are taken by, where it is written with one."""
    known, parameters = formulas(model), model.all_parameters()
    found = {name: coherent_unit((parameters.get(key) or known[key]).text)
             for name, key in zip(asked.names, asked.keys, strict=True)}  # fmt: skip
    return {name: unit for name, unit in found.items() if unit}


def named_study(system: Study, asked: Asked) -> tuple[Study, Asked]:
    """The system in which everything that is asked for is an entry of p, and what it is there."""
    parameters, numbers = system.described.all_parameters(), system.structure.numbers
    cut = system.model is not system.described
    paths = tuple(k for k in asked.keys if k not in parameters
                  and (cut or k not in numbers or _others_follow(system.described, k)))  # fmt: skip
    if not paths:
        return system, asked
    key = ("named numbers", paths)
    names = legal_names(paths, parameters)
    if key not in system.slopes:
        system.slopes[key] = type(system)(with_named(system.described, names))
    found: Study = system.slopes[key]
    return found, replace(asked, keys=tuple(names.get(k, k) for k in asked.keys))


def _others_follow(model: Model, path: str) -> bool:
    """Whether other numbers that equations read follow from one: of a mass an inertia."""
    known = formulas(model)[path].value
    now, then = (formulas_with(model, {path: value}) for value in (known, 0.9 * known + 0.01))
    return any(now.get(other) != f for other, f in then.items() if other != path)


def legal_names(paths: Sequence[str], taken: Mapping[str, Any]) -> dict[str, str]:
    """Names of parameters for paths."""
    found: dict[str, str] = {}
    for path in paths:
        name = re.sub(r"\W+", "_", path).strip("_")
        while name in taken or name in found.values():
            name += "_"
        found[path] = name
    return found


@dataclass(frozen=True, slots=True)
class Directions:
    """``matrix``: of the entries ``places`` of p, a column for each of what is asked for; ``at``:
    the numbers they are taken at; ``tables``: by what names tables are differentiated, and how
    sure these differences are (relative). Not a number in ``matrix``: a formula has a corner."""

    places: tuple[int, ...]
    matrix: Array
    at: Array
    tables: Mapping[str, float]


def directions(
    study: Study, compiled: CompiledEquations, asked: Asked, params: Mapping[str, Any]
) -> Directions:
    """dp/dθ."""
    own = _Numbers(study, params)
    columns = np.zeros((len(compiled.p), len(asked.keys)))
    errors: dict[str, float] = {}
    at = np.array([own.base[key] for key in asked.keys])
    exact = own.exact(asked.keys)
    for k, key in enumerate(asked.keys):
        for name, slope in exact[key].items():
            columns[compiled.parameters[name], k] = slope
        found, error = own.differences(compiled, key)
        for name, slopes in found.items():
            start = compiled.tables.get(name, compiled.parameters.get(name, 0))
            columns[start : start + len(slopes), k] = slopes
        errors |= {asked.names[k]: error} if found else {}
    places = np.flatnonzero(columns.any(axis=1))
    return Directions(tuple(map(int, places)), columns[places], at, errors)


def formula_slopes(study: Study, asked: Asked, params: Mapping[str, Any], f: Formula) -> Array:
    """How a formula of parameters changes with each of what is asked for."""
    found = _Numbers(study, params).of_formulas({"": f}, asked.keys)
    slopes = found.get("", np.zeros(len(asked.keys)))
    refuse_corners([n for n, s in zip(asked.names, slopes, strict=True) if np.isnan(s)])
    return slopes


class _Numbers:
    """All numbers of a system by name, as functions of one of them."""

    def __init__(self, study: Study, params: Mapping[str, Any]) -> None:
        self.study, self.params = study, params
        self.base = study.code_numbers(params)
        self.parameters = study.described.all_parameters()

    def at(self, key: str, value: float) -> dict[str, float]:
        """All of them with another value of one."""
        if key in self.parameters:
            return self.study.code_numbers({**self.params, key: value})
        return {**self.base, key: value}

    def exact(self, keys: Sequence[str]) -> dict[str, dict[str, float]]:
        """Slopes of the parameters that follow from each of ``keys`` by formulas, each of them
        moved alone: those that follow from others, and are asked for as well, still follow."""
        follow = [n for n in self.parameters if (f := self._formula(n)) is not None and f.names]
        J = self.of_formulas({name: Formula(Name(name), name) for name in follow}, keys)
        found = {key: {key: 1.0} for key in keys}
        for name, slopes in J.items():
            for key, slope in zip(keys, slopes, strict=True):
                if slope:
                    found[key][name] = float(slope)
        return found

    def of_formulas(self, asked: Mapping[str, Formula], keys: Sequence[str]) -> dict[str, Array]:
        """Slopes of formulas of parameters by each of ``keys``; of those that move. Not a number
        where a formula has a corner."""
        import casadi as ca

        moves = {key: SYMBOLIC.symbol(key) for key in keys}
        known = {key: self.base[key] + moves[key] for key in keys if key not in self.parameters}
        values = {name: f.evaluate(SYMBOLIC, lambda n: self._value(n, known, moves))
                  for name, f in asked.items()}  # fmt: skip
        moving = [n for n, v in values.items() if isinstance(v, ca.SX) and not v.is_constant()]
        theta = ca.vertcat(*moves.values())
        slopes = ca.jacobian(ca.vertcat(ca.SX(0, 1), *[values[n] for n in moving]), theta)
        J = ca.Function("J", [theta], [ca.densify(slopes)])
        found, above, below = (np.array(J(k * steps_beside([self.base[key] for key in keys])))
                               for k in (0, 1, -1))  # fmt: skip
        found[differ(above, below)] = np.nan
        return dict(zip(moving, found, strict=True))

    def _value(self, name: str, known: dict[str, Any], moves: Mapping[str, Any]) -> Any:
        """A parameter as an expression in how far those asked for are moved, or as its number."""
        if name not in known:
            f = self._formula(name)
            number = f is None or not f.names
            own = (self.base[name] if number or f is None else
                   f.evaluate(SYMBOLIC, lambda n: self._value(n, known, moves)))  # fmt: skip
            known[name] = own + moves[name] if name in moves else own
        return known[name]

    def _formula(self, name: str) -> Formula | None:
        """What it follows from; None: it was given as a number."""
        given = self.params.get(name)
        if isinstance(given, str):
            return formula(given)
        return None if given is not None else self.parameters[name]

    def differences(self, compiled: CompiledEquations, key: str) -> tuple[dict[str, Array], float]:
        """Slopes of tables of flexible bodies, and of numbers of elements that beams are cut into;
        relative error of them."""
        makers = {name: self._table(name, key) for name in compiled.tables}
        if self.study.model is not self.study.described:
            makers |= self._elements(key)
        found, worst = {}, 0.0
        for name, make in makers.items():
            slopes, error = derivative(make, self.base[key])
            if slopes.any():
                found[name], worst = slopes, max(worst, error)
        if worst > _SURE:
            raise CapabilityError(
                f"'{key}': tables of flexible bodies are not smooth in it (differences agree to "
                f"{worst:.0e} only)"
            )
        return found, worst

    def _table(self, name: str, key: str) -> Callable[[float], Array]:
        return lambda v: Values.at(self.study.structure.model, self.at(key, v)).packed(name)

    def _elements(self, key: str) -> dict[str, Callable[[float], Array]]:
        names = [n for n in self.base if n not in self.parameters
                 and n not in self.study.structure.numbers]  # fmt: skip

        def one(name: str) -> Callable[[float], Array]:
            return lambda v: np.array([self.at(key, v)[name]])

        return {name: one(name) for name in names}


_SURE = 1e-6
"""Relative error of differences above which they are refused."""
