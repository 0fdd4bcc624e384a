"""The renderer on plain surfaces: a painter that fills lit polygons from far to near. For where there is no OpenGL.

No textures and no shadows; the light, the air, the sky and the screen's quads are those of the other
renderer, as far as flat colours can show them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

import numpy as np
import pygame
from numpy.typing import NDArray

from engine.client.render.detail import steps
from engine.client.render.renderer import Pixels, Progress, Size, at_once, unheard
from engine.client.render.scene import CLOSE_FOV, Camera, Float32, ModelBatch, Scene
from engine.client.render.sheet import Sheet
from engine.client.render.soft_level import SoftLevel, SoftModel
from engine.pipeline.model import Model
from engine.world.view import Atmosphere, LevelGeometry

Indices = NDArray[np.intp]
_MOST_SPRITES = 120
PROP_RANGE = 900.0
"""Inches beyond which props are left out."""

DETAIL = 8.0
"""Pixels of the picture that the sides of a model's triangles may be long; hands keep all of theirs."""

SPECK = 0.6
"""Square pixels below which a triangle of a model is left out."""


def develop(linear: Float32) -> Float32:
    """Linear light to sRGB 0..255 with a soft shoulder, as the other renderer's film curve."""
    c = np.maximum(linear * np.float32(0.92) - np.float32(0.004), 0)
    return np.asarray(c * (6.2 * c + 0.5) / (c * (6.2 * c + 1.7) + 0.06) * 255.0, np.float32)


class _Polygons:
    """Polygons waiting to be painted: far ones first."""

    def __init__(self) -> None:
        self.depths: list[Float32] = []
        self.points: list[Float32] = []
        self.colours: list[Float32] = []

    def add(self, depths: Float32, points: Float32, colours: Float32) -> None:
        """depths (N,), points (N, k, 2) in pixels, colours (N, 3) sRGB 0..255."""
        self.depths.append(depths)
        self.points.append(points)
        self.colours.append(colours)

    def paint(self, surface: pygame.Surface) -> None:
        depths = np.concatenate(self.depths) if self.depths else np.zeros(0, np.float32)
        points: list[list[list[float]]] = []
        colours: list[list[int]] = []
        for some, colour in zip(self.points, self.colours, strict=True):
            points += some.tolist()
            colours += colour.astype(np.int32).tolist()
        polygon = pygame.draw.polygon
        for at in np.argsort(-depths, kind="stable").tolist():
            polygon(surface, colours[at], points[at])


