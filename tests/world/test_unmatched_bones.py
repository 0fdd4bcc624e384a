"""A model that lacks the bones of what it plays, which is told once. The loader's void clips are none of those."""

from __future__ import annotations

import numpy as np

from engine.anim import atr
from engine.anim.clip import Clip, ClipNote
from engine.anim.tree import Tree
from engine.source import Diagnostic, SourceText
from tests.world.world_kit import block, make_world


class _Clips:
    """Every clip moves `root` and two bones that no box has."""

    def clip(self, name: str) -> Clip:
        rows = np.zeros((2, 8, 3), np.float32)
        rows[:, 3] = rows[:, 7] = 1.0
        return Clip(name, ("root", "hip", "knee"), rows, 30.0, False, (ClipNote(1.0, "end"),))

    def clip_names(self) -> list[str]:
        return ["walk", "run"]


def _tree() -> Tree:
    text = "#extended\nwalk\nrun\nvoid\nlook : mask=tag_top,-elbow\n{\n\tstand\n}\n"
    return atr.read(SourceText("animtrees/man.atr", text)).prune({}, _Clips(), all_names=True)


def test_it_is_told_once_for_a_model() -> None:
    world, _ = make_world(
        *(block("script_model", model=f"xmodel/crate_{i}", origin="0 0 0") for i in (1, 1, 2))
    )
    told: list[Diagnostic] = []
    world.complain = told.append
    tree = _tree()
    world.set_trees([tree.name], {tree.name: tree})
    for entity in world.entities.all():
        if entity.model_name:
            world.animator.use_tree(entity, tree)
    by_model = [d.message for d in told]
    assert len(by_model) == 4
    assert by_model[0] == "3 clips move bones that model 'crate_1' does not have: hip, knee"
    assert by_model[1] == "the mask of 'look' names bones that model 'crate_1' does not have: -elbow"
    assert {d.severity for d in told} == {"warning"}
    assert {d.code for d in told} == {"unknown-bone"}
    assert told[0].notes[0].message == "in the tree 'man': run, stand, walk"
    world.frame()
    assert len(told) == 4
