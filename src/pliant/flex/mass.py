"""Mass integrals of a beam: translation of the axis and rotation of the slices."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.flex.beam import Rates
from pliant.flex.fields import FieldValues
from pliant.flex.rotary import rotary_tables
from pliant.flex.rule import Rule
from pliant.flex.tables import PointFields, Tables, translation_tables

ROTARY = ("none", "axial", "full")


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
