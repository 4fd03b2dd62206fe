"""Bodies with given modes from finite elements: a beam made here, exported, and run.

Hermite elements with their consistent mass over six freedoms per node, as finite element programs
write them. Nothing is taken from the beams of the package.
"""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion

DATA = Path(__file__).parents[1] / "published" / "data"
PLANES = {"y": ([1, 5, 7, 11], 1), "z": ([2, 4, 8, 10], -1)}
"""Freedoms of bending along y and z of one element, and the sign of its rotations."""


def bending(length, stress=None, x=0.0):
    """Mass, stiffness, and ∫ N w'² dx for a tension N, of an element of unit data."""
    L = length
    t, weights = np.polynomial.legendre.leggauss(6)
    s, w = (t + 1) / 2, weights * L / 2
    N = np.array(
        [1 - 3 * s**2 + 2 * s**3, L * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, L * (s**3 - s**2)]
    )
    dN = (
        np.array(
            [6 * (s**2 - s), L * (1 - 4 * s + 3 * s**2), 6 * (s - s**2), L * (3 * s**2 - 2 * s)]
        )
        / L
    )
    ddN = np.array([12*s - 6, L*(6*s - 4), 6 - 12*s, L*(6*s - 2)]) / L**2  # fmt: skip
    tension = np.zeros_like(s) if stress is None else stress(x + L * s)
    return tuple((f * c * w) @ f.T for f, c in ((N, 1.0), (ddN, 1.0), (dN, tension)))


def elements(count, stress=None):
    """M, K and geometric stiffness over 6 (count + 1) freedoms of a beam of unit data."""
    M, K, G = (np.zeros((6 * count + 6, 6 * count + 6)) for _ in range(3))
    L = 1 / count
    for e in range(count):
        found = bending(L, stress, e * L)
        for freedoms, sign in PLANES.values():
            turn = np.diag([1, sign, 1, sign])
            at = np.ix_(*2 * [6 * e + np.array(freedoms)])
            for total, part in zip((M, K, G), found, strict=True):
                total[at] += turn @ part @ turn
        M[np.ix_(*2 * [6 * e + np.array([0, 6])])] += L / 6 * np.array([[2, 1], [1, 2]])
    return M, K, G


def cantilever_modes(M, K, axis, count):
    """The lowest modes of bending along one axis with node 0 held."""
    moves = {"y": (1, 5), "z": (2, 4)}[axis]
    free = [k for k in range(6, len(M)) if k % 6 in moves]
    factor = np.linalg.cholesky(M[np.ix_(free, free)])
    half = np.linalg.solve(factor, K[np.ix_(free, free)])
    w2, vectors = np.linalg.eigh(np.linalg.solve(factor, half.T))
    Phi = np.zeros((len(M), count))
    Phi[free] = np.linalg.solve(factor.T, vectors[:, :count])
    return np.sqrt(w2[:count]), Phi


def exported(path, M, K, Phi, **more):
    """A file of given modes."""
    nodes = len(M) // 6
    six = Phi.reshape(nodes, 6, -1)
    content = {"nodes": [[k / (nodes - 1), 0, 0] for k in range(nodes)], "mass": M,
               "shapes": six[:, :3], "rotations": six[:, 3:], "stiffness": Phi.T @ K @ Phi,
               "lines": [[k, k + 1] for k in range(nodes - 1)], **more}  # fmt: skip
    path.write_text(json.dumps({k: np.asarray(v).tolist() for k, v in content.items()}))
    return pl.Modes("rod", str(path), frames={"root": {"node": 0}, "tip": {"node": nodes - 1}})


def beam(count, elements):
    shapes = {"bending_y": {"craig-bampton": {"count": count, "elements": elements,
                                              "interfaces": [0]}}}  # fmt: skip
    return pl.Beam("rod", 1, stiffness={"EIz": 1}, mass_per_length=1, shapes=shapes,
                   rotary_inertia="none", geometric_stiffness="none")  # fmt: skip


def held(body):
    return pl.System(bodies=[body], joints=[pl.Fixed("wall", "ground", "rod.root")])


def swinging(body):
    pin = pl.Revolute("pin", "ground", "rod.root", initial={"angle_rate": 1.5})
    system = pl.System(gravity=[0, -3, 0], bodies=[body], joints=[pin])
    run = system.simulate(1.0, every=0.1, rtol=1e-10, method="dop853", outputs=["rod.tip.position"])
    return run.values("rod.tip.position")


