"""Where a name is used in a model file, and renaming with all that refers to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pliant.errors import InputError, UnknownName
from pliant.model.files.document import Document, Path, Span
from pliant.model.files.editing.mentions import WORD, Mention, mentions
from pliant.model.files.editing.splices import Proven, document_of, proven, rename_key
from pliant.model.files.names import OWNERS, PREFIXED
from pliant.model.model import Model
from pliant.model.validation.references import ALSO_RESERVED, LEGAL, LETTERS, RESERVED
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a name is used: the path of the key or value, and the name in the text."""

    path: Path
    span: Span
    key: bool = False


def definition(data: Any, name: str) -> Path:
    """The path of what a name stands for: `crank`, `crank.A`, `drive.mesh`, `parameters.h`,
    `subgraphs.valve.ports.line`; raises UnknownName."""
    first, *rest = name.split(".")
    own: Path = ()
    if first in PREFIXED and rest:
        own, rest = (first, rest[0]), rest[1:]
        if first == "events" and value_at(data, own) is _NOTHING:
            own = ("stop", own[1])
    elif first == "ground":
        own = ("ground",)
    else:
        own = next(((s, first) for s in OWNERS if value_at(data, (s, first)) is not _NOTHING), ())
    found = [own] if own and not rest else []
    if own and rest:
        inner = (
            ("frames",) if own[0] in ("bodies", "ground") else ("elements", "bonds", "parameters")
        )
        found = [(*own, key, rest[0]) for key in inner] if len(rest) == 1 else [(*own, *rest)]
    for path in found:
        if len(path) > 1 and value_at(data, path) is not _NOTHING:
            return path
    raise UnknownName(f"nothing in the file is named '{name}'", "give the name of an element")


def uses(document: Document, model: Model, name: str) -> list[Use]:
    """Every place where something is spoken of by its name, in the order of the text; its own key
    is not among them. Behind an alias, it is the place where the text is written."""
    target = definition(document.data, name)
    found: dict[Span, Use] = {}
    for mention in mentions(document.data, model):
        for span in _spans(document, mention, _same(target)):
            path = document.written(mention.path)
            found[span] = Use(path, span, mention.key)
    return [found[span] for span in sorted(found)]


def renamed(text: str, format: str, name: str, new: str, model: Model) -> Proven:
    """The text with another name of an element, and of everything that refers to it.

    `name` is the whole name (`crank.A`), `new` only the part that changes (`tip`); `model` is what
    could be read of the text.
    """
    document = document_of(text, format)
    target = definition(document.data, name)
    if new == target[-1]:
        return Proven()
    require_free(document.data, target, new)
    splices = rename_key(text, format, target, new)
    found = [*mentions(document.data, model)]
    wanted = plain(document.data)
    for mention in sorted(found, key=lambda m: (-len(m.path), m.key)):
        changed(wanted, mention, _same(target), new)
    siblings = value_at(wanted, target[:-1])
    kept = [(new if key == target[-1] else key, value) for key, value in siblings.items()]
    siblings.clear()
    siblings.update(kept)
    places = {span for m in found for span in _spans(document, m, _same(target))}
    return proven(text, format, [*splices, *((*span, new) for span in places)], wanted)


_NOTHING: Any = object()


def value_at(data: Any, path: Path) -> Any:
    """What stands at a path of data."""
    for key in path:
        if isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        elif isinstance(data, Mapping) and key in data:
            data = data[key]
        else:
            return _NOTHING
    return data


def _same(target: Path) -> Path:
    """Definitions are told by section `events`, whether or not they end the run."""
    return ("events", *target[1:]) if target[0] == "stop" else target


def require_free(data: Any, target: Path, new: str) -> None:
    """Refuse a name that cannot be one, or that something else has which is known by its name
    alone; `target` is the path of what shall have it, with whatever name."""
    dashed = target[0] == "subgraphs" and len(target) == 2
    if not LEGAL.fullmatch(new.replace("-", "_") if dashed else new):
        raise InputError(f"'{new}' is not a legal name", LETTERS)
    usual = frozenset[str]() if target[-2] == "frames" else RESERVED
    if new in usual | ALSO_RESERVED.get(target[-2], frozenset()):
        raise InputError(f"the name '{new}' is reserved", "choose another name")
    siblings = value_at(data, target[:-1])
    if isinstance(siblings, Mapping) and new in siblings and new != target[-1]:
        raise InputError(f"there is '{new}' in {'.'.join(target[:-1])} already",
                         "choose another name")  # fmt: skip
    if len(target) != 2:
        return
    for family in (OWNERS, ("parameters", "signals", "speeds", "formulas")):
        taken = [s for s in family if value_at(data, (s, new)) is not _NOTHING]
        if target[0] in family and taken:
            raise InputError(f"there is '{new}' in {taken[0]} already", "choose another name")


def meant(mention: Mention, target: Path) -> bool:
    """Whether something is spoken of, by its name or as the owner of what is."""
    return any(_marked(mention, _same(target)))


def replaced(text: str, mention: Mention, target: Path, new: str) -> str:
    """The text of a mention with something else in place of a name."""
    words = _words(text, mention)
    for k, i in reversed([*_marked(mention, _same(target))]):
        start, end = _part(text, words[k], i)
        text = text[:start] + new + text[end:]
    return text


def _marked(mention: Mention, target: Path) -> Iterator[tuple[int, int]]:
    """Which part of which word of a mention means the target."""
    for k, parts in enumerate(mention.words):
        for i, part in enumerate(parts):
            if part == target:
                yield k, i


def _words(text: str, mention: Mention) -> list[Span]:
    if not mention.whole:
        return [m.span() for m in WORD.finditer(text)]
    quote = 1 if text[:1] in ("'", '"') else 0
    return [(quote, len(text) - quote)]


def _part(text: str, word: Span, i: int) -> Span:
    """The place of a part of a word with dots; of a part of a beam, its beam."""
    start = word[0]
    parts = text[word[0] : word[1]].split(".")
    start += sum(len(p) + 1 for p in parts[:i])
    return start, start + len(parts[i].partition(":")[0])


def _spans(document: Document, mention: Mention, target: Path) -> list[Span]:
    """Where in the text the target is meant."""
    marked = [*_marked(mention, target)]
    path = document.written(mention.path)
    places = document.keys if mention.key else document.spans
    if not marked or path not in places or (path in document.shared and not mention.key):
        return []
    start, end = places[path]
    raw = document.text[start:end]
    words = _words(raw, mention)
    found = [_part(raw, words[k], i) for k, i in marked if k < len(words)]
    return [(start + a, start + b) for a, b in found]


def changed(data: Any, mention: Mention, target: Path, new: str) -> None:
    """The same change made to the data: another name of what a mention speaks of."""
    if not meant(mention, target):
        return
    parent = value_at(data, mention.path[:-1])
    key: Any = int(mention.path[-1]) if isinstance(parent, list) else mention.path[-1]
    text = replaced(str(key) if mention.key else parent[key], mention, target, new)
    if not mention.key:
        parent[key] = text
        return
    kept = [(text if k == key else k, v) for k, v in parent.items()]
    parent.clear()
    parent.update(kept)


def plain(data: Any) -> Any:
    """A copy in which nothing is shared."""
    if isinstance(data, dict):
        return {k: plain(v) for k, v in data.items()}
    return [plain(v) for v in data] if isinstance(data, list) else data
