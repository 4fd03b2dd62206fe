"""Compile exported source and call its functions, whatever the language."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from functools import cached_property

import numpy as np

from pliant.code.export import ENDINGS

OUTPUTS = {
    "mass_matrix": ("M",), "forcing": ("h",), "constraints": ("g",), "jacobian": ("G",),
    "velocity_constraints": ("cv",), "constraint_gamma": ("gamma",), "coordinate_rates": ("qdot",),
    "state_rates": ("xdot",), "forward_dynamics": ("qdot", "a", "xdot", "lam"),
    "dynamics_terms": ("M", "h", "G", "gamma", "qdot", "xdot"), "observables": ("y",),
}  # fmt: skip
FLAGS = {
    "c": ["gcc", "-std=c99", "-pedantic", "-Wall", "-Werror"],
    "fortran": ["gfortran", "-std=f2008", "-Wall", "-Werror",
                "-Wno-unused-dummy-argument", "-Wno-zerotrip"],
}  # fmt: skip


class Exported:
    """The functions of a source. ``shapes``: of their outputs, by name; ``main``: with its program,
    compiled once for both."""

    def __init__(self, text, language, shapes, folder, optimise="-O1", *, main=False):
        self.language, self.shapes, self.folder, self.text = language, shapes, folder, text
        self.options = ["-fPIC", optimise, *([] if main else ["-DNO_MAIN"])]
        self.file = folder / f"model{ENDINGS[language]}"
        self.file.write_text(text, encoding="utf-8")
        if language == "python":
            self.names = {"__name__": "exported"}
            exec(compile(text, str(self.file), "exec"), self.names)

    @cached_property
    def library(self):
        """Linked when a function of it is first called."""
        return ctypes.CDLL(self._linked("model.so", "-shared"))

    @cached_property
    def _object(self):
        return self._made("model.o", *self.options, "-c", str(self.file))

    def _linked(self, target, *options):
        return self._made(target, *options, self._object, "-lm")

    def _made(self, target, *words):
        path = str(self.folder / target)
        command = [*FLAGS[self.language], *words, "-o", path]
        subprocess.run(command, check=True, cwd=self.folder)
        return path

    def __call__(self, name, *arguments):
        """Outputs of a function by name; a matrix as a matrix."""
        outputs = OUTPUTS[name]
        if self.language == "python":
            given = [a if np.isscalar(a) else a.tolist() for a in arguments]
            found = self.names[name](*given)
            found = found if len(outputs) > 1 else (found,)
            return {k: np.reshape(v, self.shapes[k]) for k, v in zip(outputs, found, strict=True)}
        order = "C" if self.language == "c" else "F"
        arrays = {k: np.full(self.shapes[k], np.nan, order=order) for k in outputs}
        given = [_passed(a, self.language) for a in (*arguments, *arrays.values())]
        assert self._call(name, given) == 0
        return arrays

    def _call(self, name, given):
        if self.language == "c":
            function = getattr(self.library, name)
            function.restype = ctypes.c_int if name == "forward_dynamics" else None
            return function(*given) or 0
        module = re.search(r"^module (\w+)", self.text, re.M)[1]
        status = ctypes.c_int(0)
        last = [ctypes.byref(status)] if name == "forward_dynamics" else []
        getattr(self.library, f"__{module}_MOD_{name}")(*given, *last)
        return status.value

    def run(self, *words):
        """The CSV of the main program: a table by the names of its columns."""
        command = [sys.executable, str(self.file)]
        if self.language != "python":
            command = [self._linked("simulate")]
        done = subprocess.run([*command, *map(str, words)], check=True, capture_output=True,
                              text=True)  # fmt: skip
        header, *rows = done.stdout.splitlines()
        table = np.array([[float(v) for v in row.split(",")] for row in rows])
        return dict(zip(header.split(","), table.T, strict=True))


def _passed(value, language):
    """A number or array as the languages take it."""
    if not np.isscalar(value):
        return value.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    number = ctypes.c_double(value)
    return number if language == "c" else ctypes.byref(number)
