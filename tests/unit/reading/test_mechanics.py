"""Whole models derived in values in normal form agree with CasADi."""

from operator import attrgetter

import casadi as ca
import numpy as np
import pytest
from tests.unit.reading.reading import derive_readable

import pliant as pl
from pliant.formulations.registry import FORMULATIONS
from pliant.graphs import spanning_tree
from pliant.reading.algebra import Evaluation, Space, readable_ops
from pliant.spatial.ops import NUMERIC

RIGID = ("pendulum", "planar_slider_crank", "pendulating_rotor", "four_bars_2", "bricard")
CASES = [(name, None) for name in (*RIGID, "crank_rocker")]
CASES += [("haug_slider_crank", 4), ("crank_rocker", 4)]
PARTS = ("residual", "g", "cv", "qdot")
ARGUMENTS = ("t", "q", "u", "x", "a", "lam", "p", "inputs.signals")


def graph_of(name):
    return spanning_tree(pl.System.load(f"examples/{name}.yaml").model)


def numbers(equations, reference):
    """The same random numbers for the symbols of both."""
    space, ops, rng = equations.ops.space, equations.ops, np.random.default_rng(9)
    given, columns, values = {}, [], []
    for name in ARGUMENTS:
        column = attrgetter(name)(reference)
        if column is None:
            continue
        x = rng.uniform(0.3, 1.1, column.numel())
        for k, own in enumerate(ops.full(attrgetter(name)(equations))):
            if own.symbol is None:
                x[k] = float(own)
            else:
                given[space.symbols[own.symbol].name] = x[k]
        columns.append(column)
        values.append(x)
    return given, columns, values


@pytest.mark.parametrize(("name", "limit"), CASES)
def test_equations_agree_with_casadi(name, limit):
    formulation, graph = FORMULATIONS["recursive"], graph_of(name)
    equations = formulation.derive(graph, readable_ops(Space(naming_limit=limit)))
    reference = formulation.derive(graph)
    given, columns, values = numbers(equations, reference)
    parts = [part for part in PARTS if getattr(reference, part).numel()]
    expected = ca.Function("f", columns, [getattr(reference, part) for part in parts])
    evaluation = Evaluation(equations.ops.space, NUMERIC, given)
    for part, numeric in zip(parts, expected.call(values), strict=True):
        found = np.array([evaluation.of(v) for v in getattr(equations, part)], dtype=float)
        wanted = np.array(numeric).ravel()
        assert np.abs(found - wanted).max() < 1e-13 * max(1.0, np.abs(wanted).max())


@pytest.mark.slow
def test_a_flexible_arm_is_derived_with_names():
    """Two elastic links in space, 14 elastic coordinates, to second degree in them."""
    graph = graph_of("manipulator")
    reference = FORMULATIONS["recursive"].derive(graph)
    elastic = [
        reference.layout.q[start + k].name
        for start, _, count in reference.layout.elastic.values()
        for k in range(count)
    ]

    def derive(space):
        equations = FORMULATIONS["recursive"].derive(graph, readable_ops(space))
        return [x.truncate(1) for x in equations.residual]

    found = derive_readable(lambda: Space(elastic=elastic, order=2), derive, total=5000)
    assert found.limit is not None
    assert len(found.values) == 18
