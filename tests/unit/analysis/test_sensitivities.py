"""Sensitivities against closed forms, against each other and against differences of runs."""

import re
import sys
from itertools import pairwise

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.sensitivities import derivatives
from pliant.solve.variation import transport

OSCILLATOR = """
pliant: 1
parameters: {m: 2 kg, c: 3 N*s/m, k: 50 N/m, x0: 0.1 m, v0: 0.4 m/s}
bodies: {block: {rigid: {mass: m}}}
joints:
  S: {prismatic: {axis: x}, between: [ground, block],
      initial: {displacement: x0, displacement_rate: v0}}
forces:
  spring: {joint_spring: {stiffness: k, damping: c}, joint: S}
"""
AT = (2.0, 3.0, 50.0, 0.1, 0.4)
NAMES = ["m", "c", "k", "x0", "v0"]


def oscillator(t, m, c, k, x0, v0):
    """x of m x'' + c x' + k x = 0; complex numbers are welcome."""
    d, w2 = c / (2 * m), k / m
    w = np.sqrt(w2 - d * d)
    return np.exp(-d * t) * (x0 * np.cos(w * t) + (v0 + d * x0) / w * np.sin(w * t))


def complex_step(f, at, k):
    """df/d(at[k]) without cancellation."""
    moved = [complex(v) for v in at]
    moved[k] += 1e-30j
    return np.asarray(f(*moved)).imag / 1e-30


def by_all(f, at):
    """The same by every number, in columns."""
    return np.array([complex_step(f, at, k) for k in range(len(at))]).T


@pytest.fixture(scope="module")
def spring():
    return pl.loads(OSCILLATOR)


def test_an_oscillator_follows_its_closed_form(spring):
    times = np.linspace(0, 2, 21)
    found = spring.sensitivities(NAMES, "S.displacement", times=times)
    expected = by_all(lambda *p: oscillator(times, *p), AT)
    assert found.values.shape == (21, 1, 5)
    np.testing.assert_allclose(found.nominal[:, 0], oscillator(times, *AT), rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.values[:, 0], expected, rtol=0, atol=1e-9)


def where_still(t):
    """x' = 0 near a time, by Newton's method; x' and x'' by complex steps."""
    for _ in range(20):
        slope = [(oscillator(t + d + 1e-30j, *AT).imag / 1e-30) for d in (-1e-4, 0, 1e-4)]
        t -= slope[1] / ((slope[2] - slope[0]) / 2e-4)
    return t


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_numbers_made_of_a_motion_follow_their_closed_forms(spring, method):
    """∫ x dt = -(m [x'] + c [x]) / k; mean and rms by Gauss quadrature of the closed form; max and
    min where x' = 0."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    t, weights = nodes + 1.0, weights  # 0 to 2 s

    def square(*p):
        return np.sqrt(weights @ oscillator(t, *p) ** 2 / 2)

    top, low = (where_still(guess) for guess in (0.1, 0.73))
    asked = {
        "last S.displacement": lambda *p: oscillator(2.0, *p),
        "S.displacement at 500 ms": lambda *p: oscillator(0.5, *p),
        "integral S.displacement": lambda *p: weights @ oscillator(t, *p),
        "mean S.displacement": lambda *p: weights @ oscillator(t, *p) / 2,
        "rms S.displacement": square,
        "max S.displacement": lambda *p: oscillator(top, *p),
        "min S.displacement": lambda *p: oscillator(low, *p),
    }
    found = spring.sensitivities(NAMES, [*asked], t_end=2, method=method)
    assert found.info["method"] == method
    expected = np.array([by_all(f, AT) for f in asked.values()])
    np.testing.assert_allclose(found.value, [f(*AT).real for f in asked.values()], atol=1e-9)
    apart = np.abs(found.gradient - expected)
    assert (apart <= 1e-9 * np.abs(expected).max(axis=1)[:, None]).all()


def test_a_score_of_the_user_is_an_output():
    """∫ (x - 0.2 m)² dt."""
    score = "outputs: {off: (S.displacement - 0.2)**2}\n"
    system = pl.loads(OSCILLATOR + score)
    nodes, weights = np.polynomial.legendre.leggauss(60)

    def off(*p):
        return weights @ (oscillator(nodes + 1.0, *p) - 0.2) ** 2

    found = system.sensitivities(NAMES, ["integral off"], t_end=2, method="adjoint")
    np.testing.assert_allclose(found.gradient[0], by_all(off, AT), rtol=1e-8, atol=1e-10)


def elliptic(k):
    """K and E of the modulus, by the arithmetic-geometric mean (Abramowitz, Stegun 17.6)."""
    a, b, c, total, power = 1.0, np.sqrt(1 - k * k), k, k * k / 2, 1.0
    while abs(c) > 1e-16:
        a, b, c = (a + b) / 2, np.sqrt(a * b), (a - b) / 2
        total += power * c * c
        power *= 2
    K = np.pi / (2 * a)
    return K, K * (1 - total)


def test_the_period_of_a_pendulum_by_its_length_and_amplitude():
    """T / 4 = sqrt(L / g) K(sin(A / 2)), dK/dk = E / (k (1 - k²)) - K / k, from A to the lowest
    point."""
    L, g, A = 0.7, 9.81, 2.0
    system = pl.loads("""
