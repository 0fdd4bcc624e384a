"""One instruction after the other, as they are written: the reference of what a thread does.

Code that runs often is translated instead; what the translator does not understand, and everything that runs
seldom, comes here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.cob.container import TA
from engine.cob.isa import FOREIGN, decode
from engine.cob.pieces import CACHED, DRAWN, SHADED, Axis, Piece
from engine.cob.threads import WINDOW, Fault, Slot, State, divide, int32

if TYPE_CHECKING:
    from engine.cob.machine import Machine

Handler = Callable[["Machine", Slot, int, int], bool]
"""Does one instruction with its operand words; True when the slot has to stop for now or for ever."""

Decoded = tuple[Handler, int, int, int]
"""An instruction: its handler, the word behind it, and its operand words."""

_HANDLERS: dict[str, Handler] = {}


def run(machine: Machine, slot: Slot, window: list[int], spent: int) -> int:
    """Run a thread until it suspends, ends or faults (raising Fault). Always -1: it does not go on by itself.

    `spent` are the code words that it already jumped back over in this visit.
    """
    decoded = machine.decoded
    allowance = machine.allowance
    at = slot.pc
    try:
        while True:
            at = slot.pc
            handler, after, a, b = decoded.get(at) or _decode(machine, at)
            slot.pc = after
            if handler(machine, slot, a, b):
                return -1
            if slot.pc <= at:
                spent = machine.spent = spent + after - slot.pc
                if spent > allowance:
                    raise Fault("BUDGET")
    except Fault as fault:
        fault.at = at
        raise


def _decode(machine: Machine, at: int) -> Decoded:
    """The instruction at a code word, kept for the next time. Raises Fault where there is none."""
    code = machine.program.code
    if not 0 <= at < len(code):
        raise Fault("PC")
    word = code[at]
    op = decode(word)
    if op is None or (op.tak and machine.program.version == TA):
        raise Fault("FOREIGN" if word in FOREIGN else "OPCODE")
    width = 1 + op.shape.words
    if at + width > len(code):
        raise Fault("PC")
    a = code[at + 1] if width > 1 else 0
    b = code[at + 2] if width > 2 else 0
    known = machine.decoded[at] = (_HANDLERS[op.name], at + width, a, b)
    return known


def _pop(slot: Slot) -> int:
    """The top cell; an empty window gives 0."""
    if slot.top < 0:
        return 0
    value = slot.window[slot.top]
    slot.top -= 1
    return value


def _push(slot: Slot, value: int) -> None:
    if slot.top >= WINDOW - 1:
        raise Fault("WINDOW")
    slot.top += 1
    slot.window[slot.top] = value if -0x80000000 <= value <= 0x7FFFFFFF else int32(value)


def _piece(machine: Machine, index: int) -> Piece:
    if index >= len(machine.pieces):
        raise Fault("PIECE")
    return machine.pieces[index]


def _handles(*names: str) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        for name in names:
            _HANDLERS[name] = handler
        return handler

    return register


# ---- pieces -------------------------------------------------------------------------------------------


def _axis(machine: Machine, piece: int, axis: int, busy: bool) -> Axis:
    if axis > 2:
        raise Fault("AXIS")
    found = _piece(machine, piece)
    if busy:
        found.busy = True
        machine.dirty = True
    return found.axes[axis]


@_handles("move")
def _move(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    target, speed = _pop(slot), _pop(slot)
    _axis(machine, piece, axis, True).move(target, speed)
    return False


@_handles("turn")
def _turn(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    target, speed = _pop(slot), _pop(slot)
    _axis(machine, piece, axis, True).turn(target, speed)
    return False


@_handles("spin")
def _spin(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    speed, accel = _pop(slot), _pop(slot)
    _axis(machine, piece, axis, True).spin(speed, accel)
    return False


@_handles("stop-spin")
def _stop_spin(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    _axis(machine, piece, axis, False).stop_spin(_pop(slot))
    return False


@_handles("move-now")
def _move_now(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    _axis(machine, piece, axis, False).move_now(_pop(slot))
    return False


@_handles("turn-now")
def _turn_now(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    _axis(machine, piece, axis, False).turn_now(_pop(slot))
    return False


def _flag(bit: int, value: bool) -> Handler:
    def handler(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
        found = _piece(machine, piece)
        found.flags = found.flags | bit if value else found.flags & ~bit
        return False

    return handler


for _name, _bit, _value in (
    ("show", DRAWN, True), ("hide", DRAWN, False), ("cache", CACHED, True), ("dont-cache", CACHED, False),
    ("shade", SHADED, True), ("dont-shade", SHADED, False),
):  # fmt: skip
    _HANDLERS[_name] = _flag(_bit, _value)


@_handles("dont-shadow")
def _dont_shadow(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    _piece(machine, piece)
    return False


@_handles("legacy-effect")
def _legacy_effect(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    _pop(slot)
    _pop(slot)
    _piece(machine, piece)
    return False


@_handles("emit-sfx")
def _emit_sfx(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    kind = _pop(slot)
    _piece(machine, piece)
    machine.emit_sfx(piece, kind)
    return False


@_handles("explode")
def _explode(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    flags = _pop(slot)
    _piece(machine, piece)
    machine.explode(piece, flags)
    return False


@_handles("wait-for-turn")
def _wait_turn(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    _axis(machine, piece, axis, False)
    slot.state, slot.wait_piece, slot.wait_axis = State.WAIT_TURN, piece, axis
    return True


@_handles("wait-for-move")
def _wait_move(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    _axis(machine, piece, axis, False)
    slot.state, slot.wait_piece, slot.wait_axis = State.WAIT_MOVE, piece, axis
    return True


# ---- stack and arithmetic -----------------------------------------------------------------------------


@_handles("sleep")
def _sleep(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    slot.timer = machine.sleep_ticks(_pop(slot))
    slot.state = State.SLEEP
    return True


@_handles("push-constant")
def _push_constant(machine: Machine, slot: Slot, value: int, b: int) -> bool:
    _push(slot, value)
    return False


@_handles("push-nothing")
def _push_nothing(machine: Machine, slot: Slot, value: int, b: int) -> bool:
    # Whatever lay in the retail machine's registers; here always the same.
    _push(slot, 0)
    return False


@_handles("pop-nothing")
def _pop_nothing(machine: Machine, slot: Slot, value: int, b: int) -> bool:
    return False


def _local(index: int) -> int:
    if index >= WINDOW:
        raise Fault("LOCAL")
    return index


def _static(machine: Machine, index: int) -> int:
    if index >= len(machine.statics):
        raise Fault("STATIC")
    return index


@_handles("push-local")
def _push_local(machine: Machine, slot: Slot, index: int, b: int) -> bool:
    _push(slot, slot.window[_local(index)])
    return False


@_handles("push-static")
def _push_static(machine: Machine, slot: Slot, index: int, b: int) -> bool:
    _push(slot, machine.statics[_static(machine, index)])
    return False


@_handles("pop-local")
def _pop_local(machine: Machine, slot: Slot, index: int, b: int) -> bool:
    value = _pop(slot)
    slot.window[_local(index)] = value
    return False


@_handles("pop-static")
def _pop_static(machine: Machine, slot: Slot, index: int, b: int) -> bool:
    value = _pop(slot)
    machine.statics[_static(machine, index)] = value
    return False


@_handles("alloc-local")
def _alloc_local(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    # The word keeps what it held: an argument, or what an expression left there.
    if slot.top >= WINDOW - 1:
        raise Fault("WINDOW")
    slot.top += 1
    return False


@_handles("discard")
def _discard(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    _pop(slot)
    return False


@_handles("pop-n")
def _pop_n(machine: Machine, slot: Slot, a: int, count: int) -> bool:
    count = int32(count)
    if count > 4:
        raise Fault("POP-N")
    for _ in range(count):
        _pop(slot)
    return False


_BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": divide,
    "bit-and": lambda a, b: a & b,
    "bit-or": lambda a, b: a | b,
    "bit-xor": lambda a, b: a ^ b,
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
    "gt": lambda a, b: int(a > b),
    "ge": lambda a, b: int(a >= b),
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "and": lambda a, b: int(bool(a) and bool(b)),
    "or": lambda a, b: int(bool(a) or bool(b)),
    "xor": lambda a, b: a ^ b,
}


def _binary(operation: Callable[[int, int], int]) -> Handler:
    def handler(machine: Machine, slot: Slot, a: int, b: int) -> bool:
        right, left = _pop(slot), _pop(slot)
        _push(slot, operation(left, right))
        return False

    return handler


for _name, _operation in _BINARY.items():
    _HANDLERS[_name] = _binary(_operation)


@_handles("mod")
def _modulo(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    right, left = _pop(slot), _pop(slot)
    _push(slot, machine.modulo(left, right))
    return False


@_handles("math-09", "math-0b")
def _neutral(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    return False


@_handles("not")
def _not(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    _push(slot, int(_pop(slot) == 0))
    return False


@_handles("bit-not")
def _bit_not(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    _push(slot, ~_pop(slot))
    return False


@_handles("rand")
def _rand(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    high, low = _pop(slot), _pop(slot)
    _push(slot, machine.draw_between(low, high))
    return False


# ---- the game -----------------------------------------------------------------------------------------


@_handles("get-unit-value")
def _get_unit_value(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    _push(slot, machine.get_port(_pop(slot), (0, 0, 0, 0)))
    return False


@_handles("get")
def _get(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    fourth, third, second, first = (_pop(slot) for _ in range(4))
    _push(slot, machine.get_port(_pop(slot), (first, second, third, fourth)))
    return False


@_handles("set-unit-value")
def _set_unit_value(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    value, port = _pop(slot), _pop(slot)
    machine.set_port(port, value)
    return False


@_handles("attach-unit")
def _attach_unit(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    extra, piece, unit = _pop(slot), _pop(slot), _pop(slot)
    machine.attach_unit(unit, piece, extra)
    return False


@_handles("drop-unit")
def _drop_unit(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    machine.drop_unit(_pop(slot))
    return False


@_handles("cargo-membership")
def _cargo_membership(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    _pop(slot)
    _push(slot, 0)
    return False


@_handles("carrier-identity")
def _carrier_identity(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    _push(slot, 0)
    return False


@_handles("play-sound")
def _play_sound(machine: Machine, slot: Slot, sound: int, b: int) -> bool:
    priority = _pop(slot)
    if sound >= len(machine.program.sounds):
        raise Fault("SOUND")
    machine.play_sound(sound, priority)
    _push(slot, 0)
    return False


@_handles("mission-command")
def _mission_command(machine: Machine, slot: Slot, name: int, count: int) -> bool:
    for _ in range(min(WINDOW, max(0, int32(count)))):
        _pop(slot)
    _push(slot, 0)
    return False


# ---- flow, threads, signals -----------------------------------------------------------------------------


@_handles("jump")
def _jump(machine: Machine, slot: Slot, target: int, b: int) -> bool:
    slot.pc = target
    return False


@_handles("jump-if-false")
def _jump_if_false(machine: Machine, slot: Slot, target: int, b: int) -> bool:
    if _pop(slot) == 0:
        slot.pc = target
    return False


@_handles("return")
def _return(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    receiver = slot.receiver
    value = _pop(slot) if receiver is not None else 0
    machine.free(slot)
    if receiver is not None:
        receiver(value)
    return True


def _child(machine: Machine, slot: Slot, script: int, count: int, reverse: bool) -> Slot | None:
    """Start a script with `count` cells of the caller's window; when it cannot start they stay there."""
    count = max(0, min(int32(count), slot.top + 1))
    cells = slot.window[slot.top + 1 - count : slot.top + 1]
    child = machine.begin_child(slot, script, cells, reverse)
    if child is not None:
        slot.top -= count
    return child


@_handles("start-script")
def _start_script(machine: Machine, slot: Slot, script: int, count: int) -> bool:
    _child(machine, slot, script, count, machine.reverse_start)
    return False


@_handles("call-script")
def _call_script(machine: Machine, slot: Slot, script: int, count: int) -> bool:
    child = _child(machine, slot, script, count, machine.reverse_call)
    slot.state = State.WAIT_CALL
    # Without a child nothing will ever wake the caller, and only a signal can end it.
    slot.wait_slot = child.number if child is not None else -1
    return True


@_handles("signal")
def _signal(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    machine.signal(_pop(slot))
    return slot.state is State.IDLE


@_handles("set-signal-mask")
def _set_signal_mask(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    slot.mask = _pop(slot)
    return False
