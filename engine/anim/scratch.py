"""Working memory that is kept from call to call, so that a frame allocates nothing that grows with the entities."""

from __future__ import annotations

import math
import threading

import numpy as np

from engine.anim.skeleton import Float32

MAX_SHAPES = 200
"""Shapes remembered; a frame of a game asks for a few of each size of crowd."""


class Scratch(threading.local):
    """Arrays by name. The next call with the same name, of the same thread, overwrites what the last has given."""

    def __init__(self) -> None:
        self._memory: dict[str, Float32] = {}
        self._shaped: dict[tuple[str | int, ...], Float32] = {}

    def floats(self, name: str, *shape: int) -> Float32:
        """A contiguous float32 array of a shape, with anything in it."""
        found = self._shaped.get((name, *shape))
        if found is None:
            found = self._shaped[name, *shape] = self._shape(name, shape)
        return found

    def _shape(self, name: str, shape: tuple[int, ...]) -> Float32:
        size = math.prod(shape)
        memory = self._memory.get(name)
        if memory is None or len(memory) < size:
            memory = self._memory[name] = np.empty(size + size // 4 + 64, np.float32)
            # What is remembered of this name keeps the old memory alive.
            self._shaped.clear()
        if len(self._shaped) >= MAX_SHAPES:
            self._shaped.clear()
        return memory[:size].reshape(shape)
