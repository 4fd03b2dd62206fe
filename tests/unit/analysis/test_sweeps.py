"""Sweeps: the same numbers by every road, labelled, failures among them."""

import signal
import threading
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest
import xarray

import pliant as pl
from pliant.analysis.sweeps import work
from pliant.code import functions

PENDULUM = """
pliant: 1
name: pendulum
parameters: {l: 1 m, w: 1 rad/s, m: 1 kg}
gravity: [0, 0, -9.81]
bodies: {bob: {rigid: {mass: m, com: [0, 0, -l]}, frames: {tip: [0, 0, -l]}}}
joints:
  J: {revolute: {axis: y}, between: [ground, bob], initial: {angle: 0.2 rad, angle_rate: w}}
events: {far: {when: J.angle - 0.6, stop: true}}
simulate: {t_end: 0.5, every: 0.01, rtol: 1e-8}
"""
BEAM = """
pliant: 1
materials: {steel: {density: 7800, E: 210 GPa, nu: 0.3}}
bodies:
  arm:
    {beam: {length: 1 m, section: {circle: {radius: 5 mm}}, material: steel},
     shapes: {bending: 2}}
joints: {J: {fixed: {}, between: [ground, arm]}}
gravity: [0, 0, -9.81]
simulate: {t_end: 0.02, every: 0.005}
"""


MANY = {"vary": {"w": "0..1", "l": "0.5..1"}, "samples": 40, "outputs": ["J.angle"]}


@pytest.fixture(scope="module")
def pendulum():
    return pl.System.loads(PENDULUM)


@pytest.fixture(scope="module")
def grid(pendulum):
    return pendulum.sweep({"w": [0.1, 1.0, 3.0], "l": "0.5 m..1 m"}, samples=2,
                          outputs=["J.angle", "bob.tip.velocity"])  # fmt: skip


def test_a_grid_has_an_axis_for_each_name(grid, pendulum, monkeypatch):
    monkeypatch.setattr(functions, "FEW_ROWS", 0)
    angle = grid["J.angle"]
    assert (angle.dims, angle.shape) == (("w", "l", "time"), (3, 2, 51))
    assert (angle.attrs["units"], angle["l"].attrs["units"]) == ("rad", "m")
    alone = pl.System.loads(PENDULUM).simulate(params={"w": 1.0, "l": 0.5}, outputs=["J.angle"])
    found = angle.sel(w=1.0, l=0.5).values
    assert np.array_equal(found[: len(alone.time)], alone.values("J.angle")[: len(found)])
    data = grid.to_dataset()
    assert data["bob.tip.velocity"].dims == ("w", "l", "time", "component_x_y_z")
    assert (data["failure"].values == "").all()


def test_how_runs_ended(grid):
    """The pendulum that is thrown at 3 rad/s reaches 0.6 rad, where the model stops it."""
    happened = grid.event("far")
    assert np.isnan(happened[:4]).all()
    assert grid.end[4:] == pytest.approx(happened[4:])
    assert grid.last("J.angle")[4:] == pytest.approx(0.6)
    assert not grid.failures


def test_the_best_run(grid):
    best = grid.best("max bob tip speed")
    assert (best.params, best.unit) == ({"w": 3.0, "l": 1.0}, "m/s")
    assert best.value == pytest.approx(3.0, rel=1e-3)  # w l, at the start
    assert grid.best("min max J.angle").params == {"w": 0.1, "l": 0.5}
    assert str(grid.best("min bob.tip.velocity.x")).startswith("min bob.tip.velocity.x: ")
    with pytest.raises(pl.errors.UnknownName, match=r"no observable 'J.angel'"):
        grid.best("max J.angel")
    with pytest.raises(pl.errors.InputError, match="names no observable"):
        grid.best("max")


def test_quantiles(grid):
    bands = grid.quantiles("J.angle", [0, 0.5, 1])
    values = grid.values("J.angle")
    assert bands.dims == ("quantile", "time")
    assert np.array_equal(bands[0], np.nanmin(values, axis=0))
    assert bands.sel(quantile=0.5)[-1] == pytest.approx(np.median(values[:4, -1]))


def test_failed_runs_are_data(pendulum):
    found = pendulum.sweep({"m": [1.0, -1.0, 2.0]}, outputs=["J.angle"])
    assert [*found.failures] == [1]
    assert "body 'bob'" in found.failures[1]
    assert np.isnan(found.values("J.angle")[1]).all()
    assert found.best("max J.angle").run in (0, 2)
    assert "1 failed" in str(found)


