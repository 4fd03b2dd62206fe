"""pliant sweep MODEL: many runs that differ in what is varied."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pliant.cli.commands.run import add_integration, check_integration
from pliant.cli.common import (
    add_choice,
    choice_of,
    names_in,
    new_command,
    observables,
    print_json,
)
from pliant.cli.help import takes, takes_of_model
from pliant.cli.progress import Line
from pliant.errors import InputError, Interrupted

_PICTURES = (".png", ".svg", ".pdf")
_PAGE = ".html"


def add_to(commands: Any) -> None:
    """Register the command."""
    c = new_command(
        commands, sweep, "many runs that differ in what is varied",
        "Run a model many times, with other parameters, numbers, initial values or choices. With "
        "--store the runs are kept as they are computed, and the same command goes on where it was "
        "stopped.",
        (".nc", ".csv", _PAGE, *_PICTURES), ".nc for all runs, .csv for a row of each run, .html "
        "for a page to look into them, .png, .svg or .pdf for a picture of what is observed; "
        "repeatable",
        ("crank.yaml --vary T=0.5..2 --samples 1000 --store crank.sweep",
         "crank.yaml --vary l=0.2..0.4:21 --vary method=radau,dop853 -o all.nc -o all.html"),
    )  # fmt: skip
    c.add_argument("--vary", action="append", default=[], metavar="NAME=VALUES",
                   help="a range (T=0.5..2, T='0.5 N*m..2 N*m', d=1e-3..1 log, T=0.5..2:11) or "
                   "values (method=radau,dop853); repeatable")  # fmt: skip
    c.add_argument("--samples", type=int, metavar="N",
                   help="runs; of a grid along each range, of saltelli its base")  # fmt: skip
    takes(c.add_argument("--plan", metavar="P", help="how values are chosen"),
          _kinds)  # fmt: skip
    c.add_argument("--seed", type=int, default=0, metavar="K", help="of plans by chance (0)")
    c.add_argument("--store", metavar="FOLDER", help="where runs are kept as they are computed")
    c.add_argument("--workers", metavar="W",
                   help="a number of processes, or the address of a Dask scheduler "
                   "(tcp://host:8786)")  # fmt: skip
    c.add_argument("--best", action="append", default=[], metavar="WISH",
                   help="the run that meets it (\"max slider speed\"); repeatable")  # fmt: skip
    c.add_argument("--sobol", action="append", default=[], metavar="SCORE",
                   help="Sobol indices of a score (\"max slider speed\"), with --plan "
                   "saltelli; repeatable")  # fmt: skip
    add_choice(c)
    add_integration(c)
    c.add_argument("--start", choices=("undeformed", "equilibrium"),
                   help="begin at the initial state (default) or in equilibrium")  # fmt: skip
    takes_of_model(
        c.add_argument("--observe", metavar="NAME,...", help="observables to report (default all)"),
        observables,
    )
    c.add_argument("--quiet", action="store_true", help="no progress, no summary")


def sweep(system: Any, options: argparse.Namespace) -> int:
    """Run, save, tell; exit code 1 if no run was completed, 130 if Ctrl-C ended it."""
    check_integration(options)
    vary = varied(options.vary)
    _check(system, vary, options)
    code = 0
    show = Line(options.quiet)
    try:
        found = system.sweep(
            vary, samples=options.samples, plan=options.plan, seed=options.seed,
            store=options.store, workers=_workers(options.workers), params=options.params or None,
            outputs=names_in(options.observe), progress=lambda told: show(f"  {told}"),
            max_memory=options.max_memory, t_end=options.t_end, every=options.every,
            method=options.method, constraints=options.constraints, rtol=options.rtol,
            step=options.step, start=options.start, **choice_of(options),
        )  # fmt: skip
    except Interrupted as stopped:
        found, code = stopped.result, 130
    show.clear()
    _write(found, options)
    told = [found.best(wish) for wish in options.best]
    indices = {score: found.sobol(score) for score in options.sobol}
    if options.json:
        print_json({**found.as_dict(), "best": [b.as_dict() for b in told],
                    "sobol": {score: _indices(own) for score, own in indices.items()}})  # fmt: skip
    elif not options.quiet:
        print(found)
        for best in told:
            print(f"  {best}")
        for score, own in indices.items():
            _print_indices(score, own)
        for name in (*options.output, *([options.store] if options.store else [])):
            print(f"  wrote {name}")
    if code:
        print(f"pliant: {found.failure}", file=sys.stderr)
    return code or int(len(found.failures) == len(found))


def _check(system: Any, vary: Mapping[str, str], options: argparse.Namespace) -> None:
    """Raise InputError for what would be refused once everything is computed."""
    from pliant.backends.choose import usual_back_end
    from pliant.observe.selection import meant
    from pliant.results.sweeps.criterion import refuse_unknown
    from pliant.results.sweeps.indices import refuse_other_plans
    from pliant.show.page.page import page_script
    from pliant.show.page.sweep import SCRIPT

    if any(Path(name).suffix.lower() == _PAGE for name in options.output):
        page_script(SCRIPT)
    if options.sobol:
        refuse_other_plans(options.plan or "grid")
    wishes = (*options.best, *options.sobol)
    if wishes and all(name in system.model.all_parameters() for name in vary):
        known = usual_back_end(system).back_end.known(system)  # all runs tell the same
        hits = [meant(known, item) for item in names_in(options.observe) or ()]
        own = {n: known[n] for names in hits for n in names} if hits and all(hits) else known
        for text in wishes:
            refuse_unknown(text, own)


def _write(found: Any, options: argparse.Namespace) -> None:
    """Files by their endings; on a page wishes are scores."""
    for name in options.output:
        ending = Path(name).suffix.lower()
        if ending in _PICTURES:
            found.plot(*found.scalars[:4], path=name)
        elif ending == _PAGE:
            found.report(name, scores=[*options.best, *options.sobol] or None)
        else:
            found.save(name)


def varied(given: Sequence[str]) -> dict[str, str]:
    """Of --vary; no name may be given twice."""
    if not given:
        raise InputError("nothing is varied", "write for example --vary T=0.5..2 --samples 20")
    found: dict[str, str] = {}
    for item in given:
        name, equals, values = (part.strip() for part in item.partition("="))
        if not (equals and name and values):
            raise InputError(f"--vary {item}: not NAME=VALUES", "write for example --vary T=0.5..2")
        if name in found:
            raise InputError(f"'{name}' is varied twice", "name it once")
        found[name] = values
    return found


def _workers(given: str | None) -> int | str | None:
    return int(given) if given is not None and given.lstrip("-").isdigit() else given


def _kinds() -> Sequence[str]:
    from pliant.analysis.sweeps.plans import KINDS

    return KINDS


def _indices(found: Any) -> dict[str, Any]:
    return {key: dict(zip(found["name"].values.tolist(), found[key].values.tolist(), strict=True))
            for key in found.data_vars}  # fmt: skip


def _print_indices(score: str, found: Any) -> None:
    print(f"  Sobol indices of {score}: alone, with interactions")
    for k, name in enumerate(found["name"].values):
        first, total = (
            f"{found[key].values[k]:6.3f} ± {found[f'{key}_error'].values[k]:.3f}"
            for key in ("first", "total")
        )
        print(f"    {name:28s} {first}   {total}")
