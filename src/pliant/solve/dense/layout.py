"""Context of a dense expression model: where addresses, patterns and work arrays stand."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array, Integers
from pliant.code import background
from pliant.code.compiled import CompiledEquations
from pliant.solve.machine import context as c
from pliant.solve.start.rank import HYSTERESIS_DEFAULT, THRESHOLD_DEFAULT, row_terms

_FUNCTIONS = (
    "explicit", "constraints", "residual", "jacobians", "tangent", "kinematics", "speeds", "direct",
    "correction", "guards", "power_balance",
)  # fmt: skip
(
    A_EXPLICIT, A_CONSTRAINTS, A_RESIDUAL, A_JACOBIANS, A_TANGENT, A_KINEMATICS, A_SPEEDS, A_DIRECT,
    A_CORRECTION, A_GUARDS, A_POWER_BALANCE,
) = range(c.IC_HEADER, c.IC_HEADER + 11)  # fmt: skip
"""Slots of the addresses of the model functions."""
_FIRST = c.IC_HEADER + 11
(
    Y_EXPLICIT, Y_CONSTRAINTS, Y_RESIDUAL, Y_JACOBIANS, Y_KINEMATICS, G_DENSE, SCALE, LARGEST, QR,
    PIVOTS, KKT, RHS, NEWTON, NEWTON_COMPLEX, X_SCRATCH, TREATMENT, SIDE, Y_DIRECT, Y_CORRECTION,
) = range(_FIRST, _FIRST + 19)  # fmt: skip
"""Slots of real work arrays (Y_KINEMATICS serves tangent, kinematics and speeds)."""
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
        "explicit": "M G h gamma g cv qdot xdot P Pz",
        "constraints": "G g cv",
        "residual": "r ca cv g qdot xdot",
        "jacobians": "M D K G Au Aq B Rx Fu Fq Fx",
        "kinematics": "qdot qddot",
        "direct": "qdot xdot a lam P guard",
        "correction": "dq du g cv guard",
    }.items()
    for name in names.split()
)
TERMS = _TABLE + 4 * len(_BLOCKS)
"""Slot of the sizes of the terms that rows are made of (``row_terms``)."""
_HEADER = TERMS + 1


def _slot(function: str, name: str) -> int:
    return _TABLE + 4 * _BLOCKS.index((function, name))


# A block is four integers: offset in y, number of non-zeros, place of its rows and columns in ic.
(
    EXPLICIT_M,
    EXPLICIT_G,
    EXPLICIT_H,
    EXPLICIT_GAMMA,
    EXPLICIT_GPOS,
    EXPLICIT_CV,
    EXPLICIT_QDOT,
    EXPLICIT_XDOT,
    EXPLICIT_P,
    EXPLICIT_PZ,
) = (_slot("explicit", n) for n in ("M", "G", "h", "gamma", "g", "cv", "qdot", "xdot", "P", "Pz"))
CONSTRAINTS_G, CONSTRAINTS_GPOS, CONSTRAINTS_CV = (
    _slot("constraints", n) for n in ("G", "g", "cv")
)
RESIDUAL_R, RESIDUAL_CA, RESIDUAL_CV, RESIDUAL_GPOS, RESIDUAL_QDOT, RESIDUAL_XDOT = (
    _slot("residual", n) for n in ("r", "ca", "cv", "g", "qdot", "xdot")
)
(
    JACOBIANS_M,
    JACOBIANS_D,
    JACOBIANS_K,
    JACOBIANS_G,
    JACOBIANS_AU,
    JACOBIANS_AQ,
    JACOBIANS_B,
    JACOBIANS_RX,
    JACOBIANS_FU,
    JACOBIANS_FQ,
    JACOBIANS_FX,
) = (_slot("jacobians", n) for n in ("M", "D", "K", "G", "Au", "Aq", "B", "Rx", "Fu", "Fq", "Fx"))
DIRECT_QDOT, DIRECT_XDOT, DIRECT_A, DIRECT_LAM, DIRECT_P, DIRECT_GUARD = (
    _slot("direct", n) for n in ("qdot", "xdot", "a", "lam", "P", "guard")
)
CORRECTION_DQ, CORRECTION_DU, CORRECTION_G, CORRECTION_CV, CORRECTION_GUARD = (
    _slot("correction", n) for n in ("dq", "du", "g", "cv", "guard")
)
KINEMATICS_QDOT, KINEMATICS_QDDOT = _slot("kinematics", "qdot"), _slot("kinematics", "qddot")


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
    builder.set(c.N_GUARDS, len(k.guards) if "guards" in k.functions else 0)
    lines = [s for s in k.signals if s.corners]
    builder.set(c.N_LOOPS, k.layout.loops)
    builder.set(c.N_LINES, len(lines))
    builder.integers(c.LINES, [n for s in lines for n in (s.offset, s.points)])
    return builder.arrays()


def renew_addresses(compiled: CompiledEquations, ic: Integers) -> None:
    """Where the machine code of the model's functions is at present."""
    state = background.version(), len(compiled.code.made)
    known, found = compiled.contexts.get("addresses", (None, None))
    if known != state:
        found = np.array([compiled.address(name) for name in _FUNCTIONS], dtype=np.int64)
        compiled.contexts["addresses"] = state, found
    ic[A_EXPLICIT : A_EXPLICIT + len(_FUNCTIONS)] = found


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
        (Y_EXPLICIT, k.size.get("explicit", 1)), (Y_CONSTRAINTS, k.size.get("constraints", 1)),
        (Y_RESIDUAL, k.size.get("residual", 1)), (Y_JACOBIANS, k.size.get("jacobians", 1)),
        (Y_KINEMATICS, 2 * k.nq + k.nu), (G_DENSE, k.m * k.nu), (LARGEST, k.m), (QR, k.m * k.nu),
        (PIVOTS, k.m), (KKT, kkt**2), (RHS, kkt), (NEWTON, newton**2),
        (NEWTON_COMPLEX, 2 * newton**2), (X_SCRATCH, x_size),
        (TREATMENT, max(3 * kkt**2 + 4 * kkt, 2 * k.nu + k.nx)), (SIDE, kkt),
        (Y_DIRECT, k.size.get("direct", 1)), (Y_CORRECTION, k.size.get("correction", 1)),
    ):  # fmt: skip
        builder.room(slot, count)
    builder.reals(SCALE, [1.0] * (k.m + 1))
    builder.reals(TERMS, [*row_terms(k.layout, k.m), 0.0])
    for slot, start in ((c.PLACE, -1), (ORDER, 0)):
        builder.integers(slot, [start] * (k.m + 1))
    preferred = [int(i in k.direct_rows or not k.direct_rows) for i in range(k.m + 1)]
    builder.integers(ACTIVE, preferred)
    builder.integers(DIRECT_ROWS, preferred)
    builder.set(DIRECT, int(bool(k.address("direct")) and k.m == 0))
    for slot in (KKT_PIVOTS, NEWTON_PIVOTS, COMPLEX_PIVOTS, CHOSEN):
        builder.integers(slot, [0] * (newton + 1))
