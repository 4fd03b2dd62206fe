"""Algebraic loops of networks that are not solved in place: their unknowns ride in every solver."""

import math

import numpy as np
import pytest
from tests.models.agreement import of_formulations

import pliant as pl
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import derive
from pliant.cli.main import main
from pliant.errors import AssemblyError, ModelError

FORMULATIONS = ("recursive", "linear-graph", "multibond", "natural")
RTOL = 1e-10


def run(system, t_end, **options):
    how = {"every": t_end / 40, "rtol": RTOL, "atol": 1e-12, "method": "dop853", **options}
    return system.simulate(t_end, **how).require()


def bisected(law, low, high):
    """The root of a rising function between bounds, entry by entry, to the last digit."""
    low, high = np.broadcast_arrays(np.asarray(low, float), np.asarray(high, float))
    low, high = low.copy(), high.copy()
    for _ in range(200):
        middle = (low + high) / 2
        above = law(middle) > 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return (low + high) / 2


def circuit(elements, bonds="", parameters="{}"):
    lines = "".join(f"\n      {line}" for line in elements)
    return (
        "pliant: 1\nname: circuit\nnetworks:\n  n:\n    domain: electrical\n"
        f"    parameters: {parameters}\n    elements:{lines}\n    bonds: {{{bonds}}}\n"
    )


TWO = circuit([
    "mesh: {junction: 1}",
    "source: {Se: 5*sin(3*t) + 1, on: mesh}",
    "lamp: {R: {effort: 2*f + 0.7*f**3}, on: mesh}",
    "wire: {R: {effort: 1.5*f + 0.3*f*abs(f)}, on: mesh}",
])  # fmt: skip


def two_in_series(f):
    return 2 * f + 0.7 * f**3 + 1.5 * f + 0.3 * f * np.abs(f)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("method", ["dop853", "radau", "generalized-alpha"])
def test_two_resistances_in_series_share_the_current_of_their_laws(formulation, method):
    """V(t) = e1(f) + e2(f): no state at all, so f is exact whatever the steps are."""
    step = {"step": 0.01} if method == "generalized-alpha" else {}
    result = run(pl.System.loads(TWO), 2.0, formulation=formulation, method=method, **step)
    V = 5 * np.sin(3 * result.time) + 1
    f = bisected(lambda f: two_in_series(f) - V, -10, 10)
    assert np.abs(result.values("n.lamp.flow") - f).max() < 1e-9
    assert np.abs(result.values("n.wire.effort") - (1.5 * f + 0.3 * f * np.abs(f))).max() < 1e-9
    assert np.abs(result.values("n.source.power") - V * f).max() < 1e-8


DIODES = circuit([
    "a: {junction: 0}", "plus: {junction: 0}", "minus: {junction: 0}",
    "source: {Se: 12*sin(300*t), on: a}",
    "d1: {junction: 1}", "ap: {R: {flow: Is*(exp(e/vt) - 1)}, on: d1}",
    "d2: {junction: 1}", "ma: {R: {flow: Is*(exp(e/vt) - 1)}, on: d2}",
    "bp: {R: {flow: -Is*(exp(-e/vt) - 1)}, on: plus}",
    "mb: {R: {flow: Is*(exp(e/vt) - 1)}, on: minus}",
    "out: {junction: 1}", "load: {R: 50, on: out}",
], "a1: {from: a, to: d1}, a2: {from: d1, to: plus}, a3: {from: minus, to: d2}, "
   "a4: {from: d2, to: a}, a5: {from: plus, to: out}, a6: {from: out, to: minus}",
   "{Is: 1e-9, vt: 0.05}")  # fmt: skip


@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
def test_diode_bridge_rectifies(formulation):
    """By symmetry Is (exp((V - U)/2vt) - 1) + Is (exp(-(V + U)/2vt) - 1) = U/R of the load."""
    result = run(pl.System.loads(DIODES), 0.04, formulation=formulation, rtol=1e-8)
    V = 12 * np.sin(300 * result.time)

    def left_over(U):
        with np.errstate(over="ignore"):
            given = np.exp((V - U) / 0.1) - 1 + np.exp(-(V + U) / 0.1) - 1
        return U / 50 - 1e-9 * given

    U = bisected(left_over, -1.0, np.abs(V))
    assert U.max() > 10
    assert np.abs(result.values("n.load.effort") - U).max() < 1e-8


RECTIFIER = circuit([
    "mesh: {junction: 1}", "source: {Se: 10*sin(314*t), on: mesh}", "line: {R: 5, on: mesh}",
    "diode: {R: {flow: 1e-9*(exp(e/0.05) - 1)}, on: mesh}",
    "out: {junction: 0}", "plates: {C: 1e-4, on: out}", "load: {R: 100, on: out}",
], "b: {from: mesh, to: out}")  # fmt: skip


