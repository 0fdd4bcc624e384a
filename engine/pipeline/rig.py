"""Which nodes of a scene are bones, and their rest pose in engine conventions.

Bones come from the node tree, not from the weights, so that an end bone or a tag without vertices exists.
Whatever stands above or between bones without being one is folded into the bone below it. World transforms
are made rigid: a constant scale or shear of a node moves into the bone's inverse bind matrix, so that a
centimetre file under a node scaled by a hundred gives the same bones as one in metres.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.pipeline.faults import Faults
from engine.pipeline.formats import Format
from engine.pipeline.scene import PIVOT, Float64, Scene
from engine.pipeline.settings import UNITS, ModelSettings

MAX_BONES = 1024

FARTHEST_NODE = 1e12
"""Largest number in a node's transform, in inches."""

FLAT = 1e-9
"""Ratio of the smallest to the largest scale of a node below which it has no body."""

SMALLEST_SCALE = 1e-9

TAG_PREFIX = "tag_"
ROOT = "root"

_Y_UP, _Z_UP = (2, 0, 1), (0, 1, 2)  # x = gz, y = gx, z = gy


@dataclass(frozen=True, eq=False)
class Axes:
    """The change from source space to engine space: the axes x, y, z are the source's of these numbers, and lengths
    are multiplied by `scale`."""

    order: tuple[int, int, int]
    scale: float

    @classmethod
    def of(cls, settings: ModelSettings, form: Format) -> Axes:
        """Unit and axes are the format's own, where the settings name none."""
        inches = UNITS[form.unit] * form.scale if settings.unit is None else UNITS[settings.unit]
        return cls(_Y_UP if (settings.up or form.up) == "y" else _Z_UP, inches * settings.scale)

    @cached_property
    def rotation(self) -> Float64:
        return np.eye(3)[list(self.order)]

    def points(self, points: Float64) -> Float64:
        return points @ self.rotation.T * self.scale

    def matrices(self, matrices: Float64) -> Float64:
        """Transforms (..., 4, 4) of source space as transforms of engine space."""
        # What a product with the rotation on both sides gives, which has no negative zeros either.
        places = [4 * row + column for row in (*self.order, 3) for column in (*self.order, 3)]
        out: Float64 = (
            matrices.reshape(*matrices.shape[:-2], 16).take(places, axis=-1).reshape(matrices.shape)
        )
        out += 0.0
        out[..., :3, 3] *= self.scale
        return out


@dataclass(frozen=True, eq=False)
class Rig:
    """The bones of a scene.

    names     (B) lower case, unique
    nodes     (B) index of each bone's node; -1 for the root that was added to a prop
    parents   (B,) int32
    owner     bone that each node of the scene belongs to: itself, or the nearest bone above it, else bone 0
    rest      (B, 4, 4) rigid world transforms of the rest pose, in engine space
    folds     (B, 4, 4) rest^-1 x the node's full world transform: the scale that was folded away
    axes      source space to engine space
    """

    names: tuple[str, ...]
    nodes: tuple[int, ...]
    parents: np.ndarray[tuple[int], np.dtype[np.int32]]
    owner: tuple[int, ...]
    rest: Float64
    folds: Float64
    axes: Axes

    @cached_property
    def unfolds(self) -> Float64:
        """The inverses of the folds."""
        return np.linalg.inv(self.folds).astype(np.float64)

    def below(self, names: Collection[str]) -> set[str]:
        """The bones of these names and all that hang on them."""
        found: set[str] = set()
        for name, parent in zip(self.names, self.parents, strict=True):
            if name in names or (parent >= 0 and self.names[parent] in found):
                found.add(name)
        return found


def node_worlds(scene: Scene, locals_: Float64) -> Float64:
    """Local transforms (N, ..., 4, 4) become world transforms, in place."""
    for index, node in enumerate(scene.nodes):
        if node.parent >= 0:
            locals_[index] = locals_[node.parent] @ locals_[index]
    return locals_


def build_rig(scene: Scene, axes: Axes, faults: Faults, *, pieces: bool = False, motion: bool = False) -> Rig:
    """Choose the bones of a scene (with `pieces` every node is one) and put them in order. With `motion` the nodes are
    those of a skeleton that is elsewhere, and get no root of their own."""
    by_name = _nodes_by_name(scene)
    weighted = {bone.name for mesh in scene.meshes for bone in mesh.bones}
    joints = {by_name[name] for name in scene.joints | weighted if name in by_name}
    moved = {
        by_name[channel.node]
        for animation in scene.animations
        for channel in animation.channels
        if channel.node in by_name
    }
    bones = set(range(len(scene.nodes))) if pieces else _choose(scene, joints, moved)
    added_root = not pieces and not motion and not joints and not _one_root_named_root(scene, bones)
    nodes, parents = _order(scene, bones, joints, added_root)
    if len(nodes) > MAX_BONES:
        raise faults.fatal(
            "too-many-bones", f"{len(nodes)} bones; {MAX_BONES} at most", "leave out what nothing moves"
        )
    names = _names(scene, nodes, faults)
    worlds = axes.matrices(node_worlds(scene, np.array([node.transform for node in scene.nodes])))
    _check_reach(scene, worlds, faults)
    full = np.array([worlds[node] if node >= 0 else np.eye(4) for node in nodes])
    rest = _rigid(full)
    bone_of = {node: bone for bone, node in enumerate(nodes)}
    owner: list[int] = []
    for index, node in enumerate(scene.nodes):
        owner.append(bone_of.get(index, owner[node.parent] if node.parent >= 0 else 0))
    return Rig(
        names=names,
        nodes=tuple(nodes),
        parents=np.array(parents, np.int32),
        owner=tuple(owner),
        rest=rest,
        folds=_folds(names, rest, full, faults),
        axes=axes,
    )


