"""Samples that do not fit into memory are refused before anything is computed."""

import pytest

import pliant as pl
from pliant.backends import memory
from pliant.errors import InputError


@pytest.fixture(scope="module")
def system():
    return pl.System(
        gravity=[0, 0, -9.81], bodies=[pl.RigidBody.rod("arm", 0.5, mass=2)],
        joints=[pl.Revolute("pin", "ground", "arm", axis="y", initial={"angle": 0.3})],
    )  # fmt: skip


@pytest.mark.parametrize(("t_end", "every"), [(1.0, 1e-12), (1e7, 0.01)])
def test_refused_with_its_size_and_the_cure(system, monkeypatch, t_end, every):
    monkeypatch.setattr(memory, "free_memory", lambda: 16e9)
    with pytest.raises(InputError, match=r"1e\+.. samples need .* (TB|GB).*8 GB.*every"):
        system.simulate(t_end, every=every)


def test_columns_count(system, monkeypatch):
    """10 001 samples alone fit into 1 MB, all their observables do not."""
    with pytest.raises(InputError, match="MB of memory"):
        system.simulate(1, every=1e-4, max_memory="1 MB")
    result = system.simulate(1, every=1e-4, max_memory="1 MB", outputs=["pin.angle"])
    assert len(result) == 10_001


def test_kinematics_and_trees_and_blocks(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 1e6)
    arm = pl.RigidBody.rod("arm", 0.5, mass=2)
    pin = pl.Revolute("pin", "ground", "arm", axis="y")
    driven = pl.System(bodies=[arm], joints=[pin], drivers=[pl.JointDriver("d", "pin", motion="t")])
    with pytest.raises(InputError, match="samples need"):
        driven.kinematics(1, every=1e-9)
    links = [pl.RigidBody.rod(f"b{k}", 1, mass=1, frames={"tip": [1, 0, 0]}) for k in range(12)]
    ends = ["ground", *(f"b{k}.tip" for k in range(11))]
    pins = [pl.Revolute(f"j{k}", ends[k], f"b{k}", axis="y") for k in range(12)]
    chain = pl.System(bodies=links, joints=pins, gravity=[0, 0, -9.81])
    for method in ("auto", "sparse-alpha"):
        with pytest.raises(InputError, match="samples need"):
            chain.simulate(1, every=1e-6, method=method)


@pytest.mark.parametrize(("text", "size"), [("8 GB", 8e9), ("500MB", 5e8), (4096, 4096.0)])
def test_amounts(text, size):
    assert memory.allowed_memory(text) == size


@pytest.mark.parametrize("text", ["8 kg", "-1", "", "GB", 0, True, "1e"])
def test_no_amounts(text):
    with pytest.raises(InputError, match="max_memory"):
        memory.allowed_memory(text)
