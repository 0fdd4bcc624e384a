"""What flies, glows and fades: dust of impacts, smoke, tracers, flashes, marks on walls. For the eye only;
nothing here touches the game.

Particles are rows of one table, moved all at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np

from engine.client.interpolate import Tags
from engine.client.render.scene import (
    BEAM_FLOATS,
    DECAL_FLOATS,
    FLAME,
    PUFF,
    SOFT,
    SPRITE_FLOATS,
    STAR,
    Float32,
    Light,
    no_rows,
)
from engine.world.view import EffectEvent, FrameView, Vector

MOST_PARTICLES = 900
MOST_DECALS = 160
TRACER_SPEED = 9000.0
"""Inches a second that a tracer's light travels: slower than a bullet, so that it can be seen."""

_TRACER_LENGTH = 170.0
_DECAL_SECONDS = 40.0

Colour = tuple[float, float, float]

DUST: dict[str, Colour] = {
    "stone": (0.34, 0.32, 0.28), "plaster": (0.52, 0.47, 0.38), "wood": (0.24, 0.17, 0.10), "gravel": (0.34,
    0.29, 0.22), "sand": (0.46, 0.36, 0.22), "dirt": (0.24, 0.17, 0.10), "grass": (0.16, 0.15, 0.07),
    "metal": (0.22, 0.22, 0.22), "glass": (0.4, 0.45, 0.48), "cloth": (0.2, 0.19, 0.14), "flesh": (0.26, 0.22, 0.17),
}  # fmt: skip
"""Linear colour of the dust that a hit throws up, by material. A hit on a body throws the dust of its clothes."""

_MARKS = {"wood": 2.0, "metal": 1.6, "plaster": 2.6, "stone": 2.2, "glass": 2.4}


@dataclass(slots=True)
class _Tracer:
    start: Float32
    way: Float32
    length: float
    done: float = 0.0


# Columns of the particle table.
_P, _V, _AGE, _LIFE, _SIZE, _GROW, _RGB, _A, _KIND, _FALL = (
    slice(0, 3), slice(3, 6), 6, 7, 8, 9, slice(10, 13), 13, 14, 15,
)  # fmt: skip
_WIDTH = 16

Spawner = Callable[["Effects", EffectEvent, Float32, Float32], None]


