"""A pose as a file says it: which coordinates are given, which only guessed, and rounded numbers.

As many coordinates as the mechanism is free in are given (``initial``), those that the file gives
already first; the others follow from them and are a ``guess``, which says the branch. Bodies that
hang on no joint have a pose of their own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from pliant.analysis.posing.linkage import Linkage
from pliant.analysis.posing.posing import Posing
from pliant.analysis.posing.wishes import CoordinateWish, PointWish, Wish
from pliant.arrays import Array
from pliant.formulations.derivation.state_map import likely
from pliant.records import dataclass
from pliant.spatial.rotation import to_quaternion

_SAME = 1e-9
_INDEPENDENT = 1e-4
_ROUND_ANGLE = math.radians(0.1)
_ROUND_LENGTH = 1e-3


@dataclass(frozen=True, slots=True)
class Written:
    """Texts by joint and coordinate; poses of free bodies by body."""

    initial: dict[str, dict[str, str]] = field(default_factory=dict)
    guess: dict[str, dict[str, str]] = field(default_factory=dict)
    bodies: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether the file says all of it already."""
        return not (self.initial or self.guess or self.bodies)


def rounded(posing: Posing, dragged: str) -> None:
    """Move to the nearest pose that a file says with few digits, if there is one."""
    wishes: list[Wish] = []
    for joint, names in _independent(posing, dragged):
        for name in names:
            value = posing.told[joint][name]
            if posing.linkage.joints[joint].told_set is None and _moved(posing, joint, name):
                step = _step(posing.linkage, posing.linkage.unit[joint, name])
                wishes.append(CoordinateWish(joint, name, step * round(value / step)))
    for body, pose in _free_bodies(posing):
        step = _step(posing.linkage, "m")
        x, y, z = (step * round(v / step) for v in pose.p_WB)
        wishes.append(PointWish(body, (0.0, 0.0, 0.0), (x, y, z)))
    if not wishes:
        return
    before = posing.q, posing.told
    if not posing.toward(wishes).reached:
        posing.q, posing.told = before


def written(posing: Posing, dragged: str) -> Written:
    """What the file must say for the mechanism to start here; nothing that it says already."""
    found, linkage = Written(), posing.linkage
    given = {(joint, name) for joint, names in _independent(posing, dragged) for name in names}
    follows = _others_follow(posing, given)
    for joint, told in posing.told.items():
        says = linkage.model.joints[joint]
        new = _differs(posing, joint)
        for name, value in told.items():
            if name not in new or not (follows or _moved(posing, joint, name)):
                continue
            is_given = (joint, name) in given or name in says.initial
            place = found.initial if is_given else found.guess
            unit = linkage.unit.get((joint, name), "")
            place.setdefault(joint, {})[name] = _text(_plain(value, _step(linkage, unit)), unit)
    for body, pose in _free_bodies(posing):
        own: dict[str, Any] = {"position": [_text(v, "m") for v in pose.p_WB]}
        says_turned = linkage.model.bodies[body].initial
        is_turned = float(np.abs(pose.R_WB - np.eye(3)).max()) > _SAME
        if is_turned or (says_turned is not None and says_turned.orientation is not None):
            quaternion = [float(f"{v:.12g}") for v in to_quaternion(pose.R_WB)]
            own["orientation"] = {"quaternion": quaternion}
        found.bodies[body] = own
    return found


def _differs(posing: Posing, joint: str) -> set[str]:
    """Coordinates that a file says otherwise, or not at all; of a rotation all or none."""
    own, told = posing.linkage.joints[joint], posing.told[joint]
    names, value = list(told), posing.linkage.values.number
    if own.told_set is None:
        said = dict(zip(names, likely(own, value), strict=True))
        return {n for n in names if abs(told[n] - said[n]) > _SAME}
    first = posing.first[joint]
    turns = list(own.told_set.names)
    moved = {n for n in names if abs(told[n] - first[n]) > _SAME}
    return (moved - set(turns)) | (set(turns) if moved & set(turns) else set())


def _moved(posing: Posing, joint: str, name: str) -> bool:
    return abs(posing.told[joint][name] - posing.first[joint][name]) > _SAME


def _others_follow(posing: Posing, given: set[tuple[str, str]]) -> bool:
    """Whether a coordinate has moved that is not given: then all guesses say where they are."""
    return any(_moved(posing, joint, name) for joint, told in posing.told.items()
               for name in told if (joint, name) not in given)  # fmt: skip


def _independent(posing: Posing, dragged: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Coordinates that may be given together: those of the file, the dragged one, then others."""
    linkage = posing.linkage
    A, E = linkage.holding(posing.q), linkage.joint_rows(posing.q)
    taken = _span(A)
    for joint, name, rows in sorted(_choices(linkage), key=lambda c: _rank(linkage, c[0], dragged)):
        new = E[rows]
        rest = new - (new @ taken) @ taken.T
        if np.linalg.matrix_rank(rest, tol=_INDEPENDENT) == len(rows):
            taken = _span(np.vstack([taken.T, rest]))
            yield joint, name


def _choices(linkage: Linkage) -> Iterator[tuple[str, tuple[str, ...], list[int]]]:
    """Coordinates with their rows: scalars one by one, a rotation as a whole."""
    for joint, rows in linkage.rows_of.items():
        own = linkage.joints[joint]
        if own.told_set is None:
            for scalar, row in zip(own.scalars, rows, strict=True):
                yield joint, (scalar.name,), [row]
        else:
            yield joint, own.told_names, rows


def _rank(linkage: Linkage, joint: str, dragged: str) -> int:
    if linkage.model.joints[joint].initial:
        return 0
    return 1 if joint == dragged else 2


def _span(A: Array) -> Array:
    """Orthonormal columns that span the rows of A."""
    if not A.size:
        return np.zeros((A.shape[1], 0))
    _, s, Vt = np.linalg.svd(A, full_matrices=False)
    return np.asarray(Vt[s > 1e-6 * max(float(s[0]), 1e-300)].T)


def _free_bodies(posing: Posing) -> Iterator[tuple[str, Any]]:
    """Bodies with a pose of their own that were moved, with that pose."""
    linkage = posing.linkage
    own = {s.name.removesuffix(".free.x") for s in linkage.c.layout.q if s.name.endswith(".free.x")}
    if not own:
        return
    now, before = linkage.bodies(posing.q), linkage.bodies(linkage.start)
    for body in linkage.model.bodies:
        off = max(float(np.abs(now[body].p_WB - before[body].p_WB).max()),
                  float(np.abs(now[body].R_WB - before[body].R_WB).max()))  # fmt: skip
        if body in own and off > _SAME:
            yield body, now[body]


def _step(linkage: Linkage, unit: str) -> float:
    """What coordinates are rounded to."""
    if unit != "m":
        return _ROUND_ANGLE
    return float(10.0 ** math.floor(math.log10(linkage.size))) * _ROUND_LENGTH


def _plain(value: float, step: float) -> float:
    """A value that was rounded, without the digits that moving there has left."""
    near = step * round(value / step)
    return near if abs(value - near) < _SAME else value


def _text(value: float, unit: str) -> str:
    """A value as a file says it: angles in degrees."""
    number = math.degrees(value) if unit == "rad" else value
    number = 0.0 if abs(number) < 1e-12 else number
    return f"{number:.12g} {'deg' if unit == 'rad' else unit}".strip()
