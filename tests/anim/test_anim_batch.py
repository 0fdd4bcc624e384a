"""The batch against a plain evaluator of one entity: random trees, clips, skeletons, weights and rates."""

from __future__ import annotations

import numpy as np
import pytest

from engine.anim import pose
from engine.anim.clip import Clip, ClipNote
from engine.anim.sampler import bind
from engine.anim.skeleton import Skeleton
from engine.anim.state import TreeInstances
from tests.anim import plain
from tests.anim.kit import Clips, build

Random = np.random.Generator


def random_skeleton(rng: Random) -> Skeleton:
    count = int(rng.integers(1, 9))
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
    for frame in range(frames):  # a path that stays clear of opposite rotations between two frames
        mix = start + (turn - start) * 0.2 * frame
        rows[frame, :4] = mix / np.linalg.norm(mix, axis=0) * rng.choice([-1, 1], len(bones))
    rows[:, 4:7] = rng.normal(size=(frames, 3, len(bones))) * 10
    rows[:, 7] = rng.uniform(0.8, 1.2, (frames, len(bones)))
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


@pytest.mark.parametrize("seed", range(60))
def test_the_batch_agrees_with_the_plain_rules(seed: int) -> None:
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng)
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
        matrices = pose.model_matrices(poses, skeleton)
        skins = pose.palettes(poses, skeleton)
        for row, entity in enumerate(entities):
            before = dict(entity.time)
            entity.advance(dt)
            for node in range(len(tree)):
                if tree.has_time(node) and entity.weight[node] > 0:
                    assert instances.get_time(row, node) == pytest.approx(entity.time[node], abs=1e-9)
            flagged = [n for n in map(int, tree.leaves) if views[row][n].notify]
            heard = [(notify, note) for at, notify, note in sent if at == row]
            assert heard == entity.notes(before, flagged, dt)
            expected = entity.local_pose()
            same_side = np.sign((expected[:4] * poses[row, :4]).sum(axis=0))
            assert np.abs(poses[row, :4] - expected[:4] * same_side).max() < 2e-5
            assert np.abs(poses[row, 4:] - expected[4:]).max() < 1e-4
            moved, yaw = (entity.motion(before) if entity.weight[0] > 0 else None) or (np.zeros(3), 0.0)
            assert motion[row] == pytest.approx([*moved, yaw], abs=1e-4)
            model = plain.model_matrices(poses[row], skeleton)
            assert np.abs(matrices[row] - model[:, :3]).max() < 1e-3
            bound = model @ np.concatenate(
                [skeleton.inverse_bind, np.tile([[[0, 0, 0, 1]]], (len(model), 1, 1))], 1
            )
            assert np.abs(skins[row] - bound[:, :3]).max() < 2e-3
