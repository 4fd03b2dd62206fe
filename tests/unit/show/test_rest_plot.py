"""Pictures of equilibria: deformed over undeformed, arrows, load paths."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

import pliant as pl
from pliant.cli.main import main
from pliant.errors import InputError
from pliant.results import Result
from pliant.show.picture.moving import Instant, Mechanism
from pliant.show.shapes.rest import _beside, _clear, _farthest

mpl.use("Agg")
BEAM = """
pliant: 1
name: cantilever
bodies:
  bar: {beam: {length: 1, stiffness: {EIy: 100, EIz: 100}, mass_per_length: 1},
        shapes: {bending: {polynomial: 3}}}
joints: {wall: {fixed: {}, between: [ground, bar.root]}}
forces: {load: {force: [0, 0, -3], at: bar.tip}}
simulate: {t_end: 1}
"""
SPRING = """
pliant: 1
name: one mass
gravity: [0, 0, -10]
bodies: {m: {box: {mass: 2, size: [0.1, 0.1, 0.1]}}}
joints: {s: {prismatic: {axis: z}, between: [ground, m]}}
forces: {k: {joint_spring: {stiffness: 100}, joint: s}}
simulate: {t_end: 1}
"""


@pytest.fixture(scope="module")
def bent() -> Result:
    return pl.System.loads(BEAM).statics()


def test_the_deformed_beam_lies_over_the_straight_one(bent):
    """Its end sinks by F L³/3EI = 0.01 m, which is drawn ten times larger."""
    assert bent.values("bar.tip.position.z")[-1] == pytest.approx(-0.01, rel=1e-9)
    mechanism = Mechanism(_beside(bent))
    before, after = Instant(0, 0.0), Instant(1, 0.0)
    factor = _clear(mechanism, before, after)
    assert factor == 10
    straight = mechanism.frame("bar.tip", before).p
    drawn = mechanism.frame("bar.tip", after, factor).p
    assert straight == pytest.approx([1, 0, 0], abs=1e-12)
    shorter = 0.6 * 0.01**2  # ∫ w'²/2 dx = 3/5 w²/L
    assert drawn == pytest.approx([1 - 10 * shorter, 0, -0.1], abs=1e-9)


def test_reactions_are_arrows_with_their_size(bent):
    (axis,) = bent.plot()
    assert axis.get_title() == "stable equilibrium, deflections × 10"
    words = [text.get_text() for text in axis.get_legend().get_texts()]
    assert words == [
        "applied forces, largest 3 N (load)", "reaction forces, largest 3 N (wall)",
        "reaction torques, largest 3 N m (wall)"]  # fmt: skip
    plain = bent.plot(kind="rest", arrows=())[0]
    assert plain.get_legend() is None
    images = [a.get_images()[0].get_array().astype(int) for a in (axis, plain)]
    assert np.abs(images[0] - images[1]).max() > 50


def test_along_a_path_the_load_is_told():
    """m g λ = k z: the mass sinks by 0.2 m at the whole load."""
    path = pl.System.loads(SPRING).statics(load_steps=4)
    _picture, curve = path.plot()
    (line,) = curve.get_lines()[:1]
    assert curve.get_xlabel() == "displacement of m in m"
    assert line.get_xdata() == pytest.approx(0.2 * path.time, rel=1e-9)
    assert list(line.get_ydata()) == list(path.series["load_factor"].values)
    named = path.plot("s.displacement", kind="rest")[1]
    assert named.get_lines()[0].get_xdata() == pytest.approx(-0.2 * path.time, rel=1e-9)
    with pytest.raises(InputError, match="names of several units"):
        path.plot("s.displacement", "k.force", kind="rest")
    assert _farthest(Mechanism(_beside(path)))[1][-1] == pytest.approx(0.2, rel=1e-9)
    over_time = path.plot("s.displacement")  # observables that are named are curves
    assert over_time[0].get_xlabel() == "load factor"


def test_a_network_at_rest_has_curves():
    circuit = """
pliant: 1
name: circuit
networks:
  c:
    domain: electrical
    elements: {loop: {junction: 1}, E: {Se: 10, on: loop}, R: {R: 2, on: loop}}
simulate: {t_end: 1}
"""
    result = pl.System.loads(circuit).simulate(every=0.5).at(0)
    assert next(line.get_marker() for line in result.plot()[0].get_lines()) == "o"


def test_axes_are_given_and_the_command_draws_it(bent, tmp_path):
    figure = Figure()
    one, two = figure.subplots(1, 2)
    assert bent.plot(axes=two).axes == [two]
    assert not one.images
    (tmp_path / "bar.yaml").write_text(BEAM)
    out = tmp_path / "bar.png"
    assert main(["statics", str(tmp_path / "bar.yaml"), "-o", str(out)]) == 0
    assert out.read_bytes().startswith(b"\x89PNG")
