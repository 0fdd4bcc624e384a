"""Animations of a scene as clips: sampled at an even rate, in engine space, over the rig's bones.

A clip begins at its first key and ends at its last. A looping clip ends in the pose that
it begins with: where the source's last pose is its first (within CLOSE_ANGLE and CLOSE_DISTANCE) it is made
exactly that; otherwise the source leaves the closing frame out, and one frame of the source's time line is
added that leads back to the first pose.
"""

from __future__ import annotations

import math
import re

import numpy as np

from engine.anim.clip import Clip, ClipNote
from engine.pipeline.curves import Sampler
from engine.pipeline.faults import Faults
from engine.pipeline.mirror import Mirror, other_side
from engine.pipeline.quaternions import quats_of, unit_quats
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

_UNEVEN = 0.01
_SKEW = 1e-3
"""Cosine of the angle between two axes of a bone from which they are made square again."""

_SMALLEST = 1e-6


def clip_name(animation: str) -> str:
    """An animation's name as a clip's: lower case, other characters than letters, digits and _ become _."""
    last = animation.lower().rsplit("|", 1)[-1]
    return re.sub(r"[^a-z0-9_]+", "_", last).strip("_") or "clip"


def convert_clip(
    scene: Scene,
    rig: Rig,
    animation: SceneAnimation,
    clip: ClipSettings,
    settings: ModelSettings,
    faults: Faults,
    *,
    mirrored: bool = False,
) -> Clip | None:
    """One animation as a clip, or None (with an error) where its keys make no sense. `mirrored`: the clip that the
    settings name as its mirror."""
    try:
        mirror = Mirror.of(rig, animation.name, faults) if mirrored else None
        return _convert(scene, rig, animation, clip, settings, faults, mirror)
    except _BeyondMeasure as far:
        faults.error(
            "bad-clip",
            f"animation `{animation.name}` moves or scales node `{far.node}` beyond all measure",
            "look at the keys of the node, and of those above it",
        )
        return None


def settings_key(animation: SceneAnimation, settings: ModelSettings) -> str:
    """What the settings call an animation: its own name, else its clip's."""
    name = animation.name.lower()
    return name if name in settings.clips else clip_name(animation.name)


class _BeyondMeasure(Exception):
    """A pose that is none; `node` is the first bone that is lost."""

    def __init__(self, node: str) -> None:
        super().__init__(node)
        self.node = node


def _convert(
    scene: Scene,
    rig: Rig,
    animation: SceneAnimation,
    clip: ClipSettings,
    settings: ModelSettings,
    faults: Faults,
    mirror: Mirror | None,
) -> Clip | None:
    name = (clip.mirror if mirror else clip.name) or clip_name(animation.name)
    rate = animation.rate if animation.rate > 0 and math.isfinite(animation.rate) else settings.fps
    sampler = Sampler.of(scene, rig, animation, rate)
    start, end = sampler.range()
    if clip.frames is not None and sampler.finite():
        start, end = _part(sampler, animation, clip.frames, settings, faults)
    if not sampler.finite() or not end - start <= MAX_SECONDS:
        faults.error(
            "bad-clip",
            f"animation `{animation.name}` has keys that are not numbers or is longer than {MAX_SECONDS:g} s",
            "export it again",
        )
        return None
    unevenness = _Unevenness(animation.name, rig, faults)
    bones = _bones(sampler, animation, clip, settings, faults)
    if mirror is not None:
        bones = mirror.bones(bones)
    root = rig.names.index(settings.root) if settings.root in rig.names else 0
    mode = clip.root_motion if rig.names[root] in bones else "keep"

    def taken_at(times: Float64) -> Taken:
        held = np.minimum(times, end)
        parts = (held - start) / (end - start) if end > start else np.zeros(len(times))
        worlds = sampler.bones(held)
        far = ~(np.abs(worlds).max(axis=(0, 2, 3)) <= FARTHEST_NODE)
        if far.any():
            raise _BeyondMeasure(rig.names[int(np.argmax(far))])
        return take_root_motion(mirror.worlds(worlds) if mirror else worlds, root, mode, parts)

    open_loop, gap = False, 0.0
    if clip.loop and end > start:
        ends = _rows(rig, taken_at(np.array([start, end])).worlds, unevenness)
        open_loop = not _closes(*ends)
        gap = 1 / settings.fps if open_loop else 0.0
        if open_loop and mode == "keep":
            _check_travel(animation, rig.names[root], ends[0][:, 4:6, root], settings, faults)
    length = end + gap - start if end + gap - start > SHORTEST else 0.0
    frames = max(2, round(length * settings.sample_rate) + 1) if length > 0 else 1
    times = np.linspace(start, end + gap, frames)
    taken = taken_at(times)
    rows = _rows(rig, taken.worlds, unevenness)[0]
    delta = taken.delta
    if open_loop:
        over = np.maximum(times - end, 0.0) / gap
        rows = _lead_back(rows, over)
        if delta is not None:
            delta = extend(delta, taken_at(np.array([start, max(start, end - gap), end])).delta, over)
    elif clip.loop:
        rows[-1] = rows[0]
    index = [rig.names.index(bone) for bone in bones]
    notes = _notes(animation, clip, start, length, settings, faults)
    if mirror is not None:
        notes = tuple(ClipNote(note.fraction, other_side(note.name)) for note in notes)
    try:
        return Clip(
            name=name,
            bones=tuple(bones),
            rows=np.ascontiguousarray(_even_signs(rows)[:, :, index], np.float32),
            fps=(frames - 1) / length if frames > 1 else settings.sample_rate,
            looping=clip.loop,
            notes=notes,
            delta=None if delta is None else delta.astype(np.float32),
        )
    except ValueError as error:
        faults.error("bad-clip", f"animation `{animation.name}` cannot be played: {error}", "export it again")
        return None


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
    sampler: Sampler, animation: SceneAnimation, clip: ClipSettings, settings: ModelSettings, faults: Faults
) -> list[str]:
    """The bones that the clip moves: those with keys, as far as the settings want them."""
    moved, names = sampler.moved_bones(), sampler.rig.names
    place = settings.place("clips", settings_key(animation, settings), "bones") if clip.bones else None
    unknown = [name for name in clip.bones if name not in names]
    for name in unknown:
        faults.error(
            "unknown-bone",
            f"clip `{animation.name}` is to move bone `{name}`, which the skeleton lacks",
            did_you_mean(name, names) or "its bones: " + ", ".join(names[:20]),
            span=place,
        )
    wanted = sampler.rig.below(clip.bones) if clip.bones else set(names)
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


