"""Which model do I need? Advice against closed forms and certified references."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import pliant as pl
from pliant.analysis.advice.bodies import ELASTICA
from pliant.cli import main
from pliant.errors import InputError
from pliant.formulations import FORMULATIONS

CANTILEVER = """
pliant: 1
name: cantilever
parameters: {part: 0.01}
bodies:
  beam:
    beam: {length: 1, stiffness: {EIz: 1}, mass_per_length: 1}
    shapes: {bending_y: 2}
    rotary_inertia: none
    damping: {stiffness: 0.1}
joints:
  clamp: {fixed: {}, between: [ground, beam.root]}
forces:  # its end would go to y = part by linear theory
  load: {force: [0, "3*part*sin(pi/2*min(t/10, 1))", 0], at: beam.tip}
simulate: {t_end: 15}
"""
SPIN = """
pliant: 1
name: spin-up (B3)
parameters: {ws: 2, Ts: 15}
bodies:
  beam:
    beam: {length: 10, stiffness: {EIz: 1.4e4}, mass_per_length: 1.2}
    shapes: {bending_y: 2}
    rotary_inertia: none
    geometric_stiffness: none
joints:
  hub: {revolute: {axis: z}, between: [ground, beam.root]}
drivers:
  spin: {joint: hub, angle: "ws/Ts*(t**2/2 + (Ts/(2*pi))**2*(cos(2*pi*t/Ts) - 1))"}
simulate: {t_end: 15, method: dop853}
"""
COLUMN = """
pliant: 1
name: pinned column
parameters: {P: 5}
bodies:
  column:
    beam: {length: 1, stiffness: {EIz: 1}, mass_per_length: 0.01}
    shapes: {bending_y: {pinned-pinned: 2}}
    floating_frame: chord
    rotary_inertia: none
    initial: {elastic: {v1: 1e-4}}
  head: {rigid: {mass: 0.01}}
joints:
  foot: {revolute: {axis: z}, between: [ground, column.root]}
  pin: {revolute: {axis: z}, between: [column.tip, head]}
  guide: {prismatic: {axis: x}, between: [ground, head], guess: {displacement: 1}}
forces:
  load: {force: [-P, 0, 0], at: head}
