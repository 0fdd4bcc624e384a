"""The animation rules a second time, for one entity and in the plainest words, to compare the batch with.

Everything is float64 and nested Python; nothing is shared with the engine but the tree, clips and skeleton.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from engine.anim.clip import Clip
from engine.anim.skeleton import Skeleton
from engine.anim.tree import Tree

Bone = tuple[np.ndarray, np.ndarray, float]
Pose = dict[int, Bone]
Motion = tuple[np.ndarray, float]


TIE = 1e-4
"""Two rotations are as good as opposite when their product is nearer to 0 than this: rounding decides the side."""


class Undecided(Exception):
    """A blend whose result depends on the last digits."""


def unit(q: np.ndarray) -> np.ndarray:
    return q / np.sqrt(q @ q)


def frame_of(clip: Clip, time: float) -> tuple[int, int, float]:
    place = time * (clip.frames - 1)
    low = min(int(place), max(clip.frames - 2, 0))
    return low, min(low + 1, clip.frames - 1), place - low


def sampled(clip: Clip, skeleton: Skeleton, time: float) -> Pose:
    low, high, part = frame_of(clip, time)
    pose: Pose = {}
    for i, name in enumerate(clip.bones):
        if name in skeleton.index:
            a, b = clip.rows[low, :, i].astype(float), clip.rows[high, :, i].astype(float)
            if a[:4] @ b[:4] < 0:
                b[:4] = -b[:4]
            row = a + (b - a) * part
            pose[skeleton.index[name]] = (row[:4], row[4:7], float(row[7]))
    return pose


def mixed(parts: list[tuple[float, Pose]]) -> Pose:
    """Section 5.6: bone by bone among those that have it; a single child passes unchanged."""
    if len(parts) == 1:
        return parts[0][1]
    result: Pose = {}
    for bone in {bone for _, pose in parts for bone in pose}:
        having = [(weight, pose[bone]) for weight, pose in parts if bone in pose]
        total = sum(weight for weight, _ in having)
        side = having[0][1][0]
        if any(abs(q @ side) < TIE for _, (q, _, _) in having):
            raise Undecided
        turn = sum(w * (q if q @ side >= 0 else -q) for w, (q, _, _) in having)
        move = sum(w * t for w, (_, t, _) in having) / total
        result[bone] = (
            unit(np.asarray(turn)),
            np.asarray(move),
            sum(w * s for w, (_, _, s) in having) / total,
        )
    return result


@dataclass
class PlainEntity:
    """Weights, rates and times of one entity by node."""

    tree: Tree
    skeleton: Skeleton
    weight: dict[int, float]
    rate: dict[int, float]
    time: dict[int, float]
    passes: dict[int, float] = field(default_factory=dict)

    def pose(self, node: int) -> Pose | None:
        clip = self.tree.clips[node]
        if clip is not None:
            return sampled(clip, self.skeleton, self.time[node]) or None
        parts = []
        for child in self.tree.children[node]:
            if self.weight[child] > 0 and (pose := self.pose(child)) is not None:
                parts.append((self.weight[child], pose))
        return mixed(parts) if parts else None

    def local_pose(self) -> np.ndarray:
        rows = self.skeleton.rest.astype(float)
        for bone, (turn, move, scale) in ((self.pose(0) if self.weight[0] > 0 else None) or {}).items():
            rows[:4, bone], rows[4:7, bone], rows[7, bone] = unit(turn), move, scale
        return rows

    # -- time --

    def own_speed(self, node: int) -> float | None:
        """Passes a second of a member of a sync group by itself; None where nothing below plays."""
        clip = self.tree.clips[node]
        if clip is not None:
            return clip.frequency
        total = speed = 0.0
        for child in self.tree.children[node]:
            below = self.own_speed(child) if self.weight[child] > 0 else None
            if below is not None:
                total += self.weight[child]
                speed += self.weight[child] * self.rate[child] * below
        return speed / total if total else None

    def advance(self, dt: float) -> None:
        self.passes = dict.fromkeys(self.weight, 0.0)
        self._advance(0, dt)

    def _advance(self, node: int, seconds: float) -> None:
        if self.weight[node] == 0:
            return
        seconds *= self.rate[node]
        if self.tree.sync_roots[node] == node:
            moved = (self.own_speed(node) or 0.0) * seconds
            for member in self.tree.subtrees[node]:
                self._move(member, moved)
        elif (clip := self.tree.clips[node]) is not None:
            self._move(node, clip.frequency * seconds)
        else:
            for child in self.tree.children[node]:
                self._advance(child, seconds)

    def _move(self, node: int, by: float) -> None:
        self.passes[node] = by
        at = self.time[node] + by
        self.time[node] = at - math.floor(at) if self.tree.is_looping(node) else min(at, 1.0)

    # -- notes --

    def notes(self, before: dict[int, float], flagged: list[int], dt: float) -> list[tuple[str, str]]:
        """What flagged leaves sent during the last advance, as (leaf, note) in the order of time (section 5.5)."""
        found: list[tuple[float, int, str]] = []
        for node in flagged:
            clip = self.tree.clips[node]
            assert clip is not None
            if any(self.weight[n] == 0 for n in (node, *self.tree.ancestors(node))):
                continue
            start, by = before[node], self.passes[node]
            if not clip.looping and start == 1.0:
                found.append((0.0, node, "end"))
                continue
            for loop in range(math.floor(start + by) + 1 if clip.looping else 1):
                for note in clip.notes:
                    if start < loop + note.fraction <= start + by:
                        found.append(((loop + note.fraction - start) / by * dt, node, note.name))
        return [(self.tree.names[node], note) for _, node, note in sorted(found)]

    # -- root motion --

    def motion(self, before: dict[int, float], node: int = 0) -> Motion | None:
        """Translation in the orientation at the end, and yaw, since the times of `before`."""
        clip = self.tree.clips[node]
        if clip is not None:
            return self._leaf_motion(clip, before[node], before[node] + self.passes[node])
        parts = []
        for child in self.tree.children[node]:
            if self.weight[child] > 0 and (motion := self.motion(before, child)) is not None:
                parts.append((self.weight[child], motion))
        if not parts:
            return None
        total = sum(weight for weight, _ in parts)
        move = sum(weight * m for weight, (m, _) in parts) / total
        return np.asarray(move), sum(weight * yaw for weight, (_, yaw) in parts) / total

    def _leaf_motion(self, clip: Clip, start: float, end: float) -> Motion | None:
        if clip.delta is None:
            root = self.skeleton.names[0]
            return (np.zeros(3), 0.0) if root in clip.bones else None
        if not clip.looping:
            # `base` stays 0: a plain clip never starts a second pass.
            end = min(end, 1.0)
        # Walk through the loops one by one, as a transform: position and heading.
        place, heading = np.zeros(3), 0.0
        at = start
        while True:
            base = math.floor(at)
            stop = min(end, base + 1.0) if clip.looping else end
            a, b = self._track(clip, at - base), self._track(clip, stop - base)
            step = turned(b[:3] - a[:3], -a[3])
            place, heading = place + turned(step, heading), heading + b[3] - a[3]
            if stop >= end:
                return turned(place, -heading), heading
            at = stop

    def _track(self, clip: Clip, time: float) -> np.ndarray:
        assert clip.delta is not None
        low, high, part = frame_of(clip, time)
        a, b = clip.delta[low].astype(float), clip.delta[high].astype(float)
        return a + (b - a) * part


def turned(v: np.ndarray, yaw: float) -> np.ndarray:
    c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]])


def matrix_of(row: np.ndarray) -> np.ndarray:
    """(8,) rotation, translation, scale to a 4 x 4 matrix, by turning the three axes."""
    q, m = row[:4], np.eye(4)
    for i in range(3):
        m[:3, i] = rotated(q, np.eye(3)[i]) * row[7]
    m[:3, 3] = row[4:7]
    return m


def rotated(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    return v + 2.0 * np.cross(q[:3], np.cross(q[:3], v) + q[3] * v)


def model_matrices(local: np.ndarray, skeleton: Skeleton) -> np.ndarray:
    out: list[np.ndarray] = []
    for bone, parent in enumerate(skeleton.parents):
        m = matrix_of(local[:, bone].astype(float))
        out.append(out[parent] @ m if parent >= 0 else m)
    return np.array(out)
