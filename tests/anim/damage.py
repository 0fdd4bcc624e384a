"""Damaged trees and models: each is refused with its place, or plays with nothing but numbers in it."""

from __future__ import annotations

import numpy as np

from engine.anim import atr
from engine.anim.clip import Clip
from engine.anim.sampler import bind
from engine.anim.skeleton import Skeleton
from engine.anim.state import TreeInstances
from engine.anim.tree import Tree
from engine.source import DiagnosticError
from engine.source.render import to_text
from tests.anim.cases import Random, check_numbers, random_skeleton, random_state, random_tree
from tests.anim.kit import build, chain, make_clip, source

PIECES = [
    "{", "}", ":", "loopsync", "nonloopsync", "complete", "additive", "mask=bone", "blend=speed", "at=3", "#extended",
    "n1", "n3", "walk", "//", "/*", "*/", '"', '"n2"', "\0", "\ufeff", "é", "walk{", ";", ",", "void", "root",
]  # fmt: skip


def check_damaged_tree(seed: int) -> str:
    """`plays`, or `refused` for a text that is none; AssertionError for anything else."""
    rng = np.random.default_rng(seed)
    whole, clips = random_tree(rng, chain("bone"), partial=False)
    text = damaged_text(rng, whole)
    clips.known.setdefault("walk", make_clip("walk", looping=True))
    try:
        names = atr.read(source(text))
        words = sorted({word for word in text.lower().split() if word.isalnum()})
        mentioned = dict.fromkeys(word for word in words if rng.random() < 0.6)
        tree = names.prune({} if seed % 2 else mentioned, clips, all_names=seed % 2 == 1)
    except DiagnosticError as error:
        return refused(error, text)
    play(rng, tree, chain("bone"))
    return "plays"


def refused(error: DiagnosticError, text: str) -> str:
    assert error.diagnostics
    for found in error.diagnostics:
        assert found.message
        assert found.span is None or 1 <= found.span.line <= text.count("\n") + 1
        assert to_text(found)
    return "refused"


def damaged_text(rng: Random, text: str) -> str:
    """A tree with a few words, lines or letters changed, lost, doubled or moved."""
    lines = text.split("\n")
    for _ in range(int(rng.integers(1, 3))):
        at = int(rng.integers(0, len(lines)))
        match int(rng.integers(0, 7)):
            case 0:
                lines[at] = str(rng.choice(PIECES))
            case 1:
                lines.insert(at, str(rng.choice(PIECES)))
            case 2:
                lines[at] += f" {rng.choice(PIECES)}"
            case 3:
                del lines[at]
                lines = lines or [""]
            case 4:
                lines.insert(at, lines[int(rng.integers(0, len(lines)))])
            case 5:
                lines[at] = lines[at].upper() + "\t"
            case _:
                letters = bytearray("\n".join(lines).encode("latin-1", "replace") or b" ")
                letters[int(rng.integers(0, len(letters)))] = int(rng.integers(0, 256))
                lines = letters.decode("latin-1").split("\n")
    return "\n".join(lines)


def check_damaged_model(seed: int) -> str:
    """The same for the numbers of a skeleton and its clips, as a bad model or a damaged cooked file could bring
    them: what is no number is refused, and what is a strange one plays."""
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng)
    text, clips = random_tree(rng, skeleton, partial=seed % 2 == 1)
    try:
        skeleton = damaged_skeleton(rng, skeleton)
        for name in list(clips.known):
            if rng.random() < 0.3:
                clips.known[name] = damaged_clip(rng, clips.known[name])
        tree = build(text, clips)
    except ValueError:
        return "refused"
    except DiagnosticError as error:
        return refused(error, text)
    play(rng, tree, skeleton)
    return "plays"


STRANGE = (0.0, -0.0, 1e-30, -1.0, 1e4, 1e6, 1e-7, 0.5, float("nan"), float("inf"), -float("inf"))


def damaged_skeleton(rng: Random, skeleton: Skeleton) -> Skeleton:
    rest, inverse = skeleton.rest.copy(), skeleton.inverse_bind.copy()
    parents = skeleton.parents.copy()
    for array in (rest, inverse):
        if rng.random() < 0.2:
            flat = array.reshape(-1)
            flat[rng.integers(0, len(flat), int(rng.integers(1, 4)))] = rng.choice(STRANGE)
    if rng.random() < 0.1:
        rest[:4, int(rng.integers(0, len(skeleton)))] = 0.0
    if rng.random() < 0.05:
        parents[int(rng.integers(0, len(parents)))] = int(rng.integers(-3, len(parents) + 2))
    return Skeleton(skeleton.names, parents, rest, inverse)


def damaged_clip(rng: Random, clip: Clip) -> Clip:
    rows, delta, fps = clip.rows.copy(), clip.delta, clip.fps
    if rows.size and rng.random() < 0.6:
        flat = rows.reshape(-1)
        flat[rng.integers(0, len(flat), int(rng.integers(1, 6)))] = rng.choice(STRANGE)
    if rows.size and rng.random() < 0.3:
        rows[:, :4, int(rng.integers(0, rows.shape[2]))] = 0.0
    if delta is not None and rng.random() < 0.3:
        delta = delta.copy()
        delta.reshape(-1)[int(rng.integers(0, delta.size))] = rng.choice(STRANGE)
    if rng.random() < 0.1:
        fps = float(rng.choice(STRANGE))
    return Clip(clip.name, clip.bones, rows, fps, clip.looping, clip.notes, delta)


def play(rng: Random, tree: Tree, skeleton: Skeleton) -> None:
    instances = TreeInstances(tree, bind(tree, skeleton))
    for _ in range(2):
        instances.add()
    random_state(rng, instances, 2)
    for dt in (0.05, 0.7):
        instances.step(dt, lambda row, notify, note: None)
        check_numbers(instances)
