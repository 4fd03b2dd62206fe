"""Runs of the studio: the same numbers as a direct call, as they come; stopping; drafts."""

from __future__ import annotations

import asyncio
import os
import signal
import time as clock
from typing import Any

import numpy as np
import pytest
from tests.studio.desks import PENDULUM, AtDesk, Listener, desk_of, source, unpacked

import pliant as pl
from pliant.model.files import loads
from pliant.studio.work.desk import Desk
from pliant.studio.work.process.process import PATIENCE
from pliant.studio.work.source import WorkError
from pliant.studio.work.tasks.analyses import DRAFT_RTOL, DRAFT_SAMPLES

LONG = PENDULUM.replace("t_end: 2 s", "t_end: 4000 s, every: 1 s, rtol: 1e-10")


@pytest.fixture(scope="module")
def at_desk(tmp_path_factory):
    yield from desk_of(tmp_path_factory)


def test_run_equals_direct_call(at_desk):
    async def work(desk: Any, told: Any) -> Any:
        job = desk.run(source(), {"analysis": "transient", "params": {"L": "0.8 m"},
                                  "outputs": ["pivot.angle"]})  # fmt: skip
        end = await told.end(job)
        names = ["bob.acceleration", "energy", "pivot.rate", "pivot.force.x", "nothing.at.all"]
        return end, list(told.frames), desk.runs()[-1:], await desk.series(end["run"], names, True)

    end, frames, runs, more = at_desk(work)
    direct = pl.System(loads(PENDULUM)).simulate(params={"L": "0.8 m"})
    assert end["state"] == "done"
    header, time, columns = unpacked(frames[0])
    assert header["offset"] == 0
    assert [b["name"] for b in header["scene"]["bodies"]] == ["bob"]
    parts = [unpacked(frame) for frame in frames]
    assert np.array_equal(np.concatenate([p[1] for p in parts]), direct.time)
    for name in columns:
        whole = np.concatenate([p[2][name] for p in parts])
        assert np.array_equal(whole, direct.values(name)), name
    assert {"bob.position", "bob.orientation", "pivot.angle"} <= columns.keys()
    header, time, columns = unpacked(more)
    assert np.array_equal(time, direct.time)
    assert "pivot.force" in columns
    assert "nothing.at.all" not in columns
    for name, values in columns.items():
        assert np.array_equal(values, direct.values(name)), name
    (run,) = runs
    assert run["label"].startswith("run ")
    assert run["command"] == "pliant run pendulum.yaml --set L='0.8 m'"
    assert (run["samples"], run["t_end"]) == (len(direct), 2.0)


def test_phases_are_told_and_jobs_end_once(at_desk):
    async def work(desk: Any, told: Any) -> Any:
        swung = PENDULUM + "forces: {motor: {actuator: 3*sin(t), joint: pivot}}\n"
        job = desk.run(source(swung), {})
        await told.end(job)
        return told.jobs(job)

    jobs = at_desk(work)
    phases = [j["phase"] for j in jobs]
    for phase in ("reading", "deriving", "compiling", "integrating", "saving"):
        assert phase in phases, phase
    assert [j["state"] for j in jobs].count("done") == 1


def test_stopped_run_keeps_its_samples(at_desk):
    async def work(desk: Any, told: Any) -> Any:
        job = desk.run(source(LONG), {})
        await told.until(lambda: told.frames)
        desk.stop(job)
        end = await told.end(job)
        return end, desk.runs()[-1:], list(told.frames)

    end, runs, frames = at_desk(work)
    assert end["state"] == "stopped"
    (run,) = runs
    assert "interrupted" in run["failure"]
    assert 0 < run["t_end"] < 4000
    assert sum(unpacked(f)[0]["count"] for f in frames) == run["samples"]
    parts = np.concatenate([unpacked(f)[2]["bob.orientation"] for f in frames])
    assert np.sum(parts[1:] * parts[:-1], axis=1).min() > 0  # signs go on from part to part


def test_progress_and_time_left(at_desk):
    async def work(desk: Any, told: Any) -> Any:
        job = desk.run(source(LONG), {})
        some = lambda: [j for j in told.jobs(job) if j["remaining"]]  # noqa: E731
        found = await told.until(some)
        desk.stop(job)
        await told.end(job)
        return found

    job = at_desk(work)[0]
    assert 0 < job["progress"] < 1
    assert job["phase"] == "integrating"


