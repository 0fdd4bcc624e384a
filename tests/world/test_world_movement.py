"""A player's box against floors, walls, stairs, slopes, ceilings and corners."""

from __future__ import annotations

import math
import random

import pytest

from engine.source import SourceText
from engine.world.angles import Vector
from engine.world.brush import Brush, box_brush, build_brush
from engine.world.collision import Collision
from engine.world.command import NO_BUTTONS, Button, UserCommand
from engine.world.level import read_map
from engine.world.movement import MoveState, run_command
from engine.world.surfaces import MOVE_MASK, SurfaceTable

FLOOR = box_brush((-1000, -1000, -16), (1000, 1000, 0), material="gravel")


def slope(rise: float) -> Brush:
    """A ramp from x = 100 (z 0) to x = 300 (z = rise)."""
    text = f"""{{
"classname" "worldspawn"
{{
( 300 0 0 ) ( 300 0 1 ) ( 300 1 0 ) planks 0 0 0 1 1
( 0 -200 0 ) ( 0 -200 1 ) ( 1 -200 0 ) planks 0 0 0 1 1
( 0 200 0 ) ( 1 200 0 ) ( 0 200 1 ) planks 0 0 0 1 1
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) planks 0 0 0 1 1
( 100 0 0 ) ( 100 1 0 ) ( 300 0 {rise} ) planks 0 0 0 1 1
}}
}}"""
    (world,) = read_map(SourceText("slope.map", text))
    brush = build_brush(world.brushes[0], SurfaceTable(), [])
    assert brush is not None
    return brush


def walk(
    world: Collision, state: MoveState, seconds: float, *, forward: float = 1.0, yaw: float = 0.0,
    buttons: Button = NO_BUTTONS, msec: int = 16,
) -> list[Vector]:  # fmt: skip
    places = []
    for _ in range(round(seconds * 1000 / msec)):
        run_command(state, UserCommand(msec, forward, 0.0, 0.0, buttons, (0.0, yaw, 0.0)), world, ())
        places.append(state.origin)
    return places


def speed(state: MoveState) -> float:
    return math.hypot(state.velocity[0], state.velocity[1])


@pytest.mark.parametrize(
    ("buttons", "expected"),
    [(Button(0), 190.0), (Button.WALK, 90.0), (Button.SPRINT, 280.0), (Button.CROUCH, 95.0)],
)
def test_speeds_on_the_flat(buttons: Button, expected: float) -> None:
    state = MoveState()
    walk(Collision([FLOOR]), state, 1.5, buttons=buttons)
    assert speed(state) == pytest.approx(expected, rel=0.02)
    assert state.on_ground
    assert state.ground_surface == "gravel"


def test_speed_does_not_depend_on_the_length_of_commands() -> None:
    ends = []
    for msec in (4, 16, 50):
        state = MoveState()
        walk(Collision([FLOOR]), state, 2.0, msec=msec)
        ends.append(state.origin[0])
    assert max(ends) - min(ends) < 12.0


def test_stopping_takes_a_moment_and_ends() -> None:
    state = MoveState()
    world = Collision([FLOOR])
    walk(world, state, 1.0)
    walk(world, state, 0.6, forward=0.0)
    assert speed(state) == 0.0


def test_jump_is_about_forty_high_and_needs_a_new_press() -> None:
    state = MoveState()
    world = Collision([FLOOR])
    places = walk(world, state, 2.0, forward=0.0, buttons=Button.JUMP)
    heights = [p[2] for p in places]
    assert 38.0 < max(heights) < 42.0
    assert state.on_ground
    assert heights[-1] < 0.1
    walk(world, state, 0.1, forward=0.0)
    places = walk(world, state, 0.5, forward=0.0, buttons=Button.JUMP)
    assert max(p[2] for p in places) > 30.0


def test_falling_reports_the_landing_speed() -> None:
    state = MoveState(origin=(0, 0, 100))
    world = Collision([FLOOR])
    landed = 0.0
    for _ in range(100):
        run_command(state, UserCommand(16), world, ())
        landed = max(landed, state.landed)
    assert landed == pytest.approx(math.sqrt(2 * 800 * 100), rel=0.05)


def test_wall_stops_and_slides() -> None:
    world = Collision([FLOOR, box_brush((200, -1000, 0), (216, 1000, 128))])
    state = MoveState()
    walk(world, state, 2.0)
    assert state.origin[0] == pytest.approx(185, abs=0.1)
    state = MoveState()
    walk(world, state, 3.0, yaw=45.0)
    assert state.origin[0] == pytest.approx(185, abs=0.1)
    assert state.origin[1] > 300


