"""A second, slow implementation of the language to compare with: it walks the tree, and a thread is a generator.

It shares only the operators with the engine. Arrays are copied whenever they move, conditions are evaluated as values,
and errors carry the offset of the blamed text, so that the engine's places can be compared too.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine.gsc import syntax as s
from engine.gsc.program import Program
from engine.vm import operators as op
from engine.vm.arrays import Array
from engine.vm.containers import get_field, writable
from engine.vm.errors import ScriptError
from engine.vm.objects import ScriptObject, ScriptStruct
from engine.vm.scheduler import delay

Steps = Generator[tuple[Any, ...], tuple[Any, ...], Any]

BINARY = {
    "+": op.make_add(1 << 20, str),
    "-": op.subtract, "*": op.multiply, "/": op.divide, "%": op.remainder, "|": op.bit_or,
    "^": op.bit_xor, "&": op.bit_and, "<<": op.shift_left, ">>": op.shift_right, "==": op.equal, "!=": op.not_equal,
    "<": op.less, ">": op.greater, "<=": op.less_equal, ">=": op.greater_equal,
}  # fmt: skip


class Table(dict[Any, Any]):
    """An array; the operators see it under the engine's class, so it is wrapped for them."""


class Leave(Exception):
    def __init__(self, kind: str, value: Any = None) -> None:
        self.kind = kind
        self.value = value


def copy(value: Any) -> Any:
    return Table({k: copy(v) for k, v in value.items()}) if isinstance(value, Table) else value


def opaque(value: Any) -> Any:
    """A value as the operators may see it: every array is one and the same kind of object."""
    return Array() if isinstance(value, Table) else value


