"""Long open chains."""

from __future__ import annotations

import pliant as pl

SIZE, DENSITY, TURN = (0.4, 0.1, 0.1), 1000.0, 0.3


def revolute_chain(n: int) -> pl.System:
    """n boxes along x, each on a revolute joint whose axis is turned about x from the one before.

    The first hangs on the ground; at the start the chain is straight and at rest.
    """
    bodies, joints = [], []
    turned = pl.Orientation.about("x", TURN)
    for i in range(n):
        frames = [pl.Frame("end", (SIZE[0], 0, 0), turned)]
        bodies.append(pl.RigidBody.box(f"b{i}", SIZE, density=DENSITY, com=(SIZE[0] / 2, 0, 0),
                                       frames=frames))  # fmt: skip
        parent = f"b{i - 1}.end" if i else "ground"
        joints.append(pl.Revolute(f"j{i}", parent, f"b{i}", axis="z"))
    return pl.System(bodies=bodies, joints=joints, gravity=(0, -9.81, 0))
