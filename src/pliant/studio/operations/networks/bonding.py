"""What may be bonded, and how a bond is written: under ``on``, ``from`` and ``to``, ``ports`` or
``bonds``; a junction is put between two elements without one."""

from __future__ import annotations

from typing import Any

from pliant.errors import InputError
from pliant.model.networks.kinds import DOMAINS
from pliant.studio.operations.draft import Question
from pliant.studio.operations.networks.drawn import Drawn
from pliant.studio.operations.networks.ends import End, fits
from pliant.studio.operations.networks.entries import JUNCTIONS, first_value, junction_entry

Objection = tuple[str, str]
"""Why not, and the cure."""
SERIES, PARALLEL = "1: one flow for both, in series", "0: one effort for both, in parallel"
_SIDES = {"from": 1, "to": 2}


def objection(drawn: Drawn, a: End, b: End) -> Objection | None:
    """Why two elements may not be bonded; None if they may, if need be by a junction between."""
    if a.name == b.name:
        return f"{a.name} cannot be bonded to itself", "choose another element"
    if a.role == b.role == "junction":
        return _between_junctions(drawn, a, b)
    for one, other in ((a, b), (b, a)):
        taken = _taken(drawn, one, other)
        if taken is not None:
            return taken
    if "two-port" not in (a.role, b.role) and not fits(a, b):
        return _unlike(a, b)
    return None


def _taken(drawn: Drawn, end: End, other: End) -> Objection | None:
    """Why an element takes no further bond, at least not with that one."""
    entry = drawn.entry(end.name)
    if end.role == "two-port" and _side(drawn, end.name, "to") is None:
        return f"both sides of {end.name} are bonded already", "remove one of its bonds first"
    if end.port and end.port in (entry.get("ports") or {}):
        known = entry["ports"][end.port]
        return f"{end.said} is joined to {known} already", "remove that bond first"
    if end.role == "one-port":
        if other.role == "junction" and other.name in listed(entry.get("on")):
            return f"{end.name} is on {other.name} already", "choose another junction"
        if other.role != "junction" and drawn.structure.attached(end.name):
            return f"{end.name} is bonded already", "bond to its junction"
    return None


def _between_junctions(drawn: Drawn, a: End, b: End) -> Objection | None:
    for link in drawn.structure.links:
        if {link.tail, link.head} == {a.name, b.name}:
            return f"{a.name} and {b.name} are bonded already", "choose another junction"
    return None if fits(a, b) else _unlike(a, b)


def _unlike(a: End, b: End) -> Objection:
    cure = "put a TF or GY between them"
    if a.dim and b.dim and a.dim != b.dim:
        return f"{a.said} has {_components(a.dim)}, {b.said} has {b.dim}", cure
    return f"{a.said} is {a.domain}, {b.said} is {b.domain}", cure


def _components(count: int) -> str:
    return f"{count} component{'' if count == 1 else 's'}"


def needs_junction(a: End, b: End) -> bool:
    """Whether neither of two elements is a junction."""
    return "junction" not in (a.role, b.role)


def connect(
    drawn: Drawn, a: End, b: End, *, junction: str = "", through: str = "",
    asking: tuple[str, str] = ("junction", "kind_hint"),
) -> list[str]:  # fmt: skip
    """Bond two elements, the half arrow by convention, or from a to b. ``junction``: what is put
    between if neither is one; ``through``: the two-port between unlike junctions. Both are asked
    for under the names ``asking``. New elements are returned."""
    wrong = objection(drawn, a, b)
    unlike = wrong is not None and not fits(a, b) and _unlike(a, b) == wrong
    if unlike and a.role == b.role == "junction" and wrong is not None:
        return _by_two_port(drawn, a, b, through, wrong[0], asking[1])
    if wrong is not None:
        raise InputError(*wrong)
    if needs_junction(a, b):
        return _by_junction(drawn, a, b, junction, asking[0])
    if a.role == b.role:
        drawn.add("bonds", bond_name(drawn, a.name, b.name), {"from": a.name, "to": b.name})
    else:
        join(drawn, *((b, a) if a.role == "junction" else (a, b)), towards=a.role != "junction")
    return []


