"""The shape of a switch: its groups of statements, and which of them fall through."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.gsc import syntax


@dataclass(slots=True)
class Group:
    """The statements of a switch from one set of labels to the next."""

    labels: list[int | str] = field(default_factory=list)
    default: bool = False
    body: list[syntax.Stmt] = field(default_factory=list)


def switch_groups(node: syntax.Switch) -> list[Group]:
    groups: list[Group] = []
    fresh = False
    for part in node.body:
        if isinstance(part, syntax.Case | syntax.Default):
            if not fresh:
                groups.append(Group())
            fresh = True
            if isinstance(part, syntax.Default):
                groups[-1].default = True
            else:
                groups[-1].labels.append(part.label)
        else:
            fresh = False
            if groups:
                groups[-1].body.append(part)
    return groups


def closed(group: Group, *, last: bool) -> bool:
    """Whether a group never falls into the next one and leaves the switch only at its end."""
    body = flattened(group.body)
    ends = bool(body) and isinstance(body[-1], syntax.Break | syntax.Return | syntax.Continue)
    return (ends or last) and not any(breaks(part) for part in body[: len(body) - ends])


def flattened(body: list[syntax.Stmt]) -> list[syntax.Stmt]:
    """The statements of a case that is written as one block are those of the block."""
    while len(body) == 1 and isinstance(body[0], syntax.Block):
        body = body[0].body
    return body


def without_break(body: list[syntax.Stmt]) -> list[syntax.Stmt]:
    body = flattened(body)
    return body[:-1] if body and isinstance(body[-1], syntax.Break) else body


def breaks(node: syntax.Stmt | None) -> bool:
    """Whether a statement holds a break of the switch around it; one inside a loop or switch of its own does not
    count."""
    match node:
        case syntax.Break():
            return True
        case syntax.Block() | syntax.DeveloperBlock():
            return any(breaks(part) for part in node.body)
        case syntax.If():
            return breaks(node.then) or breaks(node.otherwise)
        case _:
            return False
