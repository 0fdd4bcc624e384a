"""The local poses of all entities from what plays on them (animation facts, section 5.6).

Every active leaf of every entity is sampled into one long list of rows. Then, level by level from the deepest
up, the rows that share a parent become one; a row that is alone passes unchanged. So the work depends on what
plays, not on the size of the tree.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.anim.sampler import Binding, Index
from engine.anim.shares import shares
from engine.anim.skeleton import Float32
from engine.anim.tree import Float64, Tree


def local_poses(binding: Binding, weight: Float64, time: Float64) -> Float32:
    """(N, E) weights and times to (E, 8, B) local poses; bones that nothing covers keep the rest pose."""
    tree, skeleton = binding.tree, binding.skeleton
    poses: Float32 = np.empty((weight.shape[1], 8, len(skeleton)), np.float32)
    poses[:] = skeleton.rest
    leaves = tree.leaves_in_order
    active = shares(tree, weight, binding.poses_bones)[leaves] > 0.0
    rows, order = np.nonzero(active.T)
    if not len(rows):
        return poses
    nodes = leaves[order].astype(np.intp)
    samples = binding.sample(nodes, time[nodes, rows])
    leaders = _reduce(tree, binding, samples, nodes, rows, weight)
    result = samples if len(leaders) == len(samples) else samples[leaders]
    turn = result[:, :4]
    turn /= np.maximum(_length(turn), np.float32(1e-20))[:, None, :]
    if binding.partial:
        covered = result[:, 8:9] > 0.0
        poses[rows[leaders]] = np.where(covered, result[:, :8], skeleton.rest)
    elif len(leaders) == len(poses):
        return np.array(result)
    else:
        poses[rows[leaders]] = result
    return poses


def _length(turn: Float32) -> Float32:
    length: Float32 = np.sqrt(np.einsum("kcb,kcb->kb", turn, turn))
    return length


def _reduce(
    tree: Tree, binding: Binding, samples: Float32, nodes: Index, rows: Index, weight: Float64
) -> Index:
    """Blend in place up to the root; returns which sample holds the result of each row that has one."""
    at = nodes.copy()
    """The node that each sample stands for so far."""
    left: Index = np.arange(len(samples))
    parents = np.array(tree.parents, np.intp)
    depths = tree.depths
    for depth in range(int(depths[at].max()), 0, -1):
        deep = depths[at[left]] == depth
        members = left[deep]
        key = rows[members] * len(tree) + parents[at[members]]
        starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
        heads = members[starts]
        if len(heads) < len(members):
            sizes = np.diff(np.append(starts, len(members)))
            amounts = weight[at[members], rows[members]]
            blended = sizes > 1
            _blend(binding, samples, members, starts[blended], sizes[blended], amounts)
            keep = ~deep
            keep[np.flatnonzero(deep)[starts]] = True
            left = left[keep]
        at[heads] = parents[at[heads]]
    return left


def _blend(
    binding: Binding,
    samples: Float32,
    members: Index,
    starts: Index,
    sizes: Index,
    amounts: NDArray[np.float64],
) -> None:
    """Blend groups of neighbours in `members` into the first of each.

    Rotations are first brought to the side of the first member that covers the bone, for q and -q are one rotation
    and would cancel; then they are summed and made unit length, translations and scales summed and divided.
    """
    bones = len(binding.skeleton)
    groups, width = len(starts), int(sizes.max())
    ranks = np.arange(width)
    # Groups are padded with their first member at weight 0.
    there = ranks < sizes[:, None]
    places = np.where(there, starts[:, None] + ranks, starts[:, None])
    which = members[places]
    weights = np.where(there, amounts[places], 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    stacked = binding.scratch("stacked", groups * width)
    flat = samples.reshape(len(samples), -1)
    np.take(flat, which.reshape(-1), axis=0, out=stacked, mode="clip")
    rows = stacked.reshape(groups, width, binding.channels, bones)
    side = rows[:, 0, :4]
    if binding.partial and width > 2:
        side = side.copy()
    for rank in range(1, width):
        turn = rows[:, rank, :4]
        against = np.einsum("gcb,gcb->gb", side, turn) < 0.0
        if against.any():
            np.negative(turn, out=turn, where=against[:, None, :])
        if binding.partial and width > 2:
            np.copyto(side, turn, where=(side == 0.0).all(axis=1)[:, None, :])
    out = binding.scratch("blended", groups)
    np.matmul(
        weights.astype(np.float32)[:, None, :],
        stacked.reshape(groups, width, -1),
        out=out.reshape(groups, 1, -1),
    )
    result = out.reshape(groups, binding.channels, bones)
    result[:, :4] /= np.maximum(_length(result[:, :4]), np.float32(1e-20))[:, None, :]
    if binding.partial:
        covered = result[:, 8] > 0.0
        np.divide(result[:, 4:], result[:, 8:9], out=result[:, 4:], where=covered[:, None, :])
    samples[members[starts]] = result
