"""Machine code of a system: equations are derived and compiled once for the structure of a model.

    key      structure of the model, choice of formulation and tree: what most code is made of
    order    of elimination, chosen from the numbers of the model: with the key, what ``direct`` and
             ``correction`` are made of

Code is kept in memory, for systems that differ in numbers only, and on disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import ref

from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.code import background, phases, store
from pliant.code.compiled import CompiledEquations, from_bytes, to_bytes
from pliant.code.llvm.machine import host, keep_once_good, reproducible
from pliant.code.pivots import Pivots
from pliant.errors import CapabilityError
from pliant.graphs import spanning_tree
from pliant.model.joints.rotational import in_angles
from pliant.model.numbers.literals import module_as
from pliant.records import dataclass

if TYPE_CHECKING:
    from pliant.code.conditions import Guard
    from pliant.formulations.equations import Equations
    from pliant.graphs import SystemGraph
    from pliant.observe.catalogue import SymbolicObservable
    from pliant.study import Study

PLAIN = Choice()
AT_REST = (
    "constraints",
    "residual",
    "jacobians",
    "tangent",
    "bodies",
    "start_states",
    "initial",
    "observables",
    "loads",
)
"""What statics and modes ask for."""
_LATER = ("residual", "jacobians", "loads")
"""What only implicit methods need, and takes longest to compile; what few runs are asked for."""
_SELDOM = ("observables", "initial", "bodies", "buckling", "energies")
"""What no step calls: symbols are enough for a short run."""
_KEPT, _SEEN_ONCE = 16, 48
"""How many models are kept in memory, and how many if nothing is kept on disk."""
_made: dict[tuple[str, str], CompiledEquations] = {}
"""Code made or read last, by folder of the cache and key."""
Derived = tuple["Equations", Mapping[str, Any], Sequence["Guard"]]
"""Equations, their explicit parts, and guards of their conditions."""
_latest: dict[str, Derived] = {}
"""What was derived last, until ``direct`` and ``correction`` are made of it."""
_last: list[tuple[ref[Study], tuple[Choice, bool, bool], Equations]] = []
"""Equations with multipliers that were written last, of which another form may be asked for."""


@dataclass(frozen=True)
class Order:
    """Rows of G that ``direct`` keeps, and the order of elimination; none: they are not written."""

    kept: tuple[int, ...] = ()
    pivots: Pivots | None = None


def derive(
    system: Study, choice: Choice, *, free: bool = False, written: bool = False
) -> Equations:
    """Equations of a system; every objection of the formulation is reported at once. ``free``:
    numbers of the model stand in them by their paths. ``written``: see ``accepted``."""
    equations = _with_multipliers(system, choice.augmented, free, written)
    if choice.truncate is not None:
        from pliant.formulations.forms import truncate

        equations = truncate(equations, choice.truncate)
    if choice.form == "independent":
        from pliant.formulations.forms import eliminate

        equations = eliminate(equations)
    if choice.form == "embedding" and equations.written.form == "augmented":
        from pliant.backends.expressions.partition import partition
        from pliant.formulations.forms import embed, only_velocities, reduce

        split = partition(system, choice)
        reduces = choice.method.reduces and only_velocities(equations, split)
        equations = reduce(equations, split) if reduces else embed(equations, split)
    if not background.quick():
        _last.clear()  # they take room
    return equations if system.model is system.described else _named(equations)


def _with_multipliers(system: Study, choice: Choice, free: bool, written: bool) -> Equations:
    """Equations that all forms are made of. The choice of independent speeds asks for them while
    they are being made of them: they are written once."""
    if _last and _last[0][0]() is system and _last[0][1] == (choice, free, written):
        return _last[0][2]
    graph = accepted(system, choice, free=free, written=written)
    found = choice.method.derive(graph)
    if graph.drivers:
        from pliant.formulations.forms import prescribe

        found = prescribe(found, [driven(graph, d) for d in graph.drivers])
    _last[:] = [(ref(system), (choice, free, written), found)]
    return found


def _named(equations: Equations) -> Equations:
    """Observables of beams that were cut into elements, as the user's model names them."""
    from pliant.observe.beams import public

    def total(parts: Sequence[SymbolicObservable]) -> SymbolicObservable:
        return replace(parts[0], expression=sum(o.expression for o in parts))

    return equations.telling(observables=public(equations.told.observables, total))


