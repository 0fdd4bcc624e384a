"""Methods that set entities on a course: script_model, script_brushmodel and script_origin."""

from __future__ import annotations

from engine.vm.errors import ScriptError
from engine.vm.registry import Registry
from engine.vm.values import Vector
from engine.world.angles import add, scale, sub
from engine.world.entity import Entity, require_moving
from engine.world.movers import start_fall, start_move, start_turn
from engine.world.surfaces import NONE, Contents
from engine.world.world import World

natives = Registry(services=(World,))


def _times(seconds: float, accel: float | None, decel: float | None) -> tuple[float, float, float]:
    """The three times of a course, checked: speeding up and braking must fit into the whole."""
    a, d = accel or 0.0, decel or 0.0
    if not seconds > 0:
        raise ScriptError("the time must be greater than 0")
    if a < 0 or d < 0:
        raise ScriptError("the times to speed up and to brake must not be negative")
    if a + d > seconds + 1e-6:
        raise ScriptError(
            "the times to speed up and to brake must not be longer together than the whole time"
        )
    return seconds, a, d


@natives.method()
def moveto(
    self: Entity, world: World, position: Vector, time: float, accel: float | None = None,
    decel: float | None = None,
) -> None:  # fmt: skip
    """Go to a place in a time; `movedone` is notified there."""
    start_move(require_moving(self), world.time, position, *_times(time, accel, decel))


def _along(self: Entity, world: World, way: Vector, times: tuple[float, float, float]) -> None:
    start_move(require_moving(self), world.time, add(self.position, way), *times)


@natives.method()
def movex(
    self: Entity, world: World, distance: float, time: float, accel: float | None = None,
    decel: float | None = None,
) -> None:  # fmt: skip
    _along(self, world, (distance, 0.0, 0.0), _times(time, accel, decel))


@natives.method()
def movey(
    self: Entity, world: World, distance: float, time: float, accel: float | None = None,
    decel: float | None = None,
) -> None:  # fmt: skip
    _along(self, world, (0.0, distance, 0.0), _times(time, accel, decel))


@natives.method()
def movez(
    self: Entity, world: World, distance: float, time: float, accel: float | None = None,
    decel: float | None = None,
) -> None:  # fmt: skip
    _along(self, world, (0.0, 0.0, distance), _times(time, accel, decel))


@natives.method()
def movegravity(self: Entity, world: World, velocity: Vector, time: float) -> None:
    """Fly with a velocity and fall, for a time."""
    start_fall(require_moving(self), world.time, velocity, _times(time, None, None)[0])


@natives.method()
def rotateto(
    self: Entity, world: World, angles: Vector, time: float, accel: float | None = None,
    decel: float | None = None,
) -> None:  # fmt: skip
    """Turn to angles; `rotatedone` is notified at the end. Each angle goes straight from its old value."""
    entity = require_moving(self)
    start_turn(entity, world.time, sub(angles, entity.rotation), *_times(time, accel, decel))


def _turn(self: Entity, world: World, delta: Vector, times: tuple[float, float, float]) -> None:
    start_turn(require_moving(self), world.time, delta, *times)


@natives.method()
def rotatepitch(
    self: Entity, world: World, degrees: float, time: float, accel: float | None = None,
    decel: float | None = None,
) -> None:  # fmt: skip
    _turn(self, world, (degrees, 0.0, 0.0), _times(time, accel, decel))


@natives.method()
def rotateyaw(
    self: Entity, world: World, degrees: float, time: float, accel: float | None = None,
    decel: float | None = None,
) -> None:  # fmt: skip
    _turn(self, world, (0.0, degrees, 0.0), _times(time, accel, decel))


@natives.method()
def rotateroll(
    self: Entity, world: World, degrees: float, time: float, accel: float | None = None,
    decel: float | None = None,
) -> None:  # fmt: skip
    _turn(self, world, (0.0, 0.0, degrees), _times(time, accel, decel))


@natives.method()
def rotatevelocity(
    self: Entity, world: World, velocity: Vector, time: float, accel: float | None = None,
    decel: float | None = None,
) -> None:  # fmt: skip
    """Turn with an angular velocity (degrees a second) for a time."""
    times = _times(time, accel, decel)
    # The speed in the middle is the one asked for; speeding up and braking take away half of their time each.
    _turn(self, world, scale(velocity, times[0] - 0.5 * times[1] - 0.5 * times[2]), times)


@natives.method()
def solid(self: Entity) -> None:
    """Collide again."""
    entity = require_moving(self)
    entity.contents = Contents.SOLID
    entity.relink()


@natives.method()
def notsolid(self: Entity) -> None:
    entity = require_moving(self)
    entity.contents = NONE
    entity.relink()
