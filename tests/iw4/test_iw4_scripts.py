"""Runs every script of this folder through `notetrack run` and compares with what the script itself expects.

The expectations are those of tests/scripts:

    // expect: TEXT                     a line of output, in the order of the file
    // expect error: REGEX              a compile error on this line (likewise `warning`, `runtime error`)
    // run: OPTIONS                     options of the command, on the first line

A script runs as IW4. One that begins with `pair_` runs in both dialects, and a line of output that differs is written
as `// expect uo: TEXT` or `// expect iw4: TEXT`, as are diagnostics (`// expect iw4 runtime error: REGEX`).
"""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.cli.main import cli

FOLDER = Path(__file__).resolve().parent
SCRIPTS = sorted(FOLDER.glob("*.gsc"))
RUNS = [
    (path, dialect)
    for path in SCRIPTS
    for dialect in (("uo", "iw4") if path.stem.startswith("pair_") else ("iw4",))
]

_EXPECT = re.compile(
    r"// expect(?: (?P<dialect>uo|iw4))?(?P<kind> error| warning| runtime error)?: ?(?P<text>.*?)(?= *// expect|$)",
    re.MULTILINE,
)
_DIAGNOSTIC = re.compile(
    r"(?P<path>.+?):(?P<line>\d+):\d+: (?P<kind>error|warning|runtime error): (?P<text>.*)"
)


@dataclass
class Outcome:
    """What a run gives, or should. A diagnostic is (line, severity, text)."""

    output: list[str] = field(default_factory=list)
    diagnostics: list[tuple[int, str, str]] = field(default_factory=list)
    code: int = 0


def expected(text: str, dialect: str) -> tuple[list[str], Outcome]:
    """The options and expectations in a script."""
    lines = text.split("\n")
    options = lines[0].removeprefix("// run:").split() if lines[0].startswith("// run:") else []
    outcome = Outcome()
    for number, line in enumerate(lines, 1):
        for match in _EXPECT.finditer(line):
            if match["dialect"] not in (None, dialect):
                continue
            if match["kind"]:
                outcome.diagnostics.append((number, match["kind"].strip(), match["text"].strip()))
            else:
                outcome.output.append(match["text"])
    kinds = {kind for _, kind, _ in outcome.diagnostics}
    outcome.code = 1 if "error" in kinds else 3 if "runtime error" in kinds else 0
    return options, outcome


def run(path: Path, options: list[str]) -> Outcome:
    """Run a script with the command, in this process."""
    stdout, stderr = io.TextIOWrapper(io.BytesIO(), encoding="latin-1", newline=""), io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        code = cli.main(["run", str(path), *options], prog_name="notetrack", standalone_mode=False)
    stdout.flush()
    assert isinstance(stdout.buffer, io.BytesIO)
    output = stdout.buffer.getvalue().decode("latin-1").split("\n")
    assert output.pop() == "", "the output does not end with a line feed"
    found = Outcome(output, code=code)
    for line in stderr.getvalue().split("\n"):
        match = _DIAGNOSTIC.match(line)
        if match and Path(match["path"]).name == path.name:
            found.diagnostics.append((int(match["line"]), match["kind"], match["text"]))
        elif match:
            found.diagnostics.append((0, match["kind"], line))
    return found


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
        assert _EXPECT.search(path.read_text(encoding="latin-1")), path.name
