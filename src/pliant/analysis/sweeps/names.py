"""What a name of a sweep means: a parameter, a number by its path, an initial value, a choice.

    T    drive.R    bodies.rod.length    joints.O.initial.angle    O.angle    gravity[3]
    method    formulation    bodies.rod.theory    bodies.rod.shapes.y    simulate.start

Parameters and numbers leave the equations as they are. How a run is computed is said by arguments
of ``System.simulate``; everything else that stands in a model changes what code is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pliant.analysis.sweeps.spans import Range, Span
from pliant.backends.choice import FORMS
from pliant.errors import InputError, UnknownName
from pliant.formulations import FORMULATIONS
from pliant.model.fields import kinds_of
from pliant.model.formulas.tree import Number
from pliant.model.frozen import did_you_mean
from pliant.model.model import SECTIONS, Model
from pliant.model.numbers.literals import formulas, with_literals
from pliant.model.numbers.units import is_quantity, parse_unit, unit_in, unit_text
from pliant.model.settings import STARTS
from pliant.records import dataclass
from pliant.solve.constraints import TREATMENTS
from pliant.solve.transient.registry import INTEGRATORS
from pliant.study import Study

HOW = ("formulation", "method", "constraints", "form", "tree", "truncate", "start", "rtol", "atol",
       "step")  # fmt: skip
"""Arguments of ``System.simulate`` that may be varied."""
_COUNTS = ("truncate",)
_NUMBERS = ("rtol", "atol", "step", *_COUNTS)
"""Those that are numbers, and whole ones."""
_LOOKED_AT = 100
"""Values of a name that are tried before anything is computed."""


@dataclass(frozen=True, slots=True)
class Target:
    """``kind``: parameter, number, how or model; ``key``: the name, path or argument set."""

    kind: str
    key: str
    unit: str = ""


def targets(system: Study, spans: Mapping[str, Span]) -> dict[str, Target]:
    """What every name means; names and values that mean nothing are refused."""
    found = {name: _target(system, name, s) for name, s in spans.items()}
    keys = [t.key for t in found.values()]
    twice = next((n for n, t in found.items() if keys.count(t.key) > 1), None)
    if twice is not None:
        both = ", ".join(n for n, t in found.items() if t.key == found[twice].key)
        raise InputError(f"'{found[twice].key}' is varied twice ({both})", "name it once")
    return found


def _target(system: Study, name: str, s: Span) -> Target:
    model = system.described
    if name in model.all_parameters():
        return _parameter(model, name, s)
    if name in HOW:
        _refuse_choices(system, name, s)
        return Target("how", name)
    known = formulas(model)
    initial = initial_path(model, name)
    for path in filter(None, (name, initial)):
        if path in known and isinstance(known[path].tree, Number):
            for value in s.written[:2]:
                with_literals(model, {path: value})
            return Target("number", path, _unit(s))
        if path in known:
            system.with_numbers({path: 0})  # says which parameters it follows from
    path = initial or name
    if field_at(model, path) is not None:
        for value in _tried(s):
            changed(model, path, value).check()
        return Target("model", path, _unit(s))
    everything = (*model.all_parameters(), *HOW, *known)
    cure = did_you_mean(name, everything) or "give a parameter, or the path of a number"
    raise UnknownName(f"nothing is named '{name}' that can be varied", cure)


def _parameter(model: Model, name: str, s: Span) -> Target:
    for value in _tried(s):
        model.parameter_values({name: value})
    return Target("parameter", name, _unit(s) or coherent_unit(model.all_parameters()[name].text))


def _refuse_choices(system: Study, name: str, s: Span) -> None:
    """Refuse words that no run takes."""
    known = _WORDS.get(name, lambda: ())()
    if name in _NUMBERS:
        _refuse_words(name, s)
    for value in _tried(s):
        if known and value not in known:
            cure = did_you_mean(str(value), known) or f"known: {', '.join(known)}"
            raise InputError(f"{name}: '{value}' is unknown", cure)


def _refuse_words(name: str, s: Span) -> None:
    """Refuse what is no number, or no whole one where something is counted."""
    for value in (s.low, s.high) if isinstance(s, Range) else s.values:
        if isinstance(value, bool) or not isinstance(value, float | int):
            raise InputError(f"{name}: '{value}' is not a number", "give numbers")
        if name in _COUNTS and not float(value).is_integer():
            raise InputError(f"{name}: {value:g} is not a whole number", "give whole numbers")


def _methods() -> tuple[str, ...]:
    from pliant.backends.choose import BACK_ENDS

    own = (name for back_end in BACK_ENDS.values() for name in back_end.methods)
    return ("auto", *INTEGRATORS, *own)


_WORDS: dict[str, Callable[[], tuple[str, ...]]] = {
    "formulation": lambda: tuple(FORMULATIONS), "form": lambda: FORMS, "start": lambda: STARTS,
    "constraints": lambda: tuple(TREATMENTS), "method": _methods,
}  # fmt: skip
"""What arguments may be."""


def _tried(s: Span) -> tuple[Any, ...]:
    """Values as they were written, a few of many."""
    return s.written[:: max(1, len(s.written) // _LOOKED_AT)]


def _unit(s: Span) -> str:
    """What numbers are in, if some were given with a unit."""
    return next(filter(None, (coherent_unit(v) for v in s.written if isinstance(v, str))), "")


def coherent_unit(text: str) -> str:
    """The unit of a text in which its number is one of SI: that it has, or that of SI."""
    if not is_quantity(text):
        return ""
    unit = unit_in(text)
    scale, dimension = parse_unit(unit)
    return unit if scale == 1.0 else unit_text(dimension)


def initial_path(model: Model, name: str) -> str:
    """The path of the initial value of a joint's coordinate or rate ("O.angle")."""
    joint, _, coordinate = name.partition(".")
    own = model.joints.get(joint)
    if own is None or coordinate not in (*own.coordinate_names, *own.rate_names, *own.initial):
        return ""
    return f"joints.{joint}.initial.{coordinate}"


def field_at(model: Model, path: str) -> tuple[str, str, str, tuple[str, ...]] | None:
    """Section, name, field and what stands within it; None: there is no such field."""
    words = path.split(".")
    if words[0] == "simulate" and len(words) == 2 and words[1] in kinds_of(model.settings):
        return "settings", "", words[1], ()
    if len(words) < 3 or words[0] not in SECTIONS or words[1] not in getattr(model, words[0]):
        return None
    section, name, field = words[:3]
    known = kinds_of(getattr(model, section)[name])
    return (section, name, field, tuple(words[3:])) if field in known else None


def changed(model: Model, path: str, value: Any) -> Model:
    """The model with something else at a path of a field."""
    found = field_at(model, path)
    assert found is not None
    section, name, field, rest = found
    own: Any = model.settings if section == "settings" else getattr(model, section)[name]
    new = _placed(kinds_of(own)[field].plain(getattr(own, field)), rest, whole(value))
    try:
        element = replace(own, **{field: new})
    except InputError as error:
        raise InputError(f"{path} = {value}: {error}") from None
    if section == "settings":
        return model.with_(settings=element)
    return model.with_(**{section: {**getattr(model, section), name: element}})


def _placed(data: Any, path: tuple[str, ...], value: Any) -> Any:
    """Plain data with a value at a path."""
    if not path:
        return value
    inner = data if isinstance(data, Mapping) else {}
    return {**inner, path[0]: _placed(inner.get(path[0]), path[1:], value)}


def whole(value: Any) -> Any:
    """A number without a fraction may be a count."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
