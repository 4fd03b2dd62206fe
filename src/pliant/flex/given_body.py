"""A body with given modes: from its arrays to `FlexibleData`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.flex.arrays import frozen
from pliant.flex.data import FlexibleData, FrameData, table_fields
from pliant.flex.given import GivenModes, given_tables, node_fields
from pliant.flex.given_frame import GivenFrame, in_frame
from pliant.flex.higher import HigherTables, higher_tables, pairs_of
from pliant.flex.masks import given_masks
from pliant.flex.tables import Tables

_ROUNDING = 1e-13


@dataclass(frozen=True, slots=True)
class GivenGeometry:
    """Places of a body with given modes are its nodes."""

    modes: GivenModes

    def frame(self, at: float, offset: Array) -> FrameData:
        g, n = self.modes, self.modes.count
        node = int(at)
        if node != at or not 0 <= node < len(g.nodes):
            raise InputError(
                f"given modes: there is no node {at}",
                f"give a node number from 0 to {len(g.nodes) - 1}",
            )
        H = g.H[node] if g.H is not None and g.geometric != "none" else np.zeros((3, n, n))
        psi = np.zeros((3, n)) if g.Phi_r is None else g.Phi_r[node]
        return FrameData(g.nodes[node], g.Phi_t[node], H, psi, np.zeros(n), offset)

    def section_forces(self, at: float) -> Array:
        raise InputError("given modes have no sections", "ask a beam for internal forces")

    def stress(self, at: float) -> Array:
        raise InputError("given modes have no sections", "ask a beam for stress")

    def end_load(self) -> Array:
        raise InputError("given modes have no ends", "ask a beam for critical loads")


def _orthogonal(tables: Tables) -> Tables:
    """Products of modes that are orthogonal to rounding become zero."""
    size = np.sqrt(np.diag(tables.M))
    return replace(
        tables, M=np.where(np.abs(tables.M) > _ROUNDING * np.outer(size, size), tables.M, 0.0)
    )


def _higher(g: GivenModes, M: Array) -> HigherTables | None:
    """Degrees 3 and 4 of T; what is orthogonal to rounding becomes zero here too."""
    if g.geometric != "second-order" or g.H is None:
        return None
    found = higher_tables(node_fields(g), pairs_of((g.H != 0).any(axis=0)))
    size = np.sqrt(np.outer(np.diag(M), np.diag(found.HH)))
    return replace(found, C=np.where(np.abs(found.C) > _ROUNDING * size, found.C, 0.0))


def given_data(modes: GivenModes, frame: GivenFrame | None = None) -> FlexibleData:
    """Everything the formulations need to know about a body with given modes."""
    g, origin = in_frame(modes, GivenFrame() if frame is None else frame)
    tables = _orthogonal(given_tables(g))
    higher = _higher(g, tables.M)
    rotary = g.inertia is not None or len(g.mass) == 6 * len(g.nodes)
    D = g.damping.matrix(tables.M, g.K) if g.D is None else g.D
    arrays = {name: frozen(value) for name, value in table_fields(tables).items()}
    return FlexibleData(
        names=tuple(f"q{k + 1}" for k in range(g.count)),
        kinds=("mode",) * g.count,
        geometric_stiffness=g.geometric,
        origin=frozen(origin),
        **{**arrays, "m": float(tables.m)},  # type: ignore[arg-type]
        K=frozen(g.K),
        D=frozen(D),
        C=None if higher is None else frozen(higher.C),
        HH=None if higher is None else frozen(higher.HH),
        pairs=() if higher is None else higher.pairs,
        masks=given_masks(g.count, rotary, g.geometric != "none"),
        geometry=GivenGeometry(g),
    )
