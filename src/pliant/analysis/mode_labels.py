"""Names of modes, by the coordinates that hold their energy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from pliant.arrays import Array, Complex, Flags
from pliant.equations import Layout, Scalar
from pliant.solve.balance import Balance, coordinate_of

ELASTIC = {
    "v": "bending y", "w": "bending z", "phi": "torsion", "s": "axial", "psi_y": "shear z",
    "psi_z": "shear y", "q": "mode",
}  # fmt: skip
"""Kinds of elastic coordinates: ``rod.v1`` bends the rod along its y axis, ``plate.q1`` is a given
mode."""
_NUMBERED = re.compile(r"([a-z_]*[a-z])_?(\d+)$")


def shares_of(b: Balance, shapes: Complex, s: Complex | None = None) -> Array:
    """Part of every coordinate in the energy of a mode: kinetic and potential in equal measure.
    With eigenvalues ``s`` an energy counts only if it is a hundredth of the other: networks may
    keep them unequal."""
    shares = np.zeros(shapes.shape)
    for k, v in enumerate(shapes.T):
        parts = [np.abs(np.real(v.conj() * (A @ v))) for A in (b.M, (b.K + b.K.T) / 2)]
        sums = [part.sum() for part in parts]
        sizes, least = sums, 1e-12
        if s is not None and s[k]:
            sizes, least = [abs(s[k]) ** 2 * sums[0], sums[1]], 1e-2
        counted = [part / total for part, total, size in zip(parts, sums, sizes, strict=True)
                   if size > least * max(sizes)]  # fmt: skip
        moved = np.abs(v).sum() or 1.0  # nothing moves in a mode of a network alone
        shares[:, k] = np.mean(counted, axis=0) if counted else np.abs(v) / moved
    return shares


def labels_of(layout: Layout, bodies: Collection[str], shares: Array, rigid: Flags) -> list[str]:
    """One label per mode: ``rod: bending 1``, ``J1: angle``, ``crank: rigid motion``; of a beam
    that was cut into parts ``rod: deformation 1``."""
    kinds = _plane_named([_kind(u, bodies) for u in layout.u])
    plain = []
    for k, free in enumerate(rigid):
        weight = dict.fromkeys(kinds, 0.0)
        for key, share in zip(kinds, shares[:, k], strict=True):
            weight[key] += float(share)
        owner, what, elastic = max(weight, key=weight.__getitem__, default=("", "", False))
        plain.append((f"{owner}: {what}{' (rigid)' if free else ''}", elastic))
    total = Counter(text for text, _ in plain)
    seen: Counter[str] = Counter()
    labels = []
    for text, elastic in plain:
        seen[text] += 1
        labels.append(f"{text} {seen[text]}" if elastic or total[text] > 1 else text)
    return labels


def network_labels(labels: list[str], states: Sequence[str], taking: Array) -> list[str]:
    """The same, with modes that are more of networks than of motion named after their state."""
    if not len(states):
        return labels
    found = []
    for k, label in enumerate(labels):
        own = taking[:, k].sum() > 0.5
        found.append(states[int(np.argmax(taking[:, k]))] if own else label)
    return found


def _kind(speed: Scalar, bodies: Collection[str]) -> tuple[str, str, bool]:
    """(owner, kind of motion, whether it is elastic)."""
    name = coordinate_of(speed)
    owner = speed.owner.removesuffix(".free")
    kind = name.removeprefix(f"{owner}.")
    if ":" in owner:
        return owner.partition(":")[0], "deformation", True
    found = _NUMBERED.match(kind)
    if speed.owner in bodies:
        letters = found[1] if found else kind
        return owner, ELASTIC.get(letters, f"shape {letters}"), True
    return owner, kind, False


def _plane_named(kinds: list[tuple[str, str, bool]]) -> list[tuple[str, str, bool]]:
    """Bending in one plane only needs no name of the plane."""
    planes: dict[str, set[str]] = {}
    for owner, what, elastic in kinds:
        if elastic and what[:-2] in ("bending", "shear"):
            planes.setdefault(owner, set()).add(what)
    single = {o for o, p in planes.items() if len({w[-1] for w in p}) == 1}
    return [
        (o, w[:-2] if e and o in single and w[:-2] in ("bending", "shear") else w, e)
        for o, w, e in kinds
    ]
