"""The contract between formulations and everything after."""

from pliant.equations.compiled import Block, CompiledEquations, compile_equations
from pliant.equations.contract import Equations, Given, Observable, PoseAndTwist
from pliant.equations.layout import Group, Layout, Scalar

__all__ = [
    "Block",
    "CompiledEquations",
    "Equations",
    "Given",
    "Group",
    "Layout",
    "Observable",
    "PoseAndTwist",
    "Scalar",
    "compile_equations",
]  # fmt: skip
