"""The power audit: efforts and flows of all bonds along a run, added up to energies.

And which way energy went: between domains, and between the bodies, joints and networks.
"""

from __future__ import annotations

import numpy as np

from pliant.analysis.power.bond_series import BondSeries, bond_series
from pliant.analysis.power.ledger import EnergyLedger, Names, Quadrature
from pliant.arrays import Array
from pliant.bonds.elements import DOMAINS, TWO_SIDED, WITHOUT_POWER
from pliant.bonds.laws import Compliance
from pliant.errors import InputError
from pliant.graphs.spanning_tree import GROUND
from pliant.results.power_audit import Exchange, PowerAudit, Transfer
from pliant.results.result import Result
from pliant.study import Study

_MECHANICAL = frozenset({"translation", "rotation"})
_SAME = 1e-9
"""Times this far apart, compared with the length of the run, are one."""
_HELD = ".displacement"
_IDLE = 1e-6
"""Powers below this part of |e| |f| are rounding."""


def _exchanges(book: EnergyLedger) -> list[Exchange]:
    """Transformers and gyrators between two domains, but for those inside of the mechanics; stores
    that have ports in two."""
    graph, found = book.series.graph, []
    for node in graph.nodes.values():
        if node.kind not in TWO_SIDED:
            continue
        sides = {sign: b for b, sign in graph.attached(node.name)}
        if set(sides) != {1, -1}:
            continue
        source, target = (graph.bonds[sides[sign]].domain for sign in (1, -1))
        same = source == target or not (source and target)
        element = book.names.element(node)
        section = "bodies" if element == GROUND else book.names.section(element)
        inside = section in ("bodies", "joints", "drivers") and {source, target} <= _MECHANICAL
        if same or inside:
            continue
        found.append(_exchange(book, node.name, source, target, book.series.power(sides[1])))
    nodes = graph.nodes
    for node in nodes.values():  # compliances that change with the mechanism give at their ports
        if isinstance(node.law, Compliance) and node.law.of:
            source, target = book.domain(nodes[node.law.of]), book.domain(node)
            if source and source != target:
                power = -book.series.into(node.name)
                found.append(_exchange(book, node.law.of, source, target, power))
    return found


def _exchange(book: EnergyLedger, name: str, source: str, target: str, power: Array) -> Exchange:
    """In the direction that the energy went."""
    energy, error = book.quadrature(power)
    ends = (source, target) if energy >= 0 else (target, source)
    return Exchange(name, *ends, abs(energy), error)


def _transfers(book: EnergyLedger) -> list[Transfer]:
    """Net energy through the bonds between groups, in the direction it went."""
    net: dict[tuple[str, str], float] = {}
    graph = book.series.graph
    for b, bond in enumerate(graph.bonds):
        tail, head = (
            book.names.group(node, book.domain(node))
            for node in (graph.nodes[bond.tail], graph.nodes[bond.head])
        )
        if tail == head:
            continue
        is_power = DOMAINS[bond.domain].is_power  # otherwise the flow is heat
        flow = book.series.power(b) if is_power else book.series.flow[b][:, 0]
        energy = book.quadrature(flow)[0]
        key = (tail, head) if tail < head else (head, tail)
        net[key] = net.get(key, 0.0) + (energy if key[0] == tail else -energy)
    return [Transfer(a, b, e) if e > 0 else Transfer(b, a, -e) for (a, b), e in net.items() if e]


def power_audit(
    system: Study, result: Result, start: float | None = None, end: float | None = None
) -> PowerAudit:
    """See ``System.power_audit``."""
    book = energy_book(system, result, start, end)
    return audited(book, system.model.name, result.failure)


def energy_book(
    system: Study, result: Result, start: float | None = None, end: float | None = None
) -> EnergyLedger:
    """Efforts and flows of all bonds at the samples of a run, and what it recorded of them."""
    samples = _samples(result, start, end)
    series = bond_series(system, result, samples)
    recorded = {
        name: s.values[samples]
        for name, s in result.series.items()
        if s.kind in ("power", "work") and not s.labels
    }
    held = {
        name.removesuffix(_HELD): s.values[samples]
        for name, s in result.series.items()
        if name.endswith(_HELD) and not s.labels
    }
    return EnergyLedger(
        series,
        Names(system.model),
        recorded,
        Quadrature(series.time),
        float(result.info.get("rtol") or 1e-6),
        held,
    )


