"""What has no blocks, element by element, and when a system goes through them by itself."""

from __future__ import annotations

from pliant.errors import CapabilityError
from pliant.formulations import Objection
from pliant.formulations.derivation.state_map import joints_with_coordinates
from pliant.graphs.spanning_tree import free_points
from pliant.model.formulas import Formula
from pliant.observe.internal import reading
from pliant.study import Study

METHODS = {"sparse-alpha": False, "sparse-conserving": True}
"""Methods of motion that run over blocks, and whether their steps conserve energy."""
_OTHER = "use another method (auto, radau, generalized-alpha)"
NODES = 20
"""Bodies, nodes included, above which motions go through blocks.

Measured on a damped pendulum of exact elements of order 1, 0.5 s at rtol 1e-6: expressions of 10
and 20 elements take 18 and 87 s to make and run, blocks 4 and 0.7 s (the code of an element is made
once). Below, the difference is small beside a method of higher order.
"""


def objections(system: Study, *, moving: bool = True) -> list[Objection]:
    """Everything in a system that has no blocks; at rest, what only damps has none either."""
    model = system.model
    found = [Objection(f"network '{n}'", "networks have first-order states", _OTHER)
             for n in model.networks]  # fmt: skip
    found += [Objection(f"constraint '{n}'", "it holds velocities or couples coordinates", _OTHER)
              for n in model.constraints]  # fmt: skip
    found += [Objection(f"force '{n}'", "it is inertia of a joint coordinate", _OTHER)
              for n, force in model.forces.items() if force.has_mass and force.joint]  # fmt: skip
    found += [Objection(f"body '{n}'", "it has no inertia, and its rotation nothing to hold it",
                        f"give it inertia, or {_OTHER}") for n in free_points(model)]  # fmt: skip
    found += [Objection(f"driver '{n}'", f"it gives the {driver.level} of its motion",
                        f"give the position, or {_OTHER}")
              for n, driver in model.drivers.items() if driver.level != "position"]  # fmt: skip
    found += [Objection(f"'{n}'", "it couples all parts of a beam",
                        f"damp by stiffness, or {_OTHER}")
              for n, force in model.forces.items() if force.couples and moving]  # fmt: skip
    for name in sorted(joints_with_coordinates(model)):
        if model.joints[name].nu > len(model.joints[name].scalars):
            found.append(Objection(
                f"joint '{name}'", "its rotation coordinates are spoken of by name",
                f"speak of positions and velocities of frames, or {_OTHER}",
            ))  # fmt: skip
    for what, formula in model.observing().items():
        inside = next((n for n in sorted(formula.names) if reading(model, n)), None)
        if inside is not None:
            found.append(Objection(what, f"it reads '{inside}', which blocks do not tell", _OTHER))
    for _, path, label, formula, _ in model.each_formula() if model.drivers else ():
        read = sorted(n for n in formula.names if n.partition(".")[0] in model.drivers)
        if path[0] == "forces" and read:
            found.append(Objection(
                f"force '{path[1]}'", f"{label} reads '{read[0]}', the motion of a driver",
                f"write it as a named formula of t, or {_OTHER}",
            ))  # fmt: skip
    for _, path, label, formula, _ in model.each_formula() if model.signals else ():
        names = formula.names if isinstance(formula, Formula) else ()
        read = sorted(set(names) & set(model.signals))
        if path[0] in ("forces", "drivers") and read:
            found.append(Objection(
                f"{path[0][:-1]} '{path[1]}'", f"{label} reads the signal '{read[0]}'",
                f"write it as table(t, ...) in the formula, or {_OTHER}",
            ))  # fmt: skip
    return found


def refuse(system: Study, *, moving: bool = True) -> None:
    """Raise CapabilityError if there is any objection."""
    found = objections(system, moving=moving)
    if found:
        lines = "\n".join(f"  {o.element}: {o.what}; {o.cure}" for o in found)
        raise CapabilityError(f"the sparse solver cannot take {len(found)} items:\n{lines}")


def has_nodes(system: Study) -> bool:
    """Whether a beam was taken apart."""
    return any(name not in system.model.bodies for name in system.described.bodies)


def has_elements(system: Study) -> bool:
    """Whether elastic elements stand between nodes of a beam."""
    origin, forces = system.model.origin, system.model.forces
    return any(f.is_elastic and name in origin for name, f in forces.items())
