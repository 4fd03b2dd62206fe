"""Ends of segmented beams that are not held by something inert: springs on both sides, order 2."""

import numpy as np
import pytest

import pliant as pl

TURN = [pl.Frame("k", (1, 0, 0), pl.Orientation.about("z", np.pi / 2))]


def beam(name, n, length=1.0, directions=("bending_y",), **more):
    stiffness = {"EIz": 1.0, "EIy": 1.0, "GJ": 0.7, "EA": 1e4, "GAy": 1e4, "GAz": 1e4}
    return pl.Beam(name, length, stiffness=stiffness, mass_per_length=1.0,
                   rotary={"rhoIy": 1e-3, "rhoIz": 1e-3}, frames=TURN if length == 1 else (),
                   theory=pl.Segments(n, directions=list(directions), **more))  # fmt: skip


def clamped(*bodies, joints=(), forces=(), ground=None):
    clamp = pl.Fixed("clamp", "ground", "a.root")
    return pl.System(bodies=bodies, joints=[clamp, *joints], forces=forces,
                     ground=ground or pl.Ground())  # fmt: skip


# --- sag under a small force: F L³ / 3EI (1 + 1/2n²), as of one beam of n segments


@pytest.mark.parametrize("middle", ["point", "massless", "inert", "weld"])
def test_sag_of_a_beam_in_two_is_that_of_one(middle):
    """The springs of both halves are at the weld, whatever is in between."""
    bodies = {"point": pl.RigidBody.point("m", 0.1), "massless": pl.RigidBody("m", 0),
              "inert": pl.RigidBody("m", 0.1, inertia=[0.01] * 3)}  # fmt: skip
    between = [bodies[middle]] if middle in bodies else []
    joints = [pl.Fixed("w", "a.tip", "m"), pl.Fixed("w2", "m", "b.root")]
    joints = joints if between else [pl.Fixed("w", "a.tip", "b.root")]
    s = clamped(beam("a", 3, 0.5), *between, beam("b", 3, 0.5), joints=joints,
                forces=[pl.Force("load", "b.tip", [0, 1e-5, 0])])  # fmt: skip
    sag = s.statics(outputs=["b.tip.position"]).values("b.tip.position")[-1][1]
    assert sag == pytest.approx(1e-5 / 3 * (1 + 0.5 / 6**2), rel=1e-7)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_elbow(n):
    """Two beams at a right angle under F along the first: F L³/EI (1/3 + 1), of which the first
    term has the error of a cantilever, the other one none."""
    s = clamped(beam("a", n), beam("b", n), joints=[pl.Fixed("w", "a.k", "b.root")],
                forces=[pl.Force("load", "b.tip", [-1e-5, 0, 0])])  # fmt: skip
    sag = 1 - s.statics(outputs=["b.tip.position"]).values("b.tip.position")[-1][0]
    assert sag == pytest.approx(1e-5 * (1 / 3 * (1 + 0.5 / n**2) + 1), rel=2e-5)


@pytest.mark.parametrize("n", [1, 4])
def test_the_tip_turns_by_the_whole_angle_under_a_torque(n):
    """M L / EI, with any number of segments."""
    s = clamped(beam("a", n), forces=[pl.Torque("M", "a.tip", [0, 0, 0.9])])
    quaternion = s.statics(outputs=["a.tip.orientation"]).values("a.tip.orientation")[-1]
    assert quaternion == pytest.approx([np.cos(0.45), 0, 0, np.sin(0.45)], abs=1e-12)


def test_an_axial_force_stretches_the_whole_beam():
    s = clamped(beam("a", 3, directions=["axial"]), forces=[pl.Force("F", "a.tip", [50, 0, 0])])
    x = s.statics(outputs=["a.tip.position"]).values("a.tip.position")[-1][0]
    assert x - 1 == pytest.approx(50 / 1e4, rel=1e-9)


# --- frequencies: errors fall by four


def elbow(n):
    return clamped(beam("a", n), beam("b", n), joints=[pl.Fixed("w", "a.k", "b.root")])


def branches(n):
    joints = [pl.Fixed("w", "a.k", "b.root"), pl.Fixed("w2", "a.tip", "c.root")]
    return clamped(beam("a", n), beam("b", n), beam("c", n), joints=joints)


def on_a_mass(n):
    joints = [pl.Fixed("w", "a.tip", "m"), pl.Fixed("w2", "m", "b.root")]
    return clamped(beam("a", n, 0.5), pl.RigidBody.point("m", 0.3), beam("b", n, 0.5),
                   joints=joints)  # fmt: skip


def hinged(n):
    """Free about y between the beams but for a spring, so that moments about z pass."""
    pin = pl.Revolute("w", "a.tip", "b.root", axis="y")
    spring = pl.JointSpring("s", "w", stiffness=1.0)
    return clamped(beam("a", n), beam("b", n), joints=[pin], forces=[spring])


