"""Runs every script of this folder through `notetrack run` and compares with what the script itself expects.

Expectations are comments:

    // expect: TEXT                     a line of output, in the order of the file
    // expect error: REGEX              a compile error on this line (likewise `warning`, `runtime error`)
    // run: OPTIONS                     options of the command, on the first line

Every line of output and every diagnostic must be expected, each as often as it is written. A script in the folder
`lib`, or one without a `main`, is only there for others.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.scripts.running import EXPECT, expected, run

FOLDER = Path(__file__).resolve().parent
SCRIPTS = sorted(FOLDER.glob("*.gsc"))


@pytest.mark.parametrize("path", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_script(path: Path) -> None:
    options, wanted = expected(path.read_text(encoding="latin-1"))
    found = run(path, options)
    where = sorted((line, kind) for line, kind, _ in wanted.diagnostics)
    assert sorted((line, kind) for line, kind, _ in found.diagnostics) == where, found.diagnostics
    for line, kind, text in wanted.diagnostics:
        texts = [t for at, k, t in found.diagnostics if (at, k) == (line, kind)]
        assert any(re.search(text, t) for t in texts), f"line {line}: no {kind} like {text!r} in {texts}"
    assert found.output == wanted.output
    assert found.code == wanted.code


@pytest.mark.parametrize(
    "prefix",
    [
        *(f"facts_{section}_{row:02}" for section, rows in
          ((1, 5), (2, 12), (3, 8), (4, 4), (5, 5), (6, 6)) for row in range(1, rows + 1)),
        *(f"trap_g{number:02}" for number in range(1, 20)),
    ],
)  # fmt: skip
def test_every_rule_has_a_script(prefix: str) -> None:
    assert any(path.stem.startswith(prefix) for path in SCRIPTS)


def test_every_script_says_what_it_is_about_and_expects_something() -> None:
    for path in SCRIPTS:
        text = path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("latin-1")
        assert "//" in text.split("\n")[text.startswith("// run:")], path.name
        assert EXPECT.search(text) or "// expects nothing" in text, path.name
