"""Do internal forces of modal beams balance what their joints hold?

Internal forces are those of the shapes: EI ψ' and so on. With few shapes they are far from the
forces that act. At an end of a beam where one joint and nothing else acts they can be compared,

    f(0) = -F,  m(0) = -T          f(l) = F,  m(l) = T          in section axes

F, T what the joint exerts on the beam; T without the component that the joint leaves free.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.model.fields import Reference, kinds_of
from pliant.model.joints import Joint
from pliant.records import dataclass
from pliant.results import Result
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion
from pliant.study import Study

ENDS = {"root": -1.0, "tip": 1.0}
PARTS = {"internal_force": "force", "internal_moment": "torque"}
WORTH_SAYING = 0.01
"""Part of the reaction that may be missing without a word."""


@dataclass(frozen=True, slots=True)
class End:
    """An end of a beam that one joint holds; ``sign`` turns its reaction into the internal one."""

    body: str
    frame: str
    joint: Joint
    sign: float

    @property
    def names(self) -> tuple[str, ...]:
        """What is compared."""
        reactions = [f"{self.joint.name}.{part}" for part in PARTS.values()]
        return (*reactions, f"{self.frame}.orientation")


def held_ends(system: Study) -> list[End]:
    """Ends of modal beams where one joint acts, and nothing else."""
    model = system.model
    sections = (model.joints, model.forces, model.drivers, model.constraints)
    used = [  # frames that elements speak of
        getattr(element, key) for section in sections for element in section.values()
        for key, kind in kinds_of(element).items() if isinstance(kind, Reference)
    ]  # fmt: skip
    found = []
    for name in model.beams:
        frames = system.values().tables(name).frames
        places = {frame: float(at.p0[0]) for frame, at in frames.items()}
        near = 1e-9 * abs(places["tip"] - places["root"])
        for end, sign in ENDS.items():
            ref = f"{name}.{end}"
            there = [f"{name}.{f}" for f, x in places.items() if abs(x - places[end]) <= near]
            joints = [j for j in model.joints.values() if ref in (j.parent, j.child)]
            if len(joints) == 1 and sum(map(used.count, there)) == 1 and joints[0].springs is None:
                on_beam = 1.0 if joints[0].child == ref else -1.0
                found.append(End(name, ref, joints[0], sign * on_beam))
    return found


def balanced(system: Study, result: Result) -> Result:
    """A result with remarks on internal forces among its observables."""
    parts = (*PARTS, "stress")
    if not any(name.endswith(parts) for name in result.series):
        return result
    told = [e for e in held_ends(system) if any(f"{e.frame}.{p}" in result.series for p in parts)]
    whole, remarks = result.also(name for end in told for name in end.names), []
    for end in told:  # what the internal forces miss of the reactions
        if all(name in whole.series for name in end.names):
            for part, reaction in PARTS.items():
                remarks += _remark(whole, end, part, reaction)
    return result.warned(remarks)


def _remark(result: Result, end: End, part: str, reaction: str) -> list[str]:
    series = result.series.get(f"{end.frame}.{part}")
    free = _free_axes(end.joint, part)
    if series is None or not len(series.values) or free is None:
        return []
    held = result.series[f"{end.joint.name}.{reaction}"]
    if not all(held.unique):
        return []
    quaternions = result.values(f"{end.frame}.orientation")
    R = np.array([from_quaternion(NUMERIC, q) for q in quaternions])
    expected = end.sign * np.einsum("kji,kj->ki", R, held.values)
    known = ["xyz".index(label) for label in series.labels]
    gap = np.zeros_like(expected)
    gap[:, known] = series.values.reshape(len(gap), -1) - expected[:, known]
    gap -= gap @ free.T @ free
    misses, sizes = (np.abs(v).max(axis=1) for v in (gap, expected))
    k, size = int(np.argmax(misses)), float(sizes.max())
    off = float(misses[k])
    if not off > WORTH_SAYING * size:
        return []
    what, unit = part.replace("_", " "), series.unit
    return [
        f"{end.frame}.{part}: off by {off:.3g} {unit} from the reaction of '{end.joint.name}' "
        f"({size:.3g} {unit} at most), at {result.time[k]:.4g} s; the {what} is that of the "
        "shapes: use more of them"
    ]


def _free_axes(joint: Joint, part: str) -> Array | None:
    """Unit axes (n, 3) in section axes about which a joint leaves the turn free; None if efforts
    act along other coordinates of it, or if its frames part."""
    if any(c.unit == "m" for c in joint.scalars) or not joint.m:
        return None
    if part == "internal_force" or not joint.nu:
        return np.zeros((0, 3))
    return joint.canonical_axes()[:, 2:].T if joint.m == 5 else None
