"""The glTF writer of the asset scripts: what it writes is read back by hand."""

import json
import struct
from typing import Any

import numpy as np
import pytest

from assets.tools.gltf import INCHES_PER_METRE, GlbWriter, Primitive

CORNERS = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 10.0, 5.0]])
UP = np.tile([0.0, 0.0, 1.0], (3, 1))
TURNED = (0.0, 0.0, np.sin(np.pi / 4), np.cos(np.pi / 4))  # a quarter turn to the left


def parsed(glb: GlbWriter) -> tuple[dict[str, Any], bytes]:
    data = glb.to_bytes()
    magic, version, total = struct.unpack_from("<4sII", data)
    assert (magic, version, total) == (b"glTF", 2, len(data))
    length, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    document = json.loads(data[20 : 20 + length])
    size, kind = struct.unpack_from("<I4s", data, 20 + length)
    assert kind == b"BIN\0"
    assert size % 4 == 0
    return document, data[28 + length :]


def values(document: dict[str, Any], binary: bytes, number: int) -> np.ndarray:
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    kind = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}[accessor["componentType"]]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
    start = view["byteOffset"]
    assert start % 4 == 0
    return np.frombuffer(binary, kind, accessor["count"] * width, start).reshape(-1, width)


def triangle(**options: Any) -> Primitive:
    return Primitive(CORNERS, UP, [[0, 1, 2]], **options)


def test_places_are_metres_with_y_up_and_z_forward() -> None:
    glb = GlbWriter()
    glb.add_mesh(glb.add_node("flag"), [triangle()])
    document, binary = parsed(glb)
    attributes = document["meshes"][0]["primitives"][0]["attributes"]
    places = values(document, binary, attributes["POSITION"]) * INCHES_PER_METRE
    np.testing.assert_allclose(places, CORNERS[:, [1, 2, 0]], atol=1e-4)
    np.testing.assert_allclose(values(document, binary, attributes["NORMAL"]), np.tile([0, 1, 0], (3, 1)))
    accessor = document["accessors"][attributes["POSITION"]]
    np.testing.assert_allclose(accessor["max"], np.array([10, 5, 10]) / INCHES_PER_METRE, rtol=1e-6)


def test_a_left_turn_stays_a_turn_about_up() -> None:
    glb = GlbWriter()
    glb.add_node("bone", None, (0, 0, 39.37007874), TURNED)
    document, _ = parsed(glb)
    np.testing.assert_allclose(document["nodes"][0]["translation"], [0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(document["nodes"][0]["rotation"], [0, TURNED[2], 0, TURNED[3]], atol=1e-6)


def test_colours_are_written_linear() -> None:
    glb = GlbWriter()
    glb.add_mesh(glb.add_node("flag"), [triangle(colors=np.full((3, 3), 188.0))])
    document, binary = parsed(glb)
    number = document["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"]
    shades = values(document, binary, number) / 65535
    np.testing.assert_allclose(shades[:, :3], 0.5029, atol=1e-3)
    np.testing.assert_allclose(shades[:, 3], 1.0)
    assert document["accessors"][number]["normalized"] is True


def test_inverse_bind_undoes_the_rest_pose() -> None:
    glb = GlbWriter()
    root = glb.add_node("root", None, (1, 2, 3), TURNED)
    tip = glb.add_node("tip", root, (4, 0, 0))
    skin = glb.add_skin([root, tip])
    weights = np.tile([1.0, 0, 0, 0], (3, 1))
    glb.add_mesh(glb.add_node("body"), [triangle(joints=np.zeros((3, 4)), weights=weights)], skin=skin)
    document, binary = parsed(glb)
    bind = values(document, binary, document["skins"][0]["inverseBindMatrices"])[1].reshape(4, 4).T
    # The tip stands at (1, 2 + 4, 3) in our axes: the root's quarter turn takes its x to the left.
    there = np.array([6.0, 3.0, 1.0]) / INCHES_PER_METRE
    np.testing.assert_allclose(bind @ [*there, 1.0], [0, 0, 0, 1], atol=1e-6)
    assert document["nodes"][2]["skin"] == 0


def test_a_skinned_mesh_without_weights_is_refused() -> None:
    glb = GlbWriter()
    skin = glb.add_skin([glb.add_node("root")])
    with pytest.raises(ValueError, match="needs joints and weights"):
        glb.add_mesh(glb.add_node("body"), [triangle()], skin=skin)


def test_a_still_track_is_one_key_and_signs_do_not_flip() -> None:
    glb = GlbWriter()
    node = glb.add_node("bone")
    rows = np.zeros((4, 7))
    rows[:, :4] = TURNED
    rows[2:, :4] *= -1.0  # the same rotation, written the other way
    rows[:, 4] = [0, 1, 2, 3]
    glb.add_clip("slide", [0.0, 0.1, 0.2, 0.3], {node: rows})
    document, binary = parsed(glb)
    clip = document["animations"][0]
    by_path = {c["target"]["path"]: clip["samplers"][c["sampler"]] for c in clip["channels"]}
    assert len(values(document, binary, by_path["rotation"]["output"])) == 1
    moves = values(document, binary, by_path["translation"]["output"]) * INCHES_PER_METRE
    np.testing.assert_allclose(moves[:, 2], [0, 1, 2, 3], atol=1e-5)


def test_a_node_that_only_turns_gets_no_translation() -> None:
    glb = GlbWriter()
    bones = [glb.add_node(name, translation=(4.0, 0.0, 1.0)) for name in ("turns", "stands_elsewhere")]
    rows = np.zeros((3, 7))
    rows[:, 3], rows[:, 4:] = 1.0, (4.0, 0.0, 1.0)
    elsewhere = rows.copy()
    elsewhere[:, 4] += 0.5
    glb.add_clip("nod", [0.0, 0.1, 0.2], {bones[0]: rows, bones[1]: elsewhere})
    document, _ = parsed(glb)
    paths = [(c["target"]["node"], c["target"]["path"]) for c in document["animations"][0]["channels"]]
    assert paths == [(0, "rotation"), (1, "rotation"), (1, "translation")]


def test_the_same_model_is_the_same_bytes() -> None:
    def made() -> bytes:
        glb = GlbWriter()
        paint = glb.add_material("paint", (196, 44, 36), texture=glb.add_texture(b"\x89PNG"))
        glb.add_mesh(glb.add_node("flag"), [triangle(uvs=np.zeros((3, 2)), material=paint)])
        return glb.to_bytes()

    assert made() == made()
