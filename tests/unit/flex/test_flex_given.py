"""Given modes: against beams with the same shapes, against quadrature, and their files."""

import json

import numpy as np
import pytest
from tests.unit.flex.beams import TAPERED, UNIFORM, frequencies
from tests.unit.flex.energy import free_frequencies, table_energy

from pliant.errors import FileError, InputError, ModelError
from pliant.flex.beam import RateBeam, Rates
from pliant.flex.body import ModalBeam, beam_data
from pliant.flex.given import GivenFrame, GivenModes, given_data, load_modes
from pliant.flex.integrals import slice_inertia
from pliant.model import Beam, Model, Modes
from pliant.model.bodies import BeamShapes, Functions
from pliant.model.validation import faults_of

TABLES = ("s0", "s1", "s2", "J0", "J1", "J2", "B0", "B1", "M")


def sampled(mode):
    """A beam, and its own Gauss points as a body with given modes."""
    shapes = Functions(3, "polynomial")
    beam = ModalBeam(
        TAPERED,
        BeamShapes(shapes, shapes, axial=Functions(2, "taylor")),
        rotary_inertia="full",
        geometric_stiffness=mode,
    )
    data = beam_data(beam)
    rule = data.geometry.rule
    f, rates = data.geometry.fields.at(rule.x), TAPERED.rates(rule.x)
    frames = [data.frame(x) for x in rule.x]
    given = GivenModes(
        nodes=np.array([p.p0 for p in frames]),
        Phi_t=f.L,
        mass=rule.w * rates.rhoA,
        K=data.K,
        Phi_r=f.psi,
        inertia=slice_inertia(rule, rates, "full"),
        H=np.array([p.H for p in frames]),
        geometric_stiffness=mode,
    )
    return data, given_data(given)


@pytest.mark.parametrize("mode", ["second-order", "dynamic", "none"])
def test_a_sampled_beam_has_the_tables_of_the_beam(mode):
    beam, given = sampled(mode)
    assert given.m == pytest.approx(beam.m)
    for name in TABLES:
        expected = getattr(beam, name)
        assert np.allclose(
            getattr(given, name),
            expected,
            rtol=1e-11,
            atol=1e-12 * np.abs(expected).max(initial=1e-30),
        ), name
        assert not getattr(given, name)[~given.masks[name]].any()
    assert given.geometric_stiffness == beam.geometric_stiffness
    assert (given.C is None) == (mode != "second-order")
    if given.C is not None:
        assert given.pairs == beam.pairs
        assert np.allclose(given.C, beam.C, rtol=1e-11, atol=1e-12 * np.abs(beam.C).max())
        assert np.allclose(given.HH, beam.HH, rtol=1e-11, atol=1e-12 * np.abs(beam.HH).max())


def linear_elements(nodes, density, n, random):
    """Consistent mass over (N, 3) of straight linear elements between successive nodes."""
    N = len(nodes)
    M = np.zeros((N, N))
    for e in range(N - 1):
        length = np.linalg.norm(nodes[e + 1] - nodes[e])
        M[e : e + 2, e : e + 2] += density * length / 6 * np.array([[2, 1], [1, 2]])
    return np.kron(M, np.eye(3)), random.normal(size=(N, 3, n))


def test_invariants_of_interpolated_shapes_are_their_integrals():
    """S2, example 11.1: geometry and Ritz vectors interpolated alike, ∫ r φ^T dm from N^T N."""
    random = np.random.default_rng(3)
    nodes = random.normal(size=(6, 3))
    mass, Phi = linear_elements(nodes, 2.0, 4, random)
    data = given_data(GivenModes(nodes, Phi, mass, np.eye(4)))
    q, qdot = random.normal(size=4), random.normal(size=4)
    v, w = random.normal(size=3), random.normal(size=3)
    t, weights = np.polynomial.legendre.leggauss(6)
    T, moments = 0.0, np.zeros((3, 4))
    for e in range(5):
        N = np.stack([(1 - t) / 2, (1 + t) / 2], axis=1)
        r, phi = N @ nodes[e : e + 2], np.einsum("te,eia->tia", N, Phi[e : e + 2])
        dm = weights * np.linalg.norm(nodes[e + 1] - nodes[e])
        V = v + np.cross(w, r + phi @ q) + phi @ qdot
        T += 0.5 * dm @ (V * V).sum(axis=1)
        moments += np.einsum("t,tia->ia", dm, np.cross(r[:, :, None], phi, axis=1))
    assert table_energy(data, q, qdot, v, w).sum() == pytest.approx(T, rel=1e-12)
    assert np.allclose(data.B0, moments, rtol=1e-12, atol=1e-12)


