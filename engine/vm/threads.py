"""Threads: lists of frames with what they wait for. Plain data; scheduler and events move it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
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


class Thread:
    """One thread of a script.

    It is suspended while it stands in a bucket or waits on an object; with neither it is running, or ended. `result` is
    the root function's value once it `ended`.
    `root_function`, `root_self` and `root_args` are kept so that it can be started again from the beginning.
    """

    __slots__ = (
        "base",
        "bucket",
        "children",
        "doomed",
        "ended",
        "endons",
        "event",
        "number",
        "on_end",
        "order",
        "origin",
        "result",
        "root_args",
        "root_function",
        "root_self",
        "scopes",
        "since",
        "top",
        "unwind",
        "waits_on",
    )

    def __init__(
        self,
        number: int,
        root_function: Function,
        root_self: ScriptObject,
        root_args: tuple[Any, ...],
        origin: Origin | None,
    ) -> None:
        self.number = number
        self.root_function = root_function
        self.root_self = root_self
        self.root_args = root_args
        self.origin = origin
        self.top: Frame | None = None
        """The innermost frame. One that was resumed stays while it runs: most often it waits again."""
        self.ended = False
        self.result: Value = None
        self.bucket: list[Thread] | None = None
        """The time bucket it stands in, when it is queued or waits for a time."""
        self.waits_on: ScriptObject | None = None
        """The object on which it waits for `event`."""
        self.event = ""
        self.since = 0
        """Clock of the last suspension, in ms."""
        self.endons: list[tuple[ScriptObject, str]] | None = None
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
        self.on_end: Callable[[Thread], None] | None = None
        """Called once when the thread has ended, for hosts."""

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

    def stack(self, frames: Iterable[Frame]) -> None:
        """Put frames on top, outermost first."""
        below = self.top
        level = below.level + 1 if below is not None else 0
        for frame in frames:
            frame.below = below
            frame.level = level
            below = frame
            level += 1
        self.top = below

    def cut(self, level: int) -> None:
        """Drop the frames from `level` up."""
        while self.top is not None and self.top.level >= level:
            self.top = self.top.below

    def __repr__(self) -> str:
        return f"<thread {self.number} {self.root_function}>"
