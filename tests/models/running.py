"""Integrate a small model and look at its end."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.models.small import SmallModel

from pliant.solve import Chunk, Dynamics, compute_outputs, dense_dynamics, integrate


def run(
    model: SmallModel,
    method: str,
    treatment: str = "projection",
    t_end: float | None = None,
    treatment_options: dict[str, float] | None = None,
    **options: Any,
) -> tuple[Dynamics, list[Chunk]]:
    """Dynamics and all chunks of an integration from the model's start."""
    dynamics = dense_dynamics(model.compiled, treatment, **(treatment_options or {}))
    x0 = dynamics.consistent(model.start)
    end = model.t_end if t_end is None else t_end
    return dynamics, list(integrate(dynamics, x0, end, method=method, **options))


def outputs(model: SmallModel, dynamics: Dynamics, chunk: Chunk, times: Any) -> np.ndarray:
    """Observables at times of one chunk."""
    X = dynamics.completed_states(chunk.evaluate(np.atleast_1d(times)), chunk.p)
    return compute_outputs(model.compiled, X, chunk.p)


def end_outputs(
    model: SmallModel, method: str, treatment: str = "projection", **o: Any
) -> np.ndarray:
    """Observables at the end of a complete run."""
    dynamics, chunks = run(model, method, treatment, **o)
    assert chunks[-1].status == "ok", chunks[-1].status
    return outputs(model, dynamics, chunks[-1], chunks[-1].t1)[0]


def violation(model: SmallModel, x: np.ndarray) -> tuple[float, float]:
    """Largest position and velocity residual of a packed state, relative to row size and speed."""
    c = model.compiled
    y = c.call("constraints", np.ascontiguousarray(x))
    size = np.linalg.norm(c.block("constraints", "G", y), axis=1) + 1e-12
    speed = max(1.0, np.abs(x[1 + c.nq : 1 + c.nq + c.nu]).max())
    g, cv = c.block("constraints", "g", y), c.block("constraints", "cv", y)
    position = np.max(np.abs(g) / size[: len(g)], initial=0.0)
    return float(position), float(np.max(np.abs(cv) / size, initial=0.0) / speed)
