"""Sound: where it comes from, how far it is, and how loud the player wants it. Without a sound device
everything is silent.

Distance takes the high tones away first: each sound is kept in three steps of dullness, made once. A little
variation of pitch is made the same way, so that playing costs nothing.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pygame
from numpy.typing import NDArray

from engine.client.preferences import Preferences
from engine.client.session_assets import Library
from engine.pipeline.files import check_file
from engine.pipeline.sounds import SoundAlias
from engine.world.view import FrameView, SoundEvent, Vector

CHANNELS = 40
PITCHES = (-1.0, 0.0, 1.0)
"""Steps of pitch, in parts of a sound's own jitter."""

MUFFLED_FROM = (0.22, 0.55)
"""Parts of a sound's reach beyond which it is a little and very dull."""

ERROR_OUTPUT = 2
"""The file that C libraries write their complaints to."""

_RATE = 44100
Samples = NDArray[np.int16]
Place = Callable[[int], Vector | None]


@dataclass(frozen=True, slots=True)
class Ear:
    """Where the listener is, and the yaw in degrees that it faces."""

    position: Vector
    yaw: float


@dataclass(slots=True)
class _Loop:
    alias: SoundAlias
    channel: pygame.mixer.Channel
    entity: int | None
    origin: Vector | None
    volume: float
    dull: int


def gains(alias: SoundAlias, ear: Ear, origin: Vector | None, volume: float) -> tuple[float, float, int]:
    """(left, right, dullness 0..2) of a sound at a place; None stands for everywhere."""
    if origin is None or not alias.positional:
        return volume, volume, 0
    dx, dy, dz = (origin[i] - ear.position[i] for i in range(3))
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    if distance >= alias.far:
        return 0.0, 0.0, 2
    part = max(0.0, (distance - alias.near) / max(alias.far - alias.near, 1.0))
    # Falls quickly at first, as sound does, and reaches nothing at the end, as it must to be cut there.
    loud = volume * (1 - part) ** 2 / (1 + 2.2 * part)
    heading = math.atan2(dy, dx) - math.radians(ear.yaw)
    # Close to the head a sound is on both ears.
    side = math.sin(heading) * min(1.0, distance / 60.0) * 0.8
    angle = (1 - side) * math.pi / 4
    dull = sum(part > start for start in MUFFLED_FROM)
    return loud * math.cos(angle) * 1.2, loud * math.sin(angle) * 1.2, dull


def muffle(samples: NDArray[np.float32], steps: int) -> NDArray[np.float32]:
    """Takes the high tones away: a running mean over some samples, twice. steps 1 is a little, 2 is a lot."""
    width = (1, 14, 46)[steps]
    for _ in range(2 if steps else 0):
        total = np.cumsum(np.concatenate((np.zeros(width, np.float64), samples.astype(np.float64))))
        samples = ((total[width:] - total[:-width]) / width).astype(np.float32)
    return samples


def bend(samples: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """Plays faster (above 1) or slower."""
    if factor == 1.0:
        return samples
    at = np.arange(0, len(samples) - 1, factor)
    return np.asarray(np.interp(at, np.arange(len(samples)), samples), np.float32)


_Version = tuple[Path, int]
"""A sound file and when it was last written, so that a new recording is heard as soon as it is saved."""


def _version(path: Path) -> _Version:
    try:
        return path, path.stat().st_mtime_ns
    except OSError:
        return path, 0


@contextmanager
def quiet_libraries() -> Iterator[None]:
    """Keeps what C libraries write to standard error off the terminal: ALSA tells in eight lines that there is no sound
    card, which `Audio.problem` tells in one."""
    try:
        kept = os.dup(ERROR_OUTPUT)
    except OSError:
        # Nothing to write to: a program without a console.
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, ERROR_OUTPUT)
        yield
    finally:
        os.dup2(kept, ERROR_OUTPUT)
        os.close(nowhere)
        os.close(kept)


