"""Laws of places and splices, on every example, component and broken file and on random texts.

Places cover what they should. Every primitive gives exactly the intended data, its inverse the same
bytes, and lines around the entry are untouched.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pliant.errors import FileError, InputError
from pliant.model.files.editing import splices as sp
from pliant.model.files.text import Document, format_of, parsed
from pliant.model.networks.library import SHIPPED

ROOT = Path(__file__).parents[2]
SOUND = [*sorted((ROOT / "examples").glob("*.yaml")), *sorted(SHIPPED.glob("*.yaml"))]
BROKEN = sorted(p for p in (ROOT / "tests/broken").iterdir() if p.suffix in (".yaml", ".json"))
FILES = [*SOUND, *BROKEN]
OF_EACH, OF_BROKEN = 15, 15
"""Paths of each file that are tried; broken ones are many, and differ in little."""


def document_of(path: Path) -> Document | None:
    """What can be edited: a mapping that parses."""
    try:
        document = parsed(path.read_bytes().decode("utf-8-sig"), format_of(path))
    except (FileError, UnicodeDecodeError):
        return None
    return document if isinstance(document.data, dict) else None


def at(data: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        data = data[int(key)] if isinstance(data, list) else data[key]
    return data


def plain(data: Any) -> Any:
    """A copy in which nothing is shared."""
    return json.loads(json.dumps(data))


def same(a: Any, b: Any) -> bool:
    """Equal to the order of keys and the type of numbers."""
    return json.dumps(a) == json.dumps(b)


def with_(data: Any, path: tuple[str, ...], change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(data)
    key = int(path[0]) if isinstance(data, list) else path[0]
    data[key] = with_(data[key], path[1:], change)
    return data


def without(data: Any, name: str) -> Any:
    del data[int(name) if isinstance(data, list) else name]
    return data


def to_the_front(data: Any, name: str) -> Any:
    if isinstance(data, list):
        return [data[int(name)], *(v for k, v in enumerate(data) if k != int(name))]
    return {name: data[name], **{k: v for k, v in data.items() if k != name}}


Case = tuple[str, Callable[[], list[sp.Splice]], Any, tuple[str, ...]]
NEW = {"R": "10 ohm", "on": ["a", "b"], "law": "max(f, 0): # {"}


def cases(document: Document, format: str, path: tuple[str, ...]) -> Iterator[Case]:
    """Primitives at a path: what is done, the data intended, and the entry it stays in."""
    text, data, parent = document.text, document.data, path[:-1]
    value = at(data, path)
    for new in (42.5, "2*L + 3 mm", NEW):
        wanted = with_(plain(data), path, lambda _, new=new: new)
        yield "set", lambda new=new: sp.set_value(text, format, path, new), wanted, path
    yield (
        "remove", lambda: sp.remove(text, format, path),
        with_(plain(data), parent, lambda d: without(d, path[-1])), parent,
    )  # fmt: skip
    yield (
        "move", lambda: sp.move(text, format, path),
        with_(plain(data), parent, lambda d: to_the_front(d, path[-1])), parent,
    )  # fmt: skip
    if path in document.keys:
        names = {path[-1]: "new_name"}
        renamed = with_(plain(data), parent, lambda d: {names.get(k, k): v for k, v in d.items()})
        yield "rename", lambda: sp.rename_key(text, format, path, "new_name"), renamed, path
    if isinstance(value, dict):
        wanted = with_(plain(data), path, lambda d: {**d, "new_name": NEW})
        yield "insert", lambda: sp.insert(text, format, path, "new_name", NEW), wanted, path
        wanted = with_(plain(data), path, lambda d: {"new_name": 1, **d})
        first = lambda: sp.insert(text, format, path, "new_name", 1, sp.FIRST)  # noqa: E731
        yield "insert first", first, wanted, path
    if isinstance(value, list):
        wanted = with_(plain(data), path, lambda d: [*d, "2*L"])
        yield "append", lambda: sp.insert(text, format, path, "", "2*L"), wanted, path


def judge(document: Document, format: str, case: Case) -> str:
    """What is against the laws; nothing otherwise."""
    name, make, wanted, inside = case
    text = document.text
    try:
        splices = make()
    except InputError as error:
        known = "is written once for", "is given twice" if document.faults else "?"
        return "" if any(words in error.what for words in known) else f"{name}: {error}"
    new = sp.applied(text, splices)
    if not same(parsed(new, format).data, wanted):
        return f"{name}: other data than intended:\n{new}"
    if sp.applied(new, sp.inverse(text, splices)) != text:
        return f"{name}: the inverse does not give the text back"
    if document.shared:
        return ""
    start, end = document.entry(inside) if inside else document.whole
    first = text.rfind("\n", 0, start)
    last = text.find("\n", end)
    for low, high, _ in splices:
        if low < first or (last >= 0 and high > last + 1):
            return f"{name}: lines outside of {inside} are touched"
    return ""


def chosen(document: Document, count: int) -> list[tuple[str, ...]]:
    """Paths from all over a file."""
    paths = [p for p in document.spans if p]
    step = max(1, -(-len(paths) // count))
    return paths[len(document.text) % step :: step]


@pytest.mark.parametrize("file", FILES, ids=lambda p: p.name)
def test_primitives_keep_the_laws(file: Path) -> None:
    document = document_of(file)
    if document is None:
        return
    of_each = max(2, min(OF_BROKEN if file in BROKEN else OF_EACH, 20_000 // len(document.text)))
    for path in chosen(document, of_each):
        for case in cases(document, format_of(file), path):
            assert not (said := judge(document, format_of(file), case)), f"{path}: {said}"


@pytest.mark.parametrize("file", FILES, ids=lambda p: p.name)
def test_places_cover_what_they_should(file: Path) -> None:
    document = document_of(file)
    if document is None:
        return
    text, format = document.text, format_of(file)
    start = parsed("a: &x 1\nb: *x", "yaml")
    assert start.shared == {("b",): ("a",)}
    for path, (low, high) in document.spans.items():
        assert 0 <= low <= high <= len(text)
        piece, value = text[low:high], at(document.data, path)
        if "*" in piece or piece[:1] in ("|", ">"):
            continue
        inner = " " * (low - text.rfind("\n", 0, low) - 1) + piece
        assert same(parsed(inner, format).data, value), (path, piece)
    for path, (low, high) in document.keys.items():
        assert parsed(text[low:high], format).data in (path[-1], _number(path[-1]))
        assert document.lines[path] == text.count("\n", 0, low) + 1
    inside = [p for p in document.spans if p and not document.shared]
    for path in inside:
        (low, high), (start_, end) = document.entry(path), document.spans[path[:-1]]
        assert start_ <= low <= high <= end


def _number(name: str) -> Any:
    try:
        return json.loads(name)
    except ValueError:
        return name


def test_marks_line_breaks_and_wide_characters_do_not_shift_places() -> None:
    text = "\ufeffa: &x 5 mm # c\r\nb: *x\r\nc: {d: '😀', e: 1}\r\nf: |\r\n  𝛼\r\n\r\ng:\r\n"
    document = parsed(text, "yaml")
    pieces = {".".join(p): text[slice(*span)] for p, span in document.spans.items() if p}
    assert pieces == {"a": "5 mm", "b": "*x", "c": "{d: '😀', e: 1}", "c.d": "'😀'", "c.e": "1",
                      "f": "|\r\n  𝛼", "g": ""}  # fmt: skip
    assert sorted(text[slice(*span)] for span in document.keys.values()) == [*"abcdefg"]
    splices = sp.set_value(text, "yaml", ("c", "e"), 2)
    assert sp.applied(text, splices) == text.replace("e: 1", "e: 2")
    splices = sp.insert(text, "yaml", ("g",), "h", 1)
    assert sp.applied(text, splices) == text.replace("g:\r\n", "g:\r\n  h: 1\r\n")


STYLE = """# header
pliant: 1   # version

