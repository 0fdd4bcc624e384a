"""How many variables there are and who holds them: a walk over everything that scripts make the VM keep.

An entry of an array, a field and a local that are set count as one, and so do an array and a struct themselves. A long
string, also a key or the name of an event, counts for every `LONG_STRING` characters: it takes the room of many values.
What nobody has much of in earnest counts where there is much of it: endons of one thread, the locals of one call that
are not set, the values that a thread wants of an event.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.gsc.mangle import FIELD_PREFIX, unlocal
from engine.vm.arrays import Array
from engine.vm.frames import PLACES, WIDE
from engine.vm.objects import ScriptObject, ScriptStruct

if TYPE_CHECKING:
    from engine.vm.accounts import Account
    from engine.vm.machine import VM
    from engine.vm.threads import Thread
    from engine.vm.values import Function

LONG_STRING = 512
"""Characters of a string for which a variable is counted beside the one that holds it."""

FREE_ENDONS = 8
"""Endons of a thread that are not counted."""

MAX_GROWERS = 3

_PLAIN = frozenset({int, float, tuple, type(None)})
"""Classes of values that hold nothing more."""


@dataclass(frozen=True, slots=True)
class Holder:
    """What variables hang on: a local or the operands of a function in the threads of an owner, or the fields of one
    name of all objects."""

    kind: str
    name: str
    function: Function | None = None
    account: Account | None = None

    def __str__(self) -> str:
        words = f"{self.kind} '{self.name}'" if self.name else self.kind
        return f"{words} of {self.function}" if self.function is not None else words


GAME = Holder("'game'", "")


def census(vm: VM) -> int:
    """How many variables there are."""
    return sum(holdings(vm).values())


def growers(held: Counter[Holder]) -> list[str]:
    """Where most variables are, in words."""
    return [f"{count} of them in {holder}" for holder, count in held.most_common(MAX_GROWERS) if count > 1]


def holdings(vm: VM) -> Counter[Holder]:
    """All variables by what they hang on. What hangs on a local counts for it, but for the fields of objects; what
    hangs on several things counts for the first that is visited."""
    walk = _Walk(vm.accounts.common)
    for thread in vm.runner.suspended:
        walk.account = thread.account
        walk.objects += (thread.root_self, thread.waits_on)
        walk.kept(thread)
        for frame in thread.frames:
            walk.objects.append(frame.self)
            names = frame.function.unit.locals if frame.function.unit is not None else ()
            for name, value in zip(names, frame.locals, strict=False):
                walk.hold("local", name, frame.function, value)
            if len(frame.locals) > WIDE:
                walk.more("places of locals", frame.function, len(frame.locals) // PLACES)
    late: list[tuple[Account, Function, list[Any]]] = [
        (thread.account, frame.function, list(frame.temps))
        for thread in vm.runner.suspended
        for frame in thread.frames
        if frame.temps
    ]
    walk.account = vm.runner.budget.owner()
    for running, _ in vm.linker.codes.running(frozenset(), skip=1):
        function = vm.linker.codes.known[id(running.f_code)].function
        temps: list[Any] = []
        for python, value in running.f_locals.items():
            local = unlocal(python)
            if local is not None:
                walk.hold("local", local, function, value)
            elif isinstance(value, ScriptObject | Array):
                temps.append(value)
        late.append((walk.account, function, temps))
    walk.counts[GAME] += walk.weigh([vm.root.game])
    walk.objects += (vm.level, vm.anim)
    walk.fields()
    # Operands only have what nothing else has.
    for walk.account, function, values in late:
        walk.more("operands", function, walk.weigh(values))
    walk.fields()
    return walk.counts


class _Walk:
    """Visits everything once. `objects` are those whose fields are still to be counted, `account` is the owner of the
    thread that is looked at."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.counts: Counter[Holder] = Counter()
        self.objects: list[ScriptObject | None] = []
        self._seen: set[int] = set()
        self._visited: set[int] = set()
        self._holders: dict[tuple[str, str, Function | None, Account | None], Holder] = {}

    def hold(self, kind: str, name: str, function: Function | None, value: Any) -> None:
        """Count a variable with what it holds."""
        if value is not None:
            self.counts[self._holder(kind, name, function)] += (
                1 if value.__class__ in _PLAIN else 1 + self.weigh([value])
            )

    def more(self, kind: str, function: Function | None, count: int) -> None:
        """Count what has no name."""
        if count:
            self.counts[self._holder(kind, "", function)] += count

    def kept(self, thread: Thread) -> None:
        """What a suspended thread holds beside its calls: its endons, the values that it wants of an event, and what
        its root was called with, for it may have to start again."""
        function = thread.root_function
        endons = thread.bonds.scopes if thread.endons is None else thread.endons
        if endons is not None and len(endons) > FREE_ENDONS:
            self.more("endons", function, len(endons) - FREE_ENDONS)
        self.more("names of events", function, self.weigh([thread.event, *(end[-1] for end in endons or ())]))
        object = thread.waits_on
        if object is not None and object.waiters is not None:
            wanted = object.waiters[thread.event][thread]
            if isinstance(wanted, tuple):
                self.more("wanted values", function, len(wanted) + self.weigh(list(wanted)))
        if thread.root_args:
            self.more("arguments", function, self.weigh(list(thread.root_args)))

    def _holder(self, kind: str, name: str, function: Function | None) -> Holder:
        key = (kind, name, function, self.account if function is not None else None)
        found = self._holders.get(key)
        if found is None:
            found = self._holders[key] = Holder(*key)
        return found

    def weigh(self, open_values: list[Any]) -> int:
        """The variables within some values that were not seen before, fields of objects left for later."""
        total = 0
        seen, objects = self._seen, self.objects
        while open_values:
            value = open_values.pop()
            kind = value.__class__
            if kind is str:
                if len(value) < LONG_STRING or id(value) in seen:
                    continue
                total += len(value) // LONG_STRING
            elif id(value) in seen:
                continue
            elif kind is Array:
                total += 1 + len(value)
                open_values += [held for held in value.values() if held.__class__ not in _PLAIN]
                open_values += [key for key in value if key.__class__ is str and len(key) >= LONG_STRING]
            elif isinstance(value, ScriptObject):
                total += kind is ScriptStruct
                objects.append(value)
            else:
                continue
            seen.add(id(value))
        return total

    def fields(self) -> None:
        """Count the fields of all objects found so far, and of those that they lead to."""
        objects, visited, counts = self.objects, self._visited, self.counts
        totals: Counter[str] = Counter()
        while objects:
            object = objects.pop()
            if object is None or id(object) in visited:
                continue
            visited.add(id(object))
            for name, value in object.held.items():
                if name.startswith(FIELD_PREFIX) and value is not None:
                    totals[name] += 1 + len(name) // LONG_STRING
                    if value.__class__ not in _PLAIN:
                        totals[name] += self.weigh([value])
        for name, total in totals.items():
            counts[self._holder("field", name[len(FIELD_PREFIX) :], None)] += total
