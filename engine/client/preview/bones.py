"""The skeleton drawn over the figure, as if one could see through it; tags with their names."""

from __future__ import annotations

import numpy as np

from engine.anim.skeleton import Float32, Skeleton
from engine.client.canvas import NIGHT, PAPER, Canvas, Colour
from engine.client.projecting import project
from engine.client.render.scene import Camera

_BONE: Colour = (0.42, 0.80, 1.0)
_TAG: Colour = (1.0, 0.80, 0.36)


def draw_bones(
    canvas: Canvas, camera: Camera, places: Float32, skeleton: Skeleton, *, names: bool = False
) -> None:
    """Lines from each bone to its parent; `places` (B, 3) in the world. Tags have their names, and with `names` so have
    the others."""
    points, seen = project(camera, places, canvas.width, canvas.height)
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0 and seen[bone] and seen[parent]:
            _line(canvas, points[parent], points[bone])
    dot, taken = 5 * canvas.unit, list[tuple[float, float, float]]()
    bones = zip(skeleton.names, points.tolist(), seen, strict=True)
    # Tags first, which keep their names; what comes later gives way.
    for name, (x, y), shown in sorted(bones, key=lambda bone: not bone[0].startswith("tag_")):
        if not shown:
            continue
        tag = name.startswith("tag_")
        canvas.box(x - dot / 2, y - dot / 2, dot, dot, _TAG if tag else _BONE)
        if tag or (names and _is_free(taken, x, y, canvas)):
            tall = canvas.letters.line_height("mono")
            wide = canvas.letters.width(name, "mono")
            canvas.box(x + dot, y - tall / 2, wide + dot, tall, NIGHT, 0.62)
            canvas.text(x + 1.5 * dot, y - tall / 2, name, "mono", _TAG if tag else PAPER)
            taken.append((x, y, wide))


def _is_free(taken: list[tuple[float, float, float]], x: float, y: float, canvas: Canvas) -> bool:
    """Whether a name would cover none of those that are there. From nearer by there is room for more."""
    tall = canvas.letters.line_height("mono")
    return not any(
        abs(y - other) < tall and left - 60 * canvas.unit < x < left + wide for left, other, wide in taken
    )


def _line(canvas: Canvas, start: Float32, end: Float32) -> None:
    """A line of small squares, since quads cannot be turned."""
    thick = 2 * canvas.unit
    steps = min(400, max(1, int(np.abs(end - start).max() / thick)))
    for x, y in np.linspace(start, end, steps + 1):
        canvas.box(float(x) - thick / 2, float(y) - thick / 2, thick, thick, _BONE, 0.85)
