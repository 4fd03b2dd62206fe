"""The kinetic energy of a beam straight from the formulas of the model, by dense quadrature.

Nothing here uses the tables: positions, foreshortening and rotations are formed at many points,
T is evaluated on a circle of complex amplitudes λ (q, q'), and its Taylor coefficients in λ are
the parts of degree 0, 1, 2, ...
"""

from itertools import pairwise

import numpy as np

from pliant.flex.numerics import skew, symmetric_modes

E1 = np.array([1.0, 0.0, 0.0])


def dense(data, panels=24, points=10):
    """Composite Gauss points between all places where fields or sections have kinks."""
    g = data.geometry
    length = g.body.beam.length
    breaks = g.rule.breaks
    if len(breaks) < 12:
        breaks = np.unique(
            np.concatenate([np.linspace(a, b, panels + 1) for a, b in pairwise(breaks)])
        )
    breaks = np.unique(np.append(breaks, g.x0).round(14))
    breaks = breaks[np.append(True, np.diff(breaks) > 1e-9 * length)]
    t, w = np.polynomial.legendre.leggauss(points)
    half = np.diff(breaks)[:, None] / 2
    return (breaks[:-1, None] + half * (t + 1)).ravel(), (half * w).ravel(), breaks


def shortening_rate(f, a, b):
    """The bilinear form of 2 v' psi_z - psi_z² - 2 w' psi_y - psi_y²."""
    dv, dw, py, pz = f.dL[:, 1], f.dL[:, 2], f.psi[:, 1], f.psi[:, 2]
    return (
        (dv @ a) * (pz @ b)
        + (dv @ b) * (pz @ a)
        - (pz @ a) * (pz @ b)
        - (dw @ a) * (py @ b)
        - (dw @ b) * (py @ a)
        - (py @ a) * (py @ b)
    )


def shortening(data, x, breaks, a, b):
    """a^T H(x) b by small Gauss steps from B's origin."""
    g = data.geometry
    stops = np.unique(np.concatenate([x, breaks, [g.x0]]))
    t, w = np.polynomial.legendre.leggauss(8)
    half = np.diff(stops)[:, None] / 2
    inner = (stops[:-1, None] + half * (t + 1)).ravel()
    steps = (shortening_rate(g.fields.at(inner), a, b).reshape(-1, 8) * w).sum(axis=1)
    total = np.append(0.0, np.cumsum(steps * half[:, 0]))
    return np.interp(x, stops, total) - np.interp(g.x0, stops, total)


def exp_so3(psi):
    """exp([psi]x) for (..., 3), real or complex."""
    a = np.sqrt((psi * psi).sum(axis=-1) + 0j)[..., None, None]
    a = np.where(np.abs(a) < 1e-9, 1e-9, a)
    K = skew_of(psi)
    return np.eye(3) + np.sin(a) / a * K + 2 * (np.sin(a / 2) / a) ** 2 * (K @ K)


def skew_of(psi):
    return skew(psi.real) + 1j * skew(psi.imag)


def body_rate(psi, rate):
    """vee(R^T R') of R = exp([psi]x)."""
    a = np.sqrt((psi * psi).sum(axis=-1) + 0j)[..., None]
    a = np.where(np.abs(a) < 1e-3, 1e-3, a)
    first = np.cross(psi, rate)
    return (
        rate - 2 * (np.sin(a / 2) / a) ** 2 * first + (a - np.sin(a)) / a**3 * np.cross(psi, first)
    )


def slices(data, rates, weights):
    j = np.zeros((len(weights), 3))
    rotary = data.geometry.body.rotary
    if rotary != "none":
        j[:, 0] = weights * (rates.rhoIy + rates.rhoIz)
    if rotary == "full":
        j[:, 1], j[:, 2] = weights * rates.rhoIy, weights * rates.rhoIz
    return j


def taylor(function, radius=0.5, count=16):
    """Coefficients of λ^0 ... λ^{count - 1}."""
    circle = radius * np.exp(2j * np.pi * np.arange(count) / count)
    values = np.array([function(lam) for lam in circle])
    return (np.fft.fft(values) / count / radius ** np.arange(count)).real


