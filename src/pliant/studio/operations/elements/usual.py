"""What a new element says of itself at first: sensible values with units, by the kinds of its
fields; and presets, combinations that are often wanted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.drivers import LEVELS
from pliant.model.fields import Flag, Kind, Number, Numbers, Optional, Text, Word
from pliant.model.files.yaml_text import parse_yaml
from pliant.model.nested import NestedFields, OneOf
from pliant.records import dataclass
from pliant.studio.operations.elements.kinds import ElementKind

TURNS = ("orientation", "angular_velocity", "angular_acceleration")
STEEL = {"E": "210 GPa", "nu": 0.3, "density": "7850 kg/m^3"}
_ROTARY, _STRAIGHT = 0, 1
"""Which of two units fits a coordinate: that of an angle, that of a displacement."""
_SIZES = {"radius": "0.1 m", "size": ["0.1 m", "0.1 m", "0.1 m"], "pitch": "0.01 m/rad"}
"""Sizes that are usually not one metre."""
_FIRST: dict[tuple[str, str], dict[str, Any]] = {
    ("materials", "material"): STEEL,
    ("bodies", "beam"): {
        "length": "1 m", "section": {"rectangle": {"width": "20 mm", "height": "20 mm"}},
        "material": "steel",
    },
    ("joints", "locks"): {"locked": ["x", "y"]},
    ("forces", "spring"): {"stiffness": "1000 N/m"},
    ("forces", "joint_spring"): {"stiffness": ("10 N*m/rad", "1000 N/m")},
    ("forces", "torsion_spring"): {"stiffness": ("10 N*m/rad", "1000 N/m")},
    ("forces", "bushing"): {
        "stiffness": {"rotational": [100, 100, 100], "translational": [10000, 10000, 10000]}
    },
    ("forces", "friction"): {"coulomb": ("0.1 N*m", "1 N")},
    ("forces", "actuator"): {"effort": ("1 N*m", "1 N")},
    ("forces", "linear_actuator"): {"force": "1 N"},
    ("forces", "cylinder"): {"area_A": "0.001 m^2", "pressure_A": "1 MPa"},
    ("forces", "world_spring"): {"stiffness": ["1000 N/m", "1000 N/m", "1000 N/m"]},
    ("forces", "rotor"): {"inertia": ("0.001 kg*m^2", "1 kg")},
    ("drivers", "joint"): {"velocity": ("1 rad/s", "0.1 m/s")},
    ("drivers", "frame"): {"velocity": [0, 0, 0]},
    ("constraints", "rolling"): {"radius": "0.1 m"},
    ("signals", "signal"): {"points": [[0, 0], [1, 1]]},
}  # fmt: skip
"""What is written of a kind although it could be left out, or needs a better value than the kinds
of its fields tell; of a pair, what fits the coordinate."""


_INSTEAD: dict[str, dict[str, tuple[str, ...]]] = {
    "bodies": {
        "stiffness": ("section", "material"), "sections": ("section",), "axis": ("length",),
        "density": ("mass",), "mass_per_length": ("mass",),
    },
    "materials": {"G": ("nu",)},
    "constraints": {"at": ("radius",)},
    "forces": {"damping": ("stiffness",), "force": ("stiffness",), "effort": ("stiffness",),
               "viscous": ("coulomb",)},
    "drivers": dict.fromkeys((*LEVELS, *TURNS), ("velocity",)),
    "signals": {"file": ("points",), "times": ("points",)},
}  # fmt: skip
"""What is not written at first if something else is given that says it."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A plain combination of fields with a title of its own."""

    section: str
    kind: str
    """Of the element it makes."""
    title: str
    sentence: str
    name: str
    fields: Mapping[str, Any]


PRESETS: dict[str, Preset] = {
    "point_on_a_rod": Preset(
        "bodies", "rigid", "point on a rod", "A point mass at the end of a massless rod", "bob",
        {"mass": "1 kg", "com": ["1 m", 0, 0], "frames": {"tip": ["1 m", 0, 0]}},
    ),
    "link": Preset(
        "bodies", "rod", "link", "A thin rod with a frame at its far end", "link",
        {"mass": "1 kg", "length": "1 m", "frames": {"tip": ["1 m", 0, 0]}},
    ),
    "wheel": Preset(
        "bodies", "cylinder", "wheel", "A flat cylinder about its z axis", "wheel",
        {"mass": "1 kg", "radius": "0.2 m", "length": "0.05 m"},
    ),
    "damper": Preset(
        "forces", "spring", "damper", "A force against the rate at which two points part",
        "damper", {"damping": "10 N*s/m"},
    ),
    "cable": Preset(
        "forces", "spring", "cable", "A spring that pulls, and is slack where it would push",
        "cable", {"stiffness": "10000 N/m", "free_length": "0.5 m", "acts": "tension"},
    ),
}  # fmt: skip


def first_fields(
    kind: ElementKind, given: Mapping[str, Any], straight: bool = False
) -> dict[str, Any]:
    """The fields of a new element, of which some are given; ``straight``: it acts along a
    displacement, not an angle."""
    instead = _INSTEAD.get(kind.section, {})
    said = {other for key in given if key not in kind.needed for other in instead.get(key, ())}
    own = {k: v for k, v in _first_fields(kind, straight).items() if k not in said - {*given}}
    return {**own, **given}


def _first_fields(kind: ElementKind, straight: bool) -> dict[str, Any]:
    out: dict[str, Any] = {}
    table = _FIRST.get((kind.section, kind.kind), {})
    for key, field in kind.fields.items():
        if key in table:
            continue
        if key in kind.needed:
            out[key] = _SIZES.get(key) or usual(field, straight)
        elif key.startswith("axis") and not isinstance(field, Optional) and key in kind.inside:
            out[key] = _default(kind, key)
    return {**out, **{key: _fitting(value, straight) for key, value in table.items()}}


def _fitting(value: Any, straight: bool) -> Any:
    return value[_STRAIGHT if straight else _ROTARY] if isinstance(value, tuple) else value


def _default(kind: ElementKind, key: str) -> Any:
    """What a field is if nothing is said."""
    declared = getattr(kind.cls, "__dataclass_fields__", {}).get(key)
    return "z" if declared is None else kind.fields[key].plain(declared.default)


def usual(kind: Kind, straight: bool = False) -> Any:
    """A value that a field of this kind takes."""
    while isinstance(kind, Optional):
        kind = kind.kind
    for value in _candidates(kind, straight):
        try:
            kind.convert(value)
        except InputError:
            continue
        return value
    raise InputError("nothing that could be written there at first is known", "give its fields")


def _candidates(kind: Kind, straight: bool) -> list[Any]:
    if isinstance(kind, Number):
        units = kind.unit.split(" | ")
        unit = units[-1] if straight else units[0]
        return [1] if unit in ("", "1") else [f"1 {unit}", 1]
    if isinstance(kind, Numbers):
        one = [0 if kind.above is None else usual(kind.part(k)) for k in range(kind.count)]
        return [one, one[:3]]
    if isinstance(kind, NestedFields | OneOf):
        return [parse_yaml(kind.example).data]
    if isinstance(kind, Word):
        return [kind.choices[0]]
    if isinstance(kind, Flag):
        return [False]
    return ["text"] if isinstance(kind, Text) else [1, "z", [0, 0, 0], "none", {}, [], True]
