"""Golden series: every observable of every example and element kind, on every back end.

    python scripts/golden.py record FILE
    python scripts/golden.py compare FILE

A change of how the program is built must leave them as they are: the same names, units, kinds,
labels and uniqueness, and values to 1e-12 of the largest of their kind. Instruction counts of the
compiled functions are recorded beside, since a value does not show what it costs.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ["PLIANT_QUICK"] = "1"
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from tests.cross.test_examples import ENDS, load
from tests.models.element_kinds import CASES

from pliant.backends.choice import Choice
from pliant.backends.expressions.code import derive
from pliant.backends.tree import run as large
from pliant.code.compile import _outputs, function_of, packed
from pliant.errors import PliantError

SAMPLES = 3
TOLERANCE = 1e-12
NEVER = 10**9


def by_expressions(system: Any, t_end: float) -> Any:
    large.THRESHOLD = NEVER
    return system.simulate(t_end, every=t_end / SAMPLES, rtol=1e-8, outputs=["*"],
                           formulation="recursive")  # fmt: skip


def by_tree(system: Any, t_end: float) -> Any:
    large.THRESHOLD = 0
    result = system.simulate(t_end, every=t_end / SAMPLES, rtol=1e-8, outputs=["*"])
    return result if result.info.get("kernel") == "tree" else None


def by_blocks(system: Any, t_end: float) -> Any:
    return system.simulate(t_end, every=t_end / SAMPLES, step=t_end / 30, outputs=["*"],
                           method="sparse-alpha")  # fmt: skip


BACK_ENDS: dict[str, Callable[[Any, float], Any]] = {
    "expressions": by_expressions, "tree": by_tree, "blocks": by_blocks,
}  # fmt: skip


def models() -> Iterator[tuple[str, Any, float]]:
    for name, t_end in ENDS.items():
        yield f"example {name}", lambda name=name: load(name), t_end / 4
    for name, make in CASES.items():
        yield f"kind {name}", make, 0.02


def instructions(system: Any) -> dict[str, int]:
    """Length of every function of the recursive form."""
    e = derive(system, Choice())
    parts = _outputs(e, e.told.observables).items()
    made = {name: function_of(e, name, packed(make())[0]) for name, make in parts}
    return {name: int(f.n_instructions()) for name, f in made.items()}


def recorded(result: Any) -> dict[str, Any]:
    return {
        name: {"unit": s.unit, "kind": s.kind, "labels": list(s.labels), "unique": list(s.unique),
               "values": np.asarray(s.values).tolist()}
        for name, s in result.series.items()
    }  # fmt: skip


def series() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for title, make, t_end in models():
        if title.startswith("example"):
            found[f"{title}, instructions"] = instructions(make())
        for back_end, run in BACK_ENDS.items():
            try:
                result = run(make(), t_end)
            except PliantError as error:
                found[f"{title}, {back_end}"] = {"declined": str(error).splitlines()[0]}
                continue
            if result is not None:
                found[f"{title}, {back_end}"] = {"failure": result.failure} | recorded(result)
            print(f"{title}, {back_end}", file=sys.stderr)
    return found


def scales(run: dict[str, Any]) -> dict[str, float]:
    """Largest value of each kind."""
    largest: dict[str, float] = {}
    for s in run.values():
        if isinstance(s, dict):
            size = float(np.abs(np.array(s["values"])).max(initial=0.0))
            largest[s["kind"]] = max(largest.get(s["kind"], 0.0), size)
    return largest


def differences(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    for title in sorted(old.keys() | new.keys()):
        if title not in old or title not in new:
            yield f"{title}: only {'before' if title in old else 'after'}"
            continue
        before, after, largest = old[title], new[title], scales(old[title])
        for name in sorted(before.keys() | after.keys()):
            a, b = before.get(name), after.get(name)
            if not (isinstance(a, dict) and isinstance(b, dict)):
                if a != b:
                    yield f"{title}: {name}: {str(a)[:100]} -> {str(b)[:100]}"
                continue
            for what in ("unit", "kind", "labels", "unique"):
                if a[what] != b[what]:
                    yield f"{title}: {name}: {what} {a[what]} -> {b[what]}"
            x, y = np.array(a["values"]), np.array(b["values"])
            gap = np.abs(x - y).max(initial=0.0) if x.shape == y.shape else np.inf
            if not gap <= TOLERANCE * max(largest[a["kind"]], 1e-300):
                yield f"{title}: {name}: off by {gap:.1e} of {largest[a['kind']]:.1e}"


def main(verb: str, file: str) -> int:
    path = Path(file)
    if verb == "record":
        np.savez_compressed(path, text=np.array(json.dumps(series())))
        return 0
    old = json.loads(str(np.load(path)["text"]))
    found = list(differences(old, series()))
    print("\n".join(found) or "all equal")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:3]))