def driven(graph: SystemGraph, driver: str) -> tuple[str, str]:
    """A driver and the coordinate it drives."""
    element: Any = graph.model.drivers[driver]
    scalars = [c.name for c in graph.model.joints[element.joint].scalars]
    return driver, f"{element.joint}.{element.coordinate or scalars[0]}"


def accepted(
    system: Study, choice: Choice, *, free: bool = False, written: bool = False
) -> SystemGraph:
    """The graph of a system, if the formulation takes it. ``free``: of its structure; ``written``:
    to be read or exported, in the angles that rotations are told in."""
    model = system.structure.model if free else system.model
    if written:
        model = in_angles(model)
    graph = spanning_tree(model, choice.tree, choice.cut)
    objections = choice.method.objections(graph)
    if objections:
        lines = "\n".join(f"  {o.element}: {o.what}; {o.cure}" for o in objections)
        raise CapabilityError(f"{choice.formulation} cannot take {len(objections)} items:\n{lines}")
    return graph


def code_of(
    system: Study, graph: SystemGraph, choice: Choice, further: tuple[str, ...],
    functions: Sequence[str] | None, interpret: bool,
    ordered: Callable[[CompiledEquations], Order] | None,
) -> CompiledEquations:  # fmt: skip
    """Code with the numbers of the system. ``ordered``: chooses the order of elimination, if one is
    wanted; it is chosen once for the numbers of a system, or of the one it is ``ordered_by``."""
    key = _key(system, graph, choice, further, functions, interpret)
    own = _numbers_key(system.ordered_by, key) if ordered else ""
    order = _known_order(own) if ordered else None
    found = _found(_direct_key(key, order)) if order else None
    if found is not None:
        return replace(found, p=numbers_of(system, found))
    compiled = _found(key)
    if compiled is None and _nothing_to_embed(system, choice):
        alike = replace(choice, form="augmented", independent=(), split=None)
        return code_of(system, graph, alike, further, functions, interpret, ordered)
    if compiled is None:
        made = derived(system, choice, whole=functions is None)
        _latest.update({key: made} if ordered else {})
        compiled = _compiled(made, further, functions, interpret).kept_by(key)
        _keep(key, compiled)
    compiled = replace(compiled, p=numbers_of(system, compiled))
    if ordered:
        order = order or ordered(replace(compiled, p=numbers_of(system.ordered_by, compiled)))
        text = json.dumps([order.kept, order.pivots and astuple(order.pivots)])
        background.afterwards(lambda: store.put(own, "order", text.encode()))
        compiled = _with_direct(system, choice, compiled, order)
    _latest.clear()
    return compiled


def _nothing_to_embed(system: Study, choice: Choice) -> bool:
    """Whether the embedding form is the augmented one: no constraint holds a speed."""
    if choice.form != "embedding":
        return False
    from pliant.backends.expressions.partition import partition

    return not partition(system, choice).rows


def _numbers_key(system: Study, key: str) -> str:
    """Of what the start of a system depends on besides."""
    numbers = [*system.structure.numbers.items(), *system.values().parameters.items()]
    signals = [(s.times, s.values) for s in system.model.signals.values()]
    return store.key_of(key, repr(numbers), repr(signals), system.model.settings.assemble)


def _known_order(key: str) -> Order | None:
    blob = store.get(key, "order")
    with contextlib.suppress(ValueError, TypeError):
        if blob is not None:
            kept, p = json.loads(blob)
            return Order(tuple(kept), Pivots(tuple(p[0]), tuple(p[1]), p[2]) if p else None)
    return None


def _direct_key(key: str, order: Order) -> str:
    digest = hashlib.sha256(repr(order).encode()).hexdigest()[:16]
    return key if order.pivots is None else f"{key}-{digest}"


def numbers_of(system: Study, compiled: CompiledEquations) -> Array:
    """p of a system as it is written: parameters, numbers by path, tables of bodies, signals."""
    p = with_values(system, compiled)
    for slot, signal in zip(compiled.signals, system.model.signals.values(), strict=True):
        from pliant.mechanics.symbolic_values import signal_numbers

        numbers = signal_numbers(signal)
        p[slot.offset : slot.offset + len(numbers)] = numbers
    return p


