"""The GIF encoder, read back by a decoder that is not ours."""

from __future__ import annotations

import io

import numpy as np
import pygame
import pytest

from engine.client.preview.gif import encode


def _decoded(data: bytes) -> list[np.ndarray]:
    frames = pygame.image.load_animation(io.BytesIO(data), "a.gif")
    return [pygame.surfarray.array3d(surface).swapaxes(0, 1) for surface, _ in frames]


def test_few_colours_come_back_nearly_as_they_were() -> None:
    """To the five bits a channel that colours are counted with."""
    chance = np.random.default_rng(1)
    colors = chance.integers(0, 256, (40, 3), dtype=np.uint8)
    frames = [colors[chance.integers(0, 40, (30, 50))] for _ in range(4)]
    back = _decoded(encode(frames, 0.1))
    assert len(back) == 4
    for frame, decoded in zip(frames, back, strict=True):
        assert np.abs(frame.astype(int) - decoded).max() <= 8


def test_long_and_noisy_pictures_overflow_the_code_table() -> None:
    """More than 4,096 codes in one frame: the table is begun anew and nothing shifts."""
    chance = np.random.default_rng(2)
    greys = (chance.integers(0, 16, (200, 200, 1)) * 16).astype(np.uint8).repeat(3, axis=2)
    (back,) = _decoded(encode([greys], 0.1))
    assert np.abs(greys.astype(int) - back).max() <= 8


@pytest.mark.parametrize("size", [(1, 1), (1, 300), (7, 3)])
def test_odd_sizes(size: tuple[int, int]) -> None:
    frame = np.full((*size, 3), 77, np.uint8)
    (back,) = _decoded(encode([frame], 0.1))
    assert back.shape == frame.shape
    assert np.abs(back.astype(int) - 77).max() <= 8


def test_what_does_not_change_costs_little() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (120, 120, 3), dtype=np.uint8)
    moved = noise.copy()
    moved[5:10, 5:10] = 0
    one, many = len(encode([noise], 0.1)), len(encode([noise, moved, noise] * 4, 0.1))
    assert many < one + 12 * 600
