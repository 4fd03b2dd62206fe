"""Drafts of a text: steps made one after the other are one gesture; done, tried, asked, refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.studio.talking import PENDULUM, in_studio

from pliant.errors import FileError, InputError, UnknownName
from pliant.model.files.editing.composing import composed
from pliant.model.files.editing.splices import applied
from pliant.studio.operations.draft import Draft, Question
from pliant.studio.operations.registry import OPERATIONS, operation, planned

ANCHORED = """\
pliant: 1
bodies:
  a: &leg {rod: {mass: 1 kg, length: 1 m}}  # both alike
  b: *leg
"""


@st.composite
def steps(draw):
    """A text and changes of it, each of what the one before has left."""
    text = first = draw(st.text("abc\n", max_size=20))
    found = []
    for _ in range(draw(st.integers(0, 5))):
        cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
        places = list(zip(cuts[::2], cuts[1::2], strict=False))
        found.append([(a, b, draw(st.text("xyz\n", max_size=3))) for a, b in places])
        text = applied(text, found[-1])
    return first, text, found


@given(steps())
def test_steps_are_one_change_of_the_first_text(made):
    first, last, found = made
    assert applied(first, composed(len(first), found)) == last


def test_what_was_not_touched_is_in_no_splice():
    draft = Draft(PENDULUM, "yaml")
    draft.put(("parameters", "l"), "2 m")
    draft.insert(("parameters",), "m", "1 kg")
    draft.rename("bob", "rod")
    assert draft.text == PENDULUM.replace("1 m ", "2 m ").replace("bob", "rod").replace(
        "# length\n", "# length\n  m: 1 kg\n"
    )
    assert sum(end - start for start, end, _ in draft.splices()) <= len("1 m" + "bob" + "bob")


def test_a_removed_entry_takes_what_it_leaves_empty_along():
    draft = Draft(PENDULUM, "yaml")
    draft.remove(("joints", "O"))
    assert "joints" not in draft.data
    draft = Draft(PENDULUM, "yaml")
    draft.remove(("joints", "O"), prune=1)
    assert draft.data["joints"] == {}


def test_text_that_is_no_model_is_not_drafted():
    for text in ("a: [", "- 1\n- 2\n", ""):
        with pytest.raises(FileError):
            Draft(text, "yaml")


@pytest.fixture
def tester():
    """An operation of the test's own, with arguments of several types."""

    @operation("test.length")
    def length(draft: Draft, body: str, value: float | str, tags: list[str] | None = None) -> None:
        """Another length."""
        draft.put(("bodies", body, "rod", "length"), value)

    yield
    del OPERATIONS["test.length"]


@pytest.mark.parametrize(("arguments", "said"), [
    ({"body": "a"}, "needs value"),
    ({"body": "a", "value": True}, "value cannot be"),
    ({"body": 1, "value": 1}, "body cannot be"),
    ({"body": "a", "value": 1, "tags": ["x", 1]}, "tags cannot be"),
    ({"body": "a", "value": 1, "colour": "red"}, "has no argument 'colour'"),
])  # fmt: skip
@pytest.mark.usefixtures("tester")
def test_arguments_of_other_types_are_refused(arguments, said):
    with pytest.raises(InputError, match=said):
        planned(Draft(ANCHORED, "yaml"), "test.length", arguments)


@pytest.mark.usefixtures("tester")
def test_a_value_that_several_share_is_asked_about():
    arguments = {"body": "b", "value": "2 m"}
    with pytest.raises(Question, match="written once for") as asked:
        planned(Draft(ANCHORED, "yaml"), "test.length", arguments)
    lengths = {}
    for label, more in asked.value.choices:
        draft = planned(Draft(ANCHORED, "yaml"), "test.length", arguments | more)
        lengths[label] = [draft.at("bodies", name, "rod", "length") for name in "ab"]
        assert "# both alike" in draft.text
    assert lengths == {"Change all of them": ["2 m", "2 m"],
                       "Give this one its own copy": ["1 m", "2 m"]}  # fmt: skip


def test_an_unknown_operation_is_refused_with_a_near_one():
    with pytest.raises(UnknownName, match=r"parameter\.set"):
        planned(Draft(PENDULUM, "yaml"), "parameter.sett", {})


def test_done_undone_and_done_again_with_what_was_selected(model):
    async def go(studio, window):
        revision = studio.document.revision
        await window.send("select", names=["bob"])
        arguments = {"name": "k", "value": "3 N/m"}
        done = await window.ask(
            "do", revision=revision, operation="parameter.set", arguments=arguments
        )
        assert done["selection"] == ["parameters.k"]
        assert studio.document.text == PENDULUM.replace("# length\n", "# length\n  k: 3 N/m\n")
        change = await window.wait("changed", label="define k = 3 N/m")
        assert change["selection"] == ["parameters.k"]
        await window.ask("undo")
        assert studio.document.text == PENDULUM
        assert (await window.wait("changed"))["selection"] == ["bob"]
        await window.ask("redo")
        assert (await window.wait("changed"))["selection"] == ["parameters.k"]
        late = await window.ask(
            "do", revision=revision, operation="parameter.set", arguments=arguments
        )
        assert late["type"] == "refused"
        assert "changed meanwhile" in late["what"]

    in_studio(model, go)


def test_tried_it_says_its_lines_and_faults_and_changes_nothing(model):
    async def go(studio, window):
        arguments = {"name": "l", "value": "l0 + 1 m"}
        tried = await window.ask("try", operation="parameter.set", arguments=arguments)
        assert tried["lines"] == ["  l: l0 + 1 m   # length"]
        assert [fault["name"] for fault in tried["faults"]] == ["parameters.l"]
        assert "l0" in tried["faults"][0]["what"]
        assert studio.document.text == PENDULUM

    in_studio(model, go)


def test_a_studio_that_only_looks_does_nothing(model):
    async def go(studio, window):
        arguments = {"name": "l", "value": "2 m"}
        answer = await window.ask("do", revision=studio.document.revision,
                                  operation="parameter.set", arguments=arguments)  # fmt: skip
        assert answer["type"] == "refused"
        assert studio.document.text == PENDULUM

    in_studio(model, go, read_only=True)
