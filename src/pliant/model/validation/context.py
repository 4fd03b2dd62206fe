"""What the checks share: the model, the numbers its parameters give, and its references."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from pliant.errors import Fault, ModelError, UnknownName
from pliant.model.drivers import JointDriver
from pliant.model.fields import Number as NumberKind
from pliant.model.forces import OnCoordinate
from pliant.model.formulas import Formula
from pliant.model.formulas.tree import Name, Number
from pliant.model.joints import Joint
from pliant.model.joints.base import Coordinate
from pliant.model.model import SECTIONS, Model
from pliant.records import dataclass

Described = tuple[str, tuple[str, ...], str, Formula, NumberKind]
"""Who, path, label of the field, formula and kind."""

# Elements that act along a scalar coordinate of a joint.
ON_COORDINATE = (JointDriver, OnCoordinate)


class About:
    """An element of the model in the words of faults."""

    def __init__(self, section: str, name: str) -> None:
        self.who, self.path = f"{SECTIONS[section]} '{name}'", (section, name)

    def fault(self, what: str, cure: str, *key: str) -> Fault:
        """Something wrong with it; ``key``: where in it."""
        return Fault(self.who, what, cure, path=(*self.path, *key))


class Watched(Mapping[str, float]):
    """Values of parameters that remember which of them were read."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self._values = values
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> float:
        self.read.add(name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@dataclass(frozen=True, slots=True)
class Context:
    """A model with the values of its parameters, as far as they have any."""

    model: Model
    values: Mapping[str, float]
    parameter_faults: tuple[Fault, ...] = ()
    again: tuple[Described, ...] | None = None
    """Formulas to be looked at again; all without."""
    found: list[Described] = field(default_factory=list, repr=False, compare=False)
    """Every formula of the model, once somebody has asked for them."""

    @classmethod
    def of(cls, model: Model) -> Context:
        """Work out the parameters; those in trouble are left without value."""
        try:
            return cls(model, model.parameter_values())
        except ModelError as error:
            plain = {n: f.value for n, f in model.parameters.items() if f.is_constant}
            values = {n: v for n, v in plain.items() if math.isfinite(v)}
            return cls(model, values, error.faults)

    def formulas(self) -> Iterable[Described]:
        """Every formula that is to be looked at (``Model.each_formula``)."""
        return self.all_formulas() if self.again is None else self.again

    def all_formulas(self) -> Iterable[Described]:
        """Every formula of the model."""
        if not self.found:
            self.found.extend(self.model.each_formula())
        return self.found

    def number(self, f: Formula) -> float | None:
        """The number of a formula of parameters; None if it reads anything else."""
        if not f.names <= self.values.keys():
            return None
        return f.number(self.values)

    def literal(self, f: Formula) -> float | None:
        """A number written without unit, here or as a parameter."""
        if isinstance(f.tree, Name) and f.tree.name in self.model.parameters:
            self.values.get(f.tree.name)  # read, although not as a value
            f = self.model.parameters[f.tree.name]
        if not isinstance(f.tree, Number) or f.dimension is not None:
            return None
        return float(f.tree.value)

    def numbers(self, formulas: tuple[Formula, ...]) -> list[float] | None:
        """All the numbers, or None if one is unknown or undefined."""
        values = [self.number(f) for f in formulas]
        known = [v for v in values if v is not None and math.isfinite(v)]
        return known if len(known) == len(values) else None

    def body_of(self, ref: str) -> str | None:
        """The body of a frame reference, or None if it leads nowhere."""
        try:
            return self.model.frame(ref)[0]
        except UnknownName:
            return None

    def joints_of(self, body: str) -> list[Joint]:
        """The joints attached to a body."""
        return [
            joint
            for joint in self.model.joints.values()
            if body in (joint.parent.split(".")[0], joint.child.split(".")[0])
        ]

    def coordinate(self, joint: str, name: str | None) -> Coordinate | None:
        """The scalar coordinate meant by an element on a joint; None if there is none such."""
        own = self.model.joint_named(joint)
        return None if own is None else own.acting(name)
