"""The page of a sweep: what it holds, and what a browser makes of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.web.browser import Browser
from tests.web.test_report import unpacked

import pliant as pl
from pliant.cli import main
from pliant.errors import InputError, UnknownName
from pliant.results.sweeps.runs import NOT_YET, Observations, Runs
from pliant.results.sweeps.sweep import Part, Sweep
from pliant.results.sweeps.table import Varied
from pliant.show.page.sweep import MOST_NUMBERS, MOST_RUNS, sweep_data

MODEL = """
pliant: 1
name: <pendulum> & rod
parameters: {l: 1 m, w: 1 rad/s, d: 1 kg/m}
gravity: [0, 0, -9.81]
bodies: {bob: {rigid: {mass: d * l, com: [0, 0, -l]}, frames: {tip: [0, 0, -l]}}}
joints: {J: {revolute: {axis: y}, between: [ground, bob], initial: {angle_rate: w}}}
simulate: {t_end: 0.5, every: 0.01}
"""


@pytest.fixture(scope="module")
def system():
    return pl.System.loads(MODEL)


@pytest.fixture(scope="module")
def grid(system):
    """The last one of the lengths is none."""
    return system.sweep({"w": "0.5 rad/s..2 rad/s:4", "l": [0.5, 1.0, -1.0]},
                        outputs=["J.angle", "bob.tip.velocity"])  # fmt: skip


def made(count: int, samples: int, failure=lambda k: "", words: bool = False) -> Sweep:
    """Runs that nobody computed: y = a t + noise."""
    rng = np.random.default_rng(1)
    a = rng.random(count)
    time = np.linspace(0, 1, samples)
    values = a[:, None] * time + rng.normal(size=(count, samples))
    texts = tuple(failure(k) for k in range(count))
    runs = Runs(time, np.ones(count), {"y": Observations(values, values[:, -1], "m")}, texts,
                ((),) * count, ((),) * count)  # fmt: skip
    columns = {"a": a}
    if words:
        columns["way"] = np.array([("there", "back")[k % 2] for k in range(count)], dtype=object)
    return Sweep(Varied(columns, "random", units={"a": "m/s"}), (Part(0, count, runs),))


def test_the_page_holds_what_was_varied_and_what_came_of_it(grid):
    data = sweep_data(grid, plots=["J.angle"], scores=["max bob tip speed", "last J.angle"])
    assert [c["name"] for c in data["columns"]] == ["w", "l", "max bob tip speed", "last J.angle",
                                                    "end"]  # fmt: skip
    assert [c["unit"] for c in data["columns"]] == ["rad/s", "m", "m/s", "rad", "s"]
    table = unpacked(data["table"], 5)
    np.testing.assert_allclose(table[0], grid.params["w"], rtol=1e-7)
    good = [k for k in range(12) if k % 3 < 2]
    speed = grid.score("max bob tip speed")
    np.testing.assert_allclose(table[2, good], speed[good], rtol=1e-6)
    assert np.isnan(table[2:, 2::3]).all()  # those that failed have no score
    curves = unpacked(data["numbers"], 12)
    np.testing.assert_allclose(curves, grid.values("J.angle"), rtol=1e-6, atol=1e-30)
    (failure,) = data["failures"]
    assert failure["runs"] == [2, 5, 8, 11]
    assert data["notes"] == []


def test_words_are_numbered_and_units_of_vectors_found():
    data = sweep_data(made(5, 4, words=True))
    (way,) = (c for c in data["columns"] if c["name"] == "way")
    assert way["words"] == ["there", "back"]
    assert unpacked(data["table"], len(data["columns"]))[1].tolist() == [0, 1, 0, 1, 0]


def test_a_large_sweep_is_thinned_and_says_so(tmp_path):
    """Noise, which cannot be packed."""
    one = made(1000, 1001, lambda k: "broken" * (k == 700))
    one.report(tmp_path / "one.html")
    assert (tmp_path / "one.html").stat().st_size < 1.5e6
    data = sweep_data(one)
    (note,) = data["notes"]
    assert re.fullmatch(r"Curves are drawn at \d+ of 1001 samples; scores are of all.", note)
    assert 700 in data["drawn"]
    largest = unpacked(data["table"], len(data["columns"]))[1]
    np.testing.assert_allclose(np.delete(largest, 700), np.delete(one.score("max y"), 700),
                               rtol=1e-6)  # fmt: skip


def test_very_many_names_leave_room_for_fewer_runs(tmp_path):
    many = made(1000, 11)
    columns = {f"p{k}": np.random.default_rng(k).random(1000) for k in range(300)}
    wide = replace(many, varied=Varied(columns, "random"))
    wide.report(tmp_path / "wide.html")
    assert (tmp_path / "wide.html").stat().st_size < 1.5e6
    assert "of 1000 runs" in sweep_data(wide)["notes"][0]


def test_of_very_many_runs_those_that_failed_are_kept():
    count = MOST_RUNS + 500
    data = sweep_data(made(count, 21, lambda k: f"run {k} broke" * (k % 700 == 1)))
    assert (data["total"], len(data["runs"])) == (count, MOST_RUNS)
    assert {1, 701, 1401, 2101, 2801} <= set(data["runs"])
    assert {f["text"] for f in data["failures"]} == {f"run {k} broke" for k in (1, 701, 1401, 2101,
                                                                                2801)}  # fmt: skip
    assert data["notes"][0] == (f"The page holds {MOST_RUNS} of {count} runs: 5 of the 5 that "
                                "failed, the others by chance.")  # fmt: skip
    assert len(data["columns"]) * MOST_RUNS + 21 * len(data["drawn"]) <= MOST_NUMBERS
    places = [data["runs"].index(1), data["runs"].index(2801)]
    assert set(places) <= set(data["drawn"])


def test_runs_that_are_still_to_be_computed_are_left_out():
    data = sweep_data(made(10, 5, lambda k: NOT_YET * (k >= 6)))
    assert (data["runs"], data["failures"]) == ([0, 1, 2, 3, 4, 5], [])
    assert data["notes"] == [f"4 of 10 runs are {NOT_YET}."]


def test_a_sweep_of_which_no_run_began_has_a_page(system, tmp_path):
    none = system.sweep({"l": [-1.0, -2.0]}, outputs=["J.angle"])
    data = sweep_data(none)
    assert (data["curves"], data["numbers"]) == ([], "")
    assert sum(len(f["runs"]) for f in data["failures"]) == 2
    none.report(tmp_path / "none.html")


def test_what_cannot_be_shown_is_refused_before_anything_is_written(grid, tmp_path):
    for options, error, text in (
        ({"plots": ["J.angel"]}, UnknownName, "J.angel"),
        ({"plots": ["bob.tip.velocity"]}, InputError, "is a vector"),
        ({"scores": ["max J.angel"]}, UnknownName, "J.angel"),
    ):
        with pytest.raises(error, match=re.escape(text)):
            grid.report(tmp_path / "page.html", **options)
    with pytest.raises(InputError, match=r"\.html"):
        grid.report(tmp_path / "page.png")
    assert not [*tmp_path.iterdir()]


def test_commands_write_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pendulum.yaml").write_text(MODEL)
    words = ["sweep", "pendulum.yaml", "--vary", "w=1..2:3", "--observe", "J.angle", "--store",
             "kept", "--best", "max J.angle", "-o", "page.html", "--quiet"]  # fmt: skip
    assert main(words) == 0
    assert [c["name"] for c in read("page.html")["columns"]] == ["w", "max J.angle", "end"]
    assert main(["report", "kept"]) == 0
    assert "wrote kept.html" in capsys.readouterr().out
    assert read("kept.html")["title"] == "<pendulum> & rod"
    assert main(["report", "kept", "--plots", "J.angel"]) == 2
    assert "J.angle" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    for words, told in ((["empty"], "no sweep is kept here"), (["kept", "--set", "w=1"], "--set")):
        assert main(["report", *words, "-o", "other.html"]) == 2
        assert told in capsys.readouterr().err
    assert not (tmp_path / "other.html").exists()


def read(path):
    text = Path(path).read_text(encoding="utf-8")
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=(?!.data:)", text)
    data = re.search(r'type="application/json">(.*?)</script>', text, re.S)
    return json.loads(data[1])


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Browser(tmp_path_factory.mktemp("browser"), webgl=False) as browser:
        yield browser


def taken(tab) -> str:
    tab.settle()
    return tab.value("document.querySelector('.count').textContent")


def test_parts_of_axes_take_runs_and_clicks_choose_them(grid, browser, tmp_path):
    grid.report(tmp_path / "grid.html", plots=["J.angle"], scores=["max bob tip speed"])
    with browser.open(tmp_path / "grid.html") as tab:
        assert taken(tab) == "12 of 12 runs, 4 failed"
        pieces = "[...document.querySelectorAll('.{}')].reduce((n, p) => n + +p.dataset.runs, 0)"
        assert tab.value(pieces.format("run-line.failed")) == 4
        assert tab.value("document.querySelectorAll('.map .run-cell.taken').length") > 1
        box = tab.box(".axis[data-axis=w] .spine")
        x = box["x"] + box["width"] / 2
        top, bottom = box["y"] + 4, box["y"] + box["height"] / 2
        tab.drag([(x, top), (x, (top + bottom) / 2), (x, bottom)])
        assert taken(tab) == "6 of 12 runs, 2 failed"
        assert tab.value(pieces.format("run-line.left")) == 6
        assert tab.value(pieces.format("run-cell.left.bad")) == 2  # crosses, paler ones
        assert tab.value(pieces.format("run-curve.left")) == 4  # two of them never began
        tab.press(x, box["y"] + 20)  # the axis without its part
        assert taken(tab) == "12 of 12 runs, 4 failed"
        click_a_curve(tab, grid)
        click_a_failed_cell(tab)
        tab.screenshot(tmp_path / "grid.png")
        assert tab.complaints() == []


def facts(tab) -> dict[str, str]:
    tab.settle()
    return dict(tab.value("[...document.querySelectorAll('.run-box dt')].map(e => [e.textContent,"
                          " e.nextElementSibling.textContent])"))  # fmt: skip


def click_a_curve(tab, grid) -> None:
    """The uppermost one at the end is that of the fastest, longest pendulum."""
    box = tab.box(".family")
    values = grid.values("J.angle")[:, -1]
    low, high = (f(grid.values("J.angle")) for f in (np.nanmin, np.nanmax))
    best = int(np.nanargmax(values))
    room = 0.06 * (high - low)
    part = (values[best] - low + room) / (high - low + 2 * room)
    top, bottom = box["y"] + 12, box["y"] + 270 - 44
    tab.press(box["x"] + box["width"] - 19, bottom - part * (bottom - top))
    found = facts(tab)
    assert found["w"] == f"{grid.run(best)['w']:g} rad/s"
    assert found["l"] == f"{grid.run(best)['l']:g} m"
    assert tab.value("document.querySelector('.run-box input').value") == str(best)
    assert tab.value("document.querySelectorAll('.run-curve.chosen').length") == 1


def click_a_failed_cell(tab) -> None:
    """The cells of a length of -1 m are at the bottom."""
    box = tab.box(".map")
    tab.press(box["x"] + 80, box["y"] + 270 - 44 - 6)
    found = facts(tab)
    assert (found["l"], found["w"]) == ("-1 m", "0.5 rad/s")
    assert (found["max bob tip speed"], found["stopped at"]) == ("none", "none")
    assert "mass" in tab.value("document.querySelector('.run-box [role=alert]').textContent")


def test_a_narrow_page_fits_and_keeps_its_axes(grid, browser, tmp_path):
    grid.report(tmp_path / "narrow.html")
    with browser.open(tmp_path / "narrow.html", width=390, height=800) as tab:
        tab.settle()
        assert tab.value("document.documentElement.scrollWidth") <= 390
        assert tab.value("document.querySelector('.parallel').clientWidth") > 390  # scrolls alone
        shown = tab.value("document.querySelectorAll('.axis').length")
        tab.click(".sweep-bar .menu summary")
        tab.click(".menu-list input[data-axis=end]")
        tab.settle()
        assert tab.value("document.querySelectorAll('.axis').length") == shown + 1
        tab.screenshot(tmp_path / "narrow.png")
        assert tab.complaints() == []


def test_odd_sweeps_have_pages(system, browser, tmp_path):
    """No run began; one run; words alone; two values far apart."""
    outputs = ["J.angle"]
    odd = {
        "none": system.sweep({"l": [-1.0, -2.0]}, outputs=outputs),
        "one": system.sweep({"l": [0.5]}, outputs=outputs),
        "words": system.sweep({"method": "dop853, radau"}, outputs=outputs),
        "far": system.sweep({"l": [1e-6, 1e6]}, outputs=outputs, t_end=0.01),
        "huge": made(3, 4, lambda k: "broke"),
    }
    for name, sweep in odd.items():
        sweep.report(tmp_path / f"{name}.html")
        with browser.open(tmp_path / f"{name}.html") as tab:
            assert taken(tab).startswith(f"{len(sweep)} of {len(sweep)} runs")
            places = (
                "[...document.querySelectorAll('svg.chart path')].map(p => p.getAttribute('d'))"
            )
            assert "NaN" not in "".join(tab.value(places))
            assert tab.complaints() == [], name


def test_of_a_store_that_is_not_complete_what_is_there_is_shown(system, tmp_path, monkeypatch):
    monkeypatch.setattr("pliant.analysis.sweeps.sweep.LARGEST", 1000.0)  # two runs a chunk
    system.sweep({"w": "1..2:6"}, outputs=["J.angle"], store=tmp_path / "kept", workers=1)
    chunks = sorted((tmp_path / "kept").glob("*.nc"))
    assert len(chunks) > 2
    chunks[1].unlink()
    kept = Sweep.load(tmp_path / "kept")
    left = len(kept.failures)
    data = sweep_data(kept)
    assert 0 < left < 6
    assert (len(data["runs"]), data["failures"]) == (6 - left, [])
    curves = unpacked(data["numbers"], len(data["drawn"]))
    there = kept.values("J.angle")[data["runs"]]
    np.testing.assert_allclose(curves, there, rtol=1e-6, atol=1e-30)


def test_titles_and_messages_are_text_not_markup(grid, browser, tmp_path):
    odd = replace(grid, info={"model": "</script><b>odd</b>"})
    odd.report(tmp_path / "odd.html")
    with browser.open(tmp_path / "odd.html") as tab:
        assert tab.value("document.querySelector('h1').textContent") == "</script><b>odd</b>"
        assert tab.complaints() == []
