"""Structural zeros: which table entries vanish for all numbers, found with generic numbers.

The same assembly runs on random points, fields and densities that keep only what the kinds of
the coordinates say (v moves along y and turns about z, ...). What is exactly zero then is zero
always; orthogonality of particular modes, symmetric sections and the like do not count.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pliant.arrays import Array, Flags
from pliant.flex.beam import Rates
from pliant.flex.data import PointFields, translation_tables
from pliant.flex.fields import FieldValues
from pliant.flex.integrals import beam_tables, stiffness
from pliant.flex.numerics import Rule

Masks = dict[str, Flags]
# A floating frame may give a slope to pure shear and a displacement to pure rotation.
ROWS = {"axial": 0} | {
    f"{kind}_{axis}": row
    for kind in ("bending", "shear", "rotation")
    for axis, row in (("y", 1), ("z", 2))
}
BENDS = {kind: 3 - row for kind, row in ROWS.items() if row}


@lru_cache(maxsize=256)
def beam_masks(kinds: tuple[str, ...], rotary: str, shear: bool, foreshortened: bool) -> Masks:
    """Masks of a beam with coordinates of these kinds."""
    random = np.random.default_rng(0)
    rule = Rule.over(np.array([-0.3, 1.1]), 0)
    names = ("EA", "EIy", "EIz", "GJ", "GAy", "GAz", "rhoA", "rhoIy", "rhoIz")
    rates = Rates(**{n: random.uniform(1, 2, len(rule.x)) for n in names})
    f = _generic(kinds, len(rule.x), random)
    n = len(kinds)
    H = f.foreshortening_rate() if foreshortened else np.zeros((len(rule.x), n, n))
    H = np.where(H != 0, random.uniform(1, 2, H.shape), 0.0)
    tables = beam_tables(rule, rule.x, rates, f, H if foreshortened else None, rotary)
    K = stiffness(rule, rates, f, shear=shear) != 0
    found = {name: np.asarray(value != 0) for name, value in tables.by_name.items()}
    return found | {"H": (H != 0).any(axis=0), "K": K, "D": K | found["M"]}


def _generic(kinds: tuple[str, ...], count: int, random: np.random.Generator) -> FieldValues:
    """Random fields of coordinates of these kinds."""
    n = len(kinds)
    L, dL, psi, dpsi, ddpsi = (np.zeros((count, 3, n)) for _ in range(5))
    phi, dphi = np.zeros((count, n)), np.zeros((count, n))
    for a, kind in enumerate(kinds):
        if kind == "torsion":
            phi[:, a], dphi[:, a] = random.uniform(1, 2, (2, count))
        if kind in ROWS:
            row = ROWS[kind]
            L[:, row, a], dL[:, row, a] = random.uniform(1, 2, (2, count))
        if kind in BENDS:
            axis = BENDS[kind]
            for part in (psi, dpsi, ddpsi):
                part[:, axis, a] = random.uniform(1, 2, count)
    return FieldValues(L, dL, psi, dpsi, ddpsi, phi, dphi)


def given_masks(n: int, rotary: bool, foreshortened: bool) -> Masks:
    """Masks of given modes: nothing is known of their directions, only what is absent."""
    random = np.random.default_rng(0)
    count = 6

    def some(*shape: int) -> Array:
        return random.uniform(-1, 1, (count, *shape))

    square = some(3, n, n)
    H = square + square.transpose(0, 1, 3, 2) if foreshortened else None
    points = PointFields(some(3), some(3, n), H, random.uniform(1, 2, count))
    tables = translation_tables(points).by_name
    found = {name: np.asarray(value != 0) for name, value in tables.items()}
    if rotary:
        found = {
            name: np.ones_like(mask) if name[0] in "JBM" else mask for name, mask in found.items()
        }
    full = np.ones((n, n), dtype=bool)
    return found | {"H": full if foreshortened else ~full, "K": full, "D": full}
