"""Other analyses of the run button: equilibria, modes, kinematics, verification, advice, audits."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import numpy as np
import pytest
from tests.studio.desks import PENDULUM, desk_of, source, unpacked
from tests.web.test_report import unpacked as packed_numbers

import pliant as pl
from pliant.cli import main
from pliant.model.files import loads
from pliant.show.page.sweep import MOST_RUNS

DRIVEN = PENDULUM.replace(", initial: {angle: 60 deg}}", "}").replace(
    "simulate", "drivers:\n  turn: {joint: pivot, angle: 2*t}\nsimulate"
)


@pytest.fixture(scope="module")
def at_desk(tmp_path_factory):
    yield from desk_of(tmp_path_factory)


def done(at_desk: Any, text: str, analysis: str, **options: Any) -> Any:
    """The end of a job, its frames and the runs it made."""

    async def work(desk: Any, told: Any) -> Any:
        before = {run["id"] for run in desk.runs()}
        request = {"analysis": analysis, "options": options}
        end = await told.end(desk.run(source(text), request))
        return end, list(told.frames), [r for r in desk.runs() if r["id"] not in before]

    return at_desk(work)


def test_statics(at_desk):
    end, frames, (run,) = done(at_desk, PENDULUM, "statics")
    assert end["data"]["stability"] == "stable"
    assert run["command"] == "pliant statics pendulum.yaml"
    direct = pl.System(loads(PENDULUM)).statics()
    _, _, columns = unpacked(frames[-1])
    assert np.array_equal(columns["bob.position"], direct.values("bob.position"))


@pytest.mark.parametrize("analysis", ["kinematics", "inverse"])
def test_motion_that_is_given(at_desk, analysis):
    end, frames, (run,) = done(at_desk, DRIVEN, analysis, t_end="500 ms")
    assert end["state"] == "done"
    assert run["command"] == f"pliant run --analysis {analysis} pendulum.yaml --t-end '500 ms'"
    direct = getattr(pl.System(loads(DRIVEN)), analysis)("500 ms")
    _, time, columns = unpacked(frames[-1])
    assert np.array_equal(time, direct.time[-len(time) :])
    assert np.array_equal(columns["bob.position"], direct.values("bob.position")[-len(time) :])


def test_motion_that_is_not_given_is_refused(at_desk):
    end, _, runs = done(at_desk, PENDULUM, "kinematics")
    assert end["state"] == "failed"
    assert "not driven" in end["failure"]
    assert runs == []


def test_every_mode_is_a_moving_run(at_desk):
    end, frames, (run,) = done(at_desk, PENDULUM, "modes", at="equilibrium")
    (mode,) = end["data"]["modes"]
    direct = pl.System(loads(PENDULUM)).modes(at="equilibrium")
    assert mode["frequency"] == direct.frequencies[0]
    assert mode["run"] == run["id"] == unpacked(frames[0])[0]["run"]
    assert run["label"].startswith("mode 1: ")
    header, _, columns = unpacked(frames[0])
    assert header["scene"]["bodies"]
    assert np.ptp(columns["bob.position"], axis=0).max() > 0


def test_verify_and_advise(at_desk):
    end, _, runs = done(at_desk, PENDULUM, "verify", pointwise=True, states=2)
    assert end["data"]["agree"]
    assert "recursive" in end["data"]["text"]
    assert runs == []
    end, _, _ = done(at_desk, PENDULUM, "advise", quick=True, t_end=0.1)
    assert "advice for a tolerance" in end["data"]["text"]


def test_bad_options_are_refused(at_desk):
    for options, what in (({"rtol": "much"}, "rtol"), ({"hold": "x"}, "hold: not for transient"),
                          ({"method": "magic"}, "magic")):  # fmt: skip
        end, _, _ = done(at_desk, PENDULUM, "transient", **options)
        assert end["state"] == "failed"
        assert what in end["failure"]


def test_audit_of_a_run_with_powers_of_all_bonds(at_desk):
    async def work(desk: Any, told: Any) -> Any:
        run = (await told.end(desk.run(source(), {"params": {"m": "3 kg"}})))["run"]
        told.frames.clear()
        ask = {"analysis": "audit", "options": {"run": run, "start": 0.5, "end": 1.5}}
        end = await told.end(desk.run(source("changed"), ask))
        return end, told.frames[-1]

    end, frame = at_desk(work)
    system = pl.System(loads(PENDULUM))
    result = system.simulate(params={"m": "3 kg"})
    direct = system.power_audit(result, 0.5, 1.5)
    assert end["data"]["text"] == str(direct)
    assert end["data"]["flow"]["bands"]
    header, time, columns = unpacked(frame)
    assert header["type"] == "powers"
    assert (time[0], time[-1]) == pytest.approx((0.5, 1.5))
    graph = {b["name"] for b in system.graph("bond").as_dict()["bonds"]}
    assert columns.keys() == graph
    assert max(np.abs(p).max() for p in columns.values()) == direct.largest_power


def test_a_sweep_is_that_of_the_command_line(at_desk, tmp_path, monkeypatch):
    """Units of the sliders, numbers of the command; other sliders stay where they are."""
    monkeypatch.chdir(tmp_path)
    vary = {"L": "500 mm..1000 mm:3", "m": "1 kg..2 kg:2"}
    options = {"vary": vary, "units": {"L": "mm", "m": "kg"}, "observe": ["pivot.angle"]}

    async def work(desk: Any, told: Any) -> Any:
        params = {"m": "7 kg", "L": "800 mm"}
        request = {"analysis": "sweep", "options": {**options, "t_end": "0.5 s"}, "params": params}
        before = len(desk.runs())
        end = await told.end(desk.run(source(), request))
        return end, len(desk.runs()) - before

    end, more = at_desk(work)
    assert (end["state"], end["failure"], more) == ("done", "", 0)
    data, command = end["data"]["sweep"], end["data"]["command"]
    assert end["data"]["params"] == {}
    table = packed_numbers(data["table"], len(data["columns"]))
    assert table[0].tolist() == [500, 500, 750, 750, 1000, 1000]
    assert [c["unit"] for c in data["columns"][:2]] == ["mm", "kg"]
    (tmp_path / "pendulum.yaml").write_text(PENDULUM)
    assert main([*shlex.split(command)[1:], "--quiet"]) == 0
    text = (tmp_path / "pendulum.html").read_text(encoding="utf-8")
    same = json.loads(re.search(r'type="application/json">(.*?)</script>', text, re.DOTALL)[1])
    assert (same["numbers"], same["time"]) == (data["numbers"], data["time"])  # equal bits


def test_a_sweep_that_is_stopped_keeps_what_is_done(at_desk):
    async def work(desk: Any, told: Any) -> Any:
        options = {"vary": {"L": "0.5..1:100", "m": "1..2:90"}, "observe": ["pivot.angle"]}
        job = desk.run(source(), {"analysis": "sweep", "options": options})
        await told.until(lambda: [j for j in told.jobs(job) if (j["progress"] or 0) > 0])
        desk.stop(job)
        return await told.end(job)

    end = at_desk(work)
    assert end["state"] == "stopped"
    assert "interrupted by the user" in end["failure"]
    data = end["data"]["sweep"]
    count, said = data["notes"][0].split(" ", 1)
    assert said.startswith("of 9000 runs are not computed")
    assert 0 < len(data["runs"]) == min(9000 - int(count), MOST_RUNS)


def test_sweeps_that_cannot_be_are_refused(at_desk):
    for options, what in (({"vary": {"L": "1..0.5:3"}}, "empty"),
                          ({"vary": {"L": "1..2:11", "m": "1..2:1000"}}, "10000 at most"),
                          ({"vary": {"L": "1..2:3"}, "observe": ["pivot.angel"]}, "pivot.angle"),
                          ({"vary": {"H": "1..2:3"}}, "'H'"),
                          ({}, "nothing is varied")):  # fmt: skip
        end, _, runs = done(at_desk, PENDULUM, "sweep", **options)
        assert (end["state"], runs) == ("failed", [])
        assert what in end["failure"]
