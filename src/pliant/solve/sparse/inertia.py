"""What steps that conserve energy need of a system: discrete residuals, inertia of its bodies."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array, Flags
from pliant.solve.sparse import system_layout as sl
from pliant.solve.sparse.step_layout import INERTIA
from pliant.solve.sparse.system import SparseSystem

THIN = 1e-10
"""Ratio of moments of inertia below which a body counts as a line."""


class DiscreteSystem:
    """Discrete residuals of all kinds, and per block mass, centre of mass and inertia about it."""

    def __init__(self, system: SparseSystem, dissipative: bool) -> None:
        from pliant.solve.sparse.discrete_code import discrete_code, mass_matrices

        self._system = system
        self._codes = [discrete_code(e.kind.source, dissipative) for e in system.elements]
        M, other = np.zeros((len(system.shapes), 6, 6)), np.zeros(len(system.shapes), dtype=bool)
        for elements, code in zip(system.elements, self._codes, strict=True):
            if code.rigid:
                own = mass_matrices(elements.kind.source, elements.numbers)
                np.add.at(M, elements.blocks[:, 0], own)
            elif code.inertial:
                other[elements.blocks] = True
        self.bodies = _bodies(M, other)

    def install(self) -> None:
        """Let the system call these residuals."""
        ic, first = self._system.ic, int(self._system.ic[sl.KIND_TABLE])
        for k, code in enumerate(self._codes):
            ic[first + sl.KIND_INTS * k + sl.K_DISCRETE] = code.machine.address["discrete"]


def _bodies(M: Array, other: Flags) -> Array:
    """m, c, J, J^-1 of mass matrices [m 1, -m [c]x; m [c]x, J - m [c]x^2] about origins."""
    found, m = np.zeros((len(M), INERTIA)), M[:, 0, 0]
    first = np.stack([M[:, 5, 1], M[:, 3, 2], M[:, 4, 0]], axis=1)
    c = np.divide(first, m[:, None], out=np.zeros_like(first), where=m[:, None] > 0)
    cross = np.zeros((len(M), 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        cross[:, j, i], cross[:, i, j] = c[:, k], -c[:, k]
    J = M[:, 3:, 3:] + m[:, None, None] * cross @ cross
    found[:, 0], found[:, 1:4], found[:, 4:13] = m, c, J.reshape(-1, 9)
    values = np.linalg.eigvalsh(J)
    whole = ~other & (m > 0) & (values[:, 0] > THIN * values[:, 2])
    found[whole, 13:22] = np.linalg.inv(J[whole]).reshape(-1, 9)
    found[:, 22] = whole
    return found
