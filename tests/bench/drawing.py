"""What a picture of a crowd costs: `notetrack bench drawing`.

Soldiers of the sandbox in rows on a floor with forty boxes, every bone of theirs turned a little, drawn at 1280x720
into a picture that nobody sees. A round is a turn of the game's loop: poses, what the renderer works out by itself, the
wait until the driver has drawn the last picture, and the calls for the next one. The clock runs through all of it. The
first figures are of pictures with every pixel; then they are drawn as the game draws, with as many pixels of the place
as the machine keeps up with.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import moderngl
import numpy as np

from engine.anim import pose
from engine.client.render.gl import GLRenderer
from engine.client.render.scene import Camera, ModelBatch, Scene, placed
from engine.client.window import Window, WindowSettings
from engine.pipeline.library import AssetLibrary
from engine.world.view import Atmosphere, LevelGeometry, SurfaceGeometry

ASSETS = Path(__file__).resolve().parents[2] / "assets"
SIZE = (1280, 720)
CLOCK = time.perf_counter
COUNTS = (30, 200)

RATE = 60
"""Pictures a second, as the sky's clouds see it."""

SETTLED = 60
"""Pictures after which the game has found how many pixels the machine keeps up with."""


class Measure(NamedTuple):
    """`run` is one picture of `count` soldiers."""

    name: str
    count: int
    run: Callable[[], object]


def measures() -> Iterator[Measure]:
    window = Window(WindowSettings(SIZE, headless=True, as_played=True))
    window.renderer.load_level(floor(), ())
    crowds = [Crowd(window, count) for count in COUNTS]
    for crowd in crowds:
        yield Measure(f"every pixel, {window.renderer.name}", crowd.count, crowd.draw)
    if not isinstance(window.renderer, GLRenderer):
        return
    window.renderer.quality = replace(window.renderer.quality, adaptive=True)
    for crowd in crowds:
        for _ in range(SETTLED):
            crowd.draw()
        width, height = window.renderer.place_size
        yield Measure(f"as the game does, {width}x{height} now", crowd.count, crowd.draw)


class Crowd:
    """`count` soldiers in ranks, twelve abreast."""

    def __init__(self, window: Window, count: int) -> None:
        self._window, self.count = window, count
        library = AssetLibrary([ASSETS])
        self._model = library.model("soldier_olive")
        rng = np.random.default_rng(count)
        local = np.tile(self._model.skeleton.rest, (count, 1, 1))
        local[:, :3] += rng.normal(0, 0.08, local[:, :3].shape)
        local[:, :4] /= np.linalg.norm(local[:, :4], axis=1, keepdims=True)
        self._before = local.astype(np.float32)
        self._now = np.roll(self._before, 1, axis=0)
        self._places = np.stack(
            [placed((220.0 + i // 12 * 90, (i % 12 - 5.5) * 60, 0), (0, 180, 0)) for i in range(count)]
        )
        self._pictures = 0

    @property
    def triangles(self) -> int:
        return self._window.renderer.triangles

    def draw(self) -> None:
        self._pictures += 1
        local = pose.interpolate(self._before, self._now, self._pictures % 10 / 10)
        palettes = pose.palettes(local, self._model.skeleton)
        batch = ModelBatch(self._model, self._places, palettes)
        camera, time = Camera((0, 0, 70), (4, 0, 0)), self._pictures / RATE
        self._window.renderer.draw(Scene(camera, time, models=[batch]), self._shown)

    def _shown(self) -> None:
        """As the display waits for a picture before it shows it."""
        if isinstance(self._window.renderer, GLRenderer):
            moderngl.get_context().finish()

    def pixels(self) -> np.ndarray:
        return self._window.renderer.read_pixels()


def floor() -> LevelGeometry:
    """A square of 6,000 inches and forty boxes beside the crowd."""
    surfaces = [quad("sand", (-3000, -3000, 0), (6000, 0, 0), (0, 6000, 0))]
    for i in range(40):
        x, y = 200.0 + i // 2 * 120, 460.0 if i % 2 else -500.0
        surfaces.append(quad("planks", (x, y, 40), (40, 0, 0), (0, 40, 0)))
        surfaces.append(quad("planks", (x, y + 40, 0), (0, -40, 0), (0, 0, 40)))
        surfaces.append(quad("planks", (x, y, 0), (40, 0, 0), (0, 0, 40)))
        surfaces.append(quad("planks", (x + 40, y + 40, 0), (-40, 0, 0), (0, 0, 40)))
    bounds = ((-3000.0, -3000.0, 0.0), (3000.0, 3000.0, 200.0))
    return LevelGeometry("crowd", tuple(surfaces), (), bounds, Atmosphere())


def quad(
    texture: str, corner: tuple[float, ...], along: tuple[float, ...], up: tuple[float, ...]
) -> SurfaceGeometry:
    c, a, u = (np.array(v, np.float32) for v in (corner, along, up))
    normal = np.cross(a, u)
    normals = np.tile(normal / np.linalg.norm(normal), (4, 1)).astype(np.float32)
    sides = np.array((np.linalg.norm(a), np.linalg.norm(u)), np.float32) / 128
    uvs = np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32) * sides
    points = np.stack((c, c + a, c + a + u, c + u))
    return SurfaceGeometry(texture, points, normals, uvs, np.array(((0, 1, 2), (0, 2, 3)), np.uint32))