def series_current(V):
    """f of 5 f + e(f) = V, by the voltage e of the diode."""
    low, high = min(V, 0.0), max(V, 0.0)
    for _ in range(60):
        e = (low + high) / 2
        low, high = (low, e) if 5e-9 * math.expm1(e / 0.05) + e > V else (e, high)
    return (V - low) / 5 if V > 0 else 1e-9 * math.expm1(low / 0.05)


def rectified(t_end, n):
    """C v' = f(V - v) - v/R, f the current of diode and line in series; classical Runge-Kutta."""

    def rate(t, v):
        return (series_current(10 * math.sin(314 * t) - v) - v / 100) / 1e-4

    t, v, h = 0.0, 0.0, t_end / n
    for _ in range(n):
        k1 = rate(t, v)
        k2 = rate(t + h / 2, v + h / 2 * k1)
        k3 = rate(t + h / 2, v + h / 2 * k2)
        k4 = rate(t + h, v + h * k3)
        t, v = t + h, v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return v


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_capacitor_is_charged_through_a_diode(method):
    result = run(pl.System.loads(RECTIFIER), 0.006, method=method, rtol=1e-9)
    assert result.values("n.plates.effort")[-1] == pytest.approx(rectified(0.006, 600), rel=1e-6)


def lattice(n):
    """Nodes joined with each other, with the ground and with a source: n unknowns."""
    elements, bonds = ["start: {junction: 0}", "source: {Se: 10*cos(t), on: start}"], []
    for k in range(n):
        elements += [f"n{k}: {{junction: 0}}", f"g{k}: {{R: {1 + k}, on: n{k}}}"]
        elements += [f"s{k}: {{junction: 1}}", f"q{k}: {{R: {2 + k}, on: s{k}}}"]
        bonds += [f"c{k}: {{from: start, to: s{k}}}", f"d{k}: {{from: s{k}, to: n{k}}}"]
        for j in range(k):
            m, R = f"m{j}{k}", 1 + j + 2 * k
            elements += [f"{m}: {{junction: 1}}", f"r{j}{k}: {{R: {R}, on: {m}}}"]
            bonds += [f"a{m}: {{from: n{j}, to: {m}}}", f"b{m}: {{from: {m}, to: n{k}}}"]
    return circuit(elements, ", ".join(bonds))


@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
def test_linear_loops_of_many_unknowns_are_solved_numerically(formulation):
    n, system = 6, pl.System.loads(lattice(6))
    assert derive(system, Choice(formulation)).layout.loops == n
    result = run(system, 1.0, formulation=formulation)
    G, b = np.diag([1 / (1 + k) + 1 / (2 + k) for k in range(n)]), 1 / (2.0 + np.arange(n))
    for k in range(n):
        for j in range(k):
            pair = np.zeros(n)
            pair[[j, k]] = 1, -1
            G += np.outer(pair, pair) / (1 + j + 2 * k)
    expected = np.outer(np.linalg.solve(G, b), 10 * np.cos(result.time))
    found = np.array([result.values(f"n.g{k}.effort") for k in range(n)])
    assert np.abs(found - expected).max() < 1e-10


MOTOR = """
pliant: 1
name: pendulum on a motor
gravity: [0, -9.81, 0]
parameters: {V: 12, w: 2, L: 0.01}
bodies:
  arm: {rigid: {mass: 0.5, inertia: [0.01, 0.01, 0.01], com: [0.3, 0, 0]}}
joints:
  O: {revolute: {axis: z}, between: [ground, arm], initial: {angle: 0.2}}
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: V*cos(w*t), on: mesh}
      winding: {R: {effort: 0.8*f + 0.05*f**3}, on: mesh}
      brush: {R: {effort: 1.2*tanh(2*f)}, on: mesh}
      k: {GY: 0.4, from: mesh, to: shaft}
      shaft: {joint: O, coordinate: angle}
      rotor: {I: 0.002, on: shaft}
events: {weak: {when: drive.winding.flow - 2}}
"""
WITH_COIL = MOTOR.replace("      k: {GY", "      coil: {I: L, on: mesh}\n      k: {GY")


