"""Animation tracks sampled at any moments: the world transforms of a rig's bones.

Each track is sampled on its own, so tracks with different keys need no help. All nodes are evaluated, also
those that are no bones, and bones are taken from their world transforms; so a moving armature above the
skeleton and a helper between two bones count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise

import numpy as np
from numpy.typing import NDArray

from engine.pipeline.quaternions import matrices_of, unit_components, unit_quats
from engine.pipeline.rig import Rig, node_worlds
from engine.pipeline.scene import Float64, Scene, SceneAnimation, Track

MOST_KEPT = 2
"""Of how many sets of moments the poses of one clip are kept: a loop's two ends and all its frames."""

MOST_NUMBERS = 2**22
"""How many numbers are kept of one scene, 32 MiB."""

_SMALLEST = 1e-6


@dataclass(frozen=True, eq=False)
class Keys:
    """Tracks of one kind with keys at the same times, as most exporters write them, which are sampled as one.

    nodes   (N) which each of them moves
    times   (K,) seconds, rising
    values  (N, K, 3 or 4)
    """

    nodes: list[int]
    times: Float64
    values: Float64


@dataclass(frozen=True, eq=False)
class Tracks:
    """All tracks of one kind of an animation: those that move something, and those of one key, which `held` has as one
    whatever their times are."""

    moving: list[Keys]
    held: Keys | None

    @classmethod
    def of(cls, tracks: Mapping[int, Track | None], rate: float) -> Tracks:
        """Of tracks by node, with times in ticks."""
        groups: dict[bytes, list[int]] = {}
        held: list[int] = []
        for node, track in tracks.items():
            if track is not None and len(track.times) == 1:
                held.append(node)
            elif track is not None and len(track.times):
                groups.setdefault(track.times.tobytes(), []).append(node)
        return cls(
            [
                _keys(nodes, [t for n in nodes if (t := tracks[n]) is not None], rate)
                for nodes in groups.values()
            ],
            _held(held, [t for n in held if (t := tracks[n]) is not None], rate) if held else None,
        )

    def __iter__(self) -> Iterator[Keys]:
        return iter(self.moving if self.held is None else [*self.moving, self.held])


def _keys(nodes: list[int], tracks: list[Track], rate: float) -> Keys:
    times, values = tracks[0].times, np.stack([track.values for track in tracks])
    if not (times[1:] >= times[:-1]).all():
        order = np.argsort(times, kind="stable")
        times, values = times[order], values[:, order]
    return Keys(nodes, times / rate, values)


def _held(nodes: list[int], tracks: list[Track], rate: float) -> Keys:
    times = np.concatenate([track.times for track in tracks])
    return Keys(nodes, times / rate, np.stack([track.values for track in tracks]))


