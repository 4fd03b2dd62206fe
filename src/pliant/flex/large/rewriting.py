"""A model whose beams of large rotation are bodies at nodes and elements between them.

Nothing downstream knows of such beams: node k of a beam is the rigid body `beam:k`, which also
carries the frames of the beam that sit there; elements are force elements `beam:e0`...; the first
node stands for the body itself. Names of the user's model, in references and in formulas, are
replaced. `public` gives observables the names of the user's model back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from pliant.flex.large.mesh import Mesh, mesh_of
from pliant.flex.large.parts import BeamNumbers, Numbers, Parts, node_name, parts_of
from pliant.flex.large.shape import turn_limit
from pliant.model.bodies import Beam
from pliant.model.fields import Numeric, Optional, Reference, kinds_of
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.tree import Call, Name, Node
from pliant.model.model import Model
from pliant.model.named import Named
from pliant.spatial.ops import NUMERIC

Rename = Callable[[str], str]
_NODES = ("root", "tip")
_SECTIONS = ("joints", "forces", "drivers", "events", "networks")


def large_beams(model: Model) -> dict[str, Beam]:
    """Beams that are cut into elements."""
    return {
        name: body
        for name, body in model.bodies.items()
        if isinstance(body, Beam) and body.theory.large
    }


def expanded(model: Model, params: Mapping[str, Numeric] | None = None) -> Model:
    """The model to derive equations from; the same one if it has no such beams.

    With ``params``, numbers are those for these parameters; everything else stays the same.
    """
    beams = large_beams(model)
    if not beams:
        return model
    defaults, values = model.parameter_values(), model.parameter_values(params)
    meshes = {n: mesh_of(b, _value(defaults), _wanted(model, b)) for n, b in beams.items()}
    parts = {n: _parts(model, b, meshes[n], values) for n, b in beams.items()}
    rename = _renaming(beams, meshes)
    bodies: dict[str, Any] = {}
    for name, body in model.bodies.items():
        own = parts[name].bodies if name in parts else (body,)
        bodies |= {b.name: b for b in own}
    sections: dict[str, Any] = {
        s: Named((n, _renamed(e, rename)) for n, e in getattr(model, s).items()) for s in _SECTIONS
    }
    joints = {j.name: j for p in parts.values() for j in p.joints}
    forces: dict[str, Any] = {e.name: e for p in parts.values() for e in p.elements}
    forces |= {p.shape.name: p.shape for p in parts.values()}
    limits = {f"{n}:turn": turn_limit(n) for n, b in beams.items() if b.theory.kind == "exact"}
    hidden = {k: f for p in parts.values() for k, f in p.parameters.items()}
    return model.with_(
        bodies=Named(bodies),
        joints=Named({**sections.pop("joints"), **joints}),
        events=Named({**sections.pop("events"), **limits}),
        forces=Named({**sections.pop("forces"), **forces}),
        parameters=Named({**model.parameters, **hidden}),
        outputs=Named((n, _mapped(f, rename)) for n, f in model.outputs.items()),
        **sections,
    )


def _value(values: Mapping[str, float]) -> Callable[[Formula], float]:
    def value(f: Formula) -> float:
        return float(f.value if f.is_constant else f.evaluate(NUMERIC, values.__getitem__))

    return value


def _parts(model: Model, beam: Beam, mesh: Mesh, values: Mapping[str, float]) -> Parts:
    free = any(not f.is_constant for f in _formulas(model, beam))
    numbers = BeamNumbers(beam, mesh, _value(values), model.materials, Numbers(beam.name, free))
    return parts_of(numbers, model.gravity)


def _formulas(model: Model, beam: Beam) -> list[Formula]:
    """Everything the numbers of a beam may depend on."""
    material = model.materials.get(beam.material)
    found = [f for frame in beam.frames.values() for f in frame.position]
    for owner in (beam,) if material is None else (beam, material):
        for key, kind in kinds_of(owner).items():
            found += [f for _, f, _ in kind.formulas(getattr(owner, key))]
    return found


def _wanted(model: Model, beam: Beam) -> set[str]:
    """Frames that sit at a node: those given, both ends, and the middle if anything speaks of it
    or elements end there by themselves."""
    own = {name for name, frame in beam.frames.items() if not frame.implied}
    spoken = f"{beam.name}.mid" in _spoken(model)
    middle = {"mid"} if spoken or beam.theory.elements % 2 == 0 else set()
    return own | middle | set(_NODES)


def _spoken(model: Model) -> set[str]:
    """Frames as `body.frame` in references, formulas and observables asked for."""
    found: list[str] = list(model.settings.observe)

    def listen(name: str) -> str:
        found.append(name)
        return name

    for section in _SECTIONS:
        for element in getattr(model, section).values():
            _renamed(element, listen)
    for f in model.outputs.values():
        _mapped(f, listen)
    return {".".join(name.split(".")[:2]) for name in found}


def _renaming(beams: Mapping[str, Beam], meshes: Mapping[str, Mesh]) -> Rename:
    def rename(name: str) -> str:
        owner, _, rest = name.partition(".")
        if owner not in beams:
            return name
        frame, _, quantity = rest.partition(".")
        if frame in meshes[owner].nodes:
            if quantity.startswith(("deflection", "rotation")):
                return f"{owner}:shape.{rest}"
            return f"{node_name(owner, meshes[owner].nodes[frame])}.{rest}"
        first = node_name(owner, 0)
        return f"{first}.{rest}" if rest else first

    return rename


# --- names in elements


def _renamed(element: Any, rename: Rename) -> Any:
    """A dataclass with frame references and names in formulas replaced."""
    kinds = kinds_of(element)
    changes = {}
    for f in dataclasses.fields(element):
        if not f.init:
            continue
        old, kind = getattr(element, f.name), kinds.get(f.name)
        kind = kind.kind if isinstance(kind, Optional) else kind
        refers = f.name == "frame" if kind is None else _is_frame(kind)
        new = rename(old) if refers and isinstance(old, str) else _mapped(old, rename)
        if new is not old:
            changes[f.name] = new
    return dataclasses.replace(element, **changes) if changes else element


def _is_frame(kind: Any) -> bool:
    return isinstance(kind, Reference) and kind.to == "frame"


def _mapped(value: Any, rename: Rename) -> Any:
    """Formulas anywhere in a value; the value itself where nothing changes."""
    if isinstance(value, Formula):
        tree = _tree(value.tree, rename)
        return value if tree == value.tree else from_tree(tree)
    if isinstance(value, Mapping):
        pairs = {k: _mapped(v, rename) for k, v in value.items()}
        same = all(pairs[k] is v for k, v in value.items())
        return value if same else Named(pairs)
    if isinstance(value, tuple):
        items = tuple(_mapped(v, rename) for v in value)
        same = all(a is b for a, b in zip(items, value, strict=True))
        return value if same else items
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _renamed(value, rename)
    return value


def _tree(node: Node, rename: Rename) -> Node:
    if isinstance(node, Name):
        return Name(rename(node.name))
    if isinstance(node, Call):
        return Call(node.function, tuple(_tree(a, rename) for a in node.args))
    return node
