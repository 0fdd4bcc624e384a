"""What has a file's name and is none: a pipe, from which a read would never return, a folder, a device."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.pipeline import container, importer
from engine.pipeline.batch import Order, Result, cook_one
from engine.pipeline.files import read_file
from engine.pipeline.library import AssetLibrary, find_sources
from engine.source import Diagnostic
from tests.pipeline.formats import obj
from tests.pipeline.formats.figure import Figure
from tests.pipeline.gltf_writer import Gltf, quad

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="pipes have no names there"),
    pytest.mark.skipif(not importer.available(), reason="no libassimp here"),
    pytest.mark.usefixtures("in_time"),
]

Put = Callable[[Path], None]


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.fixture(params=[os.mkfifo, Path.mkdir, _device], ids=["pipe", "folder", "device"])
def put(request: pytest.FixtureRequest) -> Put:
    made: Put = request.param
    return made


def _painted(uri: str) -> Gltf:
    gltf = Gltf()
    gltf.add("textures", source=0)
    gltf.add("images", uri=uri)
    gltf.add("materials", name="cloth", pbrMetallicRoughness={"baseColorTexture": {"index": 0}})
    mesh = quad(gltf, TEXCOORD_0=gltf.accessor([[0, 1], [1, 1], [1, 0], [0, 0]], "VEC2"))
    gltf.document["meshes"][mesh]["primitives"][0]["material"] = 0
    gltf.node("body", mesh=mesh)
    return gltf


def _home(root: Path) -> Path:
    home = root / "models" / "thing"
    home.mkdir(parents=True)
    return home


def _cook(root: Path) -> Result:
    (source,) = find_sources([root], root / "cache").values()
    cook_one(Order(source))
    return cook_one(Order(source))  # which looks whether that one is current


def test_a_read_returns(tmp_path: Path, put: Put) -> None:
    put(tmp_path / "a")
    with pytest.raises(OSError, match=r"no file|directory"):
        read_file(tmp_path / "a")
    with pytest.raises(OSError, match=r"no file|directory"):
        container.read_meta(tmp_path / "a")


def test_a_sidecar(tmp_path: Path, put: Put) -> None:
    """Also beside a source that was cooked without one, which serves meanwhile."""
    home = _home(tmp_path)
    source = _painted("data:image/png;base64,").write(home / "thing.glb")
    assert _cook(tmp_path).outcome == "current"
    put(home / "thing.toml")
    result = _cook(tmp_path)
    assert result.outcome == "failed"
    (fault,) = result.diagnostics
    assert fault.code == "unreadable-file"
    assert "its settings cannot be read: " in fault.message
    told: list[Diagnostic] = []
    library = AssetLibrary([tmp_path], tmp_path / "cache", told.append)
    assert library.has_model("thing")
    assert "unreadable-file" in [d.code for d in told]
    assert source.is_file()


def test_a_texture_of_the_source(tmp_path: Path, put: Put) -> None:
    home = _home(tmp_path)
    _painted("t.png").write(home / "thing.glb")
    put(home / "t.png")
    result = _cook(tmp_path)
    assert result.outcome == "current"
    assert (
        {"missing-texture"}
        <= {d.code for d in result.diagnostics}
        <= {"missing-texture", "missing-file", "outside-file"}
    )


def test_a_texture_of_the_sidecar(tmp_path: Path, put: Put) -> None:
    home = _home(tmp_path)
    _painted("data:image/png;base64,").write(home / "thing.glb", '[materials.cloth]\ntexture = "t.png"\n')
    put(home / "t.png")
    assert "texture `t.png` of material `cloth` cannot be found" in str(_cook(tmp_path).diagnostics)


def test_a_file_that_a_source_of_another_format_names(tmp_path: Path, put: Put) -> None:
    home = _home(tmp_path)
    (home / "thing.obj").write_bytes(obj.document(Figure()))
    put(home / "thing.mtl")
    assert _cook(tmp_path).outcome == "current"


def test_a_cooked_file(tmp_path: Path, put: Put) -> None:
    _painted("data:image/png;base64,").write(_home(tmp_path) / "thing.glb")
    (tmp_path / "cooked").mkdir()
    put(tmp_path / "cooked" / "thing.ntk")
    assert _cook(tmp_path).outcome == "current"
    assert AssetLibrary([tmp_path], tmp_path / "cache").has_model("thing")


def test_the_names_of_sounds(tmp_path: Path, put: Put) -> None:
    (tmp_path / "sounds").mkdir()
    put(tmp_path / "sounds" / "sounds.toml")
    told: list[Diagnostic] = []
    AssetLibrary([tmp_path], tmp_path / "cache", told.append)
    assert [d.code for d in told] == ["unreadable-file"]
