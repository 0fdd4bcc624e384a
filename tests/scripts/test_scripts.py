"""Runs every script of this folder through `notetrack run` and compares with what the script itself expects.

Expectations are comments:

    // expect: TEXT                     a line of output, in the order of the file
    // expect error: REGEX              a compile error on this line (likewise `warning`, `runtime error`)
    // run: OPTIONS                     options of the command, on the first line

Every line of output and every diagnostic must be expected, each as often as it is written. A script in the folder
`lib`, or one without a `main`, is only there for others.
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

_EXPECT = re.compile(r"// expect( error| warning| runtime error)?: ?(.*?)(?= *// expect|$)", re.MULTILINE)
_DIAGNOSTIC = re.compile(
    r"(?P<path>.+?):(?P<line>\d+):\d+: (?P<kind>error|warning|runtime error): (?P<text>.*)"
)


@dataclass
class Outcome:
    """What a run gives, or should. A diagnostic is (line, severity); its text is kept beside it."""

    output: list[str] = field(default_factory=list)
    diagnostics: list[tuple[int, str, str]] = field(default_factory=list)
    code: int = 0


def expected(text: str) -> tuple[list[str], Outcome]:
    """The options and expectations in a script."""
    lines = text.split("\n")
    options = lines[0].removeprefix("// run:").split() if lines[0].startswith("// run:") else []
    outcome = Outcome()
    for number, line in enumerate(lines, 1):
        for kind, what in _EXPECT.findall(line):
            if kind:
                outcome.diagnostics.append((number, kind.strip(), what.strip()))
            else:
                outcome.output.append(what)
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
        assert _EXPECT.search(text) or "// expects nothing" in text, path.name
