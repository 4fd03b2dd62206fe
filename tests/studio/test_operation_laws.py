"""Laws of operations, for all that are registered and every example: what they leave is a text that
parses and differs from the one before by the splices they tell; refused ones say why; sequences of
them are undone to the first byte and redone to the last; what they do not touch stays as it was.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.studio.operation_arguments import ARGUMENTS, Model

from pliant.errors import InputError
from pliant.model.files.document import Document, value_at
from pliant.model.files.editing.splices import applied
from pliant.model.files.reading import Reading
from pliant.model.files.text import dump_json, parsed
from pliant.studio.document.document import OpenDocument
from pliant.studio.operations.draft import Draft, Question
from pliant.studio.operations.registry import operations, planned

ROOT = Path(__file__).parents[2]
EXAMPLES = {path.stem: path for path in sorted((ROOT / "examples").glob("*.yaml"))}
STEPS = 200
"""Operations in a row."""
REMOVALS = 4
"""How often elements are removed besides, so that models do not grow."""
RICH = ("crank_rocker", "hydraulic_crane")
"""Examples with elements of many kinds."""
DRAWS = 2
"""Arguments that an operation is tried with on an example."""

COMMENTED = """\
# A crank, written by hand.

pliant: 1
name: "crank: by hand"   # quoted, it has a colon
gravity: [ 0, -9.81,  0 ]

parameters:
  # lengths
  r: 50 mm       # of the crank
  l: 0.2         # of the rod

  m: 1 kg
ground:
    frames:      # four spaces here
        slide: {at: [0, 0, 0]}
bodies:
  crank:   # turns
    rod: {length: r, mass: m}   # thin
    # where the rod is attached
    frames: {A: [r, 0, 0]}
  rod:
    rigid:
      mass: m      # together with its pins
      com: [l/2, 0, 0]
      inertia: [0,
                1e-3,   # about y
                1e-3]   # about z
    frames:
      B: [l, 0, 0]
  # the last one
  piston: {point: {mass: m}}
joints:
  O: {revolute: {axis: z}, between: [ground, crank], initial: {angle: 30 deg}}  # driven
  A: {revolute: {axis: z}, between: [crank.A, rod]}
  B:
    revolute: {axis: z}
    between: [rod.B, piston]
  slide: {prismatic: {axis: x}, between: [ground.slide, piston], cut: true}
forces:
  drive: {actuator: '2*m*O.angle', joint: O}   # in single quotes
outputs: {px: piston.position.x}
simulate: {t_end: 1 s, observe: [px, O.angle]}
# the end
"""
ANCHORED = """\
pliant: 1
parameters: &numbers {L: 1 m, m: 1 kg}
bodies:
  a: &leg   # all legs are alike
    rod: {length: L, mass: m}   # thin
    frames: {tip: [L, 0, 0]}
  b: *leg
  c: *leg   # the last leg
joints:
  A: {revolute: &about_z {axis: z}, between: [ground, a]}
  B: {revolute: *about_z, between: [a.tip, b]}   # knee
  C: {revolute: *about_z, between: [b.tip, c]}
simulate:
  t_end: 2 s   # long enough
"""
NETWORK = """\
pliant: 1
# A motor, written by hand.
parameters: {V: 24, R1: 0.4 ohm}
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}   # one current
      supply: {Se: V, on: mesh}
      # losses
      Ra: {R: R1, on: mesh}

      La: {I: 50 mH, on: mesh}   # 50 mH
      gyrator: {GY: 0.1, from: mesh, to: shaft}   # N m/A
      shaft: {junction: 1, domain: rotation}
      wheel: {junction: 1, domain: rotation}   # stiff with it
      J: {I: 1e-3, on: wheel}
    bonds:
      ab: {from: shaft, to: wheel}   # towards the wheel
outputs:
  current: drive.La.flow
view:
  places: {drive: {mesh: [0, 0], La: [0, 3]}}   # by hand
