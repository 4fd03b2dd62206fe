"""Right-angle frame under a hat of force at the elbow: large vibrations out of its plane, 5 s.

The error is that of the displacements of elbow and tip, over all samples, against a certified
solution. Source of the problem: Simo, Vu-Quoc 1988.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import casadi as ca
import numpy as np

from pliant.bench.beam_references import RIGHT_ANGLE
from pliant.bench.block_beams import Array, Mesh, as_run, exact_beam, timed_run
from pliant.bench.case import Case, Contestant, Run
from pliant.bench.ours import at_loosest
from pliant.solve.sparse import elements as el
from pliant.solve.sparse.element import BODY, ElementKind, LocalMotion, element_kind
from pliant.solve.sparse.system import SparseSystem, SystemBuilder

LENGTH = 10.0
STIFFNESS = np.array([1e6, 1e6, 1e6, 1e3, 1e3, 1e3])
"""EA GA2 GA3 GJ EI2 EI3."""
INERTIA = np.array([1.0, 20.0, 10.0, 10.0])
"""Mass and rotary inertias per length."""
PEAK = 50.0
DURATION, SAMPLE = 5.0, 1.0
STEPS = (0.1, 0.05, 0.04, 0.025, 0.02, 0.0125, 0.01, 0.005)
Model = tuple[SparseSystem, Array, list[int]]
"""System, start, elbow and tip."""


@cache
def _hat() -> ElementKind:
    """A dead force in z that rises for a second and falls for another."""

    def residual(m: LocalMotion, p: Any) -> Any:
        force = ca.vertcat(0, 0, ca.fmax(0, PEAK * (1 - ca.fabs(m.t - 1))))
        return -ca.vertcat(el.rotation(m.q[0]).T @ force, ca.SX.zeros(3))

    return element_kind("hat", (BODY,), 0, residual, key="bench hat")


def frame(mesh: Mesh) -> Model:
    """Two legs of equal meshes; the root is fixed, the elbow has the axes of the first leg."""
    builder, half = SystemBuilder(), np.sqrt(0.5)
    nodes = builder.add(BODY, 2 * mesh.nodes - 1, name="node")
    builder.fixed[nodes[0]] = True
    elbow = mesh.nodes - 1
    straight = [LENGTH / mesh.elements, *STIFFNESS, 1, 0, 0, 0]
    corner = [*straight[:7], half, 0, 0, half]
    second = mesh.coupled(nodes[elbow:])
    kind = exact_beam(mesh.order)
    builder.couple(kind, mesh.coupled(nodes[: elbow + 1]), straight)
    builder.couple(kind, second[:1], corner)
    if mesh.elements > 1:
        builder.couple(kind, second[1:], straight)
    places, shares = mesh.points(LENGTH)
    inertia = np.r_[shares[:, None] * INERTIA, shares[1:, None] * INERTIA]
    inertia[elbow] = shares[-1] * INERTIA + shares[0] * INERTIA[[0, 2, 1, 3]]
    builder.couple(el.node_mass(), nodes[1:, None], inertia[1:])
    builder.couple(_hat(), [[nodes[elbow]]], np.zeros((1, 0)))
    q = [[x, 0, 0, 1, 0, 0, 0] for x in places]
    q += [[LENGTH, x, 0, half, 0, 0, half] for x in places[1:]]
    return builder.build(), np.concatenate(q).astype(float), [int(nodes[elbow]), int(nodes[-1])]


def shake(model: Model, step: float) -> Run:
    """One run of Pliant."""
    system, q, watched = model
    seconds, motion = timed_run(system, q, step, DURATION, watched, SAMPLE)
    moved = motion.q[:, [0, 1, 2, 7, 8, 9]] - [LENGTH, 0, 0, LENGTH, LENGTH, 0]
    return as_run(seconds, motion, moved - RIGHT_ANGLE)


def _pliant(mesh: Mesh, allowed: float) -> Contestant:
    def ready() -> Callable[[float], Run]:
        model = frame(mesh)
        return lambda step: shake(model, step)

    what = f"2 x {mesh.elements} exact elements of order {mesh.order}"
    return at_loosest(
        ready, allowed, STEPS, lambda step: f"{what}, generalized-alpha, step {step:g} s"
    )


def _exudyn(count: int) -> Contestant:
    from pliant.bench import exudyn_beams

    peer = exudyn_beams.FRAME
    began = time.perf_counter()
    peer.build(count)
    prepared = time.perf_counter() - began

    def run() -> Run:
        seconds, _, places = exudyn_beams.solve(peer, count, DURATION, SAMPLE)
        moved = np.hstack(places) - [LENGTH, 0, 0, LENGTH, LENGTH, 0]
        error = float(np.abs(moved - RIGHT_ANGLE).max())
        return Run(seconds, error, steps=round(DURATION / peer.step))

    return Contestant("Exudyn", f"2 x {count} {peer.setting}", run, prepared)


CASES = (
    Case(
        "right_angle_20", f"right-angle frame of 2 x 21 nodes, {DURATION:g} s",
        "certified to 1e-5", DURATION, 5.0, measure="largest error of the run",
        peer=lambda: _exudyn(20), pliant=lambda allowed: _pliant(Mesh(10, 2), allowed),
    ),
)  # fmt: skip
