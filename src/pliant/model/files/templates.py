"""Models to begin with: templates, and copies of the examples."""

from __future__ import annotations

from pliant.errors import UnknownName
from pliant.model.files.examples import examples
from pliant.model.files.text import dump_json, parsed
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Template:
    """A text to begin with, and what it is."""

    sentence: str
    text: str


TEMPLATES = {
    "planar": Template("A link on a pin, in the plane x y; gravity against y.", """\
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
"""),
    "spatial": Template("A link on a ball joint; gravity against z.", """\
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
"""),
    "network": Template("An electrical mesh as a bond graph, without a mechanism.", """\
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
"""),
    "gravity-y": Template("No bodies yet; gravity against y.", """\
pliant: 1
gravity: [0, -9.81, 0]
"""),
    "gravity-z": Template("No bodies yet; gravity against z.", """\
pliant: 1
gravity: [0, 0, -9.81]
"""),
    "empty": Template("Nothing at all, nor gravity.", "pliant: 1\n"),
}  # fmt: skip
USUAL = "planar"
"""What a model begins with when nobody says."""


def template_text(name: str, format: str) -> str:
    """A template, or a copy of an example."""
    known = examples()
    if name in TEMPLATES:
        text = TEMPLATES[name].text
    elif name in known:
        text = known[name].read_text(encoding="utf-8")
    else:
        cure = did_you_mean(name, (*TEMPLATES, *known))
        raise UnknownName(f"there is no template '{name}'", cure)
    return text if format == "yaml" else dump_json(parsed(text, "yaml").data)


def example_sentences() -> dict[str, str]:
    """The examples by name, and what each of them is."""
    found = {}
    for name, path in examples().items():
        data = parsed(path.read_text(encoding="utf-8"), "yaml").data
        found[name] = " ".join(str(data.get("description") or data.get("name") or "").split())
    return found
