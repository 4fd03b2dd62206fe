"""Statics of many segments: blocks that hang on springs are eliminated one after the other."""

import numpy as np
import pytest

import pliant as pl
from pliant.backends.blocks.model import block_model
from pliant.model.bodies.theories import DIRECTIONS

STIFFNESS = {"EIz": 1.0, "EIy": 2.0, "GJ": 0.7, "EA": 900.0, "GAy": 500.0, "GAz": 400.0}
FRAMES = [pl.Frame("k", (1, 0, 0), pl.Orientation.about("z", np.pi / 2))]


def beam(name, n, directions=DIRECTIONS):
    return pl.Beam(name, 1.0, stiffness=STIFFNESS, mass_per_length=1.0, frames=FRAMES,
                   rotary={"rhoIy": 1e-3, "rhoIz": 1e-3},
                   theory=pl.Segments(n, directions=list(directions)))  # fmt: skip


def cantilever(n, force=(0.3, 0.5, 0.4)):
    return pl.System(bodies=[beam("a", n)], joints=[pl.Fixed("clamp", "ground", "a.root")],
                     forces=[pl.Force("load", "a.tip", list(force))])  # fmt: skip


def elbow(n):
    return pl.System(bodies=[beam("a", n), beam("b", n, ["bending", "torsion"])],
                     joints=[pl.Fixed("clamp", "ground", "a.root"), pl.Fixed("w", "a.k", "b.root")],
                     forces=[pl.Force("load", "b.tip", [0.3, 0.5, 0.4])])  # fmt: skip


def on_pins(n):
    """Held by nothing at either end but across: what hangs on the pins is eliminated first."""
    pins = [pl.Revolute("p", "ground", "a.root", axis="y"),
            pl.Revolute("q", "ground.R", "a.tip", axis="y")]  # fmt: skip
    return pl.System(ground=pl.Ground({"R": (1.0, 0, 0)}), bodies=[beam("a", n)], joints=pins,
                     forces=[pl.Force("load", "a.mid", [0.3, 0.5, 0.4])])  # fmt: skip


@pytest.mark.parametrize("model", [cantilever, elbow, on_pins])
def test_blocks_find_the_equilibrium_of_expressions(model):
    names = ["a.mid.position", "a.tip.orientation"]
    one, other = (model(3).statics(outputs=names, method=m) for m in ("path", "sparse"))
    for name in names:
        assert np.allclose(one.values(name), other.values(name), rtol=0, atol=1e-11)


def test_many_segments_of_six_directions_need_no_dense_algebra():
    """Pivots are a segment with its joint: 6 of its pose, 6 coordinates, 6 rows; and at the tip
    the displacements of small loads are closed forms."""
    n, F = 64, np.array([3e-3, 2e-5, 1e-5])
    s = cantilever(n, F)
    assert max(block_model(s, moving=False).system.program.size) == 18
    r = s.statics(outputs=["a.tip.position"])
    assert r.info["method"] == "sparse"
    bent = (1 + 0.5 / n**2) / 3 * F[1:] / [STIFFNESS["EIz"], STIFFNESS["EIy"]]
    sheared = F[1:] / [STIFFNESS["GAy"], STIFFNESS["GAz"]]
    tip = r.values("a.tip.position")[-1] - [1, 0, 0]
    assert tip[0] == pytest.approx(F[0] / STIFFNESS["EA"], rel=1e-4)
    assert tip[1:] == pytest.approx(bent + sheared, rel=2e-3)  # the pull stiffens by 1/2 P L²/EI


def test_few_segments_and_loops_that_cannot_be_stretched_stay_with_expressions():
    assert cantilever(3).statics(outputs=[]).info["method"] == "auto"
    straight = pl.System(
        ground=pl.Ground({"R": (1.0, 0, 0)}), bodies=[beam("a", 24, ["bending_y"])],
        joints=[pl.Fixed("p", "ground", "a.root"), pl.Fixed("q", "ground.R", "a.tip")],
        forces=[pl.Force("load", "a.mid", [0, 0.5, 0])],
    )  # fmt: skip
    r = straight.statics(outputs=["a.mid.position"])
    assert r.info["method"] == "auto"
    assert r.values("a.mid.position")[-1] == pytest.approx([0.5, 0, 0], abs=1e-6)