def test_choices_are_compiled_once_each():
    system = pl.System.loads(BEAM)
    vary = {
        "bodies.arm.shapes.bending": [1, 2],
        "method": "radau, dop853",
        "bodies.arm.length": "1, 1.5",
    }
    found = system.sweep(vary, outputs=["arm.tip.position"], rtol=1e-4)
    assert found["arm.tip.position"].shape == (2, 2, 2, 5, 3)
    assert not found.failures
    last = found["arm.tip.position"][..., -1, 2]
    names = [*last.dims]
    assert float(abs(last.isel({names[1]: 0}) - last.isel({names[1]: 1})).max()) < 1e-6
    assert float(abs(last.isel({names[0]: 0}) - last.isel({names[0]: 1})).min()) > 0


@pytest.mark.parametrize("kept", [False, True])
def test_what_only_some_choices_tell_is_told(tmp_path, monkeypatch, kept):
    """A chunk for each number of shapes: the second has coordinates that the first has not."""
    monkeypatch.setattr("pliant.analysis.sweeps.sweep.SECONDS", 1e-9)
    store = tmp_path / "s" if kept else None
    found = pl.System.loads(BEAM).sweep({"bodies.arm.shapes.bending": [1, 2]}, rtol=1e-4, workers=1,
                                        outputs=["arm.w*"], store=store)  # fmt: skip
    assert len(found.parts) == 2
    second = found.values("arm.w2")
    assert np.isnan(second[0]).all()
    assert np.isfinite(second[1]).all()
    assert np.isfinite(found.values("arm.w1")).all()


def test_initial_values_and_numbers_by_their_paths(pendulum):
    found = pendulum.sweep(
        [{"J.angle": 0.1, "gravity[3]": -9.81}, {"J.angle": 0.2, "gravity[3]": -1.62}],
        outputs=["J.angle"],
    )
    assert found.values("J.angle")[:, 0] == pytest.approx([0.1, 0.2])


@pytest.mark.parametrize("rows", [False, True])
def test_names_that_stand_for_something_else(tmp_path, rows):
    """Parameters with names of axes, an initial value that is an observable, too: in files they
    are what they were."""
    text = PENDULUM.replace("w: 1 rad/s", "end: 1 rad/s, run: 1, failure: 1 m")
    system = pl.System.loads(text.replace("angle_rate: w", "angle_rate: end*run/(failure/l)"))
    numbers = {"end": 0.1, "run": 2.0, "failure": 3.0, "J.angle": 0.2}
    vary = [numbers, {**numbers, "end": 0.3}] if rows else {**numbers, "end": [0.1, 0.3]}
    found = system.sweep(vary, outputs=["J.angle"], workers=1)
    found.save(tmp_path / "all.nc")
    with xarray.open_dataset(tmp_path / "all.nc") as data:
        assert data["J.angle"].dims == ("run", "time") if rows else data["J.angle"].ndim == 5
        assert data["varied_end"].values.tolist() == [0.1, 0.3]
        assert {f"varied_{name}" for name in numbers} <= data["J.angle"].coords.keys()
        assert (data["failure"].values == "").all()


def test_numbers_given_by_paths_hold_for_all_runs(pendulum):
    given = {"joints.J.initial.angle": 0.3, "m": 2}
    found = pendulum.sweep({"w": [0.1, 0.2]}, params=given, outputs=["J.angle"], workers=1)
    alone = pendulum.simulate(params={**given, "w": 0.2}, outputs=["J.angle"])
    assert found.values("J.angle")[:, 0].tolist() == [0.3, 0.3]
    assert np.array_equal(found.values("J.angle")[1], alone.values("J.angle"))


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 4])
def test_processes_give_the_same_bits(pendulum, monkeypatch, count):
    monkeypatch.setattr("pliant.analysis.sweeps.sweep.SECONDS", 1e-3)
    alone, other = (pendulum.sweep(**MANY, workers=n) for n in (1, count))
    assert np.array_equal(other.values("J.angle"), alone.values("J.angle"))


def test_clients_give_the_same_bits(pendulum, monkeypatch):
    monkeypatch.setattr("pliant.analysis.sweeps.sweep.SECONDS", 1e-3)
    alone = pendulum.sweep(**MANY, workers=1)
    with ThreadPoolExecutor(1) as client:
        other = pendulum.sweep(**MANY, workers=client)
    assert np.array_equal(other.values("J.angle"), alone.values("J.angle"))


