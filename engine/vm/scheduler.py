"""Time: buckets keyed by 24-bit milliseconds, last in first out (vm facts, section 3).

The head of a bucket is the end of its dict, so that queueing, taking and removing are all O(1).
"""

from __future__ import annotations

import math
from typing import Any

from engine.vm.errors import ScriptError
from engine.vm.operators import to_float
from engine.vm.threads import Thread

CLOCK_MASK = 0xFFFFFF
MAX_WAIT = 16777.0
"""A wait of so many seconds or more is refused."""


class Scheduler:
    """The clock and what is due when."""

    def __init__(self, clock: int = 0) -> None:
        self.clock = clock & CLOCK_MASK
        self.buckets: dict[int, dict[Thread, None]] = {}

    def put(self, thread: Thread, delay_ms: int) -> None:
        """Place a thread at the head of the bucket `delay_ms` from now."""
        key = (self.clock + delay_ms) & CLOCK_MASK
        bucket = self.buckets.get(key)
        if bucket is None:
            bucket = self.buckets[key] = {}
        bucket[thread] = None
        thread.bucket = bucket
        thread.due = key

    def remove(self, thread: Thread) -> None:
        """Take a thread out of its bucket, if it is in one."""
        if thread.bucket is not None:
            thread.bucket.pop(thread, None)
            thread.bucket = None

    @property
    def idle(self) -> bool:
        """Whether no thread waits for any time."""
        return not any(self.buckets.values())


def delay(seconds: Any) -> int:
    """Milliseconds of a `wait`, rounded to nearest (vm facts, 3.1). Raises `ScriptError` outside the domain."""
    number = to_float(seconds)
    if math.isnan(number):
        raise ScriptError("wait of a value that is not a number")
    if number < 0:
        raise ScriptError("wait of negative time")
    if number >= MAX_WAIT:
        raise ScriptError(f"wait of {MAX_WAIT:.0f} seconds or more")
    return round(number * 1000)
