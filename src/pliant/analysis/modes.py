"""Modes of a system about a position, an equilibrium or a steady motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis.causes import explained
from pliant.analysis.choice import Choice
from pliant.analysis.mode_frames import Frames
from pliant.analysis.mode_labels import labels_of, network_labels, shares_of
from pliant.analysis.prepare import Prepared, prepare_square
from pliant.analysis.statics import FUNCTIONS, balancer_of, find
from pliant.analysis.validity import validity_remarks
from pliant.equations import Layout
from pliant.errors import InputError, StepError
from pliant.results.modes import Mode, ModesResult
from pliant.solve.balance import Balance, Balancer, coordinate_of, least_squares, moving
from pliant.solve.eigen import linearised, solve_modes
from pliant.solve.steady import require_steady

if TYPE_CHECKING:
    from pliant.system import System

_EPS = float(np.finfo(np.float64).eps)
_BARE = 8 * _EPS
"""Of the largest mass or inertia: what is below is rounding of the others."""
ABOUT = {
    "rest": "about the initial position",
    "equilibrium": "about equilibrium",
    "steady": "about steady motion",
}


def modes(
    system: System,
    count: int | None = None,
    *,
    at: str = "rest",
    t: float | None = None,
    hold: Sequence[str] = (),
    choice: Choice,
    params: Mapping[str, Any] | None = None,
) -> ModesResult:
    """See ``System.modes``."""
    if at not in ABOUT:
        raise InputError(f"modes: at='{at}' is unknown", f"use {', '.join(ABOUT)}")
    if count is not None and (isinstance(count, bool) or not count >= 1):
        raise InputError(f"modes: count {count!r} is not above zero", "leave it out for all")
    prepared = prepare_square(system, choice.base, None, FUNCTIONS)
    with explained(system, prepared.choice):
        balancer, b, warnings = _about(system, prepared, at, t, hold, params)
    layout = prepared.compiled.layout
    _refuse_massless(layout, b)
    found = solve_modes(linearised(balancer, b))
    if not (np.isfinite(found.s).all() and np.isfinite(found.shapes).all()):
        raise StepError("modes: the eigenvalues are no finite numbers; check units and sizes")
    shares = shares_of(b, found.shapes, found.s if len(balancer.networks) else None)
    labels = labels_of(layout, system.model.bodies, shares, found.rigid)
    states = [layout.x[int(k)].name for k in balancer.networks][: len(found.network)]
    labels = network_labels(labels, states, found.network)
    made = [
        Mode(k + 1, complex(s), label, bool(rigid), shape.copy(), share)
        for k, (s, label, rigid, shape, share) in enumerate(
            zip(found.s, labels, found.rigid, found.shapes.T, shares.T, strict=True)
        )
    ]
    info = {
        "model": system.model.name, "at": at, "about": ABOUT[at],
        "formulation": choice.formulation, "tree": choice.base.label,
        "params": dict(params or {}), "t": balancer.t,
        "symmetric": found.symmetric, "all_modes": len(made),
    }  # fmt: skip
    frames = Frames(prepared, balancer, b, system.text, info)
    return ModesResult(
        tuple(made[:count]), tuple(coordinate_of(u) for u in layout.u), info, warnings,
        frames.still(), frames,
    )  # fmt: skip


def _about(
    system: System,
    prepared: Prepared,
    at: str,
    t: float | None,
    hold: Sequence[str],
    params: Mapping[str, Any] | None,
) -> tuple[Balancer, Balance, tuple[str, ...]]:
    """The state that small motions are about, and remarks on it."""
    if at == "rest":
        state, balancer = balancer_of(
            system, prepared, t, hold, params, steady=False, settles=False
        )
        b = balancer.at(balancer.q_of(state.x).copy())
        valid = validity_remarks(system, prepared.compiled, b.x[None], state.p, params)
        return balancer, b, (*state.remarks, *_unbalanced(balancer, b), *valid)
    found = find(system, prepared, t=t, hold=hold, params=params, steady=at == "steady")
    e = found.equilibrium
    if e.failure:
        raise StepError(f"modes at '{at}': {e.failure}")
    if at == "steady":
        require_steady(found.balancer, e.balance)
    valid = validity_remarks(system, prepared.compiled, e.balance.x[None], found.p, params)
    return found.balancer, e.balance, (*found.remarks, *e.remarks, *valid)


def _refuse_massless(layout: Layout, b: Balance) -> None:
    """A free motion without mass has no frequency: say whose it is.

    Such a motion v has v^T M v = 0 up to rounding of Σ M_ii v_i², the mass of its coordinates one
    by one; Q spans the free motions in coordinates of unit mass.
    """
    own = np.diag(b.M)
    bare = own <= _BARE * own.max(initial=0.0)
    scale = np.where(bare, 1.0, np.sqrt(np.abs(own)))
    M = np.where(bare[:, None] | bare, 0.0, b.M / np.outer(scale, scale))
    Q = np.linalg.qr(scale[:, None] * b.Z)[0]
    mass, motions = np.linalg.eigh(Q.T @ M @ Q)
    still = Q @ motions[:, mass <= 16 * _EPS * len(M)] / scale[:, None]
    free = np.abs(still).max(axis=1, initial=0.0)
    if free.any():
        raise InputError(
            f"modes: nothing with mass or inertia moves along {moving(layout, free)}",
            "give the body mass and inertia, hold it, or take fewer shape functions",
        )


def _unbalanced(balancer: Balancer, b: Balance) -> tuple[str, ...]:
    """A remark if the initial position is not an equilibrium."""
    if np.abs(b.f).max(initial=0.0) <= 1e2 * b.small:
        return ()
    names = moving(balancer.c.layout, b.Z @ least_squares(b.along(b.M), b.f))
    return (
        f"the initial position is not an equilibrium (forces along {names} are not in balance): "
        "use at='equilibrium' for motions about one",
    )
