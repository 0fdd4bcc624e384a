"""Swept boxes against convex solids, compared with a slow search over points."""

from __future__ import annotations

import random

import pytest

from engine.source import SourceText
from engine.world.angles import Vector, axes, dot, lerp, look_angles, matrix, matrix_angles, turn_towards
from engine.world.brush import Brush, box_brush, build_brush
from engine.world.collision import EPSILON, Collision, PartHit
from engine.world.level import read_map
from engine.world.solid import Solid, brush_solid
from engine.world.surfaces import MOVE_MASK, SHOT_MASK, Contents, SurfaceTable

WEDGE = """{
"classname" "worldspawn"
{
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) planks 0 0 0 1 1
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) planks 0 0 0 1 1
( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 ) planks 0 0 0 1 1
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) gravel 0 0 0 1 1
( 64 0 0 ) ( 0 0 48 ) ( 64 64 0 ) grass 0 0 0 1 1
}
}
"""


def wedge() -> Brush:
    (world,) = read_map(SourceText("t.map", WEDGE))
    brush = build_brush(world.brushes[0], SurfaceTable(), [])
    assert brush is not None
    return brush


def inside(solid: Solid, point: Vector, half: Vector, faces: int, rim: float) -> bool:
    """Whether a box around a point overlaps a solid, by its corners and its support: no bevels used.

    Two convex bodies are apart exactly when some axis out of both normals and all edge products parts them;
    here a fine sample of directions stands for that.
    """
    for plane in solid.planes[:faces]:
        support = plane[4] * half[0] + plane[5] * half[1] + plane[6] * half[2]
        if dot(plane[:3], point) > plane[3] + support - rim:
            return False
    return all(
        point[i] + half[i] > solid.mins[i] + rim and point[i] - half[i] < solid.maxs[i] - rim
        for i in range(3)
    )


def test_random_sweeps_stop_where_a_slow_search_says() -> None:
    rng = random.Random(7)
    brushes = [box_brush((0, 0, 0), (40, 30, 20)), wedge()]
    for brush in brushes:
        world = Collision([brush])
        solid = brush_solid(brush)
        for _ in range(150):
            half = rng.choice([(0.0, 0.0, 0.0), (15.0, 15.0, 35.0), (4.0, 4.0, 4.0)])
            start = tuple(rng.uniform(-150, 200) for _ in range(3))
            end = tuple(rng.uniform(-150, 200) for _ in range(3))
            mins = (-half[0], -half[1], -half[2])
            trace = world.trace(start, end, mins, half, MOVE_MASK)  # type: ignore[arg-type]
            if trace.startsolid:
                continue
            steps = 400
            first = next(
                (
                    i / steps
                    for i in range(steps + 1)
                    if all(
                        dot(p[:3], lerp(start, end, i / steps))  # type: ignore[arg-type]
                        < p[3] + p[4] * half[0] + p[5] * half[1] + p[6] * half[2] - 0.05
                        for p in solid.planes
                    )
                ),
                None,
            )
            if first is None:
                continue
            assert trace.fraction <= first + 1e-9
            assert trace.fraction >= first - 3.0 / steps - EPSILON / 5


def test_bevels_make_the_sweep_exact_at_sharp_edges() -> None:
    # A box over the thin end of the wedge touches the slope's lower edge, not the plane extended beyond it.
    world = Collision([wedge()])
    trace = world.trace((90, 32, 100), (90, 32, -100), (-15, -15, 0), (15, 15, 70), MOVE_MASK)
    assert trace.fraction == 1.0
    trace = world.trace((78, 32, 100), (78, 32, -100), (-15, -15, 0), (15, 15, 70), MOVE_MASK)
    assert trace.position[2] == pytest.approx(0.75, abs=0.1)


def test_hit_tells_normal_material_and_position() -> None:
    world = Collision([wedge()])
    trace = world.trace((32, 32, 100), (32, 32, -100))
    assert trace.surface == "grass"
    assert trace.normal == pytest.approx((0.6, 0.0, 0.8))
    assert trace.position[2] == pytest.approx(24.0, abs=0.05)
    assert trace.entity is None
    miss = world.trace((32, 32, 100), (32, 32, 60))
    assert (miss.fraction, miss.position, miss.surface) == (1.0, (32, 32, 60), "")


def test_seams_between_brushes_do_not_leak() -> None:
    floor = [
        box_brush((x * 32.0, y * 32.0, -16), (x * 32.0 + 32, y * 32.0 + 32, 0))
        for x in range(8)
        for y in range(8)
    ]
    world = Collision(floor)
    rng = random.Random(3)
    for _ in range(300):
        x, y = rng.randrange(0, 9) * 32.0, rng.uniform(0, 256)
        down = world.trace((min(x, 255.99), y, 50), (min(x, 255.99), y, -50))
        assert down.position[2] == pytest.approx(EPSILON, abs=1e-6)


