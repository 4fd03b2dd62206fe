"""Motions that the constraints do not allow: what the impulse that stops them leaves.

Initial velocities that contradict the constraints, and the end of a run from which a model with
other joints goes on. All bodies count as free before, so that nothing depends on the tree; after,
the constraints hold:

    M (u⁺ - u⁻) = Gᵀ Λ        G u⁺ + b = 0        ⟺        (u⁺ - u⁻)ᵀ M (u⁺ - u⁻) smallest

Source: Routh, Dynamics of a System of Rigid Bodies, 1905, part I, 8 (Carnot, Gauss): the impulse
makes the change smallest in the metric of kinetic energy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array, Flags
from pliant.backends.choice import Choice
from pliant.backends.expressions.prepare import Program, prepare
from pliant.backends.expressions.start import (
    InitialState,
    body_motion,
    known_states,
    parameters,
    state_of,
    with_missing_speeds,
)
from pliant.errors import StartError
from pliant.mechanics.layout import PoseAndTwist
from pliant.solve.start.assembly import Assembler, Unmet, unmet_text
from pliant.solve.start.in_order import in_order

if TYPE_CHECKING:
    from pliant.study import Study


_Pair = tuple[Array, Array]
_MASSLESS = 1e-14
"""Of the largest mass, rotations and translations apart or not: that is none."""
CHANGED = "initial velocities contradict the constraints and are changed as by their impulse"
_FREE = Choice(tree="absolute")
_FUNCTIONS = ("constraints", "initial", "tangent", "bodies", "start_states", "explicit")


class Impulse:
    """Sudden constraints G u + b = 0 on a system with the mass matrix M.

    ``ties``: rows that say what the speeds of joints are, besides those of bodies; ``told``: these
    speeds. All rows and the speeds without mass, if nothing is said.
    """

    def __init__(
        self, M: Array, constraints: _Pair, ties: Flags | None = None, told: Flags | None = None
    ) -> None:
        mass = np.maximum(np.diag(M), 0.0)
        self.heavy = mass > _MASSLESS * float(mass.max(initial=0.0))
        usual = float(np.median(np.sqrt(mass[self.heavy]))) if self.heavy.any() else 1.0
        self.scale = 1 / np.where(self.heavy, np.sqrt(mass), usual)
        values, V = np.linalg.eigh(0.5 * (M + M.T) * np.outer(self.scale, self.scale))
        self.root = (np.sqrt(np.maximum(values, 0.0)) * V).T
        G, b = constraints
        G = G * self.scale
        size = np.maximum(np.linalg.norm(G, axis=1), 1e-300)
        self.G, self.b = G / size[:, None], b / size
        self.ties = np.ones(len(b), dtype=bool) if ties is None else ties
        self.told = ~self.heavy if told is None else ~self.heavy | told

    def after(self, u: Array) -> Array:
        """u⁺ from u⁻; redundant rows of G do no harm."""
        v = u / self.scale
        held, little = (self.G, self.G @ v + self.b), (self.root, np.zeros(len(u)))
        after: Array = (v + in_order([held, little], len(u))) * self.scale
        return after

    def towards(self, given: _Pair, others: Sequence[_Pair]) -> Array:
        """u⁺ with the smallest impulse from any u⁻ that has what was given, E u⁻ + e = 0; what
        the impulse leaves open follows ``others``, which |A u⁺ + b| is to be small of."""
        n = len(self.scale)
        none = np.zeros((0, n))

        def on(pair: _Pair, *, before: bool) -> _Pair:
            A = pair[0] * self.scale
            empty = np.zeros_like(A)
            return np.hstack([A, empty] if before else [empty, A]), pair[1]

        tied, held = self._tied(none), (self.G, self.b)
        first = np.vstack([np.hstack([tied[0], np.zeros_like(tied[0])]),
                           np.hstack([np.zeros_like(held[0]), held[0]])])  # fmt: skip
        wishes = [
            (first, np.concatenate([tied[1], held[1]])),
            on(given, before=True),
            (np.hstack([-self.root, self.root]), np.zeros(n)),
            *(on(pair, before=False) for pair in others),
        ]
        after: Array = in_order(wishes, 2 * n)[n:] * self.scale
        return after

    def _tied(self, none: Array) -> _Pair:
        """Speeds of cut joints that keep a coordinate, and others without mass, follow those of the
        bodies: the rows of G that tie them, solved for them."""
        if not self.told.any():
            return none, np.zeros(0)
        G, b = self.G[self.ties], self.b[self.ties]
        solved = np.linalg.pinv(G[:, self.told], rcond=1e-10)
        return solved @ G, solved @ b


class FreeBodies:
    """A system whose bodies all carry coordinates of their own, in one state of motion.

    ``states``: of networks and drivers, by name.
    """

    def __init__(
        self, system: Study, params: Mapping[str, Any] | None, t: float,
        bodies: Mapping[str, PoseAndTwist], states: Mapping[str, float],
    ) -> None:  # fmt: skip
        self.prepared = prepare(system, _FREE, None, _FUNCTIONS)
        self.p = parameters(system, self.prepared, params)
        self.x = state_of(self.prepared, self.p, t, bodies, states)
        c = self.prepared.compiled
        self.solver = Assembler(c, self.p, float(self.x[0]), self.prepared.state_from.size(self.p))
        rows = self.solver.rows_without_states(self.x)
        _, b, G = self.solver.constraints(self.x)
        self.M = c.block("explicit", "M", c.call("explicit", self.x, self.p))
        model, layout = system.model, c.layout
        others = {*model.constraints, *model.drivers}
        ties = np.array([r.owner not in others for r in layout.rows], dtype=bool)[rows]
        told = np.array([s.owner in model.joints for s in layout.u], dtype=bool)
        self.impulse = Impulse(self.M, (G[rows], (b - G @ self.u)[rows]), ties, told)

    @property
    def u(self) -> Array:
        """Speeds at present."""
        c = self.prepared.compiled
        return self.x[1 + c.nq : 1 + c.nq + c.nu]

    def wishes(self) -> list[tuple[Array, Array]]:
        """(A, b) of every rank: |A u + b| is to be small."""
        c, at_rest = self.prepared.compiled, self.x.copy()
        at_rest[1 + c.nq : 1 + c.nq + c.nu] = 0.0
        found = self.solver.wishes(at_rest, "velocity")
        return [(A / self.solver.columns, b) for A, b in found]

    def moving(self, u: Array) -> dict[str, PoseAndTwist]:
        """The motion of bodies with other speeds."""
        c, x = self.prepared.compiled, self.x.copy()
        x[1 + c.nq : 1 + c.nq + c.nu] = u
        return body_motion(self.prepared, x, self.p)

    def energy(self, u: Array) -> float:
        """Kinetic energy."""
        return float(0.5 * u @ self.M @ u)


def by_impulse(
    system: Study, prepared: Program, params: Mapping[str, Any] | None, state: InitialState,
    unmet: Sequence[Unmet],
) -> InitialState:  # fmt: skip
    """Velocities nearest to those given in the metric of kinetic energy, with a warning."""
    if system.model.settings.assemble == "strict":
        raise StartError(unmet_text("initial velocities contradict the constraints", "nearest",
                                    unmet))  # fmt: skip
    motion = body_motion(prepared, state.x, state.p)
    free = FreeBodies(system, params, float(state.x[0]), motion, known_states(prepared, state.x))
    given, *others = free.wishes()
    u = free.impulse.towards(given, others)
    taken = _with_motion(prepared, state, free.moving(u))
    rows = Assembler(prepared.compiled, taken.p, float(taken.x[0])).unmet("velocity", taken.x)
    what = unmet_text(CHANGED, "taken", rows)
    return replace(taken, remarks=(*state.remarks, what))


def _with_motion(
    prepared: Program, state: InitialState, bodies: Mapping[str, PoseAndTwist]
) -> InitialState:
    """The state with other velocities of its bodies."""
    c, p, x = prepared.compiled, state.p, state.x.copy()
    q, u = prepared.state_from(bodies, p, x[1 : 1 + c.nq].copy())
    x[1 : 1 + c.nq], x[1 + c.nq : 1 + c.nq + c.nu] = q, u
    x[1 + c.nq + c.nu : 1 + c.nq + c.nu + c.nx] = c.call("start_states", x, p)
    return InitialState(p, with_missing_speeds(prepared, x, p), state.remarks)


def after_impact(
    system: Study, params: Mapping[str, Any] | None, t: float,
    bodies: Mapping[str, PoseAndTwist], states: Mapping[str, float],
) -> tuple[dict[str, PoseAndTwist], float, float]:  # fmt: skip
    """(motion after the impulse, kinetic energy before and after)."""
    free = FreeBodies(system, params, t, bodies, states)
    u = free.impulse.after(free.u)
    return free.moving(u), free.energy(free.u), free.energy(u)
