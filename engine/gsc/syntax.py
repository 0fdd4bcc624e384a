"""The syntax tree: what the parser builds, the binder completes and the emitter reads.

Nodes are plain data. `start` and `end` are offsets into the script's `SourceText`. For an operator they are
those of the whole expression and `at` is the offset to blame for a failing operation. Names are already
lower-cased. Fields set by the binder say so; they are None before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.gsc.dialect import UO, UO_RULES, Dialect, Rules
from engine.source import SourceText, Span


@dataclass(slots=True, eq=False)
class Node:
    start: int
    end: int


# ---- what a call means (set by the binder) ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScriptFunction:
    """A function of a script: canonical script name and function name."""

    script: str
    name: str


@dataclass(frozen=True, slots=True)
class NativeFunction:
    """A built-in of the host, by name; `method` when it is called on an object."""

    name: str
    method: bool


Binding: TypeAlias = ScriptFunction | NativeFunction


# ---- expressions --------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Undefined(Node):
    """`undefined`. Also the value of an empty argument, as in `f(,x)`; `written` is False for that."""

    written: bool = True


@dataclass(slots=True, eq=False)
class IntLiteral(Node):
    """An int32 literal, already wrapped; `true` and `false` are 1 and 0."""

    value: int


@dataclass(slots=True, eq=False)
class FloatLiteral(Node):
    """A float literal, already rounded to binary32."""

    value: float


@dataclass(slots=True, eq=False)
class StringLiteral(Node):
    """An ordinary string with its escapes resolved, one character a byte."""

    value: str


@dataclass(slots=True, eq=False)
class LocalizedLiteral(Node):
    """`&"KEY"`."""

    value: str


@dataclass(slots=True, eq=False)
class VectorLiteral(Node):
    x: Expr
    y: Expr
    z: Expr


@dataclass(slots=True, eq=False)
class EmptyArray(Node):
    """`[]`."""


@dataclass(slots=True, eq=False)
class AnimationRef(Node):
    """`%name`, with the canonical tree that governs it (None: the file selected none)."""

    name: str
    tree: str | None


@dataclass(slots=True, eq=False)
class AnimTreeRef(Node):
    """`#animtree`."""

    tree: str | None


@dataclass(slots=True, eq=False)
class FunctionRef(Node):
    """`::name` or `path::name` as a value. `script` is canonical, None for the same file."""

    script: str | None
    name: str
    bound: Binding | None = None
    """Set by the binder. A built-in only where the dialect calls those through values."""


@dataclass(slots=True, eq=False)
class LocalVar(Node):
    """A local variable or parameter."""

    name: str


@dataclass(slots=True, eq=False)
class Predefined(Node):
    """`self`, `level`, `game` or `anim`."""

    name: Literal["self", "level", "game", "anim"]


@dataclass(slots=True, eq=False)
class FieldAccess(Node):
    """`object.name`; `at` is the offset of the name."""

    object: Expr
    name: str
    at: int


@dataclass(slots=True, eq=False)
class Index(Node):
    """`container[key]`; `at` is the offset of the bracket. The key is evaluated before the container."""

    container: Expr
    key: Expr
    at: int


@dataclass(slots=True, eq=False)
class Size(Node):
    """The exact token `.size`; `at` is its offset."""

    operand: Expr
    at: int


UnaryOp: TypeAlias = Literal["!", "~", "-", "+"]
"""`-` is not of United Offensive; `+` is of the line-oriented language, as `**` and `=` are among the binary ones."""
CastKind: TypeAlias = Literal["bool", "int", "float", "string"]
BinaryOp: TypeAlias = Literal[
    "|", "^", "&", "==", "!=", "<", ">", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "**", "="
]
LogicalOp: TypeAlias = Literal["&&", "||"]


@dataclass(slots=True, eq=False)
class Unary(Node):
    op: UnaryOp
    operand: Expr
    at: int


@dataclass(slots=True, eq=False)
class Cast(Node):
    kind: CastKind
    operand: Expr
    at: int


@dataclass(slots=True, eq=False)
class Binary(Node):
    op: BinaryOp
    left: Expr
    right: Expr
    at: int


@dataclass(slots=True, eq=False)
class Logical(Node):
    """`&&` or `||`: the left operand's own payload is the result when it decides."""

    op: LogicalOp
    left: Expr
    right: Expr
    at: int


@dataclass(slots=True, eq=False)
class Conditional(Node):
    """`condition ? then : otherwise`; `at` is the offset of the question mark."""

    condition: Expr
    then: Expr
    otherwise: Expr
    at: int


@dataclass(slots=True, eq=False)
class Keys(Node):
    """What a foreach walks: the keys of an array as they are now, in order, as an array. Never written as such."""

    array: Expr


@dataclass(slots=True, eq=False)
class NamedTarget(Node):
    """The function a call names: `name` or `path::name`."""

    script: str | None
    name: str
    bound: Binding | None = None
    """Set by the binder."""


@dataclass(slots=True, eq=False)
class PointerTarget(Node):
    """`[[ expression ]]`."""

    value: Expr


@dataclass(slots=True, eq=False)
class Call(Node):
    """A call in any of its forms. `object` is the explicit self; `at` is the offset of the callee."""

    target: NamedTarget | PointerTarget
    object: Expr | None
    threaded: bool
    args: list[Expr]
    at: int
    native: bool = False
    """Written with `call`: the function value is that of a built-in."""
    child: bool = False
    """Written with `childthread`: the thread ends with the one that starts it."""


