"""Random trees, clips, skeletons and states from a seed, and the batch beside the plain rules for one of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from engine.anim import pose
from engine.anim.clip import Clip, ClipNote
from engine.anim.errors import AnimationError
from engine.anim.notes import MAX_PASSES
from engine.anim.sampler import bind
from engine.anim.saved import load_instances, save_instances
from engine.anim.skeleton import Skeleton
from engine.anim.state import TreeInstances
from tests.anim import plain
from tests.anim.kit import Clips, build

Random = np.random.Generator

CLOSE = 1e-4
"""Of the size of the model: how far a point may be from where the plain rules put it."""


@dataclass
class Tally:
    """What a run of cases has seen; `worst` is the largest distance as a part of the model's size."""

    poses: int = 0
    undecided: int = 0
    worst: float = 0.0


def random_skeleton(rng: Random, most: int = 9) -> Skeleton:
    count = int(rng.integers(1, most))
    parents = np.array([-1, *(int(rng.integers(0, bone)) for bone in range(1, count))], np.int32)
    rest = np.zeros((8, count), np.float32)
    rest[:4] = random_turns(rng, count)
    rest[4:7] = rng.normal(size=(3, count)) * 10
    rest[7] = rng.uniform(0.8, 1.2, count)
    inverse = rng.normal(size=(count, 3, 4)).astype(np.float32)
    return Skeleton(tuple(f"b{i}" for i in range(count)), parents, rest, inverse)


def random_turns(rng: Random, *shape: int) -> np.ndarray:
    turns = rng.normal(size=(4, *shape))
    return turns / np.linalg.norm(turns, axis=0)


def random_clip(rng: Random, name: str, skeleton: Skeleton, looping: bool, partial: bool) -> Clip:
    frames = int(rng.integers(1, 7))
    bones = [b for b in skeleton.names if not partial or rng.random() < 0.6]
    bones += ["stranger"] if rng.random() < 0.2 else []
    rng.shuffle(bones)
    rows = np.zeros((frames, 8, len(bones)))
    start, turn = random_turns(rng, len(bones)), random_turns(rng, len(bones))
    at_rest = rng.random() < 0.4
    if at_rest:
        # Near the rest pose and with its lengths, as most clips are; the others turn and stretch as they please.
        own = [skeleton.index.get(bone, 0) for bone in bones]
        start = skeleton.rest[:4, own] + 0.1 * start
    for frame in range(frames):  # a path that stays clear of opposite rotations between two frames
        mix = start + (turn - start) * 0.2 * frame
        rows[frame, :4] = mix / np.linalg.norm(mix, axis=0) * rng.choice([-1, 1], len(bones))
    rows[:, 4:7] = rng.normal(size=(frames, 3, len(bones))) * 10
    rows[:, 7] = rng.uniform(0.8, 1.2, (frames, len(bones)))
    if at_rest:
        rows[:, 4:] = skeleton.rest[4:, own]
    delta = None
    if rng.random() < 0.6:
        delta = (rng.normal(size=(frames, 4)) * [10, 10, 2, 40]).astype(np.float32)
        delta -= delta[0]
    inner = sorted(ClipNote(float(at), f"n{i}") for i, at in enumerate(rng.random(int(rng.integers(0, 4)))))
    notes = (*inner, ClipNote(1.0, "end"))
    return Clip(name, tuple(bones), rows.astype(np.float32), 10.0, looping, notes, delta)


def random_tree(rng: Random, skeleton: Skeleton, partial: bool) -> tuple[str, Clips]:
    lines: list[str] = []
    clips: list[Clip] = []

    def block(depth: int, sync: str | None) -> None:
        for _ in range(int(rng.integers(1, 4))):
            name = f"n{len(lines)}"
            if depth < 3 and rng.random() < 0.5:
                own = (
                    str(rng.choice(["loopsync", "nonloopsync"])) if not sync and rng.random() < 0.4 else None
                )
                lines.append(f"{name} : {own}" if own else name)
                lines.append("{")
                block(depth + 1, own or sync)
                lines.append("}")
            else:
                lines.append(name)
                looping = sync == "loopsync" if sync else bool(rng.random() < 0.6)
                clips.append(random_clip(rng, name, skeleton, looping, partial))

    block(0, None)
    return "\n".join(lines) + "\n", Clips(*clips)


def random_state(rng: Random, instances: TreeInstances, rows: int) -> None:
    tree = instances.tree
    for row in range(rows):
        for node in rng.permutation(np.arange(1, len(tree))):
            if rng.random() < 0.6:
                weight, rate = float(rng.uniform(0.1, 3.0)), float(rng.uniform(0.2, 2.0))
                flagged = tree.is_leaf(int(node)) and rng.random() < 0.5
                notify = tree.names[node] if flagged else None
                instances.set_anim(row, int(node), weight, 0.0, rate, notify=notify)
        for node in tree.leaves:
            if rng.random() < 0.5:
                instances.set_time(row, int(node), float(rng.uniform(0.01, 0.99)))


def mirror(instances: TreeInstances, skeleton: Skeleton, row: int) -> plain.PlainEntity:
    views = {view.node: view for view in instances.inspect(row)}
    return plain.PlainEntity(
        instances.tree,
        skeleton,
        {node: view.weight for node, view in views.items()},
        {node: view.rate for node, view in views.items()},
        {node: view.time or 0.0 for node, view in views.items()},
    )


