"""The JSON Schema of networks and sub-graphs, from the same tables that files are read with."""

from __future__ import annotations

from typing import Any

from pliant.model.networks.domains import DOMAINS
from pliant.model.networks.elements import ONE_PORTS, STROKES, TWO_PORTS, OnePortKind
from pliant.model.networks.reading import KEYS, MAX_DIM

Schema = dict[str, Any]
_NUMBER: Schema = {"$ref": "#/$defs/number"}
_NAME: Schema = {"$ref": "#/$defs/name"}
_NAMES: Schema = {"$ref": "#/$defs/names"}
_ENTRIES: Schema = {"$ref": "#/$defs/entries"}
_DIM: Schema = {"type": "integer", "minimum": 1, "maximum": MAX_DIM}
_DOMAIN: Schema = {"enum": [d for d in DOMAINS if d]}
_TEXT: Schema = {"type": "string"}
_EMPTY: Schema = {"anyOf": [{"type": "null"}, {"type": "object", "maxProperties": 0}]}


def network_definitions() -> dict[str, Schema]:
    """What the schemas of networks refer to."""
    row = {"type": "array", "items": _NUMBER, "minItems": 1}
    bond = _object({"from": _TEXT, "to": _TEXT, "dim": _DIM, "stroke": _TEXT}, ["from", "to"])
    return {
        "names": {"anyOf": [_NAME, {"type": "array", "items": _NAME}]},
        "entries": {
            "description": "a number, a list of numbers, or the rows of a matrix",
            "anyOf": [_NUMBER, row, {"type": "array", "items": row, "minItems": 1}],
        },
        "network_elements": _named({"anyOf": [_element(kind) for kind in KEYS]}),
        "network_bonds": _named(bond),
    }


def network_schema() -> Schema:
    """A network."""
    return _object({**_common(_named(_NUMBER)), **_elements()}, ["elements"])


def subgraph_schema() -> Schema:
    """A sub-graph: a network with ports, whose parameters may be left open."""
    open_number = {"anyOf": [_NUMBER, {"type": "null"}]}
    port = _object({"junction": _NAME, "outward": {"type": "boolean"}}, ["junction"])
    ports = _named({"anyOf": [_NAME, port]})
    return _object({**_common(_named(open_number)), **_elements(), "ports": ports}, ["elements"])


def _common(parameters: Schema) -> dict[str, Schema]:
    return {"description": _TEXT, "domain": _DOMAIN, "parameters": parameters}


def _elements() -> dict[str, Schema]:
    return {key: {"$ref": f"#/$defs/network_{key}"} for key in ("elements", "bonds")}


def _element(kind: str) -> Schema:
    values = {
        "dim": _DIM, "domain": _DOMAIN, "on": _NAMES, "from": _NAMES, "to": _NAMES,
        "stroke": {"enum": list(STROKES)}, "coordinate": _TEXT, "rotation": {"type": "boolean"},
        "direction": {"$ref": "#/$defs/vector"}, "with": _named(_NUMBER), "ports": _named(_NAME),
        "inverse": {"anyOf": [{"const": "transpose"}, _ENTRIES]},
        "initial": _initial(kind), kind: _value(kind),
    }  # fmt: skip
    return _object({key: values[key] for key in KEYS[kind]}, [kind])


def _value(kind: str) -> Schema:
    """What stands under the key of the kind."""
    if kind in ONE_PORTS:
        return _law(ONE_PORTS[kind])
    if kind in TWO_PORTS:
        return _EMPTY if kind == "SUM" else _ENTRIES
    special: dict[str, Schema] = {
        "junction": {"enum": [0, 1, "0", "1"]},
        "joint": {"$ref": "#/$defs/joint_reference"},
        "frame": {"$ref": "#/$defs/frame_reference"},
        "part": {"anyOf": [_TEXT, _object({"file": _TEXT}, ["file"])]},
    }
    return special[kind]


def _law(about: OnePortKind) -> Schema:
    if not about.main:
        return _EMPTY
    laws = _object(dict.fromkeys(about.laws, _ENTRIES))
    return {"anyOf": [_ENTRIES, laws | {"minProperties": 1, "maxProperties": 2}]}


def _initial(kind: str) -> Schema:
    allowed = ONE_PORTS[kind].initial if kind in ONE_PORTS else ()
    named = _object(dict.fromkeys(allowed, _ENTRIES))
    return {"anyOf": [_ENTRIES, named | {"maxProperties": 1}]}


def _named(value: Schema) -> Schema:
    return {"type": "object", "propertyNames": _NAME, "additionalProperties": value}


def _object(properties: dict[str, Schema], required: list[str] | None = None) -> Schema:
    out: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return out | ({"required": required} if required else {})
