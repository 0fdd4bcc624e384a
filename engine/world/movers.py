"""Entities on a course: moving, turning, carrying whoever stands on them, stopping for what is in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.world.angles import (
    ZERO,
    Vector,
    add,
    matrix,
    matrix_angles,
    multiply,
    rotate,
    sub,
    transpose,
    unrotate,
    wrap180,
)
from engine.world.entity import Entity, Link
from engine.world.motion import Course
from engine.world.surfaces import MOVE_MASK, Contents

if TYPE_CHECKING:
    from engine.world.world import World

FRAME = 50


def start_move(
    entity: Entity, now: int, goal: Vector, seconds: float, accel: float = 0.0, decel: float = 0.0
) -> None:
    """Go to a place; `movedone` is notified on arrival. A course under way is replaced."""
    entity.move_course = Course(entity.position, sub(goal, entity.position), now, seconds, accel, decel)


def start_fall(entity: Entity, now: int, velocity: Vector, seconds: float) -> None:
    """Fly and fall for a time, through everything."""
    entity.move_course = Course(entity.position, velocity, now, seconds, falling=True)


def start_turn(
    entity: Entity, now: int, delta: Vector, seconds: float, accel: float = 0.0, decel: float = 0.0
) -> None:
    """Turn by angles; `rotatedone` is notified at the end."""
    entity.turn_course = Course(entity.rotation, delta, now, seconds, accel, decel)


def run_movers(world: World) -> None:
    """Move every entity that is on a course to its place at the world's time, then all that are linked."""
    for entity in world.entities.all():
        if entity.move_course is not None or entity.turn_course is not None:
            _advance(world, entity)
    follow_links(world)


def _advance(world: World, entity: Entity) -> None:
    now = world.time
    move, turn = entity.move_course, entity.turn_course
    position = move.at(now) if move is not None else entity.position
    rotation = turn.at(now) if turn is not None else entity.rotation
    if not _push(world, entity, position, rotation):
        # Blocked: time stands still for the course until the way is free.
        if move is not None:
            move.begin += FRAME
        if turn is not None:
            turn.begin += FRAME
        entity.blocked()
        return
    if move is not None and move.done(now):
        entity.move_course = None
        entity.arrived()
        world.host.notify(entity, "movedone")
    if turn is not None and turn.done(now) and not entity.freed:
        entity.turn_course = None
        entity.turned()
        world.host.notify(entity, "rotatedone")


def _push(world: World, entity: Entity, position: Vector, rotation: Vector) -> bool:
    """Move a mover with all it carries and pushes; False where something cannot give way: nothing moved."""
    if position == entity.position and rotation == entity.rotation:
        return True
    if entity.brush_model is None or not entity.contents & Contents.SOLID:
        entity.place(position, rotation)
        return True
    old_position, old_rotation = entity.position, entity.rotation
    riders = [b for b in world.walkers() if b.stands_on() == entity.number]
    entity.place(position, rotation)
    moved: list[tuple[Entity, Vector]] = []

    def undo() -> bool:
        for body, place in moved:
            body.shove(place)
        entity.place(old_position, old_rotation)
        return False

    turn = multiply(matrix(rotation), transpose(matrix(old_rotation)))
    for body in riders:
        carried = add(position, rotate(turn, sub(body.position, old_position)))
        moved.append((body, body.position))
        body.shove(carried)
        if body.overlaps(MOVE_MASK & ~Contents.BODY, {body.number}):
            return undo()
    step = sub(position, old_position)
    for body in world.walkers():
        if body in riders or not body.touches(entity):
            continue
        centre = add(position, rotate(turn, sub(body.position, old_position)))
        shift = step if rotation == old_rotation else sub(centre, body.position)
        moved.append((body, body.position))
        body.shove(add(body.position, _outward(shift)))
        if body.overlaps(MOVE_MASK & ~Contents.BODY, {body.number}):
            return undo()
    return True


def _outward(shift: Vector) -> Vector:
    """A push and a hair more, so that the pushed one does not touch the mover's face."""
    return shift[0] * 1.01, shift[1] * 1.01, shift[2] * 1.01


# --- links ------------------------------------------------------------------------------------------------


def link_to(entity: Entity, parent: Entity, tag: str, offset: Vector | None, turn: Vector | None) -> str:
    """Let an entity follow another; returns what is wrong, or "".

    Without offsets it keeps the place that it has now, seen from the tag or from the parent's origin.
    """
    at: Entity | None = parent
    while at is not None:
        if at is entity:
            return "an entity cannot be linked to itself or to something that follows it"
        at = at.link.parent if at.link is not None else None
    frame = parent.world.animator.tag_frame(parent, tag)
    if frame is None:
        return f"{parent.class_name} with model '{parent.model_name}' has no tag '{tag}'"
    place, m = frame
    if offset is None:
        offset = unrotate(m, sub(entity.position, place))
        turn = matrix_angles(multiply(transpose(m), matrix(entity.rotation)))
    entity.move_course = entity.turn_course = None
    entity.link = Link(parent, tag, offset, turn if turn is not None else ZERO)
    return ""


def follow_links(world: World) -> None:
    """Put every linked entity where its parent has gone, parents first."""
    placed: set[int] = set()

    def follow(entity: Entity) -> None:
        link = entity.link
        if link is None or entity.number in placed:
            return
        placed.add(entity.number)
        if link.parent.freed:
            entity.link = None
            return
        follow(link.parent)
        frame = world.animator.tag_frame(link.parent, link.tag)
        if frame is None:
            return
        place, m = frame
        a = matrix_angles(multiply(m, matrix(link.turn)))
        entity.follow(add(place, rotate(m, link.offset)), (wrap180(a[0]), wrap180(a[1]), wrap180(a[2])))

    for entity in world.entities.all():
        if entity.link is not None:
            follow(entity)
