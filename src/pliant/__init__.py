"""Pliant: flexible multibody dynamics. One model, any formulation, one answer.

import pliant as pl
system = pl.load("slider_crank.yaml")
result = system.simulate(t_end=0.1)
result["rod.B.position"]
"""

from typing import TYPE_CHECKING

from pliant.errors import Interrupted, PliantError
from pliant.model import *  # noqa: F403
from pliant.model import __all__ as _model_names
from pliant.system import System

if TYPE_CHECKING:
    from pliant.results import Result


def __getattr__(name: str) -> object:
    """``pliant.Result``, imported when first asked for."""
    if name == "Result":
        from pliant.results import Result

        return Result
    raise AttributeError(f"module 'pliant' has no attribute {name!r}")


load = System.load
loads = System.loads

__version__ = "0.1.0"
__all__ = ["Interrupted", "PliantError", "Result", "System", "load", "loads", *_model_names]
