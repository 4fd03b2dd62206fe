"""Observables of flexible bodies; those of frames do not know the floating frame.

With x_c along the chord from root to tip, z_c nearest to z of the body, and the point c at the same
fraction of the chord as the frame P of the undeformed axis (flexible-bodies 10):

    P.deflection = R_c^T (p_P - c)               P.rotation: of P against its undeformed place in
                                                 chord axes, as a rotation vector
    P.deflection.tangent(F) = R_F^T (p_P - p_F) less the same of the undeformed body
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pliant.flex.large.shape import chord_axes
from pliant.flex.packing import Entries
from pliant.mechanics.motion import SystemMotion
from pliant.model.bodies import Beam
from pliant.observe.catalogue import COORDINATE, DEFLECTION, RATE, XYZ, Quantity
from pliant.spatial.pose import Pose
from pliant.spatial.turns import rotation_vector

Add = Callable[[str, Any, Quantity], None]
_ENDS = ("root", "tip")


def add_elastic(motion: SystemMotion, add: Add) -> None:
    """Elastic coordinates, deflections, internal forces of every flexible body."""
    for name, elastic in motion.elastic.items():
        for k, coordinate in enumerate(elastic.names):
            add(f"{name}.{coordinate}", elastic.q[k], COORDINATE.of(name))
            add(f"{name}.{coordinate}_rate", elastic.u[k], RATE.of(name))
        if elastic.count:
            _frames(motion, name, add)


def _frames(motion: SystemMotion, body: str, add: Add) -> None:
    elastic, places = motion.elastic[body], motion.places[body]
    rest = _undeformed(motion, body)
    beam = isinstance(motion.model.bodies[body], Beam)
    z = motion.ops.vec(0, 0, 1)
    chord = chord_axes(motion, places["tip"].p - places["root"].p, z) if beam else None
    for frame, X in places.items():
        if not frame:
            continue
        ref = f"{body}.{frame}"
        if chord is not None:
            _against_chord(motion, ref, X, rest[frame], rest, chord, add)
        for end in _ENDS if beam else ():
            moved = places[end].R.T @ (X.p - places[end].p)
            still = rest[end].R.T @ (rest[frame].p - rest[end].p)
            what = DEFLECTION["deflection"].of(body)
            add(f"{ref}.deflection.tangent({end})", moved - still, what)
        internal = elastic.tables.get(f"{frame}:internal", {})
        if internal:
            _internal(motion, internal, ref, body, add)
        stress = elastic.tables.get(f"{frame}:stress", {})
        if stress:
            _stress(motion, stress, ref, body, add)


def _undeformed(motion: SystemMotion, body: str) -> Mapping[str, Pose]:
    """Poses in B of the undeformed body."""
    q = motion.elastic[body].q
    zero = motion.ops.zeros(q.numel())
    return {
        frame: Pose(*motion.ops.substitute([X.R, X.p], q, zero))
        for frame, X in motion.places[body].items()
    }


def _against_chord(
    motion: SystemMotion, ref: str, X: Pose, X0: Pose, rest: Mapping[str, Pose], R_Bc: Any, add: Add
) -> None:  # fmt: skip
    body = ref.partition(".")[0]
    places = motion.places[body]
    length = rest["tip"].p[0] - rest["root"].p[0]
    fraction = (X0.p[0] - rest["root"].p[0]) / length
    c = places["root"].p + fraction * (places["tip"].p - places["root"].p)
    add(f"{ref}.deflection", R_Bc.T @ (X.p - c), DEFLECTION["deflection"].of(body))
    turned = rotation_vector(motion.ops, R_Bc.T @ X.R @ X0.R.T)[0]
    add(f"{ref}.rotation", turned, DEFLECTION["rotation"].of(body))


def _stress(motion: SystemMotion, table: Entries, ref: str, body: str, add: Add) -> None:
    """Normal stress at the points of the section, numbered from 1."""
    q, count = motion.elastic[body].q, 1 + max(k for k, _ in table)
    rows = [sum(c * q[a] for (k, a), c in table.items() if k == point) for point in range(count)]
    labels = tuple(f"p{k + 1}" for k in range(count))
    add(f"{ref}.stress", motion.ops.vec(*rows), Quantity("Pa", body, "internal", labels))


def _internal(motion: SystemMotion, table: Entries, ref: str, body: str, add: Add) -> None:
    """Components in directions that have shapes; of others nothing is known."""
    q, vec = motion.elastic[body].q, motion.ops.vec
    known = sorted({row for row, _ in table})
    rows = {k: sum(c * q[a] for (i, a), c in table.items() if i == k) for k in known}
    for name, unit, first in (("internal_force", "N", 0), ("internal_moment", "N*m", 3)):
        own = [k for k in known if first <= k < first + 3]
        if own:
            what = Quantity(unit, body, "internal", tuple(XYZ[k - first] for k in own))
            add(f"{ref}.{name}", vec(*(rows[k] for k in own)), what)
