"""The common language of states: the motion of bodies, whatever the coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from pliant.arrays import Array


@dataclass(frozen=True, slots=True)
class PoseAndTwist:
    """Motion of a body frame in world axes, and deformation of the body, in numbers."""

    R_WB: Array
    p_WB: Array
    v_WB: Array
    w_WB: Array
    elastic: Array = field(default_factory=lambda: np.zeros(0))
    elastic_rates: Array = field(default_factory=lambda: np.zeros(0))


class StateFrom(Protocol):
    """(q, u, p) of a formulation from the motion of the bodies; angles nearest to ``near``.

    ``guess(p) -> (q, p)`` is where assembly begins; ``size(p)`` how large the model is.
    """

    def size(self, p: Array) -> float: ...

    def guess(self, p: Array) -> tuple[Array, Array]: ...

    def __call__(
        self,
        bodies: Mapping[str, PoseAndTwist],
        p: Array,
        near: Array | None = None,
    ) -> tuple[Array, Array, Array]: ...
