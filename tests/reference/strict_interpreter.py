"""The reference interpreter for Modern Warfare 2: what its scripts do otherwise than those of United Offensive."""

from __future__ import annotations

from typing import Any

from engine.gsc import syntax as s
from engine.gsc.program import Program
from tests.reference import strict_operators
from tests.reference.interpreter import Interpreter, Leave
from tests.reference.machine import Activation, Steps, Thread, Wish
from tests.reference.natives import Natives
from tests.reference.strict_machine import Scope, StrictMachine, Unwound
from tests.reference.strict_natives import StrictNatives
from tests.reference.values import Builtin, Table, Thing


class StrictInterpreter(Interpreter, StrictMachine):
    """One run of a program whose scripts are all of Modern Warfare 2."""

    op = strict_operators
    max_depth = 31
    overflow = "more than 31 calls within one another"
    falls = True
    takes_surplus = True

    def __init__(self, program: Program, *, goes_on: bool) -> None:
        super().__init__(program, goes_on=goes_on, developer=False)

    def natives_of_dialect(self) -> Natives:
        return StrictNatives(self)

    # ---- expressions -----------------------------------------------------------------------------------

    def value(self, node: s.Expr, act: Activation) -> Steps:
        match node:
            case s.FunctionRef(bound=s.NativeFunction() as bound):
                return Builtin(bound.name)
            case s.Conditional():
                chosen = node.then if (yield from self.condition(node.condition, act)) else node.otherwise
                return (yield from self.value(chosen, act))
            case s.Keys():
                array = yield from self.value(node.array, act)
                found = self.attempt(act, (node.start, node.end), self.op.keys, array)
                return Table() if found is None else found
            case s.Unary(op="!"):
                operand = yield from self.value(node.operand, act)
                return self.attempt(act, (node.at, node.at + 1), self.op.logical_not, operand)
            case s.Unary(op="-"):
                operand = yield from self.value(node.operand, act)
                return self.attempt(act, (node.at, node.at + 1), self.op.negated, operand)
            case _:
                return (yield from super().value(node, act))

    def condition(self, node: s.Expr, act: Activation) -> Steps:
        """A value as 0 or 1. What failed as an operation has been told, and counts as true like any failed one."""
        value = yield from self.value(node, act)
        return 1 if failed(node, value) else self.truth(node, value, act, 1)

    def truth(self, node: s.Expr, value: Any, act: Activation, instead: int | None) -> int | None:
        found: int | None = self.attempt(act, (node.start, node.end), self.op.truth, value, failed=instead)
        return found

    def logical(self, node: s.Logical, act: Activation) -> Steps:
        """0 or 1. A failed left side leaves the decision to the right one; a failed right side is undefined."""
        left = yield from self.value(node.left, act)
        neutral = int(node.op == "&&")
        test = neutral if failed(node.left, left) else self.truth(node.left, left, act, neutral)
        if test != neutral:
            return test
        right = yield from self.value(node.right, act)
        return None if failed(node.right, right) else self.truth(node.right, right, act, None)

    # ---- calls -----------------------------------------------------------------------------------------

    def enter(self, script: str, name: str, target: Thing, args: list[Any]) -> Steps:
        """Run a function to its end, or until one of its endons fires."""
        function = self.program.scripts[script].functions[name]
        start = function.name_start
        scope = dict(zip(function.params, args, strict=False))
        thread = self.thread
        level = len(thread.frames)
        act = Activation(script, function, target, scope, (start, start))
        thread.frames.append(act)
        result = None
        try:
            yield from self.execute(function.body, act)
        except Leave as leave:
            result = leave.value
        except Unwound as unwound:
            if unwound.level != level:
                raise
        del thread.frames[level:]
        self.leave(thread, level)
        return result

    def has_started(self, thread: Thread, child: bool) -> None:
        if child and not thread.ended:
            self.thread.children.append(thread)
        self.come_back()

    # ---- statements ------------------------------------------------------------------------------------

    def vanishes(self, node: s.CallStatement) -> bool:
        return node.vanishes

    def came_back(self, act: Activation) -> None:
        """A thread outlives its self."""

    def came_back_from_notify(self) -> None:
        self.come_back()

    def end_on(self, target: Thing, event: str) -> None:
        """Once for each thread and event: an outer call that has asked for it is the one that ends."""
        thread = self.thread
        if not any(s.thread is thread and s.object is target and s.event == event for s in self.scopes):
            level = len(thread.frames) - 1
            self.scopes.append(Scope(self.register(), target, event, thread, level))

    def execute(self, node: s.Stmt, act: Activation) -> Steps:
        if isinstance(node, s.WaitTillFrameEnd):
            yield Wish(0, last=True)
        else:
            yield from super().execute(node, act)


def failed(node: s.Expr, value: Any) -> bool:
    """Whether a value is that of an operator which failed; that was reported already."""
    return value is None and isinstance(node, s.Binary | s.Unary | s.Logical)
