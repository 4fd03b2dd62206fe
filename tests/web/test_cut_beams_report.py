"""Beams that are taken apart are one body of the page, with their frames, sections and loads."""

from __future__ import annotations

import numpy as np
import pytest
from tests.web.test_report import data_of, unpacked

import pliant as pl
from pliant.model.files import loads
from pliant.show.page.geometry import Geometry

CANTILEVER = """
pliant: 1
parameters: {l: 2}
materials: {steel: {E: 210 GPa, nu: 0.3, density: 7850}}
bodies:
  rod:
    beam: {length: l, section: {rectangle: {width: 20 mm, height: 30 mm}}, material: steel%AXIS%}
    theory: %THEORY%
    frames: {eye: {at: [0.5*l, 0, 0]}}
joints: {clamp: {fixed: {}, between: [ground, rod.root]}}
forces: {push: {force: [0, 0, -100], at: rod.tip}}
simulate: {analysis: statics, t_end: 1}
"""
THEORIES = ("{exact: {elements: 4, order: 2}}", "{large-rotation: {elements: 4}}",
            "{segments: {count: 6, directions: [bending_z]}}")  # fmt: skip


def model_of(theory: str, axis: str = ""):
    return loads(CANTILEVER.replace("%THEORY%", theory).replace("%AXIS%", axis))


@pytest.mark.parametrize("theory", THEORIES)
def test_a_cut_beam_is_one_body_of_the_page(theory):
    result = pl.System(model_of(theory)).statics()
    data = data_of(result)
    (rod,) = data["scene"]["bodies"]
    assert rod["name"] == "rod"
    assert {"root", "eye", "tip"} <= {f["name"] for f in rod["frames"]}
    assert rod["mass"] == pytest.approx(7850 * 0.02 * 0.03 * 2, rel=1e-9)
    np.testing.assert_allclose(rod["com"], [1, 0, 0], atol=1e-9)
    m, Iz = rod["mass"], 7850 * 2 * 0.03**3 * 0.02 / 12  # height along z: about y
    assert rod["inertia"][1] == pytest.approx(m * 4 / 12 + Iz, rel=1e-6)
    assert [j["name"] for j in data["scene"]["joints"]] == ["clamp"]
    assert data["scene"]["symbols"] == []
    told = {row[0]: row[1] for row in data["summary"]["model"]}
    assert told["Bodies"] == "1"
    names = {s["name"] for s in data["series"]}
    assert {f"{c}.position" for c in rod["pieces"]["carriers"]} <= names


@pytest.mark.parametrize("theory", THEORIES[:2])
def test_what_sections_of_a_cut_beam_pass_on_is_that_of_the_result(theory):
    result = pl.System(model_of(theory)).statics()
    (rod,) = data_of(result)["scene"]["bodies"]
    pieces = rod["pieces"]
    x = unpacked(pieces["places"], 3)[0]
    moment = unpacked(pieces["carried"]["moment"], pieces["drawn"])[:, -1]
    np.testing.assert_allclose(moment, 100 * (2 - x), rtol=0.02, atol=0.4)  # small deflection
    stress = unpacked(pieces["carried"]["stress"], pieces["drawn"])[:, -1]
    np.testing.assert_allclose(stress[0], 200 * 6 / (0.02 * 0.03**2), rtol=0.01)


def test_frames_and_knots_are_where_the_bodies_of_the_beam_are():
    result = pl.System(model_of(THEORIES[0])).statics()
    (rod,) = data_of(result)["scene"]["bodies"]
    pieces, frames = rod["pieces"], {f["name"]: f for f in rod["frames"]}
    carrier = pieces["carriers"][frames["eye"]["place"] - pieces["drawn"]]
    np.testing.assert_allclose(
        result.values(f"{carrier}.position"), result.values("rod.eye.position"), atol=1e-12
    )
    rest = unpacked(pieces["rest"], 7)
    np.testing.assert_allclose(rest[0], np.linspace(0, 2, 9), atol=1e-6)


def test_a_corner_has_two_sections_and_the_mass_of_both_legs():
    axis = ", axis: {points: [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}"
    text = CANTILEVER.replace("length: l, ", "").replace("at: [0.5*l", "at: [1")
    model = loads(text.replace("%THEORY%", THEORIES[0]).replace("%AXIS%", axis))
    geometry = Geometry(model, model.parameter_values())
    rod = geometry.pieces["rod"]
    x = np.array([k.x for k in rod.axis.knots])
    assert (np.diff(x) == 0).sum() == 1
    d = rod.drawn
    assert (np.diff(d.x) > 0).all()
    assert ((d.share >= 0) & (d.share <= 1)).all()
    mass, com, _ = rod.mass_properties()
    assert mass == pytest.approx(7850 * 0.02 * 0.03 * 2, rel=1e-9)
    np.testing.assert_allclose(com, [0.75, 0.25, 0], atol=1e-9)
    np.testing.assert_allclose(rod.undeformed()["tip"].p, [1, 1, 0], atol=1e-12)


def test_a_curved_beam_rests_on_its_circle():
    axis = ", curvature: [0, 0, pi/2/l]"
    model = model_of(THEORIES[0], axis)
    rod = Geometry(model, model.parameter_values()).pieces["rod"]
    r = 4 / np.pi  # a quarter of a circle of length 2
    for knot in rod.axis.knots:
        a = knot.x / r
        np.testing.assert_allclose(knot.rest.p, [r * np.sin(a), r * (1 - np.cos(a)), 0], atol=1e-9)
    com = rod.mass_properties()[1]
    np.testing.assert_allclose(com, [2 * r / np.pi, r - 2 * r / np.pi, 0], atol=1e-9)


def test_segments_are_touched_in_their_middle():
    model = model_of("{segments: {count: 4, directions: [bending_z]}}")
    rod = Geometry(model, model.parameter_values({"l": "3 m"})).pieces["rod"]
    at = [k.x for k in rod.axis.knots]
    own = {k.body for k in rod.axis.knots}
    assert {0.375, 1.125, 1.875, 2.625} <= {round(x, 9) for x in at}
    assert at[0] == 0
    assert at[-1] == pytest.approx(3)
    assert own == {"rod:0", "rod:1", "rod:2", "rod:3", "rod:4"}
