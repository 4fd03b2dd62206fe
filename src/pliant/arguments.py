"""Arguments that a function does not have: refused by name, with the one that may be meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import Parameter, signature
from typing import Any


def no_argument(what: str, given: Iterable[str], known: Iterable[str]) -> TypeError:
    """``simulate: there is no argument 'tend'; did you mean 't_end'?``"""
    import difflib

    names = [*known]
    said = []
    for name in given:
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        cure = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(names) or 'none'}"
        said.append(f"there is no argument '{name}'; {cure}")
    return TypeError(f"{what}: {'; '.join(said)}")


def refuse_unknown(function: Callable[..., Any], options: Iterable[str]) -> None:
    """Raise a TypeError that names keywords which a function does not take."""
    parameters = signature(function).parameters
    if any(p.kind is Parameter.VAR_KEYWORD for p in parameters.values()):
        return
    if unknown := [name for name in options if name not in parameters]:
        named = [n for n, p in parameters.items() if p.kind is not Parameter.VAR_POSITIONAL]
        raise no_argument(function.__name__, unknown, [n for n in named if n != "self"]) from None
