"""Time: buckets keyed by 24-bit milliseconds, last in first out (vm facts, section 3).

The head of a bucket is the end of its list, so that queueing and taking are cheap. A thread that ends leaves
its place in a bucket behind; whoever takes it out skips it, and when too many are left they are swept.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.vm.errors import ScriptError
from engine.vm.operators import to_float
from engine.vm.threads import Thread

if TYPE_CHECKING:
    from engine.vm.objects import ScriptObject

CLOCK_MASK = 0xFFFFFF
FEW = 1000
"""Places left behind that are never swept."""

MAX_WAIT = 16777.0
"""A wait of so many seconds or more is refused."""


class Scheduler:
    """The clock and what is due when."""

    def __init__(self, clock: int = 0) -> None:
        self.clock = clock & CLOCK_MASK
        self.buckets: dict[int, list[Thread]] = {}
        self.left_behind = 0
        self._look_at = FEW
        """The number of places left behind at which they are compared with all places: that is the dearer the more
        buckets there are, and must not be done for each thread that ends."""
        self.listeners: dict[ScriptObject, Callable[[str, tuple[Any, ...]], None]] = {}
        """Of the host: who hears what is notified on an object, besides the threads that wait for it."""

    def put(self, thread: Thread, delay_ms: int) -> None:
        """Place a thread at the head of the bucket `delay_ms` from now."""
        bucket = self.bucket(delay_ms)
        bucket.append(thread)
        thread.bucket = bucket

    def bucket(self, delay_ms: int = 0) -> list[Thread]:
        """The bucket that runs `delay_ms` from now."""
        key = (self.clock + delay_ms) & CLOCK_MASK
        bucket = self.buckets.get(key)
        if bucket is None:
            bucket = self.buckets[key] = []
        return bucket

    def forget(self, thread: Thread) -> None:
        """Leave the place of a thread that has ended, if it has one; sweep when there are too many such places."""
        if thread.bucket is not None:
            thread.bucket = None
            self.left_behind += 1
            if self.left_behind > self._look_at:
                half = sum(map(len, self.buckets.values())) // 2
                if self.left_behind > half:
                    self.sweep()
                else:
                    self._look_at = half

    def withdraw(self, thread: Thread) -> None:
        """Take a thread that goes on living out of the bucket it stands in, if any."""
        if thread.bucket is not None:
            thread.bucket.remove(thread)
            thread.bucket = None

    def put_last(self, thread: Thread, delay_ms: int = 0) -> None:
        """Place a thread at the tail of the bucket `delay_ms` from now."""
        bucket = self.bucket(delay_ms)
        bucket.insert(0, thread)
        thread.bucket = bucket

    def sweep(self) -> None:
        """Drop the places of ended threads, without moving any other."""
        self.left_behind, self._look_at = 0, FEW
        for bucket in self.buckets.values():
            bucket[:] = [thread for thread in bucket if not thread.ended]

    def due(self, thread: Thread) -> int | None:
        """Milliseconds until a thread's bucket runs, None when it is in none."""
        for key, bucket in self.buckets.items():
            if bucket is thread.bucket:
                return (key - self.clock) & CLOCK_MASK
        return None

    @property
    def idle(self) -> bool:
        """Whether no thread waits for any time."""
        return all(thread.ended for bucket in self.buckets.values() for thread in bucket)


def delay(seconds: Any) -> int:
    """Milliseconds of a `wait`, rounded to nearest (vm facts, 3.1). Raises `ScriptError` outside the domain."""
    number = seconds if seconds.__class__ is float else to_float(seconds)
    if 0.0 <= number < MAX_WAIT:
        return round(number * 1000)
    if math.isnan(number):
        raise ScriptError("wait of a value that is not a number")
    if number < 0:
        raise ScriptError("wait of negative time")
    raise ScriptError(f"wait of {MAX_WAIT:.0f} seconds or more")
