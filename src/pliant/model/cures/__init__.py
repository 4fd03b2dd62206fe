"""Cures in words that a button can do as well: what is to be written instead, defined, added.

A cure is a text. What it asks for goes with it through every exception and fault, up to where the
file is known (``pliant.model.files.fixes``), which makes an operation on the text of it.
"""

from pliant.model.cures.making import (
    adding,
    defining,
    expected,
    in_range,
    in_unit,
    legal_name,
    otherwise,
    sample,
    words_only,
)
from pliant.model.cures.steps import (
    Add,
    Beside,
    Cure,
    Define,
    Instead,
    Leave,
    Once,
    Put,
    Remove,
    Rename,
    Shift,
    Step,
    Version,
    Write,
    curing,
    steps_of,
)

__all__ = [
    "Add",
    "Beside",
    "Cure",
    "Define",
    "Instead",
    "Leave",
    "Once",
    "Put",
    "Remove",
    "Rename",
    "Shift",
    "Step",
    "Version",
    "Write",
    "adding",
    "curing",
    "defining",
    "expected",
    "in_range",
    "in_unit",
    "legal_name",
    "otherwise",
    "sample",
    "steps_of",
    "words_only",
]