class SoftRenderer:
    """See `Renderer`. Draws to the window's surface."""

    def __init__(self, size: Size) -> None:
        self.size = size
        self._level: SoftLevel | None = None
        self._props: list[ModelBatch] = []
        self._models: WeakKeyDictionary[Model, list[tuple[float, SoftModel]]] = WeakKeyDictionary()
        self._sheet: pygame.Surface | None = None
        self._sheet_version = -1
        self._sky: tuple[object, pygame.Surface] | None = None
        self._stretched: tuple[object, pygame.Surface] | None = None
        """The last picture of the sheet that was stretched over the screen, with what it was made of."""
        self.triangles = 0

    @property
    def name(self) -> str:
        return "plain surfaces"

    @property
    def beside(self) -> bool:
        return False

    def load_level(
        self, geometry: LevelGeometry, props: Sequence[ModelBatch] = (), progress: Progress = unheard
    ) -> None:
        progress("cutting the level into polygons", 0.0)
        self._level = SoftLevel(geometry)
        self.replace_props(props)

    def replace_props(self, props: Sequence[ModelBatch]) -> None:
        self._props = list(props)

    def resize(self, size: Size) -> None:
        self.size = size
        self._sky = None

    def close(self) -> None:
        self._level = None

    def read_pixels(self) -> Pixels:
        return np.ascontiguousarray(pygame.surfarray.array3d(self._surface()).transpose(1, 0, 2))

    def _surface(self) -> pygame.Surface:
        surface = pygame.display.get_surface()
        if surface is None:
            raise pygame.error("the window is closed")
        return surface

    def draw(self, scene: Scene, before: Callable[[], None] = at_once) -> None:
        before()
        surface = self._surface()
        self.size = surface.get_size()
        self.triangles = 0
        camera = scene.camera
        self._draw_sky(surface, scene)
        lens = _Lens(camera, self.size)
        polygons = _Polygons()
        if self._level is not None:
            for points, normals, colours in self._level.visible(camera):
                self._project(polygons, lens, points, normals, colours, scene.atmosphere, sunk=True)
            for batch in self._props:
                self._add_models(polygons, lens, batch, scene.atmosphere, PROP_RANGE)
            for brush in scene.brushes:
                for points, normals, colours in self._level.brush(brush.index, brush.transform):
                    self._project(polygons, lens, points, normals, colours, scene.atmosphere)
        for batch in scene.models:
            if not batch.close:
                self._add_models(polygons, lens, batch, scene.atmosphere)
        polygons.paint(surface)
        self._draw_sprites(surface, lens, scene)
        hands = _Polygons()
        near = _Lens(Camera(camera.position, camera.angles, CLOSE_FOV, 0.5), self.size)
        for batch in scene.models:
            if batch.close:
                self._add_models(hands, near, batch, scene.atmosphere)
        hands.paint(surface)
        self._draw_quads(surface, scene.quads, scene.sheet)

    def draw_screen(self, quads: Float32, sheet: Sheet) -> None:
        surface = self._surface()
        surface.fill("black")
        self._draw_quads(surface, quads, sheet)

    def _add_models(
        self, polygons: _Polygons, lens: _Lens, batch: ModelBatch, air: Atmosphere, reach: float = 6000.0
    ) -> None:
        low, high = (np.asarray(corner, np.float32) for corner in batch.model.bounds)
        radius = float(np.linalg.norm(high - low)) * 0.75
        centres = batch.transforms[:, :, :3] @ ((low + high) / 2) + batch.transforms[:, :, 3]
        for i, transform in enumerate(batch.transforms):
            distance = float(np.linalg.norm(centres[i] - lens.eye))
            if not batch.close and (distance > reach or not lens.may_see(centres[i], radius)):
                continue
            known = self._model(batch.model, 0.0 if batch.close else distance * DETAIL / float(lens.scale))
            points, normals, colours = known.posed(
                transform, None if batch.palettes is None else batch.palettes[i]
            )
            if batch.tints is not None:
                colours = colours * batch.tints[i, :3]
            self.triangles += len(points)
            self._project(polygons, lens, points, normals, colours, air)

    def _model(self, model: Model, apart: float) -> SoftModel:
        """The model in the coarsest step whose triangles have sides of at most `apart` inches."""
        if model not in self._models:
            self._models[model] = [(step.edge, SoftModel(model, step.meshes)) for step in steps(model)]
        return next(known for edge, known in reversed(self._models[model]) if edge <= apart)

    def _project(
        self,
        polygons: _Polygons,
        lens: _Lens,
        points: Float32,
        normals: Float32,
        colours: Float32,
        air: Atmosphere,
        sunk: bool = False,
    ) -> None:
        """Lights, clips and projects polygons (N, k, 3); `sunk` lets floors lie under everything that stands
        on them."""
        if not len(points):
            return
        seen = ((lens.eye - points[:, 0]) * normals).sum(axis=1) > 0
        points, normals, colours = points[seen], normals[seen], colours[seen]
        space: Float32 = np.asarray((points - lens.eye) @ lens.rotation.T, np.float32)
        front = -space[..., 2] > lens.near
        whole, some = front.all(axis=1), front.any(axis=1)
        keep = whole & lens.in_view(space)
        self._place(polygons, lens, space[keep], normals[keep], colours[keep], air, sunk)
        cut = np.flatnonzero(some & ~whole & lens.in_view(space))
        for rows, part in _clipped(space[cut], lens.near):
            self._place(polygons, lens, part, normals[cut[rows]], colours[cut[rows]], air, sunk)

    def _place(
        self,
        polygons: _Polygons,
        lens: _Lens,
        space: Float32,
        normals: Float32,
        colours: Float32,
        air: Atmosphere,
        sunk: bool,
    ) -> None:
        """Lights and projects polygons (N, k, 3) in eye space that are before the near plane."""
        depth = -space[..., 2]
        if not len(space):
            return
        middle = depth.mean(axis=1)
        lit = develop(_lit(normals, colours, middle, air))
        screen = (
            lens.centre + space[..., :2] * np.array((1, -1), np.float32) * (lens.scale / depth)[..., None]
        )
        if not sunk:
            large = _area(screen) > SPECK
            screen, lit, depth = screen[large], lit[large], depth[large]
        # In a model by the farthest corner: a board lies over the large dark triangles that it is nailed to.
        order = (
            middle + (normals[:, 2] > 0.7) * np.ptp(depth, axis=1) * 0.5 if sunk else depth.max(axis=1) - 4.0
        )
        polygons.add(order.astype(np.float32), screen.astype(np.float32), np.clip(lit, 0, 255))

    def _draw_sky(self, surface: pygame.Surface, scene: Scene) -> None:
        air, camera = scene.atmosphere, scene.camera
        width, height = self.size
        pitch = np.radians(camera.angles[0])
        tall = np.tan(np.radians(camera.fov) / 2) * height / width
        y = (0.5 - (np.arange(height) + 0.5) / height) * 2 * tall
        up = np.clip(np.sin(np.arctan(y) - pitch), 0.0, 1.0)[:, None]
        heading = np.cos(
            np.radians(camera.angles[1]) - np.arctan2(air.sun_direction[1], air.sun_direction[0])
        )
        cool, golden = np.array((0.60, 0.72, 0.92)), np.array((1.12, 0.95, 0.74))
        haze = np.asarray(air.fog_color) * (cool + (golden - cool) * (heading * 0.5 + 0.5))
        column = develop(
            (haze + (np.asarray(air.sky_color) - haze) * (1 - np.exp(-4.2 * up))).astype(np.float32)
        )
        strip = pygame.surfarray.make_surface(column[None].clip(0, 255).astype(np.uint8))
        pygame.transform.scale(strip, self.size, surface)

    def _draw_sprites(self, surface: pygame.Surface, lens: _Lens, scene: Scene) -> None:
        for row in scene.sprites[:_MOST_SPRITES]:
            space = lens.rotation @ (row[:3] - lens.eye)
            if space[2] > -lens.near:
                continue
            radius = min(max(int(row[3] * lens.scale / -space[2]), 1), 90)
            at = lens.centre + space[:2] * (1, -1) * (lens.scale / -space[2])
            colour = develop(row[4:7]).clip(0, 255).astype(int)
            disc = pygame.Surface((radius * 2, radius * 2), pygame.SRCALPHA)
            alpha = int(255 * float(np.clip(row[7], 0, 1)) * 0.6)
            pygame.draw.circle(disc, (*colour.tolist(), alpha), (radius, radius), radius)
            surface.blit(disc, (at[0] - radius, at[1] - radius))
        for row in scene.beams:
            ends = np.stack((row[0:3], row[3:6]))
            space = (ends - lens.eye) @ lens.rotation.T
            if (space[:, 2] > -lens.near).any():
                continue
            screen = lens.centre + space[:, :2] * (1, -1) * (lens.scale / -space[:, 2:3])
            pygame.draw.aaline(surface, (255, 226, 160), screen[0].tolist(), screen[1].tolist())

    def _draw_quads(self, surface: pygame.Surface, quads: Float32, sheet: Sheet | None) -> None:
        if sheet is None:
            return
        if self._sheet is None or self._sheet_version != sheet.version:
            size = (sheet.size, sheet.size)
            self._sheet = pygame.image.frombytes(sheet.pixels.tobytes(), size, "RGBA")
            self._sheet_version = sheet.version
        white = np.array(sheet.white, np.float32)
        for row in quads:
            x, y, w, h = (float(v) for v in row[:4])
            colour = tuple(int(v) for v in (row[8:12] * 255).clip(0, 255))
            rect = pygame.Rect(
                round(x), round(y), max(round(x + w) - round(x), 1), max(round(y + h) - round(y), 1)
            )
            if np.array_equal(row[4:8], white):
                if colour[3] >= 250:
                    surface.fill(colour[:3], rect)
                    continue
                patch = pygame.Surface(rect.size, pygame.SRCALPHA)
                patch.fill(colour)
                surface.blit(patch, rect)
                continue
            u0, v0, u1, v1 = row[4:8] * sheet.size
            part = pygame.Rect(round(u0), round(v0), round(u1 - u0), round(v1 - v0))
            if rect.size == surface.get_size():
                # Whole pixels of what lies a part of one within it.
                left, top, right, bottom = math.floor(u0), math.floor(v0), math.ceil(u1), math.ceil(v1)
                whole = pygame.Rect(left, top, right - left, bottom - top)
                surface.blit(self._over_all(self._sheet, whole, rect.size, colour), rect)
                continue
            picture = self._sheet.subsurface(part).copy()
            picture.fill(colour, special_flags=pygame.BLEND_RGBA_MULT)
            if picture.get_size() != rect.size:
                picture = pygame.transform.scale(picture, rect.size)
            surface.blit(picture, rect)

    def _over_all(
        self, sheet: pygame.Surface, part: pygame.Rect, size: Size, colour: tuple[int, ...]
    ) -> pygame.Surface:
        """A part of the sheet smoothly stretched over the whole screen. That is slow, and only how strong it is differs
        from picture to picture."""
        made_of = self._sheet_version, tuple(part), size, colour[:3]
        if self._stretched is None or self._stretched[0] != made_of:
            picture = sheet.subsurface(part).copy()
            picture.fill((*colour[:3], 255), special_flags=pygame.BLEND_RGBA_MULT)
            self._stretched = made_of, pygame.transform.smoothscale(picture, size).convert_alpha()
        found = self._stretched[1]
        found.set_alpha(colour[3])
        return found


