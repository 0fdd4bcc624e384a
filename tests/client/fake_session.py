"""A small game without a world: a floor, a wall, a red pillar, a figure that walks, and a player who can move."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.anim.cause import Cause
from engine.anim.clip import Clip
from engine.anim.skeleton import Skeleton
from engine.anim.state import NodeView
from engine.client.session import Inspection, LogLine
from engine.mods.playing import Played
from engine.pipeline.model import Material, Mesh, Model
from engine.pipeline.sounds import SoundAlias
from engine.source import SourceText, Span
from engine.vm.inspect import FrameView as CallView
from engine.vm.inspect import ThreadView
from engine.vm.objects import ScriptStruct
from engine.world.command import Button, UserCommand
from engine.world.view import (
    Atmosphere,
    EntityState,
    FrameView,
    LevelGeometry,
    PlayerState,
    PoseBatch,
    SurfaceGeometry,
    Vector,
)

AIR = Atmosphere(sun_direction=(-0.6, -0.48, 0.64))


def face(texture: str, corner: Vector, along: Vector, up: Vector) -> SurfaceGeometry:
    """One rectangle, seen from the side that along x up points to."""
    c, a, u = (np.array(v, np.float32) for v in (corner, along, up))
    normal = np.cross(a, u)
    points = np.stack((c, c + a, c + a + u, c + u))
    normals = np.tile(normal / np.linalg.norm(normal), (4, 1))
    uvs = (
        np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32) * (np.linalg.norm(a), np.linalg.norm(u)) / 128
    )
    indices = np.array(((0, 1, 2), (0, 2, 3)), np.uint32)
    return SurfaceGeometry(texture, points, normals.astype(np.float32), uvs.astype(np.float32), indices)


def box_faces(texture: str, low: Vector, high: Vector) -> list[SurfaceGeometry]:
    x, y, z = (high[i] - low[i] for i in range(3))
    return [
        face(texture, (low[0], low[1], high[2]), (x, 0, 0), (0, y, 0)),
        face(texture, (low[0], high[1], low[2]), (x, 0, 0), (0, -y, 0)),
        face(texture, (low[0], low[1], low[2]), (x, 0, 0), (0, 0, z)),
        face(texture, (high[0], high[1], low[2]), (-x, 0, 0), (0, 0, z)),
        face(texture, (high[0], low[1], low[2]), (0, y, 0), (0, 0, z)),
        face(texture, (low[0], high[1], low[2]), (0, -y, 0), (0, 0, z)),
    ]


def level() -> LevelGeometry:
    """A sand floor around the origin, a plaster wall at x = 400, a red pillar left of the way to it, a door."""
    world = [
        face("sand", (-800, -800, 0), (1600, 0, 0), (0, 1600, 0)),
        *box_faces("plaster", (400, -400, 0), (420, 400, 130)),
        *box_faces("red", (200, 60, 0), (230, 90, 80)),
    ]
    door = tuple(box_faces("planks", (-4, -28, 0), (4, 28, 108)))
    return LevelGeometry("test", tuple(world), (door,), ((-800, -800, 0), (800, 800, 130)), AIR)


def block(name: str, size: Vector, colour: tuple[int, int, int], tag: str = "tag_top") -> Model:
    """A box on the ground with two bones: `root`, and a tag above it."""
    faces = box_faces("", (-size[0] / 2, -size[1] / 2, 0), (size[0] / 2, size[1] / 2, size[2]))
    positions = np.concatenate([f.positions for f in faces])
    count = len(positions)
    joints = np.zeros((count, 4), np.uint16)
    joints[:, 0] = positions[:, 2] > size[2] / 2
    weights = np.zeros((count, 4), np.float32)
    weights[:, 0] = 1
    mesh = Mesh(
        name, 0, positions, np.concatenate([f.normals for f in faces]), np.zeros((count, 2), np.float32),
        np.tile(np.array((*colour, 255), np.uint8), (count, 1)), joints, weights,
        np.concatenate([f.indices + i * 4 for i, f in enumerate(faces)]).astype(np.uint32),
    )  # fmt: skip
    rest = np.zeros((8, 2), np.float32)
    rest[3], rest[7] = 1, 1
    rest[6, 1] = size[2]
    inverse = np.tile(np.eye(4, dtype=np.float32)[:3], (2, 1, 1))
    inverse[1, 2, 3] = -size[2]
    skeleton = Skeleton(("root", tag), np.array((-1, 0), np.int32), rest, inverse)
    bounds = (-size[0] / 2, -size[1] / 2, 0.0), (size[0] / 2, size[1] / 2, size[2])
    return Model(name, skeleton, (mesh,), (Material("paint"),), (), bounds)


class FakeLibrary:
    def __init__(self) -> None:
        self.models = {
            "figure": block("figure", (20, 20, 70), (90, 110, 200)),
            "hat": block("hat", (24, 24, 8), (240, 220, 60)),
            "rifle": block("rifle", (30, 2, 3), (60, 60, 64), "tag_flash"),
        }
        self.clips: dict[str, Clip] = {}
        self.aliases: dict[str, SoundAlias] = {}

    def model(self, name: str) -> Model:
        return self.models[name]

    def clip(self, name: str) -> Clip | None:
        return self.clips.get(name)

    def sound_alias(self, name: str) -> SoundAlias | None:
        return self.aliases.get(name)


class FakeScripts:
    """Two threads in a function of five lines; the first counts. `held` stops nothing here."""

    text = "walk()\n{\n    for (count = 0;; count++)\n        wait 0.05;\n}\n"

    def __init__(self) -> None:
        self.held = False
        self.broken = False
        self.count = 0

    def threads(self) -> list[ThreadView]:
        span = SourceText("maps/walk.gsc", self.text).span(50, 54)
        frame = CallView("walk::walk", span, {"count": self.count, "other": None})
        level = ScriptStruct()
        return [
            ThreadView(7, "walk::walk", level, (frame,), "wait, 50 ms to go", 100, "level"),
            ThreadView(8, "walk::walk", level, (frame,), 'waittill "go" on level', 100, "level"),
        ]

    def view(self, number: int) -> ThreadView | None:
        return next((view for view in self.threads() if view.number == number), None)

    def source(self, span: Span, around: int) -> list[tuple[int, str]]:
        return list(enumerate(self.text.splitlines(), 1))

    def waiters(self) -> list[dict[str, Any]]:
        row = {
            "event": "go",
            "object": "level",
            "objects": ["level"],
            "threads": [8],
            "longest": 1500,
            "raised": [],
        }
        return [
            {**row, "functions": {"walk::walk": 1}, "wakes": "nobody"},
            {
                **row,
                "event": "death",
                "functions": {"walk::walk": 1},
                "raised": ["maps/x.gsc:3:4"],
                "wakes": "running",
            },
        ]

    def last_reload(self) -> tuple[str, list[dict[str, Any]], list[str]]:
        if self.broken:
            return "walk.gsc: not taken in, 1 error", [], ["maps/walk.gsc:3:9: expected ';'"]
        row = {"thread": 8, "function": "walk::walk", "old_line": 3, "new_line": 4, "lost": ["x"]}
        return "walk.gsc: taken in", [{**row, "fate": "moved", "reason": "the same place"}], []


class FakeAnimations:
    """Entity 7 walks, because a line said so, while what it did before fades out."""

    def __init__(self) -> None:
        self.weight = 0.25
        self.gone = False

    def players(self) -> list[int]:
        return [] if self.gone else [0, 7]

    def played(self, number: int) -> Played | None:
        if self.gone or number != 7:
            return None
        walk = Cause("setanimknoball", 1500)
        rest = Cause("clearanim", 1500)
        nodes = (
            NodeView(0, -1, 0, "root", False, 1.0, 1.0, None, 1.0, 1.0, None, walk),
            NodeView(1, 0, 1, "moves", False, 1.0, 1.0, None, 1.0, 1.0, None, walk),
            NodeView(2, 1, 2, "walk", True, self.weight, 1.0, 0.5, 1.0, 1.0, None, walk),
            NodeView(3, 0, 1, "rest", True, 1.0 - self.weight, 0.0, 0.1, 1.0, 1.0, None, rest),
        )
        return Played(7, "figure", "figures", nodes, frozenset())


class FakeSession:
    """Walks without walls; `queue` holds what the next frame shows besides, `executed` the console lines that came."""

    title = "Test"

    def __init__(self) -> None:
        self.geometry = level()
        self.library = FakeLibrary()
        self.player: int | None = 0
        self.state = PlayerState(
            entity=0, name="you", team="allies", state="playing", origin=(-100.0, 0.0, 0.0), eye=(-100.0, 0.0, 60.0),
            view=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), health=100, max_health=100, alive=True, stance="stand",
            on_ground=True, sprinting=False, weapon="rifle", weapon_model="rifle", clip=8, clip_size=8, stock=40,
            weapon_state="ready", weapon_time=0, weapon_length=0,
        )  # fmt: skip
        self.time = 0
        self.commands_seen: list[UserCommand] = []
        self.executed: list[str] = []
        self.log: list[LogLine] = []
        self.queue: dict[str, object] = {}
        self.told: list[dict[str, float]] = []
        self.bare = False
        """Whether the game gives the player no model."""
        self.idled = self.stood = 0
        self.closed = False
        self.debugger = FakeScripts()
        self.playing = FakeAnimations()

    def frame(self) -> FrameView:
        self.time += 50
        return self.view()

    def view(self) -> FrameView:
        skeleton = self.library.models["figure"].skeleton
        lean = skeleton.rest.copy()
        lean[4, 1] = 10 * math.sin(self.time / 300)
        own = "" if self.bare else "figure"
        states = {
            0: EntityState(0, 1, own, "", self.state.origin, (0.0, self.state.view[1], 0.0), True),
            7: EntityState(
                7, 1, "figure", "", (150.0, -60.0 + self.time * 0.09 % 60, 0.0), (0.0, 90.0, 0.0), True, (0, 0),
                (("hat", "tag_top"),),
            ),
            8: EntityState(8, 1, "", "", (300.0, -80.0, 0.0), (0.0, 0.0, 0.0), True, brush_model=0),
        }  # fmt: skip
        extra, self.queue = self.queue, {}
        players = {0: self.state} if self.player is not None else {}
        poses = (PoseBatch(skeleton, lean[None]),)
        return FrameView(self.time // 50, self.time, states, poses, players, **extra)  # type: ignore[arg-type]

    def command(self, command: UserCommand) -> PlayerState | None:
        self.commands_seen.append(command)
        if self.player is None:
            return None
        yaw = math.radians(command.angles[1])
        speed = 280.0 if Button.SPRINT in command.buttons else 190.0
        ahead, aside = command.forward * speed, -command.right * speed
        vx = ahead * math.cos(yaw) - aside * math.sin(yaw)
        vy = ahead * math.sin(yaw) + aside * math.cos(yaw)
        s, dt = self.state, command.msec / 1000
        origin = (s.origin[0] + vx * dt, s.origin[1] + vy * dt, s.origin[2])
        shot = Button.ATTACK in command.buttons and s.clip > 0
        self.state = replace(
            s, origin=origin, eye=(origin[0], origin[1], 60.0), view=command.angles, velocity=(vx, vy, 0.0),
            shots=s.shots + shot, clip=s.clip - shot,
        )  # fmt: skip
        return self.state

    def trace(self, start: Vector, end: Vector) -> float:
        if start[0] < 400 <= end[0]:
            return (400 - start[0]) / (end[0] - start[0])
        return 1.0

    def execute(self, line: str) -> str:
        self.executed.append(line)
        return f"unknown command {line.split()[0]}" if line.startswith("nonsense") else ""

    def commands(self) -> Mapping[str, str]:
        return {
            "map_restart": "starts the level again",
            "reload": "loads the scripts again",
            "kill": "you die",
        }

    def variables(self) -> Mapping[str, str]:
        return {"g_gravity": "800", "g_speed": "190", "scr_timelimit": "5"}

    def stand(self) -> FrameView:
        self.stood += 1
        return self.view()

    def idle(self) -> None:
        self.idled += 1

    def drain_log(self) -> Sequence[LogLine]:
        lines, self.log = self.log, []
        return lines

    def tell_frame(self, timings: Mapping[str, float]) -> None:
        self.told.append(dict(timings))

    def inspect(self) -> Inspection:
        return Inspection(3, 2, (("patrol", 2), ("main", 1)), (("death", 2),), {"variables": 120})

    def close(self) -> None:
        self.closed = True
