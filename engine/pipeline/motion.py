"""Animations of a scene as clips: sampled at an even rate, in engine space, over the rig's bones.

A clip begins at its first key and ends at its last. A looping clip ends in the pose that
it begins with: where the source's last pose is its first (within CLOSE_ANGLE and CLOSE_DISTANCE) it is made
exactly that; otherwise the source leaves the closing frame out, and one frame of the source's time line is
added that leads back to the first pose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.anim.clip import Clip, ClipNote
from engine.anim.skeleton import FARTHEST
from engine.pipeline.curves import Sampler, bone_worlds, samplers
from engine.pipeline.faults import Faults
from engine.pipeline.mirror import Mirror, other_side
from engine.pipeline.quaternions import components_of, unit_quats
from engine.pipeline.rig import FARTHEST_NODE, Rig
from engine.pipeline.root_motion import Taken, extend, take_root_motion
from engine.pipeline.scene import Float64, Scene, SceneAnimation
from engine.pipeline.settings import ClipSettings, ModelSettings
from engine.source.nearest import did_you_mean

CLOSE_ANGLE = 3.0
"""Degrees by which a bone of the last pose may differ from the first for a loop to count as closed."""

CLOSE_DISTANCE = 0.5
"""Inches, likewise."""

MAX_SECONDS = 600.0

MAX_LOOP_TRAVEL = 4.0
"""Inches that the root may travel in a loop that keeps its root motion before that is worth a warning."""

SHORTEST = 1e-3
"""Seconds; a clip that is not longer is a pose."""

MOST_MATRICES = 4096
"""Nodes times frames that are worked on at once."""

_UNEVEN = 0.01
_SKEW = 1e-3
"""Cosine of the angle between two axes of a bone from which they are made square again."""

_SMALLEST = 1e-6


def clip_name(animation: str) -> str:
    """An animation's name as a clip's: lower case, other characters than letters, digits and _ become _."""
    last = animation.lower().rsplit("|", 1)[-1]
    return re.sub(r"[^a-z0-9_]+", "_", last).strip("_") or "clip"


@dataclass(frozen=True, eq=False)
class Order:
    """A clip to make: of which animation, how the settings want it, and whether it is the one that they name as its
    mirror. What is wrong with it goes to `faults`."""

    animation: SceneAnimation
    how: ClipSettings
    mirrored: bool
    faults: Faults


def convert_clips(
    scene: Scene, rig: Rig, orders: Sequence[Order], settings: ModelSettings
) -> list[Clip | None]:
    """A clip for each order, or None (with an error) where the animation's keys make no sense.

    NumPy takes as long for a few numbers as for hundreds, and longer for what no longer fits into the caches of the
    processor. So all clips are worked on at once, as many together as make MOST_MATRICES.
    """
    sampler = samplers(scene, rig, settings.fps)
    works = [_Work(order, sampler(order.animation), rig, settings) for order in orders]
    loops = [work for work in works if work.good and work.how.loop and work.end > work.start]
    for some in _portions(loops, lambda _: 2, len(scene.nodes)):
        _close(some, rig)
    for some in _portions([work for work in works if work.good], _Work.frames, len(scene.nodes)):
        _fill(some, rig)
    return [work.clip for work in works]


def _portions(works: Sequence[_Work], frames: Callable[[_Work], int], nodes: int) -> Iterator[list[_Work]]:
    """These one after another, as many at a time as are to be worked on together."""
    portion: list[_Work] = []
    count = 0
    for work in works:
        more = frames(work) * nodes
        if portion and count + more > MOST_MATRICES:
            yield portion
            portion, count = [], 0
        portion.append(work)
        count += more
    if portion:
        yield portion


def settings_key(animation: SceneAnimation, settings: ModelSettings) -> str:
    """What the settings call an animation: its own name, else its clip's."""
    name = animation.name.lower()
    return name if name in settings.clips else clip_name(animation.name)