class _Lens:
    """A camera as a projection to pixels."""

    def __init__(self, camera: Camera, size: Size) -> None:
        self.eye = np.asarray(camera.position, np.float32)
        self.rotation = camera.view()[:3, :3]
        self.near = max(camera.near, 1.0)
        self.centre = np.array((size[0] / 2, size[1] / 2), np.float32)
        self.scale = np.float32(size[0] / 2 / np.tan(np.radians(camera.fov) / 2))
        self._wide = float(size[0] / 2 / self.scale)
        self._high = float(size[1] / 2 / self.scale)

    def may_see(self, centre: Float32, radius: float) -> bool:
        """Whether a ball can be in the picture."""
        x, y, z = self.rotation @ (centre - self.eye)
        if -z < -radius:
            return False
        reach = max(-z, 0.0) + radius
        return bool(abs(x) < reach * self._wide + radius * 1.5 and abs(y) < reach * self._high + radius * 1.5)

    def in_view(self, space: Float32) -> NDArray[np.bool_]:
        """Which polygons (N, k, 3) in eye space have a corner on the inner side of every edge of the picture."""
        depth = -space[..., 2]
        x, y = space[..., 0], space[..., 1]
        inside = (x > -depth * self._wide).any(axis=1) & (x < depth * self._wide).any(axis=1)
        inside &= (y > -depth * self._high).any(axis=1) & (y < depth * self._high).any(axis=1)
        return np.asarray(inside)


