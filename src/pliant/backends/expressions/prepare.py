"""From a system to its program: equations of a choice, compiled, with the numbers of the system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import PLAIN, Order, accepted, code_of
from pliant.code import background
from pliant.code.compiled import CompiledEquations
from pliant.code.pivots import choose_pivots
from pliant.errors import PliantError
from pliant.mechanics.layout import StateFrom
from pliant.observe.selection import meant
from pliant.records import dataclass
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.start.assembly import Assembled
from pliant.solve.start.reference_rows import rows_and_states

if TYPE_CHECKING:
    from pliant.study import Study

STATES = ("constraints", "initial", "tangent", "bodies", "start_states")
"""What assembly needs."""
LARGEST_SYSTEM = 40
"""Rows above which elimination in fixed order is not written out."""


@dataclass(frozen=True, slots=True)
class Program:
    """Compiled equations of one formulation, tree and choice of observables."""

    compiled: CompiledEquations
    state_from: StateFrom
    choice: Choice
    starts: dict[Any, Assembled] = field(default_factory=dict, repr=False, compare=False)
    """Where runs began, by all that a start depends on."""
    last: list[Any] = field(default_factory=list, repr=False, compare=False)
    """The last of them, if there is one."""


def prepare_square(
    system: Study, choice: Choice, observe: Sequence[str] | None, functions: Sequence[str]
) -> Program:
    """Equations without dependent speeds, a row for every other one: for statics and modes."""
    from pliant.formulations.forms import dependent_speeds

    prepared = prepare(system, choice, observe, functions)
    if not dependent_speeds(prepared.compiled.layout):
        return prepared
    return prepare(system, replace(choice, form="independent"), observe, functions)


def prepare(
    system: Study,
    choice: Choice = PLAIN,
    observe: Sequence[str] | None = None,
    functions: Sequence[str] | None = None,
    *,
    interpret: bool = False,
) -> Program:
    """Derive and compile, once per choice. ``interpret``: functions are evaluated without being
    compiled, which is sooner done for a few states."""
    made = None if functions is None else tuple(functions)
    whole = _whole(system, choice, (), made, interpret)
    if observe is None:
        return whole
    key = (choice, tuple(observe), made, interpret)
    if key not in system.programs:
        system.programs[key] = _asking(system, whole, observe, made, interpret)
    found: Program = system.programs[key]
    return found


def _whole(
    system: Study, choice: Choice, further: tuple[str, ...], functions: tuple[str, ...] | None,
    interpret: bool,
) -> Program:  # fmt: skip
    """With all observables, and some of those that are written only if they are asked for."""
    key = _program(system, choice, further, functions, interpret)
    functions, interpret = key[2:4]
    if key not in system.programs:
        graph = accepted(system, choice, free=True)

        def made(compiled: CompiledEquations) -> Program:
            maps = choice.method.state_from(graph, compiled.layout, compiled.parameters)
            return Program(compiled, maps, choice)

        direct = functions is None and (choice == PLAIN or not background.quick())
        ordered = (lambda c: _order(system.ordered_by, made(c))) if direct else None
        system.programs[key] = made(
            code_of(system, graph, choice, further, functions, interpret, ordered)
        )
    found: Program = system.programs[key]
    return found


def _program(
    system: Study, choice: Choice, further: tuple[str, ...], functions: tuple[str, ...] | None,
    interpret: bool,
) -> tuple[Any, ...]:  # fmt: skip
    """The key of a program with these functions: each is the same code, whatever it was made with.
    Those of assembly are called by Python alone: if quick code is good enough, interpreted ones
    will do, if there are any."""
    everything = (choice, further, None, False, "whole")
    if everything in system.programs and (functions == STATES or not interpret):
        return everything
    made = (k for k in system.programs if k[:2] == (choice, further) and k[3:] == (True, "whole"))
    fitting = (k for k in made if k[2] and set(STATES) <= set(k[2]))
    own = choice, further, functions, interpret, "whole"
    return next(fitting, own) if functions == STATES and background.quick() else own


def _asking(
    system: Study, whole: Program, observe: Sequence[str], functions: tuple[str, ...] | None,
    interpret: bool,
) -> Program:  # fmt: skip
    """The same equations, of which some observables are asked for: nothing is written anew, but for
    those that are written only if they are asked for."""
    known = whole.compiled.observed
    further = tuple(w for w in observe if not meant(known, w))
    names = {name for w in observe for name in meant(known, w)}
    if further:
        whole = _whole(system, whole.choice, further, functions, interpret)
        names |= whole.compiled.observed.keys() - known.keys()
    return replace(whole, compiled=whole.compiled.asking(names))


def _order(system: Study, prepared: Program) -> Order:
    """Of elimination, chosen at the initial state and states around it; none if the system is not
    small or does not start."""
    c = prepared.compiled
    if c.nd != c.nu or not 0 < c.nu <= LARGEST_SYSTEM:
        return Order()
    try:
        from pliant.backends.expressions.start import initial_state

        start = initial_state(system, prepared, None, 0.0)
    except PliantError:
        return Order()  # the run itself will say why
    kept, states = rows_and_states(dense_dynamics(c, p=start.p, implicit=False), start.x)
    if c.nu + len(kept) > LARGEST_SYSTEM:
        return Order()
    matrices = [_matrix(c, kept, x, start.p) for x in states]
    return Order(tuple(map(int, kept)), choose_pivots(np.array(matrices)))


def _matrix(c: CompiledEquations, kept: Sequence[int], x: Array, p: Array) -> Array:
    """M, G^T; G, 0 at a state, of the rows kept."""
    y = c.call("explicit", x, p)
    M, G = c.block("explicit", "M", y), c.block("explicit", "G", y)[list(kept)]
    return np.block([[M, G.T], [G, np.zeros((len(G), len(G)))]])
