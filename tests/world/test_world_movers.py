"""Courses over time, brush movers that carry and are blocked, links."""

from __future__ import annotations

import itertools
import math

import pytest

from engine.world.command import UserCommand
from engine.world.entity import Entity
from engine.world.motion import Course, travelled
from engine.world.movers import link_to, start_fall, start_move, start_turn
from engine.world.player import Player
from engine.world.world import World
from tests.world.world_kit import block, brush, make_world

LIFT = block("script_brushmodel", brush((0, -64, -8), (128, 64, 0.5)), targetname="lift")


def named(world: World, name: str) -> Entity:
    (found,) = world.entities.by_key("targetname", name)
    return found


def frames(world: World, count: int) -> None:
    for _ in range(count):
        world.frame()


@pytest.mark.parametrize(("accel", "decel"), [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (1.0, 1.0), (0.3, 0.7)])
def test_a_course_starts_and_ends_exactly_and_never_turns_back(accel: float, decel: float) -> None:
    fractions = [travelled(t / 100 * 2.0, 2.0, accel, decel) for t in range(101)]
    assert fractions[0] == 0.0
    assert fractions[-1] == 1.0
    assert all(b >= a for a, b in itertools.pairwise(fractions))
    # Speed is continuous: no step is much longer than its neighbours.
    steps = [b - a for a, b in itertools.pairwise(fractions)]
    if accel:
        assert steps[0] < steps[len(steps) // 2] / 2
    if decel:
        assert steps[-1] < steps[len(steps) // 2] / 2


def test_falling_course() -> None:
    course = Course((0.0, 0.0, 100.0), (10.0, 0.0, 200.0), 0, 2.0, falling=True)
    assert course.at(1000) == pytest.approx((10.0, 0.0, 100.0 + 200.0 - 400.0))
    assert course.done(2000)


def test_move_notifies_once_on_arrival() -> None:
    world, host = make_world(block("script_model", origin="100 0 10", model="crate", targetname="c"))
    crate = named(world, "c")
    start_move(crate, world.time, (200.0, 0.0, 10.0), 0.5)
    frames(world, 5)
    assert crate.position == pytest.approx((150.0, 0.0, 10.0))
    assert host.events(crate) == []
    frames(world, 8)
    assert crate.position == (200.0, 0.0, 10.0)
    assert host.events(crate) == ["movedone"]


def test_turn_and_move_together() -> None:
    world, host = make_world(block("script_origin", origin="0 0 10", targetname="o"))
    entity = named(world, "o")
    start_turn(entity, 0, (0.0, 180.0, 0.0), 0.2)
    start_fall(entity, 0, (100.0, 0.0, 0.0), 0.4)
    frames(world, 10)
    assert entity.rotation == (0.0, 180.0, 0.0)
    assert host.events(entity) == ["rotatedone", "movedone"]


def test_a_write_of_origin_ends_the_course() -> None:
    world, host = make_world(block("script_origin", origin="0 0 10", targetname="o"))
    entity = named(world, "o")
    start_move(entity, 0, (100.0, 0.0, 10.0), 1.0)
    frames(world, 2)
    entity.set_field("origin", (5.0, 5.0, 5.0))
    frames(world, 30)
    assert entity.position == (5.0, 5.0, 5.0)
    assert host.events(entity) == []


def test_a_lift_carries_a_player() -> None:
    world, _ = make_world(LIFT)
    lift = named(world, "lift")
    player = world.connect()
    player.spawn((64.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    for _ in range(4):
        world.run_command(player.number, UserCommand(50))
    start = lift.position
    start_move(lift, world.time, (start[0] + 60, start[1], start[2] + 100), 2.0)
    for _ in range(45):
        world.frame()
        world.run_command(player.number, UserCommand(50))
    assert player.position[2] == pytest.approx(100.5, abs=0.6)
    assert player.position[0] == pytest.approx(124, abs=1.0)
    assert player.body.on_ground


def test_a_turning_platform_takes_its_riders_round() -> None:
    world, _ = make_world(LIFT)
    lift = named(world, "lift")
    player = world.connect()
    player.spawn((104.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    for _ in range(4):
        world.run_command(player.number, UserCommand(50))
    start_turn(lift, world.time, (0.0, 90.0, 0.0), 1.0)
    for _ in range(22):
        world.frame()
        world.run_command(player.number, UserCommand(50))
    assert player.position[:2] == pytest.approx((64.0, 40.0), abs=1.0)


def test_a_door_waits_for_what_cannot_give_way() -> None:
    wall = brush((200, -64, 0), (216, 64, 128))
    door = block("script_brushmodel", brush((0, -40, 1), (16, 40, 100)), targetname="door")
    world, host = make_world(door, solids=brush((-512, -512, -16), (512, 512, 0)) + wall)
    mover = named(world, "door")
    player = world.connect()
    player.spawn((150.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    start = mover.position
    start_move(mover, world.time, (start[0] + 184, start[1], start[2]), 1.0)
    for _ in range(60):
        world.frame()
        world.run_command(player.number, UserCommand(50))
    # Pushed to the wall, not into it; the door stands at the player's back and has not arrived.
    assert player.position[0] <= 185.1
    assert mover.position[0] + 8 <= player.position[0] - 14.9
    assert "movedone" not in host.events(mover)
    player.place((-200.0, 0.0, 1.0), teleport=True)
    frames(world, 30)
    assert host.events(mover) == ["movedone"]


def test_links_follow_turn_and_let_go() -> None:
    world, _ = make_world(
        block("script_origin", origin="0 0 50", targetname="a"),
        block("script_model", origin="10 0 50", model="crate", targetname="b"),
    )
    parent, child = named(world, "a"), named(world, "b")
    assert link_to(child, parent, "", None, None) == ""
    start_turn(parent, 0, (0.0, 90.0, 0.0), 0.1)
    frames(world, 3)
    assert child.position == pytest.approx((0.0, 10.0, 50.0), abs=1e-6)
    assert child.rotation[1] == pytest.approx(90.0)
    assert link_to(parent, child, "", None, None) != ""
    assert link_to(child, child, "", None, None) != ""
    child.link = None
    parent.place((0.0, 0.0, 500.0))
    frames(world, 2)
    assert child.position[2] == pytest.approx(50.0)


def test_link_to_a_tag_uses_the_model() -> None:
    world, _ = make_world(
        block("script_model", origin="0 0 0", model="crate", targetname="a"),
        block("script_origin", origin="99 99 99", targetname="b"),
    )
    parent, child = named(world, "a"), named(world, "b")
    assert "has no tag" in link_to(child, parent, "tag_nothing", None, None)
    assert link_to(child, parent, "tag_top", (0.0, 0.0, 3.0), (0.0, 0.0, 0.0)) == ""
    parent.place((5.0, 0.0, 0.0))
    frames(world, 1)
    assert child.position == pytest.approx((5.0, 0.0, 35.0))


def test_a_linked_entity_whose_parent_goes_stays_where_it_is() -> None:
    world, _ = make_world(
        block("script_origin", origin="0 0 50", targetname="a"),
        block("script_origin", origin="9 0 50", targetname="b"),
    )
    parent, child = named(world, "a"), named(world, "b")
    link_to(child, parent, "", None, None)
    world.entities.remove(parent)
    frames(world, 2)
    assert child.link is None
    assert math.dist(child.position, (9.0, 0.0, 50.0)) < 1e-6


def test_players_do_not_stop_what_does_not_collide() -> None:
    world, host = make_world(
        block("script_model", origin="100 0 10", model="crate", spawnflags="1", targetname="c")
    )
    crate = named(world, "c")
    player = world.connect()
    assert isinstance(player, Player)
    player.spawn((150.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    start_move(crate, 0, (200.0, 0.0, 10.0), 0.2)
    frames(world, 6)
    assert host.events(crate) == ["movedone"]
    assert player.position[0] == 150.0
