"""The unit scripts' random stream: Park and Miller's generator with the retail game's seeding."""

from __future__ import annotations

_SEED_MIX = 0x66E29572


class RandomStream:
    """`state` is all there is; equal states give equal numbers."""

    __slots__ = ("state",)

    def __init__(self, seed: int = 0) -> None:
        self.state = ((seed ^ _SEED_MIX) | 1) & 0x7FFFFFFF

    def draw(self, bound: int) -> int:
        """A number below `bound`; a bound below 2 gives 0 without advancing the stream."""
        if bound < 2:
            return 0
        state = self.state
        state = (state * 16807 - (state // 127773) * 0x7FFFFFFF) & 0xFFFFFFFF
        if state == 0 or state & 0x80000000:
            state = (state + 0x7FFFFFFF) & 0xFFFFFFFF
        self.state = state
        return state % bound
