"""Models of Total Annihilation: pieces, polygons, colours, and files that are damaged."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine.anim.pose import model_matrices
from engine.cob.pieces import Piece as ScriptPiece
from engine.pipeline.cook import cook
from engine.pipeline.faults import Faults
from engine.pipeline.library import AssetLibrary
from engine.pipeline.model import Model
from engine.pipeline.placeholder import checker_png
from engine.pipeline.threedo import MAX_OBJECTS, read_3do
from engine.source import Diagnostic, DiagnosticError
from engine.world.units import pose_of
from tests.pipeline.threedo_writer import Piece, Polygon, box, tank, write

Put = Callable[..., Model]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Lay a model into an asset folder, with files beside it, and load it as the game does."""

    def make(root: Piece, found: list[Diagnostic] | None = None, **beside: bytes) -> Model:
        folder = tmp_path / "models" / "tank"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "tank.3do").write_bytes(write(root))
        for name, data in beside.items():
            (folder / name.replace("__", ".")).write_bytes(data)
        told = found if found is not None else []
        return AssetLibrary([tmp_path], tmp_path / "cache", told.append).model("tank")

    return make


def scene(data: bytes) -> object:
    return read_3do(data, lambda name: None, Faults("x.3do"))


def test_pieces_are_bones_in_the_order_of_the_file(put: Put) -> None:
    model = put(tank())
    assert model.skeleton.names == ("hull", "turret", "barrel", "flare", "lamp")
    assert list(model.skeleton.parents) == [-1, 0, 1, 2, 0]


def test_the_front_looks_along_x_and_the_files_x_is_left(put: Put) -> None:
    model = put(tank())
    rest = model_matrices(model.skeleton.rest[None], model.skeleton)[0][:, :, 3]
    places = {name: tuple(map(float, rest[bone])) for name, bone in model.skeleton.index.items()}
    assert places["turret"] == pytest.approx((-2, 0, 8), abs=1e-4)
    assert places["barrel"] == pytest.approx((10, 0, 11), abs=1e-4)
    assert places["flare"] == pytest.approx((30, 0, 11), abs=1e-4)
    assert places["lamp"] == pytest.approx((0, 9, 8), abs=1e-4)


def test_polygons_look_outwards(put: Put) -> None:
    for mesh in put(tank()).meshes:
        for a, b, c in mesh.indices:
            corner = mesh.positions[a]
            normal = np.cross(mesh.positions[b] - corner, mesh.positions[c] - corner)
            assert normal @ mesh.normals[a] > 0
            assert np.linalg.norm(mesh.normals[a]) == pytest.approx(1)
    single = put(box("hull", (10.0, 8.0, 14.0)))
    (mesh,) = single.meshes
    middle = (mesh.positions.min(axis=0) + mesh.positions.max(axis=0)) / 2
    for a, _, _ in mesh.indices:
        assert (mesh.positions[a] - middle) @ mesh.normals[a] > 0
    assert len(mesh.indices) == 12
    assert single.bounds == ((-14, -10, 0), (14, 10, 8))


def test_the_plate_to_click_on_and_lines_are_not_shown(put: Put) -> None:
    root = tank()
    root.polygons += [Polygon([0, 1]), Polygon([0]), Polygon([0, 0, 0])]
    (low, high) = put(root).bounds
    assert low[1] == pytest.approx(-10, abs=1e-4)
    assert high[1] == pytest.approx(10, abs=1e-4)


def test_polygons_of_many_corners_are_fans(put: Put) -> None:
    ring = [(np.cos(a) * 5, 0.0, np.sin(a) * 5) for a in np.linspace(0, 2 * np.pi, 7)[:-1]]
    plate = Piece(
        "plate", points=[(float(x), y, float(z)) for x, y, z in ring], polygons=[Polygon([*range(6)])]
    )
    (mesh,) = put(plate).meshes
    assert len(mesh.indices) == 4
    area = 0.0
    for a, b, c in mesh.positions[mesh.indices]:
        area += float(np.linalg.norm(np.cross(b - a, c - a))) / 2
    assert area == pytest.approx(3 * 3**0.5 / 2 * 25, rel=1e-4)


def test_colours_come_from_a_palette_beside_the_model(put: Put) -> None:
    root = box("hull", (4.0, 4.0, 4.0))
    root.polygons[0].color = 3
    plain = put(root)
    assert {m.name for m in plain.materials} == {"color_3", "color_17"}
    palette = b"".join(bytes([i, 255 - i, 0, 0]) for i in range(256))
    given = put(root, palette__pal=palette)
    color = {m.name: m.color for m in given.materials}["color_3"]
    assert color == pytest.approx(((3 / 255) / 12.92, ((252 / 255 + 0.055) / 1.055) ** 2.4, 0, 1), abs=1e-5)
    told: list[Diagnostic] = []
    put(root, told, palette__pal=b"short")
    assert [d.code for d in told] == ["bad-palette"]


