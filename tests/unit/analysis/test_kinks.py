"""Laws with kinks against closed forms: steps end where a condition changes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import pliant as pl
from pliant.errors import StepError

METHODS = ("auto", "dop853", "radau")


def slider(force: str, x: float = 0.0, v: float = 0.0) -> pl.System:
    """A mass of 1 kg on a line under a force."""
    return pl.System(
        bodies=[pl.RigidBody("b", 1, inertia=[1, 1, 1])],
        joints=[
            pl.Prismatic(
                "j", "ground", "b", axis="x",
                initial={"displacement": x, "displacement_rate": v},
            )
        ],
        forces=[pl.Actuator("f", "j", effort=force)],
    )  # fmt: skip


def _quarter_of_clipped() -> float:
    """x" = -clip(4x, -1, 1) from x = 1: a parabola to x = 1/4, then a sine to 0."""
    first = np.sqrt(1.5)
    return float(first + np.arctan(0.25 / (0.5 * first)) / 2)


BILINEAR = np.pi / 2 + np.pi / 5
CLIPPED = 4 * _quarter_of_clipped()
LAWS = {
    "abs": ("-4*abs(j.displacement)", 1.0, np.pi / 4 + 0.5, -np.sinh(1.0)),
    "sign": ("-sign(j.displacement)", 0.5, 8.0, 0.5),
    "max and min": (
        "-4*max(j.displacement, 0) - 25*min(j.displacement, 0)", 1.0, 3 * BILINEAR, 1.0,
    ),
    "clip": ("-clip(4*j.displacement, -1, 1)", 1.0, 2 * CLIPPED, 1.0),
    "table": ("-table(j.displacement, [-0.25, 0.25], [-1, 1])", 1.0, 2 * CLIPPED, 1.0),
    "ramp": ("1 - 2*ramp(j.displacement, -0.25, 0.25)", 1.0, 2 * CLIPPED, 1.0),
    "pulse": ("piecewise(t > 0.5 and t < 0.5001, 1e4, 0)", 0.0, 1.5, 1 - 5e-5),
    "mod": ("piecewise(mod(t, 0.2) < 0.1, 1, -1)", 0.0, 2.0, 0.1),
    "floor": ("floor(2*t)", 0.0, 1.0, 0.125),
}  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("law", LAWS)
def test_kinked_law_follows_its_closed_form(law: str, method: str) -> None:
    """To some hundred tolerances, at every tolerance: over up to eight branches."""
    force, start, end, expected = LAWS[law]
    system = slider(force, start)
    for rtol in (1e-4, 1e-6, 1e-9):
        result = system.simulate(t_end=end, method=method, rtol=rtol, every=end / 2)
        assert result.values("j.displacement")[-1] == pytest.approx(expected, abs=100 * rtol)
        assert result.info["statistics"]["switches"] > 0


@pytest.mark.parametrize("method", METHODS)
def test_fifty_targets_of_a_millimetre_are_all_hit(method: str) -> None:
    """A mass passes fifty slabs 1 mm thick, 0.1 m apart: each adds 2 F d to v². Plain steps see
    none of them; the energy is a polynomial of the way, so that it holds to rounding."""
    slab = "piecewise(abs(j.displacement - {:.1f}) < 0.0005, 20, 0)"
    force = " + ".join(slab.format(0.1 * (k + 1)) for k in range(50))
    result = slider(force, v=1.0).simulate(t_end=6, method=method, every=6)
    v = result.values("j.displacement_rate")[-1]
    assert v**2 == pytest.approx(1 + 50 * 2 * 20 * 1e-3, abs=1e-9)
    assert result.info["statistics"]["switches"] >= 100


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "law",
    ["piecewise(j.displacement < 0, 1e5*(-j.displacement)**1.5, 0)",
     "1e5*max(0, -j.displacement)**1.5"],
)  # fmt: skip
def test_hertzian_floor_keeps_the_energy(law: str, method: str) -> None:
    """Both ways of writing it: the power has no value beyond the floor, where steps look."""
    system, errors = slider(f"{law} - 9.81", 0.3), []
    for rtol in (1e-6, 1e-9):
        result = system.simulate(t_end=3, method=method, rtol=rtol, every=0.01)
        x, v = (result.values(f"j.displacement{k}") for k in ("", "_rate"))
        energy = 0.5 * v**2 + 9.81 * x + 0.4 * 1e5 * np.maximum(-x, 0) ** 2.5
        assert x.min() > -0.03
        errors.append(np.abs(energy / (9.81 * 0.3) - 1).max())
    assert errors[0] < 200e-6  # six hits
    assert errors[1] < errors[0] / 50


def test_error_falls_with_the_tolerance() -> None:
    system = slider(*LAWS["max and min"][:2])
    errors = []
    for rtol in (1e-4, 1e-6, 1e-8, 1e-10):
        end = system.simulate(t_end=3 * BILINEAR, method="dop853", rtol=rtol, every=3 * BILINEAR)
        errors.append(abs(float(end.values("j.displacement")[-1]) - 1.0))
    assert all(late < 0.2 * early for early, late in pairwise(errors))


