"""The kernel of large trees against the straight-line code of the recursive formulation."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from tests.models.chains import revolute_chain
from tests.models.random_systems import OPTIONS, TREE_KINDS, random_tree

import pliant as pl
from pliant.backends.choose import TREE, usual_back_end
from pliant.backends.expressions.prepare import prepare
from pliant.backends.tree import run as large
from pliant.errors import UnknownName
from pliant.model.joints import JOINTS
from pliant.results import Result
from pliant.solve import dense_dynamics, integrate
from pliant.solve.dynamics import Dynamics


def kernel(system: pl.System) -> Dynamics:
    assert large.suitable(system) == ""
    return large.prepared(system, None)[3]


def random_state(dynamics: Dynamics, rng: np.random.Generator) -> np.ndarray:
    x = np.zeros(dynamics.x_size)
    x[1 : 1 + dynamics.nq + dynamics.nu] = rng.standard_normal(dynamics.nq + dynamics.nu)
    return dynamics.consistent(x)


def gap(system: pl.System, rng: np.random.Generator) -> float:
    """Largest relative difference of the accelerations at a random state."""
    d = kernel(system)
    compiled = prepare(system, functions=("explicit",)).compiled
    assert compiled.layout == d.layout
    x = random_state(d, rng)
    y = compiled.call("explicit", x)
    a = np.linalg.solve(compiled.block("explicit", "M", y), compiled.block("explicit", "h", y))
    return float(np.abs(a - x[1 + d.nq + d.nu :]).max() / np.abs(a).max())


def with_forces(system: pl.System) -> pl.System:
    """A spring, friction and a controller on every joint with a scalar coordinate."""
    forces: list[object] = []
    for name, joint in system.model.joints.items():
        if not joint.scalars:
            continue
        first, last = joint.scalars[0], joint.scalars[-1]
        control = f"a*sin(3*t) - 0.1*{name}.{last.rate}"
        forces += [
            pl.JointSpring(f"{name}s", name, first.name, stiffness=3, damping="0.2*a", free="2*a"),
            pl.JointSpring(f"{name}l", name, last.name, effort="-a*x^3 - 0.1*v"),
            pl.JointFriction(f"{name}f", name, last.name, coulomb=0.1, viscous=0.2, speed=0.1),
            pl.Actuator(f"{name}m", name, first.name, effort=control),
        ]  # fmt: skip
    return pl.System(system.model.with_(forces=forces, parameters={"a": 0.4}))


@pytest.fixture
def both(monkeypatch):
    """A run with the kernel and the same run with expressions."""

    def run(system: pl.System, *a, **k) -> tuple[Result, Result]:
        results = []
        for threshold in (0, 10**9):
            monkeypatch.setattr(large, "THRESHOLD", threshold)
            results.append(system.simulate(*a, **k))
        assert [r.info.get("kernel", "") for r in results] == ["tree", ""]
        return results[0], results[1]

    return run


def worst(first: Result, second: Result) -> tuple[float, str]:
    """Largest difference of all series, relative to the largest value of their kind."""
    scale: dict[str, float] = {}
    for s in second.series.values():
        scale[s.kind] = max(scale.get(s.kind, 1.0), float(np.abs(s.values).max()))
    gaps = {
        name: float(np.abs(first.series[name].values - s.values).max()) / scale[s.kind]
        for name, s in second.series.items()
    }
    name = max(gaps, key=lambda n: gaps[n])
    return gaps[name], name


@pytest.mark.parametrize("seed", range(8))
def test_accelerations_of_random_trees_agree(seed):
    rng = np.random.default_rng(seed)
    assert gap(random_tree(rng, 9), rng) < 1e-11


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("kind", TREE_KINDS)
def test_accelerations_of_every_joint_agree_either_way_round(kind, flipped):
    rng = np.random.default_rng(3)
    plain = random_tree(rng, 3, kinds=("spherical",))
    ends = [("ground", "b0.in"), ("b0.out", "b1.in"), ("b0.out", "b2.in")]
    extra = OPTIONS.get(kind, {})
    joints = [
        JOINTS[kind](f"j{i}", *(pair[::-1] if flipped else pair), **extra)
        for i, pair in enumerate(ends)
    ]
    system = pl.System(plain.model.with_(joints=joints))
    if kind == "fixed":
        d = kernel(system)
        assert d.nu == 0
        assert d.consistent(np.zeros(1)) == pytest.approx([0.0])
    else:
        assert gap(system, rng) < 1e-11


@pytest.mark.parametrize("seed", range(3))
def test_every_observable_of_a_motion_agrees(seed, both):
    system = with_forces(random_tree(np.random.default_rng(seed), 6))
    first, second = both(system, 0.5, rtol=1e-10, every=0.05, params={"a": 0.7})
    assert set(first.series) == set(second.series)
    for name, s in second.series.items():
        other = first.series[name]
        assert (other.unit, other.labels, other.kind) == (s.unit, s.labels, s.kind)
        assert other.unique == s.unique
    assert worst(first, second) < (1e-9, "")
    assert first.warnings == second.warnings


def test_bodies_without_joints_start_as_given(both):
    state = pl.BodyState(position=(1, 2, 3), velocity=(1, 0, -1), angular_velocity=(3, "s", 0.5),
                         orientation=pl.Orientation.about("x", 0.4))  # fmt: skip
    bodies = [
        pl.RigidBody.box("a", (1, 2, 3), mass=2, initial=state),
        pl.RigidBody.box("b", (1, 1, 3), mass="s"),
    ]
    joint = pl.Free("j", "a", "b", initial={"x": 2, "wz": 3, "vy": 1})
    system = pl.System(bodies=bodies, joints=[joint], gravity=(0, 0, -9.81), parameters={"s": 1.5})
    first, second = both(system, 0.5, rtol=1e-10, every=0.1)
    assert worst(first, second) < (1e-9, "")


@pytest.mark.slow
def test_chain_of_50_moves_as_in_straight_line_code():
    """At 1e-10 the steps differ: there the rounding of the dense M^-1 (condition 4e6) shows."""
    system, n = revolute_chain(50), 50
    dense = dense_dynamics(
        prepare(system, functions=("explicit", "constraints", "tangent")).compiled
    )
    steps, ends = [], []
    for d in (kernel(system), dense):
        x0 = d.consistent(np.zeros(d.x_size))
        steps.append([c.n_steps for c in integrate(d, x0, 0.3, method="dop853", rtol=1e-6)])
        *_, last = integrate(d, x0, 0.3, method="dop853", rtol=1e-10)
        ends.append(last.x_end[1 : 1 + 2 * n])
    assert steps[0] == steps[1]
    assert np.abs(ends[0] - ends[1]).max() < 1e-9 * np.abs(ends[1]).max()


def test_accelerations_are_smooth_to_rounding():
    """No inverse of an ill-conditioned mass matrix: second differences are noise of 1e-14 |a|."""
    d, rng, n = kernel(revolute_chain(50)), np.random.default_rng(0), 50
    q, u, along = 0.3 * rng.standard_normal(n), rng.standard_normal(n), rng.standard_normal(n)
    rows = [d.consistent(np.r_[0.0, q + k * 1e-10 * along, u])[1 + 2 * n :] for k in range(9)]
    assert np.abs(np.diff(rows, 2, axis=0)).max() < 1e-13 * np.abs(rows).max()


def test_energy_of_a_chain_of_1000_is_conserved():
    r = revolute_chain(1000).simulate(1.0, rtol=1e-8, every=0.1, outputs=["*energy"])
    assert r.info["kernel"] == "tree"
    kinetic, energy = r.values("kinetic_energy"), r.values("energy")
    assert kinetic.max() > 1e3
    assert np.abs(energy - energy[0]).max() < 1e-7 * kinetic.max()


def test_many_bodies_keep_a_few_observables_and_say_so():
    r = revolute_chain(201).simulate(0.01, every=0.01)
    assert "only joint coordinates, energies and the frames of 'b200'" in r.warnings[0]
    assert {"j0.angle", "j200.angle_rate", "energy", "b200.end.position"} <= set(r.series)
    assert "b0.position" not in r.series


def test_outputs_are_chosen_by_name_and_pattern():
    r = revolute_chain(20).simulate(0.01, outputs=["b3.*", "j19.force.x", "j1?.angle"])
    assert {"b3.end.velocity", "b3.kinetic_energy", "j19.force", "j10.angle"} <= set(r.series)
    assert len(r.series) == 13 + 1 + 10
    with pytest.raises(UnknownName, match=r"nothing is named 'b3\.pozition'"):
        revolute_chain(20).simulate(0.01, outputs=["b3.pozition"])


def test_a_result_of_the_kernel_can_be_continued():
    system = revolute_chain(12)
    whole = system.simulate(0.4, rtol=1e-9, every=0.1)
    half = system.simulate(0.2, rtol=1e-9, every=0.1)
    rest = system.simulate(0.4, rtol=1e-9, every=0.1, start=half)
    assert "kernel" in half.info
    assert "kernel" in rest.info
    assert rest.values("j11.angle")[-1] == pytest.approx(whole.values("j11.angle")[-1], rel=1e-6)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"joints": pl.Revolute("loop", "ground", "b2")}, "closes a loop"),
        ({"forces": pl.Force("f", "b1", force=(0, 0, 1))}, "does not act along a joint"),
        ({"forces": pl.Actuator("f", "j1", effort="j0.angle")}, "reads j0.angle"),
        (
            {"bodies": pl.RigidBody("empty", 0), "joints": pl.Revolute("hold", "b1", "empty")},
            "no mass",
        ),
        ({"drivers": pl.JointDriver("d", "j0", motion="t")}, "driver 'd'"),
    ],
)
def test_what_the_kernel_cannot_take_stays_with_expressions(change, reason):
    model = revolute_chain(12).model
    sections = {k: [*getattr(model, k).values(), element] for k, element in change.items()}
    system = pl.System(model.with_(**sections))
    assert reason in large.suitable(system)
    assert reason in usual_back_end(system).against[TREE]


def test_a_body_without_mass_that_is_fixed_to_another_changes_nothing():
    plain = revolute_chain(12)
    empty, hold = pl.RigidBody("empty", 0), pl.Fixed("hold", "b1", "empty")
    model = plain.model.with_(
        bodies=[*plain.model.bodies.values(), empty], joints=[*plain.model.joints.values(), hold]
    )
    with_it, without = (s.simulate(0.1, rtol=1e-9) for s in (pl.System(model), plain))
    assert "kernel" in with_it.info
    assert with_it.values("b11.position") == pytest.approx(without.values("b11.position"), abs=1e-9)


def test_forward_dynamics_is_the_acceleration_of_a_state():
    system, rng = revolute_chain(7), np.random.default_rng(0)
    udot, d = large.forward_dynamics(system), kernel(system)
    for _ in range(2):
        x = random_state(d, rng)
        assert udot(x[1:8], x[8:15]) == pytest.approx(x[15:], rel=1e-14)


def test_forward_dynamics_outlives_the_system():
    rng = np.random.default_rng(0)
    q, u = 0.3 * rng.standard_normal((2, 50))
    udot = large.forward_dynamics(revolute_chain(50))
    expected = udot(q, u).copy()
    gc.collect()
    others = [np.full(size, np.nan) for size in range(1, 5000, 7)]
    assert (udot(q, u) == expected).all()
    assert len(others)


def test_code_does_not_grow_with_the_chain():
    sizes = [len(large.tree_of(revolute_chain(n))[1].machine.object_code) for n in (3, 300)]
    assert sizes[0] == sizes[1]