pliant: 1
parameters: {L: 0.7 m, g: 9.81 m/s^2, A: 2 rad}
gravity: [0, -g, 0]
bodies: {bob: {rigid: {mass: 3 kg, com: [0, -L, 0], inertia: [0, 0, 0]}}}
joints: {O: {revolute: {axis: z}, between: [ground, bob], initial: {angle: A}}}
events: {down: {when: O.angle, direction: falling}}
""")
    names = ["L", "g", "A", "bodies.bob.mass"]
    found = system.sensitivities(names, ["time of down", "O.angle_rate at down"], t_end=2)
    k = np.sin(A / 2)
    K, E = elliptic(k)
    quarter = np.sqrt(L / g) * K
    slope = np.sqrt(L / g) * (E / (k * (1 - k * k)) - K / k) * np.cos(A / 2) / 2
    assert found.value[0] == pytest.approx(quarter, rel=1e-10)
    wanted = [quarter / (2 * L), -quarter / (2 * g), slope, 0]
    np.testing.assert_allclose(found["time of down"], wanted, rtol=1e-9, atol=1e-11)
    fastest = -2 * np.sqrt(g / L) * k  # by energy
    wanted = [-fastest / (2 * L), fastest / (2 * g), -np.sqrt(g / L) * np.cos(A / 2), 0]
    np.testing.assert_allclose(found["O.angle_rate at down"], wanted, rtol=1e-8, atol=1e-10)


def test_a_stop_ends_what_is_asked_at_it():
    """A throw from h: it lands at t = (v + sqrt(v² + 2 g h)) / g, x = w t beyond."""
    system = pl.loads("""
pliant: 1
parameters: {h: 2 m, v0: 3 m/s, w0: 1.5 m/s}
gravity: [0, 0, -9.81]
bodies:
  ball:
    rigid: {mass: 1, inertia: [1, 1, 1]}
    initial: {position: [0, 0, h], velocity: [w0, 0, v0]}
events: {lands: {when: "ball.position.z < 0", stop: true}}
""")

    def lands(h, v, w):
        return (v + np.sqrt(v * v + 2 * 9.81 * h)) / 9.81

    asked = {"time of lands": lands, "ball.position.x at lands": lambda h, v, w: w * lands(h, v, w)}
    for method in ("forward", "adjoint"):
        found = system.sensitivities(["h", "v0", "w0"], [*asked], t_end=3, method=method)
        expected = np.array([by_all(f, (2.0, 3.0, 1.5)) for f in asked.values()])
        np.testing.assert_allclose(found.gradient, expected, rtol=1e-9, atol=1e-10)
    with pytest.raises(pl.PliantError, match=r"event 'lands' ends the motion at t = 1.0138"):
        system.sensitivities(["h"], ["ball.position"], t_end=3)
    with pytest.raises(pl.PliantError, match=r"event 'lands' does not happen before t = 0.5 s"):
        system.sensitivities(["h"], ["time of lands"], t_end=0.5)


PUSHED = """
pliant: 1
parameters: {{m: 2 kg, F: 3 N, G: 5 N, L: 0.4 m, T: 0.6 s}}
bodies: {{block: {{rigid: {{mass: m}}}}}}
joints: {{S: {{prismatic: {{axis: x}}, between: [ground, block]}}}}
forces: {{push: {{actuator: {{effort: "{law}"}}, joint: S}}}}
"""


def pushed(t, m, F, G, t1):
    """x and x' from rest under F, from t1 on under -G."""
    x1, v1, s = F * t1**2 / (2 * m), F * t1 / m, t - t1
    return np.array([x1 + v1 * s - G * s**2 / (2 * m), v1 - G * s / m])


