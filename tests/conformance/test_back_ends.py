"""Every kind of element on every back end that takes it: expressions, the tree kernel, blocks.

The reference is the motion by expressions at a tight tolerance. At the start all observables are
functions of the same state: equal to rounding (blocks take the curvature of constraints from
second differences, 1e-7). Later, positions and velocities differ by what the step control of a
method of second order leaves.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from tests.models.element_kinds import CASES, DECLINED, FORCES, TREES, given_modes

from pliant.backends.choose import BACK_ENDS, EXPRESSIONS
from pliant.backends.resume import saved_state
from pliant.backends.tree import run as large
from pliant.errors import CapabilityError
from pliant.model.constraints import CONSTRAINTS
from pliant.model.drivers import DRIVERS
from pliant.model.forces import FORCES as FORCE_KINDS
from pliant.model.joints import JOINTS
from pliant.results.series import labelled

END, EVERY = 0.04, 0.02
STATE = ("position", "rotation", "coordinate", "velocity", "rate", "energy")
"""Kinds of observables that are states, or follow from them without a derivative of a step."""


@pytest.fixture(autouse=True)
def by_expressions(monkeypatch):
    monkeypatch.setattr(large, "THRESHOLD", 10**9)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The system of a case and its motion by expressions, each made once."""
    folder = tmp_path_factory.mktemp("modes")

    @cache
    def of(case):
        system = given_modes(folder) if case == "body: given modes" else CASES[case]()
        return system, system.simulate(END, every=EVERY, rtol=1e-9)

    return of


def gaps(reference, other, rows, kinds=None):
    """Largest difference of each observable over the largest value of its kind."""
    scale = {}
    for s in reference.series.values():
        scale[s.kind] = max(scale.get(s.kind, 1.0), float(np.abs(s.values).max()))
    found = {}
    for name, s in reference.series.items():
        if name not in other.series or (kinds and s.kind not in kinds):
            continue
        a, b = s.values[rows], other.series[name].values[rows]
        if s.kind == "rotation":
            b = b * np.sign(np.sum(a * b, axis=-1, keepdims=True))
        found[name] = float(np.abs(a - b).max()) / scale[s.kind]
    return found


def agree(reference, other, rows, tolerance, kinds=None):
    assert other.completed, other.failure
    found = gaps(reference, other, rows, kinds)
    assert len(found) > 5
    wrong = {name: gap for name, gap in found.items() if not gap < tolerance}
    assert not wrong, wrong


EVERY_CASE = [*CASES, "body: given modes"]


@pytest.mark.parametrize("case", EVERY_CASE)
def test_motion_over_blocks(case, made):
    system, reference = made(case)
    blocks = system.simulate(END, every=EVERY, rtol=2e-7, method="sparse-alpha")
    assert blocks.info["formulation"] == "blocks"
    agree(reference, blocks, slice(0, 1), 1e-6)
    agree(reference, blocks, slice(None), 1e-4, STATE)


@pytest.mark.slow
@pytest.mark.parametrize("case", EVERY_CASE)
def test_conserving_motion_over_blocks(case, made):
    system, reference = made(case)
    blocks = system.simulate(END, every=EVERY, step=2e-4, method="sparse-conserving",
                             outputs=["*.position", "energy"])  # fmt: skip
    found = gaps(reference, blocks, slice(None))
    assert blocks.completed, blocks.failure
    assert max(found.values()) < 1e-4, found


@pytest.mark.parametrize("case", EVERY_CASE)
def test_rest_over_blocks(case, made):
    system, _ = made(case)
    reference = system.statics(method="path")
    assert reference.completed, reference.failure
    blocks = system.statics(method="sparse")
    assert blocks.info["formulation"] == "blocks"
    agree(reference, blocks, slice(None), 1e-6)


@pytest.mark.parametrize("case", TREES)
def test_motion_by_the_tree_kernel(case, monkeypatch):
    system = TREES[case]()
    reference = system.simulate(END, every=EVERY, rtol=1e-9)
    monkeypatch.setattr(large, "THRESHOLD", 0)
    tree = system.simulate(END, every=EVERY, rtol=1e-9)
    assert (reference.info.get("kernel", ""), tree.info["kernel"]) == ("", "tree")
    agree(reference, tree, slice(0, 1), 1e-9)
    agree(reference, tree, slice(None), 1e-6)


@pytest.mark.parametrize(
    "case", ["joint revolute", "joint spherical", "shape box", "force: bushing"]
)
def test_every_back_end_tells_the_same_of_a_state(case):
    """Where constraints do not repeat each other, so that reactions are unique."""
    systems = [make[case]() for make in (CASES, TREES) if case in make]
    compared = set()
    for system in systems:
        state = saved_state(system.simulate(END, every=EVERY, rtol=1e-9))
        able = {name: own for name, own in BACK_ENDS.items() if not own.incapable(system)}
        answers = {name: own.tell(system, None, [state]) for name, own in able.items()}
        told = {name: labelled(own.known, own.table) for name, own in answers.items()}
        reference = SimpleNamespace(series=told[EXPRESSIONS])
        for name in told.keys() - {EXPRESSIONS}:
            found = gaps(reference, SimpleNamespace(series=told[name]), slice(None))
            wrong = {n: gap for n, gap in found.items() if not gap < 1e-7}
            assert len(found) > 5
            assert not wrong, (name, wrong)
            compared.add(name)
    assert compared


@pytest.mark.parametrize("case", DECLINED)
def test_what_blocks_do_not_take_is_declined_by_name(case):
    """Refusal counts, silence does not."""
    system = DECLINED[case]()
    for run in (lambda: system.simulate(END, method="sparse-alpha"),
                lambda: system.simulate(END, method="sparse-conserving"),
                lambda: system.statics(method="sparse")):  # fmt: skip
        with pytest.raises(CapabilityError, match=r"(driver|constraint|force) 'D'"):
            run()


@pytest.mark.parametrize("case", CASES)
def test_the_tree_kernel_takes_a_system_or_says_why_not(case):
    assert large.suitable(CASES[case]())


def test_every_registered_kind_has_a_case():
    assert {f"joint {kind}" for kind in JOINTS} <= CASES.keys()
    assert set(FORCE_KINDS) <= FORCES.keys() | DECLINED.keys()
    assert {f"joint {kind}" for kind, cls in JOINTS.items() if cls.in_tree} <= TREES.keys()
    assert set(CONSTRAINTS) <= DECLINED.keys()
    kinds = {d.kind for make in (*CASES.values(), *DECLINED.values())
             for d in make().model.drivers.values()}  # fmt: skip
    assert kinds == {cls.kind for cls in DRIVERS.values()}
