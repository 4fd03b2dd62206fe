"""Units in networks: laws, parts and ratios of transformers, also turned round."""

from __future__ import annotations

from typing import Any

import pytest

from pliant.model import Model, Network, Subgraph

ELECTRIC: dict[str, Any] = {
    "mesh": {"junction": 1},
    "E": {"Se": "12 V", "on": "mesh"},
    "L": {"I": "50 mH", "on": "mesh"},
}
GIVEN = {"R": "2 ohm", "i0": "3 A", "V": "24 V", "r": "0.1 m", "psi": "2 V*s", "b": "4 V/A^2",
         "u": 7, "A": "5000 mm^2", "kt": "0.3 N*m/A", "T": "2 s"}  # fmt: skip


def faults(elements: dict[str, Any], **more: Any) -> list[str]:
    parts = more.pop("subgraphs", [])
    network = Network("n", {**ELECTRIC, **elements}, domain="electrical", parameters=GIVEN, **more)
    return [str(fault) for fault in Model(networks=[network], subgraphs=parts).faults()]


@pytest.mark.parametrize(
    "law",
    [{"R": {"effort": "R*f + b*f*abs(f)"}}, {"R": {"flow": "e/R"}},
     {"R": {"effort": "V*tanh(f/i0)"}}, {"R": {"effort": "u*f"}},
     {"I": {"momentum": "psi*tanh(f/i0)"}}, {"R": {"effort": "f"}},
     {"I": {"coenergy": "psi*i0*(f/i0)**2"}}, {"C": {"energy": "V*q"}}, {"C": {"effort": "R*q/T"}},
     {"R": "R*(1 + (E.flow/i0)**2)"}, {"R": {"effort": "R*f*exp(-t)"}}, {"R": "L.effort/L.flow"},
     {"MR": "R*f + L.effort"}, {"Se": "V*piecewise(L.flow > i0, 0, 1)"}, {"C": "T/R"}],
    ids=str,
)  # fmt: skip
def test_right_laws_are_taken(law: dict[str, Any]) -> None:
    assert not [f for f in faults({"x": {**law, "on": "mesh"}}) if "unit" in f]


@pytest.mark.parametrize(
    ("law", "what"),
    [({"R": {"effort": "i0*f"}}, "R: effort: 'i0*f' is in A^2, not in V; i0 = 3 A would have"),
     ({"R": {"effort": "R*f + V*f"}}, "'R*f' is in V, but 'V*f' in W; only what has one unit"),
     ({"I": {"momentum": "V*f"}}, "I: momentum: 'V*f' is in W, not in V*s"),
     ({"C": {"energy": "R*q"}}, "'R*q' is in N*m/A, not in J"),
     ({"R": {"effort": "R*L.effort"}}, "not in V"), ({"R": {"effort": "V*tanh(f/V)"}}, "in tanh"),
     ({"R": "T*R"}, "R: 'T*R' is in H, not in ohm"),
     ({"Se": "i0*sin(t)"}, "Se: 'i0*sin(t)' is in A")],
    ids=str,
)  # fmt: skip
def test_wrong_laws_say_both_units(law: dict[str, Any], what: str) -> None:
    (fault,) = faults({"x": {**law, "on": "mesh"}})
    assert fault.startswith("element 'n.x': ")
    assert what in fault


def test_a_field_in_two_domains_reads_each_variable_in_its_own() -> None:
    shaft = {"w": {"junction": 1, "domain": "rotation"}}
    right = {"MR": ["kt*f2", "-kt*f1"], "on": ["mesh", "w"]}
    assert not faults({**shaft, "x": right})
    (fault,) = faults({**shaft, "x": {**right, "MR": ["kt*f1", "-kt*f1"]}})
    assert "MR: effort[1]: 'kt*f1' is in N*m, not in V" in fault


def drum(kind: str, ratio: str, ends: tuple[str, str] = ("w", "v")) -> list[str]:
    """A drum between a shaft and a rope: v = r w."""
    elements = {
        "w": {"junction": 1, "domain": "rotation"}, "v": {"junction": 1, "domain": "translation"},
        "J": {"I": "2 kg*m^2", "on": "w"}, "m": {"I": "3 kg", "on": "v"},
        "drum": {kind: ratio, "from": ends[0], "to": ends[1]},
    }  # fmt: skip
    return faults(elements)


def test_a_transformer_turned_round_is_noticed() -> None:
    assert not drum("TF", "0.1 m")
    assert not drum("TF", "r")
    assert not drum("TF", "1/r", ("v", "w"))
    assert not drum("MTF", "r*(1 + u*w0)".replace("*w0", ""))
    assert not drum("TF", "0.1")
    (fault,) = drum("TF", "0.1 m", ("v", "w"))
    assert "TF: '0.1 m' is turned round; expected rad/s per m/s" in fault
    assert "write its inverse, or swap from and to" in fault
    (fault,) = drum("TF", "1/r")
    assert "'1/r with r = 0.1 m' is turned round; expected m/s per rad/s" in fault
    (fault,) = drum("MTF", "r", ("v", "w"))
    assert "MTF: 'r' = '0.1 m' is turned round" in fault
    (fault,) = drum("TF", "r**2")
    assert "has the wrong unit; expected m/s per rad/s" in fault


