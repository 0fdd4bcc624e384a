"""Threads: lists of frames with what they wait for. Plain data; scheduler and events move it."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from engine.vm.frames import PLACES, WIDE

if TYPE_CHECKING:
    from engine.vm.accounts import Account
    from engine.vm.frames import Frame
    from engine.vm.objects import ScriptObject
    from engine.vm.values import Function, Value


class Origin:
    """Where a thread was started: an instruction of compiled script code, and where its starter came from.

    The chain is cut after `CHAIN` links, so that threads which start their successors do not keep their history."""

    __slots__ = ("code", "instruction", "length", "parent")

    CHAIN = 8

    def __init__(self, code: CodeType, instruction: int, parent: Origin | None) -> None:
        self.code = code
        self.instruction = instruction
        if parent is not None and parent.length >= self.CHAIN:
            parent = None
        self.parent = parent
        self.length: int = 1 if parent is None else parent.length + 1


Wanted: TypeAlias = "int | tuple[Any, ...]"
"""What a waiting thread wants of an event: so many of its values, or these values to be equal to them."""


class Bonds:
    """What ties a thread to its calls and to other threads, in the dialects with scoped endons."""

    __slots__ = ("base", "children", "doomed", "order", "scopes", "unwind")

    def __init__(self) -> None:
        self.order = 0
        """When it registered the wait for an event, among all of those that resume newest first; 0 for the others."""
        self.base = 0
        """Calls below its root: those of its starter, as long as it runs for the first time."""
        self.scopes: list[tuple[int, ScriptObject, str]] | None = None
        """Its endons that belong to a call, with the call's level; never falling."""
        self.unwind: int | None = None
        """The level of a call to be killed once control comes back to it."""
        self.doomed = False
        """It ends instead of waiting again."""
        self.children: list[Thread] | None = None
        """Threads that end with it."""


LOOSE: Final = Bonds()
"""The bonds of all threads that have none, never changed."""


class Touched:
    """What every resumption touches of a thread, first in its memory: the slots of a base class are. Thousands of
    threads that are resumed in a row do not fit into the processor's cache."""

    __slots__ = ("bucket", "event", "since", "top", "waits_on")

    bucket: list[Thread] | None
    event: str
    since: int
    top: Frame | None
    waits_on: ScriptObject | None


class Thread(Touched):
    """One thread of a script, made by `new_thread`.

    It is suspended while it stands in a bucket or waits on an object; with neither it is running, or ended.

    number         threads are numbered as they are started
    root_function  with `root_self` and `root_args` for starting it again from the beginning
    origin         where it was started
    account        whose it is: what it does counts for its owner (`engine.vm.accounts`)
    top            the innermost frame; one that was resumed stays while it runs: most often it waits again
    result         the root function's value once it has `ended`
    bucket         the time bucket it stands in, when it is queued or waits for a time
    waits_on       the object on which it waits for `event`
    since          clock of the last suspension, in ms
    endons         events that end it when it is suspended
    bonds          `LOOSE` for most; `own_bonds` before changing them
    on_end         called once when the thread has ended, for hosts
    """

    __slots__ = (
        "account",
        "bonds",
        "ended",
        "endons",
        "number",
        "on_end",
        "origin",
        "result",
        "root_args",
        "root_function",
        "root_self",
    )

    # No `__init__`: calling one is a fifth of the time that a thread takes to make, and scripts start thousands.
    number: int
    root_function: Function
    root_self: ScriptObject
    root_args: tuple[Any, ...]
    origin: Origin | None
    account: Account
    ended: bool
    result: Value
    endons: list[tuple[ScriptObject, str]] | None
    bonds: Bonds
    on_end: Callable[[Thread], None] | None

    def own_bonds(self) -> Bonds:
        """Bonds that may be changed."""
        if self.bonds is LOOSE:
            self.bonds = Bonds()
        return self.bonds

    @property
    def suspended(self) -> bool:
        return self.bucket is not None or self.waits_on is not None

    @property
    def frames(self) -> list[Frame]:
        """Outermost first."""
        found: list[Frame] = []
        frame = self.top
        while frame is not None:
            found.append(frame)
            frame = frame.below
        return found[::-1]

    @property
    def depth(self) -> int:
        """How many frames there are."""
        return self.top.level + 1 if self.top is not None else 0

    def stack(self, frames: list[Frame]) -> int:
        """Move frames, innermost first, from a list on top of those that are there. Returns what the places of very
        many locals count as variables."""
        places = 0
        below = self.top
        level = below.level + 1 if below is not None else 0
        for frame in reversed(frames):
            frame.below = below
            frame.level = level
            below = frame
            level += 1
            if len(frame.locals) > WIDE:
                places += len(frame.locals) // PLACES
        frames.clear()
        self.top = below
        return places

    def cut(self, level: int) -> None:
        """Drop the frames from `level` up."""
        while self.top is not None and self.top.level >= level:
            self.top = self.top.below

    def __repr__(self) -> str:
        return f"<thread {self.number} {self.root_function}>"


def new_thread(
    number: int,
    root_function: Function,
    root_self: ScriptObject,
    root_args: tuple[Any, ...],
    origin: Origin | None,
    account: Account,
) -> Thread:
    """A thread that has not run yet."""
    thread = Thread()
    thread.number = number
    thread.root_function = root_function
    thread.root_self = root_self
    thread.root_args = root_args
    thread.origin = origin
    thread.account = account
    thread.top = thread.bucket = thread.waits_on = thread.endons = thread.on_end = thread.result = None
    thread.ended = False
    thread.event = ""
    thread.since = 0
    thread.bonds = LOOSE
    return thread