class Effects:
    """All effects in the air. `see` takes a new frame's events, `step` lets time pass, the rest is for the scene."""

    def __init__(self, seed: int = 1) -> None:
        self._random = Random(seed)
        self._particles = no_rows(_WIDTH)
        self._born: list[tuple[float, ...]] = []
        """Rows of particles that are not in the table yet."""
        self._decals: list[tuple[float, Float32]] = []
        self._tracers: list[_Tracer] = []
        self._flashes: list[tuple[float, Light]] = []
        self._clock = 0.0

    def clear(self) -> None:
        """Nothing is in the air any more: another level was loaded."""
        self._born.clear()
        self._particles = no_rows(_WIDTH)
        self._decals.clear()
        self._tracers.clear()
        self._flashes.clear()

    def see(self, frame: FrameView, tags: Tags | None = None, own: int | None = None) -> None:
        """Starts a frame's effects. own: the entity through whose eyes one looks, and whose muzzle is at the hands."""
        for event in frame.effects:
            if own is None or event.entity != own or "muzzle" not in event.effect:
                self.show(event, tags)

    def show(self, event: EffectEvent, tags: Tags | None = None) -> None:
        """Starts one effect; one of an unknown name throws plain dust, so that a new effect is seen at all."""
        origin, forward = np.asarray(event.origin, np.float32), _unit(event.forward)
        if event.entity is not None and event.tag and tags is not None:
            place = tags.find(event.entity, event.tag)
            if place is not None and np.linalg.norm(place[:, 3] - origin) < 120.0:
                origin = place[:, 3].copy()
        name = event.effect.rsplit("/", 1)[-1]
        spawn = next((make for word, make in _SPAWNERS.items() if word in name), _dust)
        spawn(self, event, origin, forward)

    def add(
        self,
        count: int,
        at: Float32,
        way: Float32,
        *,
        speed: tuple[float, float],
        spread: float,
        life: tuple[float, float],
        size: tuple[float, float],
        grow: float,
        colour: Colour,
        alpha: float,
        kind: float,
        fall: float,
    ) -> None:
        """Throws `count` particles from a point. spread 0..1 is how far from `way` they fly, fall the
        gravity in inches/s2."""
        # One after another in plain numbers: nearly all effects of a frame are a single speck.
        gauss, uniform = self._random.gauss, self._random.uniform
        (x, y, z), (ahead_x, ahead_y, ahead_z), (red, green, blue) = at.tolist(), way.tolist(), colour
        along = 1 - spread
        for _ in range(count):
            a, b, c = gauss(0.0, 1.0), gauss(0.0, 1.0), gauss(0.0, 1.0)
            u, v, w = ahead_x * along + a * spread, ahead_y * along + b * spread, ahead_z * along + c * spread
            fast = uniform(*speed) / (math.sqrt(u * u + v * v + w * w) + 1e-6)
            shade = uniform(0.85, 1.15)
            self._born.append(
                (x + a * 0.4, y + b * 0.4, z + c * 0.4, u * fast, v * fast, w * fast, 0.0, uniform(*life),
                 uniform(*size), grow, red * shade, green * shade, blue * shade, alpha, kind, fall)
            )  # fmt: skip

    def _take_in(self) -> Float32:
        """All particles, the newest last; the oldest give way where there are too many."""
        if self._born:
            rows = np.array(self._born, np.float32)
            self._particles = np.concatenate((self._particles, rows))[-MOST_PARTICLES:]
            self._born.clear()
        return self._particles

    def burn(
        self,
        count: int,
        at: Float32,
        way: Float32,
        *,
        size: tuple[float, float],
        speed: tuple[float, float],
        life: tuple[float, float],
        around: float,
    ) -> None:
        """Lets `count` tongues of fire rise from within `around` inches of a point."""
        for _ in range(count):
            aside = self._random.gauss(0.0, around), self._random.gauss(0.0, around), 0.0
            foot = at + np.array(aside, np.float32)
            kind = FLAME + self._random.uniform(0.0, 0.99)
            self.add(1, foot, way, speed=speed, spread=0.08, life=life, size=size, grow=-6.0,
                     colour=(2.3, 0.72, 0.12), alpha=0.62, kind=kind, fall=-70.0)  # fmt: skip

    def embers(self, often: float, at: Float32, way: Float32) -> None:
        """Now and then a spark that the heat carries up."""
        if self.chance(often):
            self.add(1, at + way * 8, way, speed=(40, 90), spread=0.3, life=(0.7, 1.5), size=(0.3, 0.55), grow=-0.1,
                     colour=(5.0, 2.0, 0.45), alpha=1.0, kind=SOFT, fall=-26.0)  # fmt: skip

    def chance(self, part: float) -> bool:
        """True in `part` (0..1) of all cases."""
        return self._random.random() < part

    def mark(self, at: Float32, normal: Float32, size: float, colour: Colour, alpha: float) -> None:
        """A mark on a wall that stays for a while."""
        row = np.zeros(DECAL_FLOATS, np.float32)
        row[0:3], row[3:6], row[6], row[7] = at, normal, size, self._random.uniform(0, 6.28)
        row[8:11], row[11] = colour, alpha
        self._decals.append((self._clock, row))
        del self._decals[:-MOST_DECALS]

    def flash(self, at: Float32, colour: Colour, radius: float, seconds: float) -> None:
        light = Light((float(at[0]), float(at[1]), float(at[2])), colour, radius)
        self._flashes.append((self._clock + seconds, light))

    def trace(self, start: Float32, end: Float32) -> None:
        way = end - start
        length = float(np.linalg.norm(way))
        if length > 40.0:
            self._tracers.append(_Tracer(start, way / length, length))

    def step(self, seconds: float) -> None:
        self._clock += seconds
        p = self._take_in()
        if len(p):
            p[:, _AGE] += seconds
            p = p[p[:, _AGE] < p[:, _LIFE]]
            p[:, _P] += p[:, _V] * seconds
            drag = np.exp(-np.where(p[:, _KIND] == PUFF, 3.2, 0.6) * seconds).astype(np.float32)
            p[:, _V] *= drag[:, None]
            p[:, 5] -= p[:, _FALL] * seconds
            p[:, _SIZE] += p[:, _GROW] * seconds
            self._particles = p
        for tracer in self._tracers:
            tracer.done += TRACER_SPEED * seconds
        self._tracers = [t for t in self._tracers if t.done - _TRACER_LENGTH < t.length]
        self._flashes = [f for f in self._flashes if f[0] > self._clock]
        self._decals = [d for d in self._decals if self._clock - d[0] < _DECAL_SECONDS]

    def sprites(self) -> Float32:
        p = self._take_in()
        if not len(p):
            return no_rows(SPRITE_FLOATS)
        rows = np.empty((len(p), SPRITE_FLOATS), np.float32)
        left = 1 - p[:, _AGE] / p[:, _LIFE]
        rows[:, 0:3], rows[:, 3], rows[:, 4:7] = p[:, _P], p[:, _SIZE], p[:, _RGB]
        rows[:, 7] = p[:, _A] * np.minimum(left * 1.6, 1.0)
        flames = p[:, _KIND] >= FLAME
        # They do not jump into being, they cool as they rise, and stand on their feet: a tongue is drawn upwards.
        rows[flames, 7] *= np.minimum((1 - left[flames]) * 6.0, 1.0)
        rows[flames, 4:7] *= 0.35 + 0.65 * left[flames, None]
        rows[flames, 2] += 0.55 * rows[flames, 3]
        rows[:, 8] = p[:, _KIND]
        return rows

    def beams(self) -> Float32:
        rows = np.zeros((len(self._tracers), BEAM_FLOATS), np.float32)
        for row, tracer in zip(rows, self._tracers, strict=True):
            head = min(tracer.done, tracer.length)
            tail = max(0.0, tracer.done - _TRACER_LENGTH)
            row[0:3] = tracer.start + tracer.way * tail
            row[3:6] = tracer.start + tracer.way * max(head, tail)
            row[6:] = 0.55, 1.5, 0.85, 0.32, 0.5
        return rows

    def decals(self) -> Float32:
        if not self._decals:
            return no_rows(DECAL_FLOATS)
        rows = np.array([row for _, row in self._decals], np.float32)
        age = np.array([self._clock - start for start, _ in self._decals], np.float32)
        rows[:, 11] *= np.clip((_DECAL_SECONDS - age) / 6.0, 0.0, 1.0)
        return rows

    def lights(self) -> list[Light]:
        return [light for _, light in self._flashes]

    @property
    def count(self) -> int:
        return len(self._take_in()) + len(self._tracers) + len(self._decals)


