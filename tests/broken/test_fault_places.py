"""Every fault says who, where and what to do: element, path, place in the text, cure."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from tests.fuzz.mutations import mutated

import pliant as pl
from pliant.bonds.networks.graph import network_faults
from pliant.errors import FileError, InputError, ModelError
from pliant.model.files import loads
from pliant.model.files.reading import read
from pliant.model.files.text import dump_yaml, parsed, parsed_file

HERE = Path(__file__).parent

FILES = sorted(p for p in HERE.iterdir() if p.suffix in (".yaml", ".json"))
UNREADABLE = {
    "alias_bomb.yaml", "binary.yaml", "deep.json", "deep.yaml", "formula_comma.yaml", "latin.yaml",
    "number_nan.json", "tabs.yaml", "tag.yaml", "truncated.json", "truncated.yaml",
    "two_documents.yaml",
}  # fmt: skip
"""Files that are no YAML or JSON at all."""
NO_PLACE = {"binary.yaml", "latin.yaml", "deep.json"}
"""Of these, no texts, and one whose parser says nothing of where."""


@pytest.mark.parametrize("file", FILES, ids=lambda p: p.name)
def test_every_fault_has_its_place_and_cure(file: Path) -> None:
    if file.name in UNREADABLE:
        with pytest.raises(FileError) as caught:
            parsed_file(file)
        assert caught.value.cure
        assert (caught.value.span is None) == (file.name in NO_PLACE)
        return
    document = parsed_file(file)
    text = document.text
    reading = read(document, file.parent, file.name)
    assert reading.faults
    for fault in reading.faults:
        assert fault.element
        assert fault.cure
        assert fault.span is not None
        start, end = fault.span
        assert 0 <= start <= end <= len(text)
        if isinstance(document.data, dict):
            assert fault.path
        else:
            assert fault.span == (0, len(text))


@pytest.mark.parametrize(
    ("name", "marked"),
    [
        ("wrong_unit_mass.yaml", "mass: 3 mm"),
        ("unknown_parameter.yaml", "mass: lenght"),
        ("driver_reads_state.yaml", "angle: 2*O.angle"),
        ("frame_on_unknown.yaml", "A: {on: B2}"),
        ("unknown_frame.yaml", "between: [ground, crank.B]"),
        ("network_unknown_junction.yaml", "on: mash"),
        ("network_stroke.yaml", "stroke: d"),
        ("duplicate_key.json", '"name"'),
        ("duplicate_key.yaml", "O"),
        ("bodies_list.yaml", "bodies"),
    ],
)
def test_faults_mark_what_they_speak_of(name: str, marked: str) -> None:
    document = parsed_file(HERE / name)
    (fault,) = read(document, HERE, name).faults
    assert fault.span is not None
    assert document.text[slice(*fault.span)] == marked


@pytest.mark.parametrize(
    ("text", "format", "marked"),
    [
        ("a: [1, 2\nb: 3", "yaml", ":"),
        ("a: 'x", "yaml", "x"),
        ("a: \x01", "yaml", "\x01"),
        ("😀: 1\nb: !!python/name:os.system x", "yaml", "!!python/name:os.system x"),
        ('{"a": 1 "b": 2}', "json", '"'),
        ('{"a": -Infinity}', "json", "-Infinity"),
        ("a: 1\n---\nb: 2", "yaml", "---"),
    ],
)
def test_broken_syntax_has_a_place(text: str, format: str, marked: str) -> None:
    with pytest.raises(FileError) as caught:
        parsed(text, format)
    assert caught.value.span is not None
    assert text[slice(*caught.value.span)] == marked
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.what, again.cure, again.span) == (
        caught.value.what, caught.value.cure, caught.value.span,
    )  # fmt: skip


def test_whatever_a_file_says_reading_returns_with_faults_that_have_cures() -> None:
    rng = np.random.default_rng(7)
    names = ("crank_rocker", "hydraulic_crane", "pendulum", "manipulator", "stewart_platform")
    roots = [HERE.parents[1] / "examples" / f"{name}.yaml" for name in names]
    bases = [(parsed_file(root).data, root.parent) for root in roots]
    seen = 0
    for k in range(120):
        data, base = bases[k % len(bases)]
        text = dump_yaml(mutated(rng, data))
        try:
            document = parsed(text, "yaml")
        except FileError:
            continue
        for fault in read(document, base).faults:
            seen += 1
            assert fault.element, fault
            assert fault.cure, fault
            assert fault.span is not None, fault
            assert fault.path or not isinstance(document.data, dict), fault
    assert seen > 50


CONFLICT = """pliant: 1
networks:
  n:
    domain: electrical
    elements:
      j: {junction: 1}
      a: {Sf: 1 A, on: j}
      b: {Sf: 2 A, on: j}
      c: {R: 2 ohm, on: j}
"""


def test_causal_conflicts_have_path_and_cure() -> None:
    model = loads(CONFLICT)
    (fault,) = network_faults(model)
    assert fault.path == ("networks", "n", "elements", "a")
    assert fault.cure
    document = parsed(CONFLICT, "yaml")
    placed = document.placed(fault)
    assert placed.where == "line 7"
    assert placed.span is not None
    assert CONFLICT[slice(*placed.span)] == "a: {Sf: 1 A, on: j}"
    with pytest.raises(ModelError, match=r"both fix the flow of 1-junction n\.j; remove one"):
        pl.System.loads(CONFLICT)


def test_errors_of_a_run_name_their_elements() -> None:
    text = """pliant: 1
bodies: {crank: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {A: [1, 0, 0]}}}
joints:
  O: {revolute: {axis: z}, between: [ground, crank]}
  far: {spherical: {}, between: [ground.B, crank.A]}
ground: {frames: {B: [5, 0, 0]}}
"""
    with pytest.raises(pl.errors.AssemblyError) as caught:
        pl.System.loads(text).simulate(0.1)
    assert "far" in caught.value.elements
    assert pickle.loads(pickle.dumps(caught.value)).elements == caught.value.elements
    with pytest.raises(InputError) as refused:
        pl.System.loads(text).simulate(0.1, outputs=["crank.nothing"])
    assert isinstance(refused.value.elements, tuple)
