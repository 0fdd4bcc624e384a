"""Pictures of a unit without a window: a sheet of moments, or a film, of a run with calls at given ticks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pygame

from engine.client.pictures import png, write_picture
from engine.client.preview.film import PICTURE, RATE, SIZE
from engine.client.preview.frames import save_frames
from engine.client.preview.gif import Pixels
from engine.client.preview.studio import Orbit, air_at, floor_batch
from engine.client.preview.unit_stage import UnitStage
from engine.client.render.renderer import Renderer
from engine.client.render.scene import Scene
from engine.cob.pieces import TICKS_PER_SECOND

_MARGIN, _HEAD, _FOOT, _GAP = 24, 64, 44, 10
_PAPER, _DIM, _NIGHT = (234, 228, 214), (150, 152, 150), (27, 29, 33)
_TILE = (300, 270)


class UnitFilm:
    """Draws units with a renderer whose picture it may resize."""

    def __init__(self, renderer: Renderer, progress: Callable[[str], None] = lambda _: None) -> None:
        """`progress` is told of each tick when it is done."""
        pygame.font.init()
        self.renderer = renderer
        self._progress = progress
        self._title = pygame.font.Font(None, 34)
        self._small = pygame.font.Font(None, 19)

    def save(self, stage: UnitStage, ticks: int, path: Path, moments: int = 8) -> int:
        """Write a `.gif` film of a run, its pictures into a folder, or a `.png` sheet of so many moments of it; the
        number of pictures. Raises UnwritableError."""
        if path.is_dir() or path.suffix.lower() == ".gif":
            return save_frames(
                ((stage.subject.name, picture) for picture in self.film(stage, ticks)), path, RATE
            )
        write_picture(path, png(self.sheet(stage, ticks, moments)))
        return moments

    def film(self, stage: UnitStage, ticks: int) -> Iterator[Pixels]:
        """A picture for every second tick."""
        self.renderer.resize(PICTURE)
        orbit = _orbit(stage, PICTURE)
        every = TICKS_PER_SECOND // RATE
        for tick in self._moving(stage, ticks):
            if tick % every == 0:
                picture = pygame.Surface(SIZE)
                picture.fill(_NIGHT)
                picture.blit(self._draw(stage, orbit), (0, 0))
                running = ", ".join(view.script for view in stage.slots() if view.script)
                text = self._small.render(f"{stage.tick:4}  {running}", True, _PAPER)
                picture.blit(text, (8, PICTURE[1] + 6))
                yield pygame.surfarray.array3d(picture).swapaxes(0, 1)

    def sheet(self, stage: UnitStage, ticks: int, moments: int) -> pygame.Surface:
        """Moments from the first tick to the last, four in a row."""
        self.renderer.resize(_TILE)
        orbit = _orbit(stage, _TILE)
        columns = min(4, moments)
        rows = -(-moments // columns)
        wanted = {round(k * ticks / max(1, moments - 1)): k for k in range(moments)}
        width = 2 * _MARGIN + columns * (_TILE[0] + _GAP) - _GAP
        surface = pygame.Surface((width, _HEAD + rows * (_TILE[1] + _FOOT) + _MARGIN))
        surface.fill(_NIGHT)
        surface.blit(self._title.render(stage.subject.name, True, _PAPER), (_MARGIN, 16))
        told = (
            ", ".join(f"{call.script} at {call.tick}" for call in stage.calls)
            or "nothing is called but Create"
        )
        surface.blit(self._small.render(told, True, _DIM), (_MARGIN, 42))
        for tick in self._moving(stage, ticks):
            if tick in wanted:
                row, column = divmod(wanted[tick], columns)
                x, y = _MARGIN + column * (_TILE[0] + _GAP), _HEAD + row * (_TILE[1] + _FOOT)
                surface.blit(self._draw(stage, orbit), (x, y))
                running = ", ".join(view.script for view in stage.slots() if view.script) or "nothing runs"
                surface.blit(self._small.render(f"tick {tick}", True, _PAPER), (x, y + _TILE[1] + 5))
                surface.blit(self._small.render(running[:44], True, _DIM), (x, y + _TILE[1] + 21))
        return surface

    def _moving(self, stage: UnitStage, ticks: int) -> Iterator[int]:
        """The number of ticks that a stage has gone, before the first and after each of them."""
        yield 0
        for number in range(ticks):
            stage.one_tick()
            yield number + 1
            self._progress(f"tick {number + 1}")

    def _draw(self, stage: UnitStage, orbit: Orbit) -> pygame.Surface:
        models = [floor_batch(model=stage.subject.model), *stage.batches()]
        self.renderer.draw(Scene(orbit.camera(), atmosphere=air_at(orbit.distance), models=models))
        return pygame.surfarray.make_surface(self.renderer.read_pixels().swapaxes(0, 1))


def _orbit(stage: UnitStage, size: tuple[int, int]) -> Orbit:
    orbit = Orbit(pitch=14.0, fov=26.0)
    orbit.frame(stage.room(), size[0] / size[1])
    orbit.distance *= 1.12
    return orbit