def check_case(seed: int, tally: Tally) -> None:
    """One tree with four entities, the last of which plays nothing, over three steps: every time, note, pose, matrix
    and motion against the plain rules. AssertionError where they differ."""
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng, 25 if seed % 5 == 0 else 9)
    text, clips = random_tree(rng, skeleton, partial=seed % 2 == 1)
    tree = build(text, clips)
    instances = TreeInstances(tree, bind(tree, skeleton))
    rows = 4
    for _ in range(rows):
        instances.add()
    random_state(rng, instances, rows - 1)
    for _ in range(3):
        entities = [mirror(instances, skeleton, row) for row in range(rows)]
        views = [{view.node: view for view in instances.inspect(row)} for row in range(rows)]
        dt = float(rng.choice([0.05, 0.4, 1.7]))
        sent: list[tuple[int, str, str]] = []
        instances.step(dt, lambda row, notify, note, sent=sent: sent.append((row, notify, note)))
        poses, motion = instances.sample(), instances.root_motion()
        matrices, skins = pose.model_matrices(poses, skeleton), pose.palettes(poses, skeleton)
        for row, entity in enumerate(entities):
            before = dict(entity.time)
            entity.advance(dt)
            for node in range(len(tree)):
                if tree.has_time(node) and entity.weight[node] > 0:
                    assert instances.get_time(row, node) == pytest.approx(entity.time[node], abs=1e-9)
            flagged = [n for n in map(int, tree.leaves) if views[row][n].notify]
            heard = [(notify, note) for at, notify, note in sent if at == row]
            if all(entity.passes[node] < MAX_PASSES - 1 for node in flagged):
                assert heard == entity.notes(before, flagged, dt)
            moved, yaw = (entity.motion(before) if entity.weight[0] > 0 else None) or (np.zeros(3), 0.0)
            assert motion[row] == pytest.approx([*moved, yaw], abs=1e-4)
            try:
                expected = entity.local_pose()
            except plain.Undecided:
                tally.undecided += 1
                continue
            _check_pose(tally, skeleton, expected, poses[row], matrices[row], skins[row])


def _check_pose(
    tally: Tally,
    skeleton: Skeleton,
    expected: np.ndarray,
    local: np.ndarray,
    model: np.ndarray,
    skin: np.ndarray,
) -> None:
    """`expected` (8, B) in float64 against the batch's local pose, its matrices and its palette."""
    wanted = plain.model_matrices(expected, skeleton)
    places = wanted[:, :3, 3]
    size = float(max(np.linalg.norm(places - places[0], axis=1).max(), np.abs(expected[4:7]).max(), 1.0))
    same_side = np.sign((expected[:4] * local[:4]).sum(axis=0))
    assert np.abs(local[:4] - expected[:4] * same_side).max() < 5e-5
    # A point at each bone, and one as far ahead along each of its axes as the model is large.
    corners = np.concatenate([np.zeros((4, 1)), np.eye(4)[:, :3] * size], axis=1)
    corners[3] = 1.0
    apart = np.abs((model - wanted[:, :3]) @ corners).max()
    # The same points of the mesh, which the inverse bind takes to the bone.
    bound = np.concatenate([skeleton.inverse_bind, np.tile([[[0, 0, 0, 1]]], (len(wanted), 1, 1))], 1)
    reach = 1.0 + np.abs(bound).max()
    apart = max(apart, np.abs((skin - (wanted @ bound)[:, :3]) @ corners).max() / reach)
    tally.poses += 1
    tally.worst = max(tally.worst, float(apart / size))
    assert apart <= CLOSE * size


# -- whatever is asked for, nothing may become anything but a number --

WILD = (0.0, 0.001, 0.5, 1.0, 4.0, 1e6, 1e30, 1e-30)


def check_wild(seed: int) -> None:
    """Weights, times and rates of any size, in any order, with fades, clears and long and empty frames."""
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng)
    text, clips = random_tree(rng, skeleton, partial=seed % 2 == 1)
    tree = build(text, clips)
    instances = TreeInstances(tree, bind(tree, skeleton))
    rows = [instances.add() for _ in range(3)]
    for _ in range(6):
        for _ in range(int(rng.integers(0, 8))):
            row, node = int(rng.choice(rows)), int(rng.integers(0, len(tree)))
            weight, time, rate = (float(rng.choice(WILD)) for _ in range(3))
            notify = "n" if rng.random() < 0.3 else None
            try:
                match int(rng.integers(0, 5)):
                    case 0:
                        instances.clear_anim(row, node, time)
                    case 1:
                        instances.set_knob(row, node, weight, time, rate, notify=notify)
                    case 2:
                        instances.set_knob_all(row, node, 0, weight, time, rate, limited=rng.random() < 0.3)
                    case 3:
                        instances.set_time(row, node, float(rng.random()))
                    case _:
                        restart = rng.random() < 0.3
                        instances.set_anim(row, node, weight, time, rate, notify=notify, restart=restart)
            except AnimationError:
                pass
        if rng.random() < 0.2:  # and a row whose weights all are nothing, but whose goals are not
            instances.store.weight[:, int(rng.choice(rows))] = 0.0
        instances.step(float(rng.choice([0.0, 0.05, 3.0, 1e4])), lambda row, notify, note: None)
        check_numbers(instances)
        # A state that can be reached can be saved, and is taken back.
        again = load_instances(tree, instances.binding, save_instances(instances))
        assert np.array_equal(again.sample(), instances.sample())


def check_numbers(instances: TreeInstances) -> None:
    """Everything that comes out is a finite number, and rotations have length 1."""
    poses, skeleton = instances.sample(), instances.binding.skeleton
    assert np.isfinite(poses).all()
    assert np.abs(np.linalg.norm(poses[:, :4], axis=1) - 1.0).max() < 1e-3
    assert np.isfinite(pose.model_matrices(poses, skeleton)).all()
    assert np.isfinite(pose.palettes(poses, skeleton)).all()
    assert np.isfinite(instances.root_motion()).all()
    for name in ("weight", "goal", "remain", "rate", "time", "speed"):
        assert np.isfinite(getattr(instances.store, name)).all(), name
