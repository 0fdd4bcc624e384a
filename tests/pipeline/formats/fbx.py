"""The figure as FBX 7.4, as text and as bytes: one tree of records, two ways to write it down."""

from __future__ import annotations

import base64
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.pipeline.formats.figure import Figure, turned

TICKS = 46186158000
"""A second."""

_CREATOR = "a writer of tests"


@dataclass
class Record:
    """A record: values are int (np.int64 for those of 64 bits), float, str, bytes, and NumPy arrays. `scope`: it has
    braces, also where there is nothing between them, as objects must."""

    name: str
    values: tuple[Any, ...] = ()
    children: list[Record] = field(default_factory=list)
    scope: bool = False

    def add(self, name: str, *values: Any) -> Record:
        self.children.append(Record(name, values))
        return self.children[-1]


def document(
    figure: Figure,
    *,
    unit: float = 1.0,
    texture: str = "",
    armature: float = 1.0,
    up: str = "y",
    before: bool = False,
    picture: bytes = b"",
) -> list[Record]:
    """The records of a whole file.

    unit      centimetres of a unit, as exporters write `UnitScaleFactor`
    texture   file name of the material's picture
    picture   the picture itself, to be written into the file
    armature  scale of an empty above the bones, which are that much smaller; as Blender writes it, with 100
    up        `z`: the file has z up and y backwards, as the settings then say
    before    bones have their turn at rest as `PreRotation`, as Maya writes joints, and are turned by the rest
    """
    return _Writer(figure, unit, armature, up, before).write(texture, picture)


