"""Laws of network elements: sizes that fit their bonds, units of their domains, names read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from pliant.errors import Fault
from pliant.model.cures import defining, expected
from pliant.model.fields import Number
from pliant.model.formulas import Formula
from pliant.model.formulas.tree import Name
from pliant.model.frozen import did_you_mean
from pliant.model.model import Model
from pliant.model.networks.elements import OnePort, TwoPort, formulas_of
from pliant.model.networks.entries import Entries, each, order_of, shape
from pliant.model.networks.kinds import ONE_PORTS, UNITS, ratio_dimension
from pliant.model.networks.structure import Link, Structure, output_names, state_names
from pliant.model.numbers.units import dimension_of
from pliant.model.validation.context import Context
from pliant.model.validation.network_structure import View, components
from pliant.model.validation.references import coordinate_names

_MATRICES = ("inertia", "resistance", "capacity", "stiffness")
"""Constants that may be matrices; the others are columns."""
_ENERGIES = ("energy", "coenergy")
"""Laws that are one number, whatever the components."""
Declared = Callable[[Formula], Formula]
"""The formula of the parameter that a formula just names; otherwise the formula itself."""
Wrong = tuple[str, str, str]
"""What, cure, key."""


def law_faults(context: Context, view: View) -> Iterator[Fault]:
    """Sizes and units that do not fit."""
    for name, element in view.graph.elements.items():
        if isinstance(element, OnePort):
            yield from _one_port_sizes(view, name, element)
            yield from _units(view, name, element)
        elif isinstance(element, TwoPort):
            yield from _two_port_sizes(view, name, element)
            yield from _units(view, name, element)


# --- sizes


def _one_port_sizes(view: View, name: str, element: OnePort) -> Iterator[Fault]:
    n = view.structure.dim(name)
    if not n:
        return
    relations = dict(ONE_PORTS[element.kind].variables)
    for law, value in element.law.items():
        allowed: list[tuple[int, ...]] = [(n,)] if law not in _ENERGIES else [()]
        if n == 1 or law not in relations:
            allowed.append(())
        if law in _MATRICES:
            allowed.append((n, n))
        if shape(value) not in allowed:
            what = f"{element.kind}: {_size(value)} for {components(n)}"
            wanted = _wanted(1 if law in _ENERGIES else n, law in _MATRICES)
            yield view.fault(name, what, wanted, element.kind)
    for value in element.initial.values():
        if shape(value) not in ((), (n,)):
            what = f"initial: {_size(value)} for {components(n)}"
            yield view.fault(name, what, _wanted(n, False), "initial")
    one_way = {"effort", "energy"} & element.law.keys() and "displacement" not in element.law
    if "effort" in element.initial and one_way:
        what = "initial: effort needs a law that gives the displacement"
        cure = "add displacement, a formula of e, or give the initial displacement"
        yield view.fault(name, what, cure, "initial")


def _two_port_sizes(view: View, name: str, element: TwoPort) -> Iterator[Fault]:
    enter, leave = (view.structure.side_dim(name, side) for side in (1, 2))
    if not enter or not leave:
        return
    if element.kind == "SUM":
        if enter != leave:
            what = f"{components(enter)} enter, {leave} leave"
            yield view.fault(name, what, "SUM stacks what enters: give both the same size")
        elif element.matrix is not None and len(order_of(element.matrix)) != enter:
            what = f"SUM: no permutation of {components(enter)}"
            cure = f"give {enter} rows with one 1 and zeros, a 1 in every column"
            yield view.fault(name, what, cure, "SUM")
        return
    sizes = [(element.kind, element.matrix, leave, enter)]
    if element.inverse is not None and not isinstance(element.inverse, str):
        sizes.append(("inverse", element.inverse, enter, leave))
    for key, value, rows, cols in sizes:
        if value is None or _fits(shape(value), rows, cols):
            continue
        what = f"{key}: {_size(value)} where {rows} x {cols} is needed"
        yield view.fault(name, what, f"give {rows} rows of {cols}", key)
    if element.inverse == "transpose" and enter != leave:
        what = f"inverse: a matrix of {leave} x {enter} is no rotation"
        yield view.fault(name, what, "give the inverse as a matrix, or none", "inverse")


def _fits(own: tuple[int, ...], rows: int, cols: int) -> bool:
    if len(own) == 2:
        return own == (rows, cols)
    if len(own) == 1:
        return (rows == cols and own == (rows,)) or (
            1 in (rows, cols) and own == (max(rows, cols),)
        )
    return rows == cols


def _size(value: Entries) -> str:
    own = shape(value)
    if len(own) == 2:
        return f"a matrix of {own[0]} x {own[1]}"
    return f"a list of {own[0]}" if own else "one number"


def _wanted(n: int, matrix: bool) -> str:
    if n == 1:
        return "give one number"
    return f"give {n} numbers" + (f", or {n} rows of {n}" if matrix else "")


# --- units


def _units(view: View, name: str, element: OnePort | TwoPort) -> Iterator[Fault]:
    def declared(f: Formula) -> Formula:
        if not isinstance(f.tree, Name):
            return f
        if f.tree.name in view.graph.parameters:
            return view.graph.parameters[f.tree.name] or f
        return view.model.parameters.get(f.tree.name, f)

    found: Iterator[Wrong] = iter(())
    if isinstance(element, OnePort):
        domain = view.structure.domain(name)
        found = one_port_units(element.kind, domain, element.law, element.initial, declared)
    elif element.matrix is not None and element.kind != "SUM":
        domains = side_domains(name, view.structure.attached(name))
        found = two_port_units(element.kind, domains, element.matrix, declared)
    for what, cure, key in found:
        yield view.fault(name, what, cure, key)


def side_domains(name: str, links: Iterable[Link]) -> tuple[str, str]:
    """Domains of the bonds that enter and leave an element; empty where they are several."""
    enter = {link.domain for link in links if link.head == name}
    leave = {link.domain for link in links if link.tail == name}
    return enter.pop() if len(enter) == 1 else "", leave.pop() if len(leave) == 1 else ""


def one_port_units(
    kind: str,
    domain: str,
    law: Mapping[str, Entries],
    initial: Mapping[str, Entries],
    declared: Declared,
) -> Iterator[Wrong]:
    """Constants and initial values of a source, store or resistance."""
    units = UNITS.get(domain)
    if units is None:
        return
    constants = ONE_PORTS[kind].constants
    given = [(kind, name, value) for name, value in law.items() if name in constants]
    given += [("initial", quantity, value) for quantity, value in initial.items()]
    for key, quantity, value in given:
        for place, f in each(value):
            found = declared(f).dimension
            if found is not None and not dimension_of(units[quantity]).accepts(found):
                yield _wrong(key, place, f, declared), expected(f.text, units[quantity]), key


def two_port_units(
    kind: str, domains: tuple[str, str], matrix: Entries, declared: Declared
) -> Iterator[Wrong]:
    """T is flow over flow of a transformer, effort over flow of a gyrator; ``domains``: of the
    bonds that enter and leave."""
    enter, leave = domains
    gives = "flow" if kind in ("TF", "MTF") else "effort"
    wanted = ratio_dimension((leave, gives), (enter, "flow"))
    if wanted is None:
        return
    for place, f in each(matrix):
        found = declared(f).dimension
        if found is not None and found.without_angle != wanted:
            cure = f"expected {UNITS[leave][gives]} per {UNITS[enter]['flow']}"
            yield _wrong(kind, place, f, declared), cure, kind


def _wrong(key: str, place: str, f: Formula, declared: Declared) -> str:
    own = declared(f)
    said = f.text if own is f else f"{f.text}' = '{own.text}"
    return f"{key}{place}: '{said}' has the wrong unit"


def formula_faults(context: Context, view: View) -> Iterator[Fault]:
    """Every name in a formula of a graph that cannot be read there."""
    known = {*view.graph.parameters, *view.states, *outer_names(view.model)}
    known |= network_names(view.model)
    yield from _parameters(view, known)
    for name, element in view.graph.elements.items():
        for key, label, f, kind in formulas_of(element):
            own = own_variables(kind.local, view.structure.dim(name)) if kind.local else set()
            for read in sorted(f.names - own - known):
                near = did_you_mean(read, known | own)
                cure = near or "see the reference for what formulas of networks may read"
                if "." not in read:
                    cure = defining(near, read, kind, f"define the parameter '{read}'")
                yield view.fault(name, f"{key}{label}: unknown name '{read}'", cure, key)


def own_variables(letters: Collection[str], n: int) -> set[str]:
    """f of an element of one component, f1, f2, ... of others."""
    return {x if n == 1 else f"{x}{k + 1}" for x in letters for k in range(n)}


def outer_names(model: Model) -> set[str]:
    """Time, parameters, signals and joint coordinates with their rates."""
    return {"t", *model.all_parameters(), *model.signals, *coordinate_names(model)}


def network_names(model: Model) -> set[str]:
    """States, efforts and flows of all networks by their full names."""
    found: set[str] = set()
    for name, network in model.networks.items():
        structure = Structure(model, network)
        labels = state_names(structure) | output_names(structure)
        found |= {f"{name}.{label}" for label in labels}
    return found


def _parameters(view: View, known: set[str]) -> Iterator[Fault]:
    """Parameters read parameters, and not themselves."""
    own = {n: f for n, f in view.graph.parameters.items() if f is not None}
    readable = {*view.graph.parameters, *view.model.parameters}
    for name, f in own.items():
        for read in sorted(f.names - readable):
            what = f"parameter '{name}' reads '{read}'"
            cure = "a parameter may read parameters only"
            if read not in known:
                what = f"parameter '{name}': unknown name '{read}'"
                near = did_you_mean(read, readable - {name})
                cure = defining(near, read, Number(""), f"define the parameter '{read}'")
            yield view.own_fault(what, cure, "parameters", name)
        if name in _reached(name, own) and name == min(_reached(name, own)):
            what = f"parameter '{name}' depends on itself"
            yield view.own_fault(what, "break the circle", "parameters", name)


def _reached(start: str, formulas: Mapping[str, Formula]) -> set[str]:
    """Parameters that a parameter depends on."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        fresh = (formulas[waiting.pop()].names & formulas.keys()) - found
        found |= fresh
        waiting += fresh
    return found
