"""Every source, store and resistance of a bond graph entered as energy over an interval.

Stores: the difference of their energy, a function of the state; of heat, which is a state itself,
the difference of that, as the run integrated it. Others: the work that the run integrated along its
steps, if it recorded that, else the integral of the power over the samples. So no entry follows
from the others, and what is missing in a balance is missing in the run.

Integrals over samples at any times: a polynomial through the neighbours of every interval. Six
neighbours give order 6, four give order 4; the difference of the two estimates the error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace

import numpy as np

from pliant.analysis.power.bond_series import HEAT, KINETIC, BondSeries
from pliant.arrays import Array
from pliant.bonds.elements import DOMAINS, WITHOUT_POWER, Node
from pliant.bonds.evaluate import is_counted
from pliant.graphs.spanning_tree import GROUND
from pliant.model.model import Model
from pliant.records import dataclass
from pliant.results.power_audit import Entry, Kind

_POINTS = 6
"""Neighbours of an interval, and the order of the rule."""
_COARSE = 4
_KINDS: dict[str, Kind] = {
    "I": "kinetic", "C": "potential", "R": "dissipated", "MR": "dissipated", "CN": "held",
    "Se": "supplied", "Sf": "supplied",
}  # fmt: skip
_SOURCES, _RESISTANCES = frozenset({"Se", "Sf"}), frozenset({"R", "MR"})


class Quadrature:
    """∫ dt over the interval of some times."""

    def __init__(self, time: Array) -> None:
        self._fine, self._coarse = _weights(time, _POINTS), _weights(time, _COARSE)

    def __call__(self, values: Array) -> tuple[float, float]:
        """The integral of samples, and an estimate of its error."""
        fine = float(self._fine @ values)
        return fine, abs(fine - float(self._coarse @ values))


def _weights(time: Array, points: int) -> Array:
    """w with ∫ p dt = w · p(time) for polynomials p between neighbours, interval by interval.

    In a scaled time s, with moments m_k = ∫ s^k ds over the interval: Σ_j w_j s_j^k = m_k.
    """
    n = len(time)
    points = min(points, n)
    first = np.clip(np.arange(n - 1) + 1 - points // 2, 0, n - points)
    near = first[:, None] + np.arange(points)
    middle, size = (time[:-1] + time[1:]) / 2, (time[near[:, -1]] - time[near[:, 0]]) / 2
    scaled, half = (time[near] - middle[:, None]) / size[:, None], np.diff(time) / (2 * size)
    k = np.arange(points)
    moments = (half[:, None] ** (k + 1) - (-half[:, None]) ** (k + 1)) / (k + 1)
    powers = scaled[:, None, :] ** k[:, None]
    own = size[:, None] * np.linalg.solve(powers, moments[:, :, None])[:, :, 0]
    weights = np.zeros(n)
    np.add.at(weights, near, own)
    return weights


@dataclass(frozen=True, slots=True)
class Names:
    """To which element of a model a node of its graph belongs."""

    model: Model | None = None

    def element(self, node: Node) -> str:
        """The element whose name begins the owner of a node, else the node itself."""
        parts = (node.owner or node.name).split(".")
        for end in range(len(parts), 0, -1):
            name = ".".join(parts[:end])
            if name == GROUND or self.section(name):
                return name
        return node.name

    def section(self, name: str) -> str:
        """bodies, joints, forces, drivers, constraints or networks."""
        for section in ("bodies", "joints", "forces", "drivers", "constraints", "networks"):
            if name in getattr(self.model, section, {}):
                return section
        return ""

    def whole(self, name: str) -> str:
        """The element itself, or the beam that it is a part of."""
        return name if self.model is None else self.model.origin.get(name, name)

    def group(self, node: Node, domain: str) -> str:
        """The element; of a network also the domain."""
        name = self.whole(self.element(node))
        if self.section(name) == "networks" and domain:
            return f"{name} ({domain})"
        return name


@dataclass(slots=True)
class EnergyLedger:
    """Collects entries. ``recorded``: series of power and work by name, over the same samples."""

    series: BondSeries
    names: Names
    recorded: Mapping[str, Array]
    quadrature: Quadrature
    rtol: float = 1e-6
    """Of the run: work that it recorded is as exact."""
    held: Mapping[str, Array] = field(default_factory=dict)
    """Displacements of compliances that the run recorded, by name; of thermal ones their heat."""
    differences: list[float] = field(default_factory=list)
    """Largest differences of powers from those that the run recorded, in W."""

    def entries(self) -> list[Entry]:
        """All of them, element by element, each kind of energy by itself."""
        own: dict[str, list[Node]] = {}
        for node in self.series.graph.nodes.values():
            if node.kind not in WITHOUT_POWER and is_counted(node):
                own.setdefault(self.names.element(node), []).append(node)
        found: dict[tuple[str, str], Entry] = {}
        for e in (e for element, nodes in own.items() for e in self._of_element(element, nodes)):
            key = (self.names.whole(e.element), e.kind)  # parts of a beam that was cut add up
            last = found.get(key, replace(e, element=key[0], energy=0.0, error=0.0))
            found[key] = replace(last, energy=last.energy + e.energy, error=last.error + e.error)
        return [e for e in found.values() if e.energy or e.error]

    def _of_element(self, element: str, nodes: list[Node]) -> Iterator[Entry]:
        section = self.names.section(element)
        if section == "forces":
            yield from self._force(element, nodes)
        elif section in ("drivers", "constraints"):
            work, error = self._work(element, nodes)
            yield self._entry(element, "supplied", nodes, work, error)
        elif section == "bodies":
            yield from self._body(element, nodes)
        elif section == "joints" or element == GROUND:
            yield from self._joint(element, nodes)
        else:
            for node in nodes:
                yield from self._node(node)

    def _force(self, element: str, nodes: list[Node]) -> Iterator[Entry]:
        """A spring stores its potential and dissipates by its own damping, so that its force is
        tested by the balance; friction dissipates all."""
        model = self.names.model
        assert model is not None
        moved, stored = (self._change(f"{element}{mark}") for mark in (KINETIC, ".energy"))
        if moved is not None:
            yield self._entry(element, "kinetic", nodes, moved, 0.0)
            return
        work, error = self._work(element, nodes)
        if stored is not None:
            yield self._entry(element, "potential", nodes, stored, 0.0)
            yield self._entry(element, "dissipated", nodes, *self._heat(element))
        elif model.forces[element].is_friction:
            yield self._entry(element, "dissipated", nodes, -work, error)
        else:
            yield self._entry(element, "supplied", nodes, work, error)

    def _heat(self, element: str) -> tuple[float, float]:
        """Energy that the damping of a spring took: as recorded, else integrated."""
        power = self.series.energy.get(f"{element}{HEAT}")
        if power is None:
            return 0.0, 0.0
        work = self._recorded(f"{element}.damping", -power)
        return self.quadrature(power) if work is None else (-work, self._of_recorded(power))

    def _joint(self, element: str, nodes: list[Node]) -> Iterator[Entry]:
        """What holds a joint takes nothing; stiff springs in its place store and dissipate."""
        springs = [n for n in nodes if n.kind in ("C", "R")]
        if springs:
            self._work(element, springs)  # compared with what the run recorded
            stored = sum(self._gain(n)[0] for n in springs if n.kind == "C")
            yield self._entry(element, "potential", springs, stored, 0.0)
            lost = [n for n in springs if n.kind == "R"]
            work, error = self._work(f"{element}.damping", lost)
            yield self._entry(element, "dissipated", springs, -work, error)
        others = [n for n in nodes if n not in springs]
        if others:
            power = sum((self.series.into(n.name) for n in others), np.zeros(len(self.series.time)))
            yield self._entry(element, "held", others, *self.quadrature(power))

    def _body(self, element: str, nodes: list[Node]) -> Iterator[Entry]:
        lost = [n for n in nodes if n.kind == "R"]
        if lost:
            work, error = self._work(f"{element}.damping", lost)
            yield self._entry(element, "dissipated", lost, -work, error)
        stores = [n for n in nodes if n.kind in ("I", "C")]
        for kind in dict.fromkeys(_KINDS[n.kind] for n in stores):
            own = [n for n in stores if _KINDS[n.kind] == kind]
            gains = [self._gain(n) for n in own]
            energy, error = sum(g[0] for g in gains), sum(g[1] for g in gains)
            yield self._entry(element, kind, own, energy, error)
        weights = [n for n in nodes if n.kind == "Se"]
        lifted = sum(self._gain(n)[0] for n in weights)
        yield self._entry(element, "lifted", weights, lifted, 0.0)

    def _node(self, node: Node) -> Iterator[Entry]:
        """An element of a network, by itself."""
        kind = _KINDS[node.kind]
        sign = -1.0 if kind == "supplied" else 1.0
        gain, error = self._gain(node)
        recorded = self._recorded(node.name, sign * self.power_into(node))
        if error and recorded is not None:
            gain, error = sign * recorded, 0.0
        yield self._entry(node.name, kind, [node], sign * gain, error)

    def _entry(
        self, element: str, kind: Kind, nodes: list[Node], energy: float, error: float
    ) -> Entry:
        domain = next((d for d in map(self.domain, nodes) if d), "")
        group = self.names.group(nodes[0], domain) if nodes else element
        return Entry(element, group, kind, domain, float(energy), float(error))

    # --- energies

    def domain(self, node: Node) -> str:
        """Of an element, or of the first of its bonds that has one."""
        graph = self.series.graph
        bonds = (graph.bonds[b].domain for b, _ in graph.attached(node.name))
        return node.domain or next((d for d in bonds if d), "")

    def _work(self, name: str, nodes: list[Node]) -> tuple[float, float]:
        """Work that sources do on the system: as recorded, else integrated."""
        power = -sum((self.series.into(n.name) for n in nodes), np.zeros(len(self.series.time)))
        recorded = self._recorded(name, power)
        if recorded is None:
            return self.quadrature(power)
        return recorded, self._of_recorded(power)

    def _of_recorded(self, power: Array) -> float:
        """Error of a work that the run recorded, interval by interval."""
        time = self.series.time
        return float(self.rtol * np.diff(time) @ np.maximum(np.abs(power[1:]), np.abs(power[:-1])))

    def _recorded(self, name: str, power: Array) -> float | None:
        """The work that the run recorded of an element, whose power is also known from bonds."""
        recorded, work = (self.recorded.get(f"{name}.{what}") for what in ("power", "work"))
        if recorded is None or work is None:
            return None
        self.differences.append(float(np.abs(power - recorded).max()))
        return float(work[-1] - work[0])

    def _gain(self, node: Node) -> tuple[float, float]:
        """Energy that an element took in."""
        stored = self._change(f"{node.name}.energy")
        power = DOMAINS[self.domain(node)].is_power
        if stored is not None and power:
            return stored, 0.0
        heat = self.held.get(node.name)
        if not power and node.kind == "C" and heat is not None:
            return float(heat[-1] - heat[0]), 0.0
        return self.quadrature(self.power_into(node))

    def _change(self, name: str) -> float | None:
        """Difference of an energy that is a function of the state."""
        energy = self.series.energy.get(name)
        return None if energy is None else float(energy[-1] - energy[0])

    def power_into(self, node: Node) -> Array:
        """Power into an element; of a thermal one the heat flow."""
        if DOMAINS[self.domain(node)].is_power:
            return self.series.into(node.name)
        return self._heat_into(node)

    def _heat_into(self, node: Node) -> Array:
        """Heat into an element. At a 1-junction, which is a way from one temperature to another,
        resistances pass it on to the source at its end; without one they keep it."""
        graph = self.series.graph
        bond, sign = graph.attached(node.name)[0]
        own = graph.bonds[bond]
        at = graph.nodes[own.head if own.tail == node.name else own.tail]
        if at.kind != "1" or node.kind == "C":
            return sign * self.series.flow[bond][:, 0]
        coming, ends = np.zeros(len(self.series.time)), []
        for b, s in graph.attached(at.name):
            other = graph.bonds[b]
            mate = graph.nodes[other.head if other.tail == at.name else other.tail]
            ends += [mate] if mate.kind in _SOURCES | _RESISTANCES else []
            if mate not in ends:
                coming += s * self.series.flow[b][:, 0]
        takers = [n for n in ends if n.kind in _SOURCES] or ends
        return coming / len(takers) if node in takers else np.zeros_like(coming)
