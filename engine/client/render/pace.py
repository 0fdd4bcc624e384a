"""How many pixels a slow machine should draw: fewer while pictures take too long, more again when there is time."""

from __future__ import annotations

import statistics
from collections import deque

SCALES = (1.0, 0.85, 0.7, 0.55, 0.45)
"""Steps of the picture's sides."""

TOO_SLOW, TIME_TO_SPARE = 0.042, 0.024
"""Seconds of a picture above which a step is taken down, and below which one is taken up."""

SETTLE = 12
"""Pictures that are watched before a step, and a few times as many before a step back up."""


class Pace:
    """Told how long each picture took; `scale` is what the next one should be drawn at."""

    def __init__(self) -> None:
        self._step = 0
        self._times: deque[float] = deque(maxlen=SETTLE)
        self._calm = 0

    @property
    def scale(self) -> float:
        return SCALES[self._step]

    def took(self, seconds: float) -> bool:
        """Takes note of a picture; True when `scale` has changed."""
        self._times.append(seconds)
        self._calm += 1
        if len(self._times) < SETTLE:
            return False
        usual = statistics.median(self._times)
        if usual > TOO_SLOW and self._step + 1 < len(SCALES):
            return self._change(1)
        # Going up costs as much as going down saved: it must leave room for that, and not happen all the time.
        if self._step and self._calm > 8 * SETTLE and usual * _cost(self._step) < TIME_TO_SPARE * 1.3:
            return self._change(-1)
        return False

    def _change(self, by: int) -> bool:
        self._step += by
        self._times.clear()
        self._calm = 0
        return True


def _cost(step: int) -> float:
    """How much longer a picture takes one step up."""
    return float((SCALES[step - 1] / SCALES[step]) ** 2)