def test_a_low_step_is_climbed_and_a_high_one_is_not() -> None:
    for height, climbs in ((18.0, True), (17.0, True), (20.0, False)):
        world = Collision([FLOOR, box_brush((100, -100, 0), (600, 100, height))])
        state = MoveState()
        walk(world, state, 1.5)
        assert (state.origin[2] > height - 0.5) is climbs
        assert (state.origin[0] > 120) is climbs


def test_stairs_up_and_down_without_leaving_the_ground() -> None:
    steps = [box_brush((100 + i * 12, -60, 0), (100 + 12 * 16, 60, 8 * (i + 1))) for i in range(16)]
    landing = box_brush((100 + 12 * 16, -60, 0), (600, 60, 128))
    world = Collision([FLOOR, *steps, landing])
    state = MoveState()
    walk(world, state, 2.2)
    assert state.origin[2] == pytest.approx(128, abs=0.2)
    in_air = 0
    for _ in range(160):
        run_command(state, UserCommand(16, 1.0, angles=(0.0, 180.0, 0.0)), world, ())
        in_air += not state.on_ground
    assert state.origin[2] == pytest.approx(0, abs=0.2)
    assert in_air == 0


@pytest.mark.parametrize(("rise", "climbs"), [(60.0, True), (195.0, True), (260.0, False)])
def test_slopes(rise: float, climbs: bool) -> None:
    world = Collision([FLOOR, slope(rise)])
    state = MoveState()
    walk(world, state, 1.6)
    assert (state.origin[2] > 40.0) is climbs


def test_standing_on_a_slope_does_not_creep() -> None:
    world = Collision([FLOOR, slope(150.0)])
    state = MoveState(origin=(200.0, 0.0, 100.0))
    walk(world, state, 1.0, forward=0.0)
    settled = state.origin
    walk(world, state, 2.0, forward=0.0)
    assert state.origin == pytest.approx(settled, abs=0.01)


def test_crouching_fits_under_and_one_cannot_rise_there() -> None:
    world = Collision([FLOOR, box_brush((100, -100, 56), (300, 100, 80))])
    state = MoveState()
    walk(world, state, 1.5)
    assert state.origin[0] < 90
    walk(world, state, 1.5, buttons=Button.CROUCH)
    assert state.origin[0] > 120
    assert state.eye_height == pytest.approx(40.0)
    walk(world, state, 0.2, forward=0.0)
    assert state.crouched
    walk(world, state, 3.5)
    assert not state.crouched
    assert state.origin[0] > 300


def test_sprint_tires_and_recovers() -> None:
    floor = box_brush((-100, -100, -16), (5000, 100, 0))
    state = MoveState()
    world = Collision([floor])
    walk(world, state, 8.0, buttons=Button.SPRINT)
    assert not state.sprinting
    assert speed(state) < 200
    walk(world, state, 4.0, forward=0.0)
    walk(world, state, 0.5, buttons=Button.SPRINT)
    assert state.sprinting


def test_frozen_stays_but_falls() -> None:
    world = Collision([FLOOR])
    state = MoveState(origin=(0, 0, 50), view=(0.0, 90.0, 0.0))
    for _ in range(60):
        run_command(state, UserCommand(16, 1.0, buttons=Button.JUMP), world, (), frozen=True)
    assert state.origin == pytest.approx((0, 0, 0), abs=0.1)
    assert state.view == (0.0, 90.0, 0.0)


def test_random_walks_among_boxes_never_enter_one_and_never_stick() -> None:
    rng = random.Random(11)
    for seed in range(4):
        boxes = [FLOOR]
        for _ in range(25):
            x, y = rng.uniform(-300, 300), rng.uniform(-300, 300)
            if abs(x) < 60 and abs(y) < 60:
                continue
            w, d, h = rng.uniform(10, 90), rng.uniform(10, 90), rng.choice([8, 16, 30, 40, 128])
            boxes.append(box_brush((x, y, 0), (x + w, y + d, h)))
        world = Collision(boxes)
        state = MoveState()
        travelled = 0.0
        for turn in range(40):
            yaw = rng.uniform(-180, 180)
            buttons = rng.choice([Button(0), Button.JUMP, Button.SPRINT, Button.CROUCH])
            before = state.origin
            for place in walk(world, state, 0.3, yaw=yaw, buttons=buttons, msec=rng.choice([8, 16, 33, 50])):
                found = world.trace(place, place, state.mins, state.maxs, MOVE_MASK)
                assert not found.startsolid, (seed, turn, place)
            travelled += math.dist(before, state.origin)
        assert travelled > 400
        assert state.origin[2] > -1


def test_a_player_put_into_a_wall_gets_out() -> None:
    world = Collision([FLOOR, box_brush((0, -100, 0), (200, 100, 128))])
    state = MoveState(origin=(-8.0, 0.0, 0.0))
    walk(world, state, 0.3, forward=0.0)
    assert not world.trace(state.origin, state.origin, state.mins, state.maxs, MOVE_MASK).startsolid
