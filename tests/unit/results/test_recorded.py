"""Observables that were not asked for before a run, after it and from its file."""

import pickle

import numpy as np
import pytest

import pliant as pl
from pliant.errors import RunError, UnknownName

LOOP = """
pliant: 1
gravity: [0, -9.81, 0]
bodies:
  a: {rod: {length: 1, mass: 1}, frames: {end: [1, 0, 0]}}
  b: {rod: {length: 2, mass: 1}, frames: {end: [2, 0, 0]}}
  c: {rod: {length: 1.5, mass: 1}, frames: {end: [1.5, 0, 0]}}
joints:
  A: {revolute: {axis: z}, between: [ground, a], initial: {angle: 1, angle_rate: 9}}
  B: {revolute: {axis: z}, between: [a.end, b]}
  C: {revolute: {axis: z}, between: [b.end, c.end], guess: {angle: 1}}
  D: {revolute: {axis: z}, between: [ground.far, c], guess: {angle: 1.5}}
ground: {frames: {far: [2, 0, 0]}}
forces: {s: {spring: {stiffness: 3, free_length: 1, damping: 0.1}, between: [ground, b.end]}}
outputs: {height: a.end.position.y, bad: "1/t"}
simulate: {t_end: 2, every: 0.05}
"""
LINK = "  b{0}: {{rod: {{length: 0.1, mass: 1}}, frames: {{end: [0.1, 0, 0]}}}}\n"
PIN = "  j{0}: {{revolute: {{axis: z}}, between: [{1}, b{0}], initial: {{angle: 0.1}}}}\n"
LINKS = 15
CHAIN = ("pliant: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
         + "".join(LINK.format(k) for k in range(LINKS)) + "joints:\n"
         + "".join(PIN.format(k, f"b{k - 1}.end" if k else "ground") for k in range(LINKS))
         + "simulate: {t_end: 0.2, every: 0.02}\n")  # fmt: skip
WAYS = {
    "recursive": {}, "natural": {"formulation": "natural"}, "absolute": {"tree": "absolute"},
    "embedding": {"form": "embedding"}, "augmented": {"constraints": "augmented"},
    "blocks": {"method": "sparse-alpha", "step": 1e-3},
}  # fmt: skip


def same(one, other, names, rounding=1e-10):
    """To rounding of the largest number of its kind: planar reactions have parts that are zero."""
    largest = {}
    for name in names:
        s = one.series[name]
        largest[s.kind] = max(largest.get(s.kind, 0), float(np.abs(s.values).max()))
    for name in names:
        a, b = one.series[name], other._find(name)
        assert (a.unit, a.labels, a.kind, a.unique) == (b.unit, b.labels, b.kind, b.unique)
        assert np.abs(a.values - b.values).max() <= rounding * (largest[a.kind] + 1e-300), name


def compared(system, folder, rounding=1e-10, **way):
    """A run with everything, one with one output, and that from its file."""
    known = [n for n in system.names() if n != "bad"]
    whole = system.simulate(outputs=known, **way)
    few = system.simulate(outputs=[known[0]], **way)
    assert list(few.series) == [known[0]]
    assert set(known) <= set(few.names())
    few.save(folder / "few.nc")
    read = pl.Result.load(folder / "few.nc")
    assert list(read.series) == [known[0]]
    assert read.names() == few.names()
    names = [n for n in whole.series if not n.endswith(".work")]
    same(whole, few, names, rounding)
    same(whole, read, names, rounding)
    same(whole, pickle.loads(pickle.dumps(few)), names[-3:], rounding)
    return few


@pytest.mark.parametrize("way", WAYS)
def test_any_observable_can_be_asked_for_after_the_run(way, tmp_path):
    text = LOOP.replace(', bad: "1/t"', "") if way == "blocks" else LOOP
    iterated = way == "augmented"  # multipliers, from those of the state before
    few = compared(pl.System.loads(text), tmp_path, 1e-8 if iterated else 1e-10, **WAYS[way])
    assert "s.length" in few
    assert "a.end.position.z" in few
    assert few.unit("height") == "m"


def test_also_of_a_tree_that_runs_as_a_kernel(tmp_path):
    few = compared(pl.System.loads(CHAIN), tmp_path)
    assert few.info["kernel"] == "tree"


