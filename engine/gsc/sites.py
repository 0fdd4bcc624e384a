"""A function as a row of marks, with the places in it where a thread can wait.

Two versions of a function are compared mark by mark (see `alignment`). A mark is one simple statement, one condition,
or the begin or end of a compound statement. Its shape is its syntax without offsets; the names of locals are kept
apart, so that a function whose locals were renamed still has the shapes that it had.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from engine.gsc import syntax
from engine.gsc.suspension import Key

Shape = tuple[Any, ...]
Waiting = syntax.Wait | syntax.WaitTill | syntax.WaitTillMatch | syntax.Call

_NOT_SHAPE = ("start", "end", "at", "bound", "written")
_FIELDS: dict[type, tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class Site:
    """A place where a thread can wait: a wait, a `waittill`, or a call of something that may wait.

    numbers  the unit's site numbers; several where the emitter writes a loop's step more than once
    order    position among the sites of its mark
    """

    node: Waiting
    numbers: tuple[int, ...]
    mark: int
    order: int

    @property
    def word(self) -> str:
        """What a report calls it."""
        match self.node:
            case syntax.Wait():
                return "wait"
            case syntax.WaitTill():
                return "waittill"
            case syntax.WaitTillMatch():
                return "waittillmatch"
            case syntax.Call(target=syntax.NamedTarget(name=name)):
                return f"call of {name}"
            case _:
                return "call"


@dataclass(slots=True)
class Mark:
    """One step of a function. `loops` are the marks of the loops around it, outermost first; `names` the locals in
    it, in order; `node` the statement or expression, or for a begin or an end the compound statement."""

    shape: Shape
    names: tuple[str, ...]
    node: syntax.Node
    loops: tuple[int, ...]
    sites: list[Site] = field(default_factory=list)
    leaf: bool = True


def shape_of(node: syntax.Node, renamed: Mapping[Key, Key]) -> tuple[Shape, tuple[str, ...]]:
    """The shape of a piece of syntax, and the locals in it. Calls and function values are known by what they are bound
    to; `renamed` gives functions their later names. No recursion: expressions can be very deep."""
    shape: list[Any] = []
    names: list[str] = []
    stack: list[Any] = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, list):
            shape.append(len(at))
            stack.extend(reversed(at))
        elif isinstance(at, syntax.LocalVar):
            shape.append("$")
            names.append(at.name)
        elif isinstance(at, syntax.NamedTarget | syntax.FunctionRef) and isinstance(
            at.bound, syntax.ScriptFunction
        ):
            key = (at.bound.script, at.bound.name)
            shape += (type(at), renamed.get(key, key))
        elif isinstance(at, syntax.WaitTill):
            shape += (type(at), len(at.names))
            names += at.names
            stack += (at.event, at.object)
        elif isinstance(at, syntax.Node):
            shape.append(type(at))
            stack.extend(getattr(at, name) for name in reversed(_shape_fields(type(at))))
        else:
            # The type tells 1 from 1.0.
            shape.append((type(at), at))
    return tuple(shape), tuple(names)


def _shape_fields(kind: type) -> tuple[str, ...]:
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(f.name for f in fields(kind) if f.name not in _NOT_SHAPE)
    return found


def place(node: Waiting) -> tuple[int, int]:
    """The offsets by which the emitter knows a site."""
    match node:
        case syntax.Wait():
            return node.start, node.end
        case syntax.WaitTill():
            return node.at, node.at + len("waittill")
        case syntax.WaitTillMatch():
            return node.at, node.at + len("waittillmatch")
        case _:
            return node.at, max(node.at, node.target.end)


class Outline:
    """The marks of one version of a function. `sites` are the compiled unit's places by number from 1."""

    def __init__(
        self,
        function: syntax.Function,
        sites: tuple[tuple[int, int], ...],
        strips: Callable[[object], bool],
        renamed: Mapping[Key, Key],
    ) -> None:
        self.function = function
        self.marks: list[Mark] = []
        self.sites: list[Site] = []
        self._strips = strips
        self._renamed = renamed
        self._numbers: dict[tuple[int, int], list[int]] = {}
        for number, span in enumerate(sites, 1):
            self._numbers.setdefault(span, []).append(number)
        self._loops: list[int] = []
        self._statements(function.body.body)
        self.by_number = {number: site for site in self.sites for number in site.numbers}

    # ---- marks -----------------------------------------------------------------------------------------

    def _leaf(self, node: syntax.Node) -> None:
        shape, names = shape_of(node, self._renamed)
        mark = Mark(shape, names, node, tuple(self._loops))
        number = len(self.marks)
        self.marks.append(mark)
        for order, waiting in enumerate(self._waiting(node)):
            site = Site(waiting, tuple(self._numbers[place(waiting)]), number, order)
            mark.sites.append(site)
            self.sites.append(site)

    def _waiting(self, node: syntax.Node) -> list[Waiting]:
        """The sites below a leaf, in the order of their numbers."""
        found: list[Waiting] = []
        stack: list[Any] = [node]
        while stack:
            at = stack.pop()
            if isinstance(at, list):
                stack.extend(at)
            elif isinstance(at, syntax.Node):
                if isinstance(at, Waiting) and place(at) in self._numbers:
                    found.append(at)
                stack.extend(getattr(at, name) for name in _shape_fields(type(at)))
        return sorted(found, key=lambda waiting: self._numbers[place(waiting)][0])

    def _edge(self, kind: str, node: syntax.Node) -> int:
        self.marks.append(Mark((kind, type(node)), (), node, tuple(self._loops), leaf=False))
        return len(self.marks) - 1

    # ---- statements ------------------------------------------------------------------------------------

    def _statements(self, nodes: list[syntax.Stmt]) -> None:
        for node in nodes:
            self._statement(node)

    def _statement(self, node: syntax.Stmt) -> None:
        if self._strips(node):
            return
        match node:
            case syntax.Block() | syntax.DeveloperBlock():
                self._statements(node.body)
            case syntax.If():
                self._branches(node)
            case syntax.While():
                self._loop(node, [node.condition, node.body])
            case syntax.DoWhile():
                self._loop(node, [node.body, node.condition])
            case syntax.For():
                if node.init is not None:
                    self._statement(node.init)
                self._loop(node, [node.condition, node.body, node.step])
            case syntax.Switch():
                self._leaf(node.value)
                self._edge("begin", node)
                self._statements(node.body)
                self._edge("end", node)
            case syntax.Empty():
                pass
            case _:
                self._leaf(node)

    def _branches(self, node: syntax.If) -> None:
        # Chains of `else if` can be long: no recursion along them.
        at: syntax.Stmt | None = node
        while isinstance(at, syntax.If):
            self._leaf(at.condition)
            self._edge("begin", at)
            self._statement(at.then)
            self._edge("end", at)
            at = at.otherwise
        if at is not None:
            self._edge("else", node)
            self._statement(at)
            self._edge("end", node)

    def _loop(self, node: syntax.Stmt, parts: list[Any]) -> None:
        self._loops.append(self._edge("begin", node))
        for part in parts:
            if isinstance(part, syntax.Expr):
                self._leaf(part)
            elif part is not None:
                self._statement(part)
        self._loops.pop()
        self._edge("end", node)