parameters:
  # lengths
  l: 200 mm   # of the crank
  h: 3 mm

bodies:   # all of them
  crank:
    rigid: {mass: 1 kg}   # guessed
    frames: {A: [l, 0, 0],   # the tip
             B: [0, 0, 0]}
  rod: {rigid: {mass: 2}}

simulate: {t_end: 2}
"""
EDITS = {
    "a comment stays": (
        lambda t: sp.set_value(t, "yaml", ("parameters", "l"), "2*h"),
        "  l: 200 mm   # of", "  l: 2*h   # of",
    ),
    "a comment behind a key stays": (
        lambda t: sp.set_value(t, "yaml", ("bodies",), {"a": {"rigid": {"mass": 1}}}),
        STYLE[STYLE.index("bodies:") : STYLE.index("\n\nsimulate")],
        "bodies: {a: {rigid: {mass: 1}}}   # all of them",
    ),
    "indentation of neighbours": (
        lambda t: sp.insert(t, "yaml", ("parameters",), "k", "5 N/m", "l"),
        "crank\n  h:", "crank\n  k: 5 N/m\n  h:",
    ),
    "flow stays flow": (
        lambda t: sp.insert(t, "yaml", ("bodies", "rod"), "frames", {"A": [0, 0, 1]}),
        "{mass: 2}}", "{mass: 2}, frames: {A: [0, 0, 1]}}",
    ),
    "lines of a flow": (
        lambda t: sp.insert(t, "yaml", ("bodies", "crank", "frames"), "C", [1, 2, 3], "B"),
        "B: [0, 0, 0]}", "B: [0, 0, 0],\n             C: [1, 2, 3]}",
    ),
    "a section where the reference lists it": (
        lambda t: sp.insert(t, "yaml", ("joints",), "O", {"fixed": None, "between": ["a", "b"]}),
        "\n\nsimulate",
        "\n\njoints:\n  O: {fixed: null, between: [a, b]}\n\nsimulate",
    ),
    "the last section": (
        lambda t: sp.insert(t, "yaml", ("view", "boxes"), "crank", [1, 2]),
        "t_end: 2}\n", "t_end: 2}\n\nview:\n  boxes: {crank: [1, 2]}\n",
    ),
    "what is long is a block": (
        lambda t: sp.set_value(t, "yaml", ("bodies", "rod"), {"rigid": {"mass": "m" * 60},
                                                              "frames": {"A": ["l" * 20, 0, 0]}}),
        "rod: {rigid: {mass: 2}}",
        f"rod:\n    rigid: {{mass: {'m' * 60}}}\n    frames: {{A: [{'l' * 20}, 0, 0]}}",
    ),
    "the last entry leaves an empty mapping": (
        lambda t: sp.remove(t, "yaml", ("simulate", "t_end")),
        "{t_end: 2}", "{}",
    ),
    "an entry goes with its comment": (
        lambda t: sp.remove(t, "yaml", ("parameters", "l")), "  l: 200 mm   # of the crank\n", "",
    ),
    "an entry moves with its lines": (
        lambda t: sp.move(t, "yaml", ("bodies", "crank"), "rod"),
        STYLE[STYLE.index("  crank:") : STYLE.index("\n\nsimulate")],
        "  rod: {rigid: {mass: 2}}\n" + STYLE[STYLE.index("  crank:") : STYLE.index("\n  rod")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_style_stays_as_it_is_around(name: str) -> None:
    edit, old, new = EDITS[name]
    assert old in STYLE
    assert sp.applied(STYLE, edit(STYLE)) == STYLE.replace(old, new)


SHARED = """legs:
  a: &leg
    mass: 1 kg   # each
    frames: {A: [0, 0, 0]}
  b: *leg
  c: *leg
