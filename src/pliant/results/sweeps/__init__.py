"""Results of sweeps: what many runs of one system told, by what was varied."""

from typing import TYPE_CHECKING

from pliant.late import late

if TYPE_CHECKING:
    from pliant.results.sweeps.sweep import Sweep

    __all__ = ["Sweep"]

__getattr__, __dir__ = late(globals(), {"sweep": ("Sweep",)})
