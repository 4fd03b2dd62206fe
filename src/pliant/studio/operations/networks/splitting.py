"""An element that is dropped on a bond goes between what the bond joined."""

from __future__ import annotations

from typing import Any

from pliant.errors import InputError
from pliant.model.networks.elements import TWO_PORTS
from pliant.model.networks.kinds import ONE_PORTS
from pliant.studio.operations.draft import Draft, Question
from pliant.studio.operations.networks.bonding import (
    PARALLEL,
    SERIES,
    bond_name,
    join,
    listed,
    new_junction,
)
from pliant.studio.operations.networks.bonds import Written, unbond, written_as
from pliant.studio.operations.networks.drawn import Drawn
from pliant.studio.operations.networks.ends import End, plain_end, port_end, ports_of
from pliant.studio.operations.networks.entries import (
    JUNCTIONS,
    first_value,
    new_part,
)
from pliant.studio.operations.networks.placing import place_new
from pliant.studio.operations.registry import operation


@operation("bond.split")
def split_bond(
    draft: Draft, network: str, bond: str, kind: str, name: str = "", value: Any = None,
    at: list[float] | None = None, junction: str = "",
) -> None:  # fmt: skip
    """Put a new element between what a bond joins: a junction, a two-port, a part with two ports,
    or a one-port on a junction of its own."""
    drawn = Drawn(draft, network)
    own = written_as(drawn, bond)
    link = drawn.links.get(drawn.local(bond))
    if link is None:
        raise InputError(f"'{bond[:40]}' is not bonded to anything that is there", "bond it first")
    before = {*drawn.elements}
    if kind in JUNCTIONS:
        added = _junction(drawn, own, kind, name).name
    elif kind in ONE_PORTS:
        added = _one_port(drawn, own, kind, name, value, junction)
    else:
        added = _between(drawn, own, kind, name, value)
    drawn.write()
    new = sorted((n for n in drawn.elements if n not in before), key=lambda n: n != added)
    place_new(drawn, new, at)
    draft.label = f"put {kind} between {link.tail} and {link.head}"
    draft.selection = tuple(drawn.full(n) for n in new[:1])


def _junction(drawn: Drawn, bond: Written, common: str, name: str) -> End:
    """A junction in the middle: what was the head (or hung on a junction) is bonded to it."""
    if bond.way == "bond":
        entry = dict(drawn.bonds[bond.name])
        ends = [plain_end(drawn, str(entry[key])) for key in ("from", "to")]
        middle = new_junction(drawn, common, *ends, name=name)
        head, stroke = entry["to"], entry.pop("stroke", None)
        drawn.data["bonds"][bond.name] = {**entry, "to": middle.name}
        if stroke == entry["from"]:
            drawn.data["bonds"][bond.name]["stroke"] = stroke
        drawn.changed()
        drawn.add("bonds", bond_name(drawn, middle.name, str(head)),
                  {"from": middle.name, "to": head})  # fmt: skip
        return middle
    link = drawn.links[link_name(drawn, bond)]
    old = _junction_of(drawn, bond)
    middle = new_junction(drawn, common, plain_end(drawn, old), name=name)
    leaves = link.tail == old
    _repoint(drawn, bond, middle.name)
    a, b = (old, middle.name) if leaves else (middle.name, old)
    drawn.add("bonds", bond_name(drawn, a, b), {"from": a, "to": b})
    return middle


def link_name(drawn: Drawn, bond: Written) -> str:
    """The name of a bond by where it is written."""
    if bond.way == "bond":
        return bond.name
    if bond.way == "part":
        return f"{bond.name}.{bond.key}"
    entry = drawn.entry(bond.name)
    if bond.way == "one-port":
        single = len(listed(entry.get("on"))) == 1
        return bond.name if single else f"{bond.name}.{bond.index + 1}"
    before = len(listed(entry.get("from"))) if bond.key == "to" else 0
    return f"{bond.name}.{before + bond.index + 1}"


def _junction_of(drawn: Drawn, bond: Written) -> str:
    """The junction that a bond of an element leads to."""
    entry = drawn.entry(bond.name)
    if bond.way == "part":
        return str(entry["ports"][bond.key])
    return listed(entry.get(bond.key))[bond.index]


def _repoint(drawn: Drawn, bond: Written, junction: str) -> None:
    """A bond of an element to another junction, in its place."""
    entry = drawn.entry(bond.name)
    if bond.way == "part":
        drawn.say(bond.name, "ports", {**entry["ports"], bond.key: junction})
        return
    names = listed(entry.get(bond.key))
    names[bond.index] = junction
    drawn.say(bond.name, bond.key, names if isinstance(entry[bond.key], list) else junction)


def _one_port(drawn: Drawn, bond: Written, kind: str, name: str, value: Any, junction: str) -> str:
    """On a junction of its own."""
    if junction not in JUNCTIONS:
        raise Question(f"{kind} goes on a junction in the bond. Which?",
                       [(SERIES, {"junction": "1"}), (PARALLEL, {"junction": "0"})],
                       (drawn.full(bond.name),))  # fmt: skip
    middle = _junction(drawn, bond, junction, "")
    own = drawn.name_for(name, f"{kind}1")
    given = first_value(kind, middle.domain, middle.dim) if value is None else value
    drawn.add("elements", own, {kind: given, "on": middle.name})
    return own


def _between(drawn: Drawn, bond: Written, kind: str, name: str, value: Any) -> str:
    """A two-port or part: from the tail to the head, with a junction where there is none."""
    link = drawn.links[link_name(drawn, bond)]
    if bond.way == "bond":
        entry = drawn.bonds[bond.name]
        ends = [plain_end(drawn, str(entry[key])) for key in ("from", "to")]
        unbond(drawn, bond)
        ends = [e if e.role == "junction" else _own_junction(drawn, e) for e in ends]
    else:
        old = plain_end(drawn, _junction_of(drawn, bond))
        other = new_junction(drawn, "1", old)
        _repoint(drawn, bond, other.name)
        ends = [old, other] if link.tail == old.name else [other, old]
    if kind in TWO_PORTS:
        own = drawn.name_for(name, f"{kind}1")
        given = first_value(kind, "", 1) if value is None else value
        drawn.add("elements", own, {kind: given, "from": ends[0].name, "to": ends[1].name})
        return own
    own = new_part(drawn, kind, name)
    ports = [port_end(drawn, own, p) for p in ports_of(drawn, own)]
    if len(ports) < 2:
        raise InputError(f"{kind} has no two ports", "bond it to a junction")
    first = next((p for p in ports if not p.outward), ports[0])
    second = next((p for p in ports if p.outward and p != first), None)
    second = second or next(p for p in ports if p != first)
    join(drawn, first, ends[0], towards=False)
    join(drawn, second, ends[1], towards=True)
    return own


def _own_junction(drawn: Drawn, end: End) -> End:
    """A junction that an element is bonded to, which had a bond of its own."""
    made = new_junction(drawn, "1", end)
    join(drawn, end, made, towards=True)
    return made
