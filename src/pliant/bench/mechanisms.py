"""Closed mechanisms: planar slider-crank, two four-bars through singular positions, Bricard."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pliant.bench.case import Case, Contestant, Run
from pliant.bench.ours import at_loosest, timed
from pliant.model.files.examples import examples
from pliant.system import System

_SAMPLES = 100
SLIDER_MASS = 0.5


def _system(name: str) -> System:
    text = examples()[name].read_text(encoding="utf-8")
    if name == "planar_slider_crank":  # the peer cannot take a massless slider
        text = text.replace("{rigid: {mass: 0}}", f"{{rigid: {{mass: {SLIDER_MASS}}}}}")
    return System.loads(text)


def _pliant(
    name: str, observable: str, duration: float, exact: Sequence[float], allowed: float
) -> Contestant:
    """The loosest tolerance that is at least as accurate as the peer."""

    def build() -> Callable[[float], Run]:
        system = _system(name)

        def run(rtol: float) -> Run:
            result = system.simulate(
                duration, every=duration / _SAMPLES, rtol=rtol, outputs=[observable]
            )
            end = result.require().values(observable)[-1][: len(exact)]
            return timed(result, float(np.abs(end - exact).max()))

        return run

    return at_loosest(build, allowed)


def _exudyn(
    model: str, step: float, modified: bool, duration: float, exact: Sequence[float]
) -> Contestant:
    from pliant.bench import exudyn_models

    began = time.perf_counter()
    build: Callable[[], Any] = getattr(exudyn_models, model)
    prepared = time.perf_counter() - began

    def run() -> Run:
        seconds, end = exudyn_models.solve(build(), duration, step, modified)
        return Run(seconds, float(np.abs(end[: len(exact)] - exact).max()))

    newton = "modified" if modified else "full"
    setting = f"generalized-alpha, step {step:g} s, {newton} Newton"
    return Contestant("Exudyn", setting, run, prepared)


def _case(
    name: str, title: str, reference: str, model: str, observable: str, duration: float,
    step: float, exact: Sequence[float], modified: bool = False,
) -> Case:  # fmt: skip
    return Case(
        name, title, reference, duration, 40.0,
        peer=lambda: _exudyn(model, step, modified, duration, exact),
        pliant=lambda allowed: _pliant(name, observable, duration, exact, allowed),
    )  # fmt: skip


CASES = (
    _case(
        "planar_slider_crank", "planar slider-crank, slider of 0.5 kg, 1 s",
        "own run at rtol 1e-13, agreeing with another method to 1e-11", "slider_crank",
        "slider.position", 1.0, 1e-3, (0.66496573251,),
    ),
    _case(
        "four_bars_2", "two four-bars through singular positions (IFToMM A02), 10 s",
        "closed form (elliptic functions)", "four_bars", "bar0.B.position", 10.0, 5e-3,
        (0.3284581115408154, 0.944518538178601),
    ),
    _case(
        "bricard", "Bricard mechanism (IFToMM A04), 10 s", "certified to 12 digits", "bricard",
        "rod3.end.position", 10.0, 5e-3, (0.9999999638063, -1.0002690126962, 0.9997309511199),
        modified=True,
    ),
)  # fmt: skip
