"""Exact derivatives of a motion by parameters, numbers of the model and initial values."""

from pliant.analysis.sensitivities.derivatives import sensitivities

__all__ = ["sensitivities"]