"""


def test_a_shared_value_asks_who_is_meant() -> None:
    with pytest.raises(InputError, match=r"written once for legs\.a, legs\.b and legs\.c") as error:
        sp.set_value(SHARED, "yaml", ("legs", "b", "mass"), 2)
    assert "its own copy" in error.value.cure
    assert error.value.elements == ("a", "b", "c")
    change = ("legs", "b", "mass"), 2
    everyone = sp.applied(SHARED, sp.set_value(SHARED, "yaml", *change, shared="all"))
    assert everyone == SHARED.replace("1 kg", "2")
    alone = sp.applied(SHARED, sp.set_value(SHARED, "yaml", *change, shared="own"))
    assert alone == SHARED.replace("b: *leg", "b: {mass: 2, frames: {A: [0, 0, 0]}}")
    first = sp.applied(SHARED, sp.set_value(SHARED, "yaml", ("legs", "a", "mass"), 2, shared="own"))
    assert [leg["mass"] for leg in parsed(first, "yaml").data["legs"].values()] == [
        2,
        "1 kg",
        "1 kg",
    ]
    gone = sp.applied(SHARED, sp.remove(SHARED, "yaml", ("legs", "a")))
    assert same([*parsed(gone, "yaml").data["legs"]], ["b", "c"])
    other = sp.applied(SHARED, sp.set_value(SHARED, "yaml", ("legs", "c"), 3))
    assert other == SHARED.replace("c: *leg", "c: 3")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: sp.set_value(t, "yaml", ("bodies", "none"), 1), "no 'bodies.none'"),
        (lambda t: sp.remove(t, "yaml", ("bodies", "crank", "x")), "no 'bodies.crank.x'"),
        (lambda t: sp.insert(t, "yaml", ("bodies",), "rod", 1), "there is 'rod'"),
        (lambda t: sp.insert(t, "yaml", ("pliant",), "rod", 1), "no mapping and no list"),
        (lambda t: sp.rename_key(t, "yaml", ("bodies", "rod"), "crank"), "there is 'crank'"),
        (lambda t: sp.move(t, "yaml", ("bodies", "rod"), "x"), "no 'bodies.x'"),
        (lambda t: sp.set_value(t, "yaml", ("parameters", "h"), float("nan")), "finite"),
        (lambda t: sp.set_value(t, "yaml", (), 1), "whole file"),
        (lambda t: sp.applied(t, [(0, 5, ""), (3, 4, "")]), "overlaps"),
    ],
)
def test_what_cannot_be_done_is_told(change: Callable[[str], Any], said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)) as error:
        change(STYLE)
    assert error.value.cure


# -- random texts

names = st.sampled_from(["a", "b", "crank", "x1", "on", "yes", "R", "a b", "7", "ß", "😀", "q: r"])
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 2000), st.sampled_from([0.5, 1e-9, -2.5e20]),
    st.sampled_from(["z", "3 mm", "-k*x", "max(a, b)", "a: b", "# no", "", " lead", "*x", "null",
                     "1e3", "two\nlines\n", "it's", '"', "é😀", "- a", "{", "true", "a #b"]),
)  # fmt: skip
values = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=3)),
    max_leaves=10,
)


class Writing:
    """Writes data as somebody might: flow or block, with quotes, comments and empty lines."""

    def __init__(self, draw: Callable[[Any], Any], newline: str) -> None:
        self.draw, self.newline = draw, newline

    def some(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def comment(self) -> str:
        return self.some("", "", "   # why: {not", " #")

    def scalar(self, value: Any) -> str:
        if isinstance(value, str):
            plain_ok = re.fullmatch(r"[a-z0-9.*/ +-]*[a-z]", value) and value[0] not in "*- "
            if plain_ok and parsed(value, "yaml").data == value and self.some(True, True, False):
                return value
            quoted = "'" + value.replace("'", "''") + "'"
            return (
                quoted
                if "\n" not in value and self.some(True, False)
                else json.dumps(value, ensure_ascii=False)
            )
        return json.dumps(value)

    def flow(self, value: Any) -> str:
        gap = self.some("", " ")
        if isinstance(value, dict):
            inner = [f"{self.scalar(k)}: {self.flow(v)}" for k, v in value.items()]
            return "{" + gap + f",{self.some(' ', '  ')}".join(inner) + gap + "}"
        if isinstance(value, list):
            return "[" + gap + ", ".join(map(self.flow, value)) + gap + "]"
        return self.scalar(value)

    def behind(self, value: Any, indent: int) -> str:
        """What follows a key or a dash."""
        if value is None and self.some(True, False):
            return self.comment() + self.newline
        if not value or not isinstance(value, dict | list) or self.some(True, False):
            return f" {self.flow(value)}{self.comment()}{self.newline}"
        step = self.some(2, 4)
        return self.comment() + self.newline + self.block(value, indent + step)

    def block(self, value: Any, indent: int) -> str:
        out = ""
        entries = value.items() if isinstance(value, dict) else ((None, v) for v in value)
        for key, inner in entries:
            out += self.some("", "", "", self.newline, f"# {key}{self.newline}")
            start = "-" if key is None else f"{self.scalar(key)}:"
            out += " " * indent + start + self.behind(inner, indent)
        return out


@st.composite
def written(draw: Callable[[Any], Any]) -> str:
    data = draw(st.dictionaries(names, values, min_size=1, max_size=4))
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    text = draw(st.sampled_from(["", "", "\ufeff"])) + Writing(draw, newline).block(data, 0)
    assert same(parsed(text, "yaml").data, data)
    return text if draw(st.booleans()) else text.rstrip("\r\n")


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=written(), pick=st.integers(0, 10**6))
def test_random_texts_keep_the_laws(text: str, pick: int) -> None:
    document = parsed(text, "yaml")
    paths = [p for p in document.spans if p]
    path = paths[pick % len(paths)]
    for case in cases(document, "yaml", path):
        said = judge(document, "yaml", case)
        assert not said, f"{path} of\n{text}\n{said}"


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    data=st.dictionaries(names, values, min_size=1, max_size=4),
    pick=st.integers(0, 10**6), indent=st.sampled_from([None, 1, 2]),
)  # fmt: skip
def test_random_json_keeps_the_laws(data: Any, pick: int, indent: int | None) -> None:
    document = parsed(json.dumps(data, indent=indent), "json")
    paths = [p for p in document.spans if p]
    path = paths[pick % len(paths)]
    for case in cases(document, "json", path):
        assert not (said := judge(document, "json", case)), f"{path} of\n{document.text}\n{said}"
