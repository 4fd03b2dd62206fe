"""A fault in one back end is found: at random states it disagrees with expressions.

Each mutant has a sign flipped or a term dropped in what the tree kernel or the blocks are made of,
numbers or code; what expressions share with them stays as it is. Models have joints the wrong way
round and away from the mass centres, springs with damping along coordinates, segments, a beam with
modes, a loop and a driver, so that every term counts.
"""

import shutil

import numpy as np
import pytest
from tests.models.random_systems import random_beam, random_body, random_frame, with_loop
from tests.mutation.planting import Mutant, planted

import pliant as pl
from pliant.analysis.verification.states import FUNCTIONS, pointwise
from pliant.backends.blocks import model
from pliant.backends.blocks.elements import behaviour, forms, parts
from pliant.backends.blocks.elements import observables as element_observables
from pliant.backends.blocks.elements.forms import Local
from pliant.backends.blocks.observe import Observations
from pliant.backends.blocks.solver.element import _Symbols
from pliant.backends.blocks.solver.system import SparseSystem
from pliant.backends.choose import BLOCKS, TREE
from pliant.backends.expressions.prepare import prepare
from pliant.backends.tree import from_model as tree_numbers
from pliant.backends.tree import kernel as tree_kernel
from pliant.backends.tree.forces import LawExpressions, LawMotion
from pliant.backends.tree.kernel import LinkExpressions
from pliant.observe import frames

OF_TREE = [
    Mutant("Coriolis once", LinkExpressions._forward, "2 * v_J", "v_J"),
    Mutant("no w x w_J", LinkExpressions._forward, "cross(w_I, w_J) + self._rate(w_J)",
           "self._rate(w_J)"),
    Mutant("no centripetal acceleration of the joint", LinkExpressions._forward,
           "turning + cross(w_I, inside)", "cross(w_I, inside)"),
    Mutant("flipped joint without lever", LinkExpressions._joint_motion,
           "H_v + skew(X.p) @ H_w", "H_v"),
    Mutant("no gyroscopic torque", LinkExpressions._sweep2, "n + cross(w, self.I_o @ w)", "n"),
    Mutant("effort of other sign", LinkExpressions._sweep2, "tau - S.T @ wrench",
           "-tau - S.T @ wrench"),
    Mutant("moment of what hangs on a link", LinkExpressions._seen_by_inner,
           "n + cross(X.p, f)", "n"),
    Mutant("kinetic energy about the origin", LinkExpressions._motion, "m * v + cross(w, mc)",
           "m * v"),
    Mutant("reaction of a flipped joint", LinkExpressions._reaction, ", f)), -f", ", f)), f"),
    Mutant("reaction with the efforts", LinkExpressions._reaction, "n - R_WF @ applied[:3]", "n"),
    Mutant("frame without centripetal acceleration", tree_kernel.frame_function,
           " + cross(w, cross(w, r))", ""),
    Mutant("no damping", LawMotion.coordinate, "self.q[k], self.u[k]", "self.q[k], 0 * self.u[k]"),
    Mutant("power of damping", LawExpressions._law, "-heat", "heat"),
    Mutant("joint without its axes", tree_numbers._joint_frames, "X.R @ R_FJ, X.p", "X.R, X.p"),
    Mutant("no Steiner", tree_numbers._inertias, " + _steiner(mass, c)", ""),
    Mutant("place in the inner link", tree_numbers.tree_numbers, "p_PF - p_PB", "p_PF"),
]  # fmt: skip

OF_BLOCKS = [
    Mutant("axes of a joint twice", Local.between, "**own, **usual)", "**own)"),
    Mutant("axes of a frame inverse", Local._placed, "X.R.T.ravel()", "X.R.ravel()"),
    Mutant("mass centre at the origin", parts._localised, "*own.mc", "*(0 * own.mc)"),
    Mutant("no w x v", forms._body, "a[0:3] + SYMBOLIC.cross(w, v)", "a[0:3]"),
    Mutant("speed of a coordinate", forms._joint, "m.q[k], m.u[k]", "m.q[k], 0 * m.u[k]"),
    Mutant("lever of a load", behaviour._Total.act, "torque + SYMBOLIC.cross(X_BP.p, force)",
           "torque"),
    Mutant("no work on slopes", behaviour._Total.act, " + moving.J_w.T @ torque", ""),
    Mutant("weight in the axes of the body", behaviour._Total.inertia,
           "b.X_WB.R.T @ gravity", "gravity"),
    Mutant("effort of a law twice", behaviour.residual, "effort.value", "2 * effort.value"),
    Mutant("bias of other sign", SparseSystem.accelerations, "(rows, -gamma", "(rows, gamma"),
    Mutant("driver without acceleration", _Symbols.bias, " + ca.jtimes(g, t, 1)", ""),
    Mutant("velocity in axes of the world", model.BlockModel.vectors, "np.r_[m.R_WB.T @ v",
           "np.r_[v"),
    Mutant("acceleration without w x v", Observations.body_rows, " + frames.cross(w, v)", ""),
    Mutant("frame without centripetal acceleration", frames._acceleration,
           " + cross(b.w, cross(b.w, X.p))", ""),
    Mutant("reaction with the effort", element_observables._actions, "-value", "value"),
]  # fmt: skip


