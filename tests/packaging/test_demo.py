"""The demo says what can be run."""

import importlib.util
import shlex
from pathlib import Path

import pliant as pl
from pliant.cli.main import parser

SCRIPT = Path(__file__).parents[2] / "scripts" / "demo.py"


def demo():
    spec = importlib.util.spec_from_file_location("demo", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_steps_write_what_it_says_to_open():
    written = set()
    for _, words in demo().STEPS:
        options = parser().parse_args(shlex.split(words.format(model="m.yaml", out="out")))
        named = getattr(options, "output", None) or ()
        written |= {Path(n).name for n in ([named] if isinstance(named, str) else named)}
    assert {name for name, _ in demo().SEE} == written


def test_the_rigid_twin_does_not_bend():
    system = pl.load(demo().MODEL)
    twin = pl.System(demo().rigid_twin(system))
    assert twin.check().freedom == system.check().freedom - 2  # two shapes of the coupler
    assert twin.described.name == "rigid twin of the crank-rocker with a flexible coupler"
