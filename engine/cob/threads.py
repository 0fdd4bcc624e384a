"""What a thread is made of, what it may ask of the game, and the settings of a machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal, Protocol

SLOTS = 8
WINDOW = 32
ROOT_MASK = 1
ENGINE_CELLS = 4

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
    """What a unit's script may ask of and do to the game. Ports that do not exist read 0.

    Both are called in the middle of a thread: they must not start or end threads of the same machine, but
    note what is to happen and do it after the tick.
    """

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
    """Settings of a machine, among them the points on which sources disagree.

    arg_order  where start-script and call-script put their arguments: `natural` puts the first into the
               child's first parameter, `reversed` the last; `spring` reverses start-script only
    modulo     what the word 10034001 does: the `remainder` of the community's compilers, or to `divide`, as the
               retail machine does, which does not look at its low bits
    sleep      a sleep takes `guard`: the ticks of its time, at least one; or `after`: one more
    budget     code words that one slot may jump back over in one visit; a visit runs at most as many words more
               as the code is long
    tick       code words that all slots together may jump back over in one tick. Once they are used up, each slot
               that is left still has `share`, so that no thread dies for what others did
    share      see `tick`
    translate  code that runs often is translated to Python functions; False always interprets
    """

    arg_order: ArgOrder = "natural"
    modulo: Literal["remainder", "divide"] = "remainder"
    sleep: Literal["guard", "after"] = "guard"
    budget: int = 10_000
    tick: int = 16_000
    share: int = 1_000
    translate: bool = True


@dataclass(slots=True, eq=False)
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
    """The running thread did what no thread may; `code` is stable and documented, `at` the code word of the
    instruction, once that is known."""

    def __init__(self, code: str, at: int = -1) -> None:
        super().__init__(code)
        self.code = code
        self.at = at


def int32(value: int) -> int:
    """Wrap to a signed 32-bit cell."""
    return ((value + 0x80000000) & 0xFFFFFFFF) - 0x80000000


def divide(a: int, b: int, at: int = -1) -> int:
    """The quotient, cut towards zero. Raises Fault for the instruction at `at` where the retail game would have
    ended."""
    if b == 0 or (a == -(2**31) and b == -1):
        raise Fault("DIVIDE", at)
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def remainder(a: int, b: int, at: int = -1) -> int:
    """What the quotient leaves, with the sign of `a`."""
    return a - b * divide(a, b, at)
