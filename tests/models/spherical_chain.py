"""Two links on spherical joints, source S0 8.4.2: rigid with parameters to read, or flexible."""

from __future__ import annotations

from pathlib import Path

import pliant as pl

EXAMPLE = Path(__file__).parents[2] / "examples" / "two_link_chain.yaml"


def rigid_chain() -> pl.System:
    """Links with equal moments of inertia, so that what is printed shows the joints."""
    return pl.load(EXAMPLE)


def flexible_chain() -> pl.System:
    """Beams that bend in two planes and twist: five elastic coordinates each."""
    steel = pl.Material("steel", E="210 GPa", density=7850, nu=0.3)
    links = [
        pl.Beam(f"link{k}", length=1.2, section=pl.Circle(radius="8 mm"), material="steel",
                shapes={"bending": {"polynomial": 2}, "torsion": {"polynomial": 1}})
        for k in (1, 2)
    ]  # fmt: skip
    return pl.System(name="flexible chain", materials=[steel], gravity=(0, 0, -9.81), bodies=links,
                     joints=_joints("ground", "link1.root", "link1.tip", "link2.root"))  # fmt: skip


def _joints(*frames: str) -> list[pl.Spherical]:
    first, second, third, fourth = frames
    return [pl.Spherical("S1", first, second), pl.Spherical("S2", third, fourth)]
