"""The light that does not move: how much sky and sun each point of a level sees, worked out once when it is loaded.

The graphics driver does it: for each of many directions over the whole sky the level is drawn into a depth
map, and every luxel that sees out adds the light from there. Corners, feet of walls and rooms come out dark,
without a single ray cast in Python.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import moderngl
import numpy as np

from engine.client.render.charts import Atlas
from engine.client.render.light_space import light_matrix, to_texture
from engine.client.render.programs import build, put
from engine.client.render.renderer import Progress, unheard
from engine.client.render.scene import Float32
from engine.world.view import Atmosphere, LevelGeometry

SKY_DIRECTIONS = 64
SUN_DIRECTIONS = 12
DEPTH_SIDE = 768
WORK = "working out the light"

_AT_ONCE = 4
"""Directions that one pass over the luxels adds; the two numbers of directions are multiples of it."""

_SUN_SPREAD = 0.022
"""Radius of the sun as the baker sees it, larger than life, for soft far shadows."""

DrawDepth = Callable[[Float32], None]
"""Draws everything that stands still, depth only, through a (4, 4) matrix from the world to clip space."""


def sphere(count: int) -> Float32:
    """`count` directions spread evenly over the upper half of a sphere (count, 3): a Fibonacci spiral."""
    i = np.arange(count) + 0.5
    z = 1 - i / count
    angle = i * np.pi * (1 + 5**0.5)
    ring = np.sqrt(1 - z * z)
    return np.stack((ring * np.cos(angle), ring * np.sin(angle), z), -1).astype(np.float32)


def sky_light(air: Atmosphere, directions: Float32) -> Float32:
    """The light of the sky from each direction (N, 3): haze at the horizon, blue above, warm around the sun."""
    toward = (directions @ np.asarray(air.sun_direction, np.float32))[:, None]
    cool, golden = np.array((0.60, 0.72, 0.92)), np.array((1.12, 0.95, 0.74))
    haze = np.asarray(air.fog_color) * (cool + (golden - cool) * (toward * 0.5 + 0.5))
    haze = haze + np.asarray(air.sun_color) * (0.13 * np.maximum(toward, 0.0) ** 4)
    t = 1 - np.exp(-directions[:, 2:3] * 4.2)
    return np.asarray(haze + (np.asarray(air.sky_color) - haze) * t, np.float32)


def extent(geometry: LevelGeometry) -> tuple[Float32, float]:
    """Middle and radius of the part of a level that is worth lighting: far backdrops, few and large, are left out."""
    if not geometry.world:
        return np.zeros(3, np.float32), 1024.0
    points = np.concatenate([s.positions for s in geometry.world])
    low, high = np.percentile(points, (6, 94), axis=0)
    middle = (low + high) / 2
    return middle.astype(np.float32), float(np.linalg.norm(high - low) / 2 * 1.2 + 256.0)


_CORNERS = np.array(list(np.ndindex(2, 2, 2)))
"""(8, 3): of a cube."""


@dataclass(frozen=True, eq=False)
class Probes:
    """Light in the air on a grid: values (X, Y, Z, 4) linear ambient RGB and the sun seen, for what moves."""

    low: Float32
    spacing: Float32
    values: Float32

    def at(self, points: Float32) -> Float32:
        """(N, 4) between the eight nearest grid points; outside the grid its border counts."""
        top = np.array(self.values.shape[:3]) - 1
        place = np.clip((points - self.low) / self.spacing, 0, top - 1e-3)
        cell = place.astype(np.intp)
        part = (place - cell).astype(np.float32)[:, None, :]
        weights = np.where(_CORNERS, part, 1 - part).prod(axis=2)
        x, y, z = np.moveaxis(np.minimum(cell[:, None, :] + _CORNERS, top), 2, 0)
        return np.asarray(np.einsum("nk,nkc->nc", weights, self.values[x, y, z]), np.float32)


def probe_grid(geometry: LevelGeometry) -> tuple[Float32, Float32, tuple[int, int, int]]:
    """Lowest corner, spacing and counts of the probe grid of a level: at most some 10,000 points, 40 inches
    off the floor."""
    middle, radius = extent(geometry)
    low = np.maximum(np.asarray(geometry.bounds[0], np.float32), middle - radius) + np.float32(40.0)
    high = np.minimum(np.asarray(geometry.bounds[1], np.float32), middle + radius)
    high[2] = min(high[2], low[2] + 420.0)
    size = np.maximum(high - low, 1.0)
    flat = max(72.0, float(np.sqrt(size[0] * size[1] / 1400.0)))
    spacing = np.array((flat, flat, 72.0), np.float32)
    counts = np.maximum(np.ceil(size / spacing).astype(int) + 1, 2)
    return low, spacing, (int(counts[0]), int(counts[1]), int(counts[2]))


def add_probes(atlas: Atlas, geometry: LevelGeometry) -> tuple[Float32, Float32, tuple[int, int, int]]:
    """Writes the probe grid into the free rows at the end of an atlas; returns the grid."""
    low, spacing, counts = probe_grid(geometry)
    number = int(np.prod(counts))
    grid = np.stack(np.meshgrid(*(np.arange(c) for c in counts), indexing="ij"), -1).reshape(-1, 3)
    flat = atlas.positions.reshape(-1, 4)
    flat[-number:, :3] = low + grid * spacing
    flat[-number:, 3] = 1.0
    return low, spacing, counts


class _Baker:
    """The driver's side of baking: four directions at a time are drawn into depth maps and added to the luxels."""

    def __init__(self, context: moderngl.Context, atlas: Atlas, draw_depth: DrawDepth) -> None:
        self._context, self._draw_depth = context, draw_depth
        self._height, self._width = atlas.positions.shape[:2]
        size = self._width, self._height
        self._program = build(context, "bake", "bake")
        self._square = context.vertex_array(self._program, [])
        self._positions = context.texture(size, 4, atlas.positions.tobytes(), dtype="f4")
        self._normals = context.texture(size, 4, atlas.normals.tobytes(), dtype="f4")
        self._depths = [context.depth_texture((DEPTH_SIDE, DEPTH_SIDE)) for _ in range(_AT_ONCE)]
        for depth in self._depths:
            depth.compare_func = "<="
            depth.repeat_x = depth.repeat_y = False
        self._depth_targets = [context.framebuffer(depth_attachment=depth) for depth in self._depths]
        self._result = context.texture(size, 4, dtype="f4")
        self._target = context.framebuffer([self._result])
        self._target.clear()
        put(self._program, "positions", 0)
        put(self._program, "normals", 1)
        for i in range(_AT_ONCE):
            put(self._program, f"depth{i}", 2 + i)

    def add(self, directions: Float32, radiance: Float32, middle: Float32, radius: float) -> None:
        """Adds `_AT_ONCE` directions (k, 3) with the light (k, 4) that comes from each."""
        context = self._context
        matrices = []
        context.enable_only(moderngl.DEPTH_TEST)
        for target, direction in zip(self._depth_targets, directions, strict=True):
            matrix = light_matrix(tuple(direction.tolist()), middle, radius, radius * 2)
            target.use()
            target.clear(depth=1.0)
            self._draw_depth(matrix)
            matrices.append(to_texture(matrix, 0.25 / radius).T)
        self._target.use()
        context.enable_only(moderngl.BLEND)
        context.blend_func = moderngl.ONE, moderngl.ONE
        for unit, texture in enumerate((self._positions, self._normals, *self._depths)):
            texture.use(unit)
        for name, values in (
            ("to_light", np.stack(matrices)),
            ("direction", directions),
            ("radiance", radiance),
        ):
            self._program[name].write(np.ascontiguousarray(values, np.float32).tobytes())  # type: ignore[union-attr]  # a uniform
        self._square.render(moderngl.TRIANGLES, vertices=3)

    def result(self) -> Float32:
        """What has been gathered (H, W, 4); nothing of the driver's is kept after it."""
        data = np.frombuffer(self._target.read(components=4, dtype="f4"), np.float32)
        textures = [self._result, self._positions, self._normals, *self._depths]
        for target in (self._target, *self._depth_targets):
            target.release()
        for texture in textures:
            texture.release()
        self._square.release()
        self._program.release()
        return data.reshape(self._height, self._width, 4).copy()


