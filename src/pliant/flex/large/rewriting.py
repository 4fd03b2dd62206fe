"""A beam of large rotation as bodies at its nodes and elements between them.

Node k of a beam is the rigid body `beam:k`, which also carries the frames of the beam that sit
there; elements are force elements `beam:e0`...; the first node stands for the body itself.
"""

from __future__ import annotations

from pliant.flex.large.mesh import Mesh, corners, mesh_of
from pliant.flex.large.numbers import BeamNumbers, node_name
from pliant.flex.large.parts import parts_of
from pliant.flex.large.shape import turn_limit
from pliant.flex.rewriting.parts import Rewritten, Task
from pliant.flex.rewriting.renaming import Rename, spoken
from pliant.model.bodies import Beam
from pliant.model.model import Model

_NODES = ("root", "tip")


def rewritten_large(task: Task) -> Rewritten:
    """Nodes, free joints, elements, and the element that tells the shape."""
    model, beam = task.model, task.beam
    mesh = mesh_of(beam, task.default, _wanted(model, beam))
    numbers = BeamNumbers(beam, mesh, task.value, model.materials, task.number)
    parts = parts_of(numbers, model.gravity)
    limits = (turn_limit(beam.name),) if beam.theory.kind == "exact" else ()
    return Rewritten(parts.bodies, parts.joints, (*parts.elements, parts.shape), parts.parameters,
                     _renaming(beam.name, mesh), limits)  # fmt: skip


def _wanted(model: Model, beam: Beam) -> set[str]:
    """Frames that sit at a node: those given, both ends, and the middle if anything speaks of it,
    or if elements end there by themselves and no other end may pass it as parameters change."""
    own = {name: frame for name, frame in beam.frames.items() if not frame.implied}
    ends = [*(frame.position[0] for frame in own.values() if not frame.on), *corners(beam)]
    even = beam.theory.elements % 2 == 0 and all(f.is_constant for f in ends)
    middle = {"mid"} if even or f"{beam.name}.mid" in spoken(model) else set()
    return {*own, *middle, *_NODES}


def _renaming(beam: str, mesh: Mesh) -> Rename:
    def rename(name: str) -> str:
        rest = name.partition(".")[2]
        frame, _, quantity = rest.partition(".")
        if frame in mesh.nodes:
            if quantity.startswith(("deflection", "rotation", "internal")):
                return f"{beam}:shape.{rest}"
            return f"{node_name(beam, mesh.nodes[frame])}.{rest}"
        first = node_name(beam, 0)
        return f"{first}.{rest}" if rest else first

    return rename
