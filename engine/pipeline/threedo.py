"""Models of Total Annihilation (`.3do`): a tree of pieces, each with polygons of its own.

The file has no header: the object at byte 0 is the root, every pointer counts bytes from the file's start, and all
words are little-endian and signed. Lengths are 65536ths of the game's unit, which is taken for an inch, as unit
scripts do. The file's axes are x to the left, y up, z backward; those of a scene here look forward along z, so z
changes its sign, and with it the order of a polygon's corners.

Colours are indexes into a palette that does not come with the model. A `palette.pal` beside it (256 times red, green,
blue, and maybe a byte more) is used; without one, an own palette of the same order: ramps of 16 shades.
"""

from __future__ import annotations

import colorsys
import struct
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.pipeline.faults import Faults
from engine.pipeline.geometry import to_linear
from engine.pipeline.scene import Float64, Node, Scene, SceneMaterial, SceneMesh

PALETTE = "palette.pal"
IMAGES = (".png", ".jpg", ".jpeg")

MAX_OBJECTS = 1024
MAX_NAME = 255
MAX_CORNERS = 256
MAX_TRIANGLES = 1_000_000

_OBJECT = struct.Struct("<13i")
_PRIMITIVE = struct.Struct("<8i")
_UNITS = 65536.0

LoadFile = Callable[[str], bytes | None]
"""The bytes of a file beside the model, None where there is none."""


@dataclass(frozen=True, slots=True)
class _Object:
    """The words of one object that are used here."""

    vertices: int
    primitives: int
    selection: int
    place: tuple[int, int, int]
    name: int
    vertex_at: int
    primitive_at: int
    sibling: int
    child: int


def read_3do(data: bytes, load: LoadFile, faults: Faults) -> Scene:
    """The pieces as nodes, in the file's order, with a mesh for each colour or texture of a piece.

    `load` finds textures and the palette. Raises DiagnosticError (`bad-3do`) naming the byte that is wrong.
    """
    return _Reader(data, load, faults).read()


class _Reader:
    def __init__(self, data: bytes, load: LoadFile, faults: Faults) -> None:
        self.data = data
        self.load = load
        self.faults = faults
        self.scene = Scene([])
        self.palette = _palette(load(PALETTE), faults)
        self._materials: dict[tuple[str, int], int] = {}
        self._textures: dict[str, str | None] = {}
        self._triangles = 0

    def read(self) -> Scene:
        seen: set[int] = set()
        todo = [(0, -1)]
        while todo:
            at, parent = todo.pop()
            if at in seen:
                raise self._bad(at, "an object is met twice: the tree has a cycle")
            seen.add(at)
            if len(seen) > MAX_OBJECTS:
                raise self._bad(at, f"more than {MAX_OBJECTS} objects")
            found = self._object(at)
            number = len(self.scene.nodes)
            name = self._text(found.name, "object")
            node = Node(name, parent, _moved(found.place))
            self.scene.nodes.append(node)
            node.meshes = self._meshes(found, name, is_root=at == 0)
            # The child first, and all below it: the order of the file, which the scripts' pieces have too.
            if found.sibling:
                if parent < 0:
                    raise self._bad(at, "the root object has a sibling")
                todo.append((found.sibling, parent))
            if found.child:
                todo.append((found.child, number))
        return self.scene

    def _bad(self, at: int, message: str) -> Exception:
        return self.faults.fatal("bad-3do", f"{message} (byte {at})")

    def _span(self, at: int, count: int, size: int, what: str, pointer: int) -> None:
        """Refuse a table that does not lie in the file, before anything of it is read."""
        if count < 0 or at < 0 or at + count * size > len(self.data):
            raise self._bad(
                pointer, f"the {what} ({count} at byte {at}) reach past the file's {len(self.data)} bytes"
            )

    def _object(self, at: int) -> _Object:
        self._span(at, 1, _OBJECT.size, "object", max(0, at))
        words = _OBJECT.unpack_from(self.data, at)
        if words[0] != 1:
            raise self._bad(at, f"an object has version {words[0]}, not 1; this is no model of that game")
        found = _Object(
            words[1], words[2], words[3], (words[4], words[5], words[6]),
            words[7], words[9], words[10], words[11], words[12],
        )  # fmt: skip
        self._span(found.vertex_at, found.vertices, 12, "vertices", at + 36)
        self._span(found.primitive_at, found.primitives, _PRIMITIVE.size, "polygons", at + 40)
        return found

    def _text(self, at: int, what: str) -> str:
        end = self.data.find(b"\0", at, at + MAX_NAME + 1) if 0 <= at < len(self.data) else -1
        if end <= at:
            raise self._bad(max(0, at), f"the name of a {what} is empty, or has no end")
        return self.data[at:end].decode("latin-1")

    # ---- polygons -----------------------------------------------------------------------------------

    def _meshes(self, found: _Object, name: str, *, is_root: bool) -> tuple[int, ...]:
        points = np.frombuffer(self.data, "<i4", 3 * found.vertices, found.vertex_at).reshape(-1, 3)
        places = points.astype(np.float64) / _UNITS * (1.0, 1.0, -1.0)
        by_material: dict[int, list[list[int]]] = {}
        for index in range(found.primitives):
            at = found.primitive_at + index * _PRIMITIVE.size
            color, corners, _, corner_at, texture, _, _, _ = _PRIMITIVE.unpack_from(self.data, at)
            # What a player clicks on is no part of what he sees; points and lines have no inside.
            if (is_root and index == found.selection) or corners < 3:
                continue
            if corners > MAX_CORNERS:
                raise self._bad(at + 4, f"a polygon of {corners} corners; {MAX_CORNERS} at most")
            self._span(corner_at, corners, 2, "corners", at + 12)
            ring = list(struct.unpack_from(f"<{corners}H", self.data, corner_at))
            if max(ring) >= found.vertices:
                raise self._bad(
                    corner_at, f"a corner is vertex {max(ring)} of piece '{name}', which has {found.vertices}"
                )
            self._triangles += corners - 2
            if self._triangles > MAX_TRIANGLES:
                raise self._bad(at, f"more than {MAX_TRIANGLES} triangles")
            by_material.setdefault(self._material(color, texture), []).append(ring[::-1])
        meshes = []
        for material, rings in by_material.items():
            mesh = _mesh(name, material, places, rings)
            if len(mesh.indices):
                meshes.append(len(self.scene.meshes))
                self.scene.meshes.append(mesh)
        return tuple(meshes)

    def _material(self, color: int, texture_at: int) -> int:
        texture = self._text(texture_at, "texture").lower() if texture_at else ""
        file = self._texture(texture) if texture else None
        key = (texture, -1) if file is not None else ("", color & 255)
        if key not in self._materials:
            self._materials[key] = len(self.scene.materials)
            if file is not None:
                self.scene.materials.append(SceneMaterial(texture, texture=file))
            else:
                r, g, b = (float(part) for part in to_linear(np.array(self.palette[color & 255]) / 255.0))
                self.scene.materials.append(SceneMaterial(f"color_{color & 255}", (r, g, b, 1.0)))
        return self._materials[key]

    def _texture(self, name: str) -> str | None:
        """The picture beside the model for a texture's name; None, and a word about it, where there is none."""
        if name not in self._textures:
            files = [name + suffix for suffix in IMAGES]
            self._textures[name] = next((file for file in files if self.load(file) is not None), None)
            if self._textures[name] is None:
                self.faults.warn(
                    "missing-texture",
                    f"texture `{name}` cannot be found; its polygons show their plain colour",
                    f"put {name}.png beside the model",
                    "the game keeps its textures elsewhere: put pictures of these names beside the model",
                )
        return self._textures[name]


