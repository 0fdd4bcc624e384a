"""Pictures written whole, with one kind of error for whatever stands in the way."""

from __future__ import annotations

import io
from pathlib import Path

import pygame

from engine.pipeline.faults import os_reason
from engine.pipeline.files import write_atomically


class UnwritableError(Exception):
    """The picture cannot be saved; the message says where and why."""


def write_picture(path: Path, data: bytes) -> None:
    """Write a picture's bytes. Raises UnwritableError."""
    try:
        write_atomically(path, data)
    except OSError as error:
        raise UnwritableError(f"{path} cannot be written: {os_reason(error)}") from error


def png(surface: pygame.Surface) -> bytes:
    """A surface as a PNG."""
    held = io.BytesIO()
    pygame.image.save(surface, held, "picture.png")
    return held.getvalue()
