"""Small faults that somebody could have written: every one of a module, put into its syntax tree in turn.

A fault is one changed operator, constant, condition or result, or a statement left out. What no test can notice (the
text of a message, an annotation, a docstring) is not changed.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
SIGNS: dict[type[ast.unaryop], type[ast.unaryop]] = {ast.USub: ast.UAdd, ast.Invert: ast.USub}


@dataclass(frozen=True)
class Mutant:
    """One fault. `line` is that of the file, `was` and `now` the code there in one line each."""

    line: int
    was: str
    now: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.was}  ->  {self.now}"


def mutants(tree: ast.Module) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its text. While one is given, `tree` has its fault."""
    for put, node in list(places(tree)):
        for new in changes(node):
            ast.copy_location(new, node)
            ast.fix_missing_locations(new)
            put(new)
            yield Mutant(getattr(node, "lineno", 0), shown(node), shown(new))
            put(node)


def shown(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:110]


def places(node: ast.AST) -> Iterator[tuple[Callable[[ast.AST], None], ast.AST]]:
    """What runs, and how to put something else in its place, in the order of the text: no annotations, docstrings and
    imports."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for at, child in children:
            if isinstance(child, ast.AST) and not quiet(child):
                put = partial(setattr, node, name) if at is None else partial(value.__setitem__, at)
                yield put, child
                yield from places(child)


def quiet(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom() | ast.Assert():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.JoinedStr():
            return True
    return False


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in place of a node."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=comparators) if type(op) in COMPARED:
            yield ast.Compare(left, [COMPARED[type(op)]()], comparators)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.UnaryOp(op=op, operand=operand) if type(op) in SIGNS:
            yield ast.UnaryOp(SIGNS[type(op)](), operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in COMPUTED:
            yield ast.BinOp(left, COMPUTED[type(op)](), right)
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield ast.Constant(value + 1)
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Compare | ast.UnaryOp):
            changed = copy.copy(node)
            changed.test = ast.UnaryOp(ast.Not(), test)
            yield changed
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Return(value=value) if value is not None and not nothing(value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Delete() | ast.Raise():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def nothing(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None
