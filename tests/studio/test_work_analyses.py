"""Other analyses of the run button: equilibria, modes, kinematics, verification, advice, audits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.studio.desks import PENDULUM, desk_of, source, unpacked

import pliant as pl
from pliant.model.files import loads

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
