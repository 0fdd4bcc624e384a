"""What a crowd costs a frame: `notetrack bench animation`.

Entities of 20 bones on a tree of 40 nodes, each with four clips of a walk blended at weights of its own. In most of
them only the hips travel, as in clips that people make; in `all channels` every bone does. The figures are for one
frame of all entities, in this thread, without drawing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.anim import atr, pose
from engine.anim.clip import Clip, ClipNote
from engine.anim.sampler import bind
from engine.anim.skeleton import Skeleton
from engine.anim.state import TreeInstances
from engine.source import SourceText

PARENTS = (-1, 0, 1, 2, 3, 4, 3, 6, 7, 8, 3, 10, 11, 12, 0, 14, 15, 0, 17, 18)
"""Hips, spine and head, two arms of four bones, two legs of three."""

GROUPS = {"stride : loopsync": 4, "stand": 12, "act": 12, "fall": 7}
FRAMES = 31


class Measure(NamedTuple):
    """`run` is one round of work for `count` entities."""

    name: str
    count: int
    run: Callable[[], object]


def measures() -> list[Measure]:
    found = []
    for count, all_channels in ((200, False), (1000, False), (1000, True)):
        crowd = Crowd(count, all_channels=all_channels)
        kind = ", all channels" if all_channels else ""
        found.append(Measure(f"poses and palettes{kind}", count, crowd.show))
        if not all_channels:
            found.append(Measure(f"poses alone{kind}", count, crowd.instances.sample))
    crowd = Crowd(1000)
    found.append(Measure("tree state", 1000, crowd.step))
    crowd = Crowd(1000, flagged=True)
    found.append(Measure("tree state, all footsteps sent", 1000, crowd.step))
    crowd = Crowd(1000)
    found.append(Measure("tree state, all fading", 1000, crowd.fade))
    return found


class Crowd:
    """`count` entities that walk, each at a pace, a time and weights of its own."""

    def __init__(self, count: int, *, all_channels: bool = False, flagged: bool = False) -> None:
        rng = np.random.default_rng(count)
        self.skeleton = skeleton(rng)
        lines: list[str] = []
        for group, size in GROUPS.items():
            lines += [group, "{", *(f"{group.split()[0]}_{i}" for i in range(size)), "}"]
        names = [line for line in lines if "_" in line]
        clips = {name: clip(rng, name, self.skeleton, all_channels) for name in names}
        source = atr.read(SourceText("animtrees/crowd.atr", "\n".join(lines) + "\n"))
        self.tree = source.prune({}, Known(clips), all_names=True)
        assert (len(self.tree), len(self.skeleton)) == (40, 20)
        self.instances = TreeInstances(self.tree, bind(self.tree, self.skeleton))
        self.nodes = [self.tree.index[f"stride_{i}"] for i in range(4)]
        for _ in range(count):
            row = self.instances.add()
            for node in self.nodes:
                notify = "steps" if flagged and node == self.nodes[0] else None
                weight, rate = rng.uniform(0.2, 1.0), rng.uniform(0.8, 1.2)
                self.instances.set_anim(row, node, float(weight), 0.0, float(rate), notify=notify)
            self.instances.set_time(row, self.nodes[0], float(rng.uniform(0.0, 0.99)))
        self.palettes = np.empty((count, 20, 3, 4), np.float32)
        self.heard = 0

    def show(self) -> np.ndarray:
        return pose.palettes(self.instances.sample(), self.skeleton, self.palettes)

    def step(self) -> None:
        self.instances.step(0.05, self._hear)

    def fade(self) -> None:
        """A frame in which every weight of every entity is on its way."""
        store = self.instances.store
        store.remain[self.nodes, : store.rows] = 1.0
        store.goal[self.nodes, : store.rows] = 1.1
        store.fading[:] = True
        self.step()

    def _hear(self, row: int, notify: str, note: str) -> None:
        self.heard += 1


class Known:
    """Clips by name."""

    def __init__(self, clips: dict[str, Clip]) -> None:
        self.clips = clips

    def clip(self, name: str) -> Clip | None:
        return self.clips.get(name)

    def clip_names(self) -> list[str]:
        return list(self.clips)


def skeleton(rng: np.random.Generator) -> Skeleton:
    count = len(PARENTS)
    rest = np.zeros((8, count), np.float32)
    rest[:4] = turns(rng, np.full(count, 0.3))
    rest[4:7] = rng.normal(0.0, 5.0, (3, count))
    rest[7] = 1.0
    inverse = np.zeros((count, 3, 4), np.float32)
    inverse[:, :, :3] = np.eye(3)
    inverse[:, :, 3] = rng.normal(0.0, 20.0, (count, 3))
    return Skeleton(tuple(f"bone_{i}" for i in range(count)), np.array(PARENTS, np.int32), rest, inverse)


def turns(rng: np.random.Generator, angles: np.ndarray) -> np.ndarray:
    """Rotations by the angles (radians) about axes by chance, (4, ...)."""
    axes = rng.normal(size=(3, angles.shape[-1]))
    axes /= np.linalg.norm(axes, axis=0)
    return np.concatenate([axes * np.sin(angles / 2.0), np.cos(angles / 2.0)[None]])


def clip(rng: np.random.Generator, name: str, skeleton: Skeleton, all_channels: bool) -> Clip:
    """A second in which every bone swings to and fro, and the hips go up and down while the root walks on."""
    count = len(skeleton)
    rows = np.tile(skeleton.rest, (FRAMES, 1, 1))
    swing = rng.uniform(0.1, 0.5, count)
    axes = rng.normal(size=(3, count))
    axes /= np.linalg.norm(axes, axis=0)
    for frame, phase in enumerate(np.linspace(0.0, 2.0 * np.pi, FRAMES)):
        half = swing * np.sin(phase) / 2.0
        turn = skeleton.rest[:4] * np.cos(half) + np.concatenate([axes, np.zeros((1, count))]) * np.sin(half)
        rows[frame, :4] = turn / np.linalg.norm(turn, axis=0)
        rows[frame, 6, 0] += np.sin(2.0 * phase)
        if all_channels:
            rows[frame, 4:7] += rng.normal(0.0, 0.1, (3, count))
    delta = np.zeros((FRAMES, 4), np.float32)
    delta[:, 0] = np.linspace(0.0, 60.0, FRAMES)
    notes = (ClipNote(0.25, "left"), ClipNote(0.75, "right"), ClipNote(1.0, "end"))
    looping = name.startswith("stride")
    return Clip(name, skeleton.names, rows, FRAMES - 1.0, looping, notes, delta)
