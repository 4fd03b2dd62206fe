"""Wrong laws in the graph of a model are seen by its power audit."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from tests.models.energetic import pendulum

import pliant as pl
from pliant import bonds
from pliant.bonds import JunctionStructure, Resistance
from pliant.formulations.multibond import bodies, formulation


def plant(monkeypatch: pytest.MonkeyPatch, **laws: Any) -> None:
    """Bodies, and nobody else, take these in place of the laws of their names."""
    monkeypatch.setattr(bodies, "bonds", SimpleNamespace(**{**vars(bonds), **laws}))


def mutated(system: pl.System) -> pl.System:
    """The same model with a parameter of its own: machine code made before or after is not its."""
    own = {f"mutant_{uuid4().hex}": 1.0}
    return pl.System(system.model, parameters={**system.model.parameters, **own})


def test_a_gyroscopic_law_that_does_work_is_seen_at_its_element(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch, JunctionStructure=lambda law: JunctionStructure(_drag))
    system = mutated(pendulum())
    audit = system.power_audit(system.simulate(0.5))
    assert audit.junction_residual > 1e-3
    assert audit.worst_junction == "arm.EJS"


def _drag(ops: Any, state: Any, flow: Any) -> Any:
    return 0.1 * flow


def test_a_flipped_damper_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the graph alone it disagrees with the run; in both the balance is off."""
    plain = formulation._Derivation._effort

    def flipped(self: Any, name: str, joint: str, place: int, value: Any) -> None:
        plain(self, name, joint, place, -value)

    monkeypatch.setattr(formulation._Derivation, "_effort", flipped)
    system = mutated(pendulum())
    audit = system.power_audit(system.simulate(0.5, rtol=1e-9))
    assert audit.agreement > 0.1
    wrong = system.power_audit(system.simulate(0.5, rtol=1e-9, formulation="multibond"))
    assert abs(wrong.residual) > 0.1 * wrong.turnover


def test_a_flipped_resistance_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Damping of a beam with the wrong sign in the graph."""

    def flipped(law: Any) -> Resistance:
        return Resistance(lambda ops, state: -law(ops, state))

    beam = pl.System.loads(BEAM)
    right = beam.power_audit(beam.simulate())
    assert right.agreement <= 1e-9
    plant(monkeypatch, Resistance=flipped)
    system = mutated(beam)
    audit = system.power_audit(system.simulate())
    assert audit.agreement > 1e-3


BEAM = """
pliant: 1
materials: {steel: {E: 200 GPa, nu: 0.3, density: 7870}}
bodies:
  rod:
    beam: {length: 1 m, section: {circle: {radius: 5 mm}}, material: steel}
    shapes: {bending_y: 1}
    damping: {modal: 0.05}
    initial: {elastic: {v1: 5 mm}}
joints:
  clamp: {revolute: {axis: z}, between: [ground, rod.root]}
simulate: {t_end: 0.05 s, rtol: 1e-9}
"""