def _by_junction(drawn: Drawn, a: End, b: End, junction: str, argument: str) -> list[str]:
    if junction not in JUNCTIONS:
        raise Question(
            f"A junction goes between {a.said} and {b.said}. Which?",
            [(SERIES, {argument: "1"}), (PARALLEL, {argument: "0"})],
            (drawn.full(a.name), drawn.full(b.name)),
        )
    middle = new_junction(drawn, junction, a, b)
    join(drawn, a, middle, towards=True)
    join(drawn, b, middle, towards=False)
    return [middle.name]


def _by_two_port(drawn: Drawn, a: End, b: End, through: str, what: str, argument: str) -> list[str]:
    if through not in ("TF", "GY"):
        raise Question(f"{what}. What goes between them?",
                       [("TF: flow to flow", {argument: "TF"}),
                        ("GY: flow to effort", {argument: "GY"})],
                       (drawn.full(a.name), drawn.full(b.name)))  # fmt: skip
    name = drawn.free(f"{through}1")
    value = first_value(through, "", 1)
    if a.dim != b.dim:
        value = [[int(i == k) for k in range(a.dim)] for i in range(b.dim)]
    drawn.add("elements", name, {through: value, "from": a.name, "to": b.name})
    return [name]


def new_junction(
    drawn: Drawn, common: str, *beside: End, domain: str = "", dim: int = 0, name: str = ""
) -> End:
    """A junction with the domain and dimension of what it is bonded to."""
    domain = domain or next((e.domain for e in beside if e.domain), "") or drawn.domain
    dim = dim or next((e.dim for e in beside if e.dim), 1)
    if domain not in DOMAINS:
        raise InputError(f"'{domain}' is not a domain", f"known: {', '.join(DOMAINS[1:])}")
    name = drawn.name_for(name, "j1")
    drawn.add("elements", name, junction_entry(drawn, common, domain, dim))
    return End(name, "junction", domain, dim)


def join(drawn: Drawn, end: End, junction: End, towards: bool) -> None:
    """Bond an element to a junction; ``towards``: the arrow of a two-port enters the junction."""
    name, entry = end.name, drawn.entry(end.name)
    if end.role == "one-port":
        on = [*listed(entry.get("on")), junction.name]
        drawn.say(name, "on", on[0] if len(on) == 1 else on)
    elif end.role == "two-port":
        side = _side(drawn, name, "to" if towards else "from")
        if side is None:
            raise InputError(f"both sides of {name} are bonded already", "remove a bond first")
        known = [*listed(entry.get(side)), junction.name]
        drawn.say(name, side, known[0] if len(known) == 1 else known, ("from",))
    else:
        ports = {**(entry.get("ports") or {}), end.port: junction.name}
        drawn.say(name, "ports", ports, ("part", "with"))


def _side(drawn: Drawn, name: str, wanted: str) -> str | None:
    """The side of a two-port that takes a bond: the one that is wanted, or whichever is free."""
    sides = [wanted, "from" if wanted == "to" else "to"]
    free = [s for s in sides if not drawn.structure.side_dim(name, _SIDES[s])
            and not listed(drawn.entry(name).get(s))]  # fmt: skip
    if drawn.element(name).kind == "SUM" and (wanted == "from" or not free):
        return "from"
    return free[0] if free else None


def bond_name(drawn: Drawn, a: str, b: str) -> str:
    """`ab`, `mesh_node`."""
    return drawn.free(f"{a}{b}" if len(a) == len(b) == 1 else f"{a}_{b}")


def listed(value: Any) -> list[str]:
    """One name or several, as a list."""
    if value is None or value == "":
        return []
    return [str(v) for v in value] if isinstance(value, list) else [str(value)]
