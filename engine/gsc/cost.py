"""What running a piece of a script costs, in units of the budget, as far as its text tells.

A unit is about what a round of an empty loop takes. Each round of a loop and each entry of a function counts what the
code in it costs that runs without another round or entry; of branches the dearest counts. What depends on values
(long strings, copies of arrays, built-ins that do much) is counted when it happens, by the VM. The figures follow from
nothing but the text, so that a game is the same with every optimisation switched off.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.gsc import syntax as s
from engine.gsc.suspension import walk
from engine.gsc.switches import switch_groups

LEAF = 24
"""What a function may cost without counting itself: its caller has counted the call."""

LARGE = 120
"""What a function may cost that counts itself only on the ways on which it calls others: the end of a recursion is
often short."""

RESUMPTION = 40
"""A wait, with putting the thread aside and resuming it."""

_NODES: dict[type, int] = {
    s.FieldAccess: 3,
    s.Index: 12,
    s.Size: 3,
    s.VectorLiteral: 15,
    s.EmptyArray: 24,
    s.Unary: 2,
    s.Cast: 12,
    s.Logical: 2,
    s.Conditional: 2,
    s.Keys: 30,
    s.FunctionRef: 2,
    s.Assign: 1,
    s.Increment: 2,
    s.Return: 1,
    s.Notify: 30,
    s.EndOn: 30,
    s.Wait: RESUMPTION,
    s.WaitTillFrameEnd: RESUMPTION,
    s.WaitTill: RESUMPTION + 25,
    s.WaitTillMatch: RESUMPTION + 60,
}
_OPERATORS = {
    "+": 16, "-": 16, "*": 6, "/": 24, "%": 15, "<<": 24, ">>": 24, "==": 16, "!=": 16,
    "<": 4, "<=": 4, ">": 4, ">=": 4, "**": 60,
}  # fmt: skip
"""What they cost where the operands may be of any type: vectors and strings take longest."""
_BESIDE_A_LITERAL = {"+": 8, "-": 4, "==": 4, "!=": 4}
_OTHER_OPERATOR = 4

_SCRIPT_CALL = 10
_POINTER_CALL = 16
_NATIVE_CALL = 40
_NATIVE_CALLS = {"isdefined": 12, "gettime": 16, "spawnstruct": 140}
"""Built-ins that are much cheaper than most, and one that makes something; others count the rest themselves."""

_SWITCH = 12
"""Finding the case."""

_ELEMENT = 15
"""An element that is looked up to be written into."""
_FIELD_BY_KEY = 45
"""Writing to a field by its name as a key."""
_REMOVAL = 25
"""Assigning the word `undefined`."""
_LITERALS = (s.IntLiteral, s.FloatLiteral, s.StringLiteral, s.Undefined)
_NUMBERS = (s.IntLiteral, s.FloatLiteral)


def weight(cost: int) -> int:
    """The cost as it is counted, rounded up: 1, 2, 3, 4, 6, 8, 12, 16, 24 ..."""
    power = 1
    while power < cost:
        if 3 * power >= 2 * cost:
            return 3 * power // 2
        power *= 2
    return power


class Costs:
    """The costs of one function: of its `entry`, and of a round of each of its loops. `strips` says what is left
    out. Raises `RecursionError` for statements nested too deeply to be emitted."""

    def __init__(self, function: s.Function, strips: Callable[[object], bool]) -> None:
        self._strips = strips
        self._rounds: dict[int, int] = {}
        self.entry = self._statement(function.body)

    def round(self, loop: s.Stmt) -> int:
        """What a round of a loop of the function costs, 1 at least."""
        return self._rounds[id(loop)]

    def _statement(self, node: s.Stmt | None) -> int:
        """What a statement costs outside the rounds of loops."""
        if node is None or self._strips(node):
            return 0
        match node:
            case s.Block() | s.DeveloperBlock():
                return self._all(node.body)
            case s.If():
                return self._chain(node)
            case s.For():
                inside = self._statement(node.body) + self._statement(node.step) + self._value(node.condition)
                self._rounds[id(node)] = 1 + inside
                return self._statement(node.init)
            case s.While():
                self._rounds[id(node)] = 1 + self._value(node.condition) + self._statement(node.body)
                return 0
            case s.DoWhile():
                self._rounds[id(node)] = 1 + self._value(node.condition) + self._statement(node.body)
                return 0
            case s.Switch():
                return _SWITCH + self._value(node.value) + self._dearest_case(node)
            case _:
                return sum(map(_own, walk(node, self._strips)))

    def _all(self, body: list[s.Stmt]) -> int:
        return sum(self._statement(part) for part in body)

    def _chain(self, node: s.If) -> int:
        """Every condition of a chain of `else if` may be looked at; one branch is taken."""
        conditions = dearest = 0
        link: s.Stmt | None = node
        while isinstance(link, s.If):
            conditions += 1 + self._value(link.condition)
            dearest = max(dearest, self._statement(link.then))
            link = link.otherwise
        return conditions + max(dearest, self._statement(link))

    def _dearest_case(self, node: s.Switch) -> int:
        """The dearest run of groups that fall into one another."""
        dearest = run = 0
        for group in switch_groups(node):
            run += self._all(group.body)
            dearest = max(dearest, run)
            if group.body and _leaves(group.body[-1]):
                run = 0
        return dearest

    def _value(self, node: s.Expr | None) -> int:
        return sum(map(_own, walk(node, self._strips))) if node is not None else 0


def _leaves(node: s.Stmt) -> bool:
    """Whether what comes after a statement is never reached from it."""
    if isinstance(node, s.Block) and node.body:
        return _leaves(node.body[-1])
    return isinstance(node, s.Break | s.Return | s.Continue)


def _own(node: s.Node) -> int:
    """What a node costs beside those within it."""
    match node:
        case s.Binary():
            return _operator(node.op, node.left, node.right)
        case s.CompoundAssign():
            return 1 + _operator(node.op, node.target, node.value) + _target(node.target)
        case s.Assign(value=s.Undefined()):
            return _REMOVAL
        case s.Assign() | s.Increment():
            return _NODES[type(node)] + _target(node.target)
        case s.Call(target=s.PointerTarget()):
            return _POINTER_CALL
        case s.Call(target=s.NamedTarget(bound=s.NativeFunction(name=name))):
            return _NATIVE_CALLS.get(name, _NATIVE_CALL)
        case s.Call():
            return _SCRIPT_CALL
        case _:
            return _NODES.get(type(node), 0)


def _operator(op: str, left: s.Expr, right: s.Expr) -> int:
    cost = _OPERATORS.get(op, _OTHER_OPERATOR)
    if op in ("+", "-"):
        number = isinstance(left, _NUMBERS) or isinstance(right, _NUMBERS)
        return _BESIDE_A_LITERAL[op] if number else cost
    if op in _BESIDE_A_LITERAL and (isinstance(left, _LITERALS) or isinstance(right, _LITERALS)):
        return _BESIDE_A_LITERAL[op]
    return cost


def _target(node: s.Reference) -> int:
    """What finding the place to write to costs beside what its parts cost to be read."""
    cost = 0
    if (
        isinstance(node, s.Index)
        and isinstance(node.container, s.Predefined)
        and node.container.name != "game"
    ):
        cost += _FIELD_BY_KEY
    at: s.Expr = node
    while isinstance(at, s.Index | s.FieldAccess):
        at = at.container if isinstance(at, s.Index) else at.object
        cost += _ELEMENT if isinstance(at, s.Index | s.FieldAccess) else 0
    return cost
