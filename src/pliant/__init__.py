"""Pliant: flexible multibody dynamics. One model, any formulation, one answer."""