def hermite_mass(length, rhoA):
    """A 12 x 12 consistent mass of an Euler-Bernoulli element without rotary inertia."""
    M = np.zeros((12, 12))
    bar = rhoA * length / 6 * np.array([[2, 1], [1, 2]])
    M[np.ix_([0, 6], [0, 6])] = bar
    L = length
    bend = (
        rhoA
        * L
        / 420
        * np.array(
            [
                [156, 22 * L, 54, -13 * L],
                [22 * L, 4 * L**2, 13 * L, -3 * L**2],
                [54, 13 * L, 156, -22 * L],
                [-13 * L, -3 * L**2, -22 * L, 4 * L**2],
            ]
        )
    )
    flip = np.diag([1, -1, 1, -1])
    M[np.ix_([1, 5, 7, 11], [1, 5, 7, 11])] = bend
    M[np.ix_([2, 4, 8, 10], [2, 4, 8, 10])] = flip @ bend @ flip
    return M


def test_a_consistent_matrix_with_rotations():
    """Cubic shapes are exact on Hermite elements: mass and couplings equal those of the beam."""
    beam = RateBeam(1.5, (Rates(1, 1, 1, 1, rhoA=2.0),))
    shapes = BeamShapes(
        Functions(2, "taylor"), Functions(2, "taylor"), axial=Functions(1, "taylor")
    )
    data = beam_data(ModalBeam(beam, shapes, rotary_inertia="none", geometric_stiffness="none"))
    x = np.linspace(0, 1.5, 4)
    M = np.zeros((24, 24))
    for e in range(3):
        M[6 * e : 6 * e + 12, 6 * e : 6 * e + 12] += hermite_mass(0.5, 2.0)
    frames = [data.frame(place) for place in x]
    given = given_data(
        GivenModes(
            np.array([p.p0 for p in frames]),
            np.array([p.L for p in frames]),
            M,
            data.K,
            Phi_r=np.array([p.psi for p in frames]),
        )
    )
    for name in ("m", "s0", "s1", "J0", "B0", "M"):
        assert np.allclose(getattr(given, name), getattr(data, name), rtol=1e-12, atol=1e-13), name


@pytest.mark.parametrize(
    "kind", ["at", "chord", "mass-centre", "principal-axis", "buckens", "tisserand"]
)
def test_floating_frames_of_given_modes(kind):
    """A free body has the same frequencies in every frame; the means vanish where promised."""
    random = np.random.default_rng(5)
    nodes, Phi, turns = (random.normal(size=s) for s in ((7, 3), (7, 3, 4), (7, 3, 4)))
    inertia = 0.1 * np.tile(np.diag([1.0, 2.0, 3.0]), (7, 1, 1))
    modes = GivenModes(nodes, Phi, random.uniform(1, 2, 7), np.diag([1.0, 2, 3, 4]), turns, inertia)
    plain_data, data = given_data(modes), given_data(modes, GivenFrame(kind, 2, 5))
    assert free_frequencies(data)[6:] == pytest.approx(free_frequencies(plain_data)[6:], rel=1e-9)
    if kind == "at":
        assert np.abs(data.frame(2).L).max() == np.abs(data.frame(2).psi).max() == 0
    elif kind == "chord":
        chord = data.frame(5).p0
        assert np.abs(data.frame(2).p0).max() == np.abs(data.frame(2).L).max() == 0
        assert np.abs(np.cross(chord, data.frame(5).L, axis=0)).max() < 1e-13
        assert np.abs(chord @ data.frame(2).psi).max() < 1e-13
    else:
        assert np.abs(data.s0).max() < 1e-13
        assert np.abs(data.s1).max() < 1e-13
    if kind in ("buckens", "tisserand"):
        assert np.abs(data.B0).max() < 1e-12
    if kind == "principal-axis":
        _, P = np.linalg.eigh(data.J0)
        turned = np.einsum("ki,klb,lj->ijb", P, data.J1, P)
        assert max(np.abs(turned[i, j]).max() for i, j in ((0, 1), (1, 2), (2, 0))) < 1e-12


