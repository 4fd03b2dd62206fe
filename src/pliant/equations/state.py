"""The common language of states: the motion of bodies, whatever the coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class PoseAndTwist:
    """Motion of a body frame in world axes, and deformation of the body, in numbers."""

    R_WB: NDArray[np.float64]
    p_WB: NDArray[np.float64]
    v_WB: NDArray[np.float64]
    w_WB: NDArray[np.float64]
    elastic: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    elastic_rates: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))


class StateFrom(Protocol):
    """(q, u, p) of a formulation from the motion of the bodies; angles nearest to ``near``.

    ``guess(p) -> (q, p)`` is where assembly begins; ``size(p)`` how large the model is.
    """

    def size(self, p: NDArray[np.float64]) -> float: ...

    def guess(self, p: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

    def __call__(
        self,
        bodies: Mapping[str, PoseAndTwist],
        p: NDArray[np.float64],
        near: NDArray[np.float64] | None = None,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
