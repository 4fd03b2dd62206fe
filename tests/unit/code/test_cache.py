"""Machine code on disk: found again, shared between processes, harmless when damaged."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.backends.expressions import code
from pliant.backends.expressions.prepare import prepare
from pliant.cli import main
from pliant.code import background, store
from pliant.code.compiled import from_bytes, to_bytes

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("PLIANT_QUICK")
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def prepared(name):
    """A model ready to run, its good code made and kept."""
    made = prepare(pl.load(EXAMPLES / f"{name}.yaml"))
    background.finish()
    return made


def test_saved_equations_compute_the_same(folder):
    compiled = prepared("haug_slider_crank").compiled
    again = from_bytes(to_bytes(compiled))
    assert again.layout == compiled.layout
    assert again.observed == compiled.observed
    x = np.random.default_rng(0).standard_normal(compiled.x_size)
    for name in compiled.size:
        assert np.array_equal(again.call(name, x), compiled.call(name, x), equal_nan=True)
        for block, b in compiled.blocks[name].items():
            assert np.array_equal(again.blocks[name][block].rows, b.rows)
            assert np.array_equal(again.blocks[name][block].cols, b.cols)


def test_a_second_process_does_not_derive_again(folder):
    prepared("pendulum")
    assert len([e for e in store.entries() if e.path.suffix == ".model"]) == 2
    text = (
        "import sys, pliant as pl\n"
        "from pliant.backends.expressions.prepare import prepare\n"
        f"prepare(pl.load({str(EXAMPLES / 'pendulum.yaml')!r}))\n"
        "print('casadi' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_damaged_entries_are_replaced(folder, monkeypatch):
    prepared("pendulum")
    for entry in store.entries():
        entry.path.write_bytes(b"damaged")
    monkeypatch.setattr(code, "_made", {})
    prepared("pendulum")
    assert all(entry.path.read_bytes() != b"damaged" for entry in store.entries())


def test_another_parameter_value_at_run_time_needs_no_new_code(folder):
    prepared("pendulum")
    pl.load(EXAMPLES / "pendulum.yaml").simulate(0.1, params={"L": 2}, rtol=1e-3)
    assert len([e for e in store.entries() if e.path.suffix == ".model"]) == 2


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path, monkeypatch):
    blocker = tmp_path / "file"
    blocker.write_text("")
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(blocker / "cache"))
    assert prepare(pl.load(EXAMPLES / "pendulum.yaml")).compiled.nq == 1


def test_command_shows_and_clears(folder, capsys):
    prepared("pendulum")
    assert main(["cache"]) == 0
    count = len(list(store.entries()))
    assert count > 0
    assert f" {count} entries" in capsys.readouterr().out
    assert main(["cache", "--clear"]) == 0
    assert list(store.entries()) == []


def test_reproducible_code_is_another_code(folder, monkeypatch):
    usual = prepared("pendulum").compiled
    monkeypatch.setenv("PLIANT_REPRODUCIBLE", "1")
    strict = prepared("pendulum").compiled
    assert strict.code.key != usual.code.key
    assert strict.code.machines[0].object_code != usual.code.machines[0].object_code
    x = np.random.default_rng(0).standard_normal(usual.x_size)
    assert np.allclose(usual.call("explicit", x), strict.call("explicit", x), rtol=1e-13)


def test_names_words_drawings_and_numbers_are_no_part_of_the_key():
    text = """
pliant: 1
name: {name}
description: {words}
bodies: {{b: {{rigid: {{mass: 1 kg, inertia: [1, 1, 1]}}{drawing}}}}}
joints: {{j: {{revolute: {{axis: z}}, between: [ground, b]}}}}
"""
    drawn = ", shape: {rod: {length: 1, along: x}}"
    first = pl.loads(text.format(name="one", words="first", drawing=""))
    second = pl.loads(text.format(name="two", words="second", drawing=drawn))
    one = text.format(name="one", words="first", drawing="")
    others = [pl.loads(one.replace("1 kg", mass)) for mass in ("2 kg", "3 kg")]
    keys = [prepare(s).compiled.code.key for s in (first, second, *others)]
    assert keys[0] == keys[1] != keys[2] == keys[3]  # a mass of exactly 1 is structure
