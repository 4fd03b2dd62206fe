"""Bond graphs of the networks of a model.

A network becomes elements and bonds whose names begin with its own. Where it is attached to a joint
or a frame there is a 1-junction: the mechanics gives it its flow and takes its effort.

Laws of networks that no element can have, found by trying them at random points.

C      ∂e/∂q = (∂e/∂q)ᵀ: else the work depends on the way         e(q(e)) = e
I      ∂p/∂f = (∂p/∂f)ᵀ, M = Mᵀ, and positive at the start        R: e(f(e)) = e
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import casadi as ca
import numpy as np

from pliant.arrays import Array
from pliant.bonds import laws
from pliant.bonds.causality import Causality, Forced, StrokeEnd, assign
from pliant.bonds.diagnosis import conflicts
from pliant.bonds.elements import STORES, Kind, Node
from pliant.bonds.graph import BondGraph
from pliant.bonds.laws import Compliance, Inertia, Source
from pliant.bonds.networks.holding import Hold, holds, parted, ratios_of_zero
from pliant.bonds.networks.laws import NetworkLaws
from pliant.bonds.networks.stores import Coordinate, port
from pliant.bonds.structure import AnyNumbers, structural_state
from pliant.errors import Fault, ModelError
from pliant.model.files.names import named_in, path_of
from pliant.model.formulas import Formula
from pliant.model.model import Model
from pliant.model.networks.entries import shape
from pliant.model.networks.flat import FlatElement, FlatNetwork, flatten
from pliant.records import dataclass
from pliant.spatial.symbolic import SYMBOLIC

_SAME = 1e-6
"""Relative difference below which two values are one: laws are given with rounded numbers."""
_SINGULAR = 1e-12
"""Least eigenvalue of a compliance with ones on its diagonal."""
_SIZES = (1e-6, 1e-3, 1.0, 1e3)
"""Of the arguments that are tried, in SI units; those at which a law has no value say nothing."""


def law_faults(
    elements: Iterable[FlatElement], graph: BondGraph, numbers: laws.Numbers
) -> Iterator[Fault]:
    """Everything of the kind, by the names of the elements."""
    state = structural_state(graph, numbers=numbers)
    for e in elements:
        for what, cure in _wrong(e, graph.nodes[e.name], state):
            yield Fault(f"element '{e.name}'", f"{e.kind}: {what}", cure)


def _wrong(e: FlatElement, node: Node, state: laws.State) -> Iterator[tuple[str, str]]:
    law = node.law
    if isinstance(law, laws.Compliance):
        if "capacity" in e.law and len(shape(e.law["capacity"])) == 2:
            yield from _wrong_capacity(e, law, state)
        elif (
            e.dim > 1
            and "energy" not in e.law
            and not _is_symmetric(_slopes(law.effort), e.dim, state)
        ):
            what = "its law has no energy: the derivative of effort by displacement is unsymmetric"
            yield what, "give energy, or a symmetric stiffness"
        inverse = law.inverse if "displacement" in e.law else None
        if inverse and not _are_inverse(law.effort, inverse, e.dim, state):
            yield "effort and displacement contradict each other", "let one be the inverse"
    if isinstance(law, laws.Inertia):
        yield from _wrong_inertia(e, law, node, state)
    if isinstance(law, laws.Resistance):
        there, back = law.effort_of_flow, law.flow_of_effort
        if there and back and not _are_inverse(there, back, e.dim, state):
            yield "effort and flow contradict each other", "let one be the inverse, or keep one"


_NO_RATIO = "its ratio is 0: what it drives would stand still"
Tried = Callable[[laws.State, Any], Any]


def _wrong_capacity(
    e: FlatElement, law: laws.Compliance, state: laws.State
) -> Iterator[tuple[str, str]]:
    """A matrix C of e = C⁻¹ q."""
    assert law.inverse is not None
    C = _slopes(law.inverse)
    if not _is_symmetric(C, e.dim, state):
        yield "its matrix is not symmetric", "give a symmetric one: C[1, 2] = C[2, 1]"
        return
    for value in _values(C, e.dim, state):
        size = np.sqrt(np.maximum(np.diag(value), 0))  # of each component, whatever its unit
        least = np.linalg.eigvalsh(value / np.outer(size, size)).min() if size.all() else -1.0
        if least <= _SINGULAR:
            what = "singular" if least >= -_SINGULAR else "not positive definite"
            yield (
                f"its matrix is {what}: some displacement takes no effort, or gives energy",
                ("give a positive definite one, or stiffness: its inverse"),
            )
            return


def _wrong_inertia(
    e: FlatElement, law: laws.Inertia, node: Node, state: laws.State
) -> Iterator[tuple[str, str]]:
    if law.momentum is None:
        n = e.dim
        if n > 1 and not _is_symmetric(
            lambda s, f: laws.matrix(SYMBOLIC, s, law.matrix, n, n), n, state
        ):
            yield "its matrix is not symmetric", "give a symmetric one"
        return
    slopes = _slopes(law.momentum)
    if e.dim > 1 and "momentum" in e.law and not _is_symmetric(slopes, e.dim, state):
        what = "its law has no energy: the derivative of momentum by flow is unsymmetric"
        yield what, "give coenergy"
        return
    A = None if e.coordinates or node.reads else _at_start(slopes, node.start, e.dim, state)
    if A is not None and not (np.isfinite(A).all() and np.linalg.eigvalsh(A).min() > 0):
        what = "at the start its momentum does not grow with its flow"
        yield what, "let the derivative of momentum by flow be positive, or start at another flow"


def _slopes(law: laws.Relation) -> Tried:
    def found(state: laws.State, argument: Any) -> Any:
        return SYMBOLIC.jacobian(SYMBOLIC.full(law(SYMBOLIC, state, argument)), argument)

    return found


def _is_symmetric(tried: Tried, n: int, state: laws.State) -> bool:
    return all(_same(A, A.T) for A in _values(tried, n, state))


def _are_inverse(there: laws.Relation, back: laws.Relation, n: int, state: laws.State) -> bool:
    """e(q(e(q))) = e(q), which is true also of laws that are flat somewhere."""

    def both(state: laws.State, argument: Any) -> Any:
        first = SYMBOLIC.full(there(SYMBOLIC, state, argument))
        again = there(SYMBOLIC, state, SYMBOLIC.full(back(SYMBOLIC, state, first)))
        return SYMBOLIC.columns([first, SYMBOLIC.full(again)])

    return all(_same(v[:, 0], v[:, 1]) for v in _values(both, n, state))


def _at_start(tried: Tried, start: laws.Value | None, n: int, state: laws.State) -> Array:
    """At the initial value of the store, with the values of parameters."""
    argument, p = ca.SX.sym("argument", n), state.numbers.p
    given = SYMBOLIC.full(laws.column(SYMBOLIC, state, 0.0 if start is None else start, n))
    law = ca.Function("law", [argument, p], [SYMBOLIC.full(tried(state, argument))])
    values = ca.DM(state.numbers.p_default)
    return np.asarray(law(ca.Function("start", [p], [given])(values), values))


def _same(a: Array, b: Array) -> bool:
    return bool(np.abs(a - b).max() <= _SAME * np.abs(a).max())


def _values(tried: Tried, n: int, state: laws.State) -> Iterator[Array]:
    """At random arguments of several sizes; parameters have their values, other states are of the
    order of one."""
    argument, chance = ca.SX.sym("argument", n), np.random.default_rng(1)
    expression, p = SYMBOLIC.full(tried(state, argument)), state.numbers.p
    expression = ca.substitute(expression, p, ca.DM(state.numbers.p_default))
    others = [s for s in ca.symvar(expression) if "argument" not in s.name()]
    at = ca.Function("law", [argument, ca.vertcat(*others)], [expression])
    for size in _SIZES:
        point = size * chance.uniform(0.2, 1.0, n) * chance.choice([-1.0, 1.0], n)
        value = np.asarray(at(point, chance.uniform(0.5, 1.5, len(others))))
        if np.isfinite(value).all():
            yield value


@dataclass(frozen=True, slots=True)
class Attachment:
    """A 1-junction whose flow is the rate of a joint coordinate, or the velocity of a frame in
    world axes (``rotation``: its angular velocity), or the component along ``direction``, or the
    rate of its distance ``away_from`` another frame, or the rates of the elastic coordinates of a
    ``body``."""

    junction: str
    dim: int
    joint: str = ""
    coordinate: str | None = None
    frame: str = ""
    rotation: bool = False
    direction: tuple[Formula, ...] | None = None
    away_from: str = ""
    body: str = ""

    @property
    def mover(self) -> str:
        """What moves it: joint O, frame arm.tip, body arm."""
        if self.body:
            return f"body {self.body}"
        return f"joint {self.joint}" if self.joint else f"frame {self.frame}"


@dataclass(frozen=True, slots=True)
class NetworkBonds:
    """The bond graph of a network, where it is attached, the strokes the user wants, what it holds
    of the mechanics, and the other networks that its laws read."""

    name: str
    graph: BondGraph
    attachments: tuple[Attachment, ...]
    forced: Forced
    held: tuple[Hold, ...] = ()

    @property
    def others(self) -> frozenset[str]:
        reads = (r.element for n in self.graph.nodes.values() for r in n.reads)
        return frozenset(element.partition(".")[0] for element in reads) - {self.name}


def network_bonds(model: Model, name: str) -> NetworkBonds:
    """The bond graph of a network; a network must have passed ``Model.check``."""
    return next(bonds for bonds in networks_bonds(model) if bonds.name == name)


def networks_bonds(model: Model, *, multipliers: bool = False) -> list[NetworkBonds]:
    """The bond graphs of all networks; ``multipliers``: every constraintor stays one."""
    return [bonds for _, bonds in _flat_and_bonds(model, multipliers)]


def _flat_and_bonds(
    model: Model, multipliers: bool = False
) -> list[tuple[FlatNetwork, NetworkBonds]]:
    flats = [flatten(model, name) for name in model.networks]
    laws = NetworkLaws(flats)
    return [(flat, _bonds(model, flat, laws, multipliers)) for flat in flats]


def _bonds(model: Model, flat: FlatNetwork, laws: NetworkLaws, multipliers: bool) -> NetworkBonds:
    """A constraintor that holds elements of the network is a source Sf: 0: what it holds is then in
    derivative causality (S0.9). One that holds the mechanics, through attachments, stays; where
    flows of the mechanics meet without one, it is put between them."""
    numbers, sources = AnyNumbers(model.parameter_values()), frozenset[str]()

    def trial(own: frozenset[str], held: tuple[Hold, ...]) -> tuple[Causality, frozenset[str]]:
        return _with_mechanics(_built(model, flat, laws, own, held), numbers)

    def clashes(own: frozenset[str]) -> int:
        try:
            return len(trial(own, ())[0].conflicts)
        except ModelError as error:
            return len(error.faults)

    drawn = [e.name for e in flat.elements.values() if e.kind == "CN"]
    if not drawn and all(e.port is None for e in flat.elements.values()):
        return _built(model, flat, laws)
    for name in () if multipliers else drawn:
        if clashes(sources | {name}) <= clashes(sources):
            sources |= {name}
    return _built(model, flat, laws, sources, holds(lambda held: trial(sources, held)))


def _built(
    model: Model, flat: FlatNetwork, laws: NetworkLaws, sources: frozenset[str] = frozenset(),
    held: tuple[Hold, ...] = (),
) -> NetworkBonds:  # fmt: skip
    """Elements and bonds, some constraintors as sources of no flow, and others between flows that
    the mechanics gives."""
    graph = BondGraph(flat.name)
    for e in flat.elements.values():
        kind, law = cast(Kind, e.kind), laws.law(e)
        if e.name in sources:
            kind, law = "Sf", Source(0.0)
        graph.add(kind, e.name, law, e.dim or 1, owner=e.owner, domain=e.domain,
                  start=laws.start(e), reads=laws.reads(e), called=e.kind)  # fmt: skip
    parting = {hold.at: hold for hold in held if hold.in_bond}
    for link in flat.links:
        hold = parting.get(link.name)
        if hold is not None:
            owner = graph.nodes[link.tail].owner
            graph.zero(hold.junction, link.dim, owner=owner, domain=link.domain)
        for piece in (link,) if hold is None else parted(link, hold):
            graph.bond(piece.tail, piece.head, piece.dim, name=piece.name, domain=piece.domain)
    for hold in held:
        at = graph.nodes[hold.junction]
        graph.add("CN", hold.constraintor, None, at.dim, owner=at.owner, domain=at.domain,
                  on=at.name)  # fmt: skip
    forced: Forced = {k.name: cast(StrokeEnd, k.stroke) for k in flat.links if k.stroke}
    ports = [_port(model, graph, laws, e, name)
             for e in flat.elements.values() if e.kind in STORES
             for name in laws.coordinates(e) if not name.of]  # fmt: skip
    found = [
        Attachment(e.name, 1 if p.joint else e.dim, p.joint, p.coordinate, p.frame, p.rotation,
                   p.direction, p.away_from, p.body)
        for e in flat.elements.values() if (p := e.port) is not None
    ]  # fmt: skip
    return NetworkBonds(flat.name, graph, (*found, *ports), forced, held)


def _port(
    model: Model, graph: BondGraph, laws: NetworkLaws, store: FlatElement, name: Coordinate
) -> Attachment:
    """The port of a store at the joint whose coordinate it changes with."""
    joint, _, coordinate = name.name.partition(".")
    scalars, law = model.joints[joint].scalars, laws.law(store)
    assert isinstance(law, Compliance | Inertia)
    (unit,) = (c.unit for c in scalars if c.name == coordinate)
    own = f"{store.name}.{joint if len(scalars) == 1 else name.name}"
    domain, at = "rotation" if unit == "rad" else "translation", f"{own}.joint"
    graph.one(at, owner=store.owner, domain=domain)
    graph.add("C", own, port(store.name, law, name), 1, owner=store.owner, domain=domain, on=at)
    return Attachment(at, 1, joint, coordinate)


def groups(networks: Sequence[NetworkBonds]) -> list[list[NetworkBonds]]:
    """Networks that must be evaluated together, because one reads another."""
    found: list[list[NetworkBonds]] = []
    for bonds in networks:
        near = [
            g for g in found if any(bonds.name in b.others or b.name in bonds.others for b in g)
        ]
        found = [g for g in found if g not in near]
        found.append([*(b for g in near for b in g), bonds])
    return found


def check_networks(model: Model) -> None:
    """Raise ModelError with all causal conflicts of the networks of a checked model."""
    faults = network_faults(model)
    if faults:
        raise ModelError(faults, f"model '{model.name}'" if model.name else "")


def network_faults(model: Model) -> list[Fault]:
    """Impossible laws and causal conflicts of each network by itself, the mechanics giving the flow
    where it is attached. The model must have passed ``Model.check``."""
    numbers = AnyNumbers(model.parameter_values())
    faults: list[Fault] = []
    for flat, bonds in _flat_and_bonds(model):
        faults += law_faults(flat.elements.values(), bonds.graph, numbers)
        held = {hold.of for hold in bonds.held}
        found = _conflicts(bonds, numbers)
        stuck = [n for n in ratios_of_zero(bonds.graph, numbers) if found or n in held]
        faults += [Fault(f"element '{n}'", _NO_RATIO, "give another ratio") for n in stuck] or found
    return [in_file(model, fault) for fault in faults]


def in_file(model: Model, fault: Fault) -> Fault:
    """The fault with the path of the element of a network it speaks of."""
    spoken = named_in(model, f"'{fault.element}' {fault.element} {fault.what}")
    paths = [path_of(model, name) for name in spoken]
    return replace(fault, path=next((p for p in paths if p[0] == "networks"), ("networks",)))


def _conflicts(bonds: NetworkBonds, numbers: laws.Numbers) -> list[Fault]:
    """Causal conflicts with sources of flow at the attachments, which the graph keeps."""
    try:
        return conflicts(_with_mechanics(bonds, numbers)[0])
    except ModelError as error:
        return list(error.faults)


def _with_mechanics(bonds: NetworkBonds, numbers: laws.Numbers) -> tuple[Causality, frozenset[str]]:
    """Causality with sources of flow at the attachments, and their names."""
    graph, sources = bonds.graph, set()
    for a in bonds.attachments:
        zero = Source([0.0] * a.dim if a.dim > 1 else 0.0)
        sources.add(f"of {a.mover} at {a.junction}")
        graph.add("Sf", f"of {a.mover} at {a.junction}", zero, a.dim, on=a.junction)
    state = structural_state(graph, numbers=numbers)
    return assign(graph, bonds.forced, state), frozenset(sources)
