"""Equal runs give equal bits: in quick code, in good code, and in another process.

Quick and good machine code are made from the same LLVM IR, in which it is written what is fused
(``code/llvm/ir.py``); the order of expressions must not depend on hashes of a process.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.code import background

ROOT = Path(__file__).parents[2]
EQUAL_LINKS = """
pliant: 1
bodies:
  crank: {rod: {length: 0.3, mass: 1}, frames: {A: [0.3, 0, 0]}}
  rod: {rod: {length: 0.3, mass: 1.5}, frames: {B: [0.3, 0, 0]}}
  slider: {point: 0.7}
joints:
  O: {revolute: {axis: z}, between: [ground, crank], initial: {angle: 0.3, angle_rate: 5}}
  A: {revolute: {axis: z}, between: [crank.A, rod], guess: {angle: -0.6}}
  B: {revolute: {axis: z}, between: [rod.B, slider], cut: true}
  S: {prismatic: {axis: x}, between: [ground, slider], guess: {displacement: 0.57}}
simulate: {rtol: 1e-8}
"""
"""Passes a change point, where rounding decides: the first to show a difference."""
NETWORK = """
pliant: 1
networks:
  n:
    elements: {a: {junction: 1}, m: {I: 1, on: a, initial: 0.3}, r: {R: 0.1, on: a},
               k: {C: {effort: 10*q + q**3}, on: a}}
"""
MODELS = {
    "equal links": 1.5, "network": 2.0, "pendulum": 2.0, "planar_slider_crank": 0.5,
    "rolling_disc": 0.5, "skate": 0.5, "two_link_chain": 0.3, "bricard": 0.5, "crank_rocker": 0.02,
    "haug_slider_crank": 0.1,
}  # fmt: skip
"""With the time they run."""
METHODS = ("auto", "radau")


def digests(name: str) -> list[str]:
    """Of all bits of all observables, for each method."""
    text = {"equal links": EQUAL_LINKS, "network": NETWORK}.get(name)
    system = pl.loads(text) if text else pl.load(ROOT / "examples" / f"{name}.yaml")
    found = []
    for method in METHODS:
        result = system.simulate(t_end=MODELS[name], method=method)
        bits = b"".join(np.ascontiguousarray(result.values(k)).tobytes() for k in result.series)
        found.append(f"{result.info['statistics']['steps']} {hashlib.sha256(bits).hexdigest()}")
    return found


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The digests of all models in a process of its own, with other hashes and no code on disk."""
    folder = tmp_path_factory.mktemp("cache")
    environment = {**os.environ, "PYTHONHASHSEED": "12345", "PLIANT_CACHE_DIR": str(folder)}
    del environment["PLIANT_QUICK"]
    code = (
        "import os\n"
        "from pliant.code import background\n"
        "from tests.cross.test_equal_bits import MODELS, digests\n"
        "background.begin = lambda: None\n"
        "for name in MODELS: print(name, *digests(name), sep='|', flush=True)\n"
        "os._exit(0)  # without making better code for later\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return {line.split("|")[0]: line.split("|")[1:] for line in done.stdout.splitlines()}


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_quick_code_good_code_and_another_process_give_equal_bits(
    name: str,
    elsewhere: dict[str, list[str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("PLIANT_QUICK")
    with monkeypatch.context() as quick_only:
        quick_only.setattr(background, "begin", lambda: None)
        quick = digests(name)
    done = background.version()
    background.finish()
    assert background.version() > done
    assert quick == digests(name) == elsewhere[name]
