"""That every break of a rule still has its place in the engine and its row in docs/conformance.md, and how what pytest
says about one is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutation import breaks
from tests.mutation.breaks import Break, Verdict, read_breaks, verdict

BREAKS = read_breaks()


def test_names_are_unique_and_there_are_enough() -> None:
    assert len({change.name for change in BREAKS}) == len(BREAKS) >= 25


@pytest.mark.parametrize("change", BREAKS, ids=lambda change: change.name)
def test_a_break_has_its_place_and_its_tests(change: Break) -> None:
    assert change.text() != (breaks.ROOT / change.file).read_text("utf-8")
    assert change.tests


def test_a_break_without_a_place_or_a_row_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\ny = 1\n")
    with pytest.raises(ValueError, match=r"occurs 2 times in a\.py"):
        Break("twice", "2.2", "a.py", "= 1", "= 2").text(tmp_path)
    with pytest.raises(ValueError, match="no Python any more"):
        Break("nonsense", "2.2", "a.py", "x = 1", "x =").text(tmp_path)
    with pytest.raises(ValueError, match="0 rows"):
        _ = Break("no row", "no such rule", "a.py", "x", "z").tests
    assert Break("good", "2.2", "a.py", "x", "z").text(tmp_path) == "z = 1\ny = 1\n"


FAILED = (
    "FAILED tests/scripts/test_scripts.py::test_script[lang_size] - AssertionError: assert ['2'] == ['1']"
)


@pytest.mark.parametrize(
    ("code", "output", "noticed", "text"),
    [
        (0, "1 passed", False, "NOT NOTICED"),
        (1, FAILED, True, "noticed by tests/scripts/test_scripts.py::test_script[lang_size]"),
        (
            1,
            "FAILED tests/vm/test_errors.py::test_depth",
            True,
            "noticed by tests/vm/test_errors.py::test_depth",
        ),
        (1, f"E   NameError: name 'x' is not defined\n{FAILED}", False, "BAD BREAK, NameError"),
        (1, f"a.gsc:1:1: internal error of the engine: KeyError\n{FAILED}", False, "BAD BREAK, internal"),
        (4, "ERROR: not found: a.py\n", False, "BAD BREAK, pytest ended with 4: ERROR: not found: a.py"),
    ],
)
def test_what_pytest_says_about_a_break(code: int, output: str, noticed: bool, text: str) -> None:
    found = verdict(code, output)
    assert found == Verdict(noticed, found.text)
    assert found.text.startswith(text)


def test_a_tree_is_whole_again_after_a_break(tmp_path: Path) -> None:
    tree = breaks.Tree(tmp_path)
    change = BREAKS[0]
    path = tree.root / change.file
    sound, stamp = path.read_bytes(), path.stat().st_mtime_ns
    with tree.broken(change):
        assert path.read_text("utf-8") == change.text()
        assert path.stat().st_mtime_ns != stamp
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (sound, stamp)
    assert (breaks.ROOT / change.file).read_bytes() == sound
