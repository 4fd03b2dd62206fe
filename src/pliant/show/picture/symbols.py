"""What is drawn of elements between bodies: symbols and arrows of forces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.show.colours import FORCE, MOMENT, REACTION, STEEL, TORQUE
from pliant.show.picture.moving import Instant, Mechanism
from pliant.show.picture.parts import link
from pliant.show.picture.raster import Solid
from pliant.show.picture.surfaces import (
    Surface,
    along,
    cone,
    cylinder,
    ellipsoid,
    joined,
    sweep,
    tube,
)
from pliant.spatial.pose import Pose

Draw = Callable[[Mechanism, Any, Pose, Pose], Iterator[Solid]]

_TURNS = 9
_HOUSING = 0.7
USUAL = 0.6
"""Length of an arrow of usual size, in sizes of a body."""
_NOISE = 1e-9
"""Torques this small beside forces times lengths (and the other way round) are rounding."""
_SHAFT, _HEAD = 0.014, 0.1
_GROUPS = {("applied", "force"): FORCE, ("applied", "torque"): TORQUE,
           ("reaction", "force"): REACTION, ("reaction", "torque"): MOMENT}  # fmt: skip


def symbols(mechanism: Mechanism, at: Instant, factor: float) -> Iterator[Solid]:
    """What stands for forces, couplings and drivers, by their kinds."""
    for symbol in mechanism.scene["symbols"]:
        a, b = (mechanism.frame(symbol[end], at, factor) for end in ("a", "b"))
        yield from DRAWN[symbol["kind"]](mechanism, symbol, a, b)


def _stretched(draw: Draw) -> Draw:
    """Drawn from frame to frame, if they are apart."""

    def drawn(mechanism: Mechanism, symbol: Any, a: Pose, b: Pose) -> Iterator[Solid]:
        if np.linalg.norm(np.asarray(b.p) - np.asarray(a.p)) > 1e-9:
            yield from draw(mechanism, symbol, a, b)

    return drawn


@_stretched
def _spring(mechanism: Mechanism, symbol: Any, a: Pose, b: Pose) -> Iterator[Solid]:
    scale = mechanism.scale
    yield Solid(_coil(np.asarray(a.p), np.asarray(b.p), 0.05 * scale, 0.008 * scale), STEEL)


@_stretched
def _rod(mechanism: Mechanism, symbol: Any, a: Pose, b: Pose) -> Iterator[Solid]:
    yield Solid(link(np.asarray(a.p), np.asarray(b.p), 0.012 * mechanism.scale), STEEL)


def _dashpot(width: float, colour: str = STEEL) -> Draw:
    """A rod in a housing, which is as long as the shortest way allows."""

    @_stretched
    def drawn(mechanism: Mechanism, symbol: Any, a: Pose, b: Pose) -> Iterator[Solid]:
        start, end = np.asarray(a.p), np.asarray(b.p)
        length = float(np.linalg.norm(end - start))
        least = min(length, _shortest(mechanism, symbol))
        r = width * mechanism.scale
        yield Solid(_pipe(start, end, 0.35 * r), STEEL)
        yield Solid(_pipe(start, start + (end - start) * _HOUSING * least / length, r), colour)

    return drawn


def _spring_damper(mechanism: Mechanism, symbol: Any, a: Pose, b: Pose) -> Iterator[Solid]:
    yield from _spring(mechanism, symbol, a, b)
    yield from _dashpot(0.026)(mechanism, symbol, a, b)


def _pipe(a: Array, b: Array, radius: float) -> Surface:
    return cylinder(radius, float(np.linalg.norm(b - a))).moved(along(b - a), (a + b) / 2)


def _shortest(mechanism: Mechanism, symbol: Any) -> float:
    """Distance of its ends in the motion, where it is not zero."""
    ways = (np.linalg.norm(np.asarray(mechanism.frame(symbol["b"], k).p)
                           - np.asarray(mechanism.frame(symbol["a"], k).p))
            for k in mechanism.samples())  # fmt: skip
    return float(min((w for w in ways if w > 0), default=np.inf))


def _bushing(mechanism: Mechanism, symbol: Any, a: Pose, b: Pose) -> Iterator[Solid]:
    ball = ellipsoid([0.07 * mechanism.scale] * 3)
    yield Solid(ball.moved(np.eye(3), np.asarray(a.p)), STEEL, 0.55)


def _about(shape: Callable[[float], Surface], off: float, colour: str = STEEL) -> Draw:
    """On the axis of a coordinate, beside its joint; sizes in those of a body."""

    def drawn(mechanism: Mechanism, symbol: Any, a: Pose, b: Pose) -> Iterator[Solid]:
        yield Solid(_on_axis(shape(mechanism.scale), symbol, b, off * mechanism.scale), colour)

    return drawn


def _on_axis(surface: Surface, symbol: Any, X: Pose, off: float = 0.0) -> Surface:
    direction = np.array(symbol["direction"]) / np.linalg.norm(symbol["direction"])
    turned = surface.moved(along(direction), direction * off)
    return turned.moved(np.asarray(X.R), np.asarray(X.p))


def _spiral(scale: float) -> Surface:
    share = np.linspace(0.0, 1.0, 120)
    radius, angle = 0.11 * scale * (0.3 + 0.7 * share), 7 * np.pi * share
    path = np.stack([radius * np.cos(angle), radius * np.sin(angle), 0 * share], axis=1)
    return tube(path, 0.0066 * scale)


def _ring(scale: float) -> Surface:
    angle = np.linspace(0.0, 2 * np.pi, 37)
    path = 0.075 * scale * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    return tube(path, 0.015 * scale)


def _wheel(mechanism: Mechanism, symbol: Any, a: Pose, b: Pose) -> Iterator[Solid]:
    """A toothed wheel: of its own radius, or of its share of the way to its mate."""
    radius = symbol.get("radius") or _share(mechanism, symbol)
    angle = 2 * np.pi * _TEETH[:, 0]
    rim = radius * np.where(_TEETH[:, 1] > 0, 1.05, 0.93)
    outline = np.stack([rim * np.cos(angle), rim * np.sin(angle)], axis=1)
    yield Solid(_on_axis(_plate(outline, 0.05 * mechanism.scale), symbol, b), STEEL)


def _share(mechanism: Mechanism, symbol: Any) -> float:
    share = symbol.get("share", 0.5)
    usual = 0.4 * share * mechanism.scale
    if "mate" not in symbol:
        return float(usual)
    ends = (np.asarray(mechanism.frame(symbol[end], Instant(0, 0.0)).p) for end in ("b", "mate"))
    away = float(np.linalg.norm(np.subtract(*ends)))
    return float(share * away if away > 0.05 * mechanism.scale else usual)


def _rack(mechanism: Mechanism, symbol: Any, a: Pose, b: Pose) -> Iterator[Solid]:
    """A straight one along the displacement."""
    tops = np.stack([np.where(_TEETH[:, 1] > 0, 0.03, 0.006), 1.2 * (_TEETH[:, 0] - 0.5)], axis=1)
    outline = mechanism.scale * np.concatenate(
        [[[-0.03, -0.6]], tops, [[0.006, 0.6], [-0.03, 0.6]]]
    )
    upright = _plate(outline, 0.06 * mechanism.scale).moved(_ASIDE, np.zeros(3))
    yield Solid(_on_axis(upright, symbol, b), STEEL)


def _plate(outline: Array, thickness: float) -> Surface:
    """An outline across z."""
    x = np.array([-0.5, 0.5]) * thickness
    return sweep(x, [outline[None]], smooth=False).moved(_UPRIGHT, np.zeros(3))


_UPRIGHT = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
"""Takes x, y, z to z, x, y."""
_ASIDE = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""Takes y to z."""
_TOOTH = ((0.0, 0), (0.2, 0), (0.32, 1), (0.68, 1), (0.8, 0))
_TEETH = np.array([((k + part) / 24, top) for k in range(24) for part, top in _TOOTH])
"""Places on a rim, from 0 to 1, and whether they are at the top of a tooth."""
DRAWN: dict[str, Draw] = {
    "spring": _spring,
    "damper": _dashpot(0.034),
    "spring_damper": _spring_damper,
    "actuator": _dashpot(0.042, FORCE),
    "distance": _rod,
    "bushing": _bushing,
    "torsion_spring": _about(_spiral, 0.07),
    "brake": _about(_ring, -0.06),
    "motor": _about(lambda scale: cylinder(0.075 * scale, 0.09 * scale), 0.12, FORCE),
    "rotor": _about(lambda scale: cylinder(0.1 * scale, 0.03 * scale), -0.1),
    "wheel": _wheel,
    "rack": _rack,
}
"""How each kind of symbol is drawn."""


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
