"""Test scripts: what one expects, by the comments in it, and what `notetrack run` makes of it."""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass, field
from pathlib import Path

from engine.cli.main import cli

EXPECT = re.compile(
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


def expected(text: str, dialect: str = "uo") -> tuple[list[str], Outcome]:
    """The options and expectations in a script."""
    lines = text.split("\n")
    options = lines[0].removeprefix("// run:").split() if lines[0].startswith("// run:") else []
    outcome = Outcome()
    for number, line in enumerate(lines, 1):
        for match in EXPECT.finditer(line):
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
