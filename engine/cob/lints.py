"""What a correct program probably did not mean: warnings over the syntax tree. None of them changes a word of code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from engine.cob.bos_syntax import Command, Expr, Function, Name, Node, Number, Program, Var
from engine.cob.callbacks import near_miss
from engine.source import Diagnostic, Note, Span
from engine.source.nearest import did_you_mean


def lint(program: Program, model_pieces: Sequence[str] | None = None) -> list[Diagnostic]:
    """All warnings. `model_pieces` are the names of the model's nodes, where a model is known."""
    return [
        *_callback_case(program),
        *_unused(program),
        *_unraised_signals(program),
        *(_missing_pieces(program, model_pieces) if model_pieces is not None else ()),
    ]


def _warn(code: str, message: str, span: Span, *notes: Note) -> Diagnostic:
    return Diagnostic(code, message, span, "warning", notes)


def nodes(root: Node) -> Iterator[Node]:
    """A node and everything below it. A loop and not recursion: sums and chains of else may be long."""
    work: list[object] = [root]
    while work:
        at = work.pop()
        if isinstance(at, Node):
            yield at
            work.extend(getattr(at, field.name) for field in fields(at))
        elif isinstance(at, list):
            work.extend(at)


def _callback_case(program: Program) -> Iterator[Diagnostic]:
    for function in program.functions:
        meant = near_miss(function.name)
        if meant is not None:
            text = f"'{function.name}' never runs by itself: the engine calls '{meant}', with these capitals"
            yield _warn("bos-callback-case", text, function.span)


def _unused(program: Program) -> Iterator[Diagnostic]:
    everywhere: set[str] = set()
    for function in program.functions:
        used, declared = _names(function)
        everywhere |= used
        for name in declared:
            if name.name.lower() not in used:
                yield _warn("bos-unused", f"var '{name.name}' is never used", name.span)
    for name in program.statics:
        if name.name.lower() not in everywhere:
            yield _warn("bos-unused", f"static-var '{name.name}' is never used", name.span)


def _names(function: Function) -> tuple[set[str], list[Name]]:
    """The names that a function uses (in lower case), and those that its `var`s declare."""
    used: set[str] = set()
    declared: list[Name] = []
    declaring: set[Name] = set()
    for node in nodes(function.body):
        if isinstance(node, Var):
            declared += node.names
            declaring.update(node.names)
        elif isinstance(node, Name) and node not in declaring:
            used.add(node.name.lower())
    return used, declared


def _unraised_signals(program: Program) -> Iterator[Diagnostic]:
    """Masks that no signal of this program matches. One computed signal may match anything."""
    raised = 0
    masks: list[tuple[int, Command]] = []
    for function in program.functions:
        for node in nodes(function.body):
            if isinstance(node, Command) and node.op in ("signal", "set-signal-mask"):
                value = _plain(node.values[0])
                if node.op == "set-signal-mask":
                    if value:
                        masks.append((value, node))
                elif value is None:
                    return
                else:
                    raised |= value
    for value, node in masks:
        if not value & raised:
            text = f"no signal of this program matches the mask {value}"
            yield _warn("bos-signal", text, node.span, Note("send it with signal, or take mask 0"))


def _plain(node: Expr) -> int | None:
    return int(node.value) if isinstance(node, Number) and node.unit == "bare" else None


def _missing_pieces(program: Program, model_pieces: Sequence[str]) -> Iterator[Diagnostic]:
    known = {name.lower() for name in model_pieces}
    for name in program.pieces:
        if name.name.lower() not in known:
            hint = did_you_mean(name.name, model_pieces)
            notes = [Note(hint)] if hint else []
            yield _warn("bos-missing-piece", f"the model has no piece '{name.name}'", name.span, *notes)
