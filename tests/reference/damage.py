"""Damaged sources through scanner, parser and binder: nothing but diagnostics may come out.

An input is a real script with pieces cut, doubled, moved or replaced by tokens, a soup of tokens, or plain bytes.
`try_one` says what is wrong with the compiler's answer. Long runs:
`python -m tests.reference.fuzz --parser --count N --seed S`.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from random import Random

from engine.gsc.dialect import UO, Dialect
from engine.gsc.program import load_program
from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.source.render import to_text
from engine.vm.core import core_registry
from engine.vm.registry import RegistryCatalogue

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("tests/scripts", "mods")
MAX_TEXT = 3000
"""Characters of a script that are taken: damage shows in short files as well."""
MAX_SECONDS = 5.0
"""An input that takes longer counts as a hang; a healthy one of this size takes milliseconds."""

TOKENS = (
    *sorted({*UO.operators, *UO.composites, *UO.keywords}),
    "a", "b", "f(", "f() {", ";\n", "}\n", '"s"', '"', '&"L"', "1", "0.5", "1.", ".5", "0x1", "99999999999",
    "/*", "*/", "//", "\n", "/#", "#/", r"m\a::", r"\\", "foreach (x in y)", "%walk", "#include", "[[", "]]",
    "self ", "level ", "\0", "\xe4", "\r", "\t", "@", "'", "`", "$", "case 1:", "case -1:", "default:",
    'waittill("e", x);', "thread f();", "for (;;)", "else", "?", "+", "&", "|",
)  # fmt: skip
_PIECE = re.compile(r"\w+|\s+|.", re.DOTALL)
_NATIVES = RegistryCatalogue(core_registry())


def seeds() -> list[str]:
    """The real scripts that are damaged, in a fixed order."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.gsc"))]
    return [path.read_bytes().decode("latin-1")[:MAX_TEXT] for path in paths]


class Damager:
    """Makes inputs by number: the same number gives the same input as long as the scripts stay the same."""

    def __init__(self) -> None:
        self.sources = [_PIECE.findall(text) for text in seeds()]

    def text(self, seed: int) -> str:
        random = Random(seed)
        kind = random.randrange(10)
        if kind == 0:
            return "".join(chr(random.randrange(256)) for _ in range(random.randrange(200)))
        if kind == 1:
            return random.choice(("", "f() { ")) + " ".join(random.choices(TOKENS, k=random.randrange(80)))
        pieces = list(random.choice(self.sources))
        for _ in range(random.choice((1, 1, 2, 3, 8))):
            self.damage(pieces, random)
        return "".join(pieces)

    def damage(self, pieces: list[str], random: Random) -> None:
        at = random.randrange(len(pieces) + 1)
        length = min(random.choice((1, 1, 2, 5, 30)), len(pieces) - at)
        match random.randrange(6):
            case 0:
                del pieces[at : at + length]
            case 1:
                pieces[at : at + length] = [random.choice(TOKENS)]
            case 2:
                pieces.insert(at, random.choice(TOKENS))
            case 3:
                pieces[at:at] = pieces[at : at + length] * random.choice((1, 1, 2, 20))
            case 4:
                other = random.choice(self.sources)
                start = random.randrange(len(other) + 1)
                pieces[at:at] = other[start : start + random.choice((3, 30, 200))]
            case _:
                del pieces[at:]


class One:
    """A search that knows one file."""

    def __init__(self, source: SourceText) -> None:
        self.source = source

    def find(self, name: str) -> SourceText | None:
        return self.source if name == "main" else None


def diagnostics_of(source: SourceText, dialect: Dialect = UO) -> list[Diagnostic]:
    """What the compiler says about a file up to binding."""
    try:
        return list(load_program(["main"], One(source), _NATIVES, dialect=dialect).diagnostics)
    except DiagnosticError as error:
        if all(d.severity != "error" for d in error.diagnostics):
            raise AssertionError("refused without an error") from error
        return list(error.diagnostics)


def try_one(text: str, dialect: Dialect = UO) -> None:
    """Compile a text. Raises whatever is not a diagnostic with a place in the text, and AssertionError for a hang."""
    source = SourceText("main.gsc", text)
    start = time.process_time()
    found = diagnostics_of(source, dialect)
    assert time.process_time() - start < MAX_SECONDS, "the compiler hangs"
    for diagnostic in found:
        span = diagnostic.span
        assert span is not None, f"no place: {diagnostic.message}"
        assert 0 <= span.start <= span.end <= len(source.text), (
            f"place outside the text: {diagnostic.message}"
        )
        assert diagnostic.message
        assert diagnostic.code
        assert "\n" not in to_text(diagnostic).split("\n")[0]
