"""The moving page is part of the package: its script is built from web/ when the package is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SCRIPT = Path("src") / "pliant" / "show" / "page" / "page.js"


class PageHook(BuildHookInterface):  # type: ignore[misc]
    """Builds the script unless it is there and newer than its sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a wheel is made; an editable install leaves the script to `make page`."""
        if version != "editable":
            build_page(Path(self.root))


def build_page(root: Path) -> None:
    """src/pliant/show/page/page.js of a source tree, by npm if need be."""
    script, web = root / SCRIPT, root / "web"
    if script.exists() and not _outdated(script, web):
        return
    npm = shutil.which("npm")
    if npm is None:
        raise RuntimeError(
            "pliant: the script of the moving page (src/pliant/show/page/page.js) is built by npm, "
            "which is not installed; install Node.js with npm, or install a wheel of Pliant"
        )
    for command in (["ci"], ["run", "build"]):
        subprocess.run([npm, *command], cwd=web, check=True)


def _outdated(script: Path, web: Path) -> bool:
    """Whether a source of the page was changed after the script was built."""
    sources = [p for p in (web / "src").rglob("*") if p.is_file()] if web.is_dir() else []
    return any(p.stat().st_mtime > script.stat().st_mtime for p in sources)