class _Work:
    """One clip while it is made. `good` is False, after an error, where nothing will come of it.

    start, end  moments of the source's time line
    gap         seconds after the end that lead a loop back to its start
    """

    def __init__(self, order: Order, sampler: Sampler, rig: Rig, settings: ModelSettings) -> None:
        self.animation, self.how, self.faults = order.animation, order.how, order.faults
        self.sampler, self.rig, self.settings = sampler, rig, settings
        self.clip: Clip | None = None
        self.good = True
        self.gap = 0.0
        animation, how, faults = order.animation, order.how, order.faults
        self.mirror = Mirror.of(rig, animation.name, faults) if order.mirrored else None
        self.name = (how.mirror if order.mirrored else how.name) or clip_name(animation.name)
        self.start, self.end = sampler.range()
        finite = sampler.finite()
        if how.frames is not None and finite:
            self.start, self.end = _part(sampler, animation, how.frames, settings, faults)
        if not finite or not self.end - self.start <= MAX_SECONDS:
            self.good = False
            faults.error(
                "bad-clip",
                f"animation `{animation.name}` has keys that are not numbers or is longer than {MAX_SECONDS:g} s",
                "export it again",
            )
            return
        bones = _bones(sampler, rig, animation, how, settings, faults)
        self.bones = self.mirror.bones(bones) if self.mirror is not None else bones
        self.root = rig.names.index(settings.root) if settings.root in rig.names else 0
        self.mode = how.root_motion if rig.names[self.root] in self.bones else "keep"

    def length(self) -> float:
        length = self.end + self.gap - self.start
        return length if length > SHORTEST else 0.0

    def frames(self) -> int:
        length = self.length()
        return max(2, round(length * self.settings.sample_rate) + 1) if length > 0 else 1

    def times(self) -> Float64:
        return np.linspace(self.start, self.end + self.gap, self.frames())

    def held(self, times: Float64) -> Float64:
        """What is played then: the last pose is held after the end."""
        return np.minimum(times, self.end)

    def taken(self, times: Float64, worlds: Float64) -> Taken | None:
        """What of the worlds (B, F, 4, 4) is pose and what travel; None, after an error, where a pose is none."""
        far = ~(np.abs(worlds) <= FARTHEST_NODE)
        if far.any():
            self.good = False
            self.faults.error(
                "bad-clip",
                f"animation `{self.animation.name}` moves or scales node"
                f" `{self.rig.names[int(np.argmax(far.any(axis=(1, 2, 3))))]}` beyond all measure",
                "look at the keys of the node, and of those above it",
            )
            return None
        start, end = self.start, self.end
        parts = (self.held(times) - start) / (end - start) if end > start else np.zeros(len(times))
        if self.mirror is not None:
            worlds = self.mirror.worlds(worlds)
        return take_root_motion(worlds, self.root, self.mode, parts)

    def close(self, rows: Float64, turns: Float64, spread: Float64) -> None:
        """Find out whether the loop ends in the pose that it begins with: its first and last rows (2, 8, B)."""
        self.check_spread(spread)
        if _closes(rows, turns):
            return
        self.gap = 1 / self.settings.fps
        if self.mode == "keep":
            name = self.rig.names[self.root]
            _check_travel(self.animation, name, rows[:, 4:6, self.root], self.settings, self.faults)

    def fill(self, rows: Float64, delta: Float64 | None, spread: Float64) -> None:
        """Make the clip of its rows (F, 8, B)."""
        self.check_spread(spread)
        how, length, frames = self.how, self.length(), self.frames()
        if self.gap:
            over = np.maximum(self.times() - self.end, 0.0) / self.gap
            rows = _lead_back(rows, over)
            if delta is not None:
                moments = np.array([self.start, max(self.start, self.end - self.gap), self.end])
                taken = self.taken(moments, bone_worlds(self.rig, [(self.sampler, moments)]))
                if taken is None:
                    return
                delta = extend(delta, taken.delta, over)
        elif how.loop:
            rows[-1] = rows[0]
        notes = _notes(self.animation, how, self.start, length, self.settings, self.faults)
        if self.mirror is not None:
            notes = tuple(ClipNote(note.fraction, other_side(note.name)) for note in notes)
        tracks = _even_signs(rows).astype(np.float32)
        if len(self.bones) < len(self.rig.names):
            tracks = np.ascontiguousarray(tracks[:, :, [self.rig.names.index(bone) for bone in self.bones]])
        try:
            self.clip = Clip(
                name=self.name,
                bones=tuple(self.bones),
                rows=tracks,
                fps=(frames - 1) / length if frames > 1 else self.settings.sample_rate,
                looping=how.loop,
                notes=notes,
                delta=None if delta is None else delta.astype(np.float32),
            )
        except ValueError as error:
            text = f"animation `{self.animation.name}` cannot be played: {error}"
            scale, farthest = self.settings.scale, np.abs(tracks[:, 4:7]).max(initial=0.0)
            if FARTHEST < farthest <= FARTHEST * scale:
                remedy, place = "make `scale` smaller", self.settings.place("scale")
            else:
                remedy, place = "export it again", None
            self.faults.error("bad-clip", text, remedy, span=place)

    def check_spread(self, spread: Float64) -> None:
        """Say it where a node is stretched more one way than another: by what part of its size, (B, F)."""
        if spread.max() <= _UNEVEN:
            return
        worst = int(np.argmax(spread.max(axis=1)))
        self.faults.warn(
            "uneven-scale",
            f"animation `{self.animation.name}` scales node `{self.rig.names[worst]}` unevenly; the mean is used",
            "scale bones by the same factor in all directions",
        )


