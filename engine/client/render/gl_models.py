"""Models on the graphics card: vertex buffers by model, instances and bone palettes by picture."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary, finalize

import moderngl
import numpy as np
import pygame
from numpy.typing import NDArray

from engine.client.render.detail import CELLS, coarser
from engine.client.render.programs import build, put, put_matrix
from engine.client.render.quality import Quality
from engine.client.render.scene import Float32, ModelBatch
from engine.client.render.shadow_shape import shadow_shape
from engine.pipeline.model import Material, Mesh, Model

PALETTE_WIDTH = 768
"""Texels in a line of the palette texture: 256 matrices of three."""

Ambient = Callable[[Float32], Float32]
"""Linear ambient RGB (N, 3) at points (N, 3)."""

_INSTANCE = "4f 4f 4f 4f 4f/i"
_INSTANCE_NAMES = ("in_row0", "in_row1", "in_row2", "in_tint", "in_ambient")
_INSTANCE_FLOATS = 20


@dataclass(frozen=True, eq=False)
class _MeshBuffers:
    material: Material
    texture: moderngl.Texture
    array: moderngl.VertexArray


class _ModelBuffers:
    """One model's buffers. All arrays share the instance buffer, which is rewritten for every batch.

    `levels` holds the meshes of each step of detail, the finest first.
    """

    def __init__(self, store: ModelStore, model: Model) -> None:
        self._context = store.context
        self._owned: list[moderngl.Buffer | moderngl.VertexArray] = []
        self.skinned = len(model.skeleton) > 1
        textures = [store.picture(data) for data in model.textures]
        meshes = [mesh for mesh in model.meshes if len(mesh.indices)]
        steps = [meshes, *([coarser(mesh, cell) for mesh in meshes] for cell in CELLS)]
        made: dict[Mesh, _MeshBuffers] = {}
        for mesh in (mesh for step in steps for mesh in step):
            if mesh not in made:
                made[mesh] = self._mesh(store, model, mesh, textures)
        self.levels = [[made[mesh] for mesh in step] for step in steps]
        low, high = (np.asarray(corner, np.float32) for corner in model.bounds)
        self.centre = (low + high) / 2
        # A pose reaches farther than the rest pose: raised arms, a body lying on the ground.
        self.radius = float(np.linalg.norm(high - low)) * (0.75 if self.skinned else 0.5) + 1.0
        self.height = float(high[2] - low[2])
        self.width = float(max(high[0] - low[0], high[1] - low[1])) / 2
        self.shadow: moderngl.VertexArray | None = None
        shape = shadow_shape(model)
        if len(shape.indices):
            table = np.column_stack((shape.positions, shape.joints)).astype(np.float32)
            content = [
                (self._buffer(table), "3f 1f", "in_position", "in_joint"),
                (store.instances, _INSTANCE, *_INSTANCE_NAMES),
            ]
            self.shadow = self._array(store.depth, content, shape.indices)

    def _buffer(self, table: NDArray[Any]) -> moderngl.Buffer:
        buffer = self._context.buffer(table.tobytes())
        self._owned.append(buffer)
        return buffer

    def _array(
        self, program: moderngl.Program, content: list[tuple[Any, ...]], indices: NDArray[np.uint32]
    ) -> moderngl.VertexArray:
        array = self._context.vertex_array(program, content, self._buffer(indices), skip_errors=True)
        self._owned.append(array)
        return array

    def release(self) -> None:
        for resource in reversed(self._owned):
            resource.release()

    def _mesh(
        self, store: ModelStore, model: Model, mesh: Mesh, textures: Sequence[moderngl.Texture]
    ) -> _MeshBuffers:
        layout = np.dtype(
            [("p", "3f4"), ("n", "3f4"), ("t", "2f4"), ("c", "4u1"), ("j", "4u2"), ("w", "4f4")]
        )
        table = np.zeros(len(mesh.positions), layout)
        table["p"], table["n"], table["t"], table["c"] = mesh.positions, mesh.normals, mesh.uvs, mesh.colors
        table["j"], table["w"] = mesh.joints, mesh.weights
        content = [
            (
                self._buffer(table), "3f 3f 2f 4f1 4u2 4f",
                "in_position", "in_normal", "in_uv", "in_color", "in_joints", "in_weights",
            ),
            (store.instances, _INSTANCE, *_INSTANCE_NAMES),
        ]  # fmt: skip
        program = store.skinned if self.skinned else store.rigid
        array = self._array(program, content, mesh.indices.astype(np.uint32))
        material = model.materials[mesh.material] if model.materials else Material("plain")
        number = material.texture
        texture = textures[number] if number is not None and number < len(textures) else store.white
        return _MeshBuffers(material, texture, array)


@dataclass(eq=False)
class _Prepared:
    """A batch ready to draw: its rows of the instance table by step of detail, and those that throw a shadow."""

    buffers: _ModelBuffers
    rows: Sequence[Float32]
    shadow_rows: Float32


class ModelStore:
    """All models in use, and the palettes and instances of the picture at hand."""

    def __init__(self, context: moderngl.Context, taps: int) -> None:
        self.context = context
        self.skinned = build(context, "model", "model", SKINNED=1, WIDTH=PALETTE_WIDTH, TAPS=taps)
        self.rigid = build(context, "model", "model", WIDTH=PALETTE_WIDTH, TAPS=taps)
        self.depth = build(context, "depth", "depth", MODEL=1, WIDTH=PALETTE_WIDTH)
        self.instances = context.buffer(reserve=_INSTANCE_FLOATS * 4 * 1024, dynamic=True)
        self.white = context.texture((1, 1), 4, b"\xff\xff\xff\xff")
        self._palettes = context.texture((PALETTE_WIDTH, 8), 4, dtype="f4")
        self._palettes.filter = moderngl.NEAREST, moderngl.NEAREST
        self._known: WeakKeyDictionary[Model, _ModelBuffers] = WeakKeyDictionary()
        self._dropped: list[_ModelBuffers] = []
        self._pictures: dict[bytes, moderngl.Texture] = {}
        self._prepared: list[_Prepared] = []
        self._close: list[_Prepared] = []
        self._props: list[tuple[Model, _ModelBuffers, Float32, Float32]] = []
        self.triangles = 0

    def picture(self, data: bytes) -> moderngl.Texture:
        """A texture from PNG or JPEG bytes; white where they cannot be read."""
        known = self._pictures.get(data)
        if known is not None:
            return known
        try:
            surface = pygame.image.load(io.BytesIO(data))
        except pygame.error:
            return self.white
        texture = self.context.texture(surface.get_size(), 4, pygame.image.tobytes(surface, "RGBA"))
        texture.build_mipmaps()
        texture.filter = moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR
        self._pictures[data] = texture
        return texture

    def _buffers(self, model: Model) -> _ModelBuffers:
        known = self._known.get(model)
        if known is None:
            known = self._known[model] = _ModelBuffers(self, model)
            # Not freed at once: a model may be collected while no context is current.
            finalize(model, self._dropped.append, known)
        return known

    def set_props(self, props: Sequence[ModelBatch], ambient: Ambient) -> None:
        """Models that stand still: their rows are worked out once, and their shadows are the level's."""
        self._props = []
        for batch in props:
            buffers = self._buffers(batch.model)
            table = self._table(batch, buffers, ambient, -1.0)
            self._props.append((batch.model, buffers, table, self._centres(batch, buffers)))

    def prepare(
        self, batches: Iterable[ModelBatch], ambient: Ambient, planes: Float32, eye: Float32, quality: Quality
    ) -> Float32:
        """Uploads palettes and works out who is in view.

        Returns (N, 5) discs for the movers too far for a true shadow: x y z of the foot, radius, strength.
        """
        self._prepared, self._close, self.triangles = [], [], 0
        while self._dropped:
            self._dropped.pop().release()
        palettes: list[Float32] = []
        start = 0
        discs: list[Float32] = []
        for batch in batches:
            count = len(batch.transforms)
            if not count:
                continue
            buffers = self._buffers(batch.model)
            table = self._table(batch, buffers, ambient, float(start) if buffers.skinned else -1.0)
            if buffers.skinned:
                palettes.append(_palette(batch))
                start += count * len(batch.model.skeleton)
            if batch.close:
                self._close.append(_Prepared(buffers, (table,), table[:0]))
                continue
            centres = self._centres(batch, buffers)
            seen, distance = self._seen(centres, buffers, planes, eye)
            near = distance < quality.shadow_range + buffers.radius
            self._prepared.append(_Prepared(buffers, _by_detail(table, seen, distance, quality), table[near]))
            far = seen & ~near & (distance < 4 * quality.shadow_range)
            if far.any() and buffers.height > 12.0:
                foot = centres[far].copy()
                foot[:, 2] -= buffers.height / 2
                width = np.full(len(foot), buffers.width + 6.0)
                discs.append(np.column_stack((foot, width, np.full(len(foot), 0.5))))
        for _, buffers, table, centres in self._props:
            seen, distance = self._seen(centres, buffers, planes, eye)
            seen &= distance < buffers.radius * quality.prop_range
            if seen.any():
                rows = _by_detail(table, seen, distance, quality)
                self._prepared.append(_Prepared(buffers, rows, table[:0]))
        self._upload(palettes, start)
        return np.concatenate(discs).astype(np.float32) if discs else np.zeros((0, 5), np.float32)

    def _table(self, batch: ModelBatch, buffers: _ModelBuffers, ambient: Ambient, palette: float) -> Float32:
        """The instance rows (N, 20) of a batch whose first palette matrix is number `palette`, -1 for none."""
        count = len(batch.transforms)
        table = np.zeros((count, _INSTANCE_FLOATS), np.float32)
        table[:, :12] = batch.transforms.reshape(count, 12)
        table[:, 12:16] = (1, 1, 1, 0) if batch.tints is None else batch.tints
        table[:, 16:19] = ambient(self._centres(batch, buffers))
        table[:, 19] = palette
        if palette >= 0:
            table[:, 19] += np.arange(count) * len(batch.model.skeleton)
        return table

    def _centres(self, batch: ModelBatch, buffers: _ModelBuffers) -> Float32:
        return np.asarray(batch.transforms[:, :, :3] @ buffers.centre + batch.transforms[:, :, 3], np.float32)

    def _seen(
        self, centres: Float32, buffers: _ModelBuffers, planes: Float32, eye: Float32
    ) -> tuple[NDArray[np.bool_], Float32]:
        inside = centres @ planes[:, :3].T + planes[:, 3] > -buffers.radius
        seen: NDArray[np.bool_] = np.asarray(inside.all(axis=1))
        return seen, np.asarray(np.linalg.norm(centres - eye, axis=1), np.float32)

    def _upload(self, palettes: list[Float32], count: int) -> None:
        if not count:
            return
        lines = -(-count * 3 // PALETTE_WIDTH)
        if lines > self._palettes.height:
            self._palettes.release()
            self._palettes = self.context.texture((PALETTE_WIDTH, lines * 2), 4, dtype="f4")
            self._palettes.filter = moderngl.NEAREST, moderngl.NEAREST
        rows = np.zeros((lines * PALETTE_WIDTH, 4), np.float32)
        rows[: count * 3] = np.concatenate(palettes).reshape(-1, 4)
        self._palettes.write(rows.tobytes(), (0, 0, PALETTE_WIDTH, lines))

    def _write(self, rows: Float32) -> None:
        if rows.nbytes > self.instances.size:
            raise ValueError(f"{len(rows)} instances of one model in a picture are more than fit")
        self.instances.orphan()
        self.instances.write(rows.tobytes())

    def draw(self, palette_unit: int, skin_unit: int, close: bool = False) -> None:
        """Everything that `prepare` found in view."""
        self._palettes.use(palette_unit)
        for program in (self.skinned, self.rigid):
            put(program, "palettes", palette_unit)
            put(program, "skin", skin_unit)
        for item in self._close if close else self._prepared:
            program = self.skinned if item.buffers.skinned else self.rigid
            for rows, meshes in zip(item.rows, item.buffers.levels, strict=False):
                if not len(rows):
                    continue
                self._write(rows)
                for mesh in meshes:
                    material = mesh.material
                    mesh.texture.use(skin_unit)
                    put(program, "material_color", material.color)
                    put(program, "emissive", material.emissive)
                    put(program, "gloss", 0.05 + 0.5 * material.metallic + 0.2 * (1 - material.roughness))
                    mesh.array.render(instances=len(rows))
                    self.triangles += mesh.array.vertices // 3 * len(rows)

    def draw_depth(self, to_light: Float32, palette_unit: int) -> None:
        """The shadow shapes of everything near enough that moves."""
        self._begin_depth(to_light, palette_unit)
        for item in self._prepared:
            if len(item.shadow_rows) and item.buffers.shadow is not None:
                self._write(item.shadow_rows)
                item.buffers.shadow.render(instances=len(item.shadow_rows))

    def draw_prop_depth(self, to_light: Float32, palette_unit: int) -> None:
        """The shadow shapes of everything that stands still and is not mere grass."""
        self._begin_depth(to_light, palette_unit)
        for _, buffers, table, _ in self._props:
            if buffers.shadow is not None and buffers.height > 14.0:
                self._write(table)
                buffers.shadow.render(instances=len(table))

    def _begin_depth(self, to_light: Float32, palette_unit: int) -> None:
        put(self.depth, "palettes", palette_unit)
        put_matrix(self.depth, "to_light", to_light)
        self._palettes.use(palette_unit)

    def release(self) -> None:
        """Frees the buffers of every model."""
        for buffers in [*self._known.values(), *self._dropped]:
            buffers.release()
        self._known.clear()
        self._props = []


def _palette(batch: ModelBatch) -> Float32:
    """The matrices of a batch one after another (N * B, 12)."""
    count, bones = len(batch.transforms), len(batch.model.skeleton)
    if batch.palettes is None:
        return np.tile(np.eye(4, dtype=np.float32)[:3].reshape(1, 12), (count * bones, 1))
    return batch.palettes.reshape(-1, 12)


def _by_detail(
    table: Float32, seen: NDArray[np.bool_], distance: Float32, quality: Quality
) -> tuple[Float32, ...]:
    """The rows in view, split by the step of detail that their distance asks for."""
    first, second = quality.detail
    step = (distance > first).astype(int) + (distance > second)
    return tuple(table[seen & (step == i)] for i in range(3))
