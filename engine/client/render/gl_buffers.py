"""One model on the graphics card: its vertices in every step of detail, its shadow shape, its size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from engine.client.render.detail import steps
from engine.client.render.gl_materials import OPAQUE, Materials, Picture
from engine.client.render.lean import lean
from engine.client.render.scene import Float32
from engine.client.render.shadow_shape import shadow_shape
from engine.pipeline.model import Material, Mesh, Model

INSTANCE_FLOATS = 20
"""A row of the instance table: three rows of the matrix, tint, ambient RGB, number of the first palette matrix."""

_INSTANCE = "4f 4f 4f 4f 4f/i"
_INSTANCE_NAMES = ("in_row0", "in_row1", "in_row2", "in_tint", "in_ambient")


@dataclass(frozen=True, eq=False)
class MeshBuffers:
    """`gloss` 0..1 is how much of the sun's glint the material throws back. `drawn` is what draws it where no point
    light reaches, and where one does."""

    material: Material
    gloss: float
    picture: Picture | None
    drawn: tuple[moderngl.VertexArray, moderngl.VertexArray]
    triangles: int


class ModelBuffers:
    """One model's buffers. All arrays share the instance buffer, which is rewritten for every batch.

    `levels` holds the meshes of each step of detail, the finest first; `edges` how long the sides of their
    triangles are (`Step`), `counts` how many there are.
    """

    def __init__(self, materials: Materials, instances: moderngl.Buffer, model: Model) -> None:
        self._context, self._instances = materials.context, instances
        self._owned: list[moderngl.Buffer | moderngl.VertexArray] = []
        self.skinned = len(model.skeleton) > 1
        self._pictures = [materials.picture(data) for data in model.textures]
        found = steps(model)
        self.edges = [step.edge for step in found]
        self.counts = np.array([sum(len(mesh.indices) for mesh in step.meshes) for step in found])
        made: dict[Mesh, MeshBuffers] = {}
        for step in found:
            for mesh in step.meshes:
                if mesh not in made:
                    made[mesh] = self._mesh(materials, model, mesh, step.edge)
        self.levels = [[made[mesh] for mesh in step.meshes] for step in found]
        low, high = (np.asarray(corner, np.float32) for corner in model.bounds)
        self.centre = (low + high) / 2
        # A pose reaches farther than the rest pose: raised arms, a body lying on the ground.
        self.radius = float(np.linalg.norm(high - low)) * (0.75 if self.skinned else 0.5) + 1.0
        self.height = float(high[2] - low[2])
        self.width = float(max(high[0] - low[0], high[1] - low[1])) / 2
        self.shadow: moderngl.VertexArray | None = None
        shape = shadow_shape(model, found)
        if len(shape.indices):
            table = np.column_stack((shape.positions, shape.joints)).astype(np.float32)
            content = [
                (self._buffer(table), "3f 1f", "in_position", "in_joint"),
                (instances, _INSTANCE, *_INSTANCE_NAMES),
            ]
            self.shadow = self._array(materials.depth, content, self._buffer(shape.indices))

    def steps(self, apart: Float32) -> NDArray[np.intp]:
        """The step of detail for each of some distances (any shape) that the sides of triangles may be long."""
        return np.searchsorted(self.edges, apart, side="right") - 1

    def _buffer(self, table: NDArray[Any]) -> moderngl.Buffer:
        buffer = self._context.buffer(table.tobytes())
        self._owned.append(buffer)
        return buffer

    def _array(
        self, program: moderngl.Program, content: list[tuple[Any, ...]], indices: moderngl.Buffer
    ) -> moderngl.VertexArray:
        array = self._context.vertex_array(program, content, indices, skip_errors=True)
        self._owned.append(array)
        return array

    def release(self) -> None:
        for resource in reversed(self._owned):
            resource.release()

    def _picture(self, material: Material) -> Picture | None:
        number = material.texture
        return self._pictures[number] if number is not None and number < len(self._pictures) else None

    def _mesh(self, materials: Materials, model: Model, mesh: Mesh, edge: float) -> MeshBuffers:
        """A mesh as it is (`edge` 0), or a coarser copy that is drawn where its triangles are small."""
        material = model.materials[mesh.material] if model.materials else Material("plain")
        picture = self._picture(material)
        if self.skinned and edge and materials.quality.corner_light:
            mesh, painted = lean(mesh, edge, picture.pixels if picture and not picture.cutout else None)
            picture = None if painted else picture
        layout = np.dtype(
            [("p", "3f4"), ("n", "3f4"), ("t", "2f4"), ("c", "4u1"), ("j", "4u2"), ("w", "4f4")]
        )
        table = np.zeros(len(mesh.positions), layout)
        table["p"], table["n"], table["t"], table["c"] = mesh.positions, mesh.normals, mesh.uvs, mesh.colors
        # The strongest bone first: a program for fewer bones looks at the first ones.
        order = np.argsort(-mesh.weights, axis=1, kind="stable")
        table["j"] = np.take_along_axis(mesh.joints, order, axis=1)
        table["w"] = np.take_along_axis(mesh.weights, order, axis=1)
        content = [
            (
                self._buffer(table), "3f 3f 2f 4f1 4u2 4f",
                "in_position", "in_normal", "in_uv", "in_color", "in_joints", "in_weights",
            ),
            (self._instances, _INSTANCE, *_INSTANCE_NAMES),
        ]  # fmt: skip
        faint = float(mesh.colors[:, 3].min(initial=255)) / 255 * material.color[3] < OPAQUE
        bones = int((mesh.weights > 0).sum(axis=1).max(initial=1)) if self.skinned else 0
        gloss = 0.05 + 0.5 * material.metallic + 0.2 * (1 - material.roughness)
        indices = self._buffer(mesh.indices.astype(np.uint32))

        def drawn(lit: bool) -> moderngl.VertexArray:
            program = materials.program(bones, picture, faint, small=self.skinned or edge > 0, lit=lit)
            return self._array(program, content, indices)

        return MeshBuffers(material, gloss, picture, (drawn(False), drawn(True)), len(mesh.indices))
