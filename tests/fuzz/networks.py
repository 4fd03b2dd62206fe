"""Networks for random mechanisms: together they have every kind of element, domain and part."""

import pliant as pl


def _n(draft, low=0.5, high=2.0):
    return round(float(draft.rng.uniform(low, high)), 4)


def _add(draft, elements, **more):
    draft.networks.append(pl.Network(draft.name("net"), elements, **more))


def motor(draft):
    """A DC motor with source and gear on an angle."""
    name, c = draft.coordinate("rad")
    _add(draft, {
        "supply": {"part": "voltage-source", "with": {"V": f"{_n(draft)}*cos(3*t)", "R": 0.3},
                   "ports": {"terminals": "wire"}},
        "wire": {"junction": 1},
        "m": {"part": "dc-motor", "with": {"R": _n(draft), "L": _n(draft, 0.05, 0.5),
              "k": _n(draft), "d": 0.02, "J": 0.01},
              "ports": {"terminals": "wire", "shaft": "fast"}},
        "fast": {"junction": 1, "domain": "rotation"},
        "g": {"part": "gear", "with": {"ratio": 3}, "ports": {"input": "fast", "output": "axle"}},
        "axle": {"joint": name, "coordinate": c.name},
    }, domain="electrical")  # fmt: skip


def cylinder(draft):
    """Pump, valve and cylinder on a displacement. Numbers in units that are far from SI."""
    name, c = draft.coordinate("m")
    _add(draft, {
        "line": {"junction": 0}, "back": {"junction": 0},
        "air": {"C": 0.5, "on": "line"},
        "source": {"part": "pump-flow", "with": {"flow": _n(draft, 0.1, 0.5), "leakage": 0.1},
                   "ports": {"outlet": "line"}},
        "valve": {"part": "orifice", "with": {"area": _n(draft), "density": 2, "smooth": 1},
                  "ports": {"inlet": "line", "outlet": "room"}},
        "room": {"junction": 0},
        "safe": {"part": "relief-valve", "with": {"pressure": 3, "slope": 0.5},
                 "ports": {"inlet": "room", "outlet": "back"}},
        "sump": {"part": "tank", "with": {"pressure": 0.1}, "ports": {"line": "back"}},
        "ram": {"part": "cylinder", "with": {"area_A": _n(draft), "area_B": 0.4,
                "compliance_A": 0.3, "compliance_B": 0.2, "leakage": 0.1, "pressure_A": 0.5},
                "ports": {"A": "room", "B": "other", "rod": "rod"}},
        "other": {"junction": 0}, "loss": {"R": {"flow": "0.5*e"}, "on": "other"},
        "rod": {"joint": name, "coordinate": c.name},
    }, domain="hydraulic")  # fmt: skip


def pump(draft):
    """A pump that a joint drives against a compliance."""
    name, c = draft.coordinate("rad")
    _add(draft, {
        "shaft": {"joint": name, "coordinate": c.name},
        "p": {"part": "pump", "with": {"displacement": _n(draft), "leakage": 0.1, "friction": 0.1},
              "ports": {"shaft": "shaft", "inlet": "low", "outlet": "high"}},
        "low": {"junction": 0}, "high": {"junction": 0},
        "sump": {"part": "tank", "ports": {"line": "low"}},
        "air": {"C": _n(draft), "on": "high", "initial": {"effort": 0.4}},
    }, domain="hydraulic")  # fmt: skip


def circuit(draft):
    """A current source, a saturating coil and a capacity beside a gyrator on a coordinate."""
    name, c = draft.coordinate()
    _add(draft, {
        "node": {"junction": 0},
        "feed": {"part": "current-source", "with": {"I": f"{_n(draft)}*sin(4*t)", "G": 0.2},
                 "ports": {"terminals": "node"}},
        "store": {"C": {"energy": "q**2/2 + 0.3*q**4"}, "on": "node", "initial": 0.3},
        "mesh": {"junction": 1},
        "coil": {"I": {"coenergy": "0.4*f**2 + 0.05*f**4"}, "on": "mesh", "initial": 0.2},
        "loss": {"R": {"effort": "0.3*f + 0.1*f**3"}, "on": "mesh"},
        "push": {"GY": _n(draft), "from": "mesh", "to": "axle"},
        "axle": {"joint": name, "coordinate": c.name},
    }, bonds={"nm": {"from": "node", "to": "mesh"}}, domain="electrical")  # fmt: skip


def modulated(draft):
    """Ratios that depend on the joint; sources of effort and flow."""
    name, c = draft.coordinate()
    _add(draft, {
        "axle": {"joint": name, "coordinate": c.name},
        "cam": {"MTF": f"1 + 0.3*sin({name}.{c.name})", "from": "axle", "to": "far"},
        "far": {"junction": 1},
        "mass": {"C": {"stiffness": _n(draft, 1, 9)}, "on": "far", "initial": 0.1},
        "air": {"MR": "0.3*f", "on": "far"},
        "field": {"MGY": f"0.5 + 0.1*cos({name}.{c.name})", "from": "axle", "to": "mesh"},
        "mesh": {"junction": 1},
        "coil": {"I": _n(draft), "on": "mesh"},
        "u": {"Se": f"{_n(draft)}*sin(t)", "on": "mesh"},
        "half": {"TF": 0.5, "from": "mesh", "to": "node"},
        "node": {"junction": 0},
        "i": {"Sf": "0.1*cos(t)", "on": "node"},
        "leak": {"R": 2, "on": "node"},
    })  # fmt: skip


