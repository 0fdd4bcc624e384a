"""Who could still notify an event: the places in the scripts, and whether any of them can be reached from what runs.

Worked out from the text of a program and the functions on the stacks of its threads. It errs on the side of "could":
a function whose value is taken anywhere counts as called wherever any function value is called, and a name of an event
that is handed on as an argument counts as raised by whoever gets it. So where this says that nothing can wake a thread,
only the console, the socket or a reload can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from engine.gsc import syntax
from engine.gsc.program import Program
from engine.gsc.script import Script
from engine.gsc.suspension import Key, walk
from engine.source import Span

ENGINE_EVENTS = frozenset(
    {
        "bad_path",
        "begin",
        "connect",
        "damage",
        "death",
        "disconnect",
        "end",
        "goal",
        "menuresponse",
        "movedone",
        "pain",
        "reloaded",
        "reloading",
        "rotatedone",
        "spawned",
        "touch",
        "trigger",
        "weapon_fired",
    }
)
"""Events that the engine raises under names of its own; notes of animations and ends of sounds have names that scripts
give."""

Hope = Literal["engine", "running", "callable", "named", "nobody"]
"""engine    the engine raises an event of this name
running   a script does, in a function that a thread is inside of
callable  a script does, in a function that what runs may come to call
named     its name is handed to some function or built-in, which may raise it
nobody    nothing that runs can come to raise it"""


@dataclass(frozen=True, slots=True)
class Place:
    """A `notify` in a script. `on_level`: it is written with `level`, so nothing else is meant."""

    key: Key
    span: Span
    on_level: bool


@dataclass(slots=True)
class _Facts:
    """What one function does: whom it calls by name, whether it calls function values."""

    calls: set[Key] = field(default_factory=set)
    pointers: bool = False
    raises_computed: bool = False


class Wakers:
    """Of one program. Made once, asked often."""

    def __init__(self, program: Program) -> None:
        self.places: dict[str, list[Place]] = {}
        self._facts: dict[Key, _Facts] = {}
        self._taken: set[Key] = set()
        self._named: set[str] = set()
        self._callbacks: set[Key] = set()
        for script in program.scripts.values():
            for function in script.functions.values():
                key = (script.name, function.name)
                self._facts[key] = self._read(script, key, function)
                if function.name.startswith("codecallback_"):
                    self._callbacks.add(key)

    def _read(self, script: Script, key: Key, function: syntax.Function) -> _Facts:
        facts = _Facts()
        for node in walk(function.body, lambda part: False):
            match node:
                case syntax.Notify(event=syntax.StringLiteral(value=event)):
                    on_level = isinstance(node.object, syntax.Predefined) and node.object.name == "level"
                    place = Place(key, script.source.span(node.at), on_level)
                    self.places.setdefault(event, []).append(place)
                case syntax.Notify():
                    facts.raises_computed = True
                case syntax.Call(target=syntax.PointerTarget()):
                    facts.pointers = True
                    self._hand_on(node.args)
                case syntax.Call(target=syntax.NamedTarget(bound=syntax.ScriptFunction() as bound)):
                    facts.calls.add((bound.script, bound.name))
                    self._hand_on(node.args)
                case syntax.Call():
                    self._hand_on(node.args)
                case syntax.FunctionRef(bound=syntax.ScriptFunction() as bound):
                    self._taken.add((bound.script, bound.name))
                case syntax.Assign(value=syntax.StringLiteral(value=event)):
                    self._named.add(event)
        return facts

    def _hand_on(self, args: Iterable[syntax.Expr]) -> None:
        self._named.update(arg.value for arg in args if isinstance(arg, syntax.StringLiteral))

    # ---- questions -------------------------------------------------------------------------------------

    def reachable(self, running: Iterable[Key]) -> set[Key]:
        """What may come to run: from the functions on the stacks, and from the callbacks that the engine calls."""
        found: set[Key] = set()
        todo = [*running, *self._callbacks]
        values_called = False
        while todo:
            key = todo.pop()
            facts = self._facts.get(key)
            if facts is None or key in found:
                continue
            found.add(key)
            todo += facts.calls
            if facts.pointers and not values_called:
                values_called = True
                todo += self._taken
        return found

    def hope(self, event: str, on_level: bool, running: set[Key], reachable: set[Key]) -> Hope:
        """Who could raise an event on `level` or on something else; see `Hope`."""
        if event in ENGINE_EVENTS:
            return "engine"
        places = [place.key for place in self.raisers(event, on_level)]
        if not running.isdisjoint(places):
            return "running"
        if not reachable.isdisjoint(places):
            return "callable"
        return "named" if event in self._named else "nobody"

    def raisers(self, event: str, on_level: bool) -> Iterator[Place]:
        """The notifies of an event that can mean this object."""
        return (place for place in self.places.get(event, ()) if on_level or not place.on_level)
