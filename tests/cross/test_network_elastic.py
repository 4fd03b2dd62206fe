"""Networks on the elastic coordinates of a body: what holds a shape, stiffens it, moves it."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import ModelError

BEAM = """
pliant: 1
gravity: [0, -9.81, 0]
bodies:
  beam:
    beam: {{length: 2 m, stiffness: {{EA: 2e6, EIy: 100, EIz: 100}}, mass_per_length: 0.5 kg/m}}
    shapes: {{bending_y: {shapes}}}
    rotary_inertia: none
    geometric_stiffness: none
joints: {{hub: {joint}}}
simulate: {{t_end: 0.5, every: 0.05, rtol: 1e-10}}
"""
PIN = "{revolute: {axis: z}, between: [ground, beam.root]}"
CLAMP = "{fixed: {}, between: [ground, beam.root]}"


def beam(elements=None, *, shapes=2, joint=PIN, domain=""):
    model = pl.loads(BEAM.format(shapes=shapes, joint=joint)).model
    own = {"eta": {"elastic": "beam"}} | (elements or {})
    networks = [pl.Network("n", own, domain=domain)] if elements else []
    return pl.System(model, networks=networks)


def test_a_shape_that_is_held_through_a_transformer_is_as_if_it_were_not_there():
    """T η' = 0 picks the second shape (S0 fig. 6-4): the motion of the beam with one shape."""
    elements = {
        "pick": {"TF": [[0, 1]], "from": "eta", "to": "c"}, "c": {"junction": 1},
        "hold": {"Sf": 0, "on": "c"},
    }  # fmt: skip
    held, alone = beam(elements), beam(shapes=1)
    assert held.verify(pointwise=True, states=3).agree
    found, wanted = (s.simulate().require() for s in (held, alone))
    for name in ("hub.angle", "beam.mid.deflection", "beam.tip.position"):
        assert found.values(name) == pytest.approx(wanted.values(name), abs=1e-8)
    free = beam().simulate().require()
    tips = (r.values("beam.tip.position") for r in (free, wanted))
    assert np.abs(np.subtract(*tips)).max() > 1e-4
    assert np.abs(found.values("n.hold.effort")).max() > 0.1


def test_stores_on_an_elastic_coordinate_add_to_its_own():
    """w² = (K + k) / (M + m) of a clamped beam in one shape: three runs give the fourth."""

    def squared(k, m):
        stores = {"k": {"C": {"stiffness": k}, "on": "eta"}, "m": {"I": m, "on": "eta"}}
        system = beam(stores if k or m else None, shapes=1, joint=CLAMP)
        return (2 * np.pi * float(system.modes().frequencies[0])) ** 2

    bare, stiffer, heavier = squared(0, 0), squared(40, 1e-12), squared(1e-12, 0.1)
    M = 40 / (stiffer - bare)
    assert heavier == pytest.approx(bare * M / (M + 0.1), rel=1e-6)
    assert squared(40, 0.1) == pytest.approx((bare * M + 40) / (M + 0.1), rel=1e-6)


def test_damping_on_shapes_takes_what_the_beam_loses():
    elements = {
        "loss": {"R": [0.3, 0.5], "on": "eta"},
        "push": {"Se": ["sin(9*t)", 0], "on": "eta"},
    }
    system = beam(elements)
    assert system.verify(pointwise=True, states=3).agree
    result = system.simulate().require()
    audit = system.power_audit(result)
    assert abs(audit.residual) < 1e-7 * audit.turnover
    assert result.values("n.loss.work")[-1] > 1e-3


@pytest.mark.parametrize(
    ("name", "words"),
    [("beam2", "elastic: no body 'beam2'; did you mean 'beam'"),
     ("rod", "elastic: 'rod' has no elastic coordinates; name a beam of modal theory")],
)  # fmt: skip
def test_a_body_without_elastic_coordinates_is_refused(name, words):
    model = pl.loads(BEAM.format(shapes=1, joint=CLAMP)).model
    elements = {"eta": {"elastic": name}, "r": {"R": 1, "on": "eta"}}
    with pytest.raises(ModelError, match=words):
        pl.System(model, bodies=[*model.bodies.values(), pl.RigidBody.rod("rod", 1, mass=1)],
                  networks=[pl.Network("n", elements)])  # fmt: skip
