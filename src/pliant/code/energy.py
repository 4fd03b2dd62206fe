"""The energy book of a model: what it stores, and the powers that change it.

    E = T + V + stores of networks          E' = P_in - P_out          (heat is no store)

P_in: sources (forces without a potential, drivers, constraints on velocities, sources of networks).
P_out: what is dissipated (friction, resistances, damping of beams, springs and bushings, each by
its own law). Powers of forces with a potential are not in the book: what they do beyond their
potential and their damping is missing in the balance. Powers are affine in u' and lam.
"""

from __future__ import annotations

from typing import Any

import casadi as ca

from pliant.formulations.equations import Equations
from pliant.observe.catalogue import DISSIPATED, STORED, SUPPLIED, TAKEN


def has_book(e: Equations) -> bool:
    """Whether the energy of the model is known."""
    return {"energy", "kinetic_energy"} <= set(e.told.observables)


def stored(e: Equations) -> Any:
    """[T | E], T with the stores of networks; nothing where the energy is not known."""
    if not has_book(e):
        return ca.SX.zeros(0, 1)
    known = {name: ca.SX(o.expression) for name, o in e.told.observables.items()
             if name in ("kinetic_energy", "mechanical_energy", "energy")}  # fmt: skip
    networks = known["energy"] - known.get("mechanical_energy", known["energy"])
    return ca.vertcat(known["kinetic_energy"] + networks, known["energy"])


def powers(e: Equations) -> Any:
    """[P_in | P_out]; zero where the energy is not known."""
    given: Any = ca.SX(0)
    lost: Any = ca.SX(0)
    for name, o in e.told.observables.items() if has_book(e) else ():
        if o.role == SUPPLIED:
            given = given + o.expression
        elif o.role == DISSIPATED:
            lost = lost - o.expression
        elif o.role == TAKEN:
            lost = lost + o.expression
        elif o.role == STORED and f"{name.partition('.')[0]}.energy" not in e.told.observables:
            given = given - o.expression
    return ca.densify(ca.vertcat(given, lost))


def affine(e: Equations, power: Any) -> tuple[Any, Any]:
    """Power at u' = lam = 0, and its slopes in [u' | lam]."""
    unknown = ca.vertcat(e.a, e.lam)
    zero = ca.SX.zeros(unknown.numel())
    return ca.substitute(power, unknown, zero), ca.jacobian(power, unknown)
