"""Models to begin with."""

from __future__ import annotations

from pliant.errors import UnknownName
from pliant.model.files.examples import examples
from pliant.model.files.text import dump_json, parsed
from pliant.model.frozen import did_you_mean

TEMPLATES = {
    "empty": "pliant: 1\n",
    "planar": """\
pliant: 1
name: planar mechanism
gravity: [0, -9.81, 0]
parameters:
  l: 1 m
bodies:
  link:
    rod: {mass: 1 kg, length: l}
joints:
  O: {revolute: {axis: z}, between: [ground, link], initial: {angle: 30 deg}}
simulate: {t_end: 5 s}
""",
    "spatial": """\
pliant: 1
name: spatial mechanism
gravity: [0, 0, -9.81]
parameters:
  l: 1 m
bodies:
  link:
    rod: {mass: 1 kg, length: l}
joints:
  O: {spherical: {}, between: [ground, link]}
simulate: {t_end: 5 s}
""",
    "network": """\
pliant: 1
name: network
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: 24 V, on: mesh}
      resistance: {R: 0.4 ohm, on: mesh}
      inductance: {I: 50 mH, on: mesh}
simulate: {t_end: 1 s}
""",
}


def template_text(name: str, format: str) -> str:
    """A template, or a copy of an example."""
    known = examples()
    if name in TEMPLATES:
        text = TEMPLATES[name]
    elif name in known:
        text = known[name].read_text(encoding="utf-8")
    else:
        cure = did_you_mean(name, (*TEMPLATES, *known))
        raise UnknownName(f"there is no template '{name}'", cure)
    return text if format == "yaml" else dump_json(parsed(text, "yaml").data)
