"""Which back end runs a motion, and why not another: what is said is what happens."""

import pytest
from tests.models.chains import revolute_chain

import pliant as pl
from pliant.backends.choice import Choice
from pliant.backends.choose import BLOCKS, EXPRESSIONS, TREE, chosen_back_end
from pliant.backends.request import Request, settled

CABLE = """
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  rod:
    beam: {length: 1, stiffness: {EA: 1e4, EIy: 1, EIz: 1, GJ: 1, GAy: 1e4, GAz: 1e4},
           mass_per_length: 1, rotary: {rhoIy: 1e-3, rhoIz: 1e-3}}
    theory: {exact: {elements: 24, order: 1}}
    damping: {stiffness: 0.01}
    rotary_inertia: full
joints: {O: {fixed: {}, between: [ground, rod.root]}}
simulate: {t_end: 1e-3, every: 1e-3}
"""


def of(system, method="auto", **more):
    return chosen_back_end(system, settled(system, Request(free=True, method=method, **more)))


def ran(result):
    """By what it tells of itself."""
    if result.info["formulation"] == "blocks":
        return BLOCKS
    return TREE if result.info.get("kernel") == "tree" else EXPRESSIONS


@pytest.mark.parametrize(
    ("how", "name", "reason"),
    [
        ({}, TREE, ""),
        ({"constraints": "baumgarte"}, EXPRESSIONS, "treatment of constraints was named"),
        ({"choice": Choice("kane")}, EXPRESSIONS, "formulation, tree or form was named"),
        ({"treatment_options": {"a": 1.0}}, EXPRESSIONS, "treatment of constraints was named"),
        ({"start": "equilibrium"}, EXPRESSIONS, "cannot begin in equilibrium"),
        ({"method": "sparse-alpha"}, BLOCKS, ""),
    ],
)
def test_a_tree(how, name, reason):
    chosen = of(revolute_chain(12), **how)
    assert chosen.name == name
    assert reason in chosen.against.get(TREE, "")


def test_few_bodies_and_named_methods():
    assert "up to 10 bodies" in of(revolute_chain(10)).against[TREE]
    assert of(pl.System.loads(CABLE), method="radau").name == EXPRESSIONS


def test_what_check_says_is_what_runs():
    for system in (revolute_chain(12), revolute_chain(3), pl.System.loads(CABLE)):
        chosen = of(system)
        assert f"runs as: {chosen.name}" in str(system.check())
        assert ran(system.simulate(1e-3)) == chosen.name
    with_event = CABLE + "events: {low: {when: rod.tip.%s.z + 0.1}}\n"
    for what in ("position", "own_velocity"):
        assert of(pl.System.loads(with_event % what)).name == BLOCKS
