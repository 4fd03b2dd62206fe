"""A sweep by a cluster of Dask: one of this machine, and one whose scheduler and workers are
processes of their own."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.sweeps import sweep as verb

pytestmark = pytest.mark.slow

PENDULUM = """
pliant: 1
name: pendulum
parameters: {l: 1 m, w: 1 rad/s}
gravity: [0, 0, -9.81]
bodies: {bob: {rigid: {mass: 1 kg, com: [0, 0, -l]}}}
joints: {J: {revolute: {axis: y}, between: [ground, bob], initial: {angle_rate: w}}}
simulate: {t_end: 5, every: 0.1}
"""
HOW = {"vary": {"w": "0..1", "l": "0.5..1"}, "samples": 60, "outputs": ["J.angle"]}


@pytest.fixture
def start(tmp_path):
    """Starts a process in a folder of its own."""
    running = []

    def begin(role, name, *words):
        folder = tmp_path / name
        folder.mkdir()
        line = [sys.executable, "-W", "ignore", "-m", f"distributed.cli.dask_{role}"]
        line += ["--no-dashboard", "--scheduler-file", str(tmp_path / "scheduler.json"), *words]
        quiet = subprocess.DEVNULL
        running.append(subprocess.Popen(line, cwd=folder, stdout=quiet, stderr=quiet))
        return running[-1]

    yield begin
    for process in reversed(running):
        process.kill()
        process.wait()


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_of_this_machine(monkeypatch):
    monkeypatch.setattr(verb, "SECONDS", 1e-3)
    from distributed import Client, LocalCluster

    system = pl.System.loads(PENDULUM)
    alone = system.sweep(**HOW, workers=1)
    with LocalCluster(2, threads_per_worker=1, dashboard_address=None) as local, Client(local) as c:
        found = system.sweep(**HOW, workers=c)
    assert np.array_equal(found.values("J.angle"), alone.values("J.angle"))


@pytest.mark.filterwarnings("ignore")
def test_two_workers_of_which_one_dies(start, tmp_path, monkeypatch):
    monkeypatch.setattr(verb, "paced", lambda job, varied: verb.Pace(2e-4, 1.0))
    monkeypatch.setattr(verb, "SECONDS", 1e-3)
    start("scheduler", "scheduler", "--host", "127.0.0.1", "--port", "0")
    own = "--no-nanny", "--nthreads", "1", "--host", "127.0.0.1"
    _, second = (start("worker", name, *own) for name in ("first", "second"))
    from distributed import Client

    place = tmp_path / "scheduler.json"
    while not place.exists():
        time.sleep(0.05)
    address = json.loads(place.read_text())["address"]
    with Client(address) as client:
        client.wait_for_workers(2, timeout=120)
    system, store = pl.System.loads(PENDULUM), tmp_path / "store"
    times = {}

    def told(progress):
        if progress.done >= 10 and second.poll() is None:
            second.kill()
            times.update({p.name: p.stat().st_mtime_ns for p in store.glob("*.nc")})

    found = system.sweep(**HOW, workers=address, store=store, progress=told)
    assert second.poll() is not None
    assert not found.failures
    after = {p.name: p.stat().st_mtime_ns for p in store.glob("*.nc")}
    assert times.items() <= after.items()  # nothing that was kept was computed again
    alone = system.sweep(**HOW, workers=1)
    assert np.array_equal(found.values("J.angle"), alone.values("J.angle"))
