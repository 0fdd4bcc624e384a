"""The page of animation rules against the tests that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
PAGE = (TESTS.parent / "docs" / "animation-conformance.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in PAGE.splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| Rule", "| Trap"))
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:40])
def test_every_row_names_tests_that_exist(row: list[str]) -> None:
    _, pinned = row
    names = re.findall(r"`([^`]+)`", pinned)
    assert names
    for name in names:
        path, _, function = name.partition("::")
        if function:
            text = (TESTS / path).read_text(encoding="utf-8")
            assert re.search(rf"^def {function}\(", text, re.MULTILINE), name
        else:
            assert (TESTS / "scripts" / f"{name}.gsc").is_file(), name


def test_no_trap_and_no_section_is_left_out() -> None:
    told = " ".join(row[0].partition(" ")[0] for row in ROWS)
    wanted = [f"A{n}" for n in range(1, 15)] + [f"M{n}" for n in range(1, 11)]
    wanted += ["1.1", "1.2", "1.3", "1.4", "2.1", "2.2", "2.3", "2.4", "2.5", "4"]
    wanted += [f"5.{n}" for n in range(1, 8)]
    assert [name for name in wanted if name not in told.split()] == []
