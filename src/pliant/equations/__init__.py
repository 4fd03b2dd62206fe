"""The contract between formulations and everything after.

Names that need the symbolic engine (Equations, Observable, Given, compile_equations) are imported
when first asked for: running compiled code does without it.
"""

from pliant.equations.compiled import Block, CompiledEquations, Observed
from pliant.equations.layout import Layout, PoseAndTwist, Rotation, Scalar, StateFrom
from pliant.late import late

__all__ = [
    "Block", "CompiledEquations", "Layout", "Observed", "PoseAndTwist", "Rotation", "Scalar",
    "StateFrom",
]  # fmt: skip

__getattr__, __dir__ = late(
    globals(),
    {"contract": ("Equations", "Given", "Observable"), "compile": ("compile_equations",)},
)
