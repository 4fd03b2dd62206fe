"""Networks that use every kind of element, for round trips and the schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pliant.model import Network, Subgraph

PUMP = Path(__file__).with_name("pump_part.yaml")

ELEMENTS: dict[str, Any] = {
    "mesh": {"junction": 1},
    "supply": {"Se": "12 V", "on": "mesh"},
    "ra": {"R": "R", "on": "mesh"},
    "La": {"I": "50 mH", "on": "mesh", "initial": "2 A", "stroke": "junction"},
    "kp": {"GY": "0.7 N*m/A", "from": "mesh", "to": "shaft"},
    "shaft": {"joint": "J_skew", "coordinate": "angle"},
    "drag": {"R": {"effort": "k*f*abs(f)", "flow": "sign(e)*sqrt(abs(e)/k)"}, "on": "shaft"},
    "node": {"junction": 0},
    "feed": {"Sf": "s*wind + 0.1*J_skew.angle_rate", "on": "node"},
    "store": {"C": "1 mF", "on": "node", "initial": {"effort": "5 V"}},
    "leak": {"R": {"flow": "e*store.displacement + La.flow"}, "on": "node"},
    "coil": {"MGY": "0.1 + 0.01*store.effort", "from": "node", "to": "wheel"},
    "wheel": {"junction": 1, "domain": "rotation"},
    "flywheel": {"I": "2*m", "on": "wheel"},
    "tip": {"frame": "ball.top"},
    "spring": {"C": {"stiffness": [1, "2 N/m", "k"]}, "on": "tip"},
    "air": {"MR": ["f1", "f2**3", "s*f3"], "on": "tip"},
    "gyro": {"EJS": {"effort": ["f2", "-f1", 0]}, "on": "tip"},
    "turned": {"MTF": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], "from": "tip", "to": "held",
               "inverse": "transpose"},
    "held": {"junction": 1, "dim": 3, "domain": "translation"},
    "stop": {"CN": {}, "on": "held"},
    "along": {"frame": "rod", "direction": [0, "s", 1]},
    "about": {"frame": "rod", "rotation": True},
    "shapes": {"elastic": "taper"}, "loss": {"R": 0.1, "on": "shapes"},
    "all": {"SUM": {}, "from": ["held", "about"], "to": "six"},
    "six": {"junction": 1, "dim": 6},
    "mass": {"I": [[2 if i == j else 0 for i in range(6)] for j in range(6)], "on": "six"},
    "field": {"C": {"effort": ["k*q1 + q2", "q1 + 3*q2"]}, "on": ["along", "line"]},
    "line": {"junction": 1, "domain": "translation"},
    "half": {"TF": "s", "from": "line", "to": "far", "inverse": "1/s"},
    "far": {"junction": 1, "domain": "translation"},
    "end": {"R": 3, "domain": "translation"},
    "motor": {"part": "my-motor", "with": {"k": "J_skew.angle"},
              "ports": {"plug": "mesh", "axle": "wheel"}},
    "pump": {"part": {"file": str(PUMP)}, "with": {"Q": "1 L/min"}, "ports": {"out": "oil"}},
    "oil": {"junction": 0, "domain": "hydraulic"},
}  # fmt: skip


def networks() -> list[Network]:
    """One element of every kind."""
    bonds = {"far_end": {"from": "far", "to": "end", "dim": 1, "stroke": "end"}}
    local = {"R": "400 mohm", "double": "2*R*s"}
    return [
        Network("drive", ELEMENTS, bonds=bonds, domain="electrical", parameters=local,
                description="one of each"),
    ]  # fmt: skip


def subgraphs() -> list[Subgraph]:
    """A part that holds a part."""
    elements = {
        "a": {"junction": 1},
        "b": {"junction": 1, "domain": "rotation"},
        "gy": {"GY": "k", "from": "a", "to": "b"},
        "filter": {"part": "gear", "with": {"ratio": "n"}, "ports": {"input": "b", "output": "c"}},
        "c": {"junction": 1, "domain": "rotation"},
    }
    ports = {"plug": "a", "axle": {"junction": "c", "outward": True}}
    given = {"k": None, "n": "5"}
    return [Subgraph("my-motor", elements, ports=ports, domain="electrical", parameters=given)]
