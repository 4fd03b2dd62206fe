"""What a picture of energy shows: sources, groups and sinks, and the bands between them.

Energy that goes round in a circle is left out, so are small amounts; a group that only passes
energy on from one to another becomes part of the band.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Literal

from pliant.records import dataclass
from pliant.results.power_audit import Entry, PowerAudit, Transfer

SMALL = 0.005
"""Bands below this part of the energy that was turned over are not drawn."""
MOST = 24
"""Entries above which bodies, joints and forces are drawn as one."""
WHOLE = "mechanism"
MECHANICAL = "mechanical"
Role = Literal["source", "group", "sink", "bend"]


@dataclass(eq=False)
class Spot:
    """A bar; ``kind`` is that of the entry it stands for, ``domain`` that of its group."""

    name: str
    role: Role
    kind: str = ""
    domain: str = ""
    energy: float = 0.0
    column: int = 0
    y: float = 0.0


@dataclass(eq=False)
class Band:
    """Energy from one spot to another."""

    source: Spot
    target: Spot
    energy: float
    kind: str = ""


@dataclass
class Flow:
    """All spots and bands."""

    spots: list[Spot] = field(default_factory=list)
    bands: list[Band] = field(default_factory=list)

    def into(self, spot: Spot) -> list[Band]:
        return [b for b in self.bands if b.target is spot]

    def out_of(self, spot: Spot) -> list[Band]:
        return [b for b in self.bands if b.source is spot]

    def size(self, spot: Spot) -> float:
        """Energy that passes a spot."""
        ends = self.into(spot), self.out_of(spot)
        return max(sum(b.energy for b in bands) for bands in ends)


def flow_of(audit: PowerAudit) -> Flow:
    """The picture of an audit; of a large mechanism as a whole."""
    flow, groups = Flow(), dict[str, Spot]()
    least = SMALL * max((abs(e.energy) for e in audit.entries), default=0.0)
    if sum(abs(e.energy) > least for e in audit.entries) > MOST:
        audit = as_a_whole(audit)

    def group(name: str) -> Spot:
        if name not in groups:
            groups[name] = Spot(name, "group", domain=domain_of(name))
            flow.spots.append(groups[name])
        return groups[name]

    for t in audit.transfers:
        if t.energy > least:
            flow.bands.append(Band(group(t.source), group(t.target), t.energy))
    for entry in audit.entries:
        if abs(entry.energy) > least and entry.kind != "held":
            role: Role = "source" if entry.given > 0 else "sink"
            size, own = abs(entry.energy), group(entry.group)
            spot = Spot(entry.element, role, entry.kind, domain_of(entry.group), size)
            flow.spots.append(spot)
            ends = (spot, own) if role == "source" else (own, spot)
            flow.bands.append(Band(*ends, size, entry.kind))
    while circle := _circle(flow):  # the smallest band of it is taken off all its bands
        taken = min(b.energy for b in circle)
        for band in circle:
            band.energy -= taken
        flow.bands = [b for b in flow.bands if b.energy > least]
    _merged(flow)
    _contracted(flow)
    flow.spots = [s for s in flow.spots if flow.into(s) or flow.out_of(s)]
    for spot in flow.spots:  # without entries large enough to be drawn: bands end there
        if spot.role == "group" and not (flow.into(spot) and flow.out_of(spot)):
            spot.role = "sink" if flow.into(spot) else "source"
            spot.energy = flow.size(spot)
    return flow


def domain_of(group: str) -> str:
    """The domain of a group: networks have theirs in their names, all else is mechanical."""
    inside = group.rpartition("(")[2].removesuffix(")") if group.endswith(")") else ""
    return MECHANICAL if inside in ("", "translation", "rotation") else inside


def as_a_whole(audit: PowerAudit) -> PowerAudit:
    """Everything but networks in one group, one entry for each kind that gave or took."""

    def name(group: str) -> str:
        return group if group.endswith(")") else WHOLE

    sums: dict[tuple[str, bool], list[Entry]] = {}
    for e in audit.entries:
        if name(e.group) == WHOLE:
            sums.setdefault((e.kind, e.given > 0), []).append(e)
    merged = [e for e in audit.entries if name(e.group) != WHOLE]
    for own in sums.values():
        element = own[0].element if len(own) == 1 else f"{len(own)} elements"
        total = sum(e.energy for e in own)
        merged.append(Entry(element, WHOLE, own[0].kind, own[0].domain, total))
    net: dict[tuple[str, str], float] = {}
    for t in audit.transfers:
        ends = name(t.source), name(t.target)
        net[ends] = net.get(ends, 0.0) + t.energy
    moved = tuple(Transfer(*ends, energy) for ends, energy in net.items() if ends[0] != ends[1])
    return replace(audit, entries=tuple(merged), transfers=moved)


def _circle(flow: Flow) -> list[Band]:
    """Bands that lead back to where they began, if any do."""
    done: set[int] = set()

    def search(spot: Spot, path: list[Band]) -> list[Band]:
        for band in flow.out_of(spot):
            visited = [b.source for b in path] + [spot]
            if band.target in visited:
                return [*path, band][visited.index(band.target) :]
            if id(band.target) not in done:
                found = search(band.target, [*path, band])
                if found:
                    return found
        done.add(id(spot))
        return []

    for spot in flow.spots:
        if id(spot) not in done and (found := search(spot, [])):
            return found
    return []


def _merged(flow: Flow) -> None:
    """A force or driver with one entry and nothing else is that entry."""
    for spot in [s for s in flow.spots if s.role == "group"]:
        ends = flow.into(spot), flow.out_of(spot)
        for own, others, role in ((ends[0], ends[1], "source"), (ends[1], ends[0], "sink")):
            mate = (own[0].source if role == "source" else own[0].target) if len(own) == 1 else None
            if mate is None or mate.role != role or mate.name != spot.name or not others:
                continue
            if mate.kind not in ("supplied", "dissipated"):
                continue
            flow.bands.remove(own[0])
            flow.spots.remove(spot)
            for band in others:
                band.kind = mate.kind
                if role == "source":
                    band.source = mate
                else:
                    band.target = mate
            break


def _contracted(flow: Flow) -> None:
    """Groups that only pass energy on, unless a domain would not be seen any more."""
    for spot in [s for s in flow.spots if s.role == "group"]:
        before, after = flow.into(spot), flow.out_of(spot)
        if len(before) == 1 and len(after) == 1:
            ends = before[0].source, after[0].target
            if "group" not in (ends[0].role, ends[1].role):
                continue
            if spot.domain not in (ends[0].domain, ends[1].domain):
                continue
            before[0].target = after[0].target
            before[0].kind = before[0].kind or after[0].kind
            flow.bands.remove(after[0])
            flow.spots.remove(spot)
