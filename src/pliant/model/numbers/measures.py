"""What names stand for in formulas: the dimensions of parameters, of motion, of networks.

Nothing is known of a plain parameter, of a signal, and of a name that is not found here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pliant.model.forces import Spring
from pliant.model.forces.action import MOMENTA
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.dimensions import ANY, PLAIN, READ, Lookup, Measure, measure_of
from pliant.model.formulas.tree import Name
from pliant.model.frames import COMPONENTS
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.model.networks.elements import OnePort
from pliant.model.networks.kinds import UNITS
from pliant.model.networks.structure import Structure
from pliant.model.numbers.units import dimension_of, unit_text
from pliant.model.sensors.sensing import told_by

MOTION = {
    "position": "m", "velocity": "m/s", "angular_velocity": "rad/s", "acceleration": "m/s^2",
    "own_velocity": "m/s", "own_angular_velocity": "rad/s", "angular_acceleration": "rad/s^2",
    "force": "N", "torque": "N*m", "deflection": "m", "internal_force": "N",
    "internal_moment": "N*m", "contact": "m", **{name: unit for name, (unit, _) in MOMENTA.items()},
}  # fmt: skip
"""Unit of vectors by what they are called."""
SCALARS = {
    "force": "N", "torque": "N*m", "power": "W", "strain_energy": "J", "kinetic_energy": "J",
    "energy": "J",
}  # fmt: skip
"""The same of numbers, of elements."""
TOTALS = {
    "kinetic_energy": "J", "potential_energy": "J", "mechanical_energy": "J", "energy": "J",
    "kinetic_energy_rate": "W",
}  # fmt: skip
"""Of the system."""
_SPRING = {"length": "m", "rate": "m/s"}
_LONGEST = 100
"""Way of names that are just names."""
_QUANTITY = re.compile(r"(effort|flow|displacement)([1-9][0-9]*)?")


class _Names:
    """Names whose dimensions are found when they are asked for, those they depend on before."""

    def __init__(self) -> None:
        self._known: dict[str, Measure] = {}

    def __call__(self, name: str) -> Measure:
        if name in self._known:
            return self._known[name]
        waiting, begun = [name], set[str]()
        while waiting:
            top = waiting[-1]
            f = self._formula(top)
            below = () if f is None or top in self._known or top in begun else f.names
            begun.add(top)
            deeper = [n for n in below if n not in begun and self._formula(n) is not None]
            if not deeper:
                self._settled(waiting.pop())
            waiting += deeper
        return self._known[name]

    def _settled(self, name: str) -> Measure:
        """With everything known that it depends on; nothing of what depends on itself."""
        if name not in self._known:
            self._known[name] = ANY
            f = self._formula(name)
            found = self._observed(name) if f is None else measure_of(f, self._settled)
            self._known[name] = found
        return self._known[name]

    def _formula(self, name: str) -> Formula | None:
        """What a name is, in terms of others of these names."""
        raise NotImplementedError

    def _observed(self, name: str) -> Measure:
        """What any other name is."""
        raise NotImplementedError


class Measures(_Names):
    """Names of a model, as its own formulas read them."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model
        self.formulas: Mapping[str, Formula] = model.all_parameters()
        """What is a formula itself, by name."""
        self._joints: dict[str, dict[str, str]] = {}
        self._networks: dict[str, Structure] = {}
        self._sensors: dict[str, Mapping[str, tuple[int, str]]] = {}

    def _formula(self, name: str) -> Formula | None:
        return self.formulas.get(name)

    def _observed(self, name: str) -> Measure:
        return Measure(dimension_of("s"), PLAIN) if name == "t" else read_in(self._unit(name))

    def step(self, name: str) -> Step | None:
        """Where a name leads, if it is a formula."""
        return (self, self.formulas[name], True) if name in self.formulas else None

    def unit(self, formula: Formula) -> str:
        """The unit of a formula if it is sure: the word for it that what it reads has, as torques
        and energies have one dimension; empty if plain numbers leave it open."""
        measure = measure_of(formula, self)
        if measure.dimension is None or measure.weight == PLAIN:
            return ""
        read = (unit for n in sorted(formula.names) for unit in self._unit(n).split(" | ") if unit)
        said = (unit for unit in read if dimension_of(unit) == measure.dimension)
        return next(said, unit_text(measure.dimension))

    def _unit(self, name: str) -> str:
        """Of something observed; empty if it is not known."""
        owner, dot, rest = name.partition(".")
        if not dot:
            return "" if name in self.model.signals else TOTALS.get(name, "")
        if isinstance(self.model.forces.get(owner), Spring) and rest in _SPRING:
            return _SPRING[rest]
        if owner in self.model.sensors:
            return self._of_sensor(owner, rest)
        if owner in self.model.networks and (unit := self._of_network(owner, rest)):
            return unit
        if owner in self.model.joints and rest in (own := self._of_joint(owner)):
            return own[rest]
        quantity, _, component = name.rpartition(".")
        if component in COMPONENTS:
            return MOTION.get(quantity.rpartition(".")[2], "")
        return SCALARS.get(component, "")

    def _of_joint(self, name: str) -> dict[str, str]:
        if name not in self._joints:
            self._joints[name] = coordinate_units(self.model.joints[name])
        return self._joints[name]

    def _of_sensor(self, name: str, output: str) -> str:
        if name not in self._sensors:
            self._sensors[name] = told_by(self.model.sensors[name]).outputs
        told, (whole, _, component) = self._sensors[name], output.rpartition(".")
        return told.get(whole if component in COMPONENTS else output, (0, ""))[1]

    def _of_network(self, name: str, label: str) -> str:
        if name not in self._networks:
            self._networks[name] = Structure(self.model, self.model.networks[name])
        return unit_in_network(self._networks[name], label)


