"""Speeds that are no rates of joints, from the motion of bodies.

Generalised speeds: u = Y(q) U + y(q), as the model's formulas say.

Flows of the stores of bodies, for formulations in terms of momenta: P_c' = v + w x c + S q' (world
axes) and w (body axes) of every body, beside the joint speeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import Fault
from pliant.formulations.derivation.state_map import (
    BesideJoints,
    StateMap,
    cut_joints_with_coordinates,
)
from pliant.graphs import SystemGraph
from pliant.mechanics.flexible import masses, rigid_offset
from pliant.mechanics.layout import Layout, PoseAndTwist, Scalar
from pliant.mechanics.placed import Placed
from pliant.mechanics.values import Values
from pliant.model.frames import COMPONENTS
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC

SPEEDS = "speeds"
"""Owner of the speeds that the user chose."""


def too_few(speeds: Sequence[str], rates: Sequence[str]) -> Fault:
    """Speeds that do not match the rates they read."""
    formulas = "formula reads" if len(speeds) == 1 else "formulas read"
    what = f"{len(speeds)} {formulas} {len(rates)} rates: {', '.join(rates)}"
    return Fault("speeds", what, "give as many speeds as rates are read; a rate may be a speed",
                 path=("speeds",))  # fmt: skip


def no_inverse(speeds: Iterable[str]) -> Fault:
    """Speeds that do not determine the rates."""
    what = f"{', '.join(speeds)} are not independent: the rates do not follow from them"
    return Fault("speeds", what, "choose combinations that can be solved for the rates",
                 path=("speeds",))  # fmt: skip


@dataclass(frozen=True, slots=True)
class SpeedMap(BesideJoints):
    """q as a ``StateMap`` gives it; u: rates of joints, or formulas of them where chosen."""

    q_names: tuple[str, ...]
    rates: tuple[str, ...]
    speeds: tuple[str, ...]

    @classmethod
    def of(cls, graph: SystemGraph, layout: Layout, parameters: Mapping[str, int]) -> SpeedMap:
        """The map for the speeds in the order of the layout."""
        driven = set()
        for name in graph.drivers:
            driver: Any = graph.model.drivers[name]
            scalars = {c.name: c.rate for c in graph.model.joints[driver.joint].scalars}
            driven.add(f"{driver.joint}.{scalars[driver.coordinate or next(iter(scalars))]}")
        joints = (*(e.joint for e in graph.edges), *cut_joints_with_coordinates(graph))
        every = [
            Scalar(f"{joint.name}.{name}", unit, joint.name)
            for joint in joints
            for name, unit in zip(joint.rate_names, joint.rate_units, strict=True)
        ]
        rates = [s for s in every if s.name not in driven]
        inner = StateMap.of(graph, replace(layout, u=tuple(rates)), parameters)
        values = Values.of(graph.model)
        elastic = [f"{body}.{name}_rate" for body in values.flexible
                   for name in values.tables(body).data.names]  # fmt: skip
        names = (*(s.name for s in rates), *elastic)
        return cls(inner, tuple(s.name for s in layout.q), names, tuple(s.name for s in layout.u))

    def __call__(
        self, bodies: Mapping[str, PoseAndTwist], p: Array, near: Array | None = None
    ) -> tuple[Array, Array]:
        """(q, u); see ``StateMap``."""
        q, u = self.joints(bodies, p, near)
        formulas = self.joints.model.speeds
        values = self.joints.values(p)
        known = dict(values.parameters) | dict(zip(self.q_names, map(float, q), strict=True))
        rates = dict(zip(self.rates, map(float, u), strict=True))
        placed = Placed(values, bodies)

        def value(name: str) -> float:
            if name in rates:
                return rates[name]
            return known[name] if name in known else _read(placed, name)

        found = [float(formulas[name].evaluate(NUMERIC, value)) if name in formulas
                 else rates.get(name, np.nan) for name in self.speeds]  # fmt: skip
        return q, np.array(found)


def _read(placed: Placed, name: str) -> float:
    """An angle of a joint or its rate, or such as `disc.own_angular_velocity.x`."""
    owner, _, quantity = name.partition(".")
    joint = placed.values.model.joints.get(owner)
    for c in joint.measured if joint is not None else ():
        if joint is not None and quantity in (c.name, c.rate):
            X, V = placed.across(joint)
            value, column = joint.measure(NUMERIC, X, c.name)
            return float(value if quantity == c.name else column @ V)
    reference, kind, component = name.rsplit(".", 2)
    frame = placed.frame(reference)
    column = {"position": frame.p_WP, "velocity": frame.v_WP, "angular_velocity": frame.w_WP}
    found = column[kind.removeprefix("own_")]
    if kind.startswith("own_"):
        found = frame.R_WP.T @ found
    return float(found[COMPONENTS.index(component)])


_STORES = ("vx", "vy", "vz", "wx", "wy", "wz")


@dataclass(frozen=True, slots=True)
class StoreMap(BesideJoints):
    """q as a ``StateMap`` gives it, u by name: joint speeds that are unknowns (not of spherical and
    free joints, nor of driven ones), flows of stores, elastic rates."""

    joint_speeds: tuple[str, ...]
    speeds: tuple[str, ...]

    @classmethod
    def of(cls, graph: SystemGraph, layout: Layout, parameters: Mapping[str, int]) -> StoreMap:
        """The map for the stores in the order of the layout."""
        inner = StateMap.of(graph, layout, parameters)
        speeds = tuple(s.name for s in layout.u)
        names = [f"{j.name}.{n}" for j in inner.carriers for n in j.rate_names]
        return cls(inner, tuple(n for n in names if n in speeds), speeds)

    def __call__(
        self, bodies: Mapping[str, PoseAndTwist], p: Array, near: Array | None = None
    ) -> tuple[Array, Array]:
        """(q, u); see ``StateMap``. Flows of stores of networks are not known here (NaN)."""
        q, u = self.joints(bodies, p, near)
        found = dict(zip(self.joint_speeds, u, strict=False))
        values = self.joints.values(p)
        for name, state in bodies.items():
            flows = _flows(values, name, state)
            found |= dict(zip((f"{name}.{s}" for s in _STORES), flows, strict=True))
        for name in values.flexible:
            pairs = zip(values.tables(name).data.names, bodies[name].elastic_rates, strict=True)
            found |= {f"{name}.{k}_rate": rate for k, rate in pairs}
        return q, np.array([found.get(name, np.nan) for name in self.speeds])


def _flows(values: Values, name: str, state: PoseAndTwist) -> Array:
    """P_c' in world axes and w in body axes."""
    body, w = values.model.rigid.get(name), state.R_WB.T @ state.w_WB
    if body is not None:
        c = values.vector(body.com) if values.number(body.mass) else np.zeros(3)
        return np.concatenate([state.v_WB + NUMERIC.cross(state.w_WB, state.R_WB @ c), w])
    numbers = values.tables(name)
    tables = numbers.tables
    n = numbers.data.count
    own = masses(NUMERIC, tables, numbers.packing.pairs, state.elastic, n)
    arm = own.s / own.mass - rigid_offset(NUMERIC, tables).p
    bent = own.S @ state.elastic_rates / own.mass if n else np.zeros(3)
    v = state.v_WB + NUMERIC.cross(state.w_WB, state.R_WB @ arm) + state.R_WB @ bent
    return np.concatenate([v, w])
