"""pliant run MODEL: simulate, save, plot, and say how it went."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from pliant.cli.colour import painted
from pliant.cli.common import (
    add_choice,
    choice_of,
    integrators,
    new_command,
    observables,
    print_json,
    treatments,
)
from pliant.cli.help import takes, takes_of_model
from pliant.cli.progress import RunProgress, run_progress
from pliant.cli.results import KINDS, conclude, save, summary, wanted_outputs
from pliant.errors import InputError, Interrupted


def add_to(commands: Any) -> None:
    """Register the command."""
    c = new_command(
        commands, run, "simulate a model",
        "Simulate a model and save its observables. Anything not given is taken from "
        "the `simulate` section of the model.",
        KINDS, ".csv or .nc for the numbers, .png, .svg or .pdf for a plot, .html for the moving "
        "page; repeatable",
        ("crank.yaml -o crank.csv -o crank.html",
         "crank.yaml --set 'T=2 N*m' --t-end 500ms --observe O.angle,energy"),
    )  # fmt: skip
    c.add_argument("--analysis", choices=("transient", "kinematics", "inverse", "statics"))
    add_choice(c)
    add_integration(c)
    c.add_argument("--start", choices=("undeformed", "equilibrium"),
                   help="begin at the initial state (default) or in equilibrium")  # fmt: skip
    c.add_argument("--load-steps", type=int, metavar="N",
                   help="statics: samples along the load factor (1)")  # fmt: skip
    takes_of_model(
        c.add_argument("--observe", metavar="NAME,...", help="observables to report (default all)"),
        observables,
    )
    c.add_argument("--list", action="store_true",
                   help="list the observables with their units; nothing is run")  # fmt: skip
    c.add_argument("--quiet", action="store_true", help="no progress, no summary")


def add_integration(c: argparse.ArgumentParser) -> None:
    """How a run is integrated and sampled."""
    takes(c.add_argument("--method", metavar="M", help="integrator"), integrators)
    takes(c.add_argument("--constraints", metavar="C", help="constraint treatment"), treatments)
    c.add_argument("--t-end", metavar="T", help="end time (0.5, 500ms)")
    c.add_argument("--rtol", type=float, metavar="R", help="relative tolerance")
    c.add_argument("--step", metavar="H", help="step of a fixed-step method")
    c.add_argument("--every", metavar="DT", help="interval between outputs")
    c.add_argument("--max-memory", metavar="SIZE",
                   help="memory for the samples, such as 8GB (half of what is free)")  # fmt: skip


def check_integration(options: argparse.Namespace) -> None:
    """Refuse bad numbers before computing anything."""
    if options.rtol is not None and not options.rtol > 0:
        raise InputError(f"--rtol {options.rtol:g}: not above zero")


def exit_code(result: Any) -> int:
    """1, with the reason, if a run stopped early; 130 if Ctrl-C ended it."""
    if not result.failure:
        return 0
    print(f"pliant: the run stopped early: {result.failure}", file=sys.stderr)
    return 130 if result.info.get("failure_code") == "interrupted" else 1


def run(system: Any, options: argparse.Namespace) -> int:
    """Simulate; exit code 1 if the run stopped early (what was computed is saved)."""
    if options.list:
        return _list(system, options)
    check_integration(options)
    analysis = options.analysis or system.model.settings.analysis
    observe = options.observe.split(",") if options.observe else None
    common: dict[str, Any] = dict(
        t_end=options.t_end, every=options.every, params=options.params,
        max_memory=options.max_memory,
        outputs=wanted_outputs(system.model, observe, options.output),
    )  # fmt: skip
    if analysis == "statics":
        _refuse(analysis, options, ("form", "independent", "truncate", "method", "constraints",
                                    "rtol", "step", "t_end", "every", "start"))  # fmt: skip
        result = system.statics(
            load_steps=1 if options.load_steps is None else options.load_steps,
            formulation=options.formulation,
            tree=choice_of(options)["tree"], params=common["params"], outputs=common["outputs"],
        )  # fmt: skip
        return conclude(result, options, observe)
    try:
        progress = run_progress(system, options.params, options.t_end, options.quiet)
        with progress.shown():
            result = _computed(system, analysis, options, common, progress)
    except Interrupted as stopped:
        result = stopped.result
    save(result, options.output, observe)
    if options.json:
        print_json(summary(result))
    elif not options.quiet:
        _report(result, options.output)
    return exit_code(result)


def _list(system: Any, options: argparse.Namespace) -> int:
    """Observables by name with their units: of all, or of those that are asked for."""
    from pliant.backends.choose import usual_back_end
    from pliant.observe.selection import selected

    known = usual_back_end(system).back_end.known(system)
    asked = known if not options.observe else selected(known, options.observe.split(","))
    units = {name: known[name].unit for name in known if name in asked}
    if options.json:
        print_json(units)
        return 0
    width = max(map(len, units), default=0)
    for name, unit in units.items():
        print(f"{name:{width}s}  {unit or '1'}")
    return 0


def _computed(
    system: Any, analysis: str, options: argparse.Namespace, common: Mapping[str, Any],
    progress: RunProgress,
) -> Any:  # fmt: skip
    """The result of a run; what does not go with its analysis is refused."""
    choice = choice_of(options)
    _refuse(analysis, options, ("load_steps",))
    if analysis == "transient":
        return system.simulate(
            **common, **choice, method=options.method,
            constraints=options.constraints, rtol=options.rtol, step=options.step,
            start=options.start, progress=progress.at,
        )  # fmt: skip
    _refuse(analysis, options, ("independent", "truncate", "method", "constraints", "rtol", "step",
                                "start"))  # fmt: skip
    how = {key: choice[key] for key in ("formulation", "tree", "form")}
    return getattr(system, analysis)(**common, **how)


def _prepared(result: Any) -> str:
    """What went before the first step, apart from the run."""
    seconds = result.info.get("prepared_in")
    return "" if seconds is None else f", prepared in {seconds:.3g} s"


def _refuse(analysis: str, options: argparse.Namespace, names: Sequence[str]) -> None:
    given = [f"--{name.replace('_', '-')}" for name in names if getattr(options, name) is not None]
    if given:
        raise InputError(f"{', '.join(given)}: not for --analysis {analysis}", "leave it out")


def _report(result: Any, outputs: list[str]) -> None:
    stats = result.info.get("statistics", {})
    print(f"{result.info.get('model') or 'model'}: {result.time[0]:g} to {result.time[-1]:g} s, "
          f"{len(result)} samples of {len(result.columns())} columns")  # fmt: skip
    print(f"  {result.info.get('formulation')}, {result.info.get('method')}: "
          f"{int(stats.get('steps', 0))} steps, {int(stats.get('rejected', 0))} rejected, "
          f"{stats.get('seconds', 0.0):.3g} s{_prepared(result)}")  # fmt: skip
    if "energy" in result.info:
        print(f"  energy: {result.info['energy']}")
    for warning in result.warnings:
        print(painted(f"  warning: {warning}", "doubtful"))
    for event in result.events:
        print(f"  event {event.name} at t = {event.time:.9g} s {event.message}".rstrip())
    for name in outputs:
        print(f"  wrote {name}")
    if not outputs:
        from pliant.show.curves.choice import default_names

        print("  final values (use -o out.csv to keep everything):")
        for name in default_names(result)[:16]:
            print(f"    {name:36s} {result.values(name)[-1]: .9g} {result.unit(name)}")
