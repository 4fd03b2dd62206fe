"""Coordinates, speeds and accelerations: symbols collected joint by joint, body by body."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

from pliant.mechanics.layout import Rotation, Scalar
from pliant.mechanics.motion import RATE, ElasticState, JointState, SystemMotion
from pliant.model.joints import Joint
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class JointUnknowns:
    """A joint's state with its q' and u'."""

    state: JointState
    qdot: Any
    udot: Any


@dataclass(slots=True)
class Unknowns:
    """Everything that is solved for, in the order in which it was added."""

    motion: SystemMotion
    q: list[Any] = field(default_factory=list)
    u: list[Any] = field(default_factory=list)
    a: list[Any] = field(default_factory=list)
    qdot: list[Any] = field(default_factory=list)
    rates: list[Any] = field(default_factory=list)
    speeds: list[Any] = field(default_factory=list)
    q_names: list[Scalar] = field(default_factory=list)
    u_names: list[Scalar] = field(default_factory=list)
    rotations: list[Rotation] = field(default_factory=list)

    def joint(self, joint: Joint, *, tied: bool = False) -> JointUnknowns:
        """Symbols for a joint's coordinates, its pose and bases in them."""
        motion, ops, name = self.motion, self.motion.ops, joint.name
        joint = joint.evaluated(motion.values.number)
        q = ops.symbols([f"{name}.{n}" for n in joint.coordinate_names])
        u = ops.symbols([f"{name}.{n}" for n in _speed_names(joint)])
        a = ops.symbols([f"{name}.{n}{RATE}" for n in _speed_names(joint)])
        rate = ops.symbols([f"{name}.{n}.rate" for n in joint.coordinate_names])
        self.rotations += [Rotation(kind, len(self.q_names) + k) for kind, k in joint.rotations]
        start, qdot = len(self.u_names), joint.qdot(ops, q, u)
        self._add(q, u, a, qdot, rate, joint.speeds(ops, q, rate))
        self.q_names += _named(name, joint.coordinate_names, joint.coordinate_units)
        self.u_names += _named(name, joint.rate_names, joint.rate_units)
        state = JointState(
            joint,
            q,
            u,
            start,
            joint.pose(ops, q),
            joint.motion(ops, q),
            joint.effort(ops, q),
            tied,
            a,
        )
        motion.joints[name] = state
        return JointUnknowns(state, qdot, a)

    def elastic(self, body: str, elastic: ElasticState) -> None:
        """Elastic coordinates of a body: plain numbers, u = q'."""
        if not elastic.count:
            return
        rate = self.motion.ops.symbols([f"{body}.{n}.rate" for n in elastic.names])
        self._add(elastic.q, elastic.u, elastic.a, elastic.u, rate, rate)
        blank = [""] * elastic.count
        self.q_names += _named(body, elastic.names, blank)
        self.u_names += _named(body, [f"{n}_rate" for n in elastic.names], blank)

    def vector(self, name: str, unit: str) -> tuple[Any, Any, Any]:
        """Components of a point or direction, their rates and accelerations: u = q'."""
        ops, parts = self.motion.ops, [f"{name}.{c}" for c in "xyz"]
        q, u, a = (ops.symbols([p + mark for p in parts]) for mark in ("", RATE, 2 * RATE))
        rate = ops.symbols([f"{p}.rate" for p in parts])
        self._add(q, u, a, u, rate, rate)
        owner = name.partition(".")[0]
        self.q_names += [Scalar(p, unit, owner) for p in parts]
        self.u_names += [Scalar(f"{p}_rate", f"{unit}/s", owner) for p in parts]
        return q, u, a

    def _add(self, q: Any, u: Any, a: Any, qdot: Any, rate: Any, speeds: Any) -> None:
        for collected, part in zip(
            (self.q, self.u, self.a, self.qdot, self.rates, self.speeds),
            (q, u, a, qdot, rate, speeds), strict=True,
        ):  # fmt: skip
            collected.append(part)

    def column(self, parts: Sequence[Any]) -> Any:
        """Stack columns; an empty stack is an empty column of symbols."""
        return column(self.motion.ops, parts)


def column(ops: Any, parts: Sequence[Any]) -> Any:
    """Stack columns; an empty stack is an empty column of symbols."""
    full = [p for p in parts if p.numel()]
    return ops.full(ops.stack(full)) if full else ops.symbols(())


def _speed_names(joint: Joint) -> list[str]:
    """Marked as the rate of a coordinate where it is one, otherwise the speed's own name."""
    scalars = {c.rate: f"{c.name}{RATE}" for c in joint.scalars}
    return [scalars.get(name, name) for name in joint.rate_names]


def _named(owner: str, names: Iterable[str], units: Iterable[str]) -> list[Scalar]:
    return [Scalar(f"{owner}.{n}", u, owner) for n, u in zip(names, units, strict=True)]