def _clipped(space: Float32, near: float) -> list[tuple[list[int], Float32]]:
    """The parts before the near plane of polygons (N, k, 3) in eye space that reach behind it, by their number of
    corners: the rows that they come from, and their corners."""
    limit = -near * 1.01
    found: dict[int, tuple[list[int], list[list[Float32]]]] = {}
    for row, polygon in enumerate(space):
        part: list[Float32] = []
        for here, following in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            if here[2] <= limit:
                part.append(here)
            if (here[2] <= limit) != (following[2] <= limit):
                part.append(here + (following - here) * ((limit - here[2]) / (following[2] - here[2])))
        if len(part) >= 3:
            rows, parts = found.setdefault(len(part), ([], []))
            rows.append(row)
            parts.append(part)
    return [(rows, np.array(parts, np.float32)) for rows, parts in found.values()]


def _area(screen: Float32) -> Float32:
    """Square pixels of the first three corners of polygons (N, k, 2)."""
    a, b = screen[:, 1] - screen[:, 0], screen[:, 2] - screen[:, 0]
    return np.asarray(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) * 0.5, np.float32)


def _lit(normals: Float32, colours: Float32, distance: Float32, air: Atmosphere) -> Float32:
    """Linear colours (N, 3) in the light and air of the place."""
    up = (normals[:, 2:3] * 0.5 + 0.5).astype(np.float32)
    ground, sky = np.asarray(air.ground_color, np.float32), np.asarray(air.sky_color, np.float32)
    sun = np.maximum(normals @ np.asarray(air.sun_direction, np.float32), 0)[:, None]
    light = ground * (1 - up) + sky * up + np.asarray(air.sun_color, np.float32) * sun * np.float32(0.9)
    t = np.maximum((distance - air.fog_start) / max(air.fog_end - air.fog_start, 1.0), 0.0) * 1.5
    amount = np.minimum(air.fog_density * (1 - np.exp(-t * t)) * 1.118, 1.0)[:, None]
    return np.asarray(
        colours * light * (1 - amount) + np.asarray(air.fog_color, np.float32) * amount, np.float32
    )