BENT = """
pliant: 1
bodies:
  rod:
    beam: {length: 1, stiffness: {EA: 1e4, EIy: 1, EIz: 1, GJ: 1, GAy: 1e4, GAz: 1e4},
           mass_per_length: 1, rotary: {rhoIy: 1e-3, rhoIz: 1e-3}}
    theory: {exact: {elements: 9, order: 2}}
joints: {clamp: {fixed: {}, between: [ground, rod.root]}}
forces: {across: {force: [0, 3, 0], at: rod.tip}}
"""


def test_also_of_beams_of_many_elements_in_another_process():
    """Some of their observables are computed from others."""
    found = pl.System.loads(BENT).statics()
    again = pickle.loads(pickle.dumps(found))
    assert again.names() == found.names()
    for name in ("rod.mid.deflection", "rod.turn"):
        assert again.values(name) == pytest.approx(found.values(name), rel=1e-12)


@pytest.mark.parametrize("method", ["auto", "sparse"])
def test_also_of_equilibria(method, tmp_path):
    text = LOOP.replace(', bad: "1/t"', "").replace("angle_rate: 9", "angle_rate: 0")
    system = pl.System.loads(text)
    whole = system.statics(method=method)
    few = system.statics(method=method, outputs="height, s.force")
    assert list(few.series) == ["s.force", "height", "load_factor"]
    few.save(tmp_path / "few.nc")
    names = [n for n in whole.series if n != "load_factor"]
    same(whole, few, names)
    same(whole, pl.Result.load(tmp_path / "few.nc"), names)


def test_what_was_truncated_stays_so(tmp_path):
    """Accelerations of the truncated equations, which differ from those of the full ones."""
    system = pl.System.loads("""
pliant: 1
gravity: [0, -9.81, 0]
bodies:
  rod: {beam: {length: 1, stiffness: {EIz: 20}, mass_per_length: 1}, shapes: {bending_y: 2},
        rotary_inertia: none}
joints: {O: {revolute: {axis: z}, between: [ground, rod.root], initial: {angle_rate: 2}}}
simulate: {t_end: 0.1, every: 0.01}
""")
    few = compared(system, tmp_path, truncate=1)
    full = system.simulate(outputs=["O.angle"])
    assert np.abs(few.values("O.force") - full.values("O.force")).max() > 1e-3


def test_turns_are_counted_whether_they_are_asked_for_or_not():
    """The crank turns several times; the angle of a cut joint is only known modulo a turn."""
    system = pl.System.loads(LOOP)
    few = system.simulate(outputs=["height"], tree="absolute", t_end=4)
    whole = system.simulate(outputs=["A"], tree="absolute", t_end=4)
    assert np.abs(whole.values("A.angle")).max() > 2 * np.pi
    assert few.values("A.angle") == pytest.approx(whole.values("A.angle"), abs=1e-9)


def test_one_sample_answers_as_well():
    few = pl.System.loads(LOOP).simulate(outputs=["height"])
    assert few.at(1.0).values("s.force") == few.values("s.force")[20]
    assert few.sample(-1).values("a.position").shape == (1, 3)


def test_what_cannot_be_told_says_why():
    few = pl.System.loads(LOOP).simulate(outputs=["height"])
    with pytest.raises(UnknownName, match=r"outputs=\['s.damping.work'\]"):
        few.values("s.damping.work")
    with pytest.raises(RunError, match="bad: no finite value at t = 0"):
        few.values("bad")
    with pytest.raises(UnknownName, match=r"a\.end\.position"):
        few.values("a.end.positon")


def test_outputs_compile_nothing(monkeypatch):
    system = pl.System.loads(LOOP)
    system.simulate(outputs=["height"])
    monkeypatch.setattr("pliant.code.compile.compile_functions", None)
    monkeypatch.setattr("pliant.backends.expressions.code.derive", None)
    assert list(system.simulate(outputs=["s.force", "C"]).series)[-1].startswith("C.")


def test_a_file_whose_states_are_of_another_model_is_refused(tmp_path):
    from dataclasses import replace

    few = pl.System.loads(LOOP).simulate(outputs=["height"])
    other = replace(few, model=CHAIN)
    other.save(tmp_path / "other.nc")
    read = pl.Result.load(tmp_path / "other.nc")
    with pytest.raises(pl.PliantError, match="states of this file do not fit its model"):
        read.values("s.length")
    assert len(read.values("height")) == 41
