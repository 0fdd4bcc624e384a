"""Values and objects of a saved state.

Arrays, objects and threads keep their identity: the first mention of one is the next number in a table with what is
needed to make an empty one; what it holds follows later, in the order of the numbers. So nothing recurses, cycles and
aliases are natural, and reading meets everything in the order in which writing did.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from engine.gsc.mangle import field
from engine.vm import scope_state
from engine.vm.arrays import KEY_MAX, KEY_MIN, Array
from engine.vm.hosted import check_text
from engine.vm.objects import DeadEntity, DeadObject, EngineField, ScriptObject, ScriptStruct
from engine.vm.packing import In, Out, damaged
from engine.vm.threads import Thread, Wanted, new_thread
from engine.vm.values import INT_MAX, INT_MIN, Animation, AnimTree, Builtin, Function, Localized, Value

if TYPE_CHECKING:
    from engine.vm.accounts import Account

MAX_OBJECTS = 1 << 20
MAX_EVENT_VALUES = 1 << 12
"""Values that one thread can want of an event."""

DEAD = "an object that has ended stands where a living one should"

_ENDED = 1 << 32
"""Stands for the count of the fields of a resident that has ended, which its own VM need not know; one more where it
is a `DeadEntity`. More than any count."""

Key = tuple[str, str]

(
    _UNDEFINED, _INT, _FLOAT, _STRING, _VECTOR, _LOCALIZED, _FUNCTION, _ANIMATION, _OBJECT, _FALSE, _TRUE, _BUILTIN,
    _TREE,
) = range(13)  # fmt: skip
_ARRAY, _THREAD, _STRUCT, _DEAD_OBJECT, _DEAD_ENTITY, _FIRST_KIND = range(6)


class ObjectKind(Protocol):
    """How the objects of a host class are saved. `name` must be unique, and stays in files."""

    name: str
    type: type[ScriptObject]

    def write_shell(self, out: HeapOut, object: Any) -> None:
        """What `read_shell` needs to make the object without what it refers to."""

    def read_shell(self, inp: HeapIn) -> ScriptObject:
        """The object, still empty. It is new, or one that the host has anyway; the latter must not be changed yet."""

    def write(self, out: HeapOut, object: Any) -> None:
        """The object's own state; script fields, waiters and endons are written by the heap."""

    def read(self, inp: HeapIn, object: Any) -> Callable[[], None] | None:
        """Take it up. What changes an object that the host has anyway is returned, and called once all is read."""


