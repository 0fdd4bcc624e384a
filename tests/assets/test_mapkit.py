"""The map writer: faces of hulls, sides, fitted textures, and that the engine reads back what was meant."""

from __future__ import annotations

import pytest

from assets.tools.mapkit import Level, box, hull, prism, side_of
from engine.source import SourceText
from engine.world.brush import build_brush
from engine.world.level import read_map
from engine.world.surfaces import SurfaceTable


def brushes(level: Level):
    problems = []
    world = read_map(SourceText("test.map", level.text()))[0]
    built = [build_brush(brush, SurfaceTable(), problems) for brush in world.brushes]
    assert problems == []
    return built


def test_a_box_has_six_sides_with_their_own_surfaces() -> None:
    faces = box((0, 0, 0), (8, 16, 24), {"top": "grass", "east": "slate", "": "planks"})
    assert {side_of(f.normal): f.surface for f in faces} == {
        "top": "grass", "bottom": "planks", "north": "planks", "south": "planks", "east": "slate", "west": "planks",
    }  # fmt: skip


def test_points_inside_a_hull_add_no_faces() -> None:
    corners = [(x, y, z) for x in (0, 8) for y in (0, 8) for z in (0, 8)]
    assert len(hull([*corners, (4, 4, 4), (4, 4, 8)], "planks")) == 6


@pytest.mark.parametrize(
    "points", [[(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)]]
)
def test_a_hull_without_volume_is_refused(points) -> None:
    with pytest.raises(ValueError, match="no volume"):
        hull(points, "planks")


def test_a_box_with_its_corners_swapped_is_refused() -> None:
    with pytest.raises(ValueError, match="low < high"):
        box((0, 0, 0), (8, -8, 8), "planks")


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_a_prism_runs_along_its_axis(axis) -> None:
    level = Level()
    level.solid(prism([(0, 0), (32, 0), (16, 24)], -5, 70, "planks", axis))
    brush = brushes(level)[0]
    along = "xyz".index(axis)
    assert (brush.mins[along], brush.maxs[along]) == (-5, 70)
    assert len(brush.planes) == 5


def test_a_plain_surface_repeats_every_128_units_and_a_picture_fills_its_face() -> None:
    level = Level()
    level.box((32, 0, 0), (96, 8, 256), {"south": "sign_test", "north": "planks", "": "nodraw"})
    by_texture = {p.texture: p for p in brushes(level)[0].polygons}
    sign, plain = by_texture["sign_test"].uvs, by_texture["planks"].uvs
    assert (min(u for u, _ in sign), max(u for u, _ in sign)) == pytest.approx((0, 1))
    assert (min(v for _, v in sign), max(v for _, v in sign)) == pytest.approx((0, 1))
    assert max(u for u, _ in plain) - min(u for u, _ in plain) == pytest.approx(0.5)
    assert max(v for _, v in plain) - min(v for _, v in plain) == pytest.approx(2)


def test_a_picture_stands_upright() -> None:
    level = Level()
    level.box((0, 0, 0), (64, 8, 64), {"south": "sign_test", "": "nodraw"})
    polygon = next(p for p in brushes(level)[0].polygons if p.texture == "sign_test")
    upper = {v for (_, _, z), (_, v) in zip(polygon.points, polygon.uvs, strict=True) if z == 64}
    left = {u for (x, _, _), (u, _) in zip(polygon.points, polygon.uvs, strict=True) if x == 0}
    assert (upper, left) == ({0}, {0})


def test_keys_are_written_as_the_reader_wants_them() -> None:
    level = Level(message="hall")
    level.entity("script_origin", origin=(1.5, -2, 0), targetname="here")
    world, origin = read_map(SourceText("test.map", level.text()))
    assert world.value("message") == "hall"
    assert (origin.value("origin"), origin.value("targetname")) == ("1.5 -2 0", "here")