def excess(beta, count):
    """Relative error of a frequency with Hermite elements: (β h)⁴/1440."""
    return (np.asarray(beta) / count) ** 4 / 1440


def test_frequencies_are_those_of_the_elements(tmp_path):
    """And of the beam, up to what is known of the error of the elements."""
    M, K, _ = elements(6)
    w, Phi = cantilever_modes(M, K, "y", 3)
    found = held(exported(tmp_path / "modes.json", M, K, Phi)).modes()
    given = found.omega
    assert found.labels == ("rod: mode 1", "rod: mode 2", "rod: mode 3")
    assert given == pytest.approx(w, rel=1e-10)
    exact = held(beam(3, 6)).modes().omega
    assert given / exact - 1 == pytest.approx(excess(np.sqrt(exact), 6), rel=0.15)


def test_motion_is_that_of_the_beam_to_the_square_of_the_element_size(tmp_path):
    """Turned by 90 degrees, bending is interpolated along the bar: linearly, with an error h²."""
    gaps = []
    for count in (4, 8):
        M, K, _ = elements(count)
        body = exported(tmp_path / f"{count}.json", M, K, cantilever_modes(M, K, "y", 1)[1])
        gaps.append(np.abs(swinging(body) - swinging(beam(1, count))).max())
    assert gaps[1] < 1e-3
    assert gaps[0] / gaps[1] == pytest.approx(4, rel=0.2)


@pytest.mark.slow
def test_stiffness_of_the_motion_makes_a_rotating_blade_stiffer(tmp_path):
    """Sheet B4: tension (1 - x²)/2 under unit spin; all modes of four elements, flap."""
    M, K, G = elements(4, stress=lambda x: (1 - x**2) / 2)
    _, Phi = cantilever_modes(M, K, "z", 8)
    motion = np.zeros((12, 8, 8))
    motion[7] = motion[8] = Phi.T @ G @ Phi
    body = exported(tmp_path / "blade.json", M, K, Phi, motion_stiffness=motion)
    system = pl.System(
        parameters={"speed": 1},
        bodies=[body],
        joints=[pl.Revolute("hub", "ground", "rod.root")],
        drivers=[pl.JointDriver("spin", "hub", motion="speed*t")],
    )
    lines = (DATA / "B4_southwell.csv").read_text().splitlines()
    table = list(csv.reader(line for line in lines if not line.startswith("#")))[1:]
    for row in np.array(table, dtype=float):
        found = system.modes(at="steady", params={"speed": row[0]}).omega[:2]
        error = found / row[1:3] - 1
        assert np.all(error > 0)
        assert np.all(error < 2 * excess(np.sqrt(row[1:3]), 4))


def soft_body(path):
    """Seven masses with shapes and second-order displacements in all directions."""
    random = np.random.default_rng(11)
    N, n = 7, 2
    nodes, Phi, H = (random.normal(size=s) for s in ((N, 3), (N, 3, n), (N, 3, n, n)))
    H = H + H.swapaxes(-1, -2)
    content = {"nodes": nodes, "shapes": Phi, "mass": random.uniform(1, 2, N),
               "stiffness": np.diag([40.0, 60.0]), "second_order": H}  # fmt: skip
    path.write_text(json.dumps({k: v.tolist() for k, v in content.items()}))
    start = {"velocity": [1, 2, 3], "angular_velocity": [0.5, -1, 0.8],
             "elastic": {"q1": 0.3, "q2": -0.2}, "elastic_rates": {"q2": 1}}  # fmt: skip
    body = pl.Modes("rock", str(path), geometric_stiffness="second-order", initial=start,
                    frames={f"n{k}": {"node": k} for k in range(N)})  # fmt: skip
    return pl.System(bodies=[body]), content["mass"]


