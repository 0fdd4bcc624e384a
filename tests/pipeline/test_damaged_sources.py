"""Damaged and hostile glTF: one diagnostic or a usable model, never a crash and never a traceback."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.pipeline import importer
from engine.pipeline.cook import cook
from engine.source import Diagnostic, DiagnosticError
from tests.pipeline.gltf_writer import Gltf, quad, sparse_quad, strip, turn

pytestmark = pytest.mark.skipif(not importer.available(), reason="no libassimp here")


def _whole() -> bytes:
    gltf = strip()
    gltf.clip("bend", (1, "rotation", [0, 0.5, 1], [turn("x", a) for a in (0, 40, 0)], "STEP"))
    return gltf.glb()


def _cook(path: Path, data: bytes) -> list[str]:
    """Codes of what was found; a fatal fault must be among the diagnostics."""
    path.write_bytes(data)
    try:
        found = cook(path).diagnostics
    except DiagnosticError as error:
        found = error.diagnostics or (Diagnostic("no-diagnostic", ""),)
    assert all(d.message and d.span is not None for d in found)
    return [d.code for d in found]


@pytest.mark.parametrize("part", [0, 3, 11, 19, 25, 200, 0.5, 0.9, 0.999])
def test_truncated_files(tmp_path: Path, part: float) -> None:
    data = _whole()
    size = int(part * len(data)) if isinstance(part, float) else part
    assert "bad-source" in _cook(tmp_path / "a.glb", data[:size])


def test_flipped_bytes(tmp_path: Path) -> None:
    data, chance = _whole(), random.Random(1)
    for _ in range(120):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 6)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        _cook(tmp_path / "a.glb", bytes(damaged))


def test_changed_characters_of_the_text(tmp_path: Path) -> None:
    """Numbers and signs of the document exchanged: what a wrong exporter or a hand might write."""
    data, chance = _whole(), random.Random(7)
    end = 20 + int.from_bytes(data[12:16], "little")
    for _ in range(100):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            damaged[chance.randrange(20, end)] = chance.choice(b'0123456789-,[]{}":e.')
        _cook(tmp_path / "a.glb", bytes(damaged))


@pytest.mark.parametrize(
    "data",
    [
        b"hello",
        b"{}",
        b"[]",
        b"null",
        b'{"asset": 3}',
        b'{"asset": {"version": "1.0"}}',
        b"\xff" * 40,
        b"[" * 9000,
    ],
)
def test_files_that_are_something_else(tmp_path: Path, data: bytes) -> None:
    assert "bad-source" in _cook(tmp_path / "a.gltf", data)


def _edit(change) -> bytes:  # type: ignore[no-untyped-def]
    gltf = strip()
    gltf.clip("bend", (1, "rotation", [0, 0.5, 1], [turn("x", a) for a in (0, 40, 0)]))
    change(gltf.document)
    return gltf.glb()


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["skins"][0].update(joints=[0, 99]),
        lambda d: d["skins"][0].update(joints=[]),
        lambda d: d["skins"][0].update(joints=[0]),
        lambda d: d["skins"][0].update(inverseBindMatrices=0),
        lambda d: d["nodes"][2].update(mesh=5),
        lambda d: d["nodes"][2].update(skin=5),
        lambda d: d["nodes"][0].update(children=[77]),
        lambda d: d["nodes"][0].update(rotation=[0, 0]),
        lambda d: d["nodes"][0].update(matrix="x"),
        lambda d: d["scenes"][0].update(nodes=[44]),
        lambda d: d["scenes"][0].update(nodes=[]),
        lambda d: d.update(scene=7),
        lambda d: d["meshes"][0]["primitives"][0].update(indices=99),
        lambda d: d["meshes"][0]["primitives"][0].update(material=3),
        lambda d: d["meshes"][0]["primitives"][0]["attributes"].update(NORMAL=5),
        lambda d: d["accessors"][0].update(count=4_000_000),
        lambda d: d["accessors"][0].update(count=-1),
        lambda d: d["accessors"][0].update(componentType=1),
        lambda d: d["accessors"][0].update(byteOffset=10**9),
        lambda d: d["bufferViews"][0].update(byteLength=10**9),
        lambda d: d["bufferViews"][0].update(buffer=2),
        lambda d: d["animations"][0]["samplers"][0].update(input=99),
        lambda d: d["animations"][0]["channels"][0].update(sampler=9),
        lambda d: d["animations"][0]["channels"][0]["target"].update(node=99),
        lambda d: d["nodes"][0].update(translation=[0, 0, 1e999]),
        lambda d: d.update(nodes={"a": 1}),
        lambda d: d.update(meshes=[3]),
    ],
)
def test_documents_that_contradict_themselves(tmp_path: Path, change) -> None:  # type: ignore[no-untyped-def]
    assert "bad-source" in _cook(tmp_path / "a.glb", _edit(change))


def test_a_skin_without_bind_matrices_is_fine(tmp_path: Path) -> None:
    assert _cook(tmp_path / "a.glb", _edit(lambda d: d["skins"][0].pop("inverseBindMatrices"))) == []


def test_positions_that_are_no_numbers(tmp_path: Path) -> None:
    gltf = Gltf()
    mesh = quad(gltf)
    gltf.node("body", mesh=mesh)
    accessor = gltf.document["meshes"][mesh]["primitives"][0]["attributes"]["POSITION"]
    at = gltf.document["bufferViews"][gltf.document["accessors"][accessor]["bufferView"]]["byteOffset"]
    gltf.binary[at : at + 4] = b"\x00\x00\xc0\x7f"
    assert _cook(tmp_path / "a.glb", gltf.glb()) == ["bad-mesh"]


def test_an_empty_scene_names_the_remedy(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.node("nothing")
    path = tmp_path / "a.glb"
    path.write_bytes(gltf.glb())
    with pytest.raises(DiagnosticError) as caught:
        cook(path)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code in ("no-mesh", "bad-source")
    assert diagnostic.notes


def test_a_missing_source(tmp_path: Path) -> None:
    with pytest.raises(DiagnosticError, match="cannot be read: no such file"):
        cook(tmp_path / "none.glb")


@pytest.mark.parametrize(
    ("channel", "value", "codes"),
    [
        ("translation", [1e9, 0.0, 0.0], ["bad-clip"]),
        ("scale", [1e6, 1e6, 1e6], ["bad-clip"]),
        ("rotation", [0.0, 0.0, 0.0, 0.0], []),
        ("scale", [0.0, 0.0, 0.0], []),
    ],
)
def test_clips_beyond_all_measure(tmp_path: Path, channel: str, value: list[float], codes: list[str]) -> None:
    gltf = strip()
    gltf.clip("bend", (1, channel, [0, 1], [value, value]))
    assert _cook(tmp_path / "a.glb", gltf.glb()) == codes


def test_a_skeleton_beyond_all_measure(tmp_path: Path) -> None:
    gltf = strip()
    gltf.document["nodes"][1]["scale"] = [1.0, 1.0, 1e8]
    assert "bad-source" in _cook(tmp_path / "a.glb", gltf.glb())


# Documents that would take for ever, or all memory ---------------------------------------------------------


def _chain(count: int) -> Gltf:
    gltf = Gltf()
    gltf.document["nodes"] = [{"name": f"n{i}", "children": [i + 1]} for i in range(count - 1)] + [
        {"name": "end"}
    ]
    gltf.document["scenes"][0]["nodes"] = [0]
    gltf.document["nodes"][-1]["mesh"] = quad(gltf)
    return gltf


def test_nodes_nested_without_end_are_refused(tmp_path: Path) -> None:
    """libassimp goes down them one call in another."""
    assert _cook(tmp_path / "a.glb", _chain(30_000).glb()) == ["bad-source"]
    assert _cook(tmp_path / "a.glb", _chain(300).glb()) == []


def test_many_nodes_of_one_name(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.document["nodes"] = [{"name": "same"} for _ in range(5_000)]
    gltf.document["scenes"][0]["nodes"] = list(range(5_000))
    gltf.document["nodes"][0]["mesh"] = quad(gltf)
    assert _cook(tmp_path / "a.glb", gltf.glb()) == []


def test_more_bones_than_anything_has(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.document["nodes"] = [{"name": "tag_same"} for _ in range(3000)]
    gltf.document["scenes"][0]["nodes"] = list(range(3000))
    gltf.document["nodes"][0]["mesh"] = quad(gltf)
    assert _cook(tmp_path / "a.glb", gltf.glb()) == ["too-many-bones"]


def test_an_accessor_without_data_is_not_as_large_as_it_says(tmp_path: Path) -> None:
    def change(document: dict) -> None:  # type: ignore[type-arg]
        document["accessors"][0].pop("bufferView")
        document["accessors"][0]["count"] = 2**31

    assert _cook(tmp_path / "a.glb", _edit(change)) == ["bad-source"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"count": 9}, "outside its view"),
        ({"indices": {"bufferView": 99, "componentType": 5123}}, "no entry 99"),
        ({"values": {"bufferView": -1}}, "no entry -1"),
        ({"count": -1}, "outside its view"),
    ],
)
def test_sparse_values_that_contradict_themselves(tmp_path: Path, change: dict, said: str) -> None:  # type: ignore[type-arg]
    gltf = sparse_quad({2: (3, 2, 1)})
    gltf.document["accessors"][0]["sparse"].update(change)
    path = tmp_path / "a.glb"
    path.write_bytes(gltf.glb())
    with pytest.raises(DiagnosticError, match=said):
        cook(path)


def test_a_sparse_place_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.glb"
    path.write_bytes(sparse_quad({4: (0, 0, 0)}).glb())
    with pytest.raises(DiagnosticError, match="changes values that it lacks"):
        cook(path)


def test_what_is_not_read_may_be_wrong(tmp_path: Path) -> None:
    def change(document: dict) -> None:  # type: ignore[type-arg]
        document["cameras"] = 7
        document["extras"] = {"a": [[[[]]]]}
        document["skins"][0]["skeleton"] = 99
        document["nodes"][0]["extras"] = {"count": -1}
        document["meshes"][0]["primitives"][0]["attributes"]["_MINE"] = 99
        document["meshes"][0]["weights"] = "x"

    assert _cook(tmp_path / "a.glb", _edit(change)) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d["accessors"][0].pop("componentType"), "`componentType` is missing"),
        (lambda d: d["skins"][0].update(joints=[0, "x"]), "wrong kind|no entry 'x'"),
        (lambda d: d["meshes"][0]["primitives"][0].update(indices=99), "accessors has no entry 99"),
        (
            lambda d: d["nodes"][1].update(translation=[0, 0, 1e999]),
            r"translation of `upper` \(node 1\) is not 3 numbers",
        ),
    ],
)
def test_contradictions_are_told_in_words(tmp_path: Path, change, said: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "a.glb"
    path.write_bytes(_edit(change))
    with pytest.raises(DiagnosticError, match=said) as caught:
        cook(path)
    assert "Error" not in caught.value.diagnostics[0].message


@pytest.mark.parametrize("place", ["translation", "scale"])
def test_a_node_beyond_all_measure_is_named(tmp_path: Path, place: str) -> None:
    gltf = strip()
    gltf.document["nodes"][1][place] = [1e30, 1.0, 1.0]
    path = tmp_path / "a.glb"
    path.write_bytes(gltf.glb())
    with pytest.raises(DiagnosticError, match="node `upper` is scaled or moved beyond all measure"):
        cook(path)


def test_a_bind_matrix_beyond_all_measure_is_named(tmp_path: Path) -> None:
    gltf = strip()
    accessor = gltf.document["accessors"][gltf.document["skins"][0]["inverseBindMatrices"]]
    at = gltf.document["bufferViews"][accessor["bufferView"]]["byteOffset"]
    gltf.binary[at + 64 : at + 68] = b"\x00\x00\x80\x7f"
    path = tmp_path / "a.glb"
    path.write_bytes(gltf.glb())
    with pytest.raises(DiagnosticError, match="mesh `body` is bound to bone `upper` beyond all measure"):
        cook(path)


def test_a_name_with_line_ends_does_not_break_a_message(tmp_path: Path) -> None:
    gltf = strip()
    gltf.document["nodes"][1] |= {"name": "up\nper\x00" + "r" * 3000, "translation": [1e30, 0, 0]}
    path = tmp_path / "a.glb"
    path.write_bytes(gltf.glb())
    with pytest.raises(DiagnosticError) as caught:
        cook(path)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message.isprintable()
    assert len(diagnostic.message) < 600


def test_texture_coordinates_that_are_no_numbers(tmp_path: Path) -> None:
    gltf = Gltf()
    uvs = gltf.accessor([[0, 0], [1, 0], [1, 1], [0, 1]], "VEC2")
    mesh = quad(gltf, TEXCOORD_0=uvs)
    gltf.node("body", mesh=mesh)
    at = gltf.document["bufferViews"][gltf.document["accessors"][uvs]["bufferView"]]["byteOffset"]
    gltf.binary[at : at + 4] = b"\x00\x00\xc0\x7f"
    assert _cook(tmp_path / "a.glb", gltf.glb()) == ["bad-mesh"]


def test_an_animation_of_no_time_is_a_pose(tmp_path: Path) -> None:
    gltf = strip()
    gltf.clip("bend", (1, "translation", [0, 1e-30], [[0, 1, 0], [0, 2, 0]]))
    path = tmp_path / "a.glb"
    path.write_bytes(gltf.glb())
    assert len(cook(path).arrays["clip0.frames"]) == 1


@pytest.mark.parametrize("scale", [[1e4, 1e4, 1e-9], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
def test_a_flat_node_is_told(tmp_path: Path, scale: list[float]) -> None:
    gltf = strip()
    gltf.document["nodes"][1]["scale"] = scale
    gltf.clip("bend", (1, "rotation", [0, 1], [turn("x", 0), turn("x", 40)]))
    assert "flat-node" in _cook(tmp_path / "a.glb", gltf.glb())


@pytest.mark.parametrize("scale", [1e-4, 1e-3, 0.01, 100.0, 1e4])
def test_a_scale_is_not_flat(tmp_path: Path, scale: float) -> None:
    gltf = strip(scale=[scale] * 3)
    odd = ["odd-size"] if scale in (1e-4, 1e4) else []
    assert _cook(tmp_path / "a.glb", gltf.glb()) == odd


@pytest.mark.parametrize("mode", ["STEP", "CUBICSPLINE"])
def test_keys_that_are_no_numbers_are_told_by_animation(tmp_path: Path, mode: str) -> None:
    gltf = strip()
    keys = [[0.0, 1.0, 0.0]] * (6 if mode == "CUBICSPLINE" else 2)
    gltf.clip("bend", (1, "translation", [0, 1], keys, mode))
    accessor = gltf.document["accessors"][gltf.document["animations"][0]["samplers"][0]["output"]]
    at = gltf.document["bufferViews"][accessor["bufferView"]]["byteOffset"]
    gltf.binary[at : at + 4] = b"\x00\x00\xc0\x7f"
    path = tmp_path / "a.glb"
    path.write_bytes(gltf.glb())
    with pytest.raises(DiagnosticError, match="animation `bend` has keys that are not numbers"):
        cook(path)
