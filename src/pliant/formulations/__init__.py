"""Ways to write the equations of a model. Siblings never import each other."""

from pliant.formulations.registry import FORMULATIONS, Formulation, Objection

__all__ = ["FORMULATIONS", "Formulation", "Objection"]