"""
HAND_WRITTEN = {"commented": COMMENTED, "anchored": ANCHORED, "network": NETWORK}


def seeded(*words: str) -> Random:
    return Random(zlib.crc32(" ".join(words).encode()))


def attempt(draft: Draft, name: str, arguments: dict[str, Any], random: Random) -> Draft | str:
    """The draft with the operation done, questions answered as they come; or why it is refused."""
    known = draft.reading
    for _ in range(4):
        try:
            return planned(draft, name, arguments)
        except Question as question:
            if not question.choices:
                return question.what
            arguments = {**arguments, **random.choice(question.choices)[1]}
            draft = Draft(draft.first, draft.format, draft.base, reading=known)
        except InputError as error:
            return error.what
    return "it asks again and again"


def check(draft: Draft) -> None:
    """What is true of every draft that an operation has left."""
    assert draft.document.data == parsed(draft.text, draft.format).data
    assert isinstance(draft.data, dict)
    assert applied(draft.first, draft.splices()) == draft.text
    assert draft.label


def test_every_operation_has_arguments_to_be_tried_with():
    assert {*operations()} == {*ARGUMENTS}


def tried(text: str, name: str, random: Random, known: Reading | None = None) -> Draft | str:
    """An operation with arguments chosen at random, a few times if they are refused."""
    for _ in range(DRAWS):
        draft = Draft(text, "yaml", ROOT / "examples", reading=known)
        done = attempt(draft, name, ARGUMENTS[name](Model(draft, random)), random)
        assert done
        if isinstance(done, Draft):
            check(done)
            break
    return done


@pytest.mark.parametrize("example", [*EXAMPLES, *HAND_WRITTEN])
def test_operations_do_what_they_say_or_say_why_not(example):
    text = HAND_WRITTEN.get(example) or EXAMPLES[example].read_text(encoding="utf-8")
    first = Draft(text, "yaml", ROOT / "examples")
    known = Reading(first.model, first.reading.faults)
    for name in ARGUMENTS:
        tried(text, name, seeded(example, name), known)


@pytest.mark.parametrize("name", sorted({*ARGUMENTS} - {"element.once", "section.remove"}))
def test_every_operation_fits_some_model(name):
    """But for cures of what only faulty files have."""
    models = [*HAND_WRITTEN.values(), *(EXAMPLES[e].read_text(encoding="utf-8") for e in RICH)]
    found = (tried(text, name, seeded(name, str(k))) for k, text in enumerate(models * 3))
    assert any(isinstance(done, Draft) for done in found)


def run(text: str, format: str, base: Path | None, random: Random, steps: int) -> OpenDocument:
    """A document after so many operations, chosen at random; each can be undone."""
    document = OpenDocument(text, format=format)
    names = [*ARGUMENTS, *["element.remove"] * REMOVALS]
    done, known = 0, None
    for _ in range(20 * steps):
        if done == steps:
            return document
        draft = Draft(document.text, format, base, reading=known)
        known, name = draft.reading, random.choice(names)
        made = attempt(draft, name, ARGUMENTS[name](Model(draft, random)), random)
        if isinstance(made, Draft):
            check(made)
            if made.splices():
                document.edit(made.splices(), label=made.label, selects=made.selection)
                known = None
            done += 1
    raise AssertionError(f"only {done} of {steps} operations could be done")


def there_and_back(document: OpenDocument, first: str) -> None:
    last = document.text
    while document.undo():
        pass
    assert document.text == first
    while document.redo():
        pass
    assert document.text == last


@pytest.mark.parametrize("example", EXAMPLES)
def test_sequences_are_undone_to_the_first_byte_and_redone_to_the_last(example):
    text = EXAMPLES[example].read_text(encoding="utf-8")
    random = seeded("sequence", example)
    there_and_back(run(text, "yaml", ROOT / "examples", random, STEPS), text)


@pytest.mark.parametrize("example", ["crank_rocker", "pendulum"])
def test_sequences_in_json(example):
    text = dump_json(parsed(EXAMPLES[example].read_text(encoding="utf-8"), "yaml").data)
    there_and_back(run(text, "json", None, seeded("json", example), 60), text)


# -- what is not touched


@pytest.mark.parametrize("name", ARGUMENTS)
@pytest.mark.parametrize("file", HAND_WRITTEN)
def test_lines_without_a_change_stay_as_they_are(file, name):
    text, random = HAND_WRITTEN[file], seeded("lines", file, name)
    first = Draft(text, "yaml")
    for _ in range(4):
        made = attempt(Draft(text, "yaml"), name, ARGUMENTS[name](Model(first, random)), random)
        if isinstance(made, Draft):
            check(made)
            assert not made.anew
            kept = untouched(first.document, made.data)
            assert is_subsequence(kept, made.text.splitlines()), made.label
            assert not {*rewritten(first.document, made.document)}, made.label
            assert not [*lost_comments(first.document, made)], made.label


def leaves(document: Document) -> dict[tuple[str, ...], tuple[Any, str]]:
    """Numbers and texts by their paths, as read and as written; those that are written once for
    several may be written elsewhere afterwards."""
    found = {}
    for path, (start, end) in document.spans.items():
        value = value_at(document.data, path)
        if not isinstance(value, dict | list) and document.written(path) == path:
            found[path] = (value, document.text[start:end])
    return found


def rewritten(old: Document, new: Document) -> Iterator[tuple[str, ...]]:
    """Values that are the same, and written in another way."""
    after = leaves(new)
    for path, (value, text) in leaves(old).items():
        known, now = after.get(path, (None, text))
        if known == value and type(known) is type(value) and now != text:
            yield path


def lost_comments(old: Document, made: Draft) -> Iterator[str]:
    """Comments that are gone although something of their line is there."""
    first = {path: old.text.count("\n", 0, old.entry(path)[0]) for path in leaves(old)}
    for number, line in enumerate(old.text.splitlines()):
        _, sign, comment = line.partition("#")
        paths = [path for path, at in first.items() if at == number]
        stays = any(value_at(made.data, path) is not None for path in paths)
        if sign and stays and f"#{comment}" not in made.text:
            yield comment


def flows(document: Document, path: tuple[str, ...]) -> bool:
    """Whether a mapping stands in brackets."""
    return document.text[document.spans[path][0]] == "{"


def is_subsequence(some: list[str], lines: list[str]) -> bool:
    left = iter(lines)
    return all(line in left for line in some)


def untouched(document: Document, data: Any) -> list[str]:
    """Lines in which nothing stands that differs from the data; where values are shared the text
    may change and say the same."""
    touched: set[int] = set()
    for path, grows in differences(document.data, data, ()):
        where = document.written(path)
        if not grows or flows(document, where):
            start, end = (document.text.count("\n", 0, at) for at in document.entry(where))
            touched |= {*range(start, end + 1)}
    lines = document.text.splitlines()
    shared = [k for k, line in enumerate(lines) if set("&*") & {*line.partition("#")[0]}]
    return [line for k, line in enumerate(lines) if k not in touched and k not in shared]


def differences(old: Any, new: Any, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], bool]]:
    """Paths of the old data at which something else stands or nothing, or a mapping grows."""
    if isinstance(old, dict) and isinstance(new, dict):
        found = [] if {*new} <= {*old} or not path else [(path, True)]
        for key, value in old.items():
            gone = [((*path, key), False)]
            found += differences(value, new[key], (*path, key)) if key in new else gone
        return found
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [p for k, (a, b) in pairs for p in differences(a, b, (*path, str(k)))]
    return [] if old == new and type(old) is type(new) else [(path, False)]
