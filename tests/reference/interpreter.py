"""The reference interpreter: walks the bound syntax tree and does what the pages say, one rule after another.

It shares nothing with the compiler and the VM beyond the tree, and is written to be read. Every method that runs script
code is a generator, since any expression may contain a call that waits.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from engine.gsc import syntax as s
from engine.gsc.program import Program
from tests.reference import operators
from tests.reference.machine import (
    MAX_DEPTH,
    MAX_ORIGINS,
    Activation,
    EndThread,
    Machine,
    Origin,
    Place,
    Steps,
    Thread,
    Wish,
    event_of,
)
from tests.reference.natives import DEVELOPER_ONLY, Natives
from tests.reference.places import Places
from tests.reference.values import (
    CASTS,
    Fault,
    GivenUp,
    Localized,
    Pointer,
    Table,
    Thing,
    moved,
)

MAX_STEPS = 25_000
"""Nodes that a program may evaluate before the comparison gives it up."""


class Leave(Exception):
    """A break, continue or return on its way out."""

    def __init__(self, kind: str, value: Any = None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.value = value


class Interpreter(Machine):
    """One run of a program. `out` is what it prints, `reports` what went wrong.

    `op` is the module of the dialect's operators; another dialect has one with the same names."""

    op: ModuleType = operators
    max_depth = MAX_DEPTH
    overflow = "script stack overflow (too many embedded function calls)"
    falls = False
    """Whether a failed condition goes into its body and a failed switch to its default."""
    takes_surplus = False
    """Whether arguments beyond the parameters are no error."""

    def __init__(self, program: Program, *, goes_on: bool, developer: bool) -> None:
        super().__init__(goes_on=goes_on)
        self.program = program
        self.developer = developer
        self.game = Table()
        self.out: list[str] = []
        self.natives = self.natives_of_dialect()
        self.places = Places(self)
        self.steps = 0

    def natives_of_dialect(self) -> Natives:
        return Natives(self)

    def play(self, script: str, name: str, frames: int) -> None:
        """Start a function on `level` and run so many server frames, or until no thread waits for a time."""
        steps = self.enter(script, name, self.level, [])
        self.run(Thread(steps, None))
        self.drain()
        while frames and not self.idle:
            self.frame()
            frames -= 1

    def step(self) -> None:
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise GivenUp

    # ---- the error policy ------------------------------------------------------------------------------

    def attempt(
        self, act: Activation, place: Place, operation: Callable[..., Any], *operands: Any, failed: Any = None
    ) -> Any:
        """An operation that may fail at `place`. Where the thread goes on, it yields undefined, 0 for a division, and
        `failed` where that is given (facts 7.3)."""
        act.place = place
        try:
            return operation(*operands)
        except Fault as fault:
            if not self.goes_on:
                raise
            self.report(fault.message, self.thread)
            return fault.result if failed is None else failed

    # ---- expressions -----------------------------------------------------------------------------------

    def value(self, node: s.Expr, act: Activation) -> Steps:
        self.step()
        match node:
            case s.Undefined():
                return None
            case s.IntLiteral() | s.FloatLiteral() | s.StringLiteral():
                return node.value
            case s.LocalizedLiteral():
                return Localized(node.value)
            case s.EmptyArray():
                return Table()
            case s.FunctionRef():
                assert isinstance(node.bound, s.ScriptFunction)
                return Pointer(node.bound.script, node.bound.name)
            case s.LocalVar():
                return act.scope.get(node.name)
            case s.Predefined():
                return self.predefined(node.name, act)
            case s.VectorLiteral():
                z = yield from self.value(node.z, act)
                y = yield from self.value(node.y, act)
                x = yield from self.value(node.x, act)
                return self.attempt(act, (node.start, node.end), self.op.vector_of, x, y, z)
            case s.FieldAccess():
                owner = yield from self.value(node.object, act)
                return self.attempt(act, (node.at, node.at + len(node.name)), self.op.field, owner, node.name)
            case s.Index():
                key = yield from self.value(node.key, act)
                container = yield from self.value(node.container, act)
                return self.attempt(act, (node.at, node.at + 1), self.op.element, container, key)
            case s.Size():
                operand = yield from self.value(node.operand, act)
                return self.attempt(act, (node.at, node.at + 5), self.op.size, operand)
            case s.Unary(op="!"):
                return 1 - (yield from self.condition(node.operand, act))
            case s.Unary():
                operand = yield from self.value(node.operand, act)
                return self.attempt(act, (node.at, node.at + 1), self.op.complement, operand)
            case s.Cast():
                operand = yield from self.value(node.operand, act)
                place = (node.at, node.at + len(node.kind) + 2)
                return self.attempt(act, place, CASTS[node.kind], operand)
            case s.Binary():
                # An operand on the stack is a value: what the right side does to a variable does not change it.
                left = moved((yield from self.value(node.left, act)))
                right = yield from self.value(node.right, act)
                return self.attempt(
                    act, (node.at, node.at + len(node.op)), self.op.binary, node.op, left, right
                )
            case s.Logical():
                return (yield from self.logical(node, act))
            case s.Call():
                return (yield from self.call(node, act))
            case _:
                raise GivenUp(type(node).__name__)

    def predefined(self, name: str, act: Activation) -> Any:
        return {"self": act.self, "level": self.level, "anim": self.anim, "game": self.game}[name]

    def condition(self, node: s.Expr, act: Activation) -> Steps:
        """A value as 0 or 1; a failed condition counts as what the dialect says (facts 7.3)."""
        value = yield from self.value(node, act)
        return self.attempt(act, (node.start, node.end), self.op.truth, value, failed=int(self.falls))

    def logical(self, node: s.Logical, act: Activation) -> Steps:
        """The left operand's own payload is the result where it decides and is an int."""
        left = yield from self.value(node.left, act)
        if not isinstance(left, int):
            left = self.attempt(act, (node.left.start, node.left.end), self.op.truth, left, failed=0)
        if (left != 0) == (node.op == "||"):
            return left
        return (yield from self.condition(node.right, act))

    # ---- calls -----------------------------------------------------------------------------------------

    def arguments(self, nodes: list[s.Expr], act: Activation) -> Steps:
        """From the right to the left (facts 5.1)."""
        values = []
        for node in reversed(nodes):
            values.append(moved((yield from self.value(node, act))))
        return values[::-1]

    def call(self, node: s.Call, act: Activation) -> Steps:
        args = yield from self.arguments(node.args, act)
        target = act.self if node.object is None else (yield from self.value(node.object, act))
        place = (node.at, max(node.at, node.target.end))
        if isinstance(node.target, s.PointerTarget):
            callee = yield from self.value(node.target.value, act)
            if node.native:
                return self.attempt(act, place, self.natives.call_value, callee, args)
        elif isinstance(node.target.bound, s.NativeFunction):
            return self.attempt(act, place, self.natives.call, node.target.bound.name, args)
        else:
            assert node.target.bound is not None
            callee = Pointer(node.target.bound.script, node.target.bound.name)
        act.place = place
        try:
            if node.object is not None:
                self.op.receiver(target)
            self.op.script_function(callee)
            if node.threaded:
                result = self.start(callee, target, args, act, node.child)
            else:
                result = yield from self.enter_from(act, place, callee, target, args)
        except Fault as fault:
            # Where threads go on, no fault leaves the callee: it is the call itself that failed.
            if not self.goes_on:
                raise
            self.report(fault.message, self.thread)
            result = None
        self.came_back(act)
        return moved(result)

    def came_back(self, act: Activation) -> None:
        """Control is in `act` again: a return to a frame whose self has died ends the thread (facts 4.4)."""
        if act.self.dead:
            raise EndThread

    def function(self, callee: Pointer) -> s.Function:
        return self.program.scripts[callee.script].functions[callee.name]

    def check_depth(self) -> None:
        if self.depth >= self.max_depth:
            raise Fault(self.overflow)

    def enter_from(
        self, act: Activation, place: Place, callee: Pointer, target: Thing, args: list[Any]
    ) -> Steps:
        params = self.function(callee).params
        if len(args) > len(params) and not self.takes_surplus:
            self.attempt(act, place, too_many_parameters)
        self.check_depth()
        return (yield from self.enter(callee.script, callee.name, target, args[: len(params)]))

    def enter(self, script: str, name: str, target: Thing, args: list[Any]) -> Steps:
        """Run a function to its end; the result is what it returns."""
        function = self.program.scripts[script].functions[name]
        start = function.name_start
        act = Activation(
            script, function, target, dict(zip(function.params, args, strict=False)), (start, start)
        )
        frames = self.thread.frames
        frames.append(act)
        try:
            yield from self.execute(function.body, act)
            result = None
        except Leave as leave:
            result = leave.value
        frames.pop()
        return result

    def start(
        self, callee: Pointer, target: Thing, args: list[Any], act: Activation, child: bool = False
    ) -> Any:
        """Start a thread, which runs at once; its result where it has one by then, else undefined (facts 3.8)."""
        self.check_depth()
        starter = self.thread.origin
        if starter is not None and len(starter.chain()) >= MAX_ORIGINS:
            starter = None
        origin = Origin(f"{act.script}::{act.function.name}", act.place, starter)
        params = self.function(callee).params
        thread = Thread(self.enter(callee.script, callee.name, target, args[: len(params)]), origin)
        if len(args) > len(params) and not self.takes_surplus:
            self.report("function called with too many parameters", thread)
            if not self.goes_on:
                return None
        self.run(thread)
        self.has_started(thread, child)
        return thread.result

    def has_started(self, thread: Thread, child: bool) -> None:
        """Control is in the running thread again, which has started another."""

    # ---- statements ------------------------------------------------------------------------------------

    def execute(self, node: s.Stmt, act: Activation) -> Steps:
        match node:
            case s.Empty():
                pass
            case s.Block():
                yield from self.sequence(node.body, act)
            case s.DeveloperBlock():
                if self.developer:
                    yield from self.sequence(node.body, act)
            case s.CallStatement():
                if not self.vanishes(node):
                    yield from self.value(node.call, act)
            case s.Assign():
                # The right side first, then the target (facts 5.2).
                value = moved((yield from self.value(node.value, act)))
                where = yield from self.places.locate(node.target, act)
                if isinstance(node.value, s.Undefined):
                    self.places.clear(where, act)
                else:
                    self.places.write(where, value, act)
            case s.CompoundAssign():
                where = yield from self.places.locate(node.target, act)
                old = moved(self.places.read(where, act))
                right = yield from self.value(node.value, act)
                place = (node.at, node.at + len(node.op))
                result = self.attempt(act, place, self.op.binary, node.op, old, right)
                self.places.write(where, result, act)
            case s.Increment():
                where = yield from self.places.locate(node.target, act)
                old = self.places.read(where, act)
                result = self.attempt(act, (node.at, node.at + 2), self.op.stepped, old, node.delta)
                self.places.write(where, result, act)
            case s.Return():
                value = None if node.value is None else (yield from self.value(node.value, act))
                raise Leave("return", moved(value))
            case s.If():
                if (yield from self.condition(node.condition, act)):
                    yield from self.execute(node.then, act)
                elif node.otherwise is not None:
                    yield from self.execute(node.otherwise, act)
            case s.While():
                yield from self.loop(node.condition, node.body, None, act)
            case s.For():
                if node.init is not None:
                    yield from self.execute(node.init, act)
                yield from self.loop(node.condition, node.body, node.step, act)
            case s.DoWhile():
                while not (yield from self.leaves(node.body, act)):
                    if not (yield from self.condition(node.condition, act)):
                        break
            case s.Switch():
                yield from self.switch(node, act)
            case s.Break():
                raise Leave("break")
            case s.Continue():
                raise Leave("continue")
            case s.Wait():
                yield from self.wait(node, act)
            case s.WaitTill() | s.WaitTillMatch():
                yield from self.wait_for_event(node, act)
            case s.Notify():
                args = yield from self.arguments(node.args, act)
                event = yield from self.value(node.event, act)
                target = yield from self.value(node.object, act)
                where = self.attempt(act, (node.at, node.at + 6), event_of, target, event)
                if where is not None:
                    self.notify(where[0], where[1], args)
                    self.came_back_from_notify()
            case s.EndOn():
                event = yield from self.value(node.event, act)
                target = yield from self.value(node.object, act)
                where = self.attempt(act, (node.at, node.at + 5), event_of, target, event)
                if where is not None:
                    self.end_on(*where)
            case _:
                raise GivenUp(type(node).__name__)

    def vanishes(self, node: s.CallStatement) -> bool:
        """Whether a call statement is developer code that is not wanted."""
        return not self.developer and is_developer_call(node.call)

    def came_back_from_notify(self) -> None:
        """Control is in the running thread again after what it notified."""

    def end_on(self, target: Thing, event: str) -> None:
        self.endons.append((target, event, self.thread))

    def sequence(self, body: list[s.Stmt], act: Activation) -> Steps:
        for part in body:
            yield from self.execute(part, act)

    def leaves(self, body: s.Stmt, act: Activation) -> Steps:
        """Run the body of a loop once; whether it breaks out."""
        self.step()
        try:
            yield from self.execute(body, act)
        except Leave as leave:
            if leave.kind == "return":
                raise
            return leave.kind == "break"
        return False

    def loop(self, condition: s.Expr | None, body: s.Stmt, step: s.Stmt | None, act: Activation) -> Steps:
        while condition is None or (yield from self.condition(condition, act)):
            if (yield from self.leaves(body, act)):
                break
            if step is not None:
                yield from self.execute(step, act)

    def switch(self, node: s.Switch, act: Activation) -> Steps:
        value = yield from self.value(node.value, act)
        place = (node.value.start, node.value.end)
        chosen = self.attempt(act, place, self.op.selector, value)
        if chosen is None and not self.falls:
            return
        at = [
            i
            for i, p in enumerate(node.body)
            if isinstance(p, s.Case) and self.op.same_label(p.label, chosen)
        ]
        at += [i for i, p in enumerate(node.body) if isinstance(p, s.Default)]
        try:
            for part in node.body[at[0] :] if at else []:
                if not isinstance(part, s.Case | s.Default):
                    yield from self.execute(part, act)
        except Leave as leave:
            if leave.kind != "break":
                raise

    # ---- time and events -------------------------------------------------------------------------------

    def wait(self, node: s.Wait, act: Activation) -> Steps:
        seconds = yield from self.value(node.seconds, act)
        delay = self.attempt(act, (node.start, node.end), self.op.milliseconds, seconds)
        if delay is not None:
            yield Wish(delay)

    def wait_for_event(self, node: s.WaitTill | s.WaitTillMatch, act: Activation) -> Steps:
        matches = None
        if isinstance(node, s.WaitTillMatch):
            matches = yield from self.arguments(node.matches, act)
        event = yield from self.value(node.event, act)
        target = yield from self.value(node.object, act)
        word = "waittill" if matches is None else "waittillmatch"
        where = self.attempt(act, (node.at, node.at + len(word)), event_of, target, event)
        if where is None:
            return
        names = node.names if isinstance(node, s.WaitTill) else []
        given = yield Wish(None, where[0], where[1], len(names), matches)
        if names:
            act.scope.update(zip(names, given, strict=True))


def too_many_parameters() -> None:
    raise Fault("function called with too many parameters")


def is_developer_call(node: s.Call) -> bool:
    """Whether a call statement is developer code (language page, "Developer-only code")."""
    bound = node.target.bound if isinstance(node.target, s.NamedTarget) else None
    return isinstance(bound, s.NativeFunction) and bound.name in DEVELOPER_ONLY
