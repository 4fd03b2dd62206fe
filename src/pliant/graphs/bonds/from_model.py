"""Bond graphs of the networks of a model.

A network becomes elements and bonds whose names begin with its own. Where it is attached to a joint
or a frame there is a 1-junction: the mechanics gives it its flow and takes its effort.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from pliant.errors import Fault, ModelError
from pliant.graphs.bonds.causality import Forced, StrokeEnd, assign
from pliant.graphs.bonds.diagnosis import conflicts
from pliant.graphs.bonds.elements import STORES, Kind
from pliant.graphs.bonds.graph import BondGraph
from pliant.graphs.bonds.law_checks import law_faults
from pliant.graphs.bonds.laws import Compliance, Inertia, Source
from pliant.graphs.bonds.network_laws import NetworkLaws
from pliant.graphs.bonds.network_stores import port
from pliant.graphs.bonds.structure import structural_state
from pliant.model.formulas import Formula
from pliant.model.model import Model
from pliant.model.networks.elements import FramePort, JointPort
from pliant.model.networks.flat import FlatElement, FlatNetwork, flatten
from pliant.spatial.symbolic import SYMBOLIC


@dataclass(frozen=True, slots=True)
class Attachment:
    """A 1-junction whose flow is the rate of a joint coordinate, or the velocity of a frame in
    world axes (``rotation``: its angular velocity), or the component along ``direction``."""

    junction: str
    dim: int
    joint: str = ""
    coordinate: str | None = None
    frame: str = ""
    rotation: bool = False
    direction: tuple[Formula, ...] | None = None


@dataclass(frozen=True, slots=True)
class NetworkBonds:
    """The bond graph of a network, where it is attached, the strokes the user wants, and the other
    networks that its laws read."""

    name: str
    graph: BondGraph
    attachments: tuple[Attachment, ...]
    forced: Forced

    @property
    def others(self) -> frozenset[str]:
        reads = (r.element for n in self.graph.nodes.values() for r in n.reads)
        return frozenset(element.partition(".")[0] for element in reads) - {self.name}


def network_bonds(model: Model, name: str) -> NetworkBonds:
    """The bond graph of a network; a network must have passed ``Model.check``."""
    return next(bonds for bonds in networks_bonds(model) if bonds.name == name)


def networks_bonds(model: Model) -> list[NetworkBonds]:
    """The bond graphs of all networks."""
    return [bonds for _, bonds in _flat_and_bonds(model)]


def _flat_and_bonds(model: Model) -> list[tuple[FlatNetwork, NetworkBonds]]:
    flats = [flatten(model, name) for name in model.networks]
    laws = NetworkLaws(flats)
    return [(flat, _bonds(model, flat, laws)) for flat in flats]


def _bonds(model: Model, flat: FlatNetwork, laws: NetworkLaws) -> NetworkBonds:
    """A constraintor that holds elements of the network is a source Sf: 0: what it holds is then in
    derivative causality (S0.9). One that holds the mechanics, through attachments, stays."""
    sources = frozenset[str]()
    for e in flat.elements.values():
        if e.kind == "CN":
            other = _built(model, flat, laws, sources | {e.name})
            sources |= frozenset[str]() if _conflicts(other, _Numbers(model)) else {e.name}
    return _built(model, flat, laws, sources)


def _built(
    model: Model, flat: FlatNetwork, laws: NetworkLaws, sources: frozenset[str]
) -> NetworkBonds:
    """Elements and bonds, some constraintors as sources of no flow."""
    graph = BondGraph(flat.name)
    for e in flat.elements.values():
        kind, law = cast(Kind, e.kind), laws.law(e)
        if e.name in sources:
            kind, law = "Sf", Source(0.0)
        graph.add(kind, e.name, law, e.dim or 1, owner=e.owner, domain=e.domain,
                  start=laws.start(e), reads=laws.reads(e))  # fmt: skip
    for link in flat.links:
        graph.bond(link.tail, link.head, link.dim, name=link.name, domain=link.domain)
    forced: Forced = {k.name: cast(StrokeEnd, k.stroke) for k in flat.links if k.stroke}
    ports = [_port(model, graph, laws, e, name)
             for e in flat.elements.values() if e.kind in STORES
             for name in e.coordinates]  # fmt: skip
    return NetworkBonds(flat.name, graph, (*_attachments(flat), *ports), forced)


def _port(
    model: Model, graph: BondGraph, laws: NetworkLaws, store: FlatElement, name: str
) -> Attachment:
    """The port of a store at the joint whose coordinate it changes with."""
    joint, _, coordinate = name.partition(".")
    scalars, law = model.joints[joint].scalars, laws.law(store)
    assert isinstance(law, Compliance | Inertia)
    (unit,) = (c.unit for c in scalars if c.name == coordinate)
    own = f"{store.name}.{joint if len(scalars) == 1 else name}"
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
    numbers = _Numbers(model)
    faults: list[Fault] = []
    for flat, bonds in _flat_and_bonds(model):
        faults += law_faults(flat.elements.values(), bonds.graph, numbers)
        faults += _conflicts(bonds, numbers)
    return faults


def _conflicts(bonds: NetworkBonds, numbers: _Numbers) -> list[Fault]:
    """Causal conflicts with sources of flow at the attachments, which the graph keeps."""
    graph = bonds.graph
    for a in bonds.attachments:
        zero = Source([0.0] * a.dim if a.dim > 1 else 0.0)
        mover = f"joint {a.joint}" if a.joint else f"frame {a.frame}"
        graph.add("Sf", f"of {mover} at {a.junction}", zero, a.dim, on=a.junction)
    try:
        state = structural_state(graph, numbers=numbers)
        return conflicts(assign(graph, bonds.forced, state))
    except ModelError as error:
        return list(error.faults)


class _Numbers:
    """Parameters of a model with their values; anything else that is asked for is a symbol."""

    def __init__(self, model: Model) -> None:
        values = model.parameter_values()
        self.t = SYMBOLIC.symbol("t")
        self.p = SYMBOLIC.symbols(list(values))
        self.p_default = list(values.values())
        self._known = {name: self.p[k] for k, name in enumerate(values)} | {"t": self.t}

    def look_up(self, name: str) -> Any:
        return self._known.setdefault(name, SYMBOLIC.symbol(name))


def _attachments(flat: FlatNetwork) -> list[Attachment]:
    found = []
    for e in flat.elements.values():
        if isinstance(e.port, JointPort):
            found.append(Attachment(e.name, 1, e.port.joint, e.port.coordinate))
        elif isinstance(e.port, FramePort):
            frame, rotation, direction = e.port.frame, e.port.rotation, e.port.direction
            found.append(Attachment(e.name, e.dim, "", None, frame, rotation, direction))
    return found
