"""Context of a dense expression model: where addresses, patterns and work arrays stand."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array, Integers
from pliant.code import background
from pliant.code.compiled import CompiledEquations
from pliant.solve.machine import context as c
from pliant.solve.start.rank import HYSTERESIS_DEFAULT, THRESHOLD_DEFAULT, row_terms

_FUNCTIONS = ("F", "C", "R", "J", "T", "S", "U", "D", "Q", "K", "Z")
A_F, A_C, A_R, A_J, A_T, A_S, A_U, A_D, A_Q, A_K, A_Z = range(c.IC_HEADER, c.IC_HEADER + 11)
"""Slots of the addresses of the model functions."""
_FIRST = c.IC_HEADER + 11
(
    Y_F, Y_C, Y_R, Y_J, Y_K, G_DENSE, SCALE, LARGEST, QR, PIVOTS, KKT, RHS, NEWTON, NEWTON_COMPLEX,
    X_SCRATCH, TREATMENT, SIDE, Y_D, Y_Q,
) = range(_FIRST, _FIRST + 19)  # fmt: skip
"""Slots of real work arrays (Y_K serves T, S and U)."""
_SECOND = _FIRST + 19
(
    ACTIVE, ORDER, KKT_PIVOTS, NEWTON_PIVOTS, COMPLEX_PIVOTS, QUATERNIONS, N_QUATERNIONS, KKT_SIZE,
    NEWTON_SIZE, CHOSEN, DIRECT_ROWS, DIRECT,
) = range(_SECOND, _SECOND + 12)  # fmt: skip
"""QUATERNIONS: where they begin in x; DIRECT_ROWS: rows the elimination in fixed order was written
for; DIRECT: they are kept now."""
_TABLE = _SECOND + 12

_BLOCKS = tuple(
    (function, name)
    for function, names in {
        "F": "M G h gamma g cv qdot xdot P Pz",
        "C": "G g cv",
        "R": "r ca cv g qdot xdot",
        "J": "M D K G Au Aq B Rx Fu Fq Fx",
        "S": "qdot qddot",
        "D": "qdot xdot a lam P guard",
        "Q": "dq du g cv guard",
    }.items()
    for name in names.split()
)
TERMS = _TABLE + 4 * len(_BLOCKS)
"""Slot of the sizes of the terms that rows are made of (``row_terms``)."""
_HEADER = TERMS + 1


def _slot(function: str, name: str) -> int:
    return _TABLE + 4 * _BLOCKS.index((function, name))


# A block is four integers: offset in y, number of non-zeros, place of its rows and columns in ic.
F_M, F_G, F_H, F_GAMMA, F_GPOS, F_CV, F_QDOT, F_XDOT, F_P, F_PZ = (
    _slot("F", n) for n in ("M", "G", "h", "gamma", "g", "cv", "qdot", "xdot", "P", "Pz")
)
C_G, C_GPOS, C_CV = (_slot("C", n) for n in ("G", "g", "cv"))
R_R, R_CA, R_CV, R_GPOS, R_QDOT, R_XDOT = (
    _slot("R", n) for n in ("r", "ca", "cv", "g", "qdot", "xdot")
)
J_M, J_D, J_K, J_G, J_AU, J_AQ, J_B, J_RX, J_FU, J_FQ, J_FX = (
    _slot("J", n) for n in ("M", "D", "K", "G", "Au", "Aq", "B", "Rx", "Fu", "Fq", "Fx")
)
D_QDOT, D_XDOT, D_A, D_LAM, D_P, D_GUARD = (
    _slot("D", n) for n in ("qdot", "xdot", "a", "lam", "P", "guard")
)
Q_DQ, Q_DU, Q_G, Q_CV, Q_GUARD = (_slot("Q", n) for n in ("dq", "du", "g", "cv", "guard"))
S_QDOT, S_QDDOT = _slot("S", "qdot"), _slot("S", "qddot")


def dense_context(compiled: CompiledEquations, p: Array) -> tuple[Integers, Array]:
    """Context arrays of one compiled model, laid out once."""
    if "dense" not in compiled.contexts:
        compiled.contexts["dense"] = _laid_out(compiled)
    ic, dc = (array.copy() for array in compiled.contexts["dense"])
    dc[ic[c.PARAMETERS] : ic[c.PARAMETERS] + len(p)] = p
    renew_addresses(compiled, ic)
    return ic, dc


def _laid_out(k: CompiledEquations) -> tuple[Integers, Array]:
    """Sizes, patterns and room for everything; parameters by default."""
    builder = c.ContextBuilder(_HEADER, c.DC_HEADER)
    for slot, value in (
        (c.NQ, k.nq), (c.NU, k.nu), (c.NX, k.nx), (c.ND, k.nd), (c.NC, k.m), (c.NH, k.mh),
        (c.HAS_LAM, int(k.has_lam)), (c.LEVEL, c.LEVEL_ACCELERATION), (c.EXACT, 1),
    ):  # fmt: skip
        builder.set(slot, value)
    builder.set_real(c.THRESHOLD, THRESHOLD_DEFAULT)
    builder.set_real(c.HYSTERESIS, HYSTERESIS_DEFAULT)
    builder.set_real(c.PROJECTION_TOLERANCE, 1e-13)
    _add_blocks(builder, k)
    quaternions = [1 + start for start in k.layout.quaternions]
    builder.integers(QUATERNIONS, quaternions)
    builder.set(N_QUATERNIONS, len(quaternions))
    _add_work(builder, k)
    builder.reals(c.PARAMETERS, [*k.p, 0.0])
    builder.set(c.N_PARAMETERS, len(k.p))
    builder.set(c.N_GUARDS, len(k.guards) if "K" in k.functions else 0)
    lines = [s for s in k.signals if s.corners]
    builder.set(c.N_LOOPS, k.layout.loops)
    builder.set(c.N_LINES, len(lines))
    builder.integers(c.LINES, [n for s in lines for n in (s.offset, s.points)])
    return builder.arrays()


def renew_addresses(compiled: CompiledEquations, ic: Integers) -> None:
    """Where the machine code of the model's functions is at present."""
    state = background.version(), len(compiled.made)
    known, found = compiled.contexts.get("addresses", (None, None))
    if known != state:
        found = np.array([compiled.address(name) for name in _FUNCTIONS], dtype=np.int64)
        compiled.contexts["addresses"] = state, found
    ic[A_F : A_F + len(_FUNCTIONS)] = found


