"""A tree as arrays: kinds of links with their code, and which link hangs on which.

Links are in depth-first order, so that a link comes after the one it hangs on; coordinates and
speeds are in the order of the recursive formulation. Code is that of ``tree_kernel``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.arrays import Array, Integers
from pliant.code.llvm.machine import Machine
from pliant.mechanics.layout import Layout
from pliant.model.joints import Joint
from pliant.records import dataclass

INERTIA = 27
"""Numbers of an articulated inertia: J 6, H 9, M 6, n 3, f 3."""
CONSTANTS = 22
"""Constants of a link: R_PI 9, p_PI 3, m, mc 3, I_o 6; formulas of the joint follow."""
MOTION = 24
"""Motion of a frame: R_W 9, p_W 3, w 3, v 3, alpha 3, acc 3."""
OBSERVED = MOTION + 3 + 6
"""Then kinetic energy, potential energy in gravity, rate of kinetic energy; and the wrench (n, f)
the link needs, in world axes."""
FRAME = MOTION + 1
"""Motion of a frame of a body in world axes, and the kinetic energy of the body."""
MOMENTUM, MOMENTA = 10, 12
"""Momentum of a link or of all (``Momentum``); centre of mass and momenta of the system."""
RELATIVE = 18
"""Motion across a joint: R_FM 9, p_FM 3, w in M 3, v in F 3."""
LAW = 6
"""Outputs of a law: effort, power, potential energy, power of its damping, and its entries in the
energy book: power supplied and dissipated."""


LawNumbers = tuple[tuple[str, str], ...]
"""The numbers a law reads, in its order: ("field", its name) or ("parameter", its name)."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Links with the same code. A record of such a link is

    [ constants | w 3 | cut values | q' | efforts | G 6 nu | g0 nu | alpha 3 | acc 3 | u' ]
    """

    flipped: bool
    nq: int
    nu: int
    extra: int
    cut: int
    plain: bool
    """Whether q' = u."""

    @property
    def w(self) -> int:
        return CONSTANTS + self.extra

    @property
    def qdot(self) -> int:
        return self.w + 3 + self.cut

    @property
    def effort(self) -> int:
        return self.qdot + self.nq

    @property
    def gain(self) -> int:
        return self.effort + self.nu

    @property
    def acceleration(self) -> int:
        return self.gain + 7 * self.nu

    @property
    def size(self) -> int:
        return self.acceleration + 6 + self.nu


@dataclass(frozen=True, slots=True)
class TreeModel:
    """Structure and code of a tree; its numbers are ``TreeNumbers``.

    Function ``name`` of kind k is ``k{k}_{name}`` in the machine, law k is ``law{k}``.
    """

    kinds: tuple[Kind, ...]
    laws: tuple[LawNumbers, ...]
    machine: Machine
    layout: Layout
    kind: Integers
    parent: Integers
    """Link a link hangs on; -1: the ground."""
    q: Integers
    u: Integers
    """Where the coordinates and speeds of a link start."""
    joints: tuple[Joint, ...]
    bodies: tuple[str, ...]
    """Outer body of each link."""
    forces: tuple[str, ...]
    law: Integers
    law_link: Integers
    law_u: Integers
    """Law and link of each force, and the speed it acts on."""

    @property
    def n(self) -> int:
        return len(self.kind)

    @property
    def nq(self) -> int:
        return len(self.layout.q)

    @property
    def nu(self) -> int:
        return len(self.layout.u)

    def address(self, name: str) -> int:
        return self.machine.address[name]


@dataclass(frozen=True, slots=True)
class TreeNumbers:
    """Numbers of a tree for one set of parameters."""

    parameters: Mapping[str, float]
    gravity: Array
    constants: Array
    """A row of constants for each link."""
    laws: Array
    """A row of numbers for each force."""
    places: dict[str, Any]
    """Poses X_BP of the frames of every body, by body and frame."""
    R_BO: Array
    p_BO: Array
    """Link frame on each body."""