class _Writer:
    def __init__(self, figure: Figure, unit: float, armature: float, up: str, before: bool) -> None:
        self.figure = figure
        self.before = before
        self.z_up = up == "z"
        self.turn = turned("x", 90) if self.z_up else np.eye(3)
        self.unit = unit
        self.units = 100.0 / unit  # of the file in a metre
        self.armature = armature
        self.objects = Record("Objects")
        self.links = Record("Connections")
        self._next = 1000

    def write(self, texture: str, picture: bytes) -> list[Record]:
        header = Record("FBXHeaderExtension")
        header.add("FBXHeaderVersion", 1003)
        header.add("FBXVersion", 7400)
        header.add("Creator", _CREATOR)
        settings = Record("GlobalSettings")
        settings.add("Version", 1000)
        values = settings.add("Properties70")
        axes = (2, 1, 1, -1) if self.z_up else (1, 1, 2, 1)
        names = ("UpAxis", "UpAxisSign", "FrontAxis", "FrontAxisSign", "CoordAxis", "CoordAxisSign")
        for name, value in zip(names, (*axes, 0, 1), strict=True):
            values.add("P", name, "int", "Integer", "", value)
        values.add("P", "UnitScaleFactor", "double", "Number", "", float(self.unit))
        self._scene(texture, picture)
        return [
            header,
            settings,
            Record("Definitions", (), [Record("Version", (100,))]),
            self.objects,
            self.links,
        ]

    # Objects --------------------------------------------------------------------------------------------

    def _object(
        self, kind: str, name: str, base: str, sub: str, above: int | None = None, role: str = ""
    ) -> tuple[int, Record]:
        self._next += 1
        record = self.objects.add(kind, np.int64(self._next), f"{name}\x00\x01{base}", sub)
        record.scope = True
        if above is not None:
            self._link(self._next, above, role)
        return self._next, record

    def _link(self, child: int, parent: int, role: str = "") -> None:
        ends = np.int64(child), np.int64(parent)
        self.links.add("C", *(("OP", *ends, role) if role else ("OO", *ends)))

    def _model(self, name: str, kind: str, above: int, **values: Sequence[float]) -> int:
        number, record = self._object("Model", name, "Model", kind, above)
        record.add("Version", 232)
        properties = record.add("Properties70")
        for key, value in values.items():
            kind = (key, "Vector3D") if key == "PreRotation" else (f"Lcl {key}", f"Lcl {key}")
            properties.add("P", *kind, "", "A", *map(float, value))
        return number

    def _scene(self, texture: str, picture: bytes) -> None:
        figure, units = self.figure, self.units
        top = 0
        if self.armature != 1.0:
            top = self._model("Armature", "Null", 0, Scaling=[self.armature] * 3)
        size = units / self.armature
        bones: list[int] = []
        for bone in figure.bones:
            above = bones[bone.parent] if bone.parent >= 0 else top
            angles = [bone.degrees * (bone.axis == a) for a in "xyz"]
            place = np.array(bone.at) * size
            if bone.parent < 0 and self.z_up:
                place, angles = self.turn @ place, [90.0, 0.0, 0.0]
            shown = {"PreRotation": angles} if self.before else {"Rotation": angles}
            bones.append(self._model(bone.name, "LimbNode", above, Translation=place, **shown))
            _, attribute = self._object("NodeAttribute", bone.name, "NodeAttribute", "LimbNode", bones[-1])
            attribute.add("TypeFlags", "Skeleton")
        body = self._model("Body", "Mesh", 0, Translation=[0, 0, 0])
        geometry = self._geometry(body)
        self._material(body, texture, picture)
        self._skin(geometry, bones)
        self._clip(bones, size)

    def _geometry(self, body: int) -> int:
        figure = self.figure
        geometry, record = self._object("Geometry", "Body", "Geometry", "Mesh", body)
        corners = np.array(figure.triangles)
        record.add("Vertices", (figure.positions @ self.turn.T * self.units).reshape(-1))
        ends = corners.copy()
        ends[:, 2] = -ends[:, 2] - 1
        record.add("PolygonVertexIndex", ends.reshape(-1).astype(np.int32))
        record.add("GeometryVersion", 124)
        normals = record.add("LayerElementNormal", 0)
        _mapped(normals, "ByPolygonVertex", "Direct")
        normals.add("Normals", (figure.normals @ self.turn.T)[corners].reshape(-1))
        uvs = record.add("LayerElementUV", 0)
        _mapped(uvs, "ByPolygonVertex", "Direct")
        flipped = figure.uvs * [1, -1] + [0, 1]
        uvs.add("UV", flipped[corners].reshape(-1))
        materials = record.add("LayerElementMaterial", 0)
        _mapped(materials, "AllSame", "IndexToDirect")
        materials.add("Materials", np.array([0], np.int32))
        layer = record.add("Layer", 0)
        for kind in ("LayerElementNormal", "LayerElementUV", "LayerElementMaterial"):
            element = layer.add("LayerElement")
            element.add("Type", kind)
            element.add("TypedIndex", 0)
        return geometry

    def _material(self, body: int, texture: str, picture: bytes) -> None:
        material, record = self._object("Material", "Cloth", "Material", "", body)
        record.add("ShadingModel", "phong")
        values = record.add("Properties70")
        values.add("P", "DiffuseColor", "Color", "", "A", 0.5, 0.25, 1.0)
        if texture:
            number, record = self._object("Texture", "Picture", "Texture", "", material, "DiffuseColor")
            record.add("FileName", "C:\\art\\" + texture)
            record.add("RelativeFilename", texture)
            if picture:
                _, video = self._object("Video", "Picture", "Video", "Clip", number)
                video.add("Type", "Clip")
                video.add("FileName", "C:\\art\\" + texture)
                video.add("RelativeFilename", texture)
                video.add("Content", picture)

    def _skin(self, geometry: int, bones: list[int]) -> None:
        figure = self.figure
        skin, record = self._object("Deformer", "", "Deformer", "Skin", geometry)
        record.add("Version", 101)
        for number, bone in enumerate(figure.bones):
            moved = [(v, w[number]) for v, w in enumerate(figure.weights) if number in w]
            if not moved:
                continue
            cluster, record = self._object("Deformer", bone.name, "SubDeformer", "Cluster", skin)
            record.add("Version", 100)
            record.add("Indexes", np.array([v for v, _ in moved], np.int32))
            record.add("Weights", np.array([w for _, w in moved], np.float64))
            world = figure.worlds()[number].copy()
            world[:3, 3] *= self.units
            world[:3] = self.turn @ world[:3]
            world[:3, :3] *= self.armature
            record.add("Transform", np.linalg.inv(world).T.reshape(-1))
            record.add("TransformLink", world.T.reshape(-1))
            self._link(bones[number], cluster)

    def _clip(self, bones: list[int], size: float) -> None:
        figure = self.figure
        stack, record = self._object("AnimationStack", "move", "AnimStack", "")
        properties = record.add("Properties70")
        for key in ("LocalStop", "ReferenceStop"):
            properties.add("P", key, "KTime", "Time", "", np.int64(figure.times[-1] * TICKS))
        layer, _ = self._object("AnimationLayer", "BaseLayer", "AnimLayer", "", stack)
        for number, bone in enumerate(figure.bones):
            if bone.places:
                turn = self.turn if bone.parent < 0 else np.eye(3)
                self._curves(layer, bones[number], "T", np.array(bone.places) @ turn.T * size)
            if bone.angles:
                rest = bone.degrees if self.before else 0.0
                turns = np.array(
                    [[(angle - rest) * (bone.axis == a) for a in "xyz"] for angle in bone.angles]
                )
                self._curves(layer, bones[number], "R", turns)

    def _curves(self, layer: int, bone: int, what: str, values: np.ndarray) -> None:
        node, record = self._object("AnimationCurveNode", what, "AnimCurveNode", "", layer)
        self._link(node, bone, {"T": "Lcl Translation", "R": "Lcl Rotation"}[what])
        properties = record.add("Properties70")
        for axis, column in zip("XYZ", values.T, strict=True):
            properties.add("P", f"d|{axis}", "Number", "", "A", float(column[0]))
            _, curve = self._object("AnimationCurve", "", "AnimCurve", "", node, f"d|{axis}")
            curve.add("Default", 0.0)
            curve.add("KeyVer", 4008)
            curve.add("KeyTime", (np.array(self.figure.times) * TICKS).astype(np.int64))
            curve.add("KeyValueFloat", column.astype(np.float32))
            curve.add("KeyAttrFlags", np.array([4], np.int32))  # linear
            curve.add("KeyAttrDataFloat", np.zeros(4, np.float32))
            curve.add("KeyAttrRefCount", np.array([len(column)], np.int32))