def _add_blocks(builder: c.ContextBuilder, k: CompiledEquations) -> None:
    for function, name in _BLOCKS:
        slot = _slot(function, name)
        if function not in k.blocks:
            continue
        block = k.blocks[function][name]
        builder.set(slot, block.offset)
        builder.set(slot + 1, len(block.rows))
        builder.integers(slot + 2, block.rows)
        builder.integers(slot + 3, block.cols)


def _add_work(builder: c.ContextBuilder, k: CompiledEquations) -> None:
    kkt = max(k.nd + k.m, k.nu)
    newton = kkt + k.nx
    x_size = max(k.x_size, 1 + 2 * k.nq)
    builder.set(KKT_SIZE, kkt)
    builder.set(NEWTON_SIZE, newton)
    builder.set(c.LEN_X, x_size)
    builder.set(c.LEN_Y, 2 * newton + k.nq + 2 * k.nu + k.nx + 6 * len(k.guards) + 16)
    for slot, count in (
        (Y_F, k.size.get("F", 1)), (Y_C, k.size.get("C", 1)), (Y_R, k.size.get("R", 1)),
        (Y_J, k.size.get("J", 1)),
        (Y_K, 2 * k.nq + k.nu), (G_DENSE, k.m * k.nu), (LARGEST, k.m), (QR, k.m * k.nu),
        (PIVOTS, k.m), (KKT, kkt**2), (RHS, kkt), (NEWTON, newton**2),
        (NEWTON_COMPLEX, 2 * newton**2), (X_SCRATCH, x_size),
        (TREATMENT, max(3 * kkt**2 + 4 * kkt, 2 * k.nu + k.nx)), (SIDE, kkt),
        (Y_D, k.size.get("D", 1)), (Y_Q, k.size.get("Q", 1)),
    ):  # fmt: skip
        builder.room(slot, count)
    builder.reals(SCALE, [1.0] * (k.m + 1))
    builder.reals(TERMS, [*row_terms(k.layout, k.m), 0.0])
    for slot, start in ((c.PLACE, -1), (ORDER, 0)):
        builder.integers(slot, [start] * (k.m + 1))
    preferred = [int(i in k.direct_rows or not k.direct_rows) for i in range(k.m + 1)]
    builder.integers(ACTIVE, preferred)
    builder.integers(DIRECT_ROWS, preferred)
    builder.set(DIRECT, int(k.direct is not None and k.m == 0))
    for slot in (KKT_PIVOTS, NEWTON_PIVOTS, COMPLEX_PIVOTS, CHOSEN):
        builder.integers(slot, [0] * (newton + 1))
