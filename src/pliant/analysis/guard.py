"""What every analysis keeps to: times may be texts with units; numbers that cannot be computed with
end in one message; no infinity and nothing that is not a number leaves it as a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from inspect import getattr_static, signature
from typing import Any, ParamSpec, TypeVar

import numpy as np

from pliant.arguments import refuse_unknown
from pliant.errors import InputError, PliantError, RunError, StepError
from pliant.model.fields import Number
from pliant.model.files.names import named_in
from pliant.results.result import Result
from pliant.study import Study

P = ParamSpec("P")
T = TypeVar("T")


def guarded(function: Callable[P, T]) -> Callable[P, T]:
    """Decorator of a verb: its results are finite, its errors are told.

    Numbers that overflow or vanish on the way are no news by themselves (``errstate``): results
    are looked at instead, and linear algebra that fails because of them is an error of the run.
    """

    names = [*signature(function).parameters]
    place = names.index("params") if "params" in names else 0
    varies = "vary" in names  # it looks itself whether a number is given as well as varied

    @wraps(function)
    def verb(*arguments: P.args, **options: P.kwargs) -> T:
        try:
            with np.errstate(all="ignore"):
                given = arguments if varies else _with_numbers(arguments, options, place)
                made = function(*given, **options)
                return finite_part(made) if isinstance(made, Result) else made  # type: ignore[return-value]
        except (np.linalg.LinAlgError, ArithmeticError) as error:
            raise StepError(
                f"{function.__name__}: the numbers of the model are too large, too small or too "
                f"different in size to compute with ({error}); check units, masses, lengths and "
                "stiffnesses"
            ) from None
        except PliantError as error:
            _name_elements(error, arguments)
            raise
        except TypeError:
            refuse_unknown(function, options)
            raise
        except MemoryError as error:
            raise RunError(f"{function.__name__}: not enough memory ({error})") from None
        except RecursionError:
            raise RunError(f"{function.__name__}: nested too deeply; use fewer elements") from None

    return verb


def _name_elements(error: PliantError, arguments: tuple[Any, ...]) -> None:
    """Note which elements of the system an error speaks of."""
    model = getattr(arguments[0] if arguments else None, "described", None)
    if model is not None and not error.elements:
        error.elements = named_in(model, str(error))


def _with_numbers(arguments: tuple[Any, ...], options: dict[str, Any], place: int) -> Any:
    """The arguments of a verb; parameters given by a path are numbers of another system."""
    params = arguments[place] if 0 < place < len(arguments) else options.get("params")
    if not isinstance(params, Mapping) or not any("." in n or "[" in n for n in params):
        return arguments
    system, options["params"] = arguments[0].with_numbers(params)
    return (system, *arguments[1:place])


def guards(*verbs: str) -> Callable[[type[T]], type[T]]:
    """Decorator of a class: these methods of it are ``guarded``."""

    def decorated(cls: type[T]) -> type[T]:
        for name in verbs:
            own = getattr_static(cls, name)
            made = classmethod(guarded(own.__func__)) if isinstance(own, classmethod) else None
            setattr(cls, name, guarded(own) if made is None else made)
        return cls

    return decorated


Value = TypeVar("Value")


def seconds(system: Study, params: Mapping[str, Any] | None, **given: Any) -> list[Any]:
    """Numbers of what was given: ``"500 ms"``, ``"2*T"`` with a parameter T; others as they are."""
    return [_number(system, params, name, value) for name, value in given.items()]


def _number(system: Study, params: Mapping[str, Any] | None, name: str, value: Value) -> Any:
    if not isinstance(value, str):
        return value
    try:
        formula = Number("s").convert(value)
    except InputError as error:
        raise InputError(f"{name}: {error.what}", error.cure) from None
    values = system.values(params)
    unknown = [n for n in formula.names if n not in values.parameters]
    if unknown:
        cure = "give seconds, a number with a unit ('500 ms'), or a formula of parameters"
        raise InputError(f"{name}: {value!r} is no time, nothing is named '{unknown[0]}'", cure)
    return values.number(formula)


def finite_part(result: Result) -> Result:
    """The samples before the first one with a value that is no finite number.

    A result that begins with such a sample holds nothing: StepError.
    """
    if all(np.isfinite(s.values.sum()) for s in result.series.values()):
        return result  # a sum that is no finite number tells nothing: it may be too large
    bad = {}
    for name, s in result.series.items():
        finite = np.asarray(np.isfinite(s.values).all(axis=tuple(range(1, s.values.ndim))))
        bad[name] = len(finite) if finite.all() else int(np.argmin(finite))
    k = min(bad.values(), default=len(result))
    if k >= len(result):
        return result
    names = [name for name, first in bad.items() if first == k]
    listed = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    why = f"t = {result.time[k]:.6g} s: no finite value of {listed}"
    why = "; ".join(filter(None, (result.failure, why)))
    if k == 0:
        raise StepError(why)
    kept = {n: replace(s, values=s.values[:k]) for n, s in result.series.items()}
    info = {**result.info, "failure_code": result.info.get("failure_code") or "not-a-number"}
    return replace(result, time=result.time[:k], series=kept, info=info, failure=why)