def bake(
    context: moderngl.Context,
    geometry: LevelGeometry,
    atlas: Atlas,
    draw_depth: DrawDepth,
    progress: Progress = unheard,
) -> Float32:
    """Light of every luxel (H, W, 4): linear ambient RGB, and in alpha how much of the sun is seen."""
    air = geometry.atmosphere
    middle, radius = extent(geometry)
    sky = sphere(SKY_DIRECTIONS)
    sun = _sun_disc(np.asarray(air.sun_direction, np.float32))
    # Half of the sphere is sampled, so a cosine-weighted mean needs the factor 2; its 1 / pi cancels with the albedo's.
    radiance = np.zeros((len(sky) + len(sun), 4), np.float32)
    radiance[: len(sky), :3] = sky_light(air, sky) * (2.0 / SKY_DIRECTIONS)
    radiance[len(sky) :, 3] = 1.0 / SUN_DIRECTIONS
    directions = np.concatenate((sky, sun))
    baker = _Baker(context, atlas, draw_depth)
    for start in range(0, len(directions), _AT_ONCE):
        progress(WORK, start / len(directions))
        if start % (4 * _AT_ONCE) == 0:
            context.finish()  # or the driver would fall behind and the last step take all the time
        part = slice(start, start + _AT_ONCE)
        baker.add(directions[part], radiance[part], middle, radius)
    return _finish(baker.result(), atlas, geometry)


