"""The machine of one unit: eight thread slots that take turns, then the pieces move.

A tick is a drain (every slot in ascending order runs until it suspends, ends or dies) and then one
interpolation pass over the pieces that move. So a child in a higher slot runs in the drain that started it, a
parent that it wakes was already visited and goes on in the next, and motion that ends in a pass releases its
waiter in the following drain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.cob.container import MAX_STATICS, CobFile
from engine.cob.pieces import DRAWN, Piece
from engine.cob.random import RandomStream
from engine.cob.threads import (
    ENGINE_CELLS,
    ROOT_MASK,
    SLOTS,
    WINDOW,
    Event,
    Fault,
    Host,
    NoHost,
    Options,
    Slot,
    State,
    divide,
    int32,
    remainder,
)
from engine.cob.translation import Translation

BITMAP_ONLY = 32

_IDLE, _RUN, _SLEEP = State.IDLE, State.RUN, State.SLEEP
_WAIT_TURN, _WAIT_MOVE = State.WAIT_TURN, State.WAIT_MOVE


class Machine:
    """One unit's threads, statics and pieces over a program that any number of units share.

    `events` collects what happened since it was last emptied, as the objects that a trace prints. Units of one
    program share a `translation` of it. Raises ValueError for more statics than MAX_STATICS.
    """

    def __init__(
        self,
        program: CobFile,
        *,
        host: Host | None = None,
        options: Options | None = None,
        random: RandomStream | None = None,
        translation: Translation | None = None,
    ) -> None:
        if program.statics > MAX_STATICS:
            raise ValueError(f"{program.statics} static variables are more than {MAX_STATICS}")
        self.program = program
        self.host: Host = host if host is not None else NoHost()
        self.options = options if options is not None else Options()
        self.random = random if random is not None else RandomStream()
        self.statics = [0] * program.statics
        self.pieces = [Piece(name) for name in program.pieces]
        self.axes = [axis for piece in self.pieces for axis in piece.axes]
        """The axes of all pieces in a row: axis k of piece p is at 3 p + k."""
        self.slots = [Slot(number) for number in range(SLOTS)]
        self.dirty = False
        self.events: list[Event] = []
        self.flights: list[tuple[int, list[int]]] = []
        """Pieces that flew off: index and six draws (three rates of turn, then x, y, z of the throw)."""
        self.reverse_start = self.options.arg_order != "natural"
        self.reverse_call = self.options.arg_order == "reversed"
        self._translation = translation if translation is not None else Translation(program)
        self._region = self._translation.region if self.options.translate else self._translation.interpret
        self.decoded = self._translation.decoded
        self.allowance = self.options.budget
        """Code words that the visit at hand may jump back over."""
        self.spent = 0
        """Code words that it has jumped back over."""
        self._left = self.options.tick
        self._draining = False

    # ---- starting threads ---------------------------------------------------------------------------

    def _begin(self, script: int, cells: Sequence[int], depth: int, mask: int) -> Slot | None:
        """Take the lowest idle slot for a script, or None when there is no such script or slot."""
        scripts = self.program.scripts
        if not 0 <= script < len(scripts):
            return None
        for slot in self.slots:
            if slot.state is _IDLE:
                break
        else:
            return None
        slot.state = _RUN
        slot.script = script
        slot.pc = scripts[script].entry
        count = min(len(cells), WINDOW)
        slot.window[:] = [*cells[:count], *[0] * (WINDOW - count)]
        slot.top = depth - 1
        slot.timer = 0
        slot.wait_slot = -1
        slot.mask = mask
        slot.receiver = None
        return slot

    def start(
        self, script: int, args: Sequence[int] = (), receiver: Callable[[int], None] | None = None
    ) -> bool:
        """An engine call that runs from the next drain on, with up to four arguments. A receiver of a call with
        arguments that cannot start gets 0; without arguments the failure is silent."""
        cells = [int32(cell) for cell in args[:ENGINE_CELLS]]
        slot = self._begin(script, cells, len(cells), ROOT_MASK)
        if slot is None:
            if args and receiver is not None:
                receiver(0)
            return False
        slot.receiver = receiver
        return True

    def wake(self, script: int, args: Sequence[int] = ()) -> bool:
        """An engine call that runs at once: every slot with no time passing, and a pass of no time. Inside a
        drain it waits for its slot's turn."""
        if not self.start(script, args):
            return False
        if not self._draining:
            self.tick(0)
        return True

    def query(self, script: int, args: Sequence[int] = ()) -> tuple[int, ...] | None:
        """An engine question: only the new thread runs. Gives the four cells back, or None when all slots are
        taken or there is no such script. A thread that suspends stays; its cells so far are the answer."""
        cells = [int32(cell) for cell in args[:ENGINE_CELLS]]
        slot = self._begin(script, [*cells, *[0] * (ENGINE_CELLS - len(cells))], ENGINE_CELLS, ROOT_MASK)
        if slot is None:
            return None
        self._left = self.options.tick
        self._run(slot)
        return tuple(slot.window[:ENGINE_CELLS])

    def begin_child(self, parent: Slot, script: int, cells: list[int], reverse: bool) -> Slot | None:
        """start-script and call-script: the child has its parent's mask. None when it cannot start."""
        return self._begin(script, cells[::-1] if reverse else cells, 0, parent.mask)

    # ---- time ---------------------------------------------------------------------------------------

    def tick(self, delta: int = 1) -> None:
        """One drain and one interpolation pass of `delta` ticks (0 to 5)."""
        delta = max(0, min(5, delta))
        self._draining = True
        try:
            self._drain(delta)
        finally:
            self._draining = False
        if self.dirty and delta:
            self.dirty = False
            for piece in self.pieces:
                if piece.busy and piece.advance(delta):
                    self.dirty = True

    def _drain(self, delta: int) -> None:
        self._left = self.options.tick
        self._translation.new_tick()
        for slot in self.slots:
            state = slot.state
            if state is _IDLE:
                continue
            if state is not _RUN:
                if state is _SLEEP:
                    slot.timer -= delta
                    if slot.timer > 0:
                        continue
                elif state is _WAIT_TURN:
                    if self.axes[3 * slot.wait_piece + slot.wait_axis].speed:
                        continue
                elif state is _WAIT_MOVE:
                    if self.axes[3 * slot.wait_piece + slot.wait_axis].move_speed:
                        continue
                else:
                    continue
                slot.state = _RUN
            self._run(slot)

    def _run(self, slot: Slot) -> None:
        """Run a slot until it suspends or ends."""
        options, region = self.options, self._region
        self.allowance = min(options.budget, max(options.share, self._left))
        self.spent = spent = 0
        try:
            while spent >= 0:
                spent = region(slot.pc, slot.top + 1)(self, slot, slot.window, spent)
        except Fault as fault:
            self.die(slot, fault.code, fault.at)
        self._left -= self.spent

    # ---- ending threads -----------------------------------------------------------------------------

    def free(self, slot: Slot) -> None:
        """End a thread and let those that called it go on."""
        slot.state = _IDLE
        slot.receiver = None
        number = slot.number
        for other in self.slots:
            if other.state is State.WAIT_CALL and other.wait_slot == number:
                other.state = _RUN
                other.wait_slot = -1

    def signal(self, mask: int) -> None:
        """End every thread whose mask shares a bit, the sender included. Receivers are not told."""
        for slot in self.slots:
            if slot.state is not _IDLE and slot.mask & mask:
                self.free(slot)

    def die(self, slot: Slot, code: str, at: int) -> int:
        """End a thread for a fault of the instruction at a code word; -1, which says that it does not go on.

        As with an unknown instruction in the retail game, waiters on the slot are not woken.
        """
        # Which script it was is told here: its slot may have another one before anybody looks.
        name = self.program.scripts[slot.script].name
        self.events.append({"fault": code, "slot": slot.number, "script": name, "at": at})
        slot.state = _IDLE
        slot.receiver = None
        return -1

    # ---- what instructions do beyond their own thread -------------------------------------------------

    def sleep_ticks(self, milliseconds: int) -> int:
        """The timer of a sleep, towards zero: a guard subtracts a tick before it looks."""
        ticks = 30 * milliseconds // 1000 if milliseconds >= 0 else -(30 * -milliseconds // 1000)
        return max(1, ticks) + 1 if self.options.sleep == "after" else ticks

    def draw_between(self, low: int, high: int) -> int:
        """A random number from low to high, both included; a span of one draws nothing."""
        return int32(low + self.random.draw(int32(high - low + 1)))

    def emit_sfx(self, piece: int, kind: int) -> None:
        self.events.append({"sfx": kind, "piece": self.pieces[piece].name})

    def explode(self, piece: int, flags: int) -> None:
        found = self.pieces[piece]
        if not flags & BITMAP_ONLY:
            # Six draws whatever is done with them: they are part of the stream.
            draws = [self.random.draw(bound) for bound in (3000, 3000, 3000, 40, 10, 40)]
            self.flights.append((piece, draws))
            found.flags &= ~DRAWN
        self.events.append({"explode": flags, "piece": found.name})

    def set_port(self, port: int, value: int) -> None:
        self.events.append({"set": [port, value]})
        self.host.write_port(port, value)

    def get_port(self, port: int, args: tuple[int, int, int, int]) -> int:
        return int32(self.host.read_port(port, args))

    def attach_unit(self, unit: int, piece: int, extra: int) -> None:
        self.events.append({"attach": [unit, piece, extra]})

    def drop_unit(self, unit: int) -> None:
        self.events.append({"drop": unit})

    def play_sound(self, sound: int, priority: int) -> None:
        self.events.append({"play-sound": [self.program.sounds[sound], priority]})

    def modulo(self, a: int, b: int, at: int = -1) -> int:
        return divide(a, b, at) if self.options.modulo == "divide" else remainder(a, b, at)
