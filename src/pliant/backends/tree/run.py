"""Large open trees: the articulated-body kernel instead of straight-line code.

A system that is a tree without constraints, whose forces act along joint coordinates, is run by
loops over arrays: code and compile time do not grow with it. Everything else stays with the
expressions of the recursive formulation. See docs/theory/large-systems.md.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from pliant.arrays import Array
from pliant.backends.causes import AHEAD, numeric_cause
from pliant.backends.choice import Choice
from pliant.backends.contract import Motion, Told
from pliant.backends.expressions.run import event_rules
from pliant.backends.kinks import kinked, remarks_of_laws
from pliant.backends.memory import refuse_too_many
from pliant.backends.recorded import Rows, arrays_of, quantity_of, rows_of, table_of_rows, told
from pliant.backends.request import Plan, RestRequest
from pliant.backends.resume import State
from pliant.backends.tree.model import FRAME, TreeModel, TreeNumbers
from pliant.backends.tree.observables import Catalogue
from pliant.backends.tree.observer import (
    BeamObserver,
    TreeObserver,
    beam_observer,
    frames_asked,
    named_sources,
)
from pliant.equations import PoseAndTwist, StateFrom
from pliant.formulations import FORMULATIONS
from pliant.graphs import SystemGraph, spanning_tree
from pliant.results.build import events_of, series_of, series_of_run
from pliant.results.recorded import Quantity, Record
from pliant.results.series import Series
from pliant.solve.run import RunData, run
from pliant.solve.transient.registry import INTEGRATORS
from pliant.spatial.ops import NUMERIC

if TYPE_CHECKING:
    from pliant.solve.dynamics import Dynamics
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
MANY = 200
"""Bodies from which not every observable is kept unless it is asked for."""
VERY_MANY = 10_000
"""Bodies from which joint coordinates are not kept, either, nor the text of the model."""
_RECORDS = 20_000_000
"""Numbers of dense output held at a time."""

_MODELS: WeakKeyDictionary[Study, tuple[SystemGraph, TreeModel]] = WeakKeyDictionary()


def suitable(system: Study) -> str:
    """Empty if the kernel can take a system, otherwise why not."""
    from pliant.backends.tree.from_model import tree_objection

    return tree_objection(spanning_tree(system.model))


def objection(system: Study, plan: Plan) -> str:
    """Why a run is not made by the kernel; empty if it is: large enough, suitable, and nothing else
    asked for."""
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
    return suitable(system) or _unread(system)


def _unread(system: Study) -> str:
    """The first event that reads what the kernel does not tell; empty if there is none."""
    for name, event in system.model.events.items():
        for read, found in Catalogue(system.model, tree_of(system)[1]).reads(event.when).items():
            if found is None:
                return f"event '{name}' reads '{read}', which needs expressions"
    return ""


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
        return objection(system, plan)

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
        return recorded_tree(system, None, []).known

    def reopened(self, system: Study, record: Record) -> RecordedTree:
        """States that a file kept."""
        return recorded_tree(system, record.about["params"], rows_of(record.arrays))

    def tell(
        self, system: Study, params: Mapping[str, Any] | None, states: Sequence[State]
    ) -> Told:
        """All observables at some states."""
        graph, tree, numbers, dynamics = prepared(system, params, implicit=False)
        X = np.array([continued_state(graph, tree, numbers, s) for s in states])
        observer, _ = observer_of(system, tree, numbers, dynamics, ["*"])
        rows = [(X[:, : 1 + tree.nq + tree.nu], dynamics.p)]
        table = table_of_rows(observer, dynamics, rows)
        series = {
            name: series_of(o, table[:, o.start : o.start + o.size])
            for name, o in observer.observed.items()
        }
        return Told(series, tree.nq, 0, tree.nu)


BACK_END = TreeKernel()


def run_tree(system: Study, plan: Plan) -> Motion:
    """Integrate a tree with the kernel."""
    began, grid = clock.perf_counter(), plan.times()
    graph, tree, numbers, dynamics = prepared(system, plan.params, implicit=plan.method != "dop853")
    observer, warnings = observer_of(system, tree, numbers, dynamics, plan.observe)
    if system.model.events:
        formulas = tuple(event.when for event in system.model.events.values())
        observer = observer.watching(formulas, Catalogue(system.model, tree).reads(*formulas))
    refuse_too_many(len(grid), sum(o.size for o in observer.observed.values()), plan.limit)
    state = (initial_state(graph, tree, numbers, plan.begin) if plan.earlier is None
             else continued_state(graph, tree, numbers, plan.earlier))  # fmt: skip
    x0 = dynamics.consistent(state)
    prepared_in = clock.perf_counter() - began
    chunk = int(np.clip(_RECORDS // (8 * max(tree.nq + tree.nu, 1)), 2, 256))
    unique = {k: np.ones(3, dtype=bool) for k, o in observer.observed.items()
              if o.kind == "reaction"}  # fmt: skip
    make = partial(observer_of, system, tree, numbers, dynamics)

    def told(data: RunData) -> Motion:
        return Motion(
            time=data.time, series=series_of_run(observer, data, unique),
            end=_state_at(tree, numbers, dynamics, data.x_end),
            info={"formulation": "recursive", "tree": "joint", "constraints": "projection",
                  "prepared_in": prepared_in, "kernel": "tree"},
            statistics=data.statistics, energy=data.energy, events=events_of(data),
            recorded=RecordedTree(plan.params, data.rows, dynamics, make) if data.rows else None,
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


@dataclass(frozen=True)
class RecordedTree:
    """What a finished run of a tree can still be asked."""

    params: Mapping[str, Any]
    rows: Rows
    dynamics: Dynamics
    observer: Callable[[Sequence[str]], tuple[TreeObserver | BeamObserver, tuple[str, ...]]]
    """Makes that of some names."""

    @cached_property
    def known(self) -> dict[str, Quantity]:
        """Every observable by name."""
        return {name: quantity_of(o) for name, o in self.observer(["*"])[0].observed.items()}

    def series(self, name: str) -> Series:
        """One of them at all samples."""
        observer, _ = self.observer([name])
        o, table = observer.observed[name], table_of_rows(observer, self.dynamics, self.rows)
        unique = (True,) * o.size if o.kind == "reaction" else ()
        return told(name, o, table, self.rows, unique=unique)

    @property
    def record(self) -> Record:
        """All of it as numbers."""
        return Record({"back_end": "tree", "params": dict(self.params)}, arrays_of(self.rows))


def recorded_tree(system: Study, params: Mapping[str, Any] | None, rows: Rows) -> RecordedTree:
    """States of a run of a tree."""
    _, tree, numbers, dynamics = prepared(system, params)
    make = partial(observer_of, system, tree, numbers, dynamics)
    return RecordedTree(params or {}, rows, dynamics, make)


def _why(system: Study, tree: TreeModel, numbers: TreeNumbers, data: RunData) -> str:
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
    from pliant.backends.tree.loops.dynamics import tree_dynamics
    from pliant.backends.tree.numbers import tree_numbers

    if params:
        system.refuse(params)
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
    q, _ = _state_map(graph, tree, numbers).guess(_parameters(numbers))
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
    q, u, _ = _state_map(graph, tree, numbers)(bodies, _parameters(numbers), near)
    return np.concatenate([[state.t], q, u, np.zeros(tree.nu)])


def _state_map(graph: SystemGraph, tree: TreeModel, numbers: TreeNumbers) -> StateFrom:
    index = {name: k for k, name in enumerate(numbers.parameters)}
    return FORMULATIONS["recursive"].state_from(graph, tree.layout, index)


def _parameters(numbers: TreeNumbers) -> Array:
    return np.array([*numbers.parameters.values()])


def observer_of(
    system: Study, tree: TreeModel, numbers: TreeNumbers, dynamics: Dynamics,
    observe: Sequence[str] | None,
) -> tuple[TreeObserver | BeamObserver, tuple[str, ...]]:  # fmt: skip
    """The observables asked for; without a wish all, or for many bodies a few with a warning."""
    from pliant.backends.expressions.prepare import selected

    catalogue = Catalogue(system.model, tree)
    if system.model is not system.described:
        return _beam_observer(system, tree, numbers, dynamics, observe)
    warnings: tuple[str, ...] = ()
    if observe is not None:
        owners = {name.partition(".")[0] for name in observe}
        known = {*system.model.bodies, *system.model.joints, *system.model.forces,
                 *(name for name, _ in (*catalogue.totals(), *catalogue.momenta()))}  # fmt: skip
        found = catalogue.of(sorted(owners) if owners <= known else None)
        sources = {name: found[name] for name in selected(found, observe)}
    elif tree.n <= MANY:
        sources = catalogue.of()
    else:
        sources, warnings = _few(system, catalogue)
    return TreeObserver(tree, numbers, dynamics, sources), warnings


def _beam_observer(
    system: Study, tree: TreeModel, numbers: TreeNumbers, dynamics: Dynamics,
    observe: Sequence[str] | None,
) -> tuple[BeamObserver, tuple[str, ...]]:  # fmt: skip
    """The same where beams were cut into segments: of many bodies, those of the user's model."""
    from pliant.backends.expressions.prepare import selected

    sources = Catalogue(system.model, tree).of()
    found, inner = named_sources(system.model, sources, numbers.parameters)
    warnings: tuple[str, ...] = ()
    chosen = dict(found)
    if observe is not None:
        chosen = {name: found[name] for name in selected(found, observe)}
    elif tree.n > MANY:
        chosen = {name: s for name, s in found.items() if ":" not in name}
        text = "segments of beams are not kept; name them in outputs (or observe in the model)"
        warnings = (f"{tree.n} bodies: {text}",)
    make = partial(TreeObserver, tree, numbers, dynamics)
    return beam_observer(make, sources, chosen, inner), warnings