def _nodes_by_name(scene: Scene) -> dict[str, int]:
    """Node of each name. Where a format lets names repeat, the one with the most nodes below it wins."""
    below = [1] * len(scene.nodes)
    for index in reversed(range(len(scene.nodes))):
        parent = scene.nodes[index].parent
        if parent >= 0:
            below[parent] += below[index]
    found: dict[str, int] = {}
    for index, node in enumerate(scene.nodes):
        if node.name not in found or below[index] > below[found[node.name]]:
            found[node.name] = index
    return found


def _choose(scene: Scene, joints: set[int], moved: set[int]) -> set[int]:
    nodes = scene.nodes
    bones = set(joints)
    above_joint: set[int] = set()
    for joint in joints:
        path, at = [], nodes[joint].parent
        while at >= 0 and at not in joints:
            path.append(at)
            at = nodes[at].parent
        (bones if at >= 0 else above_joint).update(path)
    below = [False] * len(nodes)
    for index, node in enumerate(nodes):
        below[index] = index in joints or (node.parent >= 0 and below[node.parent])
        tag = node.name.lower().startswith(TAG_PREFIX)
        if tag or (below[index] and not node.meshes) or (index in moved and index not in above_joint):
            bones.add(index)
    return {index for index in bones if PIVOT not in nodes[index].name.lower()}


def _one_root_named_root(scene: Scene, bones: set[int]) -> bool:
    def top(index: int) -> bool:
        at = scene.nodes[index].parent
        while at >= 0:
            if at in bones:
                return False
            at = scene.nodes[at].parent
        return True

    tops = [index for index in bones if top(index)]
    return len(tops) == 1 and scene.nodes[tops[0]].name.lower() in (ROOT, TAG_PREFIX + "origin")


def _order(scene: Scene, bones: set[int], joints: set[int], added_root: bool) -> tuple[list[int], list[int]]:
    """Bones with parents first, and their parents. Bones outside the skeleton hang on its first root."""
    parent_of: dict[int, int] = {}
    for index in bones:
        at = scene.nodes[index].parent
        while at >= 0 and at not in bones:
            at = scene.nodes[at].parent
        parent_of[index] = at
    tops = sorted((i for i in bones if parent_of[i] < 0), key=lambda i: (i not in joints, i))
    nodes: list[int] = [-1] if added_root else []
    parents: list[int] = [-1] if added_root else []
    children: dict[int, list[int]] = {}
    for index in sorted(bones):
        children.setdefault(parent_of[index], []).append(index)
    place: dict[int, int] = {}
    for top in tops:
        todo = [top]
        while todo:
            index = todo.pop()
            place[index] = len(nodes)
            hangs = 0 if nodes and (added_root or index not in joints) else -1
            parents.append(place[parent_of[index]] if parent_of[index] >= 0 else hangs)
            nodes.append(index)
            todo.extend(reversed(children.get(index, [])))
    return nodes, parents


def _names(scene: Scene, nodes: list[int], faults: Faults) -> tuple[str, ...]:
    names: list[str] = []
    for node in nodes:
        wanted = scene.nodes[node].name.lower() if node >= 0 else ROOT
        wanted = wanted or f"node_{node}"
        name, number = wanted, 2
        while name in names:
            name, number = f"{wanted}_{number}", number + 1
        if name != wanted:
            faults.warn(
                "duplicate-bone",
                f"two bones are called `{wanted}`; the second is now `{name}`",
                "rename one of them in the source",
            )
        names.append(name)
    return tuple(names)


def _check_reach(scene: Scene, worlds: Float64, faults: Faults) -> None:
    """Raises where a node stands, or is scaled, beyond all measure: what numbers become there is no pose."""
    far = ~(np.abs(worlds).max(axis=(1, 2)) <= FARTHEST_NODE)
    if far.any():
        index = int(np.argmax(far))
        label = scene.nodes[index].name or f"node_{index}"
        raise faults.fatal(
            "bad-node",
            f"node `{label}` is scaled or moved beyond all measure",
            "look at its transform, and at those above it",
        )


def _rigid(matrices: Float64) -> Float64:
    """The nearest transforms (B, 4, 4) that only turn and move."""
    left, sizes, right = np.linalg.svd(matrices[:, :3, :3])
    out = np.tile(np.eye(4), (len(matrices), 1, 1))
    out[:, :3, 3] = matrices[:, :3, 3]
    solid = ~_is_flat(sizes)
    # A mirrored node becomes a turned one with a mirroring fold.
    left[..., 2] *= np.linalg.det(left @ right)[:, None]
    out[solid, :3, :3] = (left @ right)[solid]
    return out


def _is_flat(sizes: Float64) -> NDArray[np.bool_]:
    """Which transforms with these singular values (B, 3), the largest first, leave no body of what they scale."""
    return np.asarray((sizes[:, 2] <= FLAT * sizes[:, 0]) | (sizes[:, 0] < SMALLEST_SCALE))


def _folds(names: tuple[str, ...], rest: Float64, full: Float64, faults: Faults) -> Float64:
    folds = np.linalg.inv(rest) @ full
    sizes: Float64 = np.linalg.svd(folds[:, :3, :3], compute_uv=False).astype(np.float64)
    for bone in np.flatnonzero(_is_flat(sizes)):
        faults.warn(
            "flat-node",
            f"node `{names[bone]}` is scaled to nothing in the rest pose",
            "give it a size in the rest pose and animate the scale instead",
        )
        folds[bone] = np.eye(4)
    return folds
