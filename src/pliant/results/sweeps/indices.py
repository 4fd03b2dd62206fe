"""Sobol indices: how much of the variance of a number each input brings about.

    S_k = mean((f_B - m) (f_ABk - f_A)) / V        T_k = mean((f_A - f_ABk)^2) / 2 V

A and B are independent samples, ABk is A with column k of B; m and V are mean and variance over A
and B. Source: Saltelli et al. 2010 (eq. b and f of table 2). The error is that of the mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError, RunError
from pliant.results.sweeps.table import Varied

if TYPE_CHECKING:
    import xarray


PLAN = "saltelli"


def refuse_other_plans(kind: str) -> None:
    """Raise InputError for a plan from which no indices follow."""
    if kind != PLAN:
        raise InputError(f"a sweep with the plan '{kind}' has no Sobol indices",
                         f'give plan="{PLAN}"')  # fmt: skip


def sobol_indices(varied: Varied, scores: Array, failures: Mapping[int, str]) -> xarray.Dataset:
    """``first`` and ``total`` of each name, with their standard errors. Points of which one run
    failed are left out."""
    import xarray

    refuse_other_plans(varied.kind)
    scores = scores.copy()
    scores[[*failures]] = np.nan
    blocks = scores.reshape(-1, varied.base)
    blocks = blocks[:, np.isfinite(blocks).all(axis=0)]
    if blocks.shape[1] < 2:
        raise RunError("too many runs failed for Sobol indices; vary less, or look at failures")
    A, B, mixed = blocks[0], blocks[1], blocks[2:]
    mean = blocks[:2].mean()
    variance = float(((blocks[:2] - mean) ** 2).mean())
    if not variance > 1e-24 * float((blocks**2).mean()):
        raise RunError("the score is the same in all runs: there is no variance to be shared")
    first = (B - mean) * (mixed - A) / variance
    total = 0.5 * (A - mixed) ** 2 / variance
    parts = {"first": first, "total": total}
    count = np.sqrt(blocks.shape[1])
    found = {name: ("name", part.mean(axis=1)) for name, part in parts.items()}
    found |= {f"{name}_error": ("name", part.std(axis=1) / count) for name, part in parts.items()}
    return xarray.Dataset(found, {"name": list(varied.names)}, {"runs": int(blocks.size)})
