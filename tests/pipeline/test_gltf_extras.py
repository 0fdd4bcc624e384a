"""glTF beyond the plain: extensions, sets of texture coordinates, and what libassimp would refuse in its own words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.pipeline import importer
from engine.pipeline.cook import cook
from engine.pipeline.placeholder import checker_png
from engine.source import DiagnosticError
from tests.pipeline.conftest import CookIt
from tests.pipeline.gltf_writer import Gltf, quad, strip, turn

pytestmark = pytest.mark.skipif(not importer.available(), reason="no libassimp here")

ONE = [[0, 1], [1, 1], [1, 0], [0, 0]]
OTHER = [[0, 0.5], [0.5, 0.5], [0.5, 0], [0, 0]]


def _refused(tmp_path: Path, gltf: Gltf) -> list[tuple[str, str]]:
    path = tmp_path / "a.glb"
    path.write_bytes(gltf.glb())
    with pytest.raises(DiagnosticError) as caught:
        cook(path)
    return [(d.code, d.message) for d in caught.value.diagnostics]


@pytest.mark.parametrize(
    "name",
    [
        "KHR_texture_transform",
        "EXT_mesh_gpu_instancing",
        "KHR_materials_pbrSpecularGlossiness",
        "EXT_texture_webp",
        "KHR_draco_mesh_compression",
        "FOO_bar",
    ],
)
def test_a_needed_extension_that_is_not_read_is_refused_by_name(tmp_path: Path, name: str) -> None:
    gltf = strip()
    gltf.document["extensionsRequired"] = ["KHR_materials_unlit", name, "FOO_two"]
    assert _refused(tmp_path, gltf) == [
        ("unsupported-source", f"needs the extension {name}"),
        ("unsupported-source", "needs the extension FOO_two"),
    ]


@pytest.mark.parametrize(
    "name",
    ["KHR_materials_unlit", "KHR_lights_punctual", "KHR_materials_emissive_strength", "KHR_materials_ior"],
)
def test_a_needed_extension_without_which_a_model_is_the_same_is_fine(cook_it: CookIt, name: str) -> None:
    gltf = strip()
    gltf.document["extensionsRequired"] = [name]
    assert cook_it(gltf).diagnostics == ()


def test_an_extension_that_is_only_used_is_not_needed(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.document["extensionsUsed"] = ["FOO_bar"]
    assert cook_it(gltf).diagnostics == ()


@pytest.mark.parametrize("value", [3, [3], [["a"]], {"a": 1}])
def test_extensions_that_are_no_names(tmp_path: Path, value: Any) -> None:
    gltf = strip()
    gltf.document["extensionsRequired"] = value
    ((code, message),) = _refused(tmp_path, gltf)
    assert code == "bad-source"
    assert "`extensionsRequired` is not a list of names" in message


# Sets of texture coordinates ------------------------------------------------------------------------------


def _painted(slot: dict[str, Any], meshes: int = 1, **sets: list[list[float]]) -> Gltf:
    gltf = Gltf()
    gltf.add("textures", source=0)
    gltf.add("images", bufferView=gltf.view(checker_png()), mimeType="image/png")
    gltf.add("materials", name="Cloth", pbrMetallicRoughness={"baseColorTexture": {"index": 0, **slot}})
    for number in range(meshes):
        mesh = quad(gltf, **{name: gltf.accessor(values, "VEC2") for name, values in sets.items()})
        gltf.document["meshes"][mesh]["primitives"][0]["material"] = 0
        gltf.node(f"body{number}", mesh=mesh)
    return gltf


def _uvs(result: Any) -> list[list[float]]:
    """By corner, in the order of the source, whatever libassimp's is."""
    mesh = result.model.meshes[0]
    order = [(0, 0), (1, 0), (1, 1), (0, 1)]
    places = {tuple(np.rint(p[1:] / p[1:].max()).astype(int) if p[1:].any() else (0, 0)): n for n, p in enumerate(
        mesh.positions / mesh.positions.max()
    )}  # fmt: skip
    return [[float(v) for v in mesh.uvs[places[corner]]] for corner in order]


