"""Looks of the studio: the mechanism before any run, what can be observed, what a model is."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

import pytest
from tests.studio.desks import PENDULUM, desk_of, source

import pliant as pl
from pliant.model.files import loads
from pliant.model.files.examples import examples
from pliant.studio.work.desk import LOOK_SECONDS
from pliant.studio.work.source import WorkError


@pytest.fixture(scope="module")
def at_desk(tmp_path_factory):
    yield from desk_of(tmp_path_factory)


def looked(at_desk: Any, what: str, text: str = PENDULUM, **arguments: Any) -> Any:
    async def work(desk: Any, told: Any) -> Any:
        return await desk.look(what, source(text), arguments)

    return at_desk(work)


def test_scene_is_the_assembled_start(at_desk):
    data = looked(at_desk, "scene", params={"L": "0.5 m"})
    assert data["time"] == [0.0]
    assert [s["name"] for s in data["series"]] == ["bob.position", "bob.orientation"]
    assert [b["name"] for b in data["scene"]["bodies"]] == ["bob"]
    assert "failure" not in data


@pytest.mark.parametrize("name", ["crank_rocker", "stewart_platform"])
def test_scene_is_the_first_sample_of_a_run(name):
    from pliant.studio.work.tasks.scene import start_poses

    system = pl.load(examples()[name])
    result = system.simulate(times=[0.0, 1e-6])
    found = start_poses(system, {}).result
    for series in found.series:
        expected = result.values(series)[0]
        assert found.values(series)[0] == pytest.approx(expected, abs=1e-9), series


def test_scene_of_a_mechanism_that_cannot_be_assembled_says_why_and_is_drawn(at_desk):
    text = PENDULUM.replace("gravity", "ground: {frames: {far: [9, 0, 0]}}\ngravity").replace(
        "simulate",
        "  stop: {revolute: {axis: z}, between: [ground.far, bob]}\nsimulate",
    )
    data = looked(at_desk, "scene", text)
    assert data["failure"]["what"]
    assert [b["name"] for b in data["scene"]["bodies"]] == ["bob"]


def test_faults_of_the_text_are_told_with_their_elements(at_desk):
    with pytest.raises(WorkError) as refused:
        looked(at_desk, "scene", PENDULUM.replace("bob.tip", "bob.tp"))
    assert "no frame 'tp'" in refused.value.what
    assert refused.value.elements == ["pivot"]
    with pytest.raises(WorkError):
        looked(at_desk, "scene", "{ no text at all")
    with pytest.raises(WorkError, match="scen"):
        looked(at_desk, "scen")


def test_observables_are_those_of_a_run(at_desk):
    found = looked(at_desk, "observables")["observables"]
    result = pl.System(loads(PENDULUM)).simulate()
    assert {o["name"]: o["unit"] for o in found} == {n: s.unit for n, s in result.series.items()}
    labels = {o["name"]: tuple(o["labels"]) for o in found}
    assert labels == {n: s.labels for n, s in result.series.items()}


def test_process_counts_and_says_who_can_write_it(at_desk):
    data = looked(at_desk, "process")
    assert data["line"].startswith("1 degree of freedom")
    assert data["check"]["freedom"] == 1
    assert {f["name"]: f["objections"] for f in data["formulations"]}["recursive"] == []
    system = pl.System(loads(PENDULUM))
    assert data["text"] == str(system.check())


def test_trees_have_their_cost(at_desk):
    found = {t["name"]: t for t in looked(at_desk, "trees")["trees"]}
    assert found["joint"]["coordinates"] == ["pivot.angle"]
    assert found["absolute"]["constraints"] > 0


def test_looks_at_older_texts_see_the_newest(at_desk):
    async def work(desk: Any, told: Any) -> Any:
        texts = [PENDULUM.replace("2 kg", f"{k} kg") for k in range(3, 8)]
        asked = [desk.look("scene", source(text), {}) for text in texts]
        return await asyncio.gather(*asked)

    found = at_desk(work)
    assert all(data["scene"]["bodies"][0]["mass"] == 7.0 for data in found[1:])


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_dead_worker_is_replaced(at_desk):
    async def work(desk: Any, told: Any) -> Any:
        await desk.look("scene", source(), {})
        os.kill(desk.workers["look"], signal.SIGKILL)
        with pytest.raises(WorkError, match="the worker ended"):
            await desk.look("trees", source(), {})
        return await desk.look("scene", source(), {})

    assert at_desk(work)["scene"]


def test_a_look_that_takes_too_long_is_given_up_and_the_next_one_is_answered(at_desk, monkeypatch):
    monkeypatch.setitem(LOOK_SECONDS, "equations", 0.0)

    async def work(desk: Any, told: Any) -> Any:
        with pytest.raises(WorkError, match="this takes longer than 0 s"):
            await desk.look("equations", source(), {})
        return await desk.look("scene", source(), {})

    assert at_desk(work)["scene"]["bodies"][0]["name"] == "bob"
