"""Random numbers as part of the VM's state: the same run gives the same numbers."""

from __future__ import annotations

_MASK = (1 << 64) - 1


MAX_SEED = (1 << 63) - 1
"""The largest seed of a game, and the smallest one's amount."""


class Random:
    """SplitMix64. `state` is the whole state, an int below 2**64."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def bits(self) -> int:
        """The next 64 random bits."""
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        """A uniform int from 0 to `bound` - 1; `bound` must be from 1 to 2**32."""
        return (self.bits() >> 32) * bound >> 32

    def unit(self) -> float:
        """A uniform number from 0 to below 1, with 24 bits, so that it is exact in binary32."""
        return (self.bits() >> 40) * 2.0**-24
