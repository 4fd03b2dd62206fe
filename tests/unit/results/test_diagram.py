"""Internal forces along a beam, asked of a result: at any time, saved or not; what cannot be."""

import csv
import subprocess
import sys

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.export import exported
from pliant.errors import InputError, UnknownName

MODEL = """
pliant: 1
gravity: [0, -10, 0]
bodies:
  bar:
    beam: {length: 2, stiffness: {EIz: 2000}, mass_per_length: 3}
    shapes: {bending_y: 1}
    frames: {arm: {on: mid, at: [0, 0.1, 0]}}
  weight: {rigid: {mass: 1, inertia: [1, 1, 1]}}
  cut: {beam: {length: 1, stiffness: {EIz: 10}, mass_per_length: 1}, shapes: {bending_y: 1},
        theory: segments(2)}
joints:
  O: {revolute: {axis: z}, between: [ground, bar.root]}
  T: {fixed: {}, between: [bar.tip, weight]}
  S: {revolute: {axis: z}, between: [ground, cut.root]}
outputs: {N: bar.mid.internal_force.x}
simulate: {t_end: 0.2 s, every: 0.1 s}
"""


@pytest.fixture(scope="module")
def result():
    return pl.loads(MODEL).simulate(outputs=["O.angle", "bar.tip.internal_force", "N"])


def test_what_is_asked_for_stands_among_the_series(result):
    assert list(result.series) == ["O.angle", "N", "bar.tip.internal_force"]
    assert result.values("N") == pytest.approx(result.values("bar.mid.internal_force.x"), rel=1e-12)


def test_loads_make_steps(result):
    d = result.diagram("bar")
    assert d.x[-2:] == pytest.approx([2, 2])
    assert d.force[0, -2] == pytest.approx(result.values("bar.tip.internal_force")[-1])
    assert not np.any(d.force[0, -1])
    assert d["Mz"][0] == pytest.approx(0, abs=1e-9 * np.abs(d["Mz"]).max())
    assert d.carried == ("N", "Qy", "Mz")


def test_between_samples_it_lies_on_a_straight_line(result):
    d = result.diagram("bar", [0.0, 0.025, 0.1], stations=[0.5, 1.0])
    assert d["Qy"][1] == pytest.approx(0.75 * d["Qy"][0] + 0.25 * d["Qy"][2], rel=1e-12)


def test_one_sample_and_a_saved_result_tell_it_as_well(result, tmp_path):
    result.save(tmp_path / "r.nc")
    expected = result.diagram("bar", 0.1)["N"]
    for other in (result.at(0.1), pl.Result.load(tmp_path / "r.nc")):
        assert other.diagram("bar", 0.1)["N"] == pytest.approx(expected, rel=1e-9)


def test_it_is_drawn(result, tmp_path):
    figure = result.plot("bar", kind="diagram", at=[0, 0.2], path=tmp_path / "d.svg")
    assert [axis.get_ylabel().split("\n")[0] for axis in figure.axes] == [
        "normal force N", "shear force Qy", "bending moment Mz"
    ]  # fmt: skip
    assert (tmp_path / "d.svg").is_file()


@pytest.mark.parametrize(("how", "kind", "said"), [
    ({"body": "baar"}, UnknownName, "no body 'baar'; did you mean 'bar'"),
    ({"body": "weight"}, InputError, "'weight' is not a beam; beams: bar"),
    ({"body": "cut"}, InputError, "'cut' is cut into segments"),
    ({"body": "bar", "at": 3}, InputError, "at 3 s; give times from 0 to 0.2 s"),
    ({"body": "bar", "at": float("nan")}, InputError, "at nan s"),
    ({"body": "bar", "stations": [2.5]}, InputError,
     "x = 2.5 m is not on 'bar'; give places from 0 to 2 m"),
])  # fmt: skip
def test_what_cannot_be_told_says_why(result, how, kind, said):
    with pytest.raises(kind, match=said):
        result.diagram(how.pop("body"), **how)