class Audio:
    """Plays the sounds of frames. `problem` says in a sentence why it is silent, "" where it is not."""

    def __init__(
        self, library: Library, preferences: Preferences, *, silent: bool = False, seed: int = 1
    ) -> None:
        self._library = library
        self.preferences = preferences
        self._random = random.Random(seed)
        self._sounds: dict[tuple[_Version, int, float], pygame.mixer.Sound | None] = {}
        self._waves: dict[_Version, NDArray[np.float32] | None] = {}
        self._last: dict[str, int] = {}
        self._loops: dict[tuple[int | None, str], _Loop] = {}
        self.problem = ""
        self.on = not silent and self._open()

    def _open(self) -> bool:
        try:
            with quiet_libraries():
                pygame.mixer.init(_RATE, -16, 2, 512)
            pygame.mixer.set_num_channels(CHANNELS)
        except pygame.error as error:
            self.problem = f"no sound: {error}"
            return False
        return True

    def _volume(self, alias: SoundAlias) -> float:
        return alias.volume * float(getattr(self.preferences, alias.group))

    def see(self, frame: FrameView, ear: Ear, place: Place, player: int | None) -> None:
        """Starts and stops what happened in a frame."""
        if not self.on:
            return
        for event in frame.sounds:
            if event.player is None or event.player == player:
                self._event(event, ear, place)

    def begin(self, loop: SoundEvent, ear: Ear) -> None:
        """Starts a loop that belongs to no entity."""
        if self.on:
            self._event(loop, ear, lambda _: None)

    def _event(self, event: SoundEvent, ear: Ear, place: Place) -> None:
        if event.stop:
            self._stop(event)
            return
        alias = self._library.sound_alias(event.alias)
        if alias is None:
            return
        origin = event.origin
        if origin is None and event.entity is not None:
            origin = place(event.entity)
        if event.loop or alias.loop:
            self._start_loop(alias, event, ear, origin)
        else:
            self.play(alias, ear, origin, event.volume)

    def play(self, alias: SoundAlias, ear: Ear, origin: Vector | None = None, volume: float = 1.0) -> None:
        """One sound, once."""
        if not self.on:
            return
        left, right, dull = gains(alias, ear, origin, volume * self._volume(alias))
        if max(left, right) < 0.004:
            return
        sound = self._pick(alias, dull)
        if sound is None:
            return
        channel = pygame.mixer.find_channel()
        if channel is None:
            # All are busy: the sound that has begun first gives way, unless this one can hardly be heard.
            if max(left, right) < 0.05:
                return
            channel = pygame.mixer.find_channel(True)
        channel.play(sound)
        channel.set_volume(min(left, 1.0), min(right, 1.0))

    def play_name(self, name: str) -> None:
        """A sound of the client itself, such as a click; nothing where there is none of that name."""
        if not self.on:
            return
        alias = self._library.sound_alias(name)
        if alias is not None:
            self.play(alias, Ear((0.0, 0.0, 0.0), 0.0))

    def _start_loop(self, alias: SoundAlias, event: SoundEvent, ear: Ear, origin: Vector | None) -> None:
        key = event.entity, alias.name
        if key in self._loops:
            return
        left, right, dull = gains(alias, ear, origin, event.volume * self._volume(alias))
        sound = self._pick(alias, dull)
        channel = pygame.mixer.find_channel()
        if sound is None or channel is None:
            return
        channel.play(sound, loops=-1, fade_ms=int(event.fade * 1000))
        channel.set_volume(min(left, 1.0), min(right, 1.0))
        self._loops[key] = _Loop(alias, channel, event.entity, origin, event.volume, dull)

    def _stop(self, event: SoundEvent) -> None:
        for key in [k for k in self._loops if k[0] == event.entity and event.alias in ("", k[1])]:
            self._loops.pop(key).channel.fadeout(max(int(event.fade * 1000), 60))

    def step(self, ear: Ear, place: Place) -> None:
        """Moves the loops with their entities, and ends those whose entity is gone."""
        for key, loop in list(self._loops.items()):
            origin = loop.origin
            if loop.entity is not None:
                origin = place(loop.entity)
                if origin is None:
                    loop.channel.fadeout(120)
                    del self._loops[key]
                    continue
            left, right, dull = gains(loop.alias, ear, origin, loop.volume * self._volume(loop.alias))
            loop.channel.set_volume(min(left, 1.0), min(right, 1.0))
            if dull != loop.dull:
                sound = self._pick(loop.alias, dull)
                if sound is not None:
                    loop.channel.play(sound, loops=-1)
                    loop.channel.set_volume(min(left, 1.0), min(right, 1.0))
                loop.dull = dull

    def pause(self, paused: bool) -> None:
        if self.on:
            (pygame.mixer.pause if paused else pygame.mixer.unpause)()

    def stop_all(self) -> None:
        """Silence: another level was loaded."""
        self._loops.clear()
        if self.on:
            pygame.mixer.stop()

    def close(self) -> None:
        self.stop_all()
        if self.on:
            pygame.mixer.quit()
            self.on = False

    # Samples ---------------------------------------------------------------------------------------------

    def _pick(self, alias: SoundAlias, dull: int) -> pygame.mixer.Sound | None:
        """One of an alias's files, never the same twice running, in one of its pitches."""
        if not alias.files:
            return None
        choices = [
            i for i in range(len(alias.files)) if i != self._last.get(alias.name) or len(alias.files) == 1
        ]
        at = self._random.choice(choices)
        self._last[alias.name] = at
        pitch = 1.0 + alias.jitter * self._random.choice(PITCHES) if alias.jitter else 1.0
        key = _version(alias.files[at]), dull, round(pitch, 3)
        if key not in self._sounds:
            self._sounds[key] = self._make(*key)
        return self._sounds[key]

    def _make(self, file: _Version, dull: int, pitch: float) -> pygame.mixer.Sound | None:
        wave = self._wave(file)
        if wave is None:
            return None
        samples = muffle(bend(wave, pitch), dull)
        flat = np.clip(samples, -1, 1) * 32767
        return pygame.mixer.Sound(buffer=np.repeat(flat.astype(np.int16)[:, None], 2, axis=1).tobytes())

    def _wave(self, file: _Version) -> NDArray[np.float32] | None:
        """A file as mono samples -1..1 at the mixer's rate; None, once and with a note, where it cannot be read."""
        if file not in self._waves:
            try:
                check_file(file[0])
                samples = pygame.sndarray.array(pygame.mixer.Sound(str(file[0])))
                self._waves[file] = (samples.astype(np.float32).mean(axis=1) / 32768.0).astype(np.float32)
            except (pygame.error, OSError) as error:
                self.problem = f"{file[0].name} cannot be played: {error}"
                self._waves[file] = None
        return self._waves[file]
