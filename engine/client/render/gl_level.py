"""The level on the graphics card: its triangles, its painted surfaces, its baked light, its shadow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import moderngl
import numpy as np

from engine.client.render import bake, baked
from engine.client.render.cells import Run
from engine.client.render.charts import unfold
from engine.client.render.gl_parts import BRUSH, LevelPrograms, Part
from engine.client.render.gl_shadows import StillCasters
from engine.client.render.needs import AIR, Surroundings, needs
from engine.client.render.painted import is_kept, pictures
from engine.client.render.programs import put, put_matrix
from engine.client.render.quality import Quality
from engine.client.render.renderer import Progress
from engine.client.render.scene import Float32, ModelBatch, view_planes
from engine.client.render.surfaces import kind_of
from engine.world.view import LevelGeometry, SurfaceGeometry

LUXEL = 12.0
"""Inches between the points of the light map, where they fit."""


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


class GLLevel:
    """One loaded level. `draw` and `draw_depth` expect their program's other uniforms to be set."""

    def __init__(
        self,
        context: moderngl.Context,
        programs: LevelPrograms,
        geometry: LevelGeometry,
        props: Sequence[ModelBatch],
        draw_props: StillCasters,
        quality: Quality,
        progress: Progress,
    ) -> None:
        self._context, self._programs = context, programs
        self.geometry = geometry
        self._runs: list[Run] = []
        every = [*geometry.world, *(s for model in geometry.brush_models for s in model)]
        self.textures = SurfaceTextures(context, [s.texture for s in every], quality, progress)
        name = baked.key(geometry, props, LUXEL)
        light = baked.load(name, len(geometry.world))
        self._brushes = [Part(context, programs, m, None, self._layers(m)) for m in geometry.brush_models]
        if light is None:
            light = self._bake(programs, draw_props, progress)
            baked.save(name, light)
        else:
            self._world = Part(context, programs, geometry.world, light.uvs, self._layers(geometry.world))
        self.probes = bake.Probes(light.probe_low, light.probe_spacing, light.probes)
        height, width = light.light_map.shape[:2]
        self.light_map = context.texture((width, height), 4, light.light_map.tobytes())
        self.light_map.filter = moderngl.LINEAR, moderngl.LINEAR
        self.light_map.repeat_x = self.light_map.repeat_y = False

    def _bake(
        self, programs: LevelPrograms, draw_props: StillCasters, progress: Progress
    ) -> baked.BakedLight:
        geometry = self.geometry
        progress(bake.WORK, 0.0)
        _, _, counts = bake.probe_grid(geometry)
        atlas = unfold(geometry.world, LUXEL, extra=int(np.prod(counts)))
        low, spacing, counts = bake.add_probes(atlas, geometry)
        self._world = Part(self._context, programs, geometry.world, atlas.uvs, self._layers(geometry.world))

        def draw(to_light: Float32) -> None:
            for _ in chain(self.draw_depth(to_light), draw_props(to_light)):
                pass

        light = bake.bake(self._context, geometry, atlas, draw, progress)
        packed = np.concatenate((np.sqrt(np.clip(light[..., :3] / 2, 0, 1)), light[..., 3:]), axis=-1)
        light_map = (packed * 255 + 0.5).astype(np.uint8)
        return baked.BakedLight(light_map, atlas.uvs, low, spacing, _settled(light, counts))

    def _layers(self, surfaces: Sequence[SurfaceGeometry]) -> list[int]:
        return [self.textures.layer(surface.texture) for surface in surfaces]

    def look(self, planes: Float32, around: Surroundings) -> None:
        """Works out which of the world's brushes are inside of the planes (K, 4) of a view, and what they need."""
        if self._world.empty:
            return
        cells = self._world.cells
        seen = cells.inside(planes)
        runs = cells.runs(seen, 0 if self._programs.relief else needs(cells, seen, around))
        # What is near, and so has no haze before it, comes first: it hides some of what is far.
        self._runs = sorted(runs, key=lambda run: (run[0] & AIR, run[0]))

    def draw_ahead(self) -> None:
        """The depth of the brushes that `look` found, so that afterwards no pixel is lit that something else will
        cover. `draw` then draws the same brushes."""
        if not self._world.empty:
            self._world.draw_ahead(self._runs)

    def draw(self) -> None:
        """The world's brushes with the programs for pictures."""
        if not self._world.empty:
            self._world.draw(self._runs)

    def draw_brush(self, index: int, placement: Float32) -> None:
        """A moving brush model, lit by the nearest probes."""
        part = self._brushes[index]
        if part.empty:
            return
        centre, _ = self.brush_sphere(index, placement)
        program = self._programs.pictures[BRUSH]
        put(program, "ambient", tuple(self.probes.at(centre[None, :])[0].tolist()))
        put_matrix(program, "placement", placement)
        part.draw_whole()

    def brush_sphere(self, index: int, placement: Float32) -> tuple[Float32, float]:
        """Centre and radius of the sphere that a moving brush model is in."""
        part = self._brushes[index]
        return placement[:3, :3] @ part.centre + placement[:3, 3], part.radius

    def draw_depth(self, to_light: Float32) -> Iterator[int]:
        """The world's brushes in the light's view, depth only, in steps (`StillCasters`)."""
        if self._world.empty:
            return
        seen = self._world.cells.inside(view_planes(to_light)[:4])
        put_matrix(self._programs.depth, "to_light", to_light)
        for triangles in self._world.draw_depth(seen):
            yield triangles
            # Others may have used the program in between.
            put_matrix(self._programs.depth, "to_light", to_light)

    def draw_brush_depth(self, index: int, to_light: Float32, placement: Float32) -> None:
        part = self._brushes[index]
        if not part.empty:
            put_matrix(self._programs.depth, "to_light", to_light @ placement)
            part.draw_whole_depth()

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
