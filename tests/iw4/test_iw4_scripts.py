"""Runs every script of this folder through `notetrack run` and compares with what the script itself expects.

The expectations are those of tests/scripts:

    // expect: TEXT                     a line of output, in the order of the file
    // expect error: REGEX              a compile error on this line (likewise `warning`, `runtime error`)
    // run: OPTIONS                     options of the command, on the first line

A script runs as IW4. One that begins with `pair_` runs in both dialects, and a line of output that differs is written
as `// expect uo: TEXT` or `// expect iw4: TEXT`, as are diagnostics (`// expect iw4 runtime error: REGEX`).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.scripts.running import EXPECT, expected, run

FOLDER = Path(__file__).resolve().parent
SCRIPTS = sorted(FOLDER.glob("*.gsc"))
RUNS = [
    (path, dialect)
    for path in SCRIPTS
    for dialect in (("uo", "iw4") if path.stem.startswith("pair_") else ("iw4",))
]


@pytest.mark.parametrize(("path", "dialect"), RUNS, ids=[f"{path.stem}-{dialect}" for path, dialect in RUNS])
def test_script(path: Path, dialect: str) -> None:
    options, wanted = expected(path.read_text(encoding="latin-1"), dialect)
    found = run(path, ["--dialect", dialect, *options])
    where = sorted((line, kind) for line, kind, _ in wanted.diagnostics)
    assert sorted((line, kind) for line, kind, _ in found.diagnostics) == where, found.diagnostics
    for line, kind, text in wanted.diagnostics:
        texts = [t for at, k, t in found.diagnostics if (at, k) == (line, kind)]
        assert any(re.search(text, t) for t in texts), f"line {line}: no {kind} like {text!r} in {texts}"
    assert found.output == wanted.output
    assert found.code == wanted.code


def test_every_script_expects_something() -> None:
    for path in SCRIPTS:
        assert EXPECT.search(path.read_text(encoding="latin-1")), path.name
