"""The pictures of a film, kept as an animated GIF or as single PNG files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pygame

from engine.client.pictures import png, write_picture
from engine.client.preview.gif import Pixels, encode


def save_frames(frames: Iterable[tuple[str, Pixels]], path: Path, rate: int) -> int:
    """Write pictures, each with the name of what it shows: into a folder as `NAME-0000.png` and on, counted for each
    name, or as one GIF of `rate` pictures a second. The number of pictures. Raises UnwritableError."""
    if not path.is_dir():
        pictures = [picture for _, picture in frames]
        write_picture(path, encode(pictures, 1 / rate))
        return len(pictures)
    counts: dict[str, int] = {}
    for name, picture in frames:
        number = counts[name] = counts.get(name, -1) + 1
        write_picture(
            path / f"{name}-{number:04}.png", png(pygame.surfarray.make_surface(picture.swapaxes(0, 1)))
        )
    return sum(counts.values()) + len(counts)
