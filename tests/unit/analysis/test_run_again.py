"""A run with other parameters: what was kept from the run before is right, and is used."""

import numpy as np
import pytest

import pliant as pl
from pliant.backends.expressions import start as starting

EXAMPLES = ("planar_slider_crank", "crank_rocker", "four_bars_2", "pendulum", "haug_slider_crank")


def moved(name, value):
    """Each parameter by itself, a little."""
    return {name: value * 1.02 if value else 0.01}


def end(system, params):
    result = system.simulate(0.02, every=0.01, params=params, outputs=["*.position", "energy"])
    return np.concatenate([s.values.ravel() for s in result.series.values()])


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_same_numbers_as_in_a_new_system(name, monkeypatch):
    path = f"examples/{name}.yaml"
    warm = pl.load(path)
    assembled = []
    assemble = starting.assemble

    def counted(*arguments, **options):
        assembled.append(1)
        return assemble(*arguments, **options)

    monkeypatch.setattr(starting, "assemble", counted)
    first = end(warm, {})
    changes = [moved(*item) for item in warm.described.parameter_values().items()][:6]
    for params in changes:
        once = len(assembled)
        found = end(warm, params)
        begun = len(assembled) - once
        assert np.array_equal(found, end(pl.load(path), params)), params
        assert begun <= 1
    assert np.array_equal(end(warm, {}), first)


def test_a_start_that_does_not_depend_on_a_parameter_is_kept(monkeypatch):
    system = pl.load("examples/planar_slider_crank.yaml")
    system.simulate(0.01)
    monkeypatch.setattr(starting, "assemble", None)
    system.simulate(0.01, params={"T": 2.0})
    with pytest.raises(TypeError):
        system.simulate(0.01, params={"l1": 0.21})
