"""Models from glTF: axes, bones from the node tree, weights, and the faults that sources have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.pipeline.placeholder import checker_png
from engine.source import DiagnosticError
from tests.pipeline.conftest import CookIt, as_set, posed, rest_worlds
from tests.pipeline.gltf_writer import INCH, Gltf, quad, sparse_quad, strip, turn


def test_axes_and_units_are_the_engines(cook_it: CookIt) -> None:
    """glTF's +Y is up, +Z forward and +X left; metres become inches."""
    gltf = Gltf()
    gltf.node("left", mesh=quad(gltf, 0.0001), translation=[1, 0, 0])
    gltf.node("up", mesh=quad(gltf, 0.0001), translation=[0, 2, 0])
    gltf.node("ahead", mesh=quad(gltf, 0.0001), translation=[0, 0, 3])
    points = as_set(cook_it(gltf).model.meshes[0].positions)
    assert {(0.0, 39.37, 0.0), (0.0, 0.0, 78.74), (118.11, 0.0, 0.0)} <= points


def test_faces_stay_counter_clockwise_seen_from_outside(cook_it: CookIt) -> None:
    gltf = Gltf()
    gltf.node("plain", mesh=quad(gltf))
    mesh = cook_it(gltf).model.meshes[0]
    a, b, c = mesh.positions[mesh.indices[0]]
    assert np.dot(np.cross(b - a, c - a), mesh.normals[0]) > 0


def test_a_mirrored_node_keeps_its_faces_outside(cook_it: CookIt) -> None:
    gltf = Gltf()
    gltf.node("mirrored", mesh=quad(gltf), scale=[-1, 1, 1])
    mesh = cook_it(gltf).model.meshes[0]
    a, b, c = mesh.positions[mesh.indices[0]]
    assert np.dot(np.cross(b - a, c - a), mesh.normals[0]) > 0
    assert mesh.positions[:, 1].min() == pytest.approx(-INCH)


def test_a_prop_has_one_bone_called_root(cook_it: CookIt) -> None:
    gltf = Gltf()
    gltf.node("prop", mesh=quad(gltf), translation=[0, 1, 0])
    model = cook_it(gltf).model
    assert model.skeleton.names == ("root",)
    assert list(model.skeleton.parents) == [-1]
    assert np.allclose(model.meshes[0].weights.sum(axis=1), 1)
    assert np.allclose(model.bounds, [(0, 0, INCH), (0, INCH, 2 * INCH)], atol=1e-3)


def test_tags_are_bones_of_a_prop_and_an_animated_node_too(cook_it: CookIt) -> None:
    gltf = Gltf()
    frame = gltf.node("frame", mesh=quad(gltf))
    gltf.node("Tag_Handle", frame, translation=[0.5, 1, 0])
    leaf = gltf.node("leaf", frame, mesh=quad(gltf))
    gltf.clip("swing", (leaf, "rotation", [0, 1], [turn("y", 0), turn("y", 90)]))
    model = cook_it(gltf).model
    assert model.skeleton.names == ("root", "tag_handle", "leaf")
    assert list(model.skeleton.parents) == [-1, 0, 0]
    assert rest_worlds(model)[1][:3, 3] == pytest.approx([0, 0.5 * INCH, INCH])


def test_skinned_strip_is_where_the_file_says(cook_it: CookIt) -> None:
    model = cook_it(strip()).model
    assert model.skeleton.names == ("lower", "upper")
    assert as_set(posed(model)) == {(0, 0, 0), (0, 39.37, 0), (0, 0, 39.37), (0, 39.37, 39.37)}