def test_motor_with_a_loop_is_the_limit_of_one_with_a_small_coil():
    """The current lags by L/R: the difference is O(L)."""
    loop = run(pl.System.loads(MOTOR), 1.0, formulation="multibond")
    coil, gaps = pl.System.loads(WITH_COIL), []
    for L in (1e-4, 1e-5):
        lagging = run(coil, 1.0, method="radau", params={"L": L})
        gaps.append(np.abs(lagging.values("O.angle") - loop.values("O.angle")).max())
    assert gaps[1] < 1e-3
    assert np.log10(gaps[0] / gaps[1]) == pytest.approx(1.0, abs=0.02)


def test_runs_of_all_formulations_agree_with_a_loop_on_a_joint():
    system = pl.System.loads(MOTOR)
    first = run(system, 1.0)
    for formulation in FORMULATIONS[1:]:
        for method in ("dop853", "radau"):
            result = run(system, 1.0, formulation=formulation, method=method)
            for name in ("O.angle", "drive.winding.flow", "drive.brush.effort"):
                assert result.values(name) == pytest.approx(first.values(name), rel=1e-6, abs=1e-7)
            assert [e.name for e in result.events] == [e.name for e in first.events]
            assert result.events[0].time == pytest.approx(first.events[0].time, abs=1e-7)


FOUR_BAR = """
pliant: 1
name: four-bar with a motor and a voice coil
gravity: [0, -9.81, 0]
ground: {frames: {B: [0.5, 0, 0]}}
bodies:
  crank: {rigid: {mass: 1, com: [0.1, 0, 0], inertia: [0.001, 0.01, 0.01]},
          frames: {tip: [0.2, 0, 0]}}
  coupler: {rigid: {mass: 1, com: [0.25, 0, 0], inertia: [0.001, 0.03, 0.03]},
            frames: {mid: [0.25, 0.05, 0], tip: [0.5, 0, 0]}}
  rocker: {rigid: {mass: 1, com: [0.2, 0, 0], inertia: [0.001, 0.02, 0.02]},
           frames: {tip: [0.4, 0, 0]}}
joints:
  A: {revolute: {axis: z}, between: [ground, crank], initial: {angle: 1.0, angle_rate: 2}}
  C: {revolute: {axis: z}, between: [crank.tip, coupler]}
  D: {revolute: {axis: z}, between: [coupler.tip, rocker.tip]}
  B: {revolute: {axis: z}, between: [ground.B, rocker], guess: {angle: 1.5}}
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: 6, on: mesh}
      winding: {R: {effort: 0.8*f + 0.05*f**3}, on: mesh}
      brush: {R: {effort: 1.2*tanh(2*f)}, on: mesh}
      k: {GY: 0.4, from: mesh, to: shaft}
      shaft: {joint: B, coordinate: angle}
  voice:
    domain: electrical
    elements:
      pin: {frame: coupler.mid, direction: [0.6, 0.8, 0]}
      bl: {GY: 3, from: pin, to: mesh}
      mesh: {junction: 1}
      coil: {R: {effort: 2*f + f**3}, on: mesh}
      lamp: {R: {effort: 3*f*(1 + abs(f))}, on: mesh}
"""


THROTTLES = """
networks:
  press:
    domain: hydraulic
    elements:
      pin: {frame: rocker.tip, direction: [1, 0, 0]}
      piston: {TF: 2e-3, from: pin, to: line}
      line: {junction: 1}
      supply: {Se: 2e6, on: line}
      one: {R: {effort: 2e12*f*abs(f) + 1e8*f}, on: line}
      split: {junction: 0}
      two: {R: {flow: 3e-8*e/sqrt(abs(e) + 100)}, on: split}
      three: {R: {flow: 1e-11*e + 1e-8*e/sqrt(abs(e) + 1e4)}, on: split}
    bonds: {b: {from: line, to: split}}
"""
HYDRAULIC = FOUR_BAR[: FOUR_BAR.index("networks:")].rstrip("\n") + THROTTLES


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_pressures_in_a_loop_leave_the_joints_closed(method):
    """Megapascals beside radians per second: what holds one must not loosen the other."""
    system = pl.System.loads(HYDRAULIC)
    results = [run(system, 0.3, formulation=f, method=method) for f in ("recursive", "multibond")]
    first, other = results
    for name in ("A.angle", "press.three.effort", "press.one.flow"):
        a, b = first.values(name), other.values(name)
        assert np.abs(a - b).max() < 1e-6 * np.abs(a).max()
    Q, p = first.values("press.one.flow"), first.values("press.three.effort")
    passed = 3e-8 * p / np.sqrt(abs(p) + 100) + 1e-11 * p + 1e-8 * p / np.sqrt(abs(p) + 1e4)
    assert np.abs(passed - Q).max() < 1e-10 * np.abs(Q).max()
    gap = first.values("coupler.tip.position") - first.values("rocker.tip.position")
    assert np.abs(gap).max() < 1e-10


