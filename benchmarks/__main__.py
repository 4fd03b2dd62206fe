"""python -m benchmarks [CASE ...] [--rounds N] [-o FILE]: side by side with other programs.

Of a page that is there, only the parts whose cases were chosen are written anew; such a part says
on what machine."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from benchmarks import (
    beams,
    chains,
    derivation,
    gradients,
    growth,
    mechanisms,
    modal,
    overhead,
    studio,
    sweep_peer,
    sweeps,
)
from benchmarks.case import Outcome, Row, play
from benchmarks.derivation import Derived
from benchmarks.growth import Grown
from benchmarks.overhead import Spent
from benchmarks.page import Measured, page
from pliant.errors import CapabilityError, InputError, PliantError, UnknownName
from pliant.model.frozen import did_you_mean
from pliant.writing import checked_target, replace_text

PEERS: tuple[Row, ...] = (*mechanisms.CASES, *chains.CASES, *modal.CASES, *beams.CASES)
ALONE = (*overhead.CASES, *sweeps.CASES, *gradients.CASES, *overhead.COMMANDS, *growth.CASES,
         *derivation.CASES, *studio.CASES)  # fmt: skip
PARTS: tuple[tuple[str, ...], ...] = tuple(
    tuple(case.name for case in part)
    for part in (
        PEERS, sweep_peer.CASES, sweeps.CASES, growth.CASES, derivation.CASES,
        (*overhead.CASES, *gradients.CASES, *overhead.COMMANDS, *studio.CASES),
    )
)  # fmt: skip
"""Cases of the parts of the page."""
_EVERY = tuple(name for names in PARTS for name in names)
MODULES = {"Exudyn": "exudyn", "Pinocchio": "pinocchio"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run cases; 1 if numbers disagree or something wanted is not reached, 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="cases to run (default all)")
    parser.add_argument("--rounds", type=int, default=7, help="median of so many rounds (7)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the page (Markdown)")
    options = parser.parse_args(arguments)
    try:
        found = measure(options.cases, max(1, options.rounds), options.output)
    except PliantError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("benchmarks: interrupted", file=sys.stderr)
        return 130
    return 0 if found.reached else 1


def measure(names: Sequence[str], rounds: int, output: str | None = None) -> Measured:
    """Run the cases of these names (all without one), tell each, write the page."""
    works = {
        **{r.name: partial(_played, r) for r in PEERS},
        **{c.name: partial(_spent, c) for c in overhead.CASES},
        **{c.name: partial(_swept, c) for c in sweeps.CASES},
        **{c.name: partial(_gradient, c) for c in gradients.CASES},
        **{c.name: partial(_beside, c) for c in sweep_peer.CASES},
        **{c.name: partial(_cost, c) for c in overhead.COMMANDS},
        **{c.name: partial(_waited, c) for c in studio.CASES},
        **{c.name: partial(_grown, c) for c in growth.CASES},
        **{c.name: partial(_derived, c) for c in derivation.CASES},
    }
    for name in names:
        if name not in works:
            raise UnknownName(f"no benchmark '{name}'", did_you_mean(name, works))
    chosen = list(names) or list(works)
    _require(chosen)
    before = ""
    if output:
        before = _before(checked_target(output), chosen)
    measured = Measured(chains.kernel_per_body(rounds))
    print(f"rigid kernel: {1e6 * measured.kernel:.3f} µs per body, aims are scaled by "
          f"{measured.scale:.2f}", flush=True)  # fmt: skip
    for k, name in enumerate(chosen, start=1):
        print(f"[{k}/{len(chosen)}] {name} ...", end=" ", flush=True)
        print(works[name](measured, rounds), flush=True)
    if output:
        replace_text(output, page(measured, before))
        print(f"wrote {output}")
    return measured


def _before(path: Path, chosen: Sequence[str]) -> str:
    """The page as it is, if only parts of it are to be written; these are written as a whole."""
    if not path.exists() or {*chosen} >= {*_EVERY}:
        return ""
    for names in PARTS:
        missing = [name for name in names if name not in chosen]
        if len(missing) < len(names) and missing:
            raise InputError(f"{path}: a part of this page needs also {', '.join(missing)}",
                             "choose them, too, or another file")  # fmt: skip
    return path.read_text(encoding="utf-8")


def _require(chosen: Sequence[str]) -> None:
    """One message on all programs that are missing."""
    needed = {r.program for r in PEERS if r.name in chosen}
    needed |= {c.program for c in sweep_peer.CASES if c.name in chosen}
    missing = sorted(p for p in needed if find_spec(MODULES[p]) is None)
    if missing:
        alone = ", ".join(c.name for c in ALONE)
        raise CapabilityError(
            f"{' and '.join(missing)} not installed: `make bench` does that in an environment of "
            f"its own; cases that need no other program: {alone}"
        )


def _played(row: Row, m: Measured, rounds: int) -> str:
    o: Outcome = play(row, rounds)
    m.outcomes.append(o)
    return (
        f"ratio {o.ratio:.3g}, to the compiled loop {o.loop_ratio:.3g} (wanted {row.wanted:g}); "
        f"errors {o.peer_error:.1e} and {o.error:.1e}{'' if o.agrees else ': NUMBERS DISAGREE'}"
    )


def _spent(case: overhead.Overhead, m: Measured, rounds: int) -> str:
    return _told(overhead.spend(case), m)


def _swept(case: sweeps.Sweeping, m: Measured, rounds: int) -> str:
    found = sweeps.swept(case, min(rounds, 3))
    m.swept.append(found)
    return str(found)


def _gradient(case: gradients.Gradient, m: Measured, rounds: int) -> str:
    found = gradients.cost(case, min(rounds, 5))
    return f"{_told(found, m)}; {found.title}"


def _beside(case: sweep_peer.Beside, m: Measured, rounds: int) -> str:
    found = sweep_peer.beside(case, min(rounds, 3))
    m.beside.append(found)
    return str(found)


def _cost(command: overhead.Command, m: Measured, rounds: int) -> str:
    return _told(overhead.command_cost(command, min(rounds, 3)), m)


def _waited(case: studio.Waiting, m: Measured, rounds: int) -> str:
    return _told(studio.waited(case), m)


def _told(s: Spent, m: Measured) -> str:
    m.spent.append(s)
    said = "" if s.agrees else ": DIFFERS from a system on its own"
    return f"{1e3 * s.seconds:.3g} ms (aim {1e3 * s.aim:g}, here {1e3 * s.aim * m.scale:.3g}){said}"


def _grown(case: growth.Growth, m: Measured, rounds: int) -> str:
    g: Grown = growth.grow(case, rounds)
    m.grown.append(g)
    times = ", ".join(f"{s.elements}: {1e6 * s.compiled / growth.STEPS:.3g} µs" for s in g.sizes)
    return f"per step {times}; power {g.exponent:.2f} (wanted {case.exponent:g})"


def _derived(case: derivation.Derivation, m: Measured, rounds: int) -> str:
    d: Derived = derivation.derive(case, rounds)
    m.derived.append(d)
    return f"{d.seconds:.2f} s (aim {case.aim:g}); {d.coordinates} coordinates, {d.terms} terms"


if __name__ == "__main__":
    sys.exit(main())
