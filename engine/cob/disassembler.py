"""Code words as text that can be read, and the map of instructions that other tools share."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from engine.cob.container import CobFile
from engine.cob.isa import BANNER_MARKER, Op, Shape, decode

_AXES = ("x-axis", "y-axis", "z-axis")


@dataclass(frozen=True, slots=True)
class Instruction:
    """One decoded instruction; `op` is None for data: words that nothing executes (a banner, rubbish)."""

    at: int
    op: Op | None
    words: tuple[int, ...]

    @property
    def operands(self) -> tuple[int, ...]:
        return self.words[1:]


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


def _operands(cob: CobFile, op: Op, operands: tuple[int, ...]) -> str:
    def name(names: list[str], index: int) -> str:
        return names[index] if index < len(names) else f"?{index}"

    match op.shape:
        case Shape.PIECE:
            return name(cob.pieces, operands[0])
        case Shape.PIECE_AXIS:
            axis = _AXES[operands[1]] if operands[1] < 3 else f"?{operands[1]}"
            return f"{name(cob.pieces, operands[0])} {axis}"
        case Shape.TARGET:
            return f"@{operands[0]}"
        case Shape.CALL:
            return f"{name([s.name for s in cob.scripts], operands[0])} {signed(operands[1])}"
        case Shape.SOUND:
            return f'"{name(cob.sounds, operands[0])}"'
        case Shape.MISSION:
            return f'"{name(cob.sounds, operands[0])}" {signed(operands[1])}'
        case Shape.VALUE:
            return str(signed(operands[0]))
        case _:
            return ""


def disassemble(cob: CobFile) -> str:
    """The whole program as text: a header of comments, then every script with its words by index."""
    lines = [
        f"; version {cob.version}, {len(cob.code)} words, {cob.statics} statics",
        *(f"; piece {i} {piece}" for i, piece in enumerate(cob.pieces)),
        *(f"; sound {i} {sound}" for i, sound in enumerate(cob.sounds)),
    ]
    by_entry: dict[int, list[str]] = {}
    for script in cob.scripts:
        by_entry.setdefault(script.entry, []).append(script.name)
    for instruction in instructions(cob):
        for script_name in by_entry.pop(instruction.at, ()):
            lines += ["", f"{script_name}:"]
        if instruction.op is None:
            text = b"".join(w.to_bytes(4, "little") for w in instruction.words).decode("latin-1")
            shown = "".join(c if 32 <= ord(c) < 127 else "." for c in text)
            lines.append(f"{instruction.at:6}  .data {len(instruction.words)} words  ; {shown}")
        else:
            operands = _operands(cob, instruction.op, instruction.operands)
            lines.append(f"{instruction.at:6}  {instruction.op.name} {operands}".rstrip())
    for names in by_entry.values():
        for script_name in names:
            lines += ["", f"{script_name}:"]
    return "\n".join(lines) + "\n"
