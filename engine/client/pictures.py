"""Pictures written whole, with one kind of error for whatever stands in the way."""

from __future__ import annotations

import io
from pathlib import Path

import pygame

from engine.pipeline.faults import os_reason
from engine.pipeline.files import write_atomically

PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".tga")
"""Endings of pictures that can be written."""


class UnwritableError(Exception):
    """The picture cannot be saved; the message says where and why."""


def write_picture(path: Path, data: bytes) -> None:
    """Write a picture's bytes. Raises UnwritableError."""
    try:
        write_atomically(path, data)
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        reason = os_reason(error) if isinstance(error, OSError) else str(error)
        raise UnwritableError(f"{path} cannot be written: {reason}") from error


def png(surface: pygame.Surface) -> bytes:
    """A surface as a PNG."""
    return encoded(surface, ".png")


def encoded(surface: pygame.Surface, ending: str) -> bytes:
    """A surface as one of `PICTURES`."""
    held = io.BytesIO()
    pygame.image.save(surface, held, f"picture{ending}")
    return held.getvalue()
