"""Surfaces of a level on the graphics card, and the programs that draw them.

A program works out for each pixel only what shows there: most of the ground is near enough to be clear of haze, no
shadow of somebody falls on it, and no lamp reaches it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import moderngl
import numpy as np

from engine.client.render.cells import CELL, Flags, Run, in_cells
from engine.client.render.charts import faces
from engine.client.render.gl_shadows import DEPTH_STEP
from engine.client.render.needs import AIR, EVERYTHING, FINE, LIT, NEEDS, SHADED
from engine.client.render.pieces import cut
from engine.client.render.programs import build, put_matrix
from engine.client.render.quality import Quality
from engine.client.render.scene import Float32
from engine.client.render.surfaces import GRAINED, kind_of
from engine.world.view import SurfaceGeometry

PIECE_SIDE = 256.0
"""Inches a side of the squares in which pixels with the same needs are looked for."""

BRUSH = NEEDS
"""The number of the program for moving brushes, after those for every combination of needs."""

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


class LevelPrograms:
    """pictures  for each combination of needs, and `BRUSH`; with relief the same one for all combinations
    ahead     the same vertices for their depth alone
    depth     for shadow maps
    """

    def __init__(self, context: moderngl.Context, quality: Quality) -> None:
        self.relief = quality.relief

        def picture(needs: int, brush: bool) -> moderngl.Program:
            return build(
                context,
                "level",
                "level",
                TAPS=quality.taps,
                RELIEF=int(quality.relief),
                AIR=(1 + bool(needs & FINE)) if needs & AIR else 0,
                LIGHTS=quality.lights if needs & LIT else 0,
                MOVERS=int(bool(needs & SHADED)),
                BRUSH=int(brush),
            )

        if quality.relief:
            self.pictures = [picture(EVERYTHING, False)] * NEEDS
        else:
            coarse = [picture(needs, False) for needs in range(FINE)]
            # Where there is no haze there is none to be fine.
            fine = [picture(needs | FINE, False) if needs & AIR else coarse[needs] for needs in range(FINE)]
            self.pictures = coarse + fine
        self.pictures.append(picture(EVERYTHING, True))
        self.ahead = build(context, "level", "depth", RELIEF=0, AIR=0, LIGHTS=0, MOVERS=0)
        self.depth = build(context, "depth", "depth")
        for program in (self.ahead, *dict.fromkeys(self.pictures[:BRUSH])):
            put_matrix(program, "placement", np.eye(4, dtype=np.float32))


class Part:
    """Some surfaces in one buffer."""

    def __init__(
        self,
        context: moderngl.Context,
        programs: LevelPrograms,
        surfaces: Sequence[SurfaceGeometry],
        light_uvs: Sequence[Float32] | None,
        layers: Sequence[int],
    ) -> None:
        """light_uvs: of each surface (V, 2), or None for a brush that moves; layers: of their textures."""
        tables, indices, start = [], [], 0
        for i, surface in enumerate(map(along_grain, surfaces)):
            count = len(surface.positions)
            table = np.zeros((count, 15), np.float32)
            table[:, 0:3], table[:, 3:6] = surface.positions, surface.normals
            table[:, 6:10], table[:, 10:12] = tangents(surface), surface.uvs
            if light_uvs is not None:
                table[:, 12:14] = light_uvs[i]
            table[:, 14] = layers[i]
            tables.append(table)
            indices.append(surface.indices.astype(np.uint32) + start)
            start += count
        points = np.concatenate(tables) if tables else np.zeros((0, 15), np.float32)
        self.empty = not len(points)
        low, high = (
            (points[:, :3].min(0), points[:, :3].max(0)) if len(points) else (np.zeros(3), np.zeros(3))
        )
        self.centre = np.asarray((low + high) / 2, np.float32)
        self.radius = float(np.linalg.norm(high - low)) / 2
        if self.empty:
            return
        triangles = np.concatenate(indices)
        if light_uvs is not None and not programs.relief:
            points, triangles = cut(points, triangles, PIECE_SIDE)
        self._vertices = context.buffer(points.tobytes())
        self.cells = in_cells(points[:, :3], triangles, CELL if programs.relief else PIECE_SIDE)
        self._indices = context.buffer(self.cells.indices.tobytes())
        content = [(self._vertices, _FORMAT, *_NAMES)]
        wanted = programs.pictures[:BRUSH] if light_uvs is not None else programs.pictures[BRUSH:]
        arrays = {
            program: context.vertex_array(program, content, self._indices, skip_errors=True)
            for program in dict.fromkeys(wanted)
        }
        self._pictures = [arrays[program] for program in wanted]
        self._ahead = context.vertex_array(programs.ahead, content, self._indices, skip_errors=True)
        self._depth = context.vertex_array(
            programs.depth, [(self._vertices, "3f 48x", "in_position")], self._indices, skip_errors=True
        )
        self._owned: list[moderngl.VertexArray | moderngl.Buffer] = [
            *arrays.values(),
            self._ahead,
            self._depth,
        ]
        self._owned += [self._vertices, self._indices]
        self._drawn = False

    def draw_ahead(self, runs: Sequence[Run]) -> None:
        """The depth of what `draw` draws."""
        for _, first, count in runs:
            self._ahead.render(vertices=count * 3, first=first * 3)

    def draw(self, runs: Sequence[Run]) -> None:
        """Some cells, each by the program for its needs."""
        if not self._drawn:
            # A driver prepares a program when it draws with it first; better now than in the middle of the game.
            self._drawn = True
            for array in dict.fromkeys(self._pictures):
                array.render(vertices=3)
        for kind, first, count in runs:
            self._pictures[kind].render(vertices=count * 3, first=first * 3)

    def draw_whole(self) -> None:
        """A moving brush."""
        self._pictures[0].render()

    def draw_depth(self, chosen: Flags) -> Iterator[int]:
        """Depth only, of some cells, for a shadow map; stops after each call and says how many triangles it had."""
        for _, first, count in self.cells.runs(chosen):
            for start in range(0, count, DEPTH_STEP):
                triangles = min(DEPTH_STEP, count - start)
                self._depth.render(vertices=triangles * 3, first=(first + start) * 3)
                yield triangles

    def draw_whole_depth(self) -> None:
        """Of a moving brush."""
        self._depth.render()

    def release(self) -> None:
        if not self.empty:
            for resource in self._owned:
                resource.release()
