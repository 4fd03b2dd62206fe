"""Files to download: each is what its command line writes; results of files; comparison."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.studio.desks import PENDULUM, desk_of, source, unpacked

import pliant as pl
from pliant.cli.main import main
from pliant.studio.work.source import WorkError

OBSERVED = PENDULUM.replace("t_end: 2 s", "t_end: 1 s, observe: [pivot.angle, 'bob.v*']")


@pytest.fixture(scope="module")
def at_desk(tmp_path_factory):
    yield from desk_of(tmp_path_factory)


def exported(
    at_desk: Any, kind: str, options: Any, text: str = PENDULUM, request: Any = None
) -> Any:
    """What is offered, of a run if ``request`` asks for one."""

    async def work(desk: Any, told: Any) -> Any:
        own = dict(options)
        if request is not None:
            own["run"] = (await told.end(desk.run(source(text), request)))["run"]
        return await desk.export(kind, own, source(text))

    return at_desk(work)


def repeated(made: Any, text: str, folder: Path, monkeypatch: Any) -> bytes:
    """The file that the command line writes."""
    (folder / "pendulum.yaml").write_text(text)
    monkeypatch.chdir(folder)
    program, *words = shlex.split(made.command)
    assert program == "pliant"
    assert main(words) == 0
    return (folder / made.name).read_bytes()


@pytest.mark.parametrize(
    ("text", "request_", "options"),
    [
        (PENDULUM, {"params": {"L": "0.7 m"}, "options": {"t_end": "500 ms", "rtol": 1e-8}}, {}),
        (OBSERVED, {"outputs": ["energy"]}, {}),
        (OBSERVED, {"params": {"joints.pivot.initial.angle": "1 rad"}},
         {"names": ["energy", "bob.position.x"]}),
        (PENDULUM, {"analysis": "statics", "options": {"load_steps": 3}}, {}),
        (PENDULUM, {"analysis": "modes", "options": {"at": "equilibrium"}}, {}),
    ],
)  # fmt: skip
def test_csv_is_that_of_its_command(at_desk, tmp_path, monkeypatch, text, request_, options):
    made = exported(at_desk, "csv", options, text, request_)
    assert made.name == "pendulum.csv"
    assert made.path.read_bytes() == repeated(made, text, tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("graph", {"format": "svg"}),
        ("graph", {"format": "dot", "kind": "bond", "tree": "absolute"}),
        ("equations", {"format": "latex", "names": {"pivot.angle": "alpha"}}),
        ("equations", {"format": "text", "params": {"L": "2 m"}, "formulation": "kane"}),
        ("source", {"format": "c"}),
        ("source", {"format": "python", "form": "embedding"}),
        ("source", {"format": "fortran"}),
    ],
)
def test_file_of_the_document_is_that_of_its_command(at_desk, tmp_path, monkeypatch, kind, options):
    made = exported(at_desk, kind, options)
    assert made.path.read_bytes() == repeated(made, PENDULUM, tmp_path, monkeypatch)


def test_other_files_of_a_run(at_desk, tmp_path, monkeypatch):
    request = {"params": {"L": "0.7 m"}}
    made = exported(at_desk, "nc", {}, request=request)
    direct = pl.Result.load(made.path)
    expected = repeated(made, PENDULUM, tmp_path, monkeypatch)
    (tmp_path / "again.nc").write_bytes(expected)
    again = pl.Result.load(tmp_path / "again.nc")
    assert all(np.array_equal(direct.values(n), again.values(n)) for n in again.columns())
    made = exported(at_desk, "plot", {"format": "svg", "names": ["pivot.angle"]}, request=request)
    assert made.command.endswith("--observe pivot.angle -o pendulum.svg")
    assert made.path.read_bytes().startswith(b"<?xml")
    made = exported(at_desk, "energy", {"format": "svg", "start": 0.5}, request=request)
    command = "pliant audit pendulum.yaml --set L='0.7 m' --from 0.5 -o pendulum.svg"
    assert made.command == command


def test_model_as_it_stands_and_in_the_other_format(at_desk, tmp_path):
    made = exported(at_desk, "model", {"format": "yaml"})
    assert made.path.read_text() == PENDULUM
    made = exported(at_desk, "model", {"format": "json"})
    assert pl.System.load(made.path).described == pl.System.loads(PENDULUM).described
    assert made.command.startswith("python -c")


def test_what_is_not_exported(at_desk):
    with pytest.raises(WorkError, match="no run"):
        exported(at_desk, "csv", {})
    with pytest.raises(WorkError, match="nothing is exported"):
        exported(at_desk, "cvs", {})
    with pytest.raises(WorkError, match="format"):
        exported(at_desk, "graph", {"format": "gif"})


@pytest.mark.parametrize("ending", [".nc", ".csv"])
def test_result_of_a_file_is_a_run(at_desk, tmp_path, ending):
    file = tmp_path / f"reference{ending}"
    direct = pl.System.loads(PENDULUM).simulate(params={"m": 3.0})
    direct.save(file)

    async def work(desk: Any, told: Any) -> Any:
        own = (await told.end(desk.run(source(), {})))["run"]
        number = await desk.load(file)
        frame = await desk.series(number, ["pivot.angle"], True)
        compared = await desk.compare(own, number)
        run = next(r for r in desk.runs() if r["id"] == number)
        desk.forget(number)
        assert number not in [r["id"] for r in desk.runs()]
        return run, frame, compared

    run, frame, compared = at_desk(work)
    assert run["label"] == file.name
    header, _, columns = unpacked(frame)
    assert np.array_equal(columns["pivot.angle"], direct.values("pivot.angle"))
    assert ("scene" in header) == (ending == ".nc")
    rows = {row["name"]: row for row in compared["rows"]}
    assert rows["energy"]["relative"] > 0.1
    assert rows["bob.velocity" if ending == ".nc" else "bob.velocity.x"]["unit"] == "m/s"
    if ending == ".nc":
        assert {"label": "m", "a": "as in the file", "b": "3.0"} in compared["texts"]


def test_bad_files_are_refused(at_desk, tmp_path):
    (tmp_path / "bad.csv").write_text("no,time\n1,2\n")

    async def work(desk: Any, told: Any) -> Any:
        for name, what in (("bad.csv", "first column"), ("none.nc", "no such file")):
            with pytest.raises(WorkError, match=what):
                await desk.load(tmp_path / name)

    at_desk(work)


def test_texts_that_differ_are_told(at_desk):
    async def work(desk: Any, told: Any) -> Any:
        runs = [(await told.end(desk.run(source(text), {})))["run"]
                for text in (PENDULUM, PENDULUM.replace("m: 2 kg", "m: 5 kg"))]  # fmt: skip
        assert desk.text_of(runs[0]) == PENDULUM
        return await desk.compare(*runs)

    (line,) = at_desk(work)["texts"]
    assert line["label"] == "line 3"
    assert "5 kg" in line["b"]
