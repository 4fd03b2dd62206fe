"""Modal beams beyond small deformation say so, whatever is computed of them."""

import pytest

import pliant as pl

OUTPUTS = ["beam.tip.position"]
WARNS = {
    "statics": lambda s: s.statics(outputs=OUTPUTS),
    "load steps": lambda s: s.statics(load_steps=2, outputs=OUTPUTS),
    "sparse statics": lambda s: s.statics(method="sparse", outputs=OUTPUTS),
    "path": lambda s: s.statics(path="arc-length", outputs=OUTPUTS),
    "modes about equilibrium": lambda s: s.modes(at="equilibrium"),
    "run from equilibrium": lambda s: s.simulate(1e-3, start="equilibrium", outputs=OUTPUTS),
    "run": lambda s: s.simulate(0.1, outputs=OUTPUTS),
    "run over blocks": lambda s: s.simulate(0.1, method="sparse-alpha", outputs=OUTPUTS),
    "conserving run": lambda s: s.simulate(
        0.1, method="sparse-conserving", step=2e-3, outputs=OUTPUTS
    ),
}


@pytest.fixture(scope="module")
def bent():
    beam = pl.Beam(
        "beam", 0.5, stiffness={"EIz": 2.0}, mass_per_length=0.1, shapes={"bending_y": 1}
    )
    clamp = pl.Fixed("clamp", "ground", "beam.root")
    load = pl.Force("load", "beam.tip", [0, "P", 0])
    return pl.System(parameters={"P": 13.0}, bodies=[beam], joints=[clamp], forces=[load])


@pytest.mark.parametrize("analysis", WARNS)
def test_large_sections_turn_is_said_once(bent, analysis):
    warnings = WARNS[analysis](bent).warnings
    (said,) = [text for text in warnings if "in the floating frame, more than 0.3" in text]
    assert said.startswith("beam: a section turns by ")


def test_small_deformation_is_not_worth_a_word(bent):
    assert bent.statics(params={"P": 1.0}, outputs=OUTPUTS).warnings == ()
    assert bent.statics(params={"P": 1.0}, outputs=OUTPUTS, method="sparse").warnings == ()


def test_the_load_factor_may_be_asked_for(bent):
    for way in ({}, {"method": "sparse"}, {"load_steps": 2}, {"path": "arc-length"}):
        found = bent.statics(outputs=["load_factor"], params={"P": 1.0}, **way)
        assert found.values("load_factor")[-1] == 1
