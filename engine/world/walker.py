"""What players and actors share: an upright body that stands on things, is carried, pushed and touched."""

from __future__ import annotations

from collections.abc import Collection

from engine.world.angles import Vector
from engine.world.entity import Entity
from engine.world.surfaces import NONE, Contents


class Walker(Entity):
    """A body of 30 x 30 inches."""

    def stands_on(self) -> int | None:
        """Number of the entity under its feet; None for the level or for nothing."""
        raise NotImplementedError

    def shove(self, position: Vector) -> None:
        """Be moved by something else: it keeps its own velocity."""
        self.place(position)

    def overlaps(self, mask: Contents, ignore: Collection[int]) -> bool:
        """Whether its box is inside something of a kind."""
        mins, maxs = self.tight_box()
        return self.world.space.overlapping(self.position, mins, maxs, mask, ignore)

    def tight_box(self) -> tuple[Vector, Vector]:
        """The box less a little all round: standing against a wall is not being inside it."""
        a, b = self.mins, self.maxs
        return (a[0] + 0.1, a[1] + 0.1, a[2] + 0.1), (b[0] - 0.1, b[1] - 0.1, b[2] - 0.1)

    def touches(self, other: Entity) -> bool:
        mins, maxs = self.tight_box()
        x, y, z = self.position
        low = x + mins[0], y + mins[1], z + mins[2]
        high = x + maxs[0], y + maxs[1], z + maxs[2]
        return self.contents != NONE and self.world.space.touches_body(other.number, low, high)

    def feet_sound(self, surface: str) -> None:
        """A footstep on a surface."""
        self.world.events.sound(f"step_{surface or 'stone'}", self.position, self.number)
