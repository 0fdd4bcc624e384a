"""The figure as a DirectX .x file in text form: left-handed, row vectors, key times in ticks."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.pipeline.formats.figure import Figure, quaternion

_MIRROR = np.diag([1.0, 1.0, -1.0, 1.0])


def document(figure: Figure, *, ticks: int = 4800, texture: str = "") -> bytes:
    """`ticks` a second; 0 leaves the line out that says how many."""
    rate = ticks or 30
    head = "xof 0303txt 0032\n" + (f"AnimTicksPerSecond {{ {ticks}; }}\n" if ticks else "")
    body = f"Frame Body {{\n{_transform(np.eye(4))}\n{_mesh(figure, texture)}\n}}\n"
    return (head + _frames(figure) + body + _clip(figure, rate)).encode("ascii")


def _left(matrix: np.ndarray) -> np.ndarray:
    """A transform in the left-handed space of the file."""
    return _MIRROR @ matrix @ _MIRROR


def _numbers(values: Any) -> str:
    return ",".join(f"{float(v):.6f}" for v in np.asarray(values, np.float64).reshape(-1))


def _transform(matrix: np.ndarray) -> str:
    return f"FrameTransformMatrix {{ {_numbers(_left(matrix).T)};; }}"


def _frames(figure: Figure, parent: int = -1) -> str:
    return "".join(
        f"Frame {bone.name} {{\n{_transform(bone.local())}\n{_frames(figure, number)}}}\n"
        for number, bone in enumerate(figure.bones)
        if bone.parent == parent
    )


def _rows(rows: np.ndarray) -> str:
    return ",\n".join("".join(f"{float(v):.6f};" for v in row) for row in rows) + ";"


def _faces(figure: Figure) -> str:
    count = len(figure.triangles)
    return f"{count};\n" + ",\n".join(f"3;{a},{c},{b};" for a, b, c in figure.triangles) + ";"


def _mesh(figure: Figure, texture: str) -> str:
    flip = np.array([1.0, 1.0, -1.0])
    count = len(figure.positions)
    faces = _faces(figure)
    picture = f'TextureFilename {{ "{texture}"; }}' if texture else ""
    skins = []
    for number, bone in enumerate(figure.bones):
        moved = [(v, w[number]) for v, w in enumerate(figure.weights) if number in w]
        if moved:
            vertices = ",".join(str(v) for v, _ in moved)
            weights = _numbers([w for _, w in moved])
            offset = _numbers(_left(figure.offsets()[number]).T)
            skins.append(f'SkinWeights {{ "{bone.name}"; {len(moved)}; {vertices}; {weights}; {offset};; }}')
    return f"""Mesh Body {{ {count};
{_rows(figure.positions * flip)}
{faces}
MeshNormals {{ {count};
{_rows(figure.normals * flip)}
{faces} }}
MeshTextureCoords {{ {count};
{_rows(figure.uvs)} }}
MeshMaterialList {{ 1; {len(figure.triangles)}; {",".join("0" for _ in figure.triangles)};
Material Cloth {{ 0.5;0.25;1.0;1.0;; 1.0; 0;0;0;; 0;0;0;; {picture} }} }}
XSkinMeshHeader {{ 2; 2; {len(skins)}; }}
{chr(10).join(skins)}
}}"""


def _clip(figure: Figure, rate: int) -> str:
    parts = []
    moments = [round(time * rate) for time in figure.times]
    for bone in figure.bones:
        keys = []
        if bone.angles:
            rows = []
            for moment, angle in zip(moments, bone.angles, strict=True):
                x, y, z, w = quaternion(bone.axis, angle)
                rows.append(f"{moment};4;{_numbers([w, x, y, -z])};;")  # turns of row vectors, mirrored
            keys.append(f"AnimationKey {{ 0; {len(rows)}; {','.join(rows)}; }}")
        if bone.places:
            rows = [
                f"{m};3;{_numbers([x, y, -z])};;" for m, (x, y, z) in zip(moments, bone.places, strict=True)
            ]
            keys.append(f"AnimationKey {{ 2; {len(rows)}; {','.join(rows)}; }}")
        if keys:
            parts.append(f"Animation {{ {{ {bone.name} }} {' '.join(keys)} }}")
    return "AnimationSet move {\n" + "\n".join(parts) + "\n}\n"
