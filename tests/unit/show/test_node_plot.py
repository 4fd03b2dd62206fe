"""The nodes of a body with given modes in a plot."""

from __future__ import annotations

import json

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.show.shape_plot import axis_shapes, clear_factor, plot_shape


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """A frame of four nodes whose far side moves along z by the elastic coordinate."""
    path = tmp_path_factory.mktemp("modes") / "frame.json"
    shapes = np.zeros((4, 3, 1))
    shapes[2:, 2] = 1.0
    content = {"nodes": [[0, 0, 0], [0, 1, 0], [2, 0, 0], [2, 1, 0]], "shapes": shapes.tolist(),
               "mass": [1, 1, 1, 1], "stiffness": [[50]],
               "lines": [[0, 1], [0, 2], [1, 3], [2, 3]]}  # fmt: skip
    path.write_text(json.dumps(content))
    plate = pl.Modes("plate", str(path), frames={"A": {"node": 0}},
                     initial={"elastic": {"q1": 0.01}})  # fmt: skip
    wall = pl.Fixed("wall", "ground", "plate.A")
    return pl.System(bodies=[plate], joints=[wall]).simulate(0.1, every=0.01, rtol=1e-9)


def test_nodes_lie_where_the_coordinates_say(result, tmp_path):
    """Free vibration q = 0.01 cos(5 t), drawn ten times larger."""
    path = tmp_path / "plate.png"
    figure = plot_shape(result, "plate", times=[0.0, 0.1], magnification=10, path=path)
    (axes,) = figure.axes
    points = [line for line in axes.get_lines() if line.get_marker() == "o"]
    assert [p.get_label() for p in points] == ["undeformed", "0 s", "0.1 s"]
    for line, q in zip(points, (0.0, 0.01, 0.01 * np.cos(0.5)), strict=True):
        x, _, z = (np.asarray(c) for c in line.get_data_3d())
        assert z == pytest.approx(np.where(x > 1, 10 * q, 0.0), abs=1e-8)
    assert len(axes.get_lines()) == 3 * (1 + 4), "points, and four lines for each shape"
    assert path.stat().st_size > 1000


def test_a_factor_is_chosen_that_shows_the_deformation():
    p0 = np.array([[0.0, 0, 0], [3.0, 4.0, 0]])
    for moved, factor in ((0.5, 1), (0.012, 20), (1e-4, 5000), (0, 1)):
        points = p0 + np.array([[[0, 0, 0], [0, 0, moved]]])
        assert clear_factor(p0, points) == pytest.approx(factor)


def test_nodes_have_neither_ends_nor_an_axis(result):
    with pytest.raises(InputError, match="has no root"):
        plot_shape(result, "plate", about="root")
    with pytest.raises(InputError, match="not a beam"):
        axis_shapes(result, "plate", [0.0])
