"""Machine code of a tree: made once per set of joint kinds and force laws, kept in the cache.

It does not depend on the number of links, so that chains of any length share it. Symbols are
needed only where nothing is found in the cache.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pliant.engine import Machine, compile_functions, store
from pliant.engine.machine import host
from pliant.equations.tree_model import Kind, LawNumbers
from pliant.model.forces import ForceElement
from pliant.model.joints import Joint


@dataclass(frozen=True, slots=True)
class TreeCode:
    """Functions of all kinds and laws; names as in ``TreeModel``."""

    kinds: tuple[Kind, ...]
    laws: tuple[LawNumbers, ...]
    machine: Machine


def tree_code(
    kinds: Mapping[Any, tuple[Joint, bool]], laws: Mapping[Any, tuple[ForceElement, Joint]],
    parameters: frozenset[str], more: Callable[[], Mapping[str, Any]],
) -> TreeCode:  # fmt: skip
    """Code by keys (``tree_keys``), each with an example of what it stands for; ``more``: functions
    that are the same for every tree."""
    key = store.key_of("tree", repr(list(kinds)), repr(list(laws)), host())
    blob = store.get(key, "tree")
    if blob is not None:
        with contextlib.suppress(ValueError, KeyError, OSError):
            return _from_bytes(blob)
    made = _made(list(kinds.values()), list(laws.values()), parameters, more())
    store.put(key, "tree", _to_bytes(made))
    return made


def _made(
    kinds: list[tuple[Joint, bool]], laws: list[tuple[ForceElement, Joint]],
    parameters: frozenset[str], more: Mapping[str, Any],
) -> TreeCode:  # fmt: skip
    """Code from expressions."""
    from pliant.equations.tree_forces import LawExpressions
    from pliant.equations.tree_kernel import LinkExpressions, frame_function
    from pliant.equations.tree_newton import newton_functions

    code = {"frame": frame_function(), **more}
    links = [LinkExpressions(*example) for example in kinds]
    for k, link in enumerate(links):
        functions = link.functions() | newton_functions(link)
        code |= {f"k{k}_{name}": f for name, f in functions.items()}
    forces = [LawExpressions(element, joint, parameters) for element, joint in laws]
    for k, law in enumerate(forces):
        code |= {f"law{k}{name}": f for name, f in law.functions().items()}
    numbers = tuple(law.numbers for law in forces)
    return TreeCode(tuple(link.kind for link in links), numbers, compile_functions(code))


def _to_bytes(code: TreeCode) -> bytes:
    about = {"kinds": [asdict(k) for k in code.kinds], "laws": code.laws,
             "functions": list(code.machine.address)}  # fmt: skip
    stream = io.BytesIO()
    np.savez(
        stream,
        about=np.frombuffer(json.dumps(about).encode(), dtype=np.uint8),
        code=np.frombuffer(code.machine.object_code, dtype=np.uint8),
    )
    return stream.getvalue()


def _from_bytes(blob: bytes) -> TreeCode:
    """The inverse of ``_to_bytes``; ValueError if the blob is not one."""
    with np.load(io.BytesIO(blob), allow_pickle=False) as archive:
        about, code = json.loads(archive["about"].tobytes()), archive["code"].tobytes()
    laws = tuple(tuple((where, name) for where, name in law) for law in about["laws"])
    kinds = tuple(Kind(**k) for k in about["kinds"])
    return TreeCode(kinds, laws, Machine(code, tuple(about["functions"])))
