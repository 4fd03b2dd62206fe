"""Energy domains, and the units that their elements have."""

from __future__ import annotations

from pliant.model.units import Dimension, dimension_of

UNITS: dict[str, dict[str, str]] = {
    "translation": {
        "effort": "N", "flow": "m/s", "displacement": "m", "inertia": "kg",
        "resistance": "N*s/m", "capacity": "m/N", "stiffness": "N/m",
    },
    "rotation": {
        "effort": "N*m", "flow": "rad/s", "displacement": "rad", "inertia": "kg*m^2",
        "resistance": "N*m*s/rad", "capacity": "rad/N/m", "stiffness": "N*m/rad",
    },
    "electrical": {
        "effort": "V", "flow": "A", "displacement": "C", "inertia": "H",
        "resistance": "ohm", "capacity": "F", "stiffness": "V/C",
    },
    "hydraulic": {
        "effort": "Pa", "flow": "m^3/s", "displacement": "m^3", "inertia": "Pa*s^2/m^3",
        "resistance": "Pa*s/m^3", "capacity": "m^3/Pa", "stiffness": "Pa/m^3",
    },
    "thermal": {
        "effort": "K", "flow": "W", "displacement": "J", "inertia": "K*s/W",
        "resistance": "K/W", "capacity": "J/K", "stiffness": "K/J",
    },
}  # fmt: skip
"""Unit of each quantity and of each constant of a linear law, by domain."""
DOMAINS = ("", *UNITS)


def ratio_dimension(above: tuple[str, str], below: tuple[str, str]) -> Dimension | None:
    """Dimension of one quantity over another, each as (domain, quantity), without angles; None if
    a domain is not known."""
    if "" in (above[0], below[0]):
        return None
    one, two = (dimension_of(UNITS[domain][quantity]) for domain, quantity in (above, below))
    return (one * two**-1).without_angle
