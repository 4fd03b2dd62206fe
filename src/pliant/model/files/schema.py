"""The JSON Schema of model files, from the declarations of elements and the tables of networks.

`python -m pliant.model.files.schema` writes it to `schema-1.json`, which ships with the package.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Collection, Mapping
from typing import Any

from pliant.model.bodies import BODIES, Ground, RigidBody
from pliant.model.bodies.base import COLOURS, HEX
from pliant.model.bodies.beam_shapes import functions_schema
from pliant.model.bodies.elastic import Material, damping_schema
from pliant.model.bodies.shapes import DRAWINGS, SHAPES, SIZES, required_keys
from pliant.model.constraints import CONSTRAINTS
from pliant.model.drivers import DRIVERS, LEVELS, Driving
from pliant.model.events import Event
from pliant.model.fields import Number, Numbers, described, kinds_of
from pliant.model.files import SCHEMA
from pliant.model.files.elements import FILE_KEYS
from pliant.model.files.reading import VERSION
from pliant.model.forces import FORCES
from pliant.model.joints import JOINTS
from pliant.model.named import NamedFormula
from pliant.model.networks.elements import KINDS, fields_of
from pliant.model.networks.kinds import Components, Domain
from pliant.model.sensors import SENSORS
from pliant.model.settings import Settings
from pliant.model.view import View

Schema = dict[str, Any]
_NUMBER: Schema = {"$ref": "#/$defs/number"}
_VECTOR: Schema = {"$ref": "#/$defs/vector"}
_PLACE: Schema = Numbers(3, ("m",)).schema()
_NAME: Schema = {"$ref": "#/$defs/name"}
_NAMES: Schema = {"$ref": "#/$defs/names"}
_TEXT: Schema = {"type": "string"}


def schema() -> Schema:
    """The whole schema."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:pliant:model:{VERSION}",
        "title": "Pliant model file",
        "description": "A multibody system. Numbers are SI, or texts: formulas, or quantities "
        'with a unit such as "210 GPa".',
        **_object(_sections(), ["pliant"]),
        "$defs": _definitions(),
    }


def _sections() -> dict[str, Schema]:
    named = {"anyOf": [_NUMBER, _object(_properties(NamedFormula), ["formula"])],
             "short": "formula"}  # fmt: skip
    event = {"anyOf": [_TEXT, _object(_properties(Event), ["when"])], "short": "when"}
    return {
        "pliant": {"const": VERSION, "description": "version of the file format"},
        "name": _TEXT | {"description": "name of the model"},
        "description": _TEXT | {"description": "what the model is about"},
        "gravity": Numbers(3, ("m/s^2",)).schema()
        | {"description": "acceleration of gravity, world axes; default none"},
        "parameters": _named(_NUMBER, "named numbers; formulas may read other parameters"),
        "formulas": _named(named, "formulas that other formulas read by their names"),
        "materials": _named(_fields(Material), "elastic materials"),
        "ground": _fields(Ground) | {"description": "the world and its frames"},
        "bodies": _named({"anyOf": [_body(k) for k in (*BODIES, *SHAPES)]}, "bodies"),
        "joints": _named(_kinds(JOINTS), "joints and constraints"),
        "forces": _named(_kinds(FORCES), "forces and actuators"),
        "drivers": _named({"anyOf": _drivers()}, "prescribed motions"),
        "constraints": _named(_kinds(CONSTRAINTS), "constraints on positions and velocities"),
        "sensors": _named(_kinds(SENSORS), "what is told of the motion beside everything else"),
        "speeds": _named(_NUMBER, "generalised speeds of Kane's equations, as formulas"),
        "signals": _named({"anyOf": _signals()}, "data of time"),
        "networks": _named(network_schema(), "bond graphs in any energy domain"),
        "subgraphs": {
            "type": "object",
            "description": "bond graphs with ports, of which networks hold copies",
            "propertyNames": {"pattern": "^[A-Za-z][A-Za-z0-9_-]*$"},
            "additionalProperties": subgraph_schema(),
        },
        "outputs": _named(named, "observables defined by formulas"),
        "events": _named(event, "named zero crossings"),
        "stop": _named(event, "conditions that end the run"),
        "simulate": _fields(Settings) | {"description": "how the model is run"},
        "view": _fields(View) | {"description": "how the model is drawn; nothing to physics"},
    }


def _object(properties: dict[str, Schema], required: Collection[str] = ()) -> Schema:
    out: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return out | ({"required": list(required)} if required else {})


def _named(value: Schema, description: str = "") -> Schema:
    about = {"description": description} if description else {}
    return {"type": "object", **about, "propertyNames": _NAME, "additionalProperties": value}