def _sun_disc(sun: Float32) -> Float32:
    aside = np.cross(sun, (0.0, 0.0, 1.0))
    aside = aside / (np.linalg.norm(aside) + 1e-9)
    above = np.cross(aside, sun)
    i = np.arange(SUN_DIRECTIONS)
    r, a = _SUN_SPREAD * np.sqrt((i + 0.5) / SUN_DIRECTIONS), i * 2.39996
    disc = sun + (r * np.cos(a))[:, None] * aside + (r * np.sin(a))[:, None] * above
    return np.asarray(disc / np.linalg.norm(disc, axis=1, keepdims=True), np.float32)


def _finish(light_map: Float32, atlas: Atlas, geometry: LevelGeometry) -> Float32:
    """Adds what comes back from the ground and the walls, the level's lamps, and evens out the sun's share."""
    air = geometry.atmosphere
    up = atlas.normals[..., 2:3]
    probe = (np.abs(atlas.normals[..., :3]).sum(axis=-1, keepdims=True) < 0.25).astype(np.float32)
    full = float(np.mean(sky_light(air, sphere(64))))
    seen = np.clip(light_map[..., :3].mean(axis=-1, keepdims=True) / (full * (0.55 + 0.45 * up)), 0.0, 1.0)
    ground = np.asarray(air.ground_color, np.float32)
    back = ground * (0.5 - 0.42 * up) * (0.12 + 1.3 * seen)
    # Light that has been reflected more than once: what keeps a room from being black.
    room = (ground * 0.75 + np.asarray(air.sky_color, np.float32) * 0.25) * (0.16 + 0.5 * seen * (1 - seen))
    ambient = light_map[..., :3] * 0.92 + back + room * (1 - 0.25 * probe)
    _add_lamps(ambient, atlas, geometry)
    return np.concatenate((ambient, np.clip(light_map[..., 3:], 0, 1)), axis=-1).astype(np.float32)


def _add_lamps(ambient: Float32, atlas: Atlas, geometry: LevelGeometry) -> None:
    """The level's standing lamps, added to the luxels (H, W, 3) that they reach. They throw no shadow."""
    flat = ambient.reshape(-1, 3)
    positions = atlas.positions.reshape(-1, 4)
    normals = atlas.normals.reshape(-1, 4)[:, :3]
    for lamp in geometry.lights:
        origin = np.asarray(lamp.origin, np.float32)
        near = np.flatnonzero((np.abs(positions[:, :3] - origin) < lamp.radius).all(axis=1))
        offset = origin - positions[near, :3]
        squared = (offset * offset).sum(axis=1)
        fade = np.clip(1 - squared / lamp.radius**2, 0.0, 1.0) ** 2
        probe = np.abs(normals[near]).sum(axis=1) < 0.25
        facing = np.where(probe, 0.5, (offset * normals[near]).sum(axis=1) / np.sqrt(squared + 1.0))
        flat[near] += np.asarray(lamp.color, np.float32) * (fade * np.maximum(facing, 0.0))[:, None]
