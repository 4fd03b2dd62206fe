"""The space robot (source S2, 11.2.7): momentum of a free-flying system with flexible bodies."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss

import pliant as pl
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion

EXAMPLE = Path(__file__).parents[2] / "examples" / "space_robot.yaml"
POINTS = 6
"""Places along a beam; fields are cubic, products of two of degree six: Gauss' rule is exact."""


def observed_at_points(model):
    """The model with frames at Gauss points of its beams."""
    at = (leggauss(POINTS)[0] + 1) / 2
    bodies = []
    for body in model.bodies.values():
        if isinstance(body, pl.Beam):
            body = replace(
                body, frames={f"g{k}": [body.length * float(x), 0, 0] for k, x in enumerate(at)}
            )
        bodies.append(body)
    return pl.System(model.with_(bodies=bodies))


def momentum(system, r):
    """Linear and angular momentum about the world's origin, in numbers of the model file, from
    motion alone."""
    values = system.model.parameter_values()
    P, L = np.zeros((2, len(r.time), 3))
    for body in system.model.bodies.values():
        if isinstance(body, pl.Beam):
            p, l = _of_beam(body, r, values)
        else:
            p, l = _of_rigid(body, r, values)
        P, L = P + p, L + l
    return P, L


def _turned(r, frame):
    return np.array([from_quaternion(NUMERIC, q) for q in r[f"{frame}.orientation"].values])


def _of_rigid(body, r, values):
    m = body.mass.number(values)
    com = np.array([f.number(values) for f in body.com])
    J = np.diag([f.number(values) for f in body.inertia[:3]])
    R = _turned(r, body.name)
    w, arm = r[f"{body.name}.angular_velocity"].values, R @ com
    v = r[f"{body.name}.velocity"].values + np.cross(w, arm)
    spin = np.einsum("tij,jk,tlk,tl->ti", R, J, R, w)
    return m * v, m * np.cross(r[f"{body.name}.position"].values + arm, v) + spin


def _of_beam(body, r, values):
    length, rho = body.length.number(values), body.mass_per_length.number(values)
    rolled = sum(getattr(body.rotary, key).number(values) for key in ("rhoIy", "rhoIz"))
    P, L = np.zeros((2, len(r.time), 3))
    for k, weight in enumerate(leggauss(POINTS)[1] / 2 * length):
        x, v, w = (r[f"{body.name}.g{k}.{what}"].values
                   for what in ("position", "velocity", "angular_velocity"))  # fmt: skip
        along = _turned(r, f"{body.name}.g{k}")[:, :, 0]
        P += weight * rho * v
        L += weight * (rho * np.cross(x, v) + rolled * (w * along).sum(1)[:, None] * along)
    return P, L


@pytest.mark.slow
def test_a_free_flying_robot_keeps_its_momentum():
    """Nothing acts from outside, and all is at rest at the start, so both momenta are zero while
    parts of them pass through the joints: to the part of what the satellite carries that the
    integrator's tolerance, and terms of third order in the deflection, allow."""
    system = observed_at_points(pl.load(EXAMPLE).described)
    r = system.simulate(every=10.0)
    P, L = momentum(system, r)
    _, of_satellite = _of_rigid(system.model.bodies["satellite"], r,
                                system.model.parameter_values())  # fmt: skip
    size = np.abs(of_satellite).max()
    assert size > 10
    assert np.abs(L).max() < 1e-6 * size
    speed = np.linalg.norm(r["satellite.velocity"].values, axis=1).max()
    assert np.abs(P).max() < 1e-6 * 1200 * speed
    # the carrier turns the other way, and the arrays swing on after the end of the manoeuvre
    turned = 2 * np.arctan2(*r["carrier.orientation"].values[-1][[3, 0]])
    assert np.degrees(turned) == pytest.approx(-42.6, abs=0.1)
    late = r.time > 610
    assert np.ptp(r["left.tip.deflection.tangent(root)"].values[late, 2]) > 1e-3
