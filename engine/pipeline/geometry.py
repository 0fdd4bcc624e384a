"""Meshes of a scene over its rig: positions in the bind pose, four weights a vertex, one mesh a material."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.pipeline.faults import Faults
from engine.pipeline.model import Mesh
from engine.pipeline.rig import FARTHEST_NODE, Rig
from engine.pipeline.scene import Float64, Scene, SceneMesh

INFLUENCES = 4
"""Bones that can move one vertex."""

LOST_WEIGHT = 0.05
"""Share of a vertex's weight that may be dropped with its fifth and further bones without a word."""

FARTHEST_VERTEX = 1e12
"""Largest number in a position, in the units of the file."""

_SAME = 1e-4


@dataclass(eq=False)
class Part:
    """One mesh of one node, in engine space. `node` is the node's name in lower case."""

    node: str
    material: int
    positions: Float64
    normals: Float64
    uvs: Float64
    colors: NDArray[np.uint8]
    joints: NDArray[np.int64]
    weights: Float64
    indices: NDArray[np.int64]


def build_parts(
    scene: Scene, rig: Rig, worlds: Float64, colors_linear: bool, faults: Faults
) -> tuple[list[Part], Float64]:
    """Every mesh at every node that shows it, and the inverse bind matrices (B, 4, 4).

    `worlds` (N, 4, 4) are the nodes' rest transforms in engine space.
    """
    binds = _Binds(rig, worlds)
    bone_of = {scene.nodes[node].name: bone for bone, node in enumerate(rig.nodes) if node >= 0}
    shown = [(index, node, scene.meshes[m]) for index, node in enumerate(scene.nodes) for m in node.meshes]
    for _, node, mesh in shown:
        for weights in mesh.bones:
            if not (np.abs(weights.offset) <= FARTHEST_NODE).all():
                raise faults.fatal(
                    "bad-mesh",
                    f"mesh `{node.name or mesh.name}` is bound to bone `{weights.name}` beyond all measure",
                    "export it again",
                )
        binds.first(mesh, bone_of)
    parts = []
    for index, node, mesh in shown:
        label = node.name or mesh.name
        if not (np.abs(mesh.positions) <= FARTHEST_VERTEX).all():
            raise faults.fatal(
                "bad-mesh", f"mesh `{label}` has positions that are beyond all measure", "export it again"
            )
        if mesh.shape_keys:
            faults.warn(
                "shape-keys",
                f"mesh `{label}` has shape keys, which are not supported",
                "apply or delete them",
            )
        skinned = any(weights.name in bone_of for weights in mesh.bones)
        joints, weights_ = _weights(mesh, bone_of, rig.owner[index], label, faults)
        points, turn = rig.axes.points(mesh.positions.astype(np.float64)), rig.axes.rotation
        normals = _numbers(mesh.normals) @ turn.T
        if skinned:
            points, normals, mirrored = binds.adapt(mesh, bone_of, points, normals, joints, weights_)
        else:
            points, normals, mirrored = binds.rigid(index, rig.owner[index], points, normals)
        parts.append(
            Part(
                node=label.lower(),
                material=mesh.material,
                positions=points,
                normals=_unit(normals),
                uvs=_uvs(mesh, label, faults),
                colors=_colors(mesh, colors_linear),
                joints=joints,
                weights=weights_,
                indices=_triangles(mesh, mirrored, label, faults),
            )
        )
    return [part for part in parts if len(part.indices)], binds.matrices


