"""Parts of a preview's picture that answer the mouse."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Spot:
    """x y w h in pixels; `node` tells which row, script or number of several."""

    part: str
    box: tuple[float, float, float, float]
    node: int = -1

    def holds(self, x: float, y: float) -> bool:
        left, top, width, height = self.box
        return left <= x < left + width and top <= y < top + height


@dataclass(frozen=True, slots=True)
class Press:
    """How a part was pressed: where, with which button, and with what held."""

    place: tuple[int, int]
    button: int = 1
    shift: bool = False
    control: bool = False
    double: bool = False


@dataclass(slots=True)
class Spots:
    """What lies where in the last picture, the topmost last."""

    spots: list[Spot] = field(default_factory=list)

    def at(self, x: float, y: float) -> Spot | None:
        """The topmost spot under the mouse."""
        return next((spot for spot in reversed(self.spots) if spot.holds(x, y)), None)
