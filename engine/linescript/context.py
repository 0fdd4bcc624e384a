"""A running program: a stack of frames, a scope, and one number of timing.

All of it is data. A context can be printed, compared, saved and restored at any time between two ticks
(`engine.linescript.state`), because where it stands was never anywhere else.
"""

from __future__ import annotations

from enum import Enum

from engine.linescript.faults import Fault
from engine.linescript.functions import Ref
from engine.linescript.program import Function, Program
from engine.linescript.scope import Scope
from engine.linescript.values import Value
from engine.source import Diagnostic

MAX_FRAMES = 100
"""Functions that may call one another before it is an error."""


class Clock:
    """A clock that contexts share, in ms. It can run at another rate, and stand."""

    __slots__ = ("_rest", "now", "paused", "rate")

    def __init__(self, now: int = 0, rate: float = 1.0) -> None:
        self.now = now
        self.rate = rate
        self.paused = False
        self._rest = 0.0

    def advance(self, ms: int) -> None:
        """Let time pass outside; what a rate leaves over of a millisecond is kept."""
        if self.paused:
            return
        if self.rate == 1.0:
            self.now += ms
            return
        exact = ms * self.rate + self._rest
        whole = int(exact)
        self._rest = exact - whole
        self.now += whole


class Persistence(Enum):
    """Whether a context that ends destroys its scope (a one-shot) or leaves it to be read (a behaviour)."""

    PERSISTENT = "persistent"
    VOLATILE = "volatile"


class Frame:
    """A function that has been called and has not returned.

    pc        index of the step it stands at
    blocks    the open blocks: [index of the opener], for a `for` also its value and its last
    at        index of the micro-step it goes on at, while a function that its expression called runs
    operands  what that expression has computed so far
    refs      the parameters passed by reference: where each variable lives, as (frame, name); -1 is the scope
    """

    __slots__ = ("at", "blocks", "context", "function", "locals", "operands", "pc", "refs")

    def __init__(self, context: Context, function: Function, variables: dict[str, Value]) -> None:
        self.context = context
        self.function = function
        self.locals = variables
        self.pc = 0
        self.at = 0
        self.blocks: list[list[float]] = []
        self.operands: list[Value | None] = []
        self.refs: dict[str, tuple[int, str]] | None = None

    def outer(self, name: str, place: tuple[int, int]) -> Value:
        """A variable that the call does not have itself. Raises Fault when there is none."""
        value = self.context.scope.lookup(name)
        if value is None:
            raise Fault(f"there is no variable '{name}'", place)
        return value

    def store(self, name: str, value: Value) -> None:
        """Assign: to the call's own variable, else to that of an outer scope, else to a new one of the call."""
        if name in self.locals or not self.context.scope.assign(name, value):
            self.locals[name] = value

    # ---- references ---------------------------------------------------------------------------------

    def locate(self, name: str, place: tuple[int, int]) -> tuple[int, str]:
        """Where a variable lives that is passed by reference. Raises Fault when there is none."""
        if self.refs is not None and name in self.refs:
            return self.refs[name]
        if name in self.locals:
            # A frame below the top is never this one: references are made while the caller is on top.
            return len(self.context.frames) - 1, name
        self.outer(name, place)
        return -1, name

    def read_ref(self, where: tuple[int, str], place: tuple[int, int]) -> Value:
        index, name = where
        if index < 0:
            return self.outer(name, place)
        return self.context.frames[index].locals[name]

    def write_ref(self, where: tuple[int, str], value: Value) -> None:
        index, name = where
        if index < 0:
            if not self.context.scope.assign(name, value):
                self.context.scope.values[name] = value
        else:
            self.context.frames[index].locals[name] = value

    def reference(self, name: str, place: tuple[int, int]) -> Ref:
        """A variable for a host function that may write it."""
        where = self.locate(name, place)
        return Ref(lambda: self.read_ref(where, place), lambda value: self.write_ref(where, value))


class Context:
    """One run of a program. `scope` is its own; its parent is what the host named.

    due    the one number of timing: 0 runs; above it waits until that ms of its clock; below it goes on in the
           first frame after the ms -due - 1
    fault  the error that ended it, if one did
    """

    __slots__ = ("clock", "due", "fault", "frames", "persistence", "program", "scope")

    def __init__(
        self,
        program: Program,
        scope: Scope,
        clock: Clock,
        persistence: Persistence = Persistence.PERSISTENT,
    ) -> None:
        self.program = program
        self.scope = scope
        self.clock = clock
        self.persistence = persistence
        self.due = 0
        self.fault: Diagnostic | None = None
        self.frames: list[Frame] = [Frame(self, program.main, scope.values)]

    @property
    def now(self) -> int:
        """Its clock in ms."""
        return self.clock.now

    @property
    def done(self) -> bool:
        return not self.frames

    def end(self) -> None:
        """Stop for good. A volatile context's variables go with it."""
        self.frames.clear()
        self.due = 0
        if self.persistence is Persistence.VOLATILE:
            self.scope.values.clear()
