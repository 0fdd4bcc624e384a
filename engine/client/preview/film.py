"""A film of a tree: its clips one after another, with their names, a time bar and the notes as they pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pygame

from engine.client.preview.figure import extent, figure
from engine.client.preview.frames import save_frames
from engine.client.preview.gif import Pixels
from engine.client.preview.stage import Stage
from engine.client.preview.studio import Orbit, air_at, floor_batch
from engine.client.preview.subject import Subject
from engine.client.render.renderer import Renderer
from engine.client.render.scene import Scene, placed

SIZE = (288, 320)
"""Pixels of the film."""

PICTURE = (288, 294)
"""Pixels of the drawn part; the rest is the bar with the words."""

RATE = 15
"""Pictures a second."""

_LEAST_SECONDS = 1.2  # shorter clips are shown several times
_PAPER, _AMBER, _NIGHT = (234, 228, 214), (232, 150, 72), (27, 29, 33)


class FilmPainter:
    """Draws films with a renderer whose picture it may resize."""

    def __init__(self, renderer: Renderer, progress: Callable[[str], None] = lambda _: None) -> None:
        """`progress` is told the name of each clip when its pictures are done."""
        pygame.font.init()
        self.renderer = renderer
        self._progress = progress
        self._font = pygame.font.Font(None, 20)

    def save(self, subject: Subject, leaves: Sequence[int], path: Path) -> int:
        """Write leaves of a subject as an animated GIF, or picture for picture into a folder; the number of pictures.
        Raises UnwritableError."""
        self.renderer.resize(PICTURE)
        return save_frames(self._frames(subject, leaves), path, RATE)

    def _frames(self, subject: Subject, leaves: Sequence[int]) -> Iterator[tuple[str, Pixels]]:
        for leaf in leaves:
            name = subject.tree.names[leaf]
            for picture in self._clip(subject, leaf):
                yield name, picture
            self._progress(name)

    def _clip(self, subject: Subject, leaf: int) -> Iterator[Pixels]:
        clip = subject.tree.clip(leaf)
        stage = Stage(subject)
        stage.travel = stage.repeat = False
        stage.choose(leaf, fade=0.0)
        poses = []
        for fraction in np.linspace(0, 1, 12):
            stage.scrub(float(fraction))
            stage.step(0.0)
            poses.append(stage.pose()[0])
        orbit = Orbit(pitch=14.0, fov=26.0)
        orbit.frame(extent(subject, np.array(poses)), PICTURE[0] / PICTURE[1])
        stage.scrub(0.0)
        stage.playing = True
        length = max(clip.length, 1 / RATE)
        passes = max(1, round(_LEAST_SECONDS / length)) if clip.looping else 1
        for _ in range(max(1, round(passes * length * RATE)) + (0 if clip.looping else 6)):
            yield self._frame(stage, orbit, clip.name)
            stage.step(1 / RATE)

    def _frame(self, stage: Stage, orbit: Orbit, name: str) -> Pixels:
        place = placed((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        models = [floor_batch(model=stage.subject.model), *figure(stage.subject, stage.pose(), place)]
        self.renderer.draw(Scene(orbit.camera(), atmosphere=air_at(orbit.distance), models=models))
        picture = pygame.Surface(SIZE)
        picture.fill(_NIGHT)
        picture.blit(pygame.surfarray.make_surface(self.renderer.read_pixels().swapaxes(0, 1)), (0, 0))
        base = PICTURE[1]
        picture.blit(self._font.render(name, True, _PAPER), (8, base + 6))
        passed = [note.name for note in stage.passed if note.age < 0.35 and note.name != "end"]
        if passed:
            text = self._font.render(passed[-1], True, _AMBER)
            picture.blit(text, (SIZE[0] - text.get_width() - 8, base + 6))
        pygame.draw.rect(picture, _AMBER, (0, base, round(SIZE[0] * stage.fraction), 2))
        return np.ascontiguousarray(pygame.surfarray.array3d(picture).swapaxes(0, 1))
