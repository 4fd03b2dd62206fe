"""Sweeps that are kept: stopped at any moment, they go on where they were, and nothing is lost."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.sweeps import sweep as verb
from pliant.analysis.sweeps import work
from pliant.results.sweeps import Sweep

PENDULUM = """
pliant: 1
name: pendulum
parameters: {l: 1 m, w: 1 rad/s}
gravity: [0, 0, -9.81]
bodies: {bob: {rigid: {mass: 1 kg, com: [0, 0, -l]}}}
joints: {J: {revolute: {axis: y}, between: [ground, bob], initial: {angle_rate: w}}}
simulate: {t_end: 0.5, every: 0.01}
"""
HOW = {"vary": {"w": "0..1", "l": "0.5..1"}, "samples": 60, "outputs": ["J.angle"]}
SCRIPT = """
import json, sys
import pliant as pl
from pliant.analysis.sweeps import sweep
sweep.SECONDS = 1e-3
sweep.paced = lambda job, varied: sweep.Pace(2e-4, 1.0)
how = json.loads(sys.argv[2])
print("ready", flush=True)
pl.load(sys.argv[1]).sweep(**how, workers=1)
"""


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """Of five runs."""
    monkeypatch.setattr(verb, "paced", lambda job, varied: verb.Pace(2e-4, 1.0))
    monkeypatch.setattr(verb, "SECONDS", 1e-3)


@pytest.fixture
def system():
    return pl.System.loads(PENDULUM)


def kept(store):
    return {p.name: p.stat().st_mtime_ns for p in store.glob("*.nc")}


@pytest.mark.slow
def test_a_sweep_that_is_killed_goes_on(system, tmp_path):
    """kill -9 while chunks are written; the same call by two processes does the rest."""
    (tmp_path / "pendulum.yaml").write_text(PENDULUM)
    store = tmp_path / "store"
    words = [sys.executable, "-c", SCRIPT, tmp_path / "pendulum.yaml",
             json.dumps({**HOW, "store": str(store)})]  # fmt: skip
    before = {}
    for count in (1, 5):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        while len(kept(store)) < count and process.poll() is None:
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert before.items() <= kept(store).items()
        before = kept(store)
    half = Sweep.load(store)
    assert 0 < len(half.failures) < 60
    assert set(half.failures.values()) == {"not computed yet"}
    assert f"0 failed, {len(half.failures)} not computed yet" in str(half)
    whole = system.sweep(**HOW, store=store, workers=2)
    assert before.items() <= kept(store).items()  # nothing was computed twice
    assert len(kept(store)) == 12
    alone = system.sweep(**HOW, workers=1)
    for found in (whole, Sweep.load(store)):
        assert np.array_equal(found.values("J.angle"), alone.values("J.angle"))
        assert found["J.angle"].coords.keys() == alone["J.angle"].coords.keys()


def test_a_chunk_that_was_kept_is_not_computed_again(system, tmp_path, monkeypatch):
    """Nor by a worker that is given it twice, as after the death of another."""
    system.sweep(**HOW, store=tmp_path / "s", workers=1)
    monkeypatch.setattr(work.Job, "run", None)
    again = system.sweep(**HOW, store=tmp_path / "s", workers=1)
    assert len(again.values("J.angle")) == 60


@pytest.mark.parametrize(
    ("text", "how", "message"),
    [
        (PENDULUM.replace("1 kg", "2 kg"), {}, r"the model: line \d+: .*1 kg.*, now .*2 kg"),
        (PENDULUM, {"rtol": 1e-3}, "how runs are computed: rtol: None, now 0.001"),
        (PENDULUM, {"samples": 61}, "the plan: columns: w: 60 values, now 61"),
        (PENDULUM, {"seed": 1}, "the plan: "),
        (
            PENDULUM,
            {"outputs": ["J.angle_rate"]},
            "how runs are computed: outputs: .0. J.angle, now",
        ),
    ],
)
def test_the_store_of_another_sweep_says_what_differs(system, tmp_path, text, how, message):
    system.sweep(**HOW, store=tmp_path / "s", workers=1)
    before = kept(tmp_path / "s")
    with pytest.raises(pl.errors.InputError, match=f"keeps another sweep: {message}"):
        pl.System.loads(text).sweep(**{**HOW, **how}, store=tmp_path / "s", workers=1)
    assert kept(tmp_path / "s") == before


def test_another_version_says_so(system, tmp_path, monkeypatch):
    system.sweep(**HOW, store=tmp_path / "s", workers=1)
    index = tmp_path / "s" / "sweep.json"
    index.write_text(index.read_text().replace('"version": "', '"version": "9.'))
    with pytest.raises(pl.errors.InputError, match=r"the version of Pliant: 9\."):
        system.sweep(**HOW, store=tmp_path / "s", workers=1)


def test_files_that_a_model_reads_count_by_their_content(tmp_path):
    """Wherever the model file lies."""
    signal = tmp_path / "force.csv"
    signal.write_text("t,F\n0,1\n1,2\n")
    text = (
        PENDULUM
        + f"""signals: {{push: {{file: {signal}, time: t, value: F}}}}
