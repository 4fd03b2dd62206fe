"""What commands do with a result: files by their endings, a summary, an equilibrium in words."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pliant.cli.common import print_json

_RESULTS = (".csv", ".nc")
PICTURES = (".png", ".svg", ".pdf")
_PAGES = (".html",)
KINDS = (*_RESULTS, *PICTURES, *_PAGES)
_TOLD = ("stability", "load_factor", "critical_load", "limit_loads", "mode")


def wanted_outputs(model: Any, observe: list[str] | None, files: list[str]) -> list[str] | None:
    """What is observed: a page needs the motion of all bodies, whatever else is asked for."""
    if all(Path(name).suffix not in _PAGES for name in files):
        return observe
    from pliant.show.page import page_script, pose_names

    page_script()  # if it is missing, say so before computing anything
    asked = observe or list(model.settings.observe)
    return [*asked, *pose_names(model.bodies)] if asked else None


def save(result: Any, outputs: list[str], observe: list[str] | None) -> None:
    """Write a result to files, by the endings of their names."""
    named = [n for n in observe or () if n in result]
    for name in outputs:
        if Path(name).suffix in PICTURES:
            result.plot(*named, path=name)
        elif Path(name).suffix in _PAGES:
            result.report(name, plots=named or None)
        else:
            result.save(name)


def summary(result: Any) -> dict[str, Any]:
    """A result in short, for ``--json``."""
    energy = result.info.get("energy")  # its balance by its parts, or why there is none
    return {
        "model": result.info.get("model"), "t_end": float(result.time[-1]),
        "samples": len(result), "method": result.info.get("method"),
        "formulation": result.info.get("formulation"), "failure": result.failure,
        "warnings": list(result.warnings), "events": [[e.name, e.time] for e in result.events],
        "statistics": result.info.get("statistics"),
        "energy": energy if energy is None or isinstance(energy, str) else asdict(energy),
        "final": {name: float(result.values(name)[-1]) for name in result.columns()},
    }  # fmt: skip


def conclude(result: Any, options: argparse.Namespace, observe: list[str] | None) -> int:
    """Save and print an equilibrium."""
    save(result, options.output, observe)
    if options.json:
        more = {k: result.info[k] for k in _TOLD if k in result.info}
        print_json({**summary(result), **more})
    elif not getattr(options, "quiet", False):
        _tell(result, options.output)
    if result.failure:
        print(f"pliant: {result.failure}", file=sys.stderr)
        return 1
    return 0


def _tell(result: Any, outputs: list[str]) -> None:
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
        from pliant.show.curves.choice import default_names

        for name in default_names(result)[:24]:
            print(f"  {name:36s} {result.values(name)[-1]: .9g} {result.unit(name)}")
