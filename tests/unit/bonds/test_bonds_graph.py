"""Building bond graphs: faults all at once, sub-graphs with ports."""

from __future__ import annotations

import pytest

from pliant.bonds import BondGraph, Inertia, Resistance, Source, Transformer, assign
from pliant.errors import ModelError


def test_every_fault_is_reported_at_once_by_name() -> None:
    g = BondGraph("faulty")
    g.one("n", 2)
    g.add("Se", "E", Source(1.0), on="n")
    g.add("R", "R", Source(1.0), 2, on="n")
    g.add("R", "R", Resistance(1.0))
    g.add("I", "alone", Inertia(1.0))
    g.bond("n", "nowhere")
    g.add("TF", "lever", Transformer(2.0))
    g.bond("n", "lever")
    g.bond("n", "lever", name="second")
    g.add("X", "odd")  # type: ignore[arg-type]
    with pytest.raises(ModelError) as caught:
        assign(g)
    text = str(caught.value)
    for said in (
        "R R: the name is taken by R R",
        "bond 'E': has 1 components; 1-junction n has 2",
        "R R: needs a law of type Resistance",
        "I alone: is not connected",
        "bond 'n_nowhere': there is no element 'nowhere'",
        "TF lever: no half arrow leaves it: two arrows enter",
        "element 'odd': unknown kind 'X'",
    ):
        assert said in text, text


def test_a_matrix_of_the_wrong_shape_is_named() -> None:
    g = BondGraph()
    g.one("a", 3)
    g.one("b", 2)
    g.transformer("lever", "a", "b", Transformer([[1.0, 0.0], [0.0, 1.0]]), (2, 3))
    g.add("Sf", "s", Source([0.0] * 3), 3, on="a")
    with pytest.raises(ModelError, match="TF lever: a matrix of 2 x 2, not 2 x 3"):
        assign(g)
