"""A fault in one formulation is found: it disagrees with another at random states.

Each mutant has a sign flipped or a term dropped in the code of one formulation. The model has
beams, two-sided joints and a loop, so that every term counts.
"""

import shutil
from dataclasses import replace

import numpy as np
import pytest
from tests.models.random_systems import (
    random_beam,
    random_body,
    random_frame,
    random_tree,
    with_loop,
)
from tests.mutation.planting import Mutant, planted

import pliant as pl
from pliant.analysis.verification.states import FUNCTIONS, pointwise
from pliant.backends.choice import Choice
from pliant.backends.expressions.prepare import prepare
from pliant.formulations import kane, recursive
from pliant.formulations import linear_graph as linear_work
from pliant.formulations.kane import Passage
from pliant.formulations.linear_graph import Kinematics
from pliant.formulations.multibond import bodies as bond_bodies
from pliant.formulations.multibond import joints as bond_joints
from pliant.formulations.natural.constraints import _SolidRows
from pliant.formulations.natural.solids import Moments, SolidFrame
from pliant.formulations.registry import FORMULATIONS

RECURSIVE = [
    Mutant("Coriolis once", recursive.advance, "2 * v_J", "v_J"),
    Mutant("no centripetal", recursive.advance, "cross(w_P, p) + 2 * v_J", "2 * v_J"),
    Mutant("no w x w_J", recursive.advance, "inner.alpha + cross(w_P, w_J)", "inner.alpha"),
    Mutant("no w x p", recursive.advance, "inner.v + cross(w_P, p) + v_J", "inner.v + v_J"),
    Mutant("no H' u", recursive.advance,
           "H @ udot + ops.jtimes(rate, ops.stack(moving), ops.stack(rates))", "H @ udot"),
    Mutant("flipped joint", recursive.joint_basis, "-(R.T @ H_w)", "R.T @ H_w"),
    Mutant("flipped joint without lever", recursive.joint_basis,
           "H_v + cross_columns(motion.ops, p, H_w)", "H_v"),
    Mutant("lever of the joint", recursive.advance, "- cross_columns(motion.ops, r, H_w)",
           "+ cross_columns(motion.ops, r, H_w)"),
    Mutant("bending of the inner frame", recursive._carried,
           "inner.J_v - cross_columns(motion.ops, r, inner.J_w)", "inner.J_v"),
    Mutant("bending of the outer frame", recursive._carried, "-(X_PB.R @ outer.J_w)",
           "X_PB.R @ outer.J_w"),
    Mutant("moment of the force", recursive.gather, "n + ops.cross(p, f)", "n"),
    Mutant("force on the bending body", recursive.gather,
           "link.inner[0].T @ n + link.inner[1].T @ f", "link.inner[1].T @ f"),
    Mutant("reaction about the wrong point", recursive.gather, "p - link.p_PM", "p"),
]  # fmt: skip

LINEAR_GRAPH = [
    Mutant("no w x p", Kinematics._beyond, "v + ops.cross(w, p)", "v"),
    Mutant("no w x v", Kinematics._accelerate, " + ops.cross(node.w, node.v)", ""),
    Mutant("reversed branch", Kinematics._across, "-(X.R.T @ branch.H_w)", "X.R.T @ branch.H_w"),
    Mutant("reversed branch without lever", Kinematics._across,
           "branch.H_v + cross_columns(self.motion.ops, X.p, branch.H_w)", "branch.H_v"),
    Mutant("columns of the same owner", Kinematics._beyond,
           "found[branch.owner][0] + own_w, found[branch.owner][1] + own_v", "own_w, own_v"),
    Mutant("no work of torques", linear_work._virtual_work,
           "J_w.T @ wrench.n + J_v.T @ wrench.f", "J_v.T @ wrench.f"),
    Mutant("no work on deformation", linear_work._virtual_work,
           "own + total[name] if name in total else own", "own"),
    Mutant("reaction without lever", linear_work._transmitted, " + ops.cross(X.p - o, f)", ""),
]  # fmt: skip