class Reference:
    def __init__(self, program: Program, recovers: bool) -> None:
        self.program = program
        self.recovers = recovers
        self.level = ScriptStruct()
        self.out: list[str] = []
        self.errors: list[tuple[str, int]] = []
        self.now = 0
        self.buckets: dict[int, list[tuple[Steps, tuple[Any, ...]]]] = {}
        self.waiting: list[tuple[str, int, Steps]] = []

    # ---- threads ---------------------------------------------------------------------------------------

    def start(self, name: str, args: list[Any]) -> None:
        self.run(self.call(name, args), None)

    def run(self, steps: Steps, sent: tuple[Any, ...] | None) -> None:
        try:
            request = steps.send(sent)  # type: ignore[arg-type]
        except StopIteration:
            return
        except ScriptError as error:
            self.errors.append((error.message, error.at))  # type: ignore[attr-defined]
            return
        if request[0] == "wait":
            self.buckets.setdefault(self.now + request[1], []).append((steps, ()))
        else:
            self.waiting.append((request[1], request[2], steps))

    def notify(self, event: str, args: list[Any]) -> None:
        woken = [w for w in self.waiting if w[0] == event]
        self.waiting = [w for w in self.waiting if w[0] != event]
        for _, count, steps in reversed(woken):
            values = [*args[:count], *[None] * (count - len(args))]
            self.buckets.setdefault(self.now, []).append((steps, tuple(values)))

    def play(self, until: int) -> None:
        self.start("main", [])
        while self.now <= until:
            bucket = self.buckets.get(self.now)
            while bucket:
                steps, values = bucket.pop()
                self.run(steps, values)
            self.now += 1

    def attempt(self, at: int, operation: Any, *operands: Any, fallback: Any = None) -> Any:
        """Apply the error policy to one operation."""
        try:
            return operation(*operands)
        except ScriptError as error:
            if self.recovers:
                self.errors.append((error.message, at))
                return error.result if fallback is None else fallback
            error.at = at  # type: ignore[attr-defined]
            raise

    # ---- expressions -----------------------------------------------------------------------------------

    def call(self, name: str, args: list[Any]) -> Steps:
        function = self.program.scripts["main"].functions[name]
        scope: dict[str, Any] = dict(zip(function.params, args, strict=False))
        try:
            yield from self.execute(function.body, scope)
        except Leave as leave:
            return leave.value
        return None

    def truth(self, node: s.Expr, scope: dict[str, Any]) -> Steps:
        value = yield from self.value(node, scope)
        return self.attempt(node.start, op.truth, opaque(value), fallback=0)

    def value(self, node: s.Expr, scope: dict[str, Any]) -> Steps:
        match node:
            case s.IntLiteral() | s.FloatLiteral() | s.StringLiteral():
                return node.value
            case s.Undefined():
                return None
            case s.EmptyArray():
                return Table()
            case s.Predefined():
                return self.level
            case s.LocalVar():
                return scope.get(node.name)
            case s.VectorLiteral():
                parts = []
                for part in (node.z, node.y, node.x):
                    parts.append((yield from self.value(part, scope)))
                z, y, x = (opaque(p) for p in parts)
                return self.attempt(node.start, op.make_vector, x, y, z)
            case s.FieldAccess():
                owner = yield from self.value(node.object, scope)
                if isinstance(owner, Table):
                    return owner.get(node.name)
                return self.attempt(node.at, get_field, owner, node.name)
            case s.Index():
                key = yield from self.value(node.key, scope)
                container = yield from self.value(node.container, scope)
                if isinstance(container, Table):
                    return container.get(self.attempt(node.at, op.check_key, opaque(key)))
                return self.attempt(node.at, op.index, container, opaque(key))
            case s.Size():
                operand = yield from self.value(node.operand, scope)
                return len(operand) if isinstance(operand, Table) else self.attempt(node.at, op.size, operand)
            case s.Unary(op="!"):
                return 0 if (yield from self.truth(node.operand, scope)) else 1
            case s.Unary():
                return self.attempt(
                    node.at, op.complement, opaque((yield from self.value(node.operand, scope)))
                )
            case s.Cast():
                operand = opaque((yield from self.value(node.operand, scope)))
                return self.attempt(node.at, op.CASTS[node.kind], operand)
            case s.Binary():
                left = opaque((yield from self.value(node.left, scope)))
                right = opaque((yield from self.value(node.right, scope)))
                return self.attempt(node.at, BINARY[node.op], left, right)
            case s.Logical():
                left = yield from self.value(node.left, scope)
                whole = (
                    left
                    if left.__class__ is int
                    else self.attempt(first_at(node), op.truth, opaque(left), fallback=0)
                )
                if bool(whole) == (node.op == "||"):
                    return whole
                return (yield from self.truth(node.right, scope))
            case s.Call():
                return (yield from self.call_value(node, scope))
        raise NotImplementedError(type(node))

    def call_value(self, node: s.Call, scope: dict[str, Any]) -> Steps:
        args = []
        for argument in reversed(node.args):
            args.append(copy((yield from self.value(argument, scope))))
        args.reverse()
        assert isinstance(node.target, s.NamedTarget)
        name = node.target.name
        if name == "println":
            self.out.append("".join(shown(a) for a in args))
            return None
        if name == "isdefined":
            return 0 if args[0] is None else 1
        if node.threaded:
            steps = self.call(name, args)
            self.run(steps, None)
            return None
        return copy((yield from self.call(name, args)))

    # ---- statements ------------------------------------------------------------------------------------

    def execute(self, node: s.Stmt, scope: dict[str, Any]) -> Steps:
        match node:
            case s.Block():
                for part in node.body:
                    yield from self.execute(part, scope)
            case s.Assign():
                value = copy((yield from self.value(node.value, scope)))
                yield from self.store(node.target, value, scope, removes=isinstance(node.value, s.Undefined))
            case s.CompoundAssign():
                old = yield from self.value(node.target, scope)
                right = yield from self.value(node.value, scope)
                result = self.attempt(node.at, BINARY[node.op], opaque(old), opaque(right))
                yield from self.store(node.target, result, scope)
            case s.Increment():
                old = yield from self.value(node.target, scope)
                result = self.attempt(node.at, op.increment, opaque(old), node.delta)
                yield from self.store(node.target, result, scope)
            case s.CallStatement():
                yield from self.value(node.call, scope)
            case s.Return():
                raise Leave(
                    "return", None if node.value is None else copy((yield from self.value(node.value, scope)))
                )
            case s.If():
                if (yield from self.truth(node.condition, scope)):
                    yield from self.execute(node.then, scope)
                elif node.otherwise is not None:
                    yield from self.execute(node.otherwise, scope)
            case s.While():
                while (yield from self.truth(node.condition, scope)):
                    if (yield from self.leaves(node.body, scope)):
                        break
            case s.DoWhile():
                while True:
                    if (yield from self.leaves(node.body, scope)):
                        break
                    if not (yield from self.truth(node.condition, scope)):
                        break
            case s.For():
                if node.init is not None:
                    yield from self.execute(node.init, scope)
                while node.condition is None or (yield from self.truth(node.condition, scope)):
                    if (yield from self.leaves(node.body, scope)):
                        break
                    if node.step is not None:
                        yield from self.execute(node.step, scope)
            case s.Switch():
                yield from self.switch(node, scope)
            case s.Break():
                raise Leave("break")
            case s.Continue():
                raise Leave("continue")
            case s.Wait():
                seconds = opaque((yield from self.value(node.seconds, scope)))
                ms = self.attempt(node.start, delay, seconds)
                if ms is not None:
                    yield ("wait", ms)
            case s.WaitTill():
                event = yield from self.value(node.event, scope)
                values = yield ("till", event, len(node.names))
                scope.update(zip(node.names, values, strict=True))
            case s.Notify():
                args = []
                for argument in reversed(node.args):
                    args.append(copy((yield from self.value(argument, scope))))
                event = yield from self.value(node.event, scope)
                self.notify(event, args[::-1])

    def leaves(self, body: s.Stmt, scope: dict[str, Any]) -> Steps:
        try:
            yield from self.execute(body, scope)
        except Leave as leave:
            if leave.kind == "return":
                raise
            return leave.kind == "break"
        return False

    def switch(self, node: s.Switch, scope: dict[str, Any]) -> Steps:
        value = yield from self.value(node.value, scope)
        if self.attempt(node.value.start, op.switch_value, opaque(value)) is None:
            return
        labels = [i for i, p in enumerate(node.body) if isinstance(p, s.Case) and same(p.label, value)]
        labels += [i for i, p in enumerate(node.body) if isinstance(p, s.Default)]
        try:
            for part in node.body[labels[0] :] if labels else ():
                yield from self.execute(part, scope)
        except Leave as leave:
            if leave.kind != "break":
                raise

    def store(self, target: s.Reference, value: Any, scope: dict[str, Any], removes: bool = False) -> Steps:
        if isinstance(target, s.LocalVar):
            scope[target.name] = value
        elif isinstance(target, s.FieldAccess):
            owner = yield from self.value(target.object, scope)
            if not isinstance(owner, ScriptObject):
                self.attempt(target.at, get_field, opaque(owner), target.name)
            elif removes:
                owner.remove_field(target.name)
            else:
                owner.write_field(target.name, value)
        else:
            key = opaque((yield from self.value(target.key, scope)))
            table = yield from self.reach(target.container, scope)
            if isinstance(table, Table):
                key = self.attempt(target.at, op.check_key, key)
                if key is not None:
                    if removes:
                        table.pop(key, None)
                    else:
                        table[key] = value

    def reach(self, node: s.Expr, scope: dict[str, Any]) -> Steps:
        """The table that `node` means, made where there is none; None where it cannot be one."""
        if isinstance(node, s.LocalVar):
            found = scope.get(node.name)
            if found is None:
                found = scope[node.name] = Table()
            at = node.start
        elif isinstance(node, s.FieldAccess):
            owner = yield from self.value(node.object, scope)
            found = owner.get_field(node.name)
            if found is None:
                found = Table()
                owner.write_field(node.name, found)
            at = node.start
        else:
            assert isinstance(node, s.Index)
            key = opaque((yield from self.value(node.key, scope)))
            parent = yield from self.reach(node.container, scope)
            if not isinstance(parent, Table):
                return None
            key = self.attempt(node.at, op.check_key, key)
            if key is None:
                return None
            found = parent.get(key)
            if found is None:
                found = parent[key] = Table()
            at = node.at
        if not isinstance(found, Table):
            self.attempt(at, writable, found)
            return None
        return found


def same(label: Any, value: Any) -> bool:
    return label.__class__ is value.__class__ and label == value


def shown(value: Any) -> str:
    if value is None:
        return "undefined"
    if isinstance(value, Table):
        return "array"
    return "struct" if isinstance(value, ScriptObject) else op.to_text(value)


def first_at(node: s.Logical) -> int:
    left: s.Expr = node
    while isinstance(left, s.Logical):
        left = left.left
    return left.start