RESISTANCES = ("drive.winding", "drive.brush", "voice.coil", "voice.lamp")


@pytest.mark.parametrize("text", [TWO, RECTIFIER, MOTOR, FOUR_BAR, HYDRAULIC])
def test_formulations_agree_on_networks_with_loops(text):
    report = pl.System.loads(text).verify(pointwise=True, states=5)
    assert report.agree, str(report)
    assert not any(v.declined for v in of_formulations(report.verdicts))


@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
def test_power_is_balanced_with_loops(formulation):
    result = run(pl.System.loads(FOUR_BAR), 0.5, formulation=formulation)
    audit = result.power_audit()
    supplied = result.values("drive.supply.work")[-1]
    assert audit.supplied == pytest.approx(supplied, rel=1e-7)
    lost = sum(result.values(f"{n}.work")[-1] for n in RESISTANCES)
    assert audit.dissipated == pytest.approx(lost, rel=1e-7)
    assert audit.junction_residual < 1e-10
    assert audit.agreement < 1e-10
    assert abs(audit.residual) < 1e-7 * audit.turnover


def test_a_run_with_a_loop_goes_on_where_it_ended():
    system = pl.System.loads(MOTOR)
    whole, first = run(system, 0.8), run(system, 0.4)
    second = run(system, 0.8, start=first, formulation="multibond")
    for name in ("O.angle", "drive.winding.flow"):
        assert second.values(name)[-1] == pytest.approx(whole.values(name)[-1], rel=1e-7)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_statics_solve_for_the_loop(formulation):
    """The stalled motor: V = e1(f) + e2(f), and its torque k f carries the arm."""
    result = pl.System.loads(MOTOR).statics(formulation=formulation, params={"V": 3})
    f = bisected(lambda f: 0.8 * f + 0.05 * f**3 + 1.2 * np.tanh(2 * f) - 3, 0.0, 4.0)
    assert result.values("drive.winding.flow")[0] == pytest.approx(float(f), rel=1e-12)
    torque = 0.5 * 9.81 * 0.3 * np.cos(result.values("O.angle")[0])
    assert torque == pytest.approx(0.4 * float(f), rel=1e-10)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_modes_see_the_slope_of_the_loop(formulation):
    """J s² + k²/R s - m g l sin a = 0 with R = dV/df of both laws."""
    system, how = pl.System.loads(MOTOR), {"params": {"V": 3}, "formulation": formulation}
    rest = system.statics(**how)
    f, a = rest.values("drive.winding.flow")[0], rest.values("O.angle")[0]
    R = 0.8 + 0.15 * f**2 + 2.4 / np.cosh(2 * f) ** 2
    J = 0.01 + 0.5 * 0.09 + 0.002
    s = np.roots([J, 0.16 / R, -0.5 * 9.81 * 0.3 * np.sin(a)])
    found = system.modes(at="equilibrium", **how).eigenvalues
    assert found == pytest.approx([s[s.imag > 0][0]], rel=1e-9)


@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
def test_a_motion_starts_in_equilibrium_with_its_loop(formulation):
    text = MOTOR.replace("w: 2", "w: 0").replace("V: 12", "V: 3")
    result = run(pl.System.loads(text), 0.5, formulation=formulation, start="equilibrium")
    assert np.ptp(result.values("O.angle")) < 1e-9


def test_a_slope_that_vanishes_at_zero_is_no_obstacle():
    text = TWO.replace("2*f + 0.7*f**3", "f**3").replace("1.5*f + 0.3*f*abs(f)", "f**5")
    f = bisected(lambda f: f**3 + f**5 - 1, 0.0, 2.0)
    result = run(pl.System.loads(text.replace("5*sin(3*t) + 1", "1 + t")), 0.1)
    assert result.values("n.lamp.flow")[0] == pytest.approx(float(f), rel=1e-12)