def _close(works: list[_Work], rig: Rig) -> None:
    """Find out which of these loops end in the pose that they begin with."""
    ends = [np.array([work.start, work.end]) for work in works]
    for work, _, rows, turns, spread in _sampled(works, ends, rig):
        work.close(rows, turns, spread)


def _fill(works: list[_Work], rig: Rig) -> None:
    """Make the clips of these."""
    for work, taken, rows, _, spread in _sampled(works, [work.times() for work in works], rig):
        work.fill(rows, taken.delta, spread)


def _sampled(
    works: list[_Work], moments: list[Float64], rig: Rig
) -> Iterator[tuple[_Work, Taken, Float64, Float64, Float64]]:
    """Each work with what it is at its moments: rows (F, 8, B), the rotations (F, B, 3, 3) that they came from, and how
    uneven the scales are, (B, F). Those that have no poses are left out, after an error."""
    wanted = [(work.sampler, work.held(times)) for work, times in zip(works, moments, strict=True)]
    worlds = bone_worlds(rig, wanted)
    found: list[tuple[_Work, Taken]] = []
    at = 0
    for work, times in zip(works, moments, strict=True):
        taken = work.taken(times, worlds[:, at : at + len(times)])
        at += len(times)
        if taken is not None:
            found.append((work, taken))
    if not found:
        return
    together = (
        np.concatenate([taken.worlds for _, taken in found], axis=1) if len(found) > 1 else found[0][1].worlds
    )
    rows, turns, spread = _rows(rig, together)
    at = 0
    for work, taken in found:
        here = slice(at, at + taken.worlds.shape[1])
        at = here.stop
        yield (
            work,
            taken,
            np.ascontiguousarray(rows[:, :, here].transpose(2, 0, 1)),
            turns[:, here],
            spread[:, here],
        )


