"""Modes of a system about a position, an equilibrium or a steady motion.

Modes are named by the coordinates that hold their energy. A mode in motion: positions q0 + N Re(A
shape e^(i phase)), put back onto the constraints.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pliant.arrays import Array, Complex, Flags
from pliant.backends.causes import explained
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import AT_REST
from pliant.backends.expressions.prepare import Program, prepare_square
from pliant.backends.expressions.rest import balancer_of, find
from pliant.backends.expressions.validity import validity_remarks
from pliant.errors import InputError, StepError
from pliant.mechanics.layout import Layout, Scalar
from pliant.model.model import Model
from pliant.results import Result
from pliant.results.build import result_of
from pliant.results.modes import Mode, ModesResult
from pliant.solve.motion.run import Trajectory
from pliant.solve.rest.balance import Balance, Balancer, coordinate_of, least_squares, moving
from pliant.solve.rest.eigen import linearised, require_steady, solve_modes
from pliant.solve.single_states import observe
from pliant.study import Study

_ELASTIC = {
    "v": "bending y", "w": "bending z", "phi": "torsion", "s": "axial", "psi_y": "shear z",
    "psi_z": "shear y", "q": "mode",
}  # fmt: skip
"""Kinds of elastic coordinates: ``rod.v1`` bends the rod along its y axis, ``plate.q1`` is a given
mode."""
_NUMBERED = re.compile(r"([a-z_]*[a-z])_?(\d+)$")
_KINDS = ("position", "rotation", "coordinate")
_VISIBLE = 0.1
"""Largest motion of a body, as part of the size of the mechanism."""
_TURN = 0.3
"""Largest rotation of a body, in rad."""
_EPS = float(np.finfo(np.float64).eps)
_BARE = 8 * _EPS
"""Of the largest mass or inertia: what is below is rounding of the others."""
ABOUT = {
    "rest": "about the initial position",
    "equilibrium": "about equilibrium",
    "steady": "about steady motion",
}


def _shares_of(b: Balance, shapes: Complex, s: Complex | None = None) -> Array:
    """Part of every coordinate in the energy of a mode: kinetic and potential in equal measure.
    With eigenvalues ``s`` an energy counts only if it is a hundredth of the other: networks may
    keep them unequal."""
    shares = np.zeros(shapes.shape)
    for k, v in enumerate(shapes.T):
        parts = [np.abs(np.real(v.conj() * (A @ v))) for A in (b.M, (b.K + b.K.T) / 2)]
        sums = [part.sum() for part in parts]
        sizes, least = sums, 1e-12
        if s is not None and s[k]:
            sizes, least = [abs(s[k]) ** 2 * sums[0], sums[1]], 1e-2
        counted = [part / total for part, total, size in zip(parts, sums, sizes, strict=True)
                   if size > least * max(sizes)]  # fmt: skip
        moved = np.abs(v).sum() or 1.0  # nothing moves in a mode of a network alone
        shares[:, k] = np.mean(counted, axis=0) if counted else np.abs(v) / moved
    return shares


def labels_of(layout: Layout, model: Model, shares: Array, rigid: Flags) -> list[str]:
    """One label per mode: ``rod: bending 1``, ``J1: angle``, ``crank: rigid motion``; of a beam
    that was cut into parts ``rod: deformation 1``."""
    kinds, planes = [_kind(u, model) for u in layout.u], dict[str, set[str]]()
    for owner, what, elastic in kinds:
        if elastic and what[:-2] in ("bending", "shear"):
            planes.setdefault(owner, set()).add(what[-1])
    kinds = [  # bending in one plane only needs no name of the plane
        (
            o,
            w[:-2] if e and len(planes.get(o, ())) == 1 and w[:-2] in ("bending", "shear") else w,
            e,
        )
        for o, w, e in kinds
    ]
    plain = []
    for k, free in enumerate(rigid):
        weight = dict.fromkeys(kinds, 0.0)
        for key, share in zip(kinds, shares[:, k], strict=True):
            weight[key] += float(share)
        owner, what, elastic = max(weight, key=weight.__getitem__, default=("", "", False))
        plain.append((f"{owner}: {what}{' (rigid)' if free else ''}", elastic))
    total = Counter(text for text, _ in plain)
    seen: Counter[str] = Counter()
    labels = []
    for text, elastic in plain:
        seen[text] += 1
        labels.append(f"{text} {seen[text]}" if elastic or total[text] > 1 else text)
    return labels


def _network_labels(labels: list[str], states: Sequence[str], taking: Array) -> list[str]:
    """The same, with modes that are more of networks than of motion named after their state."""
    if not len(states):
        return labels
    found = []
    for k, label in enumerate(labels):
        own = taking[:, k].sum() > 0.5
        found.append(states[int(np.argmax(taking[:, k]))] if own else label)
    return found


def _kind(speed: Scalar, model: Model) -> tuple[str, str, bool]:
    """(owner, kind of motion, whether it is elastic)."""
    name = coordinate_of(speed)
    owner = speed.owner.removesuffix(".free")
    kind = name.removeprefix(f"{owner}.")
    if owner in model.origin:
        return model.origin[owner], "deformation", True
    found = _NUMBERED.match(kind)
    if speed.owner in model.bodies:
        letters = found[1] if found else kind
        return owner, _ELASTIC.get(letters, f"shape {letters}"), True
    return owner, kind, False


class Frames:
    """Makes results of moving modes about one balance."""

    def __init__(
        self,
        prepared: Program,
        balancer: Balancer,
        b: Balance,
        model: str,
        info: Mapping[str, Any],
        elastic: Sequence[int] = (),
    ) -> None:
        self.prepared, self.balancer, self.b = prepared, balancer, b
        self.model, self.info, self.elastic = model, info, elastic

    def still(self) -> Result:
        """The state the modes are about."""
        return self._result(np.array([self.b.x[0]]), self.b.x[None, :], None)

    def __call__(
        self, mode: Mode, samples: int, duration: float, amplitude: float | None
    ) -> Result:
        size = self.amplitude(mode) if amplitude is None else amplitude
        phases = np.linspace(0.0, 2 * np.pi, max(2, samples))
        X = [self._moved(size * np.real(mode.shape * np.exp(1j * phase))) for phase in phases]
        return self._result(duration * phases / (2 * np.pi), np.array(X), _KINDS)

    def amplitude(self, mode: Mode) -> float:
        """Factor of the shape that moves bodies visibly, but not far."""
        points, axes = self._poses(self.b.x)
        small = 1e-4
        travel = turn = 0.0
        for part in (mode.shape.real, mode.shape.imag):
            moved, turned = self._poses(self._moved(small * part))
            travel = max(travel, float(np.abs(moved - points).max(initial=0)))
            turn = max(turn, float(np.abs(turned - axes).max(initial=0)))
        size = float(np.ptp(np.vstack([points, np.zeros(3)]), axis=0).max()) or 1.0
        factors = [_VISIBLE * size * small / travel] if travel > 1e-12 else []
        factors += [_TURN * small / turn] if turn > 1e-12 else []
        return min(factors, default=_VISIBLE)

    def _poses(self, x: Array) -> tuple[Array, Array]:
        """Points and axes of all bodies and their frames."""
        c = self.balancer.c
        y = c.call("observables", x, self.balancer.p)
        found: dict[str, list[Array]] = {"position": [], "rotation": []}
        for o in c.observed.values():
            if o.kind in found and o.size in (3, 9):
                found[o.kind].append(y[o.start : o.start + o.size])
        points, axes = (np.array(rows) for rows in found.values())
        return points.reshape(-1, 3), axes.reshape(-1, 9)

    def _moved(self, v: Array) -> Array:
        """Loops are closed by joints: what bends stays as the mode has it, if that can be."""
        q0 = self.balancer.q_of(self.b.x)
        q = self.balancer.moved(q0, v, self.elastic)
        q = self.balancer.moved(q0, v) if q is None else q
        return self.balancer.packed(self.balancer.assembler.moved(q0, v) if q is None else q)

    def _result(self, time: Array, X: Array, kinds: tuple[str, ...] | None) -> Result:
        c = self.prepared.compiled
        none = np.zeros((len(X), 0))
        data = Trajectory(time, observe(c, X, self.balancer.p), none, none)
        made = result_of(c, data, info=self.info, unique={}, model=self.model)
        series = {n: s for n, s in made.series.items() if kinds is None or s.kind in kinds}
        return Result(made.time, series, made.info, model=made.model)


def modes(
    system: Study,
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
    if count is not None and not (isinstance(count, int) and count >= 1 and count is not True):
        raise InputError(f"modes: count {count!r} is not above zero", "leave it out for all")
    prepared = prepare_square(system, choice.augmented, None, AT_REST)
    with explained(system, prepared.choice):
        balancer, b, warnings = _about(system, prepared, at, t, hold, params)
    layout = prepared.compiled.layout
    _refuse_massless(layout, b)
    found = solve_modes(linearised(balancer, b))
    if not (np.isfinite(found.s).all() and np.isfinite(found.shapes).all()):
        raise StepError("modes: the eigenvalues are no finite numbers; check units and sizes")
    shares = _shares_of(b, found.shapes, found.s if len(balancer.networks) else None)
    labels = labels_of(layout, system.model, shares, found.rigid)
    states = [layout.x[int(k)].name for k in balancer.networks][: len(found.network)]
    labels = _network_labels(labels, states, found.network)
    made = [
        Mode(k + 1, complex(s), label, bool(rigid), shape.copy(), share)
        for k, (s, label, rigid, shape, share) in enumerate(
            zip(found.s, labels, found.rigid, found.shapes.T, shares.T, strict=True)
        )
    ]
    info = {
        "model": system.model.name, "at": at, "about": ABOUT[at],
        "formulation": choice.formulation, "tree": choice.augmented.label,
        "params": dict(params or {}), "t": balancer.t,
        "symmetric": found.symmetric, "all_modes": len(made),
    }  # fmt: skip
    elastic = [k for k, u in enumerate(layout.u) if u.owner in system.model.bodies]
    frames = Frames(prepared, balancer, b, system.text, info, elastic)
    return ModesResult(
        tuple(made[:count]), tuple(coordinate_of(u) for u in layout.u), info, warnings,
        frames.still(), frames,
    )  # fmt: skip


def _about(
    system: Study,
    prepared: Program,
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
    bare = own <= _BARE * _largest_alike(layout, own)
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


def _largest_alike(layout: Layout, own: Array) -> Array:
    """The largest mass among coordinates of the same unit: inertia is not measured by mass."""
    largest: dict[str, float] = {}
    for u, mass in zip(layout.u, own, strict=True):
        largest[u.unit] = max(largest.get(u.unit, 0.0), float(mass))
    return np.array([largest[u.unit] for u in layout.u])


def _unbalanced(balancer: Balancer, b: Balance) -> tuple[str, ...]:
    """A remark if the initial position is not an equilibrium."""
    if (np.abs(b.f) <= 1e2 * b.small).all():
        return ()
    names = moving(balancer.c.layout, b.Z @ least_squares(b.along(b.M), b.f))
    return (
        f"the initial position is not an equilibrium (forces along {names} are not in balance): "
        "use at='equilibrium' for motions about one",
    )
