"""The contract between formulations and everything after.

Names that need the symbolic engine (Equations, Observable, Given, compile_equations) are imported
when first asked for: running compiled code does without it.
"""

from importlib import import_module

from pliant.equations.compiled import Block, CompiledEquations, Observed
from pliant.equations.layout import Group, Layout, Scalar
from pliant.equations.state import PoseAndTwist, StateFrom

_SYMBOLIC = {
    "Equations": "contract",
    "Given": "contract",
    "Observable": "contract",
    "compile_equations": "compile",
}

__all__ = [
    "Block",
    "CompiledEquations",
    "Group",
    "Layout",
    "Observed",
    "PoseAndTwist",
    "Scalar",
    "StateFrom",
]


def __getattr__(name: str) -> object:
    if name in _SYMBOLIC:
        return getattr(import_module(f"pliant.equations.{_SYMBOLIC[name]}"), name)
    raise AttributeError(f"module 'pliant.equations' has no attribute {name!r}")
