"""Programs back to BOS: the compile scheme read backwards, for one profile's compiler.

Every construct has one form in code words, so statements are found by their ends: an expression stack that is
empty again begins a new one, and a conditional jump with what stands before its target tells `while` from `if` from
`if ... else`. What no source of that compiler could have become is refused by function.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from engine.cob import bos_text
from engine.cob.bos_text import Constant, Draw, Operation, Read, Unit, Value, ValueText, Variable
from engine.cob.container import TAK, CobFile
from engine.cob.decompiler_names import Names
from engine.cob.disassembler import AXES, Instruction, instructions, signed
from engine.cob.isa import BANNER_MARKER, Op, Shape
from engine.cob.profiles import PROFILES, Profile
from engine.source import Diagnostic, SourceText

_OPERATORS = frozenset(bos_text.SIGNS)
"""The instructions that are operators with two sides."""

_INDENT = "    "


class _Unstructured(Exception):
    """Nothing in the language becomes this; the message says what."""


@dataclass(slots=True)
class Decompiled:
    """BOS text, and what could not be brought into it."""

    text: str
    problems: list[Diagnostic] = field(default_factory=list)


def decompile(cob: CobFile, profile: Profile = PROFILES["scriptor"], path: str = "<cob>") -> Decompiled:
    """Source that the profile's compiler makes the same program of, where there is such a source."""
    return _Decompiler(cob, profile, path).run()


class _Decompiler:
    def __init__(self, cob: CobFile, profile: Profile, path: str) -> None:
        self._cob = cob
        self._profile = profile
        self._source = SourceText(path, b"")
        self._problems: list[Diagnostic] = []
        self._names = Names(cob)
        self._values = ValueText(profile, self._names.words)

    def _say(self, code: str, message: str, warning: bool = False) -> None:
        severity = "warning" if warning else "error"
        self._problems.append(Diagnostic(code, message, self._source.span(0), severity))  # type: ignore[arg-type]  # of two

    def run(self) -> Decompiled:
        cob = self._cob
        for problem in self._names.problems:
            self._say("cob-name", problem)
        entries = [script.entry for script in cob.scripts]
        if entries != sorted(entries):
            self._say(
                "cob-order", "the scripts do not lie in the order of their names, as compilers lay them out"
            )
        if cob.layout is not None and cob.trailing:
            self._say("cob-trailing", "the records behind the tables cannot be told in BOS", True)
        listed = list(instructions(cob))
        if any(i.op is None and i.words[0] == BANNER_MARKER for i in listed):
            self._say("cob-banner", "the compiler's banner behind the first script is left out", True)
        bodies: list[str] = []
        for index, script in enumerate(cob.scripts):
            ends = [entry for entry in entries[index + 1 :] if entry >= script.entry]
            end = ends[0] if ends else len(cob.code)
            mine = [i for i in listed if script.entry <= i.at < end and not _banner(i)]
            function = _Function(cob, self._profile, self._names, self._values, index, mine)
            bodies.append(function.text())
            if function.problem:
                self._say("cob-structure", f"script '{script.name}': {function.problem}")
        head = self._names.declarations()
        return Decompiled("\n".join([*head, "", "\n\n".join(bodies), ""]), self._problems)


def _banner(instruction: Instruction) -> bool:
    return instruction.op is None and instruction.words[0] == BANNER_MARKER