@pytest.mark.parametrize(
    ("law", "last", "switch"),
    [("piecewise(S.displacement < L, F, -G)", "L", lambda m, F, G, L: np.sqrt(2 * m * L / F)),
     ("piecewise(t < T, F, -G)", "T", lambda m, F, G, T: T)],
)  # fmt: skip
def test_derivatives_jump_where_a_law_does(law, last, switch):
    system = pl.loads(PUSHED.format(law=law))
    names, at = ["m", "F", "G", last], (2.0, 3.0, 5.0, 0.4 if last == "L" else 0.6)
    functionals = ["last S.displacement", "last S.displacement_rate",
                   "integral S.displacement_rate"]  # fmt: skip
    expected = by_all(lambda *p: pushed(1.2, *p[:3], switch(*p)), at)
    for method in ("forward", "adjoint"):
        found = system.sensitivities(names, functionals, t_end=1.2, method=method)
        assert found.info["statistics"]["switches"] == 1
        np.testing.assert_allclose(found.gradient[:2], expected, rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(found.gradient[2:3], expected[:1], rtol=1e-8, atol=1e-9)


def test_a_sum_jumps_where_what_is_summed_does():
    """∫ i dt of a source that falls from V to V / 5 at T over R and L in series, i(0) = 0, and
    ∫ u dt = V T + V (E - T) / 5 of the source."""
    system = pl.loads("""
pliant: 1
parameters: {V: 10 V, T: 0.2 s, L: 0.5 H}
networks:
  n:
    domain: electrical
    elements:
      s: {junction: 1}
      source: {Se: "piecewise(t < T, V, V/5)", on: s}
      r: {R: 2 ohm, on: s}
      l: {I: L, on: s}
""")

    def flows(V, T, L):
        """L i(E) + R ∫ i dt = ∫ u dt."""
        tau = L / 2
        one = 1 - np.exp(-0.5 / tau)
        two = 1 - np.exp(-(0.5 - T) / tau)
        return (V * T + V / 5 * (0.5 - T) - L * (V / 2 * one - 0.4 * V * two)) / 2

    asked = {"integral n.source.effort": lambda V, T, L: V * T + V / 5 * (0.5 - T) + 0 * L,
             "integral n.l.flow": flows}  # fmt: skip
    expected = np.array([by_all(f, (10.0, 0.2, 0.5)) for f in asked.values()])
    for method in ("forward", "adjoint"):
        found = system.sensitivities(["V", "T", "L"], [*asked], t_end=0.5, method=method)
        np.testing.assert_allclose(found.gradient, expected, rtol=1e-9, atol=1e-9)


def differences(system, name, at, of, times, h=1e-3, **how):
    """∂y/∂p of runs, extrapolated twice (Richardson)."""

    def told(value):
        run = system.simulate(times=times, params={name: value}, outputs=of, rtol=1e-12, **how)
        assert run.completed, run.failure
        return np.concatenate([run.values(o).reshape(len(times), -1) for o in of], axis=1)

    step = h * (abs(at) or 1.0)
    rows = [(told(at + h) - told(at - h)) / (2 * h) for h in (step, step / 2, step / 4)]
    once = [(4 * b - a) / 3 for a, b in pairwise(rows)]
    return (16 * once[1] - once[0]) / 15


LOOP = """
pliant: 1
parameters: {V: 10 V, R2: 3, a: 0.005, L: 0.5 H}
networks:
  n:
    domain: electrical
    elements:
      s: {junction: 1}
      source: {Se: "piecewise(n.l.flow < 0.4, V, 0.6*V)", on: s}
      r1: {R: 2 ohm, on: s}
      mid: {junction: 0}
      r2: {R: {flow: "e/R2 + a*e**3"}, on: mid}
      t: {junction: 1}
      l: {I: L, on: t}
      r3: {R: 4 ohm, on: t}
    bonds: {b1: {from: s, to: mid}, b2: {from: mid, to: t}}
"""


def test_unknowns_of_an_algebraic_loop_jump_with_their_source():
    system, times, of = pl.loads(LOOP), np.linspace(0, 0.5, 6), ["n.l.flow", "n.r2.flow"]
    found = system.sensitivities(["V", "a", "L"], of, times=times)
    assert found.info["statistics"]["switches"] == 1
    for k, name in enumerate(found.parameters):
        expected = differences(system, name, found.at[k], of, times)
        np.testing.assert_allclose(found.values[:, :, k], expected, rtol=0,
                                   atol=1e-7 * np.abs(expected).max())  # fmt: skip
    back = system.sensitivities(["V", "a", "L"], ["last n.l.flow"], times=times, method="adjoint")
    np.testing.assert_allclose(back.gradient[0], found.values[-1, 0], rtol=1e-9)


CASES = {
    "planar_slider_crank": (["l1", "m2", "T", "O.angle"],
                            ["O.angle", "slider.position", "A.force"], 0.2),
    "rolling_disc": (["m", "R"], ["disc.position", "disc.acceleration"], 0.3),
    "heavy_top": (["m", "A", "h"], ["top.tip.position"], 0.2),
    "crank_rocker": (["a1", "h", "V"], ["D.angle", "current"], 0.05),
    "pendulating_rotor": (["L", "psi_rate"], ["spin.angle", "drive.effort"], 0.1),
    "pendulum": (["L", "pivot.angle"], ["bob.position"], 0.4),
    "haug_slider_crank": (["crank_length", "omega"], ["S.displacement", "rod.position"], 0.2),
    "skate": (["m", "I", "omega"], ["skate.position", "slope.angle"], 0.3),
    "bricard": (["m", "L"], ["rod2.position", "kinetic_energy"], 0.3),
    "four_bars_2": (["L", "m"], ["A0.angle", "bar0.B.velocity"], 0.2),
    "quick_return": (["r", "L", "turn"], ["ram.velocity", "lever.tip.position"], 0.2),
    "planetary_gear": (["Jm", "T", "n"], ["C.angle", "motor.torque"], 0.2),
}  # fmt: skip
"""Dependent rows; velocity constraints; quaternions; networks and tables; drivers; and others."""
OFTEN = 5
"""Those that are always looked at; the others are slow."""
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in [*CASES][OFTEN:]]
FORMULATIONS = ["recursive", "linear-graph", "multibond", "natural", "kane"]


