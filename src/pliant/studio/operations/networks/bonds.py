"""Bonds: made, turned round, with a stroke that is forced, and removed."""

from __future__ import annotations

from typing import Any, Literal

from pliant.errors import InputError, UnknownName
from pliant.model.frozen import did_you_mean
from pliant.model.networks.elements import SOURCES, TWO_PORTS
from pliant.records import dataclass
from pliant.studio.operations.draft import Draft, Question
from pliant.studio.operations.networks.bonding import connect, listed
from pliant.studio.operations.networks.drawn import Drawn
from pliant.studio.operations.networks.ends import end_of, is_attachment
from pliant.studio.operations.networks.placing import place_new
from pliant.studio.operations.registry import operation

Way = Literal["one-port", "two-port", "part", "bond"]


@dataclass(frozen=True, slots=True)
class Written:
    """Where in the file a bond stands: under ``key`` of an element, the ``index``-th of a list; or
    as an entry of ``bonds``."""

    way: Way
    name: str
    key: str = ""
    index: int = 0


def written_as(drawn: Drawn, bond: str) -> Written:
    """How a bond is written, by its name; raises UnknownName."""
    name = drawn.local(bond)
    if name in drawn.bonds:
        return Written("bond", name)
    own, _, place = name.rpartition(".")
    if name in drawn.elements and len(listed(drawn.entry(name).get("on"))) == 1:
        return Written("one-port", name, "on")
    if own in drawn.elements and place:
        element = drawn.element(own)
        if element.is_part and place in (drawn.entry(own).get("ports") or {}):
            return Written("part", own, place)
        if place.isdigit() and element.kind in TWO_PORTS:
            tails = listed(drawn.entry(own).get("from"))
            k = int(place) - 1
            if k < len(tails):
                return Written("two-port", own, "from", k)
            if k - len(tails) < len(listed(drawn.entry(own).get("to"))):
                return Written("two-port", own, "to", k - len(tails))
        elif place.isdigit() and int(place) <= len(listed(drawn.entry(own).get("on"))):
            return Written("one-port", own, "on", int(place) - 1)
    known = [*drawn.links]
    raise UnknownName(f"there is no bond '{drawn.full(name)}'", did_you_mean(name, known))


def file_path(drawn: Drawn, bond: Written) -> list[str]:
    """The path of the entry or field that makes a bond."""
    if bond.way == "bond":
        return [*drawn.path, "bonds", bond.name]
    start = [*drawn.path, "elements", bond.name]
    return [*start, "ports", bond.key] if bond.way == "part" else [*start, bond.key]


@operation("bond.connect")
def connect_bond(
    draft: Draft, network: str, a: str, b: str, junction: str = "", kind_hint: str = "",
    at: list[float] | None = None,
) -> None:  # fmt: skip
    """Bond two elements of a network, or one and a joint or frame; the half arrow by convention, of
    junctions from the first to the second."""
    drawn = Drawn(draft, network)
    before = {*drawn.elements}
    if is_attachment(a):
        second = end_of(drawn, b, "b") if not is_attachment(b) else None
        first = end_of(drawn, a, "a", second)
        second = end_of(drawn, b, "b", first)
    else:
        first = end_of(drawn, a, "a", _known(drawn, b))
        second = end_of(drawn, b, "b", first)
    connect(drawn, first, second, junction=junction, through=kind_hint)
    drawn.write()
    new = [n for n in drawn.elements if n not in before]
    place_new(drawn, new, at)
    draft.label = f"bond {first.said} to {second.said}"
    draft.selection = (drawn.full(new[0]),) if new else (drawn.full(first.name),)


def _known(drawn: Drawn, reference: str) -> Any:
    """The other end, as far as it is no question which one is meant."""
    if is_attachment(reference):
        return None
    try:
        return end_of(drawn, reference, "b")
    except Question:
        return None


@operation("bond.remove")
def remove_bond(draft: Draft, network: str, bond: str) -> None:
    """Remove a bond; the elements at its ends stay."""
    drawn = Drawn(draft, network)
    link = drawn.links.get(drawn.local(bond))
    unbond(drawn, written_as(drawn, bond))
    drawn.write()
    ends = f" {link.tail} – {link.head}" if link else ""
    draft.label = f"remove bond{ends or ' ' + bond}"
    draft.selection = ()


def unbond(drawn: Drawn, bond: Written) -> None:
    """Without a bond."""
    if bond.way == "bond":
        drawn.drop("bonds", bond.name)
        return
    entry = drawn.entry(bond.name)
    if bond.way == "part":
        ports = {k: v for k, v in entry["ports"].items() if k != bond.key}
        drawn.say(bond.name, "ports", ports or None)
        return
    left = listed(entry.get(bond.key))
    del left[bond.index]
    drawn.say(bond.name, bond.key, None if not left else left[0] if len(left) == 1 else left)