def power_audit_of(result: Result, start: float | None, end: float | None) -> PowerAudit:
    """See ``Result.power_audit``."""
    if not result.model:
        raise InputError("power audit: the result does not say of which model it is",
                         "use system.power_audit(result), or a result saved as .nc")  # fmt: skip
    return power_audit(Study.loads(result.model), result, start, end)


def audited(book: EnergyLedger, model: str = "", failure: str = "") -> PowerAudit:
    """The audit of a graph whose efforts and flows are known."""
    series, entries = book.series, book.entries()
    largest, bond = _largest_power(series)
    residual, worst = _worst_junction(series)
    return PowerAudit(
        model=model, start=float(series.time[0]), end=float(series.time[-1]),
        samples=len(series.time), entries=tuple(entries), exchanges=tuple(_exchanges(book)),
        transfers=tuple(_transfers(book)), turnover=_turnover(book), largest_power=largest,
        largest_bond=bond,
        junction_residual=residual, worst_junction=worst,
        agreement=max(book.differences) / (largest or 1.0) if book.differences else float("nan"),
        failure=failure,
    )  # fmt: skip


def _samples(result: Result, start: float | None, end: float | None) -> slice:
    """Samples in [start, end], to the nearest one at either end."""
    time = result.time
    if "load_factor" in result.series:
        raise InputError("power audit: nothing moves in statics", "use a result of simulate")
    if len(time) < 2:
        raise InputError(
            f"power audit: the run left {len(time)} sample(s)",
            "it needs two at least; result.failure says whether the run stopped early",
        )
    begin = float(time[0]) if start is None else _inside(result, "start", start)
    last = float(time[-1]) if end is None else _inside(result, "end", end)
    first, final = (int(np.argmin(np.abs(time - t))) for t in (begin, last))
    if final <= first:
        raise InputError(
            f"power audit: no two samples from {begin:g} to {last:g} s",
            "choose an end after the start, or a smaller output interval",
        )
    return slice(first, final + 1)


def _inside(result: Result, name: str, t: float) -> float:
    """A time of the run."""
    begin, end = float(result.time[0]), float(result.time[-1])
    slack = _SAME * (end - begin)
    if begin - slack <= t <= end + slack:
        return t
    stopped = f" (it stopped early: {result.failure})" if result.failure else ""
    raise InputError(
        f"power audit: {name} = {t:g} s is outside of the run{stopped}",
        f"it goes from {begin:g} to {end:g} s",
    )


def _largest_power(series: BondSeries, powers: bool = True) -> tuple[float, str]:
    """Of all bonds whose effort times flow is a power (or, of those whose is not), and its bond."""
    found, apparent = (0.0, ""), 0.0
    for b, bond in enumerate(series.graph.bonds):
        if DOMAINS[bond.domain].is_power == powers:
            largest = float(np.abs(series.power(b)).max())
            found = (largest, bond.name) if largest > found[0] else found
            sizes = (np.linalg.norm(part[b], axis=1) for part in (series.effort, series.flow))
            apparent = max(apparent, float(np.prod(list(sizes), axis=0).max()))
    return max(found[0], _IDLE * apparent), found[1]


def _worst_junction(series: BondSeries) -> tuple[float, str]:
    """Largest residual over the largest product of effort and flow of the same kind."""
    scales = {powers: _largest_power(series, powers)[0] for powers in (True, False)}
    worst = (0.0, "")
    for name, residual in series.residuals().items():
        bond = series.graph.bonds[series.graph.attached(name)[0][0]]
        scale = scales[DOMAINS[bond.domain].is_power] or 1.0
        worst = max(worst, (float(np.abs(residual).max()) / scale, name))
    return worst


def _turnover(book: EnergyLedger) -> float:
    """Half of ∫ |power| dt of all sources, stores and resistances."""
    series = book.series
    nodes = [n for n in series.graph.nodes.values() if n.kind not in WITHOUT_POWER]
    powers = [series.into(n.name) for n in nodes if DOMAINS[book.domain(n)].is_power]
    total = sum((np.abs(p) for p in powers), np.zeros(len(series.time)))
    return float(np.diff(series.time) @ (total[1:] + total[:-1])) / 4