class GraphMeasures(_Names):
    """Names of a network or sub-graph; ``given``: parameters of a part, as formulas of the graph
    ``around`` it."""

    def __init__(
        self, around: Measures | GraphMeasures, structure: Structure,
        given: Mapping[str, Formula] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.structure, self.graph = structure, structure.graph
        self._around, self._given = around, given or {}
        self._model: Measures = around if isinstance(around, Measures) else around._model

    def _formula(self, name: str) -> Formula | None:
        return None if name in self._given else self.graph.parameters.get(name)

    def _observed(self, name: str) -> Measure:
        if name in self._given:
            return measure_of(self._given[name], self._around)
        if name in self.graph.parameters:
            return ANY
        unit = unit_in_network(self.structure, name)
        return read_in(unit) if unit else self._model(name)

    def step(self, name: str) -> Step | None:
        if name in self._given:
            return self._around, self._given[name], False
        own = self.graph.parameters.get(name)
        return (self, own, True) if own is not None else self._model.step(name)

    def written(self, formula: Formula) -> tuple[str, Formula]:
        """What a formula that is just a name stands for, and the last name on the way that is not
        that of something given to a part; otherwise the formula itself."""
        last, at = "", self.step(formula.tree.name) if isinstance(formula.tree, Name) else None
        for _ in range(_LONGEST):
            if at is None:
                break
            measures, found, kept = at
            last = formula.text if kept else ""
            formula = found
            at = measures.step(formula.tree.name) if isinstance(formula.tree, Name) else None
        return last, formula

    def literal(self, name: str) -> Formula | None:
        """What a name is written as; None if it is no formula."""
        return None if self.step(name) is None else self.written(from_tree(Name(name)))[1]


Step = tuple[Measures | GraphMeasures, Formula, bool]
"""Where a formula is read, what a name is written as there, and whether that is its own name."""


def read_in(unit: str) -> Measure:
    """Something observed in this unit; of none nothing is known."""
    return Measure(dimension_of(unit), READ) if unit else ANY


def beside(lookup: Lookup, own: Mapping[str, Measure]) -> Lookup:
    """With some names more."""
    return lambda name: own[name] if name in own else lookup(name)


def parameter_units(model: Model) -> dict[str, str]:
    """Units of parameters, those of networks by their full names: of what is written with one, or
    else of the first field that is nothing but the parameter; empty where neither tells."""
    measures = Measures(model)
    used: dict[str, str] = {}
    for _, _, _, f, kind in model.each_formula():
        if isinstance(f.tree, Name) and kind.unit and " | " not in kind.unit:
            used.setdefault(f.tree.name, kind.unit)
    found = {}
    for name in measures.formulas:
        known = measures(name)
        told = used.get(name, "") if known.dimension is None else known.unit
        found[name] = "" if told == "1" else told
    return found


def coordinate_units(joint: Joint) -> dict[str, str]:
    """Units of the coordinates and rates of a joint."""
    found = dict(zip(joint.coordinate_names, joint.coordinate_units, strict=True))
    found |= dict(zip(joint.rate_names, joint.rate_units, strict=True))
    told = {n: u for c in joint.measured for n, u in ((c.name, c.unit), (c.rate, f"{c.unit}/s"))}
    return {**told, **found}


def unit_in_network(structure: Structure, label: str) -> str:
    """Of ``La.flow``, ``store.displacement2``, ``motor.inductance.flow``; empty if not known."""
    path, _, last = label.rpartition(".")
    match = _QUANTITY.fullmatch(last)
    *parts, name = path.split(".")
    for part in parts:
        if part not in structure.parts:
            return ""
        structure = Structure(structure.model, structure.parts[part])
    if match is None or not isinstance(structure.graph.elements.get(name), OnePort):
        return ""
    domains = component_domains(structure, name)
    k = int(match[2] or 1) - 1
    return UNITS[domains[k]][match[1]] if k < len(domains) and domains[k] in UNITS else ""


def component_domains(structure: Structure, name: str) -> list[str]:
    """The domain of every component of an element."""
    return [link.domain for link in structure.attached(name) for _ in range(link.dim)]
