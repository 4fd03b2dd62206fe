"""From shape to matrices: flexible bodies as tables that every formulation reads.

`beam_data(BeamBody(...))` and `given_data(GivenModes(...))` both give `FlexibleData`.
"""

from pliant.flex.beam import Beam, Elastic, RateBeam, Rates, SectionBeam
from pliant.flex.body import BeamBody, beam_data
from pliant.flex.data import FlexibleData, FrameData, critical_loads
from pliant.flex.floating import FloatingFrame
from pliant.flex.given import GivenModes, load_modes, modal_stiffness, tables_from_unit_loads
from pliant.flex.given_body import GivenFrame, given_data
from pliant.flex.shapes import FAMILIES

__all__ = [
    "FAMILIES",
    "Beam",
    "BeamBody",
    "Elastic",
    "FlexibleData",
    "FloatingFrame",
    "FrameData",
    "GivenFrame",
    "GivenModes",
    "RateBeam",
    "Rates",
    "SectionBeam",
    "beam_data",
    "critical_loads",
    "given_data",
    "load_modes",
    "modal_stiffness",
    "tables_from_unit_loads",
]
