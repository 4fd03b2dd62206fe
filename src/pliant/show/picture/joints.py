"""Joints as they are drawn: pins about axes, balls, plates, blocks, feet, rails with sleeves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.show.colours import GROUND, STEEL
from pliant.show.picture.moving import Instant, Mechanism
from pliant.show.picture.raster import Solid
from pliant.show.picture.surfaces import Surface, along, box, cylinder, ellipsoid, joined

_FORMS = {"square": (0.9, 2.2, 4.0), "round": (0.5, 1.15, 4.0), "thread": (0.55, 1.3, 2.6)}
"""Of a rail, in radii of a link: how wide it and its sleeve are, and how long the sleeve is."""
_HOUSING = 0.7
"""Of the shortest way, what the housing of a rod takes."""
_RIDGES = 40


def joints(mechanism: Mechanism, at: Instant, factor: float) -> Iterator[Solid]:
    """All that stands for joints."""
    r = 0.035 * mechanism.scale
    for joint in mechanism.scene["joints"]:
        for axis in joint["pins"]:
            X = mechanism.frame(axis["frame"], at, factor)
            yield Solid(pin(0.55 * r, 3.2 * r, axis["direction"], X), STEEL)
        child = mechanism.frame(joint["child"], at, factor)
        if joint["ball"]:
            ball = ellipsoid([1.45 * r] * 3)
            yield Solid(ball.moved(np.eye(3), np.asarray(child.p)), STEEL)
        if joint["plate"]:
            yield Solid(pin(3.2 * r, 0.35 * r, joint["plate"]["direction"], child), STEEL)
        if joint["block"]:
            cube = box([1.9 * r] * 3)
            yield Solid(cube.moved(np.asarray(child.R), np.asarray(child.p)), STEEL)
        ends = joint["parent"], joint["child"]
        anchor = next((ref for ref in ends if ref.partition(".")[0] == "ground"), None)
        if anchor and joint["foot"] and joint["pins"]:
            X = mechanism.frame(anchor, at)
            yield Solid(pin(1.9 * r, 1.3 * r, joint["pins"][0]["direction"], X), GROUND)
        if joint["rail"]:
            yield from _rail(mechanism, joint, at, factor)


def pin(radius: float, length: float, direction: Sequence[float], X: Any) -> Surface:
    """A round bar about an axis of a frame."""
    turned = cylinder(radius, length).moved(along(np.array(direction)), np.zeros(3))
    return turned.moved(np.asarray(X.R), np.asarray(X.p))


def _rail(mechanism: Mechanism, joint: Any, at: Instant, factor: float) -> Iterator[Solid]:
    """A bar on one body as long as the way, and a sleeve of the other on it; where the other stays
    on one side of a body, a rod that leaves a housing."""
    rail, r = joint["rail"], 0.035 * mechanism.scale
    mover = joint["child"] if rail["frame"] == joint["parent"] else joint["parent"]
    on_ground = rail["frame"].partition(".")[0] == "ground"
    direction = np.array(rail["direction"]) / np.linalg.norm(rail["direction"])
    X = mechanism.frame(rail["frame"], at, factor)

    def way(when: Instant, factor: float = 1.0) -> float:
        base = mechanism.frame(rail["frame"], when, factor)
        p = np.asarray(mechanism.frame(mover, when, factor).p) - np.asarray(base.p)
        return float(p @ np.asarray(base.R) @ direction)

    s = way(at, factor)
    ways = [w for w in (s, *map(way, mechanism.samples())) if np.isfinite(w)]
    low, high = min(ways, default=0.0), max(ways, default=0.0)
    wide, sleeve, length = _FORMS[rail["form"]]
    if not on_ground and low * high > 0:
        housing = _HOUSING * (low if low > 0 else high)
        bar, own = (min(0.0, s), max(0.0, s)), (min(0.0, housing), max(0.0, housing))
    else:
        ends = (low, high) if on_ground else (min(low, 0.0), max(high, 0.0))
        bar = (ends[0] - 5 * r, ends[1] + 5 * r)
        own = (s - length * r / 2, s + length * r / 2)
    for (a, b), shape, size, colour in (
        (bar, rail["form"], wide, GROUND if on_ground else STEEL),
        (own, "square" if rail["form"] == "square" else "round", sleeve, STEEL),
    ):
        surface = _bar(shape, size * r, b - a).moved(along(direction), direction * (a + b) / 2)
        yield Solid(surface.moved(np.asarray(X.R), np.asarray(X.p)), colour)


def _bar(form: str, width: float, length: float) -> Surface:
    """About z: a beam of this width, or a rod or spindle of this radius."""
    if form == "square":
        return box([width, width, length])
    if form == "round":
        return cylinder(width, length)
    places: Array = (np.arange(_RIDGES) + 0.5) / _RIDGES * length - length / 2
    ridges = [cylinder(width, 0.45 * length / _RIDGES).moved(np.eye(3), np.array([0, 0, z]))
              for z in places]  # fmt: skip
    return joined([cylinder(0.75 * width, length), *ridges])