@pytest.fixture(scope="module", params=[*[*CASES][:OFTEN], *SLOW])
def case(request):
    names, of, end = CASES[request.param]
    system, times = pl.System.load(f"examples/{request.param}.yaml"), np.linspace(0, end, 4)
    of = [name for name in of if name in system.names()]
    first = system.sensitivities(names, of, times=times)
    return system, first, of, times


def close(found, wanted, nominal, at, part):
    """As near as ``part`` of the largest, or of what is differentiated over the parameter."""
    size = np.maximum(np.abs(wanted).max(axis=0), np.abs(nominal).max() / np.maximum(np.abs(at), 1))
    seen = ~np.isnan(found)
    return seen.any() and (np.abs(found - wanted) <= part * size)[seen].all()


def test_mechanisms_follow_differences_of_runs(case):
    system, first, of, times = case
    for k, name in enumerate(first.parameters):
        path = re.sub(r"^(\w+)\.(angle)$", r"joints.\1.initial.\2", name)
        expected = differences(system, path, first.at[k], of, times)
        assert close(first.values[:, :, k], expected, first.nominal, first.at[k], 1e-6), name


def test_forward_and_adjoint_agree_in_every_formulation(case):
    system, first, _, times = case
    plain = np.flatnonzero(np.isfinite(first.values).all(axis=(0, 2)))
    asked = [f"last {first.observables[k]}" for k in plain[:3]]
    for formulation in FORMULATIONS:
        how = {"times": times, "formulation": formulation}
        there = system.sensitivities(first.parameters, asked, method="forward", **how)
        back = system.sensitivities(first.parameters, asked, method="adjoint", **how)
        size = np.abs(first.nominal[-1, plain[:3], None]).max() / np.maximum(np.abs(first.at), 1)
        largest = np.maximum(np.abs(there.gradient), size)
        assert (np.abs(there.gradient - back.gradient) <= 1e-9 * largest).all(), formulation
        expected = first.values[-1, plain[:3]]
        assert (np.abs(there.gradient - expected) <= 1e-7 * largest).all(), formulation


def test_a_beam_by_what_its_tables_are_made_of():
    """One shape, let go: w = y0 cos(ω t), ω ~ h sqrt(E / rho) / l². ∂w/∂p = -y0 t sin(ω t) ∂ω/∂p.
    Tables are differentiated by differences, and the result says so."""
    system = pl.loads("""
pliant: 1
parameters: {E: 200 GPa, rho: 7850 kg/m^3, h: 2 mm, l: 300 mm, y0: 10 um}
bodies:
  ruler:
    beam:
      length: l
      stiffness: {EIy: E*25e-3*h**3/12}
      mass_per_length: rho*25e-3*h
    shapes: {bending_z: 1}
    rotary_inertia: none
    initial: {elastic: {w1: y0}}
joints: {clamp: {fixed: {}, between: [ground, ruler.root]}}
""")
    names, t = ["E", "rho", "h", "l", "y0"], np.linspace(0, 0.05, 6)
    found = system.sensitivities(names, "ruler.w1", times=t, rtol=1e-12, atol=1e-16)
    omega = system.modes(1).frequencies[0] * 2 * np.pi
    at = dict(zip(names, found.at, strict=True))
    wave = -1e-5 * t * np.sin(omega * t) * omega
    wanted = {"E": wave / 2 / at["E"], "rho": -wave / 2 / at["rho"], "h": wave / at["h"],
              "l": -2 * wave / at["l"], "y0": np.cos(omega * t)}  # fmt: skip
    for k, name in enumerate(names):
        size = np.abs(wanted[name]).max()
        np.testing.assert_allclose(found.values[:, 0, k], wanted[name], rtol=0, atol=1e-7 * size)
    assert "h" in found.info["tables"]
    assert max(found.info["tables"].values()) < 1e-9
    assert "tables of flexible bodies by differences" in str(found)


