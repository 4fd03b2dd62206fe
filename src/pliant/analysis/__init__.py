"""The verbs of a system: each goes once down the stream from the model to a result."""

from pliant.analysis.check import CheckReport, check
from pliant.analysis.kinematics import kinematics
from pliant.analysis.modes import modes
from pliant.analysis.prepare import Prepared, derive, prepare
from pliant.analysis.simulate import simulate
from pliant.analysis.statics import statics
from pliant.analysis.verify import VerifyReport, verify

__all__ = [
    "CheckReport", "Prepared", "VerifyReport", "check", "derive", "kinematics", "modes", "prepare",
    "simulate", "statics", "verify",
]  # fmt: skip
