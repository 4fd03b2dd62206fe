"""Laws that hold for every registered kind of body and shape: undeformed, it is a rigid body.

With elastic coordinates at rest, centre of mass, momenta and kinetic energy are the sums over its
mass, frames move with it, and nothing is strained; a translation goes on as it is. Mass is summed
up here in plain numpy: pieces of mass with their places and moments of inertia.
"""

import json
from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.model.bodies import BODIES
from pliant.model.bodies.shapes import SHAPES
from pliant.model.bodies.theories import BEAM_THEORIES
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion

R = from_quaternion(NUMERIC, np.array([0.8, 0.2, -0.4, 0.4]))
P, V, W = np.array([0.3, -0.2, 0.5]), np.array([1.0, -2.0, 0.5]), np.array([0.4, -1.1, 0.7])
START = {"position": P.tolist(), "orientation": {"quaternion": [0.8, 0.2, -0.4, 0.4]},
         "velocity": V.tolist()}  # fmt: skip
MASS, MATRIX = 1.3, np.array([[0.02, 0.002, -0.001], [0.002, 0.03, 0.003], [-0.001, 0.003, 0.025]])
ENTRIES = [*np.diag(MATRIX), MATRIX[0, 1], MATRIX[0, 2], MATRIX[1, 2]]
CENTRE = np.array([0.05, -0.02, 0.03])
LENGTH, PER_LENGTH, ROTARY = 0.6, 1.1, {"rhoIy": 1e-3, "rhoIz": 2e-3}
STIFF = {"EA": 2000.0, "EIy": 4.0, "EIz": 7.0, "GJ": 3.0, "GAy": 900.0, "GAz": 800.0}
SLICE = np.diag([ROTARY["rhoIy"] + ROTARY["rhoIz"], ROTARY["rhoIy"], ROTARY["rhoIz"]])
X, WEIGHTS = (np.polynomial.legendre.leggauss(6)[k] / 2 + (1 - k) / 2 for k in (0, 1))
"""Places in [0, 1] and their weights."""
ROUNDING, KEPT = 1e-11, 1e-8


def rigid(_):
    return (pl.RigidBody("b", MASS, com=CENTRE.tolist(), inertia=ENTRIES, frames={"f": [1, 2, 3]}),
            [(MASS, CENTRE, MATRIX)])  # fmt: skip


def about_origin(_):
    """Steiner: the same matrix about another point is that of other mass."""
    about = MATRIX + MASS * (CENTRE @ CENTRE * np.eye(3) - np.outer(CENTRE, CENTRE))
    entries = [*np.diag(about), about[0, 1], about[0, 2], about[1, 2]]
    body = pl.RigidBody("b", MASS, com=CENTRE.tolist(), inertia=entries, inertia_about="origin")
    return body, [(MASS, CENTRE, MATRIX)]


def beam(theory, **own):
    """The mass of its elements is lumped by a rule that is exact for moments of inertia."""
    line = [(w * LENGTH * PER_LENGTH, np.array([LENGTH * x, 0, 0]), w * LENGTH * SLICE)
            for x, w in zip(X, WEIGHTS, strict=True)]  # fmt: skip
    body = pl.Beam("b", LENGTH, stiffness=STIFF, mass_per_length=PER_LENGTH, rotary=ROTARY,
                   rotary_inertia="full", theory=theory, **own)  # fmt: skip
    return lambda _: (body, line)


def modes(folder):
    nodes, masses = np.array([[0, 0, 0], [0.4, 0, 0], [0.8, 0.1, 0]]), [0.2, 0.4, 0.2]
    shapes = np.zeros((3, 3, 1))
    shapes[1:, 2, 0] = [0.3, 1]
    content = {"nodes": nodes.tolist(), "shapes": shapes.tolist(), "mass": masses,
               "stiffness": [[60.0]], "inertia": [MATRIX.tolist()] * 3}  # fmt: skip
    (folder / "modes.json").write_text(json.dumps(content))
    body = pl.Modes("b", str(folder / "modes.json"), frames=[pl.Frame("tip", node=2)])
    return body, [(m, r, MATRIX) for m, r in zip(masses, nodes, strict=True)]


def solid(kind):
    """A shape of mass MASS as pieces of it: Gauss points of its lengths, radii and angles."""
    turns = 2 * np.pi * np.arange(4) / 4
    around = np.array([[np.cos(a), np.sin(a), 0] for a in turns])
    cube = [(w1 * w2 * w3, np.array([a, b, c]))
            for a, w1 in zip(X, WEIGHTS, strict=True) for b, w2 in zip(X, WEIGHTS, strict=True)
            for c, w3 in zip(X, WEIGHTS, strict=True)]  # fmt: skip
    if kind == "point":
        return pl.RigidBody.point("b", mass=MASS), [(1.0, np.zeros(3))]
    if kind == "rod":
        return pl.RigidBody.rod("b", 0.4, mass=MASS), [(w, r * [0.4, 0, 0]) for w, r in cube]
    if kind == "box":
        size = np.array([0.3, 0.2, 0.1])
        return pl.RigidBody.box("b", size.tolist(), mass=MASS), [
            (w, (r - 0.5) * size) for w, r in cube]  # fmt: skip
    if kind == "cylinder":  # dm = 2 s ds dz over a unit of volume
        return pl.RigidBody.cylinder("b", 0.1, 0.3, mass=MASS), [
            (w * 2 * r[0] / 4, 0.1 * r[0] * n + [0, 0, 0.3 * (r[2] - 0.5)])
            for w, r in cube for n in around]  # fmt: skip
    return pl.RigidBody.sphere("b", 0.1, mass=MASS), [
        (w * 3 * r[0] ** 2 / 4, 0.1 * r[0] * np.append(np.sqrt(1 - (2 * r[2] - 1) ** 2) * n[:2],
                                                       2 * r[2] - 1))
        for w, r in cube for n in around]  # fmt: skip