def test_principal_axes_of_a_round_body_turn_with_the_mean():
    """Equal moments of inertia have no axes of their own."""
    corners = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])
    Phi = np.random.default_rng(1).normal(size=(6, 3, 2))
    modes = GivenModes(corners, Phi, np.ones(6), np.eye(2))
    one, other = (given_data(modes, GivenFrame(k)) for k in ("principal-axis", "tisserand"))
    assert np.allclose(one.frame(0).L, other.frame(0).L, atol=1e-13)


def test_stiffness_of_a_moving_frame_is_that_of_all_nodes_together():
    """Each matrix from the inertia forces of the nodes, f_i adds f_i H[i] to the stiffness."""
    random = np.random.default_rng(2)
    N, n = 6, 3
    nodes, Phi, H = (random.normal(size=s) for s in ((N, 3), (N, 3, n), (N, 3, n, n)))
    H, mass = H + H.transpose(0, 1, 3, 2), random.uniform(1, 2, N)

    def stiffness(a=(0, 0, 0), alpha=(0, 0, 0), w=(0, 0, 0)):
        field = a + np.cross(alpha, nodes) + np.cross(w, np.cross(w, nodes))
        return np.einsum("p,pi,piab->ab", -mass, field, H)

    e = np.eye(3)
    squares = [stiffness(w=axis) for axis in e]
    mixed = [
        stiffness(w=e[i] + e[j]) - squares[i] - squares[j] for i, j in ((0, 1), (1, 2), (2, 0))
    ]
    motion = [*(stiffness(a=x) for x in e), *(stiffness(alpha=x) for x in e), *squares, *mixed]
    by_nodes = given_data(GivenModes(nodes, Phi, mass, np.eye(n), H=H))
    by_motion = given_data(GivenModes(nodes, Phi, mass, np.eye(n), motion=np.array(motion)))
    for name in TABLES:
        assert np.allclose(getattr(by_motion, name), getattr(by_nodes, name), atol=1e-12), name
    assert by_motion.geometric_stiffness == "dynamic"
    assert not by_motion.frame(2).H.any()


def test_second_order_tables_belong_to_their_frame():
    random = np.random.default_rng(5)
    modes = GivenModes(
        np.zeros((1, 3)),
        np.ones((1, 3, 1)),
        np.ones(1),
        np.eye(1),
        H=random.normal(size=(1, 3, 1, 1)),
    )
    with pytest.raises(InputError, match="second-order tables"):
        given_data(modes, GivenFrame("tisserand"))


def test_frames_on_nodes():
    beam, given = sampled("dynamic")
    x = float(beam.geometry.rule.x[7])
    one, other = beam.frame(x, (0.0, 0.1, 0.2)), given.frame(7, (0.0, 0.1, 0.2))
    for name in ("p0", "L", "H", "psi", "phi", "a"):
        assert np.allclose(getattr(one, name), getattr(other, name), atol=1e-14)
    with pytest.raises(InputError, match="no node"):
        given.frame(7.5)


