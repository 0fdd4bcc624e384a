"""Expressions to closures: from the syntax tree of the expression front end to what a context runs.

An expression that calls no function of the program is one closure over closures. One that does is a list of
micro-steps, since the call may wait: its operands then lie on the frame, where they can be saved. Python sees names
of scripts only as keys of dictionaries, and values only through `engine.linescript.operators`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from engine.gsc import syntax as s
from engine.linescript import closures
from engine.linescript.faults import Fault
from engine.linescript.functions import REF, HostFunction
from engine.linescript.operators import BINARY, PARTS, UNARY, part
from engine.linescript.program import Closure, Code, Do, Micro, ScriptCall
from engine.linescript.values import Value, truth, type_name
from engine.source.nearest import did_you_mean

if TYPE_CHECKING:
    from engine.linescript.context import Frame


@dataclass(frozen=True, slots=True)
class Signature:
    """What a call must know of a function of the program."""

    name: str
    params: tuple[str, ...]
    refs: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Part:
    """A compiled piece: a closure or micro-steps; `constant` is its value where that is known."""

    closure: Closure | None = None
    micro: list[Micro] | None = None
    constant: Value | None = None

    def steps(self) -> list[Micro]:
        return self.micro if self.micro is not None else [(Do.PUSH, self.closure)]


class Refused(Exception):
    """An expression that cannot be compiled: what is said, and where."""

    def __init__(self, code: str, message: str, place: tuple[int, int], note: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.place = place
        self.note = note


def _constant(value: Value) -> _Part:
    return _Part(closures.constant(value), constant=value)


def _place(node: s.Node) -> tuple[int, int]:
    return node.start, node.end


class Compiler:
    """Compiles the expressions of one function at a time: `refs` are its parameters passed by reference."""

    def __init__(self, functions: Mapping[str, Signature], natives: Mapping[str, HostFunction]) -> None:
        self._functions = functions
        self._natives = natives
        self.refs: frozenset[str] = frozenset()

    def compile(self, node: s.Expr, *, used: bool) -> Code:
        """Compile an expression; `used` is False for a statement that ignores its value. Raises Refused."""
        return self._finish(self._expression(node, used))

    def compile_pair(self, first: s.Expr, last: s.Expr) -> Code:
        """The bounds of a `for`, as one expression with two values."""
        place = (first.start, last.end)

        def pair(frame: Frame, a: Value, b: Value) -> Any:
            for bound in (a, b):
                if bound.__class__ not in (int, float):
                    raise Fault(f"the bounds of 'for' are numbers, not a {type_name(bound)}", place)
            return a, b

        return self._finish(self._combine(pair, [self._expression(first), self._expression(last)]))

    @staticmethod
    def _finish(part: _Part) -> Code:
        return Code(part.closure, tuple(part.micro) if part.micro is not None else None)

    # ---- dispatch -----------------------------------------------------------------------------------

    def _expression(self, node: s.Expr, used: bool = True) -> _Part:
        if isinstance(node, (s.IntLiteral, s.FloatLiteral, s.StringLiteral)):
            return _constant(node.value)
        if isinstance(node, s.LocalVar):
            return self._variable(node)
        if isinstance(node, s.Binary):
            return self._assignment(node) if node.op == "=" else self._binary(node)
        if isinstance(node, s.Unary):
            return self._unary(node)
        if isinstance(node, s.Logical):
            return self._logical(node)
        if isinstance(node, s.Call):
            return self._call(node, used)
        if isinstance(node, s.VectorLiteral):
            return self._vector(node)
        if isinstance(node, s.FieldAccess):
            return self._part(node)
        raise Refused("syntax", "this is no expression of the language", _place(node))

    def _combine(self, function: Callable[..., Value], parts: list[_Part]) -> _Part:
        """`function(frame, *values)` of evaluated parts, left to right."""
        if any(p.micro is not None for p in parts):
            micro = [step for p in parts for step in p.steps()]
            return _Part(micro=[*micro, (Do.APPLY, function, len(parts))])
        closures = [cast(Closure, p.closure) for p in parts]
        if len(closures) == 1:
            (only,) = closures
            return _Part(lambda frame: function(frame, only(frame)))
        if len(closures) == 2:
            first, second = closures
            return _Part(lambda frame: function(frame, first(frame), second(frame)))
        return _Part(lambda frame: function(frame, *[c(frame) for c in closures]))

    # ---- variables ----------------------------------------------------------------------------------

    def _variable(self, node: s.LocalVar) -> _Part:
        name, place = node.name, _place(node)
        if name in self.refs:
            return _Part(lambda frame: frame.read_ref(cast(dict[str, Any], frame.refs)[name], place))
        return _Part(closures.variable(name, place))

    def _assignment(self, node: s.Binary) -> _Part:
        target = node.left
        if isinstance(target, s.FieldAccess):
            note = (
                f"parts cannot be assigned: make a new value, such as p = (p.x, p.y, 0) for '{target.name}'"
            )
            raise Refused("bad-target", "this is a part of a value, not a variable", _place(target), note)
        if not isinstance(target, s.LocalVar):
            note = "to compare two values, write =="
            raise Refused("bad-target", "only a variable can stand left of '='", _place(target), note)
        name, value = target.name, self._expression(node.right)
        if name in self.refs:

            def through(frame: Frame, v: Value) -> Value:
                frame.write_ref(cast(dict[str, Any], frame.refs)[name], v)
                return v

            return self._combine(through, [value])
        if value.closure is not None:
            return _Part(closures.assignment(name, value.closure))

        def put(frame: Frame, v: Value) -> Value:
            frame.store(name, v)
            return v

        return self._combine(put, [value])

    # ---- operators ----------------------------------------------------------------------------------

    def _binary(self, node: s.Binary) -> _Part:
        place = _place(node)
        operate = BINARY[node.op]
        left, right = self._expression(node.left), self._expression(node.right)
        if left.constant is not None and right.constant is not None:
            try:
                return _constant(operate(left.constant, right.constant, place))
            except Fault:
                pass  # It is reported where it runs, as any other fault is.
        if left.closure is None or right.closure is None:
            return self._combine(lambda frame, a, b: operate(a, b, place), [left, right])
        if right.constant is not None:
            return _Part(closures.binary_constant(node.op, left.closure, right.constant, place))
        return _Part(closures.binary(node.op, left.closure, right.closure, place))

    def _unary(self, node: s.Unary) -> _Part:
        place = _place(node)
        operand = self._expression(node.operand)
        if node.op == "!":
            return self._combine(lambda frame, a: not truth(a, place), [operand])
        operate = UNARY[node.op]
        if operand.constant is not None:
            try:
                return _constant(operate(operand.constant, place))
            except Fault:
                pass
        return self._combine(lambda frame, a: operate(a, place), [operand])

    def _logical(self, node: s.Logical) -> _Part:
        decides = node.op == "||"
        left, right = self._expression(node.left), self._expression(node.right)
        left_place, right_place = _place(node.left), _place(node.right)
        if left.closure is not None and right.closure is not None:
            first, second = left.closure, right.closure
            if decides:
                return _Part(lambda f: truth(first(f), left_place) or truth(second(f), right_place))
            return _Part(lambda f: truth(first(f), left_place) and truth(second(f), right_place))
        begin, rest = left.steps(), right.steps()
        # Targets are offsets from the step itself, so that lists can be joined to longer ones.
        skip = len(rest) + 2
        to_bool = (Do.APPLY, lambda frame, a: truth(a, right_place), 1)
        return _Part(micro=[*begin, (Do.DECIDE, decides, skip, left_place), *rest, to_bool])

    def _vector(self, node: s.VectorLiteral) -> _Part:
        places = [_place(n) for n in (node.x, node.y, node.z)]
        parts = [self._expression(n) for n in (node.x, node.y, node.z)]

        constants = [p.constant for p in parts]
        if all(c.__class__ in (int, float) for c in constants):
            x, y, z = cast(list[Value], constants)
            return _constant(closures.make_vector(x, y, z, places))
        if any(p.closure is None for p in parts):
            return self._combine(lambda frame, a, b, c: closures.make_vector(a, b, c, places), parts)
        first, second, third = (cast(Closure, p.closure) for p in parts)
        return _Part(closures.vector(first, second, third, places))

    def _part(self, node: s.FieldAccess) -> _Part:
        name, place = node.name, _place(node)
        if name not in PARTS:
            text = f"no value has a part '{name}': vectors have x, y and z, colours r, g, b and a"
            raise Refused("unknown-part", text, (node.at, node.end))
        value = self._expression(node.object)
        if value.closure is not None:
            return _Part(closures.part_of(name, value.closure, place))
        return self._combine(lambda frame, a: part(a, name, place), [value])

    # ---- calls --------------------------------------------------------------------------------------

    def _call(self, node: s.Call, used: bool) -> _Part:
        target = node.target
        assert isinstance(target, s.NamedTarget), "the front end reads calls by name only"
        own = self._functions.get(target.name)
        if own is not None:
            return self._script_call(node, own, used)
        native = self._natives.get(target.name)
        if native is not None:
            return self._host_call(node, native, used)
        hint = did_you_mean(target.name, [*self._functions, *self._natives])
        text = f"there is no function '{target.name}'"
        raise Refused("unknown-function", text, _place(target), hint)

    def _variable_name(self, node: s.Expr, name: str, who: str) -> str:
        if not isinstance(node, s.LocalVar):
            text = f"parameter '{name}' of {who} is a reference: it takes a variable, not a value"
            raise Refused("bad-reference", text, _place(node))
        return node.name

    def _script_call(self, node: s.Call, own: Signature, used: bool) -> _Part:
        wanted = len(own.params)
        if len(node.args) != wanted:
            shown = ", ".join(("ref " if i in own.refs else "") + p for i, p in enumerate(own.params))
            count = f"{wanted} argument{'' if wanted == 1 else 's'}"
            text = f"{own.name}({shown}) takes {count}, not {len(node.args)}"
            raise Refused("argument-count", text, _place(node))
        micro: list[Micro] = []
        refs: list[tuple[int, str]] = []
        for index, arg in enumerate(node.args):
            if index in own.refs:
                refs.append((index, self._variable_name(arg, own.params[index], own.name)))
            else:
                micro += self._expression(arg).steps()
        call = ScriptCall(own.name, wanted - len(refs), tuple(refs), used, _place(node))
        return _Part(micro=[*micro, (Do.CALL, call)])

    def _host_call(self, node: s.Call, native: HostFunction, used: bool) -> _Part:
        name, place = native.name, _place(node)
        if not native.accepts(len(node.args)):
            text = f"{native.signature} does not take {len(node.args)} arguments"
            raise Refused("argument-count", text, place)
        parts: list[_Part] = []
        refs: list[tuple[int, str, tuple[int, int]]] = []
        for index, arg in enumerate(node.args):
            if native.kind(index) == REF:
                refs.append((index, self._variable_name(arg, native.parameters[index], name), _place(arg)))
                continue
            given = self._expression(arg)
            if native.pure and native.kind(index) == "float" and isinstance(given.constant, int):
                given = given if given.constant.__class__ is bool else _constant(float(given.constant))
            parts.append(given)

        values = [p.closure for p in parts if p.closure is not None]
        if not refs and len(values) == len(parts):
            return _Part(closures.native(native, values, used, place))

        def call(frame: Frame, *values: Value) -> Any:
            args: list[Any] = list(values)
            for index, variable, at in refs:
                args.insert(index, frame.reference(variable, at))
            return closures.host_call(frame, name, args, used, place)

        return self._combine(call, parts)
