"""Networks: bond graphs beside the mechanics, coupled to it at joints and frames.

The mechanics gives a network the flows of its attachments, u_k of a joint, v_WP or w_WP of a frame;
the network answers with efforts, which act on the mechanics:

    x' = f(t, q, u, x)              force on the mechanics = -e(t, q, u, x, u')

e holds u' where a store of the network moves with the mechanics (the rotor of a motor): its inertia
enters M by the derivative of its flow.

Observables are effort, flow, displacement and power of every element with one port (a junction
structure has no power), and the efforts by which the network holds the mechanics.
``<network>.<element>.flow`` goes into a store or resistance, out of a source; so does the power.
``<network>.energy`` is what its stores hold, apart from heat. States that are none of these
(momenta, components of vectors) are observables, too: a result holds the whole state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pliant.bonds import BondGraph, Causality, Source, assign
from pliant.bonds.causality import Forced
from pliant.bonds.dependence import Dependence
from pliant.bonds.elements import (
    DOMAINS,
    JUNCTIONS,
    STORES,
    TWO_SIDED,
    WITHOUT_POWER,
    Domain,
    Node,
)
from pliant.bonds.evaluate import is_counted, stored_energy
from pliant.bonds.laws import WithReadings
from pliant.bonds.networks.graph import (
    Attachment,
    NetworkBonds,
    groups,
    in_file,
    networks_bonds,
)
from pliant.bonds.networks.holding import Hold, velocities_read
from pliant.bonds.rows import BondEquations, Row, extract
from pliant.bonds.states import Change, change_in_time, starts, with_momenta, with_states
from pliant.bonds.structure import structural_state
from pliant.bonds.unknowns import Tear
from pliant.errors import CapabilityError, Fault, ModelError
from pliant.mechanics.motion import SystemMotion
from pliant.mechanics.rows import AuxiliaryState, ConstraintRows, Reaction
from pliant.mechanics.unknowns import Unknowns, column
from pliant.model.forces.action import Action, Bending, Effort, Load
from pliant.observe.catalogue import STORED, SUPPLIED, TAKEN, SymbolicObservable
from pliant.records import dataclass
from pliant.spatial.linear import depends

SOURCE = "source"
"""What stands for the mechanics at an attachment."""
_SOURCES = frozenset({"Se", "Sf"})


@dataclass(frozen=True, slots=True)
class NetworkNumbers:
    """What the laws of networks may read: time, parameters, signals and the motion."""

    motion: SystemMotion

    @property
    def t(self) -> Any:
        return self.motion.values.t

    @property
    def p(self) -> Any:
        """The model's own parameters, which alone may be ratios of transformers."""
        names = list(self.motion.values.index)
        return column(self.motion.ops, [self.motion.ops.full(self.look_up(n)) for n in names])

    @property
    def p_default(self) -> Any:
        values = self.motion.values
        return values.p_default[list(values.index.values())]

    def look_up(self, name: str) -> Any:
        """Time, a parameter, a signal, or a quantity of the motion."""
        return self.motion.look_up(name)


@dataclass(frozen=True, slots=True)
class Network:
    """A network and what its graph says at the flows of its attachments; the graph holds other
    networks, too, if one of them reads another."""

    bonds: NetworkBonds
    rows: BondEquations

    @property
    def name(self) -> str:
        return self.bonds.name

    def states(self) -> list[AuxiliaryState]:
        """Its states x with their rates and initial values."""
        return [
            AuxiliaryState(row.name, row.unit, row.symbol, row.expression, start)
            for row, start in zip(self.rows.rates, starts(self.rows), strict=True)
            if self._owns(row)
        ]

    @property
    def loops(self) -> tuple[Tear, ...]:
        """Its algebraic loops."""
        return tuple(t for t in self.rows.loops if self._owns(t))

    def _owns(self, row: Row | Tear) -> bool:
        return row.owner in self.bonds.graph.nodes

    def held(self) -> list[ConstraintRows]:
        """What its constraintors hold at zero: flows, without a position level."""
        owners: dict[str, list[Row]] = {}
        for row in filter(self._owns, self.rows.held):
            owners.setdefault(row.owner, []).append(row)
        column = self.rows.column  # forces of multipliers are in the efforts of the network already
        return [
            ConstraintRows(
                owner.removesuffix(".CN"), tuple(r.name.removeprefix(f"{owner}.") for r in own),
                tuple(r.unit for r in own), None, column(r.expression for r in own),
                lambda lam: Reaction(), lam=column(r.symbol for r in own),
            )
            for owner, own in owners.items()
        ]  # fmt: skip

    def action(self, motion: SystemMotion) -> Action:
        """What it does to the mechanics."""
        return action(motion, self.bonds.attachments, lambda a: attached_effort(self.rows, a))