def test_waiting_run_can_be_stopped(at_desk):
    async def work(desk: Any, told: Any) -> Any:
        before = len(desk.runs())
        first, second = desk.run(source(LONG), {}), desk.run(source(LONG), {})
        desk.stop(second)
        assert told.jobs(second)[-1]["state"] == "stopped"
        await told.until(lambda: told.frames)
        desk.stop(first)
        await told.end(first)
        return len(desk.runs()) - before

    assert at_desk(work) == 1


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_killed_worker_is_replaced_and_says_so(at_desk):
    async def work(desk: Any, told: Any) -> Any:
        kept = desk.run(source(), {})
        run = (await told.end(kept))["run"]
        told.frames.clear()
        job = desk.run(source(LONG), {})
        await told.until(lambda: told.frames)
        os.kill(desk.workers["run"], signal.SIGKILL)
        end = await told.end(job)
        again = await told.end(desk.run(source(), {}))
        return end, again, unpacked(await desk.series(run, ["energy"]))

    end, again, (_, time, columns) = at_desk(work)
    assert (end["state"], end["failure"]) == ("failed", "the worker ended: signal SIGKILL")
    assert again["state"] == "done"
    assert len(columns["energy"]) == len(time) == 501  # of a run that a dead worker had made


def test_newest_draft_wins(at_desk):
    async def work(desk: Any, told: Any) -> Any:
        before = desk.runs()
        ask = {"draft": True, "outputs": ["pivot.angle"]}
        jobs = [desk.run(source(), {**ask, "params": {"L": f"{1 + k / 100} m"}})
                for k in range(10)]  # fmt: skip
        await told.end(jobs[-1])
        return (
            [told.jobs(job)[-1]["state"] for job in jobs],
            list(told.frames),
            desk.runs() == before,
        )

    states, frames, same = at_desk(work)
    assert states == ["stopped"] * 9 + ["done"]
    header, _, columns = unpacked(frames[-1])
    assert header["draft"]
    assert header["params"] == {"L": "1.09 m"}
    as_a_draft = {"every": 2 / DRAFT_SAMPLES, "rtol": DRAFT_RTOL}
    direct = pl.System(loads(PENDULUM)).simulate(params={"L": "1.09 m"}, **as_a_draft)
    assert np.array_equal(columns["pivot.angle"], direct.values("pivot.angle"))
    assert same  # drafts are not listed


def test_draft_has_few_samples_and_a_number_of_the_file_as_parameter(at_desk):
    fine = PENDULUM.replace("t_end: 2 s", "t_end: 2 s, every: 0.1 ms")

    async def work(desk: Any, told: Any) -> Any:
        job = desk.run(source(fine), {"draft": True, "params": {"bodies.bob.mass": "3 kg"}})
        failed = await told.end(job)
        job = desk.run(source(fine), {"draft": True, "params": {"joints.pivot.initial.angle": 1.0}})
        return failed, await told.end(job), told.frames[-1]

    failed, end, frame = at_desk(work)
    start = unpacked(frame)[2]["bob.orientation"][0]
    assert start == pytest.approx([np.cos(0.5), 0, 0, np.sin(0.5)])
    assert "set m" in failed["failure"]
    assert end["state"] == "done"
    assert unpacked(frame)[0]["count"] == 251


def test_desk_closes_in_the_middle_of_a_run(tmp_path):
    at_desk = AtDesk(tmp_path)

    async def work(desk: Any, told: Any) -> Any:
        desk.run(source(LONG), {})
        await told.until(lambda: told.frames)
        return desk.workers["run"]

    pid = at_desk(work)
    at_desk.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_warm_desk_has_its_processes_at_once_and_closes_at_once(tmp_path):
    async def work() -> Any:
        desk = Desk(tmp_path, Listener())
        desk.warm()
        async with asyncio.timeout(20):
            while None in (found := desk.workers).values():
                await asyncio.sleep(0.01)
        began = clock.monotonic()
        await desk.close()
        return found, clock.monotonic() - began, desk.workers

    found, seconds, left = asyncio.run(work())
    assert seconds < PATIENCE / 2
    assert set(left.values()) == {None}
    for pid in found.values():
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize("steps", [0, 1, 3])
def test_closed_desk_starts_nothing(tmp_path, steps):
    async def work() -> Any:
        desk = Desk(tmp_path, Listener())
        desk.warm()
        looked = asyncio.create_task(desk.look("scene", source(), {}))
        for _ in range(steps):
            await asyncio.sleep(0)
        await desk.close()
        with pytest.raises(WorkError, match="the worker ended"):
            await looked
        with pytest.raises(WorkError, match="the studio ends"):
            await desk.look("trees", source(), {})
        return desk.workers

    assert set(asyncio.run(work()).values()) == {None}


def test_worker_ends_with_its_studio():
    async def studio() -> None:
        from pliant.studio.work.process.process import Worker

        worker = Worker(runs=False)
        await worker.start()
        process = worker._process
        process.stdin.close()
        await asyncio.wait_for(process.wait(), 20)

    asyncio.run(studio())
