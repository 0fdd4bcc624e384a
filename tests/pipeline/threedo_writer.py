"""Writes `.3do` models for the tests: pieces with polygons, as the game's own tools lay them out."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

UNIT = 65536


@dataclass
class Polygon:
    """Corners as the file has them: clockwise, seen from outside along the file's axes."""

    corners: list[int]
    color: int = 17
    texture: str = ""


@dataclass
class Piece:
    name: str
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    points: list[tuple[float, float, float]] = field(default_factory=list)
    polygons: list[Polygon] = field(default_factory=list)
    children: list[Piece] = field(default_factory=list)
    selection: int = -1


BOX_POINTS = [(x, y, z) for y in (0.0, 1.0) for x in (-1.0, 1.0) for z in (-1.0, 1.0)]
BOX_SIDES = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]


def box(name: str, size: tuple[float, float, float], **rest: object) -> Piece:
    """A box standing on its origin: half sizes in x and z, its height in y."""
    points = [(x * size[0], y * size[1], z * size[2]) for x, y, z in BOX_POINTS]
    return Piece(name, points=points, polygons=[Polygon(side[:]) for side in BOX_SIDES], **rest)  # type: ignore[arg-type]  # the fields of a Piece


def write(root: Piece) -> bytes:
    """The file's bytes."""
    out = bytearray()

    def text(name: str) -> int:
        at = len(out)
        out.extend(name.encode("latin-1") + b"\0")
        return at

    def put(piece: Piece, siblings: list[Piece]) -> int:
        at = len(out)
        out.extend(bytes(52))
        name = text(piece.name)
        points_at = len(out)
        for point in piece.points:
            out.extend(struct.pack("<3i", *(round(part * UNIT) for part in point)))
        polygons_at = len(out)
        out.extend(bytes(32 * len(piece.polygons)))
        for index, polygon in enumerate(piece.polygons):
            corners_at = len(out)
            out.extend(struct.pack(f"<{len(polygon.corners)}H", *polygon.corners))
            texture = text(polygon.texture) if polygon.texture else 0
            words = (polygon.color, len(polygon.corners), 0, corners_at, texture, 0, 0, 0)
            struct.pack_into("<8i", out, polygons_at + 32 * index, *words)
        child = put(piece.children[0], piece.children[1:]) if piece.children else 0
        sibling = put(siblings[0], siblings[1:]) if siblings else 0
        place = [round(part * UNIT) for part in piece.place]
        words = (1, len(piece.points), len(piece.polygons), piece.selection, *place, name, 0)
        struct.pack_into("<13i", out, at, *words, points_at, polygons_at, sibling, child)
        return at

    put(root, [])
    return bytes(out)


def tank() -> Piece:
    """A hull with a plate to click on, a turret with a barrel that points ahead, and a flare without polygons."""
    flare = Piece("flare", (0.0, 0.0, -20.0), points=[(0.0, 0.0, 0.0), (0.0, 0.0, -1.0)])
    barrel = box("barrel", (1.0, 2.0, 10.0), place=(0.0, 3.0, -12.0), children=[flare])
    turret = box("Turret", (6.0, 6.0, 6.0), place=(0.0, 8.0, 2.0), children=[barrel])
    lamp = box("lamp", (1.0, 1.0, 1.0), place=(9.0, 8.0, 0.0))
    hull = box("hull", (10.0, 8.0, 14.0), children=[turret, lamp])
    hull.points += [(-20.0, 0.0, -20.0), (20.0, 0.0, -20.0), (20.0, 0.0, 20.0), (-20.0, 0.0, 20.0)]
    hull.polygons.append(Polygon([8, 9, 10, 11]))
    hull.selection = len(hull.polygons) - 1
    return hull
