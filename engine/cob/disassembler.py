"""Code words as text that can be read, changed and assembled again, and the map of instructions for other tools."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.cob.container import CobFile, write_cob
from engine.cob.isa import BANNER_MARKER, Op, Shape, decode

AXES = ("x-axis", "y-axis", "z-axis")

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DATA_WORDS = 6


@dataclass(frozen=True, slots=True)
class Instruction:
    """One decoded instruction; `op` is None for data: words that nothing executes (a banner, rubbish)."""

    at: int
    op: Op | None
    words: tuple[int, ...]

    @property
    def operands(self) -> tuple[int, ...]:
        return self.words[1:]

    @property
    def end(self) -> int:
        return self.at + len(self.words)


def instructions(cob: CobFile) -> Iterator[Instruction]:
    """All instructions in code order. Data runs to the next script entry, where decoding begins again."""
    code = cob.code
    entries = sorted({script.entry for script in cob.scripts} | {len(code)})
    at = 0
    while at < len(code):
        op = None if code[at] == BANNER_MARKER else decode(code[at])
        if op is None or at + 1 + op.shape.words > len(code):
            end = entries[bisect_right(entries, at)]
            yield Instruction(at, None, tuple(code[at:end]))
            at = end
            continue
        end = at + 1 + op.shape.words
        yield Instruction(at, op, tuple(code[at:end]))
        at = end


def signed(word: int) -> int:
    """A code word as the signed 32-bit value it holds."""
    return word - (1 << 32) if word & 0x80000000 else word


def _labels(names: Sequence[str], kind: str) -> list[str]:
    """A word for each name by which an operand can mean it: the name itself where it is plain and unique."""
    made = re.compile(rf"{kind}_\d+|L\d+")
    return [
        name
        if _PLAIN.fullmatch(name) and names.count(name) == 1 and not made.fullmatch(name)
        else f"{kind}_{index}"
        for index, name in enumerate(names)
    ]


class _Text:
    def __init__(self, cob: CobFile) -> None:
        self.cob = cob
        self.instructions = list(instructions(cob))
        self.starts = {instruction.at for instruction in self.instructions} | {len(cob.code)}
        self.scripts = _labels([script.name for script in cob.scripts], "script")
        self.pieces = _labels(cob.pieces, "piece")
        self.sounds = _labels(cob.sounds, "sound")
        self.targets = {
            i.operands[0]
            for i in self.instructions
            if i.op is not None and i.op.shape is Shape.TARGET and i.operands[0] in self.starts
        }

    def write(self) -> str:
        lines = [*self._head(), *self._layout()]
        entries: dict[int, list[str]] = {}
        for label, script in zip(self.scripts, self.cob.scripts, strict=True):
            entries.setdefault(script.entry, []).append(label)
        for instruction in [*self.instructions, None]:
            at = instruction.at if instruction is not None else len(self.cob.code)
            for label in entries.get(at, ()):
                lines += ["", f"{label}:"]
            if at in self.targets:
                lines.append(f"L{at}:")
            if instruction is not None:
                lines += self._instruction(instruction)
        return "\n".join(lines) + "\n"

    def _head(self) -> list[str]:
        cob = self.cob
        lines = [f"; {len(cob.code)} words", f".version {cob.version}", f".statics {cob.statics}"]
        for kind, labels, names in (("piece", self.pieces, cob.pieces), ("sound", self.sounds, cob.sounds)):
            lines += [_named(kind, label, name) for label, name in zip(labels, names, strict=True)]
        for label, script in zip(self.scripts, cob.scripts, strict=True):
            inside = "" if script.entry in self.starts else f" @{script.entry}"
            lines.append(_named("script", label, script.name) + inside)
        return lines + [f".trailing {a} {b}" for a, b in cob.trailing]

    def _layout(self) -> list[str]:
        """How the file was laid out, where that is not the usual way."""
        layout = self.cob.layout
        if layout is None or write_cob(self.cob) == write_cob(replace(self.cob, layout=None)):
            return []
        places = [layout.size, layout.code, layout.entries, layout.script_names, layout.piece_names]
        places += [layout.trailing, layout.sound_names]
        lines = [f".layout {' '.join(map(str, places))}"]
        lines += [f".name-at {offset}" for offset in layout.name_offsets]
        return lines + [f".gap {at} {data.hex()}" for at, data in layout.gaps]

    def _instruction(self, instruction: Instruction) -> list[str]:
        op, at = instruction.op, instruction.at
        if op is not None and op.word == instruction.words[0]:
            return [f"{at:6}  {op.name} {self._operands(op, instruction.operands)}".rstrip()]
        lines = []
        for start in range(0, len(instruction.words), _DATA_WORDS):
            words = instruction.words[start : start + _DATA_WORDS]
            text = b"".join(w.to_bytes(4, "little") for w in words).decode("latin-1")
            shown = op.name if op is not None else "".join(c if 32 <= ord(c) < 127 else "." for c in text)
            lines.append(f"{at + start:6}  .data {' '.join(f'0x{w:08X}' for w in words)}  ; {shown}")
        return lines

    def _operands(self, op: Op, operands: tuple[int, ...]) -> str:
        def label(labels: list[str], index: int) -> str:
            return labels[index] if index < len(labels) else f"#{index}"

        match op.shape:
            case Shape.PIECE:
                return label(self.pieces, operands[0])
            case Shape.PIECE_AXIS:
                axis = AXES[operands[1]] if operands[1] < 3 else f"#{operands[1]}"
                return f"{label(self.pieces, operands[0])} {axis}"
            case Shape.TARGET:
                return f"L{operands[0]}" if operands[0] in self.targets else f"@{operands[0]}"
            case Shape.CALL:
                return f"{label(self.scripts, operands[0])} {signed(operands[1])}"
            case Shape.SOUND:
                return label(self.sounds, operands[0])
            case Shape.MISSION:
                return f"{label(self.sounds, operands[0])} {signed(operands[1])}"
            case Shape.VALUE:
                return str(signed(operands[0]))
            case _:
                return ""


def _named(kind: str, label: str, name: str) -> str:
    return f".{kind} {label}" if label == name else f".{kind} {label} {json.dumps(name)}"


def disassemble(cob: CobFile) -> str:
    """The whole program as text: declarations, then every script with its words by index. `assemble` makes the same
    file of it."""
    return _Text(cob).write()
