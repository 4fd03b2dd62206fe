"""Why something has no finite value at a state, or why a run cannot go on: by name.

The equations are written down once more, with every formula kept as it is evaluated. At the failed
state, and just after it along the motion, their values are worked out one by one; the first that
is not finite is named with its element, its formula and the part of it that has no value. Only a
run that has failed pays for this.

Kernels of trees and systems of blocks have no equations that could be looked at as a whole. Their
laws are formulas of the model; the values of the names they read are known at the last state, and
shortly after it by their rates. A prescribed motion that jumps is looked for by itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.code.compiled import CompiledEquations
from pliant.errors import PliantError, StepError
from pliant.mechanics.signals import signal_at
from pliant.model.fields import kinds_of
from pliant.model.formulas import Formula
from pliant.model.formulas.formula import Evaluated, recorded, why_undefined
from pliant.model.model import Model, titled, whose
from pliant.records import dataclass
from pliant.solve.failure import UndefinedError

if TYPE_CHECKING:
    from pliant.backends.expressions.prepare import Program
    from pliant.formulations.equations import Equations
    from pliant.study import Study


_AHEAD = (1e-9, 1e-6)
"""Parts of the elapsed time to look ahead."""
_BEHIND = 1e-9
"""And back: a step that ends just where it jumps has arrived on the far side."""
AHEAD = (0.0, 1e-12, 1e-9, 1e-6, 1e-4)
"""Parts of the elapsed time to look ahead."""
_Look = Callable[[str, float], float]
"""Value of a name so many seconds after the last state; raises UnknownName."""
_BESIDE, _MOST = (1e-5, 1e-4, 1e-3), 100
"""What is looked at beside a state: so far away (m, rad or relative), of so many coordinates."""
_SINGULAR = 1e-3
"""Sine of the angle between the first and the third axis below which they are as good as one."""
_SUDDEN = 1e-6
"""A value that doubles within this part of the elapsed time grows without bound."""


def diagnose(compiled: CompiledEquations, x: Array, p: Array) -> str:
    """Which prescribed velocity jumps at or just after the state x, or an empty text."""
    for part in _AHEAD:
        before, after = x.copy(), x.copy()
        after[0] += part * max(abs(float(x[0])), 1e-3)
        before[0] -= _BEHIND * max(abs(float(x[0])), 1e-3)
        now, then = (compiled.call("explicit", state, p) for state in (before, after))
        if not (np.isfinite(now) & np.isfinite(then)).all():
            return ""
        jump = np.abs(
            compiled.block("explicit", "cv", then) - compiled.block("explicit", "cv", now)
        )
        size = 1e-2 * max(1.0, float(np.abs(x[1 + compiled.nq :][: compiled.nu]).max(initial=0.0)))
        owners = [r.owner for r, j in zip(compiled.layout.rows, jump, strict=True) if j > size]
        if owners:
            names = ", ".join(f"'{name}'" for name in dict.fromkeys(owners))
            return f"the velocity prescribed by {names} jumps there; smooth it (smoothstep, spline)"
    return ""


def numeric_cause(model: Model, look: _Look, times: Iterable[float]) -> str:
    """The first law without a finite value at one of some times after the last state, by its
    element and formula; empty if there is none."""
    laws = list(_laws(model))
    with np.errstate(all="ignore"):
        for h in times:
            for owner, formula, own in laws:
                with contextlib.suppress(PliantError, KeyError, ArithmeticError):
                    values = {n: look(n, h) for n in formula.names - own.keys()}
                    for n in formula.names & own.keys():
                        values[n] = own[n].number({k: look(k, h) for k in own[n].names})
                    if why := why_undefined(formula, values):
                        return f"{owner}: {why}{_whole_formula(formula, why)}"
    return ""


def _whole_formula(formula: Formula, why: str) -> str:
    """The whole formula, unless it has been written already."""
    return "" if why.endswith(f" in {formula.text}") else f" (formula {formula.text})"


def _laws(model: Model) -> Iterator[tuple[str, Formula, Mapping[str, Formula]]]:
    """Formulas that read something, with their elements and what their own variables are."""
    elements: dict[str, Any] = {**model.forces, **model.drivers, **model.events}
    for name, element in elements.items():
        own = element.variables(model.joints) if name in model.forces else {}
        for key, kind in kinds_of(element).items():
            value = getattr(element, key)
            for _, formula, _ in kind.formulas(value) if value is not None else ():
                if formula.names:
                    yield titled(model, name), formula, own
    yield from ((f"output '{n}'", e.formula, {}) for n, e in model.outputs.items())


@contextlib.contextmanager
def explained(system: Study, choice: Choice) -> Iterator[None]:
    """What has no finite value is named in a StepError."""
    try:
        yield
    except UndefinedError as found:
        raise explanation(system, choice, found) from None


def cannot_twist(system: Study, owners: Iterable[str]) -> str:
    """Segments that bend in both planes without torsion: straight within a loop, no turn of them
    follows what twists its ends, bent it does."""
    origin, bodies = system.model.origin, system.described.bodies
    for name in dict.fromkeys(origin[o] for o in owners if o in origin):
        directions = getattr(bodies[name], "segment_directions", ())
        if {"bending_y", "bending_z"} <= {*directions} and "torsion" not in directions:
            return (f"segments of '{name}' bend in both planes and cannot twist; give it a shape "
                    "of torsion as well, or let it bend in the plane of the loop only")  # fmt: skip
    return ""


def explanation(
    system: Study, choice: Choice, found: UndefinedError, error: type[PliantError] = StepError
) -> PliantError:
    """What has no finite value, by its name, as an ``error``."""
    why = cause(system, choice, found.x, found.p, ahead=False)
    return error(f"t = {found.x[0]:.6g} s: {why or found.what}")


def cause(
    system: Study, choice: Choice, x: Array, p: Array, *, prepared: Program | None = None,
    ahead: bool = True, step: float = 0.0,
) -> str:  # fmt: skip
    """What has no finite value at the packed state x, or just after it; empty if nothing is found.

    ``prepared``: the equations that x belongs to, if they are not simply those of the choice.
    ``ahead``: also what comes next (with fixed steps: within two of them), what grows without
    bound, and what has no value right beside the state.
    """
    with np.errstate(all="ignore"), contextlib.suppress(PliantError, RuntimeError, ValueError):
        singular = ahead and _singular_angles(system, choice, prepared, x, p)
        laws = Laws.of(system, choice, p)
        if not laws.packed:
            if why := laws.undefined(x[:1]):
                return why
            x, p = _carried(system, choice, prepared, x, p)
            laws = Laws.of(system, Choice(), p)
        x = np.where(np.isfinite(x[: laws.size]), x[: laws.size], 0.0)
        times = [part * max(abs(x[0]), 1e-3) for part in AHEAD] + [step, 2 * step]
        for h in times if ahead else times[:1]:
            if why := laws.undefined(laws.after(x, h) if h else x):
                return why
        return (singular or laws.growing(x) or laws.beside(x)) if ahead else ""
    return ""


def _singular_angles(
    system: Study, choice: Choice, prepared: Program | None, x: Array, p: Array
) -> str:
    """What acts along an angle of a rotation that is as good as at its singular pose."""
    from pliant.backends.expressions.prepare import STATES, prepare
    from pliant.backends.expressions.start import body_motion
    from pliant.mechanics.placed import Placed
    from pliant.mechanics.values import Values

    joints, elements = system.model.joints, {**system.model.forces, **system.model.drivers}
    acting = {name: e for name, e in elements.items()
              if e.joint and e.coordinate in joints[e.joint].angle_names}  # fmt: skip
    if not acting:
        return ""
    ours = prepared or prepare(system, choice, functions=STATES, interpret=True)
    c = ours.compiled
    values = Values.at(system.model, {name: float(p[k]) for name, k in c.parameters.items()})
    placed = Placed(values, body_motion(ours, x[: c.x_size], p))
    for name, element in acting.items():
        joint = joints[element.joint]
        rotations = joint.told_set
        assert rotations is not None
        assert rotations.sequence is not None
        if rotations.sequence.sine(placed.across(joint)[0].R) < _SINGULAR:
            return (
                f"{titled(system.model, name)} acts along {element.coordinate} of "
                f"'{joint.name}', whose angles are at their singular pose: it has no axis of "
                "its own there; act along another angle, or turn the frames of the joint"
            )
    return ""


def _carried(
    system: Study, choice: Choice, prepared: Program | None, x: Array, p: Array
) -> tuple[Array, Array]:
    """The same state in the plain equations, whose coordinates are those of all joints, with the
    accelerations of least norm there."""
    from pliant.backends.expressions.prepare import prepare
    from pliant.backends.expressions.start import same_motion_in

    functions = ("explicit", "constraints", "initial", "tangent", "bodies", "start_states")
    ours = prepared or prepare(system, choice, functions=functions, interpret=True)
    plain = prepare(system, Choice(), functions=functions, interpret=True)
    c, given = plain.compiled, ours.compiled
    p_plain = c.p.copy()
    for name, k in c.parameters.items():
        p_plain[k] = p[given.parameters[name]]
    x = np.where(np.isfinite(x[: given.x_size]), x[: given.x_size], 0.0)
    x = same_motion_in(ours, x, p, plain, p_plain)
    y = c.call("explicit", x, p_plain)
    M, h, G, gamma = (c.block("explicit", k, y) for k in ("M", "h", "G", "gamma"))
    full = np.block([[M, -G.T], [G, np.zeros((c.m, c.m))]])
    right = np.concatenate([h, -gamma])
    if np.isfinite(full).all() and np.isfinite(right).all():
        x[len(x) - c.nu - c.m :] = np.linalg.lstsq(full, right, rcond=1e-11)[0]
    return x, p_plain


@dataclass(frozen=True, slots=True)
class Laws:
    """All formulas of a model as expressions in the coordinates of one formulation.

    ``packed``: a state is (t, q, u, x, a, lam) of these equations; otherwise the coordinates were
    changed afterwards, and a state is nothing but a time.
    """

    system: Study
    equations: Equations
    records: tuple[Evaluated, ...]
    p: Array
    packed: bool

    @classmethod
    def of(cls, system: Study, choice: Choice, p: Array) -> Laws:
        """Derive the equations of a choice, and keep every formula in them."""
        import casadi as ca

        from pliant.backends.expressions.code import accepted

        graph = accepted(system, choice, free=True)
        with recorded() as records:
            equations = choice.method.derive(graph)
        kept = tuple(r for r in records if isinstance(r.value, ca.SX))
        packed = not graph.drivers and choice.form == "augmented"
        return cls(system, equations, kept, p[: equations.p.numel()], packed)

    @property
    def size(self) -> int:
        """Length of the packed state."""
        e = self.equations
        return int(1 + e.q.numel() + 2 * e.u.numel() + e.x.numel() + e.lam.numel())

    def numbers(self, expressions: list[Any], x: Array) -> list[Array]:
        """Values at a packed state; nothing (an empty array) for those with other symbols."""
        import casadi as ca

        e = self.equations
        state = ca.vertcat(e.t, e.q, e.u, e.x, e.a, e.lam) if self.packed else e.t
        inputs = [state, e.p]
        given: list[Array] = [x, self.p]
        if e.inputs.slots:
            inputs.append(e.inputs.signals)
            looked = [signal_at(self.p[s.offset :], s.points, float(x[0])) for s in e.inputs.slots]
            given.append(np.ravel(looked))
        known = {s.name() for s in ca.symvar(ca.vertcat(*inputs))}
        flat = [ca.vec(ca.densify(ca.SX(v))) for v in expressions]
        ours = [{s.name() for s in ca.symvar(v)} <= known for v in flat]
        with contextlib.suppress(RuntimeError):
            f = ca.Function("f", inputs, [v for v, own in zip(flat, ours, strict=True) if own])
            values = iter([np.array(v).ravel() for v in f.call([ca.DM(g) for g in given])])
            return [next(values) if own else np.zeros(0) for own in ours]
        return [np.zeros(0)] * len(expressions)

    def after(self, x: Array, h: float) -> Array:
        """The state a time h later, along a straight line."""
        e, moved = self.equations, x.copy()
        qdot, f = self.numbers([e.qdot, e.f], x)
        nq, nu, nx = e.q.numel(), e.u.numel(), e.x.numel()
        a = x[1 + nq + nu + nx :][:nu]
        rates = np.concatenate([[1.0], qdot, a, f])
        moved[: 1 + nq + nu + nx] += h * np.where(np.isfinite(rates), rates, 0.0)
        return moved

    def undefined(self, x: Array) -> str:
        """What has no finite value at x: a formula, its rate, an element, a constraint."""
        return (
            self._formula(x) or self._observable(x) or self._row(x) or self._rate(x)
            or self._equation(x)
        )  # fmt: skip

    def _formula(self, x: Array) -> str:
        values = self.numbers([r.value for r in self.records], x)
        for record, value in zip(self.records, values, strict=True):
            if np.isfinite(value).all():
                continue
            why = why_undefined(record.formula, self._names(record, x))
            if why:
                return f"{self._owner(record.formula)}: {why}{_whole_formula(record.formula, why)}"
        return ""

    def _names(self, record: Evaluated, x: Array) -> Mapping[str, float]:
        names = sorted(record.formula.names)
        found = self.numbers([record.lookup(name) for name in names], x)
        return {n: float(v[0]) if len(v) else np.nan for n, v in zip(names, found, strict=True)}

    def _owner(self, formula: Formula) -> str:
        return whose(self.system.model, formula) or "a formula"

    def _rate(self, x: Array) -> str:
        """Formulas with a value whose derivative along the motion has none."""
        e = self.equations
        values = self.numbers([e.total_derivative(r.value) for r in self.records], x)
        for record, value in zip(self.records, values, strict=True):
            if not np.isfinite(value).all():
                text = record.formula.text
                return f"{self._owner(record.formula)}: the rate of {text} is not finite"
        return ""

    def _observable(self, x: Array) -> str:
        """Elements whose own law has no value, such as the direction of a spring of length 0."""
        model, found = self.system.model, self.equations.told.observables
        values = self.numbers([o.expression for o in found.values()], x)
        for (name, o), value in zip(found.items(), values, strict=True):
            element = model.forces.get(o.owner) or model.constraints.get(o.owner)
            if element is not None and not np.isfinite(value).all():
                why = getattr(element, "undefined", "") or f"{name} has no finite value"
                return f"{titled(model, o.owner)}: {why}"
        return ""

    def _row(self, x: Array) -> str:
        e, model = self.equations, self.system.model
        g, cv = self.numbers([e.g, e.cv], x)
        for values in (g, cv):
            for k in np.flatnonzero(~np.isfinite(values)):
                owner = e.layout.rows[k].owner
                if why := self._rate(x):
                    return why
                element: Any = model.constraints.get(owner)
                why = getattr(element, "undefined", "") or "its constraint has no finite value"
                return f"{titled(model, owner)}: {why}"
        return ""

    def _equation(self, x: Array) -> str:
        e = self.equations
        (residual,) = self.numbers([e.residual], x)
        for k in np.flatnonzero(~np.isfinite(residual)):
            owner = e.layout.u[k].owner if k < len(e.layout.u) else ""
            return f"the equation of motion of {titled(self.system.model, owner)} has no value"
        return ""

    def growing(self, x: Array) -> str:
        """A formula or a speed that grows faster and faster."""
        e, soon = self.equations, _SUDDEN * max(abs(float(x[0])), 1e-9)
        rates = [e.total_derivative(r.value) for r in self.records]
        now, speeds = (self.numbers(v, x) for v in ([r.value for r in self.records], rates))
        for record, v, dv in zip(self.records, now, speeds, strict=True):
            if len(v) == 1 and v[0] * dv[0] * soon > v[0] * v[0] > 1.0:
                return f"{self._owner(record.formula)}: {record.formula.text} grows without bound"
        nq, nu = e.q.numel(), e.u.numel()
        u, a = x[1 + nq : 1 + nq + nu], x[1 + nq + nu + e.x.numel() :][:nu]
        for k in np.flatnonzero((u * a * soon > u * u) & (np.abs(u) > 1.0)):
            return f"{e.layout.u[k].name} grows without bound ({u[k]:.3g} {e.layout.u[k].unit})"
        return ""

    def beside(self, x: Array) -> str:
        """A formula without a value where one coordinate or speed is another by a little: a trial
        step has met it, although the motion does not."""
        count = self.equations.q.numel() + self.equations.u.numel()
        for size in _BESIDE:
            for k in range(1, 1 + min(count, _MOST)):
                for away in (size, -size):
                    there = x.copy()
                    there[k] += away * max(abs(x[k]), 1.0)
                    if why := self._formula(there):
                        return f"{why}, right beside this state"
        return ""
