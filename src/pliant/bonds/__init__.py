"""Multibond graphs: elements, vector bonds, sub-graphs, causality and what it means."""

from pliant.bonds.causality import Causality, assign
from pliant.bonds.diagnosis import Finding, diagnose
from pliant.bonds.elements import DOMAINS, KINDS, Bond, Domain, Node
from pliant.bonds.graph import BondGraph
from pliant.bonds.laws import (
    TRANSPOSE,
    Compliance,
    Field,
    Gyrator,
    Inertia,
    JunctionStructure,
    Resistance,
    Source,
    State,
    Transformer,
)

__all__ = [
    "DOMAINS", "KINDS", "TRANSPOSE", "Bond", "BondGraph", "Causality", "Compliance", "Domain",
    "Field", "Finding", "Gyrator", "Inertia", "JunctionStructure", "Node", "Resistance", "Source",
    "State", "Transformer", "assign", "diagnose",
]  # fmt: skip
