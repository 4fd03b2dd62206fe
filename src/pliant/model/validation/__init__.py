"""Validation: every fault of a model at once. Each file is one concern, each check yields."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pliant.errors import Fault
from pliant.model.model import Model
from pliant.model.validation.beams import beam_faults
from pliant.model.validation.context import Context
from pliant.model.validation.flexible import flexible_faults
from pliant.model.validation.masses import mass_faults
from pliant.model.validation.motions import motion_faults
from pliant.model.validation.names import name_faults
from pliant.model.validation.networks import network_faults
from pliant.model.validation.numbers import number_faults
from pliant.model.validation.references import reference_faults
from pliant.model.validation.scopes import scope_faults
from pliant.model.validation.topology import topology_faults
from pliant.model.validation.velocities import velocity_faults

CHECKS: tuple[Callable[[Context], Iterator[Fault]], ...] = (
    name_faults,
    reference_faults,
    scope_faults,
    number_faults,
    mass_faults,
    beam_faults,
    flexible_faults,
    topology_faults,
    motion_faults,
    velocity_faults,
    network_faults,
)


def faults_of(model: Model) -> list[Fault]:
    """Everything wrong with the model, without repetition."""
    context = Context.of(model)
    found = [fault for check in CHECKS for fault in check(context)]
    return list(dict.fromkeys([*context.parameter_faults, *found]))