def _unit(v: Vector) -> Float32:
    length = math.hypot(*v)
    return np.array([c / length for c in v] if length > 1e-6 else (0, 0, 1), np.float32)


def _impact(effects: Effects, event: EffectEvent, at: Float32, normal: Float32) -> None:
    surface = event.surface
    colour = DUST.get(surface, DUST["stone"])
    if surface == "flesh":
        effects.add(7, at, normal, speed=(14, 60), spread=0.5, life=(0.25, 0.5), size=(1.4, 3.2), grow=13.0,
                    colour=colour, alpha=0.5, kind=PUFF, fall=0.0)  # fmt: skip
        return
    effects.add(9, at + normal, normal, speed=(20, 110), spread=0.35, life=(0.5, 1.3), size=(1.5, 3.5), grow=14.0,
                colour=colour, alpha=0.5, kind=PUFF, fall=-6.0)  # fmt: skip
    effects.add(10, at, normal, speed=(60, 230), spread=0.45, life=(0.3, 0.7), size=(0.25, 0.6), grow=0.0,
                colour=colour, alpha=0.9, kind=SOFT, fall=420.0)  # fmt: skip
    if surface == "metal":
        effects.add(12, at, normal, speed=(90, 330), spread=0.5, life=(0.12, 0.4), size=(0.25, 0.5), grow=-0.6,
                    colour=(5.0, 2.6, 0.8), alpha=1.0, kind=SOFT, fall=300.0)  # fmt: skip
        effects.flash(at + normal * 4, (1.2, 0.7, 0.25), 70.0, 0.05)
    if event.entity is None:
        dark = (colour[0] * 0.16, colour[1] * 0.16, colour[2] * 0.16)
        effects.mark(at, normal, _MARKS.get(surface, 2.0), dark, 0.85)