def _part(
    sampler: Sampler,
    animation: SceneAnimation,
    frames: tuple[float, float],
    settings: ModelSettings,
    faults: Faults,
) -> tuple[float, float]:
    """The moments between which the settings cut a clip out, as far as the animation has them."""
    first, last = sampler.extent()
    start, end = frames[0] / settings.fps, frames[1] / settings.fps
    slack = 0.5 / settings.fps
    if first - slack <= start and end <= last + slack:
        return start, end
    faults.error(
        "bad-setting",
        f"`frames` of clip `{animation.name}` lie outside the animation",
        f"it has frames {first * settings.fps:g} to {last * settings.fps:g}, at {settings.fps:g} a second (`fps`)",
        span=settings.place("clips", settings_key(animation, settings), "frames"),
    )
    return min(max(start, first), last), min(max(end, first), last)


def _bones(
    sampler: Sampler,
    rig: Rig,
    animation: SceneAnimation,
    clip: ClipSettings,
    settings: ModelSettings,
    faults: Faults,
) -> list[str]:
    """The bones that the clip moves: those with keys, as far as the settings want them."""
    moved, names = sampler.moved_bones(rig), rig.names
    place = settings.place("clips", settings_key(animation, settings), "bones") if clip.bones else None
    unknown = [name for name in clip.bones if name not in names]
    for name in unknown:
        faults.error(
            "unknown-bone",
            f"clip `{animation.name}` is to move bone `{name}`, which the skeleton lacks",
            did_you_mean(name, names) or "its bones: " + ", ".join(names[:20]),
            span=place,
        )
    wanted = rig.below(clip.bones) if clip.bones else set(names)
    bones = [name for name in moved if name in wanted]
    if not moved:
        faults.warn(
            "bad-clip",
            f"animation `{animation.name}` moves no bone; its clip stands still",
            "export it again with keys, or leave it out",
        )
    elif not bones and not unknown:
        faults.warn(
            "bad-clip",
            f"animation `{animation.name}` moves none of the bones that `bones` names; its clip stands still",
            "it moves: " + ", ".join(moved[:20]),
            span=place,
        )
    return bones


def _check_travel(
    animation: SceneAnimation, root: str, places: Float64, settings: ModelSettings, faults: Faults
) -> None:
    """A loop that walks away and jumps back is hardly meant."""
    travel = float(np.linalg.norm(places[-1] - places[0]))
    if travel > MAX_LOOP_TRAVEL:
        span = settings.place("clips", settings_key(animation, settings), "loop")
        faults.warn(
            "loop-travels",
            f"clip `{animation.name}` loops, but bone `{root}` ends {travel:.0f} inches from where it begins",
            "`root_motion = true` lets this travel move the entity",
            span=span,
        )


# Rows ---------------------------------------------------------------------------------------------------


def _rows(rig: Rig, worlds: Float64) -> tuple[Float64, Float64, Float64]:
    """Local rows (8, B, F) of worlds (B, F, 4, 4), the rotations (B, F, 3, 3) that they came from, and the part of its
    size by which each bone is longer along one axis than along another, (B, F)."""
    # By components: NumPy is slow at arrays whose last axis is short.
    bones, frames = worlds.shape[:2]
    m = np.ascontiguousarray(worlds[:, :, :3, :3].reshape(-1, 9).T)
    squares = m * m
    x = np.sqrt(squares[0] + squares[3] + squares[6])
    y = np.sqrt(squares[1] + squares[4] + squares[7])
    z = np.sqrt(squares[2] + squares[5] + squares[8])
    most, least = np.maximum(np.maximum(x, y), z), np.minimum(np.minimum(x, y), z)
    spread = ((most - least) / np.maximum(most, _SMALLEST)).reshape(bones, frames)
    size = np.maximum((x + y + z) / 3, _SMALLEST).reshape(bones, frames)
    for column, length in enumerate((x, y, z)):
        m[column::3] /= np.maximum(length, _SMALLEST)
    skew = least < _SMALLEST
    for one, other in ((0, 1), (1, 2), (2, 0)):
        across = m[one::3] * m[other::3]
        skew |= np.abs(across[0] + across[1] + across[2]) > _SKEW
    turns: Float64 = np.ascontiguousarray(m.T).reshape(-1, 3, 3)
    if skew.any():
        left, _, right = np.linalg.svd(turns[skew])
        left[..., :, 2] *= np.linalg.det(left @ right)[..., None]
        turns[skew] = left @ right
    turns = turns.reshape(bones, frames, 3, 3)
    places = worlds[:, :, :3, 3]
    rows = np.empty((8, bones, frames))
    local_turns = np.empty(turns.shape)
    for bone, parent in enumerate(rig.parents):
        if parent < 0:
            local_turns[bone] = turns[bone]
            rows[4:7, bone] = places[bone].T
            rows[7, bone] = size[bone]
        else:
            back = np.swapaxes(turns[parent], -1, -2)
            local_turns[bone] = back @ turns[bone]
            offsets = (places[bone] - places[parent])[..., None]
            rows[4:7, bone] = (back @ offsets)[..., 0].T / size[parent]
            rows[7, bone] = size[bone] / size[parent]
    rows[:4] = components_of(local_turns)
    return rows, local_turns, spread


