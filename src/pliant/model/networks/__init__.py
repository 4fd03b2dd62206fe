"""Networks: bond graphs in any energy domain as data, with sub-graphs for reuse."""

from pliant.model.networks.network import Network, NetworkBond, Subgraph, SubgraphPort

__all__ = ["Network", "NetworkBond", "Subgraph", "SubgraphPort"]
