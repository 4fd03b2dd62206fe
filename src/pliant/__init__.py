"""Pliant: flexible multibody dynamics. One model, any formulation, one answer.

import pliant as pl
system = pl.load("slider_crank.yaml")
result = system.simulate(t_end=0.1)
result["rod.B.position"]
"""

from typing import TYPE_CHECKING

import pliant.joined  # noqa: F401
from pliant.late import late

if TYPE_CHECKING:
    from pliant import errors
    from pliant.errors import Interrupted, PliantError
    from pliant.model import *  # noqa: F403
    from pliant.model import __all__ as _model_names
    from pliant.model.registration import register
    from pliant.results import Result
    from pliant.results.sweeps import Sweep
    from pliant.system import System, load, loads

    __all__ = ["Interrupted", "PliantError", "Result", "Sweep", "System", "errors", "load", "loads"]
    __all__ += ["register"]
    __all__ += _model_names

__version__ = "0.1.0"
__getattr__, __dir__ = late(
    globals(),
    {
        "errors": ("Interrupted", "PliantError"),
        "model": (),
        "model.registration": ("register",),
        "results": ("Result",),
        "results.sweeps": ("Sweep",),
        "system": ("System", "load", "loads"),
    },
    rest="model",
)
