"""The instruction set: every opcode word with its operands and its effect on the stack.

An instruction is one opcode word and 0 to 2 operand words. The machine tells opcodes apart by
`word & KEY_MASK`; the low three bits of push and pop are the addressing mode.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

KEY_MASK = 0x100FF000


class Shape(Enum):
    """The operand words that follow an opcode."""

    NONE = 0
    PIECE = 1
    PIECE_AXIS = 2
    TARGET = 3
    CALL = 4
    VALUE = 5
    SOUND = 6
    MISSION = 7

    @property
    def words(self) -> int:
        """Operand words after the opcode."""
        return _OPERANDS[self]


_OPERANDS = {
    Shape.NONE: 0,
    Shape.PIECE: 1,
    Shape.PIECE_AXIS: 2,
    Shape.TARGET: 1,
    Shape.CALL: 2,
    Shape.VALUE: 1,
    Shape.SOUND: 1,
    Shape.MISSION: 2,
}


@dataclass(frozen=True, slots=True)
class Op:
    """One instruction. `pops` and `pushes` count stack cells; call and pop-N pop their count as well.

    tak is True for the instructions that only Kingdoms has.
    """

    word: int
    name: str
    shape: Shape
    pops: int
    pushes: int
    tak: bool = False


_N, _P, _A, _T, _C, _V = (
    Shape.NONE,
    Shape.PIECE,
    Shape.PIECE_AXIS,
    Shape.TARGET,
    Shape.CALL,
    Shape.VALUE,
)

OPS: tuple[Op, ...] = (
    Op(0x10001000, "move", _A, 2, 0),
    Op(0x10002000, "turn", _A, 2, 0),
    Op(0x10003000, "spin", _A, 2, 0),
    Op(0x10004000, "stop-spin", _A, 1, 0),
    Op(0x10005000, "show", _P, 0, 0),
    Op(0x10006000, "hide", _P, 0, 0),
    Op(0x10007000, "cache", _P, 0, 0),
    Op(0x10008000, "dont-cache", _P, 0, 0),
    Op(0x10009000, "legacy-effect", _P, 2, 0),
    Op(0x1000A000, "dont-shadow", _P, 0, 0),
    Op(0x1000B000, "move-now", _A, 1, 0),
    Op(0x1000C000, "turn-now", _A, 1, 0),
    Op(0x1000D000, "shade", _P, 0, 0),
    Op(0x1000E000, "dont-shade", _P, 0, 0),
    Op(0x1000F000, "emit-sfx", _P, 1, 0),
    Op(0x10011000, "wait-for-turn", _A, 0, 0),
    Op(0x10012000, "wait-for-move", _A, 0, 0),
    Op(0x10013000, "sleep", _N, 1, 0),
    Op(0x10021001, "push-constant", _V, 0, 1),
    Op(0x10021002, "push-local", _V, 0, 1),
    Op(0x10021004, "push-static", _V, 0, 1),
    Op(0x10021000, "push-nothing", _V, 0, 1),
    Op(0x10022000, "alloc-local", _N, 0, 0),
    Op(0x10023002, "pop-local", _V, 1, 0),
    Op(0x10023004, "pop-static", _V, 1, 0),
    Op(0x10023000, "pop-nothing", _V, 0, 0),
    Op(0x10024000, "discard", _N, 1, 0),
    Op(0x10031000, "add", _N, 2, 1),
    Op(0x10032000, "sub", _N, 2, 1),
    Op(0x10033000, "mul", _N, 2, 1),
    Op(0x10034000, "div", _N, 2, 1),
    Op(0x10034001, "mod", _N, 2, 1),
    Op(0x10035000, "bit-and", _N, 2, 1),
    Op(0x10036000, "bit-or", _N, 2, 1),
    Op(0x10037000, "bit-xor", _N, 2, 1),
    Op(0x10038000, "bit-not", _N, 1, 1),
    Op(0x10039000, "math-09", _N, 0, 0, tak=True),
    Op(0x1003B000, "math-0b", _N, 0, 0, tak=True),
    Op(0x10041000, "rand", _N, 2, 1),
    Op(0x10042000, "get-unit-value", _N, 1, 1),
    Op(0x10043000, "get", _N, 5, 1),
    Op(0x10044000, "cargo-membership", _N, 1, 1),
    Op(0x10045000, "carrier-identity", _N, 0, 1),
    Op(0x10051000, "lt", _N, 2, 1),
    Op(0x10052000, "le", _N, 2, 1),
    Op(0x10053000, "gt", _N, 2, 1),
    Op(0x10054000, "ge", _N, 2, 1),
    Op(0x10055000, "eq", _N, 2, 1),
    Op(0x10056000, "ne", _N, 2, 1),
    Op(0x10057000, "and", _N, 2, 1),
    Op(0x10058000, "or", _N, 2, 1),
    Op(0x10059000, "xor", _N, 2, 1),
    Op(0x1005A000, "not", _N, 1, 1),
    Op(0x10061000, "start-script", _C, 0, 0),
    Op(0x10062000, "call-script", _C, 0, 0),
    Op(0x10063000, "pop-n", _C, 0, 0),
    Op(0x10064000, "jump", _T, 0, 0),
    Op(0x10065000, "return", _N, 1, 0),
    Op(0x10066000, "jump-if-false", _T, 1, 0),
    Op(0x10067000, "signal", _N, 1, 0),
    Op(0x10068000, "set-signal-mask", _N, 1, 0),
    Op(0x10071000, "explode", _P, 1, 0),
    Op(0x10072000, "play-sound", Shape.SOUND, 1, 1, tak=True),
    Op(0x10073000, "mission-command", Shape.MISSION, 0, 1, tak=True),
    Op(0x10082000, "set-unit-value", _N, 2, 0),
    Op(0x10083000, "attach-unit", _N, 3, 0),
    Op(0x10084000, "drop-unit", _N, 1, 0),
)

BY_WORD: dict[int, Op] = {op.word: op for op in OPS}
BY_NAME: dict[str, Op] = {op.name: op for op in OPS}
WORD: dict[str, int] = {op.name: op.word for op in OPS}

_MODE_BITS = 7
"""The bits of push and pop that say where: 1 constant, 2 local, 4 static; anything else is nowhere."""

_BY_KEY: dict[int, Op] = {}
for _op in OPS:
    if _op.name != "mod":
        # The machine masks the low bits away, so modulo's word is division to the retail dispatcher.
        _BY_KEY[_op.word if _op.shape is Shape.VALUE else _op.word & KEY_MASK] = _op

_VALUE_KEYS = frozenset(op.word & KEY_MASK for op in OPS if op.shape is Shape.VALUE)

BANNER_MARKER = 0x6C697542
"""`Buil`: the first word of the text that the unregistered Cobbler leaves behind script 0."""

BANNER_WORDS = 37

FOREIGN = {
    0x10062001: "Recoil's REAL_CALL",
    0x10062002: "Recoil's LUA_CALL",
    0x10062003: "Recoil's LUA_CALL_UNSYNCED",
    0x10062004: "Recoil's BATCH_LUA",
    0x10090000: "Recoil's SIGNATURE_LUA",
    0x100A0000: "Recoil's SCALE",
    0x100A1000: "Recoil's SCALE_NOW",
    0x100A2000: "Recoil's WAIT_SCALE",
}
"""Extensions of another engine, recognised so that they can be refused by name."""


def decode(word: int) -> Op | None:
    """The instruction that a code word begins, as the retail dispatcher tells them apart, or None."""
    exact = BY_WORD.get(word)
    if exact is not None:
        return exact
    if word in FOREIGN:
        return None
    key = word & KEY_MASK
    if key in _VALUE_KEYS:
        mode = word & _MODE_BITS
        return _BY_KEY[key | mode if mode in (1, 2, 4) and key | mode in _BY_KEY else key]
    return _BY_KEY.get(key)
