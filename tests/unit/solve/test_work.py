"""Work where steps are longer than what the power does in them."""

import numpy as np
import pytest

import pliant as pl
from pliant.solve.motion.work import work_in

DRIVEN = """
pliant: 1
gravity: [0, -9.81, 0]
bodies:
  a: {rod: {length: 1, mass: 1}}
%s
joints:
  O: {revolute: {axis: z}, between: [ground, a]}
%s
drivers: {d: {joint: O, angle: "%g*t"}}
simulate: {t_end: 10, every: 1}
"""
BESIDE = ("  b: {rod: {length: 2, mass: 1}}",
          "  P: {revolute: {axis: z}, between: [ground, b], initial: {angle: -1}}")  # fmt: skip


@pytest.mark.parametrize("formulation", ["recursive", "linear-graph", "kane", "natural"])
@pytest.mark.parametrize("beside", [("", ""), BESIDE], ids=["alone", "beside a pendulum"])
@pytest.mark.parametrize("speed", [10, 20, 100])
def test_a_rod_that_is_turned_costs_what_it_is_lifted(speed, beside, formulation):
    """W = m g l/2 sin(w t): at constant speed nothing else is stored. It is driven exactly in steps
    of any length."""
    system = pl.System.loads(DRIVEN % (*beside, speed))
    result = system.simulate(formulation=formulation)
    exact = 9.81 / 2 * np.sin(speed * result.time)
    assert np.abs(result.values("d.work") - exact).max() < 1e-5 * 9.81 / 2 * np.sqrt(speed)
    assert result.info["energy"].holds, str(result.info["energy"])
    assert not result.warnings


def test_an_integral_is_resolved_where_it_needs_to_be():
    start, length = np.array([0.0, 1.0, 2.0]), np.array([1.0, 1.0, 1.0])
    asked = []

    def powers(t):
        asked.append(len(t))
        return np.stack([np.where(t < 1, np.cos(0.3 * t), np.cos(200 * t)), 1 + 0 * t], axis=1)

    found = work_in(powers, start, length, 1e-8)
    ends = start + length
    fast = (np.sin(200 * ends) - np.sin(200 * start)) / 200
    exact = np.where(ends <= 1, np.sin(0.3 * ends) / 0.3, fast)
    assert np.abs(found[:, 0] - exact).max() < 1e-9
    assert np.abs(found[:, 1] - 1).max() < 1e-15
    assert asked[0] == 3 * 5
    assert asked[1:3] == [2 * 8, 2 * 6]  # not where the power is smooth


def test_a_jump_and_powers_of_rounding_cost_little():
    """A power that jumps is cut at the jump alone; one that is zero but for rounding is not."""
    start, length = np.linspace(0.0, 0.9, 10), np.full(10, 0.1)
    asked = []

    def powers(t):
        asked.append(len(t))
        rounding = 1e-16 * np.sin(1e17 * t)
        return np.stack([np.floor(t + 0.44), rounding], axis=1)

    found = work_in(powers, start, length, 1e-8)
    alone = work_in(lambda t: powers(t)[:, 1:], start, length, 1e-8)
    assert np.abs(alone).max() < 1e-16
    exact = np.where(start > 0.55, 0.1, 0.0)
    exact[5] = 0.6 - (1 - 0.44)
    assert np.abs(found[:, 0] - exact).max() < 1e-9
    assert sum(asked) < 10 * 5 + 6 + 8 + 36 * 16 + 10 * (5 + 6 + 8)
