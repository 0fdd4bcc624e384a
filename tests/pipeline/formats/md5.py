"""The figure as a pair of Doom 3 files, .md5mesh and .md5anim: inches, z up, absolute joints, weights with places."""

from __future__ import annotations

import numpy as np

from tests.pipeline.formats.figure import Figure, engine_points

RATE = 30
_TO_ENGINE = np.array(
    [[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]], np.float64
)  # x = z, y = x, z = y


def _worlds(figure: Figure, key: int | None = None) -> np.ndarray:
    """Of the bones in z up and inches, with the axes of the bones turned along."""
    worlds = _TO_ENGINE @ figure.worlds(key) @ _TO_ENGINE.T
    worlds[:, :3, 3] = engine_points(figure.worlds(key)[:, :3, 3])
    return worlds


def _quaternion(matrix: np.ndarray) -> np.ndarray:
    """x y z with w negative or none, as the format leaves w out."""
    w = np.sqrt(max(0.0, 1 + np.trace(matrix))) / 2
    if w > 1e-6:
        axis = [matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]]
        return -np.array(axis) / (4 * w)
    raise ValueError("half a turn")


def _triple(values: np.ndarray) -> str:
    return "( " + " ".join(f"{float(v):.8f}" for v in values) + " )"


def mesh(figure: Figure, *, shader: str = "cloth") -> bytes:
    worlds = _worlds(figure)
    lines = [
        "MD5Version 10",
        'commandline ""',
        "",
        f"numJoints {len(figure.bones)}",
        "numMeshes 1",
        "",
        "joints {",
    ]
    for number, bone in enumerate(figure.bones):
        place, turn = _triple(worlds[number, :3, 3]), _triple(_quaternion(worlds[number, :3, :3]))
        lines.append(f'\t"{bone.name}"\t{bone.parent} {place} {turn}\t// ')
    points = engine_points(figure.positions)
    vertices, weights = [], []
    for number, (point, follows) in enumerate(zip(points, figure.weights, strict=True)):
        u, v = figure.uvs[number]
        vertices.append(f"\tvert {number} ( {u:.6f} {v:.6f} ) {len(weights)} {len(follows)}")
        for bone_number, weight in follows.items():
            local = np.linalg.inv(worlds[bone_number]) @ [*point, 1.0]
            weights.append(f"\tweight {len(weights)} {bone_number} {weight:.6f} {_triple(local[:3])}")
    triangles = [f"\ttri {n} {a} {c} {b}" for n, (a, b, c) in enumerate(figure.triangles)]
    lines += ["}", "", "mesh {", f'\tshader "{shader}"', f"\n\tnumverts {len(vertices)}", *vertices]
    lines += [
        f"\n\tnumtris {len(triangles)}",
        *triangles,
        f"\n\tnumweights {len(weights)}",
        *weights,
        "}",
        "",
    ]
    return "\n".join(lines).encode("ascii")


def animation(figure: Figure) -> bytes:
    """Every frame at 30 a second; between the keys, turns and places go evenly."""
    frames = round(figure.times[-1] * RATE) + 1
    lines = ["MD5Version 10", 'commandline ""', "", f"numFrames {frames}", f"numJoints {len(figure.bones)}"]
    lines += [f"frameRate {RATE}", f"numAnimatedComponents {6 * len(figure.bones)}", "", "hierarchy {"]
    lines += [f'\t"{bone.name}"\t{bone.parent} 63 {6 * n}\t// ' for n, bone in enumerate(figure.bones)]
    lines += ["}", "", "bounds {", *["\t( -99 -99 0 ) ( 99 99 99 )"] * frames, "}", "", "baseframe {"]
    lines += [f"\t{_triple(np.zeros(3))} {_triple(np.zeros(3))}"] * len(figure.bones) + ["}", ""]
    for frame in range(frames):
        lines.append(f"frame {frame} {{")
        for local in _locals(figure, frame / RATE):
            numbers = [*local[:3, 3], *_quaternion(local[:3, :3])]
            lines.append("\t" + " ".join(f"{v:.8f}" for v in numbers))
        lines += ["}", ""]
    return "\n".join(lines).encode("ascii")


def _locals(figure: Figure, time: float) -> list[np.ndarray]:
    found = []
    for bone in figure.bones:
        local = bone.local()
        if bone.angles:
            angle = float(np.interp(time, figure.times, bone.angles))
            local = type(bone)(bone.name, bone.parent, bone.at, bone.axis, angle).local()
        if bone.places:
            local[:3, 3] = [np.interp(time, figure.times, column) for column in np.array(bone.places).T]
        turned = _TO_ENGINE @ local @ _TO_ENGINE.T
        turned[:3, 3] = engine_points(local[None, :3, 3])[0]
        found.append(turned)
    return found
