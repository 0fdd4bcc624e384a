"""Each promised format: a figure with a skeleton, weights and a clip goes in, and stands and moves as it should."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.pipeline import assimp_layout, container, importer
from engine.pipeline.collada import joints_first
from engine.pipeline.convert import Converted, convert
from engine.pipeline.cook import Cooked, cook, is_current, source_hash
from engine.pipeline.packing import unpack
from engine.pipeline.placeholder import checker_png
from engine.pipeline.settings import survey_settings
from engine.source import DiagnosticError
from tests.pipeline.conftest import posed
from tests.pipeline.formats import bvh, dae, directx, fbx, md5, obj
from tests.pipeline.formats.exporter import export
from tests.pipeline.formats.figure import METRE, Figure, engine_points
from tests.pipeline.gltf_writer import Gltf, quad, strip, turn

pytestmark = pytest.mark.skipif(not importer.available(), reason="no libassimp here")

OLD = importer.available() and importer.library().variant.quat_key is assimp_layout.OldQuatKey
"""libassimp before 5.4."""

FIGURE = Figure()
NAMES = ("hips", "spine", "arm", "tip")


def cooked(folder: Path, name: str, files: dict[str, bytes], sidecar: str = "") -> tuple[Cooked, Converted]:
    """Write the files, cook the one called `name`, and read the result back."""
    for file, data in files.items():
        (folder / file).write_bytes(data)
    path = folder / name
    path.with_suffix(".toml").write_text(sidecar)
    found = cook(path)
    return found, unpack(container.from_buffer(container.to_bytes(found.meta, found.arrays)))


@dataclass
class Case:
    name: str
    files: dict[str, bytes]
    sidecar: str = ""
    clip: str = "move"
    tolerance: float = 0.02
    """Inches, on a figure of 67."""


def _one(name: str, data: bytes, sidecar: str = "", clip: str = "move") -> Case:
    return Case(name, {name: data}, sidecar, clip)


CASES = {
    "fbx text": _one("thing.fbx", fbx.to_text(fbx.document(FIGURE))),
    "fbx binary": _one("thing.fbx", fbx.to_bytes(fbx.document(FIGURE))),
    "fbx in metres": _one("thing.fbx", fbx.to_bytes(fbx.document(FIGURE, unit=100.0))),
    "fbx under an armature scaled by 100": _one(
        "thing.fbx", fbx.to_bytes(fbx.document(FIGURE, armature=100.0))
    ),
    "fbx with z up": _one("thing.fbx", fbx.to_bytes(fbx.document(FIGURE, up="z"))),
    "fbx with turns before the turn": _one("thing.fbx", fbx.to_bytes(fbx.document(FIGURE, before=True))),
    "collada": _one("thing.dae", dae.document(FIGURE)),
    "collada in centimetres": _one("thing.dae", dae.document(FIGURE, unit=0.01)),
    "collada with z up": _one("thing.dae", dae.document(FIGURE, up="Z_UP")),
    "collada with a bone and its armature of one name": _one(
        "thing.dae", dae.document(FIGURE, armature="hips")
    ),
    "x": _one("thing.x", directx.document(FIGURE)),
    "x with a thousand ticks a second": _one("thing.x", directx.document(FIGURE, ticks=1000)),
    "x without a rate of ticks": _one("thing.x", directx.document(FIGURE, ticks=0)),
    "md5": Case(
        "thing.md5mesh",
        {"thing.md5mesh": md5.mesh(FIGURE), "thing.md5anim": md5.animation(FIGURE)},
        clip="thing",
    ),
}


@pytest.mark.parametrize("label", CASES)
def test_the_figure_stands_and_moves(label: str, tmp_path: Path) -> None:
    case = CASES[label]
    found, content = cooked(tmp_path, case.name, case.files, case.sidecar)
    model = content.model
    assert model is not None
    assert model.skeleton.names == NAMES
    assert list(model.skeleton.parents) == [-1, 0, 1, 2]
    _same_points(posed(model), FIGURE.vertices(), case.tolerance)
    (clip,) = content.clips
    assert clip.name == case.clip
    assert set(clip.bones) >= {"hips", "spine", "arm"}
    assert (clip.length, clip.frames) == (pytest.approx(1.0, abs=1e-5), 31)
    if OLD and label == "fbx with turns before the turn":
        assert "before 5.4" in found.diagnostics[0].message
        return
    for key, frame in enumerate((0, 15, 30)):
        _same_points(posed(model, clip, frame), FIGURE.vertices(key), case.tolerance)


@pytest.mark.parametrize("label", [label for label in CASES if label != "x without a rate of ticks"])
def test_corners_and_uvs_belong_together(label: str, tmp_path: Path) -> None:
    """Readers sort vertices anew; each triangle is there once, facing as before, with the uvs of its corners."""
    case = CASES[label]
    _, content = cooked(tmp_path, case.name, case.files, case.sidecar)
    assert content.model is not None
    (mesh,) = content.model.meshes
    points = posed(content.model)
    found = {_triangle(points[list(corners)], mesh.uvs[list(corners)]) for corners in mesh.indices}
    rest = FIGURE.vertices()
    wanted = {_triangle(rest[list(t)], FIGURE.uvs[list(t)]) for t in FIGURE.triangles}
    assert found == wanted


def _triangle(points: np.ndarray, uvs: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """Its corners to a tenth of an inch, the lowest first, in their order around."""
    rows = np.round(np.concatenate([points, uvs], axis=1).astype(np.float64) * [10, 10, 10, 100, 100])
    corners = [tuple(float(v) + 0.0 for v in row) for row in rows]
    first = corners.index(min(corners))
    return tuple(corners[first:] + corners[:first])


def _same_points(found: np.ndarray, wanted: np.ndarray, tolerance: float) -> None:
    """The same places, in whatever order, each at least once."""
    distances = np.linalg.norm(found[:, None] - wanted[None], axis=-1)
    assert distances.min(axis=1).max() < tolerance
    assert distances.min(axis=0).max() < tolerance


# Clips in files of their own ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["walk.bvh", "walk.md5anim"])
def test_a_file_of_motion_brings_a_clip_and_no_model(name: str, tmp_path: Path) -> None:
    """It is called as its file and moves the bones of those names, here those of a figure in another format."""
    data = bvh.document(FIGURE) if name.endswith(".bvh") else md5.animation(FIGURE)
    model = cooked(tmp_path, "thing.fbx", {"thing.fbx": fbx.to_bytes(fbx.document(FIGURE))})[1].model
    found, content = cooked(tmp_path, name, {name: data})
    assert content.model is None
    assert found.diagnostics == ()
    (clip,) = content.clips
    assert (clip.name, clip.frames) == ("walk", 31)
    assert model is not None
    if name.endswith(".bvh"):  # the bones of the other have axes of their own
        for key, frame in enumerate((0, 15, 30)):
            _same_points(posed(model, clip, frame), FIGURE.vertices(key), 0.05)


def test_bvh_can_be_scaled(tmp_path: Path) -> None:
    sidecar = 'unit = "in"\n[clips.walk]\nname = "walk_slowly"\nroot_motion = true\n'
    _, content = cooked(tmp_path, "walk.bvh", {"walk.bvh": bvh.document(FIGURE, scale=1.0)}, sidecar)
    (clip,) = content.clips
    assert clip.name == "walk_slowly"
    assert clip.delta is not None
    assert clip.delta[-1, 0] == pytest.approx(0.6, abs=1e-4)


def test_md5_text_with_either_line_end(tmp_path: Path) -> None:
    files = {"a.md5mesh": md5.mesh(FIGURE), "a.md5anim": md5.animation(FIGURE)}
    plain = cooked(tmp_path, "a.md5mesh", files)[0]
    other = cooked(tmp_path, "a.md5mesh", {k: v.replace(b"\n", b"\r\n") for k, v in files.items()})[0]
    assert {k: v.tobytes() for k, v in plain.arrays.items()} == {
        k: v.tobytes() for k, v in other.arrays.items()
    }


# Formats without bones ------------------------------------------------------------------------------------


def test_obj_is_a_prop(tmp_path: Path) -> None:
    found, content = cooked(
        tmp_path, "thing.obj", {"thing.obj": obj.document(FIGURE), "thing.mtl": obj.material()}
    )
    model = content.model
    assert model is not None
    assert model.skeleton.names == ("root",)
    assert content.clips == found.diagnostics == ()
    _same_points(posed(model), engine_points(FIGURE.positions), 0.02)
    (mesh,) = model.meshes
    material = model.materials[mesh.material]
    assert material.name == "cloth"
    assert material.color == pytest.approx((0.5, 0.25, 1, 1))


@pytest.mark.parametrize("kind", ["stl", "stlb", "ply", "plyb", "x", "collada", "obj"])
def test_props_written_by_libassimp(kind: str, tmp_path: Path) -> None:
    """A board of a metre and its foot; the exporters of these keep no bones."""
    gltf = Gltf()
    gltf.node("board", mesh=quad(gltf), translation=[0, 1, 2])
    gltf.node("foot", mesh=quad(gltf, 0.5))
    ending = {"stlb": "stl", "plyb": "ply", "collada": "dae"}.get(kind, kind)
    name = f"thing.{ending}"
    _, content = cooked(tmp_path, name, {name: export(gltf.glb(), kind)[""]})
    assert content.model is not None
    assert content.model.skeleton.names == ("root",)
    low, high = np.array(content.model.bounds)
    size = np.sort(high - low)
    assert size == pytest.approx(np.array([1.0, 2.0, 2.0]) * METRE, abs=0.01)


@pytest.mark.skipif(OLD, reason="its exporter of FBX writes what it cannot read")
def test_a_skeleton_written_by_libassimp_as_fbx(tmp_path: Path) -> None:
    gltf = strip()
    gltf.clip("bend", (1, "rotation", [0, 0.5, 1], [turn("x", angle) for angle in (0, 40, 0)]))
    _, content = cooked(tmp_path, "thing.fbx", {"thing.fbx": export(gltf.glb(), "fbx")[""]}, 'unit = "m"\n')
    assert content.model is not None
    assert content.model.skeleton.names == ("lower", "upper")
    (clip,) = content.clips
    assert clip.bones == ("upper",)
    assert 2 * np.degrees(np.arccos(clip.rows[15, 3, 0])) == pytest.approx(40, abs=0.01)


# Files beside the source ----------------------------------------------------------------------------------


TEXTURED = {
    "fbx": ("thing.fbx", lambda name: {"thing.fbx": fbx.to_bytes(fbx.document(FIGURE, texture=name))}),
    "collada": (
        "thing.dae",
        lambda name: {"thing.dae": dae.document(FIGURE, texture=name.replace(" ", "%20"))},
    ),
    "x": ("thing.x", lambda name: {"thing.x": directx.document(FIGURE, texture=name)}),
    "obj": ("thing.obj", lambda name: {"thing.obj": obj.document(FIGURE), "thing.mtl": obj.material(name)}),
}


@pytest.mark.parametrize("label", TEXTURED)
def test_textures_with_awkward_names(label: str, tmp_path: Path) -> None:
    source, files = TEXTURED[label]
    picture = checker_png() + b"mine"
    found, content = cooked(tmp_path, source, {"Green cloth.png": picture, **files("Green cloth.png")})
    assert found.diagnostics == ()
    assert content.model is not None
    assert content.model.textures == (picture,)
    assert "Green cloth.png" in found.meta["used"]


@pytest.mark.parametrize(
    "name", ["green CLOTH.PNG", "C:\\art\\Green cloth.png", "../elsewhere/Green cloth.png"]
)
def test_textures_named_as_another_machine_has_them(name: str, tmp_path: Path) -> None:
    picture = checker_png() + b"mine"
    files = {"thing.x": directx.document(FIGURE, texture=name.replace("\\", "\\\\"))}
    _, content = cooked(tmp_path, "thing.x", {"Green cloth.png": picture, **files})
    assert content.model is not None
    assert content.model.textures == (picture,)


def test_a_missing_texture_is_a_checker(tmp_path: Path) -> None:
    found, content = cooked(tmp_path, "thing.x", {"thing.x": directx.document(FIGURE, texture="none.png")})
    assert content.model is not None
    assert content.model.textures == (checker_png(),)
    assert [d.code for d in found.diagnostics] == ["missing-texture"]
    assert "`cloth`" in found.diagnostics[0].message


def test_a_change_of_a_file_beside_makes_the_cooked_one_stale(tmp_path: Path) -> None:
    found, _ = cooked(tmp_path, "thing.obj", {"thing.obj": obj.document(FIGURE), "thing.mtl": obj.material()})
    source = tmp_path / "thing.obj"
    assert is_current(found.meta, source, source_hash(source))
    (tmp_path / "thing.mtl").write_bytes(obj.material() + b"d 0.5\n")
    assert not is_current(found.meta, source, source_hash(source))


@pytest.mark.parametrize("name", ["thing.obj", "thing.x"])
def test_a_change_of_a_file_beside_while_it_is_cooked_counts(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = {"thing.obj": obj.document(FIGURE), "thing.x": directx.document(FIGURE, texture="thing.png")}
    beside = tmp_path / {"thing.obj": "thing.mtl", "thing.x": "thing.png"}[name]
    beside.write_bytes(obj.material() if name == "thing.obj" else checker_png())

    def slow(*args: Any) -> Any:
        converted = convert(*args)
        beside.write_bytes(beside.read_bytes() + b"\n")
        return converted

    monkeypatch.setattr("engine.pipeline.cook.convert", slow)
    found, _ = cooked(tmp_path, name, {name: sources[name]})
    source = tmp_path / name
    assert not is_current(found.meta, source, source_hash(source))


def test_settings_that_are_saved_while_they_are_read_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, sidecar = tmp_path / "thing.obj", tmp_path / "thing.toml"
    sidecar.write_text("scale = 2.0\n")
    saves = iter(["scale = 3.0\n"])

    def survey(path: Path, shown: str | None = None) -> Any:
        found = survey_settings(path, shown)
        for text in saves:
            sidecar.write_text(text)
        return found

    monkeypatch.setattr("engine.pipeline.cook.survey_settings", survey)
    found, _ = cooked(tmp_path, "thing.obj", {"thing.obj": obj.document(FIGURE), "thing.mtl": obj.material()})
    assert is_current(found.meta, source, source_hash(source))
    monkeypatch.undo()
    assert cook(source).data == found.data


def test_a_file_that_comes_makes_the_cooked_one_stale(tmp_path: Path) -> None:
    found, _ = cooked(tmp_path, "thing.md5mesh", {"thing.md5mesh": md5.mesh(FIGURE)})
    source = tmp_path / "thing.md5mesh"
    assert is_current(found.meta, source, source_hash(source))
    (tmp_path / "thing.md5anim").write_bytes(md5.animation(FIGURE))
    assert not is_current(found.meta, source, source_hash(source))


def test_nothing_outside_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret.mtl").write_bytes(obj.material())
    (tmp_path / "thing").mkdir()
    data = obj.document(FIGURE, library="../secret.mtl")
    found, content = cooked(tmp_path / "thing", "thing.obj", {"thing.obj": data})
    assert [d.code for d in found.diagnostics] == ["missing-file", "importer-complaint"]
    assert found.diagnostics[0].message == "`../secret.mtl` cannot be found"
    assert content.model is not None
    assert all(material.color[:3] != pytest.approx((0.5, 0.25, 1)) for material in content.model.materials)


# What cannot be read --------------------------------------------------------------------------------------


def test_a_fault_in_a_text_has_its_line(tmp_path: Path) -> None:
    data = fbx.to_text(fbx.document(FIGURE))
    broken = data.replace(b"GeometryVersion: 124", b"GeometryVersion: {", 1)
    line = data[: data.index(b"GeometryVersion: 124")].count(b"\n") + 1
    (tmp_path / "thing.fbx").write_bytes(broken)
    with pytest.raises(DiagnosticError) as caught:
        cook(tmp_path / "thing.fbx")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "bad-source"
    assert diagnostic.span is not None
    assert diagnostic.span.line >= line


def test_what_libassimp_leaves_out_is_told(tmp_path: Path) -> None:
    """An animation layer without braces, for which it goes on without the clip."""
    text = fbx.to_text(fbx.document(FIGURE))
    at = text.index(b"AnimationLayer: ")
    brace = text.index(b"{", at)
    close = text.index(b"}", brace)
    found, content = cooked(tmp_path, "thing.fbx", {"thing.fbx": text[:brace] + text[close + 1 :]})
    assert content.clips == ()
    (complaint, *_) = found.diagnostics
    assert complaint.code == "importer-complaint"
    assert complaint.severity == "warning"
    assert complaint.span is not None
    assert complaint.span.line == text[:at].count(b"\n") + 1


def test_a_matrix_that_is_no_transform_is_told(tmp_path: Path) -> None:
    data = dae.document(FIGURE)
    at = data.index(b'sid="transform">') + 16
    end = data.index(b"</matrix>", at)
    numbers = data[at:end].split()
    numbers[15] = b"0"
    found, content = cooked(tmp_path, "thing.dae", {"thing.dae": data[:at] + b" ".join(numbers) + data[end:]})
    assert [d.code for d in found.diagnostics] == ["bad-node"]
    assert "node `hips`" in found.diagnostics[0].message
    assert content.model is not None
    _same_points(posed(content.model), FIGURE.vertices(), 0.02)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ('<node name="a"><node name="a" type="NODE" id="b"/></node>', None),
        (
            "<node id='x' name='hip' type='NODE'><node sid=\"hip\" type=\"JOINT\"/></node>",
            '<node id=\'x\' name="x" type=\'NODE\'><node sid="hip" type="JOINT"/></node>',
        ),
        (
            '<node  name="hip"><node name="hip" type="JOINT"/></node>',
            '<node  name="hip_node"><node name="hip" type="JOINT"/></node>',
        ),
        ('<node name="hip" <node type="JOINT" name="hip"', None),
        ("<node name= type='JOINT'", None),
    ],
)
def test_collada_nodes_that_are_no_joints_give_their_names_up(text: str, plain: str | None) -> None:
    assert joints_first(text.encode()) == (plain or text).encode()


def test_an_absurd_count_takes_no_memory(tmp_path: Path) -> None:
    data = bvh.document(FIGURE).replace(b"Frames: 31", b"Frames: 999999999")
    (tmp_path / "walk.bvh").write_bytes(data)
    with pytest.raises(
        DiagnosticError, match=r"more memory than a model may take|unexpected|end of|come to an end"
    ):
        cook(tmp_path / "walk.bvh")


def test_files_that_are_something_else(tmp_path: Path) -> None:
    for suffix in (".fbx", ".dae", ".x", ".md5mesh", ".bvh", ".3ds", ".ply"):
        source = tmp_path / f"thing{suffix}"
        source.write_bytes(b"this is no model, whatever its name says\n" * 3)
        with pytest.raises(DiagnosticError) as caught:
            cook(source)
        assert [d.code for d in caught.value.diagnostics] == ["bad-source"], suffix
