"""Component modes of the beam's own finite element model (S2.2).

`craig-bampton`: constraint modes (unit displacement and slope at each interface after the first,
the others held), then modes with all interfaces held. The first interface stays held throughout:
its own constraint modes differ from these by rigid motions, which the floating frame removes.
`free-interface`: elastic modes of the free beam, lowest first; with attachments the last of them
are replaced by residual flexibility under unit force and moment at each interface.
In both, `count` is the number of functions in all. Displacements are scaled to largest size 1
(constraint slopes to the length).
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.flex.arrays import symmetric_modes
from pliant.flex.shapes.base import KINDS, Block, Request
from pliant.flex.shapes.elements import FiniteElements, elements


def craig_bampton(request: Request) -> tuple[Block, ...]:
    """Constraint modes of the interfaces after the first, then fixed-interface modes."""
    fe = elements(request)
    places = [fe.nodal[fe.node(x * request.beam.length)] for x in request.interfaces]
    held = np.concatenate(places)
    moved = held[fe.nodal.shape[1] :]
    kept = _room(request, len(moved), "constraint modes")
    free = np.setdiff1d(np.arange(len(fe.K)), held)
    static = np.zeros((len(fe.K), len(moved)))
    static[moved, np.arange(len(moved))] = 1.0
    static[free] = -np.linalg.solve(fe.K[np.ix_(free, free)], fe.K[np.ix_(free, moved)])
    if request.bending:
        static[:, 1::2] *= request.beam.length
    _, modes = symmetric_modes(fe.K[np.ix_(free, free)], fe.M[np.ix_(free, free)])
    fixed = np.zeros((len(fe.K), kept))
    fixed[free] = modes[:, :kept]
    return _blocks(request, fe, np.hstack([static, _scaled(request, fe, fixed)]))


def free_interface(request: Request) -> tuple[Block, ...]:
    """Elastic modes of the free beam, and residual attachment modes if asked for."""
    fe = elements(request)
    w2, modes = symmetric_modes(fe.K, fe.M)
    rigid = fe.rigid.shape[1]
    loads = np.zeros((len(fe.K), 0))
    if request.attachments:
        places = [fe.nodal[fe.node(x * request.beam.length)] for x in request.interfaces]
        loads = np.eye(len(fe.K))[:, np.concatenate(places)]
    kept = _room(request, loads.shape[1], "attachment modes")
    rest = slice(rigid + kept, None)
    residual = modes[:, rest] @ ((modes[:, rest].T @ loads) / w2[rest, None])
    chosen = np.hstack([modes[:, rigid : rigid + kept], residual])
    return _blocks(request, fe, _scaled(request, fe, chosen))


def _room(request: Request, used: int, what: str) -> int:
    """How many normal modes remain beside `used` static ones."""
    if request.count < used:
        raise InputError(
            f"{KINDS[request.field]}: {request.count} functions, but the "
            f"{len(request.interfaces)} interfaces need {used} {what}",
            f"ask for at least {used} functions or fewer interfaces",
        )
    return request.count - used


def _scaled(request: Request, fe: FiniteElements, modes: Array) -> Array:
    """Largest displacement +1 on a fixed grid."""
    values = fe.shapes(np.linspace(0.0, request.beam.length, 201))[0] @ modes
    place = np.argmax(np.abs(values) * (1 + 1e-6 * np.arange(201))[:, None], axis=0)
    return np.asarray(modes / values[place, np.arange(modes.shape[1])])


def _blocks(request: Request, fe: FiniteElements, modes: Array) -> tuple[Block, ...]:
    slope = None if fe.slope is None else fe.slope @ modes
    field = request.field
    return (Block(field, KINDS[field], field, fe.shapes @ modes, slope),)
