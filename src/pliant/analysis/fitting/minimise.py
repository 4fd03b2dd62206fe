"""The verb: numbers of a model for which a score of its run is as small as it gets.

By sequential quadratic programming (Kraft 1988), with slopes of runs: those of ``max`` are slopes
at the sample that is largest, those of ``mean`` and ``rms`` means of slopes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pliant.analysis.fitting.adjusted import Adjusted, adjusted
from pliant.analysis.fitting.fit import inner_ends
from pliant.analysis.fitting.optimisers import optimisers
from pliant.analysis.fitting.trials import Trials
from pliant.analysis.sweeps.arguments import checked
from pliant.analysis.sweeps.batch import Batch
from pliant.analysis.sweeps.job import request_of
from pliant.arrays import Array
from pliant.errors import InputError, RunError
from pliant.model.formulas import Formula, formula
from pliant.model.numbers.units import dimension_of, is_quantity, parse_quantity
from pliant.records import dataclass
from pliant.results.fit import Step
from pliant.results.optimum import Optimum
from pliant.results.sweeps.criterion import WORDS, Criterion
from pliant.results.sweeps.runs import Observations
from pliant.study import Study

_RELATION = re.compile(r"\s*(.+?)\s*(<=|>=|==|<|>|=)\s*(.+?)\s*")
EXAMPLE = "write for example 'span slider.position.x >= 0.4 m'"
_MET = 1e-5
"""Relative to its bound: a constraint that is met, or holds."""


@dataclass(frozen=True, slots=True)
class Score:
    """What is made of a run: ``sign`` times a criterion."""

    text: str
    sign: float
    criterion: Criterion

    @classmethod
    def of(cls, text: str, known: Mapping[str, Observations]) -> Score:
        """As it is written: "max A.force", "-last slider.position.x"."""
        plain = text.strip()
        sign = -1.0 if plain.startswith("-") else 1.0
        words = plain.lstrip("-+ ").split()
        if sum(word in WORDS for word in words[:2]) == 2:
            better = f"-{' '.join(words[1:])}" if words[0] == "max" else " ".join(words[1:])
            raise InputError(f"'{text}': it is not said twice how a run is scored",
                             f"write '{better}'")  # fmt: skip
        return cls(text, sign, Criterion.of(" ".join(words), known))

    def value(self, observed: Mapping[str, Array]) -> float:
        """Of one run."""
        own = observed[self.criterion.owner][None]
        return self.sign * float(self.criterion.scored(own, own[:, -1])[0])

    def slope(self, observed: Mapping[str, Array], slopes: Mapping[str, Array]) -> Array:
        """By the parameters."""
        owner = self.criterion.owner
        return self.sign * self.criterion.slope(observed[owner], slopes[owner])


@dataclass(frozen=True, slots=True)
class Constraint:
    """``score`` is at least ``limit`` (sign 1), at most (-1), or equal to it (0)."""

    text: str
    score: Score
    sign: int
    limit: float

    @classmethod
    def of(cls, text: Any, known: Mapping[str, Observations]) -> Constraint:
        """As it is written."""
        found = _RELATION.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise InputError(f"constraint {text!r} is no relation", EXAMPLE)
        what, relation, number = found.groups()
        score = Score.of(what, known)
        sign = {"<": -1, ">": 1}.get(relation[0], 0)
        return cls(text, score, sign, _limit(number, text, score.criterion.unit))

    def room(self, value: float) -> float:
        """How far it is kept, above zero."""
        return (self.sign or 1) * (value - self.limit)


def _limit(number: str, text: str, unit: str) -> float:
    try:
        if not is_quantity(number):
            return float(number)
    except ValueError:
        raise InputError(f"constraint '{text}': '{number}' is no number", EXAMPLE) from None
    value, dimension = parse_quantity(number)
    if unit and dimension != dimension_of(unit):
        raise InputError(f"constraint '{text}': {number} is no {unit}",
                         "give a unit of the same kind")  # fmt: skip
    return value


def minimised(
    system: Study, objective: str, parameters: Any, bounds: Mapping[str, Any] | None,
    constraints: Sequence[str], *, progress: Callable[[Step], None] | None, most: int,
    how: Mapping[str, Any],
) -> Optimum:  # fmt: skip
    """See ``System.minimise``."""
    optimise = optimisers("minimise")
    how = checked(how)
    constraints = [constraints] if isinstance(constraints, str) else list(constraints)
    if not isinstance(objective, str) or not objective.strip():
        raise InputError(f"objective: {objective!r} is no score", "write for example 'max A.force'")
    numbers = adjusted(system, parameters, bounds, how.get("params") or {})
    _refuse_moving_span(system, numbers, how)
    observe = how.get("outputs") or [_owner(t) for t in (objective, *constraints)]
    first = Batch(system, request_of(system, how))
    trials = Trials(system, numbers, {n: v for n, v in how.items() if n not in _TIMES}, observe,
                    first.times)  # fmt: skip
    try:
        known = trials.about(numbers.start)
    except RunError as error:
        raise RunError(f"minimise: the first run failed: {error}") from None
    score = Score.of(objective, known)
    relations = tuple(Constraint.of(text, known) for text in constraints)
    for one in (score, *(r.score for r in relations)):
        trials.used.setdefault(one.criterion.owner, set()).add(one.criterion.component)
    return _Descent(trials, score, relations, progress).found(optimise, most)


_TIMES = ("t_end", "every", "times", "outputs")


def _refuse_moving_span(system: Study, numbers: Adjusted, how: Mapping[str, Any]) -> None:
    """A begin or end that follows from what is looked for: the score would be of other times."""
    settings, known = system.described.settings, system.described.all_parameters()
    asked = {"t_start": settings.t_start, "t_end": how.get("t_end", settings.t_end)}
    if "times" in how:
        del asked["t_end"]
    for what, given in asked.items():
        f = formula(given) if isinstance(given, str) else given
        moving = sorted(reads(f, known) & set(numbers.keys)) if isinstance(f, Formula) else []
        if moving:
            raise InputError(f"{what} = {f} moves with {', '.join(moving)}, which is looked for: "
                             "scores are of one span of time", f"give {what} as a number"
                             )  # fmt: skip


def reads(f: Formula, known: Mapping[str, Formula]) -> set[str]:
    """Parameters that a formula follows from."""
    found, left = set[str](), {n for n in f.names if n in known}
    while left:
        found |= left
        left = {n for name in left for n in known[name].names if n in known} - found
    return found


def _owner(text: str) -> str:
    """What must be observed for a score, as it is said."""
    found = _RELATION.fullmatch(text) if isinstance(text, str) else None
    words = (found[1] if found else str(text)).strip().lstrip("-+ ").split()
    while words and words[0] in WORDS:
        words = words[1:]
    name = ".".join(words)
    return f"{name[: -len('speed')]}velocity" if name.endswith(".speed") else name


class _Descent:
    """From the start to the least score."""

    def __init__(
        self, trials: Trials, score: Score, constraints: tuple[Constraint, ...],
        progress: Callable[[Step], None] | None,
    ) -> None:  # fmt: skip
        self._trials, self._score, self._constraints = trials, score, constraints
        self._progress, self._steps = progress, list[Step]()
        self._differences: Mapping[str, str] = {}
        self._worst = 0.0
        first = trials.observed(self._numbers.start)
        self._unit = abs(score.value(first)) or 1.0

    @property
    def _numbers(self) -> Adjusted:
        return self._trials.numbers

    def _values(self, x: Array) -> list[float]:
        """Score, then room of every constraint, all without units; far from good where a run does
        not get to its end."""
        try:
            observed = self._trials.observed(self._numbers.outer(x))
        except RunError:
            return [self._worst + 10.0, *(-10.0 for _ in self._constraints)]
        value = self._score.value(observed) / self._unit
        self._worst = max(self._worst, abs(value))
        return [value, *(c.room(c.score.value(observed)) / _size(c) for c in self._constraints)]

    def _slopes(self, x: Array) -> list[Array]:
        """Of the same."""
        values = self._numbers.outer(x)
        observed, slopes = self._trials.observed(values), self._trials.slopes(values)
        self._differences = slopes.differences
        inner = self._numbers.slopes(values)
        own = self._score.slope(observed, slopes.values) / self._unit
        rest = [(c.sign or 1) * c.score.slope(observed, slopes.values) / _size(c)
                for c in self._constraints]  # fmt: skip
        return [s * inner for s in (own, *rest)]

    def _say(self, x: Array) -> None:
        values = self._numbers.outer(x)
        value = self._score.value(self._trials.observed(values))
        self._steps.append(Step(len(self._steps) + 1, value, self._numbers.told(values)))
        if self._progress is not None:
            self._progress(self._steps[-1])

    def found(self, optimise: Any, most: int) -> Optimum:
        kept: dict[bytes, list[Array]] = {}

        def slopes(x: Array) -> list[Array]:
            key = np.asarray(x).tobytes()
            if key not in kept:
                kept.clear()
                kept[key] = self._slopes(x)
            return kept[key]

        relations = [
            {"type": "ineq" if c.sign else "eq", "fun": lambda x, k=k: self._values(x)[k],
             "jac": lambda x, k=k: slopes(x)[k]}
            for k, c in enumerate(self._constraints, 1)
        ]  # fmt: skip
        ends = np.array(inner_ends(self._numbers)).T
        with np.errstate(all="ignore"):
            found = optimise.minimize(
                lambda x: self._values(x)[0], self._numbers.inner(self._numbers.start),
                jac=lambda x: slopes(x)[0], method="SLSQP", bounds=ends, constraints=relations,
                callback=self._say, options={"maxiter": most, "ftol": 1e-10},
            )  # fmt: skip
        return self._told(self._numbers.outer(found.x), found)

    def _told(self, values: Array, found: Any) -> Optimum:
        numbers, trials = self._numbers, self._trials
        observed = trials.observed(values)
        reached = {c.text: c.score.value(observed) for c in self._constraints}
        broken = [c for c in self._constraints if not _met(c, reached[c.text])]
        failure = "" if found.success else _why(str(found.message), broken)
        remarks = [f"{name} stands at its {end} bound"
                   for name, end in numbers.at_ends(values).items()]  # fmt: skip
        remarks += [f"held by {c.text}" for c in self._constraints
                    if c.sign and abs(c.room(reached[c.text])) <= _MET * _size(c)]  # fmt: skip
        if self._differences:
            remarks.append(_by_differences(self._differences))
        return Optimum(
            self._score.text, numbers.told(values), self._score.value(observed),
            self._score.criterion.unit, reached, tuple(remarks), failure, tuple(self._steps),
            self._differences, dict(zip(numbers.names, numbers.units, strict=True)),
            trials.system.described.name,
        )  # fmt: skip


def _size(c: Constraint) -> float:
    return abs(c.limit) or 1.0


def _met(c: Constraint, value: float) -> bool:
    room = c.room(value) / _size(c)
    return room >= -_MET if c.sign else abs(room) <= _MET


def _why(message: str, broken: Sequence[Constraint]) -> str:
    if broken:
        return f"no numbers were found that keep {', '.join(c.text for c in broken)}"
    return f"it ended early: {message.lower()}"


def _by_differences(told: Mapping[str, str]) -> str:
    whys = dict.fromkeys(told.values())
    return "; ".join(
        f"slopes of {', '.join(n for n, w in told.items() if w == why)} are differences of runs: "
        f"{why}" for why in whys
    )  # fmt: skip
