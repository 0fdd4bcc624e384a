"""Triggers of every kind, doors, and the use key."""

from __future__ import annotations

import pytest

from engine.world.command import Button, UserCommand
from engine.world.doors import Door
from engine.world.entity import Entity
from engine.world.hits import Hit
from engine.world.player import Player
from engine.world.world import World
from tests.world.world_kit import RecordingHost, block, brush, make_world

ZONE = brush((100, -50, 0), (200, 50, 100), "common/trigger")


def player_at(world: World, x: float, y: float = 0.0, yaw: float = 0.0) -> Player:
    player = world.connect()
    player.spawn((x, y, 0.5), (0.0, yaw, 0.0))
    return player


def triggered(host: RecordingHost) -> list[Entity]:
    return [entry[0] for entry in host.notified if entry[1] == "trigger"]


def frames(world: World, count: int) -> None:
    for _ in range(count):
        world.frame()


def test_a_multiple_trigger_fires_again_after_its_wait() -> None:
    world, host = make_world(block("trigger_multiple", ZONE, wait="0.5"))
    frames(world, 3)
    assert triggered(host) == []
    player_at(world, 150)
    frames(world, 1)
    assert triggered(host) == [], "it is heard in the first drain of the next frame"
    frames(world, 1)
    assert len(triggered(host)) == 1
    frames(world, 19)
    assert len(triggered(host)) == 2


def test_each_trigger_notify_is_drained_by_itself() -> None:
    world, host = make_world(block("trigger_multiple", ZONE), block("trigger_multiple", ZONE))
    player_at(world, 150)
    frames(world, 1)
    host.log.clear()
    frames(world, 1)
    assert host.log[:4] == ["begin 100", "drain", "drain", "advance 100"]


def test_a_once_trigger_fires_once_and_goes() -> None:
    world, host = make_world(block("trigger_once", ZONE))
    (trigger,) = world.entities.all()
    player_at(world, 150)
    frames(world, 40)
    assert [e[1] for e in host.notified].count("trigger") == 1
    assert trigger.dead
    assert world.entities.get(trigger.number) is None


def test_the_true_shape_counts_not_the_box() -> None:
    thin = brush((100, 100, 0), (110, 110, 100), "trigger") + brush((300, 300, 0), (310, 310, 100), "trigger")
    world, host = make_world(block("trigger_multiple", thin))
    player_at(world, 200, 200)
    frames(world, 3)
    assert triggered(host) == []


def test_hurt_damages_at_its_pace() -> None:
    world, _ = make_world(block("trigger_hurt", ZONE, dmg="7", wait="0.5"))
    player = player_at(world, 150)
    frames(world, 21)
    assert player.hit_points == 100 - 3 * 7


def test_wait_minus_one_means_a_single_time() -> None:
    world, host = make_world(block("trigger_multiple", ZONE, wait="-1"))
    player_at(world, 150)
    frames(world, 60)
    assert len(triggered(host)) == 1


def press_use(world: World, player: Player, yaw: float = 0.0) -> None:
    world.run_command(player.number, UserCommand(16, buttons=Button.USE, angles=(0.0, yaw, 0.0)))
    world.run_command(player.number, UserCommand(16, angles=(0.0, yaw, 0.0)))


def test_use_needs_the_key_and_the_place() -> None:
    world, host = make_world(block("trigger_use", ZONE, hintstring="open"))
    player = player_at(world, -300)
    press_use(world, player)
    frames(world, 2)
    assert triggered(host) == []
    player.place((150.0, 0.0, 0.5))
    frames(world, 2)
    assert world.picture().players[player.number].usable == "open"
    assert triggered(host) == []
    press_use(world, player)
    frames(world, 2)
    assert len(triggered(host)) == 1


def test_holding_the_key_uses_once() -> None:
    world, host = make_world(block("trigger_use", ZONE, wait="0.05"))
    player = player_at(world, 150)
    for _ in range(30):
        world.run_command(player.number, UserCommand(50, buttons=Button.USE))
        world.frame()
    assert len(triggered(host)) == 1


def test_the_one_looked_at_is_used() -> None:
    left = block("trigger_use", brush((60, 20, 0), (80, 60, 80), "trigger"), targetname="left")
    right = block("trigger_use", brush((60, -60, 0), (80, -20, 80), "trigger"), targetname="right")
    world, host = make_world(left, right)
    player = player_at(world, 20)
    press_use(world, player, yaw=-38.0)
    frames(world, 2)
    assert [e.text("targetname") for e in triggered(host)] == ["right"]


def test_damage_trigger_counts_its_health() -> None:
    world, host = make_world(block("trigger_damage", ZONE, health="60"))
    (trigger,) = world.entities.all()
    player = player_at(world, 0)
    trigger.damage(Hit(40, player, player))
    frames(world, 1)
    assert triggered(host) == []
    trigger.damage(Hit(40, player, player))
    frames(world, 1)
    assert len(triggered(host)) == 1
    assert host.events(trigger).count("damage") == 2


def test_a_shot_through_a_damage_trigger_is_noticed_and_goes_on() -> None:
    world, host = make_world(
        block("trigger_damage", ZONE), block("script_model", origin="400 0 40", model="crate", targetname="c")
    )
    player = player_at(world, 0)
    player.arms.give(world.weapons["rifle"])
    player.arms.hold("rifle")
    world.run_command(player.number, UserCommand(16, buttons=Button.ATTACK))
    frames(world, 1)
    assert len(triggered(host)) == 1


def test_lookat() -> None:
    world, host = make_world(block("trigger_lookat", ZONE))
    player = player_at(world, -100, yaw=180.0)
    frames(world, 2)
    assert triggered(host) == []
    player.body.view = (0.0, 0.0, 0.0)
    frames(world, 2)
    assert len(triggered(host)) == 1


def test_a_trigger_opens_the_door_that_is_its_target() -> None:
    door = block(
        "func_door",
        brush((300, -30, 0), (308, 30, 100)),
        targetname="d",
        angle="90",
        speed="200",
        wait="1",
        lip="4",
    )
    world, _ = make_world(block("trigger_multiple", ZONE, target="d"), door)
    (found,) = (e for e in world.entities.all() if isinstance(e, Door))
    shut = found.position
    player = player_at(world, 150)
    frames(world, 12)
    assert found.state == "open"
    assert found.position[1] - shut[1] == pytest.approx(56.0)
    player.place((-300.0, 0.0, 0.5))
    frames(world, 60)
    assert found.state == "closed"
    assert found.position == pytest.approx(shut)


def test_a_door_without_a_name_is_used_and_a_locked_one_is_not() -> None:
    door = block(
        "func_door_rotating", brush((50, -30, 0), (58, 30, 100)), origin="50 -30 0", degrees="90", wait="-1"
    )
    world, _ = make_world(door)
    (found,) = (e for e in world.entities.all() if isinstance(e, Door))
    player = player_at(world, 0)
    found.locked = True
    press_use(world, player)
    assert found.state == "closed"
    found.locked = False
    press_use(world, player)
    frames(world, 30)
    assert found.state == "open"
    assert found.rotation[1] == pytest.approx(90.0)
    # Its brush has swung out of the way about the hinge.
    assert world.space.trace((0, 0, 50), (200, 0, 50)).fraction == 1.0