MULTIBOND = [
    Mutant("EJS turns the other way", bond_bodies._turning,
           "state_ops.cross(flow[:3], p[:3])", "state_ops.cross(p[:3], flow[:3])"),
    Mutant("no dT/dq", bond_bodies._turning, "state_ops.stack([turned, -bent])",
           "state_ops.stack([turned, 0 * bent])"),
    Mutant("bias twice as large", bond_bodies._turning, "0.5 * (M @ held)", "M @ held"),
    Mutant("no lever of the mass centre", bond_bodies._mass_centre, "-skew(ops, own.c)",
           "0 * skew(ops, own.c)"),
    Mutant("mass centre does not bend", bond_bodies._elastic_part, "constant(own.S)",
           "constant(0 * own.S)"),
    Mutant("coupling about the origin", bond_bodies.split,
           "own.B - m * (skew(ops, c) @ S)", "own.B"),
    Mutant("turning about the origin", bond_bodies.split, "else J - m", "else J + m"),
    Mutant("lever of a frame", bond_bodies.add_frame, "-skew(ops, X.p)", "skew(ops, X.p)"),
    Mutant("slope of a frame", bond_bodies.add_frame, "constant(relative.J_w)",
           "constant(-relative.J_w)"),
    Mutant("d changes without w x c'", bond_bodies.body_motion,
           "change + ops.cross(w, ops.jtimes(own.c, elastic.q, elastic.u))", "change"),
    Mutant("lever of a joint", bond_joints._transport, "-(axes.A @ skew(ops, axes.r))",
           "axes.A @ skew(ops, axes.r)"),
]  # fmt: skip

NATURAL = [
    Mutant("no product of moments", Moments.of.__func__, "mixed + mixed.T", "mixed"),
    Mutant("first moment", Moments.of.__func__, "first + inertia.mass * y_B", "first"),
    Mutant("second moment", Moments.of.__func__, " + inertia.mass * (y_B @ y_B.T)", ""),
    Mutant("moments about the axes", Moments.of.__func__, "ops.const(np.eye(3)) - I",
           "ops.const(np.eye(3)) + I"),
    Mutant("no pull of the directions", Moments.inertial,
           " + sum(self.s[k] * d[k].a for k in range(3))", ""),
    Mutant("no weight on directions", Moments.inertial, "self.s[k] * fall",
           "self.s[k] * frame.O.a"),
    Mutant("torque halved", SolidFrame.work, "0.5 * turned[k]", "0.25 * turned[k]"),
    Mutant("turning by one direction less", SolidFrame.body, "enumerate(self.d)",
           "enumerate(self.d[:2])"),
    Mutant("angle of other sign", _SolidRows._angle, "self.ops.dot(a.d, b.d) - value",
           "self.ops.dot(a.d, b.d) + value"),
]  # fmt: skip

KANE = [
    Mutant("no w x p", kane.velocities, "at.v + ops.cross(w, p) + passage.v",
           "at.v + passage.v"),
    Mutant("way back without lever", Passage.back, "self.v + ops.cross(p, self.w)", "self.v"),
    Mutant("way back of the same sign", Passage.back, "-(R.T @ self.w)", "R.T @ self.w"),
    Mutant("no w x v", kane._accelerate, " + ops.cross(at.w, at.v)", ""),
    Mutant("no partial angular velocities", kane._rows, "own.w.T @ n + own.v.T @ f", "own.v.T @ f"),
    Mutant("no elastic rows", kane._rows, "total[first:] + elastic", "total[first:]"),
    Mutant("frame stands still in its body", kane._on_body,
           "Passage(X, relative.w, relative.v)", "Passage(X, relative.w, zero)"),
    Mutant("reaction without lever", kane._transmitted, "n + ops.cross(arm, f)", "n"),
]  # fmt: skip