def test_smooth_laws_cost_no_switches() -> None:
    for law in ("-tanh(j.displacement)", "-spline(j.displacement, [-1, 0, 1], [-1, 0, 2])",
                "-sqrt(1 + j.displacement**2)"):  # fmt: skip
        result = slider(law, 0.5).simulate(t_end=3)
        assert result.info["statistics"]["switches"] == 0
        assert not result.warnings


@pytest.mark.parametrize("method", ["auto", "radau"])
def test_dry_friction_sticks_where_it_must(method: str) -> None:
    """x" = -4 x - 0.3 sign(x'): half periods about ±0.075, from 1 over -0.85, 0.7, ... to 0.05,
    where the spring is weaker than friction: it stays, and friction is what the spring asks."""
    system = slider("-4*j.displacement - 0.3*sign(j.displacement_rate)", 1.0)
    for rtol in (1e-6, 1e-9):
        result = system.simulate(t_end=14, method=method, rtol=rtol, every=0.5)
        assert not result.failure
        assert result.values("j.displacement")[-1] == pytest.approx(0.05, abs=20 * rtol)
        assert abs(result.values("j.displacement_rate")[-1]) < rtol
        assert result.values("f.force")[-1] == pytest.approx(0.0, abs=0.015)  # of 0.3
        assert any("changed back at once from both sides" in w for w in result.warnings)
        assert result.info["statistics"]["steps"] < 1000  # the ramp is not left again and again


def test_friction_below_its_limit_holds_from_the_start_and_lets_go_later() -> None:
    """Push t against friction 2: at rest until t = 2, then x = (t - 2)³/6."""
    result = slider("t - 2*sign(j.displacement_rate)").simulate(t_end=4, every=1, method="auto")
    x = result.values("j.displacement")
    assert x[:3] == pytest.approx(0.0, abs=1e-5)
    assert x[-1] == pytest.approx(8 / 6, rel=1e-4)


def test_swings_that_shrink_to_nothing_come_to_an_end() -> None:
    """x" = -sign(x) - 40 x': ever faster swings of ever smaller size; it does not hang or fail."""
    result = slider("-sign(j.displacement) - 40*j.displacement_rate", 0.01).simulate(t_end=3)
    assert not result.failure
    assert result.values("j.displacement")[-1] == pytest.approx(0.0, abs=1e-5)


def test_fixed_steps_say_that_they_do_not_end_at_conditions() -> None:
    system = slider(*LAWS["clip"][:2])
    fixed = system.simulate(t_end=1, method="generalized-alpha", step=1e-3)
    assert any("force 'f'" in w and "does not end steps" in w for w in fixed.warnings)
    assert not system.simulate(t_end=1).warnings


def test_cut_steps_of_a_fixed_size_keep_the_order() -> None:
    """With steps of one size located kinks keep all digits of the method."""
    system = slider(*LAWS["max and min"][:2])
    end = system.simulate(t_end=3 * BILINEAR, method="dop853", step=0.02, every=3 * BILINEAR)
    assert end.values("j.displacement")[-1] == pytest.approx(1.0, abs=1e-11)


def test_chain_with_stops_is_not_stepped_over() -> None:
    """Twelve bodies would go to the kernel of trees, which does not look at conditions."""
    names = [f"b{k}" for k in range(12)]
    system = pl.System(
        bodies=[pl.RigidBody(n, 1, inertia=[1, 1, 1]) for n in names],
        joints=[
            pl.Prismatic(f"j{k}", "ground", n, axis="x",
                         initial={"displacement": 0.2, "displacement_rate": -1.0})
            for k, n in enumerate(names)
        ],
        forces=[
            pl.Actuator(f"f{k}", f"j{k}", effort=f"-1e6*min(j{k}.displacement, 0)")
            for k in range(12)
        ],
    )  # fmt: skip
    result = system.simulate(t_end=0.4, outputs=["j3.displacement"])
    away = 0.4 - 0.2 - np.pi / 1e3
    assert result.values("j3.displacement")[-1] == pytest.approx(away, abs=1e-5)


def test_velocity_that_jumps_is_still_refused() -> None:
    """A driver whose velocity jumps needs an impulse: the run stops there and says whose it is."""
    system = pl.System(
        bodies=[pl.RigidBody("b", 1, inertia=[1, 1, 1])],
        joints=[pl.Prismatic("j", "ground", "b", axis="x")],
        drivers=[pl.JointDriver("d", "j", motion="abs(t - 0.5)")],
    )
    result = system.simulate(t_end=1)
    assert "jumps there" in result.failure
    assert result.time[-1] == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", ["hypot({v}, 0*t)", "sqrt({v}**2 + 0*t)", "({v}**2 + 0*t)**0.5"])
def test_root_of_squares_at_rest_has_a_slope(size: str, method: str) -> None:
    """Quadratic drag from rest: v = 3 tanh(t/3) with g = 1 and c = 1/9."""
    v = "j.displacement_rate"
    system = slider(f"1 - {size.format(v=v)}*{v}/9")
    result = system.simulate(t_end=3, method=method, rtol=1e-8)
    assert result.values(v)[-1] == pytest.approx(3 * np.tanh(1.0), rel=1e-6)


def test_direction_of_no_velocity_is_refused_with_a_reason() -> None:
    v = "j.displacement_rate"
    with pytest.raises(StepError, match=r"actuator .f.: division by zero in j"):
        slider(f"1 - {v}/hypot({v}, 0*t)").simulate(t_end=1)
