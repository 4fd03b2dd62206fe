"""Names of observables as in the user's model, after a beam was cut into elements.

    beam:0.position        beam.position           the body itself is its first node (both names)
    beam:4.tip.velocity    beam.tip.velocity       a frame of the beam
    beam:shape.tip.deflection    beam.tip.deflection
    beam:3.position, beam:e2.energy                other nodes and elements keep their names
    beam.strain_energy, beam.kinetic_energy        sums over elements and nodes

Coordinates of nodes relative to the first one (`beam:j3`) are internal.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

_PART = re.compile(r"(?P<beam>[^.:]+):(?P<part>[jemw]?\d+|shape)\.(?P<rest>.+)")
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
    if part[0] == "j" or rest == "kinetic_energy" or (part == "shape" and rest == "power"):
        return None
    framed = part.isdigit() and (part == "0" or rest not in _QUANTITIES)
    return f"{beam}.{rest}" if part == "shape" or framed else name


def public(observables: Mapping[str, Any]) -> dict[str, Any]:
    """Observables under their public names, and energies of whole beams."""
    named = ((public_name(name), o) for name, o in observables.items())
    found = {name: o for name, o in named if name is not None}
    first = {name: o for name, o in observables.items() if _is_first_node(name)}
    return {**found, **first, **_energies(observables)}


def _is_first_node(name: str) -> bool:
    found = _PART.fullmatch(name)
    return found is not None and found["part"] == "0" and found["rest"] in _QUANTITIES


def _energies(observables: Mapping[str, Any]) -> dict[str, Any]:
    """Strain energy of all elements, kinetic energy of all nodes or elements of a beam."""
    sums: dict[str, Any] = {}
    for name, o in observables.items():
        found = _PART.fullmatch(name)
        if found is None:
            continue
        part, rest = found["part"], found["rest"]
        strain = part[0] == "e" and rest == "energy"
        if strain or rest == "kinetic_energy":
            key = f"{found['beam']}.{'strain_energy' if strain else rest}"
            total = o.expression + (sums[key].expression if key in sums else 0)
            sums[key] = dataclasses.replace(o, expression=total, owner=found["beam"])
    return sums