@operation("bond.reverse")
def reverse_bond(draft: Draft, network: str, bond: str, turn: bool = False) -> None:
    """Turn the half arrow of a bond round. At one-ports it goes by convention.

    ``turn``: a two-port is turned round with both its bonds, a port in its sub-graph.
    """
    drawn = Drawn(draft, network)
    own = written_as(drawn, bond)
    if own.way == "bond":
        _swap(drawn, own.name)
    elif own.way == "one-port":
        raise InputError(one_port_convention(drawn, own.name), "change the sign of its value")
    elif not turn:
        raise _turning(drawn, own)
    elif own.way == "two-port":
        entry = drawn.entry(own.name)
        tails, heads = entry.get("from"), entry.get("to")
        drawn.say(own.name, "to", None)
        drawn.say(own.name, "from", heads)
        drawn.say(own.name, "to", tails, ("from",))
    else:
        _turn_port(draft, drawn, own)
    drawn.write()
    draft.label = f"reverse bond {drawn.local(bond)}"


def one_port_convention(drawn: Drawn, name: str) -> str:
    """Which way the arrow of a one-port goes, in words."""
    kind = drawn.element(name).kind
    way = "leave" if kind in SOURCES else "enter"
    return f"half arrows {way} {kind} elements by convention, so does that of {name}"


def _swap(drawn: Drawn, name: str) -> None:
    bond = dict(drawn.bonds[name])
    items = {"from": bond.get("to"), "to": bond.get("from")}
    drawn.data["bonds"][name] = {k: items.get(k, v) for k, v in bond.items()}
    drawn.changed()


def _turning(drawn: Drawn, bond: Written) -> InputError:
    name = bond.name
    if bond.way == "two-port":
        kind = drawn.element(name).kind
        what = f"half arrows enter a {kind} at side 1 (from) and leave it at side 2 (to)"
        choice = f"Turn {name} round: swap its sides"
        return Question(f"{what}. Turn {name} round?", [(choice, {"turn": True})],
                        (drawn.full(name),))  # fmt: skip
    subgraph = drawn.structure.parts[name]
    what = f"the sub-graph {subgraph.name} says which way the arrow of its port {bond.key} goes"
    if subgraph.name not in drawn.model.subgraphs or isinstance(drawn.entry(name)["part"], dict):
        return InputError(what, "it is not in this file")
    label = f"Change {subgraph.name}, and all its copies"
    return Question(f"{what}. Change it there?", [(label, {"turn": True})],
                    (drawn.full(name),))  # fmt: skip


def _turn_port(draft: Draft, drawn: Drawn, bond: Written) -> None:
    subgraph = drawn.structure.parts[bond.name]
    port, path = subgraph.ports[bond.key], ("subgraphs", subgraph.name, "ports", bond.key)
    if not draft.has(*path):
        raise _turning(drawn, bond)
    draft.put(path, port.junction if port.outward
              else {"junction": port.junction, "outward": True})  # fmt: skip


@operation("bond.stroke")
def force_stroke(draft: Draft, network: str, bond: str, end: str = "") -> None:
    """Force the causal stroke of a bond to its tail or head, the end that receives the effort; or
    leave it to causality again."""
    drawn = Drawn(draft, network)
    own, name = written_as(drawn, bond), drawn.local(bond)
    if end not in ("tail", "head", ""):
        raise InputError(f"a bond has no end '{end}'", "say tail or head")
    if own.way == "bond":
        entry = dict(drawn.bonds[name])
        entry.pop("stroke", None)
        if end:
            entry["stroke"] = entry["from" if end == "tail" else "to"]
        drawn.data["bonds"][name] = entry
    elif own.way == "one-port":
        source = drawn.element(own.name).kind in SOURCES
        at_element = (end == "tail") == source
        drawn.say(own.name, "stroke", ("element" if at_element else "junction") if end else None,
                  ("on", "initial"))  # fmt: skip
    else:
        what = "a part" if own.way == "part" else f"a {drawn.element(own.name).kind}"
        raise InputError(f"the stroke of a bond of {what} cannot be forced",
                         "force that of a bond between junctions, or of a one-port")  # fmt: skip
    drawn.changed()
    drawn.write()
    where = f"at the {end} of" if end else "of"
    draft.label = f"{'force' if end else 'release'} the stroke {where} {name}"
