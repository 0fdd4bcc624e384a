"""Two server frames and a part of the way between them, as models and brushes of a scene.

The server shows the world twenty times a second; what stands between two of its frames is worked out here:
places linearly, angles the short way round, poses bone by bone. What was teleported, or has only now
appeared, is shown where it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.anim import pose
from engine.anim.skeleton import Float32, Skeleton
from engine.client.footing import Footing
from engine.client.posing import poses_between
from engine.client.render.scene import BrushInstance, Camera, Light, ModelBatch, placed_all
from engine.pipeline.model import Model
from engine.pipeline.skins import in_skin
from engine.world.view import EntityState, FrameView

Float64 = NDArray[np.float64]
Models = Callable[[str], Model]


def turn(a: Float64, b: Float64, alpha: float) -> Float64:
    """Angles in degrees, `alpha` of the short way from a to b."""
    return a + ((b - a + 180.0) % 360.0 - 180.0) * alpha


@dataclass(slots=True)
class Drawn:
    """What a pair of frames shows: `tags` finds the place (3, 4) of a tag on an entity for effects."""

    models: list[ModelBatch] = field(default_factory=list)
    brushes: list[BrushInstance] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)
    count: int = 0
    tags: Tags | None = None


@dataclass(slots=True)
class _Rows:
    """Instances of one model, gathered before they become a batch."""

    transforms: list[Float32] = field(default_factory=list)
    palettes: list[Float32 | None] = field(default_factory=list)


class Tags:
    """Where entities and their bones are in the picture at hand."""

    def __init__(self) -> None:
        self.entities: dict[int, Float32] = {}
        self._bones: dict[int, tuple[Skeleton, Float32]] = {}
        self._attached: dict[int, list[tuple[Model, Float32]]] = {}

    def put(self, number: int, transform: Float32) -> None:
        self.entities[number] = transform

    def put_bones(self, number: int, skeleton: Skeleton, matrices: Float32) -> None:
        self._bones[number] = skeleton, matrices

    def attach(self, number: int, model: Model, transform: Float32) -> None:
        self._attached.setdefault(number, []).append((model, transform))

    def find(self, number: int, tag: str) -> Float32 | None:
        """The world placement (3, 4) of a tag on an entity, looked for on what hangs on it too; the entity's
        own where it
        has no such tag, None where there is no such entity."""
        own = self.entities.get(number)
        if own is None or not tag:
            return own
        known = self._bones.get(number)
        if known is not None and tag in known[0].index:
            return combine(own, known[1][known[0].index[tag]])
        for model, transform in self._attached.get(number, ()):
            bone = model.skeleton.index.get(tag)
            if bone is not None:
                rest = pose.model_matrices(model.skeleton.rest[None], model.skeleton)[0, bone]
                return combine(transform, rest)
        return own


def combine(outer: Float32, inner: Float32) -> Float32:
    """(3, 4) placements: first inner, then outer."""
    out = outer[:, :3] @ inner
    out[:, 3] += outer[:, 3]
    return np.asarray(out, np.float32)


def draw_world(
    before: FrameView,
    now: FrameView,
    alpha: float,
    models: Models,
    hidden: int | None = None,
    places: Mapping[int, Float32] | None = None,
    camera: Camera | None = None,
    footing: Footing | None = None,
) -> Drawn:
    """Everything that is to be seen `alpha` (0..1) of the way from one frame to the next.

    hidden  number of an entity that is not drawn (the viewer's own body); its tags are known all the same
    places  entities whose placement (3, 4) is known better than the frames know it
    camera  what the picture is taken with: what is far from it is posed less often
    footing  puts the feet of figures near the camera on the ground
    """
    drawn = Drawn(tags=Tags())
    tags = drawn.tags
    assert tags is not None
    rows: dict[Model, _Rows] = defaultdict(_Rows)
    matrices, palettes = poses_between(before, now, alpha, camera)
    visible = [state for state in now.entities.values() if state.visible]
    placed = list(zip(visible, _places(before, visible, alpha), strict=True))
    if footing is not None and camera is not None:
        time = (before.time + (now.time - before.time) * alpha) / 1000.0
        footing.plant(now, time, placed, matrices, palettes, camera)
    for state, between in placed:
        number = state.number
        transform = places.get(number, between) if places else between
        tags.put(number, transform)
        if state.brush_model is not None:
            drawn.brushes.append(BrushInstance(state.brush_model, transform))
        if not state.model:
            continue
        model = models(state.model)
        bones = matrices.get(number)
        if bones is not None and state.pose is not None:
            tags.put_bones(number, now.poses[state.pose[0]].skeleton, bones)
        shown = number != hidden
        drawn.count += shown
        if shown:
            palette = palettes.get(number)
            model = in_skin(model, state.skin) if state.skin else model
            rows[model].transforms.append(transform)
            rows[model].palettes.append(_fitting(palette, state, now, model))
        for name, tag in state.attachments:
            attached = models(name)
            place = tags.find(number, tag)
            if place is None or (tag and place is transform and bones is None):
                place = _rest_place(transform, model, tag)
            tags.attach(number, attached, place)
            if shown:
                rows[attached].transforms.append(place)
                rows[attached].palettes.append(None)
    drawn.models = [_batch(model, row) for model, row in rows.items()]
    drawn.lights = [Light(light.origin, light.color, light.radius) for light in now.lights]
    return drawn


def _places(before: FrameView, states: Sequence[EntityState], alpha: float) -> Float32:
    """(N, 3, 4) placements between the frames, or where a state is now if it has not travelled there."""
    if not states:
        return np.zeros((0, 3, 4), np.float32)
    origins, angles = [], []
    for state in states:
        old = before.entities.get(state.number)
        if old is None or old.serial != state.serial or state.teleport or not old.visible:
            old = state
        origins.append((old.origin, state.origin))
        angles.append((old.angles, state.angles))
    (start, end), (first, last) = (np.array(pairs).transpose(1, 0, 2) for pairs in (origins, angles))
    return placed_all(start + (end - start) * alpha, turn(first, last, alpha))


def _rest_place(transform: Float32, model: Model, tag: str) -> Float32:
    bone = model.skeleton.index.get(tag)
    if bone is None:
        return transform
    return combine(transform, pose.model_matrices(model.skeleton.rest[None], model.skeleton)[0, bone])


def _fitting(palette: Float32 | None, state: EntityState, now: FrameView, model: Model) -> Float32 | None:
    """The palette in the order of the model's own bones, which may be another skeleton than the tree's."""
    if palette is None or state.pose is None:
        return None
    skeleton = now.poses[state.pose[0]].skeleton
    if skeleton is model.skeleton or skeleton.names == model.skeleton.names:
        return palette
    result = np.tile(np.eye(4, dtype=np.float32)[:3], (len(model.skeleton), 1, 1))
    for i, name in enumerate(model.skeleton.names):
        source = skeleton.index.get(name)
        if source is not None:
            result[i] = palette[source]
    return result


def _batch(model: Model, row: _Rows) -> ModelBatch:
    palettes: Float32 | None = None
    if any(p is not None for p in row.palettes):
        rest = np.tile(np.eye(4, dtype=np.float32)[:3], (len(model.skeleton), 1, 1))
        palettes = np.stack([rest if p is None else p for p in row.palettes])
    return ModelBatch(model, np.stack(row.transforms), palettes)
