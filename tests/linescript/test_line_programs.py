"""Runs every program of the folder `programs` through `notetrack run` and compares with what it expects itself.

    # expect: TEXT                a line of output, in the order of the file
    # expect error: REGEX         an error on this line (likewise warning, runtime error)
    # run: OPTIONS                options of the command, on the first line

A number at the beginning of a name is that of the statement of the language's checklist that the program pins.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.run import run

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.script"))
_EXPECT = re.compile(r"(?:#|//) expect(?: (error|warning|runtime error))?: (.*)$")
_FOUND = re.compile(r"^.*?:(\d+):\d+: (error|warning|runtime error): (.*?) \[[a-z-]+\]$", re.MULTILINE)


@pytest.mark.parametrize("path", PROGRAMS, ids=[p.stem for p in PROGRAMS])
def test_program(path: Path) -> None:
    lines = path.read_text("latin-1").split("\n")
    options = lines[0].removeprefix("# run:").split() if lines[0].startswith("# run:") else []
    output: list[str] = []
    expected: list[tuple[int, str, str]] = []
    for number, line in enumerate(lines, start=1):
        match = _EXPECT.search(line)
        if match and match[1]:
            expected.append((number, match[1], match[2]))
        elif match:
            output.append(match[2])
    result = CliRunner().invoke(run, [str(path), *options], standalone_mode=False)
    assert result.exception is None, result.exception
    found = [(int(n), kind, message) for n, kind, message in _FOUND.findall(result.stderr)]
    assert result.stdout.split("\n")[:-1] == output
    assert [(n, kind) for n, kind, _ in found] == [(n, kind) for n, kind, _ in expected], result.stderr
    for (_, _, message), (_, _, pattern) in zip(found, expected, strict=True):
        assert re.search(pattern, message), (pattern, message)
    kinds = {kind for _, kind, _ in expected}
    assert result.return_value == (1 if "error" in kinds else 3 if "runtime error" in kinds else 0)
