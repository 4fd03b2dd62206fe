"""Networks and sub-graphs as they stand in files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.model.fields import plain_number
from pliant.model.networks.elements import (
    ONE_PORTS,
    Element,
    FramePort,
    JointPort,
    Junction,
    OnePort,
    Part,
    TwoPort,
)
from pliant.model.networks.entries import Entries, plain_entries
from pliant.model.networks.network import Graph, Subgraph


def plain_graph(graph: Graph) -> dict[str, Any]:
    """A network or sub-graph; what is as by default is left out."""
    parameters = {
        name: None if f is None else plain_number(f) for name, f in graph.parameters.items()
    }
    data: dict[str, Any] = {
        "description": graph.description,
        "domain": graph.domain,
        "parameters": parameters,
        "elements": {name: plain_element(e) for name, e in graph.elements.items()},
        "bonds": {
            name: _kept({"from": b.tail, "to": b.head, "dim": b.dim, "stroke": b.stroke})
            for name, b in graph.bonds.items()
        },
    }
    if isinstance(graph, Subgraph):
        data["ports"] = {
            name: {"junction": p.junction, "outward": True} if p.outward else p.junction
            for name, p in graph.ports.items()
        }
    return {key: value for key, value in data.items() if value or key == "elements"}


def plain_element(element: Element) -> dict[str, Any]:
    """An element under the key of its kind."""
    if isinstance(element, Junction):
        dim = element.dim if element.dim > 1 else None
        return {"junction": element.common, **_kept({"dim": dim, "domain": element.domain})}
    if isinstance(element, JointPort):
        return _kept({"joint": element.joint, "coordinate": element.coordinate})
    if isinstance(element, FramePort):
        direction = element.direction and [plain_number(f) for f in element.direction]
        return _kept(
            {"frame": element.frame, "direction": direction, "rotation": element.rotation or None}
        )
    if isinstance(element, OnePort):
        return _one_port(element)
    return _two_port(element) if isinstance(element, TwoPort) else _part(element)


def _one_port(element: OnePort) -> dict[str, Any]:
    about = ONE_PORTS[element.kind]
    more = {
        "on": _one_or_all(element.on),
        "initial": _bare(element.initial, about.initial[0]) if about.initial else None,
        "stroke": element.stroke,
        "domain": element.domain,
    }
    return {element.kind: _bare(element.law, about.main), **_kept(more)}


def _bare(values: Mapping[str, Entries], main: str) -> Any:
    """The main value alone, or all by name."""
    plain = {name: plain_entries(value) for name, value in values.items()}
    return plain[main] if list(plain) == [main] else plain


def _two_port(element: TwoPort) -> dict[str, Any]:
    matrix, inverse = element.matrix, element.inverse
    more = {
        "from": _one_or_all(element.tails),
        "to": _one_or_all(element.heads),
        "inverse": inverse
        if inverse is None or isinstance(inverse, str)
        else plain_entries(inverse),
    }
    return {element.kind: {} if matrix is None else plain_entries(matrix), **_kept(more)}


def _part(element: Part) -> dict[str, Any]:
    more = {
        "with": {name: plain_number(f) for name, f in element.parameters.items()},
        "ports": dict(element.ports),
    }
    return {"part": {"file": element.file} if element.file else element.part, **_kept(more)}


def _one_or_all(names: tuple[str, ...]) -> Any:
    return names[0] if len(names) == 1 else list(names)


def _kept(values: dict[str, Any]) -> dict[str, Any]:
    """Without what is empty; 0 is a value."""
    return {key: value for key, value in values.items() if value not in (None, "", [], {})}
