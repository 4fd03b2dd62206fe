"""From a Model to plain data that reads back as the same model."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pliant.model.bodies import Body
from pliant.model.constraints import Constraint
from pliant.model.drivers import Driver, Driving, JointDriver
from pliant.model.fields import Number, Numbers, kinds_of
from pliant.model.files.elements import FILE_KEYS
from pliant.model.files.reading import VERSION
from pliant.model.forces import ForceElement
from pliant.model.joints import Joint
from pliant.model.model import NETWORKS, Model
from pliant.model.named import NamedFormula
from pliant.model.networks.elements import Element, SubgraphUse, fields_of
from pliant.model.networks.network import Graph, Subgraph
from pliant.model.sensors import Sensor


def plain_graph(graph: Graph) -> dict[str, Any]:
    """A network or sub-graph; what is as by default is left out."""
    data: dict[str, Any] = {
        "description": graph.description,
        "domain": graph.domain,
        "parameters": kinds_of(graph)["parameters"].plain(graph.parameters),
        "elements": {name: plain_element(e) for name, e in graph.elements.items()},
        "bonds": {
            name: {"from": b.tail, "to": b.head, **({"dim": b.dim} if b.dim else {}),
                   **({"stroke": b.stroke} if b.stroke else {})}
            for name, b in graph.bonds.items()
        },
    }  # fmt: skip
    if isinstance(graph, Subgraph):
        data["ports"] = {
            name: {"junction": p.junction, "outward": True} if p.outward else p.junction
            for name, p in graph.ports.items()
        }
    return {key: value for key, value in data.items() if value or key == "elements"}


def plain_element(element: Element) -> dict[str, Any]:
    """An element under the key of its kind; what is as by default is left out."""
    defaults = {f.name: f.default for f in dataclasses.fields(element)}
    out: dict[str, Any] = {}
    for key, (name, kind) in fields_of(element.kind).items():
        value = getattr(element, name)
        if key == element.kind or value != defaults[name]:
            out[key] = kind.plain(value)
    if isinstance(element, SubgraphUse) and element.file:
        out["part"] = {"file": element.file}
    return out


def data_of(model: Model, base: Path | None = None) -> dict[str, Any]:
    """The model as it stands in a file; names of files in the folder `base` become relative."""
    data: dict[str, Any] = {"pliant": VERSION, "name": model.name, "description": model.description}
    data["gravity"] = Numbers(3).plain(model.gravity)
    for key in ("parameters", "speeds"):
        data[key] = {n: Number().plain(f) for n, f in getattr(model, key).items()}
    data["ground"] = _fields(model.ground)
    for section, write in _WRITERS.items():
        data[section] = {n: write(e) for n, e in getattr(model, section).items()}
    if base is not None:
        graphs = [graph for section in NETWORKS for graph in data[section].values()]
        elements = [element for graph in graphs for element in graph["elements"].values()]
        parts = [{"part": element["part"]} for element in elements if "part" in element]
        for owner in (*data["bodies"].values(), *parts):
            _shorten(owner, os.path.abspath(base))
    data["simulate"] = _fields(model.settings)
    data["view"] = _fields(model.view)
    if data["gravity"] == [0, 0, 0]:
        del data["gravity"]
    return {key: value for key, value in data.items() if value not in ("", {})}


def _shorten(body: dict[str, Any], base: str) -> None:
    """Name files relative to the folder of the model file where they lie in it."""
    for owner in (body, body.get("shape", {})):
        for part in owner.values():
            if isinstance(part, dict) and isinstance(part.get("file"), str):
                short = os.path.relpath(part["file"], base)
                part["file"] = part["file"] if short.startswith("..") else short


def _fields(element: Any) -> dict[str, Any]:
    """The fields of an element that differ from their defaults."""
    kinds = kinds_of(element)
    out: dict[str, Any] = {}
    for f in dataclasses.fields(element):
        value, kind = getattr(element, f.name), kinds.get(f.name)
        if kind and (f.default is dataclasses.MISSING or value != kind.convert(f.default)):
            out[f.name] = kind.plain(value)
    return out


def _split(element: Any, outside: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    fields = _fields(element)
    inside = {k: v for k, v in fields.items() if k not in outside}
    return inside, {FILE_KEYS.get(k, k): v for k, v in fields.items() if k in outside}


def _body(body: Body) -> dict[str, Any]:
    inside, outside = _split(body, body.outside)
    if not outside.get("frames", True):
        del outside["frames"]  # a beam has some of itself
    return {body.kind: inside, **outside}


def _acting(force: ForceElement | Constraint | Joint | Driving | Sensor) -> dict[str, Any]:
    inside, outside = _split(force, force.outside)
    ends = {"between": [inside.pop(key) for key in force.pair]} if force.pair else {}
    short = inside.get(force.main, 0) if force.main else None
    return {force.kind: short if force.main else inside, **ends, **outside}


def _driver(driver: Driver) -> dict[str, Any]:
    if isinstance(driver, Driving):
        return _acting(driver)
    fields = {k: kind.plain(getattr(driver, k)) for k, kind in kinds_of(driver).items()}
    level = fields.pop("level")
    if isinstance(driver, JointDriver):
        fields[level] = fields.pop("motion")
    else:
        fields[level] = fields.pop("translation")
        fields[f"angular_{level}"] = fields.pop("angular")
    return {k: v for k, v in fields.items() if v is not None}


def _named(formula: NamedFormula) -> Any:
    fields = _fields(formula)
    return fields if formula.unit else fields["formula"]


_WRITERS: dict[str, Callable[[Any], Any]] = {
    "formulas": _named,
    "materials": _fields,
    "bodies": _body,
    "joints": _acting,
    "forces": _acting,
    "drivers": _driver,
    "constraints": _acting,
    "sensors": _acting,
    "signals": lambda s: {"times": list(s.times), "values": list(s.values), **_fields(s)},
    "events": _fields,
    "networks": plain_graph,
    "subgraphs": plain_graph,
    "outputs": _named,
}
