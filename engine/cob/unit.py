"""A program as a game loads it, and how the machine of a unit goes on with a new version of it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cob.container import CobFile
from engine.cob.disassembler import Instruction, instructions
from engine.cob.isa import Shape
from engine.cob.machine import Machine
from engine.cob.threads import ROOT_MASK, SLOTS, Slot, State
from engine.cob.translation import Translation


@dataclass(frozen=True, slots=True, eq=False)
class UnitProgram:
    """One version of a program. All units of it share its translation. statics are their names, where the
    source told them."""

    name: str
    cob: CobFile
    statics: tuple[str, ...]
    translation: Translation

    @classmethod
    def of(cls, name: str, cob: CobFile, statics: tuple[str, ...] = ()) -> UnitProgram:
        known = statics if len(statics) == cob.statics else tuple(f"#{i}" for i in range(cob.statics))
        return cls(name, cob, known, Translation(cob))


def carry_over(old: Machine, before: UnitProgram, after: UnitProgram) -> Machine:
    """The machine of the new version in the old one's place.

    Statics and pieces go on by name. A thread whose script is the same to the word goes on where it stands; one
    whose script changed begins it again, with its arguments; one whose script is gone ends. A thread that was called
    by one that begins again ends, since it will be called anew.
    """
    new = Machine(
        after.cob, host=old.host, options=old.options, random=old.random, translation=after.translation
    )
    values = dict(zip(before.statics, old.statics, strict=True))
    new.statics[:] = [values.get(name, 0) for name in after.statics]
    pieces = {piece.name.lower(): piece for piece in old.pieces}
    for index, piece in enumerate(new.pieces):
        known = pieces.get(piece.name.lower())
        if known is not None:
            new.pieces[index] = known
    new.axes[:] = [axis for piece in new.pieces for axis in piece.axes]
    new.dirty = old.dirty
    new.events = old.events
    new.slots[:] = _threads(old, before, after)
    return new


def _threads(old: Machine, before: UnitProgram, after: UnitProgram) -> list[Slot]:
    kept = {
        slot.number
        for slot in old.slots
        if slot.state is not State.IDLE and _same(before, after, slot.script)
    }
    called = {slot.wait_slot: slot.number for slot in old.slots if slot.state is State.WAIT_CALL}
    slots = []
    for slot in old.slots:
        fresh = Slot(slot.number)
        slots.append(fresh)
        if slot.state is State.IDLE or _orphan(slot.number, called, kept):
            continue
        script = after.cob.script_index(before.cob.scripts[slot.script].name)
        if script is None:
            continue
        fresh.script, fresh.receiver = script, slot.receiver
        fresh.window = slot.window[:]
        shift = after.cob.scripts[script].entry - before.cob.scripts[slot.script].entry
        if slot.number in kept:
            fresh.state, fresh.pc, fresh.top, fresh.mask = slot.state, slot.pc + shift, slot.top, slot.mask
            fresh.timer, fresh.wait_slot = slot.timer, slot.wait_slot
            fresh.wait_axis = slot.wait_axis
            fresh.wait_piece = _piece(before, after, slot.wait_piece)
        else:
            fresh.state, fresh.pc, fresh.mask = State.RUN, after.cob.scripts[script].entry, ROOT_MASK
    for slot in slots:
        if slot.state is State.WAIT_CALL and not (
            0 <= slot.wait_slot < SLOTS and slots[slot.wait_slot].state is not State.IDLE
        ):
            # What it waited for went with its script.
            slot.state, slot.wait_slot = State.RUN, -1
    return slots


def _orphan(number: int, called: dict[int, int], kept: set[int]) -> bool:
    """Whether a thread was called, directly or not, by one that begins again."""
    seen: set[int] = set()
    while number in called and number not in seen:
        seen.add(number)
        number = called[number]
        if number not in kept:
            return True
    return False


def _piece(before: UnitProgram, after: UnitProgram, index: int) -> int:
    name = before.cob.pieces[index].lower() if index < len(before.cob.pieces) else ""
    names = [piece.lower() for piece in after.cob.pieces]
    return names.index(name) if name in names else 0


def _same(before: UnitProgram, after: UnitProgram, script: int) -> bool:
    """Whether a script means the same in both versions, wherever it lies and whatever the indexes are."""
    name = before.cob.scripts[script].name
    other = after.cob.script_index(name)
    return other is not None and _meaning(before, script) == _meaning(after, other)


def _meaning(program: UnitProgram, script: int) -> list[tuple[object, ...]]:
    cob = program.cob
    entry = cob.scripts[script].entry
    end = min((s.entry for s in cob.scripts if s.entry > entry), default=len(cob.code))
    return [_told(program, i, entry) for i in instructions(cob) if entry <= i.at < end]


def _told(program: UnitProgram, instruction: Instruction, entry: int) -> tuple[object, ...]:
    """An instruction with names in the place of indexes."""
    op, operands, cob = instruction.op, instruction.operands, program.cob
    if op is None or not operands:
        return instruction.words
    first = operands[0]
    names: tuple[str, ...] = ()
    if op.shape in (Shape.PIECE, Shape.PIECE_AXIS):
        names = tuple(cob.pieces)
    elif op.shape is Shape.CALL and op.name != "pop-n":
        names = tuple(script.name for script in cob.scripts)
    elif op.name.endswith("-static"):
        names = program.statics
    elif op.shape in (Shape.SOUND, Shape.MISSION):
        names = tuple(cob.sounds)
    elif op.shape is Shape.TARGET:
        return op.name, first - entry
    return op.name, names[first] if first < len(names) else first, *operands[1:]