def _closes(rows: Float64, turns: Float64) -> bool:
    """Whether the last of the poses, (2, 8, B) and (B, 2, 3, 3), is the first, within what a loop may jump."""
    relative = np.einsum("bij,bij->b", turns[:, 0], turns[:, -1])
    angles = np.degrees(np.arccos(np.clip((relative - 1) / 2, -1.0, 1.0)))
    moved = np.abs(rows[-1, 4:7] - rows[0, 4:7]).max(initial=0.0)
    return bool(angles.max(initial=0.0) <= CLOSE_ANGLE and moved <= CLOSE_DISTANCE)


def _lead_back(rows: Float64, over: Float64) -> Float64:
    """Poses after the last key, `over` 0..1 of the way back to the first."""
    rows = rows.copy()
    for frame in np.flatnonzero(over > 0):
        first, here, part = rows[0], rows[frame], over[frame]
        sign = np.where((first[:4] * here[:4]).sum(axis=0) < 0, -1.0, 1.0)
        blended = here + (np.concatenate([first[:4] * sign, first[4:]]) - here) * part
        blended[:4] = unit_quats(blended[:4].T).T
        rows[frame] = blended
    rows[-1] = rows[0]
    return rows


def _even_signs(rows: Float64) -> Float64:
    """Quaternions of neighbouring frames on the same side, so that blends take the short way."""
    quats = rows[:, :4]
    flips = np.where((quats[1:] * quats[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    signs = np.concatenate([np.ones((1, rows.shape[2])), np.cumprod(flips, axis=0)])
    out = rows.copy()
    out[:, :4] *= signs[:, None, :]
    return out


# Notes --------------------------------------------------------------------------------------------------


def _notes(
    animation: SceneAnimation,
    clip: ClipSettings,
    start: float,
    length: float,
    settings: ModelSettings,
    faults: Faults,
) -> tuple[ClipNote, ...]:
    """The notes by fraction, and the engine's own `end`."""
    found = []
    slack = 0.5 / settings.fps
    for index, note in enumerate(clip.notes):
        if note.at is not None:
            moment = note.at * length
        else:
            moment = note.time if note.time is not None else (note.frame or 0.0) / settings.fps - start
        if not -slack <= moment <= length + slack:
            key = "frame" if note.frame is not None else "time"
            span = settings.place("clips", settings_key(animation, settings), "notes", index, key)
            first, last = start * settings.fps, (start + length) * settings.fps
            faults.error(
                "note-outside",
                f"note `{note.name}` lies outside clip `{animation.name}`",
                f"the clip has frames {first:g} to {last:g}, {length:g} s",
                span=span,
            )
            continue
        fraction = moment / length if length > 0 else 0.0
        found.append(ClipNote(min(1.0, max(0.0, fraction)), note.name))
    return (*sorted(found), ClipNote(1.0, "end"))
