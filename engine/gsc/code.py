"""From Python text to a code object that speaks GSC.

The file name is the script's path, and the line table is rewritten so that every instruction is at the line and
columns of the script text that it was made for: tracebacks, debuggers and profilers show the script, and the
position of a run-time error is read from the code object itself.
"""

from __future__ import annotations

import hashlib
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from types import CodeType

from engine.gsc import mangle
from engine.gsc.dialect import UO_RULES, Rules
from engine.gsc.emit_base import Spill
from engine.gsc.emitter import Emitted, emit
from engine.gsc.inference import Masks
from engine.gsc.program import Program
from engine.gsc.suspension import Behaviour, Key
from engine.source import SourceText, Span


@dataclass(frozen=True, slots=True)
class Unit:
    """One compiled function: `code` runs it from its beginning, `tails` go on behind its sites, one each. Without them
    `code` does both."""

    code: CodeType
    tails: tuple[CodeType, ...]
    locals: tuple[str, ...]
    arity: int
    resumable: bool
    sites: tuple[tuple[int, int], ...]
    spills: tuple[tuple[Spill, ...], ...]
    tables: tuple[tuple[str, dict[int | str, int]], ...]
    versions: tuple[tuple[str, Key], ...]
    digest: bytes
    """Of the text: two units with the same digest run alike and have the same sites."""

    @property
    def codes(self) -> tuple[CodeType, ...]:
        return (self.code, *self.tails)


def moved(unit: Unit, lines: int, offset: int) -> Unit:
    """The unit of the same function so many lines and characters further down in its file, in the same column."""
    if not offset:
        return unit
    code, *tails = (c.replace(co_firstlineno=c.co_firstlineno + lines) for c in unit.codes)
    sites = tuple((start + offset, end + offset) for start, end in unit.sites)
    spills = tuple(
        tuple((a, b, mask) if a < 0 else (a + offset, b + offset, mask) for a, b, mask in each)
        for each in unit.spills
    )
    return replace(unit, code=code, tails=tuple(tails), sites=sites, spills=spills)


class TooDeep(Exception):
    """The function's statements or expressions are nested deeper than Python can compile."""


def compile_unit(emitted: Emitted, name: str, source: SourceText, rules: Rules = UO_RULES) -> Unit:
    """Compile a function of `source`. Raises `TooDeep`.

    The text is the same for every dialect; what its names mean is not, so they are changed in the code object."""
    text = emitted.text
    try:
        with warnings.catch_warnings():
            # Python comments on what scripts may well say, such as an index into a number.
            warnings.simplefilter("ignore", SyntaxWarning)
            module = compile(text, source.path, "exec", dont_inherit=True, optimize=0)
    except (SyntaxError, RecursionError, MemoryError) as error:
        # The text is correct by construction; what remains are the limits of nesting.
        raise TooDeep(str(error)) from None
    codes = []
    for code in module.co_consts:
        if isinstance(code, CodeType):
            table, first = relocate(code, emitted, source)
            code = code.replace(co_name=name, co_qualname=name, co_firstlineno=first, co_linetable=table)
            if rules.strict:
                code = code.replace(co_names=tuple(mangle.of_dialect(n, rules.name) for n in code.co_names))
            codes.append(code)
    digest = hashlib.blake2b(text.encode("utf-8"), digest_size=16).digest()
    return Unit(
        codes[0],
        tuple(codes[1:]),
        emitted.locals,
        emitted.arity,
        emitted.resumable,
        emitted.sites,
        emitted.spills,
        emitted.tables,
        emitted.versions,
        digest,
    )


Make = Callable[[Program, Key, Behaviour, bool, Masks | None], Unit]
"""Makes the unit of one function of a program; a cache may stand in front of `make_unit`."""


def make_unit(
    program: Program,
    key: Key,
    behaviour: Behaviour,
    recovers: bool,
    masks: Masks | None = None,
    loose: frozenset[str] = frozenset(),
) -> Unit:
    """Emit and compile one function, or its version for parameters of these types; of the locals in `loose` no types
    are believed. Raises `TooDeep`."""
    script = program.scripts[key[0]]
    function = script.functions[key[1]]
    try:
        strict = function.rules.strict
        recovers = recovers or strict
        emitted = emit(script.name, function, behaviour, recovers=recovers, loose=loose, masks=masks)
    except RecursionError:
        raise TooDeep("expressions are nested too deeply") from None
    return compile_unit(emitted, function.name, script.source, function.rules)


LONG = 0x80 | 14 << 3
"""Begins an entry of four numbers, for so many instructions and one more as the lowest bits say."""
FULL = bytes([LONG | 7])
STAYED = bytes([0])
SMALL = tuple(bytes([n]) for n in range(64))


def relocate(code: CodeType, emitted: Emitted, source: SourceText) -> tuple[bytes, int]:
    """The location table of `code` in terms of the script, and its first line (PEP 626, "long" entries)."""
    starts = source.line_starts
    first = previous = bisect_right(starts, emitted.lines[0].start)
    out = bytearray()
    for number, length in runs(code):
        _, _, start, end = emitted.lines[number - 1]
        top, bottom = bisect_right(starts, start), bisect_right(starts, end)
        left, right = start - starts[top - 1] + 1, end - starts[bottom - 1] + 1
        delta = top - previous
        previous = top
        moved_on = _varint(delta << 1 if delta >= 0 else (-delta << 1) | 1)
        rest = _varint(bottom - top) + _varint(left) + _varint(right)
        while length > 8:
            length -= 8
            out += FULL + moved_on + rest
            moved_on = STAYED
        out.append(LONG | length - 1)
        out += moved_on + rest
    return bytes(out), first


def runs(code: CodeType) -> Iterator[tuple[int, int]]:
    """Lines of the emitted text with how many instructions in a row are theirs.

    Python has an entry of its own for each column, which is six for a line."""
    last, since = 1, 0
    for begin, _, number in code.co_lines():
        line = number or 1
        if line != last:
            if begin > since:
                yield last, (begin - since) // 2
            last, since = line, begin
    yield last, (len(code.co_code) - since) // 2


def _varint(value: int) -> bytes:
    """Six bits a byte, the lowest first."""
    if value < 64:
        return SMALL[value]
    out = bytearray()
    while value >= 64:
        out.append(0x40 | value & 63)
        value >>= 6
    out.append(value)
    return bytes(out)


class Positions:
    """The script text of every instruction of a code object, decoded when it is first asked for."""

    def __init__(self, code: CodeType, source: SourceText) -> None:
        self.code = code
        self.source = source

    @cached_property
    def table(self) -> list[tuple[int | None, int | None, int | None, int | None]]:
        return list(self.code.co_positions())

    def span(self, instruction: int) -> Span:
        """The text to blame for the instruction at a byte offset (`f_lasti`)."""
        at = max(instruction, 0) // 2
        top, bottom, left, right = self.table[at] if at < len(self.table) else (None, None, None, None)
        if top is None or bottom is None or left is None or right is None:
            return self.source.span(0)
        starts = self.source.line_starts
        return self.source.span(starts[top - 1] + left, starts[bottom - 1] + right)
