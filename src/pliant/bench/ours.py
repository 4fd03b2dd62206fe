"""Pliant's side of a case: got ready, then at the loosest setting that is accurate enough."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from pliant.bench.case import Contestant, Run, loosest
from pliant.engine import tiers

TOLERANCES = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
_FIRST = 1e-3
"""The setting of the first run, which derives and compiles."""


def timed(result: Any, error: float) -> Run:
    """Seconds in compiled code and around it, and steps, of a finished run."""
    statistics = result.info["statistics"]
    inside = statistics["compiled_seconds"]
    return Run(inside, error, statistics["seconds"] - inside, int(statistics["steps"]))


def at_loosest(
    build: Callable[[], Callable[[float], Run]],
    allowed: float,
    settings: Sequence[float] = TOLERANCES,
    describe: Callable[[float], str] = "auto, rtol {:g}".format,
) -> Contestant:
    """``build()`` makes the model and returns its run for one setting (tolerance or step)."""
    began = time.perf_counter()
    run = build()
    run(_FIRST)
    tiers.finish()
    prepared = time.perf_counter() - began
    chosen = loosest(run, settings, allowed)
    return Contestant("Pliant", describe(chosen), lambda: run(chosen), prepared)
