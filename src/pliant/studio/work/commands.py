"""Analyses with their options, and the command line that does the same as the studio does."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pliant.model.frozen import did_you_mean
from pliant.records import dataclass
from pliant.studio.work.source import WorkError


def _names(value: Any) -> list[str]:
    """Names with commas between them, or a list of them."""
    items = value.split(",") if isinstance(value, str) else value
    return [str(n).strip() for n in items if str(n).strip()]


def _varied(value: Any) -> dict[str, str]:
    """What each name takes: ``{"T": "0.5..2:11"}``."""
    return {str(name): str(values) for name, values in dict(value).items()}


_KINDS: dict[str, Callable[[Any], Any]] = {
    "t_end": str, "every": str, "step": str, "rtol": float, "method": str, "constraints": str,
    "start": str, "formulation": str, "tree": _names, "form": str, "independent": _names,
    "truncate": int, "max_memory": str, "at_time": str, "load_steps": int, "path": str,
    "critical": bool, "hold": _names, "at": str, "count": int, "pointwise": bool, "states": int,
    "seed": int, "complete": bool, "refine": str, "tolerance": float, "quick": bool,
    "vary": _varied, "units": _varied, "observe": _names,
}  # fmt: skip
_CALLED = {"at_time": "t", "observe": "outputs"}
"""Arguments that are called otherwise than the option."""
_HOW = ("formulation", "tree", "form")
_TIMES = ("t_end", "every", "max_memory")
_UNTOLD = ("units",)
"""Options of the page alone."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A verb of a system, the words of its command line, and the options that go with it."""

    name: str
    words: tuple[str, ...]
    options: tuple[str, ...]


ANALYSES = {a.name: a for a in (
    Analysis("transient", ("run",), (*_TIMES, *_HOW, "independent", "truncate", "method",
                                     "constraints", "rtol", "step", "start")),
    Analysis("kinematics", ("run", "--analysis", "kinematics"), (*_TIMES, *_HOW)),
    Analysis("inverse", ("run", "--analysis", "inverse"), (*_TIMES, *_HOW)),
    Analysis("statics", ("statics",), ("at_time", "load_steps", "method", "path", "critical",
                                       "hold")),
    Analysis("modes", ("modes",), ("count", "at", "at_time", "hold")),
    Analysis("verify", ("verify",), ("t_end", "rtol", "pointwise", "states", "seed", "complete",
                                     "refine")),
    Analysis("sweep", ("sweep",), ("vary", "observe", *_TIMES, *_HOW, "method", "constraints",
                                   "rtol", "step", "start", "units")),
    Analysis("advise", ("advise",), ("tolerance", "t_end", "quick")),
)}  # fmt: skip


def known_analysis(name: str) -> Analysis:
    """The analysis of this name; WorkError if there is none."""
    if name not in ANALYSES:
        cure = did_you_mean(name, ANALYSES) or f"use {', '.join(ANALYSES)}, audit"
        raise WorkError(f"unknown analysis '{name}'", cure)
    return ANALYSES[name]


def arguments_of(analysis: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as arguments of the verb; what does not go with it is refused."""
    own, found = known_analysis(analysis), {}
    for name, value in options.items():
        if value is None or value == "" or value is False:
            continue
        if name not in own.options:
            raise WorkError(f"{name}: not for {analysis}", "leave it out")
        try:
            found[_CALLED.get(name, name)] = _KINDS[name](value)
        except (TypeError, ValueError):
            kind = {int: "a whole number", float: "a number"}.get(_KINDS[name], "this")  # type: ignore[call-overload]
            raise WorkError(f"{name}: {value!r} is not {kind}", "") from None
    return found


def command_line(
    file: str, analysis: str, options: Mapping[str, Any], params: Mapping[str, Any],
    *more: str,
) -> str:  # fmt: skip
    """``pliant run crank_rocker.yaml --set h='12 mm' -o out.csv``."""
    own = known_analysis(analysis)
    words = [*own.words, file]
    for name in (name for name in own.options if name not in _UNTOLD):
        words += _flag(name, options.get(name))
    return _line(words, params, more)


def other_command(verb: str, file: str, params: Mapping[str, Any], *more: str) -> str:
    """The same of a command that is no analysis."""
    return _line([verb, file], params, more)


def _line(words: Sequence[str], params: Mapping[str, Any], more: Sequence[str]) -> str:
    sets = [f"--set {shlex.quote(n)}={shlex.quote(str(v))}" for n, v in params.items()]
    parts = ["pliant", *map(shlex.quote, words), *sets, *map(shlex.quote, more)]
    return " ".join(parts)


def _flag(name: str, value: Any) -> list[str]:
    """An option as words."""
    if value is None or value == "" or value is False:
        return []
    flag = f"--{name.replace('_', '-')}"
    if value is True:
        return [flag]
    if isinstance(value, Mapping):
        return [word for n, values in value.items() for word in (flag, f"{n}={values}")]
    return [flag, ",".join(_names(value)) if _KINDS[name] is _names else str(value)]