def test_the_ratio_of_a_gyrator_at_a_transformer_says_so() -> None:
    shaft = {"w": {"junction": 1, "domain": "rotation"}, "J": {"I": 2, "on": "w"}}
    assert not faults({**shaft, "k": {"GY": "kt", "from": "mesh", "to": "w"}})
    assert not faults({**shaft, "k": {"GY": "kt*(1 + u)", "from": "w", "to": "mesh"}})
    (fault,) = faults({**shaft, "k": {"TF": "kt", "from": "mesh", "to": "w"}})
    assert "expected rad/s per A, or write GY" in fault
    (fault,) = faults({**shaft, "k": {"GY": "1/kt", "from": "mesh", "to": "w"}})
    assert "is turned round; expected N*m per A" in fault


def test_units_reach_into_parts_of_parts() -> None:
    inner = Subgraph("inner", {"a": {"junction": 1}, "r": {"R": {"effort": "S*f"}, "on": "a"}},
                     parameters={"S": None}, ports={"p": "a"}, domain="electrical")  # fmt: skip
    outer = Subgraph("outer", {"a": {"junction": 1}, "two": {"part": "inner", "with": {"S": "Q/X"},
                     "ports": {"p": "a"}}}, parameters={"Q": None, "X": "3 A"}, ports={"p": "a"},
                     domain="electrical")  # fmt: skip
    parts = {"subgraphs": [inner, outer]}

    def used(q: str) -> list[str]:
        return faults({"x": {"part": "outer", "with": {"Q": q}, "ports": {"p": "mesh"}}}, **parts)

    assert not used("V")
    assert not used("24 V")
    assert not used("7")
    (fault,) = used("R")
    assert "element 'n.x.two.r': R: effort: 'S*f' is in ohm, not in V" in fault


def test_parameters_of_shipped_parts_may_have_their_units() -> None:
    elements = {
        "w": {"junction": 1, "domain": "rotation"}, "in": {"junction": 0, "domain": "hydraulic"},
        "out": {"junction": 0, "domain": "hydraulic"},
        "rod": {"junction": 1, "domain": "translation"},
        "M": {"part": "dc-motor", "with": {"R": "R", "L": "1 mH", "k": "kt", "d": "1 N*m*s/rad",
              "J": "2 kg*m^2"}, "ports": {"terminals": "mesh", "shaft": "w"}},
        "P": {"part": "pump", "with": {"displacement": "2 mL/rad", "leakage": "1 L/s/bar",
              "friction": "1 N*m*s"}, "ports": {"shaft": "w", "inlet": "in", "outlet": "out"}},
        "o": {"part": "orifice", "with": {"area": "A", "density": "870 kg/m^3", "smooth": "1 kPa",
              "opening": "ramp(t, 0, T)"}, "ports": {"inlet": "in", "outlet": "out"}},
        "v": {"part": "relief-valve", "with": {"pressure": "200 bar", "slope": "1 L/s/bar"},
              "ports": {"inlet": "out", "outlet": "in"}},
        "c": {"part": "cylinder", "with": {"area_A": "A", "compliance_A": "1 L/GPa",
              "area_B": "A/2", "leakage": "1 L/s/bar"}, "ports": {"A": "in", "B": "out",
              "rod": "rod"}},
    }  # fmt: skip
    assert not [fault for fault in faults(elements) if "unit" in fault or " is in " in fault]
    elements["v"]["with"]["pressure"] = "200 bar*s"
    (fault,) = (fault for fault in faults(elements) if "unit" in fault or " is in " in fault)
    assert "element 'n.v.seat': R: flow: 'pressure' is in Pa*s, but 'e' in Pa" in fault


def test_parameters_add_what_has_one_unit() -> None:
    part = {"part": "gear", "with": {"ratio": "R + V"}, "ports": {"input": "w", "output": "v"}}
    elements = {"w": {"junction": 1, "domain": "rotation"},
                "v": {"junction": 1, "domain": "rotation"}, "g": part}  # fmt: skip
    network = Network("n", {**ELECTRIC, **elements}, domain="electrical",
                      parameters={**GIVEN, "wrong": "R + V"})  # fmt: skip
    own, given = map(str, Model(networks=[network]).faults())
    assert own.startswith("network 'n': parameter 'wrong': 'R' is in ohm, but 'V' in V; only")
    assert given.startswith("element 'n.g': with: ratio: 'R' is in ohm, but 'V' in V; only what")


def test_a_ratio_given_on_to_a_part_is_that_of_the_graph_around() -> None:
    drum = Subgraph("winch", {"a": {"junction": 1, "domain": "rotation"},
                    "b": {"junction": 1, "domain": "translation"},
                    "d": {"TF": "k", "from": "a", "to": "b"}}, parameters={"k": None},
                    ports={"in": "a", "out": {"junction": "b", "outward": True}})  # fmt: skip
    elements = {"w": {"junction": 1, "domain": "rotation"},
                "v": {"junction": 1, "domain": "translation"}}  # fmt: skip

    def used(ratio: str) -> list[str]:
        winch = {"part": "winch", "with": {"k": ratio}, "ports": {"in": "w", "out": "v"}}
        return [f for f in faults({**elements, "x": winch}, subgraphs=[drum]) if "TF" in f]

    assert not used("r")
    assert not used("A/r")
    (fault,) = used("r**-1")
    assert (
        "element 'n.x.d': TF: 'k with k = r**-1' is turned round; expected m/s per rad/s" in fault
    )
