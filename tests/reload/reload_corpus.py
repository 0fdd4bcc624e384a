"""Reads the corpus: base programs, edits of them, and what becomes of the threads.

A file is a family. After comments (`#`) comes the base: `--- main` and its text, `--- NAME` for further scripts. The
game runs `main` and stands still at `--- after SECONDS`. Each variant is a name and some lines:

    === a statement before the wait
    - text that occurs once          (several `-` lines are one text; `@NAME` before it means another script)
    + what takes its place           (several `+` lines; none: the text is removed)
    policy keep                      (for threads without a place; else `restart`)
    = function fate old new a=1 b="x"    (fate, lines and locals of each suspended call with a row in the table;
                                     `-` for no line, locals only of those that moved or were kept)
    = untouched 2                    (a count of threads, for any fate)
    > what is printed afterwards     (within 3 seconds, lines joined by blanks; ` ...` at the end: and more)
    ! a message of a run-time error that follows
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Expected:
    """One line of the table: a function's call, its fate, lines and locals as text."""

    function: str
    fate: str
    old: str
    new: str
    locals: dict[str, str]


@dataclass
class Variant:
    family: str
    name: str
    base: dict[str, str]
    after: float
    edits: list[tuple[str, str, str]] = field(default_factory=list)
    policy: str = "restart"
    rows: list[Expected] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    output: str | None = None
    errors: list[str] = field(default_factory=list)

    def edited(self) -> dict[str, str]:
        """The scripts after the edits. A text that is not there exactly once is a fault of the corpus."""
        texts = dict(self.base)
        for script, old, new in self.edits:
            if not old:
                texts[script] = texts.get(script, "") + new + "\n"
                continue
            assert texts[script].count(old) == 1, (
                f"{self.name}: {old!r} occurs {texts[script].count(old)} times"
            )
            texts[script] = texts[script].replace(old, new)
        return texts


def words(text: str) -> list[str]:
    """Split at blanks outside quotes and brackets."""
    found: list[str] = []
    quoted = depth = 0
    current = ""
    for char in text:
        quoted ^= char == '"'
        depth += (char == "(") - (char == ")")
        if char == " " and not quoted and not depth:
            if current:
                found.append(current)
            current = ""
        else:
            current += char
    return [*found, current] if current else found


def read(path: Path) -> list[Variant]:
    """All variants of a family."""
    base: dict[str, str] = {}
    after = 0.0
    variants: list[Variant] = []
    section: list[str] | None = None
    sections: dict[str, list[str]] = {}
    script, last = "main", ""
    for line in path.read_text().splitlines():
        if line.startswith("--- after "):
            after = float(line.split()[2])
            base = {name: "\n".join(lines) + "\n" for name, lines in sections.items()}
            section = None
        elif line.startswith("--- "):
            section = sections[line[4:]] = []
        elif section is not None:
            section.append(line)
        elif line.startswith("=== "):
            variants.append(Variant(path.stem, line[4:], base, after))
            script, last = "main", ""
        elif line and not line.startswith("#"):
            script, last = _line(variants[-1], line, script, last)
    return variants


def _line(variant: Variant, line: str, script: str, last: str) -> tuple[str, str]:
    kind, text = line[0], line[2:]
    if kind == "@":
        return line[1:], kind
    if kind == "-":
        if last == "-":
            name, old, new = variant.edits.pop()
            variant.edits.append((name, f"{old}\n{text}", new))
        else:
            variant.edits.append((script, text, ""))
    elif kind == "+":
        if last not in ("-", "+"):
            variant.edits.append((script, "", ""))
        name, old, new = variant.edits.pop()
        variant.edits.append((name, old, f"{new}\n{text}" if last == "+" else text))
    elif line.startswith("policy "):
        variant.policy = line.split()[1]
    elif kind == "=":
        parts = words(text)
        if len(parts) == 2:
            variant.counts[parts[0]] = int(parts[1])
        else:
            pairs = dict(part.split("=", 1) for part in parts[4:])
            variant.rows.append(Expected(*parts[:4], pairs))
    elif kind == ">":
        variant.output = text
    elif kind == "!":
        variant.errors.append(text)
    else:
        raise AssertionError(f"{variant.family}: cannot read {line!r}")
    return script, kind