def energies(data, q, qdot, v, w):
    """Taylor coefficients of the translational and of the rotational kinetic energy."""
    g = data.geometry
    x, weights, breaks = dense(data)
    f, rates = g.fields.at(x), g.body.beam.rates(x)
    on = g.body.geometric_stiffness != "none"
    xi = -0.5 * on * shortening(data, x, breaks, q, q)
    xidot = -1.0 * on * shortening(data, x, breaks, q, qdot)
    dm, j = weights * rates.rhoA, slices(data, rates, weights)
    place = np.outer(x - g.x0, E1)

    def translation(lam):
        p = place + lam * (f.L @ q) + lam**2 * np.outer(xi, E1)
        pdot = lam * (f.L @ qdot) + lam**2 * np.outer(xidot, E1)
        V = v + np.cross(w, p) + pdot
        return 0.5 * dm @ (V * V).sum(axis=1)

    def rotation(lam):
        psi, phi = lam * (f.psi @ q), lam * np.outer(f.phi @ q, E1)
        R = exp_so3(psi) @ exp_so3(phi)
        own = body_rate(psi, lam * (f.psi @ qdot))
        W = (
            np.einsum("pji,j->pi", R, w)
            + np.einsum("pji,pj->pi", exp_so3(phi), own)
            + lam * np.outer(f.phi @ qdot, E1)
        )
        return 0.5 * (j * W * W).sum()

    return taylor(translation), taylor(rotation, radius=0.1)


def table_energy(d, q, qdot, v, w):
    """T of degrees 0 to 4 from the tables of `FlexibleData`."""
    zero = 0.5 * d.m * v @ v + w @ np.cross(d.s0, v) + 0.5 * w @ d.J0 @ w
    one = w @ np.cross(d.s1 @ q, v) + v @ d.s1 @ qdot + 0.5 * w @ (d.J1 @ q) @ w + w @ d.B0 @ qdot
    bent = np.einsum("iab,a,b->i", d.s2, q, q) / 2
    two = (
        w @ np.cross(bent, v)
        + v @ (d.s2 @ q) @ qdot
        + 0.5 * qdot @ d.M @ qdot
        + 0.25 * np.einsum("ijab,i,j,a,b", d.J2, w, w, q, q)
        + np.einsum("iab,i,a,b", d.B1, w, qdot, q)
    )
    return np.array([zero, one, two, *higher_energy(d, q, qdot, w)])


def higher_energy(d, q, qdot, w):
    """∫ A1 . A2 + 1/2 |A2|² dm from C and HH; A2 (pairs, 3) are the amplitudes of H_k."""
    if d.C is None or not d.pairs:
        return 0.0, 0.0
    direction, a, b = np.array(d.pairs).T
    along = np.eye(3)[direction]
    c = np.where(a == b, 0.5, 1.0)
    xi = -c * q[a] * q[b]
    xidot = -c * (qdot[a] * q[b] + q[a] * qdot[b])
    A1 = np.einsum("ij,jak,a->ik", skew(w), d.C, q) + np.einsum("iak,a->ik", d.C, qdot)
    A2 = np.cross(w, along) * xi[:, None] + along * xidot[:, None]
    return (A1.T * A2).sum(), 0.5 * (A2 * (d.HH @ A2)).sum()


def free_frequencies(data):
    """Frequencies of the unsupported body: six rigid motions and the elastic coordinates."""
    n = data.count
    M, K = np.zeros((n + 6, n + 6)), np.zeros((n + 6, n + 6))
    cross = np.array([np.cross(data.s0, e) for e in np.eye(3)]).T
    M[:3, :3], M[3:6, 3:6], M[3:6, :3] = data.m * np.eye(3), data.J0, cross
    M[:3, 3:6] = cross.T
    M[:3, 6:], M[3:6, 6:], M[6:, 6:] = data.s1, data.B0, data.M
    M[6:, :3], M[6:, 3:6] = data.s1.T, data.B0.T
    K[6:, 6:] = data.K
    return np.sqrt(np.clip(symmetric_modes(K, M)[0], 0, None))
