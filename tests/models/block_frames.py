"""Elements written over the motion of frames, as force elements of models are, over blocks.

Every node of the element is a body whose frame P is the body itself. Speeds of a block are in its
axes, those of a frame in the world:

    v_WP = R v,   w_WP = R w,   a_WP = R (v' + w x v),   alpha_WP = R w'

Loads are forces at the origins of the frames and torques, in world axes; the residual of a body is
what must balance them, in its own axes: -R^T f, -R^T m.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pliant.backends.blocks.solver.element import BODY, ElementKind, LocalMotion, element_kind
from pliant.spatial.rotation import from_quaternion
from pliant.spatial.symbolic import SYMBOLIC


@dataclass(frozen=True, slots=True)
class BlockFrame:
    """Motion of a body in world axes W."""

    R_WP: Any
    p_WP: Any
    v_WP: Any
    w_WP: Any
    a_WP: Any
    alpha_WP: Any

    @classmethod
    def of(cls, q: Any, u: Any, a: Any) -> BlockFrame:
        R, v, w = from_quaternion(SYMBOLIC, q[3:7]), u[0:3], u[3:6]
        turned = a[0:3] + SYMBOLIC.cross(w, v)
        return cls(R, q[0:3], R @ v, R @ w, R @ turned, R @ a[3:6])


FrameLoads = Callable[[Sequence[BlockFrame], Any], tuple[Sequence[Any], Sequence[Any]]]
"""(frames, numbers) -> forces and torques on them."""
Energy = Callable[[Sequence[BlockFrame], Any], Any]
"""(frames, numbers) -> potential energy; reads places and rotations only."""


def frame_element(
    name: str, nodes: int, parameters: int, loads: FrameLoads, *, energy: Energy | None = None,
    key: str = "",
) -> ElementKind:  # fmt: skip
    """Kind of an element that loads the frames of so many bodies, with the energy its loads come
    from, if there is one (``key``: ``element_kind``)."""

    def residual(m: LocalMotion, p: Any) -> Any:
        frames = [BlockFrame.of(*motion) for motion in zip(m.q, m.u, m.a, strict=True)]
        forces, torques = loads(frames, p)
        parts = [
            -(frame.R_WP.T @ part)
            for frame, force, torque in zip(frames, forces, torques, strict=True)
            for part in (force, torque)
        ]
        return SYMBOLIC.stack(parts)

    def potential(m: LocalMotion, p: Any) -> Any:
        assert energy is not None
        return energy([BlockFrame.of(*motion) for motion in zip(m.q, m.u, m.a, strict=True)], p)

    known = None if energy is None else potential
    return element_kind(name, (BODY,) * nodes, parameters, residual, potential=known, key=key)