def _mapped(element: Record, mapping: str, reference: str) -> None:
    element.add("Version", 101)
    element.add("Name", "")
    element.add("MappingInformationType", mapping)
    element.add("ReferenceInformationType", reference)


# Two ways to write --------------------------------------------------------------------------------------


def to_text(records: list[Record]) -> bytes:
    lines = ["; FBX 7.4.0 project file", ""]
    for record in records:
        _lines(record, 0, lines)
    return "\n".join(lines).encode("utf-8")


def _lines(record: Record, depth: int, lines: list[str]) -> None:
    indent = "\t" * depth
    if record.values and isinstance(record.values[0], np.ndarray):
        (array,) = record.values
        lines += [
            f"{indent}{record.name}: *{len(array)} {{",
            f"{indent}\ta: {','.join(map(repr, array.tolist()))}",
            indent + "}",
        ]
        return
    shown = []
    for value in record.values:
        if isinstance(value, str):
            name, _, base = value.partition("\x00\x01")
            shown.append(f'"{base}::{name}"' if base else f'"{name}"')
        elif isinstance(value, bytes):
            shown.append(f'"{base64.b64encode(value).decode()}"')
        else:
            shown.append(repr(float(value)) if isinstance(value, float) else str(int(value)))
    head = f"{indent}{record.name}: {', '.join(shown)}"
    if not record.children and not record.scope:
        lines.append(head)
        return
    lines.append(head + " {")
    for child in record.children:
        _lines(child, depth + 1, lines)
    lines.append(indent + "}")


def to_bytes(records: list[Record]) -> bytes:
    out = bytearray(b"Kaydara FBX Binary  \x00\x1a\x00" + struct.pack("<I", 7400))
    for record in records:
        _bytes(record, out)
    out += bytes(13)
    out += bytes(16) + bytes(-len(out) % 16) + bytes(4) + struct.pack("<I", 7400) + bytes(120) + bytes(16)
    return bytes(out)


def _bytes(record: Record, out: bytearray) -> None:
    at = len(out)
    name = record.name.encode("ascii")
    out += bytes(12) + bytes([len(name)]) + name
    start = len(out)
    for value in record.values:
        out += _value(value)
    size = len(out) - start
    for child in record.children:
        _bytes(child, out)
    if record.children or record.scope or not record.values:
        out += bytes(13)
    struct.pack_into("<III", out, at, len(out), len(record.values), size)


def _value(value: Any) -> bytes:
    if isinstance(value, bytes):
        return b"R" + struct.pack("<I", len(value)) + value
    if isinstance(value, str):
        raw = value.encode("utf-8")
        return b"S" + struct.pack("<I", len(raw)) + raw
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    if isinstance(value, np.int64):
        return b"L" + struct.pack("<q", value)
    if isinstance(value, int):
        return b"I" + struct.pack("<i", value)
    kind = {"<f4": b"f", "<f8": b"d", "<i4": b"i", "<i8": b"l"}[value.dtype.str]
    return kind + struct.pack("<III", len(value), 0, value.nbytes) + value.tobytes()
