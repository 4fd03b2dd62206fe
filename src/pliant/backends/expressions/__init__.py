"""Equations of any formulation as straight-line machine code."""
