"""What to do with the model: the `simulate` section."""

from __future__ import annotations

from pliant.model.fields import (
    NameOrNames,
    OptionalQuantity,
    Quantity,
    Text,
    Texts,
    Word,
    Written,
    has,
    number,
    settle,
)
from pliant.records import dataclass

ANALYSES = ("transient", "kinematics", "inverse", "statics")
STARTS = ("undeformed", "equilibrium")
ASSEMBLIES = ("given", "nearest", "strict")
"""What assembly does with given values that contradict the mechanism: positions are refused and
velocities projected by the impulse that the constraints need, or both are, or both are refused."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the model is run when nothing else is said; None = the solver decides.

    >>> ball = pl.RigidBody("ball", mass=1)
    >>> pl.System(bodies=[ball], settings=pl.Settings(t_end="3 s")).simulate()
    <pliant.Result 0..3 s, 501 samples, 15 observables>
    """

    t_end: OptionalQuantity = number("s", None, doc="end of the run")
    t_start: Quantity = number("s", 0, doc="start of the run")
    rtol: Quantity = number("1", 1e-6, doc="relative tolerance", above=0)
    atol: OptionalQuantity = number("", None, doc="absolute tolerance", above=0)
    step: OptionalQuantity = number("s", None, doc="step of a fixed-step method", above=0)
    every: OptionalQuantity = number("s", None, doc="interval between outputs", above=0)
    method: str = has(Text(), "auto", "integrator")
    formulation: str = has(Text(), "recursive", "how the equations are written")
    tree: Written[tuple[str, ...]] = has(
        NameOrNames(), ("joint",), "which edges carry the coordinates"
    )
    form: str = has(Text(), "augmented", "with multipliers, or embedding")
    independent: Written[tuple[str, ...]] = has(
        NameOrNames(), (), "coordinates the embedding form keeps"
    )
    constraints: str = has(Text(), "projection", "how constraints are treated")
    observe: Written[tuple[str, ...]] = has(Texts(), (), "observables to report; empty = all")
    analysis: str = has(Word(ANALYSES), "transient", "what is computed")
    start: str = has(Word(STARTS), "undeformed", "the state a transient run begins in")

    assemble: str = has(Word(ASSEMBLIES), "given", "what to do with contradictory initial values")

    def __post_init__(self) -> None:
        settle(self, "simulate", "simulate")