@pytest.mark.parametrize(
    ("wanted", "sets", "uvs"),
    [
        (0, {"TEXCOORD_0": ONE, "TEXCOORD_1": OTHER}, ONE),
        (1, {"TEXCOORD_0": ONE, "TEXCOORD_1": OTHER}, OTHER),
        (1, {"TEXCOORD_1": OTHER}, OTHER),
        (3, {"TEXCOORD_0": ONE, "TEXCOORD_1": ONE, "TEXCOORD_2": ONE, "TEXCOORD_3": OTHER}, OTHER),
    ],
)
def test_a_picture_lies_by_the_set_that_its_material_names(
    cook_it: CookIt, wanted: int, sets: dict[str, list[list[float]]], uvs: list[list[float]]
) -> None:
    result = cook_it(_painted({"texCoord": wanted}, **sets))
    assert result.diagnostics == ()
    assert np.allclose(_uvs(result), uvs)


@pytest.mark.parametrize(
    ("wanted", "sets", "uvs"),
    [
        (1, {"TEXCOORD_0": ONE}, ONE),
        (2, {"TEXCOORD_0": ONE, "TEXCOORD_1": OTHER}, ONE),
        (0, {}, [[0, 0]] * 4),
    ],
)
def test_a_set_that_is_not_there_is_one_warning(
    cook_it: CookIt, wanted: int, sets: dict[str, list[list[float]]], uvs: list[list[float]]
) -> None:
    result = cook_it(_painted({"texCoord": wanted}, meshes=3, **sets))
    (warning,) = result.diagnostics
    assert (warning.code, warning.severity) == ("bad-material", "warning")
    assert f"material `Cloth` lies by texture coordinates {wanted}" in warning.message
    assert np.allclose(_uvs(result), uvs)


@pytest.mark.parametrize("wanted", ["x", -1, 1.5, None])
def test_a_set_that_has_no_number(tmp_path: Path, wanted: Any) -> None:
    ((code, _),) = _refused(tmp_path, _painted({"texCoord": wanted}, TEXCOORD_0=ONE))
    assert code == "bad-source"


@pytest.mark.parametrize(
    ("transform", "codes"),
    [
        ({"scale": [4, 4]}, ["bad-material"]),
        ({"rotation": 1}, ["bad-material"]),
        ({"offset": [0, 0]}, []),
        ({}, []),
    ],
)
def test_a_picture_that_is_moved_is_told(
    cook_it: CookIt, transform: dict[str, Any], codes: list[str]
) -> None:
    gltf = _painted({"extensions": {"KHR_texture_transform": transform}}, TEXCOORD_0=ONE)
    assert cook_it(gltf).codes == codes


# What libassimp would refuse in words of its own ------------------------------------------------------------


def test_curves_of_the_wrong_numbers_are_told_by_animation_and_node(tmp_path: Path) -> None:
    for path, values in (("scale", [turn("x", 0)] * 2), ("rotation", [[0, 0, 1]] * 2)):
        gltf = strip()
        gltf.clip(
            "bend", (1, path, [0, 1], [[0.0, 0.0, 0.0, 1.0]] * 2 if path == "rotation" else [[1, 1, 1]] * 2)
        )
        output = gltf.document["animations"][0]["samplers"][0]
        output["output"] = gltf.accessor(values, "VEC4" if path == "scale" else "VEC3")
        ((code, message),) = _refused(tmp_path, gltf)
        assert code == "bad-source"
        assert f"animation `bend` moves {path} of node `upper` by VEC" in message


def test_a_channel_of_something_else_is_left_out(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.clip(
        "bend", (1, "rotation", [0, 1], [turn("x", 0), turn("x", 40)]), (0, "scale", [0, 1], [[1, 1, 1]] * 2)
    )
    gltf.document["animations"][0]["channels"][1]["target"]["path"] = "color"
    result = cook_it(gltf)
    assert result.codes == ["bad-clip"]
    assert "animation `bend` moves `color`" in result.diagnostics[0].message
    assert result.clips["bend"].bones == ("upper",)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda p: p["attributes"].pop("POSITION"), "mesh 0 (`body`) has no positions"),
        (lambda p: p.update(mode=7), "mesh 0 (`body`) is drawn in mode 7"),
        (lambda p: p.update(mode="4"), "mesh 0 (`body`) is drawn in mode '4'"),
    ],
)
def test_meshes_that_cannot_be_drawn_are_told_by_node(tmp_path: Path, change: Any, said: str) -> None:
    gltf = strip()
    change(gltf.document["meshes"][0]["primitives"][0])
    ((code, message),) = _refused(tmp_path, gltf)
    assert code == "bad-source"
    assert said in message