def test_chunks_take_a_second_are_not_too_many_and_enough_for_all():
    """Seconds and bytes of a run, how many, workers -> runs of a chunk."""
    from pliant.analysis.sweeps.sweep import CHUNKS, SHARES, Pace

    assert Pace(1e-3, 10).size(10**5) == 1000
    assert Pace(10, 10).size(1000) == 1
    assert Pace(10, 10).size(10**6, 1000) == 10**6 / CHUNKS
    assert Pace(1e-3, 64e3).size(10**6) == 1000
    assert Pace(1e-3, 1e9).size(100) == 1
    assert Pace(1e-3, 10).size(1000, 2) == 1000 / (2 * SHARES)
    assert Pace(0, 0).size(3) == 3


def test_values_may_come_one_after_the_other(pendulum):
    found = pendulum.sweep({"l": (k / 10 for k in (5, 6))}, outputs=["J.angle"], workers=1)
    assert found.params["l"].tolist() == [0.5, 0.6]


@pytest.mark.parametrize("kept", [False, True])
def test_long_runs_are_not_done_twice(pendulum, tmp_path, monkeypatch, kept):
    """Those by which the time of a run was measured are chunks of the sweep."""
    done, run = [], work.Job.run

    def counted(job, columns):
        done.extend(columns["w"].tolist())
        return run(job, columns)

    monkeypatch.setattr(work.Job, "run", counted)
    monkeypatch.setattr("pliant.analysis.sweeps.sweep.SECONDS", 1e-9)
    seen, store = [], tmp_path / "s" if kept else None
    found = pendulum.sweep({"w": [0.1, 0.2, 0.3]}, outputs=["J.angle"], workers=1, store=store,
                           progress=seen.append)  # fmt: skip
    assert done == [0.1, 0.2, 0.3]
    assert np.isfinite(found.values("J.angle")).all()
    assert (seen[-1].done, seen[-1].total) == (3, 3)


def test_runs_are_gathered_by_what_is_said_of_them(pendulum):
    found = pendulum.sweep({"m": [-1, 1, -2.5]}, outputs=["J.angle"], workers=1)
    assert "run 0 and 1 more: model 'pendulum': " in str(found)


def test_progress_counts_all_runs(pendulum):
    seen = []
    pendulum.sweep({"m": "1..2"}, samples=30, outputs=["J.angle"], progress=seen.append)
    assert (seen[-1].done, seen[-1].total, seen[-1].failed) == (30, 30, 0)
    assert seen[-1].rate > 0
    assert "30 of 30 runs" in str(seen[-1])


def test_ctrl_c_keeps_what_is_computed(pendulum, tmp_path, monkeypatch):
    """Pressed in the first chunk after the run by which time was measured: it is finished and
    kept, and the same call does the rest."""
    assert threading.current_thread() is threading.main_thread()
    done, do = [], work.do

    def pressed(chunk):
        if not done:
            signal.raise_signal(signal.SIGINT)
        done.append(chunk.index)
        return do(chunk)

    monkeypatch.setattr(work, "do", pressed)
    monkeypatch.setattr("pliant.analysis.sweeps.sweep.SECONDS", 1e-9)
    how = dict(vary={"m": "1..2"}, samples=5, outputs=["J.angle"], store=tmp_path / "s", workers=1)
    with pytest.raises(pl.Interrupted) as stopped:
        pendulum.sweep(**how)
    assert done == [1]
    assert stopped.value.result.failure == "interrupted by the user: 3 of 5 runs are missing"
    assert np.isfinite(stopped.value.result.values("J.angle")[0]).all()
    whole = pendulum.sweep(**how)
    assert done == [1, 2, 3, 4]
    assert not whole.failures


def test_sobol_indices_of_a_product(pendulum):
    """f = J.angle after the first instant = 0.2 + w t; l and m have no part in it."""
    vary = {"w": "0..1", "m": "1..2"}
    found = pendulum.sweep(vary, plan="saltelli", samples=64, outputs=["J.angle"])
    indices = found.sobol("last J.angle")
    assert len(found) == 64 * 4
    assert indices["first"].values == pytest.approx([1, 0], abs=0.1)
    assert indices["total"].values == pytest.approx([1, 0], abs=0.1)
    with pytest.raises(pl.errors.InputError, match="has no Sobol indices"):
        pendulum.sweep(vary, plan="sobol", samples=4, outputs=["J.angle"]).sobol("last J.angle")


