"""The save image of a machine: the retail game's layout of threads, statics and pieces.

Loading checks everything before it changes anything. Not in the image are completion receivers (dropped, as the
retail game does) and the random stream, which belongs to the game and not to a unit.
"""

from __future__ import annotations

import struct

from engine.cob.container import CobFile, write_cob
from engine.cob.machine import Machine
from engine.cob.threads import SLOTS, WINDOW, Slot, State, int32

HEADER = 0x528
PIECE_WORDS = 27

_THREAD_WORDS = 9 + WINDOW
THREADS = 4
"""Where the threads begin; each ends with its window."""
THREAD_SIZE = 4 * _THREAD_WORDS
AXIS = 16
"""Where in a thread the piece and the axis are that it waits for."""
_AT_REST = 0x74736552
_MOVING = 0x65766F4D
"""What the second flag word of a piece says here. The retail game leaves rubbish there and takes every piece for a
moving one when it loads; a piece that is told to be at rest stays so."""

_AXIS_WORDS = (
    "move_target", "move_speed", "turn_target", "speed", "spin_target", "accel", "position", "angle",
)  # fmt: skip


class ImageError(ValueError):
    """An image does not belong to this program, or is damaged."""


def checksum(data: bytes) -> int:
    """The content checksum of a program's file: four lanes of a byte."""
    plain = folded = mixed = turned = 0
    for i, byte in enumerate(data):
        plain += byte
        folded ^= byte
        mixed += (i & 255) ^ byte
        turned ^= (i + byte) & 255
    return (plain & 255) | folded << 8 | (mixed & 255) << 16 | turned << 24


def image_size(program: CobFile) -> int:
    """Bytes of a program's image."""
    return HEADER + 4 * program.statics + 4 * PIECE_WORDS * len(program.pieces)


def save_image(machine: Machine) -> bytes:
    """The machine between two ticks."""
    words = [checksum(write_cob(machine.program))]
    for slot in machine.slots:
        words += [slot.state, slot.pc, slot.top, slot.timer, slot.wait_piece, slot.wait_axis, slot.wait_slot]
        words += [slot.mask, 0, *slot.window]
    words.append(sum(slot.state is not State.IDLE for slot in machine.slots))
    words += machine.statics
    for piece in machine.pieces:
        words += [getattr(axis, name) for name in _AXIS_WORDS for axis in piece.axes]
        words += [piece.flags, _MOVING if piece.busy else _AT_REST, 0]
    return struct.pack(f"<{len(words)}I", *(word & 0xFFFFFFFF for word in words))


def load_image(machine: Machine, data: bytes) -> None:
    """Put a machine into the state of an image. Raises ImageError, and the machine is as it was then."""
    program = machine.program
    if len(data) != image_size(program):
        raise ImageError(f"the image has {len(data)} bytes, this program's has {image_size(program)}")
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    if words[0] != checksum(write_cob(program)):
        raise ImageError("the image was made by another program")
    slots = [
        _thread(program, number, words[1 + number * _THREAD_WORDS :][:_THREAD_WORDS])
        for number in range(SLOTS)
    ]
    if words[HEADER // 4 - 1] != sum(slot.state is not State.IDLE for slot in slots):
        raise ImageError("the count of threads is not that of the threads")
    # Everything is known to be good from here on.
    machine.slots[:] = slots
    at = HEADER // 4
    machine.statics[:] = map(int32, words[at : at + program.statics])
    at += program.statics
    for piece in machine.pieces:
        rest = iter(words[at : at + PIECE_WORDS])
        for name in _AXIS_WORDS:
            for axis in piece.axes:
                word = next(rest)
                setattr(axis, name, word if name == "turn_target" else int32(word))
        piece.flags = next(rest)
        piece.busy = next(rest) != _AT_REST
        at += PIECE_WORDS
    machine.dirty = any(piece.busy for piece in machine.pieces)


def _thread(program: CobFile, number: int, words: list[int]) -> Slot:
    try:
        state = State(words[0])
    except ValueError:
        raise ImageError(f"thread {number} has the unknown status 0x{words[0]:08X}") from None
    pc, top, timer, piece, axis, wait_slot, mask = (int32(word) for word in words[1:8])
    if not -1 <= top < WINDOW:
        raise ImageError(f"thread {number} has a window of {top + 1} words")
    if state in (State.WAIT_TURN, State.WAIT_MOVE) and not (
        0 <= piece < len(program.pieces) and 0 <= axis < 3
    ):
        raise ImageError(f"thread {number} waits for axis {axis} of piece {piece}")
    begun = [index for index, script in enumerate(program.scripts) if script.entry <= pc]
    script = max(begun, key=lambda index: (program.scripts[index].entry, -index), default=-1)
    if state is not State.IDLE and (pc < 0 or script < 0):
        raise ImageError(f"thread {number} stands at no script of the program")
    window = [int32(word) for word in words[9:]]
    return Slot(number, state, script, pc, top, timer, piece, axis, wait_slot, mask, None, window)
