"""Do linear modes suffice for a body? Estimated errors of what they leave out.

Bending. Shapes are linear in their coordinates. A cantilever whose end turns by θ under an end
load deflects less than linear theory says, by the part

    16/35 θ² + O(θ⁴)                      (expansion of the elastica, Bisshopp and Drucker 1945)

and other supports give factors of the same size. θ is the largest rotation of a section in the
floating frame.

Buckling. A margin of m (1 unloaded, 0 at the onset) makes deflections 1/m times as large
(Timoshenko and Gere, Theory of Elastic Stability, 1.11). Second-order geometric stiffness holds
that; how far a beam goes once m is near 0 is decided by terms of higher order, of relative size
θ²/(8 m) (the column beyond its critical load: P/P_cr = 1 + θ²/8, the same book, 2.7); beyond the
onset all of the deflection is. With a margin of more than a half, bending alone is judged. The
margin is that of a column under its axial force; buckling sideways of a beam that is bent about
its stiff axis couples bending with torsion, which no modes hold, and is not judged.

Spin. Without geometric stiffness a spin Ω leaves out s Ω²/ω₁² of the stiffness, s = 1.19 for a
cantilever (Southwell and Gough 1921); with it nothing is left out at this order
(Kane, Ryan and Banerjee 1987).

Foreshortening. The end of a cantilever comes nearer by 0.6 δ²/l of its length l at a
deflection δ; without geometric stiffness frames do not move along the axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.analysis.simulate import simulate
from pliant.analysis.verification.refine import first_bending
from pliant.analysis.verification.runs import Span
from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.backends.expressions.validity import buckling_rules
from pliant.backends.request import Request, setting_numbers
from pliant.errors import StepError
from pliant.flex.data import FlexibleData
from pliant.flex.from_model import flexible_data
from pliant.mechanics.values import Values
from pliant.model.bodies import Beam
from pliant.model.bodies.theories import Theory
from pliant.model.model import Model
from pliant.records import dataclass
from pliant.results import Result
from pliant.results.build import result_of
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.motion.run import run
from pliant.solve.start.state_sizes import absolute_tolerances
from pliant.study import Study

_SAMPLES = 200
ELASTICA = 16 / 35
SOUTHWELL = 1.19
SHORTENING = 0.6
_FAR = 0.5
_STILL = 1e-9
"""Deflections below this part of the length are none."""


@dataclass(frozen=True, slots=True)
class ShortRun:
    """Observables over a short time; smallest margin of buckling of beams by name (1 unloaded)."""

    result: Result
    margins: Mapping[str, float]


def changed_beams(system: Study, changes: Mapping[str, Mapping[str, Any]]) -> Study:
    """The system with other properties of some of its bodies."""
    bodies: list[Any] = [
        replace(b, **changes.get(n, {})) for n, b in system.described.bodies.items()
    ]
    return Study(system.described.with_(bodies=bodies))


def softening(model: Model) -> dict[str, dict[str, Any]]:
    """Changes that make foreshortening count in all beams with modes."""
    return {
        n: {"geometric_stiffness": "second-order"}
        for n, b in model.beams.items()
        if b.flexible and b.geometric_stiffness == "none"
    }


def _grid(system: Study, span: Span) -> Array:
    """Times of the samples."""
    begin = setting_numbers(system, span.params)["t_start"] or 0.0
    return np.linspace(begin, span.t_end, _SAMPLES + 1)


def plain_run(system: Study, span: Span, choice: Choice | None = None) -> Result:
    """The observables of a run that must reach its end."""
    everything = ["*"] if system.model.settings.observe else None
    result = simulate(system, Request(
        t_end=span.t_end, choice=choice or Choice(), method=span.method, rtol=span.rtol,
        times=[float(t) for t in _grid(system, span)], params=span.params, outputs=everything,
    ))  # fmt: skip
    return result.require()


def short_run(system: Study, span: Span) -> ShortRun:
    """Run with modes as they are; with margins if a beam can buckle."""
    if not any(b.flexible for b in system.model.beams.values()):
        return ShortRun(plain_run(system, span), {})
    prepared = prepare(system)
    compiled = prepared.compiled
    state = initial_state(system, prepared, span.params, float(_grid(system, span)[0]))
    dynamics = dense_dynamics(compiled, system.model.settings.constraints, state.p, implicit=False)
    x0 = dynamics.consistent(state.x, state.p)
    sizes = absolute_tolerances(compiled, x0, state.p, span.t_end, span.rtol)
    data = run(compiled, dynamics, x0, state.p, _grid(system, span), method=span.method,
               rtol=span.rtol, atol=sizes)  # fmt: skip
    if data.failure:
        raise StepError(data.failure)
    result = result_of(compiled, data, info={}, unique={}, model=system.text)
    X = np.concatenate(data.flexible)
    rules = buckling_rules(system, compiled, span.params)
    margins = {r.name.rpartition(".")[0]: float(r.margin(X, data.p_end).min()) for r in rules}
    return ShortRun(result, margins)


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that modes leave out: what was seen, and the error it stands for."""

    name: str
    seen: str
    error: float
    """Estimated, relative."""
    cure: str
    """``exact``: a theory of large rotations; ``second-order``: geometric stiffness."""