def test_unknown_components_are_named(result):
    with pytest.raises(UnknownName, match="nothing is named 'M'"):
        result.diagram("bar")["M"]
    with pytest.raises(UnknownName, match="not those on an arm"):
        result.values("bar.arm.internal_force")
    bad = pl.loads(MODEL.replace("mid.internal_force.x", "mid.internal_force.q"))
    with pytest.raises(UnknownName, match=r"has no component 'q'; it has x, y, z"):
        bad.simulate()
    bare = pl.loads(MODEL.replace("mid.internal_force.x", "mid.stress.p1"))
    with pytest.raises(UnknownName, match="stress needs a section"):
        bare.simulate()


def test_exported_programs_write_what_the_run_tells(tmp_path):
    """Whole ones, components and the other side of a load; as formulas read them besides."""
    system, names = pl.loads(MODEL), ["bar.root.internal_moment", "bar.mid.internal_force.beyond.y"]
    text = exported(system, "python", outputs=names, t_end=0.1, every=0.1)
    (tmp_path / "bar.py").write_text(text)
    done = subprocess.run([sys.executable, tmp_path / "bar.py"], capture_output=True, text=True)
    header, *_, last = csv.reader(done.stdout.splitlines())
    assert header == ["time", *(f"{names[0]}.{axis}" for axis in "xyz"), names[1]]
    result = system.simulate(0.1, every=0.1, rtol=1e-9)
    moment, force = (result.values(name)[-1] for name in names)
    scale = np.abs(moment).max() + abs(force)
    assert np.array(last[1:], float) == pytest.approx([*moment, force], abs=1e-5 * scale)


def test_components_that_constraints_do_not_determine_are_marked():
    """A beam between two spatial hinges about z: what acts across the plane is not unique."""
    text = """
pliant: 1
gravity: [0, -10, 0]
ground: {frames: {far: {at: [2, 0, 0]}}}
bodies: {bar: {beam: {length: 2, stiffness: {EIz: 2000, EA: 1e6}, mass_per_length: 3},
               shapes: {bending_y: 1, axial: 1}}}
joints: {A: {revolute: {axis: z}, between: [ground, bar.root]},
         B: {revolute: {axis: z}, between: [bar.tip, ground.far]}}
simulate: {t_end: 0.01 s, every: 0.01 s}
"""
    r = pl.loads(text).simulate(outputs=["bar.mid.internal_force", "bar.mid.internal_moment"])
    assert r.series["bar.mid.internal_force"].unique == (True, True, False)
    assert r.series["bar.mid.internal_moment"].unique == (False, False, True)
    assert r.diagram("bar").unique == (True, True, False, False, False, True)


@pytest.mark.parametrize("theory", ["exact", "{large-rotation: {elements: 12, nodes: 3}}"])
def test_a_beam_of_large_rotation_tells_it_at_the_points_of_its_elements(theory):
    """A stiff cantilever under a force at its tip: M = F (l - x), which does not depend on the
    mesh; stress M z / I."""
    text = f"""
pliant: 1
materials: {{st: {{E: 210 GPa, nu: 0.3, density: 7850}}}}
bodies:
  b: {{beam: {{length: 2, section: {{rectangle: {{width: 40 mm, height: 60 mm}}}}, material: st}},
       theory: {theory}}}
joints: {{O: {{fixed: {{}}, between: [ground, b.root]}}}}
forces: {{F: {{force: [0, 0, 100], at: b.tip}}}}
"""
    rest = pl.loads(text).statics()
    d = rest.diagram("b")
    assert d["My"] == pytest.approx(-100 * (2 - d.x), rel=1e-4, abs=0.02)
    assert d["Qz"] == pytest.approx(100, rel=1e-4)
    assert len(d.x) > 5
    assert np.all(np.diff(d.x) > 0)
    at = rest.diagram("b", stations=[1.0])
    assert at["My"][0] == pytest.approx(-100, rel=1e-3)
    largest = 100 * 0.03 / (0.04 * 0.06**3 / 12)
    assert np.abs(at.stress).max() == pytest.approx(largest, rel=1e-3)