def test_textures_are_pictures_beside_the_model(put: Put) -> None:
    root = box("hull", (4.0, 4.0, 4.0))
    root.polygons[0].texture = "Plate"
    told: list[Diagnostic] = []
    assert put(root, told).textures == ()
    assert [(d.code, d.severity) for d in told] == [("missing-texture", "warning")]
    told.clear()
    model = put(root, told, plate__png=checker_png())
    assert told == []
    assert model.textures == (checker_png(),)
    textured = next(m for m in model.meshes if model.materials[m.material].texture is not None)
    assert sorted(map(tuple, textured.uvs.tolist())) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_a_unit_script_moves_its_pieces(put: Put) -> None:
    """The names of pieces are compared without regard to case, so `turret` finds `Turret`."""
    model = put(tank())
    turret = ScriptPiece("turret")
    turret.axes[1].turn_now(16384)
    local = pose_of(model.skeleton, [(turret, model.skeleton.index["turret"])])
    places = model_matrices(local[None], model.skeleton)[0][:, :, 3]
    assert tuple(map(float, places[model.skeleton.index["flare"]])) == pytest.approx((-2, 32, 11), abs=1e-3)


# ---- damage -------------------------------------------------------------------------------------------


def refusal(data: bytes) -> str:
    with pytest.raises(DiagnosticError) as caught:
        scene(data)
    (found,) = caught.value.diagnostics
    assert found.code == "bad-3do"
    return found.message


def codes_of(data: bytes) -> list[str]:
    """What is said when a file is refused; empty when it is read."""
    try:
        scene(data)
    except DiagnosticError as error:
        return [d.code for d in error.diagnostics]
    return []


def patched(at: int, value: int) -> bytes:
    data = bytearray(write(tank()))
    struct.pack_into("<i", data, at, value)
    return bytes(data)


@pytest.mark.parametrize(
    ("at", "value", "said"),
    [
        (0, 2, "version 2"),
        (4, 10**9, "the vertices"),
        (4, -1, "the vertices"),
        (8, 10**9, "the polygons"),
        (28, 10**9, "name of a object"),
        (36, -5, "the vertices"),
        (40, 2**31 - 1, "the polygons"),
        (44, 8, "the root object has a sibling"),
        (48, 2**31 - 1, "the object"),
        (48, 4, "version"),
    ],
)
def test_each_word_of_an_object_is_checked(at: int, value: int, said: str) -> None:
    assert said in refusal(patched(at, value))


def test_a_cycle_is_refused() -> None:
    data = bytearray(write(Piece("a", children=[Piece("b", children=[Piece("c")])])))
    first_child = struct.unpack_from("<i", data, 48)[0]
    second = struct.unpack_from("<i", data, first_child + 48)[0]
    struct.pack_into("<i", data, second + 48, first_child)
    assert "cycle" in refusal(bytes(data))


def test_too_much_is_refused() -> None:
    crowd = Piece("root", children=[Piece(f"p{i}") for i in range(300)])
    assert len(read_3do(write(crowd), lambda name: None, Faults("x.3do")).nodes) == 301
    chain = bytearray()
    for i in range(MAX_OBJECTS + 1):
        at = len(chain)
        words = (1, 0, 0, -1, 0, 0, 0, at + 52, 0, 0, 0, 0, at + 56 if i < MAX_OBJECTS else 0)
        chain += struct.pack("<13i", *words) + b"a\0\0\0"
    assert f"more than {MAX_OBJECTS}" in refusal(bytes(chain))
    wide = Piece("a", points=[(0.0, 0.0, 0.0)], polygons=[Polygon([0] * 300)])
    assert "300 corners" in refusal(write(wide))
    lost = Piece("a", points=[(0.0, 0.0, 0.0)], polygons=[Polygon([0, 0, 9])])
    assert "vertex 9 of piece 'a', which has 1" in refusal(write(lost))


def test_damaged_files_are_read_or_refused() -> None:
    pick, whole, read = random.Random(4), write(tank()), 0
    for _ in range(500):
        data = bytearray(whole)
        for _ in range(pick.randint(1, 4)):
            at = pick.randrange(len(data) // 4) * 4
            value = pick.choice((0, 1, -1, 2**31 - 1, -(2**31), pick.randrange(len(data)), 52))
            struct.pack_into("<i", data, at, value)
        if pick.random() < 0.2:
            del data[pick.randrange(len(data)) :]
        codes = codes_of(bytes(data))
        assert codes == [] or codes[-1] == "bad-3do"
        read += not codes
    assert read > 50


def test_a_damaged_file_is_told_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "tank.3do"
    path.write_bytes(write(tank())[:200])
    with pytest.raises(DiagnosticError) as caught:
        cook(path)
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert found.span.path.endswith("tank.3do")
