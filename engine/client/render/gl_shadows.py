"""The sun's shadow maps: of what stands still, which serves for many pictures, and of what moves, made for each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import moderngl
import numpy as np
from numpy.typing import NDArray

from engine.client.render.light_space import light_matrix
from engine.client.render.programs import Unit
from engine.client.render.renderer import Box
from engine.client.render.scene import Float32
from engine.world.view import Vector

RADIUS = 1400.0
"""Inches around the viewer in which the sun's shadows are sharp; farther out the light map's soft ones are used."""

_LEEWAY = RADIUS * 0.25
"""Inches that the viewer may go before the map is drawn anew around him."""

DEPTH_STEP = 1000
"""Triangles that are drawn into a map by one call, about."""

_NO_MATRIX = np.eye(4, dtype=np.float32)

StillCasters = Callable[[Float32], Iterator[int]]
"""Draws what stands still, depth only, through a (4, 4) matrix from the world to clip space: a part for each step of
the iterator, which says how many triangles it had."""


class _Map:
    """A square depth map of `side` pixels, and the way into it."""

    def __init__(self, context: moderngl.Context, side: int) -> None:
        self.matrix: Float32 = _NO_MATRIX
        self.texture = context.depth_texture((side, side))
        self.texture.compare_func = "<="
        self.texture.filter = moderngl.LINEAR, moderngl.LINEAR
        self.texture.repeat_x = self.texture.repeat_y = False
        self.target = context.framebuffer(depth_attachment=self.texture)

    def release(self) -> None:
        self.target.release()
        self.texture.release()


class StillShadow:
    """Of what stands still around the viewer. `follow` before the pictures that `use` it.

    When he has gone far, a map around him is drawn over as many pictures as that takes, and then put in the place of
    the old one: drawn at once it would be felt, without a graphics card.
    """

    def __init__(self, context: moderngl.Context, side: int, pace: int) -> None:
        """pace: triangles for one picture, about."""
        self._context, self._side, self._pace = context, side, pace
        self._shown = self._coming = _Map(context, side)
        self._spare: _Map | None = None
        self._work: Iterator[int] | None = None
        self._centre: Float32 | None = None
        self._sun: Vector | None = None

    @property
    def matrix(self) -> Float32:
        """World to clip space (4, 4)."""
        return self._shown.matrix

    def use(self) -> None:
        self._shown.texture.use(Unit.LEVEL_DEPTH)

    def forget(self) -> None:
        """Something else stands there: the next picture gets a new map."""
        self._centre = None

    def follow(self, eye: Float32, sun: Vector, casters: StillCasters) -> None:
        gone = math.inf if self._centre is None else float(np.linalg.norm(eye - self._centre))
        if self._sun != sun or not gone <= 2 * _LEEWAY:  # other light, another level, or a jump
            self._sun = sun
            self._begin(self._shown, eye, sun, casters)
            self._go_on(math.inf)
        elif self._work is None and gone > _LEEWAY:
            self._spare = self._spare or _Map(self._context, self._side)
            self._begin(self._spare, eye, sun, casters)
        if self._work is not None:
            self._go_on(self._pace)

    def release(self) -> None:
        """Frees what it holds on the graphics card."""
        for one in {self._shown, self._coming, self._spare}:
            if one is not None:
                one.release()

    def _begin(self, coming: _Map, eye: Float32, sun: Vector, casters: StillCasters) -> None:
        self._centre, self._coming = eye.copy(), coming
        coming.matrix = light_matrix(sun, eye, RADIUS, 6000.0)
        coming.target.use()
        coming.target.clear(depth=1.0)
        self._work = casters(coming.matrix)

    def _go_on(self, triangles: float) -> None:
        assert self._work is not None
        context = self._context
        context.enable_only(moderngl.DEPTH_TEST)
        context.polygon_offset = 1.5, 2.0
        self._coming.target.use()
        for drawn in self._work:
            triangles -= drawn
            if triangles <= 0:
                break
        else:
            self._work = None
            if self._coming is not self._shown:
                self._spare, self._shown = self._shown, self._coming
        context.polygon_offset = 0.0, 0.0


class MoverShadow:
    """Of what moves within `reach` inches before the viewer: `look`, `draw` and `use` for each picture."""

    def __init__(self, context: moderngl.Context, side: int, reach: float) -> None:
        self._context, self._side, self._reach = context, side, reach
        # One is drawn while the last picture may still be drawn with the other.
        self._map, self._other = _Map(context, side), _Map(context, side)
        self._dirty = {self._map: (0, 0, side, side), self._other: (0, 0, side, side)}
        """What of them is not clear."""
        self._part: Box = 0, 0, 0, 0

    @property
    def matrix(self) -> Float32:
        """World to clip space (4, 4)."""
        return self._map.matrix

    def use(self) -> None:
        self._map.texture.use(Unit.MOVER_DEPTH)

    def look(
        self, eye: Float32, forward: Float32, sun: Vector, centres: Float32, radii: NDArray[np.floating]
    ) -> None:
        """forward: (3,), where the viewer looks. centres (N, 3), radii (N,): spheres around what moves."""
        self._map, self._other = self._other, self._map
        level = forward * np.array((1, 1, 0), np.float32)
        centre = eye + level * self._reach * 0.75
        self._map.matrix = matrix = light_matrix(sun, centre, self._reach, 4000.0)
        self._part = 1, 1, 0, 0
        if len(centres):
            # All but the rim, which stays clear for what lies outside of the map.
            least, most = 1, self._side - 1
            places, reach = centres @ matrix[:2, :3].T + matrix[:2, 3] + 1.0, radii[:, None] / self._reach
            low, high = (places - reach).min(axis=0), (places + reach).max(axis=0)
            x, y = np.clip(low * self._side / 2, least, most).astype(int).tolist()
            right, top = np.clip(high * self._side / 2 + 1, least, most).astype(int).tolist()
            self._part = x, y, right - x, top - y

    def draw(self, casters: Callable[[Float32], None]) -> None:
        """casters: draws what moves, depth only, through a matrix (4, 4)."""
        target = self._map.target
        # To clear all of it costs as much as to draw thirty figures into it.
        target.scissor, self._dirty[self._map] = self._dirty[self._map], self._part
        target.use()
        target.clear(depth=1.0)
        target.scissor = self._part
        target.use()
        context = self._context
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        # The far sides throw the shadow, so that no surface in the sun can shade itself.
        context.cull_face = "front"
        casters(self._map.matrix)
        context.cull_face = "back"

    def release(self) -> None:
        """Frees what it holds on the graphics card."""
        for one in (self._map, self._other):
            one.release()
