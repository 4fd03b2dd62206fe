"""What is drawn between bodies: pins and balls of joints, rails, springs, arrows of forces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.show.colours import FORCE, GROUND, MOMENT, REACTION, STEEL, TORQUE
from pliant.show.picture.moving import Instant, Mechanism
from pliant.show.picture.parts import link
from pliant.show.picture.raster import Solid
from pliant.show.picture.surfaces import Surface, along, cone, cylinder, ellipsoid, joined, tube

_TURNS = 9
USUAL = 0.6
"""Length of an arrow of usual size, in sizes of a body."""
_NOISE = 1e-9
"""Torques this small beside forces times lengths (and the other way round) are rounding."""
_SHAFT, _HEAD = 0.014, 0.1
_GROUPS = {("applied", "force"): FORCE, ("applied", "torque"): TORQUE,
           ("reaction", "force"): REACTION, ("reaction", "torque"): MOMENT}  # fmt: skip


def joints(mechanism: Mechanism, at: Instant, factor: float) -> Iterator[Solid]:
    """Pins about axes, balls, feet and rails on the ground."""
    r = 0.035 * mechanism.scale
    for joint in mechanism.scene["joints"]:
        for axis in joint["pins"]:
            X = mechanism.frame(axis["frame"], at, factor)
            yield Solid(_pin(0.55 * r, 3.2 * r, axis["direction"], X), STEEL)
        if joint["ball"]:
            ball = ellipsoid([1.45 * r] * 3)
            child = mechanism.frame(joint["child"], at, factor)
            yield Solid(ball.moved(np.eye(3), np.asarray(child.p)), STEEL)
        ends = joint["parent"], joint["child"]
        anchor = next((ref for ref in ends if ref.partition(".")[0] == "ground"), None)
        if anchor and joint["foot"] and joint["pins"]:
            X = mechanism.frame(anchor, at)
            yield Solid(_pin(1.9 * r, 1.3 * r, joint["pins"][0]["direction"], X), GROUND)
        if joint["rail"] and joint["parent"].partition(".")[0] == "ground":
            yield Solid(_rail(mechanism, joint, r), GROUND)


def _pin(radius: float, length: float, direction: Sequence[float], X: Any) -> Surface:
    turned = cylinder(radius, length).moved(along(np.array(direction)), np.zeros(3))
    return turned.moved(np.asarray(X.R), np.asarray(X.p))


def _rail(mechanism: Mechanism, joint: Any, r: float) -> Surface:
    """A bar on the ground as long as the way of the slider."""
    X = mechanism.frame(joint["parent"], Instant(0, 0.0))
    direction = np.array(joint["rail"]["direction"])
    points = [mechanism.frame(joint["child"], k).p for k in mechanism.samples()]
    way = (np.array(points) - np.asarray(X.p)) @ np.asarray(X.R) @ direction
    low, high = float(way.min()) - 5 * r, float(way.max()) + 5 * r
    bar = cylinder(0.4 * r, high - low).moved(along(direction), direction * (low + high) / 2)
    return bar.moved(np.asarray(X.R), np.asarray(X.p))


def springs(mechanism: Mechanism, at: Instant, factor: float) -> Iterator[Solid]:
    """Coils, rubber balls of bushings, rods of distances."""
    scale = mechanism.scale
    for spring in mechanism.scene["springs"]:
        a, b = (np.asarray(mechanism.frame(spring[end], at, factor).p) for end in ("a", "b"))
        if spring["kind"] == "bushing":
            yield Solid(ellipsoid([0.07 * scale] * 3).moved(np.eye(3), a), STEEL, 0.55)
        elif np.linalg.norm(b - a) > 1e-9:
            if spring["kind"] == "spring":
                yield Solid(_coil(a, b, 0.05 * scale, 0.008 * scale), STEEL)
            else:
                yield Solid(link(a, b, 0.012 * scale), STEEL)


def _coil(a: Array, b: Array, radius: float, wire: float) -> Surface:
    """A helix with straight ends."""
    share = np.linspace(0.0, 1.0, 16 * _TURNS + 1)
    inside = np.clip((share - 0.12) / 0.76, 0.0, 1.0)
    width = radius * np.minimum(1.0, 12 * inside * (1 - inside))
    angle = 2 * np.pi * _TURNS * inside
    length = np.linalg.norm(b - a)
    path = np.stack([width * np.cos(angle), width * np.sin(angle), length * share], axis=1)
    return tube(path, wire).moved(along(b - a), a)


def arrows(mechanism: Mechanism, at: Instant, group: str, factor: float) -> list[Solid]:
    """Forces with one head, torques with two, of ``applied`` loads or of ``reaction``; each on a
    scale at which most of the motion is well seen."""
    result, scale = mechanism.result, mechanism.scale
    drawn = [a for a in mechanism.scene["arrows"] if a["group"] == group and a["series"] in result]
    lengths = _lengths(mechanism, drawn)
    found = []
    for arrow in drawn:
        value = at.of(result.values(arrow["series"]))
        start = mechanism.frame(arrow["at"], at, factor)
        vector = _vector(mechanism, arrow, value, np.asarray(start.p), at, factor)
        length = float(np.linalg.norm(vector)) * lengths[arrow["quantity"]]
        if np.isfinite(length) and length > 2e-3 * scale:
            heads = 1 if arrow["quantity"] == "force" else 2
            surface = _arrow(length, scale, heads).moved(along(vector), np.asarray(start.p))
            found.append(Solid(surface, _GROUPS[group, arrow["quantity"]], flat=True))
    return found


def _vector(mechanism: Mechanism, arrow: Any, value: Array, start: Array, at: Instant,
            factor: float) -> Array:  # fmt: skip
    """Of an arrow in world axes: scalars act along an axis, or towards another frame."""
    if "towards" in arrow:
        way = np.asarray(mechanism.frame(arrow["towards"], at, factor).p) - start
        size = np.linalg.norm(way)
        return np.asarray(way / size * value if size > 0 else 0 * way)
    if "along" in arrow:
        X = mechanism.frame(arrow["along"]["frame"], at, factor)
        return np.asarray(np.asarray(X.R) @ np.array(arrow["along"]["direction"]) * value)
    return np.asarray(value)


def _arrow(length: float, scale: float, heads: int) -> Surface:
    """Along z from the origin."""
    small = min(1.0, length / (_HEAD * scale * (heads + 1)))
    head, shaft = _HEAD * scale * small, _SHAFT * scale * small
    rod = cylinder(shaft, max(length - head / 2, 1e-9))
    pieces = [rod.moved(np.eye(3), np.array([0, 0, max(length - head / 2, 1e-9) / 2]))]
    pieces += [cone(2.6 * shaft, head).moved(np.eye(3), np.array([0, 0, length - 0.6 * k * head]))
               for k in range(heads)]  # fmt: skip
    return joined(pieces)


def _lengths(mechanism: Mechanism, drawn: Sequence[Any]) -> dict[str, float]:
    """Metres per newton and newton metre; 0 for what is only rounding."""
    most, usual = {}, {}
    for quantity in ("force", "torque"):
        names = {a["series"] for a in drawn if a["quantity"] == quantity}
        sizes = np.zeros(len(mechanism.result))
        for name in names:
            values = mechanism.result.values(name)
            own = np.linalg.norm(values.reshape(len(values), -1), axis=1)
            sizes = np.maximum(sizes, np.where(np.isfinite(own), own, 0.0))
        most[quantity] = float(sizes.max(initial=0.0))
        often = float(np.sort(sizes)[int(0.9 * (len(sizes) - 1))])
        usual[quantity] = often if often > 0.01 * most[quantity] else most[quantity]
    noise = {"force": most["force"] * mechanism.scale < _NOISE * most["torque"],
             "torque": most["torque"] < _NOISE * most["force"] * mechanism.scale}  # fmt: skip
    return {q: USUAL * mechanism.scale / usual[q] if usual[q] > 0 and not noise[q] else 0.0
            for q in ("force", "torque")}  # fmt: skip
