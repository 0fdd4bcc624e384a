"""Syntax tree to code words, by one compiler's rules (a `Profile`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.cob.bos_syntax import (
    Assign,
    Binary,
    Block,
    CallScript,
    Command,
    Expr,
    For,
    Function,
    Get,
    GetStatement,
    If,
    MissionCommand,
    Name,
    Not,
    Number,
    PieceCommand,
    PlaySound,
    Program,
    Rand,
    Return,
    Step,
    Stmt,
    Var,
    While,
)
from engine.cob.bos_text import FOLDABLE
from engine.cob.container import MAX_STATICS, TA, TAK, CobFile, Script
from engine.cob.isa import WORD
from engine.cob.profiles import Profile
from engine.cob.threads import int32
from engine.source import Diagnostic, Note, Span
from engine.source.nearest import did_you_mean

GET_ARGUMENTS = 4


@dataclass(slots=True)
class CompiledUnit:
    """A compiled program with what debuggers and reloads need: the span of each instruction by code word index,
    and the names of the static variables."""

    cob: CobFile
    spans: dict[int, Span] = field(default_factory=dict)
    statics: tuple[str, ...] = ()


class CodeGenerator:
    """Compiles one program. Faults and warnings collect in `problems`."""

    def __init__(
        self, program: Program, profile: Profile, version: int, safe_end: bool, problems: list[Diagnostic]
    ) -> None:
        self._program = program
        self._profile = profile
        self._version = version
        self._safe_end = safe_end
        self._problems = problems
        self._code: list[int] = []
        self._spans: dict[int, Span] = {}
        self._sounds: dict[str, int] = {}
        self._pieces: dict[str, int] = {}
        self._statics: dict[str, int] = {}
        self._functions: dict[str, int] = {}
        self._locals: dict[str, int] = {}
        self._last = ""
        """Name of the last instruction of the present function."""
        self._constants: dict[Expr, float | None] = {}

    # ---- reports ------------------------------------------------------------------------------------

    def _error(self, code: str, message: str, span: Span, *notes: Note) -> None:
        self._problems.append(Diagnostic(code, message, span, notes=notes))

    def _warn(self, code: str, message: str, span: Span, *notes: Note) -> None:
        self._problems.append(Diagnostic(code, message, span, "warning", notes))

    # ---- the program --------------------------------------------------------------------------------

    def run(self) -> CompiledUnit:
        program = self._program
        self._declare(program.pieces, self._pieces, "piece")
        self._declare(program.statics, self._statics, "static-var")
        for name in program.statics:
            if name.name.lower() in self._pieces:
                self._warn("bos-shadow", f"static-var '{name.name}' hides the piece of that name", name.span)
        if len(self._statics) > MAX_STATICS:
            self._error(
                "bos-too-large", f"more than {MAX_STATICS} static variables", program.statics[-1].span
            )
        spans: dict[str, Span] = {}
        for index, function in enumerate(program.functions):
            key = function.name.lower()
            if key in self._functions:
                first = Note("the first one is here", spans[key])
                self._error(
                    "bos-duplicate", f"function '{function.name}' is defined twice", function.span, first
                )
            else:
                self._functions[key] = index
                spans[key] = function.span
        scripts: list[Script] = []
        bounds: list[tuple[int, int]] = []
        for function in program.functions:
            start = len(self._code)
            scripts.append(Script(function.name, start))
            self._function(function)
            bounds.append((start, len(self._code)))
        self._check_ends(bounds)
        cob = CobFile(
            self._version,
            self._code,
            scripts,
            [name.name for name in program.pieces],
            len(program.statics),
            list(self._sounds),
        )
        return CompiledUnit(cob, self._spans, tuple(name.name for name in program.statics))

    def _declare(self, names: list[Name], table: dict[str, int], what: str) -> None:
        for name in names:
            key = name.name.lower()
            if key in table:
                self._error("bos-duplicate", f"{what} '{name.name}' is declared twice", name.span)
            # The index counts every declaration, so that later ones keep theirs.
            table.setdefault(key, len(table))

    def _check_ends(self, bounds: list[tuple[int, int]]) -> None:
        """Jumps that leave their function: the test for a final return does not see branches."""
        at = 0
        jumps = (WORD["jump"], WORD["jump-if-false"])
        for (start, end), function in zip(bounds, self._program.functions, strict=True):
            at = start
            for at in sorted(index for index in self._spans if start <= index < end):
                if self._code[at] in jumps and self._code[at + 1] >= end:
                    text = f"this branch leaves '{function.name}' at its end and runs on into what follows"
                    hint = Note("end the function with a return, or compile with --safe-end")
                    self._warn("bos-runs-on", text, self._spans[at], hint)

    # ---- functions ----------------------------------------------------------------------------------

    def _function(self, function: Function) -> None:
        start = len(self._code)
        self._locals = {}
        self._last = ""
        for param in function.params:
            self._local(param)
            self._op("alloc-local", param.span)
        params_end = len(self._code)
        self._block(function.body)
        if len(self._code) == params_end and not self._profile.empty_return:
            # The function has no words at all: its entry is that of the next one.
            del self._code[start:]
            for index in [i for i in self._spans if i >= start]:
                del self._spans[index]
            return
        if self._last != "return" or (self._safe_end and self._jumps_to(len(self._code), start)):
            self._push_end(function.span)
            self._op("return", function.span)

    def _push_end(self, span: Span) -> None:
        if self._version == TAK:
            self._op("alloc-local", span)
        else:
            self._op("push-constant", span, 0)

    def _jumps_to(self, target: int, start: int) -> bool:
        jumps = (WORD["jump"], WORD["jump-if-false"])
        return any(
            self._code[at] in jumps and self._code[at + 1] == target for at in self._spans if at >= start
        )

    def _local(self, name: Name) -> None:
        key = name.name.lower()
        if key in self._locals:
            self._error("bos-duplicate", f"variable '{name.name}' is declared twice", name.span)
        elif key in self._statics:
            text = f"variable '{name.name}' has the name of a static-var"
            self._error("bos-duplicate", text, name.span)
        self._locals.setdefault(key, len(self._locals))

    # ---- emission -----------------------------------------------------------------------------------

    def _op(self, name: str, span: Span, *operands: int) -> int:
        """Emit an instruction; returns the index of its last word, for patching a jump."""
        self._spans[len(self._code)] = span
        self._code.append(WORD[name])
        self._code.extend(operand & 0xFFFFFFFF for operand in operands)
        self._last = name
        return len(self._code) - 1

    # ---- statements ---------------------------------------------------------------------------------

    def _block(self, block: Block) -> None:
        for statement in block.body:
            self._statement(statement)

    def _statement(self, node: Stmt) -> None:
        match node:
            case Block():
                self._block(node)
            case Var():
                for name in node.names:
                    self._local(name)
                    self._op("alloc-local", name.span)
            case Assign():
                self._expr(node.value)
                self._store(node.target)
            case Step():
                self._load(node.target)
                self._op("push-constant", node.span, 1)
                self._op(node.op, node.span)
                self._store(node.target)
            case CallScript():
                self._call(node)
            case PieceCommand():
                for value in node.values:
                    self._expr(value)
                axis = () if node.axis is None else (node.axis,)
                if node.op == "dont-shadow" and (self._version != TAK or self._profile.shadow_is_shade):
                    self._warn(
                        "bos-target",
                        "dont-shadow leaves no shadow away: not in this game, or not by this compiler",
                        node.span,
                    )
                op = node.op
                if op == "dont-shadow" and self._profile.shadow_is_shade:
                    op = "dont-shade"
                self._op(op, node.span, self._piece(node.piece), *axis)
            case Command():
                for value in node.values:
                    self._expr(value)
                self._op(node.op, node.span)
            case GetStatement():
                self._get(node.get)
                self._op("discard", node.span)
            case PlaySound():
                self._only_tak("play-sound", node.span)
                self._expr(node.priority)
                self._op("play-sound", node.span, self._sound(node.sound))
                self._op("discard", node.span)
            case MissionCommand():
                self._only_tak("mission-command", node.span)
                for arg in node.args:
                    self._expr(arg)
                self._op("mission-command", node.span, self._sound(node.command), len(node.args))
                self._op("discard", node.span)
            case Return():
                self._return(node)
            case If():
                self._if(node)
            case While():
                top = len(self._code)
                self._expr(node.condition)
                leave = self._op("jump-if-false", node.span, 0)
                self._statement(node.body)
                self._op("jump", node.span, top)
                self._code[leave] = len(self._code)
            case For():
                self._statement(node.first)
                top = len(self._code)
                self._expr(node.condition)
                leave = self._op("jump-if-false", node.span, 0)
                self._statement(node.body)
                self._statement(node.step)
                self._op("jump", node.span, top)
                self._code[leave] = len(self._code)

    def _if(self, node: If) -> None:
        """An `else if` is an if inside an else, so that the jumps of a chain all lead behind it."""
        outs: list[int] = []
        while True:
            self._expr(node.condition)
            skip = self._op("jump-if-false", node.span, 0)
            self._statement(node.then)
            if node.otherwise is None:
                break
            outs.append(self._op("jump", node.span, 0))
            self._code[skip] = len(self._code)
            if not isinstance(node.otherwise, If):
                self._statement(node.otherwise)
                skip = outs.pop()
                break
            node = node.otherwise
        for at in (skip, *outs):
            self._code[at] = len(self._code)

    def _return(self, node: Return) -> None:
        if node.value is not None:
            self._expr(node.value)
        elif self._version == TAK or self._profile.bare_return == "alloc":
            self._op("alloc-local", node.span)
        else:
            self._op("push-constant", node.span, 0)
        self._op("return", node.span)

    def _call(self, node: CallScript) -> None:
        key = node.function.name.lower()
        index = self._functions.get(key)
        for arg in node.args:
            self._expr(arg)
        if index is None:
            hint = did_you_mean(node.function.name, [f.name for f in self._program.functions])
            notes = [Note(hint)] if hint else []
            text = f"there is no function '{node.function.name}'"
            self._error("bos-unknown-function", text, node.function.span, *notes)
            return
        function = self._program.functions[index]
        if len(node.args) != len(function.params):
            text = (
                f"'{function.name}' has {len(function.params)} parameters, but gets {len(node.args)} values"
            )
            self._warn("bos-arguments", text, node.span, Note("it is defined here", function.span))
        self._op(node.op, node.span, index, len(node.args))

    def _only_tak(self, what: str, span: Span) -> None:
        if self._version == TA:
            self._error(
                "bos-target", f"{what} exists only in Kingdoms", span, Note("compile with --target tak")
            )

    def _sound(self, name: str) -> int:
        return self._sounds.setdefault(name, len(self._sounds))

    # ---- names --------------------------------------------------------------------------------------

    def _unknown(self, name: Name, known: list[str]) -> None:
        hint = did_you_mean(name.name, known)
        notes = [Note(hint)] if hint else []
        self._error("bos-unknown-name", f"there is no variable or piece '{name.name}'", name.span, *notes)

    def _load(self, name: Name) -> None:
        key = name.name.lower()
        if key in self._locals:
            self._op("push-local", name.span, self._locals[key])
        elif key in self._statics:
            self._op("push-static", name.span, self._statics[key])
        elif key in self._pieces:
            self._op("push-constant", name.span, self._pieces[key])
        else:
            self._unknown(name, [*self._locals, *self._statics, *self._pieces])

    def _store(self, name: Name) -> None:
        key = name.name.lower()
        if key in self._locals:
            self._op("pop-local", name.span, self._locals[key])
        elif key in self._statics:
            self._op("pop-static", name.span, self._statics[key])
        elif key in self._pieces:
            self._error("bos-assign-piece", f"'{name.name}' is a piece and takes no value", name.span)
        else:
            self._unknown(name, [*self._locals, *self._statics])

    def _piece(self, piece: Name | Number) -> int:
        if isinstance(piece, Number):
            index = int(piece.value)
            if not 0 <= index < len(self._pieces):
                text = f"there is no piece {index}: the program declares {len(self._pieces)}"
                self._error("bos-piece-range", text, piece.span)
            return index
        found = self._pieces.get(piece.name.lower())
        if found is None:
            hint = did_you_mean(piece.name, self._pieces)
            notes = [Note(hint)] if hint else []
            self._error("bos-unknown-piece", f"there is no piece '{piece.name}'", piece.span, *notes)
            return 0
        return found

    # ---- expressions --------------------------------------------------------------------------------

    def _expr(self, node: Expr) -> None:
        if self._profile.fold and isinstance(node, Binary):
            value = self._constant(node)
            if value is not None:
                self._word(value, node.span, round)
                return
        match node:
            case Number():
                scaled = self._scaled(node)
                self._tell_of_wrap(node, scaled)
                self._word(scaled, node.span, _nearest if self._profile.rounding == "nearest" else math.trunc)
            case Name():
                self._load(node)
            case Not():
                self._expr(node.operand)
                self._op("not", node.span)
            case Binary():
                self._binary(node)
            case Get():
                self._get(node)
            case Rand():
                self._expr(node.low)
                self._expr(node.high)
                self._op("rand", node.span)

    def _binary(self, node: Binary) -> None:
        """Operands first. Long sums lean to the left and long chains of OR to the right: both spines are
        walked in loops, as neither may use up Python's stack."""
        later: list[Binary] = []
        work: Expr = node
        while isinstance(work, Binary) and (work is node or not self._folds(work)):
            spine = [work]
            while isinstance(spine[-1].left, Binary) and not self._folds(spine[-1].left):
                spine.append(spine[-1].left)
            self._expr(spine[-1].left)
            for part in reversed(spine[1:]):
                self._expr(part.right)
                self._op(part.op, part.span)
            later.append(spine[0])
            work = spine[0].right
        self._expr(work)
        for part in reversed(later):
            self._op(part.op, part.span)

    def _folds(self, node: Expr) -> bool:
        return self._profile.fold and self._constant(node) is not None

    def _scaled(self, node: Number) -> float:
        scale = {"bare": 1.0, "linear": self._profile.linear, "angular": self._profile.angular}[node.unit]
        return node.value * scale

    def _tell_of_wrap(self, node: Number, value: float) -> None:
        """Warn of a quantity that 32 bits hold as a negative one."""
        if 2**31 <= value < 2**32 and not node.bits:
            text = f"{value:.0f} does not fit 32 bits with a sign: it will be {int32(int(value))}"
            self._warn("bos-number-range", text, node.span)

    def _word(self, value: float, span: Span, rounded: Callable[[float], int]) -> None:
        if not -(2**31) - 1 < value < 2**32:
            self._error("bos-number-range", f"the value {value:g} does not fit 32 bits", span)
            value = 0.0
        self._op("push-constant", span, rounded(value))

    def _constant(self, node: Expr) -> float | None:
        """The value of an operation on constants only, or None. What was found is kept for the operation
        around it."""
        spine: list[Binary] = []
        while isinstance(node, Binary) and node.op in FOLDABLE and node not in self._constants:
            spine.append(node)
            node = node.left
        value = self._scaled(node) if isinstance(node, Number) else self._constants.get(node)
        for part in reversed(spine):
            right = self._constant(part.right)
            value = None if value is None or right is None else _fold(part.op, value, right)
            self._constants[part] = value
        return value

    def _get(self, node: Get) -> None:
        self._expr(node.port)
        if node.args is None:
            self._op("get-unit-value", node.span)
            return
        for arg in node.args:
            self._expr(arg)
        for _ in range(GET_ARGUMENTS - len(node.args)):
            self._op("push-constant", node.span, 0)
        self._op("get", node.span)


def _nearest(value: float) -> int:
    return math.floor(value + 0.5)


def _fold(op: str, left: float, right: float) -> float | None:
    """The value, or None where only the machine can tell: a division by 0, and what does not fit 32 bits."""
    match op:
        case "add":
            value = left + right
        case "sub":
            value = left - right
        case "mul":
            value = left * right
        case _:
            if right == 0:
                return None
            value = left / right
    return value if -(2**31) - 1 < value < 2**32 else None