def test_an_exponential_that_overflows_at_zero_is_no_obstacle():
    text = RECTIFIER.replace("10*sin(314*t)", "230").replace("0.05", "0.026")
    result = run(pl.System.loads(text), 1e-6)
    f = bisected(lambda f: 5 * f + 0.026 * np.log1p(f / 1e-9) - 230, 0.0, 50.0)
    assert result.values("n.diode.flow")[0] == pytest.approx(float(f), rel=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_laws_that_cannot_be_met_are_named(formulation):
    text = TWO.replace("2*f + 0.7*f**3", "tanh(f)").replace("1.5*f + 0.3*f*abs(f)", "tanh(2*f)")
    text = text.replace("5*sin(3*t) + 1", "5")
    with pytest.raises(AssemblyError, match=r"algebraic loop of 'n\.(lamp|wire)': no efforts and"):
        pl.System.loads(text).simulate(1.0, formulation=formulation)


# --- strokes and what they mean

STORES = circuit([
    "mesh: {junction: 1}", "source: {Se: 3*sin(40*t), on: mesh}",
    "one: {I: 0.3, on: mesh}", "two: {I: 0.2, on: mesh}", "loss: {R: 2, on: mesh}",
    "node: {junction: 0}", "first: {C: 0.01, on: node}", "second: {C: 0.03, on: node}",
], "b: {from: mesh, to: node}")  # fmt: skip


def forced(text, *strokes):
    for name, end in strokes:
        kept, _, rest = text.partition(f" {name}: {{")
        text = f"{kept} {name}: {{stroke: {end}, {rest}"
    return text


@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
def test_a_forced_stroke_says_which_store_is_dependent(formulation):
    """Other coils and plates carry the states; the motion is the same."""
    other = forced(STORES, ("two", "element"), ("second", "junction"))
    plain, chosen = pl.System.loads(STORES), pl.System.loads(other)
    states = [[s.name for s in derive(s, Choice(formulation)).layout.x] for s in (plain, chosen)]
    assert states[0] == ["n.one.flow", "n.first.effort"]
    assert states[1] == ["n.two.flow", "n.second.effort"]
    results = [run(s, 0.5, formulation=formulation) for s in (plain, chosen)]
    for name in ("n.one.flow", "n.two.effort", "n.first.effort", "n.second.flow"):
        a, b = (r.values(name) for r in results)
        assert np.abs(a - b).max() < 1e-7 * np.abs(a).max()


@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
def test_a_forced_stroke_says_which_unknown_a_loop_is_solved_for(formulation):
    both = [pl.System.loads(forced(TWO, (name, "element"))) for name in ("lamp", "wire")]
    unknowns = [[s.name for s in derive(s, Choice(formulation)).layout.u] for s in both]
    assert unknowns[0] != unknowns[1]
    a, b = (run(s, 1.0, formulation=formulation).values("n.lamp.flow") for s in both)
    assert np.abs(a - b).max() < 1e-9


CONFLICT = circuit([
    "node: {junction: 0}", "left: {Se: 5, on: node}", "right: {Se: 6, on: node}",
    "load: {R: 2, on: node}",
])  # fmt: skip


def graphed(text, tmp_path, capsys):
    path = tmp_path / "model.yaml"
    path.write_text(text)
    code = main(["graph", str(path), "--kind", "bond"])
    return code, capsys.readouterr()


def test_a_conflict_is_diagnosed_by_name(tmp_path, capsys):
    code, said = graphed(CONFLICT, tmp_path, capsys)
    assert code == 2
    assert "Se n.left and Se n.right both fix the effort of 0-junction n.node" in said.err
    assert "(line 9)" in said.err


def test_modulated_transformers_that_lead_away_are_one_conflict(tmp_path, capsys):
    """The flow of the junction would have to come back through one of them."""
    text = circuit([
        "j: {junction: 1}", "a: {junction: 1}", "b: {junction: 1}", "push: {Se: 1, on: j}",
        "m: {I: 1, on: a}", "k: {I: 1, on: b}", "first: {MTF: 1 + 0.1*sin(t), from: j, to: a}",
        "second: {MTF: 2 + 0.1*sin(t), from: j, to: b}",
    ])  # fmt: skip
    code, said = graphed(text, tmp_path, capsys)
    assert code == 2
    assert "backwards, and they have no inverse" in said.err
    assert all(f"MTF n.{name}" in said.err for name in ("first", "second"))
    assert said.err.count("inverse") == 2
    assert len(said.err.splitlines()) == 1
    with pytest.raises(ModelError) as caught:
        pl.loads(text).simulate(1)
    assert len(caught.value.faults) == 1


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (TWO, "n.lamp and n.wire form an algebraic loop of 1 unknown"),
        (lattice(2), "form an algebraic loop of 2 unknowns"),
        (STORES, "I n.two: dependent (given by n.one): 1 state fewer"),
        (STORES, "C n.second: dependent (given by n.first): 1 state fewer"),
        (forced(STORES, ("two", "element")), "I n.one: dependent (given by n.two): 1 state fewer"),
        (STORES, "no algebraic loop, no conflict"),
    ],
)
def test_loops_and_dependent_stores_are_diagnosed_by_name(text, finding, tmp_path, capsys):
    code, said = graphed(text, tmp_path, capsys)
    assert code == 0
    assert finding in said.out
