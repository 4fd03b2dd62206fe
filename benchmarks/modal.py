"""A pendulum of one modal body: the blade, hinged at its clamped root, falls under a tip force.

Its modes neither move nor turn the root, so the hinge is the same whatever a program takes the
rotation of a node to be. The weight is a constant force at the tip: of distributed gravity the
peer leaves out the moment about the hinge that comes with the deflection. Both programs take the
same generalized-alpha with fixed steps, geometric stiffness off.

Exudyn: ObjectFFRFreducedOrder. Tried were Euler parameters, a rotation vector and Bryant angles for
the reference frame; a revolute or generic joint at the frame or at the nodes of the root, or five
constraints on the coordinates of the frame; full and modified Newton at relative tolerances from
1e-8 to 1e-3. The fastest whose error is that of 1e-8 within about a per cent: Bryant angles,
constraints on coordinates, modified Newton at 1e-3. Explicit methods do not take constraints.
"""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import pliant as pl
from benchmarks.blade import LENGTH, blade
from benchmarks.case import Motion, Samples
from benchmarks.exudyn_peer import Assembly, Setting, modules
from pliant.arrays import Array
from pliant.system import System

WEIGHT = (0.0, -12.0, 0.0)
"""Force (N) at the tip, in world axes."""
DAMPING = 1e-4
"""Proportional to stiffness (s)."""
RADIUS, DURATION, STEP = 0.95, 1.0, 1e-3
TIP = "blade.tip.position"


def pendulum(count: int, folder: Path) -> System:
    """The blade with ``count`` modes, horizontal and at rest; its mode file goes to ``folder``."""
    data = blade(count)
    file = folder / f"blade_{count}.npz"
    np.savez(
        file, nodes=data.nodes, shapes=data.modes.reshape(-1, 3, count), mass=data.mass,
        stiffness=np.diag(data.eigenvalues),
    )  # fmt: skip
    damping: Any = {"stiffness": DAMPING}
    frames: Any = {"root": {"node": data.node_at(0)}, "tip": {"node": data.node_at(LENGTH)}}
    body = pl.Modes("blade", str(file), geometric_stiffness="none", damping=damping, frames=frames)
    hinge = pl.Revolute("hinge", "ground", "blade.root", axis="z")
    weight = pl.Force("weight", "blade.tip", WEIGHT)
    return System(bodies=[body], joints=[hinge], forces=[weight], gravity=(0, 0, 0))


def exudyn_pendulum(count: int) -> Assembly:
    """Only the turn about z is left of the six coordinates of the reference frame."""
    exu, _ = modules()
    from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface

    data, assembly = blade(count), Assembly()
    fem = FEMinterface()
    fem.nodes = {"Position": data.nodes}
    fem.massMatrix, fem.stiffnessMatrix = data.mass, data.stiffness
    fem.modeBasis = {"matrix": data.modes, "type": "NormalModes"}
    reduced = ObjectFFRFreducedOrderInterface(fem, rigidBodyNodeType=exu.NodeType.RotationRxyz)
    added = reduced.AddObjectFFRFreducedOrder(assembly.mbs, stiffnessProportionalDamping=DAMPING)
    body, end = added["oFFRFreducedOrder"], data.node_at(LENGTH)
    assembly.hold(added["nRigidBody"], range(5))
    marker = assembly.mbs.AddMarker(
        assembly.items.MarkerSuperElementPosition(
            bodyNumber=body, meshNodeNumbers=[end], weightingFactors=[1.0]
        )
    )
    assembly.mbs.AddLoad(assembly.items.Force(markerNumber=marker, loadVector=list(WEIGHT)))
    assembly.watch_mesh(body, end)
    return assembly


@cache
def _folder() -> TemporaryDirectory[str]:
    """Where mode files are until the program ends."""
    return TemporaryDirectory()


def _system(count: int) -> System:
    return pendulum(count, Path(_folder().name))


def _path(t: Array, columns: Samples) -> Array:
    """The tip, all samples."""
    return columns[0]


@cache
def _exact(count: int) -> Array:
    result = _system(count).simulate(
        DURATION, every=DURATION / 100, outputs=[TIP], method="dop853", rtol=1e-9
    )
    return result.require().values(TIP)


def _how(step: float) -> dict[str, Any]:
    return {"method": "generalized-alpha", "step": step, "options": {"rho": RADIUS}}


def _case(count: int, wanted: float) -> Motion:
    return Motion(
        name=f"modal_pendulum_{count}", title=f"pendulum of one modal body, {count} modes, 1 s",
        system=partial(_system, count), outputs=(TIP,), duration=DURATION, number=_path,
        exact=partial(_exact, count), reference="own run at rtol 1e-9, all samples",
        agreement=1e-4, wanted=wanted, peer=partial(exudyn_pendulum, count),
        how_theirs=Setting("ObjectFFRFreducedOrder", STEP, modified=True, relative=1e-3),
        settings=(STEP, 9e-4, 8e-4, 5e-4), how=_how, words="generalized-alpha, step {:g} s",
    )  # fmt: skip


CASES = (_case(8, 20.0), _case(20, 12.0))
