"""Working memory that is kept from call to call, so that a frame allocates nothing that grows with the entities."""

from __future__ import annotations

import math
import threading

import numpy as np

from engine.anim.skeleton import Float32


class Scratch(threading.local):
    """Arrays by name. The next call with the same name, of the same thread, overwrites what the last has given."""

    def __init__(self) -> None:
        self._held: dict[str, Float32] = {}

    def floats(self, name: str, *shape: int) -> Float32:
        """A contiguous float32 array of a shape, with anything in it."""
        size = math.prod(shape)
        held = self._held.get(name)
        if held is None or len(held) < size:
            held = self._held[name] = np.empty(size + size // 4 + 64, np.float32)
        return held[:size].reshape(shape)
