"""Models as systems of blocks: what shares code, what it costs, what is left out or refused."""

import numpy as np
import pytest

import pliant as pl
from pliant.backends.blocks.model import block_model
from pliant.backends.blocks.route import objections
from pliant.errors import CapabilityError, InputError, StepError

STIFF = {"EA": 2000, "EIy": 4, "EIz": 5, "GJ": 3, "GAy": 900, "GAz": 800}
SECTION = {"EA": 2000, "EIy": "EI", "EIz": 4, "GJ": 3, "GAy": 900, "GAz": 900}


def rod(elements, order=1):
    return pl.Beam("rod", "L", theory={"exact": {"elements": elements, "order": order}},
                   stiffness=SECTION, mass_per_length=1.0,
                   rotary={"rhoIy": 1e-2, "rhoIz": 1e-2})  # fmt: skip


def swinging(elements, **more):
    pin = pl.Revolute("pin", "ground", "rod.root", axis="y", initial={"angle": 0.5})
    return pl.System(gravity=[0, 0, -9.81], parameters={"EI": 4.0, "L": 1.0},
                     bodies=[rod(elements)], joints=[pin], **more)  # fmt: skip


def link(name):
    return pl.RigidBody(name, 1.0, com=[0.5, 0, 0], inertia=[0.1, 0.1, 0.1, 0, 0, 0],
                        frames={"end": [1, 0, 0]})  # fmt: skip


def chain(n):
    """Links that hang from each other, in all directions: one kind of joint."""
    joints, before = [], "ground"
    for k in range(n):
        axis = [np.cos(k), np.sin(k), 0]
        joints.append(pl.Revolute(f"j{k}", before, f"b{k}", axis=axis))
        before = f"b{k}.end"
    return pl.System(gravity=[0, 0, -9.81], bodies=[link(f"b{k}") for k in range(n)], joints=joints)


# --- code and cost


def test_elements_of_one_form_share_their_code():
    """Inertia, the joint, the beam element: three kinds whatever the number of elements."""
    for elements in (2, 7):
        kinds = [e.kind for e in block_model(swinging(elements)).system.elements]
        assert [k.name for k in kinds] == ["inertia", "joint", "force"]
    names = [e.kind.name for e in block_model(chain(6)).system.elements]
    assert names.count("joint") == 2  # at the ground, and between links


def test_cost_is_linear():
    """Operations of a factorisation and of all elements, per element."""

    def cost(elements):
        system = block_model(swinging(elements)).system
        operations = sum(len(e.blocks) * e.kind.operations[1] for e in system.elements)
        return np.array([operations, len(system.program.targets), system.program.length])

    first, second, third = (cost(n) for n in (20, 40, 80))
    assert np.array_equal(third - second, 2 * (second - first))


def test_parameters_are_numbers():
    """A new value gives the same kinds, and the statics of that value."""
    s = swinging(3)
    a, b = block_model(s), block_model(s, {"EI": 8.0})
    assert [p.form for p in a.parts] == [p.form for p in b.parts]
    assert any(
        not np.array_equal(p.numbers, q.numbers) for p, q in zip(a.parts, b.parts, strict=True)
    )
    clamped = pl.System(s.described.with_(joints=[pl.Fixed("clamp", "ground", "rod.root")]))
    tips = [clamped.statics(params={"EI": v}).values("rod.tip.position")[-1, 2] for v in (100, 200)]
    small = [1 / (8 * EI) + 1 / (2 * 900) for EI in (100, 200)]  # bending and shear
    assert tips[0] / tips[1] == pytest.approx(small[0] / small[1], rel=0.01)


def test_the_start_is_the_assembled_one():
    model = block_model(swinging(2))
    dense = swinging(2).simulate(1e-3, every=1e-3)
    for body, k in model.bodies.items():
        at = model.system.coordinates[k]
        assert np.allclose(model.q[at : at + 3], dense.values(f"{body}.position")[0], atol=1e-12)


