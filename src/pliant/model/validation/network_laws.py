"""Laws of network elements: sizes that fit their bonds, units of their domains, names read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from pliant.errors import Fault
from pliant.model.cures import Instead, curing, defining, expected
from pliant.model.fields import Number
from pliant.model.formulas import Formula
from pliant.model.formulas.dimensions import WRITTEN, Lookup, Measure, measure_of_ratio, units_read
from pliant.model.frozen import did_you_mean
from pliant.model.model import Model
from pliant.model.networks.elements import Element, OnePort, TwoPort, formulas_of
from pliant.model.networks.entries import Entries, each, order_of, shape
from pliant.model.networks.kinds import ONE_PORTS, UNITS, ratio_dimension
from pliant.model.networks.network import parts_of
from pliant.model.networks.structure import Link, Structure, output_names, state_names
from pliant.model.numbers.measures import GraphMeasures, beside, component_domains, read_in
from pliant.model.numbers.units import Dimension
from pliant.model.validation.context import Context
from pliant.model.validation.network_structure import View, components
from pliant.model.validation.references import coordinate_names
from pliant.model.validation.units import accepts, formula_objections

_MATRICES = ("inertia", "resistance", "capacity", "stiffness")
"""Constants that may be matrices; the others are columns."""
_ENERGIES = ("energy", "coenergy")
"""Laws that are one number, whatever the components."""
_VARIABLES = {"e": "effort", "f": "flow", "q": "displacement"}
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
    yield from _sums(view)


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


def _units(view: View, name: str, element: Element) -> Iterator[Fault]:
    for what, cure, key in _wrong_units(view.measures, name, element):
        yield view.fault(name, what, cure, key)


def _sums(view: View) -> Iterator[Fault]:
    """Parameters, and those given to parts, whose formulas add what has different units."""
    measures = view.measures
    for name, f in view.graph.parameters.items():
        for what, cure in formula_objections(f, "", measures, measures.literal) if f else ():
            yield view.own_fault(f"parameter '{name}': {what}", cure, "parameters", name)
    for name, part in parts_of(view.graph):
        for given, f in part.parameters.items():
            for what, cure in formula_objections(f, "", measures, measures.literal):
                yield view.fault(name, f"with: {given}: {what}", cure, "with")


def part_unit_faults(view: View) -> Iterator[Fault]:
    """Units of numbers that reach elements of parts through parameters."""
    return _part_units(view, view.measures, (), {})


def _part_units(
    view: View, around: GraphMeasures, trail: tuple[str, ...], known: dict[str, Structure]
) -> Iterator[Fault]:
    """Of parts of the graph that is reached by the parts ``trail``."""
    for name, part in parts_of(around.graph):
        if part.title not in known:
            known[part.title] = Structure(view.model, around.structure.parts[name])
        inner = GraphMeasures(around, known[part.title], part.parameters)
        way = (*trail, name)
        for own, element in inner.graph.elements.items():
            for what, cure, _ in _wrong_units(inner, own, element):
                yield view.fault(way[0], what, cure, inner=".".join((*way[1:], own)))
        yield from _part_units(view, inner, way, known)


def _wrong_units(measures: GraphMeasures, name: str, element: Element) -> Iterator[Wrong]:
    if isinstance(element, OnePort):
        yield from _constant_units(measures, name, element)
        yield from _law_units(measures, name, element)
    elif isinstance(element, TwoPort) and element.matrix is not None and element.kind != "SUM":
        domains = side_domains(name, measures.structure.attached(name))
        yield from _ratio_units(measures, element.kind, element.matrix, domains)


def _constant_units(measures: GraphMeasures, name: str, element: OnePort) -> Iterator[Wrong]:
    """Constants and initial values, of elements in one domain."""
    domains = {*component_domains(measures.structure, name)}
    units = UNITS.get(domains.pop(), {}) if len(domains) == 1 else {}
    kind = element.kind
    given = [(kind, law, v) for law, v in element.law.items() if law in ONE_PORTS[kind].constants]
    given += [("initial", quantity, value) for quantity, value in element.initial.items()]
    for key, quantity, value in given:
        for place, f in each(value):
            for what, cure in _objections(measures, f, units.get(quantity, ""), measures):
                yield f"{key}{place}: {what}", cure, key


def _law_units(measures: GraphMeasures, name: str, element: OnePort) -> Iterator[Wrong]:
    """Laws, which read variables of their own."""
    domains = component_domains(measures.structure, name)
    for law, value in element.law.items():
        letter = ONE_PORTS[element.kind].variable(law)
        if not letter:
            continue
        names = _own_names(letter, len(domains))
        units = (_law_unit(_VARIABLES[letter], domain) for domain in domains)
        own = {n: read_in(unit) for n, unit in zip(names, units, strict=True)}
        lookup = beside(measures, own)
        for k, (place, f) in enumerate(each(value)):
            own_domains = domains if law in _ENERGIES else domains[k : k + 1]
            wanted = {_law_unit(law, domain) for domain in own_domains}
            unit = wanted.pop() if len(wanted) == 1 else ""
            for what, cure in _objections(measures, f, unit, lookup):
                yield f"{element.kind}: {law}{place}: {what}", cure, element.kind


def _law_unit(law: str, domain: str) -> str:
    """Of what a law gives; empty if the domain is not known."""
    units = UNITS.get(domain)
    if units is None:
        return ""
    if law in _ENERGIES:
        return "J" if domain != "thermal" else "K*J"
    return f"{units['effort']}*s" if law == "momentum" else units[law]


def _objections(
    measures: GraphMeasures, f: Formula, unit: str, lookup: Lookup
) -> Iterator[tuple[str, str]]:
    """Why a formula cannot be in a unit (empty: any will do), and the cure."""
    last, literal = measures.written(f)
    if literal.dimension is None:
        yield from formula_objections(f, unit, lookup, measures.literal)
    elif not accepts(unit, literal.dimension):
        yield f"{_said(last, literal)} has the wrong unit", expected(f.text, unit)


def _said(last: str, literal: Formula) -> str:
    return f"'{last}' = '{literal.text}'" if last else f"'{literal.text}'"


def side_domains(name: str, links: Iterable[Link]) -> tuple[str, str]:
    """Domains of the bonds that enter and leave an element; empty where they are several."""
    enter = {link.domain for link in links if link.head == name}
    leave = {link.domain for link in links if link.tail == name}
    return enter.pop() if len(enter) == 1 else "", leave.pop() if len(leave) == 1 else ""


def _ratio_units(
    measures: GraphMeasures, kind: str, matrix: Entries, domains: tuple[str, str]
) -> Iterator[Wrong]:
    """T is flow over flow of a transformer, effort over flow of a gyrator; ``domains``: of the
    bonds that enter and leave."""
    enter, leave = domains
    gives = "flow" if kind in ("TF", "MTF") else "effort"
    wanted = ratio_dimension((leave, gives), (enter, "flow"))
    for place, f in each(matrix):
        last, literal = measures.written(f)
        for what, cure in formula_objections(f, "", measures, measures.literal):
            yield f"{kind}{place}: {what}", cure, kind
        measure = measure_of_ratio(f, measures)
        if wanted is None or measure.dimension is None or measure.weight < WRITTEN:
            continue
        if not measure.like(Measure(wanted)):
            said = _said(last, literal) if literal.dimension else _with_units(measures, f)
            found = measure.dimension.without_angle
            what, cure = _turned(kind, f, found, domains)
            yield f"{kind}{place}: {said} {what}", cure, kind


def _turned(kind: str, f: Formula, found: Dimension, domains: tuple[str, str]) -> tuple[str, str]:
    """What is wrong with a ratio: turned round, that of another kind, or of no kind."""
    enter, leave = domains
    gives, other = ("flow", "effort") if kind in ("TF", "MTF") else ("effort", "flow")
    wanted = ratio_dimension((leave, gives), (enter, "flow"))
    expects = f"expected {UNITS[leave][gives]} per {UNITS[enter]['flow']}"
    if wanted is not None and found == wanted**-1:
        steps = (Instead(f.text, f"1/({f.text})"),) if f.names else ()
        return "is turned round", curing(
            f"{expects}: write its inverse, or swap from and to", *steps
        )
    if found == ratio_dimension((leave, other), (enter, "flow")):
        meant = {"TF": "GY", "MTF": "MGY", "GY": "TF", "MGY": "MTF"}[kind]
        cure = curing(f"{expects}, or write {meant}", Instead(kind, meant))
        return "has the wrong unit", cure
    return "has the wrong unit", expects


def _with_units(measures: GraphMeasures, f: Formula) -> str:
    """ "'1/r with r = 100 mm'": a formula and what it reads."""
    literals = {n: measures.literal(n) or m.unit for n, m in units_read(f.names, measures).items()}
    return f"'{f.text} with {', '.join(f'{n} = {text}' for n, text in literals.items())}'"


# --- names


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
    return {name for letter in letters for name in _own_names(letter, n)}


def _own_names(letter: str, n: int) -> list[str]:
    return [letter] if n == 1 else [f"{letter}{k + 1}" for k in range(n)]


def outer_names(model: Model) -> set[str]:
    """Time, parameters, signals, named formulas and joint coordinates with their rates."""
    named = model.named_formulas()
    return {"t", *model.all_parameters(), *model.signals, *named, *coordinate_names(model)}


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
