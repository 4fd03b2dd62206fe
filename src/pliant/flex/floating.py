"""Floating frames (S0.7, normative 9): which rigid part is taken out of the shape functions.

B's origin lies on the undeformed axis at x0; every shape loses a translation t and a rotation r:

    at (x)           x0 = x; the section at x neither moves nor turns (body-fixed)
    chord            x0 = 0; both ends stay on the x axis, the section at 0 does not twist
    mass-centre      x0 = mass centre; t = mean displacement, r = that of the section at x0
    principal-axis   t as above; r makes the products of inertia xy and xz zero, S0 (5.14)
    buckens          t as above; r makes ∫ r x u dm zero over the whole volume, S0 (5.19, 5.20),
                     so the rotary inertia of the sections always counts
    tisserand        t, r make linear and angular momentum of the deformation zero, S0 (5.30, 5.31),
                     momentum as the model counts it, that is with its choice of rotary inertia

All are taken to first order, so that they hold for every q at once: the quadratic rest of
Tisserand's condition, S0 (5.34), is zero for planar bending, and is not imposed in space. With
rotary_inertia full, buckens and tisserand are the same. Twist is removed as its mean weighted
with the polar inertia in the last three; for principal-axis because the principal directions of
a round section are no directions at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.flex.beam import Rates
from pliant.flex.fields import Fields, FieldValues, RigidPart
from pliant.flex.rule import Rule

FRAMES = ("at", "chord", "mass-centre", "principal-axis", "buckens", "tisserand")


@dataclass(frozen=True, slots=True)
class FloatingFrame:
    """The kind of body frame; `x` is the fraction of the length for kind "at"."""

    kind: str = "at"
    x: float = 0.0


def rigid_part(
    frame: FloatingFrame, fields: Fields, rule: Rule, rates: Rates, *, full: bool
) -> RigidPart:
    """What the frame takes out of the fields; `full` says whether rotary inertia is full."""
    length = float(rule.breaks[-1])
    if frame.kind == "at":
        x0 = frame.x * length
        f = fields.at(np.array([x0]))
        return RigidPart(x0, f.L[0], f.theta[0])
    if frame.kind == "chord":
        return _chord(fields, length)
    dm = rule.w * rates.rhoA
    x0 = float(dm @ rule.x / dm.sum())
    f = fields.at(rule.x)
    t = np.tensordot(dm, f.L, axes=(0, 0)) / dm.sum()
    if frame.kind == "mass-centre":
        return RigidPart(x0, t, fields.at(np.array([x0])).theta[0])
    sign = {"principal-axis": -1.0, "buckens": 1.0, "tisserand": 1.0 if full else 0.0}[frame.kind]
    return RigidPart(x0, t, _mean_rotation(f, rule, rates, rule.x - x0, sign))


def _chord(fields: Fields, length: float) -> RigidPart:
    f = fields.at(np.array([0.0, length]))
    r = np.zeros_like(f.L[0])
    r[0] = f.phi[0]
    r[1] = -(f.L[1, 2] - f.L[0, 2]) / length
    r[2] = (f.L[1, 1] - f.L[0, 1]) / length
    return RigidPart(0.0, f.L[0], r)


def _mean_rotation(f: FieldValues, rule: Rule, rates: Rates, arm: Array, sign: float) -> Array:
    """r from ∫ρA (arm)² r + sign ρI r = ∫ρA arm v + sign ρI psi, plane by plane.

    sign +1: angular momentum with rotary inertia; 0: without; -1: product of inertia, since
    J_xy = -∫ρA x v + ∫ρIz psi_z to first order.
    """
    dm, dIy, dIz = (rule.w * rate for rate in (rates.rhoA, rates.rhoIy, rates.rhoIz))
    second = dm @ arm**2
    polar = dIy + dIz
    r = np.zeros_like(f.L[0])
    if polar.sum() > 0:
        r[0] = polar @ f.phi / polar.sum()
    r[1] = (-(dm * arm) @ f.L[:, 2] + sign * dIy @ f.psi[:, 1]) / (second + sign * dIy.sum())
    r[2] = ((dm * arm) @ f.L[:, 1] + sign * dIz @ f.psi[:, 2]) / (second + sign * dIz.sum())
    return np.asarray(r)
