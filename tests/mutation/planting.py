"""Plants a fault in a function while a test runs: the code of the function itself is exchanged, so
that everybody who has imported it runs the mutant."""

import __future__

import contextlib
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any


@dataclass(frozen=True)
class Mutant:
    """A piece of the source of a function, and what stands there instead."""

    name: str
    function: Callable[..., Any]
    old: str
    new: str

    def __str__(self) -> str:
        return self.name


@contextlib.contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    """The function with its fault, until the block ends."""
    function = mutant.function
    assert isinstance(function, FunctionType)
    whole = function.__code__
    function.__code__ = _mutated(function, mutant)
    try:
        yield
    finally:
        function.__code__ = whole


def _mutated(function: FunctionType, mutant: Mutant) -> CodeType:
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(mutant.old) == 1, f"{mutant.name}: its place is not found once"
    flags = __future__.annotations.compiler_flag
    changed = source.replace(mutant.old, mutant.new)
    module = compile(changed, function.__code__.co_filename, "exec", flags, dont_inherit=True)
    [code] = [c for c in module.co_consts if isinstance(c, CodeType)]
    return code
