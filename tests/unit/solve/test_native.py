"""The shipped machine code of integrators: current, complete, and equal to what numba makes."""

import importlib
import os
import pkgutil
import subprocess
import sys
import zipfile

from pliant import backends, solve
from pliant.solve.machine import native
from pliant.solve.machine.abi import MachineFunction

SCRIPT = """
import sys
import numpy as np
import pliant as pl
system = pl.load({model!r})
result = system.simulate(0.3, every=0.05, rtol=1e-9, method={method!r})
print("numba" in sys.modules, *(repr(float(v)) for v in result.values("S.displacement")))
"""


def test_the_archive_was_made_from_these_sources():
    """If this fails: make native."""
    with zipfile.ZipFile(native.ARCHIVE) as archive:
        assert archive.read(native.STAMP).decode() == native.source_hash()


def test_every_compiled_function_is_in_the_archive():
    for room in (backends, solve):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if not module.name.endswith("numba_backend"):
                importlib.import_module(module.name)
    with zipfile.ZipFile(native.ARCHIVE) as archive:
        shipped = {n.removesuffix(".ll") for n in archive.namelist() if n.endswith(".ll")}
    own = {name for name in MachineFunction.registry if name.startswith(("backends.", "solve."))}
    assert shipped == own


def run(method, native_code):
    """Whether numba was imported, and what was computed. It translates the sources without making
    the code faster, which takes half as long, and keeps that apart from code that is used."""
    plain = {"NUMBA_OPT": "0", "NUMBA_CACHE_DIR": f"{os.environ['PLIANT_CACHE_DIR']}-numba"}
    model = os.path.join(os.path.dirname(__file__), "../../../examples/planar_slider_crank.yaml")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(model=model, method=method)],
        capture_output=True, text=True, check=True,
        env={**os.environ, **plain, "PLIANT_NATIVE": native_code},
    )  # fmt: skip
    used, *values = done.stdout.split()
    return used == "True", [float(v) for v in values]


def test_shipped_code_needs_no_numba_and_computes_the_same():
    with_numba, expected = run("dop853", "0")
    shipped, values = run("dop853", "1")
    assert with_numba
    assert not shipped
    assert max(abs(a - b) for a, b in zip(values, expected, strict=True)) < 1e-10
