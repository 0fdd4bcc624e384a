"""The machine of one unit: eight thread slots that take turns, then the pieces move.

A tick is a drain (every slot in ascending order runs until it suspends, ends or dies) and then one
interpolation pass over the pieces that move. So a child in a higher slot runs in the drain that started it, a
parent that it wakes was already visited and goes on in the next, and motion that ends in a pass releases its
waiter in the following drain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal, Protocol

from engine.cob.container import CobFile
from engine.cob.isa import FOREIGN, decode
from engine.cob.pieces import CACHED, DRAWN, SHADED, Piece
from engine.cob.random import RandomStream

SLOTS = 8
WINDOW = 32
ROOT_MASK = 1
ENGINE_CELLS = 4

BITMAP_ONLY = 32

ArgOrder = Literal["natural", "spring", "reversed"]
Event = dict[str, Any]


class State(IntEnum):
    """What a slot does. The values are the status words of a save image."""

    IDLE = 0
    RUN = 0x01000000
    WAIT_TURN = 0x02100000
    WAIT_MOVE = 0x02200000
    SLEEP = 0x02400000
    WAIT_CALL = 0x02800000


STATE_NAMES = {
    State.RUN: "run",
    State.SLEEP: "sleep",
    State.WAIT_TURN: "wait-turn",
    State.WAIT_MOVE: "wait-move",
    State.WAIT_CALL: "wait-call",
}


class Host(Protocol):
    """What a unit's script may ask of and do to the game. Ports outside 1..20 read 0."""

    def read_port(self, port: int, args: tuple[int, int, int, int]) -> int: ...

    def write_port(self, port: int, value: int) -> None: ...


class NoHost:
    """A unit without a game: fixed port values, 0 for all others."""

    def __init__(self, ports: dict[int, int] | None = None) -> None:
        self.ports = dict(ports or {})

    def read_port(self, port: int, args: tuple[int, int, int, int]) -> int:
        return self.ports.get(port, 0)

    def write_port(self, port: int, value: int) -> None:
        """Writes are events of the tick; without a game nothing else follows from them."""


@dataclass(slots=True)
class Options:
    """Settings of a machine, among them the points on which sources disagree (docs/cob.md).

    arg_order  where start-script and call-script put their arguments: `natural` puts the first into the
               child's first parameter, `reversed` the last; `spring` reverses start-script only
    budget     instructions that one slot may run in one visit
    """

    arg_order: ArgOrder = "natural"
    budget: int = 100_000


@dataclass(slots=True)
class Slot:
    """One thread. The window holds locals at its bottom and operands above; top is the last used word."""

    number: int
    state: State = State.IDLE
    script: int = -1
    pc: int = 0
    top: int = -1
    timer: int = 0
    wait_piece: int = 0
    wait_axis: int = 0
    wait_slot: int = -1
    mask: int = 0
    receiver: Callable[[int], None] | None = None
    window: list[int] = field(default_factory=lambda: [0] * WINDOW)


