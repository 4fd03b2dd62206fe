"""Flexible bodies of a model file as tables."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from tests.unit.flex.beams import frequencies, sized

from pliant.errors import InputError, ModelError
from pliant.flex.beam import Elastic, RateBeam, Rates, SectionBeam
from pliant.flex.body import ModalBeam, beam_data
from pliant.flex.data import FlexibleData
from pliant.flex.fields import FloatingFrame
from pliant.flex.from_model import flexible_data, frame_data
from pliant.model import Beam, Frame, Material, Model, Modes
from pliant.model.bodies import BeamShapes, Circle, Functions
from pliant.model.bodies.beam_shapes import FAMILIES
from pliant.model.bodies.elastic import BEAM_FRAMES
from pliant.model.files import loads
from pliant.model.validation import faults_of

VALUES = {"l": 0.3, "r": 0.003}
MATERIALS = {
    "steel": Material("steel", "200 GPa", 0.3, 7870),
    "alloy": Material("alloy", 70e9, density=2700, G=26e9),
}


def value(f, values=VALUES):
    return f.number(values)


def rod(**more) -> Beam:
    given = {"length": "l", "section": {"circle": {"radius": "r"}}, "material": "steel"}
    return Beam("rod", **{**given, **more})


def data_of(body, values=VALUES) -> FlexibleData:
    return flexible_data(body, lambda f: value(f, values), MATERIALS)


def tables(data: FlexibleData) -> dict[str, np.ndarray]:
    found = {f.name: getattr(data, f.name) for f in dataclasses.fields(data)}
    return {k: v for k, v in found.items() if isinstance(v, np.ndarray | float)}


def same(one: FlexibleData, other: FlexibleData) -> bool:
    a, b = tables(one), tables(other)
    return a.keys() == b.keys() and all(np.array_equal(a[k], b[k]) for k in a)


def test_a_beam_of_the_file_is_the_beam_of_the_tables():
    body = rod(shapes={"bending": 2, "torsion": {"polynomial": 1}}, floating_frame="tisserand",
               damping={"modal": [0.01, 0.02]}, geometric_stiffness="dynamic")  # fmt: skip
    own = ModalBeam(
        SectionBeam(0.3, (sized(Circle(0.003)),), Elastic(200e9, 7870, 0.3)),
        BeamShapes(
            Functions(2, "free-free"), Functions(2, "free-free"), Functions(1, "polynomial")
        ),
        geometric_stiffness="dynamic",
        frame=FloatingFrame("tisserand"),
        damping=(((), ("modal", (0.01, 0.02))),),
    )
    assert same(data_of(body), beam_data(own))


def test_stiffness_given_directly():
    body = Beam("b", 2, stiffness={"EIz": 10}, mass_per_length=3, shapes={"bending_y": 2},
                rotary_inertia="none")  # fmt: skip
    beam = RateBeam(2.0, (Rates(EIz=10.0, rhoA=3.0),))
    own = ModalBeam(beam, BeamShapes(Functions(2, "clamped-free")), rotary_inertia="none")
    assert same(data_of(body), beam_data(own))


def test_material_with_a_shear_modulus():
    shapes = {"torsion": {"taylor": 1}}
    by_G = data_of(rod(material="alloy", shapes=shapes))
    J = np.pi * 0.003**4 / 2
    assert by_G.K[0, 0] == pytest.approx(26e9 * J / 0.3)


@pytest.mark.parametrize("kind", ["euler-bernoulli", "timoshenko"])
@pytest.mark.parametrize("family", FAMILIES)
def test_names_of_coordinates_are_those_of_the_model(family, kind):
    body = rod(shapes={key: {family: 4} for key in ("bending", "torsion", "axial")}, type=kind)
    assert data_of(body).names == body.elastic_names


@pytest.mark.parametrize("frame", [*BEAM_FRAMES, {"at": 0.25}])
def test_frames_are_measured_from_the_floating_frame(frame):
    body = rod(floating_frame=frame, frames={"P": ["l/3", "1 mm", "2 mm"]})
    data = data_of(body)
    place = frame_data(body, data, body.frames["P"], value)
    assert place.p0 + data.origin == pytest.approx([0.1, 0, 0])
    assert list(place.a) == [0, 0.001, 0.002]
    assert np.isfinite(frequencies(data)).all()


def test_parameters_change_numbers_but_no_shapes():
    body = rod(sections={0: {"circle": {"radius": "r"}}, 1: {"circle": {"radius": "r/2"}}},
               section=None, shapes={"bending": {"craig-bampton": 4}, "axial": 1})  # fmt: skip
    one, other = data_of(body), data_of(body, {"l": 0.5, "r": 0.001})
    assert not np.allclose(one.M, other.M)
    shapes = [{k: np.shape(v) for k, v in tables(d).items()} for d in (one, other)]
    assert shapes[0] == shapes[1]
    assert one.pairs == other.pairs


def test_a_rigid_beam_has_the_inertia_of_a_rod():
    data = data_of(rod(theory="rigid", rotary_inertia="full"))
    m, l, r = data.m, 0.3, 0.003
    assert data.count == 0
    assert data.M.shape == (0, 0)
    assert m == pytest.approx(7870 * np.pi * r**2 * l)
    assert data.s0 / m == pytest.approx([l / 2, 0, 0])
    cross = m * (l**2 / 3 + r**2 / 4)
    np.testing.assert_allclose(data.J0, np.diag([m * r**2 / 2, cross, cross]), atol=1e-15)
    assert data.frame(0.3).L.shape == (3, 0)


@pytest.fixture
def plate(tmp_path: Path) -> Path:
    content = {"nodes": [[0, 0, 0], [1, 0, 0]], "shapes": [[[0], [0], [0]], [[0], [0], [1]]],
               "rotations": [[[0], [0], [0]], [[0], [-1.5], [0]]], "mass": [1, 2],
               "stiffness": [[8]], "second_order": np.zeros((2, 3, 1, 1)).tolist()}  # fmt: skip
    (tmp_path / "plate.json").write_text(json.dumps(content))
    return tmp_path / "plate.json"


def test_given_modes(plate):
    body = Modes("plate", plate, damping={"modal": 0.5},
                 frames={"A": {"node": 1, "at": [0, 0, 0.1]}, "B": {"on": "A"}})  # fmt: skip
    data = data_of(body)
    assert frequencies(data) == pytest.approx([2])
    assert data.D[0, 0] == pytest.approx(4.0)
    assert data.geometric_stiffness == "dynamic"
    place = frame_data(body, data, body.frames["A"], value)
    assert list(place.p0) == [1, 0, 0]
    assert list(place.a) == [0, 0, 0.1]
    assert place.L[2, 0] == 1
    for frame in (body.frames["B"], Frame("C")):
        with pytest.raises(InputError, match="body 'plate': frame"):
            frame_data(body, data, frame, value)


def test_given_modes_without_deformation_or_in_another_frame(plate):
    rigid = data_of(Modes("plate", plate, theory="rigid"))
    assert (rigid.count, rigid.m) == (0, 3)
    moved = Modes("plate", plate, geometric_stiffness="none", floating_frame={"node": 1})
    assert list(data_of(moved).origin) == [1, 0, 0]


def test_the_chord_of_given_modes(plate):
    """The tip no longer moves across, and its slope is what it turns against the chord."""
    body = Modes("plate", plate, geometric_stiffness="none", floating_frame={"chord": [0, 1]})
    data = data_of(body)
    assert not data.frame(0).L.any()
    assert not data.frame(1).L.any()
    assert data.frame(0).psi[:, 0] == pytest.approx([0, 1, 0])
    assert data.frame(1).psi[:, 0] == pytest.approx([0, -0.5, 0])
    assert Modes("plate", plate, floating_frame=body.floating_frame).floating_frame.ends == (0, 1)
    with pytest.raises(ModelError, match="is not a floating frame"):
        rod(floating_frame=body.floating_frame)
    with pytest.raises(ModelError, match="is not a floating frame"):
        Modes("plate", plate, floating_frame=rod(floating_frame="chord").floating_frame)


@pytest.mark.parametrize(
    ("changes", "options", "what"),
    [
        ({"nodes": [[0, 0, 0], [0, 0, 0]]}, {"geometric_stiffness": "none"}, "at the same place"),
        ({"mass": np.eye(12).tolist()}, {"geometric_stiffness": "second-order",
                                         "floating_frame": "as-given"}, "along x, y and z"),
        ({}, {}, "belong to its own frame, not to chord"),
    ],
)  # fmt: skip
def test_files_that_do_not_suit_what_is_asked_for(plate, changes, options, what):
    plate.write_text(json.dumps({**json.loads(plate.read_text()), **changes}))
    body = Modes("plate", plate, **{"floating_frame": {"chord": [0, 1]}, **options})
    (fault,) = faults_of(Model(bodies=[body]))
    assert what in fault.what


def test_second_order_of_given_modes(plate):
    content = json.loads(plate.read_text())
    content["second_order"][1][0] = [[0.6]]
    plate.write_text(json.dumps(content))
    data = data_of(Modes("plate", plate, geometric_stiffness="second-order"))
    assert data.geometric_stiffness == "second-order"
    assert data.pairs == ((0, 0, 0),)
    assert data.HH[0, 0] == pytest.approx(2 * 0.6**2)


def test_stiffness_of_the_motion_is_read_and_can_be_left_out(plate):
    content = json.loads(plate.read_text())
    del content["second_order"]
    motion = np.zeros((12, 1, 1))
    motion[8] = 3.0
    plate.write_text(json.dumps({**content, "motion_stiffness": motion.tolist()}))
    data = data_of(Modes("plate", plate, geometric_stiffness="dynamic"))
    without = data_of(Modes("plate", plate, geometric_stiffness="none"))
    assert data.J2[2, 2, 0, 0] - without.J2[2, 2, 0, 0] == -6.0
    assert data_of(Modes("plate", plate, theory="rigid")).count == 0


def test_faults_name_the_body():
    with pytest.raises(InputError, match="body 'rod': no material 'wood'"):
        data_of(rod(material="wood"))
    model = Model(bodies=[rod()], materials=MATERIALS, parameters={"l": 1, "r": -1})
    (fault,) = faults_of(model)
    assert (fault.element, fault.what) == ("body 'rod'", "section: radius is -1, not above zero")


def test_every_number_of_a_beam_may_be_a_parameter():
    text = """
    pliant: 1
    parameters: {l: 2 m, b: 20 mm, E: 70 GPa, rho: 2700 kg/m^3, z: 0.02, a: 0.5}
    materials: {m: {E: E, nu: 0.3, density: rho}}
    bodies:
      rod:
        beam: {length: l, section: {rectangle: {width: b, height: b/2}}, material: m}
        floating_frame: {at: a}
        damping: {modal: z}
    """
    model = loads("\n".join(line[4:] for line in text.splitlines()))
    values = model.parameter_values({"E": "1 GPa", "a": 0.25})
    data = flexible_data(model.bodies["rod"], lambda f: value(f, values), model.materials)
    assert list(data.origin) == [0.5, 0, 0]
    assert data.m == pytest.approx(2700 * 2 * 0.02 * 0.01)