forces: {{f: {{actuator: push, joint: J}}}}
"""
    )
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(text)
        pl.load(tmp_path / name).sweep(**HOW, store=tmp_path / "s", workers=1)
    signal.write_text("t,F\n0,1\n1,3\n")
    with pytest.raises(pl.errors.InputError, match=r"keeps another sweep: (the model|a file)"):
        pl.load(tmp_path / "a.yaml").sweep(**HOW, store=tmp_path / "s", workers=1)


def test_a_full_disk_is_one_message(system, tmp_path, monkeypatch):
    """Noticed when the third file is written: what was written before is whole."""
    fsync, count = os.fsync, []

    def full(handle):
        count.append(handle)
        if len(count) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(pl.errors.FileError, match="No space left on device"):
        system.sweep(**HOW, store=tmp_path / "s", workers=1)
    assert sorted(p.suffix for p in (tmp_path / "s").iterdir()) == [".json", ".nc"]
    assert len(system.sweep(**HOW, store=tmp_path / "s", workers=1).failures) == 0


def test_a_disk_without_room_for_the_index_is_left_as_it_was(system, tmp_path, monkeypatch):
    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(pl.errors.FileError, match="No space left on device"):
        system.sweep(**HOW, store=tmp_path / "s", workers=1)
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize("place", ["none/s", "file/s", "file", "full"])
def test_a_folder_that_cannot_be_used_is_refused(system, tmp_path, place):
    (tmp_path / "file").write_text("")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "other").write_text("")
    with pytest.raises(pl.errors.FileError, match=r"cannot write|holds other files"):
        system.sweep(**HOW, store=tmp_path / place, workers=1)
    assert not (tmp_path / "none").exists()


class Elsewhere:
    """A client whose workers have a disk of their own."""

    def submit(self, function, chunk):
        future = Future()
        future.set_result(work.Done(chunk.index, 5, 0, None))
        return future


def test_a_folder_that_workers_do_not_share_is_told(system, tmp_path):
    with pytest.raises(pl.errors.RunError, match=r"12 of 12 chunks .* not in .* that all share"):
        system.sweep(**HOW, store=tmp_path / "s", workers=Elsewhere())


def test_what_was_half_written_long_ago_is_removed(system, tmp_path):
    system.sweep(**HOW, store=tmp_path / "s", workers=1)
    old, new = tmp_path / "s" / ".old.part", tmp_path / "s" / ".new.part"
    old.write_text("")
    new.write_text("")
    os.utime(old, (0, 0))
    system.sweep(**HOW, store=tmp_path / "s", workers=1)
    assert (old.exists(), new.exists()) == (False, True)


def test_what_is_no_sweep_is_refused(system, tmp_path):
    with pytest.raises(pl.errors.FileError, match="no sweep is kept here"):
        Sweep.load(tmp_path)
    (tmp_path / "sweep.json").write_text("{}")
    with pytest.raises(pl.errors.FileError, match="not the index of a sweep"):
        Sweep.load(tmp_path)


def test_a_damaged_file_says_what_to_do(system, tmp_path):
    found = system.sweep(**HOW, store=tmp_path / "s", workers=1)
    file = next((tmp_path / "s").glob("*.nc"))
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(pl.errors.FileError, match="delete the file"):
        Sweep.load(tmp_path / "s").values("J.angle")
    file.unlink()
    again = system.sweep(**HOW, store=tmp_path / "s", workers=1)
    assert np.array_equal(again.values("J.angle"), found.values("J.angle"), equal_nan=True)
