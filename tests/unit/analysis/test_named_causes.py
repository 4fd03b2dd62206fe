"""A run that ends at a formula without a value names element and formula, whatever it is run by."""

import pytest

import pliant as pl

LINKS = """
pliant: 1
gravity: [0, 0, -9.81]
bodies: {%s}
joints: {%s}
forces: {f: {actuator: "%s", joint: j0}}
simulate: {t_end: 1}
"""


def chain(n, law):
    bodies = (f"b{i}: {{rod: {{length: 1, mass: 1}}, frames: {{e: [1, 0, 0]}}}}" for i in range(n))
    joints = (
        f"j{i}: {{revolute: {{axis: y}}, between: [{f'b{i - 1}.e' if i else 'ground'}, b{i}]}}"
        for i in range(n)
    )
    return pl.System.loads(LINKS % (", ".join(bodies), ", ".join(joints), law))


WAYS = {
    "embedding": (2, {"formulation": "linear-graph", "form": "embedding", "tree": "absolute"}),
    "blocks": (2, {"method": "sparse-alpha"}),
    "tree kernel": (12, {}),
}


@pytest.mark.parametrize("law", ["sqrt(0.05 - t)", "sqrt(0.1 - j0.angle)"])
@pytest.mark.parametrize("way", WAYS)
def test_element_and_formula_are_named(way, law):
    count, how = WAYS[way]
    r = chain(count, law).simulate(**how)
    assert r.info.get("kernel") == ("tree" if way == "tree kernel" else None)
    assert "actuator 'f': square root of -" in r.failure
    assert law in r.failure


def test_a_trial_step_that_leaves_a_formula_keeps_what_was_computed():
    """The effort log(2 - w) holds w below 2 for ever, but steps try beyond."""
    r = chain(2, "log(2 - j0.angle_rate)").simulate()
    assert r.time[-1] > 0.5
    assert not r.failure or "actuator 'f': logarithm of" in r.failure
