"""Machine code of a tree: made once per set of joint kinds and force laws, kept in the cache.

It does not depend on the number of links, so that chains of any length share it. Symbols are
needed only where nothing is found in the cache.

It depends on kinds of links and laws of forces, which their keys say without symbols. Links with
the same key share their code, and so do forces; all that differs is numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any

from pliant.backends.tree.model import Kind, LawNumbers
from pliant.code import store
from pliant.code.llvm.machine import Machine, host, kept_functions
from pliant.model.forces import ForceElement
from pliant.model.forces.action import formulas_of
from pliant.model.formulas import Formula
from pliant.model.formulas.tree import text_of
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.model.numbers.literals import known_as
from pliant.records import dataclass

_PLACED = frozenset(("name", "parent", "child", "initial", "guess", "cut", "axis", "axis2",
                     "slot"))  # fmt: skip
"""Fields of a joint that do not change its pose and motion in canonical axes."""
_LOCAL = frozenset(("t", "x", "v"))


def kind_key(joint: Joint, flipped: bool) -> tuple[Any, ...]:
    """Equal for links with the same code; formulas of a joint are data."""
    given, marked = {f.name for f in fields(joint)} - _PLACED, joint.evaluated(lambda formula: None)
    free = {f.name for f in fields(joint) if getattr(marked, f.name) is None}
    return (known_as(type(joint)), flipped, *((k, getattr(joint, k)) for k in sorted(given - free)))


def joint_numbers(joint: Joint, value: Callable[[Formula], float]) -> list[float]:
    """Values of the formulas of a joint, in the order the kernel reads them."""
    found: list[float] = []
    joint.evaluated(lambda formula: found.append(value(formula)))
    return found


def law_objection(model: Model, element: ForceElement) -> str:
    """Why a force is no law of its own joint; empty if it is one."""
    if element.has_mass:
        return f"force '{element.name}' is inertia of a joint coordinate"
    if element.couples:
        return f"'{element.name}' couples all parts of a beam"
    if not element.by_coordinate:
        return f"force '{element.name}' does not act along a joint coordinate"
    name = element.joint
    own = model.joints[name]
    if any(c.name == element.coordinate for c in own.measured):
        return f"force '{element.name}' acts along an angle of a rotation"
    known = {f"{name}.{k}" for k in (*own.coordinate_names, *own.rate_names)}
    for formula in formulas_of(element).values():
        strange = formula.names - known - _LOCAL - model.parameters.keys()
        if strange:
            return f"force '{element.name}' reads {', '.join(sorted(strange))}"
    return ""


def law_key(element: ForceElement, joint: Joint, parameters: frozenset[str]) -> tuple[Any, ...]:
    """Equal for elements with the same code: numbers and the name of the joint do not count."""
    parts: list[Any] = [known_as(type(element)), known_as(type(joint)), joint.coordinate_names]
    for f in fields(element):
        value = getattr(element, f.name)
        if isinstance(value, Formula):
            plain = value.names <= parameters
            parts.append("" if plain else text_of(value.tree).replace(f"{joint.name}.", "."))
        elif f.name not in ("name", "joint"):
            parts.append(value)
    return tuple(parts)


def law_values(
    sources: LawNumbers, element: ForceElement, parameters: Mapping[str, float],
    value: Callable[[Formula], float],
) -> list[float]:  # fmt: skip
    """The numbers an element's law reads, in its order."""
    return [
        value(getattr(element, name)) if where == "field" else parameters[name]
        for where, name in sources
    ]


@dataclass(frozen=True, slots=True)
class TreeCode:
    """Functions of all kinds and laws; names as in ``TreeModel``."""

    kinds: tuple[Kind, ...]
    laws: tuple[LawNumbers, ...]
    machine: Machine


def tree_code(
    kinds: Mapping[Any, tuple[Joint, bool]], laws: Mapping[Any, tuple[ForceElement, Joint]],
    parameters: frozenset[str],
) -> TreeCode:  # fmt: skip
    """Code by keys, each with an example of what it stands for."""

    def functions() -> tuple[Any, Mapping[str, Any]]:
        """Kinds and numbers of laws; functions of all of them."""
        from pliant.backends.tree import kernel
        from pliant.backends.tree.forces import LawExpressions
        from pliant.backends.tree.newton import newton_functions

        code = {"frame": kernel.frame_function(), **kernel.momentum_functions()}
        links = [kernel.LinkExpressions(*example) for example in kinds.values()]
        for k, link in enumerate(links):
            own = link.functions() | newton_functions(link)
            code |= {f"k{k}_{name}": f for name, f in own.items()}
        forces = [LawExpressions(*example, parameters) for example in laws.values()]
        for k, law in enumerate(forces):
            code |= {f"law{k}{name}": f for name, f in law.functions().items()}
        return {"kinds": [asdict(link.kind) for link in links],
                "laws": [law.numbers for law in forces]}, code  # fmt: skip

    key = store.key_of("tree", repr(list(kinds)), repr(list(laws)), host())
    about, machine = kept_functions("tree", key, functions)
    own = tuple(Kind(**kind) for kind in about["kinds"])
    read = tuple(tuple((where, name) for where, name in law) for law in about["laws"])
    return TreeCode(own, read, machine)