def test_free_flight_conserves_what_the_nodes_sum_up_to(tmp_path):
    """Momenta and energy from positions and velocities of all nodes."""
    system, mass = soft_body(tmp_path / "rock.json")
    names = [f"rock.n{k}.{what}" for k in range(7) for what in ("position", "velocity")]
    run = system.simulate(2.0, every=0.1, rtol=1e-11, atol=1e-12, method="dop853",
                          outputs=[*names, "rock.strain_energy"])  # fmt: skip
    p, v = (np.array([run.values(name) for name in names[k::2]]) for k in (0, 1))
    strained = run.values("rock.strain_energy")
    energy = np.einsum("n,nti,nti->t", mass, v, v) / 2 + strained
    assert np.ptp(strained) > 0.05 * energy[0]
    for total in (
        np.einsum("n,nti->ti", mass, v),
        np.einsum("n,nti->ti", mass, np.cross(p, v)),
        energy,
    ):
        assert np.abs(total - total[0]).max() < 1e-8 * np.abs(total).max()


def lumped(path, count):
    """A cantilever's shape x² and its foreshortening at nodes with masses; EI = rhoA = l = 1."""
    x = np.linspace(0, 1, count + 1)
    zero = np.zeros_like(x)
    mass = np.full(count + 1, 1 / count)
    mass[[0, -1]] /= 2
    H = np.zeros((count + 1, 3, 1, 1))
    H[:, :1] = 4 / 3 * x[:, None, None, None] ** 3
    content = {"nodes": np.column_stack([x, zero, zero]), "mass": mass,
               "shapes": np.stack([zero, x**2, zero], axis=1)[:, :, None],
               "rotations": np.stack([zero, zero, 2 * x], axis=1)[:, :, None],
               "stiffness": np.array([[4.0]]), "second_order": H}  # fmt: skip
    path.write_text(json.dumps({k: v.tolist() for k, v in content.items()}))
    return pl.Modes("rod", str(path), geometric_stiffness="second-order",
                    frames={"root": {"node": 0}, "tip": {"node": count}},
                    initial={"elastic": {"q1": 0.25}})  # fmt: skip


def test_second_order_is_that_of_the_beam_to_the_square_of_the_spacing(tmp_path):
    """A swinging rod that bends by a quarter of its length."""
    rod = pl.Beam("rod", 1, stiffness={"EIz": 1}, mass_per_length=1, rotary_inertia="none",
                  shapes={"bending_y": {"taylor": 1}},
                  initial={"elastic": {"v1": 0.25}})  # fmt: skip
    exact, gaps = swinging(rod), []
    for count in (20, 40):
        gaps.append(np.abs(swinging(lumped(tmp_path / f"{count}.json", count)) - exact).max())
    assert gaps[1] < 2e-3
    assert gaps[0] / gaps[1] == pytest.approx(4, rel=0.1)


# --- internal forces: what the nodes beyond a plane need, and what acts on them


def cloud(path, seed=3, **more):
    """Nodes anywhere with masses of their own, and shapes of no beam."""
    random = np.random.default_rng(seed)
    nodes = np.vstack([np.zeros(3), random.uniform([0.1, -0.1, -0.1], [1, 0.1, 0.1], (9, 3))])
    shapes, turns = (random.uniform(-s, s, (10, 3, 2)) for s in (0.1, 0.2))
    shapes[0], turns[0] = 0.0, 0.0
    content = {"nodes": nodes, "mass": random.uniform(0.1, 0.4, 10), "shapes": shapes,
               "rotations": turns, "stiffness": [[9, 1], [1, 7]], **more}  # fmt: skip
    path.write_text(json.dumps({k: np.asarray(v).tolist() for k, v in content.items()}))
    return content


CLOUD = """
pliant: 1
gravity: [0, 1, -9.81]
bodies:
  part:
    modes: {file: %s}
    %s
    frames:
      root: {node: 0}
      cut: {node: 5, orientation: {bryant123: [0.3, 0.4, -0.2]}}
      far: {node: 7, at: [0.02, 0, 0.05]}
%s
  load: {rigid: {mass: 0.5, com: [0, 0.1, 0], inertia: [0.01, 0.02, 0.02]}}
joints:
  O: {revolute: {axis: z}, between: [ground, part.root], initial: {angle_rate: 4}}
  S: {spherical: {}, between: [part.far, load]}
forces:
  push: {force: [1, 2, "3*t"], at: part.cut}
"""


def of_cloud(tmp_path, chosen="", **more):
    content = cloud(tmp_path / "part.json", **more)
    frames = "\n".join(f"      n{k}: {{node: {k}}}" for k in range(10))
    path = tmp_path / "part.yaml"
    path.write_text(CLOUD % (tmp_path / "part.json", chosen, frames))
    return content, pl.load(path)


