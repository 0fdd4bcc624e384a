"""Models on the graphics card: what of a picture's instances is in view, and the calls that draw it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from weakref import WeakKeyDictionary, finalize

import moderngl
import numpy as np

from engine.client.render.gl_buffers import INSTANCE_FLOATS, MeshBuffers, ModelBuffers
from engine.client.render.gl_instances import Ambient, Flags, Instances, gather
from engine.client.render.gl_materials import PALETTE_WIDTH, Materials
from engine.client.render.gl_shadows import DEPTH_STEP
from engine.client.render.programs import Unit, put, put_matrix, refill
from engine.client.render.quality import Quality
from engine.client.render.scene import Float32, Light, ModelBatch
from engine.pipeline.model import Model

MOST_INSTANCES = 1024
"""Of one model in a picture."""

_Shown = tuple[Sequence[MeshBuffers], bool, Float32]
"""Meshes, whether point lights reach them, and the instance rows that they are drawn with."""


class ModelStore:
    """All models in use, and the palettes and instances of the picture at hand."""

    def __init__(self, context: moderngl.Context, quality: Quality) -> None:
        self._context = context
        self.materials = Materials(context, quality)
        self._instances = context.buffer(reserve=INSTANCE_FLOATS * 4 * MOST_INSTANCES, dynamic=True)
        # One is filled while the last picture may still be drawn with the other.
        self._palettes, self._other = self._palette_texture(8), self._palette_texture(8)
        self._known: WeakKeyDictionary[Model, ModelBuffers] = WeakKeyDictionary()
        self._dropped: list[ModelBuffers] = []
        self._shown: list[_Shown] = []
        self._close: list[_Shown] = []
        self._shadows: list[tuple[moderngl.VertexArray, Float32]] = []
        self._ready: set[moderngl.Program] = set()
        self._props: Instances = gather((), _no_light)
        self._prop_models: list[Model] = []
        self.casters: tuple[Float32, Float32] = _no_spheres()
        """Centres (N, 3) and radii (N,) of what moves and throws a true shadow."""
        self._texels: Float32 = np.zeros((0, 4), np.float32)
        self.triangles = 0

    def _palette_texture(self, lines: int) -> moderngl.Texture:
        texture = self._context.texture((PALETTE_WIDTH, lines), 4, dtype="f4")
        texture.filter = moderngl.NEAREST, moderngl.NEAREST
        return texture

    def _buffers(self, model: Model) -> ModelBuffers:
        known = self._known.get(model)
        if known is None:
            known = self._known[model] = ModelBuffers(self.materials, self._instances, model)
            # Not freed at once: a model may be collected while no context is current.
            finalize(model, self._dropped.append, known)
        return known

    def set_props(self, props: Sequence[ModelBatch], ambient: Ambient) -> None:
        """Models that stand still: their rows are worked out once, and their shadows are the level's."""
        self._prop_models = [batch.model for batch in props]
        self._props = gather([(self._buffers(batch.model), batch) for batch in props], ambient)

    def look(
        self,
        batches: Iterable[ModelBatch],
        ambient: Ambient,
        planes: Float32,
        eye: Float32,
        focal: float,
        quality: Quality,
        lights: Sequence[Light],
    ) -> Float32:
        """Works out who is in view, beside a driver that is still drawing; `upload` comes before what draws it.

        `focal` is how many pixels of the picture an inch takes up at a distance of one inch.
        Returns (N, 5) discs for the movers too far for a true shadow: x y z of the foot, radius, strength.
        """
        self.triangles = 0
        # What is held close comes last, so that everything before it can be culled as one.
        present = sorted((batch for batch in batches if len(batch.transforms)), key=lambda batch: batch.close)
        pairs = [(self._buffers(batch.model), batch) for batch in present]
        movers = gather(pairs, ambient)
        self._texels = _texels([_palette(batch) for buffers, batch in pairs if buffers.skinned])
        away = sum(len(batch.transforms) for batch in present if not batch.close)
        lit = movers.lit(lights)
        self._close = [
            (buffers.levels[: quality.hands + 1][-1], bool(lit[part].any()), movers.rows[part])
            for buffers, part in movers.parts
            if part.start >= away
        ]
        seen, distance = movers.seen(planes, eye)
        near = distance < quality.shadow_range + movers.radii
        seen[away:] = near[away:] = False
        self._shadows = [
            (buffers.shadow, movers.rows[part][near[part]])
            for buffers, part in movers.parts
            if buffers.shadow is not None and near[part].any()
        ]
        self.casters = movers.centres[near], movers.radii[near]
        self._shown = []
        self._show(movers, seen, lit, distance / focal, quality)
        far = seen & ~near & (distance < 4 * quality.shadow_range)
        seen, distance = self._props.seen(planes, eye)
        seen &= distance < self._props.radii * quality.prop_range
        self._show(self._props, seen, self._props.lit(lights), distance / focal, quality)
        return _discs(movers, far)

    def _show(self, instances: Instances, seen: Flags, lit: Flags, pixel: Float32, quality: Quality) -> None:
        """pixel (N,): inches that one covers at each instance."""
        figures = instances.sparing(seen, pixel, quality.figures, quality.crowd)
        for buffers, step, bright, rows in instances.by_detail(seen, lit, pixel, quality.detail, figures):
            self._shown.append((buffers.levels[step], bright, rows))

    def upload(self) -> None:
        """The palettes of those that `look` was given."""
        while self._dropped:
            self._dropped.pop().release()
        self._palettes, self._other = self._other, self._palettes
        lines = len(self._texels) // PALETTE_WIDTH
        if lines > self._palettes.height:
            self._palettes.release()
            self._palettes = self._palette_texture(lines * 2)
        if lines:
            self._palettes.write(self._texels.tobytes(), (0, 0, PALETTE_WIDTH, lines))

    def _write(self, rows: Float32) -> None:
        if len(rows) > MOST_INSTANCES:
            raise ValueError(f"{len(rows)} instances of one model in a picture are more than fit")
        refill(self._instances, rows.tobytes())

    def draw(self, close: bool = False) -> None:
        """Everything that `look` found in view."""
        self._palettes.use(Unit.PALETTES)
        for meshes, lit, rows in self._close if close else self._shown:
            self._write(rows)
            for mesh in meshes:
                array = mesh.drawn[lit]
                program = array.program
                if mesh.picture is not None:
                    mesh.picture.texture.use(Unit.SKIN)
                put(program, "material_color", mesh.material.color)
                put(program, "emissive", mesh.material.emissive)
                put(program, "gloss", mesh.gloss)
                array.render(instances=len(rows))
                other = mesh.drawn[not lit]
                if other.program not in self._ready:
                    # A driver prepares a program when it draws with it first; better now than at the first shot.
                    # Nothing of it shows, since it is no nearer than what has just been drawn.
                    self._ready.add(other.program)
                    other.render(vertices=3, instances=1)
                self.triangles += mesh.triangles * len(rows)

    def draw_depth(self, to_light: Float32) -> None:
        """The shadow shapes of everything near enough that moves."""
        self._begin_depth(to_light)
        for shadow, rows in self._shadows:
            self._write(rows)
            shadow.render(instances=len(rows))

    def draw_prop_depth(self, to_light: Float32) -> Iterator[int]:
        """The shadow shapes of everything that stands still and is not mere grass, in steps (`StillCasters`)."""
        for buffers, part in self._props.parts:
            if buffers.shadow is not None and buffers.height > 14.0:
                triangles = buffers.shadow.vertices // 3
                step = max(DEPTH_STEP // max(triangles, 1), 1)
                for start in range(part.start, part.stop, step):
                    rows = self._props.rows[start : min(start + step, part.stop)]
                    self._begin_depth(to_light)  # others may have used the program in between
                    self._write(rows)
                    buffers.shadow.render(instances=len(rows))
                    yield triangles * len(rows)

    def _begin_depth(self, to_light: Float32) -> None:
        put_matrix(self.materials.depth, "to_light", to_light)
        self._palettes.use(Unit.PALETTES)

    def release(self) -> None:
        """Frees the buffers of every model."""
        for buffers in [*self._known.values(), *self._dropped]:
            buffers.release()
        self._known.clear()
        self._props = gather((), _no_light)


def _no_spheres() -> tuple[Float32, Float32]:
    return np.zeros((0, 3), np.float32), np.zeros(0, np.float32)


def _no_light(points: Float32) -> Float32:
    return np.zeros_like(points)


def _discs(movers: Instances, far: Flags) -> Float32:
    """Soft dark discs (N, 5) under those of `movers` that are `far` and not mere clutter."""
    discs = [np.zeros((0, 5), np.float32)]
    if not far.any():
        return discs[0]
    for buffers, part in movers.parts:
        if buffers.height > 12.0 and far[part].any():
            foot = movers.centres[part][far[part]] - np.array((0, 0, buffers.height / 2), np.float32)
            shape = np.tile(np.array((buffers.width + 6.0, 0.5), np.float32), (len(foot), 1))
            discs.append(np.column_stack((foot, shape)))
    return np.concatenate(discs)


def _palette(batch: ModelBatch) -> Float32:
    """The matrices of a batch one after another (N * B, 12)."""
    count, bones = len(batch.transforms), len(batch.model.skeleton)
    if batch.palettes is None:
        return np.tile(np.eye(4, dtype=np.float32)[:3].reshape(1, 12), (count * bones, 1))
    return batch.palettes.reshape(-1, 12)


def _texels(palettes: Sequence[Float32]) -> Float32:
    """Matrices (N, 12) of several palettes as whole lines of a texture (L * PALETTE_WIDTH, 4)."""
    count = 3 * sum(map(len, palettes))
    texels = np.zeros((-(-count // PALETTE_WIDTH) * PALETTE_WIDTH, 4), np.float32)
    if count:
        texels[:count] = np.concatenate(palettes).reshape(-1, 4)
    return texels
