"""Elements and vector bonds.

A bond carries an effort e and a flow f of ``dim`` components; its half arrow points from tail to
head, the direction of positive power eᵀ f. σ = +1 where the arrow enters an element, -1 where it
leaves.

    Se Sf            sources of effort and flow
    I C R            inertia, compliance, resistance; also as fields on several bonds
    MR               a non-linear resistance that gives efforts only
    TF MTF GY MGY    transformer and gyrator; arrows enter side 1 and leave side 2
    SUM              side-1 bonds, stacked in the order of attachment (or in another one that its
                     law says), are the side-2 bond
    EJS              Eulerian junction structure: efforts from flows (or the other way round),
                     without power
    CN               constraintor: holds the flow at zero with the multiplier λ
    0 1              common effort; common flow
"""

from __future__ import annotations

from typing import Literal, get_args

from pliant.bonds import laws
from pliant.model.networks.kinds import UNITS
from pliant.records import dataclass

Kind = Literal[
    "Se", "Sf", "I", "C", "R", "MR", "TF", "MTF", "GY", "MGY", "SUM", "EJS", "CN", "0", "1"
]
KINDS: tuple[str, ...] = get_args(Kind)
JUNCTIONS = frozenset({"0", "1"})
TWO_SIDED = frozenset({"TF", "MTF", "GY", "MGY", "SUM"})
TRANSFORMERS = frozenset({"TF", "MTF"})
GYRATORS = frozenset({"GY", "MGY"})
STORES = frozenset({"I", "C"})
WITHOUT_POWER = JUNCTIONS | TWO_SIDED | {"EJS"}
"""Elements whose powers sum to zero."""
LAWS: dict[str, tuple[type, ...]] = {
    "Se": (laws.Source,), "Sf": (laws.Source,), "I": (laws.Inertia,), "C": (laws.Compliance,),
    "R": (laws.Resistance,), "MR": (laws.Field,), "TF": (laws.Transformer,),
    "MTF": (laws.Transformer,), "GY": (laws.Gyrator,), "MGY": (laws.Gyrator,),
    "EJS": (laws.JunctionStructure,),
}  # fmt: skip
"""The law that each kind needs; the others have none, except a SUM in another order."""


@dataclass(frozen=True, slots=True)
class Domain:
    """Units of effort, flow, displacement (∫f), and whether effort times flow is a power."""

    effort: str
    flow: str
    displacement: str
    is_power: bool = True

    @property
    def product(self) -> str:
        """Unit of effort times flow."""
        if self.is_power:
            return "W"
        return f"{self.effort}*{self.flow}" if self.effort else ""


DOMAINS = {"": Domain("", "", "")} | {
    name: Domain(unit["effort"], unit["flow"], unit["displacement"], is_power=name != "thermal")
    for name, unit in UNITS.items()
}
"""``thermal`` is a pseudo domain: temperature and heat flow. The heat flow itself is the power, so
its bonds take no part in sums of power; that effort times flow balances at junctions still holds.
"""


@dataclass(frozen=True, slots=True)
class Reading:
    """An effort or flow (along the half arrow) of component ``place`` of an element, under the name
    by which a law reads it; ``state``: it is known before anything else is."""

    name: str
    element: str
    quantity: str
    place: int = 0
    state: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """An element.

    dim: components; of transformers and gyrators given by their bonds (0). owner: body, joint or
    network it belongs to. priority: stores with more get integral causality first. labels: names of
    the components. start: initial flow of an I, displacement of a C. reads: what its law reads of
    other elements. called: what the user wrote, where it acts as another kind (a constraintor as a
    source of no flow).
    """

    name: str
    kind: Kind
    dim: int = 0
    law: laws.Law | None = None
    owner: str = ""
    priority: int = 0
    domain: str = ""
    labels: tuple[str, ...] = ()
    start: laws.Value | None = None
    reads: tuple[Reading, ...] = ()
    called: str = ""

    @property
    def word(self) -> str:
        """The kind, as the user knows it."""
        return self.called or self.kind

    @property
    def title(self) -> str:
        """1-junction n, Se battery."""
        return (
            f"{self.kind}-junction {self.name}" if self.is_junction else f"{self.word} {self.name}"
        )

    @property
    def is_junction(self) -> bool:
        return self.kind in JUNCTIONS

    def label(self, k: int, single: str) -> str:
        """Name of component k; ``single`` if there is but one."""
        if self.labels:
            return self.labels[k]
        return single if self.dim == 1 else str(k + 1)


def gives_flow(node: Node) -> bool:
    """Whether an element of one causality gives the flow: a source, or an EJS by its law."""
    law = node.law
    return node.kind == "Sf" or (isinstance(law, laws.JunctionStructure) and law.effort is None)


@dataclass(frozen=True, slots=True)
class Bond:
    """A half arrow from tail to head."""

    name: str
    tail: str
    head: str
    dim: int
    domain: str = ""


@dataclass(frozen=True, slots=True)
class End:
    """Component ``k`` of a bond as an element sees it; ``scalar`` counts all components of all
    bonds. sign = +1 if the half arrow enters the element."""

    bond: int
    k: int
    scalar: int
    sign: int