def axes_of(result, frame):
    return np.array([from_quaternion(NUMERIC, q) for q in result.values(f"{frame}.orientation")])


def even(H):
    return H + H.transpose(0, 1, 3, 2)


@pytest.mark.parametrize("stiffness", ["none", "second-order"])
def test_a_section_carries_what_the_nodes_beyond_it_need(tmp_path, stiffness):
    """Σ m (g - a) of the nodes on the side that x of its frame points to, by their accelerations
    as told, with what acts there; on the side of the root also at the section itself."""
    H = even(np.random.default_rng(5).uniform(-0.03, 0.03, (10, 3, 2, 2)))
    H[0] = 0
    content, system = of_cloud(tmp_path, f"geometric_stiffness: {stiffness}", second_order=H)
    r = system.simulate(0.3, every=0.1, rtol=1e-9)
    R, p = axes_of(r, "part.cut"), r.values("part.cut.position")
    normal = system.values().places("part")["cut"].R[:, 0]
    ahead = (content["nodes"] - content["nodes"][5]) @ normal
    assert 0 < sum(ahead > 0) < 8
    for side, near in (("", -1e-9), (".beyond", 1e-9)):
        force, moment = np.zeros((2, len(r.time), 3))
        for k in np.flatnonzero(ahead > near):
            own = content["mass"][k] * ([0, 1, -9.81] - r.values(f"part.n{k}.acceleration"))
            force += own
            moment += np.cross(r.values(f"part.n{k}.position") - p, own)
        if ahead[7] > near:
            own = -r.values("S.force")
            force += own
            moment += np.cross(r.values("part.far.position") - p, own)
        if not side:
            force += r.values("push.force")
        for name, expected in (("force", force), ("moment", moment)):
            found = np.einsum("kij,kj->ki", R, r.values(f"part.cut.internal_{name}{side}"))
            assert found == pytest.approx(expected, abs=1e-9 * np.abs(force).max())


@pytest.mark.parametrize("frame", ["as-given", "{chord: [0, 7]}", "tisserand"])
@pytest.mark.parametrize("formulation", ["recursive", "natural"])
def test_the_root_carries_the_reaction(tmp_path, frame, formulation):
    inertia = np.tile(np.diag([1e-3, 2e-3, 3e-3]), (10, 1, 1))
    _, system = of_cloud(tmp_path, f"floating_frame: {frame}", inertia=inertia)
    r = system.simulate(0.2, every=0.1, formulation=formulation)
    R = axes_of(r, "part.root")
    for kind in ("force", "moment"):
        reaction = r.values("O.force" if kind == "force" else "O.torque")
        for side in ("", ".beyond"):
            found = np.einsum("kij,kj->ki", R, r.values(f"part.root.internal_{kind}{side}"))
            assert found == pytest.approx(-reaction, abs=1e-9 * np.abs(r.values("O.force")).max())


def test_events_read_sections_of_given_modes_and_verify_balances_them(tmp_path):
    _, system = of_cloud(tmp_path)
    outputs = {"pull": "part.cut.internal_force.x"}
    reading = pl.System(system.model, outputs=outputs)
    r = reading.simulate(0.1, every=0.05)
    assert r.values("pull") == pytest.approx(r.values("part.cut.internal_force")[:, 0], rel=1e-12)
    assert reading.verify(t_end=0.2).agree


def test_sweeps_tell_sections_of_given_modes(tmp_path):
    _, system = of_cloud(tmp_path)
    name = "part.cut.internal_force"
    sweep = system.sweep({"joints.O.initial.angle_rate": [2.0, 4.0]}, outputs=[name], t_end=0.1)
    alone = system.simulate(0.1, outputs=[name]).values(name)[:, 0].max()
    assert sweep.score(f"max {name}.x")[-1] == pytest.approx(alone, rel=1e-12)


def test_a_mass_that_joins_nodes_has_no_parts(tmp_path):
    _, system = of_cloud(tmp_path, mass=np.eye(30))
    with pytest.raises(pl.errors.UnknownName, match="a mass for each node, not a matrix"):
        system.simulate(0.1, outputs=["part.cut.internal_force"])
    _, system = of_cloud(tmp_path)
    with pytest.raises(pl.errors.UnknownName, match="no sections whose stress is known"):
        system.simulate(0.1, outputs=["part.cut.stress"])