@dataclass(frozen=True, slots=True)
class BodyAdvice:
    """What was seen of a flexible body in a short run, and what follows for a tolerance."""

    body: str
    theory: str
    deflection: float
    """Largest, over the length (of a given body: over its size)."""
    rotation: float
    """Largest of a section, in rad."""
    spin: float
    """Largest angular velocity over the first bending frequency."""
    margin: float
    """Smallest margin of buckling: 1 unloaded, 0 at the onset; nan if it is not known."""
    criteria: tuple[Criterion, ...]
    tolerance: float

    @property
    def suffices(self) -> bool:
        """Whether linear modes, with geometric stiffness to second order, suffice."""
        return all(c.error <= self.tolerance for c in self.criteria if c.cure == "exact")

    @property
    def needs_second_order(self) -> bool:
        """Whether geometric stiffness must not be left out."""
        return any(c.error > self.tolerance for c in self.criteria if c.cure == "second-order")

    @property
    def unseen(self) -> str:
        """What none of the criteria judges."""
        if self.theory == "modal" and np.isfinite(self.margin):
            return "buckling sideways, with torsion (compare a run or statics with theory: exact)"
        return ""

    @property
    def recommendation(self) -> str:
        """In words."""
        if not self.suffices:
            return "modes do not suffice: take theory exact (or large-rotation, segments)"
        if self.needs_second_order:
            return "modes suffice with geometric_stiffness: second-order"
        kept = "" if self.theory == "modal" else "modes would suffice, and are cheaper"
        return kept or "linear modes suffice"


def body_advice(
    system: Study, name: str, seen: ShortRun, tolerance: float, params: Mapping[str, Any] | None
) -> BodyAdvice:
    """What a short run says of one flexible body."""
    body = system.described.elastic[name]
    values = system.values(params)
    data, length = _numbers(values, name, system.described.beams.get(name))
    modal = name in values.flexible
    if modal:  # in the floating frame, in which shapes are linear
        q = np.stack([seen.result.series[f"{name}.{k}"].values for k in data.names], axis=1)
        pairs = [
            (_size(q @ f.L.T), _size(q @ f.psi.T)) for f in values.tables(name).frames.values()
        ]
        deflection, rotation = map(max, zip((0.0, 0.0), *pairs, strict=True))
    else:
        deflection, rotation = _cut(seen, name)
    deflection = deflection / length if deflection > _STILL * length else 0.0
    w = seen.result.series.get(f"{name}.angular_velocity")
    fastest = 0.0 if w is None else float(np.linalg.norm(w.values, axis=1).max(initial=0.0))
    first = first_bending(data)
    spin = fastest / first if first else 0.0
    margin = seen.margins.get(name, float("nan"))
    criteria = _criteria(body, deflection, rotation, spin, margin)
    theory = body.theory.kind
    return BodyAdvice(name, theory, deflection, rotation, spin, margin, criteria, tolerance)


def _criteria(
    body: Any, deflection: float, rotation: float, spin: float, margin: float
) -> tuple[Criterion, ...]:
    found = [Criterion("bending", f"a section turns by {rotation:.2g} rad",
                       ELASTICA * rotation**2, "exact")]  # fmt: skip
    plain = body.geometric_stiffness == "none"
    if np.isfinite(margin):
        seen, error = f"margin {margin:.2g} as a column", 0.0
        if margin <= 0:
            seen, error = f"beyond buckling as a column (margin {margin:.2g})", 1.0
        elif margin < _FAR:  # θ²/(8 m), no more than all of it
            error = min(1.0, rotation**2 / 8 / margin)
        found.append(Criterion("buckling", seen, error, "exact"))
        lost = [Criterion("softening", f"margin {margin:.2g}", abs(1 - margin), "second-order")]
        found += lost if plain else []
    left = SOUTHWELL * spin**2 if plain else 0.0
    found.append(Criterion("spin", f"{spin:.2g} of the first bending frequency", left,
                           "second-order"))  # fmt: skip
    shorter = SHORTENING * deflection**2
    found.append(Criterion("foreshortening", f"{shorter:.2g} of the length",
                           shorter if plain else 0.0, "second-order"))  # fmt: skip
    return tuple(found)


def _cut(seen: ShortRun, name: str) -> tuple[float, float]:
    """Largest deflection and rotation of a frame against the root."""
    series = seen.result.series
    moved = [s.values for n, s in series.items()
             if n.startswith(f"{name}.") and n.endswith(".deflection.tangent(root)")]  # fmt: skip
    turned = [s.values for n, s in series.items()
              if n.startswith(f"{name}.") and n.endswith(".rotation")]  # fmt: skip
    root = series.get(f"{name}.root.rotation")
    first = 0.0 if root is None else root.values
    return (max(map(_size, moved), default=0.0),
            max((_size(v - first) for v in turned), default=0.0))  # fmt: skip


def _size(rows: Array) -> float:
    return float(np.linalg.norm(rows, axis=1).max(initial=0.0))


def _numbers(values: Values, name: str, beam: Beam | None) -> tuple[FlexibleData, float]:
    """Tables of the body as one with modes, and its length."""
    if beam is not None:
        modal = replace(beam, theory=Theory("modal"), curvature=None)
        data = flexible_data(modal, values.number, values.model.materials)
        return data, values.number(beam.length)
    data = values.tables(name).data
    return data, float(np.sqrt(np.trace(data.J0) / 2 / data.m))
