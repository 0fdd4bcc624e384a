"""A picture sheet of a tree: every clip as a row of poses over its time line, with its notes marked.

Pose k of n stands at k / (n - 1) of the clip, so the first and the last picture of a loop are the same pose;
the time line below runs from the middle of the first picture to the middle of the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pygame

from engine.anim.clip import Clip
from engine.anim.entries import NodeFlag
from engine.anim.skeleton import Float32
from engine.anim.state import TreeInstances
from engine.client.pictures import png, write_picture
from engine.client.preview.figure import extent, figure
from engine.client.preview.studio import Orbit, air_at, floor_batch
from engine.client.preview.subject import Subject
from engine.client.render.renderer import Renderer
from engine.client.render.scene import Scene, placed
from engine.pipeline.convert import SMALLEST_MODEL

POSES = 8
"""Pictures of each clip, 6 at least."""

TILE = (184, 208)
_SIDE, _MARGIN, _HEAD, _LINE, _GAP = 268, 24, 84, 64, 14

_PAPER, _DIM, _NIGHT, _PANEL, _RULE = (
    (234, 228, 214), (150, 152, 150), (27, 29, 33), (36, 39, 44), (78, 82, 88),
)  # fmt: skip
_NOTE_COLORS = (
    (232, 150, 72), (112, 178, 214), (206, 92, 76), (150, 190, 104), (196, 146, 204), (222, 202, 96),
)  # fmt: skip

Color = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class _Row:
    """A clip, the names of the groups above it, and its poses (n, 8, B)."""

    clip: Clip
    groups: str
    poses: Float32


class SheetPainter:
    """Draws sheets with a renderer whose picture it may resize."""

    def __init__(
        self, renderer: Renderer, poses: int = POSES, progress: Callable[[str], None] = lambda _: None
    ) -> None:
        """`progress` is told the name of each clip when its row is done."""
        pygame.font.init()
        self.renderer = renderer
        self._progress = progress
        self.count = max(6, poses)
        self._title = pygame.font.Font(None, 38)
        self._name = pygame.font.Font(None, 25)
        self._small = pygame.font.Font(None, 19)
        self._colors: dict[str, Color] = {}

    @property
    def width(self) -> int:
        return 2 * _MARGIN + _SIDE + self.count * TILE[0]

    def sheet(self, subject: Subject, leaves: Sequence[int] | None = None) -> pygame.Surface:
        """The sheet of a subject, or of some of its leaves."""
        rows = list(_rows(subject, subject.leaves if leaves is None else leaves, self.count))
        step = TILE[1] + _LINE + _GAP
        surface = pygame.Surface((self.width, _HEAD + max(1, len(rows)) * step + _MARGIN))
        surface.fill(_NIGHT)
        self._draw_head(surface, subject, rows)
        self.renderer.resize(TILE)
        for number, row in enumerate(rows):
            self._draw_row(surface, subject, row, _HEAD + number * step)
            self._progress(row.clip.name)
        if not rows:
            self._draw_round(surface, subject, _HEAD)
        return surface

    def save(self, subject: Subject, path: Path, leaves: Sequence[int] | None = None) -> None:
        """Write the sheet as a picture. Raises UnwritableError."""
        write_picture(path, png(self.sheet(subject, leaves)))

    def _draw_round(self, surface: pygame.Surface, subject: Subject, top: int) -> None:
        """A model without clips is shown from all sides."""
        surface.fill(_PANEL, (_MARGIN, top, self.width - 2 * _MARGIN, TILE[1] + _LINE))
        low, high = (np.asarray(corner) for corner in subject.model.bounds)
        size = " x ".join(f"{side:.0f}" if side >= 1 or not side else f"{side:.2g}" for side in high - low)
        for line, text in enumerate(("no clips", f"{size} inches")):
            surface.blit(self._small.render(text, True, _DIM), (_MARGIN + 14, top + 14 + 25 * line))
        rest = subject.model.skeleton.rest[None]
        orbit = Orbit(pitch=17.0, fov=26.0)
        orbit.frame(extent(subject, rest), TILE[0] / TILE[1])
        for number in range(self.count):
            orbit.yaw = 38.0 + 360.0 * number / self.count
            surface.blit(self._picture(subject, rest, orbit), (_MARGIN + _SIDE + number * TILE[0], top))

    def _draw_head(self, surface: pygame.Surface, subject: Subject, rows: list[_Row]) -> None:
        kind = "animation tree" if subject.file is not None else "model"
        surface.blit(self._title.render(subject.name, True, _PAPER), (_MARGIN, 20))
        seconds = sum(row.clip.length for row in rows)
        model, carried = subject.model, ", ".join(model.name for model, _ in subject.attached)
        facts = [
            kind + (f", {_count(len(rows), 'clip')}, {seconds:.1f} s" if rows else ""),
            f"on {model.name}" + (f" with {carried}" if carried else ""),
            f"{_count(len(model.skeleton), 'bone')}, {sum(len(m.indices) for m in model.meshes):,} triangles",
            "a square of the grid is 16 inches",
        ]
        low, high = (np.asarray(corner) for corner in model.bounds)
        if model.meshes and (high - low).max() < SMALLEST_MODEL:
            facts.append(f"too small to be seen: {(high - low).max():.2g} inches")
        surface.blit(self._small.render("   ·   ".join(facts), True, _DIM), (_MARGIN, 56))

    def _draw_row(self, surface: pygame.Surface, subject: Subject, row: _Row, top: int) -> None:
        left = _MARGIN + _SIDE
        clip = row.clip
        surface.fill(_PANEL, (_MARGIN, top, self.width - 2 * _MARGIN, TILE[1] + _LINE))
        y = top + 14
        surface.blit(self._name.render(clip.name, True, _PAPER), (_MARGIN + 14, y))
        for text in filter(None, (row.groups, *_facts(clip, subject))):
            y += 25
            surface.blit(self._small.render(text, True, _DIM), (_MARGIN + 14, y))
        orbit = Orbit(pitch=17.0, fov=26.0)
        orbit.frame(extent(subject, row.poses), TILE[0] / TILE[1])
        for number, pose in enumerate(row.poses):
            picture = self._picture(subject, pose[None], orbit)
            surface.blit(picture, (left + number * TILE[0], top))
        for number in range(1, self.count):
            x = left + number * TILE[0]
            pygame.draw.line(surface, _PANEL, (x, top), (x, top + TILE[1] - 1))
        self._draw_time_line(surface, clip, left, top + TILE[1])

    def _picture(self, subject: Subject, pose: Float32, orbit: Orbit) -> pygame.Surface:
        place = placed((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        models = [floor_batch(model=subject.model), *figure(subject, pose, place)]
        self.renderer.draw(Scene(orbit.camera(), atmosphere=air_at(orbit.distance), models=models))
        return pygame.surfarray.make_surface(self.renderer.read_pixels().swapaxes(0, 1))

    def _draw_time_line(self, surface: pygame.Surface, clip: Clip, left: int, top: int) -> None:
        span = (self.count - 1) * TILE[0]
        start, y = left + TILE[0] // 2, top + 19

        def at(fraction: float) -> int:
            return round(start + fraction * span)

        pygame.draw.line(surface, _RULE, (start, y), (start + span, y), 2)
        frames = max(1, clip.frames - 1)
        every = max(1, frames // 120)
        for frame in range(0, frames + 1, every):
            height = 5 if frame % (10 * every) == 0 else 2
            pygame.draw.line(
                surface, _RULE, (at(frame / frames), y - height), (at(frame / frames), y + height)
            )
        for number in range(self.count):
            fraction = number / (self.count - 1)
            pygame.draw.circle(surface, _PAPER, (at(fraction), y), 3)
            text = self._small.render(f"{fraction * clip.length:.2f}", True, _DIM)
            surface.blit(text, (at(fraction) + 7, y - 15))
        self._draw_notes(surface, clip, at, y)

    def _draw_notes(self, surface: pygame.Surface, clip: Clip, at: Callable[[float], int], y: int) -> None:
        """Flags under the line; a name that would cover another goes one lane down."""
        ends = [-1, -1]
        for note in clip.notes[:-1]:
            color = self._colors.setdefault(note.name, _NOTE_COLORS[len(self._colors) % len(_NOTE_COLORS)])
            x = at(note.fraction)
            text = self._small.render(note.name, True, color)
            fits = min(x + 7, self.width - _MARGIN - text.get_width() - 6)
            lane = next((i for i, end in enumerate(ends) if end < fits), len(ends) - 1)
            ends[lane] = fits + text.get_width() + 8
            low = y + 12 + lane * 15
            pygame.draw.line(surface, color, (x, y - 6), (x, low + 8), 2)
            pygame.draw.polygon(surface, color, [(x, y - 12), (x + 8, y - 8), (x, y - 4)])
            surface.blit(text, (fits, low - 2))


def _rows(subject: Subject, leaves: Sequence[int], count: int) -> Iterator[_Row]:
    tree = subject.tree
    for node in leaves:
        clip = tree.clip(node)
        above = [
            tree.names[n] + (" (sync)" if tree.flags[n] & NodeFlag.SYNC_ROOT else "")
            for n in tree.ancestors(node)
            if n
        ]
        instances = TreeInstances(tree, subject.binding)
        row = instances.add()
        if tree.added[node]:
            for plain in leaves:
                if not tree.added[plain]:
                    instances.set_anim(row, instances.lead(row, plain), 1.0, 0.0)
                    break
        instances.set_knob_all(row, instances.lead(row, node), 0, 1.0, 0.0)
        poses = []
        for fraction in np.linspace(0.0, 1.0, count):
            last = 1.0 - 1e-6 if clip.looping else 1.0
            instances.set_time(row, node, min(float(fraction), last))
            instances.step(0.0, lambda *_: None)
            poses.append(instances.sample()[row])
        yield _Row(
            clip,
            " / ".join(reversed(above)) or ("top level" if subject.file else ""),
            np.array(poses, np.float32),
        )


def _facts(clip: Clip, subject: Subject) -> Iterator[str]:
    yield f"{clip.length:.2f} s, {clip.frames} frames (0 to {clip.frames - 1}), " + (
        "loops" if clip.looping else "once"
    )
    bones = len(set(clip.bones) & set(subject.model.skeleton.names))
    yield "all bones" if bones == len(subject.model.skeleton) else _count(bones, "bone")
    if clip.delta is not None:
        x, y, _, yaw = (float(v) for v in clip.delta[-1])
        travel = float(np.hypot(x, y))
        if travel > 0.5:
            yield f"travels {travel:.0f} in" + (
                f", {travel / clip.length:.0f} a second" if clip.length else ""
            )
        if abs(yaw) > 0.5:
            yield f"turns {abs(yaw):.0f} degrees {'left' if yaw > 0 else 'right'}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
