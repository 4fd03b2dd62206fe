"""Expressions to machine code in memory, without a compiler on the user's machine."""