def _moved(place: tuple[int, int, int]) -> Float64:
    transform = np.eye(4)
    transform[:3, 3] = np.array(place) / _UNITS * (1.0, 1.0, -1.0)
    return transform


def _mesh(name: str, material: int, places: Float64, rings: list[list[int]]) -> SceneMesh:
    """Polygons as fans of triangles, each with its own corners: the game shades them flat."""
    positions: list[Float64] = []
    normals: list[Float64] = []
    uvs: list[tuple[float, float]] = []
    indices: list[tuple[int, int, int]] = []
    for ring in rings:
        corners = places[ring]
        following = np.roll(corners, -1, axis=0)
        # Over the whole ring, since its first corners may lie in a line.
        normal = np.cross(corners, following).sum(axis=0)
        length = float(np.linalg.norm(normal))
        if length < 1e-9:
            continue
        first = len(positions)
        positions += list(corners)
        normals += [normal / length] * len(ring)
        uvs += _corners_of_a_picture(len(ring))
        indices += [(first, first + i, first + i + 1) for i in range(1, len(ring) - 1)]
    return SceneMesh(
        name=name,
        material=material,
        positions=np.array(positions, np.float32).reshape(-1, 3),
        normals=np.array(normals, np.float32).reshape(-1, 3),
        uvs=np.array(uvs, np.float32).reshape(-1, 2),
        colors=None,
        indices=np.array(indices, np.uint32).reshape(-1, 3),
    )


def _corners_of_a_picture(count: int) -> list[tuple[float, float]]:
    """A picture fills a polygon of four corners, from its first in the file on: left and top, right and top, ...

    The corners come in the opposite order here. A triangle shows half of the picture, others its first corner.
    """
    known = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)][:count]
    return (known if count <= 4 else [(0.0, 0.0)] * count)[::-1]


def _palette(data: bytes | None, faults: Faults) -> list[tuple[int, int, int]]:
    if data is not None:
        width = {768: 3, 1024: 4}.get(len(data))
        if width is not None:
            return [(data[i], data[i + 1], data[i + 2]) for i in range(0, len(data), width)]
        faults.warn("bad-palette", f"{PALETTE} has {len(data)} bytes; a palette has 768 or 1024")
    return [_shade(index) for index in range(256)]


def _shade(index: int) -> tuple[int, int, int]:
    """The own palette: the first ramp is grey, the others go round the colours; each from light to dark."""
    ramp, step = divmod(index, 16)
    value = 1.0 - step / 17.0
    r, g, b = colorsys.hsv_to_rgb((ramp - 1) / 15.0, 0.0 if ramp == 0 else 0.45, value)
    return round(r * 255), round(g * 255), round(b * 255)
