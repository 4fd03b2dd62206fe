"""Observables of segmented beams in a tree that runs as a kernel, under the names of the model.

Deflections and rotations of frames, and energies of whole beams, follow from other observables
sample by sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from pliant.analysis.tree_observables import XYZ, Reads, Source
from pliant.analysis.tree_observer import TreeObserver
from pliant.arrays import Array
from pliant.equations.compiled import Observed
from pliant.flex.large.names import energy_of, is_first_node, public_name
from pliant.flex.segments.shape import SegmentFrame, SegmentShape
from pliant.model.formulas import Formula
from pliant.model.model import Model
from pliant.spatial.ops import NUMERIC

_SHAPE = {"deflection": "m", "rotation": "rad"}


@dataclass(frozen=True, slots=True)
class Derived:
    """An observable computed from ``inputs``, which are blocks of columns."""

    inputs: tuple[str, ...]
    compute: Callable[[Sequence[Array]], Array]
    unit: str
    owner: str
    kind: str
    labels: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return max(len(self.labels), 1)


Observable = Source | Derived


def named_sources(
    model: Model, sources: Mapping[str, Source], values: Mapping[str, float]
) -> tuple[dict[str, Observable], dict[str, str]]:
    """Observables under their public names, and the names by which the kernel knows direct ones."""
    inner = {public: name for name in sources if (public := public_name(name)) is not None}
    inner |= {name: name for name in sources if is_first_node(name)}
    found: dict[str, Observable] = {public: sources[name] for public, name in inner.items()}
    for force in model.forces.values():
        if isinstance(force, SegmentShape):
            found |= _shape(force, values)
    return found | _energies(sources), inner


def _energies(sources: Mapping[str, Source]) -> dict[str, Derived]:
    parts: dict[str, list[str]] = {}
    for name in sources:
        key = energy_of(name)
        if key:
            parts.setdefault(key, []).append(name)
    return {
        key: Derived(tuple(names), _total, "J", key.partition(".")[0], "energy")
        for key, names in parts.items()
    }


def _total(blocks: Sequence[Array]) -> Array:
    total: Array = np.sum(blocks, axis=0)
    return total


def _shape(shape: SegmentShape, values: Mapping[str, float]) -> dict[str, Derived]:
    """Every output of the element that tells the shape of a beam."""
    beam = shape.name.partition(":")[0]
    found = {}
    for name, own in shape.frames.items():
        assert isinstance(own, SegmentFrame)
        alone = replace(shape, frames={name: own})
        frames = dict.fromkeys((shape.frame_a, shape.frame_b, own.frame, own.node))
        inputs = tuple(f"{f}.{q}" for f in frames for q in ("position", "orientation"))
        ends = ("deflection.tangent(root)", "deflection.tangent(tip)")
        for quantity in ("deflection", *ends, "rotation"):
            compute = _Told(alone, tuple(frames), f"{name}.{quantity}", values)
            unit = _SHAPE[quantity.partition(".")[0]]
            found[f"{beam}.{name}.{quantity}"] = Derived(
                inputs, compute, unit, beam, "deflection", XYZ
            )
    return found


@dataclass(frozen=True, slots=True)
class _Told:
    """One output of a shape, sample by sample, by the same function as in expressions."""

    shape: SegmentShape
    frames: tuple[str, ...]
    output: str
    values: Mapping[str, float]

    def __call__(self, blocks: Sequence[Array]) -> Array:
        return np.array([self._row(row) for row in zip(*blocks, strict=True)])

    def _row(self, row: Sequence[Array]) -> Array:
        pairs = zip(self.frames, row[::2], row[1::2], strict=True)
        frames = {f: SimpleNamespace(p_WP=p, R_WP=R.reshape(3, 3).T) for f, p, R in pairs}
        motion: Any = SimpleNamespace(ops=NUMERIC, frame=frames.__getitem__, value=self._value)
        found: Array = self.shape.act(motion).outputs[self.output][0]
        return found

    def _value(self, f: Any) -> float:
        return float(f.number(self.values))


@dataclass(frozen=True, slots=True)
class BeamObserver:
    """The chosen observables of a tree with segmented beams; ``direct``: observer of what they are
    made of, by inner names."""

    direct: TreeObserver
    chosen: Mapping[str, Observable]
    inner: Mapping[str, str]
    observed: dict[str, Observed] = field(init=False)
    wrapped: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        start, observed = 0, {}
        for name, s in self.chosen.items():
            observed[name] = Observed(start, s.size, s.unit, s.owner, s.kind, s.labels, "")
            start += s.size
        object.__setattr__(self, "observed", observed)

    @property
    def asked(self) -> Mapping[str, Observed]:
        """All of them."""
        return self.observed

    @property
    def powers(self) -> tuple[str, ...]:
        """Powers to be integrated to work."""
        return self.direct.powers

    def watching(self, events: tuple[Formula, ...], reads: Reads) -> BeamObserver:
        """The same, which also tells events."""
        return replace(self, direct=self.direct.watching(events, reads))

    def evaluate_rows(self, name: str, X: Array, p: Array) -> Array:
        """As of the direct observer; observables from theirs."""
        rows = self.direct.evaluate_rows(name, X, p)
        if name != "O":
            return rows
        blocks = {n: rows[:, o.start : o.start + o.size] for n, o in self.direct.observed.items()}
        found = [np.zeros((len(X), 0))]
        for n, s in self.chosen.items():
            if isinstance(s, Source):
                found.append(blocks[self.inner[n]])
            else:
                found.append(s.compute([blocks[k] for k in s.inputs]).reshape(len(X), s.size))
        return np.hstack(found)


def beam_observer(
    make: Callable[[Mapping[str, Source]], TreeObserver], sources: Mapping[str, Source],
    chosen: Mapping[str, Observable], inner: Mapping[str, str],
) -> BeamObserver:  # fmt: skip
    """The observer of the chosen ones; ``make`` gives that of what they are made of."""
    needed: dict[str, None] = {}
    for name, s in chosen.items():
        needed |= dict.fromkeys(s.inputs if isinstance(s, Derived) else (inner[name],))
    return BeamObserver(make({n: sources[n] for n in needed}), chosen, inner)