class HeapOut(Out):
    """Writes values. `residents` are objects that exist on both sides and have the first numbers."""

    def __init__(
        self,
        residents: list[ScriptObject],
        kinds: Mapping[type, tuple[int, ObjectKind]],
        write_thread: Callable[[HeapOut, Thread], None],
        now: int,
        max_string: int,
    ) -> None:
        """`now` is the time of the frame, in which fields of objects that have just ended can be read."""
        super().__init__()
        self._now = now
        self._max_string = max_string
        self.aside = Out()
        """For what must come back but tells nothing of how the state goes on, so that it is not part of the hash."""
        self._kinds = kinds
        self._write_thread = write_thread
        self._numbers: dict[int, int] = {}
        self._kept: list[Any] = []
        self._open: deque[Any] = deque()
        self._functions: dict[Key, int] = {}
        self._animations: dict[Key, int] = {}
        self._accounts: dict[tuple[str], int] = {}
        self._residents = {id(resident) for resident in residents}
        for resident in residents:
            self._numbers[id(resident)] = len(self._kept)
            self._kept.append(resident)
            self._open.append(resident)

    @property
    def threads(self) -> list[Thread]:
        """Every thread that was mentioned, in the order of the table."""
        return [object for object in self._kept if object.__class__ is Thread]

    def values(self, values: tuple[Value, ...]) -> None:
        self.whole(len(values))
        for value in values:
            self.value(value)

    def value(self, value: Value) -> None:
        """Any script value. Raises `TypeError` for something else, and for a string that is too long or has characters
        that no script can have."""
        data = self.data
        kind = value.__class__
        if value is None:
            data.append(_UNDEFINED)
        elif kind is int:
            data.append(_INT)
            self.number(value)
        elif kind is float:
            data.append(_FLOAT)
            self.real(value)
        elif kind is str:
            data.append(_STRING)
            self.string(value)
        elif kind is tuple and len(value) == 3:
            data.append(_VECTOR)
            self.reals(value)
        elif kind is Array or isinstance(value, ScriptObject):
            data.append(_OBJECT)
            self.object(value)
        elif isinstance(value, Function):
            data.append(_FUNCTION)
            self.function(value)
        elif kind is Animation:
            data.append(_ANIMATION)
            self._named(self._animations, (value.tree, value.name))
        elif kind is Localized:
            data.append(_LOCALIZED)
            self.string(value.key)
        elif kind is Builtin:
            data.append(_BUILTIN)
            self.text(value.name)
        elif kind is AnimTree:
            data.append(_TREE)
            self.text(value.name)
        elif kind is bool:
            data.append(_TRUE if value else _FALSE)
        else:
            raise TypeError(f"{kind.__name__} is no script value and cannot be saved")

    def string(self, text: str) -> None:
        """A script string: what no reader would take is refused while there is still something to be done about it."""
        if not text.isascii():
            try:
                check_text(text)
            except TypeError as error:
                raise TypeError(f"the string {text[:40]!r} cannot be saved: {error}") from None
        if len(text) > self._max_string:
            raise TypeError(
                f"the string {text[:40]!r}... of {len(text)} characters cannot be saved: "
                f"strings have at most {self._max_string}"
            )
        self.text(text)

    def function(self, function: Function) -> None:
        self._named(self._functions, (function.script, function.name))

    def account(self, account: Account) -> None:
        self._named(self._accounts, (account.name,))

    def _named(self, table: dict[Any, int], key: tuple[str, ...]) -> None:
        number = table.get(key)
        self.whole(len(table) if number is None else number)
        if number is None:
            table[key] = len(table)
            for text in key:
                self.text(text)

    def object(self, object: Any) -> None:
        """A mention of an array, an object or a thread. Raises `TypeError` for a class that cannot be saved."""
        number = self._numbers.get(id(object))
        if number is not None:
            self.whole(number)
            return
        self.whole(len(self._kept))
        self._numbers[id(object)] = len(self._kept)
        self._kept.append(object)
        self._open.append(object)
        kind = object.__class__
        if kind is Array:
            self.whole(_ARRAY)
        elif kind is Thread:
            self.whole(_THREAD)
            self.whole(object.number)
        elif kind is ScriptStruct:
            self.whole(_STRUCT)
        elif kind is DeadEntity:
            self.whole(_DEAD_ENTITY)
        elif kind is DeadObject:
            self.whole(_DEAD_OBJECT)
        elif kind in self._kinds:
            number, known = self._kinds[kind]
            self.whole(_FIRST_KIND + number)
            known.write_shell(self, object)
        else:
            raise TypeError(
                f"objects of class {kind.__name__} cannot be saved: their host says nothing about them"
            )

    def drain(self) -> None:
        """Write what everything mentioned holds."""
        while self._open:
            object = self._open.popleft()
            if object.__class__ is Array:
                self._array(object)
            elif object.__class__ is Thread:
                self._write_thread(self, object)
            elif object.dead:
                if id(object) in self._residents:
                    self.whole(_ENDED + (object.__class__ is DeadEntity))
                scope_state.write_ended(self, object, self._now)
            else:
                self._object(object)

    def _array(self, array: Array) -> None:
        self.flag(array.shared)
        self.whole(len(array))
        for key, value in array.items():
            self.value(key)
            self.value(value)

    def _object(self, object: ScriptObject) -> None:
        fields = list(object.fields())
        self.whole(len(fields))
        for name, value in fields:
            self.text(name)
            self.value(value)
        waiters = object.waiters or {}
        self.whole(len(waiters))
        for event, entry in waiters.items():
            self.text(event)
            self.whole(len(entry))
            for thread, wanted in entry.items():
                self.object(thread)
                if isinstance(wanted, int):
                    self.flag(False)
                    self.whole(wanted)
                else:
                    self.flag(True)
                    self.values(wanted)
        endons = object.endons or {}
        self.whole(len(endons))
        for event, owners in endons.items():
            self.text(event)
            self.whole(len(owners))
            for thread in owners:
                self.object(thread)
        scope_state.write_scopes(self, object)
        known = self._kinds.get(object.__class__)
        if known is not None:
            known[1].write(self, object)


