"""Large open trees: the articulated-body kernel instead of straight-line code.

A system that is a tree without constraints, whose forces act along joint coordinates, is run by
loops over arrays: code and compile time do not grow with it. Everything else stays with the
expressions of the recursive formulation. See docs/theory/large-systems.md.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from pliant.arrays import Array
from pliant.backends.causes import AHEAD, numeric_cause
from pliant.backends.choice import Choice
from pliant.backends.contract import Motion, Told
from pliant.backends.expressions.run import event_rules
from pliant.backends.kinks import kinked, remarks_of_laws
from pliant.backends.memory import refuse_too_many
from pliant.backends.recorded import Rows, arrays_of, rows_of, table_of_rows, times_of
from pliant.backends.request import Plan, RestRequest
from pliant.backends.resume import State
from pliant.backends.tree.model import FRAME, TreeModel, TreeNumbers
from pliant.backends.tree.observer import VERY_MANY, TreeObserver, TreeTeller, chosen_of
from pliant.code import phases
from pliant.formulations import FORMULATIONS
from pliant.graphs import SystemGraph, spanning_tree
from pliant.mechanics.layout import PoseAndTwist, StateFrom
from pliant.observe.catalogue import Quantity
from pliant.observe.observer import Observer
from pliant.results.build import events_of, series_of_run
from pliant.results.series import Record, RecordedRows
from pliant.solve.dynamics import Dynamics
from pliant.solve.motion.run import Trajectory, run
from pliant.solve.transient.registry import INTEGRATORS
from pliant.spatial.ops import NUMERIC
from pliant.study import Study

THRESHOLD = 10
"""The kernel is used for more bodies than that.

