"""Beams that were cut into elements: names as in the model of the user, and what they tell whole.

    beam:0.position        beam.position           the body itself is its first node (both names)
    beam:4.tip.velocity    beam.tip.velocity       a frame of the beam
    beam:shape.tip.deflection    beam.tip.deflection
    beam:3.position, beam:e2.energy                other nodes and elements keep their names
    beam:h3.angle, beam:e3_bending_y.torque        hinges and springs between segments as well
    beam.strain_energy, beam.kinetic_energy        sums over elements and nodes

Coordinates of nodes relative to the first one (`beam:j3`) are internal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pliant.arrays import Array
from pliant.model.model import Model
from pliant.observe.catalogue import DEFLECTION, FRAME, Quantity
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC

if TYPE_CHECKING:
    from pliant.flex.large_rotation.shape import BeamShape, SegmentShape

_OUTPUTS = ("deflection", "deflection.tangent(root)", "deflection.tangent(tip)", "rotation")
Compute = Callable[[Sequence[Array]], Array]
_PART = re.compile(r"(?P<beam>[^.:]+):(?P<part>[jemw]?\d+(?:_[a-z_]+)?|shape)\.(?P<rest>.+)")
_Q = TypeVar("_Q", bound=Quantity)


def public_name(name: str) -> str | None:
    """The public name of an observable; None where it is internal."""
    found = _PART.fullmatch(name)
    if found is None:
        return name
    beam, part, rest = found["beam"], found["part"], found["rest"]
    if part[0] == "j" or rest.startswith(":") or rest == "kinetic_energy":
        return None
    framed = part.isdigit() and (part == "0" or rest not in FRAME)
    return f"{beam}.{rest}" if part == "shape" or framed else name


def public(
    observables: Mapping[str, _Q], total: Callable[[Sequence[_Q]], _Q]
) -> dict[str, _Q]:  # fmt: skip
    """Observables under their public names, and energies of whole beams, ``total`` of parts: strain
    energy of elements and springs, kinetic energy of bodies and elements."""
    named = ((public_name(name), o) for name, o in observables.items())
    found = {name: o for name, o in named if name is not None}
    sums: dict[str, list[_Q]] = {}
    for name, o in observables.items():
        inner = _PART.fullmatch(name)
        if inner is None:
            continue
        beam, part, rest = inner["beam"], inner["part"], inner["rest"]
        if part == "0" and rest in FRAME:  # the motion of the first body has two names
            found[name] = o
        strain = part[0] == "e" and rest == "energy"
        if strain or rest == "kinetic_energy":
            sums.setdefault(f"{beam}.{'strain_energy' if strain else rest}", []).append(o)
    for key, parts in sums.items():
        found[key] = replace(total(parts), owner=key.partition(".")[0])
    return found


@dataclass(frozen=True, slots=True)
class Derived(Quantity):
    """An observable computed from others, each a block of columns."""

    inputs: tuple[Quantity, ...] = field(kw_only=True)
    compute: Compute = field(kw_only=True)


def total(parts: Sequence[Quantity]) -> Derived:
    """The sum of some observables of one kind."""

    def compute(blocks: Sequence[Array]) -> Array:
        return np.asarray(np.sum(blocks, axis=0))

    return parts[0].made(Derived, inputs=tuple(parts), compute=compute)


def shapes(
    model: Model, told: Mapping[str, Quantity], values: Mapping[str, float]
) -> dict[str, Quantity]:
    """Deflections of beams of segments that nobody tells, and turns of exact elements."""
    found: dict[str, Quantity] = {}
    own: dict[str, Any] = {n: s for n, s in model.sensors.items() if n in model.origin}
    for name, shape in own.items():
        beam = model.origin[name]
        if shape.members:
            found[f"{name}.turn"] = _turn(shape, beam, told)
        else:
            found |= {n: q for n, q in _deflections(shape, beam, told, values) if n not in told}
    return found


def _turn(shape: BeamShape, beam: str, told: Mapping[str, Quantity]) -> Derived:
    """Largest angle between the middle node of an element and another one of it."""
    from pliant.flex.large_rotation.shape import turn_of

    nodes = list(dict.fromkeys(node for pair in shape.turning for node in pair))
    place = {node: k for k, node in enumerate(nodes)}

    def compute(blocks: Sequence[Array]) -> Array:
        largest = np.zeros(len(blocks[0]) if blocks else 0)
        for pair in shape.turning:
            middle, other = (blocks[place[node]] for node in pair)
            largest = np.maximum(largest, np.square(other - middle).sum(axis=1))
        return np.asarray(turn_of(NUMERIC, largest))

    inputs = tuple(told[f"{node}.orientation"] for node in nodes)
    return Derived("rad", beam, inputs=inputs, compute=compute)


def _deflections(
    shape: SegmentShape, beam: str, told: Mapping[str, Quantity], values: Mapping[str, float]
) -> Iterator[tuple[str, Derived]]:
    """Every output of the element that tells the shape of a beam, frame by frame."""
    from pliant.flex.large_rotation.shape import SegmentFrame

    for name, own in shape.frames.items():
        assert isinstance(own, SegmentFrame)
        alone = replace(shape, frames={name: own})
        frames = tuple(dict.fromkeys((shape.frame_a, shape.frame_b, own.frame, own.node)))
        inputs = tuple(told[f"{f}.{q}"] for f in frames for q in ("position", "orientation"))
        compute = _outputs(alone, frames, [f"{name}.{output}" for output in _OUTPUTS], values)
        every = Derived(size=3 * len(_OUTPUTS), inputs=inputs, compute=compute)
        for k, output in enumerate(_OUTPUTS):
            what, three = DEFLECTION[output.partition(".")[0]], slice(3 * k, 3 * k + 3)
            made = what.made(Derived, owner=beam, inputs=(every,),
                             compute=lambda blocks, three=three: blocks[0][:, three])  # fmt: skip
            yield f"{shape.name}.{name}.{output}", made


def _outputs(
    shape: SegmentShape, names: Sequence[str], outputs: Sequence[str], values: Mapping[str, float]
) -> Compute:
    """Outputs of a shape, row by row, by the same function as in expressions."""

    def of_row(*row: Array) -> Array:
        pairs = zip(names, row[::2], row[1::2], strict=True)
        frames = {f: SimpleNamespace(p_WP=p, R_WP=R.reshape(3, 3).T) for f, p, R in pairs}
        motion: Any = SimpleNamespace(ops=NUMERIC, frame=frames.__getitem__,
                                      value=lambda f: float(f.number(values)))  # fmt: skip
        told = shape.sense(motion)
        return np.concatenate([told[output][0] for output in outputs])

    return lambda blocks: np.array([of_row(*row) for row in zip(*blocks, strict=True)])