CASES = [
    (name, mutant)
    for name, mutants in (
        ("recursive", RECURSIVE), ("linear-graph", LINEAR_GRAPH), ("multibond", MULTIBOND),
        ("natural", NATURAL), ("kane", KANE),
    )
    for mutant in mutants
]  # fmt: skip


def _chain():
    """Joints the wrong way round, with levers, a beam that carries a body at its tip."""
    rng = np.random.default_rng(1)
    beam = random_beam(rng, "beam")
    first, last = (random_body(rng, n, [random_frame(rng, "in")]) for n in ("first", "last"))
    joints = [
        pl.Universal("a", "first.in", "ground", initial={"angle1": 0.4, "angle2": -0.3}),
        pl.Cylindrical(
            "b", "beam.root", "first.in", axis=(1, 2, -1), initial={"displacement": 0.2}
        ),
        pl.Planar("c", "last.in", "beam.tip", axis=(0, 1, 1), initial={"x": 0.3, "y": -0.2}),
    ]
    return pl.System(bodies=[first, beam, last], joints=joints, gravity=(1.0, -2.0, -9.81))


def _through_the_beam():
    """The beam hangs by its tip and carries a body at its root."""
    rng = np.random.default_rng(2)
    beam = random_beam(rng, "beam")
    last = random_body(rng, "last", [random_frame(rng, "in")])
    joints = [
        pl.Revolute("a", "ground", "beam.tip", axis=(0, 1, 1)),
        pl.Spherical("b", "beam.root", "last.in"),
    ]
    return pl.System(bodies=[beam, last], joints=joints, gravity=(1.0, -2.0, -9.81))


def _loop():
    """Rigid bodies in a loop, joints and mass centres away from their origins."""
    rng = np.random.default_rng(3)
    return with_loop(
        rng, random_tree(rng, 3, ("spherical", "universal", "cylindrical")), "revolute"
    )


MODELS = {"chain": _chain, "through the beam": _through_the_beam, "loop": _loop}


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Machine code of the formulations that mutants are compared with, by name."""
    folders = {}
    with pytest.MonkeyPatch.context() as patch:
        for name in ("recursive", "linear-graph"):
            folders[name] = tmp_path_factory.mktemp(name)
            patch.setenv("PLIANT_CACHE_DIR", str(folders[name]))
            for model in MODELS.values():
                prepare(model(), Choice(name), functions=FUNCTIONS, interpret=True)
    return folders


@pytest.fixture
def kept(sound, monkeypatch, tmp_path):
    """Only what was compiled of one formulation is used again, and nothing is added to it."""

    def use(name):
        shutil.copytree(sound[name], tmp_path, dirs_exist_ok=True)
        monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path))

    return use


def _only(monkeypatch, name):
    """The recursive formulation, and one more on the same tree."""
    for other in list(FORMULATIONS):
        if other not in ("recursive", name):
            monkeypatch.delitem(FORMULATIONS, other)
    kept = replace(FORMULATIONS[name], trees=("joint",), forms=("augmented",))
    monkeypatch.setitem(FORMULATIONS, name, kept)


@pytest.mark.parametrize("name", ["linear-graph", "multibond", "natural", "kane"])
def test_without_a_fault_they_agree(monkeypatch, kept, name):
    kept("recursive")
    _only(monkeypatch, name)
    for model in MODELS.values():
        report = pointwise(model(), states=2, back_ends=())
        assert report.agree, str(report)


@pytest.mark.parametrize(("name", "mutant"), CASES, ids=lambda x: str(x))
def test_a_fault_in_a_formulation_is_found(monkeypatch, kept, name, mutant):
    kept("linear-graph" if name == "recursive" else "recursive")
    _only(monkeypatch, "linear-graph" if name == "recursive" else name)
    with planted(mutant):
        found = (not pointwise(model(), states=2, back_ends=()).agree for model in MODELS.values())
        assert any(found)