def _properties(cls: Any, keys: Collection[str] | None = None) -> dict[str, Schema]:
    """The schemas of the fields of a class, under the names files use."""
    return {FILE_KEYS.get(k, k): own for k, own in described(cls, keys).items()}


def _required(cls: Any, keys: Collection[str]) -> list[str]:
    missing = dataclasses.MISSING
    needed = [f.name for f in dataclasses.fields(cls) if f.default is missing and f.name in keys]
    return [FILE_KEYS.get(k, k) for k in needed]


def _fields(cls: Any, required: Collection[str] = ()) -> Schema:
    return _object(_properties(cls), required)


def _body(kind: str) -> Schema:
    cls = BODIES.get(kind, RigidBody)
    inside = [k for k in kinds_of(cls) if k not in cls.outside]
    if kind in BODIES:
        content = _object(_properties(cls, inside), _required(cls, inside))
        content = {"anyOf": [content, _TEXT], "short": "file"} if kind == "modes" else content
        if kind == "beam":
            content |= {"anyOf": [{"required": [key]} for key in ("length", "axis")]}
    else:
        content = _shape(kind)
    return _object({kind: content} | _properties(cls, cls.outside), [kind])


def _shape(kind: str) -> Schema:
    """A body given by its shape: numbers, except the few words and lists."""
    parameters = SHAPES[kind].sizes
    properties = {k: SIZES.get(k, Number("")).schema() for k in parameters}
    for key, p in parameters.items():
        if p.default not in (p.empty, None):
            properties[key] = properties[key] | {"default": p.default}
    properties["com"] = _PLACE | {"description": "centre of mass, in the body frame"}
    content = _object(properties, [k for k, p in parameters.items() if p.default is p.empty])
    short = {"anyOf": [content, properties["mass"]], "short": "mass"}
    return short if kind == "point" else content


_AXIS: Schema = {"enum": ["x", "y", "z"]}


def _kinds(registry: Mapping[str, Any]) -> Schema:
    return {"anyOf": [_acting(cls) for cls in registry.values()]}


def _acting(cls: Any) -> Schema:
    kind = cls.kind
    inside = [k for k in kinds_of(cls) if k not in (*cls.outside, *cls.pair)]
    content = _object(_properties(cls, inside), _required(cls, inside))
    if cls.main:
        main = kinds_of(cls)[cls.main].schema()
        content = {"anyOf": [main, content], "short": cls.main}
    elif cls in (*JOINTS.values(), *SENSORS.values()) and not content.get("required"):
        content = {"anyOf": [content, {"type": "null"}]}
    between = {"between": {"$ref": "#/$defs/between"}} if cls.pair else {}
    content |= {"description": (inspect.getdoc(cls) or "").split("\n")[0]}
    properties = {kind: content, **between, **_properties(cls, cls.outside)}
    return _object(properties, [kind, *_required(cls, cls.outside), *between])


def _drivers() -> list[Schema]:
    joint = {
        "type": "object",
        "description": "joint, and one motion: a level or the name of a coordinate",
        "properties": {"joint": {"$ref": "#/$defs/joint_reference"}, "coordinate": _TEXT},
        "required": ["joint"],
        "additionalProperties": _NUMBER,
        "minProperties": 2,
        "maxProperties": 3,
        "not": {"required": ["frame"]},
    }
    partial = {"$ref": "#/$defs/partial_vector"}
    frame = _object(
        {
            "frame": {"$ref": "#/$defs/frame_reference"},
            **dict.fromkeys(LEVELS, partial),
            "orientation": {"$ref": "#/$defs/orientation"},
            "angular_velocity": _VECTOR,
            "angular_acceleration": _VECTOR,
        },
        ["frame"],
    )
    others = [_acting(cls) for cls in DRIVERS.values() if issubclass(cls, Driving)]
    return [joint, frame | {"minProperties": 2}, *others]


def _signals() -> list[Schema]:
    numbers = {"type": "array", "items": {"type": "number"}, "minItems": 2}
    pair = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
    more: dict[str, Schema] = {"interpolation": {"enum": ["spline", "linear"]}, "source": _TEXT}
    return [
        _object({"file": _TEXT, "time": _TEXT, "value": _TEXT, **more}, ["file"]),
        _object({"points": {"type": "array", "items": pair, "minItems": 2}, **more}, ["points"]),
        _object({"times": numbers, "values": numbers, **more}, ["times", "values"]),
    ]