def with_values(
    system: Study, compiled: CompiledEquations, params: Mapping[str, Any] | None = None
) -> Array:
    """p with other values of named parameters, and the tables that follow from them."""
    p = compiled.p.copy()
    for name, value in system.code_numbers(params).items():
        p[compiled.parameters[name]] = value
    for name, start in compiled.tables.items():
        numbers = system.code_values(params).packed(name)
        p[start : start + len(numbers)] = numbers
    return p


def _with_direct(
    system: Study, choice: Choice, compiled: CompiledEquations, order: Order
) -> CompiledEquations:
    """The same with elimination in fixed order, if there is a good one."""
    key, found = _direct_key(compiled.code.key, order), compiled
    if order.pivots is not None:
        found = _found(key) or _eliminated(system, choice, compiled, order)
    if key != compiled.code.key and found is not _found(key):
        _keep(key, found)
    return replace(found, p=compiled.p)


def _eliminated(
    system: Study, choice: Choice, compiled: CompiledEquations, order: Order
) -> CompiledEquations:
    from pliant.code.compile import compile_direct

    latest = compiled.code.key in _latest
    e, parts, _ = _latest[compiled.code.key] if latest else derived(system, choice)
    assert order.pivots is not None
    phases.entered("compiling")
    return compile_direct(e, parts, compiled, order.kept, order.pivots, tiered=True)


def _found(key: str) -> CompiledEquations | None:
    """What was made before, in this process or an earlier one."""
    place = str(store.folder()), key
    blob = None if place in _made else store.get(key, "model")
    if blob is not None:
        with contextlib.suppress(ValueError, KeyError, OSError):
            found = from_bytes(blob).kept_by(key.partition("-")[0])
            _remember(place, found)
            keep_once_good(key, "model", found)
    return _made.get(place)


def _keep(key: str, compiled: CompiledEquations) -> None:
    """In memory, and on disk unless models are seen once: symbols take long to write."""
    _remember((str(store.folder()), key), compiled)
    if not background.passing():
        background.afterwards(lambda: store.put(key, "model", to_bytes(compiled)))


def _remember(place: tuple[str, str], compiled: CompiledEquations) -> None:
    while len(_made) >= (_SEEN_ONCE if background.passing() else _KEPT):
        del _made[next(iter(_made))]
    _made[place] = compiled


def _compiled(
    made: Derived, further: tuple[str, ...], functions: Sequence[str] | None, interpret: bool
) -> CompiledEquations:
    from pliant.code.compile import compile_equations
    from pliant.observe.selection import selected

    equations, parts, guards = made
    phases.entered("compiling")
    if further:
        told = equations.told
        further = tuple(selected(told.observables, further, told.further))
    return compile_equations(
        equations, further=further, functions=functions, tiered=True,
        later=functions or () if interpret else _LATER + _SELDOM * background.quick(),
        reproducible=reproducible(), guards=guards, explicit=parts,
    )  # fmt: skip


def derived(system: Study, choice: Choice, *, whole: bool = True) -> Derived:
    """As they are compiled: in names of all numbers, with guards of their conditions."""
    from pliant.code.clocks import with_corners
    from pliant.code.compile import explicit_parts
    from pliant.code.conditions import held
    from pliant.formulations.loops import scaled_loops

    phases.entered("deriving")
    equations, guards = held(scaled_loops(derive(system, choice, free=True)))
    equations = with_corners(equations, guards)
    return equations, explicit_parts(equations) if whole else {}, guards


def _key(
    system: Study, graph: SystemGraph, choice: Choice, further: tuple[str, ...],
    functions: Sequence[str] | None, interpret: bool,
) -> str:  # fmt: skip
    """Everything the machine code depends on; numbers of the model are no part of it, but where
    they decide what is written: coordinates that are kept, zeros of tables."""
    cuts = [j.name for j in graph.cuts]
    values = system.code_values()
    tables = [repr(values.packing(n)) for n in values.flexible]
    choices = json.dumps([astuple(choice), cuts, further, functions, tables])
    files = [_file_hash(path) for body in graph.model.elastic.values() for path in body.files]
    made = f"{reproducible()} {background.quick()} {interpret}"
    chosen = choice.form == "embedding" and choice.split is None
    decided = system.code_text if chosen or choice.formulation == "natural" else ""
    return store.key_of(system.structure_text, choices, host(), made, decided,
                        module_as(choice.method.module), *files)  # fmt: skip


def _file_hash(path: str) -> str:
    """What is in a file that numbers of a body are read from."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
