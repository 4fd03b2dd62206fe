"""What can be observed of a form: the observables of mechanics over its blocks, compiled.

Names begin with the local name of their owner: b0 (body), j (joint), e (force), d (driver). Three
energies of the system (``TOTALS``) come first, and of what has mass its ``Momentum``; those of all
parts add up.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import casadi as ca
import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.elements.behaviour import Behaviour, behaviour
from pliant.backends.blocks.elements.forms import Form
from pliant.backends.blocks.solver.element import LocalMotion
from pliant.code import store
from pliant.code.compiled import Observed
from pliant.code.llvm.machine import Machine, host, kept_functions, reproducible
from pliant.formulations.derivation.observables import Observer
from pliant.model.forces.action import Action, Effort, Momentum
from pliant.model.formulas import from_tree
from pliant.model.formulas.tree import Name
from pliant.observe.catalogue import SymbolicObservable
from pliant.records import dataclass
from pliant.solve.single_states import observe_rows
from pliant.spatial.symbolic import SYMBOLIC

TOTALS = ("kinetic_energy", "potential_energy", "kinetic_energy_rate")
MOMENTUM = tuple(part.name for part in dataclasses.fields(Momentum))
OWNER = {"inertia": "b0", "force": "e", "sensor": "e", "driver": "d"}
"""Local names by role; those of joints are j."""


@dataclass(frozen=True)
class ElementObservables:
    """Observables of a form as machine code: f([t, load, q, u, a], numbers)."""

    seen: dict[str, Observed]
    size: int
    machine: Machine

    def __call__(self, rows: Array, numbers: Array) -> Array:
        """For states, one in each row."""
        rows, out = np.ascontiguousarray(rows), np.zeros((len(rows), self.size))
        observe_rows(self.machine.address["observe"], rows, len(rows), rows.shape[1],
                     np.append(numbers, 0.0), out, self.size)  # fmt: skip
        return out


def look_of(form: Form, key: str) -> ElementObservables:
    """Compile what can be observed of a form, or read it from the cache on disk."""
    place = store.key_of("look", key, host(), str(reproducible()))

    def functions() -> tuple[Any, Mapping[str, Any]]:
        m, p = LocalMotion.symbols(form.shapes), ca.SX.sym("p", form.numbers)
        x = ca.vertcat(m.t, m.load, *m.q, *m.moving)
        found = _observables(form, m, p)
        ends = np.cumsum([0, *(o.size for o in found.values())]).tolist()
        about = {name: dataclasses.asdict(o.made(Observed, start=start))
                 for (name, o), start in zip(found.items(), ends, strict=False)}  # fmt: skip
        y = SYMBOLIC.full(SYMBOLIC.stack([o.expression for o in found.values()]))
        return about, {"observe": ca.Function("observe", [x, p], [y], {"cse": True})}

    about, machine = kept_functions("look", place, functions, reproducible=reproducible())
    seen = {name: Observed(**{**o, "labels": tuple(o["labels"])})
            for name, o in about.items()}  # fmt: skip
    return ElementObservables(seen, sum(s.size for s in seen.values()), machine)


def _observables(form: Form, m: LocalMotion, p: Any) -> dict[str, SymbolicObservable]:
    """What adds up over parts, then all that the form itself is the owner of."""
    if form.role == "inertia":
        every = {b: dataclasses.replace(own, used=tuple(own.body.frames))
                 for b, own in form.tables.items()}  # fmt: skip
        form = dataclasses.replace(form, tables=every)
    done = behaviour(form, m, p)
    motion = done.motion
    if form.role == "inertia":
        weight = tuple(from_tree(Name(f"#{form.numbers - 3 + k}")) for k in range(3))
        bodies = [dataclasses.replace(form.tables[b].body, name=b) for b in form.tables]
        motion.model = motion.model.with_(gravity=weight, bodies=bodies)
    else:
        motion.elastic = {}
    inertias: Any = {} if done.inertia is None else {form.bodies[0]: done.inertia}
    graph: Any = SimpleNamespace(model=motion.model)
    observer = Observer(motion, graph, list(done.rows), list(done.reactions),
                        _actions(form, done), inertias)  # fmt: skip
    found = observer.observables
    chosen = {name: found[name] for name in TOTALS}
    if observer.momentum is not None:
        for part in MOMENTUM:
            value = SYMBOLIC.full(getattr(observer.momentum, part))
            chosen[part] = SymbolicObservable(size=value.numel(), expression=value)
    owner = OWNER.get(form.role, "j")
    for name, o in found.items():
        if name.startswith(f"{owner}.") and _is_told(form, name, o):
            chosen[name] = o
    return chosen


def _is_told(form: Form, name: str, o: SymbolicObservable) -> bool:
    """Frames of bodies that are not flexible are computed apart; a tie tells coordinates only."""
    if form.role == "inertia" and not form.tables:
        return o.kind == "energy"
    return form.role != "tie" or o.kind in ("coordinate", "rate")


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