def test_numbers_by_their_paths(spring):
    """A stiffness without a name; a length from which inertia follows."""
    rod = pl.loads("""
pliant: 1
gravity: [0, -9.81, 0]
bodies: {rod: {rod: {length: 0.5 m, mass: 2}, frames: {tip: [0.5, 0, 0]}}}
joints: {O: {revolute: {axis: z}, between: [ground, rod]}}
""")
    paths = ["bodies.rod.length", "bodies.rod.mass"]
    found = rod.sensitivities(paths, "last O.angle", t_end=0.4)
    h = 1e-4

    def end(length):
        run = rod.simulate(t_end=0.4, params={paths[0]: length}, outputs=["O.angle"], rtol=1e-12)
        return run.values("O.angle")[-1]

    expected = (end(0.5 + h) - end(0.5 - h)) / (2 * h)
    assert found.gradient[0, 0] == pytest.approx(expected, rel=1e-6)
    assert found.gradient[0, 1] == pytest.approx(0, abs=1e-11)  # mass cancels


def test_angles_of_a_rotation_have_short_names():
    """A top: its angle at the start, by name and by path."""
    top = pl.System.load("examples/heavy_top.yaml")
    of, names = "last top.tip.position.x", ["O.angle2", "joints.O.initial.angle2"]
    short, path = (top.sensitivities([name], of, t_end=0.2) for name in names)
    np.testing.assert_array_equal(short.gradient, path.gradient)
    assert short.gradient[0, 0] != 0


def test_reactions_that_dependent_constraints_leave_open_have_no_derivative():
    system = pl.System.load("examples/planar_slider_crank.yaml")
    found = system.sensitivities(["T"], "A.force", t_end=0.1)
    assert np.isnan(found["A.force.z"]).all()
    assert np.isfinite(found["A.force.x"]).all()
    assert "A.force.z: dependent constraints leave this undetermined" in found.warnings[-1]
    with pytest.raises(pl.PliantError, match=r"max A.force.z: dependent constraints leave it"):
        system.sensitivities(["T"], "max A.force.z", t_end=0.1)


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_what_does_not_move_has_reactions_with_derivatives(method):
    """A body on a wall: no state, and a weight of m g."""
    system = pl.loads("""
pliant: 1
gravity: [0, 0, -10]
parameters: {m: 2}
bodies: {block: {rigid: {mass: m}}}
joints: {W: {fixed: {}, between: [ground, block]}}
""")
    found = system.sensitivities(["m"], "last W.force.z", t_end=1, method=method)
    np.testing.assert_allclose(np.abs(found.gradient), [[10.0]], rtol=1e-12)


def test_an_adjoint_costs_the_same_for_many_parameters(monkeypatch):
    """One motion, and as many states looked at for 60 numbers as for 2."""
    terms = " + ".join(f"f{k}*sin({k + 1}*t)" for k in range(60))
    system = pl.loads(f"""
pliant: 1
parameters: {{{", ".join(f"f{k}: 0.{k + 1}" for k in range(60))}}}
bodies: {{block: {{rigid: {{mass: 2}}}}}}
joints: {{S: {{prismatic: {{axis: x}}, between: [ground, block]}}}}
forces: {{push: {{actuator: {{effort: "{terms} - 5*S.displacement"}}, joint: S}}}}
""")
    motions, looked = [], []
    moved, states = derivatives.moved, derivatives.Slopes.evaluated

    def counted(*args, **how):
        motions.append(moved(*args, **how))
        return motions[-1]

    def evaluated(self, X, p):
        looked.append(len(X))
        return states(self, X, p)

    monkeypatch.setattr(derivatives, "moved", counted)
    monkeypatch.setattr(derivatives.Slopes, "evaluated", evaluated)
    counts = []
    for names in (["f0", "f1"], [f"f{k}" for k in range(60)]):
        looked.clear()
        found = system.sensitivities(names, "last S.displacement", t_end=1, method="adjoint")
        counts.append(sum(looked))
    assert len(motions) == 2
    assert counts[0] == counts[1]
    assert found.gradient.shape == (1, 60)
    auto = system.sensitivities([f"f{k}" for k in range(60)], "last S.displacement", t_end=1)
    assert auto.info["method"] == "adjoint"