def plain(**changes):
    content = {
        "nodes": [[0, 0, 0], [1, 0, 0]],
        "shapes": [[[0], [0], [0]], [[0], [1], [0]]],
        "mass": [1, 2],
        "stiffness": [[5]],
    }
    content.update(changes)
    return {k: v for k, v in content.items() if v is not None}


def write(tmp_path, content, kind="json"):
    path = tmp_path / f"modes.{kind}"
    if kind == "json":
        path.write_text(json.dumps(content))
    else:
        np.savez(path, **{k: np.array(v, dtype=float) for k, v in content.items()})
    return path


def test_second_order_needs_all_displacements_and_a_mass_without_directions(tmp_path):
    H = np.zeros((2, 3, 1, 1)).tolist()

    def found(**changes):
        path = write(tmp_path, plain(**changes))
        body = Modes("plate", path, geometric_stiffness="second-order")
        return [f.what for f in faults_of(Model(bodies=[body]))]

    assert not found(second_order=H)
    (what,) = found()
    assert "needs second_order, which the file does not have" in what
    (what,) = found(motion_stiffness=np.zeros((12, 1, 1)).tolist())
    assert "needs second_order, which the file does not have" in what
    for mass in (np.diag([1.0, 2, 2, 1, 2, 2]), np.eye(12)):
        (what,) = found(second_order=H, mass=mass.tolist())
        assert "needs a mass that is the same along x, y and z" in what


@pytest.mark.parametrize("kind", ["json", "npz"])
def test_files_are_read(tmp_path, kind):
    content = plain(
        stiffness=None,
        frequencies_hz=[1.0],
        modal_masses=[2.0],
        geometric_stiffness=[[[0.7]]],
        load_nodes=[1],
        load_axes=[0],
    )
    modes = load_modes(write(tmp_path, content, kind))
    data = given_data(modes)
    assert frequencies(data) == pytest.approx([2 * np.pi])
    assert data.m == pytest.approx(3.0)
    assert data.frame(1).H[0, 0, 0] == 0.7
    assert data.s2[0, 0, 0] == pytest.approx(-2 * 0.7)


@pytest.mark.parametrize(
    ("content", "count"),
    [
        (plain(nodes=None, mass=None, stiffness=None), 3),
        (plain(colour=1, shapes=[["a"]]), 3),
        (plain(stiffness=[[1, 2], [3, 4]]), 2),
        (plain(geometric_stiffness=[[[1]]], load_nodes=[5], load_axes=[0.5]), 2),
        (plain(second_order=[[[[0]]] * 3] * 2, motion_stiffness=[[[0]]] * 12), 1),
        (plain(motion_stiffness=[[[0]]] * 6, lines=[[0, 2]]), 2),
    ],
)
def test_faulty_files_list_their_faults(tmp_path, content, count):
    with pytest.raises(ModelError) as caught:
        load_modes(write(tmp_path, content))
    assert len(caught.value.faults) == count


def test_unreadable_files_are_refused(tmp_path):
    for name, text in (("a.json", "{"), ("b.json", "[1]"), ("c.npz", "no"), ("d.txt", "")):
        (tmp_path / name).write_text(text)
        with pytest.raises(FileError):
            load_modes(tmp_path / name)
    np.savez(tmp_path / "e.npz", nodes=np.array([object()], dtype=object))
    with pytest.raises(FileError):
        load_modes(tmp_path / "e.npz")


def test_modal_damping_gives_each_mode_its_ratio():
    beam = ModalBeam(
        UNIFORM, BeamShapes(Functions(4, "polynomial")), damping=(((), ("modal", (0.01, 0.02))),)
    )
    data = beam_data(beam)
    n = data.count
    A = np.block(
        [
            [np.zeros((n, n)), np.eye(n)],
            [-np.linalg.solve(data.M, data.K), -np.linalg.solve(data.M, data.D)],
        ]
    )
    values = np.linalg.eigvals(A)
    values = values[values.imag > 0]
    values = values[np.argsort(np.abs(values))]
    assert -values.real[:2] / np.abs(values[:2]) == pytest.approx([0.01, 0.02], rel=1e-8)
    assert np.abs(values.real[2:] / np.abs(values[2:])).max() < 1e-9
    assert np.abs(values) == pytest.approx(frequencies(data), rel=1e-9)


