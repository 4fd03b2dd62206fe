"""Normal modes of uniform Euler-Bernoulli beams, stable for any mode number.

    f(x) = a cos y + b sin y + c e^{-y} + d e^{-(β - y)},   y = β x/l

which is the textbook cosh - cos - σ (sinh - sin) (halved) without the difference of two large
numbers. Source: S0 (9.14), with the coefficient evaluated at β. Roots β by Newton's method.

Axial and torsional functions that go with them:

    clamped-free                    sin((k - 1/2) π x/l)
    clamped-clamped                 sin(k π x/l)
    free-free                       cos(k π x/l)
    pinned-pinned, clamped-pinned   x/l, then sin((k - 1) π x/l)

A pin at the far end of a link does not hinder stretch, so the last row starts with the linear
function: it is complete for any end value.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.flex.shapes.base import KINDS, ROTATIONS, SHEARS, Block, Piecewise, Request, Zero
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class BeamModes:
    """Bending modes: rows (a, b, c, d) of `amplitudes` for wave numbers `beta`."""

    length: float
    beta: Array
    amplitudes: Array

    @property
    def count(self) -> int:
        return len(self.beta)

    @property
    def order(self) -> int:
        return len(self.beta)

    @property
    def breaks(self) -> Array:
        return np.array([0.0, self.length])

    def __call__(self, x: Array) -> Array:
        return np.stack([self.derivative(x, k) for k in range(4)])

    def derivative(self, x: Array, k: int) -> Array:
        """The k-th x-derivative, (points, modes)."""
        y = np.asarray(x)[:, None] / self.length * self.beta
        a, b, c, d = self.amplitudes
        turn = k * np.pi / 2
        waves = a * np.cos(y + turn) + b * np.sin(y + turn)
        ends = (-1) ** k * c * np.exp(-y) + d * np.exp(y - self.beta)
        return np.asarray((waves + ends) * (self.beta / self.length) ** k)


@dataclass(frozen=True, slots=True)
class ShearModes(BeamModes):
    """Shear displacement that goes with bending modes: l² f''/β² less a line.

    Static shear is proportional to f''', its displacement to f''. The line keeps the
    displacement of supported ends at zero (one end: its value; both: the line through them).
    """

    held: tuple[bool, bool]

    def __call__(self, x: Array) -> Array:
        scale = (self.length / self.beta) ** 2
        out = np.stack([self.derivative(x, k + 2) * scale for k in range(4)])
        start, end = self.derivative(self.breaks, 2) * scale
        left, right = self.held
        if left and right:
            out[0] -= start + (end - start) * np.asarray(x)[:, None] / self.length
            out[1] -= (end - start) / self.length
        elif left:
            out[0] -= start
        return out


def _roots(sign: float, shift: float, count: int) -> Array:
    """cos β + sign sech β = 0 near (k + shift) π."""
    beta = (np.arange(1.0, count + 1) + shift) * np.pi
    for _ in range(8):
        sech = 2 * np.exp(-beta) / (1 + np.exp(-2 * beta))
        slope = -np.sin(beta) - sign * sech * np.tanh(beta)
        beta = beta - (np.cos(beta) + sign * sech) / slope
    return beta


def _clamped_pinned_roots(count: int) -> Array:
    """tan β = tanh β near (k + 1/4) π."""
    beta = (np.arange(1.0, count + 1) + 0.25) * np.pi
    for _ in range(8):
        tanh = np.tanh(beta)
        value = np.sin(beta) - np.cos(beta) * tanh
        beta = beta - value / (np.cos(beta) + np.sin(beta) * tanh - np.cos(beta) * (1 - tanh**2))
    return beta


def _hyperbolic(beta: Array, sign: float, waves: float) -> Array:
    """waves (cos - σ sin) + cosh - σ sinh, halved; σ = (cosh β + sign cos β)/(sinh β + sign sin β).

    (1 - σ) e^y = 2 d e^{y - β} with d below: no difference of large numbers is formed.
    """
    small = np.exp(-beta)
    d = (sign * (np.sin(beta) - np.cos(beta)) - small) / (
        1 - small**2 + 2 * sign * np.sin(beta) * small
    )
    sigma = 1 - 2 * d * small
    return 0.5 * np.stack([waves * np.ones_like(beta), -waves * sigma, (1 + sigma) / 2, d])


BENDING = {
    "clamped-free": (True, False),
    "pinned-pinned": (True, True),
    "free-free": (False, False),
    "clamped-clamped": (True, True),
    "clamped-pinned": (True, True),
}
"""Families, and which ends they hold."""


def bending_modes(family: str, length: float, count: int) -> BeamModes:
    """Clamped-free: tips are +1; free-free: elastic modes only, ends at x = 0 are +1;
    pinned-pinned: sin(kπx/l); clamped-clamped, clamped-pinned (clamped at x = 0): ∫ f² dx = l/4."""
    if family == "pinned-pinned":
        amplitudes = np.zeros((4, count))
        amplitudes[1] = 1.0
        return BeamModes(length, np.arange(1.0, count + 1) * np.pi, amplitudes)
    if family == "clamped-free":
        beta = _roots(1.0, -0.5, count)
        amplitudes = _hyperbolic(beta, 1.0, -1.0) * (-1.0) ** np.arange(count)
        return BeamModes(length, beta, amplitudes)
    pinned = family == "clamped-pinned"
    beta = _clamped_pinned_roots(count) if pinned else _roots(-1.0, 0.5, count)
    return BeamModes(length, beta, _hyperbolic(beta, -1.0, 1.0 if family == "free-free" else -1.0))


#: Legendre coefficients of a section rotation with a mean, zero at clamped ends:
#: 1, 4ξ(1 - ξ), ξ(2 - ξ) with ξ = x/l.
_ROTATIONS = {
    "pinned-pinned": (1.0, 0.0, 0.0),
    "clamped-clamped": (2 / 3, 0.0, -2 / 3),
    "clamped-pinned": (2 / 3, 1 / 2, -1 / 6),
}


def bending(family: str, request: Request) -> tuple[Block, ...]:
    """Modes with normal sections; Timoshenko: as many shear displacements of their own.

    Where both ends are held, derivatives of modes have no mean: one more section rotation, alone,
    lets the mean shear strain differ from zero.
    """
    held = BENDING[family]
    field, length = request.field, request.beam.length
    modes = bending_modes(family, length, request.count)
    blocks = [Block(field, KINDS[field], field, modes)]
    if request.shear:
        shear = ShearModes(length, modes.beta, modes.amplitudes, held)
        blocks.append(Block(field, SHEARS[field], f"{field}s", shear, Zero(shear.count)))
    if request.shear and family in _ROTATIONS:
        coefficients = np.array(_ROTATIONS[family]).reshape(1, 3, 1) / length
        turn = Piecewise(np.array([0.0, length]), coefficients)
        blocks.append(Block(field, ROTATIONS[field], f"{field}r", Zero(1), turn))
    return tuple(blocks)


@dataclass(frozen=True, slots=True)
class Waves:
    """sin(κx + shift), preceded by x/l if `linear`."""

    length: float
    kappa: Array
    shift: float
    linear: bool

    @property
    def count(self) -> int:
        return len(self.kappa) + self.linear

    @property
    def order(self) -> int:
        return len(self.kappa) + 1

    @property
    def breaks(self) -> Array:
        return np.array([0.0, self.length])

    def __call__(self, x: Array) -> Array:
        x = np.asarray(x, dtype=np.float64)[:, None]
        turns = self.shift + np.arange(4)[:, None, None] * np.pi / 2
        powers = self.kappa ** np.arange(4)[:, None, None]
        waves = np.sin(x * self.kappa + turns) * powers
        if not self.linear:
            return np.asarray(waves)
        line = np.zeros((4, len(x), 1))
        line[0] = x / self.length
        line[1] = 1 / self.length
        return np.concatenate([line, waves], axis=2)


def analytic(family: str, request: Request) -> tuple[Block, ...]:
    """The functions of an analytic family: bending, axial or torsional ones."""
    if request.bending:
        return bending(family, request)
    length, k = request.beam.length, np.arange(1.0, request.count + 1)
    unit = np.pi / length
    if family == "clamped-free":
        shapes = Waves(length, (k - 0.5) * unit, 0.0, False)
    elif family == "clamped-clamped":
        shapes = Waves(length, k * unit, 0.0, False)
    elif family == "free-free":
        shapes = Waves(length, k * unit, np.pi / 2, False)
    else:
        shapes = Waves(length, k[:-1] * unit, 0.0, True)
    return (Block(request.field, KINDS[request.field], request.field, shapes),)
