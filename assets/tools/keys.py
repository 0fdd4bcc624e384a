"""Keys placed by hand: named channels over frames, eased so that a key is reached softly and never overshot.

A channel passes through its keys by a monotone cubic: it stands still for a moment at every extreme, moves
fastest between them, and keeps its speed through keys that lie on the way.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class Channel:
    """One channel: `keys` maps a frame to a number or a vector. With a `period` the last key meets the first."""

    def __init__(self, keys: Mapping[float, ArrayLike], period: float | None = None) -> None:
        frames = sorted(keys)
        values = [np.atleast_1d(np.asarray(keys[frame], float)) for frame in frames]
        self._scalar = np.ndim(keys[frames[0]]) == 0
        if period is not None and len(frames) > 1:
            lead = 2 if len(frames) > 2 else 1
            before = [(frame - period, value) for frame, value in zip(frames, values, strict=True)][-lead:]
            after = [(frame + period, value) for frame, value in zip(frames, values, strict=True)][: lead + 1]
            if any(frame >= period for frame in frames):
                raise ValueError("a looping channel has no key at or after its period")
            whole = before + list(zip(frames, values, strict=True)) + after
            frames, values = [frame for frame, _ in whole], [value for _, value in whole]
        self._period = period
        self._frames = np.asarray(frames, float)
        self._values = np.stack(values)
        self._slopes = _monotone_slopes(self._frames, self._values)

    def at(self, frame: float) -> Array | float:
        """The value at a frame; before the first and after the last key it holds."""
        if self._period is not None:
            frame = frame % self._period
        frames, values, slopes = self._frames, self._values, self._slopes
        if len(frames) == 1 or frame <= frames[0]:
            result = values[0]
        elif frame >= frames[-1]:
            result = values[-1]
        else:
            k = int(np.searchsorted(frames, frame, side="right")) - 1
            span = frames[k + 1] - frames[k]
            u = (frame - frames[k]) / span
            result = (
                values[k] * (2 * u**3 - 3 * u**2 + 1)
                + values[k + 1] * (3 * u**2 - 2 * u**3)
                + span * slopes[k] * (u**3 - 2 * u**2 + u)
                + span * slopes[k + 1] * (u**3 - u**2)
            )
        return float(result[0]) if self._scalar else result


def _monotone_slopes(frames: Array, values: Array) -> Array:
    """Slopes at the keys (Fritsch and Carlson's rule by the harmonic mean): zero at every extreme."""
    slopes = np.zeros_like(values)
    if len(frames) < 3:
        return slopes
    spans = np.diff(frames)[:, None]
    rates = np.diff(values, axis=0) / spans
    left, right = rates[:-1], rates[1:]
    # A rate next to nothing counts as none: dividing by it would overflow.
    same = (left * right > 0.0) & (np.minimum(np.abs(left), np.abs(right)) > 1e-9)
    weight_left, weight_right = 2 * spans[1:] + spans[:-1], spans[1:] + 2 * spans[:-1]
    safe_left, safe_right = np.where(same, left, 1.0), np.where(same, right, 1.0)
    mean = (weight_left + weight_right) / (weight_left / safe_left + weight_right / safe_right)
    slopes[1:-1] = np.where(same, mean, 0.0)
    return slopes