def stiff_beam(**more):
    given = {"stiffness": {"EIz": 1}, "mass_per_length": 1, "rotary": {"rhoIy": 1, "rhoIz": 1}}
    body = Beam("b", 1, **(given | more))
    return {(f.path[-1], f.what) for f in faults_of(Model(bodies=[body]))}


def test_missing_stiffness_is_a_fault_by_name():
    shapes = {"bending_y": 2, "torsion": 1, "axial": 1}
    needs = {f"{why} needs {key}" for why, key in
             (("timoshenko bending_y", "GAy"), ("torsion", "GJ"), ("axial", "EA"))}  # fmt: skip
    assert stiff_beam(shapes=shapes, type="timoshenko") == {("stiffness", what) for what in needs}
    found = stiff_beam(shapes={"bending_y": 2}, type="timoshenko", rotary=None)
    assert ("stiffness", "timoshenko needs rotary inertia") in found


def test_massless_coordinates_are_faults():
    shapes = {"bending_y": 2, "torsion": 1}
    found = {what for _, what in stiff_beam(shapes=shapes, rotary_inertia="none")}
    assert "torsion has no inertia with rotary_inertia: none" in found
    found = {what for _, what in stiff_beam(shapes=shapes, type="timoshenko",
                                            rotary_inertia="axial")}  # fmt: skip
    assert "timoshenko with rotary_inertia: axial leaves sections massless" in found
    ratios = {what for _, what in stiff_beam(shapes={"bending_y": 1}, damping={"modal": [0.1] * 2})}
    assert "damping: 2 ratios for 1 elastic coordinates" in ratios


def measured(mass, rotations=None, inertia=None, **changes):
    """Two modes with a full description of the mass."""
    shapes = np.zeros((3, 3, 2))
    shapes[:, 1, 0], shapes[:, 2, 1] = [1, 0, 1], [2, 0, -2]
    content = plain(
        nodes=[[0, 0, 0], [1, 0, 0], [2, 0, 0]], shapes=shapes.tolist(), mass=mass, stiffness=None,
        frequencies=[3.0, 4.0], rotations=rotations, inertia=inertia,
    )  # fmt: skip
    return content | changes


TURNS = np.zeros((3, 3, 2))
TURNS[:, 1, 1] = 1.0


@pytest.mark.parametrize(
    ("mass", "rotations", "inertia", "own"),
    [
        ([1, 1, 2], None, None, [3, 12]),
        (np.diag([1, 1, 1, 1, 1, 1, 2, 2, 2.0]), None, None, [3, 12]),
        (np.diag([1, 1, 1, 5, 5, 5] * 3), TURNS, None, [2, 8 + 15]),
        ([1, 1, 2], TURNS, [np.eye(3).tolist()] * 3, [3, 12 + 3]),
    ],
)
def test_modal_masses_are_those_of_shapes_and_mass(tmp_path, mass, rotations, inertia, own):
    """44.7 rad/s became 14.9 where shapes were scaled and modal masses were not."""
    arrays = {"rotations": rotations, "inertia": inertia}
    arrays = {k: np.asarray(v).tolist() for k, v in arrays.items() if v is not None}
    right = measured(np.asarray(mass).tolist(), **arrays, modal_masses=own)
    data = given_data(load_modes(write(tmp_path, right)))
    assert frequencies(data) == pytest.approx([3.0, 4.0])
    wrong = right | {"modal_masses": [own[0], own[1] / 9]}
    with pytest.raises(ModelError) as caught:
        load_modes(write(tmp_path, wrong))
    (fault,) = caught.value.faults
    assert f"of mode 2 is {own[1] / 9:.6g}, but its shape and the mass give {own[1]:.6g}" in str(
        fault
    )
