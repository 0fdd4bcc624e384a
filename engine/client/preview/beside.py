"""A second figure beside the first, which plays another clip on the same clock, so that the two can be compared."""

from __future__ import annotations

import numpy as np

from engine.anim.skeleton import Float32
from engine.client.preview.stage import Stage
from engine.client.render.scene import ModelBatch

_APART = 1.15
"""How far apart they stand, in widths of the model."""

_LEAST_APART = 34.0


class Beside:
    """Follows a stage: begins when it begins, goes when it goes, and is scrubbed with it, second for second."""

    def __init__(self, main: Stage, leaf: int) -> None:
        self.main = main
        self.stage = Stage(main.subject)
        self.stage.repeat = False
        self.stage.choose(leaf, fade=0.0)
        main.partner = self.stage
        self._starts, self._homes = main.starts, main.homes
        self.scrub()

    @property
    def offset(self) -> Float32:
        """Where the second stands when both are where they began, (3,): to the left of the first."""
        low, high = self.main.subject.model.bounds
        return np.array([0.0, max(_LEAST_APART, _APART * (high[1] - low[1])), 0.0], np.float32)

    def step(self, seconds: float) -> None:
        """Let the same time pass, after the first has been stepped."""
        main, own = self.main, self.stage
        own.playing, own.speed, own.travel = main.playing, main.speed, main.travel
        if main.starts != self._starts:
            self._starts, self._homes = main.starts, main.homes
            own.choose(own.chosen, fade=0.0)
            own.go_home()
            self.scrub()
            return
        if main.homes != self._homes:
            self._homes = main.homes
            own.go_home()
        own.step(seconds)

    def scrub(self) -> None:
        """Go to where the first one is in its time, in seconds: further round in a shorter loop, and at the end of a
        shorter clip that ends."""
        clip = self.stage.clip
        if clip is None or clip.length <= 0:
            return
        rounds = self.main.moment / clip.length
        playing = self.main.playing
        self.stage.scrub(rounds % 1.0 if clip.looping else min(rounds, 1.0))
        self.stage.playing = playing

    def replaced(self) -> None:
        """The first goes on with what was read again; so does the second."""
        self.stage.replace(self.main.subject)

    def batches(self) -> list[ModelBatch]:
        """The second figure where it stands."""
        batches = self.stage.batches()
        for batch in batches:
            batch.transforms = batch.transforms.copy()
            batch.transforms[:, :, 3] += self.offset
        return batches

    def leave(self) -> None:
        """The first is alone again."""
        self.main.partner = None