Expr: TypeAlias = (
    Undefined
    | IntLiteral
    | FloatLiteral
    | StringLiteral
    | LocalizedLiteral
    | VectorLiteral
    | EmptyArray
    | AnimationRef
    | AnimTreeRef
    | FunctionRef
    | LocalVar
    | Predefined
    | FieldAccess
    | Index
    | Size
    | Unary
    | Cast
    | Binary
    | Logical
    | Conditional
    | Keys
    | Call
)

Reference: TypeAlias = LocalVar | FieldAccess | Index
"""What may stand left of an assignment."""


# ---- statements ---------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Empty(Node):
    """`;`"""


@dataclass(slots=True, eq=False)
class Block(Node):
    body: list[Stmt]


@dataclass(slots=True, eq=False)
class DeveloperBlock(Node):
    """`/# ... #/` around statements."""

    body: list[Stmt]


@dataclass(slots=True, eq=False)
class Assign(Node):
    """`target = value`. With the literal `undefined` as value it removes the target."""

    target: Reference
    value: Expr


@dataclass(slots=True, eq=False)
class CompoundAssign(Node):
    """`target op= value`; `op` is without the equals sign, `at` is its offset."""

    target: Reference
    op: BinaryOp
    value: Expr
    at: int


@dataclass(slots=True, eq=False)
class Increment(Node):
    """`target++` (delta 1) or `target--` (delta -1)."""

    target: Reference
    delta: Literal[1, -1]
    at: int


@dataclass(slots=True, eq=False)
class CallStatement(Node):
    call: Call
    vanishes: bool = False
    """The dialect compiles this call to nothing; its arguments are not evaluated and mean nothing."""


@dataclass(slots=True, eq=False)
class Return(Node):
    value: Expr | None


@dataclass(slots=True, eq=False)
class Wait(Node):
    seconds: Expr


@dataclass(slots=True, eq=False)
class WaitTillFrameEnd(Node):
    """`waittillframeend;`"""


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
class DoWhile(Node):
    body: Stmt
    condition: Expr


@dataclass(slots=True, eq=False)
class For(Node):
    """Any clause may be None; a missing condition is true."""

    init: Stmt | None
    condition: Expr | None
    step: Stmt | None
    body: Stmt


@dataclass(slots=True, eq=False)
class Switch(Node):
    """The body holds `Case` and `Default` labels between its other statements, as written."""

    value: Expr
    body: list[Stmt]


@dataclass(slots=True, eq=False)
class Case(Node):
    label: int | str


@dataclass(slots=True, eq=False)
class Default(Node):
    """`default:`"""


@dataclass(slots=True, eq=False)
class Break(Node):
    """`break;`"""


@dataclass(slots=True, eq=False)
class Continue(Node):
    """`continue;`"""


@dataclass(slots=True, eq=False)
class WaitTill(Node):
    """`object waittill(event, names...)`: the names are locals to fill. `at` is the offset of the keyword."""

    object: Expr
    event: Expr
    names: list[str]
    at: int


@dataclass(slots=True, eq=False)
class WaitTillMatch(Node):
    object: Expr
    event: Expr
    matches: list[Expr]
    at: int


@dataclass(slots=True, eq=False)
class Notify(Node):
    object: Expr
    event: Expr
    args: list[Expr]
    at: int


@dataclass(slots=True, eq=False)
class EndOn(Node):
    object: Expr
    event: Expr
    at: int


Stmt: TypeAlias = (
    Empty
    | Block
    | DeveloperBlock
    | Assign
    | CompoundAssign
    | Increment
    | CallStatement
    | Return
    | Wait
    | WaitTillFrameEnd
    | If
    | While
    | DoWhile
    | For
    | Switch
    | Case
    | Default
    | Break
    | Continue
    | WaitTill
    | WaitTillMatch
    | Notify
    | EndOn
)


# ---- a file -------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Function(Node):
    """One function definition, beginning with its name; `developer` when inside `/# #/`.

    `content` is its body, or what reads that when it is first wanted: most functions of a large program are never
    called, and of many that are the compiled code is known."""

    name: str
    params: list[str]
    content: Block | Callable[[Function], Block]
    developer: bool
    name_start: int
    comment_directives: dict[str, str] = field(default_factory=dict)
    """Settings from a `// notetrack: key=value` comment directly above the function."""
    rules: Rules = UO_RULES
    """How the code behaves: those of the script's dialect."""

    @property
    def body(self) -> Block:
        if not isinstance(self.content, Block):
            self.content = self.content(self)
        return self.content


@dataclass(slots=True, eq=False)
class TreeDirective(Node):
    """`#using_animtree("tree");` with the canonical tree name."""

    tree: str


@dataclass(slots=True, eq=False)
class Include(Node):
    """`#include path;` with the canonical name of the script."""

    script: str


@dataclass(slots=True, eq=False)
class Script:
    """A parsed file: `name` is canonical, functions are in file order and by unique name."""

    name: str
    source: SourceText
    functions: dict[str, Function]
    directives: list[TreeDirective]
    dialect: Dialect = UO
    includes: list[Include] = field(default_factory=list)
    context: list[tuple[int, int]] = field(default_factory=list)
    """Offsets of what stands between functions and has a meaning for those below: constants, selected trees."""

    def span(self, node: Node) -> Span:
        return self.source.span(node.start, node.end)
