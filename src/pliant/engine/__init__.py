"""Expressions to machine code, in memory, without a compiler on the user's machine."""

from pliant.engine.machine import Machine, compile_functions

__all__ = ["Machine", "compile_functions"]
