"""Dynamics: a model as integrators see it, and what is asked of a single state.

Every method works on a private copy of the context, so that it can be called between the chunks
of a running integration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

import numpy as np

from pliant.arrays import Array, Integers
from pliant.code import background
from pliant.code.compiled import CompiledEquations
from pliant.errors import AssemblyError, CapabilityError
from pliant.mechanics.layout import Layout
from pliant.records import dataclass
from pliant.solve.constraints import TREATMENTS, Treatment, branch
from pliant.solve.dense import newton as dense_newton
from pliant.solve.dense import services as dense
from pliant.solve.dense.layout import PIVOTS, dense_context, renew_addresses
from pliant.solve.failure import require_finite
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import MachineFunction
from pliant.solve.single_states import call_once, complete_rows, evaluate_function, make_consistent
from pliant.solve.start.rank import SCALE_FLOOR, THRESHOLD_WITH_DRIFT, without_rounding

STATE = frozenset(("rank", "accelerate", "project", "settle", "multipliers"))
"""Services of a single state."""
_SAMPLING = STATE | {"rates"}
"""Those of states inside steps."""
_SAMPLED = 2e-15
"""Scaled residual of positions that are asked for: rounding. Those of steps are not as small; next
to a change point, where the smallest singular value is s, positions are off by the residual over s.
"""
_NEWTON = frozenset(("residual", "linearise", "factor", "factor_complex"))
"""Services of implicit methods."""


@dataclass(frozen=True, slots=True)
class Dynamics:
    """Services of one model with one constraint treatment.

    ``capabilities`` names the services it offers; ``treatment`` says how constraints are held.
    """

    nq: int
    nu: int
    nx: int
    m: int
    services: Mapping[str, int]
    """Addresses; a service is compiled when it is first asked for."""
    ic: Integers
    dc: Array
    layout: Layout
    treatment: Treatment
    source: Any = field(repr=False, default=None)
    """Keeps the machine code alive."""

    @property
    def capabilities(self) -> frozenset[str]:
        services = self.services
        return services.names if isinstance(services, ServiceTable) else frozenset(services)

    @property
    def addresses(self) -> Integers:
        """Compiled addresses in the order of ``context.SERVICES`` (0: not offered)."""
        return self.addresses_of(frozenset(c.SERVICES))

    def addresses_of(self, names: frozenset[str]) -> Integers:
        """The same for the services named only (0: others)."""
        if isinstance(self.services, ServiceTable):
            return self.services.addresses_of(names)
        found = [self.services[k] if k in names and k in self.services else 0 for k in c.SERVICES]
        return np.array(found, dtype=np.int64)

    @property
    def p(self) -> Array:
        start = self.ic[c.PARAMETERS]
        return self.dc[start : start + self.ic[c.N_PARAMETERS]].copy()

    @property
    def x_size(self) -> int:
        return 1 + self.nq + 2 * self.nu + self.nx + self.m

    def context(self, p: Array | None = None) -> tuple[Integers, Array]:
        """A fresh context, with other parameters if given."""
        ic, dc = self.ic.copy(), self.dc.copy()
        self.renew(ic)
        if p is not None:
            start = ic[c.PARAMETERS]
            dc[start : start + len(p)] = p
        return ic, dc

    def require(self, services: frozenset[str]) -> None:
        """Have the machine code made that these services call."""
        if isinstance(self.source, CompiledEquations) and services & _NEWTON:
            for name in ("residual", "jacobians"):
                self.source.code.require(name)

    def renew(self, ic: Integers) -> None:
        """Let a context call the newest machine code of the model."""
        if isinstance(self.source, CompiledEquations):
            renew_addresses(self.source, ic)

    def buffers(self) -> tuple[Array, Array]:
        """x and y of the lengths the services expect."""
        return np.zeros(self.ic[c.LEN_X]), np.zeros(self.ic[c.LEN_Y])

    def consistent(self, x: Array, p: Array | None = None) -> Array:
        """x with q and u on the constraints, a and lam from the equations.

        Source: docs/theory
        """
        ic, dc = self.context(p)
        state, y = self.buffers()
        state[: self.x_size] = _padded(x, self.x_size)
        code = make_consistent(self.addresses_of(STATE), ic, dc, state, y)
        if code:
            self._require_defined(x, p)
        if code == 2:
            raise AssemblyError(
                "initial state: the accelerations are not determined at the given state; "
                "a body without mass or a missing constraint leaves a motion undefined"
            )
        if code == 1:
            row, size, level = self._worst_row(ic, dc, state)
            raise AssemblyError(
                f"initial state: the {level} constraint '{row}' cannot be met "
                f"(scaled residual {size:.2g}); give an initial state closer to an assembled one"
            )
        return state[: self.x_size].copy()

    def _require_defined(self, x: Array, p: Array | None) -> None:
        """Nothing in the equations is infinite or not a number at x."""
        if isinstance(self.source, CompiledEquations):
            values = self.p if p is None else p
            x = _padded(x, self.x_size)
            for name, what in (("constraints", "the constraints"), ("explicit", "the forces")):
                require_finite(what, x, values, self.source.call(name, x, values))

    def completed_states(self, X: Array, p: Array | None = None, *, forces: bool = True) -> Array:
        """Packed vectors x for rows (t, q, u, xs): projected (exact treatments), with a and lam
        unless ``forces`` is False (positions and velocities are enough then).

        Multipliers of dependent constraints are those of least norm.
        """
        out = np.zeros((len(X), self.x_size))
        addresses, ic, dc, x, y = self.sampling(p)
        rows = np.ascontiguousarray(X, dtype=np.float64)
        complete_rows(
            addresses, ic, dc, rows, len(rows), x, y, out, self.x_size, int(forces)
        )  # fmt: skip
        return out

    def sampling(self, p: Array | None = None) -> tuple[Integers, Integers, Array, Array, Array]:
        """Addresses, a context and buffers (x, y) to take samples with."""
        ic, dc = self.context(p)
        dc[c.PROJECTION_TOLERANCE] = _SAMPLED
        return self.addresses_of(_SAMPLING), ic, dc, *self.buffers()

    def rank(self, x: Array, p: Array | None = None) -> tuple[int, Integers, Array]:
        """Rank of G at x, the kept rows, and the relative pivots (largest first)."""
        ic, dc = self.context(p)
        state, y = self.buffers()
        state[: self.x_size] = _padded(x, self.x_size)
        call_once(self.services["rank"], ic, dc, state, y)
        r = int(ic[c.RANK])
        place = ic[ic[c.PLACE] : ic[c.PLACE] + self.m]
        pivots = dc[ic[PIVOTS] : ic[PIVOTS] + r].copy() if self.m else np.zeros(0)
        return r, np.flatnonzero(place >= 0).astype(np.int64), pivots

    def _worst_row(self, ic: Integers, dc: Array, x: Array) -> tuple[str, float, str]:
        compiled: CompiledEquations = self.source
        p = dc[ic[c.PARAMETERS] : ic[c.PARAMETERS] + ic[c.N_PARAMETERS]].copy()
        y = compiled.call("constraints", x[: self.x_size].copy(), p)
        G = without_rounding(compiled.block("constraints", "G", y), compiled.layout)
        size = np.linalg.norm(G, axis=1)
        scale = np.maximum(size, SCALE_FLOOR * size.max()) if G.any() else np.ones(len(G))
        for level, name in (("position", "g"), ("velocity", "cv")):
            size = np.abs(compiled.block("constraints", name, y))
            size = size / scale[: len(size)]
            if len(size) and size.max() > 1e-9:
                worst = int(np.argmax(size))
                rows = self.layout.rows
                return (rows[worst].name if rows else f"row {worst}"), float(size[worst]), level
        return "unknown", float("nan"), "position"


def dense_dynamics(
    compiled: CompiledEquations,
    treatment: str = "projection",
    p: Array | None = None,
    *,
    implicit: bool = True,
    **options: float,
) -> Dynamics:
    """Dynamics of a compiled expression model. ``options``: numbers of the treatment, by name;
    ``implicit`` False: code for implicit methods is made only when one of them begins."""
    if treatment not in TREATMENTS:
        known = ", ".join(TREATMENTS)
        raise CapabilityError(f"constraint treatment '{treatment}' is unknown; known: {known}")
    chosen = TREATMENTS[treatment]
    unknown = set(options) - set(chosen.options)
    if unknown:
        known = ", ".join(chosen.options) or "none"
        raise CapabilityError(
            f"constraint treatment '{treatment}' has no option {sorted(unknown)}; it has: {known}"
        )
    for name in ("residual", "jacobians") if implicit else ():
        compiled.code.require(name)
    values = compiled.p if p is None else np.asarray(p, dtype=np.float64)
    objection = chosen.objection(compiled, values)
    if objection:
        raise CapabilityError(f"constraint treatment '{treatment}': {objection}")
    ic, dc = dense_context(compiled, values)
    ic[c.EXACT], ic[c.LEVEL] = int(chosen.exact), chosen.level
    ic[c.PROJECT_ALONE] = int(chosen.alone)
    if not chosen.exact:
        dc[c.THRESHOLD] = THRESHOLD_WITH_DRIFT
    numbers = {**chosen.options, **options}
    dc[c.OPTIONS : c.OPTIONS + len(numbers)] = [numbers[k] for k in chosen.options]
    return Dynamics(
        nq=compiled.nq, nu=compiled.nu, nx=compiled.nx, m=compiled.m, ic=ic, dc=dc,
        services=_dense_services(compiled, chosen), layout=compiled.layout, treatment=chosen,
        source=compiled,
    )  # fmt: skip


def _dense_services(compiled: CompiledEquations, treatment: Treatment) -> ServiceTable:
    """Services of a dense model, each with the model functions it calls; the same table for every
    run of a model."""
    key = f"services of {treatment.name}"
    known: ServiceTable | None = compiled.contexts.get(key)
    if known is not None:
        return known
    J, n = "jacobians", dense_newton
    table: dict[str, tuple[Any, ...]] = {
        "rank": (dense.rank, "constraints"), "accelerate": (treatment.accelerate, "explicit"),
        "project": (treatment.project, "constraints", "tangent", "explicit"),
        "settle": (dense.settle,),
        "kinematics": (dense.kinematics, "kinematics"), "rates": (dense.rates, "speeds"),
        "tangent": (dense.tangent, "tangent"),
        "residual": (n.residual, "residual"), "linearise": (n.linearise, J),
        "factor": (n.factor, J),
        "solve": (n.solve, J), "factor_complex": (n.factor_complex, J),
        "solve_complex": (n.solve_complex, J), "error": (n.error, J),
        "multipliers": (dense.multipliers, "explicit"), "guards": (dense.guards, "guards"),
        "branch": (branch.branch, "explicit", "tangent"), "sigma": (branch.sigma, "constraints"),
        "power": (dense.power, "explicit"), "power_at": (dense.power_at, "power_balance"),
        "close": (dense.close, "constraints"),
    }  # fmt: skip
    have = compiled.functions
    made = ServiceTable({k: s for k, (s, *calls) in table.items() if have.issuperset(calls)})
    compiled.contexts[key] = made
    return made


class ServiceTable(Mapping[str, int]):
    """Addresses of services by name; machine code is made when an address is asked for."""

    def __init__(self, services: Mapping[str, MachineFunction]) -> None:
        self._services, self.names = dict(services), frozenset(services)
        self._version, self._found = -1, dict[frozenset[str], Integers]()

    def addresses_of(self, names: frozenset[str]) -> Integers:
        """Of the services named, in the order of ``context.SERVICES`` (0: others); looked up again
        when there is better code."""
        if self._version != background.version():
            self._version, self._found = background.version(), {}
        if names not in self._found:
            own = (self[k] if k in names and k in self._services else 0 for k in c.SERVICES)
            self._found[names] = np.array([*own], dtype=np.int64)
        return self._found[names]

    def __getitem__(self, name: str) -> int:
        return self._services[name].address

    def __iter__(self) -> Iterator[str]:
        return iter(self._services)

    def __len__(self) -> int:
        return len(self._services)


def compute_outputs(compiled: CompiledEquations, X: Array, p: Array | None = None) -> Array:
    """Observables for rows x, compiled loop."""
    return evaluate_function(compiled, "observables", X, compiled.p if p is None else p)


def _padded(x: Array, size: int) -> Array:
    full = np.zeros(size)
    full[: min(len(x), size)] = x[:size]
    return full
