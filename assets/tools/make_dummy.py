"""Makes the target dummy and its clips: `python -m assets.tools.make_dummy`.

A painted board in the shape of a man on a hinge: it goes down backwards when it is hit, and is raised again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from assets.tools import palette
from assets.tools.gltf import GlbWriter, Primitive
from assets.tools.keys import Channel
from assets.tools.rotations import Array, about, quaternion_of, turn, vec
from assets.tools.shapes import Shape, box, loft, ring, tube
from assets.tools.soldier.outfit import shaded

FOLDER = Path(__file__).resolve().parent.parent / "models" / "dummy"
FPS = 30.0
HINGE = np.array([-1.0, 0.0, 6.5])
CHEST = np.array([0.0, 0.0, 47.0])
BONES: tuple[tuple[str, int | None, Array], ...] = (
    ("tag_origin", None, np.zeros(3)),
    ("base", 0, np.zeros(3)),
    ("plate", 0, HINGE),
    ("tag_target", 2, CHEST),
    ("tag_head", 2, np.array([0.0, 0.0, 63.0])),
)
BASE, PLATE = 1, 2

# Height and half width of the board.
OUTLINE = (
    (11.0, 5.4), (12.0, 6.6), (24.0, 7.6), (36.0, 8.6), (44.0, 9.6), (50.0, 10.3), (53.0, 10.2), (55.4, 9.2),
    (57.0, 7.0), (57.9, 4.2), (58.3, 3.1), (59.6, 3.2), (60.6, 4.3), (62.2, 5.1), (64.0, 5.3), (65.8, 4.9),
    (67.4, 3.9), (68.6, 2.2), (69.0, 0.9),
)  # fmt: skip

# Old hits in the board: left, height, radius.
HOLES = (
    (2.1, 49.8, 0.34), (-1.7, 44.6, 0.3), (-4.4, 51.2, 0.34), (5.9, 41.0, 0.3), (0.6, 37.4, 0.36), (-6.3, 45.3, 0.32),
    (1.9, 62.6, 0.3), (-3.1, 29.8, 0.34), (4.2, 33.1, 0.3), (6.9, 52.4, 0.32),
)  # fmt: skip


def board() -> list[Shape]:
    """The plate: board, rings of the target, battens behind it, and the post down to the hinge."""
    front, back = 0.45, -0.55
    rings = []
    for z, half in OUTLINE:
        corners = [(front, half - 0.18), (back, half), (back, -half), (front, -half + 0.18)]
        rings.append(np.array([(x, y, z) for x, y in (corners[0], corners[1], corners[2], corners[3])]))
    sheet = loft(rings, palette.PAPER, caps=(True, True), crease=30.0)

    def paint(points: Array, colors: Array) -> Array:
        face = points[:, 0] > 0.0
        wood = np.asarray(palette.WOOD)
        colors[~face] = wood * 0.95
        grain = 0.06 * np.sin(points[:, 2] * 0.45 + 1.0) + 0.05 * np.sin(
            points[:, 1] * 0.9 + points[:, 2] * 0.21
        )
        soil = np.clip((24.0 - points[:, 2]) / 16.0, 0.0, 1.0)[:, None] * 0.4
        colors = colors * (1.0 + grain[:, None])
        return colors + (np.asarray(palette.SAND) * 0.7 - colors) * soil

    parts = [sheet.painted(paint)]
    parts += _target(CHEST + vec(front, 0.0, 0.0), (6.6, 4.7, 2.9, 1.1))
    parts += _target(np.array([front, 0.0, 63.9]), (3.1, 1.3))
    parts += [_hole(np.array([front, y, z]), size) for y, z, size in HOLES]
    for z, width in ((20.0, 13.0), (34.0, 15.0), (49.5, 18.0)):
        parts.append(
            box((1.3, width, 2.4), palette.shade(palette.WOOD, 0.85), bevel=0.2).moved((-1.2, 0.0, z))
        )
    for y in (-3.4, 3.4):
        parts.append(
            box((1.6, 1.9, 46.0), palette.shade(palette.WOOD, 0.78), bevel=0.25).moved((-1.4, y, 30.0))
        )
        for z in (20.0, 34.0, 49.5):
            parts.append(box((0.5, 0.7, 0.7), palette.GUNMETAL, bevel=0.0).moved((-2.3, y, z)))
    axle = tube([HINGE - vec(0, 6.4, 0), HINGE + vec(0, 6.4, 0)], [0.8, 0.8], palette.GUNMETAL, count=8)
    return [*parts, axle]


def _hole(centre: Array, radius: float) -> Shape:
    """A bullet hole with splintered rim."""
    rings = [
        ring(centre + vec(lift, 0, 0), (0, 1, 0), (0, 0, 1), (radius * grow,) * 4, 6, start=centre[2] * 40.0)
        for lift, grow in ((0.14, 1.9), (0.16, 1.0))
    ]
    tones = np.array([palette.shade(palette.WOOD, 1.25), (22.0, 20.0, 18.0)])
    return loft(rings, tones, caps=(False, True), crease=80.0)


def _target(centre: Array, radii: tuple[float, ...]) -> list[Shape]:
    """Painted rings, red and white in turn from the outside, each a hair in front of the last."""
    made = []
    for number, radius in enumerate(radii):
        color = palette.SIGNAL_RED if number % 2 == 0 else palette.PAPER
        lift = np.array([0.05 + 0.03 * number, 0.0, 0.0])
        rim = ring(centre + lift, (0, 1, 0), (0, 0, 1), (radius,) * 4, 18)
        edge = rim * 1.0
        made.append(loft([edge - lift, rim], color, caps=(False, True), crease=30.0))
    return made


def base() -> list[Shape]:
    """A timber sledge with an iron hinge, and two sandbags that hold it down."""
    wood, iron = palette.shade(palette.WOOD, 0.9), palette.shade(palette.GUNMETAL, 1.1)
    parts = []
    for y in (-8.2, 8.2):
        parts.append(box((34.0, 3.2, 3.4), wood, bevel=0.4).moved((-5.0, y, 1.7)))
        parts.append(
            box((3.4, 1.2, 6.6), iron, bevel=0.25, taper=(0.6, 1.0)).moved((HINGE[0], y * 0.74, 5.2))
        )
        parts.append(box((4.6, 2.2, 0.5), iron, bevel=0.0).moved((HINGE[0], y * 0.8, 3.6)))
    for x in (9.6, -1.0, -19.6):
        tone = palette.shade(wood, 0.9)
        parts.append(box((3.4, 19.6, 2.2), tone, bevel=0.35).moved((x, 0.0, 3.0 if x != -1.0 else 2.2)))
    for y, yaw in ((-4.2, 6.0), (4.6, -9.0)):
        parts.append(_sandbag().moved((9.4, y, 5.9), turn((90.0 + yaw, 0.0, 0.0))))
    return parts


def _sandbag() -> Shape:
    rows = [
        (-4.6, 0.9, 0.9),
        (-4.1, 2.2, 1.4),
        (-2.0, 2.9, 1.9),
        (0.0, 3.0, 2.0),
        (2.0, 2.9, 1.85),
        (4.1, 2.1, 1.4),
        (4.6, 0.8, 0.9),
    ]
    rings = [ring((x, 0, 0), (0, 1, 0), (0, 0, 1), (a, b, a, b), 10, 2.5) for x, a, b in rows]
    return loft(rings, palette.shade(palette.SAND, 0.86), caps=(True, True), crease=70.0)


def bound(bone: int) -> Callable[[Array], Array]:
    """All weight on one bone."""

    def weigh(points: Array) -> Array:
        weights = np.zeros((len(points), len(BONES)))
        weights[:, bone] = 1.0
        return weights

    return weigh


CLIPS: tuple[tuple[str, int, bool, dict[float, float], list[tuple[str, float]]], ...] = (
    # degrees that the plate leans back
    ("dummy_idle", 72, True, {0: 0.0, 14: 0.35, 32: -0.15, 52: 0.25}, []),
    (
        "dummy_fall",
        27,
        False,
        {0: 0.0, 1: 7.0, 3: 15.0, 6: 36.0, 9: 68.0, 11: 87.0, 14: 79.5, 17: 87.0, 19: 84.6, 21: 87.0},
        [("thud", 11.0)],
    ),
    (
        "dummy_rise",
        42,
        False,
        {0: 87.0, 3: 85.5, 6: 80.0, 18: 40.0, 27: 9.0, 30: -1.6, 33: 1.8, 36: -0.8, 39: 0.3, 42: 0.0},
        [("thud", 29.5)],
    ),
)


def main() -> None:
    """Writes dummy.glb and its sidecar."""
    model = shaded([s.weighed(bound(PLATE)) for s in board()] + [s.weighed(bound(BASE)) for s in base()])
    assert model.weights is not None
    glb = GlbWriter()
    nodes: list[int] = []
    for name, parent, place in BONES:
        offset = place if parent is None else place - BONES[parent][2]
        nodes.append(glb.add_node(name, None if parent is None else nodes[parent], offset))
    paint = glb.add_material("board", roughness=0.9)
    joints = np.zeros((len(model.positions), 4), int)
    joints[:, 0] = model.weights.argmax(axis=1)
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (len(joints), 1))
    part = Primitive(
        model.positions,
        model.normals,
        model.triangles,
        colors=model.colors,
        joints=joints,
        weights=weights,
        material=paint,
    )
    glb.add_mesh(glb.add_node("body"), [part], skin=glb.add_skin(nodes))
    lines = [
        "# Written by assets.tools.make_dummy; change the script, not this file.\n",
        'root = "tag_origin"\n',
    ]
    for name, frames, looping, keys, notes in CLIPS:
        channel = Channel(keys, float(frames) if looping else None)
        rows = np.zeros((frames + 1, 7))
        for frame in range(frames + 1):
            rows[frame, :4] = quaternion_of(about((0, 1, 0), -float(channel.at(frame))))
            rows[frame, 4:] = HINGE
        still = {node: np.tile(np.r_[0, 0, 0, 1, np.zeros(3)], (frames + 1, 1)) for node in nodes[:2]}
        glb.add_clip(name, np.arange(frames + 1) / FPS, {**still, nodes[PLATE]: rows})
        lines.append(f"\n[clips.{name}]\n" + ("loop = true\n" if looping else ""))
        if notes:
            lines.append(
                "notes = [" + ", ".join(f'{{ name = "{n}", frame = {f} }}' for n, f in notes) + "]\n"
            )
    glb.write(FOLDER / "dummy.glb")
    (FOLDER / "dummy.toml").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