def test_bodies_that_stand_at_one_place_are_as_large_as_they_reach():
    """Rounding in their places is not the size of the system that errors are compared with."""
    frames = {"a": {}, "b": {"end": [0.3, 0.4, 0]}}
    bodies = [pl.RigidBody(n, 1.0, inertia=(0.1, 0.1, 0.1), frames=frames[n]) for n in "ab"]
    joints = [pl.Revolute("A", "ground", "a", axis="z"), pl.Revolute("B", "a", "b", axis="x")]
    model = block_model(pl.System(bodies=bodies, joints=joints))
    at = model.system.coordinates[model.bodies["a"]]
    for noise in (0.0, 1e-23):
        q = model.q.copy()
        q[at] += noise
        assert model.system.extent(q) == pytest.approx(0.5)
        assert np.all(model.system.weights(q) <= 2.0)


# --- constraints


def four_bar():
    joints = [pl.Revolute("A", "ground", "a", axis="y", initial={"angle": -1.2}),
              pl.Revolute("B", "a.end", "b", axis="y", guess={"angle": 1.2}),
              pl.Revolute("C", "b.end", "c.end", axis="y"),
              pl.Revolute("D", "ground.D", "c", axis="y", guess={"angle": -1.2})]  # fmt: skip
    return pl.System(ground=pl.Ground(frames=[pl.Frame("D", [1, 0, 0])]),
                     bodies=[link(n) for n in "abc"], joints=joints)  # fmt: skip


def test_dependent_constraints_are_left_out_by_name():
    """A planar loop of four spatial joints: 20 rows, 18 coordinates, one degree of freedom."""
    model = block_model(four_bar())
    assert len(model.left_out) == 3
    assert sum(map(len, model.kept)) == 17
    assert all(name.startswith("D") for name in model.left_out)
    assert block_model(chain(4)).left_out == ()


def test_rows_that_depend_on_each_other_in_the_first_pose_only_are_missed_by_name():
    """A straight chain that cannot stretch, clamped at both ends: pulled in where it sags."""
    rod = pl.Beam("rod", 1.0, stiffness={"EIy": 10.0, "EIz": 10.0}, mass_per_length=1.0,
                  theory=pl.Segments(4, ["bending_y"]))  # fmt: skip
    joints = [pl.Fixed("a", "ground", "rod.root"), pl.Fixed("b", "ground.E", "rod.tip")]
    system = pl.System(ground=pl.Ground(frames=[pl.Frame("E", [1, 0, 0])]), bodies=[rod],
                       joints=joints, forces=[pl.Force("f", "rod.mid", [0, 50, 0])])  # fmt: skip
    result = system.statics(method="sparse", outputs=["rod.mid.position"])
    assert "left out as dependent in the first pose" in result.failure
    assert (
        abs(system.statics(outputs=["rod.mid.position"]).values("rod.mid.position")[-1, 1]) < 1e-6
    )


def test_reactions_that_are_not_determined_are_marked():
    r = four_bar().simulate(0.01, every=0.01, method="sparse-alpha", step=1e-3)
    assert not any(r.series["D.torque"].unique)
    assert any("dependent constraints" in w for w in r.warnings)


# --- refusals


def test_objections_name_every_element():
    drivers = [pl.JointDriver("spin", "pin", level="velocity", motion=3)]
    s = swinging(1, drivers=drivers)
    assert [o.element for o in objections(s)] == ["driver 'spin'"]
    with pytest.raises(CapabilityError, match=r"cannot take 1 items:\n  driver 'spin'.*position"):
        s.simulate(0.1, method="sparse-alpha")


def test_options_and_times_are_checked():
    s = swinging(1)
    with pytest.raises(InputError, match="unknown option 'rho'"):
        s.simulate(0.1, method="sparse-alpha", options={"rho": 1})
    with pytest.raises(InputError, match="spectral radius"):
        s.simulate(0.1, method="sparse-alpha", options={"radius": 2})
    with pytest.raises(InputError, match="unknown option 'radius'"):
        s.simulate(0.1, method="sparse-conserving", options={"radius": 1})
    with pytest.raises(InputError, match="formulation"):
        s.simulate(0.1, method="sparse-alpha", formulation="natural")
    with pytest.raises(InputError, match="constraints"):
        s.simulate(0.1, method="sparse-alpha", constraints="penalty")
    with pytest.raises(InputError, match="unknown path"):
        s.statics(path="arc")
    with pytest.raises(InputError, match="hold"):
        s.statics(critical=True, hold=["pin"])