def test_long_rays_cross_many_columns_in_every_direction() -> None:
    wall = box_brush((1000, -2000, 0), (1016, 2000, 100))
    world = Collision([wall])
    for start, end in (((-1500, 10, 50), (1500, 777, 50)), ((1500, -900, 50), (-1500, 40, 50))):
        trace = world.trace(start, end)
        assert abs(trace.normal[0]) == 1.0
        x = trace.position[0]
        assert x == pytest.approx(1000 - EPSILON if start[0] < 0 else 1016 + EPSILON, abs=0.05)
    blocked = world.trace((900, 500, 50), (1100, 500, 50), (-15, -15, 0), (15, 15, 70), MOVE_MASK)
    assert blocked.position[0] == pytest.approx(985, abs=0.1)


def test_starting_inside() -> None:
    world = Collision([box_brush((0, 0, 0), (64, 64, 64))])
    stuck = world.trace((32, 32, 32), (40, 32, 32))
    assert stuck.startsolid
    assert stuck.allsolid
    assert stuck.fraction == 0.0
    out = world.trace((32, 32, 32), (132, 32, 32))
    assert out.startsolid
    assert not out.allsolid
    assert out.fraction == 1.0


def test_masks_and_ignored_entities() -> None:
    world = Collision([box_brush((50, -50, 0), (60, 50, 100), contents=Contents.PLAYER_CLIP)])
    assert world.trace((0, 0, 50), (100, 0, 50), mask=SHOT_MASK).fraction == 1.0
    assert world.trace((0, 0, 50), (100, 0, 50), mask=MOVE_MASK).fraction < 1.0
    world.link_box(5, (20, -15, 0), (40, 15, 70), Contents.BODY)
    assert world.trace((0, 0, 50), (100, 0, 50)).entity == 5
    assert world.trace((0, 0, 50), (100, 0, 50), ignore={5}).entity is None
    assert world.trace((0, 0, 50), (100, 0, 50), bodies=False).entity is None
    world.unlink(5)
    assert world.trace((0, 0, 50), (100, 0, 50)).entity is None
    assert world.bodies_in((0, 0, 0), (100, 100, 100), SHOT_MASK) == []


def test_a_turned_brush_model_collides_where_it_is_drawn() -> None:
    door = box_brush((0, 0, 0), (56, 4, 108))
    world = Collision()
    world.link_brushes(3, [door], (100, 0, 0), matrix((0.0, 90.0, 0.0)))
    assert world.trace((98, -20, 50), (98, 60, 50)).fraction < 1.0
    assert world.trace((130, -20, 50), (130, 60, 50)).fraction == 1.0
    hit = world.trace((50, 30, 50), (150, 30, 50))
    assert hit.entity == 3
    assert hit.position[0] == pytest.approx(96.0, abs=0.05)
    world.link_brushes(3, [door], (100, 0, 0), matrix((0.0, 45.0, 0.0)))
    hit = world.trace((100, 100, 50), (130, -100, 50))
    assert hit.normal == pytest.approx((-(0.5**0.5), 0.5**0.5, 0.0), abs=1e-6)


def test_a_shot_is_refined_by_the_parts_of_a_body() -> None:
    world = Collision()
    world.link_box(
        2, (0, -20, 0), (40, 20, 70), Contents.BODY,
        lambda start, end: PartHit(0.5, (-1.0, 0.0, 0.0), "head") if start[2] > 60 else None,
    )  # fmt: skip
    assert world.trace((-100, 0, 65), (100, 0, 65)).part == "head"
    assert world.trace((-100, 0, 30), (100, 0, 30)).fraction == 1.0
    assert world.trace((-100, 0, 30), (100, 0, 30), (-4, -4, 0), (4, 4, 4), MOVE_MASK).entity == 2


def test_angles_go_to_a_matrix_and_back() -> None:
    rng = random.Random(5)
    for _ in range(100):
        angles = (rng.uniform(-89, 89), rng.uniform(-180, 180), rng.uniform(-180, 180))
        assert matrix_angles(matrix(angles)) == pytest.approx(angles, abs=1e-6)
    assert matrix_angles(matrix((90.0, 30.0, 0.0)))[0] == pytest.approx(90.0)
    ahead, right, up = axes((0.0, 90.0, 0.0))
    assert ahead == pytest.approx((0.0, 1.0, 0.0))
    assert right == pytest.approx((1.0, 0.0, 0.0))
    assert up == pytest.approx((0.0, 0.0, 1.0))
    assert look_angles((0.0, 1.0, 1.0)) == pytest.approx((-45.0, 90.0, 0.0))
    assert turn_towards(170.0, -170.0, 5.0) == 175.0
    assert turn_towards(178.0, -170.0, 5.0) == -177.0
