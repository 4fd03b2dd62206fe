"""Numbers of a model for a set of parameters, and where frames are in numbers."""

import numpy as np
import pytest

import pliant as pl
from pliant.backends.resume import saved_state
from pliant.errors import InputError, ModelError
from pliant.mechanics.placed import Placed
from pliant.mechanics.values import Values
from pliant.model.formulas import formula

ROD = """
pliant: 1
parameters: {L: 1, D: 2*L, T: 1}
gravity: [0, 0, -9.81]
bodies:
  rod:
    beam: {length: L, mass_per_length: 1, stiffness: {EIy: 2, EIz: 2},
           rotary: {rhoIy: 1e-5, rhoIz: 1e-5}}
    shapes: {bending_z: 2}
    frames: {eye: {on: tip, at: [0.1, 0, 0.2], orientation: {axis: x, angle: 30 deg}}}
  bob:
    rigid: {mass: 0.3, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
    frames: {a: [D, 0, 0], b: {on: a, at: [0, 1, 0]}}
joints:
  hinge: {revolute: {axis: [0, 1, 0]}, between: [ground, rod.root]}
  slide: {prismatic: {axis: [1, 0, 0]}, between: [rod.tip, bob]}
forces:
  spring: {joint_spring: {stiffness: 50, damping: 0.5}, joint: slide}
simulate: {t_end: 0.1*T, every: 0.01}
"""


@pytest.fixture(scope="module")
def system():
    return pl.loads(ROD)


def test_formulas_vectors_and_chains_of_frames_follow_the_parameters(system):
    values = system.values({"L": "3 m"})
    assert values.parameters == {"L": 3.0, "D": 6.0, "T": 1.0}
    assert values.number(formula("D/2 + 1")) == 4.0
    assert np.isnan(values.number(formula("sqrt(-L)")))
    assert values.vector(system.model.gravity) == pytest.approx([0, 0, -9.81])
    assert values.places("bob")["b"].p == pytest.approx([6, 1, 0])
    assert list(values.places("ground")) == [""]
    assert values.default.parameters["D"] == 2.0


def test_values_are_made_once_for_a_set_of_parameters(system):
    values = system.values({"L": 3})
    assert system.values({"L": 3.0}) is values
    assert Values.at(system.model, dict(values.parameters)) is values
    assert system.values({"L": 2}) is not values
    assert values.tables("rod") is values.tables("rod")


def test_frames_are_where_a_run_sees_them(system):
    """The observables come from expressions; so does their velocity."""
    names = ["rod.tip", "rod.eye", "rod", "bob", "bob.b"]
    seen = ("position", "velocity", "angular_velocity", "orientation")
    result = system.simulate(outputs=[f"{n}.{q}" for n in names for q in seen])
    bodies = saved_state(result).bodies
    placed = Placed(system.values(), bodies)
    for name in names:
        frame = placed.frame(name)
        last = {q: result.values(f"{name}.{q}")[-1] for q in seen}
        assert frame.p_WP == pytest.approx(last["position"], abs=1e-13)
        assert frame.v_WP == pytest.approx(last["velocity"], abs=1e-12)
        assert frame.w_WP == pytest.approx(last["angular_velocity"], abs=1e-12)
    assert all(max(gap.sizes(1.0)) < 1e-9 for gap in placed.gaps().values())


@pytest.mark.parametrize("theory", ["segments(2)", "{exact: {elements: 2, order: 1}}"])
def test_beams_that_are_cut_have_the_numbers_of_the_parameters(theory):
    """Other parameters change numbers only: the model that equations are derived from stays."""
    rod = pl.loads(f"""
pliant: 1
parameters: {{L: 1, E: 2}}
bodies:
  rod:
    beam: {{length: L, mass_per_length: 1, stiffness: {{EA: 1e4, EIy: E, EIz: E, GJ: E, GAy: 1e4,
            GAz: 1e4}}, rotary: {{rhoIy: 1e-3, rhoIz: 1e-3}}}}
    theory: {theory}
""")
    params = {"L": 1.5, "E": 3}
    other = rod.model_for(params)
    values = rod.values(params)
    assert values.parameters == other.parameter_values(params)
    assert values.parameters != {**rod.model.parameter_values(), **params}
    assert other.with_(parameters=rod.model.parameters) == values.model == rod.model
    assert rod.values(params) is values


def test_rates_of_coordinates_on_flexible_bodies_go_on_over_blocks(system):
    """A joint at the tip of a beam moves with the tip, not with the root."""
    first = system.simulate(method="sparse-alpha", step="1 ms")
    second = system.simulate(method="sparse-alpha", step="1 ms", start=first, t_end=0.12)
    rate = "slide.displacement_rate"
    before, after = first.values(rate)[-1], second.values(rate)[0]
    assert abs(before) > 0.05
    assert after == pytest.approx(before, rel=1e-3)


def test_a_parameter_without_finite_numbers_is_refused_by_name(system):
    """Nothing divides by zero before the formula is named."""
    text = ROD.replace("0.1*T", "1/T - 0.9")
    for verb in ("simulate", "statics"):
        with pytest.raises(ModelError, match=r"t_end: '1/T - 0[.]9' has no"):
            getattr(pl.loads(text), verb)(params={"T": 0})
    with pytest.raises(InputError, match="t_end: inf is not finite"):
        system.simulate("1/T", params={"T": 0})


def test_what_reads_no_changed_parameter_is_made_once():
    """Tables of a beam for another length are others, for another load they are the same object."""
    model = pl.System.loads("""
pliant: 1
parameters: {l: 1, P: 2}
bodies:
  rod: {beam: {length: l, stiffness: {EIz: 1}, mass_per_length: 1}, shapes: {bending_y: 2}}
joints: {O: {fixed: {}, between: [ground, rod.root]}}
forces: {load: {force: [0, P, 0], at: rod.tip}}
""").model
    first, loaded, longer, again = (
        Values.of(model, given).tables("rod")
        for given in ({}, {"P": 3}, {"l": 2}, {"P": 4, "l": 2})
    )
    assert loaded is first
    assert longer is not first
    assert again is longer
    assert longer.data.m == pytest.approx(2 * first.data.m)
    assert Values.of(model, {"l": 2, "P": 9}).size == pytest.approx(2)
    assert Values.of(model, {"l": 3}).packed("rod") != pytest.approx(
        Values.of(model, {"l": 2}).packed("rod")
    )
