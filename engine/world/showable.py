"""What of a picture can be shown. Numbers of scripts may be infinite or none at all: here that ends for all clients."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.world.view import (
    ZERO,
    Atmosphere,
    DynamicLight,
    EffectEvent,
    HudElement,
    PlayerState,
    Shake,
    SoundEvent,
    Vector,
)

FARTHEST = 1e6
"""Inches from the middle of the world beyond which nothing is shown."""

BRIGHTEST = 100.0
"""The most that a linear colour may have of one of its three."""

LARGEST = 10_000.0
"""Units of the HUD's screen that an element may be away from its middle, or large."""

LONGEST_SHAKE = 600.0
"""Seconds."""


def is_place(place: Iterable[float]) -> bool:
    """Whether something can be shown there."""
    return all(abs(c) < FARTHEST for c in place)  # which is not so for what is no number


def within(value: float, least: float, most: float) -> float:
    """The nearest number between two; what is no number is the least."""
    return min(max(value, least), most) if value == value else least


def colour(value: Vector, brightest: float = 1.0) -> Vector:
    red, green, blue = (within(c, 0.0, brightest) for c in value)
    return red, green, blue


def hud(elements: Iterable[HudElement]) -> Iterator[HudElement]:
    """Those that are somewhere, in sizes and colours that a display has."""
    for one in elements:
        if all(abs(c) < LARGEST for c in (one.x, one.y)) and math.isfinite(one.sort):
            yield replace(
                one,
                width=within(one.width, 0.0, LARGEST),
                height=within(one.height, 0.0, LARGEST),
                scale=within(one.scale, 0.0, 50.0),
                turn=within(one.turn, 0.0, 1.0),
                alpha=within(one.alpha, 0.0, 1.0),
                color=colour(one.color),
            )


def sounds(events: Iterable[SoundEvent]) -> Iterator[SoundEvent]:
    return (one for one in events if one.origin is None or is_place(one.origin))


def effects(events: Iterable[EffectEvent]) -> Iterator[EffectEvent]:
    for one in events:
        if is_place(one.origin) and (one.end is None or is_place(one.end)):
            yield one if all(map(math.isfinite, one.forward)) else replace(one, forward=(0.0, 0.0, 1.0))


def shakes(events: Iterable[Shake]) -> Iterator[Shake]:
    for one in events:
        if is_place(one.origin):
            yield Shake(
                within(one.scale, 0.0, 10.0),
                within(one.duration, 0.0, LONGEST_SHAKE),
                one.origin,
                within(one.radius, 0.0, FARTHEST),
            )


def lights(events: Iterable[DynamicLight]) -> Iterator[DynamicLight]:
    for one in events:
        if is_place(one.origin):
            yield replace(one, color=colour(one.color, BRIGHTEST), radius=within(one.radius, 1.0, FARTHEST))


def player(state: PlayerState) -> PlayerState:
    """A player who is nowhere is shown the middle of the world."""
    if is_place((*state.origin, *state.eye, *state.view, *state.velocity)):
        return state
    origin, eye, view, velocity = (
        value if is_place(value) else ZERO for value in (state.origin, state.eye, state.view, state.velocity)
    )
    return replace(state, origin=origin, eye=eye, view=view, velocity=velocity)


def air(atmosphere: Atmosphere) -> Atmosphere:
    start, end = atmosphere.fog_start, atmosphere.fog_end
    return replace(
        atmosphere,
        fog_color=colour(atmosphere.fog_color, BRIGHTEST),
        fog_start=within(start, 0.0, FARTHEST),
        fog_end=within(end, 0.0, FARTHEST) if end == end else FARTHEST,
        fog_density=within(atmosphere.fog_density, 0.0, 1.0),
    )
