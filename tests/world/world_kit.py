"""A world without scripts: a host that records, models made of boxes, levels written as text."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from engine.anim.skeleton import Skeleton
from engine.pipeline.model import Material, Mesh, Model
from engine.source import SourceText
from engine.vm.objects import DeadEntity, ScriptObject
from engine.world.levels import Level, load_level
from engine.world.surfaces import SurfaceTable
from engine.world.weapons import Weapon
from engine.world.world import World


@dataclass
class RecordingHost:
    """Keeps every notify; `answers` are callbacks that a test gives."""

    notified: list[tuple[Any, ...]] = field(default_factory=list)
    called: list[tuple[Any, ...]] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)

    def begin(self, time: int) -> None:
        self.log.append(f"begin {time}")

    def notify(self, target: ScriptObject, event: str, *args: Any) -> None:
        self.notified.append((target, event, *args))

    def drain(self) -> None:
        self.log.append("drain")

    def advance(self, time: int) -> None:
        self.log.append(f"advance {time}")

    def callback(self, name: str, target: ScriptObject, *args: Any) -> bool:
        self.called.append((name, target, *args))
        answer = self.answers.get(name)
        if answer is None:
            return False
        answer(target, *args)
        return True

    def free(self, target: ScriptObject) -> None:
        target.__class__ = DeadEntity

    def events(self, target: ScriptObject) -> list[str]:
        return [entry[1] for entry in self.notified if entry[0] is target]


def box_model(name: str, mins: tuple[float, float, float], maxs: tuple[float, float, float]) -> Model:
    """A box on one bone, with a tag above it."""
    corners = np.array(
        [[x, y, z] for x in (mins[0], maxs[0]) for y in (mins[1], maxs[1]) for z in (mins[2], maxs[2])]
    )
    rest = np.zeros((8, 2), np.float32)
    rest[3] = rest[7] = 1.0
    rest[6, 1] = maxs[2]
    inverse = np.zeros((2, 3, 4), np.float32)
    inverse[:, :, :3] = np.eye(3)
    inverse[1, 2, 3] = -maxs[2]
    skeleton = Skeleton(("root", "tag_top"), np.array([-1, 0], np.int32), rest, inverse)
    count = len(corners)
    weights = np.zeros((count, 4), np.float32)
    weights[:, 0] = 1.0
    mesh = Mesh(
        "box", 0, corners.astype(np.float32), np.zeros((count, 3), np.float32), np.zeros((count, 2), np.float32),
        np.full((count, 4), 255, np.uint8), np.zeros((count, 4), np.uint16), weights,
        np.array(list(combinations(range(8), 3)), np.uint32),
    )  # fmt: skip
    return Model(name, skeleton, (mesh,), (Material("m"),), (), (mins, maxs))


class BoxModels:
    """Every model is a box; `soldier...` is as big as one."""

    def __init__(self) -> None:
        self.made: dict[str, Model] = {}

    def model(self, name: str) -> Model:
        if name not in self.made:
            size = (-12.0, -12.0, 0.0), (12.0, 12.0, 68.0 if "soldier" in name else 32.0)
            self.made[name] = box_model(name, *size)
        return self.made[name]

    def has_model(self, name: str) -> bool:
        return name != "missing"


def brush(mins: tuple[float, float, float], maxs: tuple[float, float, float], texture: str = "gravel") -> str:
    """One box in Standard format."""
    (a, b, c), (x, y, z) = mins, maxs
    faces = (
        f"( {a} 0 0 ) ( {a} 1 0 ) ( {a} 0 1 )",
        f"( {x} 0 0 ) ( {x} 0 1 ) ( {x} 1 0 )",
        f"( 0 {b} 0 ) ( 0 {b} 1 ) ( 1 {b} 0 )",
        f"( 0 {y} 0 ) ( 1 {y} 0 ) ( 0 {y} 1 )",
        f"( 0 0 {c} ) ( 1 0 {c} ) ( 0 1 {c} )",
        f"( 0 0 {z} ) ( 0 1 {z} ) ( 1 0 {z} )",
    )
    return "{\n" + "".join(f"{face} {texture} 0 0 0 1 1\n" for face in faces) + "}\n"


FLOOR = brush((-1024, -1024, -16), (1024, 1024, 0))


def block(classname: str, *brushes: str, **keys: object) -> str:
    lines = [f'"classname" "{classname}"'] + [f'"{k}" "{v}"' for k, v in keys.items()]
    return "{\n" + "\n".join(lines) + "\n" + "".join(brushes) + "}\n"


def make_level(*blocks: str, solids: str = FLOOR) -> Level:
    text = block("worldspawn", solids) + "".join(blocks)
    return load_level(SourceText("test.map", text), "test", SurfaceTable())


RIFLE = Weapon("rifle", model="rifle", damage=50, far_damage=50, clip=5, stock_start=20, spread_stand=0.0)


def make_world(*blocks: str, solids: str = FLOOR) -> tuple[World, RecordingHost]:
    host = RecordingHost()
    return World(make_level(*blocks, solids=solids), host, BoxModels(), weapons={"rifle": RIFLE}), host
