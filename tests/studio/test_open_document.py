"""The open text: revisions, one history, journal, the file on disk."""

import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.errors import FileError, InputError
from pliant.model.files.editing.splices import applied
from pliant.studio.document import disk
from pliant.studio.document.document import OpenDocument
from pliant.studio.document.history import PAUSE, History, difference, rebased
from pliant.studio.document.journal import Journal
from pliant.studio.document.offsets import Offsets

TEXT = "pliant: 1\nname: a\nparameters:\n  h: 10 mm  # thin\n"


@pytest.fixture(autouse=True)
def journals(tmp_path, monkeypatch):
    """Journals stay in the folder of the test, and are closed at its end."""
    monkeypatch.setenv("PLIANT_STATE_DIR", str(tmp_path / "state"))
    found, make = [], Journal.__init__

    def noted(self, *arguments):
        found.append(self)
        make(self, *arguments)

    monkeypatch.setattr(Journal, "__init__", noted)
    yield
    for journal in found:
        if journal._file is not None and not journal._file.closed:
            journal.close()


def opened(tmp_path, content=None):
    path = tmp_path / "model.yaml"
    path.write_bytes(TEXT.encode() if content is None else content)
    return OpenDocument.opened(path), path


texts = st.text(alphabet="ab\n\r😀é: ", max_size=40)


@given(texts)
def test_offsets_lead_to_the_page_and_back(text):
    o = Offsets(text)
    page = o.page_text
    assert "\r" not in page
    units = page.encode("utf-16-le")
    for k in range(len(text) + 1):
        if text[k - 1 : k + 1] == "\r\n":
            continue  # within one line ending of the page there is no place
        at = o.to_page(k)
        assert units[: 2 * at].decode("utf-16-le") == Offsets(text[:k]).page_text
        assert o.from_page(at) == k


@given(texts, st.data())
def test_a_change_of_the_page_is_the_same_change_of_the_file(text, data):
    o = Offsets(text)
    units = o.page_text.encode("utf-16-le")
    places = [k for k in range(len(text) + 1) if text[k - 1 : k + 1] != "\r\n"]
    a, b = sorted(data.draw(st.tuples(st.sampled_from(places), st.sampled_from(places))))
    new = data.draw(st.text(alphabet="xy\n", max_size=5))
    page_splice = (o.to_page(a), o.to_page(b), new)
    changed = applied(text, o.splices_from_page([page_splice]))
    wanted = units[: 2 * page_splice[0]] + new.encode("utf-16-le") + units[2 * page_splice[1] :]
    assert Offsets(changed).page_text == wanted.decode("utf-16-le")


def test_new_lines_end_as_the_others_do(tmp_path):
    document, path = opened(tmp_path, TEXT.replace("\n", "\r\n").encode())
    end = len(document.offsets.page_text)
    document.page_edit([(end, end, "gravity: [0, 0, 0]\n")], 1, "")
    document.save()
    assert path.read_bytes().endswith(b"mm  # thin\r\ngravity: [0, 0, 0]\r\n")


def test_undo_gives_back_every_byte_and_redo_every_change(tmp_path):
    document, _ = opened(tmp_path)
    states = [document.text]
    for k in range(20):
        document.edit([(k, k + 1, "ab" * (k % 3))], label=f"step {k}")
        states.append(document.text)
    for wanted in reversed(states[:-1]):
        document.undo()
        assert document.text == wanted
    assert document.undo() is None
    for wanted in states[1:]:
        document.redo()
        assert document.text == wanted
    assert document.redo() is None


def test_typing_without_a_pause_is_one_entry():
    history = History()
    for k, at in enumerate((0.0, 0.1, 0.2, 0.2 + 2 * PAUSE)):
        history.add("x" * k, [(k, k, "x")], label="typing", group="typing", at=at)
    assert len(history.done) == 2
    assert history.undo("xxxx")[0] == "xxx"
    assert history.undo("xxx")[0] == ""