def _tree():
    """Joints both ways round, with levers and springs along their coordinates."""
    rng = np.random.default_rng(1)
    bodies = [
        random_body(rng, n, [random_frame(rng, "in"), random_frame(rng, "out")]) for n in "abc"
    ]
    joints = [
        pl.Planar("j1", "a.in", "ground", axis=(0, 1, 1), initial={"x": 0.4, "y": -0.3}),
        pl.Cylindrical("j2", "a.out", "b.in", axis=(1, 2, -1), initial={"displacement": 0.2}),
        pl.Screw("j3", "c.in", "b.out", pitch=0.2, axis=(0, 1, 1), initial={"angle": 0.3}),
    ]
    forces = [
        pl.JointSpring("s1", joint="j2", coordinate="displacement", stiffness=30, damping=2),
        pl.JointSpring("s2", joint="j3", stiffness=5, damping=1),
    ]
    return pl.System(bodies=bodies, joints=joints, forces=forces, gravity=(1.0, -2.0, -9.81))


def _segments():
    """A beam of segments, whose springs have axes of their own."""
    return pl.loads("""
pliant: 1
gravity: [1, -2, -9.81]
bodies:
  beam:
    beam:
      length: 1
      stiffness: {EA: 4e4, EIy: 30, EIz: 20, GJ: 15}
      mass_per_length: 0.8
    theory: {segments: {count: 2, directions: [bending_y, bending_z]}}
    damping: {stiffness: 5 ms}
joints:
  pin: {universal: {axis: y, axis2: z}, between: [ground, beam.root]}
""")


def _driven():
    """A beam with modes that is driven and carries a body in a loop."""
    rng = np.random.default_rng(2)
    first, last = (random_body(rng, n, [random_frame(rng, "in")]) for n in ("first", "last"))
    joints = [
        pl.Revolute("a", "ground", "first.in", axis=(0, 1, 1)),
        pl.Universal("b", "first", "beam.root", axis=(1, 0, 0), axis2=(0, 1, 0)),
        pl.Universal("c", "last.in", "beam.tip", axis=(1, 0, 0), axis2=(0, 1, 0)),
    ]
    system = pl.System(
        bodies=[first, random_beam(rng, "beam"), last], joints=joints,
        drivers=[pl.JointDriver("d", "a", motion="0.3*sin(2*t) + t^2")],
        gravity=(1.0, -2.0, -9.81),
    )  # fmt: skip
    return with_loop(rng, system, "distance")


MODELS = {TREE: (_tree, _segments), BLOCKS: (_tree, _segments, _driven)}


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Equations that mutants are compared with."""
    folder = tmp_path_factory.mktemp("sound")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLIANT_CACHE_DIR", str(folder))
        for make in MODELS[BLOCKS]:
            prepare(make(), functions=FUNCTIONS, interpret=True)
    return folder


@pytest.fixture(autouse=True)
def kept(sound, monkeypatch, tmp_path):
    """Only these are used again: no code of a back end."""
    shutil.copytree(sound, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path))


def _verdict(make, back_end):
    return pointwise(make(), states=2, choices=[], back_ends=[back_end])


@pytest.mark.parametrize("back_end", MODELS)
def test_without_a_fault_they_agree(back_end):
    for make in MODELS[back_end]:
        report = _verdict(make, back_end)
        assert report.agree, "\n".join(report.lines())
        assert not report.verdicts[-1].declined


@pytest.mark.parametrize(
    ("back_end", "mutant"), [(TREE, m) for m in OF_TREE] + [(BLOCKS, m) for m in OF_BLOCKS], ids=str
)
def test_a_fault_in_a_back_end_is_found(back_end, mutant):
    with planted(mutant):
        assert any(not _verdict(make, back_end).agree for make in MODELS[back_end])
