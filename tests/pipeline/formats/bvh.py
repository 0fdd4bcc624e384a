"""The figure's skeleton and clip as a BVH file: no mesh, places and turns of each joint in degrees."""

from __future__ import annotations

from tests.pipeline.formats.figure import Figure

RATE = 30


def document(figure: Figure, *, scale: float = 100.0) -> bytes:
    """`scale` units are a metre. The rest pose of a BVH has no turns, so each is in the motion."""
    lines = ["HIERARCHY", *_joint(figure, 0, scale, ""), "MOTION"]
    frames = round(figure.times[-1] * RATE) + 1
    lines += [f"Frames: {frames}", f"Frame Time: {1 / RATE:.8f}"]
    for frame in range(frames):
        lines.append(" ".join(_row(figure, 0, frame / RATE, scale)))
    return ("\n".join(lines) + "\n").encode("ascii")


def _children(figure: Figure, number: int) -> list[int]:
    return [n for n, bone in enumerate(figure.bones) if bone.parent == number]


def _joint(figure: Figure, number: int, scale: float, indent: str) -> list[str]:
    bone = figure.bones[number]
    offset = " ".join(f"{v * scale:.6f}" for v in bone.at)
    channels = "CHANNELS 3 Zrotation Xrotation Yrotation"
    if number == 0:
        channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    kind = "ROOT" if bone.parent < 0 else "JOINT"
    lines = [
        f"{indent}{kind} {bone.name}",
        indent + "{",
        f"{indent}\tOFFSET {offset}",
        f"{indent}\t{channels}",
    ]
    for child in _children(figure, number):
        lines += _joint(figure, child, scale, indent + "\t")
    if not _children(figure, number):
        lines += [f"{indent}\tEnd Site", indent + "\t{", f"{indent}\t\tOFFSET 0 1 0", indent + "\t}"]
    return [*lines, indent + "}"]


def _row(figure: Figure, number: int, time: float, scale: float) -> list[str]:
    import numpy as np

    bone = figure.bones[number]
    out = []
    if number == 0:
        out += [f"{np.interp(time, figure.times, column) * scale:.6f}" for column in np.array(bone.places).T]
    angle = float(np.interp(time, figure.times, bone.angles)) if bone.angles else bone.degrees
    out += [f"{angle * (bone.axis == a):.6f}" for a in "zxy"]
    for child in _children(figure, number):
        out += _row(figure, child, time, scale)
    return out
