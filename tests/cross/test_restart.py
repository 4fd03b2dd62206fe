"""A run goes on where another one ended, whatever computed the first part and computes the second.

All back ends that take a model are paired, with formulations and trees of expressions among them,
and the second part must be that of one run in one piece, to the tolerance of both. Joints are
beyond their first turn by then, and a spring along one of them counts turns.
"""

from itertools import product

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.simulate import simulate
from pliant.backends.choice import Choice
from pliant.backends.choose import BLOCKS, EXPRESSIONS, TREE
from pliant.backends.request import Request
from pliant.backends.resume import saved_state
from pliant.mechanics.placed import Placed

RIGID = """
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  rotor:
    rigid: {mass: 2, com: [0.02, 0, 0.1], inertia: [0.1, 0.2, 0.3]}
    frames: {end: [0.3, 0, 0]}
  bob: {rigid: {mass: 1, com: [0, 0.01, -0.2], inertia: [0.02, 0.02, 0.01]}}
joints:
  shaft: {revolute: {axis: z}, between: [ground, rotor], initial: {angle: 1, angle_rate: 25}}
  swivel: {revolute: {axis: x}, between: [bob, rotor.end], initial: {angle_rate: 22}}
forces:
  coil: {joint_spring: {stiffness: 2, damping: 0.01}, joint: shaft}
"""
SEGMENTS = """
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  hub: {rigid: {mass: 1, inertia: [0.05, 0.05, 0.05]}}
  beam:
    beam:
      length: 0.6
      stiffness: {EA: 4e5, GAy: 1e5, GAz: 1e5, EIy: 300, EIz: 200, GJ: 150}
      mass_per_length: 0.8
      rotary: {rhoIy: 2e-3, rhoIz: 1e-3}
    THEORY
joints:
  shaft: {revolute: {axis: z}, between: [ground, hub], initial: {angle_rate: 20}}
  root: {fixed: {}, between: [hub, beam.root]}
forces:
  coil: {joint_spring: {stiffness: 0.2}, joint: shaft}
"""
MODELS = {
    "rigid": RIGID,
    "segments": SEGMENTS.replace("THEORY", "theory: {segments: {count: 2}}"),
    "modes": SEGMENTS.replace("THEORY", "shapes: {bending: {polynomial: 2}}"),
    "exact": SEGMENTS.replace("THEORY", "theory: {exact: {elements: 1, order: 1}}"),
}
WAYS = {
    "recursive": (EXPRESSIONS, Choice()),
    "absolute": (EXPRESSIONS, Choice("linear-graph", "absolute")),
    "natural": (EXPRESSIONS, Choice("natural")),
    "tree": (TREE, Choice()),
    "blocks": (BLOCKS, Choice()),
}
TAKEN = {
    "rigid": tuple(WAYS),
    "segments": ("recursive", "tree", "blocks"),
    "modes": ("recursive", "blocks"),
    "exact": ("recursive", "blocks"),
}
LOOKED = {
    "rigid": (
        "swivel.angle",
        "swivel.angle_rate",
        "bob.position",
        "bob.velocity",
        "rotor.end.velocity",
    ),
    **dict.fromkeys(("segments", "modes", "exact"), ("beam.tip.position", "beam.tip.velocity")),
}
FIRST, LAST, SAMPLES, RTOL = 0.4, 0.6, 21, 1e-8
PAIRS = [(name, a, b) for name, ways in TAKEN.items() for a, b in product(ways, ways)]


def run(system, way, times, start=None, finer=1.0):
    back_end, choice = WAYS[way]
    rtol = 1000 * RTOL if back_end == BLOCKS else RTOL
    return simulate(system, Request(
        choice=choice, back_end=back_end, times=[float(t) for t in times], start=start,
        rtol=rtol / finer,
    ))  # fmt: skip


@pytest.fixture(scope="module")
def known():
    """By model: the system, where each way is after the first part, its whole run, and a better
    one."""
    found = {}

    def of(name):
        if name not in found:
            system = pl.loads(MODELS[name])
            first = np.linspace(0, FIRST, SAMPLES)
            both = np.concatenate([first, np.linspace(FIRST, LAST, SAMPLES)[1:]])
            ends = {way: run(system, way, first) for way in TAKEN[name]}
            wholes = {way: run(system, way, both) for way in TAKEN[name]}
            found[name] = system, ends, wholes, run(system, "recursive", both, finer=1000)
        return found[name]

    return of


