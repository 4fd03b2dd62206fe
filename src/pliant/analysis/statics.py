"""Static equilibrium: the first back end that takes the request and finds one."""

from __future__ import annotations

from dataclasses import replace

from pliant.backends.choose import BACK_ENDS
from pliant.backends.request import RestRequest, asked_for
from pliant.errors import InputError
from pliant.results import Result
from pliant.study import Study

PATHS = ("load", "arc-length")
_ALWAYS = ("load_factor", "unstable_directions")
"""What every result, or every path, holds without being asked."""


def statics(system: Study, request: RestRequest) -> Result:
    """See ``System.statics``."""
    if request.path not in PATHS:
        raise InputError(f"statics: unknown path '{request.path}'", f"known: {', '.join(PATHS)}")
    if request.params:
        system.refuse(request.params)
    observe = asked_for(system, request.outputs)
    if observe is not None:
        observe = [name for name in observe if name not in _ALWAYS]
    request = replace(request, outputs=observe)
    able = (b for b in BACK_ENDS.values() if not b.against_rest(system, request))
    found = (back_end.rest(system, request) for back_end in able)
    return next(result for result in found if result is not None)
