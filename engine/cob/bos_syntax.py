"""The syntax tree of BOS. Every node knows the span to blame. Names keep their case; lookups ignore it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.source import Span


@dataclass(slots=True, eq=False)
class Node:
    span: Span


# ---- expressions --------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Number(Node):
    """A literal with its sign. unit says what brackets it stood in."""

    value: float
    unit: Literal["bare", "linear", "angular"]
    bits: bool = False
    """Whether it is written in hexadecimal, which means bits and not a quantity."""


@dataclass(slots=True, eq=False)
class Name(Node):
    """A local, a static or a piece (its index)."""

    name: str


@dataclass(slots=True, eq=False)
class Not(Node):
    operand: Expr


@dataclass(slots=True, eq=False)
class Binary(Node):
    """op is the instruction's name, such as `add` or `and`."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Get(Node):
    """`get PORT` (args is None) or `get PORT(args)`."""

    port: Expr
    args: list[Expr] | None


@dataclass(slots=True, eq=False)
class Rand(Node):
    low: Expr
    high: Expr


Expr: TypeAlias = Number | Name | Not | Binary | Get | Rand


# ---- statements ---------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Block(Node):
    body: list[Stmt]


@dataclass(slots=True, eq=False)
class Var(Node):
    names: list[Name]


@dataclass(slots=True, eq=False)
class Assign(Node):
    target: Name
    value: Expr


@dataclass(slots=True, eq=False)
class Step(Node):
    """`++name` or `--name`."""

    target: Name
    op: Literal["add", "sub"]


@dataclass(slots=True, eq=False)
class CallScript(Node):
    """op is `call-script` or `start-script`."""

    op: str
    function: Name
    args: list[Expr]


@dataclass(slots=True, eq=False)
class PieceCommand(Node):
    """A command on a piece (and an axis): its values are pushed in order, then the instruction."""

    op: str
    piece: Name | Number
    axis: int | None
    values: list[Expr]


@dataclass(slots=True, eq=False)
class Command(Node):
    """A command without a piece: sleep, signal, set, attach-unit ..."""

    op: str
    values: list[Expr]


@dataclass(slots=True, eq=False)
class GetStatement(Node):
    """A `get` whose value nobody wants."""

    get: Get


@dataclass(slots=True, eq=False)
class PlaySound(Node):
    """Kingdoms only."""

    sound: str
    priority: Expr


@dataclass(slots=True, eq=False)
class MissionCommand(Node):
    """Kingdoms only."""

    command: str
    args: list[Expr]


@dataclass(slots=True, eq=False)
class Return(Node):
    value: Expr | None


@dataclass(slots=True, eq=False)
class If(Node):
    condition: Expr
    then: Stmt
    otherwise: Stmt | None


@dataclass(slots=True, eq=False)
class While(Node):
    condition: Expr
    body: Stmt


@dataclass(slots=True, eq=False)
class For(Node):
    first: Stmt
    condition: Expr
    step: Stmt
    body: Stmt


Stmt: TypeAlias = (
    Block
    | Var
    | Assign
    | Step
    | CallScript
    | PieceCommand
    | Command
    | GetStatement
    | PlaySound
    | MissionCommand
    | Return
    | If
    | While
    | For
)


@dataclass(slots=True, eq=False)
class Function(Node):
    """span covers the name."""

    name: str
    params: list[Name]
    body: Block


@dataclass(slots=True)
class Program:
    """Declarations in file order: the order is the index."""

    pieces: list[Name] = field(default_factory=list)
    statics: list[Name] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
