"""docs/benchmarks.md from outcomes: what was run, on what machine, and how to repeat it."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from pliant.bench.case import Outcome
from pliant.bench.derivation import Derived
from pliant.bench.growth import Grown

_HEAD = """# Benchmarks

Made by `make bench` (which installs the peers in an environment of its own) or `pliant bench`.
Both sides run in turn in one process, the best of several rounds counts; trust ratios, not
absolute times. Timed is the compiled integration with sampled outputs on both sides; what Pliant
does around it in Python (wrapping) and getting ready (derivation, compilation, building the model)
are reported apart. Pliant runs at the loosest tolerance (or the longest step) whose error, like
that of all tighter ones, is no larger than the peer's.
"""


def page(
    outcomes: Sequence[Outcome], derived: Sequence[Derived] = (), grown: Sequence[Grown] = ()
) -> str:
    """The whole page."""
    lines = [_HEAD, *_machine(), ""]
    lines += [*_table(outcomes), "", *_details(outcomes), ""] if outcomes else []
    lines += [*_growth(grown), ""] if grown else []
    lines += [*_derivation(derived), ""] if derived else []
    return "\n".join(lines)


def _machine() -> list[str]:
    versions = [f"{p} {_version(p)}" for p in ("pliant", "exudyn", "pin", "numpy")]
    return [f"Machine: {platform.machine()}, {_processor()}, {platform.system()}; Python "
            f"{platform.python_version()}; {', '.join(versions)}."]  # fmt: skip


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _table(outcomes: Sequence[Outcome]) -> list[str]:
    rows = [
        "| case | peer: ms per simulated s | error | Pliant: ms per simulated s | error "
        "| ratio | wanted |",
        "|---|---|---|---|---|---|---|",
    ]
    for o in outcomes:
        d = o.case.duration
        rows.append(
            f"| {o.case.title} | {1e3 * o.peer_time / d:.3g} | {o.peer_error:.1e} | "
            f"{1e3 * o.pliant_time / d:.3g} | {o.pliant_error:.1e} | **{o.ratio:.3g}** | "
            f"{o.case.wanted:g} |"
        )
    return rows


def _details(outcomes: Sequence[Outcome]) -> list[str]:
    lines = ["## What was run", ""]
    for o in outcomes:
        lines.append(
            f"- `{o.case.name}`: {o.peer.program} ({o.peer.setting}) against Pliant "
            f"({o.pliant.setting}); {o.case.measure} against: {o.case.reference}. {_per_step(o)}"
            f"Getting ready: Pliant {o.pliant.prepared:.2f} s; wrapping of a run: "
            f"{1e3 * o.wrapping:.2f} ms."
        )
    return lines


def _derivation(derived: Sequence[Derived]) -> list[str]:
    lines = [
        "## Derivation", "",
        "Seconds from the model to equations that can be read (`system.equations()`), not printed.",
        "", "| case | coordinates | terms | s | wanted |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for d in derived:
        lines.append(
            f"| `{d.case.name}`: {d.case.title} | {d.coordinates} | {d.terms} | {d.seconds:.2f} | "
            f"{d.case.wanted:g} |"
        )
    return lines


def _growth(grown: Sequence[Grown]) -> list[str]:
    lines = [
        "## Growth", "",
        "Time of one implicit step (2.5 ms, generalized-alpha, Newton's method to 1e-10) of the",
        "spin-up by the block-sparse solver. Linear residual: |b - A d|/|b| (largest entries) of",
        "the first Newton system of a step.",
        "Error: of the motion over 8 s at a step of 50 ms, against the certified one.",
    ]  # fmt: skip
    for g in grown:
        lines += [
            "", f"`{g.case.name}`: {g.case.title}. Time per Newton iteration goes with the number "
            f"to the power {g.exponent:.2f} (wanted: at most {g.case.exponent:g}).", "",
            "| number | µs per step | iterations | ns per iteration and element | linear residual "
            "| error |",
            "|---|---|---|---|---|---|",
        ]  # fmt: skip
        for s in g.sizes:
            each = 1e9 * s.seconds / s.iterations / s.elements
            error = "" if s.error is None else f"{s.error:.1e}"
            lines.append(
                f"| {s.elements} | {1e6 * s.seconds:.3g} | {s.iterations:.2f} | {each:.0f} | "
                f"{s.residual:.0e} | {error} |"
            )
    return lines


def _per_step(o: Outcome) -> str:
    """Microseconds per step, where both sides have told their steps."""
    if not (o.peer_steps and o.pliant_steps):
        return ""
    theirs, ours = 1e6 * o.peer_time / o.peer_steps, 1e6 * o.pliant_time / o.pliant_steps
    return f"Per step: {theirs:.3g} µs ({o.peer_steps}) and {ours:.3g} µs ({o.pliant_steps}). "