class Fault(Exception):
    """The running thread did what no thread may; `code` is stable and documented."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def int32(value: int) -> int:
    """Wrap to a signed 32-bit cell."""
    return ((value + 0x80000000) & 0xFFFFFFFF) - 0x80000000


class Machine:
    """One unit's threads, statics and pieces over a program that any number of units share.

    `events` collects what happened since it was last emptied, as the objects that a trace prints.
    """

    def __init__(
        self,
        program: CobFile,
        *,
        host: Host | None = None,
        options: Options | None = None,
        random: RandomStream | None = None,
    ) -> None:
        self.program = program
        self.host: Host = host if host is not None else NoHost()
        self.options = options if options is not None else Options()
        self.random = random if random is not None else RandomStream()
        self.statics = [0] * program.statics
        self.pieces = [Piece(name) for name in program.pieces]
        self.slots = [Slot(number) for number in range(SLOTS)]
        self.dirty = False
        self.events: list[Event] = []
        self.flights: list[tuple[int, list[int]]] = []
        """Pieces that flew off: index and six draws (three rates of turn, then x, y, z of the throw)."""

    # ---- starting threads ---------------------------------------------------------------------------

    def _free_slot(self) -> Slot | None:
        return next((slot for slot in self.slots if slot.state is State.IDLE), None)

    def _begin(self, script: int, cells: Sequence[int], depth: int, mask: int) -> Slot | None:
        """Take the lowest idle slot for a script, or None when there is no such script or slot."""
        if not 0 <= script < len(self.program.scripts):
            return None
        slot = self._free_slot()
        if slot is None:
            return None
        slot.state = State.RUN
        slot.script = script
        slot.pc = self.program.scripts[script].entry
        slot.window[:] = [int32(cell) for cell in cells[:WINDOW]] + [0] * (WINDOW - len(cells[:WINDOW]))
        slot.top = depth - 1
        slot.timer = 0
        slot.wait_slot = -1
        slot.mask = mask
        slot.receiver = None
        return slot

    def start(
        self, script: int, args: Sequence[int] = (), receiver: Callable[[int], None] | None = None
    ) -> bool:
        """An engine call that runs from the next drain on. A receiver of a call with arguments that cannot
        start gets 0; without arguments the failure is silent."""
        slot = self._begin(script, args, len(args), ROOT_MASK)
        if slot is None:
            if args and receiver is not None:
                receiver(0)
            return False
        slot.receiver = receiver
        return True

    def wake(self, script: int, args: Sequence[int] = ()) -> bool:
        """An engine call that runs at once: every slot with no time passing, and a pass of no time."""
        if self._begin(script, args, len(args), ROOT_MASK) is None:
            return False
        self.tick(0)
        return True

    def query(self, script: int, args: Sequence[int] = ()) -> tuple[int, ...] | None:
        """An engine question: only the new thread runs. Gives the four cells back, or None when all slots are
        taken or there is no such script. A thread that suspends stays; its cells so far are the answer."""
        cells = [*args[:ENGINE_CELLS], *[0] * (ENGINE_CELLS - len(args))]
        slot = self._begin(script, cells, ENGINE_CELLS, ROOT_MASK)
        if slot is None:
            return None
        self._run(slot)
        return tuple(slot.window[:ENGINE_CELLS])

    # ---- time ---------------------------------------------------------------------------------------

    def tick(self, delta: int = 1) -> None:
        """One drain and one interpolation pass of `delta` ticks (0 to 5)."""
        delta = max(0, min(5, delta))
        for slot in self.slots:
            if slot.state is State.IDLE or not self._ready(slot, delta):
                continue
            slot.state = State.RUN
            self._run(slot)
        if self.dirty and delta:
            self.dirty = False
            for piece in self.pieces:
                if piece.busy and piece.advance(delta):
                    self.dirty = True

    def _ready(self, slot: Slot, delta: int) -> bool:
        match slot.state:
            case State.SLEEP:
                slot.timer -= delta
                return slot.timer <= 0
            case State.WAIT_TURN:
                return self.pieces[slot.wait_piece].axes[slot.wait_axis].speed == 0
            case State.WAIT_MOVE:
                return self.pieces[slot.wait_piece].axes[slot.wait_axis].move_speed == 0
            case State.WAIT_CALL:
                return False
            case _:
                return True

    # ---- ending threads -----------------------------------------------------------------------------

    def _free(self, slot: Slot, wake: bool = True) -> None:
        slot.state = State.IDLE
        slot.receiver = None
        if wake:
            for other in self.slots:
                if other.state is State.WAIT_CALL and other.wait_slot == slot.number:
                    other.state = State.RUN
                    other.wait_slot = -1

    def signal(self, mask: int) -> None:
        """End every thread whose mask shares a bit, the sender included. Receivers are not told."""
        for slot in self.slots:
            if slot.state is not State.IDLE and slot.mask & mask:
                self._free(slot)

    def _die(self, slot: Slot, code: str) -> None:
        # As with an unknown instruction in the retail game, waiters on the slot are not woken.
        self.events.append({"fault": code, "slot": slot.number})
        self._free(slot, wake=False)

    # ---- running ------------------------------------------------------------------------------------

    def _run(self, slot: Slot) -> None:
        try:
            for _ in range(self.options.budget):
                if self._step(slot):
                    return
            self._die(slot, "BUDGET")
        except Fault as fault:
            self._die(slot, fault.code)

    def _pop(self, slot: Slot) -> int:
        """The top cell; an empty window gives 0."""
        if slot.top < 0:
            return 0
        value = slot.window[slot.top]
        slot.top -= 1
        return value

    def _push(self, slot: Slot, value: int) -> None:
        if slot.top >= WINDOW - 1:
            raise Fault("WINDOW")
        slot.top += 1
        slot.window[slot.top] = int32(value)

    def _piece(self, index: int) -> Piece:
        if index >= len(self.pieces):
            raise Fault("PIECE")
        return self.pieces[index]

    def _step(self, slot: Slot) -> bool:
        """Run one instruction; True when the slot has to stop for now or for ever."""
        code = self.program.code
        at = slot.pc
        if not 0 <= at < len(code):
            raise Fault("PC")
        word = code[at]
        op = decode(word)
        if op is None:
            raise Fault("FOREIGN" if word in FOREIGN else "OPCODE")
        width = 1 + op.shape.words
        if at + width > len(code):
            raise Fault("PC")
        a = code[at + 1] if width > 1 else 0
        b = code[at + 2] if width > 2 else 0
        slot.pc = at + width
        return _HANDLERS[op.name](self, slot, a, b)


Handler = Callable[[Machine, Slot, int, int], bool]
_HANDLERS: dict[str, Handler] = {}


def _handles(*names: str) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        for name in names:
            _HANDLERS[name] = handler
        return handler

    return register


# ---- pieces -------------------------------------------------------------------------------------------


def _axis(machine: Machine, piece: int, axis: int, busy: bool) -> Any:
    if axis > 2:
        raise Fault("AXIS")
    found = machine._piece(piece)
    if busy:
        found.busy = True
        machine.dirty = True
    return found.axes[axis]


@_handles("move")
def _move(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    target, speed = machine._pop(slot), machine._pop(slot)
    _axis(machine, piece, axis, True).move(target, speed)
    return False


@_handles("turn")
def _turn(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    target, speed = machine._pop(slot), machine._pop(slot)
    _axis(machine, piece, axis, True).turn(target, speed)
    return False


@_handles("spin")
def _spin(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    speed, accel = machine._pop(slot), machine._pop(slot)
    _axis(machine, piece, axis, True).spin(speed, accel)
    return False


@_handles("stop-spin")
def _stop_spin(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    _axis(machine, piece, axis, False).stop_spin(machine._pop(slot))
    return False


@_handles("move-now")
def _move_now(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    _axis(machine, piece, axis, False).move_now(machine._pop(slot))
    return False


@_handles("turn-now")
def _turn_now(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    _axis(machine, piece, axis, False).turn_now(machine._pop(slot))
    return False


def _flag(bit: int, value: bool) -> Handler:
    def handler(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
        found = machine._piece(piece)
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
    machine._piece(piece)
    return False


@_handles("legacy-effect")
def _legacy_effect(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    machine._pop(slot)
    machine._pop(slot)
    return False


@_handles("emit-sfx")
def _emit_sfx(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    kind = machine._pop(slot)
    machine.events.append({"sfx": kind, "piece": machine._piece(piece).name})
    return False


@_handles("explode")
def _explode(machine: Machine, slot: Slot, piece: int, axis: int) -> bool:
    flags = machine._pop(slot)
    found = machine._piece(piece)
    if not flags & BITMAP_ONLY:
        # Six draws whatever is done with them: they are part of the stream.
        draws = [machine.random.draw(bound) for bound in (3000, 3000, 3000, 40, 10, 40)]
        machine.flights.append((piece, draws))
        found.flags &= ~DRAWN
    machine.events.append({"explode": flags, "piece": found.name})
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
    milliseconds = machine._pop(slot)
    ticks = 30 * abs(milliseconds) // 1000
    slot.timer = ticks if milliseconds >= 0 else -ticks
    slot.state = State.SLEEP
    return True


@_handles("push-constant")
def _push_constant(machine: Machine, slot: Slot, value: int, b: int) -> bool:
    machine._push(slot, value)
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
    machine._push(slot, slot.window[_local(index)])
    return False


@_handles("push-static")
def _push_static(machine: Machine, slot: Slot, index: int, b: int) -> bool:
    machine._push(slot, machine.statics[_static(machine, index)])
    return False


@_handles("pop-local")
def _pop_local(machine: Machine, slot: Slot, index: int, b: int) -> bool:
    value = machine._pop(slot)
    slot.window[_local(index)] = value
    return False


@_handles("pop-static")
def _pop_static(machine: Machine, slot: Slot, index: int, b: int) -> bool:
    value = machine._pop(slot)
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
    machine._pop(slot)
    return False


@_handles("pop-n")
def _pop_n(machine: Machine, slot: Slot, a: int, count: int) -> bool:
    count = int32(count)
    if count > 4:
        raise Fault("POP-N")
    for _ in range(count):
        machine._pop(slot)
    return False


def _divide(a: int, b: int) -> int:
    if b == 0 or (a == -(2**31) and b == -1):
        raise Fault("DIVIDE")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _modulo(a: int, b: int) -> int:
    return a - b * _divide(a, b)


_BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": _divide,
    "mod": _modulo,
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
        right, left = machine._pop(slot), machine._pop(slot)
        machine._push(slot, operation(left, right))
        return False

    return handler


for _name, _operation in _BINARY.items():
    _HANDLERS[_name] = _binary(_operation)


@_handles("not")
def _not(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    machine._push(slot, int(machine._pop(slot) == 0))
    return False


@_handles("bit-not")
def _bit_not(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    machine._push(slot, ~machine._pop(slot))
    return False


@_handles("rand")
def _rand(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    high, low = machine._pop(slot), machine._pop(slot)
    machine._push(slot, low + machine.random.draw(int32(high - low + 1)))
    return False


# ---- the game -----------------------------------------------------------------------------------------


@_handles("get-unit-value")
def _get_unit_value(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    machine._push(slot, machine.host.read_port(machine._pop(slot), (0, 0, 0, 0)))
    return False


@_handles("get")
def _get(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    fourth, third, second, first = (machine._pop(slot) for _ in range(4))
    machine._push(slot, machine.host.read_port(machine._pop(slot), (first, second, third, fourth)))
    return False


@_handles("set-unit-value")
def _set_unit_value(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    value, port = machine._pop(slot), machine._pop(slot)
    machine.events.append({"set": [port, value]})
    machine.host.write_port(port, value)
    return False


@_handles("attach-unit")
def _attach_unit(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    extra, piece, unit = machine._pop(slot), machine._pop(slot), machine._pop(slot)
    machine.events.append({"attach": [unit, piece, extra]})
    return False


@_handles("drop-unit")
def _drop_unit(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    machine.events.append({"drop": machine._pop(slot)})
    return False


@_handles("cargo-membership")
def _cargo_membership(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    machine._pop(slot)
    machine._push(slot, 0)
    return False


@_handles("carrier-identity")
def _carrier_identity(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    machine._push(slot, 0)
    return False


@_handles("play-sound")
def _play_sound(machine: Machine, slot: Slot, sound: int, b: int) -> bool:
    priority = machine._pop(slot)
    if sound >= len(machine.program.sounds):
        raise Fault("SOUND")
    machine.events.append({"play-sound": [machine.program.sounds[sound], priority]})
    machine._push(slot, 0)
    return False


@_handles("mission-command")
def _mission_command(machine: Machine, slot: Slot, name: int, count: int) -> bool:
    for _ in range(min(WINDOW, max(0, int32(count)))):
        machine._pop(slot)
    machine._push(slot, 0)
    return False


# ---- flow, threads, signals -----------------------------------------------------------------------------


@_handles("jump")
def _jump(machine: Machine, slot: Slot, target: int, b: int) -> bool:
    slot.pc = target
    return False


@_handles("jump-if-false")
def _jump_if_false(machine: Machine, slot: Slot, target: int, b: int) -> bool:
    if machine._pop(slot) == 0:
        slot.pc = target
    return False


@_handles("return")
def _return(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    receiver = slot.receiver
    value = machine._pop(slot) if receiver is not None else 0
    machine._free(slot)
    if receiver is not None:
        receiver(value)
    return True


def _child(machine: Machine, slot: Slot, script: int, count: int, reverse: bool) -> Slot | None:
    """Start a script with `count` cells of the caller's window; when it cannot start they stay there."""
    count = max(0, min(int32(count), slot.top + 1))
    cells = slot.window[slot.top + 1 - count : slot.top + 1]
    child = machine._begin(script, cells[::-1] if reverse else cells, 0, slot.mask)
    if child is not None:
        slot.top -= count
    return child


@_handles("start-script")
def _start_script(machine: Machine, slot: Slot, script: int, count: int) -> bool:
    _child(machine, slot, script, count, machine.options.arg_order != "natural")
    return False


@_handles("call-script")
def _call_script(machine: Machine, slot: Slot, script: int, count: int) -> bool:
    child = _child(machine, slot, script, count, machine.options.arg_order == "reversed")
    slot.state = State.WAIT_CALL
    # Without a child nothing will ever wake the caller, and only a signal can end it.
    slot.wait_slot = child.number if child is not None else -1
    return True


@_handles("signal")
def _signal(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    machine.signal(machine._pop(slot))
    return slot.state is State.IDLE


@_handles("set-signal-mask")
def _set_signal_mask(machine: Machine, slot: Slot, a: int, b: int) -> bool:
    slot.mask = machine._pop(slot)
    return False
