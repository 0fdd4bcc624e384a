"""Tracks that never move: cooked files keep them once, and give back every bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pipeline.tracks import fold, unfold
from tests.pipeline.conftest import CookIt
from tests.pipeline.gltf_writer import strip, turn


@given(st.integers(1, 6), st.integers(0, 4), st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_nothing_is_lost(frames: int, bones: int, seed: int, still: float) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(frames, 8, bones)).astype(np.float32)
    held = rng.random((8, bones)) < still
    rows[:, held] = rows[0, held]
    rows[-1:, rng.random((8, bones)) < 0.1] = -0.0
    tracks = fold(rows)
    again = unfold(tracks.still, tracks.moving, tracks.frames)
    assert again.tobytes() == rows.tobytes()
    assert again.shape == rows.shape
    assert tracks.frames.shape[1] <= int((rows != rows[:1]).any(axis=0).sum() + (rows == 0).any(axis=0).sum())


@pytest.mark.parametrize("frames", [1, 2, 31])
def test_a_clip_of_no_bone_is_read_again(frames: int) -> None:
    tracks = fold(np.zeros((frames, 8, 0), np.float32))
    for arrays in (tracks.still, tracks.moving, tracks.frames):
        arrays.flags.writeable = False  # as those of a cooked file are
    assert unfold(tracks.still, tracks.moving, tracks.frames).shape == (frames, 8, 0)


def test_what_never_moves_takes_no_room() -> None:
    rows = np.ones((100, 8, 20), np.float32)
    rows[:, 3, 7] = np.arange(100)
    tracks = fold(rows)
    assert tracks.frames.shape == (100, 1)
    assert tracks.moving.tolist() == [3 * 20 + 7]


def test_a_cooked_clip_of_one_turning_bone_keeps_only_its_turn(cook_it: CookIt) -> None:
    """x and w change; the other bone, the places and the sizes stand still."""
    gltf = strip()
    times = [0, 1]
    gltf.clip(
        "bend",
        (1, "rotation", times, [turn("z", 0), turn("z", 90)]),
        (0, "translation", times, [[0, 0, 0], [0, 0, 0]]),
        (0, "scale", times, [[1, 1, 1], [1, 1, 1]]),
    )
    clip = cook_it(gltf).clips["bend"]
    assert clip.bones == ("lower", "upper")
    assert fold(clip.rows).moving.tolist() == [0 * 2 + 1, 3 * 2 + 1]


@pytest.mark.parametrize(
    ("still", "moving", "frames"),
    [
        (np.ones((7, 2), np.float32), np.zeros(0, np.uint16), np.ones((3, 0), np.float32)),
        (np.ones((8, 2), np.float64), np.zeros(0, np.uint16), np.ones((3, 0), np.float32)),
        (np.ones((8, 2), np.float32), np.array([16], np.uint16), np.ones((3, 1), np.float32)),
        (np.ones((8, 2), np.float32), np.array([1], np.int32), np.ones((3, 1), np.float32)),
        (np.ones((8, 2), np.float32), np.array([1, 2], np.uint16), np.ones((3, 1), np.float32)),
        (np.ones((8, 2), np.float32), np.zeros(0, np.uint16), np.ones((0, 0), np.float32)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(
    still: np.ndarray, moving: np.ndarray, frames: np.ndarray
) -> None:
    with pytest.raises(ValueError, match="a clip's"):
        unfold(still, moving, frames)
