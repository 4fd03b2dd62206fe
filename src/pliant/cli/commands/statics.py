"""pliant statics MODEL: equilibrium, reactions, stability."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from pliant.cli.commands.run import KINDS, save, summary, wanted_outputs
from pliant.cli.common import names_in, new_command, print_json

_METHODS = ("auto", "path", "relax", "sparse")
_PATHS = ("load", "arc-length")


def add_to(commands: Any) -> None:
    """Register the command."""
    c = new_command(
        commands, statics, "equilibrium, reactions, stability",
        "Find an equilibrium of a model from its initial position, drivers standing "
        "where they are at the start. Exit code 1 if there is none.",
        KINDS, ".csv, .nc, .png, .svg, .pdf or .html; repeatable",
    )  # fmt: skip
    c.add_argument("--at-time", metavar="T", help="time of drivers and loads")
    c.add_argument("--load-steps", type=int, default=1, metavar="N",
                   help="samples along the load factor (1)")  # fmt: skip
    c.add_argument("--method", choices=_METHODS, default="auto", help="how it is searched")
    c.add_argument("--path", choices=_PATHS, default="load",
                   help="arc-length: through limit points, at most N points (200)")  # fmt: skip
    c.add_argument("--critical", action="store_true",
                   help="the load factor at which equilibrium is lost, and the mode")  # fmt: skip
    c.add_argument("--hold", metavar="NAME,...", default="",
                   help="coordinates or joints that stay where they are given")  # fmt: skip
    c.add_argument("--observe", metavar="NAME,...", help="observables to report (default all)")


def statics(system: Any, options: argparse.Namespace) -> int:
    """Solve, save, print; exit code 1 without an equilibrium."""
    observe = options.observe.split(",") if options.observe else None
    result = system.statics(
        t=options.at_time, load_steps=options.load_steps, method=options.method,
        hold=names_in(options.hold) or (), params=options.params,
        outputs=wanted_outputs(system.model, observe, options.output),
        path=options.path, critical=options.critical,
    )  # fmt: skip
    return conclude(result, options, observe)


def conclude(result: Any, options: argparse.Namespace, observe: list[str] | None) -> int:
    """Save and print an equilibrium."""
    save(result, options.output, observe)
    if options.json:
        more = {k: result.info[k] for k in _TOLD if k in result.info}
        print_json({**summary(result), **more})
    elif not getattr(options, "quiet", False):
        _print(result, options.output)
    if result.failure:
        print(f"pliant: {result.failure}", file=sys.stderr)
        return 1
    return 0


_TOLD = ("stability", "load_factor", "critical_load", "limit_loads", "mode")


def _print(result: Any, outputs: list[str]) -> None:
    info = result.info
    found = "no equilibrium" if result.failure else f"{info['stability']} equilibrium"
    if "critical_load" in info:
        found = f"{info['stability']} at {info['critical_load']:.9g} times the load"
    print(f"{info.get('model') or 'model'}: {found}, {info['degrees_of_freedom']} degrees of "
          f"freedom, {int(info['statistics']['iterations'])} iterations")  # fmt: skip
    if "mode" in info:
        moved = ", ".join(f"{name} {size:.3g}" for name, size in info["mode"].items())
        print(f"  it gives way at {moved}")
    for load in info.get("limit_loads", ()):
        print(f"  limit point at {load:.9g} times the load")
    for warning in result.warnings:
        print(f"  warning: {warning}")
    for name in outputs:
        print(f"  wrote {name}")
    if not outputs:
        from pliant.show.time_plot import default_names

        for name in default_names(result)[:24]:
            print(f"  {name:36s} {result.values(name)[-1]: .9g} {result.unit(name)}")