def test_ishigami_has_its_known_indices():
    """S = (0.3139, 0.4424, 0), T = (0.5576, 0.4424, 0.2437) for a = 7, b = 0.1."""
    from pliant.analysis.sweeps.plans import planned
    from pliant.results.sweeps.indices import sobol_indices

    ends = f"{-np.pi}..{np.pi}"
    table = planned(dict.fromkeys("xyz", ends), 4096, "saltelli", 0)
    x, y, z = table.columns.values()
    found = sobol_indices(table, np.sin(x) + 7 * np.sin(y) ** 2 + 0.1 * z**4 * np.sin(x), {})
    assert found["first"].values == pytest.approx([0.3139, 0.4424, 0], abs=0.02)
    assert found["total"].values == pytest.approx([0.5576, 0.4424, 0.2437], abs=0.02)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("fan", ["J.angle"]),
        ("heat", ["max J.angle"]),
        ("parallel", ["max J.angle", "last J.angle"]),
    ],
)
def test_pictures(grid, tmp_path, kind, names):
    figure = grid.plot(*names, kind=kind, path=tmp_path / "sweep.png")
    assert figure.axes
    assert (tmp_path / "sweep.png").stat().st_size > 5000
    with pytest.raises(pl.errors.InputError, match="unknown kind"):
        grid.plot(*names, kind="pie")


def test_runs_that_failed_have_no_score_in_pictures(pendulum):
    """The last of them stopped early: what it reached until then is none of its scores."""
    sweep = pendulum.sweep({"w": [0.1, 1.0, 2.0], "m": [1.0, 1.0, -1.0]}, plan="list",
                           outputs=["J.angle"])  # fmt: skip
    (axis,) = sweep.plot("max J.angle", kind="parallel").axes
    assert len([line for line in axis.lines if len(line.get_xdata()) == 3]) == 2
    assert axis.get_title("right") == "without 1 that failed"
    drawn = sweep.plot("max J.angle", kind="heat").axes[0].collections[0].get_array()
    assert np.isfinite(np.ma.filled(drawn.astype(float), np.nan)).tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("vary", "how", "message"),
    [
        ({"ll": "0..1"}, {}, "nothing is named 'll'.*did you mean 'l'"),
        ({"l": "1 s..2 s"}, {}, "parameter 'l': '1 s' has another unit"),
        ({"bodies.bob.mass": [1, 2]}, {}, "'bodies.bob.mass' is the formula 'm'"),
        ({"J.angle": [1], "joints.J.initial.angle": [2]}, {}, "varied twice"),
        ({"method": "dop854"}, {}, "method: 'dop854' is unknown.*'dop853'"),
        ({"method": "radau"}, {"method": "radau"}, "'method' is given and varied"),
        ({"rtol": "1e-3, x"}, {}, "rtol: 'x' is not a number"),
        ({"truncate": [1, 2.5]}, {}, "truncate: 2.5 is not a whole number"),
        ({"l": [1, 2]}, {"samples": 3}, "samples: 3 has no part"),
        ({"l": [1]}, {"params": {"l": 2}}, "'l' is given and varied"),
        ({"J.angle": [1]}, {"params": {"joints.J.initial.angle": 2}}, "is given and varied"),
        ({"l": [1]}, {"t_ned": 2}, "unknown argument 't_ned'.*'t_end'"),
        ({"l": [1]}, {"outputs": ["bob.sped"]}, "nothing is named 'bob.sped'"),
        ({"l": [1]}, {"t_end": -1}, "end time -1 s"),
        ({"l": [1]}, {"workers": 0}, "workers: 0"),
        ({"l": [1]}, {"workers": [1]}, "is no number, address or client"),
        ({"l": "1..2"}, {"samples": 10**6, "max_memory": "1 MB"}, "of memory, more than"),
        ({"bodies.bob.inertias": [1]}, {}, "nothing is named"),
    ],
)  # fmt: skip
def test_bad_sweeps_get_one_message(pendulum, vary, how, message):
    with pytest.raises(pl.PliantError, match=message):
        pendulum.sweep(vary, **how)


def test_workers_of_another_version_are_refused(pendulum, monkeypatch):
    monkeypatch.setattr(work, "VERSION", "0.0.9")
    with pytest.raises(pl.errors.InputError, match=r"a worker has Pliant 0.0.9"):
        pendulum.sweep({"m": [1, 2]}, outputs=["J.angle"], workers=1)


def test_no_cluster_no_sweep(pendulum, monkeypatch):
    monkeypatch.setattr(work, "ANSWER", 0.5)
    with pytest.raises(pl.errors.InputError, match=r"workers: (no cluster answers|Dask is not)"):
        pendulum.sweep({"m": [1, 2]}, outputs=["J.angle"], workers="tcp://127.0.0.1:9")


class Broken:
    """A client whose workers have gone."""

    def submit(self, function, chunk):
        future = Future()
        future.set_exception(OSError("connection closed"))
        return future


def test_a_cluster_that_breaks_is_one_message(pendulum):
    with pytest.raises(pl.errors.RunError, match=r"workers could not go on .*connection closed"):
        pendulum.sweep({"m": [1, 2]}, outputs=["J.angle"], workers=Broken())
