"""Names of observables as in the user's model, after a beam was cut into elements.

    beam:0.position        beam.position           the body itself is its first node (both names)
    beam:4.tip.velocity    beam.tip.velocity       a frame of the beam
    beam:shape.tip.deflection    beam.tip.deflection
    beam:3.position, beam:e2.energy                other nodes and elements keep their names
    beam:h3.angle, beam:e3_bending_y.torque        hinges and springs between segments as well
    beam.strain_energy, beam.kinetic_energy        sums over elements and nodes

Coordinates of nodes relative to the first one (`beam:j3`) are internal.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

_PART = re.compile(r"(?P<beam>[^.:]+):(?P<part>[jemw]?\d+(?:_[a-z_]+)?|shape)\.(?P<rest>.+)")
_QUANTITIES = frozenset({
    "position", "orientation", "velocity", "angular_velocity", "acceleration",
    "angular_acceleration",
})  # fmt: skip


def public_name(name: str) -> str | None:
    """The public name of an observable; None where it is internal."""
    found = _PART.fullmatch(name)
    if found is None:
        return name
    beam, part, rest = found["beam"], found["part"], found["rest"]
    inner = part[0] == "j" or rest.startswith(":")
    if inner or rest == "kinetic_energy" or (part == "shape" and rest == "power"):
        return None
    framed = part.isdigit() and (part == "0" or rest not in _QUANTITIES)
    return f"{beam}.{rest}" if part == "shape" or framed else name


def public(observables: Mapping[str, Any]) -> dict[str, Any]:
    """Observables under their public names, and energies of whole beams."""
    named = ((public_name(name), o) for name, o in observables.items())
    found = {name: o for name, o in named if name is not None}
    first = {name: o for name, o in observables.items() if is_first_node(name)}
    return {**found, **first, **_energies(observables)}


def is_first_node(name: str) -> bool:
    """Whether an observable is the motion of the first body, which has two names."""
    found = _PART.fullmatch(name)
    return found is not None and found["part"] == "0" and found["rest"] in _QUANTITIES


def energy_of(name: str) -> str:
    """The energy of a whole beam that an observable is a part of: strain energy of elements and
    springs, kinetic energy of bodies and elements; "" if it is none."""
    found = _PART.fullmatch(name)
    if found is None:
        return ""
    part, rest = found["part"], found["rest"]
    strain = part[0] == "e" and rest == "energy"
    total = "strain_energy" if strain else rest
    return f"{found['beam']}.{total}" if strain or rest == "kinetic_energy" else ""


def _energies(observables: Mapping[str, Any]) -> dict[str, Any]:
    """Sums over the parts of each beam."""
    sums: dict[str, Any] = {}
    for name, o in observables.items():
        key = energy_of(name)
        if key:
            total = o.expression + (sums[key].expression if key in sums else 0)
            sums[key] = dataclasses.replace(o, expression=total, owner=key.partition(".")[0])
    return sums
