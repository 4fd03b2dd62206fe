"""What may follow an element that is dragged into the free, and what it may be bonded to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.networks.kinds import DOMAINS
from pliant.studio.operations.draft import Question
from pliant.studio.operations.networks.bonding import listed, needs_junction, objection
from pliant.studio.operations.networks.drawn import Drawn
from pliant.studio.operations.networks.ends import End, end_of, plain_end, port_end
from pliant.studio.operations.networks.entries import JUNCTIONS
from pliant.studio.operations.networks.palette import (
    KINDS,
    Choice,
    choice,
    part_choices,
    sentence_of,
)

_FIRST = ("Se", "R", "I", "C", "GY", "TF", "0", "1", "Sf")
"""What mostly follows a junction, in this order; the other kinds come behind the parts."""
_TWIN = {"electrical": "rotation", "rotation": "translation", "translation": "rotation",
         "hydraulic": "translation", "thermal": "electrical"}  # fmt: skip
"""The domain that mostly is on the other side of a two-port."""


def followers(drawn: Drawn, reference: str, files: list[str] | None = None) -> list[Choice]:
    """What may follow, the likeliest first. Each is taken by ``network.element`` with its kind, its
    ``arguments``, and ``on``: where it was dragged from. ``files``: components below the root."""
    end = _end(drawn, reference)
    if end.role == "junction":
        found = [*_on_junction(drawn, end, files or [])]
    elif end.role == "two-port":
        found = [*_beyond_two_port(drawn, end)]
    else:
        found = [*_beyond(drawn, end)]
    return [{**one, "arguments": {"on": reference, **one["arguments"]}} for one in found]


def _end(drawn: Drawn, reference: str) -> End:
    """Where it is dragged from; of a part without a port the first one that is free."""
    try:
        return end_of(drawn, reference, "name")
    except Question as question:
        (_, more), *_ = question.choices
        return end_of(drawn, more["name"], "name")


def _on_junction(drawn: Drawn, end: End, files: list[str]) -> Iterator[Choice]:
    common = "1" if is_one(drawn, end.name) else "0"
    first = [k for k in _FIRST if k not in JUNCTIONS]
    other = "0" if common == "1" else "1"
    for kind in (*first[:-1], other, common, *first[-1:]):
        yield choice(kind, end.domain)
    for part in part_choices(drawn, files):
        port = next((p["name"] for p in part["ports"] if _like(end, p)), None)
        if port is not None:
            yield {**part, "domain": end.domain, "arguments": {"port": port}}
    for kind in (k for k in KINDS if k not in _FIRST):
        yield choice(kind, end.domain)


def is_one(drawn: Drawn, name: str) -> bool:
    """Whether a junction has a common flow."""
    place = drawn.structure.places.get(name)
    return place is None or place.common == 1


def _like(end: End, port: Mapping[str, Any]) -> bool:
    """Whether a port of a part may be bonded to a junction."""
    return port["dim"] in (0, end.dim) and (
        "" in (port["domain"], end.domain) or port["domain"] == end.domain
    )


def _beyond_two_port(drawn: Drawn, end: End) -> Iterator[Choice]:
    """A junction in any domain: first that of the other side, or its usual partner."""
    structure, kind = drawn.structure, drawn.element(end.name).kind
    here = next((link.domain for link in structure.attached(end.name) if link.domain), "")
    here = here or drawn.domain
    usual = _TWIN.get(here, here) if kind in ("GY", "MGY") else here
    domains = [d for d in dict.fromkeys((usual, here, *DOMAINS)) if d]
    for domain in domains:
        for common in JUNCTIONS:
            yield choice(common, domain, domain=domain)
    yield from _attachments(drawn, "")


def _beyond(drawn: Drawn, end: End) -> Iterator[Choice]:
    """A junction, or what stands on one that is put between."""
    for common in JUNCTIONS:
        yield choice(common, end.domain)
    yield from _attachments(drawn, end.domain)
    if end.role == "one-port" and drawn.structure.attached(end.name):
        return
    for kind in ("R", "I", "C", "Se", "Sf", "GY", "TF"):
        words = f"{sentence_of(kind, end.domain)}, on a junction between"
        yield choice(kind, end.domain, words)


def _attachments(drawn: Drawn, domain: str) -> Iterator[Choice]:
    """Joints of the mechanism whose coordinates are of the domain."""
    if drawn.is_subgraph:
        return
    for name, joint in drawn.model.joints.items():
        for c in joint.scalars:
            own = "rotation" if c.unit == "rad" else "translation"
            if domain in ("", own):
                kind = f"joint:{name}" + (f".{c.name}" if len(joint.scalars) > 1 else "")
                yield {"kind": kind, "title": f"joint {name}, {c.name}", "domain": own,
                       "sentence": f"attached to the {c.name} of joint {name}",
                       "symbol": "1", "arguments": {}}  # fmt: skip


# -- while dragging to another element


def bondable(drawn: Drawn, reference: str) -> list[dict[str, Any]]:
    """For every other element, and every port of a part, whether it may be bonded; if not, why."""
    try:
        first = end_of(drawn, reference, "a")
    except Question:
        first = None
    except InputError as error:
        return [{"name": n, "may": False, "why": error.what} for n in drawn.elements]
    own = first.name if first is not None else drawn.local(reference)
    found = []
    for name in drawn.elements:
        if name == own or name not in drawn.graph.elements:
            if name != own:
                found.append(_said(name, False, "it cannot be read: repair its text first"))
            continue
        if not drawn.graph.elements[name].is_part:
            found.append(_pair(drawn, first, own, plain_end(drawn, name), name))
            continue
        ends = [port_end(drawn, name, p) for p in _ports(drawn, name)]
        pairs = [_pair(drawn, first, own, e, f"{name}.{e.port}") for e in ends]
        may = next((p for p in pairs if p["may"]), None)
        why = pairs[0]["why"] if pairs else "it has no ports"
        found.append(_said(name, may is not None, "" if may else why, may["note"] if may else ""))
        found += pairs
    return found


def _ports(drawn: Drawn, name: str) -> list[str]:
    return [*drawn.structure.parts[name].ports] if name in drawn.structure.parts else []


def _pair(drawn: Drawn, first: End | None, own: str, other: End, name: str) -> dict[str, Any]:
    if first is not None:
        return _judged(drawn, first, other, name)
    tried = [_judged(drawn, port_end(drawn, own, p), other, name) for p in _ports(drawn, own)]
    return next((t for t in tried if t["may"]), tried[0] if tried else _said(name, False, ""))


def _judged(drawn: Drawn, a: End, b: End, name: str) -> dict[str, Any]:
    wrong = objection(drawn, a, b)
    if wrong is None:
        return _said(name, True, "", _note(drawn, a, b))
    unlike = a.role == b.role == "junction" and "put a TF or GY" in wrong[1]
    if unlike:
        return _said(name, True, "", f"{wrong[0]}: a TF or GY goes between")
    return _said(name, False, wrong[0])


def _note(drawn: Drawn, a: End, b: End) -> str:
    """What the bond will be, where that is not plain."""
    if needs_junction(a, b):
        return "a junction goes between"
    one = a if a.role == "one-port" else b if b.role == "one-port" else None
    known = listed(drawn.entry(one.name).get("on")) if one is not None else []
    return f"{one.name} becomes a field on {len(known) + 1} junctions" if one and known else ""


def _said(name: str, may: bool, why: str, note: str = "") -> dict[str, Any]:
    return {"name": name, "may": may, "why": why, "note": note}