def evaluated_networks(
    motion: SystemMotion, unknowns: Unknowns, stores: Sequence[tuple[Any, Any]] = ()
) -> list[Network]:
    """All networks of a model; ``stores``: further speeds of the motion with their rates."""
    time, ops = change_in_time(motion.values), motion.ops
    speeds = [*zip(unknowns.u, unknowns.a, strict=True), *stores]
    change = Change(
        [*time.symbols, *unknowns.q], [*time.rates, *unknowns.qdot],
        [ops.full(u) for u, _ in speeds], [ops.full(a) for _, a in speeds],
    )  # fmt: skip
    networks = networks_bonds(motion.model)
    found = {n.name: n for group in groups(networks) for n in _evaluated(motion, group, change)}
    return [found[bonds.name] for bonds in networks]


def _evaluated(
    motion: SystemMotion, group: Sequence[NetworkBonds], change: Change
) -> list[Network]:
    """Networks that read each other, as one graph."""
    ops, numbers = motion.ops, NetworkNumbers(motion)
    graph = BondGraph(", ".join(b.name for b in group))
    forced: Forced = {}
    for bonds in group:
        graph.absorb(bonds.graph)
        forced = {**forced, **bonds.forced}
        for a in bonds.attachments:
            graph.add("Sf", f"{a.junction}.{SOURCE}", Source(_known(attached_flow(motion, a))),
                      a.dim, owner=bonds.name, on=a.junction)  # fmt: skip
    causality = assign(graph, forced, structural_state(graph, ops, numbers))
    _refuse_starts(causality)
    rows = extract(graph, causality, ops, numbers)
    rows = with_momenta(with_states(rows, change, _every), change, _every)
    _refuse(rows, graph.name)
    _refuse_accelerations(rows, change)
    if rows.held:
        _refuse_velocities(rows, motion, numbers)
    return [Network(bonds, rows) for bonds in group]


def _refuse_accelerations(rows: BondEquations, change: Change) -> None:
    """What laws read of other elements must be known before accelerations and multipliers are."""
    unknown = [*change.accelerations, *(rows.ops.full(r.symbol) for r in rows.held)]
    faults = []
    for node in rows.graph.nodes.values():
        for r in node.reads:
            end = rows.graph.ends(r.element)[r.place]
            give = rows.evaluation.effort if r.quantity == "effort" else rows.evaluation.flow
            value = rows.ops.full(give(end.bond, end.k))
            if not r.state and any(depends(rows.ops, value, rows.ops.full(u)) for u in unknown):
                what = f"reads '{r.name}', which follows from accelerations of the mechanism"
                faults.append(
                    Fault(f"element '{node.name}'", what, "read a state or the rate of a joint")
                )
    if faults:
        raise ModelError(faults)


