"""The ports of a unit's script, bound to the entity that it moves and to the ground."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.cob.threads import int32
from engine.world.angles import Vector

if TYPE_CHECKING:
    from engine.world.entity import Entity
    from engine.world.units import Unit

ACTIVATION, MOVE_ORDERS, FIRE_ORDERS, HEALTH, IN_BUILD_STANCE, BUSY = range(1, 7)
PIECE_XZ, PIECE_Y, UNIT_XZ, UNIT_Y, UNIT_HEIGHT = range(7, 12)
XZ_ATAN, XZ_HYPOT, ATAN, HYPOT, GROUND_HEIGHT = range(12, 17)
BUILD_LEFT, YARD_OPEN, BUGGER_OFF, ARMORED = range(17, 21)

_WRITABLE = frozenset({ACTIVATION, IN_BUILD_STANCE, BUSY, YARD_OPEN, BUGGER_OFF, ARMORED})
_DEFAULTS = {MOVE_ORDERS: 2, FIRE_ORDERS: 2}
_UNIT = 65536.0
_TO_ANGLE = 10430.37835047
_SKY = 4096.0


def pack(place: Vector) -> int:
    """A place on the ground as one cell: how far left (y) in its upper half, how far forward (x) in its lower."""
    left, ahead = int(place[1] * _UNIT), int(place[0] * _UNIT)
    return int32((left & ~0xFFFF) + (ahead >> 16))


def unpack(cell: int) -> tuple[int, int]:
    """Left and forward of a packed place, in 65536ths of an inch."""
    left, ahead = int32(cell & 0xFFFF0000), int32((cell & 0xFFFF) << 16)
    if ahead < 0:
        left = int32(left + 0x10000)
    return left, ahead


def angle_of(a: float, b: float) -> int:
    """atan2 as a 16-bit angle, rounded to even."""
    return round(math.atan2(a, b) * _TO_ANGLE) & 0xFFFF


class UnitHost:
    """`engine.cob.threads.Host` for one entity. A unit's number for scripts is its entity's number and 1, so that 0
    is nobody."""

    def __init__(self, entity: Entity, unit: Unit) -> None:
        self._entity = entity
        self._unit = unit
        self._values: dict[int, int] = dict(_DEFAULTS)
        self._edges: list[str] = []
        self._readers: dict[int, Callable[[int, int], int]] = {
            HEALTH: lambda a, b: self._health(),
            PIECE_XZ: lambda a, b: pack(self._piece(a)),
            PIECE_Y: lambda a, b: int(self._piece(a)[2] * _UNIT),
            UNIT_XZ: lambda a, b: self._unit_xz(a),
            UNIT_Y: lambda a, b: self._unit_y(a),
            UNIT_HEIGHT: lambda a, b: self._unit_height(a),
            XZ_ATAN: lambda a, b: self._bearing(a),
            XZ_HYPOT: lambda a, b: int32(int(math.hypot(*unpack(a)))),
            ATAN: angle_of,
            HYPOT: lambda a, b: int32(int(math.hypot(a, b))),
            GROUND_HEIGHT: lambda a, b: self._ground(a),
        }

    def write_port(self, port: int, value: int) -> None:
        if port not in _WRITABLE:
            return
        value &= 1
        if port == ACTIVATION and value != self._values.get(ACTIVATION, 0):
            self._edges.append("Activate" if value else "Deactivate")
        self._values[port] = value

    def ports(self) -> dict[int, int]:
        """What ports hold that nothing else in the world says."""
        return dict(self._values)

    def set_ports(self, values: dict[int, int]) -> None:
        self._values = values

    def settle(self) -> None:
        """Start what writes of the last tick asked for."""
        edges, self._edges = self._edges, []
        for script in edges:
            self._unit.start(script)

    def read_port(self, port: int, args: tuple[int, int, int, int]) -> int:
        reader = self._readers.get(port)
        return reader(args[0], args[1]) if reader is not None else self._values.get(port, 0)

    def _health(self) -> int:
        most = self._entity.max_hit_points
        return max(0, self._entity.hit_points) * 100 // most if most > 0 else 100

    def _other(self, unit: int) -> Entity | None:
        found = self._entity.world.entities.get(unit - 1)
        return None if found is None or found.freed else found

    def _unit_xz(self, unit: int) -> int:
        other = self._other(unit)
        return pack(other.position) if other is not None else 0

    def _unit_y(self, unit: int) -> int:
        other = self._other(unit)
        return int(other.position[2] * _UNIT) if other is not None else 0

    def _unit_height(self, unit: int) -> int:
        other = self._other(unit)
        return int((other.maxs[2] - other.mins[2]) * _UNIT) if other is not None else 0

    def _bearing(self, cell: int) -> int:
        """Where a packed way leads, from the unit's own heading."""
        left, ahead = unpack(cell)
        return angle_of(left, ahead) - self.heading() & 0xFFFF

    def heading(self) -> int:
        """The entity's yaw as a 16-bit angle."""
        return round(self._entity.rotation[1] * 65536.0 / 360.0) & 0xFFFF

    def _piece(self, index: int) -> Vector:
        names = self._unit.machine.program.pieces
        if not 0 <= index < len(names):
            return self._entity.position
        frame = self._entity.world.animator.tag_frame(self._entity, names[index].lower())
        return frame[0] if frame is not None else self._entity.position

    def _ground(self, cell: int) -> int:
        """Height of what one would stand on, below the unit's own head."""
        left, ahead = unpack(cell)
        x, y = ahead / _UNIT, left / _UNIT
        top = self._entity.position[2] + 128.0
        hit = self._entity.world.space.trace((x, y, top), (x, y, top - _SKY), bodies=False)
        return int((top - _SKY * hit.fraction) * _UNIT) & ~0xFFFF if hit.fraction < 1.0 else -0x10000
