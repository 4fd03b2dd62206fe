"""Constitutive laws of network elements from the formulas of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from pliant.bonds import laws
from pliant.bonds.elements import GYRATORS, Reading
from pliant.bonds.networks import stores
from pliant.errors import Fault, ModelError
from pliant.model.formulas import Formula
from pliant.model.networks.entries import Entries, each, order_of
from pliant.model.networks.flat import FlatElement, FlatNetwork
from pliant.spatial.ops import SymbolicOps


class NetworkLaws:
    """Constitutive laws of the elements of networks, over the states of their stores."""

    def __init__(self, flats: Iterable[FlatNetwork]) -> None:
        self.states: dict[str, tuple[str, str, int]] = {}
        self.outputs: dict[str, tuple[str, str, int]] = {}
        self.made: dict[str, laws.Law] = {}
        for flat in flats:
            self.states |= flat.states
            self.outputs |= flat.outputs
            for element in flat.elements.values():
                law = _MAKERS.get(element.kind)
                if law is not None:
                    self.made[element.name] = law(self, element)
            for element in flat.elements.values():
                self._couple(element)

    def _couple(self, element: FlatElement) -> None:
        """What an inertia does to compliances whose displacement it changes with."""
        law = self.made.get(element.name)
        for s in self.coordinates(element):
            own = self.made.get(s.of)
            if isinstance(law, laws.Inertia) and isinstance(own, laws.Compliance):
                self.made[s.of] = stores.coupled(own, element.name, law, s)

    def coordinates(self, element: FlatElement) -> list[stores.Coordinate]:
        """What its law changes with besides its own variable."""
        found = [stores.Coordinate(name, f"{name}_rate") for name in element.coordinates]
        if element.kind != "I":
            return found
        names = {n for value in element.law.values() for _, f in each(value) for n in f.names}
        for name in sorted(names & self.states.keys()):
            store, quantity, k = self.states[name]
            rate = store + name.removeprefix(store).replace("displacement", "flow")
            found += [stores.Coordinate(name, rate, store, k)] * (quantity == "displacement")
        return found

    def law(self, element: FlatElement) -> laws.Law | None:
        return self.made.get(element.name)

    def reads(self, element: FlatElement) -> tuple[Reading, ...]:
        """What its law reads of other elements: their efforts and flows, and all of other networks,
        which the graph of its own does not hold."""
        values = [*element.law.values()]
        if element.inverse is not None and not isinstance(element.inverse, str):
            values.append(element.inverse)
        own = element.name.partition(".")[0]
        found = [Reading(s.rate, s.of, "flow", s.place) for s in self.coordinates(element) if s.of]
        for name in sorted({n for value in values for _, f in each(value) for n in f.names}):
            if name in self.outputs:
                found.append(Reading(name, *self.outputs[name]))
            elif name in self.states and name.partition(".")[0] != own:
                found.append(Reading(name, *self.states[name], state=True))
        return tuple(found)

    def start(self, element: FlatElement) -> laws.Value | None:
        """Initial flow of an I, displacement of a C (from an effort by its inverse law).

        The number zero says no more than saying nothing: parts have it as a default.
        """
        if not element.initial:
            return None
        ((quantity, entries),) = element.initial.items()
        if all(f.is_constant and f.value == 0 for _, f in each(entries)):
            return None
        value, law = self.value(entries), self.made[element.name]
        if quantity == "effort" and isinstance(law, laws.Compliance):
            inverse, n = law.inverse, element.dim
            if inverse is None:
                what, cure = "initial: effort needs its law to give displacement", "add it"
                raise ModelError([Fault(f"element '{element.name}'", what, cure)])
            return lambda ops, state: inverse(ops, state, laws.column(ops, state, value, n))
        return value

    def value(self, entries: Entries) -> laws.Value:
        """Plain numbers if they are constants, so that the structure of a matrix is seen."""
        if all(f.is_constant for _, f in each(entries)):
            return cast(laws.Value, _mapped(entries, lambda f: float(f.value)))

        def found(ops: SymbolicOps, state: laws.State) -> Any:
            numbers = _mapped(entries, lambda f: self.number(ops, state, f))
            if not isinstance(numbers, list):
                return numbers
            return ops.mat(numbers) if isinstance(numbers[0], list) else ops.vec(*numbers)

        return found

    def relation(self, element: FlatElement, law: str) -> laws.Relation | None:
        """A column from a column, by one formula for each component."""
        if law not in element.law:
            return None
        formulas = [f for _, f in each(element.law[law])]
        variables = element.variables(law)

        def found(ops: SymbolicOps, state: laws.State, argument: Any) -> Any:
            own = {name: argument[k] for k, name in enumerate(variables)}
            return ops.vec(*(self.number(ops, state, f, own) for f in formulas))

        return found

    def number(
        self, ops: SymbolicOps, state: laws.State, f: Formula, own: Mapping[str, Any] | None = None
    ) -> Any:
        """The value of a formula in own variables, states of stores, and names of the model."""
        if f.is_constant:
            return float(f.value)

        def look_up(name: str) -> Any:
            if own and name in own:
                return own[name]
            if name in self.states and self.holds(state, self.states[name][0]):
                return self.read(ops, state, *self.states[name])
            return state[name]

        return f.evaluate(ops, look_up)

    def holds(self, state: laws.State, element: str) -> bool:
        """Whether a store is part of the graph that a state is of."""
        return element in state.u or element in state.x

    def read(self, ops: SymbolicOps, state: laws.State, element: str, quantity: str, k: int) -> Any:
        """A state of a store: the flow of an I, displacement or effort of a C."""
        if quantity == "flow":
            return state.u[element][k]
        if quantity == "displacement":
            return state.x[element][k]
        law = self.made[element]
        assert isinstance(law, laws.Compliance)
        return law.effort(ops, state, state.x[element])[k]

    def inertia(self, element: FlatElement) -> laws.Law:
        """e = (M f)' = M f' + M' f, where M may change with joint coordinates; or e = p'."""
        name, moving = element.name, self.coordinates(element)
        if "inertia" in element.law:
            value = self.value(element.law["inertia"])
            p = stores.linear_momentum(value, element.dim or 1)
            bias = stores.drift(name, p, moving)
            return laws.Inertia(value, bias, coenergy=stores.linear(p))
        coenergy, momentum = (self.relation(element, key) for key in ("coenergy", "momentum"))
        if coenergy is not None:
            momentum = stores.slope(coenergy, name)
        assert momentum is not None
        return stores.non_linear(name, momentum, coenergy or stores.work(momentum), moving)

    def compliance(self, element: FlatElement) -> laws.Law:
        law = element.law
        if "capacity" in law:
            found = laws.Compliance.capacity(self.value(law["capacity"]))
            found = replace(found, energy=stores.linear(found.effort))
        elif "stiffness" in law:
            found = laws.Compliance.stiffness(self.value(law["stiffness"]))
            found = replace(found, energy=stores.linear(found.effort))
        else:
            energy, effort = (self.relation(element, key) for key in ("energy", "effort"))
            if energy is not None:
                effort = stores.slope(energy, element.name)
            assert effort is not None
            inverse = self.relation(element, "displacement")
            found = laws.Compliance(effort, inverse, energy=energy or stores.work(effort))
        return stores.moving(found, self.coordinates(element))

    def resistance(self, element: FlatElement) -> laws.Law:
        if "resistance" in element.law:
            return laws.Resistance(self.value(element.law["resistance"]))
        return laws.Resistance(
            effort_of_flow=self.relation(element, "effort"),
            flow_of_effort=self.relation(element, "flow"),
        )

    def two_port(self, element: FlatElement) -> laws.Law:
        matrix, given = self.value(element.law["matrix"]), element.inverse
        inverse: Any = laws.TRANSPOSE if given == laws.TRANSPOSE else None
        if given is not None and not isinstance(given, str):
            inverse = self.value(given)
        return (laws.Gyrator if element.kind in GYRATORS else laws.Transformer)(matrix, inverse)

    def stack(self, element: FlatElement) -> laws.Law:
        matrix = element.law.get("matrix")
        return laws.Permutation(() if matrix is None else order_of(matrix))

    def field(self, element: FlatElement) -> laws.Law:
        effort = self.relation(element, "effort")
        assert effort is not None
        return laws.Field(effort)

    def junction_structure(self, element: FlatElement) -> laws.Law:
        effort, flow = (self.relation(element, key) for key in ("effort", "flow"))
        return laws.JunctionStructure(effort, flow)


_MAKERS: dict[str, Callable[[NetworkLaws, FlatElement], laws.Law]] = {
    "Se": lambda own, e: laws.Source(own.value(e.law["effort"])),
    "Sf": lambda own, e: laws.Source(own.value(e.law["flow"])),
    "I": NetworkLaws.inertia,
    "C": NetworkLaws.compliance,
    "R": NetworkLaws.resistance,
    "MR": NetworkLaws.field,
    "EJS": NetworkLaws.junction_structure,
    "SUM": NetworkLaws.stack,
    **dict.fromkeys(("TF", "MTF", "GY", "MGY"), NetworkLaws.two_port),
}


def _mapped(entries: Entries, function: Callable[[Formula], Any]) -> Any:
    """A number, list or list of lists of the values of formulas."""
    if isinstance(entries, Formula):
        return function(entries)
    return [_mapped(part, function) for part in entries]