@pytest.mark.parametrize(("name", "before", "after"), PAIRS)
def test_any_way_goes_on_from_any_other(known, tmp_path, name, before, after):
    """Errors are no more than ten times those of whole runs of both ways, or their tolerance."""
    system, ends, wholes, better = known(name)
    ends[before].save(tmp_path / "first.nc")
    earlier = pl.Result.load(tmp_path / "first.nc")
    result = run(system, after, np.linspace(FIRST, LAST, SAMPLES), earlier)
    assert result.warnings == earlier.warnings == ()
    assert result.info["formulation"] == {"absolute": "linear-graph", "tree": "recursive"}.get(
        after, after
    )
    assert (result.info.get("kernel") == "tree") is (after == "tree")
    assert better.values("shaft.angle")[SAMPLES - 1] > 2 * np.pi
    for seen in ("shaft.angle", "shaft.angle_rate", "coil.torque", *LOOKED[name]):
        exact = better.values(seen)
        errors = [np.abs(wholes[way].values(seen) - exact).max() for way in (before, after)]
        bound = 10 * max(*errors, RTOL * np.abs(exact).max())
        assert np.abs(result.values(seen) - exact[SAMPLES - 1 :]).max() < bound, seen


def test_turns_are_kept_from_part_to_part():
    """Also of joints that are no coordinates of the formulation, and by three parts."""
    system = pl.loads(MODELS["rigid"])
    result = None
    for begin, end in ((0, 0.4), (0.4, 0.7), (0.7, 1.0)):
        result = run(system, "absolute", np.linspace(begin, end, 11), result)
    whole = run(system, "recursive", np.linspace(0, 1, 11))
    for name in ("shaft.angle", "swivel.angle"):
        assert abs(whole.values(name)[-1]) > 2 * np.pi
        assert result.values(name)[-1] == pytest.approx(whole.values(name)[-1], rel=1e-5)


def test_blocks_end_with_speeds_that_constraints_allow():
    """Coarse steps leave errors in the rates of constraints; a state to go on from has none."""
    system = pl.loads(RIGID)
    times = [float(t) for t in np.linspace(0, 0.4, 11)]
    result = simulate(system, Request(back_end=BLOCKS, times=times, rtol=1e-3))
    gaps = Placed(system.values(), saved_state(result).bodies).gaps()
    assert max(np.abs(gap.rate).max() for gap in gaps.values()) < 1e-10
    assert not simulate(system, Request(back_end=TREE, start=result, t_end=0.5)).warnings


def test_a_run_of_blocks_begins_on_the_turn_that_is_given():
    """As expressions do, also where nothing asks for the coordinate."""
    text = RIGID.replace("{angle: 1, ", "{angle: 20, ").replace("  coil:", "  # coil:")
    system = pl.loads(text.replace("forces:", ""))
    for back_end in (EXPRESSIONS, BLOCKS, TREE):
        result = simulate(system, Request(back_end=back_end, t_end=0.01))
        assert result.values("shaft.angle")[0] == pytest.approx(20, abs=1e-12)


def test_a_file_of_a_run_that_went_on_keeps_its_turns(tmp_path):
    system = pl.loads(RIGID)
    first = run(system, "recursive", np.linspace(0, 0.4, 5))
    wanted = ["bob.position"]
    second = simulate(system, Request(back_end=BLOCKS, t_end=0.5, start=first, outputs=wanted))
    second.save(tmp_path / "second.nc")
    read = pl.Result.load(tmp_path / "second.nc")
    for name in ("shaft.angle", "swivel.angle"):
        assert read.values(name)[0] == pytest.approx(first.values(name)[-1], abs=1e-9)


def test_rates_of_held_joints_begin_with_those_of_their_poses():
    """Blocks have the angle of a joint held by springs as an unknown, whose rate is not the turn
    about its axis: the pose has turned about others, too."""
    arms = [pl.RigidBody.box(f"arm{k}", [1.0, 0.1, 0.2], mass=k,
                             frames={"in": [-0.5, 0, 0], "out": [0.5, 0, 0]})
            for k in (1, 2)]  # fmt: skip
    held = {"stiffness": 50.0, "damping": 0.3, "rotational_stiffness": 50.0,
            "rotational_damping": 0.3}  # fmt: skip
    joints = [
        pl.Revolute("O", "ground", "arm1.in", axis="y", initial={"angle": 0.3, "angle_rate": 1.0}),
        pl.Revolute("P", "arm1.out", "arm2.in", axis=[0, 1, 0.3], springs=held),
    ]
    motor = pl.Actuator("motor", "P", effort="2*cos(t) - 0.3*P.angle")
    system = pl.System(gravity=(0, 0, -9.81), bodies=arms, joints=joints, forces=[motor])
    first = system.simulate(0.2, rtol=1e-9)
    then = system.simulate(0.21, start=first, method="sparse-alpha", step=1e-3)
    before, after = first["P.angle_rate"].values[-1], then["P.angle_rate"].values[0]
    assert abs(after - before) < 1e-9 * np.abs(first["P.angle_rate"].values).max()
