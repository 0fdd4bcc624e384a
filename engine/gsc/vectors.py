"""Vectors without tuples: locals of which components are wanted stand as three floats, others as the literal that is
all they ever hold.

This is for functions that cannot wait, under a policy that ends the thread with the first error: a thread that is
moved here from another version of the function, or an operation that gave undefined, would bring other values.
"""

from __future__ import annotations

from engine.gsc import mangle, syntax
from engine.gsc.atoms import Atom, float_atom, float_constant, vector_atom
from engine.gsc.inference import Inference
from engine.gsc.kinds import VECTOR
from engine.gsc.suspension import walk

Names = set[str]


def vectors(inference: Inference) -> dict[str, Atom]:
    """The locals of a function that surely are vectors, with how they stand, where that is worth while."""
    sure = {n for n, mask in inference.written.items() if mask == VECTOR == inference.seen.get(n)}
    if not sure:
        return {}
    wanted = sorted(name for name, gain in gains(inference, sure).items() if gain > 0)
    found = {name: vector_atom(mangle.components(name)) for name in wanted}
    for name, literal in constants(inference, sure).items():
        numbers = [part.value for part in _parts(literal)]
        found[name] = vector_atom(tuple(float_atom(float_constant(n)).text for n in numbers))
    return found


def gains(inference: Inference, sure: Names) -> dict[str, int]:
    """How often components of each vector are wanted, less the times that the whole is."""
    gain = dict.fromkeys(sure, 0)
    for node in walk(inference.body, inference.behaviour.strips):
        wants: tuple[syntax.Node, ...] = ()
        match node:
            case syntax.LocalVar() if node.name in sure:
                gain[node.name] -= 1
            case syntax.Index(key=syntax.IntLiteral()):
                wants = (node.container,)
            case syntax.Binary(op="+" | "-"):
                wants = (node.left, node.right)
            case syntax.Assign() | syntax.CompoundAssign():
                wants = (node.target,)
        for part in wants:
            if isinstance(part, syntax.LocalVar) and part.name in sure:
                gain[part.name] += 2
    return gain


def constants(inference: Inference, sure: Names) -> dict[str, syntax.VectorLiteral]:
    """The locals into which only one literal is ever put."""
    found: dict[str, syntax.VectorLiteral | None] = {}
    for node in walk(inference.body, inference.behaviour.strips):
        if isinstance(node, syntax.Assign | syntax.CompoundAssign):
            target, value = node.target, node.value
            if isinstance(target, syntax.LocalVar) and target.name in sure:
                only = isinstance(node, syntax.Assign) and target.name not in found
                plain = isinstance(value, syntax.VectorLiteral) and len(_parts(value)) == 3
                found[target.name] = (
                    value if only and plain and isinstance(value, syntax.VectorLiteral) else None
                )
    return {name: literal for name, literal in found.items() if literal is not None}


def _parts(literal: syntax.VectorLiteral) -> list[syntax.IntLiteral | syntax.FloatLiteral]:
    """The components that are numbers."""
    parts = (literal.x, literal.y, literal.z)
    return [part for part in parts if isinstance(part, syntax.IntLiteral | syntax.FloatLiteral)]


def vector_lines(op: str, a: Atom, b: Atom, name: str) -> list[str]:
    """`+` or `-` of two vectors into `name`, each component rounded to binary32. One to which nothing is added needs no
    rounding; the addition stays, as it makes a zero of -0."""
    sums = [f"{x} {op} {y}" for x, y in zip(a.components, b.components, strict=True)]
    open_ones = [n for n, y in enumerate(b.components) if y not in ("0.0", "-0.0")]
    if len(open_ones) > 1:
        # Packing rounds all three at once.
        return [f"{name} = UNPACK(PACK({', '.join(sums)}))"]
    lines = []
    for n in open_ones:
        lines.append(f"M[0] = {sums[n]}")
        sums[n] = "M[0]"
    return [*lines, f"{name} = ({', '.join(sums)})"]