def _few(system: Study, catalogue: Catalogue) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Joint coordinates, energies and the frames of the last body."""
    n, last = catalogue.tree.n, catalogue.tree.bodies[-1]
    kept = dict(catalogue.totals()) | dict(catalogue.frames(last))
    coordinates = n <= VERY_MANY
    if coordinates:
        for joint in system.model.joints:
            kept |= dict(catalogue.coordinates(joint))
    what = f"{'joint coordinates, ' if coordinates else ''}energies and the frames of '{last}'"
    return kept, (
        f"{n} bodies: only {what} are kept; name others in outputs (or observe in the model)",
    )


def _state_at(tree: TreeModel, numbers: TreeNumbers, dynamics: Dynamics, x: Array) -> State:
    """The state of the kernel at a packed x."""
    from pliant.backends.tree.loops.observe import Asked, observe_states

    none = np.zeros(0, dtype=np.int64)
    frames = frames_asked(tree, numbers, [(i, "") for i in range(tree.n)])
    asked = Asked(*frames, none, none, len(tree.forces))
    row = observe_states(dynamics, x[None], dynamics.p, asked)[0, asked.starts["frame"] :]
    motion = row[: FRAME * tree.n].reshape(tree.n, FRAME)
    bodies = {
        name: PoseAndTwist(m[:9].reshape(3, 3).T, m[9:12], m[15:18], m[12:15])
        for name, m in zip(tree.bodies, motion, strict=True)
    }
    q = {s.name: float(x[1 + k]) for k, s in enumerate(tree.layout.q)}
    return State(float(x[0]), bodies, q, {})
