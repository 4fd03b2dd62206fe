"""Forms of the equations of a bond graph, to be read.

explicit     x' = f                              stores as states; without bodies
mixed        rows of independent stores          dependent stores without multipliers, (8.42)
             u_d - L u_i - b = 0                 and (8.45)
augmented    M u' = h + Gᵀ λ, G u + b = 0        a row for every store, (8.38)-(8.39)
"""

from __future__ import annotations

from dataclasses import replace

from pliant.equations.contract import Equations
from pliant.errors import InputError
from pliant.formulations.multibond.extract import Form
from pliant.formulations.multibond.extract import equations as network_equations
from pliant.formulations.multibond.formulation import derive
from pliant.graphs import SystemGraph
from pliant.graphs.bonds import BondGraph
from pliant.graphs.bonds.causality import Forced
from pliant.graphs.bonds.from_model import networks_bonds
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.spatial.ops import SymbolicOps


def written(graph: SystemGraph, ops: SymbolicOps, form: Form) -> Equations:
    """The equations of a system in one of the forms of its bond graph, without observables."""
    if graph.bodies:
        if form == "explicit":
            raise InputError("form 'explicit': the model has bodies",
                             "use form 'mixed', 'augmented' or 'embedding'")  # fmt: skip
        return derive(graph, ops, observe=False, form=form)
    explicit = form == "explicit"
    e = derive(graph, ops, observe=False) if explicit else _of_networks(graph, ops, form)
    layout = replace(e.layout, q=(), groups=())
    return replace(e, form=form, tree="", q=ops.symbols(()), layout=layout)


def _of_networks(graph: SystemGraph, ops: SymbolicOps, form: Form) -> Equations:
    """The networks of a model without bodies as one graph."""
    whole = BondGraph(graph.model.name)
    forced: Forced = {}
    for bonds in networks_bonds(graph.model):
        whole.absorb(bonds.graph)
        forced = {**forced, **bonds.forced}
    values = SymbolicValues(graph.model, ops)
    return network_equations(whole, ops, values, forced=forced, form=form, observe=False)
