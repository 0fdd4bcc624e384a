"""Time in server frames (IW4 page, "Language and scheduling").

The clock of a VM counts milliseconds, and a frame is `Settings.frame_ms` of them. A wait counts frames from the one
that its thread runs in, so that threads of both kinds of dialects keep to one clock.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from engine.vm.errors import ScriptError
from engine.vm.operators import type_name
from engine.vm.scheduler import CLOCK_MASK
from engine.vm.values import f32

if TYPE_CHECKING:
    from engine.vm.machine import VM

FRAMES_PER_SECOND = 20
MAX_FRAMES = 16777 * FRAMES_PER_SECOND
"""A wait of so many frames or more is refused, as in United Offensive."""


def frames_of(seconds: Any) -> int:
    """Frames of a `wait`: 20 for every second of an int; for a float the nearest number in binary32, and at least one
    unless it is 0. Raises `ScriptError` for a negative, too long or no number."""
    kind = seconds.__class__
    if kind is int:
        frames = seconds * FRAMES_PER_SECOND
    elif kind is float:
        if math.isnan(seconds):
            raise ScriptError("wait of a value that is not a number")
        if seconds == 0:
            return 0
        exact = f32(f32(seconds * FRAMES_PER_SECOND) + 0.5)
        frames = math.floor(min(exact, MAX_FRAMES)) if exact > -MAX_FRAMES else -1
        if seconds > 0 and frames < 1:
            frames = 1
    else:
        raise ScriptError(f"wait takes a number, not {type_name(seconds)}")
    if seconds < 0:
        raise ScriptError("wait of negative time")
    if frames >= MAX_FRAMES:
        raise ScriptError(f"wait of {MAX_FRAMES // FRAMES_PER_SECOND} seconds or more")
    return int(frames)


def now(vm: VM, offset: bool = False) -> int:
    """The time of the frame that runs, in ms; with `offset`, how far the clock is within it."""
    time = vm.time - ((vm.time - vm.scheduler.clock) & CLOCK_MASK)
    past = time % vm.settings.frame_ms
    return past if offset else time - past