class Sampler:
    """An animation's tracks by kind, with times in seconds. `nodes` tells the node behind a channel's name.

    worlds  of a scene that is converted again and again: world transforms of its nodes (N, F, 4, 4), in its own axes,
            by the bytes of their F moments
    """

    def __init__(
        self, scene: Scene, animation: SceneAnimation, rate: float, nodes: Mapping[str, int]
    ) -> None:
        channels = {nodes[channel.node]: channel for channel in animation.channels if channel.node in nodes}
        self.scene = scene
        self.worlds: dict[bytes, Float64] = {}
        self.nodes = tuple(channels)
        self.places = Tracks.of({node: channel.translation for node, channel in channels.items()}, rate)
        self.turns = Tracks.of({node: channel.rotation for node, channel in channels.items()}, rate)
        self.sizes = Tracks.of({node: channel.scale for node, channel in channels.items()}, rate)

    def _moving(self) -> list[Keys]:
        return [*self.places.moving, *self.turns.moving, *self.sizes.moving]

    def finite(self) -> bool:
        tracks = chain(self.places, self.turns, self.sizes)
        return all(np.isfinite(keys.times).all() and np.isfinite(keys.values).all() for keys in tracks)

    def range(self) -> tuple[float, float]:
        """First and last moment with a key; tracks of one key hold a pose and do not count."""
        times = [keys.times for keys in self._moving()]
        if not times:
            return 0.0, 0.0
        return float(min(t[0] for t in times)), float(max(t[-1] for t in times))

    def extent(self) -> tuple[float, float]:
        """First and last moment that a part can be cut from: the range, or that of the keys where none moves anything.
        Elsewhere tracks of one key do not count, since libassimp puts some at time 0."""
        first, last = self.range()
        if first < last:
            return first, last
        held = [kind.held.times for kind in (self.places, self.turns, self.sizes) if kind.held is not None]
        moments = [float(t) for times in held for t in times]
        moments += [float(keys.times[0]) for keys in self._moving()]
        return min([first, *moments]), max([last, *moments])

    def moved_bones(self, rig: Rig) -> list[str]:
        """Bones that a channel moves, itself or through a node folded into them, in the rig's order."""
        moved, nodes = [], frozenset(self.nodes)
        for bone, node in enumerate(rig.nodes):
            parent = rig.nodes[rig.parents[bone]] if rig.parents[bone] >= 0 else -1
            at = node
            while at >= 0 and at != parent and at not in nodes:
                at = self.scene.nodes[at].parent
            if at >= 0 and at != parent:
                moved.append(bone)
        return [rig.names[bone] for bone in moved]

    @cached_property
    def _still(self) -> tuple[Float64, Float64]:
        """Local transforms (N, 4, 4) with what no key moves, and sizes (N, 3), 1 where keys move them."""
        locals_ = np.array([node.transform for node in self.scene.nodes])
        sizes = np.linalg.norm(locals_[:, :3, :3], axis=1)
        turns = locals_[:, :3, :3] / np.maximum(sizes, _SMALLEST)[:, None]
        now = _Between(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1))
        which = list(self.nodes)
        if self.places.held is not None:
            locals_[self.places.held.nodes, :3, 3] = _vectors(self.places.held.values, now)[:, 0]
        if self.turns.held is not None:
            turns[self.turns.held.nodes] = _rotations(self.turns.held.values, now)[:, 0]
        if self.sizes.held is not None:
            sizes[self.sizes.held.nodes] = _vectors(self.sizes.held.values, now)[:, 0]
        for keys in self.sizes.moving:
            sizes[keys.nodes] = 1.0
        locals_[which, :3, :3] = turns[which] * sizes[which, None]
        locals_[which, 3] = (0.0, 0.0, 0.0, 1.0)
        return locals_, sizes

    def keep(self, times: Float64, worlds: Float64, room: int) -> None:
        """Remember these for when they are wanted again, where so many numbers may still be kept."""
        while len(self.worlds) >= MOST_KEPT:
            del self.worlds[next(iter(self.worlds))]
        if worlds.size <= room:
            self.worlds[times.tobytes()] = worlds.copy()

    def locals(self, times: Float64, out: Float64) -> None:
        """Local transforms of all nodes into `out`, (N, F, 4, 4)."""
        locals_, sizes = self._still
        out[:] = locals_[:, None]
        for keys in self.places.moving:
            out[keys.nodes, :, :3, 3] = _vectors(keys.values, _Between.of(keys.times, times))
        for keys in self.turns.moving:
            turns = _rotations(keys.values, _Between.of(keys.times, times))
            turns *= sizes[keys.nodes][:, None, None, :]
            out[keys.nodes, :, :3, :3] = turns
        for keys in self.sizes.moving:
            out[keys.nodes, :, :3, :3] *= _vectors(keys.values, _Between.of(keys.times, times))[..., None, :]


def nodes_by_channel(scene: Scene, rig: Rig) -> dict[str, int]:
    """The node that a channel of each name moves: a bone, where other nodes have its name too."""
    nodes = {node.name: index for index, node in reversed(list(enumerate(scene.nodes)))}
    return nodes | {scene.nodes[node].name: node for node in rig.nodes if node >= 0}


