"""Pictures of modes: the mechanism in each, its frequency and damping in words."""

import json

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

import pliant as pl
from pliant.errors import InputError
from pliant.results.modes import Mode
from pliant.show.picture.moving import Instant, Mechanism
from pliant.show.shapes.drawn import best_view
from pliant.show.shapes.modes import described, extremes

mpl.use("Agg")
BEAM = """
pliant: 1
name: cantilever
bodies:
  bar: {beam: {length: 1, stiffness: {EIy: 4, EIz: 1}, mass_per_length: 1},
        shapes: {bending: {polynomial: 2}}}
joints: {wall: {fixed: {}, between: [ground, bar.root]}}
simulate: {t_end: 1}
"""
SLIDER = """
pliant: 1
name: one mass
bodies: {m: {box: {mass: 1, size: [0.1, 0.1, 0.1]}}}
joints: {s: {prismatic: {axis: x}, between: [ground, m]}}
forces: {k: {joint_spring: {stiffness: K, damping: D}, joint: s}}
parameters: {K: 100, D: 0}
simulate: {t_end: 1}
"""
CIRCUIT = """
pliant: 1
name: circuit
networks:
  c:
    domain: electrical
    elements: {loop: {junction: 1}, R: {R: 2, on: loop}, L: {I: 0.1, on: loop},
               C: {C: 0.01, on: loop}}
simulate: {t_end: 1}
"""


def test_titles_tell_frequency_and_damping_and_how_fast_overdamped_ones_go_away():
    """m q'' + d q' + k q = 0: d = 2 gives ω = √(99), d = 25 gives s = -5 and -20 1/s."""
    system = pl.System.loads(SLIDER)
    titles = {
        d: [axis.get_title() for axis in system.modes(params={"D": d}).plot()] for d in (0, 2, 25)
    }
    assert titles[0] == [f"1  s: displacement\n{10 / 2 / np.pi:.5g} Hz, undamped"]
    assert titles[2] == [f"1  s: displacement\n{99**0.5 / 2 / np.pi:.5g} Hz, damping 10 %"]
    assert [t.partition("\n")[2] for t in titles[25]] == ["decays at 5 1/s", "decays at 20 1/s"]
    rigid = system.modes(params={"K": 0}).plot()
    assert rigid[0].get_title().endswith("rigid motion")
    grows = Mode(1, complex(0.5, 3), "x", False, np.ones(1), np.ones(1))
    assert described(grows) == "0.47746 Hz, grows at 0.5 1/s"


def test_the_picture_shows_the_deformed_beam_over_the_straight_one():
    modes = pl.System.loads(BEAM).modes(2)
    mechanism = Mechanism(extremes(modes, modes.modes))
    rest, first = Instant(0, 0.0), Instant(1, 0.0)
    straight, bent = (mechanism.surface("bar", at).corners for at in (rest, first))
    across = np.abs(bent - straight).max(axis=0)
    assert across[1] == pytest.approx(0.1, rel=0.05)  # a tenth of its length, along y
    assert across[2] < 1e-9
    assert best_view(mechanism, first, rest) == "z"
    images = [axis.get_images()[0].get_array() for axis in modes.plot()]
    assert len(images) == 2
    assert np.abs(images[0].astype(int) - images[1]).max() > 50


def test_numbers_of_modes_and_axes_are_given():
    modes = pl.System.loads(BEAM).modes()
    figure = Figure()
    one, two = figure.subplots(1, 2)
    assert modes.plot(modes=[2], axes=two).axes == [two]
    assert two.get_title().startswith("2  bar: bending")
    assert not one.images
    assert [a.get_ylabel() for a in modes.plot(kind="heat", axes=[one, two])] == ["", ""]
    with pytest.raises(InputError, match="mode 9: there are modes 1 to"):
        modes.plot(modes=[9])
    with pytest.raises(InputError, match="no mode: there are"):
        modes.plot(modes=[])
    with pytest.raises(InputError, match=r"unknown kind 'hat'; did you mean 'heat'"):
        modes.plot(kind="hat")


def test_a_model_without_bodies_is_shown_by_its_eigenvalues(tmp_path):
    """L q'' + R q' + q/C = 0: s = -10 ± i √(1000 - 100)."""
    modes = pl.System.loads(CIRCUIT).modes()
    (axis,) = modes.plot(tmp_path / "c.png")
    (line,) = [x for x in axis.get_lines() if x.get_label().startswith("1")]
    assert line.get_xdata() == pytest.approx([-10, -10], rel=1e-9)
    assert np.abs(line.get_ydata()) == pytest.approx([30, 30], rel=1e-9)
    modes.plot(tmp_path / "h.png", kind="heat")
    with pytest.raises(InputError, match="no bodies that move"):
        modes.report(tmp_path / "c.html")


def test_sixty_panels_are_one_sensible_picture():
    modes = pl.System.loads(SLIDER).modes()
    panels = modes.plot(modes=[1] * 60)
    wide, high = panels.figure.get_size_inches()
    assert len(panels) == 60
    assert 0.7 < wide / high < 1.6


def test_a_page_of_very_many_modes_shows_the_slowest(tmp_path, monkeypatch):
    monkeypatch.setattr("pliant.show.page.modes.MOST", 2)
    path = pl.System.loads(BEAM).modes().report(tmp_path / "modes.html")
    text = path.read_text(encoding="utf-8")
    data = json.loads(text.partition('type="application/json">')[2].partition("</script>")[0])
    assert data["title"] == "Modes 1 to 2 of 4 of cantilever"
    assert len(data["modes"]) == 2
