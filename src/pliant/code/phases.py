"""What a computation is busy with before its steps begin, for those who wait for it.

Rooms below say ``entered("deriving")`` where such work begins; whoever waits is ``listening``.
Nothing is said while steps are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str], None]
_listeners: list[Listener] = []


def entered(phase: str) -> None:
    """Tell whoever listens: deriving, compiling, assembling, integrating."""
    for listener in _listeners:
        listener(phase)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call ``listener`` with every phase that is entered meanwhile."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
