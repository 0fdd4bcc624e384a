"""The figure as COLLADA 1.4.1, in the manner of the usual exporters: a skin controller, joints, sampled matrices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tests.pipeline.formats.figure import Figure


def document(
    figure: Figure, *, unit: float = 1.0, up: str = "Y_UP", texture: str = "", armature: str = ""
) -> bytes:
    """`unit` is metres of a unit; `up` is Y_UP or Z_UP (then the figure lies turned about x in the file, as it should);
    `texture` is the URI of the material's picture; `armature` the name of a node above the bones."""
    return _Writer(figure, unit, up, armature).write(texture).encode("utf-8")


def _numbers(values: Any) -> str:
    return " ".join(f"{float(v):.9g}" for v in np.asarray(values, np.float64).reshape(-1))


class _Writer:
    def __init__(self, figure: Figure, unit: float, up: str, armature: str) -> None:
        self.figure = figure
        self.armature = armature
        self.unit = unit
        self.up = up
        self.turn = np.eye(4)
        if up == "Z_UP":
            self.turn[:3, :3] = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]

    def _matrix(self, matrix: np.ndarray) -> str:
        out = matrix.copy()
        out[:3, 3] /= self.unit
        return _numbers(out)

    def write(self, texture: str) -> str:
        return f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><contributor/><created>2020-01-01T00:00:00Z</created><modified>2020-01-01T00:00:00Z</modified>
    <unit name="unit" meter="{self.unit:g}"/><up_axis>{self.up}</up_axis></asset>
{self._material(texture)}
{self._geometry()}
{self._controller()}
{self._animations()}
  <library_visual_scenes><visual_scene id="Scene" name="Scene">
{self._skeleton()}
    <node id="Body" name="Body" type="NODE"><instance_controller url="#Body-skin"><skeleton>#Armature_hips</skeleton>
      <bind_material><technique_common><instance_material symbol="cloth" target="#cloth"/></technique_common>
      </bind_material>
    </instance_controller></node>
  </visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#Scene"/></scene>