def on_frames(draft):
    """Vector elements on the velocity and the angular velocity of a frame."""
    where = draft.frame()
    _add(draft, {
        "v": {"frame": where}, "w": {"frame": where, "rotation": True},
        "along": {"frame": where, "direction": [0.6, 0, 0.8]},
        "swirl": {"EJS": ["0.7*f2", "-0.7*f1", 0], "on": "v"},
        "air": {"MR": ["0.3*f1", "0.2*f2 + 0.1*f2**3", "0.1*f3"], "on": "w"},
        "guide": {"C": _n(draft, 0.02, 0.2), "on": "along"},
        "both": {"SUM": {}, "from": ["v", "w"], "to": "six"},
        "six": {"junction": 1, "dim": 6},
        "drag": {"R": [0.2, 0.1, 0.3, 0.05, 0.02, 0.01], "on": "six"},
    })  # fmt: skip


def held(draft):
    """Teeth: a constraintor between two angles."""
    if draft.floating and not draft.bodies:
        draft.rigid()
    a, b = (draft.hang(draft.rigid(), "revolute") for _ in range(2))
    _add(draft, {
        "first": {"joint": a}, "second": {"joint": b},
        "gear": {"TF": _n(draft), "from": "first", "to": "mesh"},
        "mesh": {"junction": 0}, "contact": {"CN": {}, "on": "mesh"},
    }, bonds={"b": {"from": "second", "to": "mesh"}}, domain="rotation")  # fmt: skip


def geared(draft):
    """A gear between two angles, the flow of one of them given, and a ratio that varies."""
    if draft.floating and not draft.bodies:
        draft.rigid()
    a, b, c = (draft.hang(draft.rigid(), "revolute") for _ in range(3))
    draft.moved |= {(name, "angle") for name in (a, b, c)}
    _add(draft, {
        "first": {"joint": a}, "second": {"joint": b}, "third": {"joint": c},
        "gear": {"TF": _n(draft), "from": "first", "to": "second"},
        "cone": {"MTF": f"1 + 0.3*sin({a}.angle)", "from": "second", "to": "third"},
        "drive": {"Sf": f"{_n(draft)}*sin(2*t)", "on": "third"},
    }, domain="rotation")  # fmt: skip


def on_shapes(draft):
    """Stores, losses and a source on the elastic coordinates of a beam; one of them is held."""
    name = draft.name("beam")
    stiff = {"EA": 2e3, "EIy": 8.0, "EIz": 6.0, "GJ": 5.0, "GAy": 900.0, "GAz": 800.0}
    own = pl.Beam(name, length=_n(draft, 0.6, 1.2), mass_per_length=0.8, stiffness=stiff,
                  rotary=pl.Rotary(2e-3, 1e-3), shapes={"bending": 1, "torsion": 1})  # fmt: skip
    draft.put(own, "root", "tip")
    draft.hang(name, "revolute")
    _add(draft, {
        "eta": {"elastic": name}, "loss": {"R": [0.1, 0.2, 0.01], "on": "eta"},
        "first": {"junction": 1}, "one": {"TF": [[1, 0, 0]], "from": "eta", "to": "first"},
        "more": {"C": {"stiffness": _n(draft)}, "on": "first"}, "m": {"I": 0.02, "on": "first"},
        "push": {"Se": "0.1*sin(3*t)", "on": "first"},
        "last": {"junction": 1}, "turn": {"TF": [[0, 0, 1]], "from": "eta", "to": "last"},
        "hold": {"Sf": 0, "on": "last"},
    })  # fmt: skip


def heat(draft):
    """Two bodies of heat, one of them warmed from outside, beside the mechanism."""
    _add(draft, {
        "warm": {"junction": 0}, "cold": {"junction": 0}, "wall": {"junction": 1},
        "a": {"C": _n(draft), "on": "warm", "initial": {"effort": 3}},
        "b": {"C": _n(draft), "on": "cold", "initial": {"effort": 1}},
        "flow": {"R": _n(draft), "on": "wall"}, "sun": {"Sf": 0.3, "on": "warm"},
    }, bonds={"ww": {"from": "warm", "to": "wall"}, "wc": {"from": "wall", "to": "cold"}},
        domain="thermal")  # fmt: skip
    if not draft.bodies:
        draft.hang(draft.rigid())


def slide(draft):
    """A spring and a mass beyond a lever, in the domain of translation."""
    name, c = draft.coordinate("m")
    _add(draft, {
        "rod": {"joint": name, "coordinate": c.name},
        "lever": {"TF": _n(draft), "from": "rod", "to": "end"},
        "end": {"junction": 1}, "spring": {"C": _n(draft, 0.05, 0.5), "on": "end"},
        "mass": {"I": _n(draft), "on": "end"}, "oil": {"R": 0.2, "on": "end"},
    }, domain="translation")  # fmt: skip


NETWORKS = {f.__name__: f for f in (motor, cylinder, pump, circuit, modulated, on_frames, held,
                                    on_shapes, geared, heat, slide)}  # fmt: skip
