"""Cures that a button can do: each, when done, removes its fault and brings no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from pliant.errors import FileError
from pliant.model.files.reading import read
from pliant.model.files.text import parsed
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.registry import planned

HERE = Path(__file__).parent
NO_MODELS = ("modes_bad.json", "modes_plate.json")
"""Files that models name."""


def reading(text, format):
    return read(parsed(text, format), HERE)


def broken():
    for path in sorted(HERE.iterdir()):
        if path.suffix not in (".yaml", ".json") or path.name in NO_MODELS:
            continue
        format = path.suffix.removeprefix(".")
        try:
            text = path.read_text(encoding="utf-8")
            yield path.name, text, format, reading(text, format).faults
        except (FileError, ValueError):
            continue


HIDDEN = {
    "many_faults.yaml": ("the inertia breaks the triangle rule", "no joint holds it"),
    "network_part.yaml": ("'dc-motor'",),
}
"""Faults of what could not be looked at before its own fault was cured."""
BROKEN = {name: (text, format, faults) for name, text, format, faults in broken()}
FIXABLE = [name for name, (_, _, faults) in BROKEN.items() if any(f.fixes for f in faults)]


def said(faults):
    return {(fault.path, fault.what) for fault in faults}


@pytest.mark.parametrize("name", FIXABLE)
def test_every_fix_removes_its_fault_and_brings_no_other(name):
    text, format, faults = BROKEN[name]
    for fault in faults:
        for fix in fault.fixes:
            draft = Draft(text, format, HERE)
            planned(draft, fix.operation, fix.arguments)
            after = said(reading(draft.text, format).faults)
            assert (fault.path, fault.what) not in after, (fix, draft.text)
            new = {what for path, what in after if (path, what) not in said(faults)}
            hidden = HIDDEN.get(name, ())
            assert all(any(part in what for part in hidden) for what in new), (fix, new)


def test_at_least_half_of_all_faults_have_a_button():
    faults = [fault for _, _, found in BROKEN.values() for fault in found]
    fixable = [fault for fault in faults if fault.fixes]
    assert len(faults) > 250
    assert 2 * len(fixable) >= len(faults), f"{len(fixable)} of {len(faults)}"


def test_labels_are_short_and_differ():
    for name, (_, _, faults) in BROKEN.items():
        for fault in faults:
            labels = [fix.label for fix in fault.fixes]
            assert len(set(labels)) == len(labels), (name, labels)
            assert all(0 < len(label) < 80 for label in labels), labels


MODEL = """\
pliant: 1
bodies:
  rod: {rod: {length: L, mass: 1 kg}, frames: {tip: [L, 0, 0]}}
joints:
  O: {revolute: {axis: z}, between: [ground, rod.tp]}   # here
"""


def fixes(text):
    found = reading(text, "yaml").faults
    return {fix.label: (fix.operation, fix.arguments) for fault in found for fix in fault.fixes}


def test_words_and_buttons_come_from_one_place():
    buttons = fixes(MODEL)
    assert "Use rod.tip" in buttons
    assert buttons["Define L = 1 m"] == ("parameter.set", {"name": "L", "value": "1 m"})
    draft = Draft(MODEL, "yaml")
    for operation, arguments in buttons.values():
        planned(draft, operation, arguments)
    assert reading(draft.text, "yaml").faults == ()
    assert "between: [ground, rod.tip]}   # here" in draft.text


@pytest.mark.parametrize(
    ("old", "new", "label", "line"),
    [
        ("mass: 1 kg", "mas: 1 kg", "Rename mas to mass", "mass: 1 kg"),
        ("mass: 1 kg", "mass: -2 kg", "Use 2 kg", "mass: 2 kg"),
        ("mass: 1 kg", "mass: 2 mm", "Use 2 kg", "mass: 2 kg"),
        ("mass: 1 kg", "mass: 2 Kg", "Use kg", "mass: 2 kg"),
        ("revolute", "revolut", "Rename revolut to revolute", "{revolute: {axis: z}"),
        ("axis: z", "axis: up", "Write axis: z", "{axis: z}"),
        ("pliant: 1\n", "", "Write pliant: 1", "pliant: 1\nbodies"),
        ("rod.tp", "rode.tip", "Use rod", "[ground, rod.tip]"),
        ("ground, rod.tp", "ground.P, rod", "Add ground.P = [0, 0, 0]", "P: [0, 0, 0]"),
    ],
)
def test_buttons_write_what_they_say(old, new, label, line):
    text = MODEL.replace(old, new)
    draft = Draft(text, "yaml")
    planned(draft, *fixes(text)[label])
    assert line in draft.text


def test_cures_survive_being_sent_elsewhere():
    import pickle

    from pliant.model.cures import Cure, Instead, steps_of

    cure = Cure("did you mean 'a'?", Instead("b", "a"))
    again = pickle.loads(pickle.dumps(cure))
    assert again == "did you mean 'a'?"
    assert steps_of(again) == (Instead("b", "a"),)