</COLLADA>
"""

    def _material(self, texture: str) -> str:
        image, diffuse, parameters = "", "<color>0.5 0.25 1 1</color>", ""
        if texture:
            image = f'<image id="picture" name="picture"><init_from>{texture}</init_from></image>'
            image = f"<library_images>{image}</library_images>"
            parameters = (
                '<newparam sid="surface"><surface type="2D"><init_from>picture</init_from></surface></newparam>'
                '<newparam sid="sampler"><sampler2D><source>surface</source></sampler2D></newparam>'
            )
            diffuse = '<texture texture="sampler" texcoord="UVMap"/>'
        return f"""  {image}
  <library_effects><effect id="cloth-effect"><profile_COMMON>{parameters}<technique sid="common"><lambert>
    <diffuse>{diffuse}</diffuse></lambert></technique></profile_COMMON></effect></library_effects>
  <library_materials><material id="cloth" name="Cloth"><instance_effect url="#cloth-effect"/></material>
  </library_materials>"""

    def _source(self, name: str, values: Any, names: str, kind: str = "float") -> str:
        stride = {"float4x4": 16}.get(kind, len(names) if kind == "float" else 1)
        flat = np.asarray(values, np.float64).reshape(-1)
        parameters = (
            "".join(f'<param name="{n}" type="float"/>' for n in names)
            if kind == "float"
            else f'<param name="{names}" type="{kind}"/>'
        )
        return f"""<source id="{name}"><float_array id="{name}-array" count="{len(flat)}">{_numbers(flat)}</float_array>
      <technique_common><accessor source="#{name}-array" count="{len(flat) // stride}" stride="{stride}">{parameters}
      </accessor></technique_common></source>"""

    def _names(self, name: str, parameter: str, values: Iterable[str]) -> str:
        words = list(values)
        return f"""<source id="{name}"><Name_array id="{name}-array" count="{len(words)}">{" ".join(words)}</Name_array>
      <technique_common><accessor source="#{name}-array" count="{len(words)}" stride="1">
      <param name="{parameter}" type="name"/></accessor></technique_common></source>"""

    def _geometry(self) -> str:
        figure = self.figure
        positions = figure.positions @ self.turn[:3, :3].T / self.unit
        normals = figure.normals @ self.turn[:3, :3].T
        uvs = figure.uvs * [1, -1] + [0, 1]
        corners = " ".join(f"{v} {v} {v}" for triangle in figure.triangles for v in triangle)
        return f"""  <library_geometries><geometry id="Body-mesh" name="Body"><mesh>
    {self._source("positions", positions, "XYZ")}
    {self._source("normals", normals, "XYZ")}
    {self._source("uvs", uvs, "ST")}
    <vertices id="vertices"><input semantic="POSITION" source="#positions"/></vertices>
    <triangles count="{len(figure.triangles)}" material="cloth">
      <input semantic="VERTEX" source="#vertices" offset="0"/>
      <input semantic="NORMAL" source="#normals" offset="1"/>
      <input semantic="TEXCOORD" source="#uvs" offset="2" set="0"/>
      <p>{corners}</p></triangles>
  </mesh></geometry></library_geometries>"""

    def _controller(self) -> str:
        figure = self.figure
        offsets = []
        for offset in figure.offsets() @ np.linalg.inv(self.turn):
            offset[:3, 3] /= self.unit
            offsets.append(offset)
        pairs = [(bone, weight) for weights in figure.weights for bone, weight in weights.items()]
        flat = " ".join(f"{bone} {index}" for index, (bone, _) in enumerate(pairs))
        counts = " ".join(str(len(weights)) for weights in figure.weights)
        return f"""  <library_controllers><controller id="Body-skin" name="Armature"><skin source="#Body-mesh">
    <bind_shape_matrix>{_numbers(np.eye(4))}</bind_shape_matrix>
    {self._names("joints", "JOINT", (bone.name for bone in figure.bones))}
    {self._source("binds", offsets, "TRANSFORM", "float4x4")}
    {self._source("weights", [weight for _, weight in pairs], "W")}
    <joints><input semantic="JOINT" source="#joints"/><input semantic="INV_BIND_MATRIX" source="#binds"/></joints>
    <vertex_weights count="{len(figure.weights)}"><input semantic="JOINT" source="#joints" offset="0"/>
      <input semantic="WEIGHT" source="#weights" offset="1"/><vcount>{counts}</vcount><v>{flat}</v></vertex_weights>
  </skin></controller></library_controllers>"""

    def _local(self, number: int, key: int | None = None) -> np.ndarray:
        bone = self.figure.bones[number]
        local = bone.local(key)
        return self.turn @ local if bone.parent < 0 else local

    def _skeleton(self) -> str:
        if not self.armature:
            return self._joints()
        return f'<node id="Armature" name="{self.armature}" type="NODE">{self._joints()}</node>'

    def _joints(self, parent: int = -1) -> str:
        return "".join(
            f'<node id="Armature_{bone.name}" name="{bone.name}" sid="{bone.name}" type="JOINT">'
            f'<matrix sid="transform">{self._matrix(self._local(number))}</matrix>{self._joints(number)}</node>\n'
            for number, bone in enumerate(self.figure.bones)
            if bone.parent == parent
        )

    def _animations(self) -> str:
        figure = self.figure
        parts = []
        for number, bone in enumerate(figure.bones):
            if not bone.angles and not bone.places:
                continue
            matrices = []
            for key in range(figure.keys):
                matrix = self._local(number, key).copy()
                matrix[:3, 3] /= self.unit
                matrices.append(matrix)
            name = f"{bone.name}-move"
            parts.append(
                f"""<animation id="{name}" name="move">{self._source(name + "-in", figure.times, "TIME", "time")}
    {self._source(name + "-out", matrices, "TRANSFORM", "float4x4")}
    {self._names(name + "-mode", "INTERPOLATION", ["LINEAR"] * figure.keys)}
    <sampler id="{name}-sampler"><input semantic="INPUT" source="#{name}-in"/>
      <input semantic="OUTPUT" source="#{name}-out"/><input semantic="INTERPOLATION" source="#{name}-mode"/></sampler>
    <channel source="#{name}-sampler" target="Armature_{bone.name}/transform"/></animation>"""
            )
        return "  <library_animations>" + "\n".join(parts) + "</library_animations>"
