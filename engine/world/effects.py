"""Effects that a level repeats by itself."""

from __future__ import annotations

from dataclasses import dataclass

from engine.world.angles import Vector
from engine.world.events import FrameEvents
from engine.world.view import EffectEvent


@dataclass(slots=True)
class LoopedEffect:
    """An effect shown every `period` milliseconds; next_time is when it is due."""

    effect: str
    origin: Vector
    forward: Vector
    period: int
    next_time: int


def run_looped(effects: list[LoopedEffect], now: int, events: FrameEvents) -> None:
    """Show what is due, at most once a frame each."""
    for looped in effects:
        if now >= looped.next_time:
            looped.next_time = max(looped.next_time + looped.period, now + 1)
            events.effect(EffectEvent(looped.effect, looped.origin, looped.forward))
