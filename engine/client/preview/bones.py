"""The skeleton drawn over the figure, as if one could see through it; tags with their names."""

from __future__ import annotations

import numpy as np

from engine.anim.skeleton import Float32, Skeleton
from engine.client.canvas import AMBER, Canvas, Colour
from engine.client.projecting import project
from engine.client.render.scene import Camera

_BONE: Colour = (0.42, 0.80, 1.0)


def draw_bones(canvas: Canvas, camera: Camera, places: Float32, skeleton: Skeleton) -> None:
    """Lines from each bone to its parent; `places` (B, 3) in the world."""
    points, seen = project(camera, places, canvas.width, canvas.height)
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0 and seen[bone] and seen[parent]:
            _line(canvas, points[parent], points[bone])
    dot = 5 * canvas.unit
    for name, (x, y), shown in zip(skeleton.names, points, seen, strict=True):
        if not shown:
            continue
        tag = name.startswith("tag_")
        canvas.box(x - dot / 2, y - dot / 2, dot, dot, AMBER if tag else _BONE)
        if tag:
            canvas.text(x + dot, y - dot, name, "mono", AMBER, 0.9)


def _line(canvas: Canvas, start: Float32, end: Float32) -> None:
    """A line of small squares, since quads cannot be turned."""
    thick = 2 * canvas.unit
    steps = min(400, max(1, int(np.abs(end - start).max() / thick)))
    for x, y in np.linspace(start, end, steps + 1):
        canvas.box(float(x) - thick / 2, float(y) - thick / 2, thick, thick, _BONE, 0.85)
