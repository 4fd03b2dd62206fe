"""Expressions to machine code, in memory, without a compiler on the user's machine."""

from pliant.engine.machine import Machine, compile_functions, kept_functions, reproducible
from pliant.engine.signal import SignalSlot, signal_table

__all__ = [
    "Machine", "SignalSlot", "compile_functions", "kept_functions", "reproducible", "signal_table",
]  # fmt: skip
