"""Root motion: how an animation moves and turns the entity that plays it (animation facts, section 5.7)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.anim.clip import Clip
from engine.anim.errors import AnimationError
from engine.anim.plan import Groups, Merge, Planner
from engine.anim.store import NodeStore
from engine.anim.tree import Bool, Float64, Int32, Tree
from engine.anim.update import CYCLES

Rows4 = NDArray[np.float64]
"""(E, 4): x, y, z in inches and yaw in degrees."""


def move_delta(clip: Clip, start: float = 0.0, end: float = 1.0) -> tuple[float, float, float]:
    """Root translation between two fractions of a clip, as seen from the entity at `start`; 0 without a track."""
    if clip.delta is None:
        return (0.0, 0.0, 0.0)
    before, after = _at_fraction(clip.delta, start), _at_fraction(clip.delta, end)
    x, y = _turned(after[0] - before[0], after[1] - before[1], -math.radians(before[3]))
    return (x, y, after[2] - before[2])


def angle_delta(clip: Clip, start: float = 0.0, end: float = 1.0) -> float:
    """Root yaw in degrees between two fractions of a clip, not wrapped; 0 without a track."""
    if clip.delta is None:
        return 0.0
    return _at_fraction(clip.delta, end)[3] - _at_fraction(clip.delta, start)[3]


def _at_fraction(delta: NDArray[np.float32], fraction: float) -> tuple[float, float, float, float]:
    if not 0.0 <= fraction <= 1.0:
        raise AnimationError("a place in an animation is between 0 and 1")
    at = fraction * (len(delta) - 1)
    frame = min(int(at), max(0, len(delta) - 2))
    low, high = delta[frame], delta[min(frame + 1, len(delta) - 1)]
    x, y, z, yaw = (float(a) + (float(b) - float(a)) * (at - frame) for a, b in zip(low, high, strict=True))
    return x, y, z, yaw


def _turned(x: float, y: float, angle: float) -> tuple[float, float]:
    c, s = math.cos(angle), math.sin(angle)
    return c * x - s * y, s * x + c * y


class _Stretch(NamedTuple):
    """(N, E) weights of a stretch of time, and the places and loops where it begins and ends."""

    weight: Float64
    begin: Float64
    end: Float64
    begin_cycle: Int32
    end_cycle: Int32

    @classmethod
    def of(cls, store: NodeStore, rows: slice) -> _Stretch:
        # Copies, where the stretch outlives a change of its row; of all rows nothing has to be kept.
        single = rows.stop - rows.start == 1
        floats = (a[:, rows] for a in (store.weight, store.mark_time, store.time))
        counts = (a[:, rows] for a in (store.mark_cycle, store.cycle))
        weight, begin, end = (a.copy() if single else a for a in floats)
        first, last = (a.copy() if single else a for a in counts)
        return cls(weight, begin, end, first, last)


class RootMotion:
    """The root tracks of a tree, and what they add up to over one frame.

    A stretch is the time between two changes that scripts make to an entity. One that ends within a frame is
    noted down with its weights, and all of them are worked out together when the frame ends.

    covers (N,) bool: leaves that have a say in the root's motion. A leaf without a track but with the skeleton's
    root bone stands still and slows the others down; a leaf of the upper body alone leaves the legs their pace.
    """

    def __init__(self, tree: Tree, covers: Bool) -> None:
        self.total: Rows4 = np.zeros((0, 4))
        """(rows, 4) the motion of the last frame; translation in the orientation at its end."""
        self._everyone, self._some = Planner(tree, covers), Planner(tree, covers)
        self._stretches: list[tuple[int, _Stretch]] = []
        movers = [
            (node, clip.delta) for node, clip in enumerate(tree.clips) if clip and clip.delta is not None
        ]
        self._mover: NDArray[np.intp] = np.full(len(tree), -1, np.intp)
        self._mover[[node for node, _ in movers]] = np.arange(len(movers))
        lengths = [len(track) for _, track in movers]
        self._starts = np.cumsum([0, *lengths])[:-1]
        self._spans = np.array(lengths, np.intp) - 1
        tracks = [track.astype(np.float64) for _, track in movers] or [np.zeros((0, 4))]
        self._rows = np.concatenate(tracks)
        self._steps = np.concatenate([np.diff(track, axis=0, append=track[-1:]) for track in tracks])
        self._whole = np.array([track[-1] for track in tracks if len(track)]).reshape(-1, 4)

    def note(self, store: NodeStore, row: int) -> None:
        """Remember the stretch of one row that ends here."""
        if len(self._spans):
            self._stretches.append((row, _Stretch.of(store, slice(row, row + 1))))

    def finish(self, store: NodeStore) -> None:
        """Add up the frame: the stretches noted down, and for every row the one that ends now."""
        self.total = np.zeros((store.rows, 4))
        if not len(self._spans):
            return
        earlier, self._stretches = self._stretches, []
        if earlier:
            together = _Stretch(
                *(np.concatenate(parts, axis=1) for parts in zip(*(s for _, s in earlier), strict=True))
            )
            for (row, _), motion in zip(earlier, self._motion(self._some, together), strict=True):
                self.total[row] = _chained(self.total[row : row + 1], motion[None])
        last = self._motion(self._everyone, _Stretch.of(store, slice(0, store.rows)))
        self.total = _chained(self.total, last) if earlier else last

    def forget(self, row: int) -> None:
        """Drop what a row that is removed has done in this frame."""
        self._stretches = [(r, stretch) for r, stretch in self._stretches if r != row]

    def _motion(self, planner: Planner, stretch: _Stretch) -> Rows4:
        """(E, 4) for the columns of a stretch."""
        plan = planner.plan(stretch.weight)
        if not len(plan.leaves):
            return np.zeros((stretch.weight.shape[1], 4))
        groups = plan.groups
        items = np.zeros((len(plan.leaves), 4))
        mover = self._mover[plan.leaves]
        moving = np.flatnonzero(mover >= 0)
        nodes, rows, mover = plan.leaves[moving], groups.rows[moving], mover[moving]
        both = self._sample(
            np.concatenate([mover, mover]),
            np.concatenate([stretch.begin[nodes, rows], stretch.end[nodes, rows]]),
        )
        loops = (stretch.end_cycle[nodes, rows] - stretch.begin_cycle[nodes, rows]) & (CYCLES - 1)
        moved = _relative(both[: len(mover)], both[len(mover) :], self._whole, mover, loops)
        if len(moving) == len(items):
            items = moved
        else:
            items[moving] = moved
        places = _summed(groups, items, stretch.weight)
        for merge in plan.steps:
            assert isinstance(merge, Merge)  # what is added moves nobody
            merged = _summed(merge.groups, places[merge.sources], stretch.weight)
            places[merge.sources[: len(merged)]] = merged
        moved = places[plan.results]
        moved[plan.idle] = 0.0
        return moved

    def _sample(self, movers: NDArray[np.intp], time: Float64) -> Rows4:
        span = self._spans[movers]
        place = time * span
        frame = place.astype(np.int64)
        np.minimum(frame, span - 1, out=frame)
        np.maximum(frame, 0, out=frame)
        place -= frame
        frame += self._starts[movers]
        # The last row of a track has no step to another one.
        found = np.take(self._steps, frame, axis=0, mode="clip")
        found *= place[:, None]
        found += np.take(self._rows, frame, axis=0, mode="clip")
        return found


def _summed(groups: Groups, members: Rows4, weight: Float64) -> Rows4:
    """(G, 4) weighted means of (M, 4) members."""
    members = members * groups.parts(weight)[:, None]
    start, end = groups.ranks[0]
    for first, last in groups.ranks[1:]:
        members[: last - first] += members[first:last]
    return members[start:end]


def _chained(first: Rows4, then: Rows4) -> Rows4:
    """One motion after another; each has its translation in the orientation at its end."""
    turn = np.exp(-1j * np.radians(then[:, 3]))
    plane = _plane(first) * turn
    return np.stack(
        [
            plane.real + then[:, 0],
            plane.imag + then[:, 1],
            first[:, 2] + then[:, 2],
            first[:, 3] + then[:, 3],
        ],
        axis=1,
    )


def _relative(begin: Rows4, end: Rows4, wholes: Rows4, movers: NDArray[np.intp], loops: Int32) -> Rows4:
    """Motion from `begin` through whole loops to `end`, in the orientation at the end."""
    moved = end - begin
    round_again = np.flatnonzero(loops)
    if len(round_again):
        moved[round_again] += wholes[movers[round_again]] * loops[round_again, None]
    turning = np.flatnonzero((begin[:, 3] != 0.0) | (end[:, 3] != 0.0) | (wholes[:, 3] != 0.0)[movers])
    if len(turning):
        start, stop, loop, count = begin[turning], end[turning], wholes[movers[turning]], loops[turning]
        # A loop that turns carries the next loop round with it, so loops are a geometric series in the plane.
        turn = np.exp(1j * np.radians(loop[:, 3]))
        straight = np.abs(turn - 1.0) < 1e-9
        around = np.exp(1j * np.radians(loop[:, 3] * count))
        series = np.where(straight, count, (around - 1.0) / np.where(straight, 1.0, turn - 1.0))
        plane = _plane(loop) * series + around * _plane(stop) - _plane(start)
        # That is as the first frame of the clip looks; seen from the end, all that has turned is turned back.
        plane *= np.exp(-1j * np.radians(start[:, 3] + moved[turning, 3]))
        moved[turning, 0], moved[turning, 1] = plane.real, plane.imag
    return moved


def _plane(rows: Rows4) -> NDArray[np.complex128]:
    plane: NDArray[np.complex128] = rows[:, 0] + 1j * rows[:, 1]
    return plane
