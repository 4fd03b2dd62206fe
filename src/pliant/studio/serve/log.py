"""Where faults of the studio itself are written down: ``studio.log`` in the folder of states."""

from __future__ import annotations

import logging

from pliant.studio.document.journal import state_folder

LOG = logging.getLogger("pliant.studio")


def keep_log() -> None:
    """From now on; without a folder to write to, nowhere."""
    if LOG.handlers:
        return
    try:
        state_folder().mkdir(parents=True, exist_ok=True)
        LOG.addHandler(logging.FileHandler(state_folder() / "studio.log", delay=True))
    except OSError:
        LOG.addHandler(logging.NullHandler())
    LOG.propagate = False
