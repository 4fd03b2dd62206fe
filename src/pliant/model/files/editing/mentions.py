"""What each name in the data of a file stands for: references, formulas, observables and keys.

Everything is known by the path of its definition: `("bodies", "crank", "frames", "A")`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pliant.model.fields import FrameReferences, Optional, Reference, kinds_of
from pliant.model.files.document import Path
from pliant.model.files.elements import FILE_KEYS
from pliant.model.files.names import OWNERS
from pliant.model.formulas import Formula
from pliant.model.joints.hinges import HINGE
from pliant.model.model import Model, formulas_inside
from pliant.model.networks.kinds import ONE_PORTS
from pliant.model.numbers.units import is_quantity
from pliant.records import dataclass

WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?::[a-z]\w*)?(?:\.[A-Za-z_]\w*)*", re.ASCII)
"""A name in a text, perhaps of a part of a beam (`rod:h2`), with the names behind its dots."""
_GRAPHS = ("networks", "subgraphs")
_PLAIN = ("parameters", "signals", "formulas", "speeds", "outputs")


@dataclass(frozen=True, slots=True)
class Mention:
    """A text of the file, a key or a value, whose words mean something: for each word, what each
    of its parts is defined as; `whole`: the text is one word, a reference."""

    path: Path
    key: bool
    words: tuple[tuple[Path, ...], ...]
    whole: bool = False


def mentions(data: Mapping[str, Any], model: Model) -> Iterator[Mention]:
    """Everything in a file that names something; `model` is what could be read of it."""
    return _Walk(data, model).all()


class _Walk:
    def __init__(self, data: Mapping[str, Any], model: Model) -> None:
        self.data, self.model = data, model

    def section(self, name: str) -> Mapping[str, Any]:
        found = self.data.get(name)
        return found if isinstance(found, Mapping) else {}

    # -- what words stand for

    def owner(self, words: list[str]) -> tuple[Path, ...]:
        """The parts of `crank.A.position`, `drive.La.flow`, `O.angle`."""
        first, rest = words[0].partition(":")[0], words[1:]
        if first == "ground" and rest:
            return (), *self.frame(("ground",), rest[0])
        for section in OWNERS:
            if first in self.section(section):
                own = (section, first)
                if section == "bodies" and rest:
                    return own, *self.frame(own, rest[0])
                if section == "networks":
                    return own, *self.inside(own, rest)
                return (own,)
        return ()

    def frame(self, own: Path, name: str) -> tuple[Path, ...]:
        frames = _at(self.data, (*own, "frames"))
        known = isinstance(frames, Mapping) and name in frames
        return ((*own, "frames", name),) if known else ()

    def inside(self, graph: Path, words: list[str]) -> tuple[Path, ...]:
        """Elements, bonds or parameters of a graph, and what is in its parts."""
        if not words:
            return ()
        for key in ("elements", "bonds", "parameters"):
            entries = _at(self.data, (*graph, key))
            if isinstance(entries, Mapping) and words[0] in entries:
                own = (*graph, key, words[0])
                part = _at(entries, (words[0], "part")) if key == "elements" else None
                known = isinstance(part, str) and part in self.section("subgraphs")
                return own, *(self.inside(("subgraphs", str(part)), words[1:]) if known else ())
        return ()

    def meant(self, word: str, graph: Path = (), own: str = "") -> tuple[Path, ...]:
        """The parts of a word in a formula or observable; ``own``: the variable of a law."""
        words = word.split(".")
        if len(words) > 1:
            return (self.inside(graph, words) if graph else ()) or self.owner(words)
        if own and word.rstrip("0123456789") == own:
            return ()
        local = (*graph, "parameters", word)
        if graph and _at(self.data, local[:-1]) and word in _at(self.data, local[:-1]):
            return (local,)
        return next((((s, word),) for s in _PLAIN if word in self.section(s)), ())

    def observed(self, word: str) -> tuple[Path, ...]:
        """The parts of a word that is the name of an observable, or begins one."""
        words = word.split(".")
        if words[0] == "bonds" and not self.owner(words[:1]):
            return (), *self.owner(words[1:] or [""])
        plain = (((s, word),) for s in ("outputs", "speeds", "formulas") if word in self.section(s))
        return self.owner(words) or next(plain, ())

    def formula(self, path: Path, text: Any, graph: Path = (), own: str = "") -> Mention | None:
        if not isinstance(text, str) or is_quantity(text.strip()):
            return None
        found = tuple(self.meant(word, graph, own) for word in WORD.findall(text))
        return Mention(path, False, found) if any(found) else None

    def leaves(
        self, path: Path, value: Any, texts: frozenset[str] | None = None, graph: Path = ()
    ) -> Iterator[Mention]:
        """Formulas below a path; `texts`: those that are some, if that is known."""
        for where, leaf in _leaves(path, value):
            if texts is None or (isinstance(leaf, str) and leaf.strip() in texts):
                found = self.formula(where, leaf, graph, _own(where))
                yield from [found] if found else []

    def texts(self, element: Any) -> frozenset[str] | None:
        """Formulas of an element as they are written; None of one that could not be read."""
        if element is None:
            return None
        return frozenset(
            f.as_written.text for f in formulas_inside(element) if isinstance(f, Formula)
        )

    def name(self, path: Path, meaning: tuple[Path, ...], key: bool = False) -> Iterator[Mention]:
        if any(meaning):
            yield Mention(path, key, (meaning,), whole=True)

    # -- sections

    def all(self) -> Iterator[Mention]:
        """Everything, section by section."""
        for section in ("parameters", "speeds", "gravity", "materials"):
            yield from self.leaves((section,), self.data.get(section))
        for section in ("formulas", "outputs"):
            for name, entry in self.section(section).items():
                long = isinstance(entry, Mapping)
                where = (section, name, "formula") if long else (section, name)
                yield from self.leaves(where, entry.get("formula") if long else entry)
        for section in ("events", "stop"):
            for name, entry in self.section(section).items():
                given = isinstance(entry, Mapping)
                where = (section, name, "when") if given else (section, name)
                yield from self.leaves(where, entry.get("when") if given else entry)
        texts = self.texts(self.model.ground)
        yield from self.frames(("ground", "frames"), self.section("ground").get("frames"), texts)
        for name, entry in self.section("bodies").items():
            yield from self.body(("bodies", name), entry)
        for section in ("joints", "forces", "drivers", "constraints", "sensors"):
            for name, entry in self.section(section).items():
                yield from self.acting((section, name), entry)
        for section in _GRAPHS:
            for name, entry in self.section(section).items():
                if isinstance(entry, Mapping):
                    yield from self.graph((section, name), entry)
        yield from self.settings()
        yield from self.view()

    def frames(self, path: Path, frames: Any, texts: frozenset[str] | None) -> Iterator[Mention]:
        if not isinstance(frames, Mapping):
            return
        for name, frame in frames.items():
            on = frame.get("on") if isinstance(frame, Mapping) else None
            if isinstance(on, str) and on in frames:
                yield from self.name((*path, name, "on"), ((*path, on),))
            placed = {k: v for k, v in frame.items() if k != "on"} if on else frame
            yield from self.leaves((*path, name), placed, texts)

    def body(self, path: Path, entry: Any) -> Iterator[Mention]:
        if not isinstance(entry, Mapping):
            return
        texts = self.texts(self.model.bodies.get(path[1]))
        yield from self.frames((*path, "frames"), entry.get("frames"), texts)
        for where, leaf in _leaves(path, {k: v for k, v in entry.items() if k != "frames"}):
            if where[-1] == "material" and leaf in self.section("materials"):
                yield from self.name(where, (("materials", str(leaf)),))
            else:
                yield from self.leaves(where, leaf, texts)

    def acting(self, path: Path, entry: Any) -> Iterator[Mention]:
        """Elements on frames and joints."""
        element = getattr(self.model, path[0]).get(path[1])
        texts, known = self.texts(element), {"between": "frame", "at": "frame", "frame": "frame",
                                             "joint": "joint"}  # fmt: skip
        for key, kind in kinds_of(element).items() if element is not None else ():
            kind = kind.kind if isinstance(kind, Optional) else kind
            if isinstance(kind, Reference):
                known[FILE_KEYS.get(key, key)] = kind.to
            elif isinstance(kind, FrameReferences):
                known[key] = "frame"
        for where, leaf in _leaves(path, entry):
            keys = where[2:]
            role = next((known[k] for k in keys[-2:] if k in known), "")
            if role and isinstance(leaf, str):
                yield from self.reference(where, leaf, role)
            else:
                yield from self.leaves(where, leaf, texts)

    def reference(self, path: Path, text: str, role: str) -> Iterator[Mention]:
        if role == "frame":
            yield from self.name(path, self.owner(text.strip().split(".")))
        elif text in self.section("joints"):
            yield from self.name(path, (("joints", text),))
        elif HINGE.fullmatch(text):
            yield from self.name(path, self.owner([text]))

    # -- networks

    def graph(self, path: Path, graph: Mapping[str, Any]) -> Iterator[Mention]:
        known = getattr(self.model, path[0]).get(path[1])
        yield from self.leaves((*path, "parameters"), graph.get("parameters"), graph=path)
        for name, entry in _items(graph.get("elements")):
            element = known.elements.get(name) if known is not None else None
            yield from self.element(path, (*path, "elements", name), entry, self.texts(element))
        for name, entry in _items(graph.get("bonds")):
            for key in ("from", "to", "stroke"):
                yield from self.local(path, (*path, "bonds", name, key), entry.get(key))
        for name, entry in _items(graph.get("ports"), str):
            where = (*path, "ports", name)
            yield from self.local(path, where, entry)
        for name, entry in _items(graph.get("ports")):
            yield from self.local(path, (*path, "ports", name, "junction"), entry.get("junction"))

    def local(self, graph: Path, path: Path, text: Any) -> Iterator[Mention]:
        """Names of elements of the same graph, one or several."""
        for where, leaf in _leaves(path, text):
            if isinstance(leaf, str):
                yield from self.name(where, self.inside(graph, leaf.split(".")))

    def element(
        self, graph: Path, path: Path, entry: Mapping[str, Any], texts: frozenset[str] | None
    ) -> Iterator[Mention]:
        part = entry.get("part")
        ours = isinstance(part, str) and part in self.section("subgraphs")
        if ours:
            yield from self.name((*path, "part"), (("subgraphs", str(part)),))
        for key, value in entry.items():
            where = (*path, key)
            if key in ("on", "from", "to"):
                yield from self.local(graph, where, value)
            elif key in ("joint", "frame", "away_from") and isinstance(value, str):
                yield from self.reference(where, value, "joint" if key == "joint" else "frame")
            elif key in ("ports", "with") and isinstance(value, Mapping):
                yield from self.part(graph, where, value, str(part) if ours else "")
            elif key not in ("stroke", "coordinate", "part"):
                yield from self.leaves(where, value, texts, graph)

    def part(
        self, graph: Path, path: Path, given: Mapping[str, Any], part: str
    ) -> Iterator[Mention]:
        """Ports and parameters of a copy of a sub-graph."""
        key = "ports" if path[-1] == "ports" else "parameters"
        for name, value in given.items():
            if part:
                yield from self.name((*path, name), (("subgraphs", part, key, name),), key=True)
            if key == "ports":
                yield from self.local(graph, (*path, name), value)
            elif found := self.formula((*path, name), value, graph):
                yield found

    # -- how it is run and drawn

    def settings(self) -> Iterator[Mention]:
        texts = self.texts(self.model.settings)
        for key, value in self.section("simulate").items():
            if key in ("observe", "independent", "tree"):
                yield from self.observables(("simulate", key), value)
            else:
                yield from self.leaves(("simulate", key), value, texts)

    def observables(self, path: Path, value: Any) -> Iterator[Mention]:
        for where, leaf in _leaves(path, value):
            if isinstance(leaf, str):
                found = tuple(map(self.observed, WORD.findall(leaf)))
                yield from [Mention(where, False, found)] if any(found) else []

    def view(self) -> Iterator[Mention]:
        view = self.section("view")
        for name, places in _items(view.get("places")):
            graph = next(((s, name) for s in _GRAPHS if name in self.section(s)), None)
            if graph is not None:
                yield from self.name(("view", "places", name), (graph,), key=True)
                for element in places:
                    where = ("view", "places", name, element)
                    yield from self.name(where, self.inside(graph, [element]), key=True)
        for name in view.get("boxes") or () if isinstance(view.get("boxes"), Mapping) else ():
            yield from self.name(("view", "boxes", name), self.owner(name.split(".")), key=True)
        for name, _ in _items(view.get("controls"), list):
            yield from self.name(("view", "controls", name), self.control(name), key=True)
        for key in ("folded", "plots"):
            yield from self.observables(("view", key), view.get(key))

    def control(self, name: str) -> tuple[Path, ...]:
        """The parts of `h`, `drive.R` or `bodies.crank.frames.A.position[1]`."""
        words = name.split(".")
        if words[0] in ("bodies", "joints", "forces", "drivers", "constraints", "sensors",
                        "materials", "events") and len(words) > 1:  # fmt: skip
            found: list[Path] = [(), (words[0], words[1])]
            if words[2:3] == ["frames"] and len(words) > 3:
                found += [(), (words[0], words[1], "frames", words[3])]
            return tuple(found)
        return self.meant(name)


def _own(path: Path) -> str:
    """The variable that the law at a path reads: f of ``elements.R1.R.effort``; none of most."""
    kind = ONE_PORTS.get(path[4]) if path[2:3] == ("elements",) and len(path) > 4 else None
    if kind is None:
        return ""
    return kind.variable(path[5] if path[5:6] and path[5] in kind.laws else kind.main)


def _items(value: Any, of: type = Mapping) -> Iterator[tuple[str, Any]]:
    """The entries of a mapping that are of a type."""
    if isinstance(value, Mapping):
        yield from ((k, v) for k, v in value.items() if isinstance(v, of))


def _leaves(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves((*path, key), inner)
    elif isinstance(value, list):
        for k, inner in enumerate(value):
            yield from _leaves((*path, str(k)), inner)
    else:
        yield path, value


def _at(data: Any, path: Path) -> Any:
    for key in path:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data