def _definitions() -> dict[str, Schema]:
    nullable: Schema = {"anyOf": [_NUMBER, {"type": "null"}]}
    diagonal = _object({"rotational": _VECTOR, "translational": _VECTOR})
    name = "[A-Za-z][A-Za-z0-9_]*"
    frame = _object({"at": _PLACE, "orientation": {"$ref": "#/$defs/orientation"}, "on": _NAME,
                     "node": {"type": "integer", "minimum": 0}})  # fmt: skip
    drawings = [
        _object({kind: _object({k: v.schema() for k, v in keys.items()}, required_keys(kind))},
                [kind])
        for kind, keys in DRAWINGS.items()
    ]  # fmt: skip
    return {
        "name": {"type": "string", "pattern": f"^{name}$"},
        "number": {
            "description": "an SI number, a formula, or a quantity with its unit",
            "anyOf": [{"type": "number"}, {"type": "string", "minLength": 1}],
        },
        "vector": _list(_NUMBER, 3),
        "partial_vector": _list(nullable, 3) | {"description": "null where free"},
        "frame_reference": {
            "type": "string",
            "description": "a body, or a frame of it: crank, crank.A, ground, ground.B",
            "pattern": f"^{name}(\\.{name})?$",
        },
        "joint_reference": {"type": "string", "pattern": f"^{name}(:h[1-9][0-9]*)?$"},
        "between": _list({"$ref": "#/$defs/frame_reference"}, 2)
        | {"description": "two frames; of a joint: parent, child"},
        "orientation": _orientation(),
        "frames": _named({"anyOf": [_PLACE, frame], "short": "at"}, "frames by name"),
        "shape": {"anyOf": drawings},
        "colour": {"anyOf": [{"enum": [*COLOURS]}, {"type": "string", "pattern": f"^{HEX}$"}]},
        "shape_functions": functions_schema(),
        "damping": damping_schema(),
        "matrix6": {"anyOf": [diagonal, _list(_list(_NUMBER, 6), 6), _list(_NUMBER, 36)]},
        **network_definitions(),
    }


def _list(item: Schema, count: int) -> Schema:
    return {"type": "array", "items": item, "minItems": count, "maxItems": count}


def _orientation() -> Schema:
    angles, angle = Numbers(3, ("rad",)).schema(), Number("rad").schema()
    forms = [_object({k: angles}, [k]) for k in ("euler313", "bryant123")]
    axis = {"anyOf": [_AXIS, _VECTOR]}
    return {
        "anyOf": [
            *forms,
            _object({"quaternion": _list(_NUMBER, 4)}, ["quaternion"]),
            _object({"axis": axis, "angle": angle}, ["axis", "angle"]),
            _object({"z": _VECTOR, "x": _VECTOR}, ["z", "x"]),
            _object({}),
        ]
    }


def text() -> str:
    """The schema as it stands in the package."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def network_definitions() -> dict[str, Schema]:
    """What the schemas of networks refer to."""
    row = {"type": "array", "items": _NUMBER, "minItems": 1}
    special = dict.fromkeys(("on", "from", "to"), _NAMES)
    special |= {"direction": _VECTOR, "with": _named(_NUMBER), "ports": _named(_NAME)}
    fields = {
        kind: {k: special.get(k, own.schema()) for k, (_, own) in fields_of(kind).items()}
        for kind in KINDS
    }
    bond = _object(
        {"from": _TEXT, "to": _TEXT, "dim": Components().schema(), "stroke": _TEXT}, ["from", "to"]
    )
    return {
        "names": {"anyOf": [_NAME, {"type": "array", "items": _NAME}]},
        "entries": {
            "description": "a number, a list of numbers, or the rows of a matrix",
            "anyOf": [_NUMBER, row, {"type": "array", "items": row, "minItems": 1}],
        },
        "network_elements": _named({"anyOf": [_object(f, [k]) for k, f in fields.items()]}),
        "network_bonds": _named(bond),
    }


def network_schema() -> Schema:
    """A network."""
    return _graph(_NUMBER)


def subgraph_schema() -> Schema:
    """A sub-graph: a network with ports, whose parameters may be left open."""
    port = _object({"junction": _NAME, "outward": {"type": "boolean"}}, ["junction"])
    return _graph({"anyOf": [_NUMBER, {"type": "null"}]}, ports=_named({"anyOf": [_NAME, port]}))


def _graph(parameter: Schema, **more: Schema) -> Schema:
    contents = {key: {"$ref": f"#/$defs/network_{key}"} for key in ("elements", "bonds")}
    common = {"description": _TEXT, "domain": Domain().schema(), "parameters": _named(parameter)}
    return _object({**common, **contents, **more}, ["elements"])


if __name__ == "__main__":
    SCHEMA.write_text(text(), encoding="utf-8")
