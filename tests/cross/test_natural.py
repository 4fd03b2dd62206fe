"""Natural coordinates: the same accelerations, reactions and motion as relative coordinates."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.cross.test_readable_numbers import numbers, values_of
from tests.cross.test_readable_numbers import random_state as any_state
from tests.models.random_systems import OPTIONS, random_tree, with_loop

import pliant as pl
from pliant.analysis.verification.report import AGREEMENT
from pliant.analysis.verification.states import _observed
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import derive
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import body_motion, initial_state, parameters, same_motion_in
from pliant.model.joints import JOINTS
from pliant.reading.algebra import Evaluation
from pliant.solve import INTEGRATORS, TREATMENTS
from pliant.solve.start.random_state import random_state
from pliant.solve.start.redundancy import degrees, unique_observables
from pliant.spatial.ops import NUMERIC

EXAMPLES = Path(__file__).parents[2] / "examples"
FUNCTIONS = (
    "explicit",
    "constraints",
    "initial",
    "tangent",
    "bodies",
    "start_states",
    "observables",
)
NATURAL = Choice("natural")


def load(name):
    return pl.load(EXAMPLES / f"{name}.yaml")


def body(name, **frames):
    mass = {"com": (0.1, 0.2, -0.1), "inertia": (0.3, 0.4, 0.5, 0.01, 0.02, -0.03)}
    return pl.RigidBody(name, 1.3, **mass, frames=frames)


def both(system, choice, size, params=None, states=3):
    """Pairs of observables at the same random states, with the flags of unique reactions."""
    first, second = (
        prepare(system, c, functions=FUNCTIONS, interpret=True) for c in (Choice(), choice)
    )
    start = initial_state(system, first, params, 0.0)
    rng, amplitude = np.random.default_rng(0), np.full(first.compiled.nu, size)
    for _, u, n in first.compiled.layout.elastic.values():
        amplitude[u : u + n] = 1e-3
    for _ in range(states):
        x = random_state(first.compiled, start.p, start.x, rng, amplitude)
        p = parameters(system, second, params)
        other = same_motion_in(first, x, start.p, second, p)
        yield ((first.compiled, x, start.p, _observed(first, x, start.p)),
               (second.compiled, other, p, _observed(second, other, p)))  # fmt: skip


def agree(system, choice=NATURAL, size=0.7, params=None):
    """Everything at random states: observables to 1e-9 of the largest of their kind, degrees of
    freedom, number of redundant rows, and which reactions are unique."""
    for (c, x, p, y), (c2, x2, p2, y2) in both(system, choice, size, params):
        unique, also = unique_observables(c, x, p), unique_observables(c2, x2, p2)
        assert set(y) == set(y2)
        for name, value in y.items():
            kind = c.observed[name].kind
            scale = max(float(np.abs(y[n]).max()) for n in y if c.observed[n].kind == kind)
            keep = unique.get(name, np.array(True))
            assert np.array_equal(keep, also.get(name, np.array(True))), name
            gap = np.abs(value - y2[name])[keep].max(initial=0)
            assert gap <= AGREEMENT * max(scale, 1e-3), name
        ours, theirs = degrees(c2, x2, p2), degrees(c, x, p)
        assert ours.freedom == theirs.freedom
        assert ours.constraints - ours.rank == theirs.constraints - theirs.rank


def shaft(*kinds):
    """A body on two joints to the ground: nothing but their own conditions holds some of them."""
    ground = pl.Ground(frames={"A": [0, 0, 0], "B": [0.2, 0, 1]})
    joints = [JOINTS[kind](name, f"ground.{name}", f"shaft.{name}")
              for kind, name in zip(kinds, "AB", strict=True)]  # fmt: skip
    return pl.System(gravity=(0, 0, -9.81), ground=ground, joints=joints,
                     bodies=[body("shaft", A=[0, 0, 0], B=[0.2, 0, 1])])  # fmt: skip


def welded():
    """Bodies fixed to the ground and to each other, either way round."""
    bodies = [body(name, P=[0.5, 0, 0], Q=[0, 0.4, 0.1]) for name in ("base", "a", "tool", "tip")]
    joints = [
        pl.Fixed("f0", "ground", "base"),
        pl.Revolute("O", "base.P", "a"),
        pl.Fixed("f1", "tool.Q", "a.P"),
        pl.Universal("U", "tool.P", "tip.P"),
    ]
    return pl.System(gravity=(0, 1, -9.81), bodies=bodies, joints=joints)


def without_mass():
    light = pl.RigidBody("light", 0, frames={"P": [1, 0, 0]})
    joints = [pl.Revolute("O", "ground", "light"), pl.Spherical("S", "light.P", "heavy.P")]
    return pl.System(gravity=(0, 1, -9.81), bodies=[light, body("heavy", P=[0.5, 0, 0])],
                     joints=joints)  # fmt: skip


def three_at_a_pin():
    """Three bars on one pin; the last closes a loop through it."""
    bars = [body(name, P=[1, 0, 0]) for name in "abc"]
    joints = [
        pl.Revolute("A", "ground", "a", axis="z"),
        pl.Spherical("B", "a.P", "b"),
        pl.Spherical("C", "a.P", "c"),
        pl.Distance("D", "b.P", "c.P", length=1.2),
        pl.Spherical("E", "c.P", "ground.E"),
    ]
    return pl.System(gravity=(0, 1, -9.81), bodies=bars, joints=joints,
                     ground=pl.Ground(frames={"E": [1, 0.6, 0.8]}))  # fmt: skip


def driven():
    bodies = [body(name, P=[0.5, 0, 0], Q=[0, 0.4, 0.1]) for name in "abc"]
    joints = [pl.Revolute("O", "ground", "a", axis="y"), pl.Prismatic("J", "a.P", "b.Q"),
              pl.Spherical("S", "b.P", "c")]  # fmt: skip
    drivers = [
        pl.JointDriver("spin", "O", motion="3*t + sin(t)"),
        pl.JointDriver("slide", "J", motion="0.1*t", level="velocity"),
        pl.FrameDriver("turn", "c.P", angular=["t", "0", "1"], level="velocity"),
    ]
    return pl.System(gravity=(1, 2, -9.81), bodies=bodies, joints=joints, drivers=drivers)


def on_springs():
    """One joint of a loop is held by springs, and its coordinate is asked for."""
    bars = [body(name, P=[1, 0, 0]) for name in "ab"]
    stiff = {"stiffness": 1e3, "rotational_stiffness": 1e2}
    joints = [pl.Revolute("A", "ground", "a"),
              pl.Revolute("B", "a.P", "b", axis="x", springs=stiff),
              pl.Spherical("C", "b.P", "ground.C")]  # fmt: skip
    return pl.System(gravity=(0, 1, -9.81), bodies=bars, joints=joints,
                     ground=pl.Ground(frames={"C": [1, 0.6, 0.8]}),
                     forces=[pl.JointSpring("spring", "B", stiffness=2.0)])  # fmt: skip


SYSTEMS = {
    "two pins": lambda: shaft("revolute", "revolute"),
    "two balls": lambda: shaft("spherical", "spherical"),
    "pin and slider": lambda: shaft("revolute", "cylindrical"),
    "welded": welded,
    "without mass": without_mass,
    "three at a pin": three_at_a_pin,
    "driven": driven,
    "on springs": on_springs,
}


@pytest.mark.parametrize("tree", ["joint", "absolute"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_accelerations_reactions_and_their_uniqueness(name, tree):
    agree(SYSTEMS[name](), Choice("natural", tree))


def spoken_of(system, joint):
    """Springs on every scalar coordinate of a joint."""
    springs = [
        pl.JointSpring(f"spring_{c.name}", joint, coordinate=c.name, stiffness=3.0, damping=0.2)
        for c in system.model.joints[joint].scalars
    ]
    return pl.System(system.model, forces=springs)


SCALAR = ("revolute", "prismatic", "cylindrical", "screw", "planar", "universal")


@pytest.mark.parametrize("kind", SCALAR)
def test_joints_with_coordinates_of_their_own(kind):
    joints = [
        pl.Revolute("O", "ground", "a", axis="y"),
        JOINTS[kind]("J", "a.P", "b.Q", **OPTIONS.get(kind, {})),
    ]
    bodies = [body(name, P=[0.5, 0, 0], Q=[0, 0.4, 0.1]) for name in "ab"]
    system = pl.System(gravity=(1, 2, -9.81), bodies=bodies, joints=joints)
    agree(spoken_of(system, "J"))


@pytest.mark.parametrize("kind", SCALAR)
def test_loops_closed_by_joints_with_coordinates_of_their_own(kind):
    rng = np.random.default_rng(11 + len(kind))
    free = ("spherical", "universal", "cylindrical", "planar")
    agree(spoken_of(with_loop(rng, random_tree(rng, 3, kinds=free), kind), "loop"), size=0.3)


BEAM = """
pliant: 1
gravity: [1, -9.81, 2]
materials: {soft: {E: 2 GPa, nu: 0.3, density: 7870}}
bodies:
  crank:
    rigid: {mass: 1, com: [0.1, 0.2, 0], inertia: [0.1, 0.2, 0.3]}
    frames: {A: [0.3, 0.1, 0]}
  rod:
    beam: {length: 1, section: {rectangle: {width: 20 mm, height: 10 mm}}, material: soft}
    shapes: SHAPES
    floating_frame: FRAME
    frames: {off: {at: [0.4, 0.02, -0.03]}}
  ball:
    rigid: {mass: 0.3, com: [0, 0.1, 0], inertia: [0.01, 0.02, 0.03]}
    frames: {end: [0.2, 0, 0.1]}
