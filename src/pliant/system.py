"""System: the public face. A model with its verbs: simulate, check, verify, equations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pliant.analysis.guard import guards
from pliant.display import brief
from pliant.registry import ABOVE
from pliant.study import Study

if TYPE_CHECKING:
    from pathlib import Path

    from pliant.analysis.advice.advise import Advice
    from pliant.analysis.check import CheckReport
    from pliant.analysis.graphs.graph import GraphView
    from pliant.analysis.sweeps.plans import Vary
    from pliant.analysis.sweeps.work import Progress
    from pliant.analysis.verification.report import VerifyReport
    from pliant.code.export import Language
    from pliant.graphs import TreeChoice
    from pliant.reading.equations import ReadableEquations
    from pliant.results import Result
    from pliant.results.fit import Fit, Step
    from pliant.results.modes import ModesResult
    from pliant.results.optimum import Optimum
    from pliant.results.power_audit import PowerAudit
    from pliant.results.sensitivities import Sensitivities
    from pliant.results.sweeps import Sweep


Seconds = float | str
"""A number of seconds, or a text with a unit: ``"500 ms"``."""


@guards("__init__", "load", "loads", "model_for", "simulate", "kinematics", "inverse", "statics",
        "modes", "check", "verify", "advise", "power_audit", "source", "graph",
         "equations", "sweep", "fit", "minimise", "sensitivities", "picture")  # fmt: skip
class System(Study):
    """A mechanical system: what the user said (``described``), and what can be asked of it.

    ``model`` is what equations are derived from: beams of large rotation are cut into elements.

    Built from a Model, or directly from its sections::

        pl.System(bodies=[...], joints=[...], gravity=[0, 0, -9.81])

    >>> rod = pl.RigidBody.rod("rod", "1 m", mass="2 kg", frames={"tip": ["1 m", 0, 0]})
    >>> pin = pl.Revolute("pin", "ground", "rod", axis="y")
    >>> system = pl.System(bodies=[rod], joints=[pin], gravity=[0, 0, -9.81])
    >>> system
    <pliant.System: model: 1 body, 1 joint>
    >>> system.simulate(t_end=1)["pin.angle"].units
    'rad'
    """

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
        watch: Callable[[Result], None] | None = None,
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
        stopped; Ctrl-C raises ``Interrupted``, which has the result. While it goes on, ``progress``
        is told the time reached, and ``watch`` is handed the samples since last time as a result
        of their own. Samples that
        need more than ``max_memory`` (``"8 GB"``; half of what is free) are refused beforehand.

        >>> system = pl.load("examples/pendulum.yaml")
        >>> result = system.simulate(t_end="2 s", params={"L": "50 cm"}, rtol=1e-9)
        >>> result["pivot.angle"].shape
        (201,)
        """
        from pliant.analysis.guard import seconds
        from pliant.analysis.power.internal_balance import balanced
        from pliant.analysis.simulate import simulate
        from pliant.backends.choice import Choice
        from pliant.backends.request import Request, asked_for

        choice = Choice.of(
            self, formulation=formulation, tree=tree, cut=cut, form=form, independent=independent,
            truncate=truncate,
        )  # fmt: skip
        end, stride, interval = seconds(self, params, t_end=t_end, step=step, every=every)
        result = simulate(self, Request(
            choice=choice, free=formulation is None and tree is None and form is None,
            method=method, constraints=constraints, rtol=rtol, atol=atol, step=stride, t_end=end,
            every=interval, times=times, params=params, outputs=outputs, start=start,
            options=options, treatment_options=treatment_options, progress=progress, watch=watch,
            max_memory=max_memory,
        ))  # fmt: skip
        return balanced(self, result, asked_for(self, outputs)).warned(self.doubts(params))

    def sweep(
        self,
        vary: Vary,
        *,
        samples: int | None = None,
        plan: str | None = None,
        seed: int = 0,
        outputs: Sequence[str] | None = None,
        params: Mapping[str, Any] | None = None,
        store: str | Path | None = None,
        workers: Any = None,
        progress: Callable[[Progress], None] | None = None,
        max_memory: float | str | None = None,
        **how: Any,
    ) -> Sweep:
        """Many runs that differ in what is varied::

            sweep = system.sweep({"T": "0.5..2"}, samples=1000, outputs=["slider.position"])

        ``vary`` names parameters, numbers by their paths (``bodies.rod.length``), initial values
        (``O.angle``), arguments of ``simulate`` (``method``) and choices in the model
        (``bodies.rod.theory``), each with a range (``"0.5 N*m..2 N*m"``, ``"1e-3..1 log"``,
        ``"0.5..2:11"``) or values; or it gives rows, as a list of mappings or a DataFrame.
        ``plan``: ``grid``, ``list``, ``random``, ``latin``, ``sobol`` or ``saltelli``; ``samples``
        is the number of runs, of a grid along each range, of ``saltelli`` that of its base.

        ``store``: a folder where runs are kept as they are computed; the same call goes on where
        it was stopped. ``workers``: a number of processes, the address of a Dask scheduler
        (``"tcp://host:8786"``) or a client; by default processes if it takes long enough.
        ``progress`` is told how far it is. ``how``: any argument of ``simulate``. Failed runs are
        in the sweep, with why. Ctrl-C finishes what is being computed, and raises ``Interrupted``,
        which has the sweep.
        """
        from pliant.analysis.sweeps.arguments import checked
        from pliant.analysis.sweeps.sweep import swept

        return swept(
            self, vary, samples=samples, plan=plan, seed=seed, store=store, workers=workers,
            progress=progress, max_memory=max_memory,
            how=checked({**how, "outputs": outputs, "params": params}),
        )  # fmt: skip

    def fit(
        self,
        data: Any,
        parameters: Iterable[str] | Mapping[str, Any],
        bounds: Mapping[str, Any] | None = None,
        *,
        deviations: Any = None,
        outputs: Sequence[str] | None = None,
        params: Mapping[str, Any] | None = None,
        progress: Callable[[Step], None] | None = None,
        max_runs: int = 200,
        **how: Any,
    ) -> Fit:
        """Numbers for which the model tells what was measured, by least squares::

            fit = motor.fit("measured.csv", ["R", "k"], {"R": "0.1 ohm..10 ohm"})

        ``data``: a mapping (``{"time": t, "O.angle": a}``), a result, a table of pandas or xarray,
        or a file; its columns are named as observables, with a unit if it is not SI
        (``O.angle [deg]``); ``outputs`` chooses some. ``parameters`` are named as in ``sweep``; a
        mapping says where they begin. ``bounds``: ranges (``"0.1..10"``, ``"1e-3..1 log"``) or
        pairs. ``deviations``: standard deviations of samples, by observables (``{"O.angle": "0.1
        deg"}``); otherwise those of the residuals, one for each observable. ``how``: any argument
        of ``simulate`` but its times. ``progress`` is told every iteration. Needs ``pliant[fit]``.
        """
        from pliant.analysis.fitting.fit import fitted

        return fitted(
            self, data, parameters, bounds, deviations=deviations, progress=progress,
            most=max_runs, how={**how, "outputs": outputs, "params": params},
        )  # fmt: skip

    def minimise(
        self,
        objective: str,
        parameters: Iterable[str] | Mapping[str, Any],
        bounds: Mapping[str, Any] | None = None,
        constraints: Sequence[str] = (),
        *,
        params: Mapping[str, Any] | None = None,
        progress: Callable[[Step], None] | None = None,
        max_iterations: int = 100,
        **how: Any,
    ) -> Optimum:
        """Numbers for which a score of a run is as small as it gets nearby::

            best = crank.minimise("max A.force", ["l1"], {"l1": "0.1..0.3"},
                                  ["span slider.position.x >= 0.25"])

        ``objective``: ``max``, ``min``, ``mean``, ``rms``, ``span``, ``abs`` or ``last`` of an
        observable over a run, as in ``Sweep.score``; with a minus sign before it, it is made as
        large as it gets. ``constraints``: relations of such scores to numbers. ``parameters`` and
        ``bounds`` as in ``fit``. ``how``: any argument of ``simulate``. Needs ``pliant[fit]``.
        """
        from pliant.analysis.fitting.minimise import minimised

        return minimised(
            self, objective, parameters, bounds, constraints, progress=progress,
            most=max_iterations, how={**how, "params": params},
        )  # fmt: skip

    def sensitivities(
        self,
        parameters: str | Sequence[str],
        of: str | Sequence[str],
        *,
        t_end: Seconds | None = None,
        times: Sequence[float] | None = None,
        every: Seconds | None = None,
        params: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
        method: str = "auto",
        rtol: float | None = None,
        atol: float | None = None,
        integrator: str = "auto",
        formulation: str | None = None,
        tree: TreeChoice | None = None,
        cut: Iterable[str] = (),
    ) -> Sensitivities:
        """Exact derivatives of a motion by parameters, numbers and initial values::

            slopes = system.sensitivities(["l1", "T", "O.angle"], ["A.angle", "max S.force"])
            slopes["A.angle"].sel(parameter="T"), slopes.gradient

        ``parameters``: named ones, numbers by their paths (``bodies.rod.length``), initial values
        (``O.angle``). ``of``: observables over time (``O.angle``, ``tip.position``), and numbers
        made of the motion: ``last O.angle``, ``O.angle at 0.5``, ``max``, ``min``, ``abs`` (the
        largest absolute value), ``integral``, ``mean`` and ``rms`` of a scalar; at an event of the
        model ``ball.velocity at lands``, ``time of lands``.

        The motion starts from the initial state with ``params`` and other ``initial`` values, and
        is computed to ``rtol`` (1e-10) by ``integrator``. ``method``: ``forward`` carries a column
        for each parameter, ``adjoint`` goes backward once for each number, ``auto`` chooses.
        ``formulation``, ``tree`` and ``cut`` as in ``simulate``, with multipliers.
        ``result.info["error"]`` says how much derivatives change on intervals half as long.
        """
        from pliant.analysis.sensitivities import sensitivities

        return sensitivities(
            self, parameters, of, t_end=t_end, times=times, every=every, params=params,
            initial=initial, method=method, rtol=rtol, atol=atol, integrator=integrator,
            formulation=formulation, tree=tree, cut=tuple(cut),
        )  # fmt: skip

    def names(self) -> dict[str, str]:
        """Every observable of a run with its unit, as ``Result.names`` lists them afterwards."""
        from pliant.backends.choose import usual_back_end

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
        progress: Callable[[float], None] | None = None,
        watch: Callable[[Result], None] | None = None,
        max_memory: float | str | None = None,
    ) -> Result:
        """Motion of a fully driven system, with the driving torques and reactions.

        Positions, velocities and accelerations follow from the constraints alone; torques and
        reactions from the equations of motion (inverse dynamics). The integrator leads from one
        output time to the next, so that the assembly keeps its branch, and adds up work.
        ``progress`` and ``watch`` as in ``simulate``.

        >>> rod = pl.RigidBody.rod("rod", "1 m", mass="2 kg")
        >>> pin = pl.Revolute("pin", "ground", "rod")
        >>> turn = pl.JointDriver("turn", "pin", motion="2*t")
        >>> driven = pl.System(bodies=[rod], joints=[pin], drivers=[turn])
        >>> driven.kinematics(t_end=1)["turn.torque"].units
        'N*m'
        """
        from pliant.analysis.guard import seconds
        from pliant.analysis.kinematics import kinematics
        from pliant.backends.choice import Choice
        from pliant.backends.request import Request

        choice = Choice.of(self, formulation=formulation, tree=tree, cut=cut, form=form)
        end, interval = seconds(self, params, t_end=t_end, every=every)
        result = kinematics(self, Request(
            t_end=end, choice=choice, every=interval, times=times, params=params,
            outputs=outputs, progress=progress, watch=watch, max_memory=max_memory,
        ))  # fmt: skip
        return result.warned(self.doubts(params))

    inverse = kinematics
    """Torques and forces of the drivers for the motion they prescribe: the same."""

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

        >>> rest = pl.load("examples/machine_on_mounts.yaml").statics()
        >>> rest.info["stability"]
        'stable'
        """
        from pliant.analysis.guard import seconds
        from pliant.analysis.power.internal_balance import balanced
        from pliant.analysis.statics import statics
        from pliant.backends.choice import Choice
        from pliant.backends.request import RestRequest, asked_for

        choice = Choice.of(self, formulation=formulation, tree=tree, cut=cut)
        (at,) = seconds(self, params, t=t)
        result = statics(self, RestRequest(
            t=at, load_steps=load_steps, method=method, hold=_names(hold), choice=choice,
            params=params, outputs=outputs, path=path, critical=critical,
        ))  # fmt: skip
        return balanced(self, result, asked_for(self, outputs)).warned(self.doubts(params))

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

        >>> modes = pl.load("examples/pendulum.yaml").modes(at="equilibrium")
        >>> f"{modes[0].frequency:.4f} Hz"
        '0.4985 Hz'
        """
        from pliant.analysis.guard import seconds
        from pliant.analysis.modes import modes
        from pliant.backends.choice import Choice

        (time,) = seconds(self, params, t=t)
        result = modes(
            self, count, at=at, t=time, hold=_names(hold), params=params,
            choice=Choice.of(self, formulation=formulation, tree=tree, cut=cut),
        )  # fmt: skip
        return result.warned(self.doubts(params))

    def check(self, params: Mapping[str, Any] | None = None) -> CheckReport:
        """Degrees of freedom, redundant constraints by name, and remarks on the initial state.

        >>> pl.load("examples/planar_slider_crank.yaml").check().freedom
        1
        """
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

        >>> pl.load("examples/pendulum.yaml").verify(pointwise=True).agree
        True
        """
        from pliant.analysis.guard import seconds
        from pliant.analysis.verification.states import no_progress
        from pliant.analysis.verification.verify import verify

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
        from pliant.analysis.advice.advise import advise
        from pliant.analysis.guard import seconds
        from pliant.analysis.verification.states import no_progress

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
        from pliant.analysis.power.audit import power_audit

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
        from pliant.analysis.export import exported
        from pliant.analysis.guard import seconds
        from pliant.backends.choice import Choice

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

        >>> graph = pl.load("examples/planar_slider_crank.yaml").graph()
        >>> graph.svg()[:4]
        '<svg'
        """
        from pliant.analysis.graphs.view import graph_view
        from pliant.backends.choice import Choice

        choice = Choice.of(self, tree=tree, cut=cut)
        return graph_view(self, kind, choice, params, virtual_work=virtual_work, full=full)

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

        >>> equations = pl.load("examples/pendulum.yaml").equations()
        >>> "9.81*L*m*cos(pivot)" in equations.text()
        True
        """
        from pliant.analysis.equations import readable
        from pliant.backends.choice import WRITTEN_FORMS, Choice

        choice = Choice.of(
            self, formulation=formulation, tree=tree, cut=cut, form=form, independent=independent,
            truncate=truncate, forms=WRITTEN_FORMS,
        )  # fmt: skip
        return readable(self, choice, names, max_terms, form)

    def picture(
        self, path: str | Path | None = None, *, time: Seconds | None = None,
        params: Mapping[str, Any] | None = None, **options: Any,
    ) -> Any:  # fmt: skip
        """A still of the 3-D view, an image of Pillow: of the start as it is assembled; with
        ``time``, of a run until then, as the ``simulate`` section says. Options and ``path`` as in
        ``Result.picture``."""
        from pliant.analysis.guard import seconds

        if time is None:
            return ABOVE["start_picture"](self, path, params, **options)
        (at,) = seconds(self, params, time=time)
        analysis = self.model.settings.analysis
        if analysis == "statics":
            return self.statics(t=at, params=params).picture(path, **options)
        verb = self.simulate if analysis == "transient" else getattr(self, analysis)
        return verb(t_end=at, params=params).require().picture(path, time=at, **options)

    def studio(self, *, port: int = 0, browser: bool = True) -> None:
        """Look at this model in the browser: its text without a file, its views, runs of it.

        It is served on this machine only until Ctrl-C, or until an hour after the last window was
        closed; in a notebook it goes on in the background.
        """
        ABOVE["studio"](self, port=port, browser=browser)

    def __repr__(self) -> str:
        m = self.described
        return brief(f"<pliant.System: {m.headline()}>")

    def _repr_html_(self) -> str:
        html: str = ABOVE["system_html"](self)
        return html


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    """One name or several."""
    return (names,) if isinstance(names, str) else tuple(names)


load = System.load
loads = System.loads
