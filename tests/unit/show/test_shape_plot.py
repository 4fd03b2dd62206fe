"""The deformed axis of a beam in a plot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.web.flexible import pendulum

import pliant as pl
from pliant.errors import FileError, InputError, UnknownName
from pliant.results.result import Result
from pliant.show.shape_plot import axis_shapes, plot_shape


@pytest.fixture(scope="module")
def result() -> Result:
    return pendulum()


def test_shape_against_the_chord_is_the_observed_deflection(result):
    shapes = axis_shapes(result, "rod", result.time)
    middle = shapes[:, -1] / 2  # of the chord
    observed = result.values("rod.mid.deflection")
    np.testing.assert_allclose(shapes[:, 50], middle + observed, atol=1e-14)
    assert np.abs(shapes[:, [0, -1], 1:]).max() < 1e-15


@pytest.mark.parametrize("end", ["root", "tip"])
def test_shape_against_a_tangent_is_the_observed_deflection(result, end):
    shapes = axis_shapes(result, "rod", result.time, about=end)
    observed = result.values(f"rod.mid.deflection.tangent({end})")
    np.testing.assert_allclose(shapes[:, 50] - [0.5, 0, 0], observed, atol=1e-14)


def test_a_plot_has_a_curve_for_each_time(result, tmp_path):
    path = tmp_path / "shape.svg"
    figure = plot_shape(result, "rod", times=[0, 0.1, 0.205], about="root", path=path)
    (axis,) = figure.axes
    assert [line.get_label() for line in axis.get_lines()[:3]] == ["0 s", "0.1 s", "0.205 s"]
    assert axis.get_ylabel() == "y deflection in m"
    assert axis.get_xlabel() == "along the tangent at the root in m"
    assert path.stat().st_size > 1000


def test_magnified_deflections_have_the_scale_of_the_length(result):
    plain = plot_shape(result, "rod", times=[0.2]).axes[0]
    large = plot_shape(result, "rod", times=[0.2], magnification=50).axes[0]
    y, y50 = (a.get_lines()[0].get_ydata() for a in (plain, large))
    np.testing.assert_allclose(y50, 50 * np.asarray(y))
    assert large.get_ylabel() == "y deflection × 50 in m"
    assert large.get_aspect() == 1
    assert plain.get_aspect() == "auto"


def test_without_times_a_few_are_chosen(result):
    lines = plot_shape(result, "rod").axes[0].get_lines()
    assert [line.get_label() for line in lines[:5]] == ["0 s", "0.25 s", "0.5 s", "0.75 s", "1 s"]


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"body": "rot"}, UnknownName, "did you mean"),
        ({"times": [0.1, 3.0]}, InputError, "from 0 to 1 s"),
        ({"times": []}, InputError, "from 0 to 1 s"),
        ({"about": "cord"}, InputError, "chord"),
        ({"magnification": 0}, InputError, "positive"),
        ({"path": "a.txt"}, FileError, "unknown kind"),
    ],
)
def test_wrong_requests_are_refused(result, options, error, text):
    with pytest.raises(error, match=text):
        plot_shape(result, **{"body": "rod", **options})


def test_only_bodies_that_deform_have_a_shape():
    ball = pl.RigidBody("ball", 1, inertia=[1, 1, 1])
    still = pl.System(bodies=[ball]).simulate(t_end=0.1, every=0.1)
    with pytest.raises(InputError, match="the model has none"):
        plot_shape(still, "ball")
    with pytest.raises(InputError, match="does not hold its model"):
        plot_shape(Result(still.time, still.series), "ball")


def test_shape_needs_the_elastic_coordinates():
    few = pendulum(t_end=0.1, outputs=["rod.v1"])
    assert plot_shape(few, "rod").axes
    with pytest.raises(InputError, match=r"rod\.v2"):
        plot_shape(replace(few, recorded=None), "rod")


def test_observables_of_flexible_bodies_are_plotted_with_their_units(result):
    names = ("rod.tip.deflection.tangent(root)", "rod.tip.rotation", "rod.mid.position",
             "rod.root.internal_moment", "rod.v1")  # fmt: skip
    labels = [axis.get_ylabel() for axis in result.plot(*names).axes]
    assert labels == ["deflection in m", "rotation in rad", "length in m", "torque in N*m", ""]


def test_a_first_plot_shows_deflections_instead_of_elastic_coordinates(result):
    curves = [line.get_label() for axis in result.plot().axes for line in axis.get_lines()]
    assert "rod.mid.deflection.y" in curves
    assert "rod.mid.deflection.z" not in curves
    assert "rod.v1" not in curves
