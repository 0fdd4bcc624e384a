"""Animation tracks sampled at any moments: the world transforms of a rig's bones.

Each track is sampled on its own, so tracks with different keys need no help. All nodes are evaluated, also
those that are no bones, and bones are taken from their world transforms; so a moving armature above the
skeleton and a helper between two bones count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.pipeline.quaternions import matrices_of, unit_quats
from engine.pipeline.rig import Rig, node_worlds
from engine.pipeline.scene import Channel, Float64, Scene, SceneAnimation, Track

_SMALLEST = 1e-6


@dataclass(frozen=True, eq=False)
class Sampler:
    """An animation's channels by node, with times in seconds."""

    scene: Scene
    rig: Rig
    channels: dict[int, Channel]

    @classmethod
    def of(cls, scene: Scene, rig: Rig, animation: SceneAnimation, rate: float) -> Sampler:
        nodes = {node.name: index for index, node in reversed(list(enumerate(scene.nodes)))}
        nodes |= {scene.nodes[node].name: node for node in rig.nodes if node >= 0}
        channels = {
            nodes[channel.node]: Channel(
                channel.node,
                *(
                    _in_seconds(track, rate)
                    for track in (channel.translation, channel.rotation, channel.scale)
                ),
            )
            for channel in animation.channels
            if channel.node in nodes
        }
        return cls(scene, rig, channels)

    def tracks(self) -> list[Track]:
        found = [
            t for c in self.channels.values() for t in (c.translation, c.rotation, c.scale) if t is not None
        ]
        return [track for track in found if len(track.times)]

    def finite(self) -> bool:
        numbers = [part.reshape(-1) for track in self.tracks() for part in (track.times, track.values)]
        return not numbers or bool(np.isfinite(np.concatenate(numbers)).all())

    def range(self) -> tuple[float, float]:
        """First and last moment with a key; tracks of one key hold a pose and do not count."""
        moving = [track for track in self.tracks() if len(track.times) > 1]
        if not moving:
            return 0.0, 0.0
        return float(min(t.times[0] for t in moving)), float(max(t.times[-1] for t in moving))

    def extent(self) -> tuple[float, float]:
        """First and last moment that a part can be cut from: the range, or that of the keys where none moves anything.
        Elsewhere tracks of one key do not count, since libassimp puts some at time 0."""
        first, last = self.range()
        if first < last:
            return first, last
        moments = [float(track.times[0]) for track in self.tracks()]
        return min([first, *moments]), max([last, *moments])

    def bones(self, times: Float64) -> Float64:
        """(F, B, 4, 4) world transforms of the bones, with the constant scale folded away."""
        nodes = self.scene.nodes
        locals_ = np.tile(np.array([node.transform for node in nodes]), (len(times), 1, 1, 1))
        indices = list(self.channels)
        rest = np.array([nodes[index].transform for index in indices]).reshape(-1, 4, 4)
        locals_[:, indices] = np.swapaxes(_sample(list(self.channels.values()), rest, times), 0, 1)
        worlds = self.rig.axes.matrices(node_worlds(self.scene, locals_))
        full = worlds[:, list(self.rig.nodes)]
        full[:, [node < 0 for node in self.rig.nodes]] = np.eye(4)
        unfolded: Float64 = full @ self.rig.unfolds
        return unfolded

    def moved_bones(self) -> list[str]:
        """Bones that a channel moves, itself or through a node folded into them, in the rig's order."""
        moved = []
        for bone, node in enumerate(self.rig.nodes):
            parent = self.rig.nodes[self.rig.parents[bone]] if self.rig.parents[bone] >= 0 else -1
            at = node
            while at >= 0 and at != parent and at not in self.channels:
                at = self.scene.nodes[at].parent
            if at >= 0 and at != parent:
                moved.append(bone)
        return [self.rig.names[bone] for bone in moved]


def _in_seconds(track: Track | None, rate: float) -> Track | None:
    if track is None or not len(track.times):
        return None
    if (track.times[1:] >= track.times[:-1]).all():
        return Track(track.times / rate, track.values)
    order = np.argsort(track.times, kind="stable")
    return Track(track.times[order] / rate, track.values[order])


def _sample(channels: Sequence[Channel], rest: Float64, times: Float64) -> Float64:
    """(C, F, 4, 4) local transforms; what a channel leaves alone is as in its node's rest pose, (C, 4, 4)."""
    shape = len(channels), len(times)
    out = np.tile(np.eye(4), (*shape, 1, 1))
    sizes = np.linalg.norm(rest[:, :3, :3], axis=1)
    out[..., :3, 3] = rest[:, None, :3, 3]
    for which, places in _together([channel.translation for channel in channels], times, _vectors):
        out[which, :, :3, 3] = places
    turns = np.tile((rest[:, :3, :3] / np.maximum(sizes, _SMALLEST)[:, None])[:, None], (1, len(times), 1, 1))
    for which, quats in _together([channel.rotation for channel in channels], times, _rotations):
        turns[which] = matrices_of(quats)
    scale = np.tile(sizes[:, None], (1, len(times), 1))
    for which, factors in _together([channel.scale for channel in channels], times, _vectors):
        scale[which] = factors
    out[..., :3, :3] = turns * scale[..., None, :]
    return out


@dataclass(frozen=True, eq=False)
class _Between:
    """The keys around each of some moments, and how far each is between them, 0..1; held before and after."""

    before: NDArray[np.int64]
    after: NDArray[np.int64]
    part: Float64

    @classmethod
    def of(cls, keys: Float64, times: Float64) -> _Between:
        last = len(keys) - 1
        before = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, last)
        after = np.minimum(before + 1, last)
        span = keys[after] - keys[before]
        part = np.where(span > 0, (times - keys[before]) / np.where(span > 0, span, 1.0), 0.0)
        return cls(before, after, np.clip(part, 0.0, 1.0))


def _together(
    tracks: Sequence[Track | None], times: Float64, interpolate: Callable[[Float64, _Between], Float64]
) -> Iterator[tuple[list[int], Float64]]:
    """Tracks with keys at the same times, as most exporters write them, are sampled as one: which, and (N, F, ...)."""
    groups: dict[bytes, list[int]] = {}
    for index, track in enumerate(tracks):
        if track is not None:
            groups.setdefault(track.times.tobytes(), []).append(index)
    for which in groups.values():
        members = [track for track in map(tracks.__getitem__, which) if track is not None]
        values = np.stack([track.values for track in members])
        yield which, interpolate(values, _Between.of(members[0].times, times))


def _vectors(values: Float64, at: _Between) -> Float64:
    """(N, F, 3) of (N, K, 3)."""
    return values[:, at.before] + (values[:, at.after] - values[:, at.before]) * at.part[:, None]


def _rotations(values: Float64, at: _Between) -> Float64:
    """(N, F, 4) of (N, K, 4): spherical interpolation along the shorter way; unit length whatever the keys' length."""
    part = at.part
    keys = unit_quats(values)
    a, b = keys[:, at.before], keys[:, at.after]
    dot = np.einsum("nfi,nfi->nf", a, b)
    b = np.where(dot[..., None] < 0, -b, b)
    angle = np.arccos(np.clip(np.abs(dot), 0.0, 1.0))
    sine = np.sin(angle)
    near = sine < 1e-6
    safe = np.where(near, 1.0, sine)
    wa = np.where(near, 1 - part, np.sin((1 - part) * angle) / safe)
    wb = np.where(near, part, np.sin(part * angle) / safe)
    return unit_quats(wa[..., None] * a + wb[..., None] * b)
