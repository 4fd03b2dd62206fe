"""What can be observed of a form: the observables of mechanics over its blocks, compiled.

Names begin with the local name of their owner: b0 (body), j (joint), e (force), d (driver). Three
energies of the system (``TOTALS``) come first, and of what has mass its ``Momentum``; those of all
parts add up.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import casadi as ca
import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.behaviour import Behaviour, behaviour
from pliant.backends.blocks.forms import Form
from pliant.backends.blocks.solver.element import LocalMotion
from pliant.engine import Machine, compile_functions, reproducible, store
from pliant.engine.machine import host
from pliant.equations.contract import Observable
from pliant.equations.energy import DISSIPATED, SUPPLIED
from pliant.mechanics.observables import Observer
from pliant.model.forces.action import Action, Effort, Momentum
from pliant.model.formulas import from_tree
from pliant.model.formulas.tree import Name
from pliant.solve.points import observe_rows
from pliant.spatial.symbolic import SYMBOLIC

TOTALS = ("kinetic_energy", "potential_energy", "kinetic_energy_rate")
BOOK = 4
MOMENTUM = tuple(part.name for part in dataclasses.fields(Momentum))
_OWNER = {"inertia": "b0", "force": "e", "shape": "e", "driver": "d"}


@dataclass(frozen=True, slots=True)
class Seen:
    """One observable of a form: where it stands among all its numbers."""

    start: int
    size: int
    unit: str
    kind: str
    labels: tuple[str, ...]
    wraps: bool


@dataclass(frozen=True)
class Look:
    """Observables of a form as machine code: f([t, load, q, u, a], numbers). ``book``: kinetic and
    potential energy, power supplied and dissipated; ``powers``: whether there are such."""

    seen: dict[str, Seen]
    size: int
    powers: bool
    machine: Machine

    def __call__(self, rows: Array, numbers: Array) -> Array:
        """For states, one in each row."""
        return self._rows("observe", self.size, rows, numbers)

    def book(self, rows: Array, numbers: Array) -> Array:
        """Energies and powers alone."""
        return self._rows("book", BOOK, rows, numbers)

    def _rows(self, name: str, size: int, rows: Array, numbers: Array) -> Array:
        rows, out = np.ascontiguousarray(rows), np.zeros((len(rows), size))
        observe_rows(self.machine.address[name], rows, len(rows), rows.shape[1],
                     np.append(numbers, 0.0), out, size)  # fmt: skip
        return out


def look_of(form: Form, key: str) -> Look:
    """Compile what can be observed of a form, or read it from the cache on disk."""
    place = store.key_of("look", key, host(), str(reproducible()))
    blob = store.get(place, "look")
    if blob is not None:
        text, _, code = blob.partition(b"\n")
        return _look(json.loads(text), Machine(code, ("observe", "book")))
    m, p, x = _symbols(form)
    found, book = _observables(form, m, p)
    head: dict[str, Any] = {}
    start = 0
    for name, o in found.items():
        size = o.expression.numel()
        head[name] = [start, size, o.unit, o.kind, list(o.labels), bool(o.wraps)]
        start += size
    y = SYMBOLIC.full(SYMBOLIC.stack([o.expression for o in found.values()]))
    functions = {name: ca.Function(name, [x, p], [value], {"cse": True})
                 for name, value in (("observe", y), ("book", book))}  # fmt: skip
    machine = compile_functions(functions, reproducible=reproducible())
    about = {"seen": head, "powers": not ca.sparsify(book[2:]).is_zero()}
    store.put(place, "look", json.dumps(about).encode() + b"\n" + machine.object_code)
    return _look(about, machine)


def _look(about: dict[str, Any], machine: Machine) -> Look:
    seen = {
        name: Seen(start, size, unit, kind, tuple(labels), wraps)
        for name, (start, size, unit, kind, labels, wraps) in about["seen"].items()
    }
    return Look(seen, sum(s.size for s in seen.values()), about["powers"], machine)


def _symbols(form: Form) -> tuple[LocalMotion, Any, Any]:
    """Motion of the blocks, numbers, and the row a look reads."""
    t, load, shapes = ca.SX.sym("t"), ca.SX.sym("load"), form.shapes
    q = [ca.SX.sym(f"q{k}", s.nq) for k, s in enumerate(shapes)]
    u, a = (
        [None if s.algebraic else ca.SX.sym(f"{name}{k}", s.n) for k, s in enumerate(shapes)]
        for name in "ua"
    )
    moving = [v for v in (*u, *a) if v is not None]
    x = ca.vertcat(t, load, *q, *moving)
    return LocalMotion(t, load, q, u, a), ca.SX.sym("p", form.numbers), x


def _observables(form: Form, m: LocalMotion, p: Any) -> tuple[dict[str, Observable], Any]:
    """What adds up over parts, then all that the form itself is the owner of; and its book."""
    if form.role == "inertia":
        every = {b: dataclasses.replace(own, used=tuple(own.body.frames))
                 for b, own in form.tables.items()}  # fmt: skip
        form = dataclasses.replace(form, tables=every)
    done = behaviour(form, m, p)
    observer = _observer(form, done, m)
    found = observer.observables
    chosen = {name: found[name] for name in TOTALS}
    if observer.momentum is not None:
        for part in MOMENTUM:
            value = SYMBOLIC.full(getattr(observer.momentum, part))
            chosen[part] = Observable(value, "", "")
    owner = _OWNER.get(form.role, "j")
    for name, o in found.items():
        if name.startswith(f"{owner}.") and _is_told(form, name, o):
            chosen[name] = o
    return chosen, _book(found, f"{owner}.")


def _book(found: Mapping[str, Observable], owner: str) -> Any:
    """Kinetic and potential energy, power supplied and dissipated."""
    given, lost = (
        sum((o.expression for name, o in found.items() if name.startswith(owner) and o.role == r),
            ca.SX(0)) for r in (SUPPLIED, DISSIPATED)
    )  # fmt: skip
    energies = [found[name].expression for name in ("kinetic_energy", "potential_energy")]
    return ca.densify(ca.vertcat(*energies, given, -lost))


def _is_told(form: Form, name: str, o: Observable) -> bool:
    """Frames of bodies that are not flexible are computed apart; a tie tells coordinates only."""
    if form.role == "inertia" and not form.tables:
        return o.kind == "energy"
    if form.role == "shape":
        return name not in ("e.turn", "e.power")
    return form.role != "tie" or o.kind in ("coordinate", "rate")


def _observer(form: Form, done: Behaviour, m: LocalMotion) -> Observer:
    """The observer of mechanics at the few bodies of a form."""
    motion = done.motion
    if form.role == "inertia":
        weight = tuple(from_tree(Name(f"#{form.numbers - 3 + k}")) for k in range(3))
        bodies = [dataclasses.replace(form.tables[b].body, name=b) for b in form.tables]
        motion.model = motion.model.with_(gravity=weight, bodies=bodies)
    else:
        motion.elastic = {}
    inertias: Any = {} if done.inertia is None else {form.bodies[0]: done.inertia}
    graph: Any = SimpleNamespace(model=motion.model)
    return Observer(motion, graph, list(done.rows), list(done.reactions), _actions(form, done),
                    inertias)  # fmt: skip


def _actions(form: Form, done: Behaviour) -> dict[str, Action]:
    if form.role == "turns":
        # what a joint with coordinates transmits contains the efforts along them
        state = done.motion.joints["j"]
        efforts = done.reactions[0].efforts
        names = [c.name for c in state.joint.scalars]
        applied = (Effort("j", names[k], -value) for k, value in efforts)
        return {"own": Action(efforts=tuple(applied))}
    if done.action is None:
        return {}
    return {"j" if form.role == "springs" else "e": done.action}