class _Binds:
    """Inverse bind matrices, one a bone for the whole model, and vertices brought into that one bind pose.

    A bone's matrix is the first that a mesh gives it. Another mesh may be bound in another space (a second
    skin, a mesh node that was moved); its vertices are moved so that both look as the file says.
    """

    def __init__(self, rig: Rig, worlds: Float64) -> None:
        self.rig = rig
        self.worlds = worlds
        self.matrices: Float64 = np.linalg.inv(rig.rest).astype(np.float64)
        self._given: set[int] = set()

    def of_file(self, bones: list[int], offsets: Float64) -> Float64:
        """Matrices (N, 4, 4) of bones as the file gives them, in engine space, for the rigid bones."""
        matrices: Float64 = self.rig.folds[bones] @ self.rig.axes.matrices(offsets)
        matrices[:, 3] = (0.0, 0.0, 0.0, 1.0)
        return matrices

    def first(self, mesh: SceneMesh, bone_of: dict[str, int]) -> None:
        """Take the matrices that a mesh gives to bones which have none yet."""
        found: dict[int, Float64] = {}
        for bone in mesh.bones:
            if bone.name in bone_of and bone_of[bone.name] not in self._given:
                found.setdefault(bone_of[bone.name], bone.offset)
        if found:
            self._given.update(found)
            self.matrices[list(found)] = self.of_file(list(found), np.array([*found.values()]))

    def adapt(
        self,
        mesh: SceneMesh,
        bone_of: dict[str, int],
        points: Float64,
        normals: Float64,
        joints: NDArray[np.int64],
        weights: Float64,
    ) -> tuple[Float64, Float64, bool]:
        """Vertices of a skinned mesh in the model's bind pose; whether that mirrors them."""
        moves = np.tile(np.eye(4), (len(self.matrices), 1, 1))
        given = {bone_of[bone.name]: bone.offset for bone in mesh.bones if bone.name in bone_of}
        own = list(given)
        moves[own] = np.linalg.pinv(self.matrices[own]) @ self.of_file(own, np.array([*given.values()]))
        if np.allclose(moves, np.eye(4), atol=_SAME):
            return points, normals, False
        blended = np.einsum("vk,vkij->vij", weights, moves[joints])
        return _transform(blended, points, normals)

    def rigid(self, node: int, bone: int, points: Float64, normals: Float64) -> tuple[Float64, Float64, bool]:
        """Vertices of a mesh that hangs on one bone, in the model's bind pose."""
        to_bone = np.linalg.inv(self.rig.rest[bone]) @ self.worlds[node]
        move = np.linalg.pinv(self.matrices[bone]) @ to_bone
        return _transform(np.broadcast_to(move, (len(points), 4, 4)), points, normals)


def _transform(moves: Float64, points: Float64, normals: Float64) -> tuple[Float64, Float64, bool]:
    linear = moves[:, :3, :3]
    moved = np.einsum("vij,vj->vi", linear, points) + moves[:, :3, 3]
    determinants = np.linalg.det(linear)
    if (np.abs(determinants) > 1e-12).all():
        normals = np.einsum("vji,vj->vi", np.linalg.inv(linear), normals)
    return moved, normals, bool(len(determinants) and np.median(determinants) < 0)


def _unit(vectors: Float64) -> Float64:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    good = np.isfinite(lengths) & (lengths > 1e-12)
    return np.where(good, vectors / np.where(good, lengths, 1.0), np.array([0.0, 0.0, 1.0]))


def _weights(
    mesh: SceneMesh, bone_of: dict[str, int], fallback: int, label: str, faults: Faults
) -> tuple[NDArray[np.int64], Float64]:
    """The four strongest bones of each vertex, weights that sum to 1; `fallback` where there is none."""
    count = len(mesh.positions)
    joints = np.zeros((count, INFLUENCES), np.int64)
    weights = np.zeros((count, INFLUENCES))
    known = [bone for bone in mesh.bones if bone.name in bone_of]
    if known:
        vertex = np.concatenate([bone.vertices for bone in known]).astype(np.int64)
        weight = np.concatenate([bone.weights for bone in known]).astype(np.float64)
        bones = np.concatenate([np.full(len(bone.vertices), bone_of[bone.name]) for bone in known])
        good = (vertex < count) & np.isfinite(weight) & (weight > 0)
        vertex, weight, bones = vertex[good], weight[good], bones[good]
        order = np.lexsort((bones, -weight, vertex))
        vertex, weight, bones = vertex[order], weight[order], bones[order]
        rank = np.arange(len(vertex)) - np.searchsorted(vertex, vertex)
        kept = rank < INFLUENCES
        joints[vertex[kept], rank[kept]] = bones[kept]
        weights[vertex[kept], rank[kept]] = weight[kept]
        total = np.bincount(vertex, weight, minlength=count)
        lost = int(np.count_nonzero(weights.sum(axis=1) < (1 - LOST_WEIGHT) * total))
        if lost:
            faults.warn(
                "many-influences",
                f"{lost} vertices of mesh `{label}` follow more than {INFLUENCES} bones;"
                " the weakest were left out",
                f"limit the weights to {INFLUENCES} a vertex in the source",
            )
    sums = weights.sum(axis=1)
    loose = sums < 1e-6
    if known and loose.any():
        faults.warn(
            "no-weights",
            f"{int(loose.sum())} vertices of mesh `{label}` follow no bone; they are bound to one rigidly",
            "paint weights for them in the source",
        )
    joints[loose], weights[loose] = 0, 0.0
    joints[loose, 0], weights[loose, 0] = fallback, 1.0
    return joints, weights / weights.sum(axis=1, keepdims=True)