simulate: {t_end: 0.1, method: dop853}
"""


def quick(text, tolerance=0.01, **params):
    return pl.System.loads(text).advise(tolerance, params=params, counts=False, cost=False)


def too_soft(load):
    """By how much linear theory bends a cantilever under an end load P l²/EI more than the
    elastica: l = ∫ ds and y = ∫ sin θ ds with ds = dθ / sqrt(2 P (sin θ_0 - sin θ))."""

    def integral(turn, of):
        def rate(u):
            theta = turn - u * u
            return 2 * u * of(theta) / np.sqrt(np.sin(turn) - np.sin(theta))

        return quad(rate, 0, np.sqrt(turn))[0] / np.sqrt(2)

    turn = brentq(lambda th: integral(th, lambda _: 1.0) ** 2 - load, 1e-3, 1.5)
    return load / 3 / (integral(turn, np.sin) / integral(turn, lambda _: 1.0)) - 1


@pytest.mark.parametrize(
    ("part", "tolerance", "suffices"), [(0.01, 0.01, True), (0.1, 0.005, False), (0.5, 0.01, False)]
)
def test_deflection_of_a_cantilever(part, tolerance, suffices):
    """The estimated error is that of linear theory against the elastica: 1 % at a tenth."""
    beam = quick(CANTILEVER, tolerance, part=part)["beam"]
    assert beam.suffices is suffices
    assert beam.deflection == pytest.approx(part, rel=0.03)  # two shapes, an end load
    bending = next(c for c in beam.criteria if c.name == "bending")
    assert bending.error == pytest.approx(too_soft(3 * part), rel=0.3)


def test_ten_percent_suffice_for_two_percent():
    assert too_soft(0.3) < 0.02
    assert quick(CANTILEVER, 0.02, part=0.1)["beam"].suffices


def test_the_factor_is_that_of_the_elastica():
    assert too_soft(0.02) / 0.01**2 == pytest.approx(ELASTICA, rel=1e-3)


def test_slow_spin_needs_no_geometric_stiffness():
    """0.2 rad/s are 5 % of its first bending frequency, 3.798 rad/s (B3)."""
    beam = quick(SPIN, ws=0.2)["beam"]
    assert beam.spin == pytest.approx(0.2 / 3.79773054, rel=1e-3)
    assert beam.recommendation == "linear modes suffice"


@pytest.mark.parametrize("ws", [2, 6])
def test_fast_spin_needs_geometric_stiffness_and_no_more(ws):
    """B3: without it 11 % off at 2 rad/s and diverging at 6 rad/s; with it within 0.1 %."""
    beam = quick(SPIN, ws=ws)["beam"]
    assert beam.needs_second_order
    assert beam.suffices
    stiff = quick(SPIN.replace("geometric_stiffness: none", ""), ws=ws)["beam"]
    assert stiff.recommendation == "linear modes suffice"


@pytest.mark.parametrize("part", [0.5, 0.97])
def test_margin_of_a_column(part):
    """1 - P/(π² EI/l²); two functions give the load of Euler exactly."""
    column = quick(COLUMN, P=part * np.pi**2)["column"]
    assert column.margin == pytest.approx(1 - part, abs=2e-3)


def test_a_column_near_its_buckling_load_leaves_modes():
    """Bent by 0.1 rad the next term of the post-buckled column, θ²/8, is as large as the margin."""
    bent = COLUMN.replace("v1: 1e-4", "v1: 0.03")
    assert not quick(bent, P=0.97 * np.pi**2)["column"].suffices
    assert quick(COLUMN, P=0.5 * np.pi**2)["column"].suffices


def test_counts_are_measured():
    """Bending by an end load that grows slowly: errors fall as functions are added, that of the
    first is 3 Σ 4/β⁴ from the second to the sixth, 0.0291, and some vibration."""
    free = CANTILEVER.replace("    damping: {stiffness: 0.1}\n", "")
    free = free.replace("t_end: 15}", "t_end: 5, method: dop853}")
    advice = pl.System.loads(free).advise(0.01, cost=False)
    shapes, segments = advice.counts["beam"]
    errors = list(shapes.errors.values())
    assert errors[0] > errors[1] > errors[2]
    assert errors[0] == pytest.approx(0.0291, rel=0.3)
    assert shapes.needed == next(n for n, e in shapes.errors.items() if e <= 0.01)
    assert not segments.failure
    assert 2 <= segments.needed <= 40
    assert segments.how.endswith(tuple(f"order {p / 10:.1f}" for p in range(15, 21)))
    assert "not judged: buckling sideways" in str(advice)


def test_costs_of_all_formulations():
    advice = pl.System.loads(CANTILEVER).advise(counts=False, t_end=1.0)
    assert {c.formulation for c in advice.costs} == set(FORMULATIONS)
    assert advice.cheapest.per_second == min(c.per_second for c in advice.costs if not c.declined)
    assert all(c.operations > 0 for c in advice.costs if not c.declined)
    assert "cheapest here" in str(advice)


def test_crank_rocker():
    """A coupler that bends by a hundredth of its length at a seventh of its buckling load."""
    system = pl.load(Path(__file__).parents[2] / "examples" / "crank_rocker.yaml")
    coupler = system.advise(counts=False, cost=False, t_end=0.5)["coupler"]
    assert coupler.recommendation == "linear modes suffice"
    assert 0.5 < coupler.margin < 1


def test_the_command(tmp_path, capsys):
    model = tmp_path / "beam.yaml"
    model.write_text(CANTILEVER, encoding="utf-8")
    assert main(["advise", str(model), "--quick", "--set", "part=0.5"]) == 0
    assert "modes do not suffice" in capsys.readouterr().out
    assert main(["advise", str(model), "--tolerance", "2"]) == 2


def test_a_tolerance_is_a_part():
    with pytest.raises(InputError, match="between 0 and 1"):
        pl.System.loads(CANTILEVER).advise(0.0)
