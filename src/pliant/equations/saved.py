"""Compiled equations as bytes: machine code with all it takes to call it, no symbols needed."""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from typing import Any

import numpy as np

from pliant.engine import Machine, SignalSlot
from pliant.equations.compiled import Block, Clock, CompiledEquations, Names, Observed
from pliant.equations.interpreted import SymbolicFunction
from pliant.equations.layout import Group, Layout, Scalar

_COUNTS = ("nq", "nu", "nx", "nd", "m", "mh", "has_lam")


def to_bytes(c: CompiledEquations) -> bytes:
    """Everything in one archive."""
    about = {
        "formulation": c.formulation, "tree": c.tree, "layout": asdict(c.layout),
        "counts": {k: getattr(c, k) for k in _COUNTS}, "size": dict(c.size),
        "observed": {k: asdict(o) for k, o in c.observed.items()},
        "parameters": dict(c.parameters), "bodies": c.bodies, "tables": dict(c.tables),
        "elastic": dict(c.elastic),
        "wishes": c.wishes, "reads": dict(c.reads),
        "functions": list(c.machine.address),
        "direct": list(c.direct.address) if c.direct else [], "direct_rows": c.direct_rows,
        "signals": [asdict(s) for s in c.signals], "guards": c.guards,
        "clocks": [[k.program, k.whole] for k in c.clocks],
        "blocks": {f: {n: [b.offset, *b.shape] for n, b in parts.items()}
                   for f, parts in c.blocks.items()},
    }  # fmt: skip
    places = [
        np.concatenate([b.rows, b.cols]) for parts in c.blocks.values() for b in parts.values()
    ]
    later: dict[str, Any] = {
        f"later_{name}": np.frombuffer(f.symbols, dtype=np.uint8) for name, f in c.later.items()
    }
    stream = io.BytesIO()
    np.savez(
        stream,
        about=np.frombuffer(json.dumps(about).encode(), dtype=np.uint8),
        code=np.frombuffer(c.machine.object_code, dtype=np.uint8),
        direct=np.frombuffer(c.direct.object_code if c.direct else b"", dtype=np.uint8),
        p=c.p,
        **later,
        places=np.concatenate(places) if places else np.zeros(0, dtype=np.int64),
        lengths=np.array([len(k) // 2 for k in places], dtype=np.int64),
    )
    return stream.getvalue()


def from_bytes(blob: bytes) -> CompiledEquations:
    """The inverse of ``to_bytes``; ValueError if the blob is not one."""
    with np.load(io.BytesIO(blob), allow_pickle=False) as archive:
        about = json.loads(archive["about"].tobytes())
        code, p = archive["code"].tobytes(), archive["p"]
        direct = archive["direct"].tobytes()
        later = {
            name.removeprefix("later_"): SymbolicFunction(symbols=archive[name].tobytes())
            for name in archive.files
            if name.startswith("later_")
        }
        places, lengths = archive["places"], archive["lengths"]
    return CompiledEquations(
        formulation=about["formulation"], tree=about["tree"], layout=_layout(about["layout"]),
        machine=Machine(code, tuple(about["functions"])), **about["counts"], p=p,
        blocks=_blocks(about["blocks"], places, lengths), size=about["size"],
        observed={k: Observed(**{**o, "labels": tuple(o["labels"])})
                  for k, o in about["observed"].items()},
        parameters=about["parameters"], bodies=tuple(about["bodies"]), tables=about["tables"],
        elastic={k: tuple(v) for k, v in about["elastic"].items()},
        wishes=tuple((_names(q), _names(u)) for q, u in about["wishes"]),
        reads={name: tuple(places) for name, places in about["reads"].items()},
        direct=Machine(direct, tuple(about["direct"])) if direct else None,
        direct_rows=tuple(about["direct_rows"]), later=later,
        signals=tuple(SignalSlot(**s) for s in about["signals"]),
        guards=tuple(about["guards"]), clocks=tuple(_clock(*k) for k in about["clocks"]),
    )  # fmt: skip


def _clock(program: list[Any], whole: bool) -> Clock:
    return Clock(tuple((name, tuple(args), number) for name, args, number in program), whole)


def _names(rows: list[list[str]]) -> Names:
    return tuple((name, unit) for name, unit in rows)


def _layout(data: dict[str, Any]) -> Layout:
    scalars = {k: tuple(Scalar(**s) for s in data[k]) for k in ("q", "u", "rows", "x")}
    groups = tuple(Group(**g) for g in data["groups"])
    return Layout(**scalars, groups=groups, n_holonomic=data["n_holonomic"], loops=data["loops"],
                  algebraic=data["algebraic"])  # fmt: skip


def _blocks(
    about: dict[str, dict[str, list[int]]], places: Any, lengths: Any
) -> dict[str, dict[str, Block]]:
    blocks: dict[str, dict[str, Block]] = {}
    start, k = 0, 0
    for function, parts in about.items():
        blocks[function] = {}
        for name, (offset, rows, cols) in parts.items():
            n = int(lengths[k])
            pair = places[start : start + 2 * n]
            blocks[function][name] = Block(offset, (rows, cols), pair[:n].copy(), pair[n:].copy())
            start, k = start + 2 * n, k + 1
    return blocks
