"""Small mechanisms whose energy is known by hand."""

from __future__ import annotations

from typing import Any

import pliant as pl

G, M, L, D = 9.81, 2.0, 0.5, 0.3
"""Gravity, mass and length of the pendulum, damping of its pin."""


def pendulum(**more: Any) -> pl.System:
    """A rod that falls from the horizontal and is damped at its pin."""
    arm = pl.RigidBody.rod("arm", L, mass=M)
    pin = pl.Revolute("pin", "ground", "arm", axis="y", initial={"angle": 0})
    forces = [pl.JointSpring("damper", "pin", damping=D)]
    return pl.System(gravity=[0, 0, -G], bodies=[arm], joints=[pin], **{"forces": forces} | more)


def slider_crank(**more: Any) -> pl.System:
    """Crank, rod and slider in a horizontal plane."""
    return pl.System(
        bodies=[
            pl.RigidBody.rod("crank", 0.2, mass=1, frames={"A": [0.2, 0, 0]}),
            pl.RigidBody.rod("rod", 0.5, mass=2, frames={"B": [0.5, 0, 0]}),
            pl.RigidBody("slider", mass=1.5, inertia=[0.01, 0.01, 0.01]),
        ],
        joints=[
            pl.Revolute("O", "ground", "crank", axis="z", initial={"angle": 0.8}),
            pl.Revolute("A", "crank.A", "rod", axis="z", guess={"angle": -1.1}),
            pl.Revolute("B", "rod.B", "slider", axis="z"),
            pl.Prismatic("S", "ground", "slider", axis="x", guess={"displacement": 0.6}),
        ],
        **more,
    )