class _Function:
    def __init__(
        self,
        cob: CobFile,
        profile: Profile,
        names: Names,
        values: ValueText,
        index: int,
        listed: list[Instruction],
    ) -> None:
        self._cob = cob
        self._profile = profile
        self._names = names
        self._values = values
        self._script = index
        self._listed = listed
        self._where = {instruction.at: k for k, instruction in enumerate(listed)}
        self._end = listed[-1].end if listed else 0
        self._where[self._end] = len(listed)
        self.problem = ""
        leading = 0
        while leading < len(listed) and _named(listed[leading]) == "alloc-local":
            leading += 1
        if leading < len(listed) and _named(listed[leading]) == "return":
            leading -= 1  # the word that a bare return pushes
        self._params = names.params(index, max(0, leading), listed)
        self._failed: set[tuple[int, int, int]] = set()

    def text(self) -> str:
        name = self._cob.scripts[self._script].name
        head = f"{name}({', '.join(self._params)})"
        if not self._listed:
            if self._profile.empty_return:
                self.problem = "this compiler gives every function at least a return"
            return f"{head}\n{{\n}}"
        try:
            if any(i.op is None for i in self._listed):
                raise _Unstructured("holds words that are no instructions")
            lines = self._body()
        except _Unstructured as problem:
            self.problem = str(problem)
            lines = [f"// not told in BOS: {problem}"]
        return "\n".join([head, "{", *(_INDENT + line for line in lines), "}"])

    def _body(self) -> list[str]:
        """The statements, without the return that the compiler adds; with it where jumps lead behind it."""
        first = len(self._params)
        closing = self._closing()
        if closing < len(self._listed):
            with suppress(_Unstructured):
                return self._block(first, closing, first)[0]
        return self._block(first, len(self._listed), first)[0]

    def _closing(self) -> int:
        """How many instructions there are without the return that the compiler adds at the end."""
        count = len(self._listed)
        first = "alloc-local" if self._cob.version == TAK else "push-constant"
        if count - 2 <= len(self._params) or _named(self._listed[-1]) != "return":
            return count
        pushed = self._listed[-2]
        added = _named(pushed) == first and (first == "alloc-local" or pushed.operands == (0,))
        # Behind a return that was written the compiler adds none, and a jump to behind this one needs it seen.
        return count - 2 if added and _named(self._listed[-3]) != "return" else count

    # ---- statements -----------------------------------------------------------------------------------

    def _block(self, at: int, end: int, locals_: int) -> tuple[list[str], int]:
        """The statements from instruction `at` up to `end`, and the locals declared behind them."""
        if (at, end, locals_) in self._failed:
            raise _Unstructured("jumps as no loop or condition does")
        try:
            return self._statements(at, end, locals_)
        except _Unstructured:
            self._failed.add((at, end, locals_))
            raise

    def _statements(self, at: int, end: int, locals_: int) -> tuple[list[str], int]:
        lines: list[str] = []
        stack: list[Value] = []
        begin = at
        while at < end:
            instruction = self._listed[at]
            op = instruction.op
            assert op is not None
            if not stack:
                begin = at
            if op.name == "jump-if-false":
                condition = self._one(stack)
                part, at, locals_ = self._branch(begin, at, end, condition, locals_)
                lines += part
                continue
            at += 1
            if op.name == "alloc-local":
                if stack:
                    raise _Unstructured("declares a variable inside an expression")
                following = self._listed[at] if at < end else None
                if _named(following) == "return" and self._bare():
                    lines.append("return;")
                    at += 1
                else:
                    lines.append(f"var {self._names.local(self._params, locals_)};")
                    locals_ += 1
                continue
            if op.name in ("play-sound", "mission-command"):
                if _named(self._listed[at] if at < end else None) != "discard":
                    raise _Unstructured(f"uses the value of {op.name}")
                lines.append(self._kingdoms(op, instruction.operands, stack))
                at += 1
                continue
            if self._expression(op, instruction, stack, locals_):
                continue
            lines.append(self._statement(op, instruction, stack, locals_))
            if stack:
                raise _Unstructured("leaves operands behind that nothing takes")
        if stack:
            raise _Unstructured("leaves operands behind that nothing takes")
        return lines, locals_

    def _bare(self) -> bool:
        return self._cob.version == TAK or self._profile.bare_return == "alloc"

    def _branch(
        self, begin: int, at: int, end: int, condition: Value, locals_: int
    ) -> tuple[list[str], int, int]:
        target = self._where.get(self._listed[at].operands[0])
        if target is None or not at < target <= end:
            raise _Unstructured("jumps as no loop or condition does")
        head = self._values.of(condition)
        inner = at + 1
        back = self._listed[target - 1]
        if target > inner and _named(back) == "jump":
            goal = self._where.get(back.operands[0])
            if goal == begin:
                body, locals_ = self._block(inner, target - 1, locals_)
                return [f"while ({head})", *_braced(body)], target, locals_
            if goal is not None and target <= goal <= end:
                try:
                    then, after = self._block(inner, target - 1, locals_)
                    other, after = self._block(target, goal, after)
                    return self._if_else(head, then, other), goal, after
                except _Unstructured:
                    pass  # the jump may belong to an if inside whose else is empty
        then, after = self._block(inner, target, locals_)
        return [f"if ({head})", *_braced(then)], target, after

    def _if_else(self, head: str, then: list[str], other: list[str]) -> list[str]:
        if other and other[0].startswith("if (") and _one_statement(other):
            return [f"if ({head})", *_braced(then), f"else {other[0]}", *other[1:]]
        return [f"if ({head})", *_braced(then), "else", *_braced(other)]

    # ---- expressions ----------------------------------------------------------------------------------

    def _one(self, stack: list[Value]) -> Value:
        if len(stack) != 1:
            raise _Unstructured("takes operands across a branch")
        return stack.pop()

    def _take(self, stack: list[Value], count: int) -> list[Value]:
        if len(stack) < count:
            raise _Unstructured("takes operands that were never pushed")
        taken = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        return taken

    def _expression(self, op: Op, instruction: Instruction, stack: list[Value], locals_: int) -> bool:
        """Whether the instruction belongs to an expression, which then is on the stack."""
        match op.name:
            case "push-constant":
                stack.append(Constant(signed(instruction.operands[0])))
            case "push-local" | "push-static":
                stack.append(Variable(self._variable(op, instruction.operands[0], locals_)))
            case "not":
                stack.append(Operation("not", None, self._take(stack, 1)[0]))
            case "rand":
                low, high = self._take(stack, 2)
                stack.append(Draw(low, high))
            case "get-unit-value":
                stack.append(Read(self._take(stack, 1)[0], None))
            case "get":
                port, *args = self._take(stack, 5)
                while len(args) > 1 and args[-1] == Constant(0):
                    args.pop()
                stack.append(Read(port, tuple(args)))
            case "mod" | "bit-xor" if not self._profile.modern_operators:
                raise _Unstructured(f"needs an operator that the {self._profile.name} compiler lacks")
            case name if name in _OPERATORS:
                left, right = self._take(stack, 2)
                stack.append(Operation(name, left, right))
            case _:
                return False
        return True

    def _variable(self, op: Op, index: int, locals_: int) -> str:
        if op.name.endswith("-static"):
            if index >= self._cob.statics:
                raise _Unstructured(f"names static {index} of {self._cob.statics}")
            return self._names.statics[index]
        if index >= locals_:
            raise _Unstructured(f"names local {index} before it is declared")
        return self._names.local(self._params, index)

    def _statement(self, op: Op, instruction: Instruction, stack: list[Value], locals_: int) -> str:
        """The statement that an instruction ends."""
        value, operands = self._values.of, instruction.operands
        if op.shape in (Shape.PIECE, Shape.PIECE_AXIS):
            return self._piece_statement(op, operands, stack)
        match op.name:
            case "pop-local" | "pop-static":
                name = self._variable(op, operands[0], locals_)
                assigned = self._take(stack, 1)[0]
                match assigned:
                    case Operation("add" | "sub" as step, Variable(same), Constant(1)) if same == name:
                        return f"{'++' if step == 'add' else '--'}{name};"
                piece = self._names.queried_piece(self._script, op.name, operands[0], assigned)
                return f"{name} = {piece or value(assigned)};"
            case "start-script" | "call-script":
                return self._call(op.name, operands, stack)
            case "discard":
                thrown = self._take(stack, 1)[0]
                if not isinstance(thrown, Read):
                    raise _Unstructured("throws away a value that is no get")
                return f"{value(thrown)};"
            case "return":
                return f"return ({value(self._take(stack, 1)[0])});"
            case "sleep" | "signal" | "set-signal-mask" | "drop-unit":
                return f"{op.name} {value(self._take(stack, 1)[0])};"
            case "set-unit-value":
                port, given = self._take(stack, 2)
                return f"set {value(port, None, 'port')} to {value(given)};"
            case "attach-unit":
                cargo, place, extra = self._take(stack, 3)
                if extra != Constant(0):
                    raise _Unstructured("attaches with a third value")
                return f"attach-unit {value(cargo)} to {self._names.piece_value(place) or value(place)};"
            case _:
                raise _Unstructured(f"'{op.name}' has no statement")

    def _call(self, name: str, operands: tuple[int, ...], stack: list[Value]) -> str:
        script, count = operands[0], signed(operands[1])
        if script >= len(self._cob.scripts) or count < 0:
            raise _Unstructured("calls a script that is not there")
        args = self._take(stack, count)
        return f"{name} {self._cob.scripts[script].name}({', '.join(map(self._values.of, args))});"

    def _kingdoms(self, op: Op, operands: tuple[int, ...], stack: list[Value]) -> str:
        """play-sound and mission-command, whose value the statement throws away."""
        if operands[0] >= len(self._cob.sounds):
            raise _Unstructured(f"{op.name} names a sound that is not there")
        count = 1 if op.name == "play-sound" else max(0, signed(operands[1]))
        args = [self._values.of(arg) for arg in self._take(stack, count)]
        return f"{op.name}({', '.join([_quoted(self._cob.sounds[operands[0]]), *args])});"

    def _piece_statement(self, op: Op, operands: tuple[int, ...], stack: list[Value]) -> str:
        if operands[0] >= len(self._cob.pieces) or (len(operands) > 1 and operands[1] > 2):
            raise _Unstructured("names a piece or an axis that is not there")
        piece = self._cob.pieces[operands[0]]
        axis = AXES[operands[1]] if len(operands) > 1 else ""
        taken = self._take(stack, op.pops)

        def text(value: Value, unit: Unit | None = None, words: str = "") -> str:
            return self._values.of(value, unit, words)

        unit: Unit = "linear" if op.name.startswith("move") else "angular"
        match op.name:
            case "move" | "turn":
                return f"{op.name} {piece} to {axis} {text(taken[1], unit)} speed {text(taken[0], unit)};"
            case "move-now" | "turn-now":
                return f"{op.name[:4]} {piece} to {axis} {text(taken[0], unit)} now;"
            case "spin":
                more = "" if taken[0] == Constant(0) else f" accelerate {text(taken[0], unit)}"
                return f"spin {piece} around {axis} speed {text(taken[1], unit)}{more};"
            case "stop-spin":
                more = "" if taken[0] == Constant(0) else f" decelerate {text(taken[0], unit)}"
                return f"stop-spin {piece} around {axis}{more};"
            case "wait-for-turn":
                return f"wait-for-turn {piece} around {axis};"
            case "wait-for-move":
                return f"wait-for-move {piece} along {axis};"
            case "emit-sfx":
                return f"emit-sfx {text(taken[0], None, 'sfx')} from {piece};"
            case "explode":
                return f"explode {piece} type {text(taken[0], None, 'explode')};"
            case "legacy-effect":
                raise _Unstructured("'legacy-effect' has no statement")
            case _:
                return f"{op.name} {piece};"


def _named(instruction: Instruction | None) -> str:
    return instruction.op.name if instruction is not None and instruction.op is not None else ""


def _quoted(name: str) -> str:
    return f'"{name}"'


def _braced(lines: list[str]) -> list[str]:
    return ["{", *(_INDENT + line for line in lines), "}"]


def _one_statement(lines: list[str]) -> bool:
    """Whether the lines are a single if with its elses."""
    return all(line.startswith((_INDENT, "{", "}", "else")) for line in lines[1:])
