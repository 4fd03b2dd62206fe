"""Strain energy U = 1/2 q^T K q (normative 7), and the forces in a section that go with it.

    U = 1/2 ∫ EA s'² + EIy psi_y'² + EIz psi_z'² + GJ phi'² + GAy (v' - psi_z)² + GAz (w' + psi_y)²

Forces and moments are those which the part beyond x exerts on the part before it, in the axes of
the section: N = EA s', Mx = GJ phi', My = EIy psi_y', Mz = EIz psi_z'; Timoshenko
Qy = GAy (v' - psi_z), Qz = GAz (w' + psi_y); Euler-Bernoulli from balance, Qy = -(EIz v'')',
Qz = -(EIy w'')'. Tension is positive.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.flex.beam import Beam, Rates
from pliant.flex.fields import Fields, FieldValues
from pliant.flex.rule import Rule, gauss


def stiffness(rule: Rule, rates: Rates, f: FieldValues, *, shear: bool) -> Array:
    """K (n, n)."""
    terms = [
        (rates.EA, f.dL[:, 0]),
        (rates.GJ, f.dphi),
        (rates.EIy, f.dpsi[:, 1]),
        (rates.EIz, f.dpsi[:, 2]),
    ]
    if shear:
        gamma = f.shear()
        terms += [(rates.GAy, gamma[:, 0]), (rates.GAz, gamma[:, 1])]
    K = np.zeros((f.phi.shape[1],) * 2)
    for rate, strain in terms:
        K += (strain * (rule.w * rate)[:, None]).T @ strain
    return K


def section_forces(beam: Beam, fields: Fields, x: float, *, shear: bool) -> Array:
    """Rows N, Qy, Qz, Mx, My, Mz as linear functions of q, (6, n)."""
    place = np.array([x])
    f, rates = fields.at(place), beam.rates(place)
    EIy, EIz = np.ravel(rates.EIy)[0], np.ravel(rates.EIz)[0]
    out = np.zeros((6, fields.count))
    out[0] = np.ravel(rates.EA)[0] * f.dL[0, 0]
    out[3] = np.ravel(rates.GJ)[0] * f.dphi[0]
    out[4], out[5] = EIy * f.dpsi[0, 1], EIz * f.dpsi[0, 2]
    if shear:
        gamma = f.shear()[0]
        out[1], out[2] = np.ravel(rates.GAy)[0] * gamma[0], np.ravel(rates.GAz)[0] * gamma[1]
    else:
        dEIy, dEIz = _stiffness_slopes(beam, x)
        out[1] = -(EIz * f.ddpsi[0, 2] + dEIz * f.dpsi[0, 2])
        out[2] = EIy * f.ddpsi[0, 1] + dEIy * f.dpsi[0, 1]
    return out


def _stiffness_slopes(beam: Beam, x: float) -> tuple[float, float]:
    """dEIy/dx, dEIz/dx between stations: interpolation of degree 7 (I is of degree 4)."""
    stations = np.asarray(beam.stations) * beam.length
    k = int(np.clip(np.searchsorted(stations, x, side="right") - 1, 0, len(stations) - 2))
    t, _ = gauss(8)
    half = (stations[k + 1] - stations[k]) / 2
    rates = beam.rates(stations[k] + half * (t + 1))
    at = (x - stations[k]) / half - 1
    slopes = []
    for rate in (rates.EIy, rates.EIz):
        if np.ptp(rate) == 0.0:
            slopes.append(0.0)
            continue
        fit = np.polynomial.legendre.legfit(t, np.broadcast_to(rate, t.shape), 7)
        slope = np.polynomial.legendre.legval(at, np.polynomial.legendre.legder(fit))
        slopes.append(float(slope) / half)
    return slopes[0], slopes[1]


def normal_stress(beam: Beam, forces: Array, x: float) -> Array | None:
    """σ = N/A + My z/Iy - Mz y/Iz at the points of the section, (k, n); None without section."""
    values = beam.section_values(np.array([x]))
    if values is None:
        return None
    y, z = values.points[:, 0].reshape(-1, 1), values.points[:, 1].reshape(-1, 1)
    A, Iy, Iz = (np.ravel(v)[0] for v in (values.A, values.Iy, values.Iz))
    return np.asarray(forces[0] / A + forces[4] * z / Iy - forces[5] * y / Iz)