def test_an_adjoint_calls_no_function_of_python_for_each_interval(spring, monkeypatch):
    """Blocks of them are one call of machine code: counted where they are halved, and halved."""
    backward, counts = transport.Transport.backward, []

    def counted(self, asked):
        calls, before = [], sys.getprofile()
        sys.setprofile(lambda frame, event, what: calls.append(event))
        try:
            return backward(self, asked)
        finally:
            sys.setprofile(before)
            counts.append((len(self.grid), len(calls)))

    monkeypatch.setattr(transport.Transport, "backward", counted)
    spring.sensitivities(NAMES, "last S.displacement", t_end=16, method="adjoint")
    *_, (few, calls), _, (many, more) = counts
    assert many > few + 500
    assert more - calls < (many - few) / 5


def test_code_is_made_for_many_states_that_are_looked_at_a_few_at_a_time(monkeypatch):
    """Else every block would be interpreted; and blocks change nothing."""
    of = ["last S.displacement", "integral S.displacement"]
    whole = pl.loads(OSCILLATOR).sensitivities(NAMES, of, t_end=8, method="adjoint")
    monkeypatch.setattr(transport, "_ROOM", 1)
    system = pl.loads(OSCILLATOR)
    found = system.sensitivities(NAMES, of, t_end=8, method="adjoint")
    np.testing.assert_allclose(found.gradient, whole.gradient, rtol=1e-11)
    (slopes,) = system.slopes.values()
    assert {"motion", "told"} <= slopes.code.made.keys()


def test_a_block_that_sticks_is_refused():
    system = pl.loads(PUSHED.format(law="t - 2*sign(S.displacement_rate)"))
    with pytest.raises(pl.PliantError, match="changed back at once from both sides before t = "):
        system.sensitivities(["m"], "last S.displacement", t_end=2)


@pytest.mark.parametrize(
    ("start", "words"),
    [("0", "changed back at once"), ("0.1 + 0.2 - 0.3", "rests where it changes")],
)
def test_a_condition_that_rests_where_it_changes_is_refused(start, words):
    """The block does not move, at zero or 6e-17 m beside it: |x| has no derivative there."""
    text = PUSHED.format(law="G*abs(S.displacement - L)/L + (F - 3)")
    place = f"initial: {{displacement: L + ({start})}}, between: [ground, block]"
    system = pl.loads(text.replace("between: [ground, block]", place))
    with pytest.raises(pl.PliantError, match=f"condition '.*' .*{words}"):
        system.sensitivities(["F"], "last S.displacement", t_end=1)


@pytest.mark.parametrize(
    ("law", "named"),
    [("abs(z)", "z"), ("m + max(0, z)", "z"), ("b*t", "z"), ("sqrt(z)", "z"),
     ("min(F, 3)*t + z", "F"), ("max(0, 1e-9 + z)*1e9", ""), ("1e6*z**2 + z*abs(z)", ""),
     ("z + abs(F - 3.001)", "")],
)  # fmt: skip
def test_a_number_at_a_corner_of_a_law_is_refused(law, named):
    """|z| at 0, F as large as the 3 it is compared with; b = max(0, z) only where it is read."""
    text = PUSHED.format(law=law).replace("{m: 2 kg, F: 3 N", "{z: 0, b: 'max(0, z)', m: 2, F: 3")
    system, how = pl.loads(text), {"of": "last S.displacement", "t_end": 1}
    if named:
        with pytest.raises(pl.PliantError, match=f"'{named}': a law changes just where it stands"):
            system.sensitivities(["m", "F", "z"], **how)
        return
    expected = {"max": [1e9, 0], "1e6": [0, 0], "z +": [1, -1]}[law[:3]]
    found = system.sensitivities(["z", "F"], **how)
    np.testing.assert_allclose(found.gradient[0], np.array(expected) / 4, rtol=1e-9, atol=1e-9)


def test_a_largest_value_at_a_switch_is_refused():
    """F t / T until T, then nothing: the largest acceleration lies at T, wherever that is; as an
    event it is F T / (2 m), the speed."""
    text = PUSHED.format(law="piecewise(t < T, F*t/T, 0)")
    text += "events: {end: {when: t - T}}\n"
    with pytest.raises(pl.PliantError, match=r"lies where a condition changes, .* t = 0\.6 s"):
        pl.loads(text).sensitivities(["T"], "max block.acceleration.x", t_end=1)
    found = pl.loads(text).sensitivities(["T", "F"], "block.velocity.x at end", t_end=1)
    np.testing.assert_allclose(found.gradient[0], [3 / 4, 0.6 / 4], rtol=1e-9)  # F T / (2 m)