def _refuse_velocities(rows: BondEquations, motion: SystemMotion, numbers: NetworkNumbers) -> None:
    """What is held is linear in the velocities that its multiplier acts on, and reads no others."""
    ops, graph = rows.ops, rows.graph
    rates = {f"{n}.{r}": ops.symbol(f"{n}.{r}.read") for n, s in motion.joints.items()
             for r in s.joint.rate_names}  # fmt: skip
    again = extract(graph, rows.causality, ops, WithReadings(numbers, rates))
    mechanics = {n for n in graph.nodes if n.endswith(f".{SOURCE}")}
    dependence, found = Dependence(graph, rows.causality), dict[tuple[str, str], None]()
    for row in again.held:
        own = ops.full(row.expression)
        read = [n for n, symbol in rates.items() if depends(ops, own, ops.full(symbol))]
        read += velocities_read(dependence, mechanics, row.owner)
        found |= dict.fromkeys((row.owner.removesuffix(".CN"), n) for n in read)
    if found:
        cure = "lead the flow there by a TF or MTF, which takes the effort back as well"
        said = "what it holds reads '{}', a velocity that its effort does not act on"
        faults = (Fault(f"element '{owner}'", said.format(name), cure) for owner, name in found)
        raise ModelError([in_file(motion.model, fault) for fault in faults])


def _every(node: Node) -> bool:
    return True


def _known(value: Any) -> Any:
    """A law whose value is known already."""
    return lambda ops, state: value


def _refuse_starts(causality: Causality) -> None:
    """What was given of a dependent store is not its own to choose."""
    nodes, faults = causality.graph.nodes, []
    for refusal in causality.refused:
        node = nodes[refusal.store]
        if node.start is not None:
            by = ", ".join(n.removesuffix(f".{SOURCE}") for n in refusal.by) or "others"
            what = f"initial: its {'flow' if node.kind == 'I' else 'effort'} follows from {by}"
            faults.append(Fault(f"element '{node.name}'", what, "give the initial value there"))
    if faults:
        raise ModelError(faults)


def _refuse(rows: BondEquations, name: str) -> None:
    """Stores that have no place among the states of a network: their rates contain multipliers of
    constraintors, or cannot be solved for."""
    held: dict[str, dict[str, None]] = {}
    for row in rows.held:
        for own in rows.dynamic:
            if depends(rows.ops, rows.ops.full(own.expression), rows.ops.full(row.symbol)):
                held.setdefault(own.name, {})[f"'{row.owner}'"] = None
    lines = [
        f"  {s.name}: constraintor {', '.join(held[s.name])} holds it; write Sf: 0 in place of CN"
        if s.name in held
        else f"  {s.name}: its rate cannot be solved for (no mass, or a non-linear one); "
        "put a compliance (C) or a small inertia (I) between the elements concerned"
        for s in rows.speeds
    ]
    if lines:
        found = "\n".join(lines)
        raise CapabilityError(f"network '{name}' has unknowns that are no states:\n{found}")


# --- attachments


def attached_flow(motion: SystemMotion, a: Attachment) -> Any:
    """The flow of an attachment as a column: a rate, the velocity of a frame, the rate of a
    distance, elastic rates."""
    if a.joint:
        return motion.ops.full(motion.coordinate(a.joint, a.coordinate)[1])
    if a.body:
        return motion.ops.full(motion.elastic[a.body].u)
    frame = motion.frame(a.frame)
    flow = frame.w_WP if a.rotation else frame.v_WP
    flow = flow - motion.frame(a.away_from).v_WP if a.away_from else flow
    direction = attached_direction(motion, a)
    return motion.ops.full(flow if direction is None else motion.ops.dot(direction, flow))


def attached_direction(motion: SystemMotion, a: Attachment) -> Any:
    """The world direction of an attachment to a frame, if it has one."""
    if a.away_from:
        r = motion.frame(a.frame).p_WP - motion.frame(a.away_from).p_WP
        return r / motion.ops.sqrt(motion.ops.dot(r, r))
    return None if a.direction is None else motion.values.vector(a.direction)


def attached_effort(rows: BondEquations, a: Attachment) -> Any:
    """The effort of a network at its attachment, positive as power goes into the network."""
    return rows.ops.full(rows.evaluation.efforts(f"{a.junction}.{SOURCE}"))


