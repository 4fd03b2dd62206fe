"""What Pliant is for, in a minute: a DC motor drives a four-bar linkage whose coupler bends.

python scripts/demo.py [FOLDER]        writes to FOLDER (out) and says what to open
"""

from __future__ import annotations

import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path

import pliant as pl
from pliant.cli import main
from pliant.model.files import dump

MODEL = Path(__file__).parents[1] / "examples" / "crank_rocker.yaml"
STEPS = (
    ("Is the model sound, and what is redundant?", "check {model}"),
    ("One second of it, with energy balance: numbers, plot, moving page.",
     "run {model} -o {out}/crank_rocker.nc -o {out}/crank_rocker.png -o {out}/crank_rocker.html"),
    ("A still of it, drawn without a screen.",
     "picture {out}/crank_rocker.nc --time 0.934 --magnification 10 -o {out}/machine.png"),
    ("The same motion in five formulations, compared.", "verify {model} -o {out}/verdict.html"),
    ("Its multibond graph, motor and mechanism in one, with causality.",
     "graph {model} --kind bond -o {out}/bond_graph.svg"),
    ("Where the energy went.", "audit {model} --every 2ms -o {out}/energy.png"),
    ("The equations of its rigid twin, to read.",
     "equations {out}/rigid_twin.yaml --form augmented"),
)  # fmt: skip
SEE = (
    ("crank_rocker.html",
     "the machine in motion, plots beside it; colour its coupler by bending moment or stress"),
    ("machine.png", "a still at 0.934 s, deflection drawn ten times as large"),
    ("crank_rocker.png", "angles, current and deflection over time"),
    ("bond_graph.svg",
     "the multibond graph: half arrows, causal strokes, states that depend on others"),
    ("energy.png", "energy from the supply through the motor to bodies and losses"),
    ("verdict.html", "what verify compared, and how far formulations are apart"),
    ("crank_rocker.nc", "all numbers: pliant show, plot, compare, or xarray"),
)  # fmt: skip


def demo(out: Path) -> int:
    """Run all steps; the exit code of the first that fails."""
    out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    twin = rigid_twin(pl.load(MODEL))
    (out / "rigid_twin.yaml").write_text(dump(twin), encoding="utf-8")
    for what, words in STEPS:
        print(f"\n{what}\n$ pliant {words.format(model=shown(MODEL), out=out)}", flush=True)
        code = main(shlex.split(words.format(model=shlex.quote(str(MODEL)), out=out)))
        if code:
            return code
    print(f"\nDone in {time.monotonic() - began:.0f} s. Open")
    width = max(len(str(out / name)) for name, _ in SEE)
    for name, sentence in SEE:
        print(f"  {out / name!s:{width}s}  {sentence}")
    print("All of it in one page, live: make studio")
    return 0


def rigid_twin(system: pl.System) -> pl.Model:
    """The same machine with bodies that do not bend."""
    bodies = [replace(b, theory="rigid") if isinstance(b, pl.Beam) else b
              for b in system.described.bodies.values()]  # fmt: skip
    name = f"rigid twin of the {system.described.name}"
    return system.described.with_(bodies=bodies, name=name)


def shown(path: Path) -> str:
    """A path as one would type it here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


if __name__ == "__main__":
    sys.exit(demo(Path(sys.argv[1] if sys.argv[1:] else "out")))