def on_a_hub(n):
    return pl.System(bodies=[beam("a", n)], joints=[pl.Revolute("hub", "ground", "a.root")],
                     forces=[pl.JointSpring("s", "hub", stiffness=1.0)])  # fmt: skip


def on_a_bushing(n):
    """Translation and rotation held softly at the tip."""
    soft = pl.Bushing("soft", "ground.R", "a.tip", stiffness=np.eye(6).tolist())
    return clamped(beam("a", n), forces=[soft], ground=pl.Ground({"R": (1.0, 0, 0)}))


def on_springs(n):
    soft = {"stiffness": 100.0, "rotational_stiffness": 10.0}
    return pl.System(bodies=[beam("a", n)],
                     joints=[pl.Fixed("clamp", "ground", "a.root", springs=soft)])  # fmt: skip


MODELS = [elbow, branches, on_a_mass, hinged, on_a_hub, on_a_bushing, on_springs]


@pytest.mark.parametrize("model", MODELS, ids=lambda f: f.__name__)
def test_frequencies_are_of_second_order(model):
    """Differences of results with n, 2n, 4n: their ratio is 4, of order 1 it is 2."""
    w = np.array([model(n).modes(2).omega[0] for n in (4, 8, 16)])
    assert (w[0] - w[1]) / (w[1] - w[2]) == pytest.approx(4, abs=0.3)


def test_frequencies_of_a_hub_with_a_spring():
    """k = EI/L at the root: β (sin β cosh β - cos β sinh β) = 1 + cos β cosh β, ω = β²."""
    from scipy.optimize import brentq

    beta = brentq(
        lambda b: b * (np.sin(b) * np.cosh(b) - np.cos(b) * np.sinh(b))
        - (1 + np.cos(b) * np.cosh(b)), 0.5, 1.8,
    )  # fmt: skip
    w = [on_a_hub(n).modes(2).omega[0] for n in (8, 16)]
    extrapolated = (4 * w[1] - w[0]) / 3
    assert extrapolated == pytest.approx(beta**2, rel=1e-3)


# --- what becomes of the inertia


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("directions", [["bending_y"], list(pl.model.bodies.theories.DIRECTIONS)])
def test_sections_take_the_inertia_of_half_segments(n, directions):
    """Mass, centre and moment about the root are those of the beam, with sections at both ends."""
    soft = {"stiffness": 100.0, "rotational_stiffness": 10.0}
    joints = [pl.Fixed("clamp", "ground", "a.root", springs=soft), pl.Fixed("w", "a.k", "b.root")]
    s = pl.System(bodies=[beam("a", n, directions=directions), beam("b", 1, directions=directions)],
                  joints=joints)  # fmt: skip
    model = s.model
    own = [b for name, b in model.bodies.items() if name.startswith("a:")]
    assert len(own) == n + 2
    starts = [0.0, *(k / n for k in range(n)), 1.0]
    m = [b.mass.value for b in own]
    x = [a + b.com[0].value for a, b in zip(starts, own, strict=True)]
    second = [b.inertia[2].value + b.mass.value * c**2 for b, c in zip(own, x, strict=True)]
    assert min(m) > 0
    assert sum(m) == pytest.approx(1, rel=1e-14)
    assert np.dot(m, x) == pytest.approx(0.5, rel=1e-14)
    assert sum(second) == pytest.approx(1 / 3, rel=1e-12)
    assert np.all(np.isfinite(s.modes(2).omega))


def test_an_end_that_nothing_is_at_has_no_section():
    assert "a:2" not in clamped(beam("a", 1)).model.bodies
    assert "a:2" in clamped(beam("a", 1, tip="half")).model.bodies


def test_a_mass_in_a_point_needs_no_section():
    """It transmits no moment; where it also hangs on a spring beside it, it does."""
    bob = pl.RigidBody.point("bob", 1, frames={"A": [0, 0.1, 0]})
    ground = pl.Ground({"R": (1, 1, 0)})
    weld = pl.Fixed("w", "a.tip", "bob")
    alone = clamped(beam("a", 1), bob, joints=[weld], ground=ground)
    pulled = clamped(beam("a", 1), bob, joints=[weld], ground=ground,
                     forces=[pl.Spring("s", "ground.R", "bob.A", stiffness=1.0)])  # fmt: skip
    assert "a:2" not in alone.model.bodies
    assert pulled.model.bodies["a:2"].mass.value > 0


def test_formulations_agree_on_a_mechanism_with_sections():
    s = clamped(beam("a", 1), pl.RigidBody("m", 0), beam("b", 1, directions=["bending_z"]),
                joints=[pl.Fixed("w", "a.k", "m"), pl.Revolute("w2", "m", "b.root", axis="z")],
                forces=[pl.JointSpring("s", "w2", stiffness=1.0)])  # fmt: skip
    report = s.verify(pointwise=True, states=3)
    assert report.agree, report
