"""Reading `.map` files: both face formats, and every fault with its place."""

from __future__ import annotations

import pytest

from engine.source import Diagnostic, DiagnosticError, SourceText
from engine.world.brush import build_brush, merge_surfaces
from engine.world.level import read_map
from engine.world.surfaces import Contents, SurfaceTable

BOX = """{
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) planks 0 0 0 1 1
( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) planks 0 0 0 1 1
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) planks 0 0 0 1 1
( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 ) planks 0 0 0 1 1
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) gravel 0 0 0 1 1
( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) gravel 16 8 0 1 1
}
"""


def faults(text: str) -> list[Diagnostic]:
    with pytest.raises(DiagnosticError) as caught:
        read_map(SourceText("t.map", text))
    return list(caught.value.diagnostics)


def places(text: str) -> list[tuple[int, int, str]]:
    found = []
    for fault in faults(text):
        assert fault.span is not None
        found.append((fault.span.line, fault.span.col, fault.code))
    return found


def test_entities_and_brushes() -> None:
    text = '// c\n{\n"classname" "worldspawn"\n"Gravity" "800"\n' + BOX + '}\n{\n"classname" "light"\n}\n'
    world, light = read_map(SourceText("t.map", text))
    assert world.classname == "worldspawn"
    assert world.value("gravity") == "800"
    assert len(world.brushes) == 1
    assert len(world.brushes[0].faces) == 6
    assert light.classname == "light"
    assert light.keys["classname"].span.line == 15


def test_crlf_bom_and_the_last_of_two_equal_keys() -> None:
    data = b'\xef\xbb\xbf{\r\n"classname" "worldspawn"\r\n"a" "1"\r\n"a" "2"\r\n}\r\n'
    (world,) = read_map(SourceText("t.map", data))
    assert world.value("a") == "2"
    assert world.keys["a"].span.line == 4


def test_box_becomes_six_outward_polygons() -> None:
    (world,) = read_map(SourceText("t.map", '{\n"classname" "worldspawn"\n' + BOX + "}"))
    report: list[Diagnostic] = []
    brush = build_brush(world.brushes[0], SurfaceTable(), report)
    assert brush is not None
    assert report == []
    assert (brush.mins, brush.maxs) == ((0, 0, 0), (64, 64, 64))
    assert set(brush.materials) == {"wood", "gravel"}
    centre = (32.0, 32.0, 32.0)
    for polygon in brush.polygons:
        assert len(polygon.points) == 4
        a, b, c = polygon.points[:3]
        u = [b[i] - a[i] for i in range(3)]
        v = [c[i] - b[i] for i in range(3)]
        turn = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        assert sum(t * n for t, n in zip(turn, polygon.normal, strict=True)) > 0
        outward = [a[i] - centre[i] for i in range(3)]
        assert sum(o * n for o, n in zip(outward, polygon.normal, strict=True)) > 0


def test_texture_coordinates_of_both_formats_agree() -> None:
    standard = "( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) gravel 16 8 0 2 1"
    valve = "( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) gravel [ 1 0 0 16 ] [ 0 -1 0 8 ] 0 2 1"
    rest = BOX.replace("( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) gravel 16 8 0 1 1\n", "%s\n")
    uvs = []
    for face in (standard, valve):
        (world,) = read_map(SourceText("t.map", '{\n"classname" "worldspawn"\n' + rest % face + "}"))
        brush = build_brush(world.brushes[0], SurfaceTable(), [])
        assert brush is not None
        top = next(p for p in brush.polygons if p.normal[2] > 0.5)
        uvs.append(dict(zip(top.points, top.uvs, strict=True)))
    assert uvs[0] == uvs[1]
    assert uvs[0][(64.0, 64.0, 64.0)] == ((32 + 16) / 128, (-64 + 8) / 128)


def test_merging_by_texture_triangulates() -> None:
    (world,) = read_map(SourceText("t.map", '{\n"classname" "worldspawn"\n' + BOX + "}"))
    brush = build_brush(world.brushes[0], SurfaceTable(), [])
    assert brush is not None
    merged = {s.texture: s for s in merge_surfaces([brush])}
    assert merged["planks"].indices.shape == (8, 3)
    assert merged["gravel"].indices.shape == (4, 3)


def test_tool_textures_are_not_drawn() -> None:
    clip = BOX.replace("planks", "common/clip").replace("gravel", "common/clip")
    (world,) = read_map(SourceText("t.map", '{\n"classname" "worldspawn"\n' + clip + "}"))
    brush = build_brush(world.brushes[0], SurfaceTable(), [])
    assert brush is not None
    assert brush.contents == Contents.PLAYER_CLIP
    assert merge_surfaces([brush]) == ()


def test_several_faults_of_one_file_are_all_reported() -> None:
    bad_number = BOX.replace("( 64 0 0 )", "( 64 x 0 )")
    text = (
        '{\n"classname" "worldspawn"\n"lonely"\n'
        + bad_number
        + BOX.replace("gravel 16", "gravel [ 1")
        + "}\n"
    )
    assert places(text) == [(3, 1, "map-syntax"), (6, 6, "map-syntax"), (18, 51, "map-syntax")]


@pytest.mark.parametrize(
    ("text", "line", "col", "code"),
    [
        ("", 1, 1, "empty-map"),
        ('{\n"classname" "light"\n}', 1, 1, "no-worldspawn"),
        ('{\n"classname" "worldspawn"\n', 1, 1, "map-syntax"),
        ('{\n"classname" "worldspawn\n}', 2, 13, "map-string"),
        ('x\n{\n"classname" "worldspawn"\n}', 1, 1, "map-syntax"),
        ('{\n"classname" "worldspawn"\n{\npatchDef2\n{\n}\n}\n}', 4, 1, "map-patch"),
        (
            '{\n"classname" "worldspawn"\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n}\n}',
            3,
            1,
            "map-brush",
        ),
        (
            '{\n"classname" "worldspawn"\n' + BOX.replace("( 64 0 1 )", "( 64 0 1e7 )") + "}",
            5,
            19,
            "map-range",
        ),
    ],
)
def test_each_fault_has_its_place(text: str, line: int, col: int, code: str) -> None:
    found = places(text)
    assert found[0] == (line, col, code)


def test_brush_without_volume_and_face_on_a_line() -> None:
    open_box = BOX.replace("( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 )", "( 0 0 -64 ) ( 0 1 -64 ) ( 1 0 -64 )")
    flat = BOX.replace("( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 )", "( 0 0 64 ) ( 0 1 64 ) ( 0 2 64 )")
    for text, code in ((open_box, "map-brush"), (flat, "map-face")):
        (world,) = read_map(SourceText("t.map", '{\n"classname" "worldspawn"\n' + text + "}"))
        report: list[Diagnostic] = []
        assert build_brush(world.brushes[0], SurfaceTable(), report) is None
        assert [d.code for d in report] == [code]
        assert report[0].span is not None


def test_a_zero_scale_counts_as_one() -> None:
    (world,) = read_map(
        SourceText("t.map", '{\n"classname" "worldspawn"\n' + BOX.replace("0 1 1", "0 0 0") + "}")
    )
    assert world.brushes[0].faces[0].scale == (1.0, 1.0)
