"""What redundant constraints leave open is no disagreement, what they hold together is compared;
rows of large coefficients are as exact as these; internal forces of beams are compared."""

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.verification.agreement import Pair, gaps, with_sums
from pliant.results.compare import scales_of
from pliant.results.result import Result, Series


def parallelogram(**more):
    """Three bars of unit length; both cranks are driven by the same angle."""
    bar = {"com": (0.5, 0, 0), "inertia": (0.1, 0.1, 0.1)}
    bodies = [pl.RigidBody("a", 1, **bar, frames={"tip": [1, 0, 0]}),
              pl.RigidBody("b", 1, **bar, frames={"tip": [1, 0, 0]}),
              pl.RigidBody("c", 1, **bar, frames={"tip": [1, 0, 0]})]  # fmt: skip
    joints = [pl.Revolute("A", "ground", "a"), pl.Revolute("B", "a.tip", "b"),
              pl.Revolute("C", "ground.right", "c"),
              pl.Revolute("D", "c.tip", "b.tip")]  # fmt: skip
    drivers = [pl.JointDriver(f"d{j}", j, motion="0.5 + t^2") for j in "AC"]
    return pl.System(bodies=bodies, joints=joints, drivers=drivers, gravity=(0, -9.81, 0),
                     ground=pl.Ground(frames={"right": [1, 0, 0]}), **more)  # fmt: skip


def test_redundant_drivers_share_their_power_as_they_like():
    system = parallelogram(outputs={"twice": "2*dA.torque", "both": "dA.torque + dC.torque"})
    report = system.verify(t_end=0.3)
    assert report.agree, str(report)
    assert {"dA.power", "dA.work", "dC.power", "twice"} <= {*report.motion.not_unique}
    assert "both" not in report.motion.not_unique
    names = {gap.name for run in report.motion.runs for gap in run.gaps}
    assert {"(dA.power + dC.power)", "(dA.work + dC.work)", "both"} <= names
    assert names.isdisjoint({"dA.power", "dC.work", "twice"})


def test_a_result_tells_which_powers_and_outputs_are_open():
    result = parallelogram(outputs={"twice": "2*dA.torque"}).simulate(0.3, every=0.1).require()
    assert result.series["dA.power"].unique == (False,)
    assert result.series["dC.work"].unique == (False,)
    assert result.series["twice"].unique == (False,)
    assert all(result.series["kinetic_energy"].unique)
    whole = result.values("dA.power") + result.values("dC.power")
    force = result.values("b.acceleration")  # all bars move as the cranks turn them
    assert np.isfinite(force).all()
    energy = result.values("energy")
    work = result.values("dA.work") + result.values("dC.work")
    assert work == pytest.approx(energy - energy[0], abs=1e-9)
    assert np.abs(whole[-1]) > 1


def test_the_sum_of_what_is_open_is_held_to_its_bound():
    """Two works that may be shared in any way, but not add up to something else."""
    time = np.linspace(0, 1, 5)

    def pair(first, second):
        series = {f"d{k}.work": Series(v, "J", (), "work", (False,))
                  for k, v in enumerate((first, second))}  # fmt: skip
        return Pair(Result(time, series), Result(time, series))

    def excess(a, b):
        a, b = with_sums([a, b])
        found = gaps(a, b, scales_of([a.result, b.result]), a.result.series)
        assert [gap.name for gap in found] == ["(d0.work + d1.work)"]
        return found[0].excess

    assert excess(pair(time, time), pair(2 * time, 0 * time)) < 1
    assert excess(pair(time, time), pair(2 * time, 1e-6 * time)) > 1


@pytest.mark.parametrize("ratio", [1e-6, 1e6])
def test_gears_of_any_ratio_agree(ratio):
    """Residuals of a row are compared with its coefficients: 7e-11 of a million is rounding."""
    bodies = [pl.RigidBody(n, 1, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1)) for n in "ac"]
    joints = [pl.Revolute("A", "ground", "a"), pl.Revolute("C", "ground", "c")]
    mesh = pl.Gear("mesh", input="A.angle", output="C.angle", ratio=ratio)
    report = pl.System(bodies=bodies, joints=joints, constraints=[mesh]).verify(pointwise=True)
    assert report.agree, str(report)
    assert all(v.disagreement < 1e-9 for v in report.verdicts)


def test_internal_forces_of_beams_are_compared_along_the_motion():
    rod = pl.Beam("rod", length=1, stiffness=pl.Stiffness(EA=1e4, EIz=10), mass_per_length=1,
                  shapes={"bending_y": 2}, frames={"mid": [0.5, 0, 0]})  # fmt: skip
    system = pl.System(bodies=[rod], joints=[pl.Revolute("O", "ground", "rod.root")],
                       gravity=(0, -9.81, 0))  # fmt: skip
    report = system.verify(t_end=0.1)
    assert report.agree, str(report)
    compared = {gap.name for run in report.motion.runs for gap in run.gaps}
    assert {"rod.mid.internal_force", "rod.root.internal_moment"} <= compared
