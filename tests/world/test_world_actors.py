"""Path nodes and actors: ways, walking by root motion, facing, going round, seeing, shooting, dying."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.anim import atr
from engine.anim.clip import Clip, ClipNote
from engine.anim.tree import Tree
from engine.source import SourceText
from engine.vm.errors import ScriptError
from engine.world.actor import Actor, Spawner
from engine.world.angles import Vector
from engine.world.bodies import hit_boxes, hit_location
from engine.world.collision import Collision
from engine.world.hits import Hit
from engine.world.paths import walkable
from engine.world.spawning import spawn_actor
from engine.world.surfaces import SHOT_MASK
from engine.world.world import World
from tests.world.world_kit import FLOOR, RecordingHost, block, box_model, brush, make_world

SPEED = 90.0


class Clips:
    """`walk` moves its root forward at 90 inches a second, `side` to the left; `stand` does not move."""

    def clip(self, name: str) -> Clip | None:
        rows = np.zeros((31, 8, 2), np.float32)
        rows[:, 3] = rows[:, 7] = 1.0
        rows[:, 6, 1] = 68.0
        delta = np.zeros((31, 4), np.float32)
        way = {"walk": (1.0, 0.0), "side": (0.0, 1.0)}.get(name, (0.0, 0.0))
        delta[:, 0] = np.arange(31) / 30.0 * SPEED * way[0]
        delta[:, 1] = np.arange(31) / 30.0 * SPEED * way[1]
        notes = (ClipNote(0.5, "step"), ClipNote(1.0, "end"))
        return Clip(name, ("root", "tag_top"), rows, 30.0, True, notes, delta)

    def clip_names(self) -> list[str]:
        return ["walk", "side", "stand"]


def tree() -> Tree:
    source = SourceText("animtrees/man.atr", "walk\nside\nstand\n")
    return atr.read(source).prune({"walk": None, "side": None, "stand": None}, Clips())


def man(
    *blocks: str, solids: str = FLOOR, at: str = "0 0 0", play: str = "walk"
) -> tuple[World, RecordingHost, Actor]:
    world, host = make_world(block("actor_soldier_grey", origin=at, angles="0 0 0"), *blocks, solids=solids)
    found = tree()
    world.set_trees([found.name], {found.name: found})
    (spawner,) = (e for e in world.entities.all() if isinstance(e, Spawner))
    actor = spawn_actor(world, spawner, "man")
    assert actor is not None
    pose = world.animator.use_tree(actor, found)
    node = found.node(play)
    assert node is not None
    pose.batch.instances.set_knob(pose.row, node, time=0.0)
    world.frame()
    return world, host, actor


def frames(world: World, count: int) -> None:
    for _ in range(count):
        world.frame()


def node(name: str, x: float, y: float, z: float = 0.0, **keys: object) -> str:
    return block("node_path", origin=f"{x} {y} {z}", targetname=name, **keys)


# --- ways -----------------------------------------------------------------------------------------------------


def test_walkable_knows_steps_gaps_walls_and_ceilings() -> None:
    steps = "".join(brush((100 + i * 12, -60, 0), (112 + i * 12, 60, 8 * (i + 1))) for i in range(8))
    world, _ = make_world(
        solids=FLOOR + steps + brush((196, -60, 0), (400, 60, 64)) + brush((-200, -60, 50), (-100, 60, 90))
    )
    space: Collision = world.space
    assert walkable(space, (0, 0, 0), (300, 0, 64)), "up the stairs"
    assert walkable(space, (300, 0, 64), (0, 0, 0)), "down the stairs"
    assert not walkable(space, (300, 0, 64), (500, 0, 0)), "over the edge"
    assert not walkable(space, (0, 0, 0), (-300, 0, 0)), "under what is too low"
    assert walkable(space, (0, 0, 0), (0, 500, 0))
    assert not walkable(space, (0, 900, 0), (0, 1200, 0)), "beyond the floor"


def test_ways_go_round_walls_by_the_nodes() -> None:
    wall = brush((100, -300, 0), (110, 300, 128))
    world, _ = make_world(
        node("a", 0, 0), node("b", 50, 340), node("c", 160, 340), node("d", 220, 0), solids=FLOOR + wall
    )
    way = world.paths.find((0.0, 0.0, 0.0), (220.0, 0.0, 0.0))
    assert way is not None
    assert way[-1] == (220.0, 0.0, 0.0)
    assert (160.0, 340.0, 0.0) in way
    assert world.paths.find((0.0, 0.0, 0.0), (50.0, 50.0, 0.0)) == [(50.0, 50.0, 0.0)]


def test_explicit_links_reach_where_automatic_ones_do_not() -> None:
    blocks = (node("a", -500, 0, target="b"), node("b", 500, 0))
    world, _ = make_world(*blocks)
    assert world.paths.nodes[0].links == [1]
    assert world.paths.nodes[1].links == [0]
    world, _ = make_world(node("a", -500, 0), node("b", 500, 0))
    assert world.paths.nodes[0].links == []
    assert world.paths.find((-500.0, 0.0, 0.0), (500.0, 0.0, 0.0)) is None


def test_a_closed_door_can_close_the_ways_through_it() -> None:
    wall = brush((100, -300, 0), (110, -32, 128)) + brush((100, 32, 0), (110, 300, 128))
    door = block("script_brushmodel", brush((100, -32, 1), (110, 32, 120)), targetname="door")
    nodes = (
        node("a", 0, 0, target="b"),
        node("b", 220, 0),
        node("c", 50, 340, target="d"),
        node("d", 160, 340),
    )
    links = (node("e", -20, 0, target="c"), node("f", 240, 0, target="d"))
    world, _ = make_world(*nodes, *links, door, solids=FLOOR + wall)
    (found,) = world.entities.by_key("targetname", "door")
    start, goal = (0.0, 5.0, 0.0), (500.0, 0.0, 0.0)
    straight = world.paths.find(start, goal)
    assert straight is not None
    assert (160.0, 340.0, 0.0) not in straight
    world.paths.close(found.number)
    around = world.paths.find(start, goal)
    assert around is not None
    assert (160.0, 340.0, 0.0) in around
    world.paths.open(found.number)
    assert world.paths.find(start, goal) == straight


def test_nodes_have_their_fields() -> None:
    world, _ = make_world(node("a", 1, 2, 3, script_noteworthy="post", target="x"))
    (found,) = world.paths.nodes
    assert found.get_field("origin") == (1.0, 2.0, 3.0)
    assert found.get_field("targetname") == "a"
    assert found.get_field("target") == "x"
    assert found.get_field("script_noteworthy") == "post"
    with pytest.raises(ScriptError):
        found.set_field("origin", (0.0, 0.0, 0.0))


# --- walking ----------------------------------------------------------------------------------------------------


def test_an_actor_goes_to_its_goal_as_fast_as_its_animation() -> None:
    world, host, actor = man()
    actor.set_goal((300.0, 0.0, 0.0))
    frames(world, 20)
    assert actor.position[0] == pytest.approx(SPEED, abs=5.0)
    frames(world, 60)
    assert host.events(actor).count("goal") == 1
    assert actor.position[0] == pytest.approx(300.0, abs=17.0)
    stopped = actor.position
    frames(world, 20)
    assert actor.position == stopped


def test_without_a_goal_the_animation_does_not_move_it() -> None:
    world, _, actor = man()
    frames(world, 20)
    assert actor.position[:2] == (0.0, 0.0)


def test_a_still_animation_does_not_slide_to_the_goal() -> None:
    world, _, actor = man(play="stand")
    actor.set_goal((300.0, 0.0, 0.0))
    frames(world, 40)
    assert actor.position[:2] == (0.0, 0.0)


def test_turning_is_limited_by_the_turn_rate() -> None:
    world, _, actor = man()
    actor.set_goal((-500.0, 0.0, 0.0))
    before = actor.rotation[1]
    frames(world, 1)
    assert abs(actor.rotation[1] - before) == pytest.approx(18.0)
    frames(world, 30)
    assert abs(actor.rotation[1]) == pytest.approx(180.0, abs=3.0)


def test_a_sidestep_faces_so_that_the_feet_match_the_way() -> None:
    world, _, actor = man(play="side")
    actor.set_goal((600.0, 0.0, 0.0))
    frames(world, 40)
    # The animation goes to the left, so the body looks to the right of the way.
    assert actor.rotation[1] == pytest.approx(-90.0, abs=2.0)
    assert actor.position[0] > 100.0


def test_facing_a_point_while_walking() -> None:
    world, _, actor = man()
    actor.orient_mode, actor.orient_value = "face point", (0.0, 1000.0, 0.0)
    actor.set_goal((200.0, 0.0, 0.0))
    frames(world, 30)
    assert actor.position[0] > 100.0
    assert actor.rotation[1] == pytest.approx(97.0, abs=5.0)


def test_steps_up_and_follows_the_ground() -> None:
    stairs = "".join(brush((60 + i * 12, -60, 0), (72 + i * 12, 60, 8 * (i + 1))) for i in range(6))
    world, _, actor = man(solids=FLOOR + stairs + brush((132, -60, 0), (400, 60, 48)))
    actor.set_goal((250.0, 0.0, 48.0))
    frames(world, 60)
    assert actor.position[2] == pytest.approx(48.0, abs=0.1)


def test_falls_off_an_edge() -> None:
    world, _, actor = man(solids=FLOOR + brush((-100, -100, 0), (50, 100, 60)), at="0 0 60")
    actor.path = [(200.0, 0.0, 60.0)]
    actor.set_goal((200.0, 0.0, 0.0))
    frames(world, 60)
    assert actor.position[2] == pytest.approx(0.0, abs=0.2)
    assert actor.position[0] > 60.0


def test_two_who_meet_go_round_each_other() -> None:
    world, _, first = man()
    other_spawner = next(e for e in world.entities.all() if isinstance(e, Spawner))
    other_spawner.values["count"] = 1
    other_spawner.place((300.0, 2.0, 0.0), (0.0, 180.0, 0.0))
    second = spawn_actor(world, other_spawner, "other")
    assert second is not None
    found = world.animator.trees["man"]
    pose = world.animator.use_tree(second, found)
    pose.batch.instances.set_knob(pose.row, found.node("walk") or 0, time=0.0)
    first.set_goal((300.0, 0.0, 0.0))
    second.set_goal((0.0, 0.0, 0.0))
    frames(world, 120)
    assert math.dist(first.position, (300.0, 0.0, 0.0)) < 20
    assert math.dist(second.position, (0.0, 0.0, 0.0)) < 20


def test_a_goal_entity_is_followed() -> None:
    world, host, actor = man(block("script_origin", origin="200 0 0", targetname="o"))
    (target,) = world.entities.by_key("targetname", "o")
    actor.set_goal_entity(target)
    frames(world, 60)
    assert host.events(actor).count("goal") == 1
    target.place((200.0, 300.0, 0.0))
    frames(world, 90)
    assert host.events(actor).count("goal") == 2
    assert actor.position[1] > 250.0


def test_no_way_is_told() -> None:
    wall = brush((100, -1024, 0), (110, 1024, 128))
    world, host, actor = man(node("a", 0, 0), node("b", 300, 0), solids=FLOOR + wall)
    actor.set_goal((300.0, 0.0, 0.0))
    frames(world, 5)
    assert "bad_path" in host.events(actor)


def test_notes_come_before_the_clock_moves() -> None:
    world, host, actor = man()
    pose = actor.pose
    assert pose is not None
    pose.batch.instances.set_knob(pose.row, pose.batch.tree.node("stand") or 0, time=0.0, notify="n")
    pose.flagged["n"] = "stand"
    host.notified.clear()
    host.log.clear()
    frames(world, 12)
    notes = [n for n in host.notified if n[0] is actor and n[1] == "n"]
    assert [n[2] for n in notes] == ["step"]
    at = host.log.index("drain")
    assert host.log[at + 1].startswith("advance")


# --- fighting ---------------------------------------------------------------------------------------------------


def test_sight_is_stopped_by_walls_not_by_bodies() -> None:
    wall = brush((100, 50, 0), (110, 200, 128))
    world, _, actor = man(solids=FLOOR + wall)
    player = world.connect()
    player.spawn((200.0, 0.0, 0.5), (0.0, 0.0, 0.0))
    assert actor.can_see(player)
    player.place((200.0, 200.0, 0.5))
    assert not actor.can_see(player)


def test_a_shot_hits_the_part_that_it_meets() -> None:
    world, _host, actor = man()
    actor.place((200.0, 0.0, 0.0))
    world.frame()
    trace = world.space.trace((0.0, 0.0, 30.0), (400.0, 0.0, 30.0), mask=SHOT_MASK)
    assert trace.entity == actor.number
    assert trace.surface == "flesh"
    assert trace.position[0] == pytest.approx(188.0, abs=0.1)
    assert trace.part == "root"


def test_an_actor_shoots_a_player() -> None:
    world, _, actor = man()
    player = world.connect()
    player.spawn((300.0, 0.0, 0.5), (0.0, 0.0, 0.0))
    actor.shoot(1.0, player.centre())
    assert player.hit_points == 50
    actor.weapon_name = "nothing"
    with pytest.raises(ScriptError, match="no weapon"):
        actor.shoot(1.0, player.centre())


def test_pain_then_death_and_a_corpse_stops_nobody() -> None:
    world, host, actor = man()
    world.connect().spawn((-200.0, 0.0, 0.5), (0.0, 0.0, 0.0))
    host.notified.clear()
    actor.damage(Hit(30, None, None, location="head", direction=(1.0, 0.0, 0.0)))
    assert host.events(actor) == ["damage", "pain"]
    assert actor.get_field("damagelocation") == "head"
    assert abs(actor.get_field("damageyaw") or 0.0) == pytest.approx(180.0)  # type: ignore[arg-type]
    actor.damage(Hit(300, None, None))
    assert host.events(actor)[2:] == ["damage", "death"]
    assert not actor.alive()
    assert world.space.trace((-100, 0, 30), (100, 0, 30)).fraction == 1.0
    actor.set_goal((300.0, 0.0, 0.0))
    frames(world, 3)


RAMP = """{
( 200 0 0 ) ( 200 0 1 ) ( 200 1 0 ) planks 0 0 0 1 1
( 0 -200 0 ) ( 0 -200 1 ) ( 1 -200 0 ) planks 0 0 0 1 1
( 0 200 0 ) ( 1 200 0 ) ( 0 200 1 ) planks 0 0 0 1 1
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) planks 0 0 0 1 1
( -200 0 0 ) ( -200 1 0 ) ( 200 0 RISE ) planks 0 0 0 1 1
}
"""


@pytest.mark.parametrize(
    ("yaw", "rise", "pitch", "roll"),
    [(0.0, 0.0, 0.0, 0.0), (0.0, 100.0, -14.0, 0.0), (180.0, 100.0, 14.0, 0.0), (90.0, 100.0, 0.0, -14.0)],
)
def test_the_dead_lie_along_the_ground(yaw: float, rise: float, pitch: float, roll: float) -> None:
    solids = FLOOR + (RAMP.replace("RISE", str(rise)) if rise else "")
    world, _, actor = man(solids=solids, at="0 0 60", play="stand")
    actor.place(actor.position, (0.0, yaw, 0.0))
    frames(world, 30)
    assert (actor.rotation[0], actor.rotation[2]) == (0.0, 0.0)
    actor.damage(Hit(300, None, None))
    frames(world, 20)
    assert actor.rotation[0] == pytest.approx(pitch, abs=1.0)
    assert actor.rotation[2] == pytest.approx(roll, abs=1.0)
    turned = actor.rotation
    frames(world, 5)
    assert actor.rotation == turned


def test_aiming_expires_and_turns_one_who_stands() -> None:
    world, _, actor = man(play="stand")
    point: Vector = (0.0, 500.0, 60.0)
    actor.aim_at(point)
    frames(world, 10)
    assert actor.rotation[1] == pytest.approx(90.0, abs=1.0)
    frames(world, 40)
    assert actor.aim_pos is None


def test_hit_boxes_of_a_model_and_names_of_places() -> None:
    boxes = hit_boxes(box_model("m", (-5.0, -6.0, 0.0), (5.0, 6.0, 20.0)))
    assert boxes.names == ("root",)
    assert boxes.mins.tolist() == [[-5.0, -6.0, 0.0]]
    assert boxes.maxs.tolist() == [[5.0, 6.0, 20.0]]
    names = {
        "head": "head", "neck": "neck", "spine_upper": "torso_upper", "pelvis": "torso_lower",
        "left_upper_arm": "left_arm_upper", "forearm_r": "right_arm_lower", "thigh_l": "left_leg_upper",
        "right_foot": "right_foot", "tag_origin": "none",
    }  # fmt: skip
    assert {bone: hit_location(bone) for bone in names} == names
