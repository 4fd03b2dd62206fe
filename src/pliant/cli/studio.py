"""pliant studio [MODEL]: look at a model, run it and compare runs in a page of this machine."""

from __future__ import annotations

import argparse
from typing import Any


def add_to(commands: Any) -> None:
    """Register the command."""
    c = commands.add_parser(
        "studio", help="look, run and compare in the browser",
        description="Open a page on this machine in which the mechanism, its graphs, the text of "
        "the file, the equations and the results are views of one model. Nothing leaves the "
        "machine; it ends with Ctrl-C, or an hour after its last window was closed.",
        examples=("crank.yaml", "--port 8000 --no-browser"),
    )  # fmt: skip
    c.set_defaults(action=studio)
    c.add_argument("model", metavar="MODEL", nargs="?",
                   help="model file (YAML or JSON); one that is not there is begun; or a folder "
                   "of models")  # fmt: skip
    c.add_argument("--port", type=int, default=0, metavar="N", help="port (any free one)")
    c.add_argument("--no-browser", action="store_true", help="only say the address")
    c.add_argument("--root", metavar="DIR",
                   help="folder below which files may be opened (that of the model)")  # fmt: skip
    c.add_argument("--read-only", action="store_true", help="look and run, change nothing")
    c.add_argument("--allow-host", action="append", default=[], metavar="HOST[:PORT]",
                   help="name under which a tunnel reaches this server")  # fmt: skip


def studio(options: argparse.Namespace) -> int:
    """Serve until the end."""
    from pliant.studio.serve.start import open_studio

    open_studio(options.model, port=options.port, browser=not options.no_browser,
                root=options.root, read_only=options.read_only,
                allowed=options.allow_host, say=_say)  # fmt: skip
    return 0


def _say(text: str) -> None:
    print(text, flush=True)