Measured on the revolute chain (1 s, rtol 1e-6, 501 samples of everything; docs/theory/
large-systems.md): up to 7 bodies straight-line code runs faster (1.6 against 1.9 ms), from 12 on
the kernel does (3.5 against 4.2 ms), and it is compiled in 0.1 s instead of 2.4 s. With stiff
springs in its joints the two are level at 10 bodies with auto (1.4 ms), at 20 with radau (1.8
against 1.7 ms), at 30 with generalized-alpha (10.2 against 9.7 ms); below, expressions save a
millisecond or two and cost seconds to make.
"""
WITH_KINKS = 40
"""The same where laws have conditions: only expressions end steps where these change. Making them
for 40 bodies takes some ten seconds, once."""
_RECORDS = 20_000_000
"""Numbers of dense output held at a time."""

_MODELS: WeakKeyDictionary[Study, tuple[SystemGraph, TreeModel]] = WeakKeyDictionary()


def suitable(system: Study) -> str:
    """Empty if the kernel can take a system, otherwise why not."""
    from pliant.backends.tree.from_model import tree_objection

    formulas = system.model.observing()
    objection = tree_objection(spanning_tree(system.model))
    if objection or not formulas:
        return objection
    return Observer(TreeTeller(system.model, tree_of(system)[1])).unread(formulas)


def tree_of(system: Study) -> tuple[SystemGraph, TreeModel]:
    """Graph and compiled kernel of a system, made once."""
    from pliant.backends.tree.from_model import tree_model

    if system not in _MODELS:
        graph = spanning_tree(system.model)
        _MODELS[system] = graph, tree_model(graph)
    return _MODELS[system]


class TreeKernel:
    """The back end of open trees."""

    name = "tree kernel"
    methods: tuple[str, ...] = ()
    has_impulse = False

    def incapable(self, system: Study) -> str:
        """What is no tree of rigid bodies with laws along coordinates."""
        return suitable(system)

    def against(self, system: Study, plan: Plan) -> str:
        """Few bodies, or something that only expressions have."""
        bodies = len(system.model.bodies)
        if plan.at_rest:
            return "it cannot begin in equilibrium"
        if plan.treatment_options or plan.treatment != "projection":
            return "a treatment of constraints was named"
        if bodies <= THRESHOLD:
            return f"expressions are faster up to {THRESHOLD} bodies"
        if plan.choice != Choice():
            return "a formulation, tree or form was named"
        if plan.method not in INTEGRATORS:
            return f"method '{plan.method}' is none of its own"
        if bodies <= WITH_KINKS and kinked(system):
            return "only expressions end steps where laws have kinks"
        return suitable(system)

    def run(self, system: Study, plan: Plan) -> Motion:
        """Integrate with the kernel."""
        return run_tree(system, plan)

    def against_rest(self, system: Study, request: RestRequest) -> str:
        """It has no positions without accelerations."""
        return "it has no equilibria"

    def rest(self, system: Study, request: RestRequest) -> None:
        """None."""

    def known(self, system: Study) -> Mapping[str, Quantity]:
        """Every observable of the tree."""
        known = Observer(TreeTeller(system.model, tree_of(system)[1])).known
        return {name: q.told for name, q in known.items()}

    def reopened(self, system: Study, record: Record) -> RecordedRows:
        """States that a file kept."""
        params = record.about["params"]
        _, tree, numbers, dynamics = prepared(system, params)
        observer = Observer(TreeTeller(system.model, tree, numbers, dynamics))
        return _recorded(params, rows_of(record.arrays), dynamics, observer)

    def tell(
        self, system: Study, params: Mapping[str, Any] | None, states: Sequence[State]
    ) -> Told:
        """All observables at some states."""
        graph, tree, numbers, dynamics = prepared(system, params, implicit=False)
        X = np.array([continued_state(graph, tree, numbers, s) for s in states])
        every = Observer(TreeTeller(system.model, tree, numbers, dynamics))
        rows = [(X[:, : 1 + tree.nq + tree.nu], dynamics.p)]
        table = table_of_rows(TreeObserver(every, every.known), dynamics, rows)
        return Told(every.known, table, {}, tree.nq, 0, tree.nu)


BACK_END = TreeKernel()


def run_tree(system: Study, plan: Plan) -> Motion:
    """Integrate a tree with the kernel."""
    began, grid = clock.perf_counter(), plan.times()
    graph, tree, numbers, dynamics = prepared(system, plan.params, implicit=plan.method != "dop853")
    every = Observer(TreeTeller(system.model, tree, numbers, dynamics))
    chosen, warnings = chosen_of(every, plan.observe)
    events = [event.when for event in system.model.events.values()]
    observer = TreeObserver(every, chosen, events)
    refuse_too_many(len(grid), sum(o.size for o in observer.observed.values()), plan.limit)
    state = (initial_state(graph, tree, numbers, plan.begin) if plan.earlier is None
             else continued_state(graph, tree, numbers, plan.earlier))  # fmt: skip
    x0 = dynamics.consistent(state)
    prepared_in = clock.perf_counter() - began
    chunk = int(np.clip(_RECORDS // (8 * max(tree.nq + tree.nu, 1)), 2, 256))
    unique = {k: np.ones(3, dtype=bool) for k, o in observer.observed.items()
              if o.kind == "reaction"}  # fmt: skip

    def told(data: Trajectory) -> Motion:
        return Motion(
            time=data.time, series=series_of_run(observer, data, unique),
            end=lambda: _state_at(graph, tree, numbers, dynamics, data.x_end),
            info={"formulation": "recursive", "tree": "joint", "constraints": "projection",
                  "prepared_in": prepared_in, "kernel": "tree"},
            statistics=data.statistics, energy=data.energy, events=events_of(data),
            recorded=_recorded(plan.params, data.rows, dynamics, every) if data.rows else None,
            remarks=(*warnings, *remarks_of_laws(system, "the kernel of large trees")),
            failure=data.failure, failed=data.failed,
            model=system.text if tree.n <= VERY_MANY else "",
        )  # fmt: skip

    watch = plan.watch
    data = run(
        observer, dynamics, x0, dynamics.p, grid, progress=plan.request.progress,
        method=plan.method, rtol=plan.rtol, atol=plan.atol, step=plan.step,
        options=plan.request.options, chunk_size=chunk, rules=event_rules(system),
        watch=None if watch is None else lambda data: watch(told(data)),
    )  # fmt: skip
    if data.failed is not None and data.failed.code != "interrupted":
        why = _why(system, tree, numbers, data)
        data.failure = f"{data.failure}: {why}" if why else data.failure
    return told(data)


def _recorded(
    params: Mapping[str, Any] | None, rows: Rows, dynamics: Dynamics, observer: Observer
) -> RecordedRows:
    """What a finished run of a tree can still be asked."""

    def values(name: str) -> Array:
        one = TreeObserver(observer, {name: observer.known[name]})
        return table_of_rows(one, dynamics, rows)

    def kept() -> Record:
        return Record({"back_end": "tree", "params": dict(params or {})}, arrays_of(rows))

    return RecordedRows(
        times_of(rows),
        lambda: observer.known,
        values,
        kept,
        lambda name: (True,) * 3 if observer.known[name].kind == "reaction" else (),
    )


def _why(system: Study, tree: TreeModel, numbers: TreeNumbers, data: Trajectory) -> str:
    """The law without a value where a run ended, or shortly after."""
    undefined = len(data.undefined) and np.isfinite(data.undefined[: 1 + tree.nq + tree.nu]).all()
    x = data.undefined if undefined else data.x_end
    t, q, u, a = x[0], *np.split(x[1:], [tree.nq, tree.nq + tree.nu])
    known: dict[str, tuple[float, float]] = {n: (v, 0.0) for n, v in numbers.parameters.items()}
    for i, joint in enumerate(tree.joints):
        for k, c in enumerate(joint.scalars):
            at, go = int(tree.q[i]) + k, int(tree.u[i]) + k
            known[f"{joint.name}.{c.name}"] = float(q[at]), float(u[go])
            known[f"{joint.name}.{c.rate}"] = float(u[go]), float(a[go])
    known["t"] = float(t), 1.0

    def look(name: str, h: float) -> float:
        value, rate = known[name]
        return value + h * rate if h else value

    times = (0.0,) if undefined else tuple(part * max(abs(float(t)), 1e-3) for part in AHEAD)
    return numeric_cause(system.model, look, times)


def prepared(
    system: Study, params: Mapping[str, Any] | None, *, implicit: bool = True
) -> tuple[SystemGraph, TreeModel, TreeNumbers, Dynamics]:
    """Graph, kernel, its numbers for some parameters, and its dynamics (``tree_dynamics``)."""
    from pliant.backends.tree.from_model import tree_numbers
    from pliant.backends.tree.loops.dynamics import tree_dynamics

    if params:
        system.refuse(params)
    phases.entered("assembling")
    graph, tree = tree_of(system)
    numbers = tree_numbers(system.values(params), tree)
    return graph, tree, numbers, tree_dynamics(tree, numbers, implicit=implicit)


class ForwardDynamics:
    """u' as a function of q and u (at t = 0), in arrays that are allocated once.

    The array returned is the same at every call. Coordinates and speeds are in the order of the
    layout of the recursive formulation.
    """

    def __init__(self, dynamics: Dynamics) -> None:
        from pliant.backends.tree.loops.forward import evaluate_forward

        self.dynamics = dynamics
        ic, dc = dynamics.context()
        x, y = dynamics.buffers()
        first = 1 + dynamics.nq + dynamics.nu
        self._q, self._u, self._a = x[1 : 1 + dynamics.nq], x[1 + dynamics.nq : first], x[first:]
        address = dynamics.services["accelerate"]
        self._evaluate = evaluate_forward.prepared(address, ic, dc, x, y, 1)

    def __call__(self, q: Array, u: Array) -> Array:
        self._q[:], self._u[:] = q, u
        self._evaluate()
        return self._a


def forward_dynamics(
    system: Study, params: Mapping[str, Any] | None = None
) -> Callable[[Array, Array], Array]:
    """The accelerations of a tree as a function of (q, u)."""
    return ForwardDynamics(prepared(system, params, implicit=False)[3])


def initial_state(graph: SystemGraph, tree: TreeModel, numbers: TreeNumbers, t: float) -> Array:
    """Packed x at the start: what was given, otherwise joint frames coincide and all is at rest."""
    q = _state_map(graph, tree, numbers).guess(_parameters(numbers))
    u: list[float] = []
    start, known = 0, numbers.parameters
    for edge in graph.edges:
        joint = edge.joint
        own = [
            joint.initial[name].number(known) if name in joint.initial else 0.0
            for name in joint.rate_names
        ]
        body = graph.model.bodies[edge.outer].initial
        if body is not None:
            R = joint.pose(NUMERIC, q[start : start + joint.nq]).R
            if body.velocity is not None:
                own[:3] = [f.number(known) for f in body.velocity]
            if body.angular_velocity is not None:
                own[3:] = R.T @ [f.number(known) for f in body.angular_velocity]
        u += own
        start += joint.nq
    return np.concatenate([[t], q, u, np.zeros(tree.nu)])


def continued_state(
    graph: SystemGraph, tree: TreeModel, numbers: TreeNumbers, state: State
) -> Array:
    """Packed x of a state, without accelerations."""
    bodies = state.of(tree.bodies).bodies
    near = np.array([state.q.get(s.name, 0.0) for s in tree.layout.q])
    q, u = _state_map(graph, tree, numbers)(bodies, _parameters(numbers), near)
    return np.concatenate([[state.t], q, u, np.zeros(tree.nu)])


def _state_map(graph: SystemGraph, tree: TreeModel, numbers: TreeNumbers) -> StateFrom:
    index = {name: k for k, name in enumerate(numbers.parameters)}
    return FORMULATIONS["recursive"].state_from(graph, tree.layout, index)


def _parameters(numbers: TreeNumbers) -> Array:
    return np.array([*numbers.parameters.values()])


def _state_at(
    graph: SystemGraph, tree: TreeModel, numbers: TreeNumbers, dynamics: Dynamics, x: Array
) -> State:
    """The state of the kernel at a packed x."""
    from pliant.backends.tree.loops.observe import observe_states

    teller = TreeTeller(graph.model, tree, numbers, dynamics)
    asked = teller.asked([(i, "") for i in range(tree.n)])
    row = observe_states(dynamics, x[None], dynamics.p, asked)[0, asked.starts["frame"] :]
    motion = row[: FRAME * tree.n].reshape(tree.n, FRAME)
    bodies = {
        name: PoseAndTwist(m[:9].reshape(3, 3).T, m[9:12], m[15:18], m[12:15])
        for name, m in zip(tree.bodies, motion, strict=True)
    }
    q = {s.name: float(x[1 + k]) for k, s in enumerate(tree.layout.q)}
    return State(float(x[0]), bodies, q, {})
