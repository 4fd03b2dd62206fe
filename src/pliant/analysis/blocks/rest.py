"""Statics over blocks: equilibrium, path or critical load."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pliant.analysis.blocks.critical import critical as critical_result
from pliant.analysis.blocks.equilibrium import equilibrium
from pliant.analysis.blocks.path import POINTS, along_path
from pliant.errors import InputError, StepError
from pliant.results import Result
from pliant.solve.sparse.matrix import SingularBlockError

if TYPE_CHECKING:
    from pliant.system import System


def rest(
    system: System, *, t: float, load_steps: int, params: Mapping[str, Any] | None,
    outputs: Sequence[str] | None, path: str, critical: bool, required: bool,
) -> Result | None:  # fmt: skip
    """See ``System.statics``. None: nothing holds the system without load, which only the dense way
    can deal with, unless blocks are ``required``."""
    began = clock.perf_counter()
    if isinstance(load_steps, bool) or not isinstance(load_steps, int) or load_steps < 1:
        raise InputError(f"load_steps: {load_steps!r} is not a count", "give 1 or more")
    info = {
        "model": system.model.name, "analysis": "statics", "formulation": "blocks",
        "tree": "absolute", "method": "sparse", "params": dict(params or {}),
    }  # fmt: skip
    common: dict[str, Any] = {"t": t, "params": params, "outputs": outputs, "info": info}
    try:
        if critical:
            result = critical_result(system, **common)
        elif path == "arc-length":
            points = load_steps if load_steps > 1 else POINTS
            result = along_path(system, points=points, **common)
        else:
            result = equilibrium(system, load_steps=load_steps, **common)
    except SingularBlockError as error:
        if required:
            raise StepError(f"statics: {error}") from None
        return None
    result.info["statistics"]["seconds"] = clock.perf_counter() - began
    return result
