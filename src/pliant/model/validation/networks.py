"""Networks: every fault of their elements, bonds, parts and formulas.

Each network and sub-graph is checked by itself, once; networks with their parts put in are looked
at only if that finds nothing: whether constants are constant, and numbers can be.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from pliant.errors import Fault, InputError
from pliant.model.cures import Instead, curing, in_range
from pliant.model.fields import Number
from pliant.model.formulas import Formula
from pliant.model.model import Model
from pliant.model.networks.elements import FramePort
from pliant.model.networks.entries import Entries, each, shape
from pliant.model.networks.flat import FlatElement, FlatNetwork, flatten
from pliant.model.networks.kinds import ONE_PORTS
from pliant.model.networks.library import SHIPPED, subgraph_of
from pliant.model.networks.network import Graph, Subgraph, parts_of
from pliant.model.networks.structure import MAX_DEPTH, MAX_ELEMENTS
from pliant.model.validation import network_laws
from pliant.model.validation.context import Context
from pliant.model.validation.network_structure import View, structure_faults
from pliant.records import dataclass

_WORKLESS = 1e-9
"""Largest power of a junction structure, relative to efforts times flows."""
_FIELD = {
    "C": "one C on several junctions, whose energy reads q1, q2, ..., depends on all of them",
    "I": "its energy may depend on joint coordinates, displacements of C in its network, and its"
    " own flows: one I on several junctions, whose coenergy reads f1, f2, ..., has all of them",
}
_ENERGY = {
    "C": "give energy, a formula of q and joint coordinates: it acts on the joint as well",
    "I": "give coenergy, a formula of f and joint coordinates: it acts on the joint as well",
}
_TIME = "a store that changes in time has energy from nowhere; let a driver move a joint it reads"
_CHANGING = ("inertia", "coenergy", "capacity", "stiffness", "energy")
"""Laws of stores that may change with joint coordinates, because their energy is known."""
_CONSTANT = {
    "initial": "a start value may read parameters only",
    "direction": "a direction is fixed in the world; leave it out for all three",
}
"""What must be constant, and the cure."""


def network_faults(context: Context) -> Iterator[Fault]:
    """Everything wrong with networks and sub-graphs."""
    model = context.model
    views = [*_views(model)]
    nested = _nesting(views)
    yield from nested
    found = list(nested)
    for view in views if not nested else ():
        for check in (structure_faults, network_laws.law_faults, network_laws.formula_faults):
            found += (fresh := list(check(context, view)))
            yield from fresh
    if not found and not context.parameter_faults:
        for view in views:
            yield from () if view.is_subgraph else network_laws.part_unit_faults(view)
        flats = [flatten(model, name) for name in model.networks]
        known = _known_names(model, flats)
        for flat in flats:
            yield from _faults_of(context, flat, known)


class NetworkNumbers:
    """What may be wrong with sound networks when parameters are others: formulas that read them."""

    def __init__(self, model: Model) -> None:
        flats = [flatten(model, name) for name in model.networks]
        self._known = _known_names(model, flats)
        elements = [e for flat in flats for e in flat.elements.values()]
        formulas = ((e, said) for e in elements for said in _formulas(e))
        self._formulas = [(e, said) for e, said in formulas if said.formula.names]
        ports = (e for v in _views(model) for e in v.graph.elements.values())
        turned = (e.direction for e in ports if isinstance(e, FramePort))
        self._turned = any(f.names for d in turned if d is not None for f in d)
        """Whether directions of frames are formulas."""

    def faults(self, context: Context, changed: Set[str], *, units: bool) -> Iterator[Fault]:
        """With other numbers of the parameters ``changed``; ``units``: some of them may have other
        units, too."""
        if self._turned or units:
            yield from network_faults(context)
            return
        for element, said in self._formulas:
            if not said.formula.names.isdisjoint(changed):
                yield from _formula_faults(context, element, said, self._known)


def _views(model: Model) -> Iterator[View]:
    """Networks, sub-graphs of the model, and those in files that are used."""
    graphs: list[Graph] = [*model.networks.values(), *model.subgraphs.values()]
    for graph in graphs:
        yield View(model, graph)
    for path, subgraph in _files(model).items():
        yield View(model, subgraph, Path(path).name)


def _files(model: Model) -> dict[str, Subgraph]:
    """Sub-graphs of files, also of files that files name; shipped ones have no faults."""
    found: dict[str, Subgraph] = {}
    waiting: list[Graph] = [*model.networks.values(), *model.subgraphs.values()]
    while waiting:
        for _, part in parts_of(waiting.pop()):
            if part.file and part.file not in found and Path(part.file).parent != SHIPPED:
                try:
                    found[part.file] = subgraph_of(model, part)
                except InputError:
                    continue
                waiting.append(found[part.file])
    return found


# --- parts within parts


@dataclass(slots=True)
class _Sizes:
    """Elements of sub-graphs with their parts, and a way from a sub-graph back to itself."""

    model: Model
    known: dict[str, int]
    cycle: list[str]
    deepest: int = 0

    def of(self, graph: Graph, trail: tuple[str, ...]) -> int:
        total = len(graph.elements)
        self.deepest = max(self.deepest, len(trail))
        for _, part in parts_of(graph):
            title = part.title
            if title in trail:
                self.cycle = self.cycle or [*trail[trail.index(title) :], title]
                continue
            if title not in self.known:
                try:
                    inner = subgraph_of(self.model, part)
                except InputError:
                    continue
                self.known[title] = self.of(inner, (*trail, title))
            total += self.known[title]
        return total


def _nesting(views: list[View]) -> list[Fault]:
    """Sub-graphs that contain themselves, each circle once; networks without end."""
    faults: list[Fault] = []
    circles: set[frozenset[str]] = set()
    for view in sorted(views, key=lambda v: not v.is_subgraph):
        sizes = _Sizes(view.model, {}, [])
        own = (view.graph.name,) if view.is_subgraph and not view.file else ()
        total = sizes.of(view.graph, own)
        if sizes.cycle:
            if frozenset(sizes.cycle) not in circles:
                way = " -> ".join(Path(title).name for title in sizes.cycle)
                what = f"a sub-graph is part of itself: {way}"
                faults.append(view.own_fault(what, "break the circle"))
            circles.add(frozenset(sizes.cycle))
        elif total > MAX_ELEMENTS:
            faults.append(view.own_fault(f"it has {total} elements", f"at most {MAX_ELEMENTS}"))
        elif sizes.deepest > MAX_DEPTH:
            what = f"parts are nested {sizes.deepest} deep"
            faults.append(view.own_fault(what, f"at most {MAX_DEPTH}"))
    return faults


@dataclass(frozen=True, slots=True)
class _Said:
    """A formula of an element: key for messages, what it means, own variables it may read."""

    key: str
    meaning: str
    formula: Formula
    own: frozenset[str] = frozenset()


def _known_names(model: Model, flats: Sequence[FlatNetwork]) -> set[str]:
    """What formulas of networks may read."""
    return network_laws.outer_names(model).union(*({*f.states, *f.outputs} for f in flats))


def _formula_faults(
    context: Context, element: FlatElement, said: _Said, known: set[str]
) -> Iterator[Fault]:
    for what, cure in _objections(context, element, said, known):
        yield Fault(f"element '{element.name}'", f"{said.key}: {what}", cure, path=_path(element))


def _path(element: FlatElement) -> tuple[str, ...]:
    network, own = element.name.split(".")[:2]
    return "networks", network, "elements", own


def _faults_of(context: Context, flat: FlatNetwork, known: set[str]) -> Iterator[Fault]:
    """What is wrong with the numbers of a network that is put together well."""
    for element in flat.elements.values():
        path = _path(element)
        for said in _formulas(element):
            yield from _formula_faults(context, element, said, known)
        if element.kind == "EJS" and not _is_workless(element):
            own = "efforts" if "effort" in element.law else "flows"
            what = f"EJS: its {own} have a power, which a junction structure has not"
            cure = curing("write MR or R", Instead("EJS", "MR" if own == "efforts" else "R"))
            yield Fault(f"element '{element.name}'", what, cure, path=path)
    joined = {end for link in flat.links for end in (link.tail, link.head)}
    for element in flat.elements.values():
        if element.name not in joined:  # the only elements of a junction were the number 0
            what, cure = "all that is bonded to it is 0 and left out", "give one of them a value"
            yield Fault(f"element '{element.name}'", what, cure, path=_path(element))


def _formulas(element: FlatElement) -> Iterator[_Said]:
    for law, value in element.law.items():
        own = frozenset[str]()
        if element.kind in ONE_PORTS and ONE_PORTS[element.kind].variable(law):
            own = frozenset(element.variables(law))
        yield from _each(element.kind, law, value, own)
    for value in element.initial.values():
        yield from _each("initial", "initial", value)
    if element.inverse is not None and not isinstance(element.inverse, str):
        yield from _each("inverse", "matrix", element.inverse)
    if isinstance(element.port, FramePort) and element.port.direction is not None:
        yield from _each("direction", "direction", element.port.direction)


def _each(
    key: str, meaning: str, value: Entries, own: frozenset[str] = frozenset()
) -> Iterator[_Said]:
    return (_Said(f"{key}{place}", meaning, f, own) for place, f in each(value))


def _coordinates(model: Model) -> frozenset[str]:
    """Scalar coordinates of joints, which have rates."""
    joints = model.joints.values()
    return frozenset(f"{j.name}.{c.name}" for j in joints for c in j.scalars)


def _objections(
    context: Context, element: FlatElement, said: _Said, known: set[str]
) -> Iterator[tuple[str, str]]:
    f = said.formula
    changes = said.meaning in _CHANGING or (
        said.meaning == "displacement" and "energy" in element.law
    )
    free = said.own | (_coordinates(context.model) if changes else frozenset())
    for read in sorted(f.names - free - context.values.keys()):
        if read not in known and read.partition(".")[0] not in context.model.networks:
            cure = "a network reads t, parameters, signals, joint coordinates and other networks"
            yield f"reads '{read}'", cure
        elif read not in known:
            yield f"reads '{read}' of an element that is left out", "give that element a value"
        elif cure := _cure(context.model, element, said, read):
            yield f"reads '{read}', but must be constant", cure
    value = context.number(f)
    if value is None:
        return
    if not math.isfinite(value):
        yield f"'{f.text}' has no finite value", "look for a division by zero"
    elif said.meaning == "capacity" and value <= 0 and len(shape(element.law["capacity"])) < 2:
        cure = curing("give a positive number", *in_range(f.text, Number("", above=0)))
        yield f"the capacity is {value:g}, not above zero", cure
    elif said.meaning == "inertia" and value < 0 and element.dim == 1:
        cure = curing("give a positive number", *in_range(f.text, Number("", least=0)))
        yield f"the inertia is {value:g}, below zero", cure


def _cure(model: Model, element: FlatElement, said: _Said, read: str) -> str:
    """Of something constant that reads what changes; none where it may."""
    if said.meaning in _CONSTANT or element.kind not in _FIELD:
        return _CONSTANT.get(said.meaning, "")
    if element.kind == "I" and _is_displacement(read, element):
        return ""
    if read in _coordinates(model):
        return _ENERGY[element.kind]
    return _TIME if read == "t" or read in model.signals else _FIELD[element.kind]


def _is_displacement(read: str, element: FlatElement) -> bool:
    """Whether a state is the displacement of a compliance in the network of an element."""
    network, _, quantity = element.name.partition(".")[0], *read.rpartition(".")[1:]
    return read.startswith(f"{network}.") and quantity.startswith("displacement")


def _is_workless(element: FlatElement) -> bool:
    """Whether a junction structure has no power, at random flows or efforts."""
    ((law, entries),) = element.law.items()
    chance, names = random.Random(1), element.variables(law)
    formulas = [f for _, f in each(entries)]
    for _ in range(3):
        values = {name: chance.uniform(0.5, 2) for f in formulas for name in f.names}
        values |= {name: chance.uniform(-2, 2) for name in names}
        powers = [f.number(values) * values[n] for f, n in zip(formulas, names, strict=True)]
        if abs(sum(powers)) > _WORKLESS * sum(map(abs, powers)):  # not so of nan
            return False
    return True
