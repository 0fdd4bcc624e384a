"""The text of a disassembly, changed or not, back to a program.

A line is a declaration (`.piece arm`), a label (`Create:`, `L12:`), or an instruction with its operands, before
which the disassembler's word number may stand. `;` begins a comment. Operands are the labels that the declarations
gave, `#N` for an index that has none, `@N` for a code word, and numbers.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.cob.container import CobFile, Layout, Script, read_cob, write_cob
from engine.cob.disassembler import AXES
from engine.cob.isa import BY_NAME, Op, Shape
from engine.source import Diagnostic, DiagnosticError, Note, SourceText
from engine.source.nearest import did_you_mean

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s;"]+|(?P<comment>;.*)')
_NUMBER = re.compile(r"[-+]?(?:0[xX][0-9A-Fa-f]{1,16}|[0-9]{1,16})")

Row = tuple[str, list[str], int]


class _Bad(Exception):
    """This line is wrong, in the given way; what follows it is read all the same."""


@dataclass(slots=True)
class _Declared:
    """Labels in the order of their index, with the names that go into the file."""

    what: str
    labels: dict[str, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)

    def add(self, label: str, name: str) -> None:
        if label in self.labels:
            raise _Bad(f"{self.what} '{label}' is declared twice")
        self.labels[label] = len(self.names)
        self.names.append(name)

    def index(self, text: str) -> int:
        if text.startswith("#"):
            return _number(text[1:], 0, 2**32)
        if text not in self.labels:
            hint = did_you_mean(text, self.labels)
            raise _Bad(f"there is no {self.what} '{text}'" + (f"; {hint}" if hint else ""))
        return self.labels[text]


def _number(text: str, low: int = -(2**31), high: int = 2**32) -> int:
    if not _NUMBER.fullmatch(text):
        raise _Bad(f"'{text}' is no whole number")
    value = int(text, 0) if "x" in text.lower() else int(text)
    if not low <= value < high:
        raise _Bad(f"{value} does not lie between {low} and {high - 1}")
    return value


def assemble(source: SourceText) -> CobFile:
    """Assemble a program. Raises DiagnosticError (`asm-...`) with everything that is wrong."""
    return _Assembler(source).run()


class _Assembler:
    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._problems: list[Diagnostic] = []
        self._cob = CobFile()
        self._pieces = _Declared("piece")
        self._sounds = _Declared("sound")
        self._scripts = _Declared("script")
        self._entries: dict[str, int] = {}
        """The word at which each script begins."""
        self._places: dict[str, int] = {}
        self._layout: tuple[int, ...] = ()
        self._name_offsets: list[int] = []
        self._gaps: list[tuple[int, bytes]] = []
        self._fixes: list[tuple[int, Callable[[], int], int]] = []
        """Operand words that need labels from further on: word, value, offset of the line."""

    def run(self) -> CobFile:
        offset = 0
        for line in self._source.text.split("\n"):
            # The type checker cannot tell the type of a default.
            self._guarded(lambda line=line, offset=offset: self._line(line, offset), offset, len(line))  # type: ignore[misc]  # bound now
            offset += len(line) + 1
        for at, value, offset in self._fixes:

            def fix(at: int = at, value: Callable[[], int] = value) -> None:
                self._cob.code[at] = value() & 0xFFFFFFFF

            self._guarded(fix, offset, self._source.text.find("\n", offset) - offset)
        self._guarded(self._finish, 0, 0)
        if self._problems:
            raise DiagnosticError(self._problems)
        return self._cob

    def _guarded(self, part: Callable[[], None], offset: int, length: int) -> None:
        try:
            part()
        except _Bad as bad:
            text = self._source.text[offset : offset + max(0, length)]
            start = offset + len(text) - len(text.lstrip())
            span = self._source.span(start, offset + len(text.rstrip()) if text.strip() else start)
            notes = (Note("`notetrack cob disasm` shows the form"),) if "expected" in str(bad) else ()
            self._problems.append(Diagnostic("asm-syntax", str(bad), span, notes=notes))

    def _finish(self) -> None:
        cob = self._cob
        for label, name in zip(self._scripts.labels, self._scripts.names, strict=True):
            if label not in self._entries:
                raise _Bad(f"no label says where script '{label}' begins")
            cob.scripts.append(Script(name, self._entries[label]))
        cob.pieces, cob.sounds = self._pieces.names, self._sounds.names
        if self._layout:
            size, *places = self._layout
            # The type checker cannot count what a star brings.
            cob.layout = Layout(size, *places, tuple(self._name_offsets), tuple(self._gaps))  # type: ignore[call-arg, arg-type]
            self._check_layout()

    def _check_layout(self) -> None:
        """A layout holds for the program that it was taken from; a longer one does not fit into it."""
        cob = self._cob
        try:
            again = read_cob(write_cob(cob))
        except (DiagnosticError, ValueError, struct.error):
            again = None
        if again is None or (again.code, again.scripts, again.pieces) != (cob.code, cob.scripts, cob.pieces):
            raise _Bad("the .layout does not fit this program; delete the .layout, .name-at and .gap lines")

    # ---- lines --------------------------------------------------------------------------------------

    def _line(self, line: str, offset: int) -> None:
        words = []
        for match in _WORD.finditer(line):
            if match["comment"] is not None:
                break
            words.append(match[0])
        if words and words[0].isdigit():
            words = words[1:]
        if not words:
            return
        first, rest = words[0], words[1:]
        if first.startswith("."):
            self._directive(first, rest)
        elif first.endswith(":") and not rest:
            self._label(first[:-1])
        else:
            op = BY_NAME.get(first)
            if op is None:
                hint = did_you_mean(first, BY_NAME)
                raise _Bad(f"there is no instruction '{first}'" + (f"; {hint}" if hint else ""))
            self._instruction(op, rest, offset)

    def _label(self, label: str) -> None:
        here = len(self._cob.code)
        table = self._entries if label in self._scripts.labels else self._places
        if label in table:
            raise _Bad(f"label '{label}' is set twice")
        table[label] = here

    def _directive(self, name: str, rest: list[str]) -> None:
        cob = self._cob
        match name, rest:
            case ".version", [version]:
                cob.version = _number(version)
                if cob.version not in (4, 6):
                    raise _Bad("the version is 4 (Total Annihilation) or 6 (Kingdoms)")
            case ".statics", [count]:
                cob.statics = _number(count, 0, 2**20 + 1)
            case ".piece", [label, *more] if len(more) < 2:
                self._pieces.add(label, _name(label, more))
            case ".sound", [label, *more] if len(more) < 2:
                self._sounds.add(label, _name(label, more))
            case ".script", [label, *more] if len(more) < 3:
                if more and more[-1].startswith("@"):
                    self._entries[label] = _number(more.pop()[1:], 0)
                self._scripts.add(label, _name(label, more))
            case ".trailing", [first, second]:
                cob.trailing.append((_number(first, 0), _number(second, 0)))
            case ".layout", [*places] if len(places) == 7:
                self._layout = tuple(_number(place, 0, 2**32) for place in places)
                if self._layout[0] > 4 << 20:
                    raise _Bad("a program has at most 4 MiB")
            case ".name-at", [place]:
                self._name_offsets.append(_number(place, 0))
            case ".gap", [place, data] if re.fullmatch(r"(?:[0-9a-fA-F]{2})+", data):
                self._gaps.append((_number(place, 0), bytes.fromhex(data)))
            case ".data", [_, *_]:
                cob.code.extend(_number(word) & 0xFFFFFFFF for word in rest)
            case _:
                raise _Bad(f"expected a declaration, found '{' '.join([name, *rest])}'")

    # ---- instructions -------------------------------------------------------------------------------

    def _instruction(self, op: Op, operands: list[str], offset: int) -> None:
        wanted = op.shape.words
        if len(operands) != wanted:
            raise _Bad(f"expected {wanted} operands of {op.name}, found {len(operands)}")
        code = self._cob.code
        code.append(op.word)
        match op.shape:
            case Shape.PIECE | Shape.PIECE_AXIS:
                code.append(self._pieces.index(operands[0]))
                if op.shape is Shape.PIECE_AXIS:
                    code.append(_axis(operands[1]))
            case Shape.TARGET:
                self._later(lambda: self._target(operands[0]), offset)
            case Shape.CALL:
                self._later(lambda: self._scripts.index(operands[0]), offset)
                code.append(_number(operands[1]) & 0xFFFFFFFF)
            case Shape.SOUND | Shape.MISSION:
                code.append(self._sounds.index(operands[0]))
                if op.shape is Shape.MISSION:
                    code.append(_number(operands[1]) & 0xFFFFFFFF)
            case Shape.VALUE:
                code.append(_number(operands[0]) & 0xFFFFFFFF)

    def _later(self, value: Callable[[], int], offset: int) -> None:
        self._fixes.append((len(self._cob.code), value, offset))
        self._cob.code.append(0)

    def _target(self, text: str) -> int:
        if text.startswith("@"):
            return _number(text[1:], 0)
        place = self._places.get(text, self._entries.get(text))
        if place is None:
            raise _Bad(f"there is no label '{text}'")
        return place


def _axis(text: str) -> int:
    if text in AXES:
        return AXES.index(text)
    if text.startswith("#"):
        return _number(text[1:], 0)
    raise _Bad(f"expected x-axis, y-axis or z-axis, found '{text}'")


def _name(label: str, given: list[str]) -> str:
    if not given:
        return label
    try:
        name = json.loads(given[0])
    except ValueError:
        name = None
    if not isinstance(name, str) or not name or "\0" in name or any(ord(c) > 255 for c in name):
        raise _Bad(f"expected a name in quotes, found '{given[0]}'")
    return name
