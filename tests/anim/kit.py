"""Small clips, trees and recorders for the tests of the animation room."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.anim import atr
from engine.anim.clip import Clip, ClipNote
from engine.anim.skeleton import Skeleton
from engine.anim.state import TreeInstances
from engine.anim.tree import Tree
from engine.source import SourceText, Span


def make_clip(
    name: str,
    length: float = 1.0,
    looping: bool = False,
    notes: dict[str, float] | None = None,
    *,
    frames: int = 11,
    bones: tuple[str, ...] = ("base",),
    delta: Iterable[tuple[float, float, float, float]] | None = None,
) -> Clip:
    """A clip of `length` seconds in the rest position, with notes by name."""
    rows = np.zeros((frames, 8, len(bones)), np.float32)
    rows[:, 3] = rows[:, 7] = 1.0
    marks = sorted(ClipNote(at, note) for note, at in (notes or {}).items())
    track = None if delta is None else np.array(list(delta), np.float32)
    if track is not None and len(track) == 2:
        steps = np.linspace(0.0, 1.0, frames, dtype=np.float32)[:, None]
        track = track[:1] + (track[1:] - track[:1]) * steps
    fps = (frames - 1) / length
    return Clip(name, bones, rows, fps, looping, (*marks, ClipNote(1.0, "end")), track)


class Clips:
    """A clip source: what it is given, and a one second clip for names that begin with `any` of its prefixes."""

    def __init__(self, *clips: Clip, loops: Iterable[str] = (), plain: Iterable[str] = ()) -> None:
        self.known = {clip.name: clip for clip in clips}
        for name in ("void_loop", *loops):
            self.known.setdefault(name, make_clip(name, looping=True))
        for name in ("void", *plain):
            self.known.setdefault(name, make_clip(name))

    def clip(self, name: str) -> Clip | None:
        return self.known.get(name)

    def clip_names(self) -> list[str]:
        return list(self.known)


def source(text: str) -> SourceText:
    return SourceText("animtrees/test.atr", text)


def build(text: str, clips: Clips, referenced: Iterable[str] | dict[str, Span | None] | None = None) -> Tree:
    """The tree of a text: with all its names, or with those that are mentioned."""
    tree = atr.read(source(text))
    if referenced is None:
        return tree.prune({}, clips, all_names=True)
    names = referenced if isinstance(referenced, dict) else dict.fromkeys(referenced)
    return tree.prune(names, clips)


def shape(tree: Tree, node: int = 0) -> str:
    """A tree as text, in the order of the file: `root{ a b{ c } }`."""
    children = tree.children[node][::-1]
    inner = " ".join(shape(tree, child) for child in children)
    return f"{tree.names[node]}{{ {inner} }}" if children else tree.names[node]


class Stage:
    """One tree with entities, by node names, and everything that they sent."""

    def __init__(self, text: str, clips: Clips, entities: int = 1) -> None:
        self.tree = build(text, clips)
        self.instances = TreeInstances(self.tree)
        self.rows = [self.instances.add() for _ in range(entities)]
        self.sent: list[tuple[str, str]] = []

    def node(self, name: str) -> int:
        node = self.tree.node(name)
        assert node is not None
        return node

    def set(self, name: str, *args: float, row: int = 0, knob: bool = False, **options: object) -> None:
        command = self.instances.set_knob if knob else self.instances.set_anim
        command(row, self.node(name), *args, **options)  # type: ignore[arg-type]

    def clear(self, name: str, time: float, row: int = 0) -> None:
        self.instances.clear_anim(row, self.node(name), time)

    def step(self, dt: float = 0.05, times: int = 1) -> list[tuple[str, str]]:
        """Let time pass; returns what was sent meanwhile as (notify, note)."""
        before = len(self.sent)
        for _ in range(times):
            self.instances.step(dt, lambda row, notify, note: self.sent.append((notify, note)))
        return self.sent[before:]

    def weight(self, name: str, row: int = 0) -> float:
        return self.instances.get_weight(row, self.node(name))

    def goal(self, name: str, row: int = 0) -> float:
        return self.instances.inspect(row)[self.order(name)].goal

    def rate(self, name: str, row: int = 0) -> float:
        return self.instances.inspect(row)[self.order(name)].rate

    def order(self, name: str) -> int:
        return [view.name for view in self.instances.inspect(0)].index(name)

    def time(self, name: str, row: int = 0) -> float:
        return self.instances.get_time(row, self.node(name))


def chain(*names: str) -> Skeleton:
    """Bones in a row, each ten inches above the one before."""
    count = len(names)
    rest = np.zeros((8, count), np.float32)
    rest[3] = rest[7] = 1.0
    rest[6, 1:] = 10.0
    inverse = np.zeros((count, 3, 4), np.float32)
    inverse[:, :, :3] = np.eye(3)
    inverse[:, 2, 3] = -10.0 * np.arange(count)
    return Skeleton(names, np.arange(-1, count - 1, dtype=np.int32), rest, inverse)
