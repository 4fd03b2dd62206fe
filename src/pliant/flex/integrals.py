"""Integrals along a beam: mass, of translation and rotation of slices (flexible-bodies 4); strain.

R = exp([psi]x) exp([phi e1]x). With θ = psi + phi e1 the angular velocity of a section in its own
axes is, to degree 2 in (q, q'), W = w + W1 + W2,

    W1 = θ' - θ x w
    W2 = X w - 1/2 psi x psi' - phi e1 x psi',   X = 1/2 [psi]² + 1/2 phi² [e1]² + phi [e1][psi]

so T_rot = ∫ 1/2 W^T j W gives

    J0 = j   J1 = -(j[θ] - [θ]j)   J2: [θ]^T j [θ] + j X + X^T j
    B0 = jθ  B1: [θ_b] j θ_a - j (1/2 psi_b x psi_a + phi_b e1 x psi_a)   M = θ^T j θ

All degree-2 terms are contractions of Z = ∫ j_mn ζ_ra ζ_sb, ζ = (psi, phi), with constants.

Strain energy U = 1/2 q^T K q (flexible-bodies 7), and the forces in a section that go with it.

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
from pliant.flex.data import PointFields, Tables, translation_tables
from pliant.flex.fields import Fields, FieldValues
from pliant.flex.numerics import EPS, Rule, gauss, skew

_UNIT = np.eye(3)
#: θ = TURN ζ.
TURN: Array = np.hstack([_UNIT, _UNIT[:, :1]])


def _second_rotation() -> Array:
    """X[r, s]: X = Σ ζ_r ζ_s X[r, s]."""
    X = np.zeros((4, 4, 3, 3))
    for r in range(3):
        for s in range(3):
            X[r, s] = 0.5 * skew(_UNIT[r]) @ skew(_UNIT[s])
        X[3, r] = skew(_UNIT[0]) @ skew(_UNIT[r])
    X[3, 3] = 0.5 * skew(_UNIT[0]) @ skew(_UNIT[0])
    return X


def _second_rate() -> Array:
    """Y[r, s]: 1/2 psi x psi' + phi e1 x psi' = Σ ζ_r ζ_s' Y[r, s]."""
    Y = np.zeros((4, 4, 3))
    Y[:3, :3] = 0.5 * np.moveaxis(EPS, 0, 2)
    Y[3, :3] = np.moveaxis(EPS, 0, 2)[0]
    return Y


def _inertia_constants() -> Array:
    """c[i, j, m, n, r, s] of [θ]^T j [θ] + j X + X^T j."""
    turn = skew(TURN.T)
    X = _second_rotation()
    square = np.einsum("rmi,snj->ijmnrs", turn, turn)
    mixed = np.einsum("im,rsnj->ijmnrs", _UNIT, X)
    return np.asarray(square + mixed + mixed.transpose(1, 0, 2, 3, 4, 5))


def _coupling_constants() -> Array:
    """c[i, m, n, r, s] of [θ_b] j θ_a - j (...): r belongs to b (position), s to a (velocity)."""
    turn = skew(TURN.T)
    first = np.einsum("rim,ns->imnrs", turn, TURN)
    return np.asarray(first - np.einsum("im,rsn->imnrs", _UNIT, _second_rate()))


_INERTIA = _inertia_constants()
_COUPLING = _coupling_constants()


def rotary_tables(j: Array, psi: Array, phi: Array) -> Tables:
    """Integrals for slices with inertia j (P, 3, 3), bend psi (P, 3, n) and twist phi (P, n)."""
    P, n = phi.shape
    zeta = np.concatenate([psi, phi[:, None]], axis=1).reshape(P, 4 * n)
    Z = np.zeros((3, 3, 4, n, 4, n))
    for m, k in zip(*np.nonzero(j.any(axis=0)), strict=True):
        Z[m, k] = ((j[:, m, k, None] * zeta).T @ zeta).reshape(4, n, 4, n)
    first = np.einsum("pmk,pra,sr->mksa", j, zeta.reshape(P, 4, n), TURN)
    J1 = np.einsum("mksa,skj->mja", first, skew(_UNIT))
    J2 = np.einsum("ijmkrs,mkrasb->ijab", _INERTIA, Z, optimize=True)
    return Tables(
        m=0.0,
        s0=np.zeros(3),
        s1=np.zeros((3, n)),
        s2=np.zeros((3, n, n)),
        J0=j.sum(axis=0),
        J1=-(J1 + J1.transpose(1, 0, 2)),
        J2=J2 + J2.transpose(0, 1, 3, 2),
        B0=np.einsum("mkka->ma", first),
        B1=np.einsum("imkrs,mkrbsa->iab", _COUPLING, Z, optimize=True),
        M=np.einsum("mkrasb,mr,ks->ab", Z, TURN, TURN, optimize=True),
    )


def slice_inertia(rule: Rule, rates: Rates, rotary: str) -> Array:
    """j dx = ρ diag(Iy + Iz, Iy, Iz) dx at the points; axial keeps the first entry only."""
    j = np.zeros((len(rule.x), 3, 3))
    if rotary != "none":
        j[:, 0, 0] = rule.w * (rates.rhoIy + rates.rhoIz)
    if rotary == "full":
        j[:, 1, 1], j[:, 2, 2] = rule.w * rates.rhoIy, rule.w * rates.rhoIz
    return j


def axis_points(rule: Rule, x: Array, rates: Rates, f: FieldValues, H: Array | None) -> PointFields:
    """The axis as mass points at distance x from B's origin; foreshortening is along e1."""
    p0 = np.zeros((len(x), 3))
    p0[:, 0] = x
    along = None
    if H is not None:
        along = np.zeros((len(x), 3, *H.shape[1:]))
        along[:, 0] = H
    return PointFields(p0, f.L, along, rule.w * rates.rhoA)


def beam_tables(
    rule: Rule, x: Array, rates: Rates, f: FieldValues, H: Array | None, rotary: str
) -> Tables:
    """All integrals of a beam to degree 2."""
    tables = translation_tables(axis_points(rule, x, rates, f, H))
    if rotary == "none":
        return tables
    return tables + rotary_tables(slice_inertia(rule, rates, rotary), f.psi, f.phi)


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
