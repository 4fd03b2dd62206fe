"""The package as users get it: a wheel alone in an empty environment runs the README's commands."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECTION = re.compile(r"## On the command line\n(.*?)\n## ", re.DOTALL)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built by pip from this tree, as `pip install .` would."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check",
               "--no-deps", "--wheel-dir", str(folder), str(ROOT)]  # fmt: skip
    subprocess.run(command, check=True)
    (made,) = folder.glob("*.whl")
    return made


def readme_commands():
    """The pliant commands of the README, as lists of words."""
    text = SECTION.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert text is not None
    lines = [line[2:] for line in text[1].splitlines() if line.startswith("$ pliant ")]
    return [shlex.split(line)[1:] for line in lines]


def test_a_wheel_holds_page_examples_schema_and_machine_code(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in ("show/page/page.js", "show/page/sweep.js", "show/page/page.html",
                 "studio/page/studio.js", "studio/page/studio.css", "studio/page/studio.html",
                 "solve/machine/native.zip", "model/files/schema-1.json",
                 "examples/crank_rocker.yaml"):  # fmt: skip
        assert f"pliant/{name}" in names
    assert not any("tests/" in name or "benchmarks" in name for name in names)


@pytest.mark.slow
def test_a_wheel_alone_runs_the_commands_of_the_readme(wheel, tmp_path):
    """Nothing of this checkout is in reach: another folder, another environment."""
    home = tmp_path / "environment"
    venv.create(home)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    install = [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "install",
               "--quiet", "--disable-pip-version-check", "--no-compile", str(wheel)]  # fmt: skip
    subprocess.run(install, check=True, cwd=tmp_path)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PLIANT"))}
    clean["PLIANT_CACHE_DIR"] = str(tmp_path / "cache")
    commands = readme_commands()
    assert {c[0] for c in commands} >= {"examples", "check", "run", "verify"}
    for words in commands:
        done = subprocess.run([str(scripts / "pliant"), *words], cwd=tmp_path, env=clean,
                              capture_output=True, text=True, check=False)  # fmt: skip
        assert done.returncode == 0, f"pliant {' '.join(words)}\n{done.stderr}"
    page = (tmp_path / "crank.html").read_text(encoding="utf-8")
    assert len(page) > 500_000  # with its script inside
    assert (tmp_path / "crank.png").read_bytes().startswith(b"\x89PNG")


def test_without_npm_the_build_says_what_is_missing(tmp_path, monkeypatch):
    """A clone without the built script, on a machine without Node.js."""
    monkeypatch.syspath_prepend(str(ROOT))
    from hatch_build import SCRIPTS, build_page

    monkeypatch.setattr(shutil, "which", lambda name: None)
    (tmp_path / "web" / "src").mkdir(parents=True)
    (tmp_path / "web" / "src" / "main.ts").write_text("")
    with pytest.raises(RuntimeError, match=r"page\.js.*npm, which is not installed"):
        build_page(tmp_path)
    for script in (tmp_path / name for name in SCRIPTS):
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text("built")
        os.utime(script, (2e9, 2e9))
    build_page(tmp_path)  # there, and newer than their sources: nothing to do
    os.utime(script, (1, 1))
    with pytest.raises(RuntimeError, match="npm"):
        build_page(tmp_path)
