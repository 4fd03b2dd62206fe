"""Columns, heights and free places: the laws they keep."""

from itertools import pairwise

import numpy as np
import pytest

from pliant.show.graphs.labels import LabelPlacer, Name
from pliant.show.graphs.layered import Block, Layers, Span, columns_of, increasing, potential


def random_graph(seed, count=30):
    rng = np.random.default_rng(seed)
    edges = [(k, int(rng.integers(k))) for k in range(1, count)]
    return edges + [tuple(map(int, rng.choice(count, 2, replace=False))) for _ in range(15)]


def test_potential_is_the_mean_of_its_neighbours():
    edges = random_graph(1)
    values = potential(30, edges, {0: 0.0, 29: 1.0})
    for k in range(1, 29):
        near = [j if i == k else i for i, j in edges if k in (i, j)]
        assert values[k] == pytest.approx(values[near].mean(), abs=1e-5)


def test_potential_without_two_ends_is_the_distance():
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5)]
    assert potential(6, edges, {1: 0.0}) == pytest.approx([1, 0, 1, 2, 0, 1])


@pytest.mark.parametrize("seed", range(5))
def test_every_edge_leads_to_a_higher_column(seed):
    edges = random_graph(seed)
    values = potential(30, edges, {0: 0.0, 29: 1.0})
    columns = columns_of(30, edges, values)
    assert min(columns) == 0
    for i, j in edges:
        lower, higher = sorted((i, j), key=lambda k: (round(values[k], 9), k))
        assert columns[lower] < columns[higher]


def test_increasing_is_the_nearest_sequence_that_does_not_fall():
    assert increasing([1, 3, 2, 2, 5]) == pytest.approx([1, 7 / 3, 7 / 3, 7 / 3, 5])
    rng = np.random.default_rng(2)
    values = rng.normal(size=12)
    best = np.array(increasing(list(values)))
    assert (np.diff(best) >= -1e-12).all()
    for _ in range(200):  # no feasible step lowers the sum of squares
        other = np.sort(best + 0.1 * rng.normal(size=12))
        assert ((other - values) ** 2).sum() >= ((best - values) ** 2).sum() - 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_blocks_of_a_column_keep_apart_and_ways_end_where_they_should(seed):
    rng = np.random.default_rng(seed)
    edges = random_graph(seed)
    values = potential(30, edges, {0: 0.0, 29: 1.0})
    columns = columns_of(30, edges, values)
    blocks = {k: Block(*rng.uniform(5, 40, 4), column=c) for k, c in enumerate(columns)}
    spans = [Span(*sorted(e, key=columns.__getitem__)) for e in edges]
    layers = Layers(dict(blocks), spans, gap=10, track=12, gutter=30)
    layers.place()
    layers.spread()
    for column in layers.columns:
        own = sorted((layers.blocks[k] for k in column), key=lambda b: b.y)
        for upper, lower in pairwise(own):
            assert lower.y - upper.y >= upper.below + lower.above + 10 - 1e-9
    for span, way in zip(spans, layers.ways(), strict=True):
        source, target = blocks[span.source], blocks[span.target]
        assert way[0][1] == pytest.approx(source.y + span.start)
        assert way[-1][1] == pytest.approx(target.y + span.end)
        assert source.x + source.right <= way[0][0] + 1e-9
        assert way[-1][0] <= target.x - target.left + 1e-9
        for a, b in pairwise(way):  # level or upright, never through a block
            assert min(abs(a - b)) < 0.51
            for block in (b for k, b in blocks.items() if k not in (span.source, span.target)):
                points = a + np.linspace(0, 1, 100)[:, None] * (b - a)
                low = np.array([block.x - block.left, block.y - block.above])
                high = np.array([block.x + block.right, block.y + block.below])
                assert not ((points > low) & (points < high)).all(axis=1).any()


def test_a_box_meets_a_line_when_points_of_it_are_inside():
    rng = np.random.default_rng(3)
    for _ in range(300):
        line = rng.uniform(0, 100, (2, 2))
        centre, half = rng.uniform(0, 100, 2), rng.uniform(3, 20, 2)
        taken = LabelPlacer()
        taken.add_line(line, 0.0)
        points = line[0] + np.linspace(0, 1, 4000)[:, None] * (line[1] - line[0])
        depth = (half - np.abs(points - centre)).min(axis=1).max()  # > 0: it goes through
        if abs(depth) > 0.6:
            assert bool(taken.hits((*centre, *half))) == (depth > 0)


def test_texts_take_the_cheapest_free_place():
    taken = LabelPlacer()
    taken.add_box(np.zeros(2), np.array([20.0, 20.0]))
    places = np.array([[0.0, 0.0], [30.0, 0.0], [60.0, 0.0]])
    names = [Name("ab", 10, places, np.array([0.0, 1.0, 2.0])) for _ in range(2)]
    first, second = taken.settle(names)
    assert first == pytest.approx([30, 0])
    assert second == pytest.approx([60, 0])
