"""The model that equations are derived from: beams of some theories are taken apart.

Nothing downstream knows of such beams. What stands for a beam is rigid bodies `beam:0`, `beam:1`...
along its axis, which carry its frames (the first one stands for the body itself), joints and force
elements. Names of the user's model, in references and in formulas, are replaced;
`observe.beams` gives observables the names of the user's model back.

A theory is added by two functions of a `Task`: what the beam becomes, a line in `REWRITINGS`, and
where its sections are, a line in `AXES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pliant.flex.large_rotation.parts import axis_of_large, rewritten_large
from pliant.flex.rewriting.names import SECTIONS, mapped, refuse_unknown_hinges, renamed
from pliant.flex.rewriting.parts import CutAxis, Rewritten, Task
from pliant.flex.segments.rewriting import axis_of_segments, rewritten_segments
from pliant.model.fields import Numeric
from pliant.model.frozen import FrozenDict
from pliant.model.model import Model

REWRITINGS: dict[str, Callable[[Task], Rewritten]] = {
    "exact": rewritten_large,
    "large-rotation": rewritten_large,
    "segments": rewritten_segments,
}
AXES: dict[str, Callable[[Task], CutAxis]] = {
    "exact": axis_of_large,
    "large-rotation": axis_of_large,
    "segments": axis_of_segments,
}

_PARTS = ("bodies", "joints", "forces", "sensors", "events")


def expanded(model: Model, params: Mapping[str, Numeric] | None = None) -> Model:
    """The model to derive equations from; the same one if nothing is rewritten.

    With ``params``, numbers are those for these parameters; everything else stays the same.
    """
    beams = {n: b for n, b in model.beams.items() if b.theory.rewritten}
    if not beams:
        return model
    defaults, values = model.parameter_values(), model.parameter_values(params)
    parts = {
        name: REWRITINGS[beam.theory.kind](Task.of(model, beam, defaults, values))
        for name, beam in beams.items()
    }

    def rename(name: str) -> str:
        owner = name.partition(".")[0]
        return parts[owner].rename(name) if owner in parts else name

    refuse_unknown_hinges(model, {j.name: j for p in parts.values() for j in p.joints})
    sections: dict[str, dict[str, Any]] = {
        s: {n: renamed(e, rename) for n, e in getattr(model, s).items()} for s in SECTIONS
    }
    sections["bodies"] = {
        b.name: b for name, body in model.bodies.items()
        for b in (parts[name].bodies if name in parts else (body,))
    }  # fmt: skip
    for section in _PARTS[1:]:
        own = (e for p in parts.values() for e in getattr(p, section))
        sections[section] |= {e.name: e for e in own}
    origin = {
        e.name: n for n, p in parts.items() for section in _PARTS for e in getattr(p, section)
    }
    hidden = {k: f for p in parts.values() for k, f in p.parameters.items()}
    return model.with_(
        parameters=FrozenDict({**model.parameters, **hidden}),
        speeds=FrozenDict((n, mapped(f, rename)) for n, f in model.speeds.items()),
        origin=FrozenDict(origin),
        **{section: FrozenDict(found) for section, found in sections.items()},
    )


def axes(model: Model, params: Mapping[str, Numeric] | None = None) -> dict[str, CutAxis]:
    """The axes of the beams that are taken apart, by name."""
    defaults, values = model.parameter_values(), model.parameter_values(params)
    return {
        name: AXES[beam.theory.kind](Task.of(model, beam, defaults, values))
        for name, beam in model.beams.items() if beam.theory.rewritten
    }  # fmt: skip