def _muzzle(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    effects.add(1, at + way * 3, way, speed=(0, 1), spread=0.0, life=(0.05, 0.06), size=(9.0, 12.0), grow=60.0,
                colour=(4.5, 2.6, 0.9), alpha=0.95, kind=STAR, fall=0.0)  # fmt: skip
    effects.add(1, at + way * 9, way, speed=(0, 1), spread=0.0, life=(0.05, 0.06), size=(5.0, 7.0), grow=40.0,
                colour=(4.5, 2.6, 0.9), alpha=0.8, kind=STAR, fall=0.0)  # fmt: skip
    effects.add(3, at + way * 6, way, speed=(30, 90), spread=0.12, life=(0.4, 0.9), size=(2.0, 3.0), grow=11.0,
                colour=(0.42, 0.40, 0.37), alpha=0.16, kind=PUFF, fall=-16.0)  # fmt: skip
    effects.flash(at + way * 10, (3.4, 2.2, 0.9), 240.0, 0.055)


def _tracer(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    if event.end is not None:
        effects.trace(at, np.asarray(event.end, np.float32))


def _dust(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    effects.add(8, at, way, speed=(10, 55), spread=0.6, life=(0.6, 1.4), size=(3.0, 6.0), grow=14.0,
                colour=DUST.get(event.surface, DUST["sand"]), alpha=0.32, kind=PUFF, fall=-5.0)  # fmt: skip


def _explosion(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    effects.add(16, at, way, speed=(40, 240), spread=0.8, life=(0.25, 0.6), size=(10.0, 20.0), grow=80.0,
                colour=(4.0, 1.9, 0.5), alpha=0.8, kind=PUFF, fall=-40.0)  # fmt: skip
    effects.add(30, at, way, speed=(40, 300), spread=0.7, life=(1.0, 2.6), size=(10.0, 24.0), grow=34.0,
                colour=(0.10, 0.09, 0.08), alpha=0.55, kind=PUFF, fall=-22.0)  # fmt: skip
    effects.add(24, at, way, speed=(200, 560), spread=0.6, life=(0.5, 1.2), size=(0.5, 1.6), grow=0.0,
                colour=DUST["dirt"], alpha=1.0, kind=SOFT, fall=600.0)  # fmt: skip
    effects.flash(at + way * 20, (9.0, 5.5, 2.2), 620.0, 0.12)


def _smoke(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    effects.add(6, at, way, speed=(12, 40), spread=0.3, life=(1.6, 3.2), size=(5.0, 9.0), grow=13.0,
                colour=(0.20, 0.19, 0.18), alpha=0.3, kind=PUFF, fall=-14.0)  # fmt: skip


def _screen(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    """A piece of a cloud that hides what is behind it; many of them, one after another, are a smoke screen."""
    effects.add(2, at, way, speed=(6, 26), spread=0.7, life=(2.6, 4.2), size=(16.0, 26.0), grow=11.0,
                colour=(0.46, 0.45, 0.43), alpha=0.42, kind=PUFF, fall=-6.0)  # fmt: skip


def _fire(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    """A fire in the open, for a script that shows it in every frame of the server."""
    effects.burn(2, at, way, size=(7.5, 13.0), speed=(26, 62), life=(0.35, 0.75), around=5.5)
    effects.embers(0.35, at, way)
    if effects.chance(0.3):
        effects.add(1, at + way * 26, way, speed=(22, 40), spread=0.25, life=(1.4, 2.6), size=(5.0, 8.0), grow=9.0,
                    colour=(0.09, 0.085, 0.08), alpha=0.22, kind=PUFF, fall=-16.0)  # fmt: skip


def _sparks(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    effects.add(16, at, way, speed=(60, 260), spread=0.6, life=(0.2, 0.6), size=(0.25, 0.6), grow=-0.4,
                colour=(5.0, 2.6, 0.8), alpha=1.0, kind=SOFT, fall=320.0)  # fmt: skip


def _bee(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    """A speck that lasts until the next frame of the server shows it further on."""
    effects.add(1, at, way, speed=(60, 90), spread=0.0, life=(0.11, 0.11), size=(1.0, 1.2), grow=0.0,
                colour=(0.16, 0.10, 0.02), alpha=1.0, kind=SOFT, fall=0.0)  # fmt: skip


def _bird(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    effects.add(1, at, way, speed=(0, 1), spread=0.0, life=(0.11, 0.11), size=(4.0, 4.2), grow=0.0,
                colour=(0.03, 0.03, 0.035), alpha=1.0, kind=SOFT, fall=0.0)  # fmt: skip


def _wing(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    effects.add(1, at, way, speed=(0, 1), spread=0.0, life=(0.11, 0.11), size=(2.6, 2.8), grow=0.0,
                colour=(0.03, 0.03, 0.035), alpha=0.9, kind=SOFT, fall=0.0)  # fmt: skip


def _flame(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    """As `_fire`, of the size of a torch."""
    effects.burn(1, at, way, size=(4.2, 6.4), speed=(14, 34), life=(0.25, 0.5), around=0.8)
    effects.embers(0.08, at, way)


def _spray(effects: Effects, event: EffectEvent, at: Float32, way: Float32) -> None:
    effects.add(3, at, way, speed=(110, 150), spread=0.04, life=(0.7, 0.95), size=(0.5, 1.0), grow=1.2,
                colour=(0.55, 0.62, 0.68), alpha=0.5, kind=SOFT, fall=320.0)  # fmt: skip


_SPAWNERS: dict[str, Spawner] = {
    "impact": _impact, "muzzle": _muzzle, "tracer": _tracer, "explo": _explosion, "screen": _screen,
    "smoke": _smoke, "fire": _fire, "spark": _sparks, "dust": _dust, "bee": _bee,
    "bird": _bird, "wing": _wing, "flame": _flame, "spray": _spray,
}  # fmt: skip
"""By a word in the effect's name, the first that fits."""
