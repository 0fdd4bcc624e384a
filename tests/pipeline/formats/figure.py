"""A small figure with a skeleton, weights and a clip, which each writer of this folder brings into its format.

It has no symmetry, so that a wrong axis, unit or order of turns shows; and where each vertex goes in each frame is
worked out here by plain multiplication, without the engine.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

METRE = 39.37007874
"""Inches."""


def turned(axis: str, degrees: float) -> np.ndarray:
    """(3, 3): a turn about one axis, counter-clockwise seen from its end."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    a, b = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    out = np.eye(3)
    out[a, a] = out[b, b] = c
    out[a, b], out[b, a] = -s, s
    return out


def quaternion(axis: str, degrees: float) -> np.ndarray:
    """x y z w."""
    half = np.radians(degrees) / 2
    return np.array([np.sin(half) * (axis == a) for a in "xyz"] + [np.cos(half)])


@dataclass(frozen=True)
class Bone:
    """`axis` and `degrees` are its turn at rest, `at` its place below its parent in metres; `angles` and `places` are
    those of each key."""

    name: str
    parent: int
    at: tuple[float, float, float]
    axis: str = "x"
    degrees: float = 0.0
    angles: tuple[float, ...] = ()
    places: tuple[tuple[float, float, float], ...] = ()

    def local(self, key: int | None = None) -> np.ndarray:
        """(4, 4) at rest, or at a key."""
        out = np.eye(4)
        out[:3, :3] = turned(self.axis, self.angle(key))
        out[:3, 3] = self.place(key)
        return out

    def angle(self, key: int | None = None) -> float:
        return self.degrees if key is None or not self.angles else self.angles[key]

    def place(self, key: int | None = None) -> tuple[float, float, float]:
        return self.at if key is None or not self.places else self.places[key]


@dataclass(frozen=True)
class Figure:
    """Metres, y up, z forward, x left. The bone `tip` moves no vertex."""

    bones: tuple[Bone, ...] = (
        Bone("hips", -1, (0.0, 1.0, 0.1), places=((0, 1, 0.1), (0, 1.1, 0.4), (0, 1.0, 0.7))),
        Bone("spine", 0, (0.0, 0.25, 0.0), "x", 10, angles=(10, 40, 20)),
        Bone("arm", 1, (0.2, 0.3, 0.0), "z", -60, angles=(-60, 30, 0)),
        Bone("tip", 2, (0.0, 0.5, 0.0)),
    )
    times: tuple[float, ...] = (0.0, 0.5, 1.0)
    """Seconds of the keys."""
    positions: np.ndarray = field(
        default_factory=lambda: np.array(
            [
                [-0.2, 1.0, 0.0], [0.2, 1.0, 0.0], [0.2, 1.3, 0.0], [-0.2, 1.3, 0.0],
                [0.2, 1.5, 0.1], [0.6, 1.5, 0.2], [0.6, 1.7, 0.3],
            ]
        )
    )  # fmt: skip
    triangles: tuple[tuple[int, int, int], ...] = ((0, 1, 2), (0, 2, 3), (3, 2, 4), (4, 5, 6))
    weights: tuple[dict[int, float], ...] = (
        {0: 1.0}, {0: 1.0}, {0: 0.5, 1: 0.5}, {0: 0.25, 1: 0.75}, {1: 1.0}, {2: 1.0}, {2: 0.75, 1: 0.25},
    )  # fmt: skip
    """By vertex: bone and weight."""

    @property
    def keys(self) -> int:
        return len(self.times)

    @property
    def uvs(self) -> np.ndarray:
        """(V, 2), v = 0 at the top of the picture."""
        return np.stack([self.positions[:, 0] + 0.3, 1.8 - self.positions[:, 1]], axis=1).round(3)

    @property
    def normals(self) -> np.ndarray:
        return np.tile([0.0, 0.0, 1.0], (len(self.positions), 1))

    def worlds(self, key: int | None = None) -> np.ndarray:
        """(B, 4, 4) of the bones at rest, or at a key."""
        found: list[np.ndarray] = []
        for bone in self.bones:
            local = bone.local(key)
            found.append(local if bone.parent < 0 else found[bone.parent] @ local)
        return np.array(found)

    def offsets(self) -> np.ndarray:
        """(B, 4, 4): model space to bone space in the pose that the mesh is bound in."""
        return np.linalg.inv(self.worlds())

    def vertices(self, key: int | None = None) -> np.ndarray:
        """(V, 3): where the vertices are, in the engine's space and inches."""
        palette = self.worlds(key) @ self.offsets()
        out = []
        for position, weights in zip(self.positions, self.weights, strict=True):
            point = np.array([*position, 1.0])
            out.append(sum(w * (palette[b] @ point)[:3] for b, w in weights.items()))
        return engine_points(np.array(out))


def engine_points(points: np.ndarray) -> np.ndarray:
    """(V, 3) metres with y up as inches with z up."""
    return points[:, [2, 0, 1]] * METRE