def test_a5_bones_without_weights_exist(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.node("tip", 1, translation=[0, 0.5, 0])
    model = cook_it(gltf).model
    assert model.skeleton.names == ("lower", "upper", "tip")
    assert rest_worlds(model)[2][:3, 3] == pytest.approx([0, 0, 1.5 * INCH])


def test_a6_armature_and_bone_of_one_name(cook_it: CookIt) -> None:
    """The bone keeps the name, and the clip moves the bone and not the node above it."""
    gltf = strip()
    nodes = gltf.document["nodes"]
    nodes[0]["name"] = "Root"
    gltf.document["scenes"][0]["nodes"] = [2]
    gltf.node("Root", children=[0], translation=[0, 0, 1])
    gltf.clip("move", (0, "translation", [0, 1], [[0, 0, 0], [0, 0, 2]]))
    result = cook_it(gltf)
    assert result.model.skeleton.names == ("root", "upper")
    assert result.diagnostics == ()
    clip = result.clips["move"]
    assert clip.bones == ("root",)
    assert clip.rows[0, 4, 0] == pytest.approx(INCH)
    assert clip.rows[-1, 4, 0] == pytest.approx(3 * INCH)


def test_two_bones_of_one_name_are_told_apart_with_a_warning(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.document["nodes"][1]["name"] = "LOWER"
    result = cook_it(gltf)
    assert result.model.skeleton.names == ("lower", "lower_2")
    assert result.codes == ["duplicate-bone"]
    assert "node 0" in result.diagnostics[0].message
    assert "node 1" in result.diagnostics[0].message


def test_a7_transform_above_the_joints_is_applied(cook_it: CookIt) -> None:
    """A model modelled with Z up under a node turned by -90 degrees about X stands upright."""
    gltf = strip()
    gltf.document["scenes"][0]["nodes"] = [2]
    gltf.node("armature", children=[0], rotation=turn("x", 90))
    model = cook_it(gltf).model
    assert rest_worlds(model)[1][:3, 3] == pytest.approx([INCH, 0, 0], abs=1e-3)
    assert (39.37, 0.0, 0.0) in as_set(posed(model))


def test_scale_above_the_joints_is_folded_away(cook_it: CookIt) -> None:
    gltf = strip(scale=[100, 100, 100])
    model = cook_it(gltf).model
    assert np.allclose(model.skeleton.rest[7], 1)
    assert np.allclose(rest_worlds(model)[1][:3, 3], [0, 0, 100 * INCH], rtol=1e-5)
    assert posed(model)[:, 2].max() == pytest.approx(100 * INCH, rel=1e-5)


def test_a8_zero_weights_bind_to_a_bone(cook_it: CookIt) -> None:
    result = cook_it(strip(weights=[[0, 0, 0, 0]] + [[0, 1, 0, 0]] * 3))
    mesh = result.model.meshes[0]
    assert np.allclose(mesh.weights.sum(axis=1), 1)
    assert as_set(posed(result.model)) == {(0, 0, 0), (0, 39.37, 0), (0, 0, 39.37), (0, 39.37, 39.37)}
    assert result.codes == ["no-weights"]


def test_weights_are_made_to_sum_to_one(cook_it: CookIt) -> None:
    mesh = cook_it(strip(weights=[[3, 1, 0, 0]] * 4)).model.meshes[0]
    assert np.allclose(np.sort(mesh.weights, axis=1)[:, 2:], [0.25, 0.75])


def test_the_four_strongest_of_many_bones_are_kept(cook_it: CookIt) -> None:
    gltf = Gltf()
    bones = [gltf.node(f"b{i}") for i in range(6)]
    mesh = quad(
        gltf,
        JOINTS_0=gltf.accessor([[0, 1, 2, 3]] * 4, "VEC4", "|u1"),
        WEIGHTS_0=gltf.accessor([[0.1, 0.2, 0.1, 0.1]] * 4, "VEC4"),
        JOINTS_1=gltf.accessor([[4, 5, 0, 0]] * 4, "VEC4", "|u1"),
        WEIGHTS_1=gltf.accessor([[0.3, 0.2, 0, 0]] * 4, "VEC4"),
    )
    gltf.node("body", mesh=mesh, skin=gltf.add("skins", joints=bones))
    result = cook_it(gltf)
    kept = {result.model.skeleton.names[j] for j in result.model.meshes[0].joints[0]}
    assert {"b1", "b4", "b5"} <= kept
    assert len(kept) == 4
    assert result.codes == ["many-influences"]


def test_a12_node_with_two_parents_names_all_three(cook_it: CookIt) -> None:
    gltf = Gltf()
    shared = gltf.node("hand", mesh=quad(gltf))
    gltf.node("left", children=[shared])
    gltf.node("right", children=[shared])
    with pytest.raises(DiagnosticError) as caught:
        cook_it(gltf)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "node-twice"
    assert all(name in diagnostic.message for name in ("`hand`", "`left`", "`right`"))


def test_a_node_cycle_is_refused(cook_it: CookIt) -> None:
    gltf = Gltf()
    gltf.node("a", mesh=quad(gltf), children=[1])
    gltf.add("nodes", name="b", children=[0])
    with pytest.raises(DiagnosticError, match="its own ancestor"):
        cook_it(gltf)


def test_unnamed_nodes_get_names(cook_it: CookIt) -> None:
    gltf = strip()
    del gltf.document["nodes"][1]["name"]
    gltf.clip("sway", (1, "rotation", [0, 1], [turn("x", 0), turn("x", 10)]))
    result = cook_it(gltf)
    assert result.model.skeleton.names == ("lower", "node_1")
    assert result.clips["sway"].bones == ("node_1",)


def _textured(image: dict[str, object] | None, source: int = 0) -> Gltf:
    gltf = Gltf()
    gltf.add("textures", source=source)
    if image is not None:
        gltf.add("images", **image)
    gltf.add("materials", name="skin", pbrMetallicRoughness={"baseColorTexture": {"index": 0}})
    mesh = quad(gltf, TEXCOORD_0=gltf.accessor([[0, 1], [1, 1], [1, 0], [0, 0]], "VEC2"))
    gltf.document["meshes"][mesh]["primitives"][0]["material"] = 0
    gltf.node("body", mesh=mesh)
    return gltf


def test_embedded_texture_is_kept_byte_for_byte(cook_it: CookIt) -> None:
    picture = checker_png() + b"trailing"
    gltf = _textured(None)
    gltf.add("images", bufferView=gltf.view(picture), mimeType="image/png")
    result = cook_it(gltf)
    assert result.model.textures == (picture,)
    assert result.model.materials[0].texture == 0
    assert result.diagnostics == ()


@pytest.mark.parametrize("uri", ["green%20cl%C3%B6th.png", "green cl\u00f6th.png", ".\\green cl\u00f6th.png"])
def test_a_picture_beside_the_source_whose_name_is_escaped(cook_it: CookIt, tmp_path: Path, uri: str) -> None:
    picture = checker_png() + b"beside"
    (tmp_path / "thing").mkdir()
    (tmp_path / "thing" / "green cl\u00f6th.png").write_bytes(picture)
    result = cook_it(_textured({"uri": uri}))
    assert result.model.textures == (picture,)
    assert result.diagnostics == ()


def test_texture_coordinates_run_down_from_the_top(cook_it: CookIt) -> None:
    """glTF has v = 0 at the top of the picture, and so has the engine."""
    gltf = _textured(None)
    gltf.add("images", bufferView=gltf.view(checker_png()), mimeType="image/png")
    mesh = cook_it(gltf).model.meshes[0]
    top = mesh.positions[:, 2] > 1
    assert np.allclose(mesh.uvs[top][:, 1], 0)
    assert np.allclose(mesh.uvs[~top][:, 1], 1)


@pytest.mark.parametrize(
    ("image", "source"),
    [(None, 3), ({"uri": "nowhere.png"}, 0), ({"uri": "../../secret.png"}, 0)],
    ids=["no such image", "missing file", "outside the folder"],
)
def test_a13_missing_texture_gives_a_checker(
    cook_it: CookIt, image: dict[str, object] | None, source: int
) -> None:
    result = cook_it(_textured(image, source))
    assert result.model.textures == (checker_png(),)
    assert "missing-texture" in result.codes
    assert all(d.severity == "warning" for d in result.diagnostics)


def test_vertex_colours_become_srgb(cook_it: CookIt) -> None:
    gltf = Gltf()
    color = gltf.accessor([[0.2140, 1.0, 0.0, 0.5]] * 4, "VEC4")
    gltf.node("body", mesh=quad(gltf, COLOR_0=color))
    assert list(cook_it(gltf).model.meshes[0].colors[0]) == [127, 255, 0, 128]
    assert list(cook_it(gltf, 'colors = "srgb"').model.meshes[0].colors[0]) == [55, 255, 0, 128]


def test_material_properties_arrive(cook_it: CookIt) -> None:
    gltf = Gltf()
    gltf.add(
        "materials",
        name="Lamp",
        doubleSided=True,
        emissiveFactor=[1, 0.5, 0],
        pbrMetallicRoughness={
            "baseColorFactor": [0.5, 0.25, 1, 1],
            "roughnessFactor": 0.25,
            "metallicFactor": 0,
        },
    )
    mesh = quad(gltf)
    gltf.document["meshes"][mesh]["primitives"][0]["material"] = 0
    gltf.node("body", mesh=mesh)
    (material,) = cook_it(gltf).model.materials
    assert material.name == "lamp"
    assert material.color == pytest.approx((0.5, 0.25, 1, 1))
    assert material.emissive == pytest.approx((1, 0.5, 0))
    assert (material.roughness, material.metallic, material.two_sided) == (0.25, 0, True)


def test_skins_hide_meshes_and_replace_materials(cook_it: CookIt) -> None:
    gltf = Gltf()
    gltf.add("materials", name="cloth")
    for name in ("helmet", "cap"):
        mesh = quad(gltf)
        gltf.document["meshes"][mesh]["primitives"][0]["material"] = 0
        gltf.node(name, mesh=mesh)
    model = cook_it(
        gltf,
        '[skins.a]\nhide = ["cap"]\n'
        '[skins.b]\nhide = ["Helmet"]\n[skins.b.materials.cloth]\ncolor = [1, 0, 0]\n',
    ).model
    assert [mesh.name for mesh in model.meshes] == ["helmet", "cap"]
    assert model.skins["a"] == (0, -1)
    hidden, red = model.skins["b"]
    assert hidden == -1
    assert model.materials[red].color == (1, 0, 0, 1)


def test_meshes_of_one_material_are_joined(cook_it: CookIt) -> None:
    gltf = Gltf()
    for height in range(3):
        gltf.node(f"step{height}", mesh=quad(gltf), translation=[0, height, 0])
    model = cook_it(gltf).model
    assert len(model.meshes) == 1
    assert len(model.meshes[0].indices) == 6


def test_a_rigid_mesh_on_a_bone_follows_it(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.node("hat", 1, mesh=quad(gltf, 0.1), translation=[0, 0.5, 0])
    model = cook_it(gltf).model
    mesh = model.meshes[0]
    hat = mesh.positions[:, 2] > 1.2 * INCH
    assert hat.sum() == 4
    assert {model.skeleton.names[j] for j in mesh.joints[hat, 0]} == {"upper"}


def test_a_second_skin_with_another_bind_pose_fits(cook_it: CookIt) -> None:
    """Both meshes look as the file says, though a bone has one bind matrix for the whole model."""
    gltf = strip()
    binds = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    binds[0, 0, 3], binds[1, 0, 3], binds[1, 1, 3] = 5.0, 5.0, -1.0
    matrices = gltf.accessor([m.T.reshape(16) for m in binds], "MAT4")
    mesh = quad(
        gltf,
        JOINTS_0=gltf.accessor([[0, 1, 0, 0]] * 4, "VEC4", "|u1"),
        WEIGHTS_0=gltf.accessor([[1, 0, 0, 0]] * 4, "VEC4"),
    )
    skin = gltf.add("skins", joints=[0, 1], inverseBindMatrices=matrices)
    gltf.node("coat", mesh=mesh, skin=skin)
    model = cook_it(gltf).model
    assert (0.0, round(5 * INCH, 2), 0.0) in as_set(posed(model))


@pytest.mark.parametrize(
    ("sidecar", "height"),
    [
        ('unit = "cm"', INCH / 100),
        ("scale = 2", 2 * INCH),
        ('unit = "in"', 1),
        ('unit = "ft"\nscale = 0.5', 6),
    ],
)
def test_unit_and_scale(cook_it: CookIt, sidecar: str, height: float) -> None:
    assert cook_it(strip(), sidecar).model.bounds[1][2] == pytest.approx(height, rel=1e-4)


@pytest.mark.parametrize(
    ("sidecar", "line", "size"),
    [
        ("\nscale = 1e-5\n", 2, "0.00039 inches"),
        ('unit = "mm"\nscale = 1e6\n', None, ""),
        ("scale = 1e5\n", 1, "3,937,008 inches"),
    ],
)
def test_a_size_that_is_hardly_meant_is_told_at_its_setting(
    cook_it: CookIt, sidecar: str, line: int | None, size: str
) -> None:
    told = cook_it(strip(), sidecar).diagnostics
    assert [(d.code, d.severity) for d in told] == ([("odd-size", "warning")] if line else [])
    assert all(d.span is not None and d.span.line == line and size in d.message for d in told)


def test_settings_that_move_bones_out_of_reach_are_to_blame(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.document["nodes"][1]["translation"] = [0, 20, 0]
    with pytest.raises(DiagnosticError) as caught:
        cook_it(gltf, '\nunit = "ft"\nscale = 1e6\n')
    (fault,) = caught.value.diagnostics
    assert (fault.code, str(fault.span).rsplit("/", 1)[-1]) == ("bad-setting", "thing.toml:3:1")
    assert "inches away with these settings" in fault.message
    gltf.document["nodes"][1]["translation"] = [0, 1, 0]
    gltf.clip("far", (1, "translation", [0, 1], [[0, 1, 0], [0, 1e3, 0]]))
    result = cook_it(gltf, "\nscale = 1e4\n")
    assert next((d.code, d.span and d.span.line) for d in result.diagnostics) == ("bad-clip", 2)


def test_z_up_sources_are_left_as_they_are(cook_it: CookIt) -> None:
    gltf = Gltf()
    gltf.node("prop", mesh=quad(gltf, 0.001), translation=[1, 2, 3])
    assert cook_it(gltf, 'up = "z"').model.bounds[0] == pytest.approx((INCH, 2 * INCH, 3 * INCH), rel=1e-5)


def test_a_buffer_beside_the_text_file(cook_it: CookIt, tmp_path) -> None:  # type: ignore[no-untyped-def]
    gltf = strip()
    (tmp_path / "thing").mkdir()
    (tmp_path / "thing" / "strip data.bin").write_bytes(gltf.binary)
    result = cook_it(gltf.gltf("strip%20data.bin"), name="thing.gltf")
    assert result.model.skeleton.names == ("lower", "upper")


def test_compressed_sources_are_refused_with_the_remedy(cook_it: CookIt) -> None:
    gltf = strip()
    gltf.document["extensionsRequired"] = ["KHR_draco_mesh_compression"]
    with pytest.raises(DiagnosticError, match="KHR_draco_mesh_compression") as caught:
        cook_it(gltf)
    assert "without Draco" in caught.value.diagnostics[0].notes[0].message


def test_shape_keys_are_named_as_not_supported(cook_it: CookIt) -> None:
    gltf = Gltf()
    mesh = quad(gltf)
    target = {"POSITION": gltf.accessor([[0, 0, 1]] * 4, "VEC3")}
    gltf.document["meshes"][mesh]["primitives"][0]["targets"] = [target]
    gltf.node("face", mesh=mesh)
    assert cook_it(gltf).codes == ["shape-keys"]


def test_sparse_values_are_put_in_place(cook_it: CookIt) -> None:
    points = as_set(cook_it(sparse_quad({2: (3, 2, 1)}), 'up = "z"\nunit = "in"').model.meshes[0].positions)
    assert points == {(0, 0, 0), (1, 0, 0), (3, 2, 1), (0, 1, 0)}


def test_an_accessor_without_data_is_zero(cook_it: CookIt) -> None:
    """But for what is sparse in it."""
    gltf = sparse_quad({1: (1, 0, 0), 2: (1, 1, 0), 3: (0, 1, 5)})
    del gltf.document["accessors"][0]["bufferView"]
    mesh = cook_it(gltf, 'up = "z"\nunit = "in"').model.meshes[0]
    assert as_set(mesh.positions) == {(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 5)}