@pytest.mark.parametrize(
    ("law", "of"),
    [("min(S.displacement, k/1000 - S.displacement/3)", "max seen"),
     ("piecewise(t < 0.05, S.displacement, 0)", "max seen"),
     ("abs(S.displacement)", "min seen"),
     ("0", "min block.velocity"), ("0", "min block.position")],
)  # fmt: skip
def test_a_largest_value_at_a_corner_of_its_own_is_refused(law, of):
    """Two curves cross, an output falls, a length passes zero: the place moves, or nothing does."""
    system = pl.loads(OSCILLATOR + f"outputs: {{seen: '{law}'}}\n")
    with pytest.raises(pl.PliantError, match=r"lies where a condition changes, or at a corner"):
        system.sensitivities(["k"], of, t_end=2)


def test_a_largest_value_that_lasts_is_looked_at_in_its_middle():
    system = pl.loads(OSCILLATOR + "outputs: {seen: 'clip(S.displacement, -1, 0.11)'}\n")
    found = system.sensitivities(["k", "x0"], ["max seen", "min seen"], t_end=2)
    assert found.value[0] == 0.11
    np.testing.assert_array_equal(found.gradient[0], 0)
    plain = system.sensitivities(["k", "x0"], "min S.displacement", t_end=2)
    np.testing.assert_allclose(found.gradient[1:], plain.gradient, rtol=1e-9)


def test_a_parameter_and_one_that_follows_are_each_moved_alone():
    """F = b + a², b = 3 a: by a the formula of b goes on, unless b is given."""
    system = pl.loads("""
pliant: 1
parameters: {a: 2, b: 3*a, c: b + a**2}
bodies: {block: {rigid: {mass: 2}}}
joints: {S: {prismatic: {axis: x}, between: [ground, block]}}
forces: {push: {actuator: {effort: c}, joint: S}}
""")
    of, far = "last S.displacement", 1.0  # t² / (2 m)
    found = system.sensitivities(["a", "b", "c"], of, t_end=2)
    np.testing.assert_allclose(found.gradient[0], [7 * far, far, far], rtol=1e-9)
    found = system.sensitivities(["a", "b"], of, t_end=2, params={"b": 5})
    np.testing.assert_allclose(found.gradient[0], [4 * far, far], rtol=1e-9)


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_an_end_that_follows_from_parameters_moves(method):
    """x = F t² / (2 m) until 2 T, or asked for at T / 2."""
    text = PUSHED.format(law="F") + "simulate: {t_end: 2*T}\n"
    x, m, F = (lambda t, m, F: F * t * t / (2 * m)), 2.0, 3.0
    asked = {
        "last S.displacement": lambda T, F: x(2 * T, m, F),
        "S.displacement at 0.5*T": lambda T, F: x(T / 2, m, F),
        "max S.displacement": lambda T, F: x(2 * T, m, F),
        "min S.displacement": lambda T, F: 0 * T * F,
        "integral S.displacement": lambda T, F: F * (2 * T) ** 3 / (6 * m),
        "mean S.displacement": lambda T, F: F * (2 * T) ** 2 / (6 * m),
        "rms S.displacement": lambda T, F: x(2 * T, m, F) / np.sqrt(5),
    }
    expected = np.array([by_all(f, (0.6, F)) for f in asked.values()])
    for how in ({}, {"t_end": "2*T"}):
        found = pl.loads(text).sensitivities(["T", "F"], [*asked], method=method, **how)
        np.testing.assert_allclose(found.gradient, expected, rtol=1e-8, atol=1e-10)
    still = pl.loads(text).sensitivities(["T", "F"], [*asked][:1], t_end=1.2, method=method)
    assert still.gradient[0, 0] == 0


def test_a_start_that_moves_is_refused():
    """Also by what it follows from."""
    text = PUSHED.format(law="F").replace("{m: 2 kg", "{b: T/3, m: 2 kg")
    system = pl.loads(text + "simulate: {t_start: b, t_end: 2}\n")
    with pytest.raises(pl.PliantError, match="'T': the motion starts at t_start = b, which moves"):
        system.sensitivities(["F", "T"], "last S.displacement")


def test_numbers_that_are_zero_do_not_cry_wolf():
    """Across the plane of a mechanism nothing happens, but for rounding."""
    system = pl.System.load("examples/quick_return.yaml")
    found = system.sensitivities(["r", "gravity[1]"], ["ram.velocity", "O.force"], t_end=0.2)
    assert found.info["error"] < 1e-9
    assert not any("still change" in text for text in found.warnings)


def test_a_sum_that_does_not_settle_is_refused():
    """A formula with a name jumps as an output does."""
    text = OSCILLATOR + "formulas: {out: 'piecewise(S.displacement > 0.05, 1, 0)'}\n"
    with pytest.raises(pl.PliantError, match="'integral out': piecewise in the formula"):
        pl.loads(text).sensitivities(["m"], "integral out", t_end=1)