THEORIES = {
    "modal": "modal", "rigid": "rigid", "exact": {"exact": {"elements": 1, "order": 3}},
    "large-rotation": {"large-rotation": {"elements": 2, "nodes": 2}},
    "segments": {"segments": {"count": 3, "directions": ["bending", "torsion"]}},
}  # fmt: skip
CASES = {
    "rigid": rigid, "rigid about origin": about_origin, "modes": modes,
    **{f"beam {name}": beam(theory) for name, theory in THEORIES.items()},
    **{f"beam in {frame}": beam("modal", floating_frame=frame) for frame in ("chord", "tip")},
}  # fmt: skip


def test_every_kind_has_a_case():
    assert {name.partition(" ")[0] for name in CASES} == {*BODIES}
    assert THEORIES.keys() == {*BEAM_THEORIES}


@pytest.mark.parametrize("kind", SHAPES)
def test_numbers_of_a_shape_are_those_of_its_volume(kind):
    """The sums are exact: polynomials of low degree at Gauss points, around at equal angles."""
    body, pieces = solid(kind)
    centre = sum(w * r for w, r in pieces)
    moments = sum(w * ((r - centre) @ (r - centre) * np.eye(3) - np.outer(r - centre, r - centre))
                  for w, r in pieces)  # fmt: skip
    assert sum(w for w, _ in pieces) == pytest.approx(1.0)
    assert body.mass.value == MASS
    assert [c.value for c in body.com] == pytest.approx(centre, abs=1e-15)
    xx, yy, zz, xy, xz, yz = (f.value for f in body.inertia)
    stated = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    assert stated == pytest.approx(MASS * moments, abs=1e-15)


def thrown(case, folder, spin):
    """A body that flies freely, and its mass as it lies at the start."""
    body, pieces = CASES[case](folder)
    start = {**START, "angular_velocity": spin.tolist()}
    system = pl.System(bodies=[replace(body, initial=start)])
    result = system.simulate(0.05, every=0.0025, rtol=1e-9, outputs=["*"]).require()
    return result, [(m, R @ r, R @ J @ R.T) for m, r, J in pieces]


@pytest.mark.parametrize("case", CASES)
def test_undeformed_it_moves_as_a_rigid_body(case, tmp_path):
    """v = V + W x r of every piece of its mass and of every frame; it strains nothing."""
    result, pieces = thrown(case, tmp_path, W)
    first = {name: result.values(name)[0] for name in result.names()}
    moving = [(m, P + r, V + np.cross(W, r), J @ W) for m, r, J in pieces]
    momentum = sum(m * v for m, _, v, _ in moving)
    about = sum(np.cross(r, m * v) + H for m, r, v, H in moving)
    energy = sum(m * v @ v + W @ H for m, _, v, H in moving) / 2
    mass = sum(m for m, *_ in moving)
    centre = sum(m * r for m, r, *_ in moving) / mass
    assert first["centre_of_mass"] == pytest.approx(centre, abs=ROUNDING)
    assert first["momentum"] == pytest.approx(momentum, abs=ROUNDING)
    assert first["angular_momentum"] == pytest.approx(about, abs=ROUNDING)
    assert first["angular_momentum_about_com"] == pytest.approx(
        about - np.cross(centre, momentum), abs=ROUNDING
    )
    assert first["kinetic_energy"] == pytest.approx(energy, abs=ROUNDING)
    assert first["potential_energy"] == pytest.approx(0.0, abs=ROUNDING)
    frames = [n.removesuffix(".velocity") for n in first if n.endswith(".velocity")]
    assert frames
    for frame in frames:
        arm = first[f"{frame}.position"] - P
        assert first[f"{frame}.velocity"] == pytest.approx(V + np.cross(W, arm), abs=ROUNDING)
        assert first[f"{frame}.angular_velocity"] == pytest.approx(W, abs=ROUNDING)


@pytest.mark.parametrize("case", CASES)
def test_momenta_are_those_of_its_mass_while_it_deforms(case, tmp_path):
    """Nothing acts on it: p and L stay, and the centre of mass moves with p / m."""
    result, pieces = thrown(case, tmp_path, 3 * W)
    mass, t = sum(m for m, *_ in pieces), result.time[:, None]
    for name in ("momentum", "angular_momentum"):
        assert np.ptp(result.values(name), axis=0) == pytest.approx(0.0, abs=KEPT), name
    p = result.values("momentum")
    centre = result.values("centre_of_mass")
    assert centre == pytest.approx(centre[0] + p[0] / mass * t, abs=KEPT)


@pytest.mark.parametrize("case", CASES)
def test_a_translation_goes_on_without_deformation(case, tmp_path):
    result, _ = thrown(case, tmp_path, 0 * W)
    for name in result.names():
        if name.endswith(".position"):
            straight = result.values(name)[0] + V * result.time[:, None]
            assert result.values(name) == pytest.approx(straight, abs=KEPT), name
    assert result.values("potential_energy") == pytest.approx(0.0, abs=ROUNDING)
