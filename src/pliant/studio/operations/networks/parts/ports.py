"""Ports of a sub-graph: where it is bonded to what is around its copies."""

from __future__ import annotations

from pliant.errors import InputError, UnknownName
from pliant.model.frozen import did_you_mean
from pliant.model.networks.kinds import ONE_PORTS
from pliant.model.validation.references import LEGAL, LETTERS
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.networks.drawn import Drawn, free_name
from pliant.studio.operations.networks.ends import plain_end
from pliant.studio.operations.registry import operation


@operation("graph.port")
def set_port(
    draft: Draft, network: str, junction: str = "", name: str = "", outward: bool = False
) -> None:
    """Give a sub-graph a port at a junction, or a port of it another junction or direction; without
    a junction the port is removed."""
    drawn = _subgraph(draft, network)
    ports = dict(drawn.data.get("ports") or {})
    if not junction:
        if name not in ports:
            raise UnknownName(f"{drawn.key} has no port '{name}'", did_you_mean(name, ports))
        drawn.drop("ports", name)
        draft.label = f"remove port {name} of {drawn.key}"
    else:
        junction = drawn.local(junction)
        if drawn.element(junction).is_part or plain_end(drawn, junction).role != "junction":
            raise InputError(f"{junction} is not a junction", "a port is at a junction")
        single = {n for n, e in drawn.graph.elements.items() if e.kind in ONE_PORTS}
        name = name or free_name(junction, {*ports, *single})
        if not LEGAL.fullmatch(name):
            raise InputError(f"'{name}' is not a legal name", LETTERS)
        if name in single:
            raise InputError(f"there is an element '{name}' already", "choose another name")
        entry = {"junction": junction, "outward": True} if outward else junction
        drawn.data["ports"] = {**ports, name: entry}
        draft.label = f"port {name} of {drawn.key} at {junction}"
    drawn.write()
    draft.selection = (drawn.full(junction),) if junction else None


def _subgraph(draft: Draft, network: str) -> Drawn:
    drawn = Drawn(draft, network)
    if not drawn.is_subgraph:
        raise InputError(f"{network} is a network: it has no ports",
                         "group its elements into a sub-graph first")  # fmt: skip
    return drawn
