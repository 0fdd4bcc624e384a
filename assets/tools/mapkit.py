"""Writes Quake-family ``.map`` files in the Valve 220 format from convex shapes.

A level script describes solids by their corner points; this module finds the faces, gives every face its
surface and its texture axes, and writes the text. One unit is one inch, z is up. A texture counts as 128
texels wide and high, so at scale 1 it repeats every 128 units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

Vec = tuple[float, float, float]
Surface = str | Mapping[str, str]
"""One surface name, or names by side: top, bottom, north (+y), south, east (+x), west and "" for the rest."""

FITTED = ("sign_", "log_end", "glass_dark")
"""Beginnings of surface names that are pictures: one repetition fills the whole face."""

TEXELS = 128.0
NODRAW = "nodraw"
CLIP = "clip"
TRIGGER = "trigger"
_FLAT = 1e-4


def _sub(a: Vec, b: Vec) -> Vec:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _cross(a: Vec, b: Vec) -> Vec:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _dot(a: Vec, b: Vec) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@dataclass(frozen=True)
class Face:
    """A plane by three corners; ``(a - b) x (c - b)`` points out of the solid, as map readers expect.

    ``outline`` holds all corners of the face in no order: a texture that is fitted needs its extent.
    """

    corners: tuple[Vec, Vec, Vec]
    normal: Vec
    surface: str
    outline: tuple[Vec, ...] = ()


@dataclass
class Entity:
    """One block of the file: string keys and the solids that belong to it."""

    keys: dict[str, str]
    brushes: list[list[Face]] = field(default_factory=list)


def side_of(normal: Vec) -> str:
    """The side that a unit normal faces most: top, bottom, north, south, east or west."""
    x, y, z = normal
    if z > 0.5:
        return "top"
    if z < -0.5:
        return "bottom"
    if abs(x) > abs(y):
        return "east" if x > 0 else "west"
    return "north" if y > 0 else "south"


def _surface(surface: Surface, side: str) -> str:
    if isinstance(surface, str):
        return surface
    return surface.get(side, surface.get("", NODRAW))


def hull(points: Iterable[Vec], surface: Surface) -> list[Face]:
    """The faces of the convex hull of 4 to about 24 points.

    Every triple is tried as a plane; the few points of a level's solids make anything cleverer a waste.
    Raises ``ValueError`` when the points enclose no volume.
    """
    corners = list(dict.fromkeys(points))
    faces: list[Face] = []
    seen: list[tuple[Vec, float]] = []
    for a, b, c in combinations(corners, 3):
        normal = _cross(_sub(a, b), _sub(c, b))
        size = _dot(normal, normal) ** 0.5
        if size < _FLAT:
            continue
        unit = (normal[0] / size, normal[1] / size, normal[2] / size)
        heights = [_dot(unit, _sub(p, a)) for p in corners]
        if max(heights) > _FLAT * 100 and min(heights) < -_FLAT * 100:
            continue
        if max(heights) > _FLAT * 100:
            a, c, unit = c, a, (-unit[0], -unit[1], -unit[2])
        distance = _dot(unit, a)
        if any(_dot(unit, n) > 1 - 1e-6 and abs(distance - d) < 0.01 for n, d in seen):
            continue
        seen.append((unit, distance))
        outline = tuple(p for p, h in zip(corners, heights, strict=True) if abs(h) <= _FLAT * 100)
        faces.append(Face((a, b, c), unit, _surface(surface, side_of(unit)), outline))
    if len(faces) < 4:
        raise ValueError(f"the points enclose no volume: {corners}")
    return faces


def box(low: Vec, high: Vec, surface: Surface) -> list[Face]:
    """An upright block between two corners."""
    if not all(a < b for a, b in zip(low, high, strict=True)):
        raise ValueError(f"a box needs low < high: {low} {high}")
    xs, ys, zs = zip(low, high, strict=True)
    return hull([(x, y, z) for x in xs for y in ys for z in zs], surface)


def prism(
    outline: Sequence[tuple[float, float]], low: float, high: float, surface: Surface, axis: str = "z"
) -> list[Face]:
    """A convex outline pushed from ``low`` to ``high`` along an axis.

    The outline is in (x, y) for axis z, in (y, z) for axis x and in (x, z) for axis y.
    """
    corners: list[Vec] = []
    for a, b in outline:
        for h in (low, high):
            corners.append((a, b, h) if axis == "z" else (h, a, b) if axis == "x" else (a, h, b))
    return hull(corners, surface)


def _number(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _point(p: Vec) -> str:
    return "( " + " ".join(_number(v) for v in p) + " )"


def _axes(normal: Vec) -> tuple[Vec, Vec]:
    """Texture axes that lie in the face: u runs level, v runs down it, so that bricks stay level."""
    if abs(normal[2]) > 0.9:
        return (1, 0, 0), (0, -1, 0)
    length = (normal[0] ** 2 + normal[1] ** 2) ** 0.5
    u = (-normal[1] / length, normal[0] / length, 0.0)
    v = _cross(normal, u)
    return u, (-v[0], -v[1], -v[2])


class Level:
    """Collects solids and entities and writes them as one file."""

    def __init__(self, **worldspawn: object) -> None:
        self.world = Entity({"classname": "worldspawn", "mapversion": "220"} | _texts(worldspawn))
        self.entities: list[Entity] = []

    def solid(self, faces: list[Face]) -> None:
        """Adds a solid to the world itself."""
        self.world.brushes.append(faces)

    def box(self, low: Vec, high: Vec, surface: Surface) -> None:
        self.solid(box(low, high, surface))

    def prism(
        self,
        outline: Sequence[tuple[float, float]],
        low: float,
        high: float,
        surface: Surface,
        axis: str = "z",
    ) -> None:
        self.solid(prism(outline, low, high, surface, axis))

    def entity(self, classname: str, *brushes: list[Face], **keys: object) -> Entity:
        """Adds an entity; ``origin`` and other vectors may be given as tuples."""
        made = Entity({"classname": classname} | _texts(keys), list(brushes))
        self.entities.append(made)
        return made

    def text(self) -> str:
        lines: list[str] = []
        for number, entity in enumerate([self.world, *self.entities]):
            lines += [f"// entity {number}", "{"]
            lines += [f'"{key}" "{value}"' for key, value in entity.keys.items()]
            for index, faces in enumerate(entity.brushes):
                lines += [f"// brush {index}", "{", *map(_face_line, faces), "}"]
            lines.append("}")
        return "\n".join(lines) + "\n"

    def write(self, path: Path) -> None:
        path.write_text(self.text(), encoding="latin-1", newline="\n")


def _texts(keys: Mapping[str, object]) -> dict[str, str]:
    return {
        key: " ".join(_number(v) for v in value) if isinstance(value, tuple) else str(value)
        for key, value in keys.items()
    }


def _face_line(face: Face) -> str:
    points = " ".join(_point(p) for p in face.corners)
    fitted = face.surface.startswith(FITTED)
    axes, scales = [], []
    for axis in _axes(face.normal):
        shift, scale = _fit(face, axis) if fitted else (0.0, 1.0)
        axes.append("[ " + " ".join(_number(c) for c in (*axis, shift)) + " ]")
        scales.append(_number(scale))
    return f"{points} {face.surface} {axes[0]} {axes[1]} 0 {scales[0]} {scales[1]}"


def _fit(face: Face, axis: Vec) -> tuple[float, float]:
    """Shift and scale that lay one repetition of the texture over the face, along one of its axes."""
    along = [_dot(p, axis) for p in face.outline]
    scale = (max(along) - min(along)) / TEXELS
    return -min(along) / scale, scale
