"""Units: what stands in a field has the unit of the field, also where a formula gives it.

The unit of some fields follows from the joint coordinate or the level they belong to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

from pliant.errors import Fault
from pliant.model.constraints.holding import Holding
from pliant.model.cures import Write, curing, expected, in_unit
from pliant.model.drivers import FrameDriver, JointDriver
from pliant.model.fields import Number
from pliant.model.forces import Rotor
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.dimensions import (
    READ,
    WRITTEN,
    Lookup,
    Measure,
    exponent_of,
    inferred,
    measure_of,
    quoted,
    units_read,
)
from pliant.model.formulas.tree import Call, Name, Node
from pliant.model.joints import Joint
from pliant.model.named import NAMED, NamedFormula
from pliant.model.numbers.measures import Measures, beside, coordinate_units
from pliant.model.numbers.units import Dimension, dimension_of, unit_text
from pliant.model.validation.context import ON_COORDINATE, Context, Described

Written = Callable[[str], Formula | None]
"""What a name is written as, if it is a formula itself."""
_DEPENDENT = ("forces", "drivers", "joints", "constraints")
"""Sections where the unit of a field may depend on more than the field."""
_LEVELS = {"position": "", "velocity": "/s", "acceleration": "/s^2"}
_SHOWN = 3
"""Names whose units a cure tells."""


def unit_faults(context: Context) -> Iterator[Fault]:
    """Everything in a unit that is not that of its field, and what cannot be added."""
    check = _Check(context)
    for described in context.formulas():
        _, path, _, f, _ = described
        if f.names or (f.dimension is not None and path[0] in _DEPENDENT):
            yield from check.faults(described)
            yield from check.outputs(described)


class _Check:
    """What is wrong with formulas; the same text in the same unit is looked at once."""

    def __init__(self, context: Context) -> None:
        self.context, self.measures = context, Measures(context.model)
        self.known: dict[tuple[str, str, bool], list[tuple[str, str]]] = {}

    def faults(self, described: Described) -> Iterator[Fault]:
        who, path, label, f, kind = described
        unit, path, label = _field(self.context, self.measures, path, label, kind)
        if f.dimension is not None or not kind.local:
            key = f.text, unit, path[0] == "events"
            if key not in self.known:
                self.known[key] = [*self.objections(f, unit, path, self.measures)]
            found = self.known[key]
        else:
            own = _own(self.context, self.measures, path, kind)
            found = [*self.objections(f, unit, path, beside(self.measures, own))]
        for what, cure in found:
            yield Fault(who, f"{label}: {what}" if label else what, cure, path=path)

    def outputs(self, described: Described) -> Iterator[Fault]:
        """Nothing is made of the number of an output: if it has a unit that is known, and another
        one is written beside it, that is wrong, also where a law could take it."""
        who, path, _, f, _ = described
        unit = self.context.model.outputs[path[1]].unit if path[0] == "outputs" else ""
        measure = measure_of(f, self.measures) if unit and f.dimension is None else Measure()
        if measure.weight == READ and not measure.like(Measure(dimension_of(unit))):
            what = f"{quoted(f.text)} is in {measure.unit}, not in {unit}"
            cure = curing(f"write unit: {measure.unit}", Write((*path[:2], "unit"), measure.unit))
            yield Fault(who, what, cure, path=(*path[:2], "unit"))

    def objections(
        self, f: Formula, unit: str, path: tuple[str, ...], lookup: Lookup
    ) -> Iterator[tuple[str, str]]:
        written, named = self.measures.formulas.get, self._named(f)
        if named is not None and not accepts(unit, dimension_of(named.unit)):
            what = f"the formula '{named.name}' is in {named.unit}, the wrong unit"
            yield what, f"expected {Number(unit).wanted}"
            return
        declared = written(f.tree.name) if isinstance(f.tree, Name) else None
        if f.dimension is not None:
            if not accepts(unit, f.dimension):
                yield f"'{f.text}' has the wrong unit", expected(f.text, unit)
        elif declared is not None and declared.dimension is not None:
            if not accepts(unit, declared.dimension):
                what = f"the parameter '{f.text}' is '{declared.text}', the wrong unit"
                yield what, f"expected {Number(unit).wanted}"
        else:
            parts = map(from_tree, _conditions(f.tree)) if path[0] == "events" else (f,)
            for part in parts:
                yield from formula_objections(
                    part, unit, lookup, written, self.context.model.parameters
                )

    def _named(self, f: Formula) -> NamedFormula | None:
        """The formula with a name and a unit that a formula is, if it is nothing else."""
        tree = f.as_written.tree
        found = self.context.model.formulas.get(tree.name) if isinstance(tree, Name) else None
        return found if found is not None and found.unit else None


def _conditions(node: Node) -> Iterator[Node]:
    """Parts of a crossing that stood between `and` and `or`: each in a unit of its own."""
    if isinstance(node, Call) and node.function in ("min", "max", "neg"):
        for arg in node.args:
            yield from _conditions(arg)
    else:
        yield node


def formula_objections(
    f: Formula, units: str, lookup: Lookup, written: Written, parameters: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    """Why a formula cannot be in one of these units (none: any will do), and the cure, which may
    write ``parameters`` of the model in another unit."""
    measure, clashes = inferred(f, lookup)
    for clash in clashes:
        yield clash.what, f"{clash.cure}; {_reading(f, lookup, written)}"
    if fits(measure, units):
        return
    what = f"{quoted(f.text)} is in {measure.unit}, not in {Number(units).wanted}"
    yield what, _cure(f, measure, units, lookup, written, parameters)


def fits(measure: Measure, units: str) -> bool:
    """Whether something of this measure may be in one of these units; angles are numbers."""
    if measure.weight < WRITTEN or measure.dimension is None or not units:
        return True
    return any(measure.like(Measure(dimension_of(unit))) for unit in units.split(" | "))


def accepts(units: str, dimension: Dimension) -> bool:
    """Whether a quantity of this dimension may stand where one of these units is wanted."""
    return Number(units).accepts(dimension)


def _cure(
    f: Formula, measure: Measure, units: str, lookup: Lookup, written: Written,
    parameters: Collection[str],
) -> str:  # fmt: skip
    """The unit that the only parameter with a unit should have, or all of them."""
    names = units_read(f.names, lookup)
    name = next(iter(names), "")
    literal = written(name) if len(names) == 1 else None
    power = exponent_of(f, name, lookup)
    if literal is not None and literal.dimension is not None and power and " | " not in units:
        found, goal = measure.dimension, dimension_of(units)
        assert found is not None
        missing = (goal * found**-1).without_angle ** (Fraction(1) / power)
        needed = literal.dimension * missing
        if all(p.denominator == 1 for p in needed.powers):
            words = f"{name} = {literal.text} would have to be in {unit_text(needed)}"
            other = in_unit(literal.text, unit_text(needed)) if name in parameters else ()
            return curing(words, *(Write(("parameters", name), step.right) for step in other))
    return f"{_reading(f, lookup, written)}; a plain number fits anything"


def _reading(f: Formula, lookup: Lookup, written: Written) -> str:
    """ "check the units of k = 5 N/m and m = 2*m0"."""
    names = units_read(f.names, lookup)
    told = [f"{n} = {w.text if (w := written(n)) else m.unit}" for n, m in names.items()]
    shown = told if len(told) <= _SHOWN else [*told[:_SHOWN], "..."]
    return f"check the unit{'s' * (len(told) > 1)} of {' and '.join(shown)}"


def _own(
    context: Context, measures: Measures, path: tuple[str, ...], kind: Number
) -> Mapping[str, Measure]:
    """What x and v of a law stand for."""
    element = getattr(context.model, path[0])[path[1]]
    own = element.variables(context.model.joints)
    return {n: measure_of(own[n], measures) if n in own else Measure() for n in kind.local}


# --- fields whose unit depends on more than the field


def _field(
    context: Context, measures: Measures, path: tuple[str, ...], label: str, kind: Number
) -> tuple[str, tuple[str, ...], str]:
    """The unit of a field where it stands; its place and name as the file says them."""
    if len(path) != 3 or path[0] not in _DEPENDENT:
        own = getattr(context.model, path[0])[path[1]].unit if path[0] in NAMED else kind.unit
        return own, path, label
    section, name, key = path
    element: Any = getattr(context.model, section)[name]
    if isinstance(element, Joint):
        if key not in ("initial", "guess"):
            return kind.unit, path, label
        which = label.rpartition(".")[2]
        unit = coordinate_units(element).get(which, "")
        return unit, (section, name, which), f"{key}: {which}"
    if isinstance(element, FrameDriver):
        turns = {"translation": "m", "angular": "rad"}
        if key not in turns:
            return kind.unit, path, label
        own = ("angular_" if key == "angular" else "") + element.level
        return turns[key] + _LEVELS[element.level], (section, name, own), own
    if isinstance(element, Holding):
        known = element.units(lambda f: measure_of(f, measures).dimension)
        return known.get(key, kind.unit), path, label
    if isinstance(element, ON_COORDINATE):
        coordinate = context.coordinate(element.joint, element.coordinate)
        unit = coordinate.unit if coordinate is not None else ""
        return (_along(element, unit).get(key, kind.unit) if unit else kind.unit), path, label
    return kind.unit, path, label


def _along(element: Any, unit: str) -> dict[str, str]:
    """Units of what acts along a coordinate in this unit."""
    if isinstance(element, Rotor):
        return {"inertia": _of_rotor(element.ratio, unit)}
    if isinstance(element, JointDriver):
        return {"motion": unit + _LEVELS[element.level]}
    effort = "N*m" if unit == "rad" else "N"
    return {
        "effort": effort,
        "stiffness": f"{effort}/{unit}",
        "damping": f"{effort}*s/{unit}",
        "free": unit,
        "coulomb": effort,
        "viscous": f"{effort}*s/{unit}",
        "speed": f"{unit}/s",
    }


def _of_rotor(ratio: Formula, unit: str) -> str:
    """Inertia of what turns or is displaced: its ratio may turn one into the other."""
    crossed = ratio.dimension is not None and ratio.dimension != dimension_of("1")
    return "kg*m^2" if (unit == "rad") != crossed else "kg"