def action(
    motion: SystemMotion, attachments: Iterable[Attachment], effort: Callable[[Attachment], Any]
) -> Action:
    """Loads and efforts on the mechanics, opposed to the efforts at the attachments."""
    loads, efforts, bending, none = [], [], [], motion.ops.zeros(3)
    for a in attachments:
        e = effort(a)
        if a.body:
            bending.append(Bending(a.body, -e))
            continue
        if a.joint:
            efforts.append(Effort(a.joint, a.coordinate, -e[0]))
            continue
        direction = attached_direction(motion, a)
        force = -e if direction is None else -e[0] * direction
        loads.append(Load(a.frame, *((none, force) if a.rotation else (force, none))))
        if a.away_from:
            loads.append(Load(a.away_from, -force, none))
    return Action(tuple(loads), tuple(efforts), bending=tuple(bending))


def network_observables(
    rows: BondEquations, network: NetworkBonds, moving: Sequence[Any]
) -> dict[str, SymbolicObservable]:
    """Those of one network; ``moving``: symbols that change in time."""
    found: dict[str, SymbolicObservable] = {}
    hidden = {hold.constraintor for hold in network.held}
    own = [rows.graph.nodes[n] for n in network.graph.nodes]
    for node in own:
        if node.kind not in JUNCTIONS | TWO_SIDED and node.name not in hidden:
            found |= _element(rows, node)
    found |= {f"{hold.of}.effort": _held_effort(rows, hold) for hold in network.held}
    for row in rows.rates:
        if row.owner in network.graph.nodes and row.name not in found:
            state = rows.ops.full(row.symbol)
            found[row.name] = SymbolicObservable(row.unit, row.owner, expression=state)
    stores = [n for n in own if n.kind in STORES and _domain(rows, n).is_power and is_counted(n)]
    energies = [stored_energy(rows.evaluation, n, moving) for n in stores]
    if energies and all(e is not None for e in energies):
        total, name = rows.ops.full(sum(energies)), network.name
        found[f"{name}.energy"] = SymbolicObservable("J", name, "energy", expression=total)
    return found


def _held_effort(rows: BondEquations, hold: Hold) -> SymbolicObservable:
    """The effort of the bond in which flows of the mechanics meet."""
    own = _element(rows, rows.graph.nodes[hold.constraintor])
    return replace(own[f"{hold.constraintor}.effort"], owner=hold.of)


def with_total_energy(
    observables: Mapping[str, SymbolicObservable], networks: Sequence[str]
) -> dict[str, SymbolicObservable]:
    """``energy`` is that of the mechanics and of all networks, ``mechanical_energy`` the first."""
    found, own = dict(observables), observables["energy"]
    stored = [observables[f"{n}.energy"].expression for n in networks
              if f"{n}.energy" in observables]  # fmt: skip
    if stored:
        found["mechanical_energy"] = own
        found["energy"] = replace(own, expression=sum(stored, start=own.expression))
    return found


def _element(rows: BondEquations, node: Node) -> dict[str, SymbolicObservable]:
    ops, domain, name = rows.ops, _domain(rows, node), node.name
    ends = rows.evaluation.into(name)
    sign = -1 if node.kind in _SOURCES else 1
    e = ops.full(ops.vec(*(effort for effort, _ in ends)))
    f = ops.full(ops.vec(*(sign * flow for _, flow in ends)))
    labels = () if node.dim == 1 else tuple(node.label(k, "") for k in range(node.dim))
    kind = "reaction" if node.kind == "CN" else "effort"
    found = {
        f"{name}.effort": SymbolicObservable(domain.effort, name, kind, labels, expression=e),
        f"{name}.flow": SymbolicObservable(domain.flow, name, "rate", labels, expression=f),
    }
    if node.kind == "C":
        q = ops.full(rows.evaluation.state.x[name])
        what = SymbolicObservable(domain.displacement, name, labels=labels, expression=q)
        found[f"{name}.displacement"] = what
    if domain.is_power and node.kind not in WITHOUT_POWER:
        role = SUPPLIED if node.kind in _SOURCES else STORED if node.kind in STORES else TAKEN
        power = ops.full(ops.dot(e, f))
        found[f"{name}.power"] = SymbolicObservable("W", name, "power", role=role, expression=power)
    return found


def _domain(rows: BondEquations, node: Node) -> Domain:
    bond, _ = rows.graph.attached(node.name)[0]
    return DOMAINS[rows.graph.bonds[bond].domain]