def test_a_sum_of_an_output_that_jumps_by_itself_is_refused():
    """How long it is out: ∫ dt is moved by the parameters, but its slope is zero everywhere."""
    text = OSCILLATOR + "outputs: {out: 'piecewise(S.displacement > 0.05, 1, 0)'}\n"
    with pytest.raises(pl.PliantError, match="'integral out': piecewise in the formula"):
        pl.loads(text).sensitivities(["m"], "integral out", t_end=1)


@pytest.mark.parametrize(
    ("parameters", "of", "how", "messages"),
    [
        ([], "S.displacement", {}, ["no parameter is named"]),
        (["m"], [], {}, ["nothing to differentiate"]),
        (["mm", "kk", "m"], "S.displacement", {}, ["2 faults", "'mm'", "'kk'"]),
        (["m"], ["S.displacment", "nax S.displacement"], {}, ["2 faults", "S.displacement", "max"]),
        (["m", "m"], "S.displacement", {}, ["asked for twice"]),
        (["m", 3], "S.displacement", {}, ["3 is no name"]),
        (["method"], "S.displacement", {}, ["how a run is computed"]),
        (["m"], "S.displacement at 9", {}, ["not between 0 s and 1 s"]),
        (["m"], "S.displacement at lands", {}, ["no event is named 'lands'"]),
        (["m"], "S.displacement", {"method": "adjoint"}, ["told at every sample"]),
        (["m"], "S.displacement", {"method": "backwards"}, ["'backwards' is unknown"]),
        (["m"], "S.displacement", {"formulation": "cane"}, ["did you mean 'kane'"]),
        (["m"], "S.displacement", {"initial": {"S.angle": 1}}, ["no coordinate or rate"]),
        (["joints.S.initial.displacement"], "S.displacement", {}, ["is the formula 'x0'"]),
        (["simulate.rtol"], "S.displacement", {}, ["how a run is computed"]),
        (["m"], "S.displacement", {"integrator": "hht"}, ["fixed steps", "dop853 or radau"]),
        (["m"], "block.orientation", {}, ["is a rotation"]),
    ],
)
def test_bad_requests_get_one_message(spring, parameters, of, how, messages):
    with pytest.raises(pl.PliantError) as told:
        spring.sensitivities(parameters, of, **{"t_end": 1, **how})
    assert all(message in str(told.value) for message in messages), str(told.value)


def test_a_number_that_opens_a_dependent_loop_is_refused():
    """Two crossed pairs of pins: with one longer bar nothing can be assembled."""
    system = pl.loads("""
pliant: 1
parameters: {l: 1 m}
bodies:
  left: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {top: [0, 1, 0], mid: [0, 0.5, 0]}}
  right: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {top: [0, 1, 0], mid: [0, 0.5, 0]}}
  bar: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {end: [l, 0, 0]}}
  extra: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {end: [1, 0, 0]}}
ground: {frames: {b: [1, 0, 0]}}
joints:
  A: {revolute: {axis: z}, between: [ground, left], initial: {angle_rate: 1}}
  B: {revolute: {axis: z}, between: [ground.b, right]}
  C: {revolute: {axis: z}, between: [left.top, bar]}
  D: {revolute: {axis: z}, between: [bar.end, right.top]}
  E: {revolute: {axis: z}, between: [left.mid, extra]}
  F: {revolute: {axis: z}, between: [extra.end, right.mid]}
""")
    with pytest.raises(pl.PliantError, match="'l': with any other value the mechanism cannot be"):
        system.sensitivities(["l"], "last A.angle", t_end=0.1)


def test_results_as_tables(spring):
    found = spring.sensitivities(["m", "k"], ["S.displacement", "max S.displacement"], t_end=1,
                                 every=0.1)  # fmt: skip
    table = found.to_dataset()
    assert dict(table.sizes) == {"time": 11, "observable": 1, "functional": 1, "parameter": 2}
    assert found["S.displacement"].dims == ("time", "parameter")
    assert found.unit("S.displacement", "k") == "m/(N/m)"
    assert found.unit("max S.displacement", "m") == "m/kg"
    assert str(found).splitlines()[1].endswith("m/kg")
    relative = found.relative()
    assert relative.unit("S.displacement", "k") == "1"
    np.testing.assert_allclose(
        relative.gradient, found.gradient * found.at / found.value[:, None], rtol=1e-14
    )
    assert "max S.displacement by m" in str(found)
    with pytest.raises(pl.PliantError, match="no sensitivities of 'x'"):
        found["x"]