def _numbers(values: NDArray[np.float32]) -> Float64:
    """With 0 in place of what is no number."""
    return np.nan_to_num(values.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)


def _uvs(mesh: SceneMesh, label: str, faults: Faults) -> Float64:
    if mesh.uvs is None:
        return np.zeros((len(mesh.positions), 2))
    if not np.isfinite(mesh.uvs).all():
        faults.warn(
            "bad-mesh",
            f"mesh `{label}` has texture coordinates that are not numbers; 0 is taken instead",
            "export it again",
        )
    return _numbers(mesh.uvs)


def _colors(mesh: SceneMesh, linear: bool) -> NDArray[np.uint8]:
    """sRGB with alpha, 0..255; white where the mesh has none."""
    if mesh.colors is None:
        return np.full((len(mesh.positions), 4), 255, np.uint8)
    values = np.clip(np.nan_to_num(mesh.colors.astype(np.float64)), 0.0, 1.0)
    if linear:
        values[:, :3] = to_srgb(values[:, :3])
    return np.rint(values * 255).astype(np.uint8)


def to_srgb(linear: Float64) -> Float64:
    """Linear light 0..1 as sRGB 0..1."""
    return np.where(
        linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 1e-12) ** (1 / 2.4) - 0.055
    )


def to_linear(srgb: Any) -> Float64:
    """sRGB 0..1 as linear light 0..1."""
    values = np.asarray(srgb, np.float64)
    return np.where(values <= 0.04045, values / 12.92, ((np.maximum(values, 0.0) + 0.055) / 1.055) ** 2.4)


def _triangles(mesh: SceneMesh, mirrored: bool, label: str, faults: Faults) -> NDArray[np.int64]:
    faces: NDArray[np.int64] = mesh.indices.astype(np.int64)
    inside = (faces < len(mesh.positions)).all(axis=1)
    if not inside.all():
        raise faults.fatal(
            "bad-mesh", f"mesh `{label}` has triangles that name missing vertices", "export it again"
        )
    whole = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 0] != faces[:, 2])
    faces = faces[whole]
    return np.ascontiguousarray(faces[:, ::-1]) if mirrored else faces


def join_parts(parts: list[Part], hidden_by: dict[str, frozenset[str]]) -> list[Mesh]:
    """One mesh for all parts of one material that the same skins hide, in the order of first use."""
    groups: dict[tuple[int, frozenset[str]], list[Part]] = {}
    for part in parts:
        groups.setdefault((part.material, hidden_by.get(part.node, frozenset())), []).append(part)
    return [_join(members) for members in groups.values()]


def _join(parts: list[Part]) -> Mesh:
    starts = np.cumsum([0] + [len(part.positions) for part in parts[:-1]])
    return Mesh(
        name=parts[0].node,
        material=parts[0].material,
        positions=np.concatenate([p.positions for p in parts]).astype(np.float32),
        normals=np.concatenate([p.normals for p in parts]).astype(np.float32),
        uvs=np.concatenate([p.uvs for p in parts]).astype(np.float32),
        colors=np.concatenate([p.colors for p in parts]),
        joints=np.concatenate([p.joints for p in parts]).astype(np.uint16),
        weights=np.concatenate([p.weights for p in parts]).astype(np.float32),
        indices=np.concatenate([p.indices + start for p, start in zip(parts, starts, strict=True)]).astype(
            np.uint32
        ),
    )