def test_other_gestures_are_entries_of_their_own():
    history = History()
    for k in range(3):
        history.add("x" * k, [(k, k, "x")], label="set", group="", at=0.0)
    assert len(history.done) == 3


@given(st.text(alphabet="ab", max_size=8), st.text(alphabet="ab", max_size=8))
def test_the_difference_of_two_texts_leads_from_one_to_the_other(old, new):
    found = difference(old, new)
    assert applied(old, found) == new
    assert len(found) <= 1


@given(st.data())
def test_changes_that_do_not_overlap_can_be_made_in_either_order(data):
    text = "abcdefghij"
    a, b, c, d = sorted(
        data.draw(st.lists(st.integers(0, 10), min_size=4, max_size=4, unique=True))
    )
    first, second = (a, b, "X"), (c, d, "YZ")
    if data.draw(st.booleans()):
        first, second = second, first
    moved = rebased([second], [first])
    assert moved is not None
    assert applied(applied(text, [first]), moved) == applied(text, [first, second])


def test_changes_of_one_place_are_refused():
    assert rebased([(2, 5, "x")], [(3, 4, "y")]) is None
    assert rebased([(3, 4, "x")], [(2, 5, "y")]) is None


def test_a_late_change_is_rebased_over_what_others_did(tmp_path):
    document, _ = opened(tmp_path)
    document.page_edit([(0, 0, "# first\n")], 1, "")
    at = TEXT.index("10 mm")
    document.page_edit([(at, at + 2, "12")], 1, "")
    assert document.text == "# first\n" + TEXT.replace("10 mm", "12 mm")
    with pytest.raises(InputError, match="changed there meanwhile"):
        document.page_edit([(at, at + 5, "9 mm")], 1, "")
    with pytest.raises(InputError, match="meanwhile"):
        document.page_edit([(0, 0, "x")], 99, "")


def test_a_change_outside_the_text_is_refused(tmp_path):
    document, _ = opened(tmp_path)
    with pytest.raises(InputError, match="outside"):
        document.edit([(5, 9999, "")])
    assert document.text == TEXT


def test_a_value_is_written_without_touching_anything_else(tmp_path):
    document, _ = opened(tmp_path)
    document.set(("parameters", "h"), "12 mm", revision=1, label="")
    assert document.text == TEXT.replace("10 mm", "12 mm")
    document.undo()
    assert document.text == TEXT


def test_saving_keeps_mode_endings_and_the_mark(tmp_path):
    content = b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").rstrip().encode()
    document, path = opened(tmp_path, content)
    os.chmod(path, 0o640)
    assert not document.text.startswith("\ufeff")
    document.edit([(0, 0, "# x\r\n")])
    document.save()
    assert path.read_bytes() == content[:3] + b"# x\r\n" + content[3:]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert document.is_saved


def test_a_file_that_another_program_changed_is_not_overwritten(tmp_path):
    document, path = opened(tmp_path)
    document.edit([(0, 0, "# mine\n")])
    path.write_text("# theirs\n" + TEXT)
    with pytest.raises(disk.ChangedError) as found:
        document.save()
    assert found.value.stored.text.startswith("# theirs")
    assert path.read_text().startswith("# theirs")
    document.save(force=True)
    assert path.read_text().startswith("# mine")


def test_a_file_that_went_is_asked_for_before_it_comes_back(tmp_path):
    document, path = opened(tmp_path)
    path.unlink()
    assert document.from_disk() == "gone"
    with pytest.raises(disk.ChangedError) as found:
        document.save()
    assert found.value.stored is None
    document.save(force=True)
    assert path.read_text() == TEXT


def test_a_file_without_permission_is_named(tmp_path, monkeypatch):
    document, _ = opened(tmp_path)
    monkeypatch.setattr(os, "access", lambda place, mode: False)
    document.edit([(0, 0, "#\n")])
    with pytest.raises(FileError, match="read-only"):
        document.save()


