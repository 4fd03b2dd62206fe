"""Measures of the house: how much there is to read, and how far a run wanders through it.

    python scripts/measures.py

Lines and files say how large the package is; the others say how well it is cut: modules that a run
enters, functions that exist for one caller, modules that exist for one reader, and how often a room
asks for the class of an element instead of what the element says of itself.
"""

from __future__ import annotations

import ast
import importlib
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "pliant"
EXAMPLE = ROOT / "examples" / "crank_rocker.yaml"


@dataclass(frozen=True)
class Source:
    """A file of the package."""

    name: str
    text: str
    tree: ast.Module


def sources() -> list[Source]:
    files = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        text = path.read_text(encoding="utf-8")
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        files.append(Source(name, text, ast.parse(text)))
    return files


def lines_of_code(source: Source) -> int:
    """Lines that are neither blank, comment, docstring nor import."""
    used: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT,
                              tokenize.DEDENT, tokenize.ENDMARKER):  # fmt: skip
            used.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(source.tree):
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Import | ast.ImportFrom) or text:
            used.difference_update(range(node.lineno, node.end_lineno + 1))  # type: ignore[attr-defined]
    return len(used)


def imported(source: Source, known: set[str]) -> set[str]:
    """Modules of the package that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            found.update(a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{a.name}" for a in node.names} & known
            found.update(inside or {node.module})
    return (found & known) - {source.name}


def with_one_importer(files: list[Source]) -> list[str]:
    known = {s.name for s in files}
    readers = Counter(m for s in files for m in imported(s, known))
    return [name for name in sorted(known) if readers[name] == 1]


def called_once(files: list[Source]) -> tuple[int, int]:
    """Private functions named at one place besides their own definition, and all functions."""
    once = every = 0
    for s in files:
        functions = [n for n in ast.walk(s.tree) if isinstance(n, ast.FunctionDef)]
        every += len(functions)
        for f in functions:
            if f.name.startswith("_") and not f.name.startswith("__"):
                once += len(re.findall(rf"\b{f.name}\b", s.text)) == 2
    return once, every


def asked_kinds(files: list[Source]) -> list[str]:
    """Places outside the model where isinstance asks for a class of elements: file, line, class."""
    from pliant.model.bodies.base import Moving
    from pliant.model.bodies.sections import SectionShape
    from pliant.model.drivers import MotionDriver
    from pliant.model.forces.action import Acting
    from pliant.model.joints import Joint
    from pliant.model.networks import elements

    own = tuple(c for c in vars(elements).values()
                if isinstance(c, type) and c.__module__ == elements.__name__)  # fmt: skip
    bases = (Moving, Joint, Acting, MotionDriver, SectionShape, *own)
    found = []
    for s in files:
        if s.name.startswith("pliant.model"):
            continue
        for node in ast.walk(s.tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
                named = ast.unparse(node.args[1])
                kinds = [c for c in _classes(s, node.args[1]) if issubclass(c, bases)]
                found += [f"{s.name}:{node.lineno}: {named}"] if kinds else []
    return found


def _classes(source: Source, node: ast.expr) -> list[type]:
    """The classes that an expression of names, unions and tuples stands for."""
    if isinstance(node, ast.BinOp):
        return [c for part in (node.left, node.right) for c in _classes(source, part)]
    if isinstance(node, ast.Tuple):
        return [c for part in node.elts for c in _classes(source, part)]
    first, *rest = ast.unparse(node).split(".")
    value = _named(source, first)
    for name in rest:
        value = getattr(value, name, None)
    return [c for c in getattr(value, "__args__", (value,)) if isinstance(c, type)]


def _named(source: Source, name: str) -> Any:
    """What a name of a file stands for: something of the package that it imports or defines."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pliant"):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    module = importlib.import_module(str(node.module))
                    inside = f"{node.module}.{alias.name}"
                    return getattr(module, alias.name, None) or importlib.import_module(inside)
    defined = any(isinstance(n, ast.ClassDef) and n.name == name for n in source.tree.body)
    return getattr(importlib.import_module(source.name), name, None) if defined else None


@dataclass
class Walk:
    """Modules entered, calls, and changes of room while a function runs."""

    modules: set[str]
    calls: int = 0
    rooms: int = 0

    def of(self, work: Callable[[], object]) -> Walk:
        here = ""

        def look(frame: object, event: str, _: object) -> None:
            nonlocal here
            if event != "call":
                return
            name = frame.f_globals.get("__name__", "")  # type: ignore[attr-defined]
            if not name.startswith("pliant") or frame.f_code.co_name == "<module>":  # type: ignore[attr-defined]
                return
            room = f"{name}.".split(".")[1]
            self.modules.add(name)
            self.calls += 1
            self.rooms += room != here
            here = room

        sys.setprofile(look)
        try:
            work()
        finally:
            sys.setprofile(None)
        return self


def cold_run() -> Walk:
    """`pliant run` of the crank-rocker with nothing kept."""
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as kept:
        os.environ["PLIANT_CACHE_DIR"] = kept
        os.environ["PLIANT_QUICK"] = "1"
        from pliant.cli.main import main

        return Walk(set()).of(lambda: main(["run", str(EXAMPLE), "--quiet"]))


def second_run() -> Walk:
    """`simulate` once more, with other parameters."""
    import pliant as pl

    system = pl.load(EXAMPLE)
    name, value = next(iter(system.described.parameter_values().items()))
    system.simulate()
    return Walk(set()).of(lambda: system.simulate(params={name: 1.01 * value}))


def rows() -> Iterator[tuple[str, object]]:
    files = sources()
    once, every = called_once(files)
    folders = Counter(p.parent for p in PACKAGE.rglob("*.py") if p.name != "__init__.py")
    text = "\n".join(s.text for s in files)
    lonely = with_one_importer(files)
    yield "files", len(files)
    yield "lines", sum(s.text.count("\n") for s in files)
    yield "lines of code", sum(lines_of_code(s) for s in files)
    yield "modules with one importer", len(lonely)
    yield "functions", every
    yield "private functions called once", once
    yield "folders above 12 files", sum(n > 12 for n in folders.values())
    yield "files above 400 lines", sum(s.text.count("\n") > 400 for s in files)
    yield "fmt: skip", text.count("# fmt: skip")
    yield "isinstance", text.count("isinstance(")
    yield "isinstance on kinds outside model/", len(asked_kinds(files))
    for title, walk in (("cold run", cold_run()), ("second run", second_run())):
        yield f"{title}: modules entered", len(walk.modules)
        yield f"{title}: Python calls", walk.calls
        yield f"{title}: changes of room", walk.rooms


def main() -> None:
    for name, number in rows():
        print(f"{name:<36}{number:>9}")


if __name__ == "__main__":
    main()
