"""Motions and efforts on joint coordinates: no contradictions, units of the coordinate; events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pliant.errors import Fault
from pliant.model.drivers import FrameDriver, JointDriver
from pliant.model.formulas import Formula
from pliant.model.joints.base import Coordinate
from pliant.model.units import dimension_of
from pliant.model.validation.context import ON_COORDINATE, About, Context


def motion_faults(context: Context) -> Iterator[Fault]:
    """Contradictory drivers, units that do not fit the coordinate, events that never happen."""
    yield from _contradictions(context)
    for section, name, element in context.model.elements():
        for key, f, unit in _expected(context, element):
            if f.dimension is not None and not dimension_of(unit).accepts(f.dimension):
                what = f"{key}: '{f.text}' has the wrong unit"
                yield About(section, name).fault(what, f"expected {unit}", key)
    for name, event in context.model.events.items():
        if context.number(event.when) is not None:
            what = f"'{event.when.text}' is constant and never crosses zero"
            yield About("events", name).fault(what, "let it read something that moves")


def _contradictions(context: Context) -> Iterator[Fault]:
    """Two drivers on one coordinate of a joint, or on one direction of a frame."""
    driven: dict[tuple[str, str], str] = {}
    for name, driver in context.model.drivers.items():
        for key in _claims(context, driver):
            if key in driven:
                what = f"{key[0]} {key[1]} is already driven by '{driven[key]}'"
                yield About("drivers", name).fault(what, "remove one of the two drivers")
            driven.setdefault(key, name)


def _claims(context: Context, driver: JointDriver | FrameDriver) -> Iterator[tuple[str, str]]:
    """What a driver prescribes: (owner, quantity)."""
    if isinstance(driver, JointDriver):
        coordinate = context.coordinate(driver.joint, driver.coordinate)
        if coordinate is not None:
            yield f"joint '{driver.joint}'", coordinate.name
        return
    for letter, part in zip("xyz", driver.translation or (None,) * 3, strict=True):
        if part is not None:
            yield f"frame '{driver.frame}'", letter
    if driver.orientation is not None or driver.angular is not None:
        yield f"frame '{driver.frame}'", "orientation"


_MOTION_UNITS = {"position": "", "velocity": "/s", "acceleration": "/s^2"}


def _expected(context: Context, element: Any) -> Iterator[tuple[str, Formula, str]]:
    """Numbers whose unit follows from the coordinate or the level: key, formula, unit."""
    if isinstance(element, FrameDriver):
        suffix = _MOTION_UNITS[element.level]
        for f in element.translation or ():
            if f is not None:
                yield element.level, f, f"m{suffix}"
        for f in element.angular or ():
            yield f"angular_{element.level}", f, f"rad{suffix}"
    elif isinstance(element, ON_COORDINATE):
        coordinate = context.coordinate(element.joint, element.coordinate)
        if coordinate is not None:
            yield from _on_coordinate(element, coordinate)


def _on_coordinate(element: Any, coordinate: Coordinate) -> Iterator[tuple[str, Formula, str]]:
    unit = coordinate.unit
    effort = "N*m" if unit == "rad" else "N"
    units = {
        "effort": effort,
        "stiffness": f"{effort}/{unit}",
        "damping": f"{effort}*s/{unit}",
        "free": unit,
        "coulomb": effort,
        "viscous": f"{effort}*s/{unit}",
        "speed": f"{unit}/s",
    }
    if isinstance(element, JointDriver):
        units = {"motion": unit + _MOTION_UNITS[element.level]}
    for key, expected in units.items():
        f = getattr(element, key, None)
        if f is not None:
            yield key, f, expected