def test_what_another_program_writes_comes_in_and_can_be_undone(tmp_path):
    document, path = opened(tmp_path)
    assert document.from_disk() is None
    path.write_text(TEXT.replace("10", "20"))
    found = document.from_disk()
    document.take(found)
    assert "20 mm" in document.text
    assert document.is_saved
    document.undo()
    assert document.text == TEXT
    assert not document.is_saved


def test_a_file_touched_without_a_change_is_no_change(tmp_path):
    document, path = opened(tmp_path)
    os.utime(path, (1, 1))
    assert document.from_disk() is None


def test_read_only_changes_nothing(tmp_path):
    (tmp_path / "m.yaml").write_text(TEXT)
    document = OpenDocument.opened(tmp_path / "m.yaml", read_only=True)
    for change in (lambda: document.edit([(0, 0, "x")]), document.undo, document.save):
        with pytest.raises(InputError, match="only looks"):
            change()
    assert document.text == TEXT


def test_what_was_typed_survives_the_process(tmp_path):
    document, path = opened(tmp_path)
    document.edit([(0, 0, "# one 😀\u2028\n")])
    document.edit([(0, 5, "# two")])
    document.undo()
    text = document.text
    document.journal._file.close()  # as the end of a process does
    again = OpenDocument.opened(path)
    assert again.journal.left.text == text
    again.edit([(0, 0, "# unasked\n")])
    again.journal._file.close()
    third = OpenDocument.opened(path)
    assert third.journal.left.text.startswith("# unasked")
    third.journal.discard()
    third.close()
    assert OpenDocument.opened(path).journal.left.text == text


def test_a_journal_goes_when_the_text_is_saved(tmp_path):
    document, path = opened(tmp_path)
    document.edit([(0, 0, "# one\n")])
    document.save()
    document.close()
    assert OpenDocument.opened(path).journal.left is None
    left = [p for p in (tmp_path / "state" / "studio").iterdir() if p.stat().st_size]
    assert left == []


def test_a_journal_of_changes_that_were_undone_is_not_offered(tmp_path):
    document, path = opened(tmp_path)
    document.edit([(0, 0, "# one\n")])
    document.undo()
    document.journal._file.close()
    assert OpenDocument.opened(path).journal.left is None


def test_a_journal_whose_last_line_was_cut_off_gives_what_is_whole(tmp_path):
    document, path = opened(tmp_path)
    document.edit([(0, 0, "# one\n")])
    document.edit([(0, 0, "# two\n")])
    name = document.journal._file.name
    document.journal._file.close()
    with open(name, "r+b") as file:
        file.truncate(os.path.getsize(name) - 10)
    assert OpenDocument.opened(path).journal.left.text == "# one\n" + TEXT


def test_two_studios_on_one_file_have_two_journals(tmp_path):
    first, path = opened(tmp_path)
    first.edit([(0, 0, "# first\n")])
    second = OpenDocument.opened(path)
    assert second.journal.others == 1
    assert second.journal.left is None
    second.edit([(0, 0, "# second\n")])
    second.save()
    with pytest.raises(disk.ChangedError):
        first.save()


def test_without_a_folder_for_journals_it_says_so(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    journal = Journal(tmp_path / "m.yaml", tmp_path / "file")
    assert "not kept" in journal.failure
    journal.add("a", [(0, 0, "b")], 2)
    journal.close()


def test_a_text_that_grows_too_large_is_refused(tmp_path):
    document, _ = opened(tmp_path)
    with pytest.raises(InputError, match="larger than 20 MB"):
        document.edit([(0, 0, "#" * 20_000_001)])
    assert document.text == TEXT


def test_binary_files_are_named(tmp_path):
    with pytest.raises(FileError, match="not a text file"):
        opened(tmp_path, b"\0\1\2")
