"""The level on the graphics card: its triangles, its painted surfaces, its baked light, its shadow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import moderngl
import numpy as np

from engine.client.render import bake, baked
from engine.client.render.cells import in_cells
from engine.client.render.charts import faces, unfold
from engine.client.render.painted import is_kept, pictures
from engine.client.render.programs import build, put, put_matrix
from engine.client.render.quality import Quality
from engine.client.render.renderer import Progress
from engine.client.render.scene import Float32, ModelBatch
from engine.client.render.surfaces import GRAINED, kind_of
from engine.world.view import LevelGeometry, SurfaceGeometry

SHADOW_RADIUS = 1400.0
"""Inches around the viewer in which the sun's shadows are sharp; farther out the light map's soft ones are used."""

LUXEL = 12.0
"""Inches between the points of the light map, where they fit."""

_FORMAT = "3f 3f 4f 2f 2f 1f"
_NAMES = ("in_position", "in_normal", "in_tangent", "in_uv", "in_light_uv", "in_layer")


def tangents(surface: SurfaceGeometry) -> Float32:
    """(V, 4): the direction in which u grows along the surface, and the sign that makes the third axis follow v."""
    a, b, c = (surface.indices[:, i].astype(np.intp) for i in range(3))
    p, t = surface.positions, surface.uvs
    e1, e2, d1, d2 = p[b] - p[a], p[c] - p[a], t[b] - t[a], t[c] - t[a]
    det = d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0]
    safe = np.where(np.abs(det) < 1e-12, 1.0, det)[:, None]
    along_u = (e1 * d2[:, 1:2] - e2 * d1[:, 1:2]) / safe
    along_v = (e2 * d1[:, 0:1] - e1 * d2[:, 0:1]) / safe
    u_sum, v_sum = np.zeros_like(p), np.zeros_like(p)
    for corner in (a, b, c):
        np.add.at(u_sum, corner, along_u)
        np.add.at(v_sum, corner, along_v)
    n = surface.normals
    u_sum -= n * (n * u_sum).sum(axis=1, keepdims=True)
    length = np.linalg.norm(u_sum, axis=1, keepdims=True)
    unit = np.where(length > 1e-6, u_sum / np.maximum(length, 1e-6), np.cross(n, (0.0, 0.31, 0.95)))
    sign = np.where((np.cross(n, unit) * v_sum).sum(axis=1) < 0, -1.0, 1.0)
    return np.concatenate((unit, sign[:, None]), axis=1).astype(np.float32)


def along_grain(surface: SurfaceGeometry) -> SurfaceGeometry:
    """A surface of beams with v along the longer side of each face, which is where the grain runs."""
    if kind_of(surface.texture) not in GRAINED:
        return surface
    uvs = surface.uvs.copy()
    for face in faces(surface):
        wide, high = np.ptp(uvs[face], axis=0)
        if wide > high:
            uvs[face] = uvs[face][:, ::-1]
    return SurfaceGeometry(surface.texture, surface.positions, surface.normals, uvs, surface.indices)


class SurfaceTextures:
    """Two texture arrays, colour and relief, with one layer for each surface kind that is in use."""

    def __init__(
        self, context: moderngl.Context, names: Sequence[str], quality: Quality, progress: Progress
    ) -> None:
        kinds = sorted({kind_of(name) for name in names}) or ["concrete"]
        self.layers = {kind: i for i, kind in enumerate(kinds)}
        side = quality.texture_size
        colour = np.zeros((len(kinds), side, side, 4), np.uint8)
        relief = np.zeros((len(kinds), side, side, 2), np.uint8)
        for i, kind in enumerate(kinds):
            if not is_kept(kind, side):
                progress("painting surfaces", i / len(kinds))
            colour[i], relief[i] = pictures(kind, side)
        self.colour = context.texture_array((side, side, len(kinds)), 4, colour.tobytes())
        self.relief = context.texture_array((side, side, len(kinds)), 2, relief.tobytes())
        for texture in (self.colour, self.relief):
            texture.build_mipmaps()
            blend = moderngl.LINEAR_MIPMAP_LINEAR if quality.smooth_mips else moderngl.LINEAR_MIPMAP_NEAREST
            texture.filter = blend, moderngl.LINEAR
        self.colour.anisotropy = quality.anisotropy
        self.relief.anisotropy = min(quality.anisotropy, 2.0)

    def layer(self, name: str) -> int:
        return self.layers[kind_of(name)]

    def release(self) -> None:
        self.colour.release()
        self.relief.release()


class LevelPrograms(NamedTuple):
    """The lit picture, the same vertices for their depth alone, and depth for shadow maps."""

    picture: moderngl.Program
    ahead: moderngl.Program
    depth: moderngl.Program

    @classmethod
    def build(cls, context: moderngl.Context, quality: Quality) -> LevelPrograms:
        return cls(
            build(
                context,
                "level",
                "level",
                TAPS=quality.taps,
                LIGHTS=quality.lights,
                RELIEF=int(quality.relief),
            ),
            build(context, "level", "depth"),
            build(context, "depth", "depth"),
        )


class _Part:
    """Some surfaces in one buffer, drawn by one call."""

    def __init__(
        self,
        context: moderngl.Context,
        programs: LevelPrograms,
        surfaces: Sequence[SurfaceGeometry],
        light_uvs: Sequence[Float32] | None,
        textures: SurfaceTextures,
    ) -> None:
        tables, indices, start = [], [], 0
        for i, surface in enumerate(map(along_grain, surfaces)):
            count = len(surface.positions)
            table = np.zeros((count, 15), np.float32)
            table[:, 0:3], table[:, 3:6] = surface.positions, surface.normals
            table[:, 6:10], table[:, 10:12] = tangents(surface), surface.uvs
            if light_uvs is not None:
                table[:, 12:14] = light_uvs[i]
            table[:, 14] = textures.layer(surface.texture)
            tables.append(table)
            indices.append(surface.indices.astype(np.uint32) + start)
            start += count
        points = np.concatenate(tables) if tables else np.zeros((0, 15), np.float32)
        self.empty = not len(points)
        low, high = (
            (points[:, :3].min(0), points[:, :3].max(0)) if len(points) else (np.zeros(3), np.zeros(3))
        )
        self.centre = np.asarray((low + high) / 2, np.float32)
        if self.empty:
            return
        self._vertices = context.buffer(points.tobytes())
        self.cells = in_cells(points[:, :3], np.concatenate(indices))
        self._indices = context.buffer(self.cells.indices.tobytes())
        content = [(self._vertices, _FORMAT, *_NAMES)]
        self.picture = context.vertex_array(programs.picture, content, self._indices, skip_errors=True)
        self.ahead = context.vertex_array(programs.ahead, content, self._indices, skip_errors=True)
        self.depth = context.vertex_array(
            programs.depth, [(self._vertices, "3f 48x", "in_position")], self._indices, skip_errors=True
        )

    def release(self) -> None:
        if not self.empty:
            for resource in (self.picture, self.ahead, self.depth, self._vertices, self._indices):
                resource.release()


class GLLevel:
    """One loaded level. `draw` and `draw_depth` expect their program's other uniforms to be set."""

    def __init__(
        self,
        context: moderngl.Context,
        programs: LevelPrograms,
        geometry: LevelGeometry,
        props: Sequence[ModelBatch],
        draw_props: bake.DrawDepth,
        quality: Quality,
        progress: Progress,
    ) -> None:
        self._context, self._programs = context, programs
        self.geometry = geometry
        self._in_view: list[tuple[int, int]] = []
        every = [*geometry.world, *(s for model in geometry.brush_models for s in model)]
        self.textures = SurfaceTextures(context, [s.texture for s in every], quality, progress)
        name = baked.key(geometry, props, LUXEL)
        light = baked.load(name, len(geometry.world))
        self._brushes = [_Part(context, programs, m, None, self.textures) for m in geometry.brush_models]
        if light is None:
            light = self._bake(programs, draw_props, progress)
            baked.save(name, light)
        else:
            self._world = _Part(context, programs, geometry.world, light.uvs, self.textures)
        self.probes = bake.Probes(light.probe_low, light.probe_spacing, light.probes)
        height, width = light.light_map.shape[:2]
        self.light_map = context.texture((width, height), 4, light.light_map.tobytes())
        self.light_map.filter = moderngl.LINEAR, moderngl.LINEAR
        self.light_map.repeat_x = self.light_map.repeat_y = False

    def _bake(
        self, programs: LevelPrograms, draw_props: bake.DrawDepth, progress: Progress
    ) -> baked.BakedLight:
        geometry = self.geometry
        progress(bake.WORK, 0.0)
        _, _, counts = bake.probe_grid(geometry)
        atlas = unfold(geometry.world, LUXEL, extra=int(np.prod(counts)))
        low, spacing, counts = bake.add_probes(atlas, geometry)
        self._world = _Part(self._context, programs, geometry.world, atlas.uvs, self.textures)

        def draw(to_light: Float32) -> None:
            self.draw_depth(to_light)
            draw_props(to_light)

        light = bake.bake(self._context, geometry, atlas, draw, progress)
        packed = np.concatenate((np.sqrt(np.clip(light[..., :3] / 2, 0, 1)), light[..., 3:]), axis=-1)
        light_map = (packed * 255 + 0.5).astype(np.uint8)
        return baked.BakedLight(light_map, atlas.uvs, low, spacing, _settled(light, counts))

    def draw_ahead(self, planes: Float32) -> None:
        """The depth of the world's brushes inside of the planes (K, 4) of a view, so that afterwards no pixel is lit
        that something else will cover. `draw` then draws the same brushes."""
        if not self._world.empty:
            self._in_view = self._world.cells.ranges(planes)
            put_matrix(self._programs.ahead, "placement", np.eye(4, dtype=np.float32))
            for first, count in self._in_view:
                self._world.ahead.render(vertices=count * 3, first=first * 3)

    def draw(self) -> None:
        """The world's brushes with the program for pictures."""
        if not self._world.empty:
            put(self._programs.picture, "ambient", (0.0, 0.0, 0.0, 0.0))
            put_matrix(self._programs.picture, "placement", np.eye(4, dtype=np.float32))
            for first, count in self._in_view:
                self._world.picture.render(vertices=count * 3, first=first * 3)

    def draw_brush(self, index: int, placement: Float32) -> None:
        """A moving brush model, lit by the nearest probes."""
        part = self._brushes[index]
        if part.empty:
            return
        centre = placement[:3, :3] @ part.centre + placement[:3, 3]
        ambient = self.probes.at(centre[None, :])[0]
        red, green, blue, sun = ambient.tolist()
        put(self._programs.picture, "ambient", (red, green, blue, 1.0 + sun))
        put_matrix(self._programs.picture, "placement", placement)
        part.picture.render()

    def draw_depth(self, to_light: Float32) -> None:
        """The world's brushes, depth only."""
        if not self._world.empty:
            put_matrix(self._programs.depth, "to_light", to_light)
            self._world.depth.render()

    def draw_brush_depth(self, index: int, to_light: Float32, placement: Float32) -> None:
        part = self._brushes[index]
        if not part.empty:
            put_matrix(self._programs.depth, "to_light", to_light @ placement)
            part.depth.render()

    @property
    def brush_count(self) -> int:
        return len(self._brushes)

    def release(self) -> None:
        self.textures.release()
        self.light_map.release()
        for part in (self._world, *self._brushes):
            part.release()


def _settled(light: Float32, counts: tuple[int, int, int]) -> Float32:
    """The probes' rows of a baked map as a grid; probes inside a wall take the light of their neighbours."""
    number = int(np.prod(counts))
    values = light.reshape(-1, 4)[-number:].reshape(*counts, 4).copy()
    brightness = values[..., :3].mean(axis=-1)
    buried = brightness < 0.3 * float(np.median(brightness))
    padded = np.pad(values, ((1, 1), (1, 1), (1, 1), (0, 0)), mode="edge")
    x, y, z = counts
    around = np.stack(
        [padded[i : i + x, j : j + y, k : k + z] for i, j, k in np.ndindex(3, 3, 3) if (i, j, k) != (1, 1, 1)]
    )
    values[buried] = np.quantile(around, 0.6, axis=0)[buried]
    return values
