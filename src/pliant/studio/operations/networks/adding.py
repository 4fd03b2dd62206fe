"""Networks and their elements: added, and bonded by convention to what they are put on."""

from __future__ import annotations

from typing import Any

from pliant.errors import InputError
from pliant.model.files.names import OWNERS
from pliant.model.networks.elements import TWO_PORTS
from pliant.model.networks.kinds import DOMAINS, MAX_DIM, ONE_PORTS
from pliant.model.validation.references import LEGAL, LETTERS, RESERVED
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.networks.bonding import connect, listed, new_junction
from pliant.studio.operations.networks.drawn import SUBGRAPHS, Drawn, free_name
from pliant.studio.operations.networks.ends import (
    End,
    end_of,
    free_ports,
    is_attachment,
    plain_end,
    port_end,
)
from pliant.studio.operations.networks.entries import (
    JUNCTIONS,
    first_value,
    new_part,
)
from pliant.studio.operations.networks.placing import place_new
from pliant.studio.operations.registry import operation


@operation("network.add")
def add_network(draft: Draft, name: str = "", domain: str = "") -> None:
    """Add a network without elements; with a name such as ``subgraphs.motor`` a sub-graph."""
    if domain not in DOMAINS:
        raise InputError(f"'{domain}' is not a domain", f"known: {', '.join(DOMAINS[1:])}")
    own = name.removeprefix(SUBGRAPHS)
    section = "networks" if own == name else "subgraphs"
    families = OWNERS if section == "networks" else ("subgraphs",)
    taken = {key for s in families if isinstance(draft.at(s), dict) for key in draft.at(s)}
    own = own or free_name("network", taken)
    if not LEGAL.fullmatch(own):
        raise InputError(f"'{own}' is not a legal name", LETTERS)
    if own in RESERVED:
        raise InputError(f"the name '{own}' is reserved", "choose another name")
    if own in taken:
        raise InputError(f"there is '{own}' in the model already", "choose another name")
    draft.insert((section,), own, {"domain": domain} if domain else {})
    draft.open((section, own))
    draft.label = f"add {'network' if section == 'networks' else 'sub-graph'} {own}"
    draft.selection = (own if section == "networks" else SUBGRAPHS + own,)


@operation("network.element")
def add_element(
    draft: Draft, network: str, kind: str, name: str = "", on: str | list[str] = "",
    value: Any = None, at: list[float] | None = None, domain: str = "", dim: int = 1,
    junction: str = "", port: str = "", kind_hint: str = "",
) -> None:  # fmt: skip
    """Add an element of a kind, a part or an attachment to a network, bonded to what it is put on.

    ``junction``: the one that goes between, where it is put on something that is none; ``port``:
    of a part, the one that is bonded first.
    """
    drawn = Drawn(draft, network)
    if not 1 <= dim <= MAX_DIM:
        raise InputError(f"{dim} is not a number of components", f"give 1 to {MAX_DIM}")
    partners, before = listed(on), {*drawn.elements}
    plain = kind in JUNCTIONS or kind in ONE_PORTS or kind in TWO_PORTS
    beside = [end_of(drawn, p, "on") for p in partners if plain or not is_attachment(p)]
    own = _added(drawn, kind, name, value, domain, dim, beside)
    for k, reference in enumerate(partners):
        end = _end(drawn, own.name, port if k == 0 else "", own)
        other = end_of(drawn, reference, "on", end)
        end = _end(drawn, own.name, port if k == 0 else "", other)
        new, second = _order(drawn, end, other, k)
        connect(drawn, new, second, junction=junction, through=kind_hint)
    if any(map(is_attachment, partners)):  # what it is attached to stands before it
        drawn.data["elements"][own.name] = drawn.data["elements"].pop(own.name)
    _valued(drawn, kind, own, value)
    drawn.write()
    added = [n for n in drawn.elements if n not in before]
    added.sort(key=lambda n: n != own.name)
    place_new(drawn, added, at)
    draft.label = f"add {_noun(kind)} {own.name}" + (f" on {', '.join(partners)}" * bool(partners))
    draft.selection = (drawn.full(own.name),)


def _noun(kind: str) -> str:
    return f"{kind}-junction" if kind in JUNCTIONS else kind


def _order(drawn: Drawn, new: End, other: End, k: int) -> tuple[End, End]:
    """Arrows go from what was there to what is new; the second one of several follows it."""
    behind = k > 0 or (new.port and new.outward)
    return (new, other) if behind else (other, new)


def _end(drawn: Drawn, name: str, port: str, partner: End) -> End:
    """The new element, or the port of it that fits."""
    if not drawn.element(name).is_part:
        return plain_end(drawn, name)
    if port:
        return end_of(drawn, f"{name}.{port}", "port")
    free = [port_end(drawn, name, p) for p in free_ports(drawn, name)]
    if not free:
        raise InputError(f"{name} has no free port", "bond it to fewer junctions")
    like = [e for e in free if partner.domain in ("", e.domain) and partner.dim in (0, e.dim)]
    return (like or free)[0]


def _added(
    drawn: Drawn, kind: str, name: str, value: Any, domain: str, dim: int, beside: list[End]
) -> End:
    if kind in JUNCTIONS:
        dim = dim if dim > 1 else 0
        return new_junction(drawn, kind, *beside, domain=domain, dim=dim, name=name)
    if is_attachment(kind):
        own = end_of(drawn, kind, "kind", beside[0] if beside else None)
        return _renamed(drawn, own, name)
    if kind in ONE_PORTS or kind in TWO_PORTS:
        name = drawn.name_for(name, f"{kind}1")
        known = domain or next((e.domain for e in beside if e.domain), "") or drawn.domain
        dim = next((e.dim for e in beside if e.dim), dim)
        given = first_value(kind, known, dim) if value is None else value
        drawn.add("elements", name, {kind: given})
        return plain_end(drawn, name)
    return End(new_part(drawn, kind, name), "part")


def _renamed(drawn: Drawn, end: End, name: str) -> End:
    """A new attachment under the name that is wanted."""
    if not name or name == end.name:
        return end
    name = drawn.name_for(name, end.name)
    entry = drawn.elements[end.name]
    drawn.drop("elements", end.name)
    drawn.add("elements", name, entry)
    return plain_end(drawn, name)


def _valued(drawn: Drawn, kind: str, own: End, value: Any) -> None:
    """The value of a new one-port in the unit of the junction that it is on at last."""
    if value is not None or kind not in ONE_PORTS:
        return
    structure = drawn.structure
    domain = structure.domain(own.name) or drawn.domain
    drawn.say(own.name, kind, first_value(kind, domain, structure.dim(own.name) or 1))
