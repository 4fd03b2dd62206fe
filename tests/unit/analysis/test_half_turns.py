"""Every path that finds a start: none ends half a turn off."""

import numpy as np
import pytest

import pliant as pl
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import AT_REST
from pliant.backends.expressions.prepare import STATES, prepare
from pliant.backends.expressions.rest import balancer_of
from pliant.backends.expressions.start import body_motion, initial_state
from pliant.errors import AssemblyError

ANGLE = 2.9
TURNED = np.array([
    [np.cos(ANGLE), -np.sin(ANGLE), 0], [np.sin(ANGLE), np.cos(ANGLE), 0], [0, 0, 1]
])  # fmt: skip


def hinged(**joint):
    rod = pl.RigidBody("rod", 2.0, com=(0.5, 0, 0), inertia=(0.01, 0.2, 0.2),
                       initial={"orientation": pl.Orientation.about("z", ANGLE)})  # fmt: skip
    return pl.System(bodies=[rod], joints=[pl.Revolute("J", "ground", "rod", axis="z", **joint)])


def rotation(system, choice=None, body="rod"):
    prepared = prepare(system, choice or Choice(), functions=STATES)
    state = initial_state(system, prepared, None, 0.0)
    return body_motion(prepared, state.x, state.p)[body].R_WB


@pytest.mark.parametrize("cut", [None, True])
@pytest.mark.parametrize("choice", [
    Choice("linear-graph"), Choice("natural"), Choice("multibond"), Choice("kane"),
    Choice(tree="absolute"), Choice("natural", "absolute"),
], ids=lambda c: f"{c.formulation} {c.tree}")  # fmt: skip
def test_a_start_is_handed_on_to_other_formulations_and_trees(choice, cut):
    assert np.abs(rotation(hinged(cut=cut), choice) - TURNED).max() < 1e-12


def test_an_equilibrium_keeps_what_is_held_where_it_was_given():
    result = hinged().statics(hold=["J"])
    assert result.values("J.angle")[-1] == pytest.approx(ANGLE, abs=1e-12)


def test_equilibria_are_not_sought_beyond_a_false_root():
    """A step of a large turn would be closed half a turn off, where the weld is zero as well."""
    rod = pl.RigidBody("rod", 2.0, inertia=(0.01, 0.2, 0.2))
    system = pl.System(bodies=[rod], joints=[pl.Fixed("J", "ground", "rod", cut=True)])
    prepared = prepare(system, functions=AT_REST)
    state, balancer = balancer_of(system, prepared, None, (), None, False)
    q = balancer.q_of(state.x)
    assert balancer.moved(q, np.array([0, 0, 0, 0, 0, 0.3])) is not None
    assert balancer.moved(q, np.array([0, 0, 0, 0, 0, np.pi])) is None


@pytest.mark.parametrize("cut", [None, True])
def test_blocks_start_where_the_orientation_was_given(cut):
    result = hinged(cut=cut).simulate(times=[0, 1e-3], method="sparse-alpha", rtol=1e-6)
    w, _, _, z = result.values("rod.orientation")[0]
    assert 2 * np.arctan2(z, w) % (2 * np.pi) == pytest.approx(ANGLE, abs=1e-9)


def test_a_beam_of_large_rotation_starts_straight_where_its_orientation_was_given():
    system = pl.loads(f"""
pliant: 1
materials: {{steel: {{E: 210 GPa, nu: 0.3, density: 7800}}}}
bodies:
  beam:
    beam: {{length: 1, section: {{circle: {{radius: 5 mm}}}}, material: steel}}
    theory: {{exact: {{elements: 2}}}}
    initial: {{orientation: {{axis: z, angle: {ANGLE}}}}}
joints:
  J: {{revolute: {{axis: z}}, between: [ground, beam.root], cut: true}}
""")
    prepared = prepare(system, functions=STATES)
    state = initial_state(system, prepared, None, 0.0)
    motion = body_motion(prepared, state.x, state.p)
    assert state.remarks == ()
    for node in motion.values():
        assert np.abs(node.R_WB - TURNED).max() < 1e-9
    tip = motion["beam:4"].p_WB - motion["beam:0"].p_WB
    assert np.abs(tip - TURNED[:, 0]).max() < 1e-9


def test_a_mechanism_that_closes_only_half_a_turn_off_is_not_assembled():
    """Two welds that ask for opposite orientations in one plane."""
    opposed = {"e": pl.Frame("e", (0, 0, 0), pl.Orientation.about("z", np.pi))}
    rod = pl.RigidBody("rod", 2.0, inertia=(0.01, 0.2, 0.2), frames=opposed)
    joints = [pl.Fixed("J", "ground", "rod"), pl.Fixed("K", "ground", "rod.e")]
    with pytest.raises(AssemblyError, match="opposed or half a turn off"):
        rotation(pl.System(bodies=[rod], joints=joints))
