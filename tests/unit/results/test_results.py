"""Results: labels, units, files, comparison, plots."""

from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.errors import FileError, UnknownName
from pliant.results.compare import compare
from pliant.results.result import Result, Series
from pliant.results.series import quaternions
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def result():
    system = pl.load(EXAMPLES / "planar_slider_crank.yaml")
    return system.simulate(0.5, every=0.05, method="dop853", rtol=1e-10)


def test_a_vector_is_labelled_and_has_its_unit(result):
    array = result["rod.B.position"]
    assert array.dims == ("time", "component")
    assert list(array.coords["component"].values) == ["x", "y", "z"]
    assert array.attrs["units"] == "m"
    end = float(array.sel(component="x")[-1])
    assert end == pytest.approx(result.values("S.displacement")[-1], abs=1e-12)


def test_in_plane_reactions_are_unique_and_others_are_not(result):
    assert result["B.force"].attrs["unique"] == [1, 1, 0]
    assert result["B.torque"].attrs["unique"] == [0, 0, 1]


def test_netcdf_keeps_everything(result, tmp_path):
    result.save(tmp_path / "r.nc")
    again = Result.load(tmp_path / "r.nc")
    assert list(again.series) == list(result.series)
    assert np.array_equal(again.time, result.time)
    for name in result.series:
        assert np.array_equal(again.values(name), result.values(name))
        assert again.series[name].unit == result.series[name].unit
        assert again.series[name].labels == result.series[name].labels
        assert again.series[name].unique == result.series[name].unique
    assert again.info["method"] == "dop853"
    assert pl.loads(again.model).model.name == "planar slider-crank"


def test_csv_keeps_every_digit(result, tmp_path):
    result.to_csv(tmp_path / "r.csv")
    again = Result.load(tmp_path / "r.csv")
    assert again.columns() == result.columns()
    assert np.array_equal(again.values("motor.power"), result.values("motor.power"))


def test_files_of_no_known_kind_are_refused(result, tmp_path):
    with pytest.raises(FileError, match=r"use \.nc or \.csv"):
        result.save(tmp_path / "r.xlsx")
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n")
    with pytest.raises(FileError, match="time"):
        Result.load(tmp_path / "bad.csv")
    (tmp_path / "bad.nc").write_text("not netcdf")
    with pytest.raises(FileError, match="not a netCDF"):
        Result.load(tmp_path / "bad.nc")


def test_comparison_finds_the_largest_difference_and_its_time():
    time = np.linspace(0, 1, 11)
    a = Result(time, {"x": Series(np.sin(time), "m"), "y": Series(time, "m")})
    b = Result(
        time, {"x": Series(np.sin(time) + 1e-3 * (time == 0.5), "m"), "y": Series(time, "m")}
    )
    found = compare(a, b)
    assert found.differences[0].name == "x"
    assert found.differences[0].largest == pytest.approx(1e-3)
    assert found.differences[0].time == pytest.approx(0.5)
    assert found.differences[1].largest == 0.0


def test_angles_of_rotations_are_compared_within_a_turn():
    a, b = (Result(np.zeros(1), {"ball.angle1": Series(np.array([x]), "rad", kind="angle")})
            for x in (3.1, -3.1))  # fmt: skip
    assert compare(a, b).differences[0].largest == pytest.approx(2 * np.pi - 6.2)


def test_comparison_leaves_out_components_that_are_not_unique():
    time = np.array([0.0, 1.0])
    make = lambda z: Result(time, {"F": Series(np.array([[1, 2, z]] * 2), "N", ("x", "y", "z"),  # noqa: E731
                                               "reaction", (True, True, False))})  # fmt: skip
    assert compare(make(0.0), make(9.0)).worst == 0.0
    assert compare(make(0.0), make(9.0), ["F.z"]).left_out == ("F.z",)


def test_unknown_observables_get_the_nearest_name(result):
    with pytest.raises(UnknownName, match=r"did you mean 'O\.angle'"):
        result["O.angel"]


def test_sample_and_containment(result):
    assert "rod.B.position.x" in result
    assert "nothing" not in result
    assert result.at(0.26).time[0] == pytest.approx(0.25)
    assert result.sample(-1).values("O.angle")[0] == result.values("O.angle")[-1]


def test_quaternions_are_continuous_through_many_turns():
    angle = np.linspace(0, 40, 400)
    quats = np.column_stack([np.cos(angle / 2), 0 * angle, np.sin(angle / 2), 0 * angle])
    matrices = np.array([from_quaternion(NUMERIC, q).T.ravel() for q in quats])
    assert np.allclose(quaternions(matrices), quats, atol=1e-12)


def test_plot_draws_one_panel_per_unit(result, tmp_path):
    figure = result.plot("O.angle", "A.angle", "S.displacement", path=tmp_path / "p.svg")
    assert len(figure.axes) == 2
    assert [line.get_label() for line in figure.axes[0].lines] == ["O.angle", "A.angle"]
    assert (tmp_path / "p.svg").stat().st_size > 1000


def test_the_names_of_a_result_can_be_gone_through():
    result = pl.load(EXAMPLES / "pendulum.yaml").simulate(
        "100 ms", outputs=["pivot.angle", "energy"]
    )
    assert list(result) == ["pivot.angle", "energy"]
    assert result.time[-1] == 0.1


def test_equal_runs_are_equal_where_all_of_a_unit_is_rounding():
    """Torques of 1e-16 N m in a plane: their differences are compared with forces at 1 mm."""

    def run(noise):
        series = {
            "pin.force": Series(np.full((2, 3), 20.0), "N", ("x", "y", "z"), "reaction"),
            "pin.torque": Series(np.full((2, 3), noise), "N*m", ("x", "y", "z"), "reaction"),
        }
        return Result(np.array([0.0, 1.0]), series)

    assert compare(run(1e-16), run(-3e-17)).worst < 1e-8


def test_files_of_ours_and_of_others_are_read_alike(tmp_path):
    """The same bytes with their check sum, and without it by xarray: every series, label, attribute
    and recorded state."""
    system = pl.load(EXAMPLES / "crank_rocker.yaml")
    path = tmp_path / "ours.nc"
    system.simulate(t_end=0.05).save(path)
    other = tmp_path / "others.nc"
    other.write_bytes(path.read_bytes().partition(b"\nPliant SHA-256 ")[0])
    ours, others = pl.Result.load(path), pl.Result.load(other)
    assert list(ours) == list(others)
    for name, series in ours.series.items():
        same = others.series[name]
        assert np.array_equal(series.values, same.values)
        assert (series.unit, series.labels, series.kind, series.unique) == (
            same.unit, same.labels, same.kind, same.unique)  # fmt: skip
    assert (ours.info, ours.model, ours.events) == (others.info, others.model, others.events)
    assert np.array_equal(ours.values("A.force"), others.values("A.force"))
