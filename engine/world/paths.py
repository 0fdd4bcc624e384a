"""The net of path nodes that actors walk on: links, and the shortest way through them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from math import ceil

from engine.vm.objects import ScriptObject
from engine.vm.values import Value
from engine.world.angles import Vector, distance, distance2d, lerp
from engine.world.collision import Collision
from engine.world.entity import backed
from engine.world.surfaces import WORLD_MASK

LINK_RANGE = 384.0
"""Nodes nearer than this are linked by themselves where one can walk straight from one to the other."""
NODE_RADIUS = 16.0

_DIRECT = 400.0
_CHEST = 36.0
_HALF = 13.0
_STEP = 18.0
_HEIGHT = 66.0
_FARTHEST = 100_000.0
"""Inches that nobody walks in one go."""

_STRIDE = 16.0
_NO_AUTO_LINKS = 1


class PathNode(ScriptObject):
    """A node as scripts see it: the fields of the registry, and whatever they add."""

    type_name = "pathnode"

    def __init__(
        self, index: int, kind: str, values: dict[str, Value], position: Vector, rotation: Vector
    ) -> None:
        self.index = index
        self.kind = kind
        self.values = values
        self.position = position
        self.rotation = rotation
        self.links: list[int] = []

    classname = backed("string", lambda n: n.kind)
    type = backed("string", lambda n: n.kind)
    origin = backed("vector", lambda n: n.position)
    angles = backed("vector", lambda n: n.rotation)
    targetname = backed(
        "string", lambda n: n.values.get("targetname"), lambda n, v: n.values.update(targetname=v)
    )
    target = backed("string", lambda n: n.values.get("target"), lambda n, v: n.values.update(target=v))
    spawnflags = backed("int", lambda n: n.values.get("spawnflags", 0))
    radius = backed("float", lambda n: float(n.values.get("radius", NODE_RADIUS)))

    def __repr__(self) -> str:
        return f"<{self.kind} {self.values.get('targetname', self.index)}>"


def walkable(space: Collision, start: Vector, end: Vector) -> bool:
    """Whether somebody could walk straight from one point on the ground to another.

    The ground below the line is sampled every 16 inches: it must be there, rise and fall by no more than a
    step at a time, and leave room for a body above it.
    """
    flat = distance2d(start, end)
    if not flat < _FARTHEST:  # so, too, where an end is no place
        return False
    steps = max(1, ceil(flat / _STRIDE))
    mins, maxs = (-_HALF, -_HALF, 0.0), (_HALF, _HALF, _HEIGHT - _STEP)
    x, y, z = start
    here = (x, y, z + _STEP)
    for i in range(1, steps + 1):
        ahead = lerp(start, end, i / steps)
        there = (ahead[0], ahead[1], here[2])
        trace = space.trace(here, there, mins, maxs, WORLD_MASK, bodies=False)
        if trace.fraction < 1.0 or trace.startsolid:
            return False
        ground = space.trace(
            there, (there[0], there[1], there[2] - 2.5 * _STEP), mins, maxs, WORLD_MASK, bodies=False
        )
        if ground.fraction >= 1.0 or ground.startsolid or ground.normal[2] < 0.69:
            return False
        here = (there[0], there[1], ground.position[2] + _STEP)
        room = space.trace(ground.position, here, mins, maxs, WORLD_MASK, bodies=False)
        if room.fraction < 1.0:
            return False
    return abs(here[2] - _STEP - end[2]) <= 2.0 * _STEP


class PathGraph:
    """All nodes of a level, linked. Ways are found by A*; ties go to the lower number."""

    def __init__(self, nodes: Sequence[PathNode], space: Collision) -> None:
        self.nodes = list(nodes)
        self.space = space
        self.closed: dict[int, set[tuple[int, int]]] = {}
        """Links that `close` took out, by entity."""
        self._link()

    def _link(self) -> None:
        by_name: dict[str, list[PathNode]] = {}
        for node in self.nodes:
            name = node.values.get("targetname")
            if isinstance(name, str):
                by_name.setdefault(name, []).append(node)
        pairs: set[tuple[int, int]] = set()
        for node in self.nodes:
            for key, value in node.values.items():
                if key.startswith("target") and key != "targetname" and isinstance(value, str):
                    pairs.update(_pair(node, other) for other in by_name.get(value, ()) if other is not node)
        for i, a in enumerate(self.nodes):
            for b in self.nodes[i + 1 :]:
                if _pair(a, b) in pairs or distance(a.position, b.position) > LINK_RANGE:
                    continue
                flags = [n.values.get("spawnflags", 0) for n in (a, b)]
                if any(isinstance(f, int) and f & _NO_AUTO_LINKS for f in flags):
                    continue
                if walkable(self.space, a.position, b.position):
                    pairs.add(_pair(a, b))
        for i, j in sorted(pairs):
            self.nodes[i].links.append(j)
            self.nodes[j].links.append(i)

    def close(self, number: int) -> None:
        """Take out the links that lead through an entity where it stands now."""
        closed = set()
        for node in self.nodes:
            for other in (self.nodes[i] for i in node.links if i > node.index):
                a, b = node.position, other.position
                start, end = (a[0], a[1], a[2] + _CHEST), (b[0], b[1], b[2] + _CHEST)
                if number in self.space.bodies_across(start, end, WORLD_MASK):
                    closed.add(_pair(node, other))
        self.closed[number] = closed

    def open(self, number: int) -> None:
        """Put the links that `close` took out for an entity back in."""
        self.closed.pop(number, None)

    def nearest(self, position: Vector, *, reach: float = 1024.0, tries: int = 6) -> PathNode | None:
        """The nearest node that one can walk to straight; the nearest of all where that is none."""
        near = sorted(self.nodes, key=lambda n: (distance(n.position, position), n.index))[:tries]
        near = [n for n in near if distance(n.position, position) <= reach]
        for node in near:
            if walkable(self.space, position, node.position):
                return node
        return near[0] if near else None

    def find(self, start: Vector, goal: Vector) -> list[Vector] | None:
        """Points to walk through, the goal last; None where no way is known. Needless corners are cut."""
        if distance2d(start, goal) < _DIRECT and walkable(self.space, start, goal):
            return [goal]
        first, last = self.nearest(start), self.nearest(goal)
        if first is None or last is None:
            return None
        numbers = self._shortest(first.index, last.index)
        if numbers is None:
            return None
        points = [self.nodes[n].position for n in numbers]
        if distance2d(points[-1], goal) > 1.0:
            points.append(goal)
        return self._straighten(start, points)

    def _shortest(self, start: int, goal: int) -> list[int] | None:
        target = self.nodes[goal].position
        open_: list[tuple[float, int]] = [(distance(self.nodes[start].position, target), start)]
        came: dict[int, int] = {start: -1}
        cost = {start: 0.0}
        done: set[int] = set()
        closed = set().union(*self.closed.values())
        while open_:
            _, at = heappop(open_)
            if at == goal:
                way = []
                while at >= 0:
                    way.append(at)
                    at = came[at]
                return way[::-1]
            if at in done:
                continue
            done.add(at)
            for other in self.nodes[at].links:
                if closed and (min(at, other), max(at, other)) in closed:
                    continue
                new = cost[at] + distance(self.nodes[at].position, self.nodes[other].position)
                if new < cost.get(other, float("inf")):
                    cost[other] = new
                    came[other] = at
                    heappush(open_, (new + distance(self.nodes[other].position, target), other))
        return None

    def _straighten(self, start: Vector, points: list[Vector]) -> list[Vector]:
        """Drop the first points as long as the one after them can be walked to straight."""
        while (
            len(points) > 1
            and distance2d(start, points[1]) < _DIRECT
            and walkable(self.space, start, points[1])
        ):
            points = points[1:]
        return points


def _pair(a: PathNode, b: PathNode) -> tuple[int, int]:
    return (a.index, b.index) if a.index < b.index else (b.index, a.index)


def by_key(nodes: Iterable[PathNode], key: str, value: str) -> list[PathNode]:
    """The nodes whose key has a value; keys that scripts invented count too."""
    return [n for n in nodes if (n.values.get(key) or n.get_field(key)) == value]
