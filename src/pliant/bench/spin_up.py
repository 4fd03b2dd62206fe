"""Spin-up of a beam on a hub that turns by psi(t) to 6 rad/s: exact beams, and rigid segments.

    psi = w/T (t^2/2 + (T/2pi)^2 (cos(2pi t/T) - 1)),   T = 15 s

The error is that of the transverse tip displacement in the turning frame, over all samples, against
a certified solution. Source of the problem: Simo, Vu-Quoc 1986.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import casadi as ca
import numpy as np

from pliant.bench.beam_references import SPIN_UP
from pliant.bench.block_beams import Array, Mesh, as_run, exact_beam, timed_run
from pliant.bench.case import Case, Contestant, Run
from pliant.bench.ours import at_loosest
from pliant.solve.sparse import elements as el
from pliant.solve.sparse.element import BODY, ElementKind, LocalMotion, element_kind, multipliers
from pliant.solve.sparse.system import SparseSystem, SystemBuilder

LENGTH, MASS, ROTARY = 10.0, 1.2, 6e-4
"""Length, mass and rotary inertia (each about two axes) per length."""
STIFFNESS = np.array([2.8e7, 1e7, 1e7, 1e4, 1.4e4, 1.4e4])
"""EA GA2 GA3 GJ EI2 EI3."""
RATE, RISE = 6.0, 15.0
DURATION, SAMPLE = 8.0, 0.5
STEPS = (0.05, 0.025, 0.02, 0.0125, 0.01, 0.005)
Model = tuple[SparseSystem, Array, int, float]
"""System, start, the last block, and how far the tip is from it."""


def angle(t: Any, cos: Callable[[Any], Any] = np.cos) -> Any:
    """psi(t) up to 15 s."""
    return RATE / RISE * (t * t / 2 + (RISE / (2 * np.pi)) ** 2 * (cos(2 * np.pi * t / RISE) - 1))


def transverse(t: Array, x: Array, y: Array) -> Array:
    """Tip displacement across the turning axis."""
    psi = angle(t)
    found: Array = -np.sin(psi) * x + np.cos(psi) * y
    return found


@cache
def _hub() -> ElementKind:
    """A body that turns by psi(t), held by six multipliers."""

    def residual(m: LocalMotion, p: Any) -> Any:
        half = angle(m.t, ca.cos) / 2
        quat = ca.vertcat(ca.cos(half), 0, 0, ca.sin(half))
        return el.constrained(m, [el.misplaced(m.q[0], ca.SX.zeros(3), quat)])

    shapes = (BODY, multipliers(6))
    return element_kind("hub", shapes, 0, residual, key="bench spin-up hub")


def beam(mesh: Mesh) -> Model:
    """The exact beam, its root on the hub."""
    builder = SystemBuilder()
    nodes = builder.add(BODY, mesh.nodes, name="node")
    lam = builder.add(multipliers(6), name="hub")
    h = LENGTH / mesh.elements
    if mesh.order == 1:
        builder.couple(el.beam(), mesh.coupled(nodes), [h, 1, 0, 0, 0, 0, 0, *STIFFNESS])
    else:
        builder.couple(exact_beam(mesh.order), mesh.coupled(nodes), [h, *STIFFNESS, 1, 0, 0, 0])
    places, shares = mesh.points(LENGTH)
    inertia = np.array([MASS, ROTARY, ROTARY, ROTARY])
    builder.couple(el.node_mass(), nodes[:, None], shares[:, None] * inertia)
    builder.couple(_hub(), [[nodes[0], lam[0]]], np.zeros((1, 0)))
    start = np.concatenate([el.pose_numbers([x, 0, 0]) for x in places])
    return builder.build(), np.r_[start, np.zeros(6)], int(nodes[-1]), 0.0


def segments(n: int) -> Model:
    """n rigid segments with springs in six directions, half a segment of beam on either side."""
    builder, length = SystemBuilder(), LENGTH / n
    hub = builder.add(BODY, name="root")
    lam = builder.add(multipliers(6), name="hub")
    bodies = builder.add(BODY, n, name="segment")
    springs, half = STIFFNESS / length, length / 2
    pairs = np.stack([bodies[:-1], bodies[1:]], axis=1)
    builder.couple(el.segment_spring(), pairs, [half, 0, 0, -half, 0, 0, *springs])
    builder.couple(
        el.segment_spring(), [[hub[0], bodies[0]]], [0, 0, 0, -half, 0, 0, *(2 * springs)]
    )
    across = ROTARY * length + MASS * length**3 / 12
    builder.couple(
        el.node_mass(), bodies[:, None], [MASS * length, ROTARY * length, across, across]
    )
    builder.couple(el.node_mass(), [hub], [1.0, 1.0, 1.0, 1.0])
    builder.couple(_hub(), [[hub[0], lam[0]]], np.zeros((1, 0)))
    middles = [el.pose_numbers([length * (i + 0.5), 0, 0]) for i in range(n)]
    start = np.r_[el.pose_numbers([0, 0, 0]), np.zeros(6), np.concatenate(middles)]
    return builder.build(), start, int(bodies[-1]), half


def spin(model: Model, step: float) -> Run:
    """One run of Pliant."""
    system, q, last, ahead = model
    seconds, motion = timed_run(system, q, step, DURATION, [last], SAMPLE)
    turned = 2 * np.arctan2(motion.q[:, 6], motion.q[:, 3])
    x, y = motion.q[:, 0] + ahead * np.cos(turned), motion.q[:, 1] + ahead * np.sin(turned)
    return as_run(seconds, motion, transverse(motion.t, x, y) - SPIN_UP)


def _pliant(build: Callable[[], Model], what: str, allowed: float) -> Contestant:
    def ready() -> Callable[[float], Run]:
        model = build()
        return lambda step: spin(model, step)

    return at_loosest(
        ready, allowed, STEPS, lambda step: f"{what}, generalized-alpha, step {step:g} s"
    )


def _exudyn(kind: str, count: int) -> Contestant:
    from pliant.bench import exudyn_beams

    peer = exudyn_beams.SPIN_UP[kind]
    began = time.perf_counter()
    peer.build(count)
    prepared = time.perf_counter() - began

    def run() -> Run:
        seconds, t, tip = exudyn_beams.solve(peer, count, DURATION, SAMPLE)
        error = float(np.abs(transverse(t, tip[0][:, 0], tip[0][:, 1]) - SPIN_UP).max())
        return Run(seconds, error, steps=round(DURATION / peer.step))

    return Contestant("Exudyn", f"{count} {peer.setting}", run, prepared)


def _case(
    name: str, title: str, wanted: float, kind: str, count: int, build: Callable[[], Model],
    what: str,
) -> Case:  # fmt: skip
    return Case(
        name, f"{title}, {DURATION:g} s", "certified to 1e-9", DURATION, wanted,
        measure="largest error of the run",
        peer=lambda: _exudyn(kind, count),
        pliant=lambda allowed: _pliant(build, what, allowed),
    )  # fmt: skip


def _segments_case(n: int) -> Case:
    return _case(
        f"segments_{n}", f"spin-up of {n} finite segments", 10.0, "segments", n,
        lambda: segments(n), f"{n} segments",
    )  # fmt: skip


CASES = (
    _case(
        "spin_up_32", "spin-up of a beam of 32 elements", 6.0, "beam", 32,
        lambda: beam(Mesh(32, 1)), "32 exact elements of two nodes",
    ),
    _segments_case(128),
    _segments_case(512),
)  # fmt: skip