class _Unevenness:
    """Says once which node of a clip is stretched more one way than another."""

    def __init__(self, animation: str, rig: Rig, faults: Faults) -> None:
        self.animation, self.rig, self.faults = animation, rig, faults

    def check(self, x: Float64, y: Float64, z: Float64) -> None:
        """The sizes (F, B) along each axis."""
        most, least = np.maximum(np.maximum(x, y), z), np.minimum(np.minimum(x, y), z)
        spread = (most - least) / np.maximum(most, _SMALLEST)
        worst = int(np.argmax(spread.max(axis=0)))
        if spread[:, worst].max() > _UNEVEN:
            self.faults.warn(
                "uneven-scale",
                f"animation `{self.animation}` scales node `{self.rig.names[worst]}` unevenly;"
                " the mean is used",
                "scale bones by the same factor in all directions",
            )


def _rows(rig: Rig, worlds: Float64, unevenness: _Unevenness) -> tuple[Float64, Float64]:
    """Local rows (F, 8, B) of worlds (F, B, 4, 4), and the rotation matrices (F, B, 3, 3) they came from."""
    # By components: NumPy is slow at sums over an axis of three.
    linear = worlds[..., :3, :3]
    squares = linear * linear
    sizes = np.sqrt(squares[..., 0, :] + squares[..., 1, :] + squares[..., 2, :])
    along = sizes[..., 0], sizes[..., 1], sizes[..., 2]
    unevenness.check(*along)
    size = np.maximum((along[0] + along[1] + along[2]) / 3, _SMALLEST)
    turns = linear / np.maximum(sizes, _SMALLEST)[..., None, :]
    x, y, z = turns[..., 0], turns[..., 1], turns[..., 2]
    skew = np.zeros(size.shape, np.bool_)
    for one, other in ((x, y), (y, z), (z, x)):
        across = one * other
        skew |= np.abs(across[..., 0] + across[..., 1] + across[..., 2]) > _SKEW
    skew |= np.minimum(np.minimum(*along[:2]), along[2]) < _SMALLEST
    if skew.any():
        left, _, right = np.linalg.svd(turns[skew])
        left[..., :, 2] *= np.linalg.det(left @ right)[..., None]
        turns[skew] = left @ right
    places = worlds[..., :3, 3]
    local_turns, local_places, local_size = turns.copy(), places.copy(), size.copy()
    below = np.flatnonzero(rig.parents >= 0)
    above = rig.parents[below]
    back = np.swapaxes(turns[:, above], -1, -2)
    local_turns[:, below] = back @ turns[:, below]
    offsets = (places[:, below] - places[:, above])[..., None]
    local_places[:, below] = (back @ offsets)[..., 0] / size[:, above, None]
    local_size[:, below] = size[:, below] / size[:, above]
    quats = quats_of(local_turns)
    rows = np.concatenate([quats, local_places, local_size[..., None]], axis=-1)
    return np.swapaxes(rows, 1, 2).copy(), local_turns


def _closes(rows: Float64, turns: Float64) -> bool:
    """Whether the last of the poses is the first, within what a loop may jump."""
    relative = np.einsum("bij,bij->b", turns[0], turns[-1])
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
