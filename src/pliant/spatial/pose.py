"""Poses X_WB = (R_WB, p_WB): adjacent letters cancel, X_WC = X_WB @ X_BC."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.records import dataclass
from pliant.spatial.ops import Ops


@dataclass(frozen=True, slots=True)
class Pose:
    """Rotation R_AB and position p_AB of frame B in frame A."""

    R: Any
    p: Any

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.R @ other.R, self.p + self.R @ other.p)

    @property
    def inverse(self) -> Pose:
        """X_BA."""
        return Pose(self.R.T, -(self.R.T @ self.p))


def identity(ops: Ops) -> Pose:
    """X_AA."""
    return Pose(ops.const(np.eye(3)), ops.zeros(3))
