"""The animations panel of the game: whom it shows, what he plays, and whom one looks at.

The game goes on and is played with the panel open; what is shown is asked for anew with every server frame.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from engine.client.render.scene import Camera, axes
from engine.client.session import Animations
from engine.mods.playing import Played
from engine.world.view import FrameView, Vector

WITHIN = 20.0
"""Degrees from the middle of the picture within which somebody counts as looked at."""

_MIDDLE = 36.0
"""Inches above the origin of a figure, where one looks at it."""


class AnimationPanel:
    """Closed, or open on one entity."""

    def __init__(self, animations: Animations) -> None:
        self._animations = animations
        self.number: int | None = None
        """The entity, None while the panel is closed."""
        self.played: Played | None = None
        """What it plays, None where it is gone or plays on no tree."""
        self._time = -1

    @property
    def open(self) -> bool:
        return self.number is not None

    def players(self) -> list[int]:
        """The entities that there is something to tell of."""
        return self._animations.players()

    def press(self, looked: int | None) -> str:
        """The key: opens on whom one looks at, goes on to another, closes; what to say where there is nobody."""
        if looked is not None and looked != self.number:
            return self.show(looked)
        if self.open:
            self.close()
            return ""
        return "nobody whom you look at plays on an animation tree"

    def show(self, number: int) -> str:
        """Open on an entity; what to say where it plays on no tree."""
        played = self._animations.played(number)
        if played is None:
            return f"entity {number} has no animation tree"
        self.number, self.played = number, played
        return ""

    def close(self) -> None:
        self.number = self.played = None

    def step(self, time: int) -> None:
        """Look again where a server frame has passed since, to `time` in ms."""
        if self.number is not None and time != self._time:
            self._time = time
            self.played = self._animations.played(self.number)


def looked_at(frame: FrameView, camera: Camera, among: Collection[int]) -> int | None:
    """The entity nearest to the middle of the picture, None where none of `among` is near it."""
    states = [
        state for number in among if (state := frame.entities.get(number)) is not None and state.visible
    ]
    if not states:
        return None
    middle = np.array([state.origin for state in states]) + np.array((0.0, 0.0, _MIDDLE))
    ways = middle - np.asarray(camera.position)
    lengths = np.maximum(np.linalg.norm(ways, axis=1), 1.0)
    forward, _, _ = axes(camera.angles)
    # Of two in line the nearer: at arm's length somebody covers more of the picture than far away.
    beside = np.degrees(np.arccos(np.clip(ways @ forward / lengths, -1.0, 1.0)))
    covers = np.degrees(np.arctan(_MIDDLE / 2 / lengths))
    off = np.maximum(beside - covers, 0.0)
    best = int(np.lexsort((lengths, np.round(off, 3)))[0])
    return states[best].number if off[best] <= WITHIN else None


def origin_of(frame: FrameView, number: int) -> Vector | None:
    """Where an entity is, None where nothing shows it."""
    state = frame.entities.get(number)
    return state.origin if state is not None else None
