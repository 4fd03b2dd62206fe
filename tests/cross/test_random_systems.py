"""One model, any coordinates, one answer: random trees and loops at random consistent states and
along their motion."""

import numpy as np
import pytest
from tests.models.random_systems import (
    CUT_KINDS,
    TREE_KINDS,
    random_flexible_tree,
    random_tree,
    with_loop,
)

from pliant.analysis.verification.runs import Span
from pliant.analysis.verification.states import pointwise
from pliant.analysis.verification.verify import along_motion
from pliant.backends.choice import Choice
from pliant.formulations import FORMULATIONS

MODELS, MOTIONS = 200, 40
EACH, MOVED = 10, 4
"""Models in one test."""
FREE = ("spherical", "universal", "cylindrical", "planar", "free")
CLOSING = ("spherical", "universal", "cylindrical", "planar", "distance")


def random_system(seed):
    """A tree or a loop of one to three bodies, every fourth with a beam; all kinds of joints come
    up in turn, in trees and closing loops."""
    rng = np.random.default_rng(seed)
    flexible, loop = seed % 8 in (2, 7), seed % 2 == 1
    build = random_flexible_tree if flexible else random_tree
    first = TREE_KINDS[seed // 4 % len(TREE_KINDS)]
    if not loop:
        return build(rng, 2 if flexible else int(rng.integers(1, 4)), kinds=(first, *TREE_KINDS))
    kind = CLOSING[seed // 4 % len(CLOSING)]
    return with_loop(rng, build(rng, 3 if flexible else 2, kinds=FREE), kind)


def choices(seed):
    """Every formulation, in relative and in absolute coordinates and in each of its forms in turn:
    two rounds of the kinds of joints (72 models) see each kind in all of them."""
    tree, form = seed // 2, seed // 4
    return [
        Choice(name, method.trees[(tree + k) % len(method.trees)],
               form=method.forms[form % len(method.forms)])
        for k, (name, method) in enumerate(FORMULATIONS.items())
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(MODELS // EACH))
def test_all_formulations_agree_on_random_models(chunk):
    """Frame accelerations, unique reactions and all other observables to 1e-9."""
    for seed in range(chunk * EACH, (chunk + 1) * EACH):
        report = pointwise(random_system(seed), states=1, seed=seed, choices=choices(seed))
        assert report.agree, f"seed {seed}\n" + "\n".join(report.lines())
        assert sum(not v.declined for v in report.verdicts) >= len(FORMULATIONS)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(MOTIONS // MOVED))
def test_all_formulations_move_random_models_alike(chunk):
    """By the criterion of ``pliant verify``, for 0.8 s: bodies of half a metre swing with periods
    of about 1.5 s."""
    for seed in range(chunk * MOVED, (chunk + 1) * MOVED):
        system = random_system(1000 + 7 * seed)  # all kinds of joints
        span = Span(0.8, 0.8, 1e-6, "dop853")
        report, _ = along_motion(system, span, [Choice(name) for name in FORMULATIONS])
        assert report.agree, f"seed {seed}\n{report.runs}"
        assert sum(not r.declined for r in report.runs) == len(FORMULATIONS)


@pytest.mark.parametrize("kind", TREE_KINDS)
def test_every_joint_in_the_tree_agrees_with_itself_cut(kind):
    rng = np.random.default_rng(len(kind))
    report = random_tree(rng, 2, kinds=(kind, "revolute")).verify(pointwise=True, states=3)
    assert report.agree, str(report)


@pytest.mark.parametrize("kind", CUT_KINDS)
def test_every_joint_closes_a_loop(kind):
    rng = np.random.default_rng(11 + len(kind))
    free = ("spherical", "universal", "cylindrical", "planar")
    system = with_loop(rng, random_tree(rng, 3, kinds=free), kind)
    report = system.verify(pointwise=True, states=3)
    assert report.agree, str(report)
