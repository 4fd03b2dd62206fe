"""System: the public face. A model with its verbs: simulate, check, verify, equations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.analysis.guard import guards
from pliant.errors import ModelError
from pliant.model.bodies import Beam
from pliant.model.literals import (
    Structure,
    canonical,
    is_path,
    is_structure,
    structure_of,
    with_literals,
)
from pliant.model.model import Model

if TYPE_CHECKING:
    from pliant.analysis.advise import Advice
    from pliant.analysis.check import CheckReport
    from pliant.analysis.graph import GraphView
    from pliant.analysis.prepare import Prepared
    from pliant.analysis.verify_report import VerifyReport
    from pliant.equations.export import Language
    from pliant.equations.readable import ReadableEquations
    from pliant.graphs import TreeChoice
    from pliant.mechanics.values import Values
    from pliant.model.parameters import Parameters
    from pliant.model.validation import Validation
    from pliant.results import Result
    from pliant.results.modes import ModesResult
    from pliant.results.power_audit import PowerAudit


_OTHERS = 8
"""How many systems with other numbers are remembered."""
Seconds = float | str
"""A number of seconds, or a text with a unit: ``"500 ms"``."""


@guards("__init__", "load", "loads", "model_for", "simulate", "kinematics", "statics", "modes",
        "check", "verify", "advise", "power_audit", "source", "graph", "equations")  # fmt: skip
class System:
    """A mechanical system: what the user said (``described``), and what can be asked of it.

    ``model`` is what equations are derived from: beams of large rotation are cut into elements.

    Built from a Model, or directly from its sections::

        pl.System(bodies=[...], joints=[...], gravity=[0, 0, -9.81])
    """

    def __init__(self, model: Model | None = None, **sections: Any) -> None:
        self.described = (model if model is not None else Model()).with_(**sections).check()
        self.model = self.model_for()
        if self.model.networks:
            from pliant.graphs.bonds.from_model import check_networks

            check_networks(self.model)
        self._prepared: dict[Any, Prepared] = {}
        self._cut: tuple[dict[str, float], dict[str, float]] | None = None
        self._given: tuple[dict[str, Any], dict[str, float]] | None = None
        self._free: frozenset[str] | None = None
        self._others: dict[tuple[tuple[str, str], ...], System] = {}

    def model_for(self, params: Mapping[str, Any] | None = None) -> Model:
        """What equations are derived from, with the numbers of elements for these parameters."""
        bodies = self.described.bodies.values()
        if not any(isinstance(body, Beam) and body.theory.rewritten for body in bodies):
            return self.described
        from pliant.flex.rewriting.model import expanded

        return expanded(self.described, params)

    def values(self, params: Mapping[str, Any] | None = None) -> Values:
        """Numbers of ``model`` for these parameters, with those of beams that are cut."""
        from pliant.mechanics.values import Values

        if self.model is self.described:
            return Values.at(self.model, self._numbers(params))
        if not params:
            return Values.of(self.model)
        given = self._numbers(params)
        if self._cut is None or self._cut[0] != given:
            self._cut = given, self.model_for(params).parameter_values(params)
        return Values.at(self.model, self._cut[1])

    def code_values(self, params: Mapping[str, Any] | None = None) -> Values:
        """The same of the structure that code is made of, all of whose numbers have names."""
        from pliant.mechanics.values import Values

        own = self.values(params).parameters
        return Values.at(self._structure.model, {**own, **self._structure.numbers})

    def _numbers(self, params: Mapping[str, Any] | None) -> dict[str, float]:
        """Of all parameters that were described, for these."""
        if not params:
            return self._parameters.values
        if self._given is None or self._given[0] != params:
            given = self.described.with_overrides(self._parameters, params)
            self._given = dict(params), given
        return self._given[1]

    @cached_property
    def _parameters(self) -> Parameters:
        """Parameters as they were described, worked out."""
        from pliant.model.parameters import Parameters

        return Parameters(self.described.all_parameters())

    def __getstate__(self) -> dict[str, Any]:
        """Only the model travels to another process; code is found in the cache there."""
        kept = {"described": self.described, "model": self.model, "_free": self._free}
        return {**kept, "_prepared": {}, "_others": {}, "_cut": None, "_given": None}

    @staticmethod
    def load(path: str | Path) -> System:
        """Read a model file (YAML or JSON)."""
        from pliant.model.files import load

        return System(load(path))

    @staticmethod
    def loads(text: str, format: str = "yaml") -> System:
        """Read a model from text."""
        from pliant.model.files import loads

        return System(loads(text, format))

    def save(self, path: str | Path) -> None:
        """Write the model as a file; ``load`` gives an equal system."""
        from pliant.model.files import save

        save(self.described, path)

    @cached_property
    def text(self) -> str:
        """The model as YAML."""
        from pliant.model.files import dump

        return dump(self.described)

    @cached_property
    def _structure(self) -> Structure:
        """The model with names for all its numbers: what code is made of."""
        return structure_of(self.model, self._free)

    @cached_property
    def _structure_text(self) -> str:
        """The same as text: systems of equal text share their code."""
        return canonical(self._structure.model)

    def with_numbers(self, params: Mapping[str, Any]) -> tuple[System, dict[str, Any]]:
        """The system with other numbers where paths are given (``bodies.rod.length``), and the
        parameters that have names. What code is made of stays as it is."""
        known = self.described.all_parameters()
        changes = {n: v for n, v in params.items() if is_path(n) and n not in known}
        named = {n: v for n, v in params.items() if n not in changes}
        if not changes:
            return self, named
        key = tuple(sorted((path, str(value)) for path, value in changes.items()))
        if key not in self._others:
            while len(self._others) >= _OTHERS:
                del self._others[next(iter(self._others))]
            other = System(with_literals(self.described, changes))
            if not is_structure(self.described, changes):
                other._free = frozenset(self._structure.numbers)
            self._others[key] = other
        return self._others[key], named

    def simulate(
        self,
        t_end: Seconds | None = None,
        *,
        formulation: str | None = None,
        tree: TreeChoice | None = None,
        cut: Iterable[str] = (),
        form: str | None = None,
        independent: Iterable[str] | None = None,
        truncate: int | None = None,
        method: str | None = None,
        constraints: str | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        step: Seconds | None = None,
        every: Seconds | None = None,
        times: Sequence[float] | None = None,
        params: Mapping[str, Any] | None = None,
        outputs: Sequence[str] | None = None,
        start: Result | str | None = None,
        options: Mapping[str, float] | None = None,
        treatment_options: Mapping[str, float] | None = None,
        progress: Callable[[float], None] | None = None,
        max_memory: float | str | None = None,
    ) -> Result:
        """Integrate the equations of motion from the initial state (or the end of ``start``).

        ``start="equilibrium"`` begins where forces balance at the start time, with the velocities
        of drivers and those given; ``"undeformed"`` is the initial state as it is assembled.
        ``tree`` (``"joint"``, ``"absolute"``, ``"best"`` or names of its joints, bodies and
        drivers) chooses the coordinates, ``form`` (``"augmented"``, ``"embedding"``) whether
        multipliers appear, ``independent`` which coordinates the embedding form keeps;
        ``truncate`` cuts the equations at an order of the elastic coordinates.
        Anything not given is taken from the ``simulate`` section of the model. ``outputs`` names
        observables (``rod.tip.position``, ``rod.*``); all by default. Times are in seconds or have
        a unit (``"500 ms"``). Output times are every ``every`` seconds, or ``times``. A run that
        cannot finish returns what it computed, with ``result.failure`` saying why and when it
        stopped; Ctrl-C raises ``Interrupted``, which has the result. Samples that
        need more than ``max_memory`` (``"8 GB"``; half of what is free) are refused beforehand.
        """
        from pliant.analysis.choice import Choice
        from pliant.analysis.internal_balance import balanced
        from pliant.analysis.request import Request
        from pliant.analysis.seconds import seconds
        from pliant.analysis.simulate import simulate

        choice = Choice.of(
            self, formulation=formulation, tree=tree, cut=cut, form=form, independent=independent,
            truncate=truncate,
        )  # fmt: skip
        end, stride, interval = seconds(self, params, t_end=t_end, step=step, every=every)
        result = simulate(self, Request(
            choice=choice, free=formulation is None and tree is None and form is None,
            method=method, constraints=constraints, rtol=rtol, atol=atol, step=stride, t_end=end,
            every=interval, times=times, params=params, outputs=outputs, start=start,
            options=options, treatment_options=treatment_options, progress=progress,
            max_memory=max_memory,
        ))  # fmt: skip
        return balanced(self, result).warned(self.doubts(params))

    def names(self) -> dict[str, str]:
        """Every observable of a run with its unit, as ``Result.names`` lists them afterwards."""
        from pliant.analysis.back_ends import usual_back_end

        known = usual_back_end(self).back_end.known(self)
        return {name: quantity.unit for name, quantity in known.items()}

    def kinematics(
        self,
        t_end: Seconds | None = None,
        *,
        formulation: str | None = None,
        tree: TreeChoice | None = None,
        cut: Iterable[str] = (),
        form: str | None = None,
        every: Seconds | None = None,
        times: Sequence[float] | None = None,
        params: Mapping[str, Any] | None = None,
        outputs: Sequence[str] | None = None,
        max_memory: float | str | None = None,
    ) -> Result:
        """Motion of a fully driven system, with the driving torques and reactions.

        Positions, velocities and accelerations follow from the constraints alone; torques and
        reactions from the equations of motion (inverse dynamics). The integrator leads from one
        output time to the next, so that the assembly keeps its branch, and adds up work.
        """
        from pliant.analysis.choice import Choice
        from pliant.analysis.kinematics import kinematics
        from pliant.analysis.seconds import seconds

        choice = Choice.of(self, formulation=formulation, tree=tree, cut=cut, form=form)
        end, interval = seconds(self, params, t_end=t_end, every=every)
        result = kinematics(
            self, t_end=end, choice=choice, every=interval, times=times, params=params,
            outputs=outputs, max_memory=max_memory,
        )  # fmt: skip
        return result.warned(self.doubts(params))

    def inverse(
        self,
        t_end: Seconds | None = None,
        *,
        formulation: str | None = None,
        tree: TreeChoice | None = None,
        cut: Iterable[str] = (),
        form: str | None = None,
        every: Seconds | None = None,
        times: Sequence[float] | None = None,
        params: Mapping[str, Any] | None = None,
        outputs: Sequence[str] | None = None,
        max_memory: float | str | None = None,
    ) -> Result:
        """Torques and forces of the drivers for the motion they prescribe (inverse dynamics)."""
        return self.kinematics(
            t_end, formulation=formulation, tree=tree, cut=cut, form=form, every=every,
            times=times, params=params, outputs=outputs, max_memory=max_memory,
        )  # fmt: skip

    def statics(
        self,
        *,
        t: Seconds | None = None,
        load_steps: int = 1,
        method: str = "auto",
        hold: Iterable[str] = (),
        formulation: str | None = None,
        tree: TreeChoice | None = None,
        cut: Iterable[str] = (),
        params: Mapping[str, Any] | None = None,
        outputs: Sequence[str] | None = None,
        path: str = "load",
        critical: bool = False,
    ) -> Result:
        """Equilibrium at time ``t`` (the start time), drivers standing where they are then.

        The result has one sample, or with ``load_steps=n`` one for each of n load factors, which
        stand in the place of time. ``hold`` names coordinates (``J.angle``) or joints that stay
        where they are given. ``method``: ``"path"`` lets the unbalanced force of the start go step
        by step and stays on its branch, ``"relax"`` goes downhill to a stable equilibrium,
        ``"auto"`` does the first while it is stable. ``result.info["stability"]`` is stable,
        indifferent or unstable; ``result.failure`` says why there is no equilibrium and how far
        the load got.

        ``"sparse"``, which ``"auto"`` takes for beams of large rotation, raises the loads from
        nothing in steps that adapt themselves. ``path="arc-length"`` follows the equilibria through
        limit points (at most ``load_steps`` of them, if that is more than 1), ``critical=True``
        looks for the load factor at which the equilibrium gives way: ``info["critical_load"]``.
        """
        from pliant.analysis.choice import Choice
        from pliant.analysis.internal_balance import balanced
        from pliant.analysis.request import RestRequest
        from pliant.analysis.seconds import seconds
        from pliant.analysis.statics import statics

        choice = Choice.of(self, formulation=formulation, tree=tree, cut=cut)
        (at,) = seconds(self, params, t=t)
        result = statics(self, RestRequest(
            t=at, load_steps=load_steps, method=method, hold=_names(hold), choice=choice,
            params=params, outputs=outputs, path=path, critical=critical,
        ))  # fmt: skip
        return balanced(self, result).warned(self.doubts(params))

    def modes(
        self,
        count: int | None = None,
        *,
        at: str = "rest",
        t: Seconds | None = None,
        hold: Iterable[str] = (),
        formulation: str | None = None,
        tree: TreeChoice | None = None,
        cut: Iterable[str] = (),
        params: Mapping[str, Any] | None = None,
    ) -> ModesResult:
        """Natural frequencies, damping and shapes of small motions; the ``count`` slowest.

        ``at="rest"``: about the initial position; ``"equilibrium"``: about the equilibrium found
        from there; ``"steady"``: about a motion at constant speeds, those of the drivers and of
        the initial state (a rotating beam). ``hold`` as in ``statics``.
        """
        from pliant.analysis.choice import Choice
        from pliant.analysis.modes import modes
        from pliant.analysis.seconds import seconds

        (time,) = seconds(self, params, t=t)
        result = modes(
            self, count, at=at, t=time, hold=_names(hold), params=params,
            choice=Choice.of(self, formulation=formulation, tree=tree, cut=cut),
        )  # fmt: skip
        return result.warned(self.doubts(params))

    @cached_property
    def _validation(self) -> Validation:
        from pliant.model.validation import Validation

        return Validation(self.described)

    def _refuse(self, params: Mapping[str, Any]) -> None:
        """Raise a ModelError with all faults that the model has with these parameters."""
        faults = self._validation.faults(params, self._numbers(params))
        if faults:
            name = self.described.name
            raise ModelError(faults, f"model '{name}'" if name else "")

    def doubts(self, params: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """What is allowed but seldom meant, such as negative damping: remarks of every analysis."""
        if not params:
            return self._doubts
        return tuple(map(str, self._validation.doubts(params, self._numbers(params))))

    @cached_property
    def _doubts(self) -> tuple[str, ...]:
        return tuple(map(str, self.described.warnings()))

    def check(self, params: Mapping[str, Any] | None = None) -> CheckReport:
        """Degrees of freedom, redundant constraints by name, and remarks on the initial state."""
        from pliant.analysis.check import check

        return check(self, params=params)

    def verify(
        self, *, t_end: Seconds | None = None, rtol: float | None = None, states: int = 20,
        seed: int = 0, params: Mapping[str, Any] | None = None, pointwise: bool = False,
        complete: bool = False, refine: str | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> VerifyReport:  # fmt: skip
        """Do all formulations agree, at random consistent states and along the motion?

        Every formulation that accepts the model runs to ``t_end`` (the model's, or as far as about
        a thousand steps go) at ``rtol`` (1e-6) and at a hundredth of it; two agree if they differ
        by no more than ten times their own errors. Energy, power and constraints are balanced;
        beams that are cut into elements or segments must converge when they are refined.
        ``pointwise``: only the random states. ``complete``: every tree, and forms of large systems
        that take minutes to compile. ``refine``: compare beams with modes with the same beams cut
        into ``"segments"`` or ``"exact"`` elements. See ``VerifyReport``.
        """
        from pliant.analysis.seconds import seconds
        from pliant.analysis.verify import verify
        from pliant.analysis.verify_states import no_progress

        (end,) = seconds(self, params, t_end=t_end)
        return verify(
            self, t_end=end, rtol=rtol, states=states, seed=seed, params=params,
            only_pointwise=pointwise, complete=complete, refine_with=refine,
            progress=progress or no_progress,
        )  # fmt: skip

    def advise(
        self, tolerance: float = 0.01, *, t_end: Seconds | None = None,
        params: Mapping[str, Any] | None = None, counts: bool = True, cost: bool = True,
        progress: Callable[[str], None] | None = None,
    ) -> Advice:  # fmt: skip
        """Which model is needed for a relative error of ``tolerance``? See ``Advice``.

        From short runs (to ``t_end``, or about 300 steps): whether linear modes suffice for each
        flexible body; how many shapes, segments or elements it needs (``counts``); which
        formulation is cheapest (``cost``).
        """
        from pliant.analysis.advise import advise
        from pliant.analysis.seconds import seconds
        from pliant.analysis.verify_states import no_progress

        (end,) = seconds(self, params, t_end=t_end)
        return advise(
            self, tolerance=tolerance, t_end=end, params=params, counts=counts, cost=cost,
            progress=progress or no_progress,
        )  # fmt: skip

    def power_audit(
        self, result: Result, start: float | None = None, end: float | None = None
    ) -> PowerAudit:
        """Where energy was supplied, stored, dissipated and exchanged in a run of this system.

        The efforts and flows of all bonds of its multibond graph are evaluated at the samples of
        the result from ``start`` to ``end`` (all by default), whatever formulation computed it.
        """
        from pliant.analysis.power_audit import power_audit

        return power_audit(self, result, start, end)

    def source(
        self, language: Language = "c", *, formulation: str | None = None,
        tree: TreeChoice | None = None, cut: Iterable[str] = (), form: str | None = None,
        independent: Iterable[str] | None = None, truncate: int | None = None,
        t_end: Seconds | None = None, every: Seconds | None = None,
        params: Mapping[str, Any] | None = None, outputs: Sequence[str] | None = None,
    ) -> str:  # fmt: skip
        """A stand-alone program in ``"c"``, ``"fortran"`` or ``"python"``: mass matrix, forcing,
        constraints, forward dynamics, and a main program that integrates to ``t_end`` and writes
        CSV ``every`` so often."""
        from pliant.analysis.choice import Choice
        from pliant.analysis.export import exported
        from pliant.analysis.seconds import seconds

        choice = Choice.of(
            self, formulation=formulation, tree=tree, cut=cut, form=form, independent=independent,
            truncate=truncate,
        )  # fmt: skip
        end, interval = seconds(self, params, t_end=t_end, every=every)
        return exported(self, language, choice=choice, t_end=end, every=interval, params=params,
                        outputs=outputs)  # fmt: skip

    def graph(
        self, kind: str = "linear", *, tree: TreeChoice | None = None, cut: Iterable[str] = (),
        params: Mapping[str, Any] | None = None, virtual_work: bool = False, full: bool = False,
    ) -> GraphView:  # fmt: skip
        """The graph of the system, to print, to draw (``save("g.svg")``) and as matrices.

        ``kind``: ``"linear"``, its nodes drawn where frames are in the initial position, or
        ``"bond"``, the multibond graph with its causality. ``tree`` and ``cut`` choose its tree as
        in ``simulate``; ``virtual_work`` also draws the dependent virtual-work elements; ``full``
        draws all elements of a large bond graph.
        """
        from pliant.analysis.choice import Choice
        from pliant.analysis.graph import Options, graph_view

        choice = Choice.of(self, tree=tree, cut=cut)
        return graph_view(self, kind, choice, params, Options(virtual_work, full))

    def equations(
        self, formulation: str | None = None, *, tree: TreeChoice | None = None,
        cut: Iterable[str] = (), form: str | None = None,
        independent: Iterable[str] | None = None, truncate: int | None = None,
        names: Mapping[str, str] | None = None, max_terms: int | None = None,
    ) -> ReadableEquations:  # fmt: skip
        """The equations of motion to read: text, LaTeX, SymPy matrices.

        ``names`` gives coordinates other names (``{"O.angle": "alpha1"}``); a joint with one
        coordinate gives it its own. Equations of flexible bodies are written to an order of the
        elastic coordinates, ``truncate`` (1). More than ``max_terms`` (1500) are not printed.
        Of a bond graph ``form`` may also be ``"mixed"`` (dependent stores without multipliers)
        and, without bodies, ``"explicit"`` (x' = f).
        """
        from pliant.analysis.choice import WRITTEN_FORMS, Choice
        from pliant.analysis.readable import readable

        choice = Choice.of(
            self, formulation=formulation, tree=tree, cut=cut, form=form, independent=independent,
            truncate=truncate, forms=WRITTEN_FORMS,
        )  # fmt: skip
        return readable(self, choice, names, max_terms, form)

    def __repr__(self) -> str:
        m = self.described
        name = f" '{m.name}'" if m.name else ""
        return f"<pliant.System{name}: {len(m.bodies)} bodies, {len(m.joints)} joints>"


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    """One name or several."""
    return (names,) if isinstance(names, str) else tuple(names)