def samplers(scene: Scene, rig: Rig, rate: float) -> Callable[[SceneAnimation], Sampler]:
    """Gives the sampler of an animation; `rate` is ticks a second where the animation does not say."""
    nodes = nodes_by_channel(scene, rig)
    known = {} if scene.kept is None else scene.kept
    if len(known) > 2 * len(scene.animations):
        known.clear()  # of settings that are others by now

    def sampler(animation: SceneAnimation) -> Sampler:
        own = animation.rate if animation.rate > 0 and math.isfinite(animation.rate) else rate
        key = id(animation), own, tuple(nodes.get(channel.node, -1) for channel in animation.channels)
        if key not in known:
            known[key] = Sampler(scene, animation, own, nodes)
        found: Sampler = known[key]
        return found

    return sampler


def bone_worlds(rig: Rig, wanted: Sequence[tuple[Sampler, Float64]]) -> Float64:
    """(B, F, 4, 4) world transforms of the bones, with the constant scale folded away, at some moments of each of
    several animations of one scene, one after another."""
    known = [sampler.worlds.get(times.tobytes()) for sampler, times in wanted]
    fresh = [of_one for of_one, worlds in zip(wanted, known, strict=True) if worlds is None]
    parts = iter(_node_worlds(fresh))
    worlds = [next(parts) if worlds is None else worlds for worlds in known]
    nodes = list(rig.nodes)
    together = (
        np.concatenate([part[nodes] for part in worlds], axis=1) if len(worlds) > 1 else worlds[0][nodes]
    )
    full = rig.axes.matrices(together)
    full[[node < 0 for node in nodes]] = np.eye(4)
    unfolded: Float64 = full @ rig.unfolds[:, None]
    return unfolded


def _node_worlds(wanted: Sequence[tuple[Sampler, Float64]]) -> list[Float64]:
    """World transforms (N, F, 4, 4) of all nodes, for each of these."""
    if not wanted:
        return []
    scene = wanted[0][0].scene
    ends = list(accumulate(len(times) for _, times in wanted))
    locals_ = np.empty((len(scene.nodes), ends[-1], 4, 4))
    parts = [locals_[:, a:b] for a, b in pairwise([0, *ends])]
    for (sampler, times), part in zip(wanted, parts, strict=True):
        sampler.locals(times, part)
    node_worlds(scene, locals_)
    if scene.kept is not None:
        for (sampler, times), part in zip(wanted, parts, strict=True):
            kept = sum(worlds.size for known in scene.kept.values() for worlds in known.worlds.values())
            sampler.keep(times, part, MOST_NUMBERS - kept)
    return parts


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


def _vectors(values: Float64, at: _Between) -> Float64:
    """(N, F, 3) of (N, K, 3)."""
    before = values.take(at.before, axis=1)
    found: Float64 = before + (values.take(at.after, axis=1) - before) * at.part[:, None]
    return found


def _rotations(values: Float64, at: _Between) -> Float64:
    """(N, F, 3, 3) of (N, K, 4): spherical interpolation along the shorter way; rotations whatever the keys' length."""
    part = at.part
    keys = unit_quats(values)
    a, b = keys.take(at.before, axis=1), keys.take(at.after, axis=1)
    dot = np.einsum("nfi,nfi->nf", a, b)
    angle = np.arccos(np.minimum(np.abs(dot), 1.0))
    sine = np.sin(angle)
    near = sine < 1e-6
    safe = np.where(near, 1.0, sine)
    wa = np.where(near, 1 - part, np.sin((1 - part) * angle) / safe)
    wb = np.where(near, part, np.sin(part * angle) / safe)
    wb = np.where(dot < 0, -wb, wb)
    return matrices_of(unit_components(*(wa * a[..., i] + wb * b[..., i] for i in range(4))))
