"""The renderer on OpenGL 3.3: shadow maps, then the level, models, sky, what is see-through, and the screen's quads.

Written for real graphics cards and for Mesa's software driver alike: one pass over the picture, light and
tone worked out in it, nothing read back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import NamedTuple

import moderngl
import numpy as np
from numpy.typing import NDArray

from engine.client.render.gl_flush import flusher
from engine.client.render.gl_level import GLLevel
from engine.client.render.gl_models import ModelStore
from engine.client.render.gl_parts import LevelPrograms
from engine.client.render.gl_rows import Rows
from engine.client.render.gl_shadows import MoverShadow, StillShadow
from engine.client.render.gl_sky import KeptSky, PixelSky, Sky, noise_texture
from engine.client.render.gl_targets import Targets
from engine.client.render.ground import Ground
from engine.client.render.light_space import to_texture
from engine.client.render.needs import Surroundings
from engine.client.render.pace import Pace
from engine.client.render.programs import Unit, chosen_lights, developed, frame_block, put
from engine.client.render.quality import Quality, suits
from engine.client.render.renderer import Pixels, Progress, Size, at_once, unheard
from engine.client.render.scene import (
    CLOSE_FOV,
    DECAL_FLOATS,
    STAR,
    Camera,
    Float32,
    Light,
    ModelBatch,
    Scene,
    view_planes,
)
from engine.client.render.sheet import Sheet
from engine.world.view import Atmosphere, LevelGeometry

EXPOSURE = 0.92


class GLUnusableError(Exception):
    """The graphics driver cannot do what the renderer needs; the message says what."""


class _View(NamedTuple):
    """What of a picture is worked out before the driver is needed.

    matrix      (4, 4), world to clip space: `projection` @ `turn`, which is world to eye space
    eye         (3,)
    lights      those that count
    decals      all of them
    puffs       sprites that cover what is behind them, the farthest first
    glows       sprites that add light, likewise
    covered     0..1: the part of the picture's height, from below, in which no sky is seen
    """

    matrix: Float32
    projection: Float32
    turn: Float32
    eye: Float32
    lights: list[Light]
    decals: Float32
    puffs: Float32
    glows: Float32
    covered: float


class GLRenderer:
    """See `Renderer`. Draws to the window, or with `offscreen` into a picture of its own."""

    def __init__(self, size: Size, *, quality: Quality | None = None, offscreen: bool = False) -> None:
        try:
            # Not create_context: it finds a context once a process, and the window's may be a new one.
            moderngl.init_context()
            self._context = moderngl.get_context()
        except Exception as error:  # moderngl raises bare exceptions of several kinds here
            raise GLUnusableError(f"OpenGL 3.3 is not available: {error}") from error
        context = self._context
        if context.version_code < 330:
            raise GLUnusableError(f"OpenGL 3.3 is needed, the driver has {context.version_code / 100:.1f}")
        self.driver = str(context.info.get("GL_RENDERER", "unknown"))
        self.quality = quality or suits(self.driver)
        self._offscreen = offscreen
        self._flush = flusher()
        self._frame = context.buffer(reserve=(48 + 28 + 64) * 4, dynamic=True)
        self._programs = LevelPrograms(context, self.quality)
        self._models = ModelStore(context, self.quality)
        sprite = "sprite", "4f 4f 1f", "in_place", "in_color", "in_kind"
        self._sprites, self._glows = Rows(context, *sprite, GLOW=0), Rows(context, *sprite, GLOW=1)
        self._beams = Rows(context, "beam", "3f 3f 1f 4f", "in_from", "in_to", "in_width", "in_color")
        self._decals = Rows(context, "decal", "3f 3f 2f 4f", "in_centre", "in_facing", "in_form", "in_color")
        self._quads = Rows(context, "quad", "4f 4f 4f", "in_box", "in_uv", "in_color")
        self._noise = noise_texture(context, self.quality.smooth_mips)
        self._sky: Sky = (PixelSky if self.quality.sky_pixels else KeptSky)(context, self._noise)
        side, pace = self.quality.level_shadow, self.quality.shadow_pace
        self._still_shadow = StillShadow(context, side, pace)
        self._mover_shadow = MoverShadow(context, self.quality.mover_shadow, self.quality.shadow_range)
        self._level: GLLevel | None = None
        self._ground = Ground(())
        self._sheet_version = -1
        self._sheet: moderngl.Texture | None = None
        self.size = size
        self._pace = Pace()
        self._drawn_at: float | None = None
        self._targets = self._new_targets()

    @property
    def name(self) -> str:
        return f"OpenGL {self._context.version_code / 100:.1f}, {self.driver}"

    @property
    def place_size(self) -> Size:
        """Width and height in which the place is drawn, before it is stretched to `size`."""
        return self._targets.place.size

    @property
    def beside(self) -> bool:
        return self.quality.adaptive

    @property
    def triangles(self) -> int:
        """Triangles of models in the last picture."""
        return self._models.triangles

    def resize(self, size: Size) -> None:
        self.size = max(size[0], 16), max(size[1], 16)
        self._targets.release()
        self._targets = self._new_targets()

    def _new_targets(self) -> Targets:
        return Targets(
            self._context,
            self.size,
            self.quality.samples,
            self._pace.scale,
            offscreen=self._offscreen,
        )

    def load_level(
        self, geometry: LevelGeometry, props: Sequence[ModelBatch] = (), progress: Progress = unheard
    ) -> None:
        if self._level is not None:
            self._level.release()
            self._level = None
        self._models.set_props(props, self._ambient(geometry.atmosphere))

        draw_props = self._models.draw_prop_depth
        self._level = GLLevel(
            self._context, self._programs, geometry, props, draw_props, self.quality, progress
        )
        # What lies behind something costs a graphics card nothing.
        self._ground = Ground(() if self.quality.sky_pixels else geometry.world)
        self.replace_props(props)
        self._sky.forget()

    def replace_props(self, props: Sequence[ModelBatch]) -> None:
        air = self._level.geometry.atmosphere if self._level is not None else Atmosphere()
        self._models.set_props(props, self._ambient(air))
        self._still_shadow.forget()

    def draw(self, scene: Scene, before: Callable[[], None] = at_once) -> None:
        view = self._look(scene)
        context = self._context
        self._models.upload()
        self._shadows(scene, view.eye)
        # The driver begins with them while the last picture's pixels are still being drawn.
        self._flush()
        self._targets.shown.use()  # on a Mac a window is shown only while it is bound
        before()
        self._write_frame(scene, view)
        self._keep_pace()
        target = self._targets.place
        self._sky.prepare(scene.atmosphere, scene.time)
        target.use()
        context.disable(moderngl.BLEND)
        if view.covered:
            # What is seen through gaps of the ground.
            target.clear(*developed(scene.atmosphere.fog_color, EXPOSURE), depth=1.0)
        else:
            self._clear_depth(target)  # the sky fills what nothing else does
        self._solid(scene)
        self._draw_sky(view)
        self._see_through(scene, view)
        self._hands(scene, target)
        self._targets.finish()
        self._screen_quads(scene.quads, scene.sheet)
        self._flush()

    @property
    def _aspect(self) -> float:
        return self.size[0] / self.size[1]

    def _look(self, scene: Scene) -> _View:
        """All that the processor can work out by itself."""
        camera = scene.camera
        turn, projection = camera.view(), camera.projection(self._aspect)
        matrix = projection @ turn
        eye = np.asarray(camera.position, np.float32)
        planes = view_planes(matrix)
        lights = chosen_lights(scene, planes, self.quality.lights)
        discs = self._models.look(
            scene.models,
            self._ambient(scene.atmosphere),
            planes,
            eye,
            self._targets.place.width / 2 / math.tan(math.radians(camera.fov) / 2),
            self.quality,
            lights,
        )
        around = self._surroundings(scene, eye, lights)
        if self._level is not None:
            self._level.look(planes, around)
        self._mover_shadow.look(eye, -turn[2, :3], around.sun, around.centres, around.radii)
        decals = np.concatenate((_disc_decals(discs), scene.decals))
        sprites = _far_first(scene.sprites, turn)
        glow = sprites[:, 8] >= STAR
        covered = self._ground.covered(camera, turn, projection)
        return _View(matrix, projection, turn, eye, lights, decals, sprites[~glow], sprites[glow], covered)

    def draw_screen(self, quads: Float32, sheet: Sheet) -> None:
        self._targets.shown.use()
        self._targets.shown.clear()
        self._screen_quads(quads, sheet)

    def _keep_pace(self) -> None:
        """Draws with fewer pixels where the time between pictures says that the machine cannot keep up."""
        now = perf_counter()
        last, self._drawn_at = self._drawn_at, now
        if self.quality.adaptive and last is not None and self._pace.took(now - last):
            self.resize(self.size)

    def _write_frame(self, scene: Scene, view: _View) -> None:
        level = to_texture(self._still_shadow.matrix, 0.0006)
        mover = to_texture(self._mover_shadow.matrix, 0.0004)
        block = frame_block(scene, view.matrix, level, mover, EXPOSURE, view.lights)
        self._frame.write(block)
        self._frame.bind_to_uniform_block(0)

    def _ambient(self, air: Atmosphere) -> _PlaceLight:
        return _PlaceLight(self._level, air)

    def _shadows(self, scene: Scene, eye: Float32) -> None:
        """Draws of the shadow maps what has to be drawn for this picture."""
        self._still_shadow.follow(eye, scene.atmosphere.sun_direction, self._still_casters)

        def movers(to_light: Float32) -> None:
            self._models.draw_depth(to_light)
            for level, index, placement in self._brushes(scene):
                level.draw_brush_depth(index, to_light, placement)

        self._mover_shadow.draw(movers)

    def _still_casters(self, to_light: Float32) -> Iterator[int]:
        if self._level is not None:
            yield from self._level.draw_depth(to_light)
            yield from self._models.draw_prop_depth(to_light)

    def _brushes(self, scene: Scene) -> list[tuple[GLLevel, int, Float32]]:
        """The level's brushes that move: number, placement (4, 4)."""
        level = self._level
        if level is None:
            return []
        known = (brush for brush in scene.brushes if brush.index < level.brush_count)
        return [(level, brush.index, _square(brush.transform)) for brush in known]

    def _surroundings(self, scene: Scene, eye: Float32, lights: list[Light]) -> Surroundings:
        centres, radii = self._models.casters
        if spheres := [
            level.brush_sphere(index, placement) for level, index, placement in self._brushes(scene)
        ]:
            centres = np.concatenate((centres, *(centre[None, :] for centre, _ in spheres)))
            radii = np.append(radii, [radius for _, radius in spheres])
        air = scene.atmosphere
        thickens = max(air.fog_end - air.fog_start, 1.0)
        return Surroundings(eye, air.fog_start, thickens, lights, air.sun_direction, centres, radii)

    def _solid(self, scene: Scene) -> None:
        context = self._context
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._still_shadow.use()
        self._mover_shadow.use()
        level = self._level
        if level is not None:
            level.textures.colour.use(Unit.SURFACES)
            level.textures.relief.use(Unit.RELIEF)
            level.light_map.use(Unit.LIGHT_MAP)
            if self.quality.ahead:
                level.draw_ahead()
        self._models.draw()
        if level is None:
            return
        context.depth_func = "<="
        level.draw()
        for _, index, placement in self._brushes(scene):
            level.draw_brush(index, placement)
        context.depth_func = "<"

    def _draw_sky(self, view: _View) -> None:
        context = self._context
        context.enable_only(moderngl.DEPTH_TEST)
        context.depth_func = "<="
        rotation = view.turn.copy()
        rotation[:3, 3] = 0.0
        target = self._targets.place
        width, height = target.size
        below = int(view.covered * height)
        target.scissor = 0, below, width, height - below
        target.use()
        self._sky.draw(np.asarray(view.projection @ rotation, np.float32))
        target.scissor = None  # type: ignore[assignment]  # moderngl takes it, its annotations do not
        target.use()
        context.depth_func = "<"

    def _see_through(self, scene: Scene, view: _View) -> None:
        context = self._context
        context.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        target = self._targets.place
        target.depth_mask = False
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self._noise.use(Unit.NOISE)
        self._decals.draw(view.decals)
        context.blend_func = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
        for rows, part in ((self._sprites, view.puffs), (self._glows, view.glows)):
            if not len(part):
                continue
            put(rows.program, "right", tuple(float(c) for c in view.turn[0, :3]))
            put(rows.program, "up", tuple(float(c) for c in view.turn[1, :3]))
            rows.draw(part)
        context.blend_func = moderngl.ONE, moderngl.ONE
        self._beams.draw(scene.beams)
        target.depth_mask = True

    def _hands(self, scene: Scene, target: moderngl.Framebuffer) -> None:
        if not any(batch.close for batch in scene.models):
            return
        hands = Camera(scene.camera.position, scene.camera.angles, CLOSE_FOV, 0.5, 400.0)
        matrix = hands.projection(self._aspect) @ hands.view()
        self._frame.write(np.ascontiguousarray(matrix.T, np.float32).tobytes())
        context = self._context
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._clear_depth(target)
        self._models.draw(close=True)

    def _clear_depth(self, target: moderngl.Framebuffer) -> None:
        """moderngl clears colour and depth together; with the colour masked only the depth goes."""
        target.color_mask = False, False, False, False
        target.use()
        target.clear(depth=1.0)
        target.color_mask = True, True, True, True
        target.use()  # a mask takes effect when its target is bound

    def _screen_quads(self, quads: Float32, sheet: Sheet | None) -> None:
        if sheet is None or not len(quads):
            return
        context = self._context
        if self._sheet is None or self._sheet.size != (sheet.size, sheet.size):
            self._sheet = context.texture((sheet.size, sheet.size), 4)
            self._sheet_version = -1
        if self._sheet_version != sheet.version:
            self._sheet.write(sheet.pixels.tobytes())
            self._sheet_version = sheet.version
        context.enable_only(moderngl.BLEND)
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self._sheet.use(Unit.SHEET)
        put(self._quads.program, "screen", tuple(float(side) for side in self.size))
        self._quads.draw(quads)

    def read_pixels(self) -> Pixels:
        data = self._targets.shown.read(viewport=(0, 0, *self.size), components=3, alignment=1)
        rows: NDArray[np.uint8] = np.frombuffer(data, np.uint8).reshape(self.size[1], self.size[0], 3)
        return rows[::-1].copy()

    def close(self) -> None:
        if self._level is not None:
            self._level.release()
            self._level = None
        self._models.release()
        for holder in (self._sky, self._still_shadow, self._mover_shadow, self._noise):
            holder.release()


class _PlaceLight:
    """Ambient light at points: the level's probes, or the open sky where there is no level."""

    def __init__(self, level: GLLevel | None, air: Atmosphere) -> None:
        self._level, self._air = level, air

    def __call__(self, points: Float32) -> Float32:
        if self._level is None:
            return np.tile(np.asarray(self._air.sky_color, np.float32), (len(points), 1))
        return self._level.probes.at(points)[:, :3]


def _square(transform: Float32) -> Float32:
    matrix = np.eye(4, dtype=np.float32)
    matrix[:3] = transform
    return matrix


def _far_first(sprites: Float32, view: Float32) -> Float32:
    if len(sprites) < 2:
        return sprites
    return sprites[np.argsort(sprites[:, :3] @ view[2, :3])]


def _disc_decals(discs: Float32) -> Float32:
    """Soft dark discs under movers that are too far away for a true shadow."""
    rows = np.zeros((len(discs), DECAL_FLOATS), np.float32)
    rows[:, :3] = discs[:, :3]
    rows[:, 5] = 1.0
    rows[:, 6] = discs[:, 3] * 1.3
    rows[:, 8:11] = (0.03, 0.035, 0.05)
    rows[:, 11] = discs[:, 4]
    return rows