joints:
  O: {revolute: {axis: x}, between: [ground, crank], initial: {angle: 0.3}}
  A: {FIRST, between: [crank.A, rod.PLACE]}
  B: {SECOND, between: [ball, rod.tip]}
"""
MODAL = [
    ("{bending: 1, torsion: 1}", "root", "revolute: {axis: z}", "off", "spherical: {}"),
    ("{bending_y: 2, axial: 1}", "chord", "universal: {}", "root", "revolute: {axis: y}"),
    ("{bending: 1}", "tisserand", "prismatic: {axis: y}", "root", "fixed: {}"),
    ("{bending_z: 1}", "tip", "spherical: {}", "off", "cylindrical: {}"),
]


def modal(shapes, frame, first, place, second):
    text = BEAM
    for key, value in (("SHAPES", shapes), ("FRAME", frame), ("FIRST", first), ("PLACE", place),
                       ("SECOND", second)):  # fmt: skip
        text = text.replace(key, value)
    return pl.loads(text)


def tied_down(system, kind):
    """With a joint from the end of the ball to the ground where it stands."""
    prepared = prepare(system, functions=FUNCTIONS, interpret=True)
    state = initial_state(system, prepared, None, 0.0)
    ball = body_motion(prepared, state.x, state.p)["ball"]
    at = ball.p_WB + ball.R_WB @ [0.2, 0, 0.1]
    joint = JOINTS[kind]("hold", "ground.hold", "ball.end")
    return pl.System(system.model, ground=pl.Ground(frames={"hold": tuple(at)}),
                     joints=[*system.model.joints.values(), joint])  # fmt: skip


@pytest.mark.parametrize("case", MODAL)
def test_moving_frames_of_flexible_bodies(case):
    agree(modal(*case))


@pytest.mark.parametrize("case", [MODAL[0], MODAL[3]])
def test_loops_with_flexible_bodies(case):
    agree(tied_down(modal(*case), "spherical"), size=0.3)


@pytest.mark.parametrize("offset", [0.0, 0.1])
def test_parameters_may_change_the_geometry(offset):
    """Also from a place that coincides with another for the value in the model."""
    bodies = [body("disc", A=["e", 0, 0]), body("rod", B=["L", 0, 0]), body("slider")]
    joints = [
        pl.Revolute("O", "ground", "disc"),
        pl.Revolute("A", "disc.A", "rod"),
        pl.Revolute("B", "rod.B", "slider"),
        pl.Prismatic("S", "ground", "slider", axis="x"),
    ]
    system = pl.System(gravity=(0, -9.81, 0), parameters={"e": offset, "L": 0.3}, bodies=bodies,
                       joints=joints)  # fmt: skip
    agree(system, params={"e": 0.05, "L": 0.4})


def test_a_driver_in_the_tree_and_the_embedding_form():
    system = pl.System(driven().model, drivers=[driven().model.drivers["spin"]])
    agree(system, Choice("natural", form="embedding"), size=0.3)
    expected = system.simulate(0.2, outputs=["spin.torque"]).values("spin.torque")
    found = system.simulate(0.2, formulation="natural", tree=["spin", "J", "S"],
                            outputs=["spin.torque"]).values("spin.torque")  # fmt: skip
    assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max()


# --- treatments of constraints and integrators

TIMES = {"planar_slider_crank": ("S.displacement", 0.5), "bricard": ("J2.angle", 0.5)}
SINGULAR = {("elimination", "planar_slider_crank")}
"""Its slider has no mass."""


@cache
def expected(name):
    observable, t_end = TIMES[name]
    how = {"every": t_end / 20, "rtol": 1e-10, "method": "dop853", "outputs": [observable]}
    return load(name).simulate(t_end, **how).require().values(observable)


def run(name, **how):
    observable, t_end = TIMES[name]
    result = load(name).simulate(t_end, every=t_end / 20, formulation="natural",
                                 outputs=[observable], **how)  # fmt: skip
    return result.require().values(observable)


@pytest.mark.parametrize(("treatment", "name"), [
    (t, n) for n in TIMES for t in TREATMENTS if (t, n) not in SINGULAR and TREATMENTS[t].explicit
])  # fmt: skip
def test_every_treatment_of_constraints_gives_the_motion(treatment, name):
    tolerance = 1e-7 if TREATMENTS[treatment].exact else 1e-5
    assert np.abs(run(name, rtol=1e-9, method="dop853", constraints=treatment)
                  - expected(name)).max() < tolerance  # fmt: skip


@pytest.mark.parametrize("method", [n for n, i in INTEGRATORS.items() if i.implicit])
def test_implicit_integrators_give_the_motion(method):
    request = {"rtol": 1e-8} if INTEGRATORS[method].adaptive else {"step": 5e-4}
    assert np.abs(run("bricard", method=method, **request) - expected("bricard")).max() < 1e-6


def test_penalty_converges_to_multipliers_as_one_over_its_factor():
    """Accelerations at one state: (M + α GᵀG) a = h - α Gᵀ γ is off by a series in 1/α."""
    from pliant.solve import dense_dynamics

    system = load("bricard")
    prepared = prepare(system, NATURAL)
    c, start = prepared.compiled, initial_state(system, prepared, None, 0.0)
    x = random_state(c, start.p, start.x, np.random.default_rng(1), 0.3)
    state, accelerations = (
        x[None, : 1 + c.nq + c.nu + c.nx],
        slice(1 + c.nq + c.nu, 1 + c.nq + 2 * c.nu),
    )

    def solved(treatment, **options):
        dynamics = dense_dynamics(c, treatment, p=start.p, **options)
        return dynamics.completed_states(state)[0, accelerations]

    exact = solved("projection")
    factors = np.array([1e2, 1e3, 1e4, 1e5])
    off = [np.abs(solved("penalty", alpha=a) - exact).max() for a in factors]
    assert np.allclose(np.diff(np.log10(off)), -1, atol=0.05)


MOTIONS = {
    "four_bars_2": ("bar0.B.position.x", 0.5),
    "haug_slider_crank": ("S.displacement", 0.5),
    "pendulating_rotor": ("nutation.angle", 0.5),
    "rotating_beam": ("blade.tip.deflection.y", 1.0),
    "crank_rocker": ("coupler.mid.deflection.y", 0.03),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MOTIONS)
def test_the_same_motion(name):
    """Runs differ by their own errors, which tighter runs tell."""
    observable, t_end = MOTIONS[name]
    system = load(name)

    def solved(formulation):
        loose, tight = (
            system.simulate(t_end, every=t_end / 20, rtol=rtol, method="dop853",
                            outputs=[observable], formulation=formulation).require()
            for rtol in (1e-6, 1e-8)
        )  # fmt: skip
        y = loose.values(observable)
        return y, np.abs(y - tight.values(observable)).max()

    (ya, ea), (yb, eb) = solved("recursive"), solved("natural")
    assert np.abs(ya - yb).max() <= 10 * max(ea, eb) + 1e-9 * np.abs(ya).max()


@pytest.mark.slow
def test_frequencies_are_the_same():
    system = load("rotating_beam")
    expected, found = (
        system.modes(formulation=f).frequencies for f in ("recursive", "natural")
    )  # fmt: skip
    assert np.allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("name", [
    "planar_slider_crank", "bricard", pytest.param("rotating_beam", marks=pytest.mark.slow),
])  # fmt: skip
def test_printed_equations_have_the_values_of_the_compiled_ones(name):
    system, rng = load(name), np.random.default_rng(3)
    readable = system.equations("natural")
    e = derive(system, Choice("natural", truncate=readable.order))
    state = any_state(e, rng)
    evaluation = Evaluation(readable.space, NUMERIC, values_of(readable, e, state))
    pairs = [(e.residual, readable.residual)]
    if readable.order is None:  # constraints of flexible bodies are written as series
        pairs.append((e.g, readable.equations.g))
    for expression, column in pairs:
        expected = numbers(e, expression, state)
        got = np.array([float(evaluation.of(v)) for v in column])
        assert np.abs(got - expected).max() <= 1e-12 * np.abs(expected).max(initial=1)