class HeapIn(In):
    """Reads what `HeapOut` wrote. Nothing that exists is changed before `commit`."""

    def __init__(
        self,
        data: bytes,
        residents: list[ScriptObject],
        kinds: list[ObjectKind],
        read_thread: Callable[[HeapIn, Thread], None],
        function: Callable[[Key], Function],
        animation: Callable[[Key], Animation],
        builtin: Callable[[str], Builtin],
        tree: Callable[[str], AnimTree],
        max_string: int,
        aside: bytes,
    ) -> None:
        super().__init__(data)
        self.aside = In(aside)
        self.objects: list[Any] = list(residents)
        self._open: deque[Any] = deque(residents)
        self._residents = {id(resident): resident for resident in residents}
        self._gone: dict[int, type[DeadObject]] = {}
        """Residents that have ended in the state, whatever they are now, with what they become."""
        self._wanted: dict[int, None] = {}
        """Residents that must be alive in the state."""
        self._seen = set(self._residents)
        self._kinds = kinds
        self._known = {kind.type for kind in kinds}
        self._read_thread = read_thread
        self._function = function
        self._animation = animation
        self._builtin = builtin
        self._tree = tree
        self._functions: list[Function] = []
        self._animations: list[Animation] = []
        self._accounts: list[str] = []
        self._max_string = max_string
        self._commits: list[Callable[[], None]] = []
        self.waiting: list[tuple[Thread, ScriptObject, str]] = []
        """Who stands among the waiters of which object."""
        self.ending: list[tuple[Thread, ScriptObject, str]] = []
        self.scoped: list[scope_state.Registration] = []
        self._ended: list[Callable[[int], None]] = []

    # ---- values ----------------------------------------------------------------------------------------

    def values(self, most: int = MAX_OBJECTS) -> tuple[Value, ...]:
        return tuple([self.value() for _ in range(self.whole(min(most, len(self.data) - self.at)))])

    def value(self) -> Value:
        tag = self.whole(_TREE)
        if tag == _UNDEFINED:
            return None
        if tag == _INT:
            return self.number(INT_MIN, INT_MAX)
        if tag == _FLOAT:
            return self.real()
        if tag == _STRING:
            return self.string()
        if tag == _VECTOR:
            return self.reals()
        if tag == _OBJECT:
            found = self.object()
            if found.__class__ is Thread:
                damaged("a value is a thread")
            return found
        if tag == _FUNCTION:
            return self.function()
        if tag == _ANIMATION:
            return self._named(self._animations, lambda: self._animation((self.text(), self.text())))
        if tag == _LOCALIZED:
            return Localized(self.string())
        if tag == _BUILTIN:
            return self._builtin(self.string())
        if tag == _TREE:
            return self._tree(self.string())
        return tag == _TRUE

    def string(self) -> str:
        """A script string: a character a byte."""
        text = self.text()
        if len(text) > self._max_string:
            damaged("a string is longer than strings may be here")
        if not text.isascii() and max(text) > "\xff":
            damaged("a string has a character that is no byte")
        return text

    def function(self) -> Function:
        found: Function = self._named(self._functions, lambda: self._function((self.text(), self.text())))
        return found

    def account(self) -> str:
        """The name of an account, which may not be there yet."""
        found: str = self._named(self._accounts, self.text)
        return found

    def _named(self, table: list[Any], read: Callable[[], Any]) -> Any:
        number = self.whole(len(table))
        if number == len(table):
            table.append(read())
        return table[number]

    # ---- objects ---------------------------------------------------------------------------------------

    def object(self) -> Any:
        """An array, an object or a thread; its contents come later."""
        objects = self.objects
        number = self.whole(len(objects))
        if number == len(objects):
            if number >= MAX_OBJECTS:
                damaged(f"it has more than {MAX_OBJECTS} objects")
            made = self._shell()
            if id(made) in self._seen:
                damaged("an object is there twice")
            self._seen.add(id(made))
            objects.append(made)
            self._open.append(made)
        return objects[number]

    def script_object(self) -> ScriptObject:
        found = self.object()
        if not isinstance(found, ScriptObject):
            damaged("something that is no object stands where one should")
        return found

    def living(self) -> ScriptObject:
        found = self.script_object()
        if id(found) in self._residents:
            # What it is now says nothing, and what it will be may not have been read yet.
            self._wanted[id(found)] = None
        elif found.dead:
            damaged(DEAD)
        return found

    def thread(self) -> Thread:
        found = self.object()
        if found.__class__ is not Thread:
            damaged("something that is no thread stands where one should")
        return found

    def array(self) -> Array:
        found = self.object()
        if found.__class__ is not Array:
            damaged("something that is no array stands where one should")
        return found

    def _shell(self) -> Any:
        tag = self.whole(_FIRST_KIND + len(self._kinds) - 1)
        if tag == _ARRAY:
            return Array()
        if tag == _THREAD:
            nobody: Any = None  # what is missing comes with the contents
            return new_thread(self.whole(), nobody, nobody, (), None, nobody)
        if tag == _STRUCT:
            return ScriptStruct()
        if tag == _DEAD_OBJECT:
            return DeadObject()
        if tag == _DEAD_ENTITY:
            dead = DeadEntity()
            dead.held["freed"] = True
            return dead
        return self._kinds[tag - _FIRST_KIND].read_shell(self)

    def drain(self) -> None:
        """Read what everything mentioned holds."""
        while self._open:
            object = self._open.popleft()
            if object.__class__ is Array:
                self._read_array(object)
            elif object.__class__ is Thread:
                self._read_thread(self, object)
            elif id(object) in self._residents:
                self._read_resident(object)
            elif object.dead:
                self._ended.append(scope_state.read_ended(self, object))
            else:
                self._read_object(object)
        if not self._gone.keys().isdisjoint(self._wanted):
            damaged(DEAD)

    def commit(self, now: int) -> None:
        """Change the objects that exist, in the frame of time `now`. Cannot fail."""
        for change in self._commits:
            change()
        for end in self._ended:
            end(now)

    def _read_array(self, array: Array) -> None:
        array.shared = self.flag()
        for _ in range(self.count(2)):
            key = self.value()
            if key.__class__ is not str and not (key.__class__ is int and KEY_MIN <= key <= KEY_MAX):
                damaged("the key of an array is no int or string")
            if key in array:
                damaged("an array has a key twice")
            array[key] = self.value()

    def _read_resident(self, object: ScriptObject) -> None:
        """One may have ended here and not in the state, or the other way round."""
        start = self.at
        first = self.whole()
        if _ENDED <= first <= _ENDED + 1:
            become = self._gone[id(object)] = DeadEntity if first > _ENDED else DeadObject
            self._commits.append(lambda: _turn(object, become))
            self._ended.append(scope_state.read_ended(self, object))
            return
        self.at = start
        if object.dead:
            self._commits.append(lambda: _turn(object, ScriptStruct))
        self._read_object(object, ScriptStruct if object.dead else type(object))

    def _read_object(self, object: ScriptObject, kind: type[ScriptObject] | None = None) -> None:
        kind = kind or type(object)
        fields: dict[str, Value] = {}
        for _ in range(self.count(2)):
            name = self.string()
            attribute = field(name)
            if isinstance(getattr(kind, name, None), EngineField) or attribute in fields:
                damaged(f"an object has no room for a field '{name[:40]}'")
            fields[attribute] = self.value()
        waiters: dict[str, dict[Thread, Wanted]] = {}
        for _ in range(self.count(3)):
            event = self.string()
            entry = waiters.setdefault(event, {})
            if entry:
                damaged("an object has an event twice")
            for _ in range(self.count(3)):
                thread = self.thread()
                entry[thread] = self.values(MAX_EVENT_VALUES) if self.flag() else self.whole(MAX_EVENT_VALUES)
                self.waiting.append((thread, object, event))
        endons: dict[str, dict[Thread, None]] = {}
        for _ in range(self.count(3)):
            event = self.string()
            owners = endons.setdefault(event, {})
            if owners:
                damaged("an object has an event twice")
            for _ in range(self.count()):
                thread = self.thread()
                owners[thread] = None
                self.ending.append((thread, object, event))
        scopes = scope_state.read_scopes(self, object)
        host = next((k for k in self._kinds if k.type is kind), None)
        change = host.read(self, object) if host is not None else None

        def commit() -> None:
            for name, _ in list(object.fields()):
                object.held.pop(field(name))
            object.held.update(fields)
            object.waiters = waiters or None
            object.endons = endons or None
            object.scopes = scopes or None
            if change is not None:
                change()

        self._commits.append(commit)


def _turn(object: ScriptObject, kind: type[ScriptObject]) -> None:
    """Make an object that exists one of a class, as empty as if it were new."""
    object.waiters = object.endons = object.scopes = None
    object.held.pop("kept", None)
    for name, _ in list(object.fields()):
        object.held.pop(field(name))
    object.__class__ = kind
