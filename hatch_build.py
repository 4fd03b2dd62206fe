"""The moving page and the studio are part of the package: their scripts are built from web/ when
the package is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = Path("src") / "pliant"
SCRIPTS = (PACKAGE / "show" / "page" / "page.js", PACKAGE / "show" / "page" / "sweep.js",
           PACKAGE / "studio" / "page" / "studio.js")  # fmt: skip


class PageHook(BuildHookInterface):  # type: ignore[misc]
    """Builds the script unless it is there and newer than its sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a wheel is made; an editable install leaves the script to `make page`."""
        if version != "editable":
            build_page(Path(self.root))


def build_page(root: Path) -> None:
    """The scripts of a source tree, by npm if need be."""
    scripts, web = [root / name for name in SCRIPTS], root / "web"
    if not any(_outdated(script, web) for script in scripts):
        return
    npm = shutil.which("npm")
    if npm is None:
        raise RuntimeError(
            f"pliant: the scripts of its pages ({', '.join(map(str, SCRIPTS))}) are built by npm, "
            "which is not installed; install Node.js with npm, or install a wheel of Pliant"
        )
    for command in (["ci"], ["run", "build"]):
        subprocess.run([npm, *command], cwd=web, check=True)


def _outdated(script: Path, web: Path) -> bool:
    """Whether a script is missing, or a source of it was changed after it was built."""
    if not script.exists():
        return True
    sources = [p for own in ("src", "studio") for p in (web / own).rglob("*") if p.is_file()]
    return any(p.stat().st_mtime > script.stat().st_mtime for p in sources)
