"""Numbers of a tree: constants of its links and forces for one set of parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.tree.code import acting, joint_numbers, law_values
from pliant.backends.tree.model import CONSTANTS, TreeModel, TreeNumbers
from pliant.mechanics.values import Values

_UPPER = ([0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2])


def tree_numbers(values: Values, tree: TreeModel) -> TreeNumbers:
    """Constants of every link in its own frame O, and numbers of every force."""
    model = values.model
    places = {name: values.places(name) for name in ("ground", *model.bodies)}
    R_PF, p_PF, R_BM, p_BM = _joint_frames(tree, places)
    inner = tree.parent
    R_PB, p_PB = _of_parent(R_BM, inner, np.eye(3)), _of_parent(p_BM, inner, np.zeros(3))
    R_PI = np.einsum("nji,njk->nik", R_PB, R_PF)
    p_PI = np.einsum("nji,nj->ni", R_PB, p_PF - p_PB)
    inertia = _inertias(values, tree, R_BM, p_BM)
    extra = [joint_numbers(j, values.number) for j in tree.joints]
    constants = np.zeros((tree.n, CONSTANTS + max((len(e) for e in extra), default=0)))
    constants[:, :9], constants[:, 9:12], constants[:, 12:22] = R_PI.reshape(-1, 9), p_PI, inertia
    for row, numbers in zip(constants, extra, strict=True):
        row[CONSTANTS : CONSTANTS + len(numbers)] = numbers
    return TreeNumbers(
        parameters=values.parameters, gravity=values.vector(model.gravity),
        constants=constants, laws=_law_rows(values, tree), places=places,
        R_BO=R_BM, p_BO=p_BM,
    )  # fmt: skip


def _of_parent(values: Array, parent: Any, ground: Array) -> Array:
    """Values of the link each link hangs on."""
    found: Array = np.concatenate([values, ground[None]])[parent]
    return found


def _joint_frames(tree: TreeModel, places: Mapping[str, Any]) -> tuple[Array, ...]:
    """R, p of the joint frame on the inner and on the outer body, canonical axes."""
    n = tree.n
    R, p = np.zeros((2, n, 3, 3)), np.zeros((2, n, 3))
    for i, joint in enumerate(tree.joints):
        R_FJ = joint.canonical_axes()
        ends = (joint.parent, joint.child)
        for k, reference in enumerate(ends[::-1] if tree.kinds[tree.kind[i]].flipped else ends):
            body, _, frame = reference.partition(".")
            X = places[body][frame]
            R[k, i], p[k, i] = X.R @ R_FJ, X.p
    return R[0], p[0], R[1], p[1]


def _inertias(values: Values, tree: TreeModel, R_BO: Array, p_BO: Array) -> Array:
    """m, mc, I_o of each link about O in axes of O: I_o = I_c + m (c.c 1 - c c^T)."""
    n = tree.n
    mass, com, moments = np.zeros(n), np.zeros((n, 3)), np.zeros((n, 6))
    about_origin = np.zeros(n, dtype=bool)
    for i, name in enumerate(tree.bodies):
        body: Any = values.model.bodies[name]
        mass[i], com[i] = values.number(body.mass), values.vector(body.com)
        moments[i] = values.vector(body.inertia)
        about_origin[i] = body.inertia_about == "origin"
    I = moments[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(-1, 3, 3)
    I = I - about_origin[:, None, None] * _steiner(mass, com)
    c = np.einsum("nji,nj->ni", R_BO, com - p_BO)
    I = np.einsum("nji,njk,nkl->nil", R_BO, I, R_BO) + _steiner(mass, c)
    return np.column_stack([mass, mass[:, None] * c, I[:, _UPPER[0], _UPPER[1]]])


def _steiner(mass: Array, c: Array) -> Array:
    square = np.einsum("ni,ni->n", c, c)[:, None, None] * np.eye(3)
    found: Array = mass[:, None, None] * (square - c[:, :, None] * c[:, None, :])
    return found


def _law_rows(values: Values, tree: TreeModel) -> Array:
    """A row of numbers for each force."""
    pairs = zip(acting(values.model).values(), tree.law, strict=True)
    rows = [law_values(tree.laws[k], force, values.parameters, values.number) for force, k in pairs]
    out = np.zeros((len(rows), max((len(r) for r in rows), default=0)))
    for row, numbers in zip(out, rows, strict=True):
        row[: len(numbers)] = numbers
    return out
