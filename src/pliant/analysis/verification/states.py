"""Do all ways of writing the equations agree at single states? The pointwise verdict.

At random consistent states, the motion of the bodies is carried over into the coordinates of
every formulation and choice of tree; each solves its own equations for accelerations and
multipliers, and the observables are compared: frame accelerations, joint rates, unique reactions,
efforts, powers and energies, to 1e-9 of the largest value of their kind.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pliant.analysis.verification.agreement import together
from pliant.analysis.verification.report import PointwiseReport, Verdict
from pliant.analysis.verification.runs import Way, all_choices, other_back_ends
from pliant.arrays import Array, Flags
from pliant.backends.blocks.solver.matrix import SingularBlockError
from pliant.backends.causes import explained
from pliant.backends.choice import Choice
from pliant.backends.choose import BACK_ENDS
from pliant.backends.expressions import prepare as prep
from pliant.backends.expressions import start as begin
from pliant.backends.expressions.partition import partition
from pliant.backends.expressions.undefined_starts import (
    refuse_undetermined,
    refuse_without_direction,
)
from pliant.backends.resume import state_at
from pliant.code.compiled import CompiledEquations
from pliant.errors import AssemblyError, CapabilityError, InputError
from pliant.formulations.forms import Partition
from pliant.observe.catalogue import Quantity
from pliant.records import dataclass
from pliant.solve.failure import UndefinedError
from pliant.solve.start.loops import with_loops_closed
from pliant.solve.start.random_state import regular_state, with_velocities_held
from pliant.solve.start.rank import without_rounding
from pliant.solve.start.redundancy import unique_observables
from pliant.study import Study

ALL = np.array(True)
_GOOD_SPLIT, _GOOD_PART = 1e-4, 1e-2
"""Smallest singular value of what gives the dependent speeds over its largest, and over the
smallest one of all speeds, which is small in a large machine; below both the embedding form is not
asked."""
_TINY = 1e-10
"""Part of the largest singular value; rows that depend on each other have less."""
_NO_SPLIT = "its independent speeds depend on each other, or nearly so, at all random states"
_EMBEDDED, _UNKNOWNS = 200, 1500
"""Dependent speeds of the embedding form, whose code grows with their square, and accelerations and
multipliers of any form, above which a form is compared only if it is asked for."""
_SLOW = 1e-3
_NEARER = 20
"""How often random states of networks are brought nearer to the start, each time to a quarter."""
_PARTS = (0.5, 0.25, 0.1)
"""Of the way to a random state: where others are drawn if something has no value there."""
_LARGE, _SHIFT, _SWEEPS, _ROUNDING = 200, 1e-8, 4, 1e-13
"""Accelerations and multipliers that are not solved for by singular values, and how they are."""
_EMPTY = 1e-13
"""Part of the largest mass that is rounding of none."""
FUNCTIONS = (
    "explicit",
    "constraints",
    "initial",
    "tangent",
    "bodies",
    "start_states",
    "observables",
)


def no_progress(what: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class Known:
    """A state, what the first formulation finds there, sizes to compare with, unique reactions."""

    x: Array
    y: Mapping[str, Array]
    scales: Mapping[str, float]
    unique: Mapping[str, Flags]


def pointwise(
    system: Study,
    *,
    states: int = 20,
    seed: int = 0,
    params: Mapping[str, Any] | None = None,
    complete: bool = False,
    choices: Collection[Choice] | None = None,
    back_ends: Collection[str] | None = None,
    whole: Collection[Choice] = (),
    progress: Callable[[str], None] = no_progress,
) -> PointwiseReport:
    """Compare ``choices`` (all) and other ``back_ends`` (all, unless choices are given) at
    ``states`` random states; ``progress`` is told what is being compared. All functions of the
    choices in ``whole`` are compiled, since they will be run."""
    first = _prepared(system, Choice(), whole)
    start = begin.initial_state(system, first, params, 0.0)
    bodies = begin.body_motion(first, start.x[: first.compiled.x_size].copy(), start.p)
    refuse_without_direction(system, bodies, params, 0.0)
    refuse_undetermined(first.compiled, start.x[: first.compiled.x_size], start.p)
    rng = np.random.default_rng(seed)
    size = _amplitude(system, first, params)
    if states < 1:
        raise InputError(f"verify: {states} states", "give 1 or more")
    points = [regular_state(first.compiled, start.p, start.x, rng, size) for _ in range(states)]
    points = [_charged(system, first, x, start.p, rng) for x in points]

    def nearer(part: float) -> Array:
        x = regular_state(first.compiled, start.p, start.x, rng, part * size)
        return _charged(system, first, x, start.p, rng)

    with explained(system, Choice()):
        points = _defined(first, points, start.p, nearer)
    unique = [unique_observables(first.compiled, x, start.p) for x in points]
    expected = [_observed(first, x, start.p) for x in points]
    kinds = {}
    for n, o in first.compiled.observed.items():  # networks are of many domains: by unit
        network, _, element = o.owner.partition(".")
        inside = network in system.model.networks and element
        kinds[n] = f"{o.kind} in {o.unit}" if inside else o.kind
    known = [
        Known(x, y, _scales(first, x, start.p, y, kinds), own)
        for x, y, own in zip(points, expected, unique, strict=True)
    ]
    verdicts = [Verdict("recursive", "joint tree", first.compiled.nq, first.compiled.m, 0.0, "-",
                        equations=first.compiled.nu + first.compiled.m)]  # fmt: skip
    for choice in all_choices(system) if choices is None else choices:
        if choice == Choice():
            continue
        progress(f"random states: {choice.formulation}, {choice.label}")
        target = prepared_choice(system, choice, complete, whole)
        formulation, variant = choice.formulation, choice.label
        if isinstance(target, str):
            verdicts.append(Verdict(formulation, variant, 0, 0, 0.0, "-", target))
            continue
        p = begin.parameters(system, target, params)
        split = partition(system, choice) if choice.form == "embedding" else None
        gaps = [_worst(first, start.p, target, p, at, split) for at in known]
        c, skipped = target.compiled, gaps.count(None)
        if known and skipped == len(known):
            verdicts.append(Verdict(formulation, variant, c.nq, c.m, 0.0, "-", _NO_SPLIT))
            continue
        worst, what = max((g for g in gaps if g is not None), key=_size, default=(np.inf, "-"))
        verdicts.append(Verdict(formulation, variant, c.nq, c.m, worst, what, left_out=skipped,
                                equations=c.nu + c.m))  # fmt: skip
    others = other_back_ends() if choices is None else ()
    for name in others if back_ends is None else back_ends:
        progress(f"random states: {name}")
        verdicts.append(_back_end(system, params, name, first, start.p, known))
    lost = tuple(dict.fromkeys(n for own in unique for n, each in own.items() if not each.all()))
    return PointwiseReport(system.model.name, states, len(kinds), lost, tuple(verdicts))


def _defined(
    first: prep.Program, points: Sequence[Array], p: Array, nearer: Callable[[float], Array]
) -> list[Array]:
    """States at which every observable has a finite value, drawn again nearer to the start where
    one has not; one of them must."""
    found, lost = [], ""
    for drawn in points:
        x = drawn
        for part in (*_PARTS, None):
            bad = [n for n, y in _observed(first, x, p).items() if not np.isfinite(y).all()]
            if not bad:
                found.append(x)
            if not bad or part is None:
                break
            x = nearer(part)
        lost = lost or ", ".join(bad[:3])
    if points and not found:
        raise UndefinedError(f"no finite value of {lost}", points[0], p)
    return found


def _worst(
    first: prep.Program, p_first: Array, target: prep.Program, p_target: Array, at: Known,
    split: Partition | None,
) -> tuple[float, str] | None:  # fmt: skip
    """The largest disagreement at a state; None where independent speeds are not independent."""
    x = begin.same_motion_in(first, at.x, p_first, target, p_target)
    if split is not None and not _splits(target, x, p_target, split):
        return None
    unique = unique_observables(target.compiled, x, p_target)
    own = _differences(at, _observed(target, x, p_target), unique)
    return max([*own, _unmet(target, x, p_target)], key=_size)


def _differences(
    at: Known, got: Mapping[str, Array], also: Mapping[str, Flags]
) -> Iterator[tuple[float, str]]:
    """Of every observable of both, relative to its scale."""
    shared: dict[str, Array] = {}
    for name in (n for n in at.y if n in got):
        keep = at.unique.get(name, ALL) & also.get(name, ALL)
        gap = got[name] - at.y[name]
        yield float(np.abs(gap)[keep].max(initial=0)) / at.scales[name], name
        if name.endswith(".power") and not keep.all():
            shared[name] = gap
    if len(shared) > 1:
        whole = float(np.abs(sum(shared.values())).max())
        yield whole / at.scales[next(iter(shared))], together(shared)


def _back_end(
    system: Study, params: Mapping[str, Any] | None, name: str, first: prep.Program, p: Array,
    known: Sequence[Known],
) -> Verdict:  # fmt: skip
    """Another back end at the same states."""
    way, why = Way(back_end=name), BACK_ENDS[name].incapable(system)
    if why:
        return Verdict(way.formulation, way.label, 0, 0, 0.0, "-", why)
    try:
        found = BACK_ENDS[name].tell(system, params, [state_at(first, at.x, p) for at in known])
    except SingularBlockError as error:
        return Verdict(way.formulation, way.label, 0, 0, 0.0, "-", f"at a random state {error}")
    gaps: list[tuple[float, str]] = []
    for k, at in enumerate(known):
        got = {n: _comparable(found.known[n], row) for n, row in found.at(k).items()}
        gaps += _differences(at, got, found.unique)
    worst, what = max(gaps, key=_size, default=(np.inf, "-"))
    return Verdict(way.formulation, way.label, found.coordinates, found.constraints, worst, what,
                   equations=found.equations)  # fmt: skip


def _unmet(prepared: prep.Program, x: Array, p: Array) -> tuple[float, str]:
    """The largest residual of the constraints (m, rad, and their rates over the largest speed) at a
    state that meets those of the first formulation."""
    c = prepared.compiled
    g, rates = unmet(c, x, p)
    fast = max(1.0, float(np.abs(x[1 + c.nq : 1 + c.nq + c.nu]).max(initial=0)))
    return max(float(g.max(initial=0)), float(rates.max(initial=0)) / fast), "constraints"


def unmet(c: CompiledEquations, x: Array, p: Array) -> tuple[Array, Array]:
    """Residuals of the constraints and their rates, over the largest coefficient of their rows
    where that is above one: a gear of ratio 1e6 is as exact as its fast side."""
    y = c.call("constraints", x, p)
    rates = np.abs(c.block("constraints", "cv", y))
    size = np.maximum(1.0, np.abs(c.block("constraints", "G", y)).max(axis=1, initial=0.0))
    g = np.abs(c.block("constraints", "g", y))
    return g / size[: c.mh], rates / size


def _splits(prepared: prep.Program, x: Array, p: Array, split: Partition) -> bool:
    """Whether the constraints, each of size one, can be solved for the dependent speeds here."""
    c = prepared.compiled
    G = c.block("explicit", "G", c.call("explicit", x, p))
    G = G / _sizes(G, 1)[:, None]
    size = np.linalg.svd(G[np.ix_(split.rows, split.dependent)], compute_uv=False)
    if not len(size) or size[-1] > _GOOD_SPLIT * size[0]:
        return True
    whole = np.linalg.svd(G[list(split.rows)], compute_uv=False)
    return bool(size[-1] > _GOOD_PART * whole[-1] > _TINY * whole[0])


def _size(gap: tuple[float, str]) -> float:
    """For comparison; what is no number is the largest."""
    return gap[0] if np.isfinite(gap[0]) else np.inf


def _amplitude(system: Study, prepared: prep.Program, params: Mapping[str, Any] | None) -> Array:
    """One for joint speeds, a tenth between segments of beams; for elastic ones a twentieth of the
    size of the body, stiffer shapes less in proportion to their frequency, so that slopes stay
    small."""
    c, values = prepared.compiled, system.values(params)
    joints = system.model.joints
    inner = {n for n, j in joints.items() if n not in system.described.joints and j.scalars}
    size = np.where([s.owner in inner for s in c.layout.u], 0.1, 1.0)
    for name, (_, start, count) in c.layout.elastic.items():
        data = values.tables(name).data
        square = np.diag(data.K) / np.diag(data.M)
        lowest = [min(w for w, k in zip(square, data.kinds, strict=True) if k == kind)
                  for kind in data.kinds]  # fmt: skip
        slow = np.sqrt(np.maximum(lowest, 1e-12) / np.maximum(square, 1e-12))
        moved = 0.05 * np.sqrt(np.trace(data.J0) / 2 / np.diag(data.M)) * slow
        twisted = np.array([kind == "torsion" for kind in data.kinds])
        size[start : start + count] = np.where(twisted, 0.1, moved)
    return size


def _charged(
    system: Study, prepared: prep.Program, x: Array, p: Array, rng: np.random.Generator
) -> Array:
    """With random states of networks: each as far from its start as its rate there, with nothing
    else moving, takes it in its own time constant (one second at most); one if it has no rate."""
    c, start, x = prepared.compiled, x, x.copy()
    first = 1 + c.nq + c.nu
    own = [first + k for k, s in enumerate(c.layout.x) if s.owner in system.model.networks]

    def rates(at: Array) -> Array:
        return c.block("explicit", "xdot", c.call("explicit", at, p))

    f, sizes = rates(x), np.ones(len(own))
    for i, k in enumerate(own):
        there = x.copy()
        there[k] += 1.0
        slope = abs(rates(there)[k - first] - f[k - first])
        reached = abs(f[k - first]) / max(slope, 1.0)
        sizes[i] = max(reached, abs(x[k])) or 1.0
    x[own] += sizes * rng.standard_normal(len(own))
    for k in range(_NEARER):  # as far towards it as algebraic loops can be closed
        with contextlib.suppress(AssemblyError):
            near = with_loops_closed(c, start + (x - start) / 4**k, p)
            return with_loops_closed(c, with_velocities_held(c, near, p), p)
    return start


def _prepared(system: Study, choice: Choice, whole: Collection[Choice]) -> prep.Program:
    """All functions as machine code if the choice will be run, else what a few states take."""
    if choice in whole:
        return prep.prepare(system, choice)
    return prep.prepare(system, choice, functions=FUNCTIONS, interpret=True)


def prepared_choice(
    system: Study, choice: Choice, complete: bool, whole: Collection[Choice] = ()
) -> prep.Program | str:
    """Equations of a choice, or why they are not compared."""
    try:
        if choice.form == "embedding" and not complete:
            count = len(partition(system, choice).dependent)
            _refuse_large(count, "dependent speeds", _EMBEDDED)
        prepared = _prepared(system, choice, whole)
        if not complete:
            count = prepared.compiled.nu + prepared.compiled.m
            _refuse_large(count, "accelerations and multipliers", _UNKNOWNS)
    except CapabilityError as error:
        return str(error)
    return prepared


def _refuse_large(count: int, what: str, limit: int) -> None:
    if count > limit:
        raise CapabilityError(f"{count} {what}, more than {limit}; ask for it by --complete")


def _observed(prepared: prep.Program, x: Array, p: Array) -> dict[str, Array]:
    """All observables at a state, with accelerations and multipliers of least norm. Where
    masses are small beside the ones in constraints, multipliers are in units of the smallest."""
    c = prepared.compiled
    y = c.call("explicit", x, p)
    M, h, G, gamma = (c.block("explicit", k, y) for k in ("M", "h", "G", "gamma"))
    G = without_rounding(G, c.layout)
    reactions = -G.T if c.has_lam else np.zeros((c.nd, c.m))
    masses = np.abs(M).max(axis=1, initial=0.0)
    unit = min(1.0, float(masses[masses > _EMPTY * masses.max(initial=0.0)].min(initial=1.0)))
    full = np.block([[M / unit, reactions], [G, np.zeros((c.m, c.m))]])
    found = _least_norm(full, np.concatenate([h / unit, -gamma]))
    complete = x.copy()
    complete[len(x) - c.nu - c.m :] = np.concatenate([found[: c.nu], unit * found[c.nu :]])
    table = c.call("observables", complete, p)
    return {
        name: _comparable(o, table[o.start : o.start + o.size]) for name, o in c.observed.items()
    }


def _least_norm(A: Array, b: Array) -> Array:
    """x of A x = b; rows and columns, which have many units, are brought to size one before.
    What rounding leaves is solved for once more."""
    rows = 1 / _sizes(A, 1)
    columns = 1 / _sizes(A * rows[:, None], 0)
    scaled, right = rows[:, None] * A * columns, rows * b
    x = _shifted(scaled, right) if len(b) > _LARGE else None
    if x is None:
        first = np.linalg.lstsq(scaled, right, rcond=1e-11)[0]
        rest = np.linalg.lstsq(scaled, right - scaled @ first, rcond=1e-11)[0]
        x = np.asarray(first + rest, dtype=np.float64)
    return columns * x


def _shifted(A: Array, b: Array) -> Array | None:
    """The same by x <- x + (A + eps E)^-1 (b - A x), E the unit matrix on rows that have nothing on
    the diagonal: redundant constraints make A singular, not A + eps E, and what they leave open
    stays 0. None if it does not converge."""
    empty = np.flatnonzero(np.diag(A) == 0.0)
    shifted, x = A.copy(), np.zeros(len(b))
    shifted[empty, empty] = _SHIFT
    with contextlib.suppress(np.linalg.LinAlgError):
        inverse = np.linalg.inv(shifted)
        for _ in range(_SWEEPS):
            x = x + inverse @ (b - A @ x)
        if np.abs(b - A @ x).max() <= _ROUNDING * max(np.abs(b).max(), np.abs(A * x).max()):
            return x
    return None


def _sizes(A: Array, axis: int) -> Array:
    """Largest entries of rows or columns, one where there is none."""
    size = np.abs(A).max(axis=axis, initial=0)
    return np.where(size > 0, size, 1.0)


def _comparable(o: Quantity, values: Array) -> Array:
    """Angles are compared by sine and cosine: turns are not part of a state."""
    if o.kind in ("coordinate", "angle") and o.unit == "rad":
        return np.concatenate([np.sin(values), np.cos(values)])
    return values


def _scales(
    prepared: prep.Program, x: Array, p: Array, y: Mapping[str, Array], kinds: Mapping[str, str]
) -> dict[str, float]:
    """Largest value of the same kind at this state, in networks of the same unit; at least the size
    of the terms that it is the sum of, which may cancel."""
    observed = prepared.compiled.observed
    largest: dict[str, float] = {}
    least = _terms(prepared, x, p)
    for name, kind in kinds.items():
        size = max(least.get(kind, 0.0), least.get(observed[name].unit, 1e-6))
        largest[kind] = max(largest.get(kind, size), float(np.abs(y[name]).max(initial=0)))
    return {n: largest[kind] for n, kind in kinds.items()}


def _terms(prepared: prep.Program, x: Array, p: Array) -> dict[str, float]:
    """Sizes of what observables are made of, by kind or unit. Lengths are of the order of a metre,
    speeds of 1 mm/s at least. Axes that turn with a body bring accelerations u², forces M u² and
    powers (the kinetic energy in a second) in and out again; powers are those of all generalised
    forces together, and reactions are of the order of these forces."""
    c = prepared.compiled
    u = np.abs(x[1 + c.nq : 1 + c.nq + c.nu])
    y_F = c.call("explicit", x, p)
    M, forces = (np.abs(c.block("explicit", k, y_F)) for k in ("M", "h"))
    square = len(M) == len(u)
    fast, momentum = float(u.max(initial=_SLOW)), M @ u if square else np.zeros(1)
    energy = float(u @ momentum) if square else 0.0
    force = max(float(forces.max(initial=1e-6)), fast * float(momentum.max(initial=0.0)))
    power = max(float((_SLOW + u) @ forces), energy, fast * energy, 1e-6)
    speeds = dict.fromkeys(("m/s", "rad/s", "velocity", "rate"), fast)
    accelerations = dict.fromkeys(("m/s^2", "rad/s^2"), max(fast**2, 1e-6))
    efforts = dict.fromkeys(("N", "N*m", "reaction"), force)
    carried = max(float(momentum.max(initial=0.0)), _SLOW * float(M.max(initial=0.0)))
    return {"W": power, "power": power, "momentum": carried, **speeds, **accelerations, **efforts}