def test_what_nothing_holds_is_left_to_the_dense_way():
    """A hanging rod has no stiffness against swinging before its weight acts."""
    r = swinging(2).statics()
    assert r.info["formulation"] == "recursive"
    assert r.values("rod.tip.position")[-1, 2] < -1
    with pytest.raises(StepError, match="singular"):
        swinging(2).statics(method="sparse")


def test_a_failed_step_keeps_what_was_computed():
    """A rod without resistance folds up; steps are far too long for it."""
    soft = swinging(2).described.with_(parameters={"EI": 1e-4, "L": 1.0})
    r = pl.System(soft).simulate(5.0, every=0.1, method="sparse-alpha", step=0.1)
    assert not r.completed
    assert "did not converge at t =" in r.failure
    assert 0 < len(r.time) < 51
    assert len(r.values("rod.tip.position")) == len(r.time)


def test_events_stop_a_run():
    s = swinging(2, events=[pl.Event("low", "rod.tip.position.z < -0.8", stop=True)])
    exact = s.simulate(1.0, every=0.01)
    r = s.simulate(1.0, every=0.01, method="sparse-alpha", step=1e-3)
    assert r.events[0].name == "low"
    assert r.events[0].time == pytest.approx(exact.events[0].time, abs=1e-3)
    assert r.time[-1] <= r.events[0].time
    assert r.completed


def test_outputs_are_formulas_of_observables():
    s = swinging(2, outputs={"height": "2*rod.tip.position.z + L"})
    r = s.simulate(
        0.05, every=0.01, method="sparse-alpha", step=1e-3, outputs=["height", "rod.tip"]
    )
    assert np.allclose(r.values("height"), 2 * r.values("rod.tip.position.z") + 1)


@pytest.mark.parametrize("order", [1, 2])
def test_short_tangent_of_exact_elements(order):
    """Derivatives at Gauss points and nodes are those of the whole residual."""
    import casadi as ca

    from pliant.backends.blocks.elements.behaviour import residual
    from pliant.backends.blocks.elements.exact_tangent import exact_stiffness
    from pliant.backends.blocks.solver.element import _Symbols

    curved = pl.Beam("rod", 1, theory={"exact": {"elements": 1, "order": order}},
                     curvature=[0.1, 0.2, 0.3], mass_per_length=1.0, stiffness=STIFF,
                     rotary={"rhoIy": 1e-2, "rhoIz": 1e-2})  # fmt: skip
    model = block_model(pl.System(bodies=[curved]))
    part = next(p for p in model.parts if p.owner == "rod:e0")
    form = model.kinds.form(part, ())
    symbols, p = _Symbols(form.shapes), ca.SX.sym("p", form.numbers)
    r = residual(form)(symbols.motion, p)
    both = [symbols.along(r), exact_stiffness(form)(symbols.motion, p)]
    values = ca.Function("K", [ca.vertcat(*symbols.motion.q), p], both)
    rng, q = np.random.default_rng(1), []
    for i in range(order + 1):
        turn = np.r_[1, 0.3 * rng.normal(size=3)]
        q += [i / order, *(0.1 * rng.normal(size=2)), *(turn / np.linalg.norm(turn))]
    one, other = (np.array(K) for K in values(q, part.numbers))
    assert np.allclose(one, other, rtol=0, atol=1e-12 * np.abs(one).max())


def test_a_run_begins_with_the_accelerations_of_its_drivers():
    """phi = A cos(w t): phi'' = -A w² at once, and what the mass centre at c needs for it."""
    A, w, c = 0.1, 300.0, 0.25
    system = pl.System(
        bodies=[pl.RigidBody("arm", 2.0, com=(c, 0, 0), inertia=(0.1, 0.1, 0.1, 0, 0, 0))],
        joints=[pl.Revolute("pin", "ground", "arm", axis=(0, 0, 1))],
        drivers=[pl.JointDriver("motor", "pin", motion=f"{A}*cos({w}*t)")],
    )
    result = system.simulate(t_end=1e-3, method="sparse-alpha", step=1e-5)
    turned, torque = (result.values(n)[0] for n in ("arm.angular_acceleration", "motor.torque"))
    assert turned == pytest.approx([0, 0, -A * w**2], rel=1e-13)
    assert torque == pytest.approx(-(0.1 + 2 * c**2) * A * w**2, rel=1e-13)
