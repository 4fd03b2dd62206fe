"""The contract between formulations and everything after."""

from pliant.equations.compiled import Block, CompiledEquations, compile_equations
from pliant.equations.contract import PoseAndTwist, Equations, Given, Observable
from pliant.equations.layout import Group, Layout, Scalar

__all__ = [
    "Block", "PoseAndTwist", "CompiledEquations", "Equations", "Given", "Group", "Layout", "Observable", "Scalar",
    "compile_equations",
]  # fmt: skip
