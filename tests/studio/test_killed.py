"""J7: the studio is killed in the middle of editing, and at most the gesture under way is lost."""

import asyncio
import random

import pytest
from tests.studio.killing import Nursery, User, kill, session
from tests.studio.talking import PENDULUM

KILLS = 100
LONGEST = 0.25
"""Seconds of editing before a kill, at most."""


@pytest.mark.slow
def test_a_hundred_kills_lose_at_most_the_gesture_under_way(tmp_path):
    """A session of editing by operations, typing, undo, redo and saving, which goes on from what
    was recovered after each kill."""
    model = tmp_path / "models" / "pendulum.yaml"
    model.parent.mkdir()
    model.write_text(PENDULUM)
    user, moments = User(PENDULUM, seed=7), random.Random(8)
    found = 0
    with Nursery(tmp_path / "state") as nursery:
        for _ in range(KILLS):
            number, studio = nursery.born(model)
            found += asyncio.run(session(studio, number, user, moments.uniform(0, LONGEST)))
    assert user.gestures > KILLS
    assert found > KILLS / 4
    assert model.read_text() != PENDULUM


@pytest.mark.slow
def test_a_kill_during_recovery_loses_nothing(tmp_path):
    """The page has asked for what was left behind, and the process goes at some moment after."""
    model = tmp_path / "models" / "pendulum.yaml"
    model.parent.mkdir()
    model.write_text(PENDULUM)
    typed = "# typed\n" + PENDULUM
    moments = random.Random(9)

    async def type_and_die(studio, number):
        async with studio.window() as window:
            revision = (await window.wait("document"))["revision"]
            await window.ask("edit", revision=revision, splices=[[0, 0, "# typed\n"]])
            await kill(number)

    async def recover_and_die(studio, number):
        async with studio.window() as window:
            await window.wait("journal")
            assert (await window.ask("journal", choice="look"))["text"] == typed
            await window.send("journal", choice="recover")
            await asyncio.sleep(moments.uniform(0, 0.01))
            await kill(number)

    async def save(studio, number):
        async with studio.window() as window:
            await window.wait("journal")
            await window.ask("journal", choice="recover")
            await window.ask("save")
            await kill(number)

    async def look(studio, number):
        async with studio.window() as window:
            await window.ask("history")
            assert not [m for m in window.heard if m["type"] == "journal"]
            await kill(number)

    with Nursery(tmp_path / "state") as nursery:
        for talk in (type_and_die, *[recover_and_die] * 12, save, look):
            number, studio = nursery.born(model)
            asyncio.run(talk(studio, number))
    assert model.read_text() == typed
