"""Laws that hold for every registered element and component of networks: no power is lost.

    Σ what sources give = Σ what resistances take + Σ what stores take + what the mechanism takes

at every sample, junction by junction, and what stores took is what they hold. Heat flow is itself
a power: what sources give is what stores take.
"""

import numpy as np
import pytest
from tests.fuzz.draft import Draft
from tests.fuzz.networks import NETWORKS

import pliant as pl
from pliant.model.networks.elements import KINDS, SOURCES
from pliant.model.networks.flat import flatten
from pliant.model.networks.kinds import DOMAINS
from pliant.model.networks.library import COMPONENTS, read_subgraph

TAKING = ("R", "MR")
ROUNDING, RTOL = 1e-10, 1e-9


def driven(name):
    """A component with a source and a resistance of its own at every port."""
    own = read_subgraph(COMPONENTS[name])
    numbers = {key: 0.6 + 0.1 * k for k, key in enumerate(own.parameters)}
    ends = {port: f"at_{port}" for port in own.ports}
    elements = {"it": {"part": name, "with": numbers, "ports": ends}}
    for k, (port, end) in enumerate(ends.items(), 1):
        domain = own.elements[own.ports[port].junction].domain or own.domain
        elements[end] = {"junction": 1, "domain": domain}
        elements[f"push_{port}"] = {"Se": f"{k} + 0.5*sin({k + 1}*t)", "on": end}
        elements[f"loss_{port}"] = {"R": 0.7, "on": end}
    return pl.System(networks=[pl.Network("n", elements, domain=own.domain)])


def mixed(name, folder):
    """One of the networks that have every kind, on a mechanism."""
    draft = Draft(np.random.default_rng(5), folder)
    NETWORKS[name](draft)
    return draft.system()


def elements_of(system):
    return [e for name in system.model.networks
            for e in flatten(system.model, name).elements.values()]  # fmt: skip


def power(result, element):
    """Effort times flow, as the run tells both; of heat the flow alone."""
    flow = result.values(f"{element.name}.flow").reshape(len(result.time), -1)
    if element.domain == "thermal":
        return flow.sum(1) * (element.kind not in TAKING)
    return (result.values(f"{element.name}.effort").reshape(flow.shape) * flow).sum(1)


def judged(system):
    """Powers of a short run, added up."""
    result = system.simulate(0.2, every=0.005, rtol=RTOL, outputs=["*"]).require()
    audit, names = system.power_audit(result), result.names()
    size, lost = ROUNDING * audit.largest_power, np.zeros(len(result.time))
    for e in elements_of(system):
        if f"{e.name}.flow" not in names:
            continue
        own = power(result, e)
        lost += own if e.kind in SOURCES else -own
        assert own.min() >= -size or e.kind not in TAKING or e.domain == "thermal", e.name
        assert np.abs(own).max() <= size or e.kind not in ("CN", "EJS"), e.name
    for network in system.model.networks:
        if f"{network}.power" in names:
            lost -= result.values(f"{network}.power")
        stored(system, result, network)
    assert np.abs(lost).max() <= size
    assert audit.junction_residual <= ROUNDING
    assert abs(audit.residual) + abs(audit.heat_residual) <= 1e-7 * audit.turnover + 1e-12


def stored(system, result, network):
    """What the stores of a network hold is the work of all else, along the steps of the run."""
    if f"{network}.energy" not in result.names():
        return
    signs = dict.fromkeys(SOURCES, 1) | dict.fromkeys(TAKING, -1)
    works = [signs[e.kind] * result.values(f"{e.name}.work")
             for e in flatten(system.model, network).elements.values()
             if e.kind in signs and f"{e.name}.work" in result.names()]  # fmt: skip
    if f"{network}.work" in result.names():
        works.append(-result.values(f"{network}.work"))
    held = result.values(f"{network}.energy")
    size = max(np.abs(held).max(), *(np.abs(w).max() for w in works))
    assert np.abs(held - held[0] - sum(works)).max() <= 1e-6 * size


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_component_passes_on_stores_or_takes_what_comes_in(name):
    judged(driven(name))


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_loses_no_power(name, tmp_path):
    judged(mixed(name, tmp_path))


def test_every_kind_and_domain_is_judged(tmp_path):
    systems = [mixed(name, tmp_path) for name in NETWORKS]
    networks = [n for s in systems for n in s.model.networks.values()]
    assert {e.kind for n in networks for e in n.elements.values()} == {*KINDS}
    assert {e.domain for s in systems for e in elements_of(s)} == {*DOMAINS}
